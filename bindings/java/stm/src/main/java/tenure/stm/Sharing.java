// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The date of a place's object in a domain.
 *
 * <p>The clock's owner alone gives the first one, after the generation, and takes the last one back, once the
 * domain's time has passed it. A member may raise it while it has not passed by the member's view; the domain's
 * time cannot pass the view meanwhile. So a date that has not passed by a member's view is that of the
 * generation which stands beside it: read the date first, then the generation.
 */
final class Sharing extends AtomicLong {
    private static final long serialVersionUID = 1;
    private static final long NONE = -1;

    final transient Domain domain;
    private volatile long generation;

    Sharing(Domain domain) {
        super(NONE);
        this.domain = domain;
    }

    /** Whether the object of this generation has a date that has not passed by the view. */
    boolean alive(long expected, long view) {
        long date = get();
        return date != NONE && date >= view && generation == expected;
    }

    /** The first date of an object. For the owner, when there is none. */
    void begin(long object, long date) {
        generation = object;
        set(date);
    }

    /** Makes the date at least this. False if it was taken back. */
    boolean raise(long date) {
        for (; ; ) {
            long old = get();
            if (old == NONE) {
                return false;
            }
            if (old >= date || compareAndSet(old, date)) {
                return true;
            }
        }
    }

    /** Takes the date back if it has passed. True if there is none. For the owner. */
    boolean end() {
        long date = get();
        return date == NONE || date < domain.now() && compareAndSet(date, NONE);
    }
}
