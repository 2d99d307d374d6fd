// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** The clock was closed, or given and not yet taken; or the member has left its domain. */
public final class ClosedException extends ShortTermException {
    private static final long serialVersionUID = 1;

    ClosedException(String message) {
        super(message);
    }
}
