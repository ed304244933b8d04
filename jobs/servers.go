package jobs

import (
	"context"
	"log/slog"
	"sync"

	"mcbk/ton"
)

// serverLog logs when a lite server fails and recovers. A single failed read, such as a late response, is not logged; a permanent
// failure is logged at once and once, since it shows only where something new is read.
type serverLog struct {
	log *slog.Logger

	mu        sync.Mutex
	last      map[string]ton.State // of the last read, by address
	logged    map[string]ton.State
	permanent map[string]bool // failures already logged that never end
}

func newServerLog(log *slog.Logger) *serverLog {
	return &serverLog{log: log, last: map[string]ton.State{}, logged: map[string]ton.State{}, permanent: map[string]bool{}}
}

func (l *serverLog) record(ctx context.Context, servers []ton.ServerState) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, s := range servers {
		state := s.State
		if state == ton.Slow { // by a block
			state = ton.Good
		}
		before, logged := l.last[s.Address], l.logged[s.Address]
		l.last[s.Address] = state
		switch {
		case isPermanent(state):
			if !l.permanent[s.Address] {
				l.permanent[s.Address] = true
				l.warn(ctx, s)
			}
			continue
		case isUseless(before) != isUseless(state), isUseless(logged) == isUseless(state):
			continue
		case isUseless(state):
			l.warn(ctx, s)
		default:
			l.log.InfoContext(ctx, "lite server recovered", "server", s.Address)
		}
		l.logged[s.Address] = state
	}
}

func (l *serverLog) warn(ctx context.Context, s ton.ServerState) {
	l.log.WarnContext(ctx, "lite server failed", "server", s.Address, "state", s.State, "error", s.Err)
}

// isUseless reports whether a server failed; an unused one did not.
func isUseless(s ton.State) bool { return s != ton.Good && s != "" }

// isPermanent reports whether a server sent invalid data, is of another network, or has pruned too much.
func isPermanent(s ton.State) bool { return s == ton.Lying || s == ton.Foreign || s == ton.Truncated }
