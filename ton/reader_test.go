package ton_test

import (
	"context"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/ton"
)

func TestPaymentsAreReadOnceAndInOrder(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := c.reader()
	start := c.read(r, ton.Cursor{}).Head
	long := strings.Repeat("щ", 300)
	c.pay(1_500_000_001, `,"comment":"MC-ABCDE23456"`)
	c.pay(2, `,"comment":"`+long+`"`)
	c.pay(3, "")
	c.pay(4, `,"comment":"MC-ABCDE23456","body":"encrypted"`)
	c.pay(5, `,"comment":"MC-ABCDE23456","body":"jetton"`)
	c.pay(6, `,"body":"binary"`)
	c.pay(7, `,"comment":"MC-BOUNCEABLE","bounce":true`)
	h := c.read(r, start)
	want := []ton.Comment{
		{Kind: ton.CommentText, Text: "MC-ABCDE23456"},
		{Kind: ton.CommentText, Text: long},
		{Kind: ton.CommentNone},
		{Kind: ton.CommentEncrypted},
		{Kind: ton.CommentJetton},
		{Kind: ton.CommentBinary},
		{Kind: ton.CommentText, Text: "MC-BOUNCEABLE"},
	}
	if len(h.Transactions) != len(want) || h.Agreed != 3 || states(h) != "good good good" {
		t.Fatalf("%d transactions, %d servers agree: %s", len(h.Transactions), h.Agreed, states(h))
	}
	for i, tx := range h.Transactions {
		value := game.Nanoton(i + 1)
		if i == 0 {
			value = 1_500_000_001
		}
		check(t, tx.Kind == ton.Incoming && tx.Comment == want[i] && tx.Value == value && tx.Source != (ton.Address{}) && !tx.Time.After(h.Block.Time), "payment %d: %+v", i, tx)
	}
	age := c.now().Sub(h.Block.Time)
	check(t, age >= -2*time.Second && age <= 5*time.Second, "the block is %v old", age)
	if again := c.read(r, h.Head); len(again.Transactions) != 0 || again.Head != h.Head {
		t.Errorf("read again: %d transactions", len(again.Transactions))
	}

	c.pay(9, `,"times":40,"comment":"x"`) // more than two pages
	if many := c.read(r, h.Head); len(many.Transactions) != 40 {
		t.Errorf("of forty payments %d were read", len(many.Transactions))
	}
	all := c.read(r, ton.Cursor{})
	first := all.Transactions[0]
	check(t, first.Prev == (ton.Cursor{}), "the first has one before it: %d", first.Prev.LT)
}

func TestReturnedTransferIsNoPayment(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := c.reader()
	nobody := ton.Address{Hash: [32]byte{7}}
	send := func(fields string) ton.Transaction {
		t.Helper()
		before, err := r.Read(t.Context(), nobody, ton.Cursor{}, c.now())
		must(t, err)
		c.pay(1_000_000_000, `,"to":"`+nobody.Raw()+`","comment":"MC-ABCDE23456"`+fields)
		h, err := r.Read(t.Context(), nobody, before.Head, c.now())
		if err != nil || len(h.Transactions) != 1 {
			t.Fatalf("%v: %d transactions", err, len(h.Transactions))
		}
		return h.Transactions[0]
	}
	tx := send(`,"bounce":true`)
	check(t, tx.Kind == ton.Returned && len(tx.Sent) == 1 && tx.Sent[0].Bounced, "sent back by an account without a contract: %+v", tx)
	tx = send("")
	check(t, tx.Kind == ton.Incoming && tx.Value == game.TON && tx.Comment.Text == "MC-ABCDE23456", "kept by an account without a contract: %+v", tx)

	// The treasury's transfers, and bounced ones.
	head := c.read(r, ton.Cursor{}).Head
	c.ask("chain/faucet", `{"to":"`+c.treasury.Raw()+`","nanotons":9000000000}`)
	c.ask("chain/pay", `{"from":"treasury","to":"0:`+strings.Repeat("8", 64)+`","nanotons":3000000000,"comment":"prize 1","bounce":true}`)
	h := c.read(r, head)
	if len(h.Transactions) != 3 {
		t.Fatalf("%d transactions", len(h.Transactions))
	}
	gift, prize, back := h.Transactions[0], h.Transactions[1], h.Transactions[2]
	check(t, gift.Kind == ton.Incoming && gift.Value == 9*game.TON, "from the faucet: %+v", gift)
	check(t, prize.Kind == ton.Outgoing && len(prize.Sent) == 1 && prize.Sent[0].Value == 3*game.TON && prize.Sent[0].Comment.Text == "prize 1", "the prize: %+v", prize)
	check(t, back.Kind == ton.Bounced && back.Value != 0 && back.Comment.Kind == ton.CommentBounced, "the prize that came back: %+v", back)
}

