// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;

/** Foreign memory on Java 22 and later. */
final class Foreign {
    private Foreign() {}

    static boolean available() {
        return true;
    }

    /**
     * The superclass of {@link Segments}: an arena, from which chunks are taken that double, up to a limit;
     * segments are slices of them. The arena is closed when the place expires, so that Java itself checks every
     * access, whoever holds the segment. A confined arena belongs to the clock's thread.
     */
    abstract static class Memory implements SegmentAllocator {
        private static final long CHUNK_LEAST = 4 << 10;
        private static final long CHUNK_MOST = 256 << 10;
        /** What malloc aligns to; more is rounded up by hand. */
        private static final long ALIGNMENT = 16;

        final SegmentPlace place;
        final long generation;
        private Arena arena;
        private MemorySegment chunk = MemorySegment.NULL;
        private long used;
        private long size = CHUNK_LEAST;

        Memory(Store store, int extension, boolean shared) {
            long date = store.date(extension);
            place = new SegmentPlace(shared);
            store.kinds.segments().adopt(place);
            store.enterPrompt(place, date);
            generation = place.generation;
        }

        @Override
        public MemorySegment allocate(long byteSize, long byteAlignment) {
            if (place.store.owner != Thread.currentThread()
                    || !place.alive(generation) && !(place.generation == generation && place.shared(generation))) {
                throw place.refusal(generation, "memory segments");
            }
            if (byteSize < 0 || byteAlignment <= 0 || Long.bitCount(byteAlignment) != 1) {
                throw new IllegalArgumentException(byteSize + " bytes aligned to " + byteAlignment);
            }
            if (arena == null) {
                arena = place.shared ? Arena.ofShared() : Arena.ofConfined();
                place.open(arena::close);
            }
            long from = -(-(chunk.address() + used) & -byteAlignment) - chunk.address();
            if (byteSize > chunk.byteSize() - from || chunk.byteSize() == 0) {
                if (byteSize > size / 4 || byteAlignment > ALIGNMENT) {
                    return arena.allocate(byteSize, byteAlignment);
                }
                chunk = arena.allocate(size, ALIGNMENT);
                size = Math.min(2 * size, CHUNK_MOST);
                from = 0;
            }
            used = from + byteSize;
            return chunk.asSlice(from, byteSize);
        }
    }
}
