// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Objects of one class on a clock that have dates of their own: {@link Clock#pool}. It belongs to the clock's
 * thread.
 *
 * <p>On most collectors a pool takes more time than a young generation: use it where the pauses matter and the
 * objects do not expire together; else {@link Region}.
 *
 * @param <T> the objects' class
 */
public final class Pool<T extends ShortTerm> {
    private final Clock clock;
    private final ObjectBin bin;
    private final Supplier<? extends T> factory;

    Pool(Clock clock, ObjectBin bin, Supplier<? extends T> factory) {
        this.clock = clock;
        this.bin = bin;
        this.factory = factory;
    }

    /**
     * Makes an object that lives until the clock has ticked {@code extension + 1} times. The reference is
     * Java's own, and nothing checks its uses: after the object's dates it refers to another object of the
     * class. {@link #makeRef} gives one that is checked, and {@link Oracle} finds those that are kept too long.
     *
     * @param extension how many ticks it lives after the next one
     * @return the object, as new
     * @throws IllegalArgumentException if the extension is out of range
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public T make(int extension) {
        Store store = clock.open("Pool.make");
        store.date(extension);
        store.make();
        ShortTerm p = (ShortTerm) bin.pop();
        if (p == null) {
            p = (ShortTerm) bin.create(factory);
            store.check("Pool.make, after the factory");
            bin.adopt(p);
        } else {
            p.reset();
            store.check("Pool.make, after reset");
        }
        store.enter(p, store.date(extension)); // what a factory or reset did may have been a tick
        if (Oracle.ENABLED) {
            Oracle.born(p, p);
        }
        @SuppressWarnings("unchecked") // the bin has objects of the class that the factory makes
        T made = (T) p;
        return made;
    }

    /**
     * Makes an object as {@link #make} does.
     *
     * @param extension how many ticks it lives after the next one
     * @return a reference to it that knows when it has expired
     * @throws IllegalArgumentException if the extension is out of range
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<T> makeRef(int extension) {
        T made = make(extension);
        return Ref.to(made, made);
    }

    /**
     * A reference to an object of the pool that knows when it has expired.
     *
     * @param object an object that has not expired
     * @return a reference to it
     * @throws ExpiredException if the object's dates have passed
     * @throws IllegalArgumentException if it is of another clock or pool
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<T> ref(T object) {
        clock.open("Pool.ref");
        ShortTerm p = object;
        if (p.bin != bin) {
            throw new IllegalArgumentException("the object is not of this pool");
        }
        if (!p.alive(p.generation) && !p.shared(p.generation)) {
            throw p.refusal(p.generation, object);
        }
        return Ref.to(p, object);
    }

    /**
     * Has a callback told of each object of the pool right before it is deallocated: in a call of the clock's
     * thread, some time after its dates have passed. Closing the clock tells of all that are left, but for
     * those with dates in a domain, and then forgets the callback. The callback may use the clock, but not
     * close it; while it runs, nothing is deallocated.
     *
     * @param callback what to call
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public void onExpire(Consumer<? super T> callback) {
        clock.open("Pool.onExpire");
        @SuppressWarnings("unchecked")
        Consumer<Object> next = (Consumer<Object>) callback;
        bin.onExpire = bin.onExpire == null ? next : bin.onExpire.andThen(next);
    }
}
