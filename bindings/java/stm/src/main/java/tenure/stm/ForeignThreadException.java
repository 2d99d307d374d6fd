// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/** The calling thread is not the one that the clock or the member belongs to. */
public final class ForeignThreadException extends ShortTermException {
    private static final long serialVersionUID = 1;

    ForeignThreadException(String message) {
        super(message);
    }
}
