// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import "unsafe"

// A Map is a map that expires. Go's map is behind it, and is cleared and used again, so that in a steady state
// none is allocated. It is a value, as Go's maps are. The zero Map has expired.
type Map[K comparable, V any] struct {
	ref Ref[table[K, V]]
}

type table[K comparable, V any] struct{ items map[K]V }

// MakeMap makes a map on the clock; see [Heap.New].
func MakeMap[K comparable, V any](c *Clock, extension int) Map[K, V] {
	c.check("MakeMap")
	if c.extension(extension) != nil {
		panic(&UseError{"MakeMap", ErrExtension})
	}
	key := any((*table[K, V])(nil))
	h, ok := c.byType[key].(*Heap[table[K, V]])
	if !ok {
		h = newHeap(c, hooks[table[K, V]]{reset: resetTable[K, V]})
		c.byType[key] = h
	}
	r := h.allocate(c.now + uint64(extension))
	if t := r.slab.values.at(r.index); t.items == nil {
		t.items = map[K]V{}
	}
	return Map[K, V]{r}
}

func resetTable[K comparable, V any](s *slab[table[K, V]]) bool {
	t := s.values.at(0)
	if s.values.abandon(0, *(**byte)(unsafe.Pointer(&t.items))) {
		t.items = nil
		return true
	}
	clear(t.items)
	return true
}

// Get returns the map; false if it has expired, see [Ref.Get]. Go's map is good until then.
func (m Map[K, V]) Get() (map[K]V, bool) {
	t, ok := m.ref.Get()
	if !ok {
		return nil, false
	}
	return t.items, true
}

// Must is Get that panics with an [*ExpiredError] where Get returns false.
func (m Map[K, V]) Must() map[K]V { return m.ref.Must().items }

// Refresh gives the map another date; see [Heap.Refresh].
func (m Map[K, V]) Refresh(extension int) error { return m.ref.Refresh(extension) }

// Check says why Get returns false; see [Ref.Check].
func (m Map[K, V]) Check() error { return m.ref.Check() }
