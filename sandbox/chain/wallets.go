package chain

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"fmt"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton/wallet"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

// Body is a kind of body of a transfer.
type Body string

// The bodies.
const (
	Comment   Body = "comment"   // a text
	Nothing   Body = "none"      // without a body
	Encrypted Body = "encrypted" // an encrypted text
	Jetton    Body = "jetton"    // a jetton's notification
	Binary    Body = "binary"    // a call of a contract's method
)

// Bodies are all of them.
var Bodies = []Body{Comment, Nothing, Encrypted, Jetton, Binary}

var (
	// ErrNoBody means an unknown kind of body.
	ErrNoBody = errors.New("no such body")
	// ErrTooLittle means that the balance does not cover a transfer and its fees.
	ErrTooLittle = errors.New("the wallet has too little for this transfer and its fees")
)

// Transfer is a transfer's parameters.
type Transfer struct {
	To       *address.Address
	Nanotons uint64
	Body     Body
	Text     string
	// Bounce returns the money from an account without a contract.
	Bounce bool
	// Cell is a prepared body instead of Body.
	Cell *cell.Cell
	// Init deploys a contract at the recipient, if not nil.
	Init *tlb.StateInit
}

// Wallet is a version 5 wallet contract. Its key is derived from the owner's name: the same in every run and public.
type Wallet struct {
	chain *Chain
	key   ed25519.PrivateKey
	*wallet.Wallet
}

// Wallet is an owner's wallet. It needs a balance, and the first transfer deploys its contract.
func (c *Chain) Wallet(owner string) (*Wallet, error) {
	seed := sha256.Sum256([]byte("wallet of " + owner))
	w := &Wallet{chain: c, key: ed25519.NewKeyFromSeed(seed[:])}
	var err error
	w.Wallet, err = wallet.FromPrivateKeyWithOptions(w.key, wallet.ConfigV5R1Final{NetworkGlobalID: c.cfg.GlobalID})
	if err != nil {
		return nil, fmt.Errorf("wallet of %s: %w", owner, err)
	}
	return w, nil
}

// PublicKey is the contract's key.
func (w *Wallet) PublicKey() ed25519.PublicKey { return w.key.Public().(ed25519.PublicKey) }

// Sign signs a digest with the wallet's key.
func (w *Wallet) Sign(digest []byte) []byte { return ed25519.Sign(w.key, digest) }

// StateInit is the cell whose hash is the address.
func (w *Wallet) StateInit() (*cell.Cell, error) {
	version := wallet.ConfigV5R1Final{NetworkGlobalID: w.chain.cfg.GlobalID}
	init, err := wallet.GetStateInit(w.PublicKey(), version, w.GetSubwalletID())
	if err != nil {
		return nil, err
	}
	return tlb.ToCell(init)
}

// Send makes transfers, fees on top, with one external message, whose bag of cells it returns. With too small a balance the wallet
// accepts the message and moves nothing, or a part, like a real one; the error is ErrTooLittle.
func (w *Wallet) Send(list ...Transfer) (bag []byte, err error) {
	var messages []*wallet.Message
	for _, t := range list {
		body, err := w.body(t)
		if err != nil {
			return nil, err
		}
		message := wallet.SimpleMessage(t.To, tlb.FromNanoTONU(t.Nanotons), body)
		message.InternalMessage.Bounce, message.InternalMessage.StateInit = t.Bounce, t.Init
		messages = append(messages, message)
	}
	if bag, err = w.sign(messages); err != nil {
		return nil, err
	}
	caused, err := w.chain.Send(bag)
	if err == nil && caused < len(list) {
		err = ErrTooLittle
	}
	return bag, err
}

// sign makes the external message for these transfers.
func (w *Wallet) sign(messages []*wallet.Message) (bag []byte, err error) {
	seqno, deployed, err := w.seqno()
	if err != nil {
		return nil, err
	}
	spec, ok := w.GetSpec().(*wallet.SpecV5R1Final)
	if !ok {
		return nil, errors.New("the wallet is not of version 5")
	}
	spec.SetSeqnoFetcher(func(context.Context, uint32) (uint32, error) { return seqno, nil })
	// The library uses the real time, the chain the sandbox's.
	ahead := w.chain.cfg.Now().Unix() - time.Now().Unix()
	spec.SetMessagesTTL(uint32(max(ahead, 0) + 300))
	external, err := w.PrepareExternalMessageForMany(context.Background(), !deployed, messages)
	if err != nil {
		return nil, err
	}
	c, err := tlb.ToCell(external)
	if err != nil {
		return nil, err
	}
	return c.ToBOC(), nil
}

// seqno is the wallet's next message number.
func (w *Wallet) seqno() (next uint32, deployed bool, err error) {
	w.chain.mu.Lock()
	defer w.chain.mu.Unlock()
	code, stack, err := w.chain.call(w.WalletAddress(), tlb.MethodNameHash("seqno"), tlb.NewStack())
	if err != nil || code == noCode {
		return 0, false, err
	}
	value, err := stack.Pop()
	if err != nil {
		return 0, false, err
	}
	n, ok := value.(interface{ Uint64() uint64 })
	if !ok {
		return 0, false, fmt.Errorf("the wallet counts in %T", value)
	}
	return uint32(n.Uint64()), true, nil
}

func (w *Wallet) body(t Transfer) (*cell.Cell, error) {
	if t.Cell != nil {
		return t.Cell, nil
	}
	switch t.Body {
	case Comment:
		return wallet.CreateCommentCell(t.Text)
	case Nothing:
		return cell.BeginCell().EndCell(), nil
	case Encrypted:
		receiver := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)).Public().(ed25519.PublicKey)
		return wallet.CreateEncryptedCommentCell(t.Text, w.WalletAddress(), w.key, receiver)
	case Jetton:
		forward, err := wallet.CreateCommentCell(t.Text)
		if err != nil {
			return nil, err
		}
		return cell.BeginCell().MustStoreUInt(0x7362d09c, 32).MustStoreUInt(1, 64).MustStoreCoins(5_000_000_000).
			MustStoreAddr(w.WalletAddress()).MustStoreBoolBit(true).MustStoreRef(forward).EndCell(), nil
	case Binary:
		return cell.BeginCell().MustStoreUInt(0xd53276db, 32).MustStoreUInt(1, 64).EndCell(), nil
	}
	return nil, fmt.Errorf("%w: %q", ErrNoBody, t.Body)
}
