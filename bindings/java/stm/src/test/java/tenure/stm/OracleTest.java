// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** References that are kept too long are found, all of them and no others. */
@Tag("oracle")
class OracleTest {
    /** What refers to objects that have expired. */
    private static final List<Object> KEPT = new ArrayList<>();

    static final class Node implements Reusable {
        int value;
        Object next;

        @Override
        public void reset() {}
    }

    static final class Item extends ShortTerm {
        int value;

        @Override
        public void reset() {}
    }

    @BeforeEach
    void nothingIsLeftOfOtherTests() {
        KEPT.clear();
        assertEquals(List.of(), Oracle.leaks());
    }

    @Test
    void plantedLeaksAreFoundExactly() {
        SplittableRandom random = new SplittableRandom(18);
        TreeSet<Integer> planted = new TreeSet<>();
        List<Ref<?>> refs = new ArrayList<>();
        Clock c = Clock.acquire();
        Pool<Item> pool = c.pool(Item::new);
        for (int i = 0; i < 2000; i++) {
            Object made;
            Ref<?> ref;
            if (i % 3 == 0) {
                Region<Node> region = c.region(Node::new, 0);
                Ref<Node> r = region.makeRef();
                made = r.get();
                ref = r;
                refs.add(region.makeRef());
            } else if (i % 3 == 1) {
                Ref<Item> r = pool.makeRef(0);
                made = r.get();
                ref = r;
            } else {
                Ref<int[]> r = c.ints(5, 0);
                made = r.get();
                ref = r;
            }
            refs.add(ref);
            if (random.nextInt(50) == 0) {
                KEPT.add(made);
                planted.add(i);
            }
            if (random.nextInt(4) == 0) {
                c.tick();
            }
        }
        c.tick();
        assertEquals(planted.size(), Oracle.leaks().size());
        for (Ref<?> ref : refs) {
            ExpiredException e = assertThrows(ExpiredException.class, ref::get);
            assertTrue(e.getMessage().contains("OracleTest.java"), e.getMessage());
        }
        c.close();
        assertEquals(planted.size(), Oracle.leaks().size());
    }

    @Test
    void aLeakIsNamedByItsTypeAndPlace() {
        try (Clock c = Clock.acquire()) {
            KEPT.add(c.doubles(3, 0).get());
            c.tick();
            List<Oracle.Leak> leaks = Oracle.leaks();
            assertEquals(1, leaks.size());
            assertEquals("double[]", leaks.get(0).type());
            assertTrue(leaks.get(0).site().contains("aLeakIsNamedByItsTypeAndPlace(OracleTest.java:"), leaks.toString());
        }
    }

    @Test
    void whatExpiredIsOverwritten() {
        try (Clock c = Clock.acquire()) {
            Region<Node> region = c.region(Node::new, 0);
            Node node = region.make();
            node.value = 1;
            node.next = node;
            Item item = c.pool(Item::new).make(0);
            item.value = 1;
            byte[] bytes = c.bytes(2, 0).get();
            c.tick();
            assertEquals(0xdbdbdbdb, node.value);
            assertEquals(null, node.next);
            assertEquals(0xdbdbdbdb, item.value);
            assertEquals((byte) 0xdb, bytes[1]);
        }
    }
}
