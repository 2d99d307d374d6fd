// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import java.lang.ref.WeakReference;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/**
 * The garbage collector as oracle: with {@code -Dstm.debug=oracle} it finds references to objects that have
 * expired. Each expired object is overwritten then and never used again, and {@link #leaks} has the collector
 * say which of them something still refers to, each with the place where it was allocated.
 *
 * <p>A {@link Ref} and a {@link Region} do not count: they know that their objects have expired. Every clock is
 * eager, and all of it is several times slower.
 */
public final class Oracle {
    /** Whether Java was started with {@code -Dstm.debug=oracle}. */
    static final boolean ENABLED = "oracle".equals(System.getProperty("stm.debug"));

    private static final int RUNS_MOST = 50;
    // Under the class's lock. Objects that have not expired, and those that have.
    private static final Map<Object, Holder> LIVE = new IdentityHashMap<>();
    private static List<Suspect> suspects = new ArrayList<>();
    private static int pruneAt = 1024;

    private Oracle() {}

    /**
     * Whether the oracle is on.
     *
     * @return whether Java was started with {@code -Dstm.debug=oracle}
     */
    public static boolean enabled() {
        return ENABLED;
    }

    /**
     * An expired object that something still refers to.
     *
     * @param type of the object
     * @param site where it was allocated
     */
    public record Leak(String type, String site) {}

    /** What references of the package hold instead of the object; lets go of it when it expires. */
    static final class Holder {
        private final String type;
        private final String site;
        private Place place;
        private Object object;

        Holder(Place place, Object object, String site) {
            this.place = place;
            this.object = object;
            this.site = site;
            type = object.getClass().getTypeName();
        }

        Place place() {
            synchronized (Oracle.class) {
                return place;
            }
        }

        Object object() {
            synchronized (Oracle.class) {
                return object;
            }
        }

        ExpiredException refusal() {
            return new ExpiredException(type + " has expired, allocated at " + site);
        }

        @Override
        public String toString() {
            return type;
        }
    }

    private record Suspect(WeakReference<Object> object, String type, String site) {}

    /** An object is going to be handed out. */
    static synchronized void born(Place place, Object object) {
        LIVE.put(object, new Holder(place, object, site()));
    }

    static synchronized Holder holder(Place place, Object object) {
        Holder holder = LIVE.get(object);
        if (holder == null) {
            holder = new Holder(place, object, site());
            LIVE.put(object, holder);
        }
        return holder;
    }

    /** The object has expired: it is overwritten, and what refers to it from now on is a leak. */
    static synchronized void poison(Object object) {
        Holder holder = LIVE.remove(object);
        if (holder == null) {
            return;
        }
        holder.place = null;
        holder.object = null;
        if (!object.getClass().isArray()) {
            overwrite(object);
        }
        if (suspects.size() >= pruneAt) {
            prune();
            pruneAt = Math.max(1024, 2 * suspects.size());
        }
        suspects.add(new Suspect(new WeakReference<>(object), holder.type, holder.site));
    }

    private static void prune() {
        List<Suspect> kept = new ArrayList<>();
        for (Suspect s : suspects) {
            if (!s.object.refersTo(null)) {
                kept.add(s);
            }
        }
        suspects = kept;
    }

    /**
     * Runs the garbage collector, and returns the expired objects that something still refers to. Without
     * {@code -Dstm.debug=oracle} there are none. A local variable that is not used any more may count in code that
     * has not been compiled.
     *
     * @return the leaks, in the order in which the objects expired
     * @throws ShortTermException if the garbage collector does not run when it is asked to
     */
    public static List<Leak> leaks() {
        if (!ENABLED) {
            return List.of();
        }
        WeakReference<Object> sentinel = new WeakReference<>(new Object());
        for (int runs = 0; !sentinel.refersTo(null); runs++) {
            if (runs == RUNS_MOST) {
                throw new ShortTermException("the garbage collector does not run");
            }
            System.gc();
        }
        List<Leak> leaks = new ArrayList<>();
        synchronized (Oracle.class) {
            prune();
            for (Suspect s : suspects) {
                leaks.add(new Leak(s.type, s.site));
            }
        }
        return leaks;
    }

    /** The first caller outside of the package. */
    private static String site() {
        String here = Oracle.class.getPackageName() + ".";
        return StackWalker.getInstance().walk(frames -> frames
                .filter(f -> !f.getClassName().startsWith(here) || f.getClassName().endsWith("Test"))
                .findFirst()
                .map(f -> f.toStackTraceElement().toString())
                .orElse("an unknown place"));
    }

    /** Fills what Java lets us reach, so that who reads it notices: numbers with bytes 0xdb, the rest with null. */
    private static void overwrite(Object object) {
        for (Class<?> c = object.getClass(); c != null && c != ShortTerm.class; c = c.getSuperclass()) {
            for (Field f : c.getDeclaredFields()) {
                int modifiers = f.getModifiers();
                if (Modifier.isStatic(modifiers) || Modifier.isFinal(modifiers)) {
                    continue;
                }
                try {
                    f.setAccessible(true);
                    overwrite(object, f);
                } catch (IllegalAccessException | RuntimeException closed) {
                    continue; // a module that is not open to us
                }
            }
        }
    }

    private static void overwrite(Object object, Field f) throws IllegalAccessException {
        Class<?> type = f.getType();
        if (!type.isPrimitive()) {
            f.set(object, null);
        } else if (type == long.class) {
            f.setLong(object, 0xdbdbdbdbdbdbdbdbL);
        } else if (type == int.class) {
            f.setInt(object, 0xdbdbdbdb);
        } else if (type == double.class) {
            f.setDouble(object, Double.longBitsToDouble(0xdbdbdbdbdbdbdbdbL));
        } else if (type == float.class) {
            f.setFloat(object, Float.intBitsToFloat(0xdbdbdbdb));
        } else if (type == char.class) {
            f.setChar(object, (char) 0xdbdb);
        } else if (type == short.class) {
            f.setShort(object, (short) 0xdbdb);
        } else if (type == byte.class) {
            f.setByte(object, (byte) 0xdb);
        } else {
            f.setBoolean(object, true);
        }
    }
}
