// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import "math"

// An empty list.
func ring[T any]() *slab[T] {
	ends := &slab[T]{}
	ends.prev, ends.next = ends, ends
	return ends
}

func (s *slab[T]) unlink() {
	s.prev.next, s.next.prev = s.next, s.prev
	s.prev, s.next = nil, nil
}

// Puts the slab first in the list.
func (s *slab[T]) link(ends *slab[T]) {
	s.prev, s.next = ends, ends.next
	s.prev.next, s.next.prev = s, s
}

// Puts all of the list from before the first of the list to.
func splice[T any](from, to *slab[T]) {
	if from.next == from {
		return
	}
	from.prev.next, to.next.prev = to.next, from.prev
	to.next, from.next.prev = from.next, to
	from.prev, from.next = from, from
}

func (h *Heap[T]) enlist(s *slab[T], date uint64) {
	s.link(h.wheel[date&uint64(len(h.wheel)-1)])
}

// A wheel of this size, with empty lists.
func (h *Heap[T]) roll(size int) {
	h.open = make([]*slab[T], size)
	h.wheel = make([]*slab[T], size)
	for i := range h.wheel {
		h.wheel[i] = ring[T]()
	}
}

// A longer wheel. What stood in a list stands in one that comes up no later.
func (h *Heap[T]) widen(extension uint64) {
	lists, open := h.wheel, h.open
	size := len(lists)
	for size < wheelMost && uint64(size) <= extension {
		size *= 2
	}
	h.roll(size)
	for i := range uint64(len(lists)) {
		date := h.seen + i
		splice(lists[date&uint64(len(lists)-1)], h.wheel[date&uint64(size-1)])
	}
	for _, s := range open {
		if s != nil {
			h.open[s.own.until&uint64(size-1)] = s
		}
	}
}

// Moves lists whose date has passed to the expired slabs. True if it has not met all of them.
func (h *Heap[T]) advance() bool {
	now, size := h.clock.now, uint64(len(h.wheel))
	if now != h.seen {
		splice(h.waiting, h.expired)
	}
	if now-h.seen > size {
		h.seen = now - size // one turn of the wheel meets every list
	}
	for steps := 0; h.seen != now; h.seen++ {
		if steps == stepsAtATime {
			return true
		}
		steps++
		splice(h.wheel[h.seen&(size-1)], h.expired)
	}
	return false
}

// Deallocates at most bound expired slabs, or objects where each is called for, and returns how many objects.
func (h *Heap[T]) collect(bound int) int {
	if h.clock.inside != 0 {
		return 0 // a callback's slab is half done
	}
	before := h.collected
	all := bound == unbounded
	if all {
		splice(h.waiting, h.expired)
	}
	for more := h.advance(); bound > 0; {
		for all && more && h.expired.next == h.expired {
			more = h.advance()
		}
		s := h.expired.next
		if s == h.expired {
			break
		}
		bound -= h.settle(s, bound, h.kept.reset)
	}
	return int(h.collected - before)
}

// The date of the slab's list has passed. If those of all its objects have, it becomes spare. Deallocates at
// most bound objects where each is called for; returns how many that were, and at least 1.
func (h *Heap[T]) settle(s *slab[T], bound int, reset func(*slab[T]) bool) int {
	now := h.clock.now
	if s.slots == nil && s.own.until >= now { // it was refreshed as a whole
		s.unlink()
		h.enlist(s, s.own.until)
		return 1
	}
	if s.share.Load() != nil && s.slots == nil {
		if !s.whole {
			h.divide(s)
		} else if !unshare(s.share, 0) {
			s.unlink()
			s.link(h.waiting)
			return 1
		}
	}
	if s.slots != nil {
		return h.sift(s, bound)
	}
	h.close(s)
	told := 0
	if h.tells(s.own.until) {
		for ; s.done < s.used; told++ {
			if told == bound {
				return bound
			}
			s.done++
			h.tell(s.values.at(s.used - s.done))
		}
	}
	if reset == nil {
		s.values.leave(0, s.used)
	} else if !reset(s) {
		return 1
	}
	h.collected += uint64(s.used)
	h.vacate(s, s.own.generation)
	return max(told, 1)
}

// A slotted slab: its dead objects leave their slots, and it goes to the list of the next date that one of the
// others has.
func (h *Heap[T]) sift(s *slab[T], bound int) int {
	now := h.clock.now
	told := 0
	for ; int(s.done) < len(s.slots); s.done++ {
		i := uint32(len(s.slots)-1) - s.done
		slot := &s.slots[i]
		if slot.next != taken || slot.until >= now || s.share.Load() != nil && !unshare(s.share, i) {
			continue
		}
		tells := h.tells(slot.until)
		if told == bound && tells {
			return bound
		}
		// Before the callback, so that one which panics is not called again.
		h.collected++
		s.live--
		slot.next = 0
		if slot.generation++; slot.generation == 0 {
			slot.generation = lastGeneration // used up: not offered again
		}
		if tells {
			told++
			h.tell(s.values.at(i))
		}
		s.values.leave(i, i+1)
		if slot.generation == lastGeneration {
			continue
		}
		slot.next, s.free = s.free, i+1
	}
	s.done = 0
	if s.live == 0 {
		h.unite(s)
		return max(told, 1)
	}
	h.relist(s)
	return max(told, 1)
}

// A slotted slab with objects goes to the list of the first date among theirs, or waits for a domain. It stays
// where it is if an object has died since it was looked at.
func (h *Heap[T]) relist(s *slab[T]) {
	now := h.clock.now
	next := uint64(math.MaxUint64)
	waits := false
	for i := range s.slots {
		if s.slots[i].next != taken {
			continue
		}
		if until := s.slots[i].until; until >= now {
			next = min(next, until)
		} else if s.share.Load() == nil || unshare(s.share, uint32(i)) {
			return
		} else {
			waits = true
		}
	}
	s.unlink()
	s.own.until = next
	if waits {
		s.own.until = now
		s.link(h.waiting)
	} else {
		h.enlist(s, next)
	}
	h.offer(s)
}

// A slotted slab without objects is a spare one. Its generation is later than that of any slot.
func (h *Heap[T]) unite(s *slab[T]) {
	generation := uint32(0)
	for i := range s.slots {
		generation = max(generation, s.slots[i].generation)
	}
	s.slots, s.free = nil, 0
	h.vacate(s, generation)
}

// The slab has no objects any more, and serves again with the next generation, if there is one.
func (h *Heap[T]) vacate(s *slab[T], generation uint32) {
	s.unlink()
	s.used, s.done = 0, 0
	if generation == lastGeneration {
		s.own.generation = 0
		h.retired += uint64(len(s.values))
		for i := range h.slabs {
			if h.slabs[i] == s {
				h.slabs = append(h.slabs[:i], h.slabs[i+1:]...)
				break
			}
		}
		return
	}
	s.own.generation = generation + 1
	h.spare[s.class] = append(h.spare[s.class], s)
}

// Whether somebody is to be told of an object with this last date. What was left on the clock when it was
// released is not the next one's to hear of.
func (h *Heap[T]) tells(until uint64) bool { return h.onExpire != nil && until >= h.clock.since }

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
