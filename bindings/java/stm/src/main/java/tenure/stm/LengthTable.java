// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * Bins by length, without boxes: open addressing with linear steps, at most half full. The bin that was found
 * last is tried first.
 */
final class LengthTable {
    private ArrayBin[] table = new ArrayBin[8];
    private int count;
    private ArrayBin last;

    ArrayBin find(int length) {
        ArrayBin bin = last;
        if (bin != null && bin.length == length) {
            return bin;
        }
        int i = slot(length);
        while ((bin = table[i]) != null && bin.length != length) {
            i = i + 1 & table.length - 1;
        }
        if (bin != null) {
            last = bin;
        }
        return bin;
    }

    void add(ArrayBin bin) {
        if (2 * ++count > table.length) {
            rebuild(2 * table.length, null);
        }
        insert(bin);
    }

    void remove(ArrayBin bin) {
        count--;
        last = null;
        rebuild(table.length, bin);
    }

    private void rebuild(int size, ArrayBin without) {
        ArrayBin[] old = table;
        table = new ArrayBin[size];
        for (ArrayBin bin : old) {
            if (bin != null && bin != without) {
                insert(bin);
            }
        }
    }

    private void insert(ArrayBin bin) {
        int i = slot(bin.length);
        while (table[i] != null) {
            i = i + 1 & table.length - 1;
        }
        table[i] = bin;
    }

    private int slot(int length) {
        int h = length * 0x9e3779b9; // 2^32 by the golden ratio: near lengths go far from each other
        return h >>> 16 & table.length - 1;
    }
}
