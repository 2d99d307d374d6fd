// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;

/** How often the kernel has taken the processor away from the calling thread. Linux. Allocates nothing after begin. */
final class Switches {
    private static final byte[] KEY = "nonvoluntary_ctxt_switches:".getBytes(StandardCharsets.US_ASCII);
    private final RandomAccessFile status;
    private final byte[] text = new byte[8192];
    private long last;

    Switches() {
        try {
            status = new RandomAccessFile("/proc/thread-self/status", "r");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        sinceLastTime();
    }

    long sinceLastTime() {
        long now = read();
        long since = now - last;
        last = now;
        return since;
    }

    private long read() {
        try {
            status.seek(0);
            int length = status.read(text);
            int at = length - 1;
            while (at > 0 && text[at - 1] != '\n') {
                at--;
            }
            if (!java.util.Arrays.equals(text, at, at + KEY.length, KEY, 0, KEY.length)) {
                throw new IllegalStateException("another last line");
            }
            long number = 0;
            for (int i = at + KEY.length; i < length; i++) {
                if (text[i] >= '0' && text[i] <= '9') {
                    number = number * 10 + text[i] - '0';
                }
            }
            return number;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
