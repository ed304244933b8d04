package ton

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/tonkeeper/tongo/boc"
	"github.com/tonkeeper/tongo/config"
	"github.com/tonkeeper/tongo/liteclient"
	"github.com/tonkeeper/tongo/tl"
	"github.com/tonkeeper/tongo/tlb"
	"github.com/tonkeeper/tongo/ton"
)

const (
	// serverTimeout limits one step of one server.
	serverTimeout = 5 * time.Second
	// stuckAfter is the default of server.stuck: most connections recover, but the library never gives up an unanswered handshake.
	stuckAfter = 2 * time.Minute
	// pageSize is the maximum of lite servers.
	pageSize = 16
	// truncatedCode is a lite server's error for pruned history.
	truncatedCode = -400
)

const (
	masterchain      = 0xffffffff // -1, as the protocol writes it
	masterchainShard = 1 << 63
)

var errConnecting = errors.New("not connected")

// server is one lite server, connected at first use.
type server struct {
	address string // IP:port
	key     []byte
	network Network
	stuck   time.Duration // age at which a broken connection is replaced

	mu     sync.Mutex
	client *liteclient.Client
	dial   *dial
	down   *time.Timer // runs while disconnected
}

// dial is an attempt to connect.
type dial struct {
	done   chan struct{}
	client *liteclient.Client
	err    error
}

func newServer(s config.LiteServer, n Network) (*server, error) {
	key, err := base64.StdEncoding.DecodeString(s.Key)
	if err != nil || len(key) != 32 {
		return nil, fmt.Errorf("the key of lite server %s is malformed", s.Host)
	}
	return &server{address: s.Host, key: key, network: n}, nil
}

// connect waits for a connection until ctx ends; the attempt goes on.
func (s *server) connect(ctx context.Context) (*liteclient.Client, error) {
	s.mu.Lock()
	client, d := s.client, s.dial
	if client == nil && d == nil {
		d = &dial{done: make(chan struct{})}
		s.dial = d
		go s.open(d)
	}
	s.mu.Unlock()
	if client != nil {
		return client, nil
	}
	select {
	case <-d.done:
		return d.client, d.err
	case <-ctx.Done():
		return nil, errConnecting
	}
}

func (s *server) open(d *dial) {
	stuck := time.AfterFunc(s.stuck, func() { s.forget(d) })
	defer stuck.Stop()
	ctx, cancel := context.WithTimeout(context.Background(), serverTimeout)
	defer cancel()
	conn, err := liteclient.NewConnection(ctx, s.key, s.address)
	if err == nil {
		d.client = liteclient.NewClient(conn, liteclient.OptionTimeout(serverTimeout))
	}
	d.err = err
	s.mu.Lock()
	if s.dial == d {
		s.client, s.dial = d.client, nil
	}
	s.mu.Unlock()
	close(d.done)
}

func (s *server) forget(d *dial) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dial == d {
		s.dial = nil
	}
}

// watch replaces a connection that stays down.
func (s *server) watch(client *liteclient.Client) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if client.IsOK() || s.down != nil || s.client != client {
		return
	}
	s.down = time.AfterFunc(s.stuck, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.down = nil
		if s.client == client && !client.IsOK() {
			s.client = nil
		}
	})
}

// ask calls do with the connection, and returns at the server's timeout even if the library hangs.
func ask[T any](ctx context.Context, s *server, do func(context.Context, *liteclient.Client) (T, error)) (T, error) {
	type answer struct {
		value T
		err   error
	}
	ctx, cancel := context.WithTimeout(ctx, serverTimeout)
	defer cancel()
	answered := make(chan answer, 1)
	go func() {
		var a answer
		defer func() { answered <- a }()
		defer recoverLie(&a.err)
		client, err := s.connect(ctx)
		if err != nil {
			a.err = err
			return
		}
		if a.value, a.err = do(ctx, client); a.err != nil {
			s.watch(client)
		}
	}()
	select {
	case a := <-answered:
		return a.value, a.err
	case <-ctx.Done():
		var none T
		return none, ctx.Err()
	}
}

func (s *server) newest(ctx context.Context) (Block, error) {
	return ask(ctx, s, func(ctx context.Context, c *liteclient.Client) (Block, error) {
		info, err := c.LiteServerGetMasterchainInfo(ctx)
		if err != nil {
			return Block{}, err
		}
		header, err := c.LiteServerGetBlockHeader(ctx, liteclient.LiteServerGetBlockHeaderRequest{Id: info.Last})
		if err != nil {
			return Block{}, err
		}
		if header.Id != info.Last {
			return Block{}, &LieError{"it answers with another block"}
		}
		return s.blockOf(header)
	})
}

// readAccount returns the account as of the masterchain's block of this number.
func (s *server) readAccount(ctx context.Context, account Address, seqno uint32) (accountView, error) {
	return ask(ctx, s, func(ctx context.Context, c *liteclient.Client) (seen accountView, err error) {
		block, state, err := s.state(ctx, c, account, seqno)
		if err != nil {
			return seen, err
		}
		seen.block = block
		if len(state.State) == 0 {
			return seen, nil // no transaction ever
		}
		seen.head, err = lastOf(state.Proof, account)
		return seen, err
	})
}

