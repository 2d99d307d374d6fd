// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** What can serve again as a new object: what regions and pools are made of. */
public interface Reusable {
    /**
     * Makes the object as it was when its constructor had made it. It is called right before the object is
     * handed out again, not when it expires: what its fields refer to is kept until then.
     */
    void reset();
}
