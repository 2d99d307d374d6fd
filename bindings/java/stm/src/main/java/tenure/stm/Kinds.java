// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.function.IntFunction;
import java.util.function.Supplier;

/**
 * The bins of a store: of arrays by kind and length, of regions and pools by the class of their objects.
 *
 * <p>What a factory makes is known by making one object, which then serves as the first. Which bin a factory
 * has is remembered by the factory itself, in a small table: a lambda that captures nothing is the same object
 * each time, and is found there; one that captures something costs one object more each time. Objects of one
 * class are interchangeable whatever factory made them, since {@link Reusable#reset} makes them as new. A bin
 * has objects of exactly one class, and a factory that makes another is an error; so nobody gets an object of
 * a class that the factory would not have made.
 */
final class Kinds {
    private static final int FACTORIES = 32;

    private final Store store;
    private final LengthTable[] arrays = new LengthTable[ArrayKind.COUNT];
    private final IdentityHashMap<Class<?>, ObjectBin> regions = new IdentityHashMap<>();
    private final IdentityHashMap<Class<?>, ObjectBin> pools = new IdentityHashMap<>();
    private final IdentityHashMap<Class<?>, LengthTable> objectArrays = new IdentityHashMap<>();
    private final Object[] factories = new Object[FACTORIES];
    private final ObjectBin[] ofFactories = new ObjectBin[FACTORIES];
    private final IdentityHashMap<Class<?>, ArrayKind> elementKinds = new IdentityHashMap<>();
    private final Object[] arrayFactories = new Object[FACTORIES];
    private final ArrayKind[] ofArrayFactories = new ArrayKind[FACTORIES];
    private Bin segments;

    Kinds(Store store) {
        this.store = store;
    }

    ArrayBin arrays(ArrayKind kind, int length) {
        int i = kind.index();
        LengthTable table;
        if (i >= 0) {
            table = arrays[i];
            if (table == null) {
                table = arrays[i] = new LengthTable();
            }
        } else {
            table = objectArrays.get(kind.type());
            if (table == null) {
                table = new LengthTable();
                objectArrays.put(kind.type(), table);
            }
        }
        ArrayBin bin = table.find(length);
        if (bin == null) {
            bin = new ArrayBin(store, kind, length);
            table.add(bin);
            store.add(bin);
        }
        return bin;
    }

    ObjectBin regions(Supplier<?> factory) {
        return find(regions, factory, false);
    }

    ObjectBin pools(Supplier<? extends ShortTerm> factory) {
        return find(pools, factory, true);
    }

    /** The kind of what {@code make} makes: by its class, which it says once for each factory. */
    ArrayKind elements(IntFunction<?> make) {
        int i = System.identityHashCode(make) & FACTORIES - 1;
        if (arrayFactories[i] != make) {
            Class<?> element = make.apply(0).getClass().getComponentType();
            store.check("after the factory");
            if (element == null || element.isPrimitive()) {
                throw new IllegalArgumentException("the factory does not make arrays of references");
            }
            ofArrayFactories[i] = elementKinds.computeIfAbsent(element, ArrayKind::of);
            arrayFactories[i] = make;
        }
        return ofArrayFactories[i];
    }

    Bin segments() {
        if (segments == null) {
            segments = new Bin(store, "memory segments");
            store.add(segments);
        }
        return segments;
    }

    private ObjectBin find(IdentityHashMap<Class<?>, ObjectBin> bins, Supplier<?> factory, boolean pool) {
        int i = System.identityHashCode(factory) + (pool ? 1 : 0) & FACTORIES - 1;
        ObjectBin known = ofFactories[i];
        if (factories[i] == factory && known.pool == pool) {
            return known;
        }
        Object first = Objects.requireNonNull(factory.get(), "what the factory made");
        store.check("after the factory");
        ObjectBin bin = bins.get(first.getClass());
        if (bin == null) {
            bin = new ObjectBin(store, first.getClass(), pool);
            bins.put(first.getClass(), bin);
            store.add(bin);
        }
        bin.offer(first);
        factories[i] = factory;
        ofFactories[i] = bin;
        return bin;
    }

    /** A bin that has no places is not needed any more; false if it is kept all the same. */
    boolean forget(Bin bin) {
        if (!(bin instanceof ArrayBin idle)) {
            return false;
        }
        int i = idle.kind.index();
        LengthTable table = i >= 0 ? arrays[i] : objectArrays.get(idle.kind.type());
        table.remove(idle);
        return true;
    }

    boolean calledBack() {
        for (ObjectBin bin : pools.values()) {
            if (bin.onExpire != null) {
                return true;
            }
        }
        return false;
    }

    void forgetCallbacks() {
        for (ObjectBin bin : pools.values()) {
            bin.onExpire = null;
        }
    }
}
