package audit_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/audit"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// wholeChain is what the chain has, in pages of two.
type wholeChain struct {
	all   []treasury.ChainTransaction // oldest first
	until time.Time
	fails error
	pages int
}

func (c *wholeChain) ReadBack(_ context.Context, since models.ChainCursor, _ time.Time, take func([]treasury.ChainTransaction) error) (treasury.History, error) {
	newest := slices.Clone(c.all)
	slices.Reverse(newest)
	told := treasury.History{Since: since, Head: since, KnownUntil: c.until, Agreed: 3}
	for page := range slices.Chunk(newest, 2) {
		told.Head = newest[0].ChainCursor
		c.pages++
		if err := take(page); err != nil {
			return told, err
		}
	}
	return told, c.fails
}

// HashOf knows the cells that market makes.
func (c *wholeChain) HashOf(cells []byte) (string, error) {
	hash, ok := strings.CutPrefix(string(cells), "cells of ")
	if !ok {
		return "", errors.New("no cells")
	}
	return hash, nil
}

// recordedChain is a treasury with five transactions, all recorded.
func recordedChain(t *testing.T, store *store.Store) (*modelstest.Market, *wholeChain) {
	t.Helper()
	m, _, order := modelstest.NewOrder(t, store)
	at := modelstest.Noon.Add(time.Minute)
	for i, comment := range []string{order.Comment, "", "hello", "with a \x00 in it", ""} {
		m.Pay(game.TON+game.Nanoton(i), comment, at)
	}
	c := &wholeChain{all: slices.Clone(m.Next), until: modelstest.Noon.Add(2 * time.Minute)}
	m.Record(t, c.until)
	return m, c
}

func compareChain(t *testing.T, store *store.Store, c *wholeChain) audit.ChainReport {
	t.Helper()
	return modelstest.Must(store.Audit.VerifyChain(t.Context(), c, modelstest.Noon))(t)
}

func TestRecordThatMatchesChainIsSound(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m, c := recordedChain(t, store)
		if r := compareChain(t, store, c); !r.Sound() || r.Recorded != 5 || r.Waiting != 0 || r.Chain.Agreed != 3 || c.pages != 3 {
			t.Errorf("found %+v in %d pages", r, c.pages)
		}
		// A server that runs has yet to see what just happened.
		c.all = append(c.all, m.Pay(game.TON, "", c.until.Add(-30*time.Second)), m.Pay(game.TON, "", c.until))
		if r := compareChain(t, store, c); !r.Sound() || r.Recorded != 5 || r.Waiting != 2 {
			t.Errorf("found %+v", r)
		}
	})
}

func TestVerifyFindsPaymentsMissingOnChain(t *testing.T) {
	of := func(lt int, what string) string { return fmt.Sprintf("transaction %d: its %s", lt, what) }
	cases := map[string]struct {
		change string
		found  []string // each in the beginning of its line
	}{
		"another amount":   {"UPDATE treasury_transactions SET amount = amount + 1 WHERE lt = 120", []string{of(120, "amount is 1000000001 on the chain and recorded as 1000000002")}},
		"another sender":   {"UPDATE treasury_transactions SET source = '0:me' WHERE lt = 110", []string{of(110, `sender is "0:payer" on the chain and recorded as "0:me"`)}},
		"another comment":  {"UPDATE treasury_transactions SET comment = 'MC-MINE' WHERE lt = 130", []string{of(130, `comment is "hello" on the chain and recorded as "MC-MINE"`)}},
		"another kind":     {"UPDATE treasury_transactions SET kind = 'returned', comment_kind = 'none' WHERE lt = 130", []string{of(130, "kind is"), of(130, "kind of comment is")}},
		"another hash":     {"UPDATE treasury_transactions SET hash = 'other' WHERE lt = 140", []string{of(140, "hash is")}},
		"another past":     {"UPDATE treasury_transactions SET prev_hash = 'other' WHERE lt = 140", []string{of(140, "hash before it is")}},
		"another time":     {"UPDATE treasury_transactions SET happened_at = '2026-03-04 11:00:00+00:00' WHERE lt = 140", []string{of(140, "time is")}},
		"other cells":      {"UPDATE treasury_transactions SET boc = (SELECT boc FROM treasury_transactions WHERE lt = 110) WHERE lt = 140", []string{"transaction 140: its hash is"}},
		"no cells":         {"UPDATE treasury_transactions SET boc = '' WHERE lt = 140", []string{"transaction 140: what is recorded of its cells cannot be read: no cells"}},
		"one is forgotten": {"DELETE FROM treasury_transactions WHERE lt = 130", []string{"transaction 130 ("}},
		"the first is":     {"DELETE FROM treasury_transactions WHERE lt = 110", []string{"transaction 110 ("}},
		"the last is":      {"DELETE FROM treasury_transactions WHERE lt = 150", []string{"transaction 150 ("}},
		"one is made up":   {"UPDATE treasury_transactions SET lt = 131 WHERE lt = 130", []string{"transaction 131 (", "transaction 130 ("}},
		"one before all":   {"UPDATE treasury_transactions SET lt = 5 WHERE lt = 110", []string{"transaction 110 (", "transaction 5 ("}},
		"one after all":    {"UPDATE treasury_transactions SET lt = 155 WHERE lt = 150", []string{"transaction 150 ("}},
		"the cursor ran on": {
			`UPDATE treasury_transactions SET lt = 155 WHERE lt = 150; UPDATE treasury SET lt = 155`,
			[]string{"transaction 155 (", "transaction 150 ("},
		},
		"one was passed over": {`DELETE FROM treasury_transactions WHERE lt = 150;
			UPDATE treasury SET lt = 140, known_until = '2026-03-04 12:02:01+00:00'`, []string{"transaction 150 ("}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		_, c := recordedChain(t, store)
		dropGuards(t, raw)
		modelstest.MustExec(t, raw, "DELETE FROM payments")
		restore := snapshots(t, raw)
		for name, one := range cases {
			for statement := range strings.SplitSeq(one.change, ";") {
				modelstest.MustExec(t, raw, statement)
			}
			r := compareChain(t, store, c)
			if !slices.EqualFunc(r.Found, one.found, strings.HasPrefix) || r.More != 0 {
				t.Errorf("%s: found %q,\nwant %q", name, r.Found, one.found)
			}
			restore()
		}
	})
}

