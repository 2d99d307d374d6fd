// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"iter"
	"math/bits"
	"unsafe"
)

// An array is the backing memory of a slice. It stays with its place in a heap of arrays of one capacity.
type array[T any] struct {
	items []T
	used  int
}

// The key of heaps of arrays.
type arrays[T any] struct{ class int }

// Size classes are powers of two and the middles between them: 1, 2, 3, 4, 6, 8, 12, …
func classOf(n int) (class, capacity int) {
	if n <= 2 {
		return max(n, 1), max(n, 1)
	}
	power := bits.Len(uint(n - 1)) // 1<<(power-1) < n <= 1<<power
	if middle := 3 << (power - 2); n <= middle {
		return 2*power - 1, middle
	}
	return 2 * power, 1 << power
}

// The key of heaps of buffers that are not cleared.
type scratch struct{ class int }

func arraysOf[T any](c *Clock, class int) *Heap[array[T]] {
	return heapBy(c, arrays[T]{class}, resetArray[T])
}

func heapBy[T any](c *Clock, key any, reset func(*slab[array[T]]) bool) *Heap[array[T]] {
	if h, ok := c.byType[key]; ok {
		return h.(*Heap[array[T]])
	}
	h := newHeap(c, hooks[array[T]]{reset: reset})
	c.byType[key] = h
	return h
}

func resetArray[T any](s *slab[array[T]]) bool {
	leaveArray(s)
	a := s.values.at(0)
	clear(a.items[:min(a.used, len(a.items))])
	return true
}

// The same for elements whose values do not matter.
func leaveArray[T any](s *slab[array[T]]) bool {
	a := s.values.at(0)
	if s.values.abandon(0, (*byte)(unsafe.Pointer(unsafe.SliceData(a.items)))) {
		for i := range a.items {
			poison(&a.items[i])
		}
		a.items = nil
	}
	return true
}

// An array with n items in use, all zero.
func allocateArray[T any](h *Heap[array[T]], n, capacity int, extension uint64) Ref[array[T]] {
	r := h.allocate(h.clock.now + extension)
	a := r.slab.values.at(r.index)
	if len(a.items) < n {
		a.items = make([]T, capacity)
		var item T
		h.bytes += int64(capacity) * int64(unsafe.Sizeof(item))
	}
	a.used = n
	return r
}

// Bytes makes a buffer of n bytes, zero, that lives until the clock has ticked extension + 1 times. As any
// slice of Go it does not know when it has expired: the memory serves another buffer then. [MakeSlice] has one
// that knows. Bytes panics as [Heap.New] does.
func (c *Clock) Bytes(n, extension int) []byte {
	c.checkBuffer("Bytes", n, extension)
	class, capacity := classOf(n)
	h := c.bytes[class]
	if h == nil {
		h = arraysOf[byte](c, class)
		c.bytes[class] = h
	}
	return buffer(h, n, capacity, extension)
}

// Scratch is [Clock.Bytes] for who overwrites what it reads: the bytes are not zero, but whatever earlier buffers
// from Scratch left there, which saves clearing them.
func (c *Clock) Scratch(n, extension int) []byte {
	c.checkBuffer("Scratch", n, extension)
	class, capacity := classOf(n)
	h := c.scratch[class]
	if h == nil {
		h = heapBy(c, scratch{class}, leaveArray[byte])
		c.scratch[class] = h
	}
	return buffer(h, n, capacity, extension)
}

func (c *Clock) checkBuffer(op string, n, extension int) {
	c.check(op)
	if c.extension(extension) != nil || n < 0 {
		panic(&UseError{op, ErrExtension})
	}
}

func buffer(h *Heap[array[byte]], n, capacity, extension int) []byte {
	r := allocateArray(h, n, capacity, uint64(extension))
	return r.slab.values.at(r.index).items[:n:n]
}

// A Slice is a slice whose backing memory is short-term, and which knows when that has expired. It is a value,
// as Go's slices are: copies share the elements. The zero Slice has expired.
type Slice[T any] struct {
	ref    Ref[array[T]]
	length int
}

// MakeSlice makes a slice of length zero elements on the clock; see [Heap.New].
func MakeSlice[T any](c *Clock, length, extension int) Slice[T] {
	c.check("MakeSlice")
	if c.extension(extension) != nil || length < 0 {
		panic(&UseError{"MakeSlice", ErrExtension})
	}
	return makeSlice[T](c, length, uint64(extension))
}

func makeSlice[T any](c *Clock, length int, extension uint64) Slice[T] {
	class, capacity := classOf(length)
	return Slice[T]{allocateArray(arraysOf[T](c, class), length, capacity, extension), length}
}

// Len is the slice's length, whether it has expired or not.
func (s Slice[T]) Len() int { return s.length }

// Get returns the elements; false if they have expired, see [Ref.Get]. The slice of Go that it returns is good
// until then. Its capacity is its length.
func (s Slice[T]) Get() ([]T, bool) {
	a, ok := s.ref.Get()
	if !ok {
		return nil, false
	}
	return a.items[:s.length:s.length], true
}

// Must is Get that panics with an [*ExpiredError] where Get returns false.
func (s Slice[T]) Must() []T {
	return s.ref.Must().items[:s.length:s.length]
}

// At returns element i; false if the slice has expired. It panics if there is no such element.
func (s Slice[T]) At(i int) (*T, bool) {
	items, ok := s.Get()
	if !ok {
		return nil, false
	}
	return &items[i], true
}

// All goes over the elements; over none if the slice has expired. It stops where the loop's body makes it
// expire.
func (s Slice[T]) All() iter.Seq2[int, *T] {
	return func(yield func(int, *T) bool) {
		for i := range s.length {
			if p, ok := s.At(i); !ok || !yield(i, p) {
				return
			}
		}
	}
}

// Append returns a slice that has more elements, of the same dates on its clock. As with Go's append, it may
// share the memory, and is to be used in place of s. It panics with an [*ExpiredError] if s has expired, and
// with a [*UseError] on another goroutine.
func (s Slice[T]) Append(more ...T) Slice[T] {
	a := s.ref.Must()
	c := s.ref.slab.head.clock
	c.check("Append")
	length := s.length + len(more)
	if length > len(a.items) {
		grown := makeSlice[T](c, length, max(s.ref.slab.head.until, c.now)-c.now)
		copy(grown.ref.slab.values.at(grown.ref.index).items, a.items[:s.length])
		s.ref, a = grown.ref, grown.ref.slab.values.at(grown.ref.index)
	}
	copy(a.items[s.length:], more)
	a.used = max(a.used, length)
	return Slice[T]{s.ref, length}
}

// Refresh gives the slice another date; see [Heap.Refresh].
func (s Slice[T]) Refresh(extension int) error { return s.ref.Refresh(extension) }

// Check says why Get returns false; see [Ref.Check].
func (s Slice[T]) Check() error { return s.ref.Check() }