// unheld is less than the timeout of a silent server, 5 s.
const unheld = 4500 * time.Millisecond

// untilStates reads until the servers have these states without waiting for silent ones, at most five times on a busy machine.
func untilStates(c *chain, r *ton.Reader, since ton.Cursor, want string) (h ton.History, took time.Duration) {
	for range 5 {
		began := time.Now()
		h, _ = r.Read(c.t.Context(), c.treasury, since, c.now()) //nolint:errcheck // in the states
		if took = time.Since(began); states(h) == want && took <= unheld {
			break
		}
	}
	return h, took
}

func TestSilentServerIsSkipped(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := ton.NewReader(ton.Mainnet, c.config)
	head := c.read(c.reader(), ton.Cursor{}).Head
	c.breakServers(0, "silent")
	c.pay(1, "")
	h, took := untilStates(c, r, head, "silent good good")
	if len(h.Transactions) != 1 || h.Agreed != 2 || states(h) != "silent good good" || took > unheld {
		t.Errorf("%d transactions, %d agree: %s after %v", len(h.Transactions), h.Agreed, states(h), took)
	}
	c.breakServers(-1, "silent")
	c.pay(2, "")
	none, err := r.Read(t.Context(), c.treasury, h.Head, c.now())
	check(t, errors.Is(err, ton.ErrNoServer) && states(none) == "silent silent silent", "all silent: %v, %s", err, states(none))
	c.breakServers(-1, "")
	if h, _ := untilStates(c, r, h.Head, "good good good"); len(h.Transactions) != 1 {
		t.Errorf("after they spoke again: %d transactions, %s", len(h.Transactions), states(h))
	}
}

func TestLaggingServerIsIgnored(t *testing.T) {
	t.Parallel() // it waits
	c := startChain(t, t.TempDir())
	r := c.reader()
	head := c.read(r, ton.Cursor{}).Head
	c.breakServers(0, "lagging")
	c.breakServers(1, "lagging")
	c.pass(5 * time.Minute) // with a payment
	h := c.read(r, head)
	if len(h.Transactions) != 1 || h.Agreed != 1 || states(h) != "lagging lagging good" {
		t.Errorf("%d transactions, %d agree: %s", len(h.Transactions), h.Agreed, states(h))
	}
	c.breakServers(2, "silent")
	if h, err := r.Read(t.Context(), c.treasury, h.Head, c.now()); !errors.Is(err, ton.ErrBehind) || h.Head != (ton.Cursor{}) {
		t.Errorf("nobody else is there: %v, a head of %d", err, h.Head.LT)
	}
	// A lagging server's history is valid but incomplete.
	h, err := r.Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
	if err != nil || h.Head != head || c.now().Sub(h.Block.Time) < 4*time.Minute {
		t.Errorf("as of %v the head is %d, %v", h.Block.Time, h.Head.LT, err)
	}
}

