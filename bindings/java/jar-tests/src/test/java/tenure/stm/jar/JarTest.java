// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.jar;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import tenure.stm.Clock;
import tenure.stm.ExpiredException;
import tenure.stm.Ref;
import tenure.stm.Segments;

/** What holds of the jar on every Java. */
class JarTest {
    @Test
    void theOnHeapPartIsThere() {
        try (Clock c = Clock.acquire()) {
            Ref<double[]> r = c.doubles(3, 0);
            assertEquals(3, r.get().length);
            c.tick();
            assertThrows(ExpiredException.class, r::get);
        }
    }

    @Test
    void foreignMemoryIsThereFromJava22() {
        assertEquals(Runtime.version().feature() >= 22, Segments.available());
        try (Clock c = Clock.acquire()) {
            if (Segments.available()) {
                c.segments(0);
            } else {
                assertThrows(UnsupportedOperationException.class, () -> c.segments(0));
            }
        }
    }
}
