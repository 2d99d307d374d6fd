// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build (amd64 || arm64) && gc && !purego && !race && !stmdebug

package owner

import "sync/atomic"

// current is the address of the runtime's record of the calling goroutine, which Go's own assembler has at
// hand. No two goroutines have the same one at a time. One that has ended leaves its record to another.
func current() uintptr

// A Guard knows a goroutine. The zero Guard knows none. All methods may be called from any goroutine.
type Guard struct {
	record atomic.Uintptr
	number atomic.Uint64 // of the goroutine, if the guard is strict
	// Strict guards ask the runtime for the goroutine's number, which is never used again. It is set before
	// the guard is used.
	Strict bool
}

// Here reports whether the calling goroutine is the guard's. Where every nanosecond counts, callers write the
// two halves out.
func (g *Guard) Here() bool { return g.Seen() || g.Ask() }

// Seen reports whether the guard sees without asking that the calling goroutine is its own.
func (g *Guard) Seen() bool { return g.record.Load() == current() }

// Ask asks, if the guard is strict.
func (g *Guard) Ask() bool {
	if !g.Strict {
		return false
	}
	number := g.number.Load()
	return number != 0 && number == Goroutine()
}

// Bind makes the calling goroutine the guard's. False if the guard has one.
func (g *Guard) Bind() bool {
	if g.Strict {
		return g.number.CompareAndSwap(0, Goroutine())
	}
	return g.record.CompareAndSwap(0, current())
}

// Unbind makes the guard know no goroutine. Its goroutine calls it.
func (g *Guard) Unbind() {
	g.number.Store(0)
	g.record.Store(0)
}

// Bound reports whether the guard has a goroutine.
func (g *Guard) Bound() bool { return g.record.Load() != 0 || g.number.Load() != 0 }
