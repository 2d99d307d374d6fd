// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

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
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import tenure.stm.Clock;
import tenure.stm.Domain;
import tenure.stm.Pool;
import tenure.stm.Ref;
import tenure.stm.Region;
import tenure.stm.Reusable;
import tenure.stm.ShortTerm;

/** Single calls: an object or an array made, in periods of 100, a tick after each; and what a check costs. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class Calls {
    private static final int PERIOD = 100;

    /** An object by new and in regions. */
    public static final class Node implements Reusable {
        Node next;
        long a;
        long b;

        @Override
        public void reset() {
            next = null;
            a = 0;
            b = 0;
        }
    }

    /** The same with dates of its own. */
    public static final class Item extends ShortTerm {
        Item next;
        long a;
        long b;

        @Override
        public void reset() {
            next = null;
            a = 0;
            b = 0;
        }
    }

    /** Of arrays of bytes. */
    @Param({"16", "1024", "16384"})
    public int length;

    private Clock clock;
    private Region<Node> region;
    private Pool<Item> pool;
    private Ref<byte[]> kept;
    private Domain.Member member;

    /** Makes what is measured. */
    @Setup
    public void begin() {
        clock = Clock.acquire();
        region = clock.region(Node::new, 0);
        pool = clock.pool(Item::new);
        kept = Clock.builder().build().bytes(10, 0);
        member = new Domain().join();
    }

    /** Ends it. */
    @TearDown
    public void end() {
        member.close();
        clock.close();
    }

    /**
     * By new.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void objectsByNew(Blackhole hole) {
        for (int i = 0; i < PERIOD; i++) {
            hole.consume(new Node());
        }
    }

    /**
     * In a region.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void objectsInARegion(Blackhole hole) {
        region.renew(0);
        for (int i = 0; i < PERIOD; i++) {
            hole.consume(region.make());
        }
        clock.tick();
    }

    /**
     * From a pool.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void objectsFromAPool(Blackhole hole) {
        for (int i = 0; i < PERIOD; i++) {
            hole.consume(pool.make(0));
        }
        clock.tick();
    }

    /**
     * By new.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void arraysByNew(Blackhole hole) {
        for (int i = 0; i < PERIOD; i++) {
            hole.consume(new byte[length]);
        }
    }

    /**
     * Short-term.
     *
     * @param hole what uses them
     */
    @Benchmark
    @OperationsPerInvocation(PERIOD)
    public void arraysOfAClock(Blackhole hole) {
        for (int i = 0; i < PERIOD; i++) {
            hole.consume(clock.bytes(length, 0).get());
        }
        clock.tick();
    }

    /**
     * A checked reference's get.
     *
     * @return the array
     */
    @Benchmark
    public byte[] get() {
        return kept.get();
    }

    /** A tick that finds nothing. */
    @Benchmark
    public void tick() {
        clock.tick();
    }

    /** The same of a domain with one member. */
    @Benchmark
    public void globalTick() {
        member.globalTick();
    }
}
