// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/** All programs, by name and manner. */
final class Programs {
    private static final Map<String, Map<String, Supplier<Program>>> ALL = new TreeMap<>();

    private Programs() {}

    static {
        add("montecarlo", "plain", () -> new MonteCarlo.Plain(false));
        add("montecarlo", "leaky", () -> new MonteCarlo.Plain(true));
        add("montecarlo", "arrays", MonteCarlo.Arrays::new);
        add("montecarlo", "region", MonteCarlo.Regions::new);
        add("buffers", "plain", Buffers.Plain::new);
        add("buffers", "arrays", Buffers.Arrays::new);
        add("buffers", "region", Buffers.Regions::new);
        add("json", "plain", () -> new Json(new Json.PlainTree()));
        add("json", "region", () -> new Json(new Json.RegionTree()));
        add("json", "pool", () -> new Json(new Json.PoolTree()));
        try { // what needs Java 22
            Class.forName("tenure.stm.bench.SegmentPrograms").getMethod("addAll").invoke(null);
        } catch (ReflectiveOperationException notBuilt) {
            assert notBuilt != null;
        }
    }

    static void add(String program, String manner, Supplier<Program> make) {
        ALL.computeIfAbsent(program, p -> new java.util.LinkedHashMap<>()).put(manner, make);
    }

    static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    static List<String> manners(String program) {
        return List.copyOf(ALL.get(program).keySet());
    }

    static Program make(String program, String manner) {
        return ALL.get(program).get(manner).get();
    }
}
