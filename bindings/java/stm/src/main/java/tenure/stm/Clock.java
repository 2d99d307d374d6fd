// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * A time that only its own {@link #tick} advances, and the objects that have dates on it. It belongs to one
 * thread, platform or virtual: the one that acquired it. On others all methods throw
 * {@link ForeignThreadException}, and there is no race in that; after {@link #close} they throw
 * {@link ClosedException}.
 *
 * <pre>{@code
 * try (Clock clock = Clock.acquire()) {
 *     for (Request request : requests) {
 *         Ref<byte[]> buffer = clock.bytes(16384, 0); // lives until the tick below
 *         answer(request, buffer.get());
 *         clock.tick(); // it has expired, and its memory serves the next request
 *     }
 * }
 * }</pre>
 *
 * <p>Extensions are numbers of ticks: an object with extension {@code e} lives until the clock has ticked
 * {@code e + 1} times. An extension out of range is an {@link IllegalArgumentException}, and never clamped.
 */
public final class Clock implements AutoCloseable {
    private static final int POOLED_MOST = 64;
    private static final ArrayDeque<Store> POOL = new ArrayDeque<>();

    /** Null when the clock is closed. Written by the owner alone; what others read of it is checked by the store. */
    private Store store;

    private Clock(Store store) {
        this.store = store;
        store.owner = Thread.currentThread();
    }

    /**
     * A clock for the calling thread, with the memory of those that were acquired and closed before. Use it in
     * a try statement.
     *
     * @return the clock
     */
    public static Clock acquire() {
        Store store;
        synchronized (POOL) {
            store = POOL.pollLast();
        }
        return new Clock(store != null ? store : new Store(Store.DEFAULT_LIMIT, Store.DEFAULT_BOUND, false, true));
    }

    /**
     * Makes a clock with options, and with memory of its own.
     *
     * @return a builder
     */
    public static Builder builder() {
        return new Builder();
    }

    /** Options of a clock. */
    public static final class Builder {
        private long limit = Store.DEFAULT_LIMIT;
        private int bound = Store.DEFAULT_BOUND;
        private boolean eager;

        private Builder() {}

        /**
         * Each tick deallocates everything that has expired: the least memory, and ticks that take as long as
         * there are objects.
         *
         * @return this
         */
        public Builder eager() {
            eager = true;
            return this;
        }

        /**
         * Each allocation and tick deallocates at most so many expired objects, so that every call takes constant
         * time. It is the default, with a bound of 2.
         *
         * @param most at least 1
         * @return this
         * @throws IllegalArgumentException if it is less
         */
        public Builder lazy(int most) {
            if (most < 1) {
                throw new IllegalArgumentException("bound " + most + " is less than 1");
            }
            eager = false;
            bound = most;
            return this;
        }

        /**
         * The longest extension; 65535 if this is not called.
         *
         * @param extension at least 0
         * @return this
         * @throws IllegalArgumentException if it is less
         */
        public Builder maxExtension(int extension) {
            if (extension < 0) {
                throw new IllegalArgumentException("extension " + extension + " is less than 0");
            }
            limit = extension;
            return this;
        }

        /**
         * The clock, for the calling thread.
         *
         * @return a clock
         */
        public Clock build() {
            return new Clock(new Store(limit, bound, eager, false));
        }
    }

    /** The store, if the calling thread may use it. */
    Store open(String operation) {
        Store s = store;
        if (s == null) {
            throw new ClosedException(operation + ": the clock is closed");
        }
        s.check(operation);
        return s;
    }

    /**
     * Ends the clock's use: all its dates have passed. Segments of it can no longer be accessed. Closing it
     * again does nothing.
     *
     * @throws ForeignThreadException on another thread
     * @throws ShortTermException in a callback of {@link Pool#onExpire}
     */
    @Override
    public void close() {
        Store s = store;
        if (s == null) {
            return;
        }
        s.check("close");
        s.close();
        store = null;
        if (s.pooled) {
            synchronized (POOL) {
                if (POOL.size() < POOLED_MOST) {
                    POOL.addLast(s);
                }
            }
        }
    }

    /**
     * Lets the clock, with all its objects, go to another thread, which calls {@link #take}. Between the two it
     * is nobody's.
     *
     * @throws ShortTermException on another thread, if the clock is closed, or if it has segments that have not
     *     expired: those belong to the thread that made them
     */
    public void give() {
        Store s = open("give");
        if (s.hasPrompt()) {
            throw new ShortTermException("give: the clock has memory segments, which belong to the thread");
        }
        s.checkOutside("give");
        s.owner = null;
        s.given.set(true);
    }

    /**
     * Makes a given clock the calling thread's.
     *
     * @throws ShortTermException if it is not given
     */
    public void take() {
        Store s = store;
        if (s == null) {
            throw new ClosedException("take: the clock is closed");
        }
        if (!s.given.compareAndSet(true, false)) {
            throw s.stranger("take: nobody gave the clock");
        }
        s.owner = Thread.currentThread();
    }

    /**
     * Advances the clock by one. What had this time as its last date has expired. It takes constant time, unless
     * the clock is eager, and but for segments: each allocator of segments that expires is closed at once.
     *
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public void tick() {
        open("tick").tick();
    }

    /**
     * Deallocates all objects that have expired. There is no need for it, other than to have memory back at
     * once.
     *
     * @return how many
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public int collect() {
        return open("collect").collectAll();
    }

    /**
     * The clock's time.
     *
     * @return how far it is
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public long now() {
        return open("now").now;
    }

    /**
     * Counts. It takes as long as the clock has objects.
     *
     * @return the counts
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Stats stats() {
        return open("stats").stats();
    }

    /**
     * Gives the object another date: it lives at least until the clock has ticked {@code extension + 1} times
     * more. Dates do not add up, and none makes an object live shorter. If this throws, nothing has changed.
     *
     * <p>Of a pool's object that is given as Java's own reference it cannot be told whether its place has been
     * used again since; give a {@link Ref} where that matters.
     *
     * @param object a reference, a region, segments, or an object of a pool; an object of a region refreshes
     *     the region
     * @param extension how many ticks it lives after the next one
     * @throws ExpiredException if all dates of the object have passed
     * @throws IllegalArgumentException if the extension is out of range, or the object of another clock
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public void refresh(Dated object, int extension) {
        Store s = open("refresh");
        Target target = Target.of(object);
        if (target.place() != null && target.place().store != s) {
            throw new IllegalArgumentException("refresh: " + target.describe() + " is of another clock");
        }
        target.alive().extend(target.generation(), extension, target.describe());
    }

    /**
     * The clock's objects of a class that have dates of their own. Asking again costs little.
     *
     * @param factory makes an object as new; best a reference to a constructor
     * @param <T> the objects' class
     * @return the pool
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public <T extends ShortTerm> Pool<T> pool(Supplier<? extends T> factory) {
        return new Pool<>(this, open("pool").kinds.pools(factory), factory);
    }

    /**
     * A region: objects that expire together. The factory is called where no object of the class is there to be
     * used again, and {@link Reusable#reset} for those that are. Objects of one class on a clock serve one
     * another's regions, whatever factory made them.
     *
     * @param factory makes an object as new, always of one class; best a reference to a constructor
     * @param extension how many ticks the region lives after the next one
     * @param <T> the objects' class
     * @return a region without objects
     * @throws IllegalArgumentException if the extension is out of range
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public <T extends Reusable> Region<T> region(Supplier<? extends T> factory, int extension) {
        return region(open("region"), factory, null, extension);
    }

    /**
     * A region of objects that do not know how to {@link Reusable#reset} themselves.
     *
     * @param factory makes an object as new, always of one class; best a reference to a constructor
     * @param reset makes an object as it was when the factory had made it
     * @param extension how many ticks the region lives after the next one
     * @param <T> the objects' class
     * @return a region without objects
     * @throws IllegalArgumentException if the extension is out of range
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public <T> Region<T> region(Supplier<? extends T> factory, Consumer<? super T> reset, int extension) {
        Objects.requireNonNull(reset, "reset");
        return region(open("region"), factory, reset, extension);
    }

    private <T> Region<T> region(
            Store s, Supplier<? extends T> factory, Consumer<? super T> reset, int extension) {
        s.date(extension);
        @SuppressWarnings("unchecked") // it is called with what the factory made
        Consumer<Object> remade = (Consumer<Object>) reset;
        Region<T> region = new Region<>(this, s.kinds.regions(factory), factory, remade);
        region.begin(extension);
        return region;
    }

    /**
     * An array as from {@code new boolean[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<boolean[]> booleans(int length, int extension) {
        ArrayPlace p = open("booleans").kinds.arrays(ArrayKind.BOOLEANS, length).take(extension);
        return Ref.to(p, (boolean[]) p.array);
    }

    /**
     * An array as from {@code new byte[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<byte[]> bytes(int length, int extension) {
        ArrayPlace p = open("bytes").kinds.arrays(ArrayKind.BYTES, length).take(extension);
        return Ref.to(p, (byte[]) p.array);
    }

    /**
     * An array as from {@code new char[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<char[]> chars(int length, int extension) {
        ArrayPlace p = open("chars").kinds.arrays(ArrayKind.CHARS, length).take(extension);
        return Ref.to(p, (char[]) p.array);
    }

    /**
     * An array as from {@code new short[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<short[]> shorts(int length, int extension) {
        ArrayPlace p = open("shorts").kinds.arrays(ArrayKind.SHORTS, length).take(extension);
        return Ref.to(p, (short[]) p.array);
    }

    /**
     * An array as from {@code new int[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<int[]> ints(int length, int extension) {
        ArrayPlace p = open("ints").kinds.arrays(ArrayKind.INTS, length).take(extension);
        return Ref.to(p, (int[]) p.array);
    }

    /**
     * An array as from {@code new long[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<long[]> longs(int length, int extension) {
        ArrayPlace p = open("longs").kinds.arrays(ArrayKind.LONGS, length).take(extension);
        return Ref.to(p, (long[]) p.array);
    }

    /**
     * An array as from {@code new float[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<float[]> floats(int length, int extension) {
        ArrayPlace p = open("floats").kinds.arrays(ArrayKind.FLOATS, length).take(extension);
        return Ref.to(p, (float[]) p.array);
    }

    /**
     * An array as from {@code new double[length]}.
     *
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Ref<double[]> doubles(int length, int extension) {
        ArrayPlace p = open("doubles").kinds.arrays(ArrayKind.DOUBLES, length).take(extension);
        return Ref.to(p, (double[]) p.array);
    }

    /**
     * An array of references, null as from Java's new.
     *
     * @param make what {@code T[]::new} is
     * @param length how many elements
     * @param extension how many ticks it lives after the next one
     * @param <T> the elements' type
     * @return a reference to it
     * @throws IllegalArgumentException if the extension is out of range
     * @throws NegativeArraySizeException if the length is negative
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public <T> Ref<T[]> array(IntFunction<T[]> make, int length, int extension) {
        Store s = open("array");
        ArrayPlace p = s.kinds.arrays(s.kinds.elements(make), length).take(extension);
        @SuppressWarnings("unchecked") // the kind is that of what make makes
        T[] array = (T[]) p.array;
        return Ref.to(p, array);
    }

    /**
     * An allocator of foreign memory: on Java 22 and later what is returned is a {@code SegmentAllocator} of
     * {@code java.lang.foreign}, and its segments, and all slices of them, throw when they are accessed after
     * their date, since their arena is closed by the tick. Segments are zero.
     *
     * @param extension how many ticks the segments live after the next one
     * @return the allocator, for the clock's thread
     * @throws IllegalArgumentException if the extension is out of range
     * @throws UnsupportedOperationException on Java 17 to 21
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Segments segments(int extension) {
        return Segments.make(open("segments"), extension, false);
    }

    /**
     * The same with segments that any thread can access. Closing a shared arena takes tens of microseconds, since
     * all threads have to take note: have one a tick, not one an object.
     *
     * @param extension how many ticks the segments live after the next one
     * @return the allocator, for the clock's thread
     * @throws IllegalArgumentException if the extension is out of range
     * @throws UnsupportedOperationException on Java 17 to 21
     * @throws ShortTermException on another thread, or if the clock is closed
     */
    public Segments sharedSegments(int extension) {
        return Segments.make(open("sharedSegments"), extension, true);
    }

    /** Stores in the pool; for tests. */
    static List<Store> pooled() {
        synchronized (POOL) {
            return new ArrayList<>(POOL);
        }
    }

    @Override
    public String toString() {
        Store s = store;
        if (s == null || s.owner != Thread.currentThread()) {
            return "Clock(closed, or of another thread)";
        }
        return "Clock(" + s.now + ")";
    }
}
