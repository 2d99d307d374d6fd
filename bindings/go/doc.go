// SPDX-License-Identifier: MIT OR Apache-2.0

// Package stm is short-term memory for Go: objects that expire instead of being collected.
//
//	c := stm.Acquire() // a clock for this goroutine
//	defer c.Release()
//	nodes := stm.HeapOf[Node](c)
//	for request := range requests {
//		root := nodes.New(0) // lives until the tick below
//		answer(request, root.Must())
//		c.Tick() // all of it has expired, and its memory serves the next request
//	}
//
// An object is made with an extension: it lives until the clock has ticked so often, and once more. Refresh
// gives it another date. Nothing is freed by hand, and in a program with a rhythm (a request, a frame, a step
// of a simulation) the garbage collector has nothing to do: objects that expired are used again, before the
// heap has grown.
//
// # Safety
//
// A [Ref] knows when its object has expired: [Ref.Get] says so, always, on the goroutine that the clock
// belongs to. Objects lie in slabs of their own type, so the garbage collector sees what they refer to, and
// memory of one type never serves another. What Get returns is a pointer of Go's; it is good until the
// object's dates have passed, and after that refers to an object of the same type that is not yours any more.
// Build with the tag stmdebug to have such pointers found: expired memory is never used again then, what was
// in it is overwritten, and [Leaks] asks the garbage collector who still refers to it.
//
// A clock and what is on it belong to one goroutine. On any other, Get returns false, functions with an error
// return [ErrForeign], and functions without panic with a [*UseError]; after Release the same with
// [ErrReleased]. There is no race in that. A clock goes to another goroutine by [Clock.Give] and [Clock.Take].
//
// # Which of them
//
// [HeapOf] has objects with dates of their own. [RegionOf] is faster, for objects that expire together.
// [Clock.Bytes], [MakeSlice] and [MakeMap] are for what Go's make makes. A [Domain] is a time that goroutines
// share, for objects that they share.
//
// The model is that of Aigner, Haas, Kirsch, Lippautz, Sokolova, Stroka and Unterweger, Short-term Memory for
// Self-collecting Mutators, ISMM 2011.
package stm
