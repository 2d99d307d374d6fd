// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * The places of one kind in a store: arrays of one length, regions or pooled objects of one class. Those that
 * are free lie on a stack, so that the memory which was used last is used first.
 *
 * <p>A place that was free all the time between two reviews was not needed; each review gives half of those
 * back to the garbage collector.
 */
class Bin {
    private static final int MOST_AT_A_REVIEW = 16;

    final Store store;
    final String name;
    private Place free;
    private int freeCount;
    private int leastFree;
    int places;
    long allocated;
    long collected;

    Bin(Store store, String name) {
        this.store = store;
        this.name = name;
    }

    /** A free place, or null. */
    final Place pop() {
        Place p = free;
        if (p == null) {
            return null;
        }
        free = p.next;
        if (--freeCount < leastFree) {
            leastFree = freeCount;
        }
        return p;
    }

    /** The place has been vacated. */
    final void push(Place p) {
        collected++;
        if (Oracle.ENABLED) { // never used again
            p.next = null;
            places--;
            return;
        }
        p.next = free;
        free = p;
        freeCount++;
    }

    /** Makes the place one of this bin. */
    final void adopt(Place p) {
        p.store = store;
        p.bin = this;
        places++;
    }

    /** Adopts a place that is free. */
    final void donate(Place p) {
        adopt(p);
        p.next = free;
        free = p;
        freeCount++;
    }

    final void review() {
        int spare = Math.min((leastFree + 1) / 2, MOST_AT_A_REVIEW);
        for (int i = 0; i < spare; i++) {
            free = free.next;
            freeCount--;
            places--;
        }
        leastFree = freeCount;
    }

    final int freeCount() {
        return freeCount;
    }

    /** Nothing is left of it. */
    final boolean idle() {
        return places == 0;
    }
}
