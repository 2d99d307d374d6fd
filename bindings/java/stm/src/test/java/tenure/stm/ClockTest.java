// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Dates, and what happens after them, in every form. */
@Tag("both")
class ClockTest {
    static final class Node implements Reusable {
        Node next;
        int value;

        @Override
        public void reset() {
            next = null;
            value = 0;
        }
    }

    static final class Item extends ShortTerm {
        int value;

        @Override
        public void reset() {
            value = 0;
        }
    }

    private static void inAnotherThread(Executable body) {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread thread = new Thread(() -> {
            try {
                body.execute();
            } catch (Throwable t) {
                thrown.set(t);
            }
        });
        thread.start();
        assertDoesNotThrow(() -> thread.join());
        if (thrown.get() != null) {
            throw new AssertionError(thrown.get());
        }
    }

    @Test
    void anObjectLivesUntilTheClockHasTickedOnceMoreThanItsExtension() {
        for (int extension : new int[] {0, 1, 7, 8, 9, 1023, 1024, 1025, 5000}) {
            try (Clock c = Clock.acquire()) {
                Ref<int[]> array = c.ints(3, extension);
                Region<Node> region = c.region(Node::new, extension);
                Ref<Item> item = c.pool(Item::new).makeRef(extension);
                for (int i = 0; i < extension; i++) {
                    c.tick();
                }
                assertEquals(3, array.get().length);
                assertEquals(0, region.make().value);
                assertEquals(0, item.get().value);
                c.tick();
                assertThrows(ExpiredException.class, array::get);
                assertThrows(ExpiredException.class, region::make);
                assertThrows(ExpiredException.class, item::get);
            }
        }
    }

    @Test
    void everyUseAfterTheDateThrows() {
        try (Clock c = Clock.acquire()) {
            Pool<Item> pool = c.pool(Item::new);
            Item raw = pool.make(0);
            Ref<Item> item = pool.ref(raw);
            Ref<byte[]> bytes = c.bytes(8, 0);
            Region<Node> region = c.region(Node::new, 0);
            Ref<Node> node = region.makeRef();
            c.tick();
            List<Executable> uses = List.of(
                    item::get, bytes::get, node::get, region::make, region::makeRef, region::size, () -> region.get(0),
                    () -> pool.ref(raw), () -> c.refresh(raw, 1), () -> c.refresh(item, 1), () -> c.refresh(bytes, 1),
                    () -> c.refresh(node, 1), () -> c.refresh(region, 1));
            for (int i = 0; i < uses.size(); i++) {
                assertThrows(ExpiredException.class, uses.get(i), "use " + i);
            }
            assertFalse(item.isAlive() || bytes.isAlive() || node.isAlive() || region.isAlive());
            try (Domain.Member m = new Domain().join()) {
                for (Dated d : List.of(raw, item, bytes, node, region)) {
                    assertThrows(ExpiredException.class, () -> m.globalRefresh(d, 1));
                }
            }
            // Whatever uses their memory now.
            for (int i = 0; i < 100; i++) {
                pool.make(1);
                c.bytes(8, 1);
                c.region(Node::new, 1).make();
                if (i % 10 == 0) {
                    c.tick();
                }
                for (int k = 0; k < 7; k++) {
                    assertThrows(ExpiredException.class, uses.get(k), "use " + k);
                }
            }
        }
    }

    @Test
    void everyUseOnAnotherThreadThrows() {
        try (Clock c = Clock.acquire()) {
            Pool<Item> pool = c.pool(Item::new);
            Item raw = pool.make(0);
            Ref<Item> item = pool.ref(raw);
            Ref<byte[]> bytes = c.bytes(8, 0);
            Region<Node> region = c.region(Node::new, 0);
            Ref<Node> node = region.makeRef();
            inAnotherThread(() -> {
                List<Executable> uses = List.of(
                        item::get, bytes::get, node::get, region::make, region::makeRef, region::size,
                        () -> region.get(0), () -> region.renew(0), () -> pool.make(0), () -> pool.ref(raw),
                        () -> pool.onExpire(i -> {}), () -> c.refresh(raw, 1), c::tick, c::collect, c::now, c::stats,
                        c::give, c::take, c::close, () -> c.bytes(1, 0), () -> c.pool(Item::new),
                        () -> c.region(Node::new, 0), () -> c.array(String[]::new, 1, 0));
                for (int i = 0; i < uses.size(); i++) {
                    assertThrows(ForeignThreadException.class, uses.get(i), "use " + i);
                }
                assertFalse(item.isAlive() || bytes.isAlive() || node.isAlive() || region.isAlive());
                try (Domain.Member m = new Domain().join()) {
                    for (Dated d : List.of(raw, item, bytes, node, region)) {
                        assertThrows(ForeignThreadException.class, () -> m.globalRefresh(d, 1));
                    }
                }
            });
            assertEquals(8, bytes.get().length);
        }
    }

