package leaderboard_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/leaderboard"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

// buildRanks has the ranks of all who are there.
func buildRanks(t *testing.T, store *store.Store) {
	t.Helper()
	modelstest.NoError(t, store.Leaderboard.BuildRanks(t.Context()))
}

// refreshRanks takes up what this process has changed.
func refreshRanks(t *testing.T, store *store.Store) {
	t.Helper()
	modelstest.NoError(t, store.Leaderboard.RefreshRanks(t.Context(), store.Leaderboard.DrainChanged()))
}

func followLedger(t *testing.T, store *store.Store) {
	t.Helper()
	modelstest.NoError(t, store.Leaderboard.FollowRanks(t.Context()))
}

// wantRanks checks who is on a board, best first.
func wantRanks(t *testing.T, store *store.Store, by leaderboard.RankBy, want ...models.Player) {
	t.Helper()
	leaders, more, err := store.Leaderboard.Leaders(t.Context(), by, models.Page{Limit: 100})
	if err != nil || more {
		t.Fatalf("leaders: more %t, %v", more, err)
	}
	var ids, wanted []models.PlayerID
	for _, l := range leaders {
		ids = append(ids, l.ID)
	}
	for _, p := range want {
		wanted = append(wanted, p.ID)
	}
	modelstest.Equal(t, ids, wanted, "board", by, "has")
	for i, p := range want {
		now := modelstest.Must(store.Players.Player(t.Context(), p.ID))(t)
		if place, known := store.Leaderboard.Place(by, now); !known || place != i+1 {
			t.Errorf("player %d has place %d (known: %t) on board %d, want %d", p.ID, place, known, by, i+1)
		}
	}
}

func TestRanksFollowOwnCommits(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		few, many, none := modelstest.Player(t, store, modelstest.Tapped(10)), modelstest.Player(t, store, modelstest.Tapped(30)), modelstest.Player(t, store)
		if _, known := store.Leaderboard.Place(leaderboard.ByCoins, few); known {
			t.Error("a place is known before the ranks are built")
		}
		if leaders, more, err := store.Leaderboard.Leaders(t.Context(), leaderboard.ByCoins, models.Page{Limit: 9}); len(leaders) > 0 || more || err != nil {
			t.Errorf("leaders before there are any: %v, %t, %v", leaders, more, err)
		}
		buildRanks(t, store)
		wantRanks(t, store, leaderboard.ByCoins, many, few, none)
		wantRanks(t, store, leaderboard.ByPoints, few, many, none)

		modelstest.Tap(t, store, few, 25, "", modelstest.Noon.Add(24*time.Hour))
		modelstest.CheckIn(t, store, none, modelstest.Noon)
		late := modelstest.Player(t, store)
		refreshRanks(t, store)
		wantRanks(t, store, leaderboard.ByCoins, none, few, many, late)
		wantRanks(t, store, leaderboard.ByPoints, none, few, many, late)

		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(few.ID), "a bot")
		refreshRanks(t, store)
		wantRanks(t, store, leaderboard.ByCoins, none, many, late)
		modelstest.Done(t, store, players.ActionUnban, fmt.Sprint(few.ID))
		refreshRanks(t, store)
		wantRanks(t, store, leaderboard.ByCoins, none, few, many, late)
	})
}

func TestPurchaseIsRankedByCoinsBought(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		plain, rich := modelstest.Player(t, store, modelstest.Tapped(10)), modelstest.Buyer(t, store)
		buildRanks(t, store)
		m.Pay(game.TON, modelstest.OrderCoins(t, store, rich, game.TON, modelstest.Noon).Comment, modelstest.Noon)
		m.Record(t, modelstest.Noon.Add(time.Minute))
		refreshRanks(t, store)
		wantRanks(t, store, leaderboard.ByPurchased, rich, plain)
		wantRanks(t, store, leaderboard.ByCoins, plain, rich)
	})
}

// TestRanksFollowOtherProcesses leaves two stores on one database to tell each other by the ledger alone.
func TestRanksFollowOtherProcesses(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	few, many := modelstest.Player(t, there, modelstest.Tapped(10)), modelstest.Player(t, there, modelstest.Tapped(30))
	buildRanks(t, here)
	modelstest.Tap(t, there, few, 25, "", modelstest.Noon.Add(24*time.Hour))
	late := modelstest.Player(t, there)
	followLedger(t, here)
	wantRanks(t, here, leaderboard.ByCoins, few, many, late)
	modelstest.Done(t, there, players.ActionBan, fmt.Sprint(few.ID), "a bot")
	followLedger(t, here)
	wantRanks(t, here, leaderboard.ByCoins, many, late)
	modelstest.Done(t, there, players.ActionUnban, fmt.Sprint(few.ID))
	followLedger(t, here)
	wantRanks(t, here, leaderboard.ByCoins, few, many, late)
}

