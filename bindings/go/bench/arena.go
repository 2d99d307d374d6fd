// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build goexperiment.arenas

package main

import "arena"

func init() {
	trees["arena"] = func(depth int) int {
		return loop(depth, func(d int) int {
			a := arena.NewArena()
			defer a.Free()
			return arenaTree(a, d).check()
		})
	}
	parsers["arena"] = func() parser {
		return func(text []byte) int {
			a := arena.NewArena()
			defer a.Free()
			return plainBuild(text, func() *plainValue { return arena.New[plainValue](a) }).sum()
		}
	}
	buffers["arena"] = func() (get func(n int) []byte, done func()) {
		var a *arena.Arena
		get = func(n int) []byte {
			if a == nil {
				a = arena.NewArena()
			}
			return arena.MakeSlice[byte](a, n, n)
		}
		done = func() {
			a.Free()
			a = nil
		}
		return get, done
	}
}

func arenaTree(a *arena.Arena, depth int) *plainNode {
	n := arena.New[plainNode](a)
	if depth > 0 {
		n.left, n.right = arenaTree(a, depth-1), arenaTree(a, depth-1)
	}
	return n
}