    @Test
    void everyUseAfterCloseThrows() {
        Clock c = Clock.acquire();
        Pool<Item> pool = c.pool(Item::new);
        Item raw = pool.make(9);
        Ref<Item> item = pool.ref(raw);
        Ref<byte[]> bytes = c.bytes(8, 9);
        Region<Node> region = c.region(Node::new, 9);
        Ref<Node> node = region.makeRef();
        c.close();
        c.close();
        Executable all = () -> {
            for (Executable use : List.<Executable>of(c::tick, c::collect, c::now, c::stats, c::give, c::take,
                    () -> c.bytes(1, 0), () -> c.refresh(bytes, 0), () -> pool.make(0), () -> pool.ref(raw),
                    () -> region.renew(0))) {
                assertThrows(ClosedException.class, use);
            }
            for (Executable use : List.<Executable>of(item::get, bytes::get, node::get, region::make, region::size)) {
                assertThrows(ExpiredException.class, use);
            }
        };
        assertDoesNotThrow(all);
        inAnotherThread(all);
        // The same thread gets the same memory again, and what it had before stays closed.
        try (Clock again = Clock.acquire()) {
            again.bytes(8, 9);
            again.pool(Item::new).make(9);
            assertDoesNotThrow(all);
        }
    }

    @Test
    void refreshNeverClampsNorShortens() {
        try (Clock c = Clock.builder().maxExtension(10).build()) {
            Ref<long[]> r = c.longs(1, 5);
            c.refresh(r, 2);
            for (int e : new int[] {-1, 11, Integer.MIN_VALUE, Integer.MAX_VALUE}) {
                assertThrows(IllegalArgumentException.class, () -> c.refresh(r, e));
                assertThrows(IllegalArgumentException.class, () -> c.longs(1, e));
                assertThrows(IllegalArgumentException.class, () -> c.region(Node::new, e));
                assertThrows(IllegalArgumentException.class, () -> c.pool(Item::new).make(e));
            }
            for (int i = 0; i < 5; i++) {
                c.tick();
            }
            r.get();
            c.refresh(r, 10);
            for (int i = 0; i < 10; i++) {
                c.tick();
                r.get();
            }
            c.tick();
            assertThrows(ExpiredException.class, r::get);
        }
    }

    @Test
    void objectsOfOtherClocksAreRefused() {
        try (Clock a = Clock.acquire(); Clock b = Clock.acquire()) {
            Ref<char[]> r = a.chars(1, 0);
            assertThrows(IllegalArgumentException.class, () -> b.refresh(r, 0));
            assertThrows(IllegalArgumentException.class, () -> b.refresh(new Item(), 0));
            Item item = a.pool(Item::new).make(0);
            assertThrows(IllegalArgumentException.class, () -> b.pool(Item::new).ref(item));
            assertThrows(IllegalArgumentException.class, () -> a.pool(Item::new).ref(new Item()));
        }
    }

    @Test
    void newArraysAreZeroAndOfTheirLength() {
        try (Clock c = Clock.acquire()) {
            for (int round = 0; round < 200; round++) {
                int n = round % 7;
                assertArrayEquals(new boolean[n], c.booleans(n, 0).get());
                assertArrayEquals(new byte[n], c.bytes(n, 0).get());
                assertArrayEquals(new char[n], c.chars(n, 0).get());
                assertArrayEquals(new short[n], c.shorts(n, 0).get());
                assertArrayEquals(new int[n], c.ints(n, 0).get());
                assertArrayEquals(new long[n], c.longs(n, 0).get());
                assertArrayEquals(new float[n], c.floats(n, 0).get());
                assertArrayEquals(new double[n], c.doubles(n, 0).get());
                String[] strings = c.array(String[]::new, n, 0).get();
                assertArrayEquals(new String[n], strings);
                assertArrayEquals(new Integer[n], c.array(Integer[]::new, n, 0).get());
                java.util.Arrays.fill(strings, "full");
                double[] doubles = c.doubles(n, 0).get();
                java.util.Arrays.fill(doubles, 7);
                c.tick();
            }
            assertThrows(NegativeArraySizeException.class, () -> c.bytes(-1, 0));
        }
    }

