// SPDX-License-Identifier: MIT OR Apache-2.0

package global

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// A schedule lets one goroutine run at a time, and says at each access to shared memory which one goes on.
type schedule struct {
	choices []int // of the goroutines that go on, in order

	current int
	paused  chan bool
	turns   []chan bool
	where   []position
	running []int
}

var errAborted = errors.New("aborted")

// Where a goroutine stands: how often it has begun an operation, what it is going to access, and the word that it
// has read.
type position struct {
	operations, where int
	read              word
}

// Starts the goroutines; each waits for its first turn.
func (s *schedule) start(goroutines []func()) {
	s.paused = make(chan bool)
	s.where = make([]position, len(goroutines))
	for i, f := range goroutines {
		turn := make(chan bool)
		s.turns = append(s.turns, turn)
		s.running = append(s.running, i)
		go func() {
			defer func() {
				if why := recover(); why != nil && why != errAborted {
					panic(why)
				}
				s.paused <- false
			}()
			if <-turn {
				f()
			}
		}()
	}
}

// Lets a goroutine go on to its next access, or its end.
func (s *schedule) step(i int) {
	s.choices = append(s.choices, i)
	s.current = i
	s.turns[i] <- true
	if goesOn := <-s.paused; !goesOn {
		s.where[i] = position{}
		s.running = slices.DeleteFunc(s.running, func(other int) bool { return other == i })
	}
}

// The clock calls it before each access.
func (s *schedule) pause(where int, read word) {
	me := s.current
	s.where[me].where, s.where[me].read = where, read
	s.paused <- true
	if !<-s.turns[me] {
		panic(errAborted)
	}
}

// Ends what still runs.
func (s *schedule) abort() {
	for _, i := range s.running {
		s.turns[i] <- false
		<-s.paused
	}
}

// What a participant does, a letter each: Tick, Block, Resume, Declare the next one blocked.
func perform(program string, me int, all []*Participant) {
	p := all[me]
	for _, op := range program {
		switch op {
		case 'T':
			for !p.Tick() {
				p.Enter()
			}
		case 'B':
			p.Exit(Blocked)
		case 'L':
			p.Exit(Outside)
		case 'R':
			if p.Status() != Active {
				p.Enter()
			}
		case 'D':
			all[(me+1)%len(all)].DeclareBlocked()
		}
	}
}

// A run of programs on a clock of their own.
type run struct {
	t        *testing.T
	schedule schedule
	clock    Clock
	programs []string
	all      []*Participant
	last     uint64
}

func begin(t *testing.T, programs []string) *run {
	r := &run{t: t, programs: programs}
	var goroutines []func()
	for i, program := range programs {
		p := &Participant{}
		p.Init(&r.clock)
		p.Enter()
		r.all = append(r.all, p)
		goroutines = append(goroutines, func() {
			for _, op := range program {
				r.schedule.where[i].operations++
				perform(string(op), i, r.all)
			}
		})
	}
	r.clock.step = r.schedule.pause
	r.schedule.start(goroutines)
	return r
}

func (r *run) fail(why string) {
	r.t.Helper()
	r.t.Fatalf("%v: %s after %v: %x", r.programs, why, r.schedule.choices, r.clock.word.Load())
}

// The goroutine goes on, and the invariants are looked after.
func (r *run) step(i int) {
	r.schedule.step(i)
	w := word(r.clock.word.Load())
	if w.remaining() > w.active() || w.remaining() == 0 && w.active() != 0 {
		r.fail("nobody remains")
	}
	now := r.clock.Time()
	if now < r.last || now > r.last+1 {
		r.fail("time leaps")
	}
	r.last = now
	for i, p := range r.all {
		if p.Status() == Active && (now > p.View() || p.View() > now+1) {
			r.fail(fmt.Sprintf("time is %d and the view of %d is %d", now, i, p.View()))
		}
	}
}

