// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * What a clock has: its time, the places with dates on it, and the memory that it keeps. A {@link Clock} is a
 * handle on one, and lets go of it when it is closed, so that the next clock can have it.
 *
 * <p>Descriptors of dates are the places themselves. A place is in the list of its date, {@code wheel[date &
 * mask]}. When the date has passed, a tick puts the whole list before the expired ones, which takes constant
 * time. A place that then turns out to have a later date goes to the list of that one; so a refresh touches no
 * list, and a wheel that is shorter than the extensions does no harm.
 *
 * <p>Factories and resets are the user's code in the middle of a call, and may do anything, give the clock away
 * included. So nothing is half done when they are called, and whoever has called one checks the owner again.
 *
 * <p>Owner: {@code owner} is written by the thread itself that becomes it or ceases to be it, so a thread reads
 * {@code owner == Thread.currentThread()} if and only if it is, without any synchronization: its own last write
 * happens before its read, and no other thread ever writes it there. All other fields are touched by the owner
 * alone, but for {@code given}; a store goes to another thread through that one, or through the lock of the pool.
 */
final class Store {
    static final int DEFAULT_LIMIT = 65535;
    static final int DEFAULT_BOUND = 2;
    private static final int WHEEL_LEAST = 8;
    private static final int WHEEL_MOST = 1024;
    /** Ticks between two reviews of one bin or another. */
    private static final int REVIEW = 64;

    Thread owner;
    long now;
    /** The time when the owner's clock was made. What has an earlier date was left there by another. */
    long since;
    final AtomicBoolean given = new AtomicBoolean();
    final Kinds kinds = new Kinds(this);

    private final long limit;
    private final int bound;
    private final boolean eager;
    final boolean pooled;
    private long ticks;
    /** Callbacks that are running. */
    private int inside;

    private Place[] heads = new Place[WHEEL_LEAST];
    private Place[] tails = new Place[WHEEL_LEAST];
    private Place expired;
    private Place expiredTail;
    private Place waiting;
    private Place waitingTail;
    /** Those that are to be vacated in the very tick: what refers to them cannot be checked by us. */
    private final ArrayList<Place> prompt = new ArrayList<>();
    private final ArrayList<Bin> bins = new ArrayList<>();
    private int turn;

    Store(long limit, int bound, boolean eager, boolean pooled) {
        this.limit = limit;
        this.bound = bound;
        this.eager = eager || Oracle.ENABLED;
        this.pooled = pooled;
    }

    void check(String operation) {
        if (owner != Thread.currentThread()) {
            throw stranger(operation);
        }
    }

    ShortTermException stranger(String operation) {
        Thread other = owner;
        if (other == null) {
            return new ClosedException(operation + ": the clock is closed, or given and not yet taken");
        }
        return new ForeignThreadException(operation + ": the clock belongs to " + other);
    }

    /** The date that the extension means now. */
    long date(int extension) {
        if (extension < 0 || extension > limit) {
            throw new IllegalArgumentException("extension " + extension + " is not from 0 to " + limit);
        }
        return now + extension;
    }

    void add(Bin bin) {
        bins.add(bin);
    }

    /** Called first by whatever allocates: some expired places are vacated, so that there is a free one. */
    void make() {
        collect(bound);
    }

    /** Gives a place its first date. */
    void enter(Place place, long date) {
        place.until = date;
        place.bin.allocated++;
        if (date - now >= heads.length && heads.length < WHEEL_MOST) {
            widen(date - now);
        }
        enlist(place);
    }

    void enterPrompt(Place place, long date) {
        place.until = date;
        place.bin.allocated++;
        prompt.add(place);
    }

    boolean hasPrompt() {
        return !prompt.isEmpty();
    }

    private void enlist(Place place) {
        int i = (int) place.until & heads.length - 1;
        place.next = heads[i];
        heads[i] = place;
        if (place.next == null) {
            tails[i] = place;
        }
    }

    /** A longer wheel. What stood in a list stands in one that comes up no later. */
    private void widen(long extension) {
        int size = heads.length;
        int wanted = size;
        while (wanted < WHEEL_MOST && wanted <= extension) {
            wanted *= 2;
        }
        Place[] oldHeads = heads;
        Place[] oldTails = tails;
        heads = new Place[wanted];
        tails = new Place[wanted];
        for (long date = now; date < now + size; date++) {
            int from = (int) date & size - 1;
            int to = (int) date & wanted - 1;
            heads[to] = oldHeads[from];
            tails[to] = oldTails[from];
        }
    }

    void tick() {
        expire(now);
        now++;
        ticks++;
        if (waiting != null) {
            recall();
        }
        if (!prompt.isEmpty()) {
            vacatePrompt();
        }
        int collected = collect(eager ? Integer.MAX_VALUE : bound);
        if (ticks % REVIEW == 0 && !bins.isEmpty()) {
            review();
        }
        Events.tick(now, collected);
    }

    /** Puts the list of the date before the expired places. */
    private void expire(long date) {
        int i = (int) date & heads.length - 1;
        Place head = heads[i];
        if (head == null) {
            return;
        }
        tails[i].next = expired;
        if (expired == null) {
            expiredTail = tails[i];
        }
        expired = head;
        heads[i] = null;
        tails[i] = null;
    }

