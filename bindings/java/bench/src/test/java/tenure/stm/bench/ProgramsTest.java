// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** All manners of a program compute the same. */
class ProgramsTest {
    @ParameterizedTest
    @ValueSource(strings = {"montecarlo", "buffers", "json"})
    void allMannersComputeTheSame(String name) {
        double expected = checksum(name, "plain");
        assertTrue(expected > 0);
        for (String manner : Programs.manners(name)) {
            assertEquals(expected, checksum(name, manner), manner);
        }
    }

    private static double checksum(String name, String manner) {
        try (Program p = Programs.make(name, manner)) {
            for (int i = 0; i < 300; i++) {
                p.round(i);
            }
            return p.checksum();
        }
    }
}
