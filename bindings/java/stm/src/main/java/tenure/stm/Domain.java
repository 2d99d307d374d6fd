// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.Arrays;

/**
 * A time that several threads share. It advances when each of its members has ticked once since it last did. An
 * object with a date in a domain can be used by all members until the date has passed; each has its turn to
 * refresh it before that. All methods may be called by any thread; none but {@link #join} and
 * {@link Member#close} waits.
 *
 * <p>What members may do with an object at the same time is for the program to say, as with all objects of
 * Java: a domain says only how long it lives. An object has dates in one domain at a time.
 */
public final class Domain {
    private static final Member[] NONE = {};

    private final GlobalClock clock = new GlobalClock();
    /** Copied when it changes, under the domain's lock. */
    private volatile Member[] members = NONE;

    /** Makes a domain at time 0, without members. */
    public Domain() {}

    /**
     * The domain's time.
     *
     * @return how far it is
     */
    public long now() {
        return clock.time();
    }

    /**
     * Makes the calling thread a member, one that has not ticked.
     *
     * @return the membership
     * @throws ShortTermException if 65535 take part, or the thread is a member already
     */
    public synchronized Member join() {
        if (find() != null) {
            throw new ShortTermException("join: the thread is a member");
        }
        Member m = new Member(this);
        m.enter("join");
        Member[] more = Arrays.copyOf(members, members.length + 1);
        more[more.length - 1] = m;
        members = more;
        return m;
    }

    /** The calling thread's membership if it takes part, or null. */
    Member here() {
        Member m = find();
        return m != null && m.participant.status() == GlobalClock.ACTIVE ? m : null;
    }

    private Member find() {
        Thread me = Thread.currentThread();
        for (Member m : members) {
            if (m.thread == me) {
                return m;
            }
        }
        return null;
    }

    private synchronized void remove(Member m) {
        members = Arrays.stream(members).filter(other -> other != m).toArray(Member[]::new);
    }

    /**
     * A thread's part in a domain. It belongs to the thread that joined, but for {@link #declareBlocked}; on
     * others its methods throw {@link ForeignThreadException}.
     */
    public static final class Member implements AutoCloseable {
        private final Domain domain;
        private final Thread thread = Thread.currentThread();
        private final GlobalClock.Participant participant;
        private boolean left;

        Member(Domain domain) {
            this.domain = domain;
            participant = new GlobalClock.Participant(domain.clock);
        }

        long view() {
            return participant.view();
        }

        private void check(String operation) {
            if (thread != Thread.currentThread()) {
                throw new ForeignThreadException(operation + ": the member is " + thread);
            }
            if (left) {
                throw new ClosedException(operation + ": the member has left");
            }
        }

        private void enter(String operation) {
            if (participant.status() != GlobalClock.ACTIVE && !participant.enter()) {
                throw new ShortTermException(operation + ": " + GlobalClock.MOST + " members take part");
            }
        }

        /**
         * Says that the thread is done with the present time of the domain. Once all members have, time advances;
         * until then, further calls do nothing. A member that was blocked takes part again.
         *
         * @throws ShortTermException on another thread, or if the member has left
         */
        public void globalTick() {
            check("globalTick");
            while (!participant.tick()) {
                enter("globalTick");
            }
        }

        /**
         * Lets time advance without the member, which is going to wait. Until it resumes, the objects that it has
         * by the domain are expired for it.
         *
         * @throws ShortTermException on another thread, or if the member has left
         */
        public void block() {
            check("block");
            participant.exit(GlobalClock.BLOCKED);
        }

        /**
         * Ends {@link #block}.
         *
         * @throws ShortTermException on another thread, or if the member has left
         */
        public void resume() {
            check("resume");
            enter("resume");
        }

        /**
         * Ends the membership. Doing so again does nothing.
         *
         * @throws ForeignThreadException on another thread
         */
        @Override
        public void close() {
            if (left && thread == Thread.currentThread()) {
                return;
            }
            check("close");
            participant.exit(GlobalClock.OUTSIDE);
            left = true;
            domain.remove(this);
        }

        /**
         * Lets time advance without a member that hangs. Any thread may call it. If the member does not hang after
         * all, what it took from the domain before may expire under its hands.
         *
         * @return false if the member does not take part
         */
        public boolean declareBlocked() {
            return participant.declareBlocked();
        }

        /**
         * The earliest time that the domain may come to before the member ticks again.
         *
         * @return that time
         * @throws ShortTermException on another thread, or if the member has left
         */
        public long now() {
            check("now");
            return participant.view();
        }

        /**
         * Gives the object a date in the domain: it lives at least until the member has ticked
         * {@code extension + 1} times more, and one time longer, so that each member has its turn. The first such
         * date is given by the thread of the object's clock.
         *
         * @param object a reference, a region, segments, or an object of a pool
         * @param extension how many ticks it lives after the next one, from 0 to 65535
         * @throws ExpiredException if all dates of the object have passed
         * @throws ForeignThreadException if the member is another thread's, or the object is of another thread's
         *     clock and has no date in the domain
         * @throws IllegalArgumentException if the extension is out of range
         * @throws ShortTermException if the member has left, the object has a date in another domain, or is an
         *     allocator of segments that are not {@linkplain Clock#sharedSegments shared}
         */
        public void globalRefresh(Dated object, int extension) {
            check("globalRefresh");
            if (extension < 0 || extension > Store.DEFAULT_LIMIT) {
                throw new IllegalArgumentException(
                        "extension " + extension + " is not from 0 to " + Store.DEFAULT_LIMIT);
            }
            enter("globalRefresh");
            Target target = Target.of(object);
            Place p = target.alive();
            if (p instanceof SegmentPlace s && !s.shared) {
                throw new ShortTermException("globalRefresh: the segments belong to one thread");
            }
            // One more than the extension: the present period may be nearly over (papers/003…, §2.6).
            long date = domain.clock.time() + extension + 1;
            if (p.store.owner == thread) {
                share(p, target, date);
                return;
            }
            Sharing s = p.sharing;
            boolean ours = s != null && s.domain == domain;
            if (ours && s.alive(target.generation(), view()) && s.raise(date)) {
                return;
            }
            if (ours || p.store.owner == null) {
                throw new ExpiredException(target.describe() + " has expired");
            }
            throw p.refusal(target.generation(), target.describe());
        }

        /** The thread is the owner of the object's clock as well. */
        private void share(Place p, Target target, long date) {
            long generation = target.generation();
            if (!p.alive(generation) && !(p.generation == generation && p.shared(generation))) {
                throw p.refusal(generation, target.describe());
            }
            Sharing s = p.sharing;
            if (s == null || s.domain != domain) {
                if (s != null && !s.end()) {
                    throw new ShortTermException(target.describe() + " has a date in another domain");
                }
                s = new Sharing(domain);
                s.begin(generation, date);
                p.sharing = s;
            } else if (!s.raise(date)) {
                s.begin(generation, date);
            }
        }
    }
}
