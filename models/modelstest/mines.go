package modelstest

import (
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/mines"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// OrderMine is a player's order for a mine.
func OrderMine(t *testing.T, store *store.Store, player models.Player, level int, at time.Time) models.Order {
	t.Helper()
	return Must(store.Mines.OrderMine(t.Context(), player.ID, level, nil, Season, at))(t)
}

// Dig sends a batch of digs.
func Dig(t *testing.T, store *store.Store, player models.Player, tapCount int, key string, at time.Time) mines.Dug {
	t.Helper()
	return Must(store.Mines.Dig(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: tapCount, Key: key}, Season, at))(t)
}

// AdvanceTournaments takes tournaments as far as they go at a time.
func AdvanceTournaments(t *testing.T, store *store.Store, at time.Time) {
	t.Helper()
	Must(store.Mines.AdvanceTournaments(t.Context(), []int64{Admin}, at))(t)
}

// WantTournament checks the state of the only tournament.
func WantTournament(t *testing.T, store *store.Store, want game.TournamentState) mines.TournamentStatus {
	t.Helper()
	all, err := store.Mines.TournamentStatuses(t.Context(), 1)
	if err != nil || len(all) != 1 || all[0].State != want {
		t.Fatalf("the tournament is %+v, want %s: %v", all, want, err)
	}
	return all[0]
}

// Rush is a tournament with so many miners, of whom the first has dug the most.
type Rush struct {
	*Market
	game.Tournament
	Players []models.Player
}

// NewRush is over but for its last day; dig says how many taps each has dug, on which days.
func NewRush(t *testing.T, store *store.Store, miners int, dig func(i int) (taps int, days []int)) Rush {
	t.Helper()
	r := Rush{Market: NewMarket(t, store), Tournament: Tournament(t, store)}
	opened := r.Start.Add(time.Hour)
	for range miners {
		r.Players = append(r.Players, Buyer(t, store))
	}
	for _, p := range r.Players {
		order := OrderMine(t, store, p, 1, opened)
		r.Pay(order.Amount, order.Comment, opened)
	}
	r.Record(t, opened)
	for i, p := range r.Players {
		taps, days := dig(i)
		for n, day := range days {
			part := taps / len(days)
			if n < taps%len(days) {
				part++
			}
			at := opened.Add(time.Duration(day)*24*time.Hour + time.Minute)
			if d := Dig(t, store, p, part, fmt.Sprintf("batch-%d-%d", i, day), at); d.Accepted != part {
				t.Fatalf("%d of %d taps were accepted", d.Accepted, part)
			}
		}
	}
	return r
}

// Finish ends the tournament once the chain is known beyond it, and pays its ore.
func (r Rush) Finish(t *testing.T) {
	t.Helper()
	AdvanceTournaments(t, r.Store, r.End)
	r.Record(t, r.End.Add(time.Second))
	AdvanceTournaments(t, r.Store, r.End.Add(time.Minute))
}

// EndTournament ends the first tournament of the Season for a store without a Market, once the chain is known beyond it, and pays
// its ore. It returns when that was.
func EndTournament(t *testing.T, store *store.Store) (at time.Time) {
	t.Helper()
	at = game.NewTournament(Season.Start).End.Add(time.Second)
	Paid(t, store, game.TON, "of nobody", at)
	for range 2 {
		Must(store.Mines.AdvanceTournaments(t.Context(), nil, at))(t)
	}
	return at
}

// CountMessages counts the messages whose key begins so.
func CountMessages(t *testing.T, store *store.Store, prefix string) int {
	t.Helper()
	var n int
	if err := store.DB.Committed(t.Context()).Raw("SELECT COUNT(*) FROM outbox WHERE key LIKE ?", prefix+"%").Scan(&n).Error; err != nil {
		t.Fatal(err)
	}
	return n
}

// Mines are what the mines show a player.
func Mines(t *testing.T, store *store.Store, player models.Player, at time.Time) mines.Mines {
	t.Helper()
	return Must(store.Mines.Mines(t.Context(), player.ID, at))(t)
}
