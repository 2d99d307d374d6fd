// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** All dates of the object have passed, or its clock was closed. */
public final class ExpiredException extends ShortTermException {
    private static final long serialVersionUID = 1;

    ExpiredException(String message) {
        super(message);
    }
}
