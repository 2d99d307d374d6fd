// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"sync"
	"testing"
)

// Objects in periods of 1000, each of which is written once and dead at the period's end. Beside them what Go
// has.

const period = 1000

type item struct {
	Next  *item
	value [5]int
}

var sink *item

func BenchmarkPlain(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		p := new(item)
		p.value[0] = 1
		sink = p
	}
}

func BenchmarkPool(b *testing.B) {
	b.ReportAllocs()
	pool := sync.Pool{New: func() any { return new(item) }}
	var live [period]*item
	for i := 0; b.Loop(); i++ {
		p := pool.Get().(*item)
		p.value[0] = 1
		if live[i%period] != nil {
			*live[i%period] = item{}
			pool.Put(live[i%period])
		}
		live[i%period] = p
	}
}

func BenchmarkNew(b *testing.B) {
	b.ReportAllocs()
	c := NewClock()
	defer c.Release()
	items := HeapOf[item](c)
	for i := 0; b.Loop(); i++ {
		items.New(0).Must().value[0] = 1
		if i%period == 0 {
			c.Tick()
		}
	}
}

func BenchmarkNewAndRefresh(b *testing.B) {
	b.ReportAllocs()
	c := NewClock()
	defer c.Release()
	items := HeapOf[item](c)
	for i := 0; b.Loop(); i++ {
		r := items.New(0)
		if err := items.Refresh(r, 1); err != nil {
			b.Fatal(err)
		}
		if i%period == 0 {
			c.Tick()
		}
	}
}

func BenchmarkRegionNew(b *testing.B) {
	b.ReportAllocs()
	c := NewClock()
	defer c.Release()
	reg := RegionOf[item](c, 0)
	for i := 0; b.Loop(); i++ {
		reg.New().Must().value[0] = 1
		if i%period == 0 {
			c.Tick()
			reg = RegionOf[item](c, 0)
		}
	}
}

func BenchmarkGet(b *testing.B) {
	c := NewClock()
	defer c.Release()
	r := HeapOf[item](c).New(0)
	for b.Loop() {
		if _, ok := r.Get(); !ok {
			b.Fatal("expired")
		}
	}
}

func BenchmarkBytes(b *testing.B) {
	b.ReportAllocs()
	c := NewClock()
	defer c.Release()
	for b.Loop() {
		c.Bytes(4096, 0)[0] = 1
		c.Tick()
	}
}

func BenchmarkTick(b *testing.B) {
	c := NewClock()
	defer c.Release()
	HeapOf[item](c).New(0)
	for b.Loop() {
		c.Tick()
	}
}

func BenchmarkGlobalTick(b *testing.B) {
	m := NewDomain().Join()
	for b.Loop() {
		m.GlobalTick()
	}
	m.Leave()
}

func BenchmarkGlobalRefresh(b *testing.B) {
	b.ReportAllocs()
	c := NewClock()
	defer c.Release()
	m := NewDomain().Join()
	defer m.Leave()
	r := HeapOf[item](c).New(1)
	for b.Loop() {
		if err := m.GlobalRefresh(r, 1); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkAcquire(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		Acquire().Release()
	}
}
