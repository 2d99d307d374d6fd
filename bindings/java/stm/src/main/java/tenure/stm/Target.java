// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * What a date is to be given to: a place, or null if the oracle has taken it away, the generation meant, and a
 * name for messages.
 */
record Target(Place place, long generation, String describe) {
    static Target of(Dated object) {
        if (object instanceof Ref<?> r) {
            return new Target(r.place(), r.generation(), r.describe());
        }
        if (object instanceof Region<?> r) {
            return new Target(r.place(), r.generation(), r.describe());
        }
        if (object instanceof Segments s) {
            return new Target(s.place(), s.generation(), "memory segments");
        }
        ShortTerm s = (ShortTerm) object;
        if (s.store == null) {
            throw new IllegalArgumentException("the object is not from a pool");
        }
        return new Target(s, s.generation, Place.describe(s));
    }

    Place alive() {
        if (place == null) {
            throw new ExpiredException(describe + " has expired");
        }
        return place;
    }
}
