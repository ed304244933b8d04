// Package chain plays the TON network: a masterchain and one basechain shard
// whose contracts run in a real TVM, behind lite servers that any client can
// connect to, and wallets for the players. Blocks, proofs and validators are
// stand-ins.
package chain

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const (
	// ltStep is how much logical time a block has.
	ltStep = 1_000_000
	// maxMessages limits the messages caused by an external one.
	maxMessages = 64
	// keptBlocks are a quarter of an hour's.
	keptBlocks = 900
	// firstSeqno is subtracted from the Unix time at which a chain is opened, which numbers its next block: a reopened chain continues above
	// all former blocks.
	firstSeqno = 1_700_000_000
)

// ErrNotAccepted means that a contract did not accept an external message.
var ErrNotAccepted = errors.New("the contract did not accept the message")

// Config are a chain's dependencies.
type Config struct {
	// File stores the transactions; empty stores none.
	File string
	// Now is the blocks' time.
	Now func() time.Time
	// GlobalID is the network's number; 0 means the main network's.
	GlobalID int32
}

// Chain is the network.
type Chain struct {
	cfg     Config
	machine *tvm.TVM
	prices  *tvm.PreparedBlockchainConfig

	mu       sync.Mutex
	journal  *os.File
	accounts map[string]*account
	blocks   []block       // the latest, without gaps
	lt       uint64        // of the next transaction
	sealed   chan struct{} // closed and replaced with every block
}

// account is a contract with its history.
type account struct {
	state   *tvm.PreparedAccount
	storage *cell.Cell
	past    []transaction // oldest first
}

// transaction is a transaction with the account's state after it.
type transaction struct {
	lt    uint64
	hash  []byte
	cell  *cell.Cell
	after *cell.Cell // a ShardAccount
	block *ton.BlockIDExt
}

// Open continues the chain of cfg.File, or begins one.
func Open(cfg Config) (*Chain, error) {
	if cfg.GlobalID == 0 {
		cfg.GlobalID = -239
	}
	prices, err := prices()
	if err != nil {
		return nil, fmt.Errorf("make the network's prices: %w", err)
	}
	c := &Chain{
		cfg: cfg, machine: tvm.NewTVM(), prices: prices,
		accounts: map[string]*account{}, sealed: make(chan struct{}),
	}
	seqno := uint32(time.Now().Unix() - firstSeqno)
	last, err := c.load()
	if err != nil {
		return nil, fmt.Errorf("read the chain in %s: %w", cfg.File, err)
	}
	c.begin(max(seqno, last+1))
	return c, nil
}

// Tick seals an empty block.
func (c *Chain) Tick() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.seal()
}

// Run seals a block every second until stop is closed.
func (c *Chain) Run(stop <-chan struct{}) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			c.Tick()
		case <-stop:
			return
		}
	}
}

// Mint creates nanotons and sends them in an ordinary message.
func (c *Chain) Mint(to *address.Address, nanotons uint64, body *cell.Cell) error {
	if body == nil {
		body = cell.BeginCell().EndCell()
	}
	faucet := address.NewAddress(0, 0, bytes.Repeat([]byte{0xfa}, 32))
	c.mu.Lock()
	defer c.mu.Unlock()
	msg, err := tlb.ToCell(&tlb.InternalMessage{
		IHRDisabled: true, SrcAddr: faucet, DstAddr: to, Amount: tlb.FromNanoTONU(nanotons),
		CreatedLT: c.lt, CreatedAt: c.now(), Body: body,
	})
	if err != nil {
		return err
	}
	_, err = c.apply(msg)
	return err
}

// Send runs an external message, a bag of cells, with all messages it causes; it returns how many it sent itself.
func (c *Chain) Send(bag []byte) (caused int, err error) {
	msg, err := cell.FromBOC(bag)
	if err != nil {
		return 0, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.apply(msg)
}

// Balance is in nanotons.
func (c *Chain) Balance(of *address.Address) uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	if a := c.accounts[key(of)]; a != nil && a.state.State().IsValid {
		return a.state.State().Balance.Nano().Uint64()
	}
	return 0
}

// Known reports whether the account has any transaction.
func (c *Chain) Known(of *address.Address) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	a := c.accounts[key(of)]
	return a != nil && len(a.past) > 0
}

// Close closes the file.
func (c *Chain) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.journal == nil {
		return nil
	}
	return c.journal.Close()
}

// GlobalID is the network's number: -239 is the main network's.
func (c *Chain) GlobalID() int32 { return c.cfg.GlobalID }

// Head is the number of the newest block.
func (c *Chain) Head() uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.head().seqno
}