// TestLateCommittedPostingIsNotMissed holds a posting with a small id back until many greater ones were read.
func TestLateCommittedPostingIsNotMissed(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	slow, quick := modelstest.Player(t, store, modelstest.Tapped(10)), modelstest.Player(t, store, modelstest.Tapped(30))
	buildRanks(t, store)
	follow := func() {
		t.Helper()
		modelstest.NoError(t, store.Leaderboard.FollowLedger(t.Context()))
	}
	follow()
	follow()
	tx := beginTx(t, modelstest.Raw(t, address))
	for _, statement := range []string{
		"SELECT id FROM players WHERE id = $1 FOR NO KEY UPDATE",
		`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at, mark)
			VALUES ($1, 'late', 0, 'house:taps', 'game', 'MCBK', 1000000000, '', now(), 0)`,
		"UPDATE players SET balance_game = balance_game + 1000000000 WHERE id = $1",
	} {
		modelstest.Must(tx.ExecContext(t.Context(), statement, slow.ID))(t)
	}
	for range 5 {
		modelstest.Tap(t, store, quick, 1, "", modelstest.Noon.Add(24*time.Hour))
		follow()
	}
	wantRanks(t, store, leaderboard.ByCoins, quick, slow)
	modelstest.NoError(t, tx.Commit())
	follow()
	wantRanks(t, store, leaderboard.ByCoins, slow, quick)
}

func beginTx(t *testing.T, raw *sql.DB) *sql.Tx {
	t.Helper()
	tx := modelstest.Must(raw.BeginTx(t.Context(), nil))(t)
	t.Cleanup(func() { _ = tx.Rollback() }) // unless it was committed
	return tx
}

// TestLedgerIsFollowedToItsEnd has more postings and newcomers than are looked at at once.
func TestLedgerIsFollowedToItsEnd(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	var all []models.Player
	for i := range 5 {
		all = append(all, modelstest.Player(t, there, modelstest.Tapped(10+i)))
	}
	slices.Reverse(all)
	buildRanks(t, here)
	for range 2 { // now what was there when the ranks were built is passed
		modelstest.NoError(t, here.Leaderboard.FollowLedger(t.Context()))
	}
	for i, p := range all {
		modelstest.Tap(t, there, p, 20-3*i, "", modelstest.Noon.Add(24*time.Hour))
	}
	for i := range 3 {
		all = append(all, modelstest.Player(t, there, modelstest.Tapped(9-i)))
	}
	modelstest.NoError(t, here.Leaderboard.FollowLedger(t.Context()))
	wantRanks(t, here, leaderboard.ByCoins, all...)
}

// TestLateCommittedPlayerIsNotMissed lets somebody arrive with a smaller id than one who is there, while the ranks are built.
func TestLateCommittedPlayerIsNotMissed(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	here, there := modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	inviter := modelstest.Player(t, here, modelstest.Tapped(10))
	raw := modelstest.Raw(t, address)
	tx := beginTx(t, raw)
	modelstest.Must(tx.ExecContext(t.Context(), "LOCK TABLE friends"))(t)
	arrived := make(chan models.Player, 1)
	go func() {
		late, err := there.Players.SignIn(context.WithoutCancel(t.Context()), players.LaunchUser{TelegramID: modelstest.TelegramID(), FirstName: "Ann", StartParam: inviter.ReferralCode}, modelstest.Noon)
		if err != nil {
			t.Error(err)
		}
		arrived <- late
	}()
	for waiting := 0; waiting == 0; time.Sleep(time.Millisecond) {
		modelstest.NoError(t, raw.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM pg_locks WHERE NOT granted AND relation = 'friends'::regclass").Scan(&waiting))
	}
	early := modelstest.Player(t, here)
	buildRanks(t, here)
	modelstest.NoError(t, tx.Commit())
	late := <-arrived
	if late.ID >= early.ID {
		t.Fatalf("player %d came after player %d: the test shows nothing", late.ID, early.ID)
	}
	modelstest.NoError(t, here.Leaderboard.FollowLedger(t.Context()))
	wantRanks(t, here, leaderboard.ByCoins, inviter, late, early)
}

// TestUnreadableLedgerStopsNothingElse takes the ledger away.
func TestUnreadableLedgerStopsNothingElse(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		first, second, third := modelstest.Player(t, store, modelstest.Tapped(30)), modelstest.Player(t, store, modelstest.Tapped(20)), modelstest.Player(t, store, modelstest.Tapped(10))
		buildRanks(t, store)
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(first.ID), "a bot")
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_game = 0 WHERE id = %d", second.ID))
		modelstest.MustExec(t, raw, "ALTER TABLE postings RENAME TO away")
		err := store.Leaderboard.FollowRanks(t.Context())
		modelstest.MustExec(t, raw, "ALTER TABLE away RENAME TO postings")
		if err == nil {
			t.Error("that the ledger cannot be read is not told")
		}
		wantRanks(t, store, leaderboard.ByCoins, third, second)
	})
}

// TestFullRereadFindsMissedChanges changes rows behind everybody's back.
func TestFullRereadFindsMissedChanges(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		first, second := modelstest.Player(t, store, modelstest.Tapped(30)), modelstest.Player(t, store, modelstest.Tapped(10))
		buildRanks(t, store)
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_game = 0 WHERE id = %d", first.ID))
		followLedger(t, store)
		wantRanks(t, store, leaderboard.ByCoins, second, first)
	})
}
