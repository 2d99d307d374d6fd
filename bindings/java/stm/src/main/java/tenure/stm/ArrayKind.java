// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.Arrays;

/** How arrays of an element type are made, and made as new. One for each primitive type, and one a class. */
abstract class ArrayKind {
    static final int COUNT = 8;
    /** What an expired array is filled with under the oracle, in each byte. */
    private static final byte POISON = (byte) 0xdb;

    private final int index;
    private final Class<?> type;

    private ArrayKind(int index, Class<?> type) {
        this.index = index;
        this.type = type;
    }

    /** From 0 to 7 for a primitive type, -1 for others. */
    final int index() {
        return index;
    }

    /** Of the elements. */
    final Class<?> type() {
        return type;
    }

    abstract Object create(int length);

    abstract void clear(Object array);

    abstract void poison(Object array);

    static ArrayKind of(Class<?> element) {
        return new ArrayKind(-1, element) {
            @Override
            Object create(int length) {
                return java.lang.reflect.Array.newInstance(element, length);
            }

            @Override
            void clear(Object array) {
                Arrays.fill((Object[]) array, null);
            }

            @Override
            void poison(Object array) {
                clear(array);
            }
        };
    }

    static final ArrayKind BOOLEANS = new ArrayKind(0, boolean.class) {
        @Override
        Object create(int length) {
            return new boolean[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((boolean[]) array, false);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((boolean[]) array, true);
        }
    };

    static final ArrayKind BYTES = new ArrayKind(1, byte.class) {
        @Override
        Object create(int length) {
            return new byte[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((byte[]) array, (byte) 0);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((byte[]) array, POISON);
        }
    };

    static final ArrayKind CHARS = new ArrayKind(2, char.class) {
        @Override
        Object create(int length) {
            return new char[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((char[]) array, (char) 0);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((char[]) array, (char) 0xdbdb);
        }
    };

    static final ArrayKind SHORTS = new ArrayKind(3, short.class) {
        @Override
        Object create(int length) {
            return new short[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((short[]) array, (short) 0);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((short[]) array, (short) 0xdbdb);
        }
    };

    static final ArrayKind INTS = new ArrayKind(4, int.class) {
        @Override
        Object create(int length) {
            return new int[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((int[]) array, 0);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((int[]) array, 0xdbdbdbdb);
        }
    };

    static final ArrayKind LONGS = new ArrayKind(5, long.class) {
        @Override
        Object create(int length) {
            return new long[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((long[]) array, 0L);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((long[]) array, 0xdbdbdbdbdbdbdbdbL);
        }
    };

    static final ArrayKind FLOATS = new ArrayKind(6, float.class) {
        @Override
        Object create(int length) {
            return new float[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((float[]) array, 0f);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((float[]) array, Float.intBitsToFloat(0xdbdbdbdb));
        }
    };

    static final ArrayKind DOUBLES = new ArrayKind(7, double.class) {
        @Override
        Object create(int length) {
            return new double[length];
        }

        @Override
        void clear(Object array) {
            Arrays.fill((double[]) array, 0d);
        }

        @Override
        void poison(Object array) {
            Arrays.fill((double[]) array, Double.longBitsToDouble(0xdbdbdbdbdbdbdbdbL));
        }
    };
}
