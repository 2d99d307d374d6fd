// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm.bench;

/** A program in one manner: what it does in a round, and what of it has to be the same in all manners. */
interface Program extends AutoCloseable {
    /** One request, step or iteration. */
    void round(int number);

    /** A sum over all that was computed. */
    double checksum();

    @Override
    default void close() {}
}
