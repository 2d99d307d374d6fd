// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import "sync/atomic"

// A head is what is to be known of a slab's objects, which have one date and one generation. An object lives
// while its reference has the head's generation, and the date is not before the clock's time, or while it has
// a date in a domain that has not passed.
type head struct {
	clock      *Clock
	until      uint64
	generation uint32 // 1 and more; 0 if the objects have slots. The zero reference has 0.
}

// A slot is what is to be known of one object, where a slab's objects came to differ in their dates.
type slot struct {
	until      uint64
	generation uint32
	next       uint32 // taken, or the number of the next place that is free, from 1; 0 is the end
}

const taken = 1<<32 - 1

// A slab is storage for objects of one type, each of which the garbage collector sees as what it is.
//
//	state     head's generation   date          places               it is in the list
//	spare     g                   passed        all free, zero       spare, or a region's
//	bulk      g                   of all        used ones begin      of its date, or expired
//	slotted   0                   of the next   each has its slot    of its date, or expired; and partial, if one is free
//
// A slab begins spare, is filled in bulk with objects of one date, and dies as a whole. Refreshing one of its
// objects makes it slotted, until all are dead. A slab that is whole (a place for one object, or a region's
// chunk) has one date whatever happens.
//
// head, values, whole and share never change, so that any goroutine may read them.
type slab[T any] struct {
	head   *head // own, or that of the region
	values storage[T]
	whole  bool
	share  *sharings

	heap       *Heap[T] // nil in a region's chunk
	own        head
	used       uint32
	done       uint32 // of the used ones: have been deallocated, while their slab's turn lasts
	class      int
	prev, next *slab[T]

	slots       []slot // nil unless slotted
	kept        []slot // the memory for them, once there were some
	free        uint32 // see slot.next
	live        uint32
	partial     bool // is in the heap's list of those
	nextPartial *slab[T]
	ownShare    sharings
}

// The index of an object's date in a domain.
func (s *slab[T]) shareIndex(index uint32) uint32 {
	if s.whole {
		return 0
	}
	return index
}

// How many dates the slab has in a domain.
func (s *slab[T]) shares() int {
	if s.whole {
		return 1
	}
	return len(s.values)
}

// Reports whether the object of the reference lives by the clock. For the owner.
func (s *slab[T]) living(index, generation uint32) bool {
	h := s.head
	if h.generation == generation {
		return h.until >= h.clock.now && generation != 0
	}
	return s.slots != nil && s.slots[index].generation == generation && s.slots[index].until >= h.clock.now
}

// Reports whether the reference is to the object that has the place now, alive or not. For the owner.
func (s *slab[T]) current(index, generation uint32) bool {
	return generation != 0 &&
		(s.head.generation == generation || s.slots != nil && s.slots[index].generation == generation)
}

// The global dates of a slab's objects, by domain; a copy is made when one is added. Of most slabs there are
// none.
type sharings = atomic.Pointer[[]*sharing]

// A sharing has the dates of a slab's objects in one domain.
type sharing struct {
	domain *Domain
	dates  []sharedDate
	used   int // dates that are not 0; the owner's
}

// A sharedDate is the date of one object in a domain. The clock's owner alone gives the first one, after the
// generation, and takes the last one back (sets it to 0), once the domain's time has passed it. A member may
// raise it while it has not passed by the member's view; the domain's time cannot pass the view meanwhile. So
// a date that has not passed by a member's view is that of the generation that stands beside it.
type sharedDate struct {
	date       atomic.Uint64
	generation atomic.Uint32
}

// Reports whether the object has a date that has not passed by the view.
func (d *sharedDate) alive(generation uint32, view uint64) bool {
	date := d.date.Load()
	return date != 0 && date >= view && d.generation.Load() == generation
}

// Makes the date at least this. False if it was taken back.
func (d *sharedDate) raise(date uint64) bool {
	for {
		old := d.date.Load()
		if old == 0 {
			return false
		}
		if old >= date || d.date.CompareAndSwap(old, date) {
			return true
		}
	}
}

// The slab's sharing in a domain, or nil.
func sharingIn(share *sharings, domain *Domain) *sharing {
	list := share.Load()
	if list == nil {
		return nil
	}
	for _, s := range *list {
		if s.domain == domain {
			return s
		}
	}
	return nil
}

// The same, made where there is none, for places objects. Those that are used no longer go. For the owner.
func makeSharing(share *sharings, domain *Domain, places int) *sharing {
	if s := sharingIn(share, domain); s != nil {
		return s
	}
	made := &sharing{domain: domain, dates: make([]sharedDate, places)}
	list := []*sharing{made}
	if old := share.Load(); old != nil {
		for _, s := range *old {
			if s.used > 0 {
				list = append(list, s)
			}
		}
	}
	share.Store(&list)
	return made
}

// Takes back the dates of an object that have passed. True if none is left. For the owner.
func unshare(share *sharings, index uint32) bool {
	list := share.Load()
	if list == nil {
		return true
	}
	left := 0
	for _, s := range *list {
		d := &s.dates[index]
		date := d.date.Load()
		switch {
		case date == 0:
		case date < s.domain.clock.Time() && d.date.CompareAndSwap(date, 0):
			s.used--
		default:
			left++
		}
	}
	return left == 0
}