    /** Puts those that wait behind the expired places, so that these come first. */
    private void recall() {
        if (expired == null) {
            expired = waiting;
        } else {
            expiredTail.next = waiting;
        }
        expiredTail = waitingTail;
        waiting = null;
        waitingTail = null;
    }

    private void review() {
        turn = turn + 1 < bins.size() ? turn + 1 : 0;
        Bin bin = bins.get(turn);
        bin.review();
        if (bin.idle() && kinds.forget(bin)) {
            Bin last = bins.remove(bins.size() - 1);
            if (last != bin) {
                bins.set(turn, last);
            }
        }
    }

    /** Looks at no more than so many expired places; returns how many objects were deallocated. */
    int collect(int most) {
        if (inside != 0) {
            return 0; // a callback's place is half done
        }
        int objects = 0;
        for (int left = most; left > 0; left--) {
            Place p = expired;
            if (p == null) {
                break;
            }
            expired = p.next;
            if (expired == null) {
                expiredTail = null;
            }
            if (p.until >= now) {
                enlist(p);
            } else if (stillShared(p)) {
                p.next = null;
                if (waiting == null) {
                    waiting = p;
                } else {
                    waitingTail.next = p;
                }
                waitingTail = p;
            } else {
                objects += vacate(p);
            }
        }
        return objects;
    }

    int collectAll() {
        if (waiting != null && inside == 0) {
            recall();
        }
        return collect(Integer.MAX_VALUE);
    }

    private static boolean stillShared(Place p) {
        Sharing s = p.sharing;
        return s != null && !s.end();
    }

    private static int vacate(Place p) {
        int objects = p.objects();
        Events.expiry(p, objects);
        p.vacate();
        return objects;
    }

    private void vacatePrompt() {
        for (int i = prompt.size() - 1; i >= 0; i--) {
            Place p = prompt.get(i);
            if (p.until < now && !stillShared(p)) {
                vacate(p);
                if (p.until >= 0) {
                    continue; // something holds it: the next tick tries again
                }
                Place last = prompt.remove(prompt.size() - 1);
                if (last != p) {
                    prompt.set(i, last);
                }
            }
        }
    }

    /** Runs what the user wants to be told. Meanwhile nothing is collected. */
    <T> void tell(Consumer<? super T> callback, T object) {
        inside++;
        try {
            callback.accept(object);
        } finally {
            inside--;
        }
    }

    /** A callback runs in the middle of a call that has more to do: the owner cannot go now. */
    void checkOutside(String operation) {
        if (inside != 0) {
            throw new ShortTermException(operation + ": a callback of the clock is running");
        }
    }

    /** All dates have passed, and the owner goes. */
    void close() {
        checkOutside("close");
        for (long date = now; date < now + heads.length; date++) {
            expire(date);
        }
        now += limit + 1;
        if (!prompt.isEmpty()) {
            vacatePrompt();
            for (Place p : prompt) {
                if (!stillShared(p)) {
                    throw new ShortTermException("close: somebody is in the middle of an access to memory segments");
                }
            }
        }
        if (kinds.calledBack() || Oracle.ENABLED) {
            collectAll();
            kinds.forgetCallbacks();
        }
        since = now;
        owner = null;
    }

    Stats stats() {
        long allocated = 0;
        long collected = 0;
        int free = 0;
        for (Bin bin : bins) {
            allocated += bin.allocated;
            collected += bin.collected;
            free += bin.freeCount();
        }
        int live = 0;
        for (Place list : heads) {
            live += countAlive(list);
        }
        live += countAlive(expired);
        for (Place p : prompt) {
            live += p.until >= now ? 1 : 0;
        }
        return new Stats(now, ticks, allocated, collected, live, (int) (allocated - collected) - live, free);
    }

    private int countAlive(Place list) {
        int n = 0;
        for (Place p = list; p != null; p = p.next) {
            n += p.until >= now ? 1 : 0;
        }
        return n;
    }

    /** Fails unless the lists are what they should be; for tests. */
    void validate() {
        int listed = 0;
        for (int i = 0; i < heads.length; i++) {
            Place last = null;
            for (Place p = heads[i]; p != null; p = p.next) {
                expect(p.until >= now, "a date that has passed is in the wheel");
                listed++;
                last = p;
            }
            expect(last == tails[i], "a list's tail is not its last place");
        }
        listed += length(expired, expiredTail) + length(waiting, waitingTail);
        long allocated = 0;
        long collected = 0;
        for (Bin bin : List.copyOf(bins)) {
            allocated += bin.allocated;
            collected += bin.collected;
        }
        expect(listed + prompt.size() == allocated - collected, "a place is in no list, or in two");
    }

    private static int length(Place list, Place tail) {
        int n = 0;
        Place last = null;
        for (Place p = list; p != null; p = p.next) {
            n++;
            last = p;
        }
        expect(last == tail, "a list's tail is not its last place");
        return n;
    }

    private static void expect(boolean holds, String otherwise) {
        if (!holds) {
            throw new AssertionError(otherwise);
        }
    }
}
