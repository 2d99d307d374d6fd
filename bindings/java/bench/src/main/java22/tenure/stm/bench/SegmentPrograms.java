// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import tenure.stm.Clock;

/** The programs in foreign memory, for Java 22 and later. */
public final class SegmentPrograms {
    private SegmentPrograms() {}

    /** Adds them to the list. */
    public static void addAll() {
        Programs.add("buffers", "segments", Buffered::new);
    }

    /** {@link Buffers} in segments, an allocator a round. */
    private static final class Buffered implements Program {
        private final Clock clock = Clock.acquire();
        private double sum;

        @Override
        public void round(int number) {
            SegmentAllocator allocator = clock.segments(0);
            for (int i = 0; i < Buffers.BLOCKS; i++) {
                mix(number * Buffers.BLOCKS + i & 0xffff, allocator.allocate(Buffers.BYTES),
                        allocator.allocate(ValueLayout.JAVA_DOUBLE, Buffers.SAMPLES));
            }
            clock.tick();
        }

        private void mix(int block, MemorySegment buffer, MemorySegment samples) {
            MemorySegment.copy(
                    Buffers.SOURCE, block * Buffers.BYTES % Buffers.SOURCE.length, buffer, ValueLayout.JAVA_BYTE, 0,
                    Buffers.BYTES);
            for (int i = 0; i < Buffers.SAMPLES; i++) {
                samples.setAtIndex(
                        ValueLayout.JAVA_DOUBLE, i, buffer.get(ValueLayout.JAVA_BYTE, 8L * i) * (1.0 / 128) + i);
            }
            sum += samples.getAtIndex(ValueLayout.JAVA_DOUBLE, block % Buffers.SAMPLES);
        }

        @Override
        public double checksum() {
            return sum;
        }

        @Override
        public void close() {
            clock.close();
        }
    }
}
