// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Runs one program in one manner, in a process of its own, and prints what it took as one line of comma-separated
 * values: {@link #HEADER}. A quarter of the rounds before are for the compiler; the collections and allocated
 * bytes of the second half of the rounds stand by themselves as well.
 *
 * <p>Arguments: program, manner, rounds, and a file for the time of each round and the heap after it, or none.
 */
public final class Main {
    static final String HEADER =
            "cpu ms,wall ms,allocated MB,collections,pauses ms,heap MB,p50 us,p99 us,max us,later collections,"
                    + "later allocated B a round,checksum";
    private static final double MEGA = 1 << 20;

    private Main() {}

    /** What has been counted up to now. */
    private record Counts(long cpu, long wall, long allocated, long collections, long pauses) {
        static Counts now() {
            long collections = 0;
            long pauses = 0;
            for (GarbageCollectorMXBean gc : ManagementFactory.getGarbageCollectorMXBeans()) {
                if (gc.getName().contains("Cycles")) {
                    continue; // ZGC's beans of cycles; the pauses have others
                }
                collections += Math.max(gc.getCollectionCount(), 0);
                pauses += Math.max(gc.getCollectionTime(), 0);
            }
            var os = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
            var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
            return new Counts(
                    os.getProcessCpuTime(), System.nanoTime(),
                    threads.getCurrentThreadAllocatedBytes(), collections, pauses);
        }
    }

    /**
     * The program.
     *
     * @param arguments program, manner, rounds, and a file or none
     * @throws IOException if the file cannot be written
     */
    public static void main(String[] arguments) throws IOException {
        int rounds = Integer.parseInt(arguments[2]);
        long[] times = new long[rounds];
        long[] heaps = arguments.length > 3 ? new long[rounds] : null;
        long[] taken = new long[rounds];
        Program program = Programs.make(arguments[0], arguments[1]);
        int warm = rounds / 4;
        for (int i = 0; i < warm; i++) {
            program.round(i);
        }
        Counts begin = Counts.now();
        Counts half = run(program, times, heaps, taken);
        Counts end = Counts.now();
        if (heaps != null) {
            write(Path.of(arguments[3]), times, heaps, taken);
        }
        Runtime r = Runtime.getRuntime();
        java.util.Arrays.sort(times);
        System.out.printf(
                java.util.Locale.ROOT, "%.1f,%.1f,%.1f,%d,%d,%.1f,%.1f,%.1f,%.1f,%d,%.0f,%.9g%n",
                (end.cpu - begin.cpu) / 1e6, (end.wall - begin.wall) / 1e6,
                (end.allocated - begin.allocated) / MEGA, end.collections - begin.collections,
                end.pauses - begin.pauses, (r.totalMemory() - r.freeMemory()) / MEGA, times[rounds / 2] / 1e3,
                times[(int) (rounds * 0.99)] / 1e3, times[rounds - 1] / 1e3, end.collections - half.collections,
                (end.allocated - half.allocated) / (rounds / 2.0), program.checksum());
        program.close();
    }

    private static Counts run(Program program, long[] times, long[] heaps, long[] taken) {
        Runtime r = Runtime.getRuntime();
        Switches switches = heaps == null ? null : new Switches();
        Counts half = null;
        long before = System.nanoTime();
        for (int i = 0; i < times.length; i++) {
            if (i == times.length / 2) {
                half = Counts.now();
                before = System.nanoTime();
            }
            program.round(i);
            long now = System.nanoTime();
            times[i] = now - before;
            before = now;
            if (heaps != null) {
                heaps[i] = r.totalMemory() - r.freeMemory();
                taken[i] = switches.sinceLastTime();
                before = System.nanoTime();
            }
        }
        return half;
    }

    private static void write(Path file, long[] times, long[] heaps, long[] taken) throws IOException {
        try (PrintWriter out = new PrintWriter(Files.newBufferedWriter(file))) {
            out.println("round,nanoseconds,heap bytes,switches");
            for (int i = 0; i < times.length; i++) {
                out.println(i + "," + times[i] + "," + heaps[i] + "," + taken[i]);
            }
        }
    }
}
