// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * A place for one short-term object after another: its dates, its lists, its generation. A region and an array
 * with dates have one, and an object of a pool is one.
 *
 * <p>Invariant: a place is in exactly one list, by {@code next}: of a date in the wheel of its store, of those
 * that have expired, of those that wait for a domain, or of those that are free in its bin. All fields but
 * {@code sharing} belong to the store's owner. {@code generation} grows each time the place is vacated, and is
 * never the same again (it has 64 bits), so that a reference which remembers one cannot take a later object
 * for its own. A place that is free has a date that has passed.
 */
abstract class Place {
    /** Set once, before any reference to the place is handed out. */
    Store store;
    /** The same. */
    Bin bin;
    /** The last date on the clock. */
    long until = -1;
    long generation = 1;
    Place next;
    /** Dates in a domain, or null; the owner alone sets it. */
    volatile Sharing sharing;

    /** The object has expired: makes the place ready for another one. For the owner. */
    abstract void vacate();

    /** How many objects it holds, for counts. */
    int objects() {
        return 1;
    }

    /** Whether the object of this generation has a date on the clock that has not passed. For the owner. */
    final boolean alive(long expected) {
        return generation == expected && until >= store.now;
    }

    /** Whether the calling thread is a member of a domain by which the object of this generation lives. */
    final boolean shared(long expected) {
        Sharing s = sharing;
        if (s == null) {
            return false;
        }
        Domain.Member member = s.domain.here();
        return member != null && s.alive(expected, member.view());
    }

    /** Another date for the object of this generation. For the owner. */
    final void extend(long expected, int extension, Object what) {
        long date = store.date(extension);
        if (!alive(expected) && !(generation == expected && shared(expected))) {
            throw refusal(expected, what);
        }
        if (date > until) {
            until = date; // it goes to the list of that date when the one it is in comes up
        }
    }

    /** Why the calling thread may not have the object of this generation. */
    final ShortTermException refusal(long expected, Object what) {
        Thread owner = store.owner;
        if (owner != null && owner != Thread.currentThread()) {
            return new ForeignThreadException(describe(what) + " belongs to " + owner);
        }
        return new ExpiredException(describe(what) + (owner == null ? " is of a closed clock" : " has expired"));
    }

    static String describe(Object what) {
        return what instanceof String name ? name : what.getClass().getTypeName();
    }
}
