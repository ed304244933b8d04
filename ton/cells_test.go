package ton

import (
	"encoding/binary"
	"errors"
	"math"
	"testing"

	"github.com/tonkeeper/tongo/boc"
	"github.com/tonkeeper/tongo/liteclient"
	"github.com/tonkeeper/tongo/tlb"
)

// event is a transaction in a test's notation.
type event struct {
	lt      uint64
	prev    Cursor
	account Address
	in      *mail
	out     []mail
	order   bool // caused by an external message
}

// mail is a message in a test's notation.
type mail struct {
	from, to Address
	nanotons uint64
	others   *boc.Cell // a dictionary of other currencies
	bounced  bool
	body     *boc.Cell
	apart    bool // the body is in a cell of its own
	init     int  // 1: a contract in the message's own cell, 2: in one of its own, 3: a library there
}

func must(t testing.TB, errs ...error) {
	t.Helper()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

// check checks a condition; the rest says what is wrong without it, as for Errorf.
func check(t testing.TB, ok bool, format string, args ...any) {
	t.Helper()
	if !ok {
		t.Errorf(format, args...)
	}
}

func std(a Address) tlb.MsgAddress {
	m := tlb.MsgAddress{SumType: "AddrStd"}
	m.AddrStd.WorkchainId, m.AddrStd.Address = a.Workchain, a.Hash
	return m
}

func (e event) cell(t testing.TB) *boc.Cell {
	t.Helper()
	c, messages, update, description := boc.NewCell(), boc.NewCell(), boc.NewCell(), boc.NewCell()
	must(t, c.WriteUint(0b0111, 4), c.WriteBytes(e.account.Hash[:]), c.WriteUint(e.lt, 64), c.WriteBytes(e.prev.Hash[:]),
		c.WriteUint(e.prev.LT, 64), c.WriteUint(1_800_000_000, 32), c.WriteUint(uint64(len(e.out)), 15), c.WriteUint(0b1010, 4),
		messages.WriteBit(e.in != nil || e.order))
	switch {
	case e.order:
		order := boc.NewCell()
		must(t, order.WriteUint(0b1000, 4), tlb.Marshal(order, std(e.account)), order.WriteUint(0, 4), order.WriteUint(0, 2), messages.AddRef(order))
	case e.in != nil:
		must(t, messages.AddRef(e.in.cell(t)))
	}
	var keys []tlb.Uint15
	var sent []tlb.Ref[tlb.Any]
	for i, m := range e.out {
		keys, sent = append(keys, tlb.Uint15(i)), append(sent, tlb.Ref[tlb.Any]{Value: tlb.Any(*m.cell(t))}) //nolint:gosec // a few
	}
	must(t, tlb.Marshal(messages, tlb.NewHashmapE(keys, sent)), c.AddRef(messages))
	must(t, c.WriteUint(0, 5), c.AddRef(update), c.AddRef(description))
	return c
}

func (m mail) cell(t testing.TB) *boc.Cell {
	t.Helper()
	c := boc.NewCell()
	must(t, c.WriteUint(0b010, 3), c.WriteBit(m.bounced), tlb.Marshal(c, std(m.from)), tlb.Marshal(c, std(m.to)),
		tlb.Marshal(c, tlb.Grams(m.nanotons)), c.WriteBit(m.others != nil), c.WriteUint(0, 8), c.WriteUint(0, 64), c.WriteUint(0, 32))
	if m.others != nil {
		must(t, c.AddRef(m.others))
	}
	switch m.init {
	case 0:
		must(t, c.WriteBit(false))
	case 1: // code and data, tick and tock, a depth
		must(t, c.WriteUint(0b10, 2), c.WriteUint(0b1_00011_1_11_1_1_0, 12), c.AddRef(boc.NewCell()), c.AddRef(library(t)))
	default:
		contract := boc.NewCell()
		if m.init == 3 {
			contract = library(t)
		}
		must(t, c.WriteUint(0b11, 2), c.AddRef(contract))
	}
	body := m.body
	if body == nil {
		body = boc.NewCell()
	}
	must(t, c.WriteBit(m.apart))
	if m.apart {
		must(t, c.AddRef(body))
		return c
	}
	must(t, tlb.Marshal(c, tlb.Any(*body)))
	return c
}

// library is a library cell; tongo refuses to read one.
func library(t testing.TB) *boc.Cell {
	t.Helper()
	c := boc.NewCellExotic(boc.LibraryCell)
	must(t, c.WriteUint(2, 8), c.WriteBytes(make([]byte, 32)))
	return c
}

// cut is a pruned cell that claims to be whole.
func cut(t testing.TB, cell *boc.Cell) *boc.Cell {
	t.Helper()
	h, err := cell.Hash256()
	must(t, err)
	c := boc.NewCellExotic(boc.PrunedBranchCell)
	must(t, c.WriteUint(0x0101, 16), c.WriteBytes(h[:]), c.WriteUint(0, 16))
	return c
}

// sent is the bag of cells as a server sends it.
func sent(t testing.TB, cell *boc.Cell) []byte {
	t.Helper()
	bag, err := cell.ToBoc()
	must(t, err)
	return bag
}

func TestPrunedTreeIsRefused(t *testing.T) {
	whole := event{lt: 5, in: &mail{nanotons: 1}}.cell(t)
	if _, err := parseCells(sent(t, whole), true); err != nil {
		t.Fatalf("the whole tree: %v", err)
	}
	short := boc.NewCell()
	must(t, short.AddRef(cut(t, boc.NewCell())))
	bag := sent(t, short)
	_, err := parseCells(bag, true)
	check(t, err != nil, "a transaction without its messages passed for whole")
	_, err = parseCells(bag, false)
	check(t, err == nil, "in a proof: %v", err)
	// A payment's message may contain a proof with legitimately pruned branches.
	proof := boc.NewCellExotic(boc.MerkleProofCell)
	must(t, proof.WriteUint(3, 8), proof.WriteBytes(make([]byte, 34)), proof.AddRef(short))
	_, err = parseCells(sent(t, proof), true)
	check(t, err == nil, "a proof in a message: %v", err)
}

func TestTooDeepOrLargeTreeIsRefused(t *testing.T) {
	for _, n := range []int{1026, 60_000} {
		_, err := parseCells(chainOf(n), true)
		check(t, err != nil, "%d cells below each other passed", n)
	}
	_, err := parseCells(chainOf(1025), true)
	check(t, err == nil, "1025 cells below each other: %v", err)
	_, err = parseCells(make([]byte, longestBoC+1), true)
	check(t, err != nil, "a bag without end passed")
}

// chainOf is a bag of n nested cells, which no library creates.
func chainOf(n int) []byte {
	cells := make([]byte, 0, 4*n)
	for i := range n - 1 {
		cells = append(cells, 1, 0, byte((i+1)>>8), byte(i+1))
	}
	cells = append(cells, 0, 0)
	bag := []byte{0xb5, 0xee, 0x9c, 0x72, 2, 3, byte(n >> 8), byte(n), 0, 1, 0, 0, byte(len(cells) >> 16), byte(len(cells) >> 8), byte(len(cells)), 0, 0}
	return append(bag, cells...)
}

// A contract may be such a tree, which is not walked; a proof's dictionaries are walked.
func TestEndlessProofIsRefused(t *testing.T) {
	bag := forksOf(300)
	_, err := parseCells(bag, false)
	check(t, err != nil, "a proof of 2^300 cells passed")
	_, err = parseCells(bag, true)
	check(t, err == nil, "a contract: %v", err)
}

// forksOf is a bag of n cells, each referring to the next one twice.
func forksOf(n int) []byte {
	cells := make([]byte, 0, 6*n)
	for i := range n - 1 {
		next := []byte{byte((i + 1) >> 8), byte(i + 1)}
		cells = append(cells, 2, 0, next[0], next[1], next[0], next[1])
	}
	cells = append(cells, 0, 0)
	bag := []byte{0xb5, 0xee, 0x9c, 0x72, 2, 3, byte(n >> 8), byte(n), 0, 1, 0, 0, byte(len(cells) >> 16), byte(len(cells) >> 8), byte(len(cells)), 0, 0}
	return append(bag, cells...)
}

// currencies is a dictionary of 2^32 currencies, by a few cells.
func currencies(t *testing.T) *boc.Cell {
	t.Helper()
	entry := boc.NewCell()
	must(t, entry.WriteUint(0, 8))
	for range 32 {
		fork := boc.NewCell()
		must(t, fork.WriteUint(0, 2), fork.AddRef(entry), fork.AddRef(entry))
		entry = fork
	}
	return entry
}

// Other currencies are a dictionary that a few cells can make huge.
func TestOtherCurrenciesAreSkipped(t *testing.T) {
	entry := currencies(t)
	cell := boc.NewCell()
	must(t, cell.WriteUint(1, 4), cell.WriteUint(7, 8), cell.WriteBit(true), cell.AddRef(entry), cell.WriteUint(5, 3))
	var got nanotons
	err := tlb.Unmarshal(cell, &got)
	rest, restErr := cell.ReadUint(3)
	check(t, err == nil && restErr == nil && got == 7 && rest == 5 && cell.RefsAvailableForRead() == 0, "%d nanoton, then %d: %v", got, rest, err)
	paid := event{lt: 5, in: &mail{nanotons: 7, others: entry, body: texted(t, "MC-ABCDE23456")}}
	tx, _, err := decode(paid.cell(t))
	check(t, err == nil && tx.Value == 7 && tx.Comment.Text == "MC-ABCDE23456", "of a payment %+v: %v", tx, err)
}

// A server may claim to send more than fits in memory.
func TestTransactionListIsNoLongerThanRequested(t *testing.T) {
	list := func(count uint32, rest ...byte) []byte {
		return append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, tagTransactions), count), rest...)
	}
	ids := make([]byte, 2*blockIDSize)
	bag, err := transactionsIn(list(2, append(ids, 3, 'b', 'a', 'g')...), 16)
	check(t, string(bag) == "bag" && err == nil, "two transactions: %q, %v", bag, err)
	bag, err = transactionsIn(list(0, 0, 0, 0, 0), 16)
	check(t, len(bag) == 0 && err == nil, "none: %q, %v", bag, err)
	for name, answer := range map[string][]byte{
		"without end": list(math.MaxUint32), "more than asked for": list(17, make([]byte, 17*blockIDSize+4)...), "ids that are not there": list(2, ids[1:]...),
	} {
		_, err := transactionsIn(answer, 16)
		check(t, errors.As(err, new(*LieError)), "%s: %v", name, err)
	}
	for _, answer := range [][]byte{nil, list(1)[:7], make([]byte, 8)} {
		_, err := transactionsIn(answer, 16)
		check(t, err != nil, "an answer of %d bytes passed", len(answer))
	}
	var refused liteclient.LiteServerErrorC
	said := append(binary.LittleEndian.AppendUint32(binary.LittleEndian.AppendUint32(nil, tagRefused), 651), 3, 'n', 'o', '!')
	_, err = transactionsIn(said, 16)
	check(t, errors.As(err, &refused) && refused.Code == 651 && refused.Message == "no!", "a refusal: %v", err)
}

// Any bytes are parsed or refused, without a crash or hang.
func FuzzCells(f *testing.F) {
	f.Add(sent(f, event{lt: 5, in: &mail{nanotons: 1, body: texted(f, "MC-ABCDE23456"), init: 1}, out: []mail{{bounced: true}}}.cell(f)))
	f.Add(chainOf(3))
	f.Add(forksOf(3))
	f.Fuzz(func(t *testing.T, bag []byte) {
		err := func() (err error) {
			defer recoverLie(&err)
			cells, err := parseCells(bag, true)
			for _, cell := range cells {
				if tx, _, err := decode(cell); err == nil && tx.Value < 0 {
					t.Errorf("a value of %d", tx.Value)
				}
			}
			return err
		}()
		_ = err
	})
}
