// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import "context"

type contextKey struct{}

// NewContext returns a context that carries the clock.
func NewContext(parent context.Context, c *Clock) context.Context {
	return context.WithValue(parent, contextKey{}, c)
}

// FromContext returns the clock that the context carries; false if it carries none. Whether the goroutine may
// use it is checked where it does.
func FromContext(ctx context.Context) (*Clock, bool) {
	c, ok := ctx.Value(contextKey{}).(*Clock)
	return c, ok
}
