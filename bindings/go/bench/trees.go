// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"sync"

	"tenure/stm"
)

// The binary trees of the Computer Language Benchmarks Game, as papers/003… ported them (§2.1): one tree that
// is needed for long, and many that are built, checked and dismissed. The port has a tick after each tree that
// is dismissed, and all its nodes have extension 0.

type plainNode struct{ left, right *plainNode }

func (n *plainNode) check() int {
	if n.left == nil {
		return 1
	}
	return 1 + n.left.check() + n.right.check()
}

func plainTree(depth int) *plainNode {
	if depth == 0 {
		return &plainNode{}
	}
	return &plainNode{plainTree(depth - 1), plainTree(depth - 1)}
}

const leastDepth = 4

var trees = map[string]func(depth int) int{
	"plain": treesPlain, "pool": treesPool, "ref": treesRef, "region": treesRegion, "unchecked": treesUnchecked,
}

// The loop of the program; each returns the check of a tree of that depth, which is gone then.
func loop(depth int, once func(depth int) int) int {
	sum := once(depth + 1)
	long := plainTree(depth)
	for d := leastDepth; d <= depth; d += 2 {
		for range 1 << (depth - d + leastDepth) {
			sum += once(d)
		}
	}
	return sum + long.check()
}

func treesPlain(depth int) int {
	return loop(depth, func(d int) int { return plainTree(d).check() })
}

// With a pool, somebody has to say of each node when it is dead.
func treesPool(depth int) int {
	pool := sync.Pool{New: func() any { return new(plainNode) }}
	var build func(d int) *plainNode
	build = func(d int) *plainNode {
		n := pool.Get().(*plainNode)
		if d > 0 {
			n.left, n.right = build(d-1), build(d-1)
		}
		return n
	}
	var free func(n *plainNode)
	free = func(n *plainNode) {
		if n.left != nil {
			free(n.left)
			free(n.right)
		}
		*n = plainNode{}
		pool.Put(n)
	}
	return loop(depth, func(d int) int {
		t := build(d)
		sum := t.check()
		free(t)
		return sum
	})
}

type refNode struct{ left, right stm.Ref[refNode] }

func checkRef(r stm.Ref[refNode]) int {
	n := r.Must()
	if n.left == (stm.Ref[refNode]{}) {
		return 1
	}
	return 1 + checkRef(n.left) + checkRef(n.right)
}

// Every node has a date of its own, and every access is checked.
func treesRef(depth int) int {
	c := stm.Acquire()
	defer c.Release()
	nodes := stm.HeapOf[refNode](c)
	return loop(depth, func(d int) int {
		sum := checkRef(refTree(nodes, d))
		c.Tick()
		return sum
	})
}

// It and regionTree are alike but for the first line: a call through a function value there would be a twelfth
// of what is measured.
func refTree(nodes *stm.Heap[refNode], depth int) stm.Ref[refNode] {
	r := nodes.New(0)
	if depth > 0 {
		n := r.Must()
		n.left, n.right = refTree(nodes, depth-1), refTree(nodes, depth-1)
	}
	return r
}

// A region for each tree, and every access is checked.
func treesRegion(depth int) int {
	c := stm.Acquire()
	defer c.Release()
	return loop(depth, func(d int) int {
		sum := checkRef(regionTree(stm.RegionOf[refNode](c, 0), d))
		c.Tick()
		return sum
	})
}

func regionTree(reg stm.Region[refNode], depth int) stm.Ref[refNode] {
	r := reg.New()
	if depth > 0 {
		n := r.Must()
		n.left, n.right = regionTree(reg, depth-1), regionTree(reg, depth-1)
	}
	return r
}

// The same with Go's pointers.
func treesUnchecked(depth int) int {
	c := stm.Acquire()
	defer c.Release()
	return loop(depth, func(d int) int {
		sum := uncheckedTree(stm.RegionOf[plainNode](c, 0), d).check()
		c.Tick()
		return sum
	})
}

func uncheckedTree(reg stm.Region[plainNode], depth int) *plainNode {
	n := reg.Unchecked()
	if depth > 0 {
		n.left, n.right = uncheckedTree(reg, depth-1), uncheckedTree(reg, depth-1)
	}
	return n
}
