// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.jar;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import tenure.stm.Clock;
import tenure.stm.Domain;
import tenure.stm.ExpiredException;
import tenure.stm.ForeignThreadException;
import tenure.stm.Segments;
import tenure.stm.ShortTermException;

/** Foreign memory that expires. */
class SegmentsTest {
    private static void inAnotherThread(Runnable body) throws InterruptedException, ExecutionException {
        FutureTask<Void> task = new FutureTask<>(body, null);
        new Thread(task).start();
        task.get();
    }

    @Test
    void segmentsThrowFromTheTickOn() {
        try (Clock c = Clock.acquire()) {
            SegmentAllocator now = c.segments(0);
            SegmentAllocator later = c.segments(1);
            MemorySegment a = now.allocate(100);
            MemorySegment slice = a.asSlice(10, 20);
            MemorySegment b = later.allocateFrom("text");
            assertEquals(0, a.get(ValueLayout.JAVA_BYTE, 99));
            c.tick();
            assertThrows(IllegalStateException.class, () -> a.get(ValueLayout.JAVA_BYTE, 0));
            assertThrows(IllegalStateException.class, () -> slice.set(ValueLayout.JAVA_BYTE, 0, (byte) 1));
            assertThrows(ExpiredException.class, () -> now.allocate(1));
            assertFalse(a.scope().isAlive());
            assertEquals("text", b.getString(0));
            c.tick();
            assertThrows(IllegalStateException.class, () -> b.getString(0));
        }
    }

    @Test
    void segmentsAreAlignedZeroAndApart() {
        try (Clock c = Clock.acquire()) {
            for (int round = 0; round < 50; round++) {
                SegmentAllocator s = c.segments(0);
                List<MemorySegment> all = new ArrayList<>();
                long bytes = 0;
                for (int i = 0; i < 300; i++) {
                    long size = (long) i * i % 5000;
                    long align = 1L << i % 8;
                    MemorySegment m = s.allocate(size, align);
                    assertEquals(size, m.byteSize());
                    assertEquals(0, m.address() % align);
                    for (long k = 0; k < size; k += 97) {
                        assertEquals(0, m.get(ValueLayout.JAVA_BYTE, k));
                    }
                    m.fill((byte) i);
                    all.add(m);
                    bytes += size;
                }
                for (int i = 0; i < 300; i++) {
                    MemorySegment m = all.get(i);
                    for (long k = 0; k < m.byteSize(); k++) {
                        assertEquals((byte) i, m.get(ValueLayout.JAVA_BYTE, k));
                    }
                }
                assertTrue(bytes > 100_000);
                c.tick();
            }
        }
    }

    @Test
    void wrongSizesAndAlignmentsAreRefused() {
        try (Clock c = Clock.acquire()) {
            SegmentAllocator s = c.segments(0);
            s.allocate(10);
            assertThrows(IllegalArgumentException.class, () -> s.allocate(-1, 1));
            assertThrows(IllegalArgumentException.class, () -> s.allocate(1, 0));
            assertThrows(IllegalArgumentException.class, () -> s.allocate(1, 3));
            assertThrows(Throwable.class, () -> s.allocate(Long.MAX_VALUE, 1));
            assertThrows(IllegalArgumentException.class, () -> c.segments(-1));
            assertThrows(IllegalArgumentException.class, () -> c.segments(70000));
        }
    }

    @Test
    void refreshGivesAnotherDate() {
        try (Clock c = Clock.acquire()) {
            Segments s = c.segments(0);
            MemorySegment m = s.allocate(8);
            c.refresh(s, 2);
            c.tick();
            c.tick();
            m.set(ValueLayout.JAVA_LONG, 0, 42);
            c.tick();
            assertThrows(IllegalStateException.class, () -> m.get(ValueLayout.JAVA_LONG, 0));
            assertThrows(ExpiredException.class, () -> c.refresh(s, 2));
        }
    }

    @Test
    void closingTheClockClosesTheArenas() {
        MemorySegment m;
        try (Clock c = Clock.acquire()) {
            m = c.segments(100).allocate(8);
        }
        assertThrows(IllegalStateException.class, () -> m.get(ValueLayout.JAVA_LONG, 0));
    }

    @Test
    void otherThreadsAreRefused() throws InterruptedException, ExecutionException {
        try (Clock c = Clock.acquire()) {
            SegmentAllocator s = c.segments(0);
            MemorySegment m = s.allocate(8);
            SegmentAllocator shared = c.sharedSegments(0);
            MemorySegment forAll = shared.allocate(8);
            inAnotherThread(() -> {
                assertThrows(WrongThreadException.class, () -> m.get(ValueLayout.JAVA_LONG, 0));
                assertThrows(ForeignThreadException.class, () -> s.allocate(1));
                assertThrows(ForeignThreadException.class, () -> shared.allocate(1));
                forAll.set(ValueLayout.JAVA_LONG, 0, 7);
            });
            assertEquals(7, forAll.get(ValueLayout.JAVA_LONG, 0));
            assertThrows(ShortTermException.class, c::give);
            c.tick();
            assertThrows(IllegalStateException.class, () -> forAll.get(ValueLayout.JAVA_LONG, 0));
            assertDoesNotThrow(c::give);
            c.take();
        }
    }

    @Test
    void sharedSegmentsLiveByADomain() throws InterruptedException, ExecutionException {
        try (Clock c = Clock.acquire(); Domain.Member m = new Domain().join()) {
            Segments shared = c.sharedSegments(0);
            MemorySegment s = shared.allocate(8);
            m.globalRefresh(shared, 1);
            for (int i = 0; i < 3; i++) {
                c.tick();
                s.set(ValueLayout.JAVA_LONG, 0, i);
                m.globalTick();
            }
            c.tick();
            assertThrows(IllegalStateException.class, () -> s.get(ValueLayout.JAVA_LONG, 0));
            assertThrows(ShortTermException.class, () -> m.globalRefresh(c.segments(0), 1));
        }
    }
}
