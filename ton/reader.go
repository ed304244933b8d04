package ton

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// defaultGrace is how long the other servers are waited for once one has answered. A silent server would otherwise cost its whole
// timeout at each read.
const defaultGrace = time.Second

// mostServers is the most servers that a read asks: the public network's list has dozens.
const mostServers = 5

// State is how a lite server did in the last read.
type State string

// The states of a server.
const (
	Good      State = "good"
	Silent    State = "silent"    // no answer, or not in time
	Lagging   State = "lagging"   // more than a minute behind the others
	Slow      State = "slow"      // does not have the newest block that most have
	Ahead     State = "ahead"     // shows a block from the future
	Foreign   State = "foreign"   // of another network
	Differs   State = "differs"   // shows another history than the others
	Lying     State = "lying"     // sent what cannot be true
	Truncated State = "truncated" // does not keep history that old
)

// ServerState is how one lite server did, and its newest block.
type ServerState struct {
	Address string // IP:port
	State   State
	Head    Block
	Err     error // why; nil for a good one
}

// History is what happened to an account since a cursor.
type History struct {
	// Block is the final masterchain block as of which this is: what is not listed had not happened by Block.Time. It is the zero
	// Block if nothing was agreed on.
	Block Block
	// Head is the account's latest transaction as of Block: the next cursor.
	Head Cursor
	// Agreed is how many servers show the same Block and Head; set after an error, too.
	Agreed int
	// Servers are the servers that were asked; set after an error, too.
	Servers []ServerState
	// Transactions are those after the cursor up to Head, oldest first, an unbroken chain.
	Transactions []Transaction
}

// Reader reads histories from lite servers. It connects when it is first used, and keeps its connections as long as the program
// runs.
type Reader struct {
	network Network
	source  string
	stuck   time.Duration // after which a connection is replaced
	grace   time.Duration // for servers that answer after the first

	mu      sync.Mutex
	servers []*server // in the order in which to ask them
}

// NewReader takes the lite servers from a file or URL with a global configuration. It does not read it yet: whatever is wrong
// with the chain is an error of a read, never of the program's start.
func NewReader(n Network, source string) *Reader {
	return &Reader{network: n, source: source, stuck: stuckAfter, grace: defaultGrace}
}

// Read lists what happened to the account after the cursor. The zero cursor means all of its life. An error is one of those of
// this package, one of the configuration, or ctx's; then nothing may be credited, and the same read may be tried again. It takes
// some 15 s at worst, and 5 s more for each server that stops answering in between.
func (r *Reader) Read(ctx context.Context, account Address, since Cursor, now time.Time) (History, error) {
	var newest []Transaction
	h, err := r.ReadBack(ctx, account, since, now, func(page []Transaction) error {
		newest = append(newest, page...)
		return nil
	})
	if err == nil {
		slices.Reverse(newest)
		h.Transactions = newest
	}
	return h, err
}

// ReadBack is like Read for a history of any length: it hands over the transactions page by page, newest first, and leaves them
// out of the History. After an error, what was handed over is true but incomplete. An error of take ends it; without a take the
// history is not read.
func (r *Reader) ReadBack(ctx context.Context, account Address, since Cursor, now time.Time, take func([]Transaction) error) (History, error) {
	servers, err := r.choose(ctx)
	if err != nil {
		return History{}, err
	}
	h, err := r.read(ctx, servers, account, since, now, take)
	r.putBack(servers, h.Servers)
	return h, err
}

// Head returns the account's state now and none of its history, which may be long, or no longer kept by the servers. The History
// has no transactions.
func (r *Reader) Head(ctx context.Context, account Address, now time.Time) (History, error) {
	return r.ReadBack(ctx, account, Cursor{}, now, nil)
}

