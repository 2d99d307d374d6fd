// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"errors"
	"math"
	"slices"
	"testing"

	"tenure/stm/internal/owner"
)

// Fewer rounds where each call asks the runtime for the goroutine.
func scaled(rounds int) int {
	if owner.Exact {
		return max(rounds/20, 3)
	}
	return rounds
}

type node struct {
	Left, Right Ref[node]
	value       int
	text        *string
}

// Fails unless f panics with an error that wraps want.
func mustPanic(t *testing.T, want error, f func()) {
	t.Helper()
	defer func() {
		t.Helper()
		if err, ok := recover().(error); !ok || !errors.Is(err, want) {
			t.Errorf("panic %v, want one that wraps %v", err, want)
		}
	}()
	f()
}

func TestAnObjectLivesForItsExtensionAndNotLonger(t *testing.T) {
	c := NewClock()
	defer c.Release()
	nodes := HeapOf[node](c)
	for _, extension := range []int{0, 1, 5, 8, 100, 5000} {
		r := nodes.New(extension)
		r.Must().value = extension
		for range extension {
			c.Tick()
			if p, ok := r.Get(); !ok || p.value != extension {
				t.Fatalf("extension %d: gone at %d", extension, c.Now())
			}
		}
		c.Tick()
		if _, ok := r.Get(); ok {
			t.Fatalf("extension %d: alive after %d ticks", extension, extension+1)
		}
		if !errors.Is(r.Check(), ErrExpired) {
			t.Errorf("Check says %v", r.Check())
		}
		mustPanic(t, ErrExpired, func() { r.Must() })
	}
}

func TestRefreshExtendsAndNeverShortens(t *testing.T) {
	c := NewClock()
	defer c.Release()
	nodes := HeapOf[node](c)
	r := nodes.New(2)
	for range 50 {
		if err := nodes.Refresh(r, 0); err != nil {
			t.Fatal(err)
		}
		if err := nodes.Refresh(r, 1); err != nil {
			t.Fatal(err)
		}
		c.Tick()
	}
	c.Tick()
	if err := nodes.Refresh(r, 3); err != ErrExpired {
		t.Errorf("refresh of an expired object: %v", err)
	}
	if err := nodes.Refresh(Ref[node]{}, 3); err != ErrExpired {
		t.Errorf("refresh of the zero reference: %v", err)
	}
}

func TestExtensionsAreNeverClamped(t *testing.T) {
	c := NewClock(MaxExtension(10))
	defer c.Release()
	nodes := HeapOf[node](c)
	r := nodes.New(10)
	for _, wrong := range []int{11, -1, math.MaxInt, math.MinInt} {
		if err := nodes.Refresh(r, wrong); err != ErrExtension {
			t.Errorf("refresh by %d: %v", wrong, err)
		}
		if _, err := nodes.TryNew(wrong); err != ErrExtension {
			t.Errorf("TryNew(%d): %v", wrong, err)
		}
		mustPanic(t, ErrExtension, func() { nodes.New(wrong) })
		mustPanic(t, ErrExtension, func() { nodes.Unchecked(wrong) })
		mustPanic(t, ErrExtension, func() { c.Bytes(1, wrong) })
		mustPanic(t, ErrExtension, func() { c.Scratch(1, wrong) })
		mustPanic(t, ErrExtension, func() { RegionOf[node](c, wrong) })
		mustPanic(t, ErrExtension, func() { MakeSlice[int](c, 1, wrong) })
		mustPanic(t, ErrExtension, func() { MakeMap[int, int](c, wrong) })
	}
	for range 11 {
		c.Tick()
	}
	if _, ok := r.Get(); ok {
		t.Error("a wrong extension was taken for another")
	}
}

