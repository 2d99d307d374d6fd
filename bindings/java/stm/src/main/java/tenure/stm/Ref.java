// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

/**
 * Refers to a short-term object or array, and knows when it has expired. It never refers to another one, however
 * often the memory has been used again. It is immutable, and can be kept, shared and compared by
 * {@code equals} like any value.
 *
 * @param <T> the object's type
 */
public final class Ref<T> implements Dated {
    // Under the oracle the place is null and the value an Oracle.Holder, which lets go of both when the object
    // expires: references of this class do not keep it from the garbage collector.
    private final Place place;
    private final Object value;
    private final long generation;

    private Ref(Place place, Object value, long generation) {
        this.place = place;
        this.value = value;
        this.generation = generation;
    }

    /** To the object that the place has now. */
    static <T> Ref<T> to(Place place, T value) {
        if (Oracle.ENABLED) {
            return new Ref<>(null, Oracle.holder(place, value), place.generation);
        }
        return new Ref<>(place, value, place.generation);
    }

    /**
     * The object. What is returned is Java's own reference, which is good until the object's dates have passed.
     *
     * @return the object
     * @throws ExpiredException if all dates of the object have passed
     * @throws ForeignThreadException if the calling thread is neither the clock's, nor a member of a domain in
     *     which the object has a date
     */
    @SuppressWarnings("unchecked") // to() was given a T
    public T get() {
        if (Oracle.ENABLED) {
            return (T) held("get");
        }
        Place p = place;
        Store s = p.store;
        if (s.owner == Thread.currentThread() && p.generation == generation && p.until >= s.now) {
            return (T) value;
        }
        return (T) ofDomain(p, value);
    }

    /**
     * Whether the calling thread can have the object.
     *
     * @return false if {@link #get} would throw
     */
    public boolean isAlive() {
        Place p = place();
        return p != null
                && (p.store.owner == Thread.currentThread() && p.alive(generation) || p.shared(generation));
    }

    private Object ofDomain(Place p, Object object) {
        if (p.shared(generation)) {
            return object;
        }
        throw p.refusal(generation, object);
    }

    private Object held(String operation) {
        Oracle.Holder holder = (Oracle.Holder) value;
        Place p = holder.place();
        Object object = holder.object();
        if (p == null || object == null) {
            throw holder.refusal();
        }
        if (p.store.owner == Thread.currentThread() && p.alive(generation) || p.shared(generation)) {
            return object;
        }
        throw p.refusal(generation, holder.toString());
    }

    /** The place, or null if the oracle has taken it away. */
    Place place() {
        return Oracle.ENABLED ? ((Oracle.Holder) value).place() : place;
    }

    long generation() {
        return generation;
    }

    String describe() {
        return Place.describe(Oracle.ENABLED ? value.toString() : value);
    }

    /** Two references are equal if they refer to the same object. */
    @Override
    public boolean equals(Object other) {
        return other instanceof Ref<?> r
                && r.place == place && r.value == value && r.generation == generation;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(value) * 31 + Long.hashCode(generation);
    }

    @Override
    public String toString() {
        return "Ref(" + describe() + ")";
    }
}
