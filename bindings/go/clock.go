// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"sync"
	"sync/atomic"

	"tenure/stm/internal/owner"
)

// A Clock is a time that only its own Tick advances, and the objects that have dates on it. It belongs to one
// goroutine, the one that acquired it. Other goroutines get an error or a panic, and never a race: see
// [ErrForeign].
type Clock struct {
	guard owner.Guard

	// All below is the owner's.
	now    uint64
	since  uint64 // its time when it was acquired
	limit  uint64 // of extensions
	bound  int    // how many objects a lazy call collects
	eager  bool
	pooled bool
	inside int // callbacks of OnExpire that are running
	turn   int // whose turn it is among heaps at the next tick
	ticks  uint64
	heaps  []collector
	byType map[any]any
	// By size class; those of Bytes, and those of Scratch.
	bytes, scratch [2 * 64]*Heap[array[byte]]

	given atomic.Bool // and not taken yet
}

// A collector is a heap, whatever its type.
type collector interface {
	// Deallocates at most bound objects whose dates have passed.
	collect(bound int) int
	// The same without a bound if the heap calls back.
	finish()
	addStats(*Stats)
}

// An Option is given to [NewClock].
type Option func(*Clock)

// Eager makes each tick deallocate everything that has expired: the least memory, and ticks that take as long
// as there are objects.
func Eager() Option { return func(c *Clock) { c.eager = true } }

// Lazy makes each allocation and tick deallocate at most bound expired objects, so that every call takes
// constant time. It is the default, with a bound of 2. A bound below 1 is taken for 1. With the tag stmdebug
// every clock is eager.
func Lazy(bound int) Option {
	return func(c *Clock) { c.eager, c.bound = Debug, max(bound, 1) }
}

// MaxExtension sets the longest extension; longer ones are an error, and never clamped. The default is 65535.
func MaxExtension(extension int) Option {
	return func(c *Clock) { c.limit = uint64(max(extension, 0)) }
}

// StrictOwner makes every call ask the runtime for the goroutine's number, which takes microseconds. Otherwise
// goroutines are told apart by the runtime's record of them, which a goroutine that ended without releasing
// its clock leaves to a later one; and on processors other than amd64 and arm64, or with the tag purego, by
// where their stacks are, which can be mistaken if the runtime moves the owner's stack and another goroutine
// gets its place before the owner's next call. Under the race detector and with the tag stmdebug all clocks
// are strict.
func StrictOwner() Option { return func(c *Clock) { c.guard.Strict = true } }

const (
	defaultLimit = 65535
	defaultBound = 2
)

func newClock(options []Option) *Clock {
	c := &Clock{limit: defaultLimit, bound: defaultBound, eager: Debug, byType: map[any]any{}}
	for _, option := range options {
		option(c)
	}
	return c
}

// NewClock makes a clock for the calling goroutine.
func NewClock(options ...Option) *Clock {
	c := newClock(options)
	c.guard.Bind()
	return c
}

var pool = sync.Pool{New: func() any {
	c := newClock(nil)
	c.pooled = true
	return c
}}

// Acquire gives the calling goroutine a clock from a pool, with the memory of those that used it before. Pair
// it with [Clock.Release].
func Acquire() *Clock {
	c := pool.Get().(*Clock)
	c.guard.Bind()
	return c
}

// Release ends the clock's use: all its dates have passed, and it goes back to the pool if it is from there.
// What was to be told of by [Heap.OnExpire] is told. A second Release panics.
func (c *Clock) Release() {
	c.check("Release")
	if c.inside != 0 {
		panic(&UseError{"Release in OnExpire", ErrReleased})
	}
	c.now += c.limit + 1
	for _, heap := range c.heaps {
		heap.finish()
	}
	c.since = c.now
	c.guard.Unbind()
	if c.pooled {
		pool.Put(c)
	}
}

// Give lets the clock, with all its objects, go to another goroutine, which calls [Clock.Take]. Between the
// two it is nobody's. A clock can so be passed through a channel.
func (c *Clock) Give() {
	c.check("Give")
	if c.inside != 0 {
		panic(&UseError{"Give in OnExpire", ErrReleased})
	}
	c.given.Store(true)
	c.guard.Unbind()
}

// Take makes a given clock the calling goroutine's. The error wraps [ErrForeign] if it is not given.
func (c *Clock) Take() error {
	if !c.given.CompareAndSwap(true, false) {
		return &UseError{"Take", ErrForeign}
	}
	c.guard.Bind()
	return nil
}

// Tick advances the clock by one. What had this time as its last date has expired. It takes constant time,
// unless the clock is eager.
func (c *Clock) Tick() {
	c.check("Tick")
	c.now++
	c.ticks++
	if c.eager {
		c.collectAll()
		return
	}
	if n := len(c.heaps); n > 0 {
		c.turn++
		if c.turn >= n {
			c.turn = 0
		}
		c.heaps[c.turn].collect(c.bound)
	}
}

// Collect deallocates all objects that have expired, and returns how many.
func (c *Clock) Collect() int {
	c.check("Collect")
	return c.collectAll()
}

func (c *Clock) collectAll() int {
	total := 0
	for i := 0; i < len(c.heaps); i++ { // callbacks may make further heaps
		total += c.heaps[i].collect(unbounded)
	}
	return total
}

// Now is the clock's time.
func (c *Clock) Now() uint64 {
	c.check("Now")
	return c.now
}

// Stats is what [Clock.Stats] counts.
type Stats struct {
	Now       uint64 // the clock's time
	Ticks     uint64 // since the clock was made
	Allocated uint64 // objects, since the clock was made
	Collected uint64 // objects deallocated, since the clock was made
	Live      int    // objects that have not expired
	Expired   int    // objects that have and are not deallocated yet
	Free      int    // places for objects that the clock keeps
	Retired   int    // places whose 32-bit generation is used up
	Bytes     int64  // in slabs, chunks and buffers
}

// Stats counts. It takes as long as the clock has places for objects. A region, a slice, a map or a buffer
// counts as one object.
func (c *Clock) Stats() Stats {
	c.check("Stats")
	s := Stats{Now: c.now, Ticks: c.ticks}
	for _, heap := range c.heaps {
		heap.addStats(&s)
	}
	return s
}

// Panics unless the calling goroutine is the owner.
func (c *Clock) check(op string) {
	if !c.guard.Seen() && !c.guard.Ask() {
		panic(&UseError{op, c.stranger()})
	}
}

// Why the calling goroutine is not the owner.
func (c *Clock) stranger() error {
	if c.guard.Bound() {
		return ErrForeign
	}
	return ErrReleased
}

// The error of an extension, or nil.
func (c *Clock) extension(extension int) error {
	if uint64(extension) > c.limit { // so is a negative one
		return ErrExtension
	}
	return nil
}
