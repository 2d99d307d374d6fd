// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/buger/jsonparser"

	"tenure/stm"
)

// A JSON document's tree, built at each request from what the library jsonparser finds, and needed until the
// answer: here a sum over the tree. The documents are those of at least 20 KB that come with Go.

type parser func(text []byte) int

// A parser for each manner.
var parsers = map[string]func() parser{
	"plain": func() parser {
		return func(text []byte) int { return plainBuild(text, func() *plainValue { return new(plainValue) }).sum() }
	},
	"pool": func() parser {
		values := sync.Pool{New: func() any { return new(plainValue) }}
		return func(text []byte) int {
			v := plainBuild(text, func() *plainValue { return values.Get().(*plainValue) })
			sum := v.sum()
			v.free(&values)
			return sum
		}
	},
	"ref": func() parser {
		c := stm.Acquire()
		nodes := stm.HeapOf[refValue](c)
		return func(text []byte) int {
			defer c.Tick()
			return refSum(refBuild(text, func() stm.Ref[refValue] { return nodes.New(0) }))
		}
	},
	"region": func() parser {
		c := stm.Acquire()
		return func(text []byte) int {
			defer c.Tick()
			return refSum(refBuild(text, stm.RegionOf[refValue](c, 0).New))
		}
	},
	"unchecked": func() parser {
		c := stm.Acquire()
		return func(text []byte) int {
			defer c.Tick()
			return plainBuild(text, stm.RegionOf[plainValue](c, 0).Unchecked).sum()
		}
	},
}

// A value knows its text in the document, and has its members or elements in a list.
type plainValue struct {
	key, text   []byte
	first, next *plainValue
}

func plainBuild(text []byte, make func() *plainValue) *plainValue {
	v := make()
	v.text = text
	last := &v.first
	add := func(key, text []byte, kind jsonparser.ValueType) {
		var member *plainValue
		if kind == jsonparser.Object || kind == jsonparser.Array {
			member = plainBuild(text, make)
		} else {
			member = make()
			member.text = text
		}
		member.key = key
		*last = member
		last = &member.next
	}
	each(text, add)
	return v
}

// The members or elements of an object or array.
func each(text []byte, f func(key, text []byte, kind jsonparser.ValueType)) {
	if len(text) == 0 {
		return
	}
	if text[0] == '{' {
		check(jsonparser.ObjectEach(text, func(key, value []byte, kind jsonparser.ValueType, _ int) error {
			f(key, value, kind)
			return nil
		}))
		return
	}
	_, err := jsonparser.ArrayEach(text, func(value []byte, kind jsonparser.ValueType, _ int, _ error) {
		f(nil, value, kind)
	})
	if err != nil && err != jsonparser.MalformedArrayError { // which an empty one is to it
		check(err)
	}
}

func (v *plainValue) sum() int {
	total := 1 + len(v.key)
	if v.first == nil {
		total += len(v.text)
	}
	for m := v.first; m != nil; m = m.next {
		total += m.sum()
	}
	return total
}

func (v *plainValue) free(values *sync.Pool) {
	for m := v.first; m != nil; {
		next := m.next
		m.free(values)
		m = next
	}
	*v = plainValue{}
	values.Put(v)
}

type refValue struct {
	key, text   []byte
	first, next stm.Ref[refValue]
}

func refBuild(text []byte, make func() stm.Ref[refValue]) stm.Ref[refValue] {
	r := make()
	v := r.Must()
	v.text = text
	last := &v.first
	add := func(key, text []byte, kind jsonparser.ValueType) {
		var member stm.Ref[refValue]
		if kind == jsonparser.Object || kind == jsonparser.Array {
			member = refBuild(text, make)
		} else {
			member = make()
			member.Must().text = text
		}
		m := member.Must()
		m.key = key
		*last = member
		last = &m.next
	}
	each(text, add)
	return r
}

func refSum(r stm.Ref[refValue]) int {
	v := r.Must()
	total := 1 + len(v.key)
	if v.first == (stm.Ref[refValue]{}) {
		total += len(v.text)
	}
	for m := v.first; m != (stm.Ref[refValue]{}); m = m.Must().next {
		total += refSum(m)
	}
	return total
}

func parse(manner string, requests int) result {
	documents := documents()
	parse := parsers[manner]()
	var r result
	var times []time.Duration
	for i := range requests / 20 {
		began := time.Now()
		r.Check += parse(documents[i%len(documents)])
		times = append(times, time.Since(began))
	}
	slices.Sort(times)
	r.P99 = times[len(times)*99/100]
	return r
}

func documents() (all [][]byte) {
	err := filepath.WalkDir(filepath.Join(runtime.GOROOT(), "src"), func(path string, _ os.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".json" {
			return err
		}
		text, err := os.ReadFile(path)
		if err == nil && len(text) >= 20_000 {
			all = append(all, text)
		}
		return err
	})
	check(err)
	if len(all) == 0 {
		all = [][]byte{[]byte(`{"none":[]}`)}
	}
	return all
}
