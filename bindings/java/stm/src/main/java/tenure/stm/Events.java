// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Enabled;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;

/**
 * The events for Java's flight recorder. They are off unless a recording asks for them, and cost a test then.
 * Without the module jdk.jfr there are none.
 */
final class Events {
    private static final boolean AVAILABLE = ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private Events() {}

    static void tick(long now, int collected) {
        if (AVAILABLE && Probes.TICK.isEnabled()) {
            TickEvent event = new TickEvent();
            event.now = now;
            event.collected = collected;
            event.commit();
        }
    }

    static void expiry(Place place, int objects) {
        if (AVAILABLE && Probes.EXPIRY.isEnabled()) {
            ExpiryEvent event = new ExpiryEvent();
            event.kind = place.bin.name;
            event.objects = objects;
            event.late = place.store.now - place.until - 1;
            event.commit();
        }
    }

    /** Apart, so that the classes are not loaded where their superclass is missing. */
    private static final class Probes {
        static final TickEvent TICK = new TickEvent();
        static final ExpiryEvent EXPIRY = new ExpiryEvent();
    }

    @Name("tenure.stm.Tick")
    @Label("Tick")
    @Category({"Tenure", "Short-Term Memory"})
    @Description("A clock has ticked")
    @Enabled(false)
    @StackTrace(false)
    static final class TickEvent extends Event {
        @Label("Time")
        @Description("The clock's time after the tick")
        long now;

        @Label("Collected")
        @Description("Objects that were deallocated in the tick")
        int collected;
    }

    @Name("tenure.stm.Expiry")
    @Label("Expiry")
    @Category({"Tenure", "Short-Term Memory"})
    @Description("An object that expired was deallocated, or a region, or an array")
    @Enabled(false)
    @StackTrace(false)
    static final class ExpiryEvent extends Event {
        @Label("Kind")
        @Description("What it was")
        String kind;

        @Label("Objects")
        @Description("How many objects it had")
        int objects;

        @Label("Late")
        @Description("Ticks since it expired")
        long late;
    }
}