// All programs have ended: the word counts who takes part, and ticks let time advance.
func (r *run) end() {
	r.clock.step = nil
	active := 0
	for _, p := range r.all {
		if p.Status() == Active {
			active++
		}
	}
	if int(word(r.clock.word.Load()).active()) != active {
		r.fail("the word counts others than take part")
	}
	before := r.clock.Time()
	for range 2 {
		for _, p := range r.all {
			p.Tick()
		}
	}
	if active > 0 && r.clock.Time() == before {
		r.fail("time stands still")
	}
}

// All that decides how the run can go on.
func (r *run) state() string {
	text := fmt.Sprintf("%x %v", r.clock.word.Load(), r.schedule.running)
	for i, p := range r.all {
		text += fmt.Sprintf(" %v %d %v %x %d", r.schedule.where[i], p.Status(), p.ticked, p.period, p.next)
	}
	return text
}

// Goes through every order of the programs' accesses. Two runs that have come to the same state go on in the
// same ways, so in each state every choice is tried once: all orders are covered, by far fewer than there are.
func explore(t *testing.T, programs ...string) (states, ends int) {
	t.Helper()
	seen := map[string]bool{}
	toDo := [][]int{nil}
	for len(toDo) > 0 {
		choices := toDo[len(toDo)-1]
		toDo = toDo[:len(toDo)-1]
		r := begin(t, programs)
		s := &r.schedule
		for _, i := range choices {
			r.step(i)
		}
		for state := r.state(); !seen[state]; state = r.state() {
			seen[state] = true
			if len(s.running) == 0 {
				ends++
				r.end()
				break
			}
			for _, other := range s.running[1:] {
				toDo = append(toDo, append(slices.Clone(s.choices), other))
			}
			r.step(s.running[0])
		}
		s.abort()
	}
	return len(seen), ends
}

func TestEveryOrderOfTwoParticipants(t *testing.T) {
	programs := []string{"T", "B", "D", "TT", "BR", "TB", "TD", "DT", "TL"}
	states, ends := 0, 0
	for _, a := range programs {
		for _, b := range programs {
			s, e := explore(t, a, b)
			states, ends = states+s, ends+e
		}
	}
	t.Logf("all orders: %d states, %d of them ends", states, ends)
}

func TestEveryOrderOfThreeParticipants(t *testing.T) {
	programs := []string{"T", "B", "D", "TL"}
	states, ends := 0, 0
	for _, a := range programs {
		for _, b := range programs {
			for _, c := range programs {
				if a > b || a > c {
					continue // the same as another, turned
				}
				s, e := explore(t, a, b, c)
				states, ends = states+s, ends+e
			}
		}
	}
	t.Logf("all orders: %d states, %d of them ends", states, ends)
}

func TestRandomOrdersOfFourParticipants(t *testing.T) {
	random := rand.New(rand.NewPCG(18, 18))
	for range 2000 {
		var programs []string
		for range 4 {
			program := ""
			for range 1 + random.IntN(12) {
				program += string("TTTTBRDLR"[random.IntN(9)])
			}
			programs = append(programs, program)
		}
		r := begin(t, programs)
		for s := &r.schedule; len(s.running) > 0; {
			r.step(s.running[random.IntN(len(s.running))])
		}
		r.end()
	}
}

func TestTimeGoesOnPastTheBitsOfTheWord(t *testing.T) {
	var c Clock
	var p Participant
	p.Init(&c)
	p.Enter()
	for i := range uint64(3 << timeBits) {
		if c.Time() != i || p.View() != i {
			t.Fatalf("time %d and view %d after %d ticks", c.Time(), p.View(), i)
		}
		p.Tick()
	}
}

func TestNoMoreTakePartThanTheWordCounts(t *testing.T) {
	var c Clock
	all := make([]Participant, Most+1)
	for i := range all {
		all[i].Init(&c)
		if entered := all[i].Enter(); entered != (i < Most) {
			t.Fatalf("participant %d: %v", i, entered)
		}
	}
	for i := range all[:Most] {
		all[i].Tick()
	}
	if c.Time() != 1 {
		t.Errorf("time %d", c.Time())
	}
}
