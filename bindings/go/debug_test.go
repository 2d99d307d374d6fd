// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build stmdebug

package stm

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The line of the caller.
func here() string {
	_, file, line, _ := runtime.Caller(1)
	return fmt.Sprintf("%s:%d", file, line)
}

func sites() (sites []string) {
	for _, l := range Leaks() {
		sites = append(sites, l.Site)
	}
	slices.Sort(sites)
	return sites
}

type big struct {
	number int64
	text   string
	inner  [3]struct{ small int8 }
	next   *big
}

func TestPlantedLeaksAreFoundExactly(t *testing.T) {
	c := NewClock()
	defer c.Release()
	random := rand.New(rand.NewPCG(18, 1))
	heap, tiny := HeapOf[big](c), HeapOf[byte](c)
	var keep []any
	var want []string
	plant := func(site string, p any) {
		if random.IntN(10) == 0 {
			keep = append(keep, p)
			want = append(want, site)
		}
	}
	for range 200 {
		reg := RegionOf[big](c, 0)
		plant(here(), heap.Unchecked(0))
		plant(here(), heap.New(0).Must())
		plant(here(), &heap.New(1).Must().inner[1].small)
		plant(here(), tiny.New(0).Must())
		plant(here(), reg.New().Must())
		plant(here(), reg.Unchecked())
		plant(here(), c.Bytes(10, 0))
		plant(here(), MakeSlice[big](c, 5, 0).Must()[2:3])
		plant(here(), MakeMap[int, big](c, 0).Must())
		c.Tick()
	}
	c.Tick()
	c.Tick()
	slices.Sort(want)
	if got := sites(); !slices.Equal(got, want) {
		t.Errorf("found %d, planted %d:\n%v\n%v", len(got), len(want), got, want)
	}
	runtime.KeepAlive(keep)
	keep = nil
	if got := sites(); len(got) != 0 {
		t.Errorf("nothing is referred to any more, but: %v", got)
	}
}

func TestReferencesAreNoLeaks(t *testing.T) {
	c := NewClock()
	defer c.Release()
	r := HeapOf[big](c).New(0)
	in := RegionOf[big](c, 0).New()
	s := MakeSlice[big](c, 3, 0)
	m := MakeMap[int, big](c, 0)
	c.Tick()
	if got := Leaks(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	_, _, _, _ = r.Check(), in.Check(), s.Check(), m.Check()
}

func TestLiveObjectsAreNoLeaks(t *testing.T) {
	c := NewClock()
	defer c.Release()
	p := HeapOf[big](c).Unchecked(5)
	c.Tick()
	if got := Leaks(); len(got) != 0 {
		t.Errorf("%v", got)
	}
	p.number = 1
}

func TestALeakBehindAPersistentObjectIsFound(t *testing.T) {
	c := NewClock()
	defer c.Release()
	cache := map[string]*big{}
	cache["x"] = HeapOf[big](c).New(0).Must()
	site := here()
	c.Tick()
	got := Leaks()
	if len(got) != 1 || !strings.HasPrefix(got[0].Site, site[:strings.LastIndex(site, ":")]) || got[0].Type != "stm.big" {
		t.Errorf("%v", got)
	}
	runtime.KeepAlive(cache)
}

func TestExpiredMemoryIsPoisoned(t *testing.T) {
	c := NewClock()
	defer c.Release()
	p := HeapOf[big](c).Unchecked(0)
	*p = big{number: 1, text: "x", next: p}
	b := c.Bytes(4, 0)
	c.Tick()
	if uint64(p.number) != pattern || p.text != "" || p.next != nil || uint8(p.inner[2].small) != pattern&0xff {
		t.Errorf("%v", *p)
	}
	if b[0] != pattern&0xff {
		t.Errorf("%v", b)
	}
}

func TestAnExpiredErrorNamesTheSite(t *testing.T) {
	c := NewClock()
	defer c.Release()
	r, site := HeapOf[big](c).New(0), here()
	c.Tick()
	defer func() {
		var e *ExpiredError
		if err, ok := recover().(error); !ok || !errors.As(err, &e) || e.Site != site || e.Type != "stm.big" {
			t.Errorf("%v, want %s", err, site)
		}
	}()
	r.Must()
}
