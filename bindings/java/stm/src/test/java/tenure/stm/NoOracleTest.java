// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;

/** Without the oracle it knows of nothing. */
class NoOracleTest {
    @Test
    void thereAreNoLeaks() {
        assertFalse(Oracle.enabled());
        try (Clock c = Clock.acquire()) {
            int[] kept = c.ints(1, 0).get();
            c.tick();
            assertEquals(0, Oracle.leaks().size() + kept[0]);
        }
    }
}