    @Test
    void objectsAreUsedAgainAsNew() {
        try (Clock c = Clock.builder().eager().build()) {
            Region<Node> r = c.region(Node::new, 0);
            Node first = r.make();
            first.value = 5;
            first.next = first;
            c.tick();
            r.renew(0);
            Node second = r.make();
            if (Oracle.enabled()) {
                assertNotSame(first, second);
            } else {
                assertSame(first, second);
            }
            assertEquals(0, second.value);
            assertEquals(null, second.next);
            assertSame(second, r.get(0));
            assertEquals(1, r.size());
            assertThrows(IndexOutOfBoundsException.class, () -> r.get(1));
            Region<int[]> arrays = c.region(() -> new int[4], a -> java.util.Arrays.fill(a, 0), 0);
            arrays.make()[1] = 1;
            c.tick();
            arrays.renew(0);
            assertArrayEquals(new int[4], arrays.make());
        }
    }

    @Test
    void aRegionThatIsRenewedLeavesTheOldOneAlone() {
        try (Clock c = Clock.acquire()) {
            Region<Node> r = c.region(Node::new, 3);
            Ref<Node> old = r.makeRef();
            r.renew(0);
            assertEquals(0, r.size());
            c.tick();
            assertThrows(ExpiredException.class, r::make);
            old.get();
        }
    }

    @Test
    void aFactoryThatMakesAnotherClassIsRefused() {
        try (Clock c = Clock.acquire()) {
            int[] calls = {0};
            Region<Object> r = c.region(() -> calls[0]++ == 0 ? "text" : (Object) calls, o -> {}, 0);
            assertEquals("text", r.make());
            assertThrows(IllegalArgumentException.class, r::make);
        }
    }

    @Test
    void factoriesThatCaptureAreNotMixedUp() {
        try (Clock c = Clock.acquire()) {
            for (int i = 0; i < 300; i++) {
                Object what = i % 2 == 0 ? "text" : (Object) 1;
                Region<Object> r = c.region(() -> what, o -> {}, 0);
                for (int k = 0; k < 3; k++) {
                    assertSame(what.getClass(), r.make().getClass());
                }
                c.tick();
            }
        }
    }

