package telegram

import (
	"context"
	"slices"
	"time"
)

// realUnix is the machine's time: update ids must grow even after the sandbox's clock was set back.
func realUnix() int64 { return time.Now().Unix() }

const (
	mostUpdates = 100
	longestPoll = 50 * time.Second
)

// enqueue queues an update for the bot. The caller holds the lock.
func (s *Server) enqueue(u Update) error {
	if len(s.state.Allowed) > 0 && !slices.Contains(s.state.Allowed, u.kind()) {
		return nil
	}
	id, err := s.nextUpdateID()
	if err != nil {
		return err
	}
	u.ID = id
	s.state.Pending = append(s.state.Pending, u)
	s.dirty = true
	s.signal()
	return nil
}

// signal wakes the poll and the webhook worker. The caller holds the lock.
func (s *Server) signal() {
	close(s.wake)
	s.wake = make(chan struct{})
}

// setAllowed stores allowed_updates; a missing parameter keeps the former value and an empty list means all.
func (s *Server) setAllowed(p params) error {
	if _, given := p.values["allowed_updates"]; !given {
		return nil
	}
	s.state.Allowed = nil
	return p.object("allowed_updates", &s.state.Allowed)
}

func (s *Server) getUpdates(ctx context.Context, p params) (any, error) {
	limit := int(p.number("limit"))
	if limit < 1 || limit > mostUpdates {
		limit = mostUpdates
	}
	timeout := min(time.Duration(max(p.number("timeout"), 0))*time.Second, longestPoll)
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()

	s.mu.Lock()
	defer s.mu.Unlock()
	if s.state.Webhook.URL != "" {
		return nil, errWebhookSet
	}
	if err := s.setAllowed(p); err != nil {
		return nil, err
	}
	s.confirm(p.number("offset"))
	s.poll++
	mine := s.poll
	s.signal() // ends an older poll

	over := timeout == 0
	for len(s.state.Pending) == 0 && !over {
		wake := s.wake
		s.mu.Unlock()
		select {
		case <-wake:
		case <-deadline.C:
			over = true
		case <-ctx.Done():
			over = true
		}
		s.mu.Lock()
		switch {
		case s.state.Webhook.URL != "":
			return nil, errWebhookSet
		case s.poll != mine:
			return nil, errOtherPoll
		}
	}
	return append([]Update{}, s.state.Pending[:min(limit, len(s.state.Pending))]...), nil
}

// confirm deletes the updates before offset.
func (s *Server) confirm(offset int64) {
	before := len(s.state.Pending)
	s.state.Pending = slices.DeleteFunc(s.state.Pending, func(u Update) bool { return u.ID < offset })
	if len(s.state.Pending) != before {
		s.dirty = true
	}
}
