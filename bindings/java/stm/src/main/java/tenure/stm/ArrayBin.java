// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** The arrays of one kind and length. */
final class ArrayBin extends Bin {
    final ArrayKind kind;
    final int length;

    ArrayBin(Store store, ArrayKind kind, int length) {
        super(store, kind.type().getTypeName() + "[" + length + "]");
        this.kind = kind;
        this.length = length;
    }

    /** An array, zero as from Java's new. */
    ArrayPlace take(int extension) {
        long date = store.date(extension);
        store.make();
        ArrayPlace p = (ArrayPlace) pop();
        if (p == null) {
            p = new ArrayPlace(kind.create(length));
            adopt(p);
        } else {
            kind.clear(p.array);
        }
        store.enter(p, date);
        return p;
    }
}
