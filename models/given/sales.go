package given

import (
	"strings"
	"testing"

	"mcbk/game"
	"mcbk/models"
)

// Held is one TON that came at Noon, when a TON cost 2.5 dollars, with a comment of no order.
func Held(t testing.TB, store *models.Store) {
	t.Helper()
	if err := store.KeepPrice(t.Context(), game.PriceReading{At: Noon, Price: 5 * game.USD / 2}); err != nil {
		t.Fatal(err)
	}
	if err := store.PinTreasury(t.Context(), "mainnet", "0:treasury", models.ChainCursor{}); err != nil {
		t.Fatal(err)
	}
	came := models.ChainTransaction{
		ChainCursor: models.ChainCursor{LT: 5, Hash: strings.Repeat("ab", 32)}, At: Noon, Kind: models.ChainIncoming,
		Source: "0:payer", Amount: game.TON, Comment: "for <my> coins", CommentKind: "text", BoC: []byte{1},
	}
	history := models.History{Transactions: []models.ChainTransaction{came}, KnownUntil: Noon}
	if _, err := store.Record(t.Context(), history, Season, Noon); err != nil {
		t.Fatal(err)
	}
}
