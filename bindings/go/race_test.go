// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"errors"
	"sync"
	"sync/atomic"
	"testing"
)

func TestForeignGoroutinesGetErrors(t *testing.T) {
	c := NewClock()
	nodes := HeapOf[node](c)
	r := nodes.New(100)
	reg := RegionOf[node](c, 100)
	in := reg.New()
	s := MakeSlice[int](c, 3, 100)
	m := MakeMap[int, int](c, 100)
	member := NewDomain().Join()
	stop := make(chan bool)
	var others sync.WaitGroup
	for range 4 {
		others.Add(1)
		go func() {
			defer others.Done()
			for more := true; more; {
				select {
				case <-stop:
					more = false
				default:
				}
				if r.Check() != ErrForeign || in.Check() != ErrForeign || s.Check() != ErrForeign ||
					m.Check() != ErrForeign || reg.Check() != ErrForeign || nodes.Refresh(r, 1) != ErrForeign ||
					member.GlobalRefresh(r, 1) != ErrForeign || !errors.Is(c.Take(), ErrForeign) {
					t.Error("a foreign goroutine got in")
				}
				for _, f := range []func(){c.Tick, c.Release, c.Give, func() { nodes.New(0) }, func() { reg.New() },
					func() { c.Bytes(1, 0) }, func() { c.Scratch(1, 0) }, func() { in.Must() }, func() { c.Stats() }, func() { c.Collect() },
					func() { HeapOf[int](c) }, func() { MakeMap[int, int](c, 0) }, func() { s.Append(1) },
					member.GlobalTick, member.Block, member.Leave, func() { nodes.OnExpire(nil) }} {
					mustPanic(t, ErrForeign, f)
				}
			}
		}()
	}
	for range scaled(2000) {
		nodes.New(0).Must().value = 1
		reg.New()
		r.Must().value++
		member.GlobalTick()
		if c.Now() < 50 {
			c.Tick()
		}
	}
	close(stop)
	others.Wait()
	c.Release()
}

func TestClocksGoThroughChannels(t *testing.T) {
	clocks := make(chan *Clock, 1)
	refs := make(chan Ref[node], 1)
	var workers sync.WaitGroup
	for range 4 {
		workers.Add(1)
		go func() {
			defer workers.Done()
			for range scaled(500) {
				c, r := <-clocks, <-refs
				if err := c.Take(); err != nil {
					t.Error(err)
				}
				value := r.Must().value
				c.Tick()
				next := HeapOf[node](c).New(1)
				next.Must().value = value + 1
				c.Give()
				refs <- next
				clocks <- c
			}
		}()
	}
	c := NewClock()
	r := HeapOf[node](c).New(1)
	c.Give()
	clocks <- c
	refs <- r
	workers.Wait()
	if err := c.Take(); err != nil {
		t.Fatal(err)
	}
	if v := (<-refs).Must().value; v != 4*scaled(500) {
		t.Errorf("%d", v)
	}
	c.Release()
}

// Each worker makes objects and hands them to all others, who refresh some, and read all that are alive by
// their own view.
func TestMembersOfADomainShareObjects(t *testing.T) {
	const workers = 4
	domain := NewDomain()
	var all, joined sync.WaitGroup
	joined.Add(workers) // time waits for all of them from the first round on
	var read, missed atomic.Int64
	inbox := make([]chan Ref[node], workers)
	for i := range inbox {
		inbox[i] = make(chan Ref[node], 64)
	}
	for me := range workers {
		all.Add(1)
		go func() {
			defer all.Done()
			c := Acquire()
			defer c.Release()
			nodes := HeapOf[node](c)
			m := domain.Join()
			defer m.Leave()
			joined.Done()
			joined.Wait()
			var have []Ref[node]
			for round := range scaled(3000) {
				r := nodes.New(0)
				r.Must().value = 1 + me
				if err := m.GlobalRefresh(r, 1); err != nil {
					t.Error(err)
				}
				select {
				case inbox[(me+1+round%(workers-1))%workers] <- r:
				default:
				}
				for n := len(inbox[me]); n > 0; n-- {
					have = append(have, <-inbox[me])
				}
				kept := have[:0]
				for i, r := range have {
					p, ok := r.Get()
					if !ok {
						missed.Add(1)
						continue
					}
					read.Add(1)
					if p.value < 1 || p.value > workers {
						t.Errorf("an object reads %d", p.value)
					}
					if i%3 == 0 && m.GlobalRefresh(r, 0) != nil {
						t.Error("an object that is there cannot be refreshed")
					}
					kept = append(kept, r)
				}
				have = kept
				if round%50 == 49 {
					m.Block()
					if _, ok := r.Get(); round%2 == 1 && !ok {
						t.Error("the clock's own date has not passed")
					}
					m.Resume()
				}
				c.Tick()
				m.GlobalTick()
			}
		}()
	}
	all.Wait()
	t.Logf("%d reads, %d had expired", read.Load(), missed.Load())
	if read.Load() == 0 || domain.Now() == 0 {
		t.Error("nothing was shared")
	}
}

func TestTheFirstSharedDateIsTheOwners(t *testing.T) {
	c := NewClock()
	defer c.Release()
	r := HeapOf[node](c).New(5)
	domain := NewDomain()
	done := make(chan bool)
	go func() {
		defer close(done)
		m := domain.Join()
		defer m.Leave()
		if err := m.GlobalRefresh(r, 1); err != ErrForeign {
			t.Errorf("%v", err)
		}
		if _, ok := r.Get(); ok {
			t.Error("an object that is not shared was given")
		}
	}()
	<-done
	m := domain.Join()
	if err := m.GlobalRefresh(r, -1); err != ErrExtension {
		t.Errorf("%v", err)
	}
	if err := m.GlobalRefresh(r, 1); err != nil {
		t.Error(err)
	}
	m.Leave()
	if err := m.GlobalRefresh(r, 1); err != ErrDomain {
		t.Errorf("%v", err)
	}
	mustPanic(t, ErrDomain, m.GlobalTick)
}

func TestSharedObjectsOutliveTheirClocksRelease(t *testing.T) {
	domain := NewDomain()
	m := domain.Join()
	refs := make(chan Ref[node])
	go func() {
		c := Acquire()
		m := domain.Join()
		r := HeapOf[node](c).New(0)
		r.Must().value = 7
		if err := m.GlobalRefresh(r, 2); err != nil {
			t.Error(err)
		}
		m.Leave()
		c.Release()
		refs <- r
	}()
	r := <-refs
	for i := range 4 {
		if p, ok := r.Get(); !ok || p.value != 7 {
			t.Fatalf("gone at %d", i)
		}
		m.GlobalTick()
	}
	if _, ok := r.Get(); ok {
		t.Error("alive after its date")
	}
	m.Leave()
}

func TestAMemberThatHangsIsDeclaredBlocked(t *testing.T) {
	domain := NewDomain()
	hanging := make(chan *Member)
	go func() { hanging <- domain.Join(); select {} }()
	other := <-hanging
	m := domain.Join()
	m.GlobalTick()
	m.GlobalTick()
	if domain.Now() != 0 {
		t.Errorf("time went on without a member: %d", domain.Now())
	}
	if !other.DeclareBlocked() || other.DeclareBlocked() {
		t.Error("a member is declared blocked once")
	}
	m.GlobalTick()
	m.GlobalTick()
	if domain.Now() != 2 {
		t.Errorf("time %d", domain.Now())
	}
}
