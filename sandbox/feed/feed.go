// Package feed tells every open page that something changed.
package feed

import "sync"

// Event says what changed. Kind names it; the other fields depend on the kind
// (page/web/js/api.js lists them).
type Event struct {
	Kind   string `json:"kind"`
	Player int64  `json:"player,omitempty"`
	Detail any    `json:"detail,omitempty"`
}

// Feed hands each event to everyone listening.
type Feed struct {
	mu        sync.Mutex
	listeners map[chan Event]bool
}

// New makes a feed nobody listens to yet.
func New() *Feed { return &Feed{listeners: map[chan Event]bool{}} }

// Send never waits: a listener too slow to keep up is closed, and the page
// behind it connects again and reads everything afresh.
func (f *Feed) Send(e Event) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for l := range f.listeners {
		select {
		case l <- e:
		default:
			delete(f.listeners, l)
			close(l)
		}
	}
}

// Listen returns the coming events, and a function to stop.
func (f *Feed) Listen() (<-chan Event, func()) {
	l := make(chan Event, 256)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.listeners[l] = true
	return l, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.listeners, l)
	}
}
