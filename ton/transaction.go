package ton

import (
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/tonkeeper/tongo/boc"
	"github.com/tonkeeper/tongo/tlb"

	"mcbk/game"
)

// Cursor identifies a transaction of an account; the zero value precedes the first.
type Cursor struct {
	LT   uint64 // logical time, growing
	Hash Hash
}

// Kind is the kind of a treasury's transaction.
type Kind string

// Only an incoming transaction is a payment.
const (
	Incoming Kind = "incoming" // received
	Returned Kind = "returned" // received and returned at once
	Bounced  Kind = "bounced"  // a transfer of the treasury's came back
	Outgoing Kind = "outgoing" // the owner's transfer
	Other    Kind = "other"    // internal to the chain
)

// Transaction is one transaction of an account.
type Transaction struct {
	Cursor
	Prev    Cursor
	Time    time.Time // the chain's, whole seconds
	Kind    Kind
	Source  Address      // the sender; zero unless an account
	Value   game.Nanoton // received TON, without extra currencies and jettons
	Comment Comment
	Sent    []Transfer
	BoC     []byte // the transaction's cells, whose hash is Hash
}

// Transfer is a message to another account.
type Transfer struct {
	To      Address
	Value   game.Nanoton
	Comment Comment
	Bounced bool // returned to the sender
}

// decode parses a transaction's cell as far as needed: the sender controls bodies and code, which must not hide the value.
func decode(cell *boc.Cell) (t Transaction, account [32]byte, err error) {
	if t.Hash, err = hashOf(cell); err != nil {
		return t, account, err
	}
	if t.BoC, err = cell.ToBoc(); err != nil {
		return t, account, err
	}
	cell.ShallowResetCounters()
	var head struct {
		Magic         tlb.Magic `tlb:"transaction$0111"`
		Account       tlb.Bits256
		LT            uint64
		PrevTransHash tlb.Bits256
		PrevTransLT   uint64
		Now           uint32
	}
	if err := tlb.Unmarshal(cell, &head); err != nil {
		return t, account, fmt.Errorf("read a transaction: %w", err)
	}
	t.LT, t.Time = head.LT, time.Unix(int64(head.Now), 0).UTC()
	t.Prev = Cursor{LT: head.PrevTransLT, Hash: Hash(head.PrevTransHash)}
	messages, err := cell.NextRef()
	if err != nil {
		return t, account, fmt.Errorf("messages of transaction %d: %w", t.LT, err)
	}
	if err := t.readMessages(messages); err != nil {
		return t, account, fmt.Errorf("messages of transaction %d: %w", t.LT, err)
	}
	return t, head.Account, nil
}

// HashOf returns the hash of a transaction's cells; an error if they are incomplete.
func HashOf(bag []byte) (h Hash, err error) {
	defer recoverLie(&err)
	cells, err := parseCells(bag, true)
	if err != nil {
		return h, err
	}
	if len(cells) != 1 {
		return h, fmt.Errorf("%d trees of cells", len(cells))
	}
	return hashOf(cells[0])
}

func (t *Transaction) readMessages(cell *boc.Cell) error {
	cell.ShallowResetCounters()
	t.Kind = Other
	came, err := cell.ReadBit()
	if err != nil {
		return err
	}
	if came {
		ref, err := cell.NextRef()
		if err != nil {
			return err
		}
		if err := t.readIncoming(ref); err != nil {
			return err
		}
	}
	var sent tlb.HashmapE[tlb.Uint15, tlb.Ref[tlb.Any]]
	if err := tlb.Unmarshal(cell, &sent); err != nil {
		return err
	}
	for _, ref := range sent.Values() {
		cell := boc.Cell(ref.Value)
		m, err := readMessage(&cell)
		if err != nil {
			return err
		}
		if !m.internal {
			continue // a contract's log
		}
		t.Sent = append(t.Sent, Transfer{To: m.dest, Value: m.value, Comment: m.comment, Bounced: m.bounced})
		if m.bounced && t.Kind == Incoming {
			t.Kind = Returned
		}
	}
	return nil
}

func (t *Transaction) readIncoming(cell *boc.Cell) error {
	m, err := readMessage(cell)
	if err != nil {
		return err
	}
	t.Source, t.Value, t.Comment = m.source, m.value, m.comment
	switch {
	case !m.internal:
		t.Kind = Outgoing
	case m.bounced:
		t.Kind = Bounced
	default:
		t.Kind = Incoming
	}
	return nil
}

// message is the used part of a message.
type message struct {
	internal     bool // between accounts
	bounced      bool
	source, dest Address
	value        game.Nanoton
	comment      Comment
}

func readMessage(cell *boc.Cell) (m message, err error) {
	cell.ShallowResetCounters()
	m.comment = Comment{Kind: CommentNone}
	if external, err := cell.ReadBit(); err != nil || external {
		return m, err
	}
	var info struct {
		IhrDisabled, Bounce, Bounced bool
		Src, Dest                    tlb.MsgAddress
		Value                        nanotons
		IhrFee                       tlb.VarUInteger16
		FwdFee                       tlb.Grams
		CreatedLT                    uint64
		CreatedAt                    uint32
	}
	if err := tlb.Unmarshal(cell, &info); err != nil {
		return m, err
	}
	m.internal, m.bounced = true, info.Bounced
	m.source, m.dest = addressOf(info.Src), addressOf(info.Dest)
	if info.Value > math.MaxInt64 {
		return m, errors.New("more nanotons than there can be")
	}
	m.value = game.Nanoton(info.Value) //nolint:gosec // compared above
	body, err := bodyOf(cell)
	if err != nil {
		m.comment = Comment{Kind: CommentBinary}
		return m, nil //nolint:nilerr // the value counts with any content
	}
	m.comment = commentOf(body)
	return m, nil
}

// bodyOf skips init:(Maybe (Either StateInit ^StateInit)) to body:(Either X ^X).
func bodyOf(cell *boc.Cell) (*boc.Cell, error) {
	hasInit, err := cell.ReadBit()
	if err != nil {
		return nil, err
	}
	if hasInit {
		if err := skipInit(cell); err != nil {
			return nil, err
		}
	}
	apart, err := cell.ReadBit()
	if err != nil {
		return nil, err
	}
	if !apart {
		return cell.CopyRemaining(), nil
	}
	body, err := cell.NextRef()
	if err == nil {
		body.ShallowResetCounters()
	}
	return body, err
}

// skipInit skips split_depth:(Maybe (## 5)) special:(Maybe TickTock) code:(Maybe ^Cell) data:(Maybe ^Cell)
// library:(HashmapE 256 SimpleLib), or the reference to them.
func skipInit(cell *boc.Cell) error {
	apart, err := cell.ReadBit()
	if err != nil {
		return err
	}
	if apart {
		_, err := cell.NextRef()
		return err
	}
	for _, bits := range []int{5, 2} {
		there, err := cell.ReadBit()
		if err == nil && there {
			err = cell.Skip(bits)
		}
		if err != nil {
			return err
		}
	}
	for range 3 {
		there, err := cell.ReadBit()
		if err == nil && there {
			_, err = cell.NextRef()
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// addressOf returns a sender's or recipient's account; zero if it is none.
func addressOf(m tlb.MsgAddress) Address {
	if m.SumType != "AddrStd" {
		return Address{}
	}
	return Address{Workchain: m.AddrStd.WorkchainId, Hash: m.AddrStd.Address}
}
