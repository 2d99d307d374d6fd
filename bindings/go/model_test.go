// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"flag"
	"math/rand/v2"
	"testing"
)

// The reference of the model tests: what lives by the rules of dates, and nothing of how. An object is its
// dates.
type modelObject struct {
	name uint64
	*modelDates
	ref  Ref[payload]
	told *bool // OnExpire has been called; nil in regions
}

// The dates of an object, or of all objects of a region.
type modelDates struct {
	until uint64 // on the clock
	date  uint64 // in the domain
}

type modelGroup struct {
	*modelDates
	reg Region[payload]
}

// A payload knows whose it is, in two places, and refers to something that the garbage collector would take if
// slabs hid it.
type payload struct {
	name  uint64
	told  *bool
	boxed *uint64
	again uint64
}

type modelSlice struct {
	until uint64
	name  uint64
	slice Slice[uint64]
}

// A machine does the same to a clock and to the reference, and compares.
type machine struct {
	t       testing.TB
	clock   *Clock
	heap    *Heap[payload]
	domain  *Domain
	member  *Member
	now     uint64
	global  uint64
	objects []*modelObject
	groups  []*modelGroup
	slices  []*modelSlice
	names   uint64
	ops     int
}

const modelLimit = 300

func newMachine(t testing.TB, mode byte) *machine {
	options := [][]Option{{Lazy(1)}, {Lazy(2)}, {Lazy(10)}, {Eager()}}[mode%4]
	m := &machine{t: t, domain: NewDomain(), clock: NewClock(append(options, MaxExtension(modelLimit))...)}
	m.heap = HeapOf[payload](m.clock)
	if mode&4 != 0 {
		m.heap.OnExpire(func(p *payload) {
			if *p.told || p.name != p.again {
				t.Errorf("an object was told of twice, or is not what it was: %v", *p)
			}
			*p.told = true
		})
	}
	m.member = m.domain.Join()
	return m
}

func (m *machine) alive(d *modelDates) bool {
	return d.until >= m.now || d.date != 0 && d.date >= m.global
}

// An extension, mostly a short one.
func extensionOf(b byte) int {
	if b < 200 {
		return int(b % 4)
	}
	return int(b-200) * 5
}

func (m *machine) fill(o *modelObject) {
	p := o.ref.Must()
	if *p != (payload{}) {
		m.t.Fatalf("a new object is not zero: %v", *p)
	}
	m.names++
	o.name = m.names
	boxed := o.name
	*p = payload{name: o.name, told: o.told, boxed: &boxed, again: o.name}
	m.objects = append(m.objects, o)
}

// Fails unless the reference and the object agree.
func (m *machine) compare(o *modelObject) {
	p, ok := o.ref.Get()
	if ok != m.alive(o.modelDates) {
		m.t.Fatalf("at %d and global %d: Get says %v of %+v", m.now, m.global, ok, *o)
	}
	if ok && (p.name != o.name || p.again != o.name || *p.boxed != o.name || o.told != nil && *o.told) {
		m.t.Fatalf("object %d reads %v", o.name, *p)
	}
}

func (m *machine) step(op, a, b byte) {
	m.ops++
	switch op % 16 {
	case 0, 1, 2, 3:
		e := extensionOf(a)
		m.fill(&modelObject{modelDates: &modelDates{until: m.now + uint64(e)}, ref: m.heap.New(e), told: new(bool)})
	case 4, 5:
		m.clock.Tick()
		m.now++
	case 6, 7:
		m.refresh(a, b)
	case 8, 9:
		if len(m.objects) > 0 {
			m.compare(m.objects[(int(a)<<8|int(b))%len(m.objects)])
		}
	case 10:
		e := extensionOf(a)
		m.groups = append(m.groups, &modelGroup{&modelDates{until: m.now + uint64(e)}, RegionOf[payload](m.clock, e)})
	case 11:
		m.inRegion(a, b)
	case 12:
		m.share(a, b)
	case 13:
		m.member.GlobalTick()
		m.global++
	case 14:
		m.sliced(a, b)
	case 15:
		m.clock.Collect()
		if s := m.clock.Stats(); s.Now != m.now || s.Allocated < s.Collected || s.Live < 0 || s.Expired < 0 || s.Free < 0 {
			m.t.Fatalf("%+v", s)
		}
	}
	if len(m.objects) > 2000 {
		m.compareAll()
		m.forget()
	}
}

func (m *machine) refresh(a, b byte) {
	if len(m.objects) == 0 {
		return
	}
	o := m.objects[len(m.objects)-1-int(a)%len(m.objects)]
	e := extensionOf(b)
	err := m.heap.Refresh(o.ref, e)
	if !m.alive(o.modelDates) {
		if err != ErrExpired {
			m.t.Fatalf("refresh of an expired object: %v", err)
		}
		return
	}
	if err != nil {
		m.t.Fatalf("refresh: %v", err)
	}
	o.until = max(o.until, m.now+uint64(e))
}