// state returns an account's serialized state as of the masterchain's block of this number.
func (s *server) state(ctx context.Context, c *liteclient.Client, account Address, seqno uint32) (b Block, state liteclient.LiteServerAccountStateC, err error) {
	header, err := c.LiteServerLookupBlock(ctx, liteclient.LiteServerLookupBlockRequest{
		Mode: 1, Id: liteclient.TonNodeBlockIdC{Workchain: masterchain, Shard: masterchainShard, Seqno: seqno},
	})
	if err != nil {
		return b, state, err
	}
	if b, err = s.blockOf(header); err != nil {
		return b, state, err
	}
	if b.Seqno != seqno {
		return b, state, &LieError{"it answers with another block"}
	}
	state, err = c.LiteServerGetAccountState(ctx, liteclient.LiteServerGetAccountStateRequest{
		Id: header.Id, Account: liteclient.AccountID(tongoAddress(account)),
	})
	if err == nil && state.Id != header.Id {
		err = &LieError{"it answers with another block's state"}
	}
	return b, state, err
}

func (s *server) blockOf(h liteclient.LiteServerBlockHeaderC) (Block, error) {
	cells, err := parseCells(h.HeaderProof, false)
	if err != nil {
		return Block{}, fmt.Errorf("read a block's header: %w", err)
	}
	var proof struct {
		Proof tlb.MerkleProof[tlb.BlockHeader]
	}
	if len(cells) != 1 {
		return Block{}, errors.New("a block's header has not one root")
	}
	if err := tlb.Unmarshal(cells[0], &proof); err != nil {
		return Block{}, fmt.Errorf("read a block's header: %w", err)
	}
	header := proof.Proof.VirtualRoot
	switch {
	case header.GlobalId != s.network.globalID():
		return Block{}, &ForeignError{GlobalID: header.GlobalId}
	case h.Id.Workchain != masterchain || header.Info.NotMaster || header.Info.SeqNo != h.Id.Seqno ||
		proof.Proof.VirtualHash != tlb.Bits256(h.Id.RootHash):
		return Block{}, &LieError{"a block's header is not that block's"}
	}
	return Block{
		Seqno: h.Id.Seqno, RootHash: Hash(h.Id.RootHash), FileHash: Hash(h.Id.FileHash),
		Time: time.Unix(int64(header.Info.GenUtime), 0).UTC(),
	}, nil
}

// lastOf returns the latest transaction in the proof of an account's state.
func lastOf(bag []byte, account Address) (Cursor, error) {
	cells, err := parseCells(bag, false)
	if err != nil {
		return Cursor{}, fmt.Errorf("read the proof of a state: %w", err)
	}
	if len(cells) < 2 {
		return Cursor{}, errors.New("the proof of a state has no second root")
	}
	var proof struct {
		Proof tlb.MerkleProof[tlb.ShardStateUnsplit]
	}
	if err := tlb.Unmarshal(cells[1], &proof); err != nil {
		return Cursor{}, fmt.Errorf("read the proof of a state: %w", err)
	}
	accounts := proof.Proof.VirtualRoot.ShardStateUnsplit.Accounts
	states := accounts.Values()
	for i, key := range accounts.Keys() {
		if key == tlb.Bits256(account.Hash) {
			return Cursor{LT: states[i].LastTransLt, Hash: Hash(states[i].LastTransHash)}, nil
		}
	}
	return Cursor{}, errors.New("the proof of a state does not show the account")
}

// page returns at most that many transactions, backwards from the given one.
func (s *server) page(ctx context.Context, account Address, from Cursor, most uint32) ([]*boc.Cell, error) {
	return ask(ctx, s, func(ctx context.Context, c *liteclient.Client) ([]*boc.Cell, error) {
		bag, err := transactions(ctx, c, liteclient.LiteServerGetTransactionsRequest{
			Count: most, Account: liteclient.AccountID(tongoAddress(account)), Lt: from.LT, Hash: tl.Int256(from.Hash),
		})
		var refused liteclient.LiteServerErrorC
		switch {
		case errors.As(err, &refused) && int32(refused.Code) == truncatedCode: //nolint:gosec // sent as an unsigned number
			return nil, fmt.Errorf("%w: %w", ErrTruncated, err)
		case err != nil:
			return nil, err
		case len(bag) == 0:
			return nil, nil
		}
		cells, err := parseCells(bag, true)
		if err != nil {
			return nil, &LieError{"its transactions cannot be read: " + err.Error()}
		}
		return cells, nil
	})
}

func tongoAddress(a Address) ton.AccountID {
	return ton.AccountID{Workchain: int32(a.Workchain), Address: a.Hash}
}

// ForeignError means a server of another network.
type ForeignError struct{ GlobalID int32 }

func (e *ForeignError) Error() string {
	return fmt.Sprintf("it serves another network, whose global id is %d", e.GlobalID)
}
