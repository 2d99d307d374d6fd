// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Objects that expire together: {@link Clock#region}. It is the fast path: making an object moves an index, a
 * date is given to all at once, and expiry takes constant time. It belongs to the clock's thread.
 *
 * <pre>{@code
 * Region<Node> region = clock.region(Node::new, 0);
 * while (running) {
 *     answer(region.make());
 *     clock.tick();
 *     region.renew(0); // without it, make throws from here on
 * }
 * }</pre>
 *
 * @param <T> the objects' class
 */
public final class Region<T> implements Dated {
    private RegionPlace place;
    private long generation;
    // What renew needs.
    private final Clock clock;
    private final ObjectBin bin;
    private final Supplier<?> factory;
    private final Consumer<Object> reset;

    Region(Clock clock, ObjectBin bin, Supplier<?> factory, Consumer<Object> reset) {
        this.clock = clock;
        this.bin = bin;
        this.factory = factory;
        this.reset = reset;
    }

    void begin(int extension) {
        Store store = bin.store;
        long date = store.date(extension);
        store.make();
        RegionPlace p = (RegionPlace) bin.pop();
        if (p == null) {
            p = new RegionPlace();
            bin.adopt(p);
        }
        p.open(factory, reset);
        store.enter(p, date);
        place = p;
        generation = p.generation;
    }

    /**
     * Makes an object that expires with the region. The reference is Java's own, and nothing checks its uses:
     * after the region's dates it refers to an object of another one. {@link #makeRef} and {@link #get} are
     * checked, and {@link Oracle} finds references that are kept too long.
     *
     * @return an object, as new
     * @throws ExpiredException if the region has expired
     * @throws ForeignThreadException on another thread than the clock's
     */
    @SuppressWarnings("unchecked") // the bin has objects of the class that the factory makes
    public T make() {
        RegionPlace p = place;
        Store s = p.store;
        if (s.owner == Thread.currentThread() && p.generation == generation && p.until >= s.now
                && p.used < p.filled) {
            Object made = p.items[p.used++];
            if (p.reset == null) {
                ((Reusable) made).reset();
            } else {
                p.reset.accept(made);
            }
            return (T) made;
        }
        return (T) makeNew();
    }

    private Object makeNew() {
        RegionPlace p = usable();
        if (p.used < p.filled) { // by a date in a domain
            Object made = p.items[p.used++];
            if (p.reset == null) {
                ((Reusable) made).reset();
            } else {
                p.reset.accept(made);
            }
            return made;
        }
        return p.create(generation);
    }

    /**
     * Makes an object as {@link #make} does.
     *
     * @return a reference to it that knows when it has expired
     * @throws ExpiredException if the region has expired
     * @throws ForeignThreadException on another thread than the clock's
     */
    public Ref<T> makeRef() {
        T made = make();
        return Ref.to(place, made);
    }

    /**
     * The object that was made as number {@code index}, from 0.
     *
     * @param index from 0, below {@link #size}
     * @return the object
     * @throws IndexOutOfBoundsException if no such object has been made
     * @throws ExpiredException if the region has expired
     * @throws ForeignThreadException on another thread than the clock's
     */
    @SuppressWarnings("unchecked")
    public T get(int index) {
        RegionPlace p = usable();
        Objects.checkIndex(index, p.used);
        return (T) p.items[index];
    }

    /**
     * How many objects have been made.
     *
     * @return how many
     * @throws ExpiredException if the region has expired
     * @throws ForeignThreadException on another thread than the clock's
     */
    public int size() {
        return usable().used;
    }

    /**
     * Begins anew, whether the region has expired or not: from here on this is a region without objects, with
     * a date of its own. What it was before keeps its dates. Nothing is allocated for it once the clock is in
     * its stride.
     *
     * @param extension how many ticks it lives after the next one
     * @throws IllegalArgumentException if the extension is out of range
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public void renew(int extension) {
        clock.open("Region.renew");
        begin(extension);
    }

    /**
     * Whether objects can be made.
     *
     * @return false if {@link #make} would throw
     */
    public boolean isAlive() {
        RegionPlace p = place;
        return p.store.owner == Thread.currentThread() && (p.alive(generation) || lent(p));
    }

    /** The place, if the calling thread is the owner and the region has not expired. */
    private RegionPlace usable() {
        RegionPlace p = place;
        if (p.store.owner != Thread.currentThread() || !p.alive(generation) && !lent(p)) {
            throw p.refusal(generation, bin.name);
        }
        return p;
    }

    private boolean lent(RegionPlace p) {
        return p.generation == generation && p.shared(generation);
    }

    RegionPlace place() {
        return place;
    }

    long generation() {
        return generation;
    }

    String describe() {
        return bin.name;
    }
}
