// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A clock that several participants advance together: global time of papers/003…, §2.6, in the general form that
 * the paper announces. Participants enter, leave, block, and are declared blocked by others at any time.
 *
 * <p>One word holds the clock: the period, how many take part, and how many of those have not ticked in the
 * period. It changes by compare-and-swap alone; nobody waits.
 *
 * <pre>
 *  63        44 43        32 31    16 15       0
 * |    time    | generation | active | remaining |
 *  \------- period --------/
 * </pre>
 *
 * <p>Time advances when nobody remains. Invariant: remaining is 0 only if active is.
 *
 * <p>A participant notes the period of its last tick, so that it counts once in each. One that is declared
 * blocked may be stopped anywhere; nobody can know whether its tick has been counted. The period therefore
 * begins anew under another generation, with all the others remaining: ticks are lost, which delays time and
 * never hurries it, and a swap that the stopped one was about to do fails, because the generation has changed.
 * It would succeed only after 4096 such declarations within one unit of time.
 */
final class GlobalClock {
    private static final int TIME_BITS = 20;
    private static final int GENERATION_BITS = 12;
    private static final long TIME_MASK = (1L << TIME_BITS) - 1;
    private static final int GENERATION_MASK = (1 << GENERATION_BITS) - 1;
    /** How many can take part at a time. */
    static final int MOST = 0xffff;

    static final int OUTSIDE = 0;
    static final int ACTIVE = 1;
    static final int BLOCKED = 2;

    private final AtomicLong word = new AtomicLong();
    /** All bits of the time, as of not long ago; the word has the low ones. */
    private final AtomicLong whole = new AtomicLong();

    /** Called before each access to what several threads write; tests that explore schedules set it. */
    Step step;

    /** Where a participant stands: what is going to be accessed, and the word as last read. */
    interface Step {
        void pause(int where, long read);
    }

    private void pause(int where, long read) {
        Step s = step;
        if (s != null) {
            s.pause(where, read);
        }
    }

    private static long pack(int period, int active, int remaining) {
        return (long) period << 32 | (long) active << 16 | remaining;
    }

    private static long timeOf(long w) {
        return w >>> 44;
    }

    static int periodOf(long w) {
        return (int) (w >>> 32);
    }

    static int activeOf(long w) {
        return (int) (w >>> 16) & MOST;
    }

    static int remainingOf(long w) {
        return (int) w & MOST;
    }

    /** The word after somebody ticked or left. */
    private static long settled(int period, int active, int remaining) {
        if (remaining != 0 || active == 0) {
            return pack(period, active, remaining);
        }
        return pack((period >>> GENERATION_BITS) + 1 << GENERATION_BITS, active, active);
    }

    long word() {
        return word.get();
    }

    /** The time now. Any thread may ask. */
    long time() {
        for (; ; ) {
            long known = whole.get();
            long ahead = timeOf(word.get()) - known & TIME_MASK;
            if (ahead > TIME_MASK / 2) {
                continue; // somebody has noted a later time meanwhile
            }
            if (ahead == 0 || whole.compareAndSet(known, known + ahead)) {
                return known + ahead;
            }
        }
    }

    private long load(int where) {
        pause(where, 0);
        return word.get();
    }

    private boolean swap(int where, long old, long next) {
        pause(where, old);
        return word.compareAndSet(old, next);
    }

    /**
     * The time that follows the one of a word which a participant has just replaced by its tick. The clock stands
     * at one or the other, unless the participant was declared blocked since; then any time will do.
     */
    private long after(long old) {
        long now = time();
        return timeOf(old) == (now & TIME_MASK) ? now + 1 : now;
    }

    /**
     * A part in the clock. Its methods are for its own thread, but for {@link #declareBlocked} and
     * {@link #status}.
     */
    static final class Participant {
        private final GlobalClock clock;
        private final AtomicInteger status = new AtomicInteger(OUTSIDE);
        /** It has ticked since it entered. */
        boolean ticked;
        /** Of its last tick. */
        int period;
        private long next;

        Participant(GlobalClock clock) {
            this.clock = clock;
        }

        int status() {
            return status.get();
        }

        /**
         * The earliest time that the clock may come to before the participant ticks again: the clock stands there
         * or right before. It changes only in the participant's own calls, so that what has a date that is not
         * before the view stays until then.
         */
        long view() {
            return next;
        }

        /** Lets it take part, as one that has not ticked. False if too many do. It is not active. */
        boolean enter() {
            for (; ; ) {
                long old = clock.load(1);
                if (activeOf(old) == MOST) {
                    return false;
                }
                if (clock.swap(2, old, pack(periodOf(old), activeOf(old) + 1, remainingOf(old) + 1))) {
                    break;
                }
            }
            // It remains now, so time stands still until it ticks.
            ticked = false;
            next = clock.time();
            clock.pause(3, 0);
            status.set(ACTIVE);
            return true;
        }

        /** Takes it out; it is outside or blocked from now on. */
        void exit(int becomes) {
            clock.pause(4, becomes);
            if (!status.compareAndSet(ACTIVE, becomes)) {
                // Whoever declared it blocked takes care of the word.
                clock.pause(5, becomes);
                status.compareAndSet(BLOCKED, becomes);
                return;
            }
            for (; ; ) {
                long old = clock.load(6);
                int remaining = remainingOf(old);
                if (!ticked || period != periodOf(old)) {
                    remaining--;
                }
                if (clock.swap(7, old, settled(periodOf(old), activeOf(old) - 1, remaining))) {
                    return;
                }
            }
        }

        /** Counts its tick in the current period, once. False if it does not take part. */
        boolean tick() {
            for (; ; ) {
                // In this order: who declares another blocked changes its status first, so that a word in which
                // it no longer counts is not taken for one in which it does.
                long old = clock.load(8);
                clock.pause(9, old);
                if (status.get() != ACTIVE) {
                    return false;
                }
                int now = periodOf(old);
                if (ticked && period == now) {
                    return true;
                }
                if (clock.swap(10, old, settled(now, activeOf(old), remainingOf(old) - 1))) {
                    period = now;
                    ticked = true;
                    next = clock.after(old);
                    return true;
                }
            }
        }

        /** Takes it out, for any thread. False if it does not take part, or somebody else has done it. */
        boolean declareBlocked() {
            clock.pause(11, 0);
            if (!status.compareAndSet(ACTIVE, BLOCKED)) {
                return false;
            }
            for (; ; ) {
                long old = clock.load(12);
                int was = periodOf(old);
                int renamed = was & ~GENERATION_MASK | was + 1 & GENERATION_MASK;
                int active = activeOf(old) - 1;
                if (clock.swap(13, old, pack(renamed, active, active))) {
                    return true;
                }
            }
        }
    }
}
