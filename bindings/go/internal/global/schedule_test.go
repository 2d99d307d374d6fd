// SPDX-License-Identifier: MIT OR Apache-2.0

package global

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"testing"
)

// A schedule lets one goroutine run at a time, and says at each access to shared memory which one goes on.
type schedule struct {
	choices []int // of the run that is being repeated; later ones are 0
	made    []int // how many could go on, at each choice
	at      int
	random  *rand.Rand // or nil

	current int
	paused  chan bool
	turns   []chan bool
}

func (s *schedule) choose(n int) int {
	if s.random != nil {
		return s.random.IntN(n)
	}
	if s.at == len(s.choices) {
		s.choices = append(s.choices, 0)
	}
	s.made = append(s.made[:s.at], n)
	s.at++
	return s.choices[s.at-1]
}

// Makes the next schedule the one to run. False if there is none.
func (s *schedule) next() bool {
	s.choices = s.choices[:s.at]
	for i := s.at - 1; i >= 0; i-- {
		if s.choices[i]+1 < s.made[i] {
			s.choices = append(s.choices[:i], s.choices[i]+1)
			return true
		}
	}
	return false
}

// Runs the goroutines to their ends; look is called whenever all stand still.
func (s *schedule) run(look func(), goroutines ...func()) {
	s.at = 0
	s.paused = make(chan bool)
	s.turns = nil
	var running []int
	for i, f := range goroutines {
		turn := make(chan bool)
		s.turns = append(s.turns, turn)
		running = append(running, i)
		go func() {
			<-turn
			f()
			s.paused <- false
		}()
	}
	for len(running) > 0 {
		i := 0
		if len(running) > 1 {
			i = s.choose(len(running))
		}
		s.current = running[i]
		s.turns[s.current] <- true
		if goesOn := <-s.paused; !goesOn {
			running = append(running[:i:i], running[i+1:]...)
		}
		look()
	}
}

// The clock calls it before each access.
func (s *schedule) pause() {
	me := s.current
	s.paused <- true
	<-s.turns[me]
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

// Runs the programs in every order, or in a random one, and looks after the invariants.
func explore(t *testing.T, s *schedule, programs []string) {
	t.Helper()
	clock := &Clock{}
	var all []*Participant
	var goroutines []func()
	for i, program := range programs {
		p := &Participant{}
		p.Init(clock)
		p.Enter()
		all = append(all, p)
		goroutines = append(goroutines, func() { perform(program, i, all) })
	}
	clock.step = s.pause
	fail := func(why string) {
		t.Fatalf("%s: %s after %v: %x", fmt.Sprint(programs), why, s.choices[:s.at], clock.word.Load())
	}
	last := uint64(0)
	s.run(func() {
		w := word(clock.word.Load())
		if w.remaining() > w.active() || w.remaining() == 0 && w.active() != 0 {
			fail("nobody remains")
		}
		now := clock.Time()
		if now < last {
			fail("time went back")
		}
		last = now
		for i, p := range all {
			if p.Status() == Active && (now > p.View() || p.View() > now+1) {
				fail(fmt.Sprintf("time is %d and the view of %d is %d", now, i, p.View()))
			}
		}
	}, goroutines...)
	clock.step = nil
	active := 0
	for _, p := range all {
		if p.Status() == Active {
			active++
		}
	}
	if int(word(clock.word.Load()).active()) != active {
		fail("the word counts others than take part")
	}
	before := clock.Time()
	for range 2 {
		for _, p := range all {
			p.Tick()
		}
	}
	if active > 0 && clock.Time() == before {
		fail("time stands still")
	}
}

var most = flag.Int("schedules", 1000, "schedules of each set of programs that are explored at most")

// Every order of the programs' accesses, up to a number of them; the first accesses vary last.
func exploreAll(t *testing.T, programs ...string) (schedules int, all bool) {
	s := &schedule{}
	for {
		explore(t, s, programs)
		schedules++
		if !s.next() {
			return schedules, true
		}
		if schedules == *most {
			return schedules, false
		}
	}
}

func TestEveryOrderOfTwoParticipants(t *testing.T) {
	programs := []string{"T", "B", "D", "TT", "BR", "TB", "TD", "DT", "TL"}
	total, whole := 0, 0
	for _, a := range programs {
		for _, b := range programs {
			n, all := exploreAll(t, a, b)
			total += n
			if all {
				whole++
			}
		}
	}
	t.Logf("%d schedules; all there are for %d of %d pairs", total, whole, len(programs)*len(programs))
}

func TestEveryOrderOfThreeParticipants(t *testing.T) {
	programs := []string{"T", "B", "D"}
	total, whole := 0, 0
	for _, a := range programs {
		for _, b := range programs {
			for _, c := range programs {
				n, all := exploreAll(t, a, b, c)
				total += n
				if all {
					whole++
				}
			}
		}
	}
	t.Logf("%d schedules; all there are for %d of 27 triples", total, whole)
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
		explore(t, &schedule{random: random}, programs)
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
