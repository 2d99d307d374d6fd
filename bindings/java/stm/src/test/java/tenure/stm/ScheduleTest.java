// SPDX-License-Identifier: MIT OR Apache-2.0
package tenure.stm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * The global clock in every order of its accesses, for sets of small programs: T ticks, B blocks, L leaves, R
 * resumes, D declares the next participant blocked.
 *
 * <p>A schedule lets one thread run at a time, from one access to shared memory to the next, and says there who
 * goes on. Two runs that have come to the same state go on in the same ways, so from each state every choice is
 * tried once; the schedules of a set of programs are so all gone through, by far fewer than there are. A state
 * is the clock's word with the time that has passed, and of each participant what it has noted, where it stands
 * and the word that it has read.
 */
class ScheduleTest {
    private static final class Aborted extends RuntimeException {
        private static final long serialVersionUID = 1;

        Aborted() {
            super(null, null, false, false);
        }
    }

    /** One thread's end of the handing over. */
    private static final class Runner {
        Thread thread;
        GlobalClock.Participant participant;
        String program;
        int at;
        boolean busy;
        int where;
        long read;
    }

    /** A run of the programs, one access at a time. */
    private static final class Run implements GlobalClock.Step {
        final GlobalClock clock = new GlobalClock();
        final List<Runner> runners = new ArrayList<>();
        private volatile Runner turn;
        private volatile Throwable failure;
        private volatile boolean aborted;
        private final Thread main = Thread.currentThread();
        private long lastTime;

        Run(List<String> programs) {
            for (String program : programs) {
                Runner r = new Runner();
                r.participant = new GlobalClock.Participant(clock);
                r.participant.enter();
                r.program = program;
                runners.add(r);
            }
            clock.step = this;
            for (Runner r : runners) {
                r.thread = new Thread(() -> live(r));
                r.thread.setDaemon(true);
                r.thread.start();
            }
        }

        private void live(Runner me) {
            try {
                while (me.at < me.program.length()) {
                    wait(me, 0, 0);
                    perform(me);
                    me.at++;
                }
            } catch (Aborted expected) {
                return;
            } catch (Throwable t) {
                failure = t;
            }
            turn = null;
            java.util.concurrent.locks.LockSupport.unpark(main);
        }

        @Override
        public void pause(int where, long read) {
            Thread me = Thread.currentThread();
            for (Runner r : runners) {
                if (r.thread == me) {
                    turnOver(r, where, read);
                    return;
                }
            }
        }

        private void turnOver(Runner me, int where, long read) {
            me.where = where;
            me.read = read;
            turn = null;
            java.util.concurrent.locks.LockSupport.unpark(main);
            await(me);
        }

        private void wait(Runner me, int where, long read) {
            me.where = where;
            me.read = read;
            if (me.busy) { // it comes from an operation; before the first it has not had a turn
                turn = null;
                java.util.concurrent.locks.LockSupport.unpark(main);
            }
            me.busy = true;
            await(me);
        }

        private void await(Runner me) {
            while (turn != me) {
                if (aborted) {
                    throw new Aborted();
                }
                java.util.concurrent.locks.LockSupport.park(this);
            }
        }

        /** Lets the runner go on to its next access. */
        void step(Runner r) {
            turn = r;
            java.util.concurrent.locks.LockSupport.unpark(r.thread);
            while (turn != null) {
                java.util.concurrent.locks.LockSupport.park(this);
            }
            if (failure != null) {
                throw new AssertionError(failure);
            }
        }

        void abort() {
            aborted = true;
            runners.forEach(r -> java.util.concurrent.locks.LockSupport.unpark(r.thread));
            clock.step = null;
        }

        private void perform(Runner me) {
            GlobalClock.Participant p = me.participant;
            switch (me.program.charAt(me.at)) {
                case 'T' -> {
                    while (!p.tick()) {
                        p.enter();
                    }
                }
                case 'B' -> p.exit(GlobalClock.BLOCKED);
                case 'L' -> p.exit(GlobalClock.OUTSIDE);
                case 'R' -> {
                    if (p.status() != GlobalClock.ACTIVE) {
                        p.enter();
                    }
                }
                default -> runners.get((runners.indexOf(me) + 1) % runners.size()).participant.declareBlocked();
            }
        }

        List<Runner> unfinished() {
            return runners.stream().filter(r -> r.at < r.program.length()).toList();
        }

        void look() {
            long w = clock.word();
            int active = GlobalClock.activeOf(w);
            int remaining = GlobalClock.remainingOf(w);
            assertTrue(remaining <= active && (remaining > 0 || active == 0), "nobody remains");
            long time = clock.time();
            assertTrue(time >= lastTime && time <= lastTime + 1, "time leaps");
            lastTime = time;
            for (Runner r : runners) {
                GlobalClock.Participant p = r.participant;
                if (p.status() == GlobalClock.ACTIVE) {
                    assertTrue(time <= p.view() && p.view() <= time + 1, "time is not at the view or before it");
                }
            }
        }

