// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** The place of an array. The array stays with it. */
final class ArrayPlace extends Place {
    final Object array;

    ArrayPlace(Object array) {
        this.array = array;
    }

    @Override
    void vacate() {
        generation++;
        if (Oracle.ENABLED) {
            ((ArrayBin) bin).kind.poison(array);
            Oracle.poison(array);
        }
        bin.push(this);
    }
}
