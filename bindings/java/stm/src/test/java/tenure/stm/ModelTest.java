// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

/** A clock does what the model says: small programs that jqwik shrinks, and long ones. */
@Tag("both")
class ModelTest {
    @Property(tries = 500)
    void aClockDoesWhatTheModelDoes(@ForAll @Size(min = 1, max = 600) byte[] program) {
        Machine m = new Machine(program[0]);
        for (int i = 1; i + 2 < program.length; i += 3) {
            m.step(program[i] & 0xff, program[i + 1] & 0xff, program[i + 2] & 0xff);
        }
        m.end();
    }

    @Property(tries = 20)
    void andForLong(@ForAll long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        for (long left = Long.getLong("model.operations", 1_000_000) / 20; left > 0; ) {
            Machine m = new Machine(random.nextInt(256));
            int ticks = random.nextInt(256); // some run seldom tick, some seldom collect
            long steps = Math.min(left, 1 + random.nextInt(20_000));
            for (long i = 0; i < steps; i++) {
                int op = random.nextInt(256);
                int a = random.nextInt(256);
                int b = random.nextInt(256);
                if (op % 16 == 4 && a < ticks || op % 16 == 15 && a < 250) {
                    op = 0;
                }
                m.step(op, a, b);
            }
            m.end();
            left -= steps;
        }
    }

    @Example
    void theValidatorSeesABrokenList() {
        try (Clock c = Clock.builder().build()) {
            c.bytes(1, 3);
            Store store = c.open("test");
            store.validate();
            c.bytes(2, 2);
            Place p = c.bytes(1, 5).place();
            if (p == null) {
                return;
            }
            p.until = -1;
            assertThrows(AssertionError.class, store::validate);
            p.until = 5;
            store.validate();
        }
    }

    @Example
    void aPlaceIsUsedAgainOnlyWhenItsObjectIsGone() {
        try (Clock c = Clock.builder().lazy(1).build()) {
            Ref<int[]> kept = c.ints(4, 6);
            kept.get()[0] = 99;
            for (int i = 0; i < 6; i++) {
                Ref<int[]> other = c.ints(4, 0);
                assertEquals(0, other.get()[0]);
                other.get()[0] = i;
                assertTrue(kept.isAlive());
                assertEquals(99, kept.get()[0]);
                c.tick();
                assertFalse(other.isAlive());
            }
        }
    }
}
