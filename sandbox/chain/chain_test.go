package chain

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/xssnick/tonutils-go/address"
	"github.com/xssnick/tonutils-go/tlb"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
	"mcbk-sandbox/check"
)

// ground is a network whose time the test moves.
type ground struct {
	*Network
	t   *testing.T
	dir string
	now time.Time
}

func start(t *testing.T, dir string) *ground {
	t.Helper()
	g := &ground{t: t, dir: dir, now: time.Now()}
	began := time.Now()
	n := check.Must(Start(dir, func() time.Time { return g.now }))(t)
	t.Logf("started in %v", time.Since(began))
	g.Network = n
	return g
}

func (g *ground) close() {
	g.t.Helper()
	if err := g.Close(); err != nil {
		g.t.Error(err)
	}
}

func (g *ground) pay(owner string, tr Transfer) {
	g.t.Helper()
	check.NoError(g.t, g.Pay(owner, tr))
}

// last is the treasury's latest transaction.
func (g *ground) last() *tlb.Transaction {
	g.t.Helper()
	past := g.Chain.asOf(g.Treasury.WalletAddress(), g.Chain.Head())
	return parsed(g.t, past[len(past)-1].cell)
}

func parsed(t *testing.T, c *cell.Cell) *tlb.Transaction {
	t.Helper()
	var tx tlb.Transaction
	slice, err := c.BeginParse()
	check.NoError(t, errors.Join(err, tlb.LoadFromCell(&tx, slice)))
	return &tx
}

func TestTransferArrivesWithItsBody(t *testing.T) {
	g := start(t, t.TempDir())
	defer g.close()
	before := g.Chain.Balance(g.Treasury.WalletAddress())
	for i, body := range Bodies {
		g.pay("Marina", Transfer{Nanotons: 1_000_000_000, Body: body, Text: "MC-ABCDE23456", Bounce: i%2 == 0})
	}
	got := g.Chain.Balance(g.Treasury.WalletAddress()) - before
	check.That(t, got >= 4_980_000_000 && got <= 5_000_000_000, "of five TON %d nanotons are there", got)
	in := g.last().IO.In.AsInternal()
	check.That(t, in.Amount.Nano().Uint64() == 1_000_000_000 && !in.SrcAddr.IsAddrNone(), "the last is %+v", in)
	check.WantError(t, g.Pay("Marina", Transfer{Nanotons: 1, Body: "song"}), ErrNoBody, "a body that does not exist")
}

func TestSeveralTransfersStopAtBalance(t *testing.T) {
	g := start(t, t.TempDir())
	defer g.close()
	to := g.Treasury.WalletAddress()
	before := g.Chain.Balance(to)
	text := check.Must(g.Treasury.body(Transfer{Body: Comment, Text: "MC-ABCDE23456"}))(t)
	small, large := Transfer{To: to, Nanotons: 1_000_000_000, Body: Nothing}, Transfer{To: to, Nanotons: pocketMoney, Body: Nothing}
	check.Must(g.Send("Marina", small, Transfer{To: to, Nanotons: 2_000_000_000, Cell: text}))(t)
	in := g.last().IO.In.AsInternal()
	check.That(t, string(in.Body.Hash()) == string(text.Hash()), "the last carries %s", in.Body.Dump())
	bag, err := g.Send("Marina", small, large)
	check.That(t, errors.Is(err, ErrTooLittle) && len(bag) != 0, "more than there is: %v, a message of %d bytes", err, len(bag))
	got := g.Chain.Balance(to) - before
	check.That(t, got >= 3_980_000_000 && got <= 4_000_000_000, "%d nanotons arrived, not those of three small transfers", got)
}

func TestTransfersArriveAfterClockSteps(t *testing.T) {
	g := start(t, t.TempDir())
	defer g.close()
	for _, move := range []time.Duration{90 * 24 * time.Hour, -200 * 24 * time.Hour, 0} {
		g.now = time.Now().Add(move)
		g.pay("Marina", Transfer{Nanotons: 7, Body: Comment, Text: "x"})
		tx := g.last()
		check.That(t, int64(tx.Now) == g.now.Unix() && tx.IO.In.AsInternal().Amount.Nano().Uint64() == 7, "moved by %v the last is of %v", move, time.Unix(int64(tx.Now), 0))
	}
}

