// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.ArrayList;
import java.util.List;

/**
 * Does the same to a clock and to a model, and compares. The model is what lives by the rules of dates, and
 * nothing of how: an object is its dates, a name, and a reference to the real one.
 */
final class Machine {
    private static final int LIMIT = 300;

    /** The dates of an object, or of all objects of a region. */
    static final class Dates {
        long until;
        long date = -1;

        Dates(long until) {
            this.until = until;
        }
    }

    static final class Subject {
        final Dates dates;
        final Dated object;
        final Ref<Payload> ref;
        final long name;
        boolean told;

        Subject(Dates dates, Dated object, Ref<Payload> ref, long name) {
            this.dates = dates;
            this.object = object;
            this.ref = ref;
            this.name = name;
        }
    }

    private record Group(Dates dates, Region<Plain> region) {}

    private record Array(Dates dates, Ref<long[]> ref, long name) {}

    /** What the real objects are: they know whose they are, in two places. */
    interface Payload {
        Content content();
    }

    static final class Content {
        long name;
        Subject subject;
        long again;

        void clear() {
            name = 0;
            subject = null;
            again = 0;
        }
    }

    static final class Plain implements Payload, Reusable {
        final Content content = new Content();

        @Override
        public Content content() {
            return content;
        }

        @Override
        public void reset() {
            content.clear();
        }
    }

    static final class Pooled extends ShortTerm implements Payload {
        final Content content = new Content();

        @Override
        public Content content() {
            return content;
        }

        @Override
        public void reset() {
            content.clear();
        }
    }

    private final Clock clock;
    private final Pool<Pooled> pool;
    private final Domain domain = new Domain();
    private final Domain.Member member = domain.join();
    private final boolean tells;
    private long now;
    private long global;
    private long names;
    private int steps;
    private List<Subject> subjects = new ArrayList<>();
    private final List<Group> groups = new ArrayList<>();
    private final List<Array> arrays = new ArrayList<>();

    Machine(int mode) {
        Clock.Builder b = Clock.builder().maxExtension(LIMIT);
        switch (mode & 3) {
            case 0 -> b.lazy(1);
            case 1 -> b.lazy(2);
            case 2 -> b.lazy(10);
            default -> b.eager();
        }
        clock = b.build();
        pool = clock.pool(Pooled::new);
        tells = (mode & 4) != 0;
        if (tells) {
            pool.onExpire(p -> {
                Subject s = p.content.subject;
                expect(!s.told && p.content.name == s.name && p.content.again == s.name, "told of twice");
                s.told = true;
            });
        }
    }

