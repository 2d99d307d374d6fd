// SPDX-License-Identifier: MIT OR Apache-2.0

// Package global is a clock that several participants advance together: global time of papers/003…, §2.6, in
// the general form that the paper announces. Participants enter, leave, block, and are declared blocked by
// others at any time.
//
// One word holds the clock: the period, how many take part, and how many of those have not ticked in the
// period. It changes by compare-and-swap alone; nobody waits.
//
//	 63        44 43        32 31    16 15       0
//	|    time    | generation | active | remaining |
//	 \------- period --------/
//
// Time advances when nobody remains. Invariant: remaining is 0 only if active is.
//
// A participant notes the period of its last tick, so that it counts once in each. One that is declared
// blocked may be stopped anywhere; nobody can know whether its tick has been counted. The period therefore
// begins anew under another generation, with all the others remaining: ticks are lost, which delays time and
// never hurries it, and a swap that the stopped one was about to do fails, because the generation has changed.
// It would succeed only after 4096 such declarations within one unit of time.
package global

import "sync/atomic"

const (
	timeBits       = 20
	generationBits = 12
	timeMask       = 1<<timeBits - 1
	generationMask = 1<<generationBits - 1
	// Most is how many can take part at a time.
	Most = 0xffff
)

// A word is the state of a clock.
type word uint64

func pack(period uint32, active, remaining uint32) word {
	return word(uint64(period)<<32 | uint64(active)<<16 | uint64(remaining))
}

func (w word) time() uint64      { return uint64(w >> 44) }
func (w word) period() uint32    { return uint32(w >> 32) }
func (w word) active() uint32    { return uint32(w>>16) & Most }
func (w word) remaining() uint32 { return uint32(w) & Most }

// The word after somebody ticked or left.
func settled(period, active, remaining uint32) word {
	if remaining != 0 || active == 0 {
		return pack(period, active, remaining)
	}
	return pack((period>>generationBits+1)<<generationBits, active, active)
}

// A Clock is a global clock. The zero Clock stands at time 0 and has no participants.
type Clock struct {
	word atomic.Uint64
	// All bits of the time, as of not long ago; the word has the low ones.
	whole atomic.Uint64
	// Tests that explore interleavings switch goroutines here: before each access to what several of them
	// write. They are told where that is, and what matters of what was read before.
	step func(where int, read word)
}

func (c *Clock) pause(where int, read word) {
	if c.step != nil {
		c.step(where, read)
	}
}

func (c *Clock) load(where int) word {
	c.pause(where, 0)
	return word(c.word.Load())
}

func (c *Clock) swap(where int, old, next word) bool {
	c.pause(where, old)
	return c.word.CompareAndSwap(uint64(old), uint64(next))
}

// Time is the global time now. Any goroutine may ask.
func (c *Clock) Time() uint64 {
	for {
		known := c.whole.Load()
		ahead := (word(c.word.Load()).time() - known) & timeMask
		if ahead > timeMask/2 {
			continue // somebody has noted a later time meanwhile
		}
		if ahead == 0 || c.whole.CompareAndSwap(known, known+ahead) {
			return known + ahead
		}
	}
}

// What a participant does.
const (
	Outside = iota
	Active
	Blocked
)

// A Participant takes part in a clock. Its methods are for its own goroutine, but for
// [Participant.DeclareBlocked] and [Participant.Status].
type Participant struct {
	clock  *Clock
	status atomic.Uint32
	ticked bool   // it has ticked since it entered
	period uint32 // of its last tick
	next   uint64 // see View
}

// Init says which clock it is that the participant takes part in. It is outside.
func (p *Participant) Init(clock *Clock) { p.clock = clock }

// Clock is the participant's clock.
func (p *Participant) Clock() *Clock { return p.clock }

// Status is Outside, Active or Blocked.
func (p *Participant) Status() uint32 { return p.status.Load() }

// Enter lets it take part, as one that has not ticked. False if too many do. It is not active.
func (p *Participant) Enter() bool {
	for {
		old := p.clock.load(1)
		if old.active() == Most {
			return false
		}
		if p.clock.swap(2, old, pack(old.period(), old.active()+1, old.remaining()+1)) {
			break
		}
	}
	// It remains now, so time stands still until it ticks.
	p.ticked = false
	p.next = p.clock.Time()
	p.clock.pause(3, 0)
	p.status.Store(Active)
	return true
}

// Exit takes it out; status says what it is from now on, Outside or Blocked.
func (p *Participant) Exit(status uint32) {
	p.clock.pause(4, word(status))
	if !p.status.CompareAndSwap(Active, status) {
		// Whoever declared it blocked takes care of the word.
		p.clock.pause(5, word(status))
		p.status.CompareAndSwap(Blocked, status)
		return
	}
	for {
		old := p.clock.load(6)
		remaining := old.remaining()
		if !p.ticked || p.period != old.period() {
			remaining--
		}
		if p.clock.swap(7, old, settled(old.period(), old.active()-1, remaining)) {
			return
		}
	}
}

// Tick counts its tick in the current period, once. False if it does not take part.
func (p *Participant) Tick() bool {
	for {
		// In this order: who declares another blocked changes its status first, so that a word in which it no
		// longer counts is not taken for one in which it does.
		old := p.clock.load(8)
		p.clock.pause(9, old)
		if p.status.Load() != Active {
			return false
		}
		period := old.period()
		if p.ticked && p.period == period {
			return true
		}
		if p.clock.swap(10, old, settled(period, old.active(), old.remaining()-1)) {
			p.period, p.ticked = period, true
			p.next = p.clock.after(old)
			return true
		}
	}
}

// The time that follows the one of a word which a participant has just replaced by its tick. The clock stands
// at one or the other, unless the participant was declared blocked since; then any time will do.
func (c *Clock) after(old word) uint64 {
	now := c.Time()
	if old.time() == now&timeMask {
		return now + 1
	}
	return now
}

// View is the earliest time that the clock may come to before the participant ticks again: the clock stands
// there or right before. It changes only in the participant's own calls, so that what has a date that is not
// before the view stays until then.
func (p *Participant) View() uint64 { return p.next }

// DeclareBlocked takes it out, for any goroutine. False if it does not take part, or somebody else has done it.
func (p *Participant) DeclareBlocked() bool {
	p.clock.pause(11, 0)
	if !p.status.CompareAndSwap(Active, Blocked) {
		return false
	}
	for {
		old := p.clock.load(12)
		period := old.period()
		renamed := period&^generationMask | (period+1)&generationMask
		active := old.active() - 1
		if p.clock.swap(13, old, pack(renamed, active, active)) {
			return true
		}
	}
}
