// Package bridge is a TON Connect bridge: it stores encrypted messages between apps and wallets until they are fetched.
package bridge

import (
	"slices"
	"sync"
	"time"
)

// kept is a message's default lifetime.
const kept = 5 * time.Minute

// message is pending, or fetched and may be fetched again.
type message struct {
	id    uint64
	from  string
	text  string // base64, encrypted for its receiver
	until time.Time
}

// Receiver takes a message for a client in this process; false if there is no such client.
type Receiver func(to, from, text string) bool

// Bridge delivers messages. Clients are identified by public keys, in hex.
type Bridge struct {
	now  func() time.Time
	beat time.Duration // interval of heartbeats

	mu       sync.Mutex
	last     uint64
	waiting  map[string][]message // by receiver, oldest first
	changed  chan struct{}        // closed and replaced with every change
	offline  bool
	receiver Receiver
}

// New makes a bridge without messages. Their numbers begin with the time, so that they grow across restarts.
func New(now func() time.Time) *Bridge {
	return &Bridge{now: now, beat: beat, last: uint64(now().UnixMicro()), waiting: map[string][]message{}, changed: make(chan struct{})}
}

// Attach delivers messages to this process's wallets.
func (b *Bridge) Attach(r Receiver) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receiver = r
}

// Send stores a message for its receiver, also while the bridge is offline: wallets retry.
func (b *Bridge) Send(to, from, text string, lives time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	if lives <= 0 || lives > kept {
		lives = kept
	}
	b.last++
	b.waiting[to] = append(b.waiting[to], message{id: b.last, from: from, text: text, until: b.now().Add(lives)})
	b.tell()
}

// SetOffline closes all streams and refuses requests until it is reset.
func (b *Bridge) SetOffline(offline bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offline = offline
	b.tell()
}

// Offline reports whether the bridge is offline.
func (b *Bridge) Offline() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.offline
}

// after lists these clients' pending messages above a number, in order; next is closed at a change.
func (b *Bridge) after(clients []string, last uint64) (list []message, next <-chan struct{}, offline bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.forget()
	for _, client := range clients {
		for _, m := range b.waiting[client] {
			if m.id > last {
				list = append(list, m)
			}
		}
	}
	return list, b.changed, b.offline
}

// forget drops expired messages. The caller holds the lock.
func (b *Bridge) forget() {
	now := b.now()
	for client, list := range b.waiting {
		b.waiting[client] = slices.DeleteFunc(list, func(m message) bool { return !now.Before(m.until) })
		if len(b.waiting[client]) == 0 {
			delete(b.waiting, client)
		}
	}
}

// tell wakes every stream. The caller holds the lock.
func (b *Bridge) tell() {
	close(b.changed)
	b.changed = make(chan struct{})
}
