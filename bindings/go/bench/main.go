// SPDX-License-Identifier: MIT OR Apache-2.0

// Bench runs programs whose objects are made in several manners, each in a process of its own, all in turn,
// and prints what they took.
//
//	go run . [-rounds N] [-only trees,json,picture,raw,http] [-depth N] [-requests N] [-csv FILE]
//
// Processor time is that of the whole process, so that the garbage collector's counts wherever it runs. A
// ratio is the median over rounds of one manner's time to another's in the same round.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"
)

// A result is what a process says of itself, and what was measured of it.
type result struct {
	Check       int           // what the program computed: the same in every manner
	Mallocs     uint64        // objects that Go's allocator made
	Collections uint32        // of the garbage collector
	Pause       time.Duration // of all goroutines, in total
	Heap        uint64        // bytes that the heap has from the system
	P99         time.Duration // of a request
	CPU         time.Duration
}

// The manners of a program, in the order of the table. Those that begin with gogc run the plain one with
// GOGC=400.
var programs = []struct {
	name    string
	peer    string // what ratios are to
	manners []string
}{
	{"trees", "plain", []string{"plain", "pool", "gogc400", "arena", "ref", "region", "unchecked"}},
	{"json", "plain", []string{"plain", "pool", "gogc400", "arena", "ref", "region", "unchecked"}},
	{"picture", "pool", []string{"plain", "pool", "gogc400", "arena", "stm", "scratch"}},
	{"raw", "pool", []string{"plain", "pool", "gogc400", "arena", "stm", "scratch"}},
	{"http", "pool", []string{"plain", "pool", "gogc400", "arena", "stm", "scratch"}},
}

var (
	rounds   = flag.Int("rounds", 5, "rounds")
	only     = flag.String("only", "", "programs, separated by commas")
	depth    = flag.Int("depth", 18, "of the trees")
	requests = flag.Int("requests", 40000, "of the servers and the parser")
	csv      = flag.String("csv", "", "a file for all that was measured")
	child    = flag.String("child", "", "PROGRAM:MANNER to run in this process")
)

func main() {
	flag.Parse()
	if *child != "" {
		program, manner, _ := strings.Cut(*child, ":")
		if manner == "gogc400" {
			manner = "plain"
		}
		var r result
		switch program {
		case "trees":
			r.Check = trees[manner](*depth)
		case "json":
			r = parse(manner, *requests)
		case "picture":
			r = pictures(manner, *requests)
		default:
			serve(program, manner)
		}
		report(r)
		return
	}
	work, err := os.MkdirTemp("", "stm-bench")
	check(err)
	defer os.RemoveAll(work)
	binaries := build(work)
	var lines []string
	for _, p := range programs {
		if *only != "" && !slices.Contains(strings.Split(*only, ","), p.name) {
			continue
		}
		all := map[string][]result{}
		for range *rounds {
			for _, manner := range p.manners {
				if manner == "arena" && binaries["arena"] == "" {
					continue
				}
				r := run(binaries, p.name, manner)
				all[manner] = append(all[manner], r)
				lines = append(lines, fmt.Sprintf("%s,%s,%d,%d,%d,%d,%d,%d", p.name, manner, r.CPU.Nanoseconds(), r.Mallocs,
					r.Collections, r.Pause.Nanoseconds(), r.P99.Nanoseconds(), r.Heap))
			}
		}
		table(p.name, p.peer, p.manners, all)
	}
	if *csv != "" {
		header := []string{"program,manner,cpu_ns,mallocs,collections,pause_ns,p99_ns,heap_bytes"}
		check(os.WriteFile(*csv, []byte(strings.Join(append(header, lines...), "\n")+"\n"), 0o644))
	}
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Builds this program twice, the second time with arenas if that can be.
func build(work string) map[string]string {
	binaries := map[string]string{"": filepath.Join(work, "bench"), "arena": filepath.Join(work, "arena")}
	out, err := exec.Command("go", "build", "-o", binaries[""], ".").CombinedOutput()
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s", out)
		check(err)
	}
	command := exec.Command("go", "build", "-o", binaries["arena"], ".")
	command.Env = append(os.Environ(), "GOEXPERIMENT=arenas")
	if out, err := command.CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "arenas are left out: %s", out)
		binaries["arena"] = ""
	}
	return binaries
}

func run(binaries map[string]string, program, manner string) result {
	binary := binaries[""]
	if manner == "arena" {
		binary = binaries["arena"]
	}
	command := exec.Command(binary, "-child", program+":"+manner, "-depth", fmt.Sprint(*depth),
		"-requests", fmt.Sprint(*requests))
	command.Stderr = os.Stderr
	if manner == "gogc400" {
		command.Env = append(os.Environ(), "GOGC=400")
	}
	in, err := command.StdinPipe()
	check(err)
	out, err := command.StdoutPipe()
	check(err)
	check(command.Start())
	decoder := json.NewDecoder(out)
	var p99 time.Duration
	if program == "raw" || program == "http" {
		var address string
		check(decoder.Decode(&address))
		p99 = load(address, *requests)
		in.Close()
	}
	var r result
	check(decoder.Decode(&r))
	check(command.Wait())
	if p99 != 0 {
		r.P99 = p99
	}
	r.CPU = command.ProcessState.UserTime() + command.ProcessState.SystemTime()
	return r
}

// What a child says at its end.
func report(r result) {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	r.Mallocs, r.Collections, r.Pause, r.Heap = m.Mallocs, m.NumGC, time.Duration(m.PauseTotalNs), m.HeapSys
	check(json.NewEncoder(os.Stdout).Encode(r))
}

func table(name, peer string, manners []string, all map[string][]result) {
	fmt.Printf("\n%s, %d rounds, %s\n\n", name, *rounds, runtime.Version())
	fmt.Printf("| manner | CPU | of plain | of %s | allocations | collections | pauses | heap | p99 of a request |\n", peer)
	fmt.Printf("|---|---|---|---|---|---|---|---|---|\n")
	for _, manner := range manners {
		rs := all[manner]
		if rs == nil {
			continue
		}
		if all["plain"][0].Check != rs[0].Check {
			check(fmt.Errorf("%s: %s computed %d, plain %d", name, manner, rs[0].Check, all["plain"][0].Check))
		}
		fmt.Printf("| %s | %.0f ms | %.2f | %.2f | %.0f | %.0f | %.2f ms | %.1f MiB | %.0f µs |\n", manner,
			median(rs, func(r result) float64 { return float64(r.CPU.Milliseconds()) }),
			ratio(rs, all["plain"]), ratio(rs, all[peer]),
			median(rs, func(r result) float64 { return float64(r.Mallocs) }),
			median(rs, func(r result) float64 { return float64(r.Collections) }),
			median(rs, func(r result) float64 { return float64(r.Pause.Microseconds()) / 1000 }),
			median(rs, func(r result) float64 { return float64(r.Heap) / (1 << 20) }),
			median(rs, func(r result) float64 { return float64(r.P99.Microseconds()) }))
	}
}

func median(rs []result, of func(result) float64) float64 {
	var values []float64
	for _, r := range rs {
		values = append(values, of(r))
	}
	slices.Sort(values)
	return (values[(len(values)-1)/2] + values[len(values)/2]) / 2
}

func ratio(rs, peers []result) float64 {
	var both []result
	for i := range rs {
		both = append(both, result{CPU: 1e6 * rs[i].CPU / peers[i].CPU})
	}
	return median(both, func(r result) float64 { return float64(r.CPU) / 1e6 })
}
