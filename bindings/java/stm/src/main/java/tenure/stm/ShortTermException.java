// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** Says that a use of short-term memory was wrong. The subclasses say how. */
public class ShortTermException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    ShortTermException(String message) {
        super(message);
    }
}
