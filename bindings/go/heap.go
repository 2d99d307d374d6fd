// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"math"
	"unsafe"
)

const (
	slabBytes      = 16 << 10
	slabMost       = 1 << 10 // values in a slab
	growMost       = 64      // slabs that are made at a time
	wheelLeast     = 8
	wheelMost      = 1 << 10
	unbounded      = math.MaxInt
	stepsAtATime   = 64
	lastGeneration = math.MaxUint32
)

// A Heap has the objects of type T on a clock. It belongs to the clock's goroutine.
//
// Each object is in one list, by its date: lists[date & mask], a wheel. An object that was refreshed since stays in the list of its earlier
// date until that one has passed, and goes to a later list then; so Refresh touches no list. A wheel shorter than the extensions, or
// turned late, does no harm for the same reason: each object's own date decides. What has passed goes list by list to the expired ones, the newest first.
type Heap[T any] struct {
	clock   *Clock
	slabs   []*slab[T] // of equally many places; places are numbered from 1
	shift   uint
	fresh   uint32 // places never used begin behind this one
	places  uint32
	free    uint32
	expired uint32
	seen    uint64 // the lists of earlier dates have been moved to the expired ones
	wheel   []list

	onExpire []func(*T)
	// For the package's own types, whose values are kept for the next object: makes a value fit for that. False if it has not
	// finished and is to be called again.
	reset func(s *slab[T], index uint32) bool
	// The same at once, with the rest of the work left to the next object; or nil.
	hasten func(s *slab[T], index uint32) bool

	allocated, collected, retired uint64
	bytes                         int64 // what the values refer to; kept by reset and its kin
}

type list struct{ first, last uint32 }

// HeapOf is the clock's heap for objects of type T, one for each type.
func HeapOf[T any](c *Clock) *Heap[T] {
	c.check("HeapOf")
	if h, ok := c.byType[(*T)(nil)]; ok {
		return h.(*Heap[T])
	}
	h := newHeap[T](c)
	c.byType[(*T)(nil)] = h
	return h
}

func newHeap[T any](c *Clock) *Heap[T] {
	h := &Heap[T]{clock: c, wheel: make([]list, wheelLeast), seen: c.now}
	var value T
	size := max(int(unsafe.Sizeof(value)), 1)
	for h.shift = 0; 2<<h.shift <= slabMost && (2<<h.shift)*size <= slabBytes; h.shift++ {
	}
	c.heaps = append(c.heaps, h)
	return h
}

// New makes an object, zero as from Go's new, that lives until the clock has ticked extension + 1 times. It panics with a [*UseError] if the extension
// is out of range or the goroutine is not the clock's.
func (h *Heap[T]) New(extension int) Ref[T] {
	c := h.clock
	if !c.guard.Seen() && !c.guard.Ask() {
		panic(&UseError{"New", c.stranger()})
	}
	if uint64(extension) > c.limit {
		panic(&UseError{"New", ErrExtension})
	}
	return h.allocate(uint64(extension))
}

// TryNew is [Heap.New] with errors: [ErrExtension], [ErrForeign], [ErrReleased].
func (h *Heap[T]) TryNew(extension int) (Ref[T], error) {
	if !h.clock.guard.Here() {
		return Ref[T]{}, h.clock.stranger()
	}
	if err := h.clock.extension(extension); err != nil {
		return Ref[T]{}, err
	}
	return h.allocate(uint64(extension)), nil
}

// Unchecked is [Heap.New] for who wants Go's pointer. Nothing checks its uses: once the object's dates have passed, the pointer
// refers to zeros, and then to another object of the same type. The tag stmdebug finds it.
func (h *Heap[T]) Unchecked(extension int) *T {
	r := h.New(extension)
	return r.slab.values.at(r.index)
}

// Refresh gives the object another date: it lives at least until the clock has ticked extension + 1 times more. Dates do not add
// up, and none makes an object live shorter. An object of a region refreshes the region. The errors are [ErrExpired], [ErrExtension],
// [ErrClock] if the object is of another clock, [ErrForeign] and [ErrReleased]; then nothing has changed.
func (h *Heap[T]) Refresh(r Ref[T], extension int) error {
	if r.slab != nil && r.slab.clock != h.clock {
		return ErrClock
	}
	if !h.clock.guard.Here() {
		return h.clock.stranger()
	}
	return r.refresh(extension)
}

// OnExpire has f called with each object of the heap right before it is deallocated: in a call of the clock's goroutine, some time after its
// dates have passed. Release calls it for what is left, other than what has dates in a domain, and forgets f. f may use the clock, but not release it.
func (h *Heap[T]) OnExpire(f func(*T)) {
	h.clock.check("OnExpire")
	h.onExpire = append(h.onExpire, f)
}

// A place for an object, in the list of its date.
func (h *Heap[T]) allocate(extension uint64) Ref[T] {
	c := h.clock
	if h.expired != 0 || h.seen != c.now {
		h.collect(c.bound)
	}
	if h.free == 0 && h.expired != 0 && h.hasten != nil {
		h.settle(h.hasten)
	}
	place := h.free
	if place == 0 {
		place = h.extend()
	}
	s, index := h.locate(place)
	head := &s.heads[index]
	h.free = head.next
	h.allocated++
	if extension >= uint64(len(h.wheel)) && len(h.wheel) < wheelMost {
		h.widen(extension)
	}
	head.until = c.now + extension
	h.enlist(place, head, head.until)
	s.values.enter(index)
	return Ref[T]{s, index, head.generation}
}

