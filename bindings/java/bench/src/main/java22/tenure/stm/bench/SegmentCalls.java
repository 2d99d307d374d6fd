// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.lang.foreign.Arena;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import tenure.stm.Clock;
import tenure.stm.Segments;

/** Foreign memory, in periods of 100 segments: of a clock, and by arenas of Java's own. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class SegmentCalls {
    private static final int PERIOD = 100;

    /** Of a segment. */
    @Param({"64", "4096"})
    public int bytes;

    private final Clock clock = Clock.acquire();

    /**
     * An allocator of the clock's a period.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void ofAClock(Blackhole hole) {
        Segments segments = clock.segments(0);
        for (int i = 0; i < PERIOD; i++) {
            hole.consume(segments.allocate(bytes, 8));
        }
        clock.tick();
    }

    /**
     * A confined arena a period.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void byAnArenaAPeriod(Blackhole hole) {
        try (Arena arena = Arena.ofConfined()) {
            for (int i = 0; i < PERIOD; i++) {
                hole.consume(arena.allocate(bytes, 8));
            }
        }
    }

    /**
     * A confined arena an object.
     *
     * @param hole what uses them
     */
    @Benchmark
    public void byAnArenaAnObject(Blackhole hole) {
        try (Arena arena = Arena.ofConfined()) {
            hole.consume(arena.allocate(bytes, 8));
        }
    }

    /** A shared allocator of the clock's, with one segment, and its end. */
    @Benchmark
    public void aSharedOneAPeriod() {
        clock.sharedSegments(0).allocate(bytes, 8);
        clock.tick();
    }
}
