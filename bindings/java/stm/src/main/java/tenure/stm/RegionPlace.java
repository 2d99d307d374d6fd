// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.Arrays;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The place of a region. Its objects stay with it, and serve the next region: {@code items[0, used)} are of the
 * present one, {@code items[used, filled)} are there to be used again.
 */
final class RegionPlace extends Place {
    private static final int LEAST = 16;
    /** So many regions in a row have to use less than a quarter before objects are given back. */
    private static final int PATIENCE = 16;

    Object[] items = new Object[LEAST];
    int used;
    int filled;
    /** Makes an object as new; null if the objects do it themselves. */
    Consumer<Object> reset;
    private Supplier<?> factory;
    private int spare;

    void open(Supplier<?> made, Consumer<Object> remade) {
        factory = made;
        reset = remade;
    }

    /** The next object, where none is there to be used again. */
    Object create(long expected) {
        Object made = ((ObjectBin) bin).create(factory);
        // The factory may have let the region expire, or have given the clock away.
        if (store.owner != Thread.currentThread() || !alive(expected) && !(generation == expected && shared(expected))) {
            throw refusal(expected, bin.name);
        }
        if (filled == items.length) {
            items = Arrays.copyOf(items, 2 * filled);
        }
        items[filled++] = made;
        used = filled;
        if (Oracle.ENABLED) {
            Oracle.born(this, made);
        }
        return made;
    }

    @Override
    int objects() {
        return used;
    }

    @Override
    void vacate() {
        generation++;
        if (Oracle.ENABLED) {
            for (int i = 0; i < filled; i++) {
                Oracle.poison(items[i]);
            }
            items = new Object[0];
            filled = 0;
        } else {
            trim();
        }
        used = 0;
        factory = null;
        reset = null;
        bin.push(this);
    }

    /** A place that has more objects than the last regions needed gives half of those back. */
    private void trim() {
        if (4 * used >= filled || filled <= LEAST) {
            spare = 0;
        } else if (++spare >= PATIENCE) {
            spare = 0;
            int keep = filled / 2;
            items = Arrays.copyOf(items, Math.max(keep, LEAST));
            filled = keep;
        }
    }
}