func (h *Heap[T]) locate(place uint32) (*slab[T], uint32) {
	place--
	return h.slabs[place>>h.shift], place & (1<<h.shift - 1)
}

func (h *Heap[T]) enlist(place uint32, head *head, date uint64) {
	l := &h.wheel[date&uint64(len(h.wheel)-1)]
	if l.last == 0 {
		l.last = place
	}
	head.next = l.first
	l.first = place
}

// A place that was never used, of generation 1 and with no next.
func (h *Heap[T]) extend() uint32 {
	if h.fresh == h.places {
		h.grow()
	}
	h.fresh++
	s, index := h.locate(h.fresh)
	s.heads[index].generation = 1
	return h.fresh
}

// More slabs, half as many as there are.
func (h *Heap[T]) grow() {
	count := min(max(len(h.slabs)/2, 1), growMost)
	size := 1 << h.shift
	if uint64(h.places)+uint64(count*size) >= math.MaxUint32 {
		panic(&UseError{"New", ErrExtension})
	}
	slabs, shares := make([]slab[T], count), make([]sharings, count)
	heads, values := make([]head, count*size), makeStorage[T](count*size)
	for i := range slabs {
		from, to := i*size, (i+1)*size
		slabs[i] = slab[T]{clock: h.clock, heads: heads[from:to:to], values: values[from:to:to],
			mask: math.MaxUint32, share: &shares[i]}
		h.slabs = append(h.slabs, &slabs[i])
	}
	h.places += uint32(count * size)
}

// A longer wheel. What stood in a list stands in one that comes up no later.
func (h *Heap[T]) widen(extension uint64) {
	old := h.wheel
	size := len(old)
	for size < wheelMost && uint64(size) <= extension {
		size *= 2
	}
	h.wheel = make([]list, size)
	for date := h.seen; date < h.seen+uint64(len(old)); date++ {
		h.wheel[date&uint64(size-1)] = old[date&uint64(len(old)-1)]
	}
}

// Moves lists whose date has passed to the expired objects; false if there is none.
func (h *Heap[T]) advance() bool {
	now, size := h.clock.now, uint64(len(h.wheel))
	if now-h.seen > size {
		h.seen = now - size // one turn of the wheel meets every list
	}
	for steps := 0; h.seen != now; h.seen++ {
		l := &h.wheel[h.seen&(size-1)]
		if l.first != 0 {
			s, index := h.locate(l.last)
			s.heads[index].next = h.expired
			h.expired = l.first
			*l = list{}
		}
		if steps++; steps == stepsAtATime {
			h.seen++
			return true
		}
	}
	return false
}

// Deallocates at most bound expired objects, and returns how many.
func (h *Heap[T]) collect(bound int) int {
	more := h.advance()
	count := 0
	for all := bound == unbounded; bound > 0; bound-- {
		for all && more && h.expired == 0 {
			more = h.advance()
		}
		if h.expired == 0 {
			break
		}
		if h.settle(h.reset) {
			count++
		}
	}
	return count
}

// Takes the first of the expired objects, and deallocates it if all its dates have passed.
func (h *Heap[T]) settle(reset func(*slab[T], uint32) bool) bool {
	now := h.clock.now
	place := h.expired
	s, index := h.locate(place)
	head := &s.heads[index]
	h.expired = head.next
	if head.until >= now {
		h.enlist(place, head, head.until)
		return false
	}
	if s.share.Load() != nil && !unshare(s.share, index) {
		h.enlist(place, head, now)
		return false
	}
	if h.onExpire != nil {
		h.tell(s.values.at(index))
	}
	if reset == nil {
		s.values.leave(index)
	} else if !reset(s, index) {
		head.next = h.expired
		h.expired = place
		return false
	}
	h.collected++
	if head.generation == lastGeneration {
		head.generation = 0
		h.retired++
		return true
	}
	head.generation++
	head.next = h.free
	h.free = place
	return true
}

func (h *Heap[T]) tell(value *T) {
	h.clock.inside++
	defer func() { h.clock.inside-- }()
	for _, f := range h.onExpire {
		f(value)
	}
}

func (h *Heap[T]) finish() {
	if h.onExpire != nil {
		h.collect(unbounded)
		h.onExpire = nil
	}
}

func (h *Heap[T]) addStats(total *Stats) {
	total.Allocated += h.allocated
	total.Collected += h.collected
	total.Retired += int(h.retired)
	total.Free += int(h.places) - int(h.allocated-h.collected) - int(h.retired)
	var value T
	total.Bytes += int64(h.places)*int64(unsafe.Sizeof(value)+unsafe.Sizeof(head{})) + h.bytes
	living := 0
	for _, s := range h.slabs {
		for i := range s.heads {
			if s.heads[i].generation != 0 && s.heads[i].until >= h.clock.now {
				living++
			}
		}
	}
	total.Live += living
	total.Expired += int(h.allocated-h.collected) - living
}