func TestNobodyIsToldOfObjectsThatOthersLeftOnTheClock(t *testing.T) {
	c := newClock(nil)
	c.guard.Bind()
	nodes := HeapOf[node](c)
	for i := range 20 {
		nodes.New(i % 3)
	}
	slotted := nodes.New(0)
	if err := nodes.Refresh(slotted, 4); err != nil {
		t.Fatal(err)
	}
	c.Release()
	c.guard.Bind() // as Acquire does
	told := 0
	nodes.OnExpire(func(*node) { told++ })
	nodes.New(0)
	c.Tick()
	c.Collect()
	c.Release()
	if told != 1 {
		t.Errorf("told of %d objects instead of 1", told)
	}
}

func TestScratchIsUsedAgainAsItIsAndNeverElsewhere(t *testing.T) {
	c := NewClock(Eager())
	defer c.Release()
	kept := c.Scratch(300, 5)
	kept[0] = 1
	again := 0
	for range 6 {
		if kept[0] != 1 {
			t.Fatal("a buffer was used again before its date")
		}
		b := c.Scratch(300, 0)
		if len(b) != 300 || cap(b) != 300 {
			t.Fatalf("%d bytes of %d", len(b), cap(b))
		}
		if b[299] == 0xaa {
			again++
		}
		b[299] = 0xaa
		for _, zero := range c.Bytes(300, 0) {
			if zero != 0 {
				t.Fatal("a buffer of Bytes is not zero")
			}
		}
		c.Tick()
	}
	if want := 5; again != want && !Debug || again != 0 && Debug {
		t.Errorf("the buffer was used again %d times", again)
	}
}

func TestObjectsAreZeroWhenMade(t *testing.T) {
	c := NewClock()
	defer c.Release()
	nodes := HeapOf[node](c)
	text := "x"
	for range scaled(1000) {
		for range 10 {
			p := nodes.New(0).Must()
			if *p != (node{}) {
				t.Fatalf("an object began as %v", *p)
			}
			*p = node{value: 1, text: &text}
			b := c.Bytes(100, 0)
			if b[0] != 0 || b[99] != 0 || len(b) != 100 || cap(b) != 100 {
				t.Fatal("a buffer is not what was asked for")
			}
			b[0], b[99] = 1, 1
		}
		reg := RegionOf[node](c, 0)
		for range 100 {
			p := reg.New().Must()
			if *p != (node{}) {
				t.Fatalf("an object of a region began as %v", *p)
			}
			*p = node{value: 1, text: &text}
		}
		c.Tick()
	}
}

func TestTheNewestExpiredObjectIsDeallocatedFirst(t *testing.T) {
	c := NewClock()
	defer c.Release()
	nodes := HeapOf[node](c)
	var order []int
	nodes.OnExpire(func(n *node) { order = append(order, n.value) })
	for i := range 100 {
		nodes.New(0).Must().value = i
	}
	c.Tick()
	c.Collect()
	slices.Reverse(order)
	if len(order) != 100 || !slices.IsSorted(order) {
		t.Errorf("in reverse: %v", order)
	}
}

func TestASteadyStateUsesItsPlacesAgain(t *testing.T) {
	if Debug {
		t.Skip("with the tag stmdebug no place is used again")
	}
	c := NewClock()
	defer c.Release()
	nodes := HeapOf[node](c)
	for range 1000 {
		nodes.New(0)
	}
	c.Tick()
	before := c.Stats().Bytes
	for range scaled(1000) {
		for range 1000 {
			nodes.New(0)
		}
		c.Tick()
	}
	if after := c.Stats().Bytes; after != before {
		t.Errorf("%d bytes after %d", after, before)
	}
}