func TestAlteredTransactionIsDetected(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := c.reader()
	head := c.read(r, ton.Cursor{}).Head
	c.breakServers(0, "lying")
	c.pay(1_000, `,"comment":"MC-ABCDE23456"`)
	h := c.read(r, head)
	if len(h.Transactions) != 1 || h.Transactions[0].Value != 1_000 || states(h) != "lying good good" {
		t.Errorf("%+v: %s", h.Transactions, states(h))
	}
	c.breakServers(-1, "lying")
	h, err := r.Read(t.Context(), c.treasury, head, c.now())
	check(t, errors.Is(err, ton.ErrNoServer) && len(h.Transactions) == 0 && states(h) == "lying lying lying", "all lie: %v, %s", err, states(h))
}

func TestDifferingServersReadNothing(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := c.reader()
	head := c.read(r, ton.Cursor{}).Head
	c.pay(1_000, "")
	c.breakServers(0, "differing")
	h := c.read(r, head)
	if len(h.Transactions) != 1 || h.Transactions[0].Value != 1_000 || h.Agreed != 2 || states(h) != "differs good good" {
		t.Errorf("one against two: %+v: %s", h.Transactions, states(h))
	}
	two := ton.NewReader(ton.Mainnet, c.listing([]int{0, 1})).Patient()
	h, err := two.Read(t.Context(), c.treasury, head, c.now())
	check(t, errors.Is(err, ton.ErrDiffer) && len(h.Transactions) == 0 && states(h) == "differs differs", "one against one: %v, %s", err, states(h))
	c.breakServers(0, "")
	h = c.read(two, head)
	check(t, len(h.Transactions) == 1 && h.Agreed == 2, "after they agreed: %+v", h)
}

func TestPrunedServerIsSkipped(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := c.reader()
	head := c.read(r, ton.Cursor{}).Head
	c.pay(1, `,"times":3`)
	c.breakServers(0, "forgetful")
	if h := c.read(r, head); len(h.Transactions) != 3 || states(h) != "truncated good good" {
		t.Errorf("%d transactions: %s", len(h.Transactions), states(h))
	}
	c.breakServers(-1, "forgetful")
	h, err := r.Read(t.Context(), c.treasury, head, c.now())
	check(t, errors.Is(err, ton.ErrTruncated) && len(h.Transactions) == 0, "all forgot: %v", err)
	// At the head an old account's past does not matter.
	h, err = r.Head(t.Context(), c.treasury, c.now())
	check(t, err == nil && h.Head.LT > head.LT && h.Agreed == 3 && h.Block != (ton.Block{}), "the head: %v, %+v", err, h)
}

func TestLostCursorIsReported(t *testing.T) {
	c := startChain(t, t.TempDir())
	r := c.reader()
	c.pay(1, `,"times":2`)
	h := c.read(r, ton.Cursor{})
	last, before := h.Transactions[len(h.Transactions)-1], h.Transactions[len(h.Transactions)-2]
	for name, cursor := range map[string]ton.Cursor{
		"the head with another hash":      {LT: last.LT, Hash: before.Hash},
		"one before with another hash":    {LT: before.LT, Hash: last.Hash},
		"between two":                     {LT: before.LT + 1, Hash: before.Hash},
		"before the first, but not there": {LT: 1, Hash: before.Hash},
	} {
		h, err := r.Read(t.Context(), c.treasury, cursor, c.now())
		check(t, errors.Is(err, ton.ErrCursorLost) && len(h.Transactions) == 0, "%s: %v", name, err)
	}
	_, err := r.Read(t.Context(), c.treasury, ton.Cursor{LT: last.LT + 1}, c.now())
	check(t, errors.Is(err, ton.ErrBehind), "after the head: %v", err)
}

func TestServersOfAnotherNetworkAreRefused(t *testing.T) {
	c := startChain(t, t.TempDir())
	h, err := ton.NewReader(ton.Testnet, c.config).Patient().Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
	check(t, errors.Is(err, ton.ErrNoServer) && states(h) == "foreign foreign foreign", "%v: %s", err, states(h))
	// A chain ahead of our clock has transactions of the future.
	h, err = c.reader().Read(t.Context(), c.treasury, ton.Cursor{}, c.now().Add(-time.Hour))
	check(t, errors.Is(err, ton.ErrNoServer) && states(h) == "ahead ahead ahead", "from the future: %v: %s", err, states(h))
}