func (c *Chain) now() uint32 { return uint32(c.cfg.Now().Unix()) }

// apply runs a message and those it causes, and seals them into one block; it returns how many the first one sent. The caller holds the
// lock.
func (c *Chain) apply(first *cell.Cell) (caused int, err error) {
	ctx, err := c.prices.NewBlockContext(tvm.BlockOptions{Now: c.now(), RandSeed: c.head().master.RootHash})
	if err != nil {
		return 0, err
	}
	var touched []*account
	queue := []*cell.Cell{first}
	for n := 0; len(queue) > 0 && n < maxMessages; n++ {
		a, out, err := c.execute(ctx, queue[0])
		if n == 0 {
			if err != nil {
				return 0, err
			}
			caused = len(out)
		}
		queue = queue[1:]
		if err == nil { // a message that cannot run is dropped
			touched, queue = append(touched, a), append(queue, out...)
		}
	}
	c.seal()
	for _, a := range touched {
		for i := len(a.past) - 1; i >= 0 && a.past[i].block == nil; i-- {
			a.past[i].block = c.head().shard
		}
	}
	return caused, c.write(touched)
}

// execute runs a message as a transaction; it returns the sent messages.
func (c *Chain) execute(ctx *tvm.BlockContext, message *cell.Cell) (*account, []*cell.Cell, error) {
	msg, err := tvm.PrepareMessage(message)
	if err != nil {
		return nil, nil, err
	}
	to, err := destination(msg.Message())
	if err != nil {
		return nil, nil, err
	}
	a, err := c.account(to)
	if err != nil {
		return nil, nil, err
	}
	if err := c.rejuvenate(a); err != nil {
		return nil, nil, err
	}
	res, err := c.machine.EmulateTransaction(ctx, a.state, msg, tvm.TransactionOptions{
		LogicalTime: int64(c.lt), AccountStorageStat: a.storage,
	})
	if err != nil {
		return nil, nil, err
	}
	if res.TransactionCell == nil {
		return nil, nil, fmt.Errorf("%w (exit code %d)", ErrNotAccepted, res.ExitCode)
	}
	tx, err := res.ParseTransaction()
	if err != nil {
		return nil, nil, err
	}
	a.state, a.storage, c.lt = res.NextAccount, res.AccountStorageStat, res.EndLT
	a.past = append(a.past, transaction{lt: tx.LT, hash: tx.Hash, cell: res.TransactionCell, after: a.state.ShardAccountCell()})
	var out []*cell.Cell
	for _, m := range res.OutMessages {
		if m.Msg.MsgType == tlb.MsgTypeInternal {
			out = append(out, m.Cell)
		}
	}
	return a, out, nil
}

// rejuvenate resets an account's storage fee time after the sandbox's clock was set back, which no real account sees.
func (c *Chain) rejuvenate(a *account) error {
	state := *a.state.State()
	if !state.IsValid || state.StorageInfo.LastPaid <= c.now() {
		return nil
	}
	state.StorageInfo.LastPaid = c.now()
	shard := *a.state.ShardAccount()
	var err error
	if shard.Account, err = state.ToCell(); err != nil {
		return err
	}
	a.state, err = tvm.PrepareAccount(&shard, a.state.Address())
	return err
}

func destination(m *tlb.Message) (*address.Address, error) {
	switch m.MsgType {
	case tlb.MsgTypeInternal:
		return m.AsInternal().DstAddr, nil
	case tlb.MsgTypeExternalIn:
		return m.AsExternalIn().DstAddr, nil
	}
	return nil, fmt.Errorf("a message of type %s goes nowhere", m.MsgType)
}

func key(a *address.Address) string { return fmt.Sprintf("%d:%x", a.Workchain(), a.Data()) }

func (c *Chain) account(of *address.Address) (*account, error) {
	if a := c.accounts[key(of)]; a != nil {
		return a, nil
	}
	none := cell.BeginCell().MustStoreBoolBit(false).EndCell() // account_none$0
	state, err := tvm.PrepareAccount(&tlb.ShardAccount{Account: none, LastTransHash: make([]byte, 32)}, of)
	if err != nil {
		return nil, err
	}
	a := &account{state: state}
	c.accounts[key(of)] = a
	return a, nil
}

// asOf is an account's history up to the block, oldest first.
func (c *Chain) asOf(of *address.Address, seqno uint32) []transaction {
	a := c.accounts[key(of)]
	if a == nil {
		return nil
	}
	n := len(a.past)
	for n > 0 && a.past[n-1].block.SeqNo > seqno {
		n--
	}
	return a.past[:n]
}
