// SPDX-License-Identifier: MIT OR Apache-2.0

//go:build stmdebug

package stm

import (
	"fmt"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"unsafe"
	"weak"
)

// Debug says whether the package was built with the tag stmdebug.
const Debug = true

// A storage has the values of a slab. Each is allocated by itself, and no two objects have the same one, so
// that the garbage collector knows of each whether something refers to it.
type storage[T any] []*cell[T]

type cell[T any] struct {
	value T
	// Makes the cell one that the collector does not put together with others, of whatever size T is.
	_    *byte
	site uintptr
}

func makeStorage[T any](n int) storage[T] { return make([]*cell[T], n) }

func (s storage[T]) at(index uint32) *T { return &s[index].value }

// Called when a place is given to an object.
func (s storage[T]) enter(index uint32) {
	if s[index] == nil {
		s[index] = new(cell[T])
	}
	s[index].site = callSite()
}

// Called when the objects of these places are gone. What refers to the cells from now on is a leak.
func (s storage[T]) leave(from, to uint32) {
	for i := from; i < to; i++ {
		if c := s[i]; c != nil {
			poison(&c.value)
			watch((*byte)(unsafe.Pointer(c)), reflect.TypeFor[T](), c.site)
			s[i] = nil
			s.remember(i, c.site)
		}
	}
}

// Where the last object of the place was allocated. An expired one has left it.
func (s storage[T]) site(index uint32) string {
	if c := s[index]; c != nil {
		return siteName(c.site)
	}
	left.Lock()
	defer left.Unlock()
	return siteName(left.sites[unsafe.Pointer(&s[index])])
}

var left = struct {
	sync.Mutex
	sites map[unsafe.Pointer]uintptr
}{sites: map[unsafe.Pointer]uintptr{}}

func (s storage[T]) remember(index uint32, site uintptr) {
	left.Lock()
	defer left.Unlock()
	left.sites[unsafe.Pointer(&s[index])] = site
}

// The memory behind an object that is gone, of the package's own types: true if it is watched and may not be
// used again.
func (s storage[T]) abandon(index uint32, memory *byte) bool {
	if memory != nil {
		watch(memory, reflect.TypeFor[T](), s[index].site)
	}
	return true
}

// The first caller outside of the package.
func callSite() uintptr {
	var pcs [16]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(3, pcs[:])])
	for {
		f, more := frames.Next()
		if !strings.HasPrefix(f.Function, "tenure/stm.") || strings.HasSuffix(f.File, "_test.go") {
			return f.PC
		}
		if !more {
			return 0
		}
	}
}

func siteName(pc uintptr) string {
	if pc == 0 {
		return ""
	}
	f, _ := runtime.CallersFrames([]uintptr{pc + 1}).Next()
	return fmt.Sprintf("%s:%d", f.File, f.Line)
}

// A Leak is an expired object that something still refers to.
type Leak struct {
	Type string
	Site string // where it was allocated
}

type suspect struct {
	memory weak.Pointer[byte]
	typ    reflect.Type
	site   uintptr
}

var watched struct {
	sync.Mutex
	suspects []suspect
}

func watch(memory *byte, typ reflect.Type, site uintptr) {
	watched.Lock()
	defer watched.Unlock()
	if len(watched.suspects) == cap(watched.suspects) {
		watched.suspects = alive(watched.suspects)
	}
	watched.suspects = append(watched.suspects, suspect{weak.Make(memory), typ, site})
}

func alive(suspects []suspect) []suspect {
	kept := suspects[:0]
	for _, s := range suspects {
		if s.memory.Value() != nil {
			kept = append(kept, s)
		}
	}
	clear(suspects[len(kept):])
	return kept
}

// Leaks returns the expired objects that something still refers to, other than by a [Ref], a [Region], a
// [Slice] or a [Map]. It works with the tag stmdebug; without it there are none. There it runs the garbage
// collector, whose pointers are the whole truth: what is returned is referred to, and what is not returned is
// not.
func Leaks() []Leak {
	runtime.GC()
	watched.Lock()
	defer watched.Unlock()
	watched.suspects = alive(watched.suspects)
	var leaks []Leak
	for _, s := range watched.suspects {
		leaks = append(leaks, Leak{s.typ.String(), siteName(s.site)})
	}
	return leaks
}

// Fills what is left of an expired object, so that who reads it notices: numbers with bytes 0xdb, and what
// refers to something with nil.
func poison[T any](value *T) { poisonValue(reflect.ValueOf(value).Elem()) }

const pattern = 0xdbdbdbdbdbdbdbdb

func poisonValue(v reflect.Value) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			f := v.Field(i)
			poisonValue(reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem())
		}
	case reflect.Array:
		for i := range v.Len() {
			poisonValue(v.Index(i))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		bytes := unsafe.Slice((*byte)(unsafe.Pointer(v.UnsafeAddr())), v.Type().Size())
		for i := range bytes {
			bytes[i] = pattern & 0xff
		}
	default:
		v.SetZero()
	}
}
