// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build !((amd64 || arm64) && gc && !purego) || race || stmdebug

package owner

import (
	"sync/atomic"
	"unsafe"
)

const (
	blockBits = 11 // the smallest stack that the runtime gives, on every system
	entries   = 8
	probe     = 4 << 10
)

// A Guard knows a goroutine. The zero Guard knows none. All methods may be called from any goroutine.
type Guard struct {
	goroutine atomic.Uint64
	// Strict guards remember nothing, and ask at each question. It is set before the guard is used.
	Strict bool
	blocks [entries]atomic.Uintptr // direct-mapped by the block's number; 0 is no block
}

// Here reports whether the calling goroutine is the guard's. Where every nanosecond counts, callers write the
// two halves out: the compiler inlines Seen.
func (g *Guard) Here() bool { return g.Seen() || g.Ask() }

// Seen reports whether the guard remembers the calling goroutine. If not, [Guard.Ask] knows.
func (g *Guard) Seen() bool {
	var here byte
	b := uintptr(unsafe.Pointer(&here)) >> blockBits
	return g.blocks[b%entries].Load() == b
}

// Bind makes the calling goroutine the guard's. False if the guard has one.
func (g *Guard) Bind() bool {
	if !g.goroutine.CompareAndSwap(0, Goroutine()) {
		return false
	}
	g.remember()
	return true
}

// Unbind makes the guard know no goroutine. Its goroutine calls it.
func (g *Guard) Unbind() {
	for i := range g.blocks {
		if g.blocks[i].Load() != 0 {
			g.blocks[i].Store(0)
		}
	}
	g.goroutine.Store(0)
}

// Bound reports whether the guard has a goroutine.
func (g *Guard) Bound() bool { return g.goroutine.Load() != 0 }

// Ask is the exact question.
//
//go:noinline
func (g *Guard) Ask() bool {
	owner := g.goroutine.Load()
	if owner == 0 || owner != Goroutine() {
		return false
	}
	g.remember()
	return true
}

// Enters the block that the caller runs in, and those that its next frames will be in.
//
//go:noinline
func (g *Guard) remember() {
	if Exact || g.Strict {
		return
	}
	var top byte
	g.reach(unsafe.Pointer(&top))
}

// A frame as large as the probe: everything between it and the caller's variable is one stack. Where this call
// made the stack grow, it has moved by now, and top with it, since the runtime adjusts pointers into stacks.
//
//go:noinline
func (g *Guard) reach(top unsafe.Pointer) {
	var frame [probe]byte
	last := uintptr(top) >> blockBits
	for b := uintptr(unsafe.Pointer(&frame[0])) >> blockBits; b <= last; b++ {
		g.blocks[b%entries].Store(b)
	}
}