func TestWorkPerCallIsBounded(t *testing.T) {
	if Debug {
		t.Skip("with the tag stmdebug clocks are eager")
	}
	for _, bound := range []int{1, 3} {
		c := NewClock(Lazy(bound))
		nodes := HeapOf[node](c)
		expired := 0
		nodes.OnExpire(func(*node) { expired++ })
		for range 1000 {
			nodes.New(0)
		}
		for range 100 {
			before := expired
			c.Tick()
			if expired-before > bound {
				t.Errorf("a tick deallocated %d, bound %d", expired-before, bound)
			}
			before = expired
			nodes.New(1)
			if expired-before > bound {
				t.Errorf("an allocation deallocated %d, bound %d", expired-before, bound)
			}
		}
		if s := c.Stats(); s.Expired == 0 {
			t.Errorf("nothing was left to do: %+v", s)
		}
		c.Tick()
		c.Tick()
		c.Collect()
		if s := c.Stats(); s.Expired != 0 || s.Live != 0 || expired != 1100 {
			t.Errorf("after Collect, with %d told: %+v", expired, s)
		}
		c.Release()
	}
}

func TestEagerTicksLeaveNothing(t *testing.T) {
	c := NewClock(Eager())
	defer c.Release()
	nodes := HeapOf[node](c)
	for range 1000 {
		nodes.New(0)
		nodes.New(1)
	}
	c.Tick()
	if s := c.Stats(); s.Expired != 0 || s.Live != 1000 || s.Collected != 1000 {
		t.Errorf("%+v", s)
	}
}

func TestOnExpireSeesEachObjectOnce(t *testing.T) {
	c := NewClock()
	nodes := HeapOf[node](c)
	seen := map[int]int{}
	nodes.OnExpire(func(n *node) {
		seen[n.value]++
		mustPanic(t, ErrReleased, c.Release)
	})
	for i := range 500 {
		r := nodes.New(i % 20)
		r.Must().value = i
		if i%7 == 0 {
			c.Tick()
		}
	}
	c.Release()
	for i := range 500 {
		if seen[i] != 1 {
			t.Fatalf("object %d was told of %d times", i, seen[i])
		}
	}
}

func TestAGenerationThatIsUsedUpRetiresItsPlace(t *testing.T) {
	c := NewClock(Eager())
	defer c.Release()
	for _, refreshed := range []bool{false, true} {
		nodes := HeapOf[int64](c)
		retired := c.Stats().Retired
		r := nodes.New(0)
		r.slab.own.generation = math.MaxUint32 - 1
		for {
			s := nodes.New(0)
			if refreshed {
				nodes.Refresh(s, 1)
				c.Tick()
			}
			c.Tick()
			if s.slab != r.slab {
				break
			}
		}
		for range 5000 {
			if s := nodes.New(0); s.slab == r.slab {
				t.Fatal("a place came back after its generations were used up")
			}
		}
		if s := c.Stats(); s.Retired == retired {
			t.Errorf("%+v", s)
		}
		if _, ok := r.Get(); ok {
			t.Error("a reference from before is alive")
		}
	}
}

func TestReleaseEndsEverything(t *testing.T) {
	c := Acquire()
	nodes := HeapOf[node](c)
	r := nodes.New(1000)
	reg := RegionOf[node](c, 1000)
	in := reg.New()
	s := MakeSlice[int](c, 3, 1000)
	m := MakeMap[int, int](c, 1000)
	c.Release()
	if r.Check() != ErrReleased || in.Check() != ErrReleased || reg.Check() != ErrReleased ||
		s.Check() != ErrReleased || m.Check() != ErrReleased {
		t.Errorf("%v %v %v %v %v", r.Check(), in.Check(), reg.Check(), s.Check(), m.Check())
	}
	if err := nodes.Refresh(r, 0); err != ErrReleased {
		t.Errorf("refresh: %v", err)
	}
	if _, err := nodes.TryNew(0); err != ErrReleased {
		t.Errorf("TryNew: %v", err)
	}
	for _, f := range []func(){c.Tick, c.Release, func() { c.Collect() }, func() { nodes.New(0) },
		func() { c.Bytes(1, 0) }, func() { c.Scratch(1, 0) }, func() { c.Stats() }, func() { reg.New() }, func() { s.Must() },
		func() { HeapOf[node](c) }, func() { r.Must() }, func() { s.Append(1) }} {
		mustPanic(t, ErrReleased, f)
	}
	for range 20 { // some of these are the same clock again
		d := Acquire()
		defer d.Release()
		HeapOf[node](d).New(0)
		if _, ok := r.Get(); ok {
			t.Error("an object is alive after its clock was released")
		}
	}
}

