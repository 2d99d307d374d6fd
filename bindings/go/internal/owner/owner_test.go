// SPDX-License-Identifier: MIT OR Apache-2.0

package owner

import (
	"sync"
	"testing"
)

func TestAGuardKnowsItsGoroutine(t *testing.T) {
	var g Guard
	if g.Here() || g.Bound() {
		t.Error("the zero guard knows somebody")
	}
	if !g.Bind() || !g.Here() || !g.Bound() {
		t.Error("the goroutine that bound the guard is not known")
	}
	if g.Bind() {
		t.Error("a guard was bound twice")
	}
	g.Unbind()
	if g.Here() || g.Bound() {
		t.Error("the goroutine is known after it left")
	}
}

func TestOtherGoroutinesAreForeign(t *testing.T) {
	var g Guard
	g.Bind()
	var others sync.WaitGroup
	for range 200 {
		others.Add(1)
		go func() {
			defer others.Done()
			if g.Here() {
				t.Error("another goroutine was taken for the owner")
			}
		}()
	}
	others.Wait()
}

func TestTheOwnerIsKnownAtEveryDepth(t *testing.T) {
	var g Guard
	g.Bind()
	var down func(depth int, pad [100]byte) bool
	down = func(depth int, pad [100]byte) bool {
		return g.Here() && (depth == 0 || down(depth-1, pad)) && g.Here()
	}
	if !down(300, [100]byte{}) {
		t.Error("the owner was not known")
	}
}

func TestNumbersOfGoroutinesDiffer(t *testing.T) {
	mine := Goroutine()
	other := make(chan uint64)
	go func() { other <- Goroutine() }()
	if mine == 0 || mine != Goroutine() || mine == <-other {
		t.Error("the number does not tell goroutines apart")
	}
}
