// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"math"
	"unsafe"
)

const (
	slabBytes      = 8 << 10
	slabLeast      = 8   // values in the first slab of a date
	slabMost       = 256 // and in the last ones
	classes        = 6   // of slabs: 8, 16, … 256 values
	wheelLeast     = 8
	wheelMost      = 1 << 10
	unbounded      = math.MaxInt
	stepsAtATime   = 64
	lastGeneration = math.MaxUint32
)

// A Heap has the objects of type T on a clock. It belongs to the clock's goroutine.
//
// Descriptors of dates are whole slabs: New fills slabs with objects of one date, the first one small, each
// next one for the same date twice as large. A slab is in the list of its date, wheel[date & mask]. When that
// has passed, lists go to the expired slabs, the newest first. A slab that then turns out to have a later date
// goes to the list of that; so refreshing a whole slab touches no list, and a wheel that is shorter than the
// extensions, or turned late, does no harm. Expired slabs become spare, and serve again.
type Heap[T any] struct {
	clock   *Clock
	open    []*slab[T] // by date & mask: the slab that is being filled, or nil
	wheel   []*slab[T] // the lists: rings, each with a slab of no values as its ends
	seen    uint64     // lists of earlier dates have gone to the expired
	expired *slab[T]   // a ring too
	waiting *slab[T]   // the same, of those that wait for a domain
	partial *slab[T]   // all with a free slot, and some others
	spare   [classes][]*slab[T]
	slabs   []*slab[T] // all

	onExpire []func(*T)
	kept     hooks[T]

	allocated, collected, retired uint64
	bytes                         int64
}

// A type of the package's own keeps its value for the next object of the place, and has slabs of one place.
type hooks[T any] struct {
	// Makes a value fit for the next object. False if it has not finished and is to be called again.
	reset func(s *slab[T]) bool
	// The same at once, with the rest of the work left to the next object; or nil.
	hasten func(s *slab[T]) bool
}

// HeapOf is the clock's heap for objects of type T, one for each type.
func HeapOf[T any](c *Clock) *Heap[T] {
	c.check("HeapOf")
	if h, ok := c.byType[(*T)(nil)]; ok {
		return h.(*Heap[T])
	}
	h := newHeap(c, hooks[T]{})
	c.byType[(*T)(nil)] = h
	return h
}

func newHeap[T any](c *Clock, kept hooks[T]) *Heap[T] {
	h := &Heap[T]{clock: c, seen: c.now, kept: kept, expired: ring[T](), waiting: ring[T]()}
	h.roll(wheelLeast)
	c.heaps = append(c.heaps, h)
	return h
}

// How many values a slab of the class has.
func (h *Heap[T]) places(class int) int {
	if h.kept.reset != nil {
		return 1
	}
	var value T
	size := max(int(unsafe.Sizeof(value)), 1)
	return max(min(slabLeast<<class, slabBytes/size), 1)
}

// New makes an object, zero as from Go's new, that lives until the clock has ticked extension + 1 times. It
// panics with a [*UseError] if the extension is out of range or the goroutine is not the clock's.
func (h *Heap[T]) New(extension int) Ref[T] {
	c := h.clock
	if !c.guard.Seen() && !c.guard.Ask() {
		panic(&UseError{"New", c.stranger()})
	}
	if uint64(extension) > c.limit {
		panic(&UseError{"New", ErrExtension})
	}
	date := c.now + uint64(extension)
	s := h.open[date&uint64(len(h.open)-1)]
	if s == nil || s.own.until != date || int(s.used) >= len(s.values) {
		return h.allocate(date)
	}
	index := s.used
	s.used++
	h.allocated++
	s.values.enter(index)
	return Ref[T]{s, index, s.own.generation}
}

// TryNew is [Heap.New] with errors: [ErrExtension], [ErrForeign], [ErrReleased].
func (h *Heap[T]) TryNew(extension int) (Ref[T], error) {
	if !h.clock.guard.Here() {
		return Ref[T]{}, h.clock.stranger()
	}
	if err := h.clock.extension(extension); err != nil {
		return Ref[T]{}, err
	}
	return h.New(extension), nil
}

// Unchecked is [Heap.New] for who wants Go's pointer. Nothing checks its uses: once the object's dates have
// passed, the pointer refers to zeros, and then to another object of the same type. The tag stmdebug finds it.
func (h *Heap[T]) Unchecked(extension int) *T {
	r := h.New(extension)
	return r.slab.values.at(r.index)
}

// Refresh gives the object another date: it lives at least until the clock has ticked extension + 1 times
// more. Dates do not add up, and none makes an object live shorter. An object of a region refreshes the
// region. The errors are [ErrExpired], [ErrExtension], [ErrClock] if the object is of another clock,
// [ErrForeign] and [ErrReleased]; then nothing has changed.
func (h *Heap[T]) Refresh(r Ref[T], extension int) error {
	if r.slab != nil && r.slab.head.clock != h.clock {
		return ErrClock
	}
	if !h.clock.guard.Here() {
		return h.clock.stranger()
	}
	return r.refresh(extension)
}

