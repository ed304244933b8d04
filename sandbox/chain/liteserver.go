package chain

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
)

// Fault is a lite server's fault.
type Fault string

// The faults.
const (
	None      Fault = ""
	Silent    Fault = "silent"    // accepts queries and never responds
	Lagging   Fault = "lagging"   // stays at its block
	Lying     Fault = "lying"     // shows ten times the value of transactions
	Differing Fault = "differing" // shows another latest transaction consistently
	Forgetful Fault = "forgetful" // has the latest transaction only
)

// Faults are all of them.
var Faults = []Fault{None, Silent, Lagging, Lying, Differing, Forgetful}

// LiteServer answers queries by the protocol of TON's lite servers.
type LiteServer struct {
	Address string // IP:port
	Key     ed25519.PublicKey

	chain  *Chain
	server *liteclient.Server

	mu    sync.Mutex
	fault Fault
	limit uint32 // a lagging server's newest block
}

// Serve starts a lite server on a free port. Its key is derived from name, so it survives restarts.
func Serve(c *Chain, name string) (*LiteServer, error) {
	seed := sha256.Sum256([]byte("lite server " + name))
	key := ed25519.NewKeyFromSeed(seed[:])
	s := &LiteServer{Key: key.Public().(ed25519.PublicKey), chain: c, server: liteclient.NewServer([]ed25519.PrivateKey{key})}
	s.server.SetQueryHandler(s.handle)
	var err error
	for range 3 { // another process may take the free port
		if err = s.listen(); err == nil {
			return s, nil
		}
	}
	return nil, err
}

func (s *LiteServer) listen() error {
	port, err := freePort()
	if err != nil {
		return err
	}
	s.Address = "127.0.0.1:" + strconv.Itoa(port)
	failed := make(chan error, 1)
	go func() { failed <- s.server.Listen(s.Address) }()
	return s.wait(failed)
}

// freePort is needed because the library does not return its port.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // nothing to cancel
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

func (s *LiteServer) wait(failed <-chan error) error {
	for range 200 {
		select {
		case err := <-failed:
			return fmt.Errorf("lite server %s: %w", s.Address, err)
		case <-time.After(5 * time.Millisecond):
		}
		conn, err := net.DialTimeout("tcp", s.Address, time.Second) //nolint:noctx // nothing to cancel
		if err == nil {
			return conn.Close()
		}
	}
	return fmt.Errorf("lite server %s does not listen", s.Address)
}

// Close stops it. Open connections stay.
func (s *LiteServer) Close() error { return s.server.Close() }

// SetFault sets a fault, or clears it with None.
func (s *LiteServer) SetFault(f Fault) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fault, s.limit = f, s.chain.Head()
}

// Fault returns the current fault.
func (s *LiteServer) Fault() Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.fault
}

// view is the chain as a server shows it: up to a block, with its fault.
type view struct {
	*Chain
	fault Fault
	limit uint32
}

func (s *LiteServer) view() view {
	s.mu.Lock()
	defer s.mu.Unlock()
	v := view{Chain: s.chain, fault: s.fault, limit: s.chain.Head()}
	if s.fault == Lagging {
		v.limit = s.limit
	}
	return v
}

// handle must not block: it also delays the connection's pings.
func (s *LiteServer) handle(ctx context.Context, client *liteclient.ServerClient, id []byte, query tl.Serializable) {
	id = append([]byte(nil), id...)
	if s.Fault() == Silent {
		return
	}
	go func() {
		answer, err := s.answer(ctx, query)
		var refused ton.LSError
		switch {
		case errors.As(err, &refused):
			answer = refused
		case err != nil:
			answer = ton.LSError{Code: 651, Text: err.Error()}
		}
		client.Answer(id, answer)
	}()
}

func (s *LiteServer) answer(ctx context.Context, query tl.Serializable) (tl.Serializable, error) {
	if list, ok := query.([]tl.Serializable); ok { // a wait with the query
		wait, ok := list[0].(ton.WaitMasterchainSeqno)
		if !ok || len(list) != 2 {
			return nil, ton.LSError{Code: 621, Text: "unexpected query prefix"}
		}
		if err := s.waitFor(ctx, uint32(wait.Seqno), time.Duration(wait.Timeout)*time.Millisecond); err != nil {
			return nil, err
		}
		query = list[1]
	}
	return s.view().answer(query)
}

func (s *LiteServer) waitFor(ctx context.Context, seqno uint32, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for {
		s.chain.mu.Lock()
		next := s.chain.sealed
		s.chain.mu.Unlock()
		if s.view().limit >= seqno {
			return nil
		}
		select {
		case <-next:
		case <-timer.C:
			return ton.LSError{Code: 652, Text: "timeout"}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