func TestTransferToMissingContractBounces(t *testing.T) {
	g := start(t, t.TempDir())
	defer g.close()
	nobody := check.Must(g.Chain.Wallet("nobody"))(t)
	g.pay("Marina", Transfer{To: nobody.WalletAddress(), Nanotons: 1_000_000_000, Body: Nothing, Bounce: true})
	got := g.Chain.Balance(nobody.WalletAddress())
	check.That(t, got == 0, "%d nanotons stayed", got)
	g.pay("Marina", Transfer{To: nobody.WalletAddress(), Nanotons: 1_000_000_000, Body: Nothing})
	got = g.Chain.Balance(nobody.WalletAddress())
	check.That(t, got == 1_000_000_000, "without bouncing %d nanotons are there", got)
}

func TestReopenedChainContinues(t *testing.T) {
	dir := t.TempDir()
	g := start(t, dir)
	g.pay("Marina", Transfer{Nanotons: 5, Body: Comment, Text: "before"})
	head, balance := g.Chain.Head(), g.Chain.Balance(g.Treasury.WalletAddress())
	past := len(g.Chain.asOf(g.Treasury.WalletAddress(), head))
	g.close()

	// Killed in the middle of a line.
	appendTo(t, filepath.Join(dir, "chain.jsonl"), `{"account":"0:`)
	g = start(t, dir)
	defer g.close()
	if g.Chain.Head() <= head || g.Chain.Balance(g.Treasury.WalletAddress()) != balance {
		t.Errorf("block %d after %d, %d nanotons after %d", g.Chain.Head(), head, g.Chain.Balance(g.Treasury.WalletAddress()), balance)
	}
	g.pay("Marina", Transfer{Nanotons: 6, Body: Comment, Text: "after"})
	all := g.Chain.asOf(g.Treasury.WalletAddress(), g.Chain.Head())
	if len(all) != past+1 {
		t.Fatalf("%d transactions, not %d", len(all), past+1)
	}
	for i, tx := range all {
		if i > 0 && string(parsed(t, tx.cell).PrevTxHash) != string(all[i-1].hash) {
			t.Errorf("transaction %d does not follow the one before", i)
		}
		check.Equal(t, string(tx.cell.Hash()), string(tx.hash), "transaction", i, "has another hash")
	}
}

func TestFaultChangesServersResponse(t *testing.T) {
	g := start(t, t.TempDir())
	defer g.close()
	for range 3 {
		g.pay("Marina", Transfer{Nanotons: 1_000, Body: Nothing})
	}
	of := g.Treasury.WalletAddress()
	truth := g.Chain.asOf(of, g.Chain.Head())
	s := g.Servers[0]
	for _, f := range Faults {
		s.SetFault(f)
		v := s.view()
		past := v.past(of, v.limit)
		last := past[len(past)-1]
		page, err := v.transactions(ton.GetTransactions{Limit: 16, AccID: accountID(of), LT: int64(last.lt), TxHash: last.hash})
		if err != nil {
			t.Fatalf("%q: %v", f, err)
		}
		roots, err := cell.FromBOCMultiRoot(page.(ton.TransactionList).Transactions)
		if err != nil {
			t.Fatalf("%q: %v", f, err)
		}
		same := string(roots[0].Hash()) == string(truth[len(truth)-1].hash)
		vouched := string(roots[0].Hash()) == string(last.hash)
		value := parsed(t, roots[0]).IO.In.AsInternal().Amount.Nano().Uint64()
		wrong := f == Lying || f == Differing
		if same == wrong || vouched != (f != Lying) || wrong != (value == 10_000) || (len(roots) == 1) != (f == Forgetful) {
			t.Errorf("%q: %d transactions, the last true: %v, vouched for: %v, value %d", f, len(roots), same, vouched, value)
		}
	}
	s.SetFault(Lagging)
	head := s.view().limit
	g.pay("Marina", Transfer{Nanotons: 1, Body: Nothing})
	check.That(t, s.view().limit == head && g.Servers[1].view().limit > head, "a lagging server goes on")
}

func accountID(a *address.Address) *ton.AccountID {
	return &ton.AccountID{Workchain: a.Workchain(), ID: a.Data()}
}

func appendTo(t *testing.T, path, text string) {
	t.Helper()
	file := check.Must(os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600))(t)
	_, err := file.WriteString(text)
	check.NoError(t, errors.Join(err, file.Close()))
}