func TestObjectsOfAnotherClockAreRefused(t *testing.T) {
	c, d := NewClock(), NewClock()
	defer c.Release()
	defer d.Release()
	r := HeapOf[node](c).New(0)
	if err := HeapOf[node](d).Refresh(r, 0); err != ErrClock {
		t.Errorf("%v", err)
	}
}

func TestARegionExpiresAtOnceAndItsMemoryServesTheNext(t *testing.T) {
	c := NewClock()
	defer c.Release()
	var bytes int64
	for round := range scaled(100) {
		reg := RegionOf[node](c, 1)
		var refs []Ref[node]
		for i := range 5000 {
			r := reg.New()
			r.Must().value = i
			refs = append(refs, r)
		}
		if err := HeapOf[node](c).Refresh(refs[17], 2); err != nil {
			t.Fatal(err)
		}
		for i, r := range refs {
			if r.Must().value != i {
				t.Fatalf("object %d is %d", i, r.Must().value)
			}
		}
		for range 2 {
			c.Tick()
			if _, ok := refs[0].Get(); !ok {
				t.Fatal("a refreshed region has expired")
			}
		}
		c.Tick()
		for _, r := range refs {
			if _, ok := r.Get(); ok {
				t.Fatal("an object is alive after its region")
			}
		}
		mustPanic(t, ErrExpired, func() { reg.New() })
		if round == 1 {
			bytes = c.Stats().Bytes
		}
	}
	if s := c.Stats(); !Debug && s.Bytes > bytes {
		t.Errorf("%d bytes after %d", s.Bytes, bytes)
	}
}

func TestSlicesAndMapsExpire(t *testing.T) {
	c := NewClock()
	defer c.Release()
	for range scaled(100) {
		s := MakeSlice[int](c, 0, 0)
		for i := range 1000 {
			s = s.Append(i)
		}
		for i, p := range s.All() {
			if *p != i {
				t.Fatalf("element %d is %d", i, *p)
			}
		}
		if err := s.Refresh(1); err != nil {
			t.Fatal(err)
		}
		m := MakeMap[string, int](c, 0)
		if len(m.Must()) != 0 {
			t.Fatal("a map did not begin empty")
		}
		m.Must()["a"] = 1
		c.Tick()
		if _, ok := m.Get(); ok {
			t.Fatal("the map is alive")
		}
		if items, ok := s.Get(); !ok || len(items) != 1000 {
			t.Fatal("the slice is not")
		}
		c.Tick()
		if _, ok := s.Get(); ok {
			t.Fatal("the slice is alive")
		}
		if _, ok := s.At(0); ok {
			t.Fatal("its element is alive")
		}
	}
}

func TestSteadyStatesDoNotAllocate(t *testing.T) {
	if owner.Exact {
		t.Skip("asking the runtime for the goroutine allocates")
	}
	c := NewClock()
	defer c.Release()
	nodes := HeapOf[node](c)
	period := func() {
		for range 100 {
			r := nodes.New(0)
			r.Must().value = 1
			nodes.Refresh(r, 1)
			c.Bytes(1000, 0)
		}
		reg := RegionOf[node](c, 0)
		for range 1000 {
			reg.New()
		}
		m := MakeMap[int, int](c, 0).Must()
		for i := range 100 {
			m[i] = i
		}
		c.Tick()
	}
	for range 10 {
		period()
	}
	if n := testing.AllocsPerRun(100, period); n != 0 {
		t.Errorf("%v allocations a period", n)
	}
}
