// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * What foreign memory is on Java 17 to 21: not there. The class of this name under {@code META-INF/versions/22}
 * is the real one; its nested class is the superclass of {@link Segments}, so that the classes of the jar that
 * stand by themselves are the same in all versions of Java, as they have to be.
 */
final class Foreign {
    private Foreign() {}

    /** Not a constant, which javac would copy into other classes. */
    static boolean available() {
        return false;
    }

    /** The superclass of {@link Segments}. */
    abstract static class Memory {
        final SegmentPlace place;
        final long generation;

        Memory(Store store, int extension, boolean shared) {
            throw new UnsupportedOperationException();
        }
    }
}