    @Test
    void expiredPoolObjectsAreToldOfOnce() {
        List<Integer> told = new ArrayList<>();
        Clock c = Clock.builder().lazy(1).build();
        Pool<Item> pool = c.pool(Item::new);
        pool.onExpire(i -> told.add(i.value));
        for (int i = 0; i < 100; i++) {
            pool.make(i % 5).value = i;
            if (i % 3 == 0) {
                c.tick();
            }
        }
        c.close();
        told.sort(null);
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            all.add(i);
        }
        assertEquals(all, told);
    }

    @Test
    void nobodyIsToldOfObjectsThatOthersLeftOnTheClock() {
        for (int i = 0; i < 100; i++) { // some of these have the same memory
            try (Clock c = Clock.acquire()) {
                c.pool(Item::new).make(3).value = 1;
            }
            int[] told = {0};
            try (Clock c = Clock.acquire()) {
                Pool<Item> pool = c.pool(Item::new);
                pool.onExpire(item -> told[0] += 1 + item.value);
                pool.make(0);
            }
            assertEquals(1, told[0]);
        }
    }

    @Test
    void factoriesThatCloseTheClockOrGiveItAwayAreRefused() {
        List<java.util.function.Consumer<Clock>> ends = List.of(Clock::close, Clock::give);
        for (java.util.function.Consumer<Clock> end : ends) {
            Clock a = Clock.acquire();
            Region<Node> region = a.region(Node::new, 3);
            assertThrows(ShortTermException.class, () -> a.region(() -> {
                end.accept(a);
                return new Node();
            }, 0));
            assertThrows(ExpiredException.class, region::make);
            Clock b = Clock.builder().build();
            int[] calls = {0};
            Region<Node> inTheMiddle = b.region(() -> {
                if (calls[0]++ == 1) {
                    end.accept(b);
                }
                return new Node();
            }, 3);
            inTheMiddle.make();
            assertThrows(ExpiredException.class, inTheMiddle::make);
            Clock c = Clock.builder().build();
            int[] more = {0};
            Pool<Item> pool = c.pool(() -> {
                if (more[0]++ == 1) {
                    end.accept(c);
                }
                return new Item();
            });
            pool.make(1);
            assertThrows(ShortTermException.class, () -> pool.make(1));
            Clock d = Clock.acquire();
            assertThrows(ShortTermException.class, () -> d.array(n -> {
                end.accept(d);
                return new String[n];
            }, 1, 0));
        }
        for (Store s : Clock.pooled()) {
            s.validate();
        }
    }

    @Test
    void aCallbackThatThrowsIsNotCalledAgainForTheObject() {
        try (Clock c = Clock.builder().eager().build()) {
            Pool<Item> pool = c.pool(Item::new);
            int[] calls = {0};
            pool.onExpire(i -> {
                calls[0]++;
                assertThrows(ShortTermException.class, c::close);
                assertThrows(ShortTermException.class, c::give);
                c.bytes(3, 0);
                throw new UnsupportedOperationException();
            });
            pool.make(0);
            assertThrows(UnsupportedOperationException.class, c::tick);
            c.collect();
            assertEquals(1, calls[0]);
        }
    }

    @Test
    void aClockGoesToAnotherThread() {
        try (Clock c = Clock.acquire()) {
            Ref<int[]> r = c.ints(1, 1);
            r.get()[0] = 42;
            assertThrows(ShortTermException.class, c::take);
            c.give();
            assertThrows(ClosedException.class, c::tick);
            assertThrows(ExpiredException.class, r::get);
            inAnotherThread(() -> {
                c.take();
                assertEquals(42, r.get()[0]);
                c.tick();
                c.give();
            });
            c.take();
            assertEquals(42, r.get()[0]);
            c.tick();
            assertThrows(ExpiredException.class, r::get);
        }
    }

    @Test
    void referencesAreEqualIfTheyReferToOneObject() {
        try (Clock c = Clock.builder().eager().build()) {
            Pool<Item> pool = c.pool(Item::new);
            Item item = pool.make(0);
            assertEquals(pool.ref(item), pool.ref(item));
            assertEquals(pool.ref(item).hashCode(), pool.ref(item).hashCode());
            Ref<Item> old = pool.ref(item);
            c.tick();
            assertNotEquals(old, pool.makeRef(0));
            assertTrue(old.toString().contains("Item"), old.toString());
        }
    }

    @Test
    void whatIsNotUsedGoesBackToTheGarbageCollector() {
        try (Clock c = Clock.builder().eager().build()) {
            for (int i = 1; i <= 1000; i++) {
                c.bytes(i, 0);
                Region<Node> big = c.region(Node::new, 0);
                for (int k = 0; i == 1 && k < 1000; k++) {
                    big.make();
                }
            }
            c.tick();
            for (int i = 0; i < 600_000; i++) {
                c.tick();
            }
            assertTrue(c.stats().free() < 10, c.stats().toString());
            c.bytes(5, 0).get();
        }
    }

    @Test
    void statsCount() {
        try (Clock c = Clock.builder().lazy(1).build()) {
            c.bytes(1, 0);
            c.bytes(1, 1);
            c.region(Node::new, 0).make();
            assertEquals(new Stats(0, 0, 3, 0, 3, 0, 0), c.stats());
            c.tick();
            assertEquals(1, c.stats().live());
            c.tick();
            c.collect();
            Stats s = c.stats();
            assertEquals(List.of(2L, 2L, 3L, 3L), List.of(s.now(), s.ticks(), s.allocated(), s.collected()));
            assertEquals(0, s.live() + s.expired());
            assertTrue(c.toString().contains("2"));
        }
    }
}