// OnExpire has f called with each object of the heap right before it is deallocated: in a call of the clock's
// goroutine, some time after its dates have passed. Release calls it for what is left, other than what has
// dates in a domain, and forgets f. f may use the clock, but not release it. Objects of regions are not of the
// heap.
func (h *Heap[T]) OnExpire(f func(*T)) {
	h.clock.check("OnExpire")
	h.onExpire = append(h.onExpire, f)
}

// New where the date has no slab with room.
func (h *Heap[T]) allocate(date uint64) Ref[T] {
	h.collect(h.clock.bound)
	h.allocated++
	if h.slotted() {
		return h.fill(date)
	}
	if extension := date - h.clock.now; extension >= uint64(len(h.wheel)) && len(h.wheel) < wheelMost {
		h.widen(extension)
	}
	i := date & uint64(len(h.open)-1)
	class := 0
	if s := h.open[i]; s != nil && s.own.until == date {
		class = s.class
		if class+1 < classes && h.places(class+1) > h.places(class) {
			class++
		}
	}
	s := h.takeSpare(class)
	s.own.until = date
	s.used = 1
	if !s.whole {
		h.open[i] = s
	}
	h.enlist(s, date)
	s.values.enter(0)
	return Ref[T]{s, 0, s.own.generation}
}

// A spare slab, all zero, of the class if there is a choice.
func (h *Heap[T]) takeSpare(class int) *slab[T] {
	if h.kept.hasten != nil && len(h.spare[class]) == 0 && h.expired.next != h.expired {
		h.settle(h.expired.next, 1, h.kept.hasten)
	}
	for i := range classes { // as large, or larger, or else smaller
		k := class + i
		if k >= classes {
			k = classes - 1 - i
		}
		if n := len(h.spare[k]); n > 0 {
			s := h.spare[k][n-1]
			h.spare[k] = h.spare[k][:n-1]
			return s
		}
	}
	n := h.places(class)
	s := &slab[T]{heap: h, values: makeStorage[T](n), class: class, whole: n == 1}
	s.own = head{clock: h.clock, generation: 1}
	s.head, s.share = &s.own, &s.ownShare
	h.slabs = append(h.slabs, s)
	var value T
	h.bytes += int64(n) * int64(unsafe.Sizeof(value))
	return s
}

// Whether the first of the partial slabs has a free slot. Those that have none any more leave the list when
// they come up, some at a time.
func (h *Heap[T]) slotted() bool {
	for range stepsAtATime {
		s := h.partial
		if s == nil || s.free != 0 {
			return s != nil
		}
		h.partial, s.nextPartial, s.partial = s.nextPartial, nil, false
	}
	return false
}

// An object in a free slot.
func (h *Heap[T]) fill(date uint64) Ref[T] {
	s := h.partial
	index := s.free - 1
	slot := &s.slots[index]
	s.free = slot.next
	slot.next = taken
	slot.until = date
	s.live++
	if date < s.own.until {
		s.own.until = date
		s.unlink()
		h.enlist(s, date)
	}
	s.values.enter(index)
	return Ref[T]{s, index, slot.generation}
}

// The slab's objects get slots, so that their dates can differ.
func (h *Heap[T]) divide(s *slab[T]) {
	if s.kept == nil {
		s.kept = make([]slot, len(s.values))
	}
	s.slots = s.kept
	s.live, s.free = s.used, 0
	for i := len(s.slots) - 1; i >= 0; i-- {
		s.slots[i] = slot{until: s.own.until, generation: s.own.generation, next: taken}
		if i >= int(s.used) {
			s.slots[i].next, s.free = s.free, uint32(i)+1
		}
	}
	s.own.generation = 0
	h.close(s)
	h.offer(s)
}

// The slab is not filled any more.
func (h *Heap[T]) close(s *slab[T]) {
	if i := s.own.until & uint64(len(h.open)-1); h.open[i] == s {
		h.open[i] = nil
	}
}

// A slotted slab that has a free slot is in the list of those.
func (h *Heap[T]) offer(s *slab[T]) {
	if s.free != 0 && !s.partial {
		s.partial, s.nextPartial, h.partial = true, h.partial, s
	}
}

func (h *Heap[T]) addStats(total *Stats) {
	total.Allocated += h.allocated
	total.Collected += h.collected
	total.Retired += int(h.retired)
	total.Bytes += h.bytes
	living, places := 0, 0
	for _, s := range h.slabs {
		places += len(s.values)
		if s.slots == nil && s.prev != nil && s.own.until >= h.clock.now {
			living += int(s.used)
		}
		for _, slot := range s.slots {
			if slot.next == taken && slot.until >= h.clock.now {
				living++
			}
		}
	}
	waiting := int(h.allocated-h.collected) - living
	total.Live += living
	total.Expired += waiting
	total.Free += places - living - waiting
}