func (r *Reader) read(ctx context.Context, servers []*server, account Address, since Cursor, now time.Time, take func([]Transaction) error) (History, error) {
	var (
		h     History
		fresh []int
		seqno uint32
	)
	h.Servers, fresh, seqno = r.upToDate(ctx, servers, now)
	views := gather(ctx, r.grace, fresh, h.Servers, func(ctx context.Context, i int) (accountView, error) {
		return servers[i].readAccount(ctx, account, seqno)
	})
	if ctx.Err() != nil {
		return h, ctx.Err()
	}
	seen, holders, err := agree(views, fresh, h.Servers)
	if err != nil {
		return h, err
	}
	h.Agreed = len(holders)
	pagers := make([]pager, len(holders))
	for i, holder := range holders {
		pagers[i] = servers[holder]
	}
	if take != nil {
		err = walk(ctx, account, seen.head, since, pagers, func(i int, err error) { h.Servers[holders[i]].fail(err) }, take)
		if err != nil {
			return h, err
		}
	}
	h.Block, h.Head = seen.block, seen.head
	return h, nil
}

// upToDate asks servers for their newest blocks, and finds those that are up to date and the newest block that all of them have.
func (r *Reader) upToDate(ctx context.Context, servers []*server, now time.Time) (states []ServerState, fresh []int, seqno uint32) {
	states = make([]ServerState, len(servers))
	all := make([]int, len(servers))
	for i, s := range servers {
		all[i], states[i] = i, ServerState{Address: s.address, State: Silent}
	}
	heads := gather(ctx, r.grace, all, states, func(ctx context.Context, i int) (Block, error) { return servers[i].newest(ctx) })
	fresh, seqno = upToDate(heads, now, states)
	return states, fresh, seqno
}

// choose returns the servers to ask. It reads the configuration once that is possible.
func (r *Reader) choose(ctx context.Context) ([]*server, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.list(ctx); err != nil {
		return nil, err
	}
	return slices.Clone(r.servers[:min(mostServers, len(r.servers))]), nil
}

// Servers returns how many lite servers are listed. An error is one of the configuration, or ctx's.
func (r *Reader) Servers(ctx context.Context) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.list(ctx)
	return len(r.servers), err
}

// list reads the configuration unless that was done. r must be locked.
func (r *Reader) list(ctx context.Context) error {
	if r.servers != nil {
		return nil
	}
	servers, err := readServers(ctx, r.source, r.network)
	if err != nil {
		return err
	}
	for _, s := range servers {
		s.stuck = r.stuck
	}
	r.servers = servers
	return nil
}

// putBack moves servers that failed to the end of the list, so that others are asked next.
func (r *Reader) putBack(servers []*server, states []ServerState) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.servers) <= mostServers {
		return
	}
	for i, s := range servers {
		if states[i].State != Good && states[i].State != Slow {
			r.servers = append(slices.DeleteFunc(r.servers, func(one *server) bool { return one == s }), s)
		}
	}
}

// gather asks servers at once. It waits for all of them, but only grace after the first answer.
func gather[T any](ctx context.Context, grace time.Duration, servers []int, states []ServerState, do func(context.Context, int) (T, error)) map[int]T {
	type answer struct {
		server int
		value  T
		err    error
	}
	answers := make(chan answer, len(servers))
	for _, i := range servers {
		go func() {
			value, err := do(ctx, i)
			answers <- answer{i, value, err}
		}()
	}
	got := map[int]T{}
	for _, i := range servers {
		states[i].State, states[i].Err = Silent, context.DeadlineExceeded
	}
	var late <-chan time.Time
	for range servers {
		select {
		case a := <-answers:
			if a.err != nil {
				states[a.server].fail(a.err)
				continue
			}
			states[a.server].State, states[a.server].Err = Good, nil
			got[a.server] = a.value
			if late == nil {
				late = time.After(grace)
			}
		case <-late:
			return got
		case <-ctx.Done():
			return got
		}
	}
	return got
}

// answered reports whether the server answered what it was asked last, be it with an error, or could not be asked any more.
func (s *ServerState) answered() bool { return !errors.Is(s.Err, context.DeadlineExceeded) }

// fail records what a server did wrong; if err is nil it does nothing.
func (s *ServerState) fail(err error) {
	var (
		lie     *LieError
		foreign *ForeignError
	)
	s.Err = err
	switch {
	case err == nil:
		s.State = Good
	case errors.As(err, &lie):
		s.State = Lying
	case errors.As(err, &foreign):
		s.State = Foreign
	case errors.Is(err, ErrTruncated):
		s.State = Truncated
	default:
		s.State = Silent
	}
}