func (m *machine) inRegion(a, b byte) {
	if len(m.groups) == 0 {
		return
	}
	g := m.groups[len(m.groups)-1-int(a)%len(m.groups)]
	if !m.alive(g.modelDates) {
		if err := g.reg.Check(); err != ErrExpired {
			m.t.Fatalf("a region that expired: %v", err)
		}
		return
	}
	for range int(b%32) + 1 {
		m.fill(&modelObject{modelDates: g.modelDates, ref: g.reg.New()})
	}
}

func (m *machine) share(a, b byte) {
	if len(m.objects) == 0 {
		return
	}
	o := m.objects[len(m.objects)-1-int(a)%len(m.objects)]
	e := extensionOf(b)
	alive := m.alive(o.modelDates)
	err := m.member.GlobalRefresh(o.ref, e)
	if alive != (err == nil) {
		m.t.Fatalf("global refresh: %v of %+v at %d, %d", err, *o, m.now, m.global)
	}
	if !alive {
		return
	}
	o.date = max(o.date, m.global+uint64(e)+1)
}

func (m *machine) sliced(a, b byte) {
	if len(m.slices) > 0 && b%2 == 0 {
		s := m.slices[int(a)%len(m.slices)]
		items, ok := s.slice.Get()
		if ok != (s.until >= m.now) {
			m.t.Fatalf("slice: %v at %d, until %d", ok, m.now, s.until)
		}
		for _, item := range items {
			if item != s.name {
				m.t.Fatalf("slice %d has %d", s.name, item)
			}
		}
		if ok {
			s.slice = s.slice.Append(s.name, s.name)
		}
		return
	}
	e := extensionOf(a)
	m.names++
	s := &modelSlice{m.now + uint64(e), m.names, MakeSlice[uint64](m.clock, int(b), e)}
	for i, p := range s.slice.All() {
		if *p != 0 {
			m.t.Fatalf("element %d of a new slice is %d", i, *p)
		}
		*p = s.name
	}
	if m.slices = append(m.slices, s); len(m.slices) > 100 {
		m.slices = m.slices[50:]
	}
}

func (m *machine) compareAll() {
	for _, o := range m.objects {
		m.compare(o)
	}
}

// Leaves out most of what is dead.
func (m *machine) forget() {
	kept := m.objects[:0]
	for i, o := range m.objects {
		if m.alive(o.modelDates) && len(kept) < 1000 || i%97 == 0 {
			kept = append(kept, o)
		}
	}
	m.objects = kept
	if len(m.groups) > 50 {
		m.groups = m.groups[25:]
	}
}

// All that has died is told of once and has been given back.
func (m *machine) end() {
	m.compareAll()
	for range modelLimit + 2 {
		m.clock.Tick()
		m.now++
		m.member.GlobalTick()
		m.global++
	}
	m.compareAll()
	m.clock.Collect()
	if s := m.clock.Stats(); s.Live != 0 || s.Expired != 0 || s.Allocated != s.Collected {
		m.t.Fatalf("at the end: %+v", s)
	}
	m.member.Leave()
	m.clock.Release()
}

var modelOps = flag.Int("model", 200_000, "operations of the model test")

func TestTheClockDoesWhatTheModelDoes(t *testing.T) {
	seed := uint64(0)
	defer func() {
		if t.Failed() {
			t.Logf("with seed %d", seed)
		}
	}()
	for ops := 0; ops < scaled(*modelOps); {
		seed++
		random := rand.New(rand.NewPCG(seed, 18))
		m := newMachine(t, byte(seed))
		ticks := byte(random.IntN(256)) // some runs tick seldom, some collect seldom
		for range 1 + random.IntN(20_000) {
			op, a, b := byte(random.Uint32()), byte(random.Uint32()), byte(random.Uint32())
			if op%16 == 4 && a < ticks || op%16 == 15 && a < 250 {
				op = 0
			}
			m.step(op, a, b)
		}
		m.end()
		ops += m.ops
	}
}

func FuzzClock(f *testing.F) {
	f.Add([]byte{7, 0, 1, 1, 4, 0, 0, 6, 0, 3, 4, 0, 0, 8, 0, 0, 15, 0, 0})
	f.Add([]byte{0, 10, 1, 1, 11, 0, 9, 12, 0, 2, 5, 0, 0, 13, 0, 0, 14, 3, 5, 8, 0, 1})
	f.Fuzz(func(t *testing.T, program []byte) {
		if len(program) == 0 {
			return
		}
		m := newMachine(t, program[0])
		for program = program[1:]; len(program) >= 3; program = program[3:] {
			m.step(program[0], program[1], program[2])
		}
		m.end()
	})
}
