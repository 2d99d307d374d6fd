// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a flight recording shows. */
class EventsTest {
    @Test
    void ticksAndExpiriesAreRecorded(@TempDir Path directory) throws IOException {
        Path file = directory.resolve("ticks.jfr");
        try (Recording recording = new Recording(); Clock c = Clock.builder().eager().build()) {
            c.tick(); // not recorded
            recording.enable("tenure.stm.Tick");
            recording.enable("tenure.stm.Expiry");
            recording.start();
            Region<int[]> region = c.region(() -> new int[1], a -> {}, 0);
            region.make();
            region.make();
            c.doubles(100, 1);
            c.tick();
            c.tick();
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = Files.size(file) == 0 ? List.of() : RecordingFile.readAllEvents(file);
        List<RecordedEvent> ticks = named(events, "tenure.stm.Tick");
        List<RecordedEvent> expiries = named(events, "tenure.stm.Expiry");
        assertEquals(List.of(2L, 3L), ticks.stream().map(e -> e.getLong("now")).toList());
        assertEquals(List.of(2, 1), ticks.stream().map(e -> e.getInt("collected")).toList());
        assertEquals(
                List.of("region of int[]", "double[100]"), expiries.stream().map(e -> e.getString("kind")).toList());
        assertEquals(List.of(2, 1), expiries.stream().map(e -> e.getInt("objects")).toList());
        assertEquals(List.of(0L, 0L), expiries.stream().map(e -> e.getLong("late")).toList());
    }

    private static List<RecordedEvent> named(List<RecordedEvent> events, String name) {
        return events.stream()
                .filter(e -> e.getEventType().getName().equals(name))
                .sorted((a, b) -> a.getStartTime().compareTo(b.getStartTime()))
                .toList();
    }
}