        /** All have done their programs: the word counts who takes part, and ticks let time advance. */
        void end() {
            clock.step = null;
            List<GlobalClock.Participant> active = runners.stream()
                    .map(r -> r.participant)
                    .filter(p -> p.status() == GlobalClock.ACTIVE)
                    .toList();
            assertEquals(active.size(), GlobalClock.activeOf(clock.word()));
            long before = clock.time();
            for (int i = 0; i < 2; i++) {
                active.forEach(GlobalClock.Participant::tick);
            }
            assertTrue(active.isEmpty() || clock.time() > before, "time stands still");
        }

        String state() {
            StringBuilder s = new StringBuilder().append(clock.word());
            for (Runner r : runners) {
                GlobalClock.Participant p = r.participant;
                s.append('|').append(p.status()).append(p.ticked).append(p.ticked ? p.period : 0).append(':');
                s.append(p.view()).append(':').append(r.at).append(':').append(r.where).append(':').append(r.read);
            }
            return s.toString();
        }
    }

    private int states;
    private int ends;

    /** Tries every choice in every state that has not been seen. */
    private void explore(String... programs) {
        Set<String> seen = new HashSet<>();
        List<int[]> toDo = new ArrayList<>();
        toDo.add(new int[0]);
        while (!toDo.isEmpty()) {
            int[] choices = toDo.remove(toDo.size() - 1);
            Run run = new Run(List.of(programs));
            try {
                for (int choice : choices) {
                    run.step(run.runners.get(choice));
                    run.look();
                }
                follow(run, choices, seen, toDo);
            } catch (AssertionError e) {
                throw new AssertionError(List.of(programs) + " after " + java.util.Arrays.toString(choices), e);
            } finally {
                run.abort();
            }
        }
        states += seen.size();
    }

    /** Goes on from here with the first that can, and leaves the other choices for later. */
    private void follow(Run run, int[] from, Set<String> seen, List<int[]> toDo) {
        int[] choices = from;
        while (seen.add(run.state())) {
            List<Runner> next = run.unfinished();
            if (next.isEmpty()) {
                ends++;
                run.end();
                return;
            }
            for (Runner other : next.subList(1, next.size())) {
                toDo.add(with(choices, run.runners.indexOf(other)));
            }
            choices = with(choices, run.runners.indexOf(next.get(0)));
            run.step(next.get(0));
            run.look();
        }
    }

    private static int[] with(int[] choices, int another) {
        int[] more = java.util.Arrays.copyOf(choices, choices.length + 1);
        more[choices.length] = another;
        return more;
    }

    @Test
    void everyOrderOfTwoParticipants() {
        List<String> programs = List.of("T", "B", "D", "TT", "BR", "TB", "TD", "DT", "TL");
        for (String a : programs) {
            for (String b : programs) {
                explore(a, b);
            }
        }
        assertTrue(states > 1000 && ends > 81, states + " states, " + ends + " ends");
    }

    @Test
    void everyOrderOfThreeParticipants() {
        for (String a : List.of("T", "B", "D")) {
            for (String b : List.of("T", "B", "D")) {
                for (String c : List.of("T", "B", "D")) {
                    if (a.compareTo(b) <= 0 && a.compareTo(c) <= 0) { // the others are the same, turned
                        explore(a, b, c);
                    }
                }
            }
        }
        assertTrue(ends > 9, states + " states, " + ends + " ends");
    }

    @Test
    void randomOrdersOfFourParticipants() {
        SplittableRandom random = new SplittableRandom(18);
        for (int i = 0; i < 500; i++) {
            List<String> programs = new ArrayList<>();
            for (int k = 0; k < 4; k++) {
                StringBuilder program = new StringBuilder();
                for (int n = 1 + random.nextInt(12); n > 0; n--) {
                    program.append("TTTTBRDLR".charAt(random.nextInt(9)));
                }
                programs.add(program.toString());
            }
            Run run = new Run(programs);
            for (List<Runner> next; !(next = run.unfinished()).isEmpty(); ) {
                run.step(next.get(random.nextInt(next.size())));
                run.look();
            }
            run.end();
        }
    }

    @Test
    void timeGoesOnPastTheBitsOfTheWord() {
        GlobalClock clock = new GlobalClock();
        GlobalClock.Participant p = new GlobalClock.Participant(clock);
        p.enter();
        for (long i = 0; i < 3 << 20; i++) {
            assertEquals(i, clock.time());
            assertEquals(i, p.view());
            p.tick();
        }
    }

    @Test
    void noMoreTakePartThanTheWordCounts() {
        GlobalClock clock = new GlobalClock();
        List<GlobalClock.Participant> all = new ArrayList<>();
        for (int i = 0; i <= GlobalClock.MOST; i++) {
            GlobalClock.Participant p = new GlobalClock.Participant(clock);
            assertEquals(i < GlobalClock.MOST, p.enter());
            all.add(p);
        }
        all.subList(0, GlobalClock.MOST).forEach(GlobalClock.Participant::tick);
        assertEquals(1, clock.time());
    }
}