    private static void expect(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    private boolean alive(Dates d) {
        return d.until >= now || d.date >= global;
    }

    /** Mostly a short one. */
    private static int extension(int b) {
        return b < 200 ? b % 4 : (b - 200) * 5;
    }

    private void add(Dates dates, Dated object, Ref<? extends Payload> ref) {
        @SuppressWarnings("unchecked")
        Subject s = new Subject(dates, object, (Ref<Payload>) ref, ++names);
        Content c = s.ref.get().content();
        expect(c.name == 0 && c.again == 0 && c.subject == null, "a new object is not as new");
        c.name = s.name;
        c.again = s.name;
        c.subject = s;
        subjects.add(s);
    }

    private void compare(Subject s) {
        boolean alive = alive(s.dates);
        expect(s.ref.isAlive() == alive, "isAlive is not " + alive + " at " + now + " and " + global);
        if (!alive) {
            assertThrows(ExpiredException.class, s.ref::get);
            return;
        }
        Content c = s.ref.get().content();
        expect(c.name == s.name && c.again == s.name && c.subject == s && !s.told, "an object is another's");
    }

    void step(int op, int a, int b) {
        steps++;
        switch (op % 16) {
            case 0, 1 -> makePooled(a, b);
            case 2, 3, 14 -> array(a, b);
            case 4, 5 -> {
                clock.tick();
                now++;
            }
            case 6, 7 -> refresh(a, b);
            case 8, 9 -> {
                if (!subjects.isEmpty()) {
                    compare(subjects.get((a << 8 | b) % subjects.size()));
                }
            }
            case 10 -> {
                int e = extension(a);
                groups.add(new Group(new Dates(now + e), clock.region(Plain::new, e)));
            }
            case 11 -> inRegion(a, b);
            case 12 -> share(a, b);
            case 13 -> {
                member.globalTick();
                global++;
            }
            default -> {
                clock.collect();
                look();
            }
        }
        if (steps % 512 == 0) {
            look();
        }
        if (subjects.size() > 2000) {
            subjects.forEach(this::compare);
            forget();
        }
    }

    private void makePooled(int a, int b) {
        int e = extension(a);
        if (b % 2 == 0) {
            Pooled p = pool.make(e);
            add(new Dates(now + e), p, pool.ref(p));
        } else {
            Ref<Pooled> r = pool.makeRef(e);
            add(new Dates(now + e), r, r);
        }
    }

    private void look() {
        clock.open("test").validate();
        Stats s = clock.stats();
        expect(s.now() == now && s.live() >= 0 && s.expired() >= 0 && s.free() >= 0, s.toString());
    }

    private void refresh(int a, int b) {
        if (subjects.isEmpty()) {
            return;
        }
        Subject s = subjects.get(subjects.size() - 1 - a % subjects.size());
        int e = extension(b);
        if (!alive(s.dates)) {
            assertThrows(ExpiredException.class, () -> clock.refresh(s.ref, e));
            return;
        }
        clock.refresh(b % 2 == 0 ? s.ref : s.object, e);
        s.dates.until = Math.max(s.dates.until, now + e);
    }

    private void inRegion(int a, int b) {
        if (groups.isEmpty()) {
            return;
        }
        int i = groups.size() - 1 - a % groups.size();
        Group g = groups.get(i);
        expect(g.region.isAlive() == alive(g.dates), "region");
        if (!alive(g.dates)) {
            assertThrows(ExpiredException.class, g.region::make);
            if (b % 3 == 0) {
                int e = extension(a);
                g.region.renew(e);
                groups.set(i, new Group(new Dates(now + e), g.region));
            }
            return;
        }
        for (int k = 0; k <= b % 32; k++) {
            add(g.dates, g.region, g.region.makeRef());
        }
    }

    private void share(int a, int b) {
        if (subjects.isEmpty()) {
            return;
        }
        Subject s = subjects.get(subjects.size() - 1 - a % subjects.size());
        int e = extension(b);
        if (!alive(s.dates)) {
            assertThrows(ExpiredException.class, () -> member.globalRefresh(s.ref, e));
            return;
        }
        member.globalRefresh(s.ref, e);
        s.dates.date = Math.max(s.dates.date, global + e + 1);
    }

    private void array(int a, int b) {
        if (!arrays.isEmpty() && b % 2 == 0) {
            Array r = arrays.get(a % arrays.size());
            expect(r.ref.isAlive() == alive(r.dates), "array");
            if (alive(r.dates)) {
                for (long x : r.ref.get()) {
                    expect(x == r.name, "an array has another's elements");
                }
            } else {
                assertThrows(ExpiredException.class, r.ref::get);
            }
            return;
        }
        int e = extension(a);
        Array r = new Array(new Dates(now + e), clock.longs(b % 9, e), ++names);
        long[] elements = r.ref.get();
        assertEquals(b % 9, elements.length);
        for (int i = 0; i < elements.length; i++) {
            expect(elements[i] == 0, "a new array is not zero");
            elements[i] = r.name;
        }
        arrays.add(r);
        if (arrays.size() > 100) {
            arrays.subList(0, 50).clear();
        }
    }

    /** Leaves out most of what is dead. */
    private void forget() {
        List<Subject> kept = new ArrayList<>();
        for (int i = 0; i < subjects.size(); i++) {
            Subject s = subjects.get(i);
            if (alive(s.dates) && kept.size() < 1000 || i % 97 == 0) {
                kept.add(s);
            }
        }
        subjects = kept;
        if (groups.size() > 50) {
            groups.subList(0, 25).clear();
        }
    }

    /** All that has died is told of, and has been given back. */
    void end() {
        subjects.forEach(this::compare);
        for (int i = 0; i < LIMIT + 2; i++) {
            clock.tick();
            now++;
            member.globalTick();
            global++;
        }
        subjects.forEach(this::compare);
        clock.collect();
        look();
        Stats s = clock.stats();
        expect(s.live() == 0 && s.expired() == 0 && s.allocated() == s.collected(), s.toString());
        for (Subject o : subjects) {
            expect(!tells || !(o.object instanceof Pooled) || o.told, "an object was not told of");
        }
        member.close();
        clock.close();
    }
}
