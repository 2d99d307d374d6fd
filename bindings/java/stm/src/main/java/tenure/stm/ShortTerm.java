// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * The superclass of objects that have dates of their own, in a {@link Pool}. It gives each object a header of
 * 36 bytes.
 *
 * <p>Each object pays for its own dates, so that a pool takes more time than a young generation does. Where
 * objects expire together, a {@link Region} is faster, and has objects of any class.
 */
public abstract non-sealed class ShortTerm extends Place implements Dated, Reusable {
    /** The object is the pool's to make. */
    protected ShortTerm() {}

    @Override
    final void vacate() {
        generation++;
        ObjectBin home = (ObjectBin) bin;
        try {
            if (home.onExpire != null && until >= store.since) {
                store.tell(home.onExpire, this);
            }
        } finally {
            if (Oracle.ENABLED) {
                Oracle.poison(this);
            }
            home.push(this);
        }
    }
}
