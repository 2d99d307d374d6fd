// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Documents of JSON, always the same ones: orders of customers, from 2 to 80 KB. */
final class Documents {
    private static final String[] WORDS = ("copper brass timber granite linen paper glass amber slate cedar oak pine steel"
                    + " wool silk quartz marble canvas leather cork zinc tin iron willow birch \u00e9b\u00e8ne \u6728 stone")
            .split(" ");

    private Documents() {}

    static List<byte[]> make(int count) {
        SplittableRandom random = new SplittableRandom(2011);
        List<byte[]> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            all.add(order(random, i).getBytes(StandardCharsets.UTF_8));
        }
        return all;
    }

    private static String order(SplittableRandom random, int number) {
        StringBuilder s = new StringBuilder("{\"order\":").append(number).append(",\"customer\":{\"name\":\"");
        words(s, random, 2).append("\",\"address\":[\"");
        words(s, random, 3).append("\",\"").append(random.nextInt(99999)).append("\"],\"since\":");
        s.append(1990 + random.nextInt(36)).append(",\"active\":").append(random.nextBoolean()).append("},\"items\":[");
        int items = 15 << random.nextInt(6);
        for (int i = 0; i < items; i++) {
            s.append(i == 0 ? "" : ",").append("{\"id\":").append(random.nextInt(1_000_000)).append(",\"text\":\"");
            words(s, random, 1 + random.nextInt(8)).append("\",\"price\":").append(random.nextInt(100_000) / 100.0);
            s.append(",\"tags\":[");
            int tags = random.nextInt(4);
            for (int t = 0; t < tags; t++) {
                words(s.append(t == 0 ? "\"" : ",\""), random, 1).append('"');
            }
            s.append("],\"stock\":").append(random.nextInt(5) == 0 ? "null" : "" + random.nextInt(500)).append('}');
        }
        return s.append("]}").toString();
    }

    private static StringBuilder words(StringBuilder s, SplittableRandom random, int count) {
        for (int i = 0; i < count; i++) {
            s.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
        }
        return s;
    }
}
