// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.function.Consumer;
import java.util.function.Supplier;

/** The regions of objects of one class, or the objects of that class in a pool. */
final class ObjectBin extends Bin {
    final Class<?> type;
    final boolean pool;
    /** Told of each object of the pool before it is deallocated; or null. */
    Consumer<Object> onExpire;
    /** An object that a factory made and nobody has had. */
    private Object first;

    ObjectBin(Store store, Class<?> type, boolean pool) {
        super(store, pool ? type.getTypeName() : "region of " + type.getTypeName());
        this.type = type;
        this.pool = pool;
    }

    void offer(Object fresh) {
        first = fresh;
    }

    /** A new object as its constructor makes it. */
    Object create(Supplier<?> factory) {
        Object made = first;
        if (made != null) {
            first = null;
            return made;
        }
        made = factory.get();
        if (made.getClass() != type) {
            throw new IllegalArgumentException(
                    "the factory made " + made.getClass().getTypeName() + " and before " + type.getTypeName());
        }
        return made;
    }
}
