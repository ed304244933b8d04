package modelstest

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// Held records one TON that came at Noon, when a TON cost 2.5 dollars, with the comment of no order.
func Held(t testing.TB, store *store.Store) {
	t.Helper()
	if err := store.Orders.SavePrice(t.Context(), game.PriceReading{At: Noon, Price: 5 * game.USD / 2}); err != nil {
		t.Fatal(err)
	}
	if err := store.Treasury.BeginRecord(t.Context(), "mainnet", "0:treasury", models.ChainCursor{}); err != nil {
		t.Fatal(err)
	}
	came := treasury.ChainTransaction{
		ChainCursor: models.ChainCursor{LT: 5, Hash: strings.Repeat("ab", 32)}, At: Noon, Kind: treasury.ChainIncoming,
		Source: "0:payer", Amount: game.TON, Comment: "for <my> coins", CommentKind: "text", BoC: []byte{1},
	}
	history := treasury.History{Transactions: []treasury.ChainTransaction{came}, KnownUntil: Noon}
	if _, err := store.Treasury.Record(t.Context(), history, Season, At(Noon)); err != nil {
		t.Fatal(err)
	}
}

// Tournament plans a tournament in the mines that begins with the Season.
func Tournament(t testing.TB, store *store.Store) game.Tournament {
	t.Helper()
	if _, err := store.Mines.FirstTournament(t.Context(), Season.Start); err != nil {
		t.Fatal(err)
	}
	return game.NewTournament(Season.Start)
}

var opening sync.Mutex // the treasury's history goes on from one payment to the next

// Paid records a payment to the treasury, whose history is read for the first time unless it was before.
func Paid(t testing.TB, store *store.Store, amount game.Nanoton, comment string, at time.Time) {
	t.Helper()
	PaidBy(t, store, "0:payer", amount, comment, at)
}

// PaidBy is Paid from an account of the chain.
func PaidBy(t testing.TB, store *store.Store, source string, amount game.Nanoton, comment string, at time.Time) {
	t.Helper()
	opening.Lock()
	defer opening.Unlock()
	own, pinned, err := store.Treasury.Treasury(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !pinned {
		if err := store.Treasury.BeginRecord(t.Context(), "mainnet", "0:treasury", models.ChainCursor{}); err != nil {
			t.Fatal(err)
		}
	}
	lt := own.Cursor.LT + 10
	came := treasury.ChainTransaction{
		ChainCursor: models.ChainCursor{LT: lt, Hash: fmt.Sprintf("%064x", lt)}, Prev: own.Cursor, At: at.Truncate(time.Second), Kind: treasury.ChainIncoming,
		Source: source, Amount: amount, Comment: comment, CommentKind: "text", BoC: []byte{1},
	}
	history := treasury.History{Since: own.Cursor, Transactions: []treasury.ChainTransaction{came}, Head: came.ChainCursor, KnownUntil: at, Agreed: treasury.EnoughServers}
	if _, err := store.Treasury.Record(t.Context(), history, Season, At(at)); err != nil {
		t.Fatal(err)
	}
}

// Opened opens the next mine of a player who has a wallet, in the Tournament.
func Opened(t testing.TB, store *store.Store, player models.Player, level int, at time.Time) {
	t.Helper()
	Tournament(t, store)
	order, err := store.Mines.OrderMine(t.Context(), player.ID, level, Season, at)
	if err != nil {
		t.Fatalf("order mine %d: %v", level, err)
	}
	Paid(t, store, order.Amount, order.Comment, at)
}
