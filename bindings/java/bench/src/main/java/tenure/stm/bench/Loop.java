// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The paper's interactive loop (figures 5 and 6): each iteration of Monte Carlo is timed by itself, with the heap
 * after it, first 2500 in a row as the paper shows them, then all of them as a histogram of the time. Iterations
 * in which the kernel gave the processor to another process say nothing about memory, and are left out.
 */
final class Loop {
    private static final int ITERATIONS = 60_000;
    /** As in the paper. */
    private static final int HEAP_MB = 50;
    private static final int SHOWN = 2500;
    /** Of so many, one is a point of the chart. */
    private static final int DRAWN = 5;
    private static final int BUCKETS_A_DOUBLING = 4;

    private Loop() {}

    /** One manner's iterations; those in which the kernel gave the processor to others have a time of -1. */
    private record Series(long[] nanoseconds, long[] heap) {
        long[] undisturbed() {
            return java.util.Arrays.stream(nanoseconds).filter(t -> t >= 0).toArray();
        }
    }

    static void run(Path directory) throws IOException, InterruptedException {
        Files.createDirectories(directory);
        Map<String, Series> all = new LinkedHashMap<>();
        String[][] manners = {
            {"G1", "plain", "-XX:+UseG1GC"}, {"Serial", "plain", "-XX:+UseSerialGC"},
            {"Parallel", "plain", "-XX:+UseParallelGC"}, {"ZGC", "plain", "-XX:+UseZGC"},
            {"short-term, G1", "region", "-XX:+UseG1GC"}, {"short-term, Serial", "region", "-XX:+UseSerialGC"}
        };
        Path file = Files.createTempFile("loop", ".csv");
        for (String[] m : manners) {
            Compare.child(List.of(m[2]), HEAP_MB, "montecarlo", m[1], "" + ITERATIONS, file.toString());
            all.put(m[0], read(file));
        }
        Files.delete(file);
        table(all);
        Files.writeString(directory.resolve("java-loop.svg"), firstOnes(all).toString());
        Files.writeString(directory.resolve("java-jitter.svg"), histogram(all).toString());
    }

    private static Series read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        long[] times = new long[lines.size() - 1];
        long[] heap = new long[times.length];
        for (int i = 0; i < times.length; i++) {
            String[] columns = lines.get(i + 1).split(",");
            times[i] = columns[3].equals("0") ? Long.parseLong(columns[1]) : -1;
            heap[i] = Long.parseLong(columns[2]);
        }
        return new Series(times, heap);
    }

    private static void table(Map<String, Series> all) {
        System.out.println("| | iterations | p50 | p99 | p99.9 | p99.99 | max |");
        System.out.println("|---|---|---|---|---|---|---|");
        all.forEach((name, s) -> {
            long[] t = s.undisturbed();
            java.util.Arrays.sort(t);
            StringBuilder row = new StringBuilder("| " + name + " | " + t.length);
            for (double q : new double[] {0.5, 0.99, 0.999, 0.9999, 1}) {
                row.append(String.format(" | %.1f us", t[(int) Math.min(t.length - 1, t.length * q)] / 1e3));
            }
            System.out.println(row + " |");
        });
    }

    private static Chart firstOnes(Map<String, Series> all) {
        Chart c = new Chart("Monte Carlo, the first 2500 iterations: heap after each", "iteration", "MB", false);
        all.forEach((name, s) -> {
            double[] x = new double[SHOWN / DRAWN];
            double[] y = new double[SHOWN / DRAWN];
            for (int i = 0; i < x.length; i++) {
                x[i] = i * DRAWN;
                y[i] = s.heap[i * DRAWN] / (double) (1 << 20);
            }
            c.line(name, x, y);
        });
        return c;
    }

    private static Chart histogram(Map<String, Series> all) {
        Chart c = new Chart("Monte Carlo: how long iterations take", "microseconds, doubling", "iterations", true);
        all.forEach((name, s) -> {
            int[] counts = new int[BUCKETS_A_DOUBLING * 16];
            for (long t : s.undisturbed()) {
                counts[bucket(t)]++;
            }
            double[] x = new double[counts.length];
            double[] y = new double[counts.length];
            for (int i = 0; i < counts.length; i++) {
                x[i] = i / (double) BUCKETS_A_DOUBLING;
                y[i] = counts[i];
            }
            c.line(name, x, y);
        });
        return c;
    }

    /** From 4 microseconds on, so many a doubling. */
    private static int bucket(long nanoseconds) {
        double doublings = Math.log(nanoseconds / 4000.0) / Math.log(2);
        return (int) Math.max(0, Math.min(doublings * BUCKETS_A_DOUBLING, BUCKETS_A_DOUBLING * 16 - 1));
    }
}
