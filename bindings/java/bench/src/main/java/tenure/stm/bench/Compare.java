// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Runs programs in all their manners under all collectors, each in a process of its own, all of them in turn, so
 * many times; prints a table for each program and collector. A ratio is the median of the ratios in each turn.
 *
 * <pre>
 * bench/run [--turns 3] [--only montecarlo,buffers,json] [--collectors G1,Serial,Parallel,ZGC,Epsilon]
 *           [--scale 1.0] [--csv FILE]
 * bench/run loop DIRECTORY     the interactive loop of Monte Carlo: java-loop.svg and others
 * bench/run jmh ARGUMENTS      single calls, in JMH
 * </pre>
 */
public final class Compare {
    private static final Map<String, List<String>> COLLECTORS = new LinkedHashMap<>();
    private static final Map<String, Integer> ROUNDS =
            Map.of("montecarlo", 60_000, "buffers", 150_000, "json", 30_000);
    private static final int HEAP_MB = 256;

    private Compare() {}

    static {
        COLLECTORS.put("G1", List.of("-XX:+UseG1GC"));
        COLLECTORS.put("Serial", List.of("-XX:+UseSerialGC"));
        COLLECTORS.put("Parallel", List.of("-XX:+UseParallelGC"));
        COLLECTORS.put("ZGC", List.of("-XX:+UseZGC"));
        COLLECTORS.put("Epsilon", List.of("-XX:+UnlockExperimentalVMOptions", "-XX:+UseEpsilonGC"));
    }

    private record Options(int turns, List<String> programs, List<String> collectors, double scale, Path csv) {
        static Options parse(String[] arguments) {
            Map<String, String> given = new LinkedHashMap<>();
            for (int i = 0; i + 1 < arguments.length; i += 2) {
                given.put(arguments[i], arguments[i + 1]);
            }
            String only = given.getOrDefault("--only", String.join(",", ROUNDS.keySet()));
            String collectors = given.getOrDefault("--collectors", String.join(",", COLLECTORS.keySet()));
            String csv = given.get("--csv");
            return new Options(
                    Integer.parseInt(given.getOrDefault("--turns", "3")), List.of(only.split(",")),
                    List.of(collectors.split(",")), Double.parseDouble(given.getOrDefault("--scale", "1.0")),
                    csv == null ? null : Path.of(csv));
        }
    }

    /**
     * The program.
     *
     * @param arguments see the class
     * @throws IOException if a process cannot be started, or a file not be written
     * @throws InterruptedException never
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        if (arguments.length > 1 && arguments[0].equals("loop")) {
            Loop.run(Path.of(arguments[1]));
            return;
        }
        Options o = Options.parse(arguments);
        List<String> csv = new ArrayList<>(List.of("program,collector,manner,turn," + Main.HEADER));
        for (String program : o.programs) {
            for (String collector : o.collectors) {
                Map<String, List<String[]>> results = new LinkedHashMap<>();
                for (int turn = 0; turn < o.turns; turn++) {
                    for (String manner : Programs.manners(program)) {
                        int rounds = (int) (ROUNDS.get(program) * o.scale);
                        String line = child(COLLECTORS.get(collector), HEAP_MB, program, manner, "" + rounds);
                        csv.add(String.join(",", program, collector, manner, "" + turn, line));
                        results.computeIfAbsent(manner, m -> new ArrayList<>()).add(line.split(","));
                    }
                }
                print(program, collector, results);
            }
        }
        if (o.csv != null) {
            Files.write(o.csv, csv);
        }
    }

    /** What Main prints, or why it ended otherwise. */
    static String child(List<String> collector, int heap, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(collector);
        command.addAll(List.of("-Xms" + heap + "m", "-Xmx" + heap + "m", "-XX:+AlwaysPreTouch", "-XX:MetaspaceSize=64m"));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "tenure.stm.bench.Main"));
        command.addAll(List.of(arguments));
        Process p = new ProcessBuilder(command).redirectErrorStream(true).start();
        String out = new String(p.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (p.waitFor() == 0) {
            return out.lines().reduce((a, b) -> b).orElseThrow();
        }
        if (out.contains("OutOfMemoryError") || out.contains("due to java.lang.OutOfMemory")) {
            return "dies: out of memory";
        }
        throw new IOException(String.join(" ", command) + ": " + out);
    }

    private static void print(String program, String collector, Map<String, List<String[]>> results) {
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        out.printf("%n%s under %s:%n%n", program, collector);
        out.println("| manner | CPU | of plain | allocated | collections | later | pauses | heap | p99 | max |");
        out.println("|---|---|---|---|---|---|---|---|---|---|");
        List<String[]> plain = results.get("plain");
        results.forEach((manner, lines) -> {
            if (lines.stream().anyMatch(l -> l.length == 1)) {
                out.printf("| %s | %s |%n", manner, lines.get(0)[0]);
                return;
            }
            List<Double> ratios = new ArrayList<>();
            for (int i = 0; i < lines.size(); i++) {
                if (plain.get(i).length > 1) {
                    ratios.add(Double.parseDouble(lines.get(i)[0]) / Double.parseDouble(plain.get(i)[0]));
                }
            }
            out.printf(
                    java.util.Locale.ROOT,
                    "| %s | %.0f ms | %s | %.1f MB | %.0f | %.0f | %.0f ms | %.1f MB | %.1f us | %.0f us |%n", manner,
                    median(lines, 0), ratios.isEmpty() ? "" : String.format("%.2f", middle(ratios)), median(lines, 2),
                    median(lines, 3), median(lines, 9), median(lines, 4), median(lines, 5), median(lines, 7),
                    median(lines, 8));
        });
    }

    private static double median(List<String[]> lines, int column) {
        return middle(lines.stream().map(l -> Double.parseDouble(l[column])).toList());
    }

    private static double middle(List<Double> values) {
        return values.stream().sorted().skip(values.size() / 2).findFirst().orElse(Double.NaN);
    }
}
