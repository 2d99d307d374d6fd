// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that threads share, and clocks that go from one to another. */
@Timeout(120)
@Tag("both")
class DomainTest {
    /** All of one object's elements are its name. */
    private static void fill(long[] a, long name) {
        java.util.Arrays.fill(a, name);
    }

    private static void runAll(List<Callable<Void>> tasks) throws InterruptedException, ExecutionException {
        ExecutorService threads = Executors.newFixedThreadPool(tasks.size());
        try {
            for (Future<Void> f : threads.invokeAll(tasks)) {
                f.get();
            }
        } finally {
            threads.shutdown();
            assertTrue(threads.awaitTermination(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void anObjectLivesByTheDomainForItsMembers() throws Exception {
        Domain domain = new Domain();
        try (Clock c = Clock.acquire(); Domain.Member m = domain.join()) {
            Ref<long[]> r = c.longs(1, 0);
            m.globalRefresh(r, 0);
            c.tick();
            r.get()[0] = 5;
            runAll(List.of(() -> {
                assertThrows(ForeignThreadException.class, r::get);
                assertThrows(ForeignThreadException.class, m::globalTick);
                assertThrows(ForeignThreadException.class, m::close);
                assertThrows(ForeignThreadException.class, () -> m.globalRefresh(r, 0));
                try (Domain.Member other = domain.join()) {
                    assertEquals(5, r.get()[0]);
                    assertThrows(ShortTermException.class, domain::join);
                    other.globalRefresh(r, 3);
                    other.block();
                    assertThrows(ForeignThreadException.class, r::get);
                    other.resume();
                    assertEquals(5, r.get()[0]);
                }
                return null;
            }));
            for (int i = 0; i < 5; i++) {
                assertTrue(r.isAlive(), "after " + i);
                m.globalTick();
            }
            assertFalse(r.isAlive());
            assertThrows(ExpiredException.class, r::get);
            assertThrows(ExpiredException.class, () -> m.globalRefresh(r, 0));
            m.close();
            m.close();
            assertThrows(ClosedException.class, m::globalTick);
        }
    }

    @Test
    void anObjectHasDatesInOneDomainAtATime() {
        Domain one = new Domain();
        Domain two = new Domain();
        try (Clock c = Clock.acquire(); Domain.Member a = one.join(); Domain.Member b = two.join()) {
            Ref<long[]> r = c.longs(1, 100);
            a.globalRefresh(r, 0);
            assertThrows(ShortTermException.class, () -> b.globalRefresh(r, 0));
            a.globalTick();
            a.globalTick();
            b.globalRefresh(r, 0);
            assertThrows(IllegalArgumentException.class, () -> b.globalRefresh(r, -1));
            assertThrows(IllegalArgumentException.class, () -> b.globalRefresh(r, 65536));
        }
    }

    @Test
    void whoIsDeclaredBlockedDoesNotHoldTimeUp() throws Exception {
        Domain domain = new Domain();
        try (Domain.Member m = domain.join()) {
            CountDownLatch joined = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            Domain.Member[] hangs = new Domain.Member[1];
            Thread t = new Thread(() -> {
                hangs[0] = domain.join();
                joined.countDown();
                try {
                    end.await();
                } catch (InterruptedException e) {
                    return;
                }
                hangs[0].globalTick(); // takes part again
            });
            t.start();
            joined.await();
            m.globalTick();
            m.globalTick();
            assertEquals(0, domain.now());
            assertTrue(hangs[0].declareBlocked());
            assertFalse(hangs[0].declareBlocked());
            m.globalTick();
            assertEquals(1, domain.now());
            end.countDown();
            t.join();
            hangs[0].declareBlocked();
        }
    }

    /**
     * Threads put objects of theirs into a table, take those of others from it, and refresh what they keep. Each
     * object's elements are its name, and change when its place is used again: who ever reads a mixture, or
     * another name, has been given an object that was not its own any more.
     */
    @Test
    void nobodyReadsWhatHasExpired() throws Exception {
        Domain domain = new Domain();
        AtomicReferenceArray<Shared> table = new AtomicReferenceArray<>(64);
        List<Callable<Void>> tasks = new ArrayList<>();
        CountDownLatch begun = new CountDownLatch(4);
        for (int t = 0; t < 4; t++) {
            int me = t;
            tasks.add(() -> {
                share(domain, table, me, begun);
                return null;
            });
        }
        runAll(tasks);
    }

    private record Shared(Ref<long[]> ref, long name) {}

    private static void share(Domain domain, AtomicReferenceArray<Shared> table, int me, CountDownLatch begun)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(me);
        try (Clock c = Clock.builder().lazy(1 + me).build(); Domain.Member m = domain.join()) {
            begun.countDown();
            begun.await();
            long names = 0;
            for (int i = 0; i < (Oracle.enabled() ? 5_000 : 200_000); i++) {
                switch (random.nextInt(8)) {
                    case 0, 1 -> {
                        long name = ++names << 3 | me;
                        Ref<long[]> r = c.longs(4, random.nextInt(2));
                        fill(r.get(), name);
                        m.globalRefresh(r, random.nextInt(3));
                        table.set(random.nextInt(table.length()), new Shared(r, name));
                    }
                    case 2 -> c.tick();
                    case 3 -> m.globalTick();
                    case 4 -> {
                        Shared s = table.get(random.nextInt(table.length()));
                        if (s != null) {
                            try {
                                m.globalRefresh(s.ref, random.nextInt(3));
                                look(s); // it is to be had at least until the next tick
                                look(s);
                            } catch (ShortTermException tooLate) {
                                continue;
                            }
                        }
                    }
                    case 5 -> {
                        if (random.nextInt(50) == 0) {
                            m.block();
                            Thread.yield();
                            m.resume();
                        }
                    }
                    default -> {
                        Shared s = table.get(random.nextInt(table.length()));
                        if (s != null && s.ref.isAlive()) {
                            look(s);
                        }
                    }
                }
            }
            m.block();
        }
    }

    private static void look(Shared s) {
        long[] a = s.ref.get();
        for (long x : a) {
            if (x != s.name) {
                throw new AssertionError("object " + s.name + " reads " + x);
            }
        }
    }

    @Test
    void aClockIsHandedOnWithoutARace() throws Exception {
        ArrayBlockingQueue<Clock> queue = new ArrayBlockingQueue<>(1);
        AtomicBoolean done = new AtomicBoolean();
        int rounds = 20_000;
        long[] counts = new long[1];
        Clock c = Clock.builder().build();
        Ref<long[]> counter = c.longs(1, 60_000);
        counter.get()[0] = 0;
        c.give();
        queue.put(c);
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int t = 0; t < 3; t++) {
            tasks.add(() -> {
                while (!done.get()) {
                    Clock mine = queue.poll(10, TimeUnit.MILLISECONDS);
                    if (mine == null) {
                        continue;
                    }
                    mine.take();
                    mine.tick();
                    if (++counter.get()[0] == rounds) {
                        counts[0] = mine.now();
                        done.set(true);
                    }
                    mine.give();
                    assertThrows(ShortTermException.class, mine::tick);
                    queue.put(mine);
                }
                return null;
            });
        }
        tasks.add(() -> { // a stranger, who gets exceptions and nothing else
            while (!done.get()) {
                assertThrows(ShortTermException.class, counter::get);
                assertThrows(ShortTermException.class, c::tick);
                assertThrows(ShortTermException.class, () -> c.bytes(1, 0));
            }
            return null;
        });
        runAll(tasks);
        assertEquals(rounds, counts[0]);
    }

    @Test
    void clocksFromThePoolAreAlwaysAThreadsOwn() throws Exception {
        List<Callable<Void>> tasks = new ArrayList<>();
        for (int t = 0; t < 8; t++) {
            long name = t;
            tasks.add(() -> {
                for (int i = 0; i < 5_000; i++) {
                    Ref<long[]> r;
                    try (Clock c = Clock.acquire()) {
                        r = c.longs(8, 1);
                        fill(r.get(), name);
                        c.tick();
                        for (long x : r.get()) {
                            assertEquals(name, x);
                        }
                    }
                    assertThrows(ShortTermException.class, r::get);
                }
                return null;
            });
        }
        runAll(tasks);
        assertTrue(Clock.pooled().size() <= 64);
    }
}