func TestVerifyFindsTransfersMissingOnChain(t *testing.T) {
	const paid, gave = "1000000000 nanoton to 0:payer: MCBK-1", "5 nanoton to 0:another: a gift"
	cases := map[string]struct{ change, recorded string }{
		"another amount":       {"UPDATE treasury_transfers SET amount = 7 WHERE line = 1", paid + ", 7 nanoton to 0:another: a gift"},
		"another wallet":       {"UPDATE treasury_transfers SET destination = '0:me' WHERE line = 0", "1000000000 nanoton to 0:me: MCBK-1, " + gave},
		"another comment":      {"UPDATE treasury_transfers SET comment = 'MCBK-2' WHERE line = 1", paid + ", 5 nanoton to 0:another: MCBK-2"},
		"the first is missing": {"DELETE FROM treasury_transfers WHERE line = 0", gave},
		"the last is missing":  {"DELETE FROM treasury_transfers WHERE line = 1", paid},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		m, c := recordedChain(t, store)
		m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: game.TON, Comment: "MCBK-1\n"}, treasury.ChainTransfer{To: "0:another", Amount: 5, Comment: "a gift"})
		c.all = append(c.all, m.Next...)
		m.Record(t, c.until)
		if r := compareChain(t, store, c); !r.Sound() || r.Recorded != 6 {
			t.Errorf("found %+v", r)
		}
		dropGuards(t, raw)
		restore := snapshots(t, raw)
		for name, one := range cases {
			modelstest.MustExec(t, raw, one.change)
			want := fmt.Sprintf("transaction 160: its list of transfers is %q on the chain and recorded as %q", paid+", "+gave, one.recorded)
			if r := compareChain(t, store, c); !slices.Equal(r.Found, []string{want}) || r.Recorded != 5 {
				t.Errorf("%s: found %q, want %q", name, r.Found, want)
			}
			restore()
		}
		modelstest.MustExec(t, raw, "INSERT INTO treasury_transfers (lt, line, destination, amount, comment) VALUES (120, 0, '0:payer', 1000000000, 'MCBK-1')")
		want := fmt.Sprintf("transaction 120: its list of transfers is %q on the chain and recorded as %q", "", paid)
		modelstest.Equal(t, compareChain(t, store, c).Found, []string{want}, "one is made up: found", want)
	})
}

func TestChainReportListsFirstTwentyDifferences(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	m := modelstest.NewMarket(t, store)
	for range 30 {
		m.Pay(game.TON, "", modelstest.Noon)
	}
	m.Record(t, modelstest.Noon)
	if r := compareChain(t, store, &wholeChain{until: modelstest.Noon.Add(time.Minute)}); len(r.Found) != 20 || r.More != 10 || r.Recorded != 0 {
		t.Errorf("found %d and %d more", len(r.Found), r.More)
	}
}

func TestIncompleteChainReportsNothing(t *testing.T) {
	store := modelstest.Store(t, "sqlite")
	modelstest.Fails(store.Audit.VerifyChain(t.Context(), &wholeChain{}, modelstest.Noon))(t, audit.ErrNotPinned, "nothing is pinned")
	m, c := recordedChain(t, store)
	c.fails = errors.New("no server")
	modelstest.Fails(store.Audit.VerifyChain(t.Context(), c, modelstest.Noon))(t, c.fails, "the chain is away")
	c.fails = audit.ErrNotOnChain
	if r := compareChain(t, store, c); len(r.Found) != 1 || !strings.Contains(r.Found[0], "100 beginning") {
		t.Errorf("another chain: %+v", r)
	}
	behind := &wholeChain{all: c.all[:3], until: c.until.Add(-time.Minute)}
	modelstest.Fails(store.Audit.VerifyChain(t.Context(), behind, modelstest.Noon))(t, audit.ErrChainBehind, "servers are behind")
	// While others are silent, what one server shows is recorded, and the time until which the chain is known stays.
	m.Pay(game.TON, "", c.until)
	history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: c.until.Add(time.Minute), Agreed: 1, SingleSource: true}
	modelstest.Must(store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(c.until)))(t)
	late := &wholeChain{all: c.all, until: c.until}
	modelstest.Fails(store.Audit.VerifyChain(t.Context(), late, modelstest.Noon))(t, audit.ErrChainBehind, "servers that are behind the one that was alone")
	late.until = c.until.Add(time.Minute)
	if r := compareChain(t, store, late); len(r.Found) != 1 || !strings.HasPrefix(r.Found[0], "transaction 160 (") {
		t.Errorf("what the one server made up: %+v", r)
	}
}
