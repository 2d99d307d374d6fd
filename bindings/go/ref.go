// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import "reflect"

// A Ref refers to a short-term object, and knows when it has expired. It is two words, a value like a pointer:
// comparable, fit for keys of maps and for elements and fields, of short-term objects too. The zero Ref refers
// to nothing, and counts as expired.
type Ref[T any] struct {
	slab       *slab[T]
	index      uint32
	generation uint32
}

// Get returns the object; false if it has expired, or the calling goroutine may not have it: neither the
// clock's own, nor a member of a domain in which the object has a date. The pointer is good until the object's
// dates have passed, not longer.
func (r Ref[T]) Get() (*T, bool) {
	if s := r.slab; s != nil {
		h := s.head
		if c := h.clock; c.guard.Seen() && h.generation == r.generation && h.until >= c.now {
			return s.values.at(r.index), true
		}
	}
	return r.find()
}

// Must is Get that panics with an [*ExpiredError] where Get returns false.
func (r Ref[T]) Must() *T {
	if s := r.slab; s != nil {
		h := s.head
		if c := h.clock; c.guard.Seen() && h.generation == r.generation && h.until >= c.now {
			return s.values.at(r.index)
		}
	}
	p, ok := r.find()
	if !ok {
		panic(r.refusal())
	}
	return p
}

// Get where the goroutine is not remembered, or the object has a slot, or dates in domains, or is no more.
//
//go:noinline
func (r Ref[T]) find() (*T, bool) {
	if s := r.slab; s != nil && s.head.clock.guard.Here() && s.living(r.index, r.generation) {
		return s.values.at(r.index), true
	}
	return r.shared()
}

// Check says why Get returns false: [ErrExpired], [ErrForeign], [ErrReleased]; nil if it returns true.
func (r Ref[T]) Check() error {
	if _, ok := r.Get(); ok {
		return nil
	}
	if r.slab == nil || r.slab.head.clock.guard.Here() {
		return ErrExpired
	}
	return r.slab.head.clock.stranger()
}

func (r Ref[T]) refusal() error {
	e := &ExpiredError{Type: reflect.TypeFor[T]().String(), Reason: r.Check()}
	if r.slab != nil && e.Reason == ErrExpired {
		e.Site = r.slab.values.site(r.index)
	}
	return e
}

// The object by its dates in domains.
func (r Ref[T]) shared() (*T, bool) {
	if r.slab == nil {
		return nil, false
	}
	list := r.slab.share.Load()
	if list == nil {
		return nil, false
	}
	for _, s := range *list {
		m := s.domain.here()
		if m != nil && s.dates[r.slab.shareIndex(r.index)].alive(r.generation, m.participant.View()) {
			return r.slab.values.at(r.index), true
		}
	}
	return nil, false
}

// Another date, for the clock's owner.
func (r Ref[T]) refresh(extension int) error {
	if r.slab == nil {
		return ErrExpired
	}
	c := r.slab.head.clock
	if err := c.extension(extension); err != nil {
		return err
	}
	return r.extend(c.now + uint64(extension))
}

// A later date for the object, or none.
func (r Ref[T]) extend(date uint64) error {
	s := r.slab
	if !s.living(r.index, r.generation) {
		if _, ok := r.shared(); !ok || !s.current(r.index, r.generation) {
			return ErrExpired
		}
	}
	switch {
	case s.slots != nil:
		s.slots[r.index].until = max(s.slots[r.index].until, date)
	case date <= s.head.until:
	case s.whole:
		s.head.until = date
	default:
		s.heap.divide(s)
		s.slots[r.index].until = date
	}
	return nil
}

// Refresh is [Heap.Refresh] without the heap.
func (r Ref[T]) Refresh(extension int) error {
	if r.slab != nil && !r.slab.head.clock.guard.Here() {
		return r.slab.head.clock.stranger()
	}
	return r.refresh(extension)
}
