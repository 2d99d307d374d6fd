// SPDX-License-Identifier: MIT OR Apache-2.0

// Package owner tells whether the calling goroutine is the one that something belongs to.
//
// Go gives a goroutine no name. There are three ways to know it nevertheless:
//
//   - The first line of [runtime.Stack] has its number, which is never used again. That takes microseconds. A guard that
//     is Strict asks so each time, and so does every guard under the race detector and with the tag stmdebug.
//   - The runtime's record of the goroutine has an address, which two instructions of Go's assembler read. Guards compare
//     that on amd64 and arm64. It takes two nanoseconds. A goroutine that ended without having unbound its guard leaves the
//     record, and so the guard, to a later one; there is no race in that, because it is dead.
//   - Elsewhere, and with the tag purego, a guard asks for the number once, and remembers which parts of the address space
//     it then found to be the goroutine's stack, in blocks of 2 KiB, of which the runtime never gives one to two stacks at
//     a time. A later call takes the address of one of its own variables, and compares. What this cannot see: the runtime
//     may move the owner's stack, and give the old block to another goroutine, which is then taken for the owner until the
//     owner has asked again.
package owner

import (
	"bytes"
	"runtime"
	"strconv"
)

// Goroutine is the number of the calling goroutine. It takes microseconds, more where the stack is deep.
func Goroutine() uint64 {
	var text [40]byte
	line := bytes.TrimPrefix(text[:runtime.Stack(text[:], false)], []byte("goroutine "))
	end := bytes.IndexByte(line, ' ')
	if end < 0 {
		return 0
	}
	number, err := strconv.ParseUint(string(line[:end]), 10, 64)
	if err != nil {
		return 0
	}
	return number
}
