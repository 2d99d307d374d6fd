// SPDX-License-Identifier: MIT OR Apache-2.0

package stm_test

import (
	"context"
	"errors"
	"fmt"

	"tenure/stm"
)

type Node struct {
	Left, Right stm.Ref[Node]
	Value       int
}

func Example() {
	c := stm.Acquire()
	defer c.Release()
	nodes := stm.HeapOf[Node](c)

	root := nodes.New(1)
	root.Must().Left = nodes.New(0)
	fmt.Println(root.Must().Left.Check())
	c.Tick()
	fmt.Println(root.Must().Left.Check())
	c.Tick()
	fmt.Println(root.Check())
	// Output:
	// <nil>
	// expired
	// expired
}

func ExampleHeap_Refresh() {
	c := stm.Acquire()
	defer c.Release()
	nodes := stm.HeapOf[Node](c)
	r := nodes.New(0)
	for range 3 {
		if err := nodes.Refresh(r, 1); err != nil { // it is needed in the next period, too
			fmt.Println(err)
		}
		c.Tick()
	}
	c.Tick()
	fmt.Println(nodes.Refresh(r, 1))
	fmt.Println(nodes.Refresh(r, 1<<20))
	// Output:
	// expired
	// extension out of range
}

func ExampleRegionOf() {
	c := stm.Acquire()
	defer c.Release()
	reg := stm.RegionOf[Node](c, 0)
	list := reg.New()
	for i := range 3 {
		n := reg.New()
		*n.Must() = Node{Value: i, Right: list}
		list = n
	}
	for n := list.Must(); n.Right != (stm.Ref[Node]{}); n = n.Right.Must() {
		fmt.Println(n.Value)
	}
	c.Tick()
	_, ok := list.Get()
	fmt.Println(ok)
	// Output:
	// 2
	// 1
	// 0
	// false
}

func ExampleClock_Bytes() {
	c := stm.Acquire()
	defer c.Release()
	for _, name := range []string{"a", "bc"} {
		b := c.Bytes(len(name)+7, 0)
		copy(b[copy(b, "Hello, "):], name)
		fmt.Printf("%s\n", b)
		c.Tick()
	}
	// Output:
	// Hello, a
	// Hello, bc
}

func ExampleSlice() {
	c := stm.Acquire()
	defer c.Release()
	words := stm.MakeSlice[string](c, 0, 0).Append("short", "term")
	fmt.Println(words.Must(), words.Len())
	c.Tick()
	fmt.Println(words.Get())
	// Output:
	// [short term] 2
	// [] false
}

func ExampleMakeMap() {
	c := stm.Acquire()
	defer c.Release()
	m := stm.MakeMap[string, int](c, 0)
	m.Must()["a"]++
	fmt.Println(m.Must())
	c.Tick()
	fmt.Println(m.Check())
	// Output:
	// map[a:1]
	// expired
}

func ExampleNewContext() {
	c := stm.Acquire()
	defer c.Release()
	ctx := stm.NewContext(context.Background(), c)
	handle := func(ctx context.Context) {
		if c, ok := stm.FromContext(ctx); ok {
			fmt.Println(len(c.Bytes(10, 0)))
		}
	}
	handle(ctx)
	// Output: 10
}

func ExampleDomain() {
	c := stm.Acquire()
	defer c.Release()
	domain := stm.NewDomain()
	m := domain.Join()
	defer m.Leave()

	frame := stm.HeapOf[Node](c).New(0)
	frame.Must().Value = 7
	if err := m.GlobalRefresh(frame, 0); err != nil {
		fmt.Println(err)
	}
	done := make(chan bool)
	ready := make(chan bool)
	go func() {
		m := domain.Join()
		defer m.Leave()
		ready <- true
		fmt.Println(frame.Must().Value)
		m.GlobalTick()
		m.GlobalTick() // time has not advanced since: no effect
		done <- true
	}()
	<-ready
	<-done
	c.Tick()
	fmt.Println(frame.Check()) // no tick of this member yet, so time stands still
	m.GlobalTick()
	m.GlobalTick()
	fmt.Println(frame.Check())
	// Output:
	// 7
	// <nil>
	// expired
}

func ExampleClock_Give() {
	c := stm.NewClock()
	r := stm.HeapOf[Node](c).New(0)
	clocks := make(chan *stm.Clock)
	done := make(chan bool)
	go func() {
		c := <-clocks
		if err := c.Take(); err != nil {
			fmt.Println(err)
		}
		fmt.Println(r.Check())
		c.Release()
		done <- true
	}()
	c.Give()
	clocks <- c
	<-done
	fmt.Println(r.Check())
	// Output:
	// <nil>
	// released clock
}

func ExampleHeap_OnExpire() {
	c := stm.Acquire()
	defer c.Release()
	files := stm.HeapOf[Node](c)
	files.OnExpire(func(n *Node) { fmt.Println("closing", n.Value) })
	files.New(0).Must().Value = 3
	c.Tick()
	c.Collect()
	// Output: closing 3
}

func ExampleUseError() {
	c := stm.Acquire()
	defer c.Release()
	done := make(chan bool)
	go func() {
		defer close(done)
		defer func() {
			err := recover().(error)
			fmt.Println(err, errors.Is(err, stm.ErrForeign))
		}()
		c.Tick()
	}()
	<-done
	// Output: stm: Tick: foreign goroutine true
}
