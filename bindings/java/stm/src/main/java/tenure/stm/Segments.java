// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * An allocator of foreign memory that expires: {@link Clock#segments}. On Java 22 and later it is a
 * {@code SegmentAllocator}.
 */
public final class Segments extends Foreign.Memory implements Dated {
    private Segments(Store store, int extension, boolean shared) {
        super(store, extension, shared);
    }

    static Segments make(Store store, int extension, boolean shared) {
        if (!Foreign.available()) {
            throw new UnsupportedOperationException("foreign memory needs Java 22 or later, and the multi-release jar");
        }
        return new Segments(store, extension, shared);
    }

    /**
     * Whether this Java has foreign memory, and this class was loaded from the multi-release jar.
     *
     * @return false if {@link Clock#segments} throws
     */
    public static boolean available() {
        return Foreign.available();
    }

    SegmentPlace place() {
        return place;
    }

    long generation() {
        return generation;
    }
}
