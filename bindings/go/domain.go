// SPDX-License-Identifier: MIT OR Apache-2.0

package stm

import (
	"sync"
	"sync/atomic"

	"tenure/stm/internal/global"
	"tenure/stm/internal/owner"
)

// A Domain is a time that several goroutines share. It advances when each of its members has ticked once since
// it last did. An object with a date in the domain can be used by all members, until the date has passed; each
// has its turn to refresh it before that. All methods may be called by any goroutine; none but Join waits.
type Domain struct {
	clock   global.Clock
	joining sync.Mutex
	members atomic.Pointer[[]*Member]
}

// NewDomain makes a domain at time 0, without members.
func NewDomain() *Domain { return &Domain{} }

// Now is the domain's time.
func (d *Domain) Now() uint64 { return d.clock.Time() }

// Join makes the calling goroutine a member, one that has not ticked. It panics if 65535 take part.
func (d *Domain) Join() *Member {
	m := &Member{domain: d}
	m.guard.Bind()
	m.participant.Init(&d.clock)
	m.enter("Join")
	d.joining.Lock()
	defer d.joining.Unlock()
	members := []*Member{m}
	if old := d.members.Load(); old != nil {
		members = append(members, *old...)
	}
	d.members.Store(&members)
	return m
}

// The active member that the calling goroutine is, or nil.
func (d *Domain) here() *Member {
	members := d.members.Load()
	if members == nil {
		return nil
	}
	for _, m := range *members {
		if m.guard.Seen() {
			return m.active()
		}
	}
	for _, m := range *members {
		if m.guard.Ask() {
			return m.active()
		}
	}
	return nil
}

// A Member is a goroutine's part in a domain. It belongs to the goroutine that joined, but for
// [Member.DeclareBlocked].
type Member struct {
	domain      *Domain
	guard       owner.Guard
	participant global.Participant
}

func (m *Member) active() *Member {
	if m.participant.Status() != global.Active {
		return nil
	}
	return m
}

func (m *Member) check(op string) {
	if !m.guard.Here() {
		if m.guard.Bound() {
			panic(&UseError{op, ErrForeign})
		}
		panic(&UseError{op, ErrDomain})
	}
}

// The member takes part.
func (m *Member) enter(op string) {
	if m.participant.Status() != global.Active && !m.participant.Enter() {
		panic(&UseError{op, ErrDomain})
	}
}

// GlobalTick says that the goroutine is done with the present time of the domain. Once all members have, time
// advances; until then, further calls do nothing. A member that was blocked takes part again. It panics with a
// [*UseError] on another goroutine.
func (m *Member) GlobalTick() {
	m.check("GlobalTick")
	for !m.participant.Tick() {
		m.enter("GlobalTick")
	}
}

// Block lets time advance without the member, which is going to wait. Until it resumes, the objects it has by
// the domain are expired for it.
func (m *Member) Block() {
	m.check("Block")
	m.participant.Exit(global.Blocked)
}

// Resume ends Block.
func (m *Member) Resume() {
	m.check("Resume")
	m.enter("Resume")
}

// Leave ends the membership.
func (m *Member) Leave() {
	m.check("Leave")
	m.participant.Exit(global.Outside)
	m.guard.Unbind()
	d := m.domain
	d.joining.Lock()
	defer d.joining.Unlock()
	var members []*Member
	for _, other := range *d.members.Load() {
		if other != m {
			members = append(members, other)
		}
	}
	d.members.Store(&members)
}

// DeclareBlocked lets time advance without a member that hangs. Any goroutine may call it. False if the member
// does not take part. If it does not hang after all, what it took from the domain before may expire under its
// hands.
func (m *Member) DeclareBlocked() bool { return m.participant.DeclareBlocked() }

// Now is the earliest time that the domain may come to before the member ticks again.
func (m *Member) Now() uint64 {
	m.check("Now")
	return m.participant.View()
}

// An Object is what can be given a date in a domain: a [Ref], a [Region], a [Slice] or a [Map].
type Object interface {
	shareWith(m *Member, extension int) error
}

// GlobalRefresh gives the object a date in the domain: it lives at least until the member has ticked extension
// + 1 times more, and one time longer, so that each member has its turn. The first such date is given by the
// goroutine of the object's clock. The errors are [ErrExpired], [ErrExtension], [ErrForeign] if the member is
// another goroutine's or the object has no date in the domain, and [ErrDomain].
func (m *Member) GlobalRefresh(object Object, extension int) error {
	return object.shareWith(m, extension)
}

func (m *Member) ready(extension int) error {
	if !m.guard.Here() {
		if m.guard.Bound() {
			return ErrForeign
		}
		return ErrDomain
	}
	if extension < 0 || extension > defaultLimit {
		return ErrExtension
	}
	if m.participant.Status() != global.Active && !m.participant.Enter() {
		return ErrDomain
	}
	return nil
}

func (r Ref[T]) shareWith(m *Member, extension int) error {
	if err := m.ready(extension); err != nil {
		return err
	}
	s := r.slab
	if s == nil {
		return ErrExpired
	}
	// One more than the extension: the present period may be nearly over (papers/003…, §2.6).
	date := m.domain.clock.Time() + uint64(extension) + 1
	index := s.shareIndex(r.index)
	if !s.head.clock.guard.Here() {
		sharing := sharingIn(s.share, m.domain)
		if sharing == nil {
			return ErrForeign
		}
		d := &sharing.dates[index]
		if !d.alive(r.generation, m.participant.View()) || !d.raise(date) {
			return ErrExpired
		}
		return nil
	}
	if _, ok := r.find(); !ok || !s.current(r.index, r.generation) {
		return ErrExpired
	}
	d := &makeSharing(s.share, m.domain, s.shares()).dates[index]
	if !d.raise(date) {
		d.generation.Store(r.generation)
		d.date.Store(date)
		sharingIn(s.share, m.domain).used++
	}
	return nil
}

func (r Region[T]) shareWith(m *Member, extension int) error { return r.ref.shareWith(m, extension) }
func (s Slice[T]) shareWith(m *Member, extension int) error  { return s.ref.shareWith(m, extension) }
func (m Map[K, V]) shareWith(member *Member, extension int) error {
	return m.ref.shareWith(member, extension)
}
