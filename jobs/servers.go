package jobs

import (
	"context"
	"log/slog"
	"sync"

	"mcbk/ton"
)

// serverLog names each lite server that is of no use, and tells when it is again. What holds for one reading only, such as a late
// answer, is no news; what no network explains is told at once and for good, since it shows only where something new is read.
type serverLog struct {
	log *slog.Logger

	mu    sync.Mutex
	last  map[string]ton.State // at the last reading, by address
	told  map[string]ton.State
	known map[string]bool // to have been told of for good
}

func newServerLog(log *slog.Logger) *serverLog {
	return &serverLog{log: log, last: map[string]ton.State{}, told: map[string]ton.State{}, known: map[string]bool{}}
}

func (l *serverLog) note(ctx context.Context, servers []ton.ServerState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range servers {
		state := s.State
		if state == ton.Slow { // by a block
			state = ton.Good
		}
		before, told := l.last[s.Address], l.told[s.Address]
		l.last[s.Address] = state
		switch {
		case forGood(state):
			if !l.known[s.Address] {
				l.known[s.Address] = true
				l.warn(ctx, s)
			}
			continue
		case useless(before) != useless(state), useless(told) == useless(state):
			continue
		case useless(state):
			l.warn(ctx, s)
		default:
			l.log.InfoContext(ctx, "a lite server is of use again", "server", s.Address)
		}
		l.told[s.Address] = state
	}
}

func (l *serverLog) warn(ctx context.Context, s ton.ServerState) {
	l.log.WarnContext(ctx, "a lite server is of no use", "server", s.Address, "state", s.State, "error", s.Err)
}

// useless reports whether a server helped nothing; of one that was never asked it is not known.
func useless(s ton.State) bool { return s != ton.Good && s != "" }

// forGood reports whether a server sent what cannot be true, is of another network, or keeps too little.
func forGood(s ton.State) bool { return s == ton.Lying || s == ton.Foreign || s == ton.Truncated }
