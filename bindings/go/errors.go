// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"errors"
	"fmt"
)

// What can be wrong with a use of short-term memory. The errors that this package returns and panics with wrap
// one of these.
var (
	// ErrExpired: the object's dates have passed.
	ErrExpired = errors.New("expired")
	// ErrExtension: an extension below 0 or above the clock's limit, see [MaxExtension].
	ErrExtension = errors.New("extension out of range")
	// ErrForeign: the calling goroutine is not the one that the clock or member belongs to.
	ErrForeign = errors.New("foreign goroutine")
	// ErrReleased: the clock was released, or given and not yet taken.
	ErrReleased = errors.New("released clock")
	// ErrClock: the object is of another clock.
	ErrClock = errors.New("object of another clock")
	// ErrDomain: the object has dates in another domain, or the member has left or was declared blocked.
	ErrDomain = errors.New("not in this domain")
)

// An ExpiredError is what Must panics with. It wraps [ErrExpired], or what else is the reason why there is no
// object to give: [ErrForeign] or [ErrReleased].
type ExpiredError struct {
	Type   string // of the object
	Site   string // where it was allocated, with the tag stmdebug; otherwise empty
	Reason error
}

func (e *ExpiredError) Error() string {
	text := "stm: " + e.Type + ": " + e.Reason.Error()
	if e.Site != "" {
		text += ", allocated at " + e.Site
	}
	return text
}

func (e *ExpiredError) Unwrap() error { return e.Reason }

// A UseError says that a call was wrong in itself. Functions that return no error panic with it.
type UseError struct {
	Op     string // the function
	Reason error
}

func (e *UseError) Error() string { return fmt.Sprintf("stm: %s: %v", e.Op, e.Reason) }

func (e *UseError) Unwrap() error { return e.Reason }
