// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import "sync/atomic"

// A head is what is to be known of an object. An object lives while its reference has the head's generation, and its date is not before
// the clock's time, or it has a date in a domain that has not passed.
//
//	place      generation   until         it is in the list
//	fresh      0            0             none
//	live       g            now or later  of its date, or of an earlier one
//	expired    g            before now    of a date, or expired
//	free       g + 1        before now    free
//	retired    0            before now    none
//
// Generations of objects are 1 and more; the zero reference has 0.
type head struct {
	until      uint64
	generation uint32
	next       uint32 // in its list: a place, or 0 at the end
}

// A slab is storage for objects of one type, each of which the garbage collector sees as what it is. A heap's slab has
// a head for each value. A region's chunk has its region's: the index of a reference selects a value, and index&mask+first a head.
//
// Nothing but the values changes, so that any goroutine may read the rest.
type slab[T any] struct {
	clock  *Clock
	heads  []head
	values storage[T]
	mask   uint32
	first  uint32
	share  *sharings
}

// The global dates of a slab's objects, by domain; a copy is made when one is added. Of most slabs there are none.
type sharings = atomic.Pointer[[]*sharing]

// A sharing has the dates of a slab's objects in one domain.
type sharing struct {
	domain *Domain
	dates  []sharedDate
	used   int // dates that are not 0; the owner's
}

// A sharedDate is the date of one object in a domain. The clock's owner alone gives the first one, after the generation, and takes the
// last one back (sets it to 0), once the domain's time has passed it. A member may raise it while it has not passed by the
// member's view; the domain's time cannot pass the view meanwhile. So a date that has not passed by a member's view is that of the
// generation that stands beside it.
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
