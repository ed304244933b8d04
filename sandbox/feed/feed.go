// Package feed notifies every open page of changes.
package feed

import "sync"

// Event is a change. Its fields depend on Kind (page/web/js/api.js lists them).
type Event struct {
	Kind   string `json:"kind"`
	Player int64  `json:"player,omitempty"`
	Detail any    `json:"detail,omitempty"`
}

// Feed publishes events to all listeners.
type Feed struct {
	mu        sync.Mutex
	listeners map[chan Event]bool
}

// New makes a feed without listeners.
func New() *Feed { return &Feed{listeners: map[chan Event]bool{}} }

// Send never waits: a listener that is too slow is closed, and its page reconnects and reloads everything.
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
