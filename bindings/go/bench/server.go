// SPDX-License-Identifier: MIT OR Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"tenure/stm"
)

// The static web server of papers/003… (§2.2): each answer's page is read into memory that is needed until the
// answer has been sent. Here with a goroutine for each connection, on sockets alone (raw), and as a handler of
// net/http.

const (
	pageSize    = 16 << 10
	connections = 8
)

// What gives a connection its buffers; done is called when an answer has been sent.
var buffers = map[string]func() (get func(n int) []byte, done func()){
	"plain": func() (func(int) []byte, func()) {
		return func(n int) []byte { return make([]byte, n) }, func() {}
	},
	"pool": func() (func(int) []byte, func()) {
		var taken []*[]byte
		get := func(n int) []byte {
			b := pool.Get().(*[]byte)
			if cap(*b) < n {
				*b = make([]byte, n)
			}
			taken = append(taken, b)
			return (*b)[:n]
		}
		done := func() {
			for _, b := range taken {
				pool.Put(b)
			}
			taken = taken[:0]
		}
		return get, done
	},
	"stm": func() (func(int) []byte, func()) {
		c := stm.Acquire() // a connection's goroutine ends with the connection, and its clock with it
		return func(n int) []byte { return c.Bytes(n, 0) }, c.Tick
	},
	"scratch": func() (func(int) []byte, func()) { // not cleared, as the pool's are not
		c := stm.Acquire()
		return func(n int) []byte { return c.Scratch(n, 0) }, c.Tick
	},
}

var pool = sync.Pool{New: func() any { b := make([]byte, pageSize+1024); return &b }}

func serve(program, manner string) {
	page, err := os.CreateTemp("", "page")
	check(err)
	check(os.Remove(page.Name()))
	_, err = page.Write(bytes.Repeat([]byte("<p>All of it static.</p>\n"), pageSize)[:pageSize])
	check(err)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	check(err)
	check(json.NewEncoder(os.Stdout).Encode(listener.Addr().String()))
	if program == "raw" {
		go func() {
			for {
				c, err := listener.Accept()
				if err != nil {
					return
				}
				go converse(c, page, manner)
			}
		}()
	} else {
		go serveHTTP(listener, page, manner)
	}
	_, err = io.Copy(io.Discard, os.Stdin)
	check(err)
}

// Answers a connection's requests.
func converse(c net.Conn, page *os.File, manner string) {
	defer c.Close()
	get, done := buffers[manner]()
	for {
		request := get(1024)
		n := 0
		for !bytes.Contains(request[:n], []byte("\r\n\r\n")) {
			more, err := c.Read(request[n:])
			if err != nil {
				return
			}
			n += more
		}
		answer := get(pageSize + 256)
		head := append(answer[:0], "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: "...)
		head = strconv.AppendInt(head, pageSize, 10)
		head = append(head, "\r\n\r\n"...)
		if _, err := page.ReadAt(answer[len(head):len(head)+pageSize], 0); err != nil {
			return
		}
		if _, err := c.Write(answer[:len(head)+pageSize]); err != nil {
			return
		}
		done()
	}
}

// What a connection of net/http has for its requests, which all run on its goroutine.
type connection struct {
	get  func(n int) []byte
	done func()
}

type connectionKey struct{}

func serveHTTP(listener net.Listener, page *os.File, manner string) {
	handler := func(w http.ResponseWriter, r *http.Request) {
		c := r.Context().Value(connectionKey{}).(*connection)
		if c.get == nil {
			c.get, c.done = buffers[manner]()
		}
		answer := c.get(pageSize)
		if _, err := page.ReadAt(answer, 0); err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Write(answer)
		c.done()
	}
	server := http.Server{
		Handler: http.HandlerFunc(handler),
		ConnContext: func(ctx context.Context, _ net.Conn) context.Context {
			return context.WithValue(ctx, connectionKey{}, &connection{})
		},
	}
	server.Serve(listener)
}

// Asks for the page over several connections; returns the time below which 99 of 100 answers came.
func load(address string, requests int) time.Duration {
	var all sync.WaitGroup
	times := make([][]time.Duration, connections)
	for i := range times {
		all.Add(1)
		go func() {
			defer all.Done()
			c, err := net.Dial("tcp", address)
			check(err)
			defer c.Close()
			in := bufio.NewReaderSize(c, 32<<10)
			question := fmt.Appendf(nil, "GET / HTTP/1.1\r\nHost: %s\r\n\r\n", address)
			for range requests / connections {
				began := time.Now()
				_, err := c.Write(question)
				check(err)
				answer, err := http.ReadResponse(in, nil)
				check(err)
				n, err := io.Copy(io.Discard, answer.Body)
				check(err)
				if n != pageSize {
					check(fmt.Errorf("an answer of %d bytes", n))
				}
				times[i] = append(times[i], time.Since(began))
			}
		}()
	}
	all.Wait()
	flat := slices.Concat(times...)
	slices.Sort(flat)
	return flat[len(flat)*99/100]
}
