// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * The place of an allocator of segments. It is used once: its arena is closed by the tick after which its dates
 * have passed, or a later one if somebody is in the middle of an access.
 */
final class SegmentPlace extends Place {
    /** Whether all threads can access the segments. */
    final boolean shared;
    private Runnable close;

    SegmentPlace(boolean shared) {
        this.shared = shared;
    }

    void open(Runnable closesTheArena) {
        close = closesTheArena;
    }

    @Override
    void vacate() {
        try {
            if (close != null) {
                close.run();
            }
        } catch (IllegalStateException inUse) {
            return;
        }
        close = null;
        generation++;
        until = -1;
        bin.collected++;
        bin.places--;
    }
}
