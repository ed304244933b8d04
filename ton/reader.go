package ton

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// defaultGrace is the wait for other servers after the first response. A silent server would otherwise cost its whole timeout at each
// read.
const defaultGrace = time.Second

// mostServers limits the servers of a read: the public list has dozens.
const mostServers = 5

// State is a lite server's result in the last read.
type State string

// States of a server.
const (
	Good      State = "good"
	Silent    State = "silent"    // no response in time
	Lagging   State = "lagging"   // more than a minute behind the others
	Slow      State = "slow"      // lacks the newest block of the majority
	Ahead     State = "ahead"     // has a block from the future
	Foreign   State = "foreign"   // of another network
	Differs   State = "differs"   // has another history than the others
	Lying     State = "lying"     // sent invalid data
	Truncated State = "truncated" // has pruned the history
)

// ServerState is a lite server's result and its newest block.
type ServerState struct {
	Address string // IP:port
	State   State
	Head    Block
	Err     error // nil for Good
}

// History are an account's transactions since a cursor.
type History struct {
	// Block is the final masterchain block of this history, complete up to Block.Time. The zero Block means no agreement.
	Block Block
	// Head is the account's latest transaction as of Block: the next cursor.
	Head Cursor
	// Agreed is how many servers agree on Block and Head; set after an error, too.
	Agreed int
	// Servers are the servers of this read; set after an error, too.
	Servers []ServerState
	// Transactions are those after the cursor up to Head, oldest first, without gaps.
	Transactions []Transaction
}

// Reader reads histories from lite servers. It connects at first use and keeps its connections.
type Reader struct {
	network Network
	source  string
	stuck   time.Duration // age at which a broken connection is replaced
	grace   time.Duration // for servers that respond after the first

	mu      sync.Mutex
	servers []*server // in the order of use
}

// NewReader takes a file or URL of a global configuration. It is loaded at the first read, so that a failure does not stop the program's
// start.
func NewReader(n Network, source string) *Reader {
	return &Reader{network: n, source: source, stuck: stuckAfter, grace: defaultGrace}
}

// Read lists the account's transactions after the cursor; the zero cursor means all. Errors are this package's, the configuration's or
// ctx's; then nothing may be credited, and the read may be retried. It takes at most some 15 s, and 5 s more for each server that fails
// meanwhile.
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

// ReadBack is Read for a history of any length: it passes pages to take, newest first, and leaves them out of the History. After an error
// the passed pages are valid but incomplete. An error of take ends it; without take the history is not read.
func (r *Reader) ReadBack(ctx context.Context, account Address, since Cursor, now time.Time, take func([]Transaction) error) (History, error) {
	servers, err := r.choose(ctx)
	if err != nil {
		return History{}, err
	}
	h, err := r.read(ctx, servers, account, since, now, take)
	r.putBack(servers, h.Servers)
	return h, err
}

// Head returns the account's current state without its transactions, which may be many or pruned.
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

// upToDate finds the up-to-date servers and the newest block that all of them have.
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

// choose returns the servers of a read; it loads the configuration at first.
func (r *Reader) choose(ctx context.Context) ([]*server, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.list(ctx); err != nil {
		return nil, err
	}
	return slices.Clone(r.servers[:min(mostServers, len(r.servers))]), nil
}

// Servers is the number of listed lite servers. The error is the configuration's or ctx's.
func (r *Reader) Servers(ctx context.Context) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	err := r.list(ctx)
	return len(r.servers), err
}

// list loads the configuration once. r must be locked.
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

// putBack moves failed servers to the end of the list.
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

// gather calls servers concurrently. It waits for all, but only grace after the first response.
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

// answered reports whether the server's last call ended, with or without an error.
func (s *ServerState) answered() bool { return !errors.Is(s.Err, context.DeadlineExceeded) }

// fail records a server's failure, unless err is nil.
func (s *ServerState) fail(err error) {
	s.Err = err
	switch {
	case err == nil:
		s.State = Good
	case errors.As(err, new(*LieError)):
		s.State = Lying
	case errors.As(err, new(*ForeignError)):
		s.State = Foreign
	case errors.Is(err, ErrTruncated):
		s.State = Truncated
	default:
		s.State = Silent
	}
}