func TestUnusedAccountHasNoHistory(t *testing.T) {
	c := startChain(t, t.TempDir())
	h, err := c.reader().Read(t.Context(), ton.Address{Hash: [32]byte{9}}, ton.Cursor{}, c.now())
	check(t, err == nil && h.Head == (ton.Cursor{}) && len(h.Transactions) == 0 && h.Agreed == 3, "%v: %+v", err, h)
}

func TestReaderStartsBeforeTheChain(t *testing.T) {
	if _, err := ton.NewReader(ton.Mainnet, "").Read(t.Context(), ton.Address{}, ton.Cursor{}, time.Now()); !errors.Is(err, ton.ErrNoConfig) {
		t.Errorf("without a configuration: %v", err)
	}
	path := filepath.Join(t.TempDir(), "later.json")
	r := ton.NewReader(ton.Mainnet, path)
	if _, err := r.Read(t.Context(), ton.Address{}, ton.Cursor{}, time.Now()); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without the file: %v", err)
	}
	c := startChain(t, t.TempDir())
	// Good servers with one that refuses connections and one that never responds.
	mute, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer func() { _ = mute.Close() }()
	gone, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	_ = gone.Close()
	at := func(l net.Listener) map[string]any {
		return map[string]any{"ip": 2130706433, "port": l.Addr().(*net.TCPAddr).Port}
	}
	text, err := os.ReadFile(c.listing([]int{0, 1}, at(mute), at(gone)))
	must(t, err, os.WriteFile(path, text, 0o600))
	h, took := untilStates(c, r, ton.Cursor{}, "good good silent silent")
	check(t, states(h) == "good good silent silent" && h.Agreed == 2 && took <= unheld, "%s after %v", states(h), took)

	// A hanging configuration server delays a read only until the caller's timeout.
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	lonely := ton.NewReader(ton.Mainnet, c.listing(nil, at(mute)))
	began := time.Now()
	_, err = lonely.Read(ctx, c.treasury, ton.Cursor{}, c.now())
	check(t, errors.Is(err, context.DeadlineExceeded) && time.Since(began) <= 2*time.Second, "%v after %v", err, time.Since(began))
}

func TestConfigurationMayBeURL(t *testing.T) {
	c := startChain(t, t.TempDir())
	text, err := os.ReadFile(c.config)
	must(t, err)
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/good":
			_, _ = w.Write(text)
		case "/long":
			_, _ = w.Write([]byte(`{"liteservers":[` + strings.Repeat(" ", 2<<20) + `]}`))
		case "/empty":
			_, _ = w.Write([]byte(`{"liteservers":[]}`))
		case "/badkey":
			_, _ = w.Write([]byte(`{"liteservers":[{"ip":1,"port":1,"id":{"@type":"pub.ed25519","key":"AAAA"}}]}`))
		default:
			http.NotFound(w, r)
		}
	}))
	defer site.Close()
	h := c.read(ton.NewReader(ton.Mainnet, site.URL+"/good").Patient(), ton.Cursor{})
	check(t, h.Agreed == 3, "%d agree", h.Agreed)
	for _, path := range []string{"/long", "/empty", "/badkey", "/nothing"} {
		_, err := ton.NewReader(ton.Mainnet, site.URL+path).Read(t.Context(), c.treasury, ton.Cursor{}, c.now())
		check(t, err != nil, "%s was read", path)
	}
}

func TestCursorIsFoundAfterChainOutage(t *testing.T) {
	data := t.TempDir()
	c := startChain(t, data)
	c.pay(1, "")
	head := c.read(c.reader(), ton.Cursor{}).Head
	c.Stop()
	again := startChain(t, data)
	again.pay(2, "")
	if h := again.read(again.reader(), head); len(h.Transactions) != 1 || h.Transactions[0].Value != 2 {
		t.Errorf("%+v", h.Transactions)
	}
}
