// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !stmdebug

package stm

// Debug says whether the package was built with the tag stmdebug.
const Debug = false

// A storage has the values of a slab.
type storage[T any] []T

func makeStorage[T any](n int) storage[T] { return make([]T, n) }

func (s storage[T]) at(index uint32) *T { return &s[index] }

// Called when a place is given to an object: the value there is zero, or kept.
func (s storage[T]) enter(uint32) {}

// Called when the objects of these places are gone.
func (s storage[T]) leave(from, to uint32) { clear(s[from:to]) }

// Where the object was allocated.
func (s storage[T]) site(uint32) string { return "" }

// The memory behind an object that is gone, of the package's own types: true if it is watched and may not be
// used again.
func (s storage[T]) abandon(uint32, *byte) bool { return false }

func poison[T any](*T) {}

// A Leak is an expired object that something still refers to.
type Leak struct {
	Type string
	Site string // where it was allocated
}

// Leaks returns the expired objects that something still refers to, other than by a [Ref], a [Region], a
// [Slice] or a [Map]. It works with the tag stmdebug; without it there are none. There it runs the garbage
// collector, whose pointers are the whole truth: what is returned is referred to, and what is not returned is
// not.
func Leaks() []Leak { return nil }
