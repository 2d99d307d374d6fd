// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"reflect"
	"unsafe"
)

const (
	chunkLeast = 1 << 10 // bytes
	chunkMost  = 64 << 10
	patience   = 16
)

// A Region has objects of type T that expire together. It is the fast path: New moves an index, a date is
// given to all at once, and expiry takes as long as clearing the memory does. The zero Region has expired.
type Region[T any] struct {
	ref Ref[region[T]]
}

// A region is itself an object on the clock, in a heap of its own; so its date and its generation are kept,
// and its place used again, as those of any object. Its chunks stay with the place, and their values use the
// head of the place.
//
// Invariant: chunks[entered:dirty] hold values of regions that had the place before; chunks after them, and
// what is not used of the last one entered, are zero.
type region[T any] struct {
	chunks  []*slab[T]
	filling *slab[T] // the last one entered
	used    uint32   // of its values
	limit   uint32   // how many it has
	entered int
	dirty   int
	spare   int // regions in a row that used less than a quarter of the chunks
}

// RegionOf makes a region on the clock whose objects live until it has ticked extension + 1 times. It panics
// as [Heap.New] does.
func RegionOf[T any](c *Clock, extension int) Region[T] {
	c.check("RegionOf")
	if c.extension(extension) != nil {
		panic(&UseError{"RegionOf", ErrExtension})
	}
	return Region[T]{regions[T](c).allocate(c.now + uint64(extension))}
}

// The heap of the clock's regions of T.
func regions[T any](c *Clock) *Heap[region[T]] {
	if h, ok := c.byType[(*region[T])(nil)]; ok {
		return h.(*Heap[region[T]])
	}
	h := newHeap(c, hooks[region[T]]{resetRegion[T], hastenRegion[T]})
	c.byType[(*region[T])(nil)] = h
	return h
}

// New makes an object in the region, zero. It panics with an [*ExpiredError] if the region has expired, or it
// is not the clock's goroutine that calls.
func (r Region[T]) New() Ref[T] {
	s, index := r.place()
	return Ref[T]{s, index, r.ref.generation}
}

// Unchecked is New for who wants Go's pointer; see [Heap.Unchecked].
func (r Region[T]) Unchecked() *T { return valueAt(r.place()) }

func valueAt[T any](s *slab[T], index uint32) *T { return s.values.at(index) }

// The place of the next object.
func (r Region[T]) place() (*slab[T], uint32) {
	if s := r.ref.slab; s != nil {
		h := s.head
		if c := h.clock; c.guard.Seen() && h.generation == r.ref.generation && h.until >= c.now {
			if g := s.values.at(0); g.used < g.limit {
				return g.take()
			}
		}
	}
	return r.next()
}

// The same where the chunk is full, or somebody has to ask who it is.
//
//go:noinline
func (r Region[T]) next() (*slab[T], uint32) {
	g := r.open()
	if g.used == g.limit {
		r.enter(g)
	}
	return g.take()
}

// The next place of the chunk that is being filled.
func (g *region[T]) take() (*slab[T], uint32) {
	index := g.used
	g.used++
	g.filling.values.enter(index)
	return g.filling, index
}

// Refresh gives all objects of the region, and those to come, another date; see [Heap.Refresh].
func (r Region[T]) Refresh(extension int) error { return r.ref.Refresh(extension) }

// Check says whether the region can be used: nil, [ErrExpired], [ErrForeign] or [ErrReleased].
func (r Region[T]) Check() error { return r.ref.Check() }

// The region, for its clock's owner.
func (r Region[T]) open() *region[T] {
	s := r.ref.slab
	if s == nil {
		r.refuse()
	}
	h := s.head
	c := h.clock
	if !c.guard.Seen() && !c.guard.Ask() {
		r.refuse()
	}
	if h.generation != r.ref.generation || h.until < c.now {
		if _, ok := r.ref.shared(); !ok {
			r.refuse()
		}
	}
	return s.values.at(0)
}

func (r Region[T]) refuse() {
	e := &ExpiredError{Type: "region of " + reflect.TypeFor[T]().String(), Reason: r.ref.Check()}
	if e.Reason == nil {
		e.Reason = ErrForeign // a member of a domain may read, and not allocate
	}
	panic(e)
}

// The next chunk is to be filled.
func (r Region[T]) enter(g *region[T]) {
	if g.entered == len(g.chunks) {
		g.chunks = append(g.chunks, r.chunk(g))
	}
	g.filling = g.chunks[g.entered]
	if g.entered < g.dirty {
		g.filling.values.leave(0, uint32(len(g.filling.values)))
	}
	g.entered++
	g.used, g.limit = 0, uint32(len(g.filling.values))
}

// Another chunk, twice as large as the last one.
func (r Region[T]) chunk(g *region[T]) *slab[T] {
	var value T
	size := max(int(unsafe.Sizeof(value)), 1)
	places := max(chunkLeast/size, 1)
	if g.filling != nil {
		places = max(min(2*len(g.filling.values), chunkMost/size), 1)
	}
	s := r.ref.slab
	s.heap.bytes += int64(places * size)
	return &slab[T]{head: s.head, values: makeStorage[T](places), whole: true, share: s.share}
}

// A region has expired: its chunks are cleared, one at a call. True when all are.
func resetRegion[T any](s *slab[region[T]]) bool {
	g := closeRegion(s)
	if g.dirty > 0 {
		g.dirty--
		filled := g.chunks[g.dirty].values
		filled.leave(0, uint32(len(filled)))
	}
	return g.dirty == 0
}

// A region has expired, and is to be used again before it is clear.
func hastenRegion[T any](s *slab[region[T]]) bool {
	closeRegion(s)
	return true
}

func closeRegion[T any](s *slab[region[T]]) *region[T] {
	g := s.values.at(0)
	if g.entered > 0 {
		g.trim()
		g.dirty = max(g.dirty, g.entered)
		g.filling, g.used, g.limit, g.entered = nil, 0, 0, 0
	}
	return g
}

// A region whose place has more chunks than the last ones needed gives half of those back to the garbage
// collector.
func (g *region[T]) trim() {
	if 4*g.entered >= len(g.chunks) {
		g.spare = 0
		return
	}
	if g.spare++; g.spare < patience {
		return
	}
	keep := len(g.chunks) / 2
	clear(g.chunks[keep:])
	g.chunks = g.chunks[:keep]
	g.dirty = min(g.dirty, keep)
	g.spare = 0
}
