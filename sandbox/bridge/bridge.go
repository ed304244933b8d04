// Package bridge is a TON Connect bridge: it keeps what apps and wallets write
// to one another, which it cannot read, until they ask for it.
package bridge

import (
	"slices"
	"sync"
	"time"
)

// kept is how long a message stays when its sender names no time.
const kept = 5 * time.Minute

// message is one that waits, or was fetched and may be asked for again.
type message struct {
	id    uint64
	from  string
	text  string // base64 of what only its receiver can open
	until time.Time
}

// Receiver takes a message for a client that lives in this process. False says that no such client does.
type Receiver func(to, from, text string) bool

// Bridge passes messages on. Its clients are known by their public keys, in hex.
type Bridge struct {
	now  func() time.Time
	beat time.Duration // between two signs of life

	mu       sync.Mutex
	last     uint64
	waiting  map[string][]message // by receiver, oldest first
	changed  chan struct{}        // closed and replaced with every change
	offline  bool
	receiver Receiver
}

// New makes a bridge without messages. Their numbers begin with the time, so that they go on growing after a restart.
func New(now func() time.Time) *Bridge {
	return &Bridge{now: now, beat: beat, last: uint64(now().UnixMicro()), waiting: map[string][]message{}, changed: make(chan struct{})}
}

// Attach has messages to the wallets of this process handed over.
func (b *Bridge) Attach(r Receiver) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.receiver = r
}

// Send keeps a message for its receiver, also while the bridge is offline: a wallet repeats until it is heard.
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

// SetOffline cuts all streams and answers nobody until it is set back.
func (b *Bridge) SetOffline(offline bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.offline = offline
	b.tell()
}

// Offline reports whether the bridge is offline, so that nobody is answered.
func (b *Bridge) Offline() bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.offline
}

// after lists what waits for these clients above that number, in order; next is closed when there may be more.
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

// forget drops what nobody may ask for any more. The caller holds the lock.
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
