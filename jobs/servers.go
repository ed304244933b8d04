package jobs

import (
	"context"
	"log/slog"
	"sync"

	"mcbk/ton"
)

// serverLog names each lite server that is of no use, and tells when it is again. What holds for one reading only, such as a late
// answer, is no news.
type serverLog struct {
	log *slog.Logger

	mu   sync.Mutex
	last map[string]ton.State // at the last reading, by address
	told map[string]ton.State
}

func newServerLog(log *slog.Logger) *serverLog {
	return &serverLog{log: log, last: map[string]ton.State{}, told: map[string]ton.State{}}
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
		case state != before || state == told || state == ton.Good && told == "":
			continue
		case state == ton.Good:
			l.log.InfoContext(ctx, "a lite server is of use again", "server", s.Address)
		default:
			l.log.WarnContext(ctx, "a lite server is of no use", "server", s.Address, "state", state, "error", s.Err)
		}
		l.told[s.Address] = state
	}
}
