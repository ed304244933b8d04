package ledger_test

import (
	"database/sql"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

const checkpoints = "SELECT COUNT(*) FROM ledger_checkpoints"

func TestPostingsAreSealedTenMinutesAfterSighting(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		at := modelstest.Noon
		modelstest.SealNothing(t, store, at) // an empty ledger has nothing to sight
		player := modelstest.Player(t, store)
		modelstest.Tap(t, store, player, 10, modelstest.Key(1), at)
		modelstest.Tap(t, store, player, 10, modelstest.Key(2), at)
		modelstest.SealNothing(t, store, at)
		modelstest.Tap(t, store, player, 10, modelstest.Key(3), at) // after the sighting
		modelstest.SealNothing(t, store, at.Add(10*time.Minute-time.Millisecond))
		at = at.Add(10 * time.Minute)
		modelstest.Seal(t, store, 2, at)
		modelstest.SealNothing(t, store, at.Add(10*time.Minute-time.Millisecond))
		modelstest.Seal(t, store, 1, at.Add(10*time.Minute))
		modelstest.SealNothing(t, store, at.Add(24*time.Hour)) // nothing new
		modelstest.SealNothing(t, store, at.Add(48*time.Hour))
		modelstest.Equal(t, modelstest.Count(t, raw, checkpoints), 2, "checkpoints")
		report, err := store.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
		if err != nil || len(report.Broken()) > 0 || !strings.HasPrefix(report.Checkpoint, "checkpoint 2 up to posting 3 is ") {
			t.Errorf("%+v, %v", report, err)
		}
	})
}

// Two stores on one PostgreSQL are two processes.
func TestConcurrentProcessesSealOneChain(t *testing.T) {
	modelstest.EachDatabaseProcesses(t, func(t *testing.T, stores []*store.Store, raw *sql.DB) {
		player := modelstest.Player(t, stores[0])
		for round := range 5 {
			at := modelstest.Noon.Add(time.Duration(round) * time.Hour)
			modelstest.Tap(t, stores[0], player, 1, modelstest.Key(round), at)
			modelstest.SealNothing(t, stores[0], at)
			var sealed atomic.Int64
			late := time.Now().Add(60 * time.Second)
			for modelstest.Count(t, raw, checkpoints) == round && time.Now().Before(late) {
				modelstest.Concurrently(6, func(i int) {
					n, err := stores[i%len(stores)].Ledger.SealLedger(t.Context(), at.Add(30*time.Minute))
					if err != nil {
						t.Errorf("process %d: %v", i%len(stores), err)
					}
					sealed.Add(n)
				})
			}
			if n := modelstest.Count(t, raw, checkpoints); sealed.Load() != 1 || n != round+1 {
				t.Errorf("round %d: %d postings sealed, %d checkpoints", round, sealed.Load(), n)
			}
		}
		modelstest.Sound(t, stores[0])
	})
}

// pays and posts write a tap past the store.
const (
	pays  = "UPDATE players SET balance_game = 1000, bag_taps_today = 1, bag_energy_spent = 1 WHERE id = %d"
	posts = `INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
		VALUES (%d, 'tap:one', 0, 'house:taps', 'game', 'MCBK', 1000, '1 1 0 1 1000 0 0 0 0 0 0 0', '2026-03-04 12:00:00+00:00')`
)

// A posting has its id before it is committed, so that an older one may appear after a newer.
func TestRunningTransactionDelaysSealing(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	player, slow := modelstest.Player(t, store), modelstest.Player(t, store)
	hanging := modelstest.Must(raw.BeginTx(t.Context(), nil))(t)
	defer hanging.Rollback() //nolint:errcheck // committed below
	for _, statement := range []string{pays, posts} {
		modelstest.Must(hanging.ExecContext(t.Context(), fmt.Sprintf(statement, slow.ID)))(t)
	}
	modelstest.Tap(t, store, player, 10, modelstest.Key(1), modelstest.Noon)
	for hour := range 4 {
		modelstest.SealNothing(t, store, modelstest.Noon.Add(time.Duration(hour)*time.Hour))
	}
	modelstest.NoError(t, hanging.Commit())
	modelstest.Seal(t, store, 2, modelstest.Noon.Add(5*time.Hour))
	modelstest.Sound(t, store)
}

// Of two that ran the later may hold the older posting, and be newer than all that have ended. Numbers are the whole server's: without
// the rule it fails where no other test's transaction ends meanwhile.
func TestNewestTransactionDelaysSealing(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	quick, slow := modelstest.Player(t, store), modelstest.Player(t, store)
	does := func(tx *sql.Tx, statement string, player models.PlayerID) {
		t.Helper()
		modelstest.Must(tx.ExecContext(t.Context(), fmt.Sprintf(statement, player)))(t)
	}
	var transactions [2]*sql.Tx
	for i := range transactions {
		tx := modelstest.Must(raw.BeginTx(t.Context(), nil))(t)
		defer tx.Rollback() //nolint:errcheck // committed below
		transactions[i] = tx
	}
	first, hanging := transactions[0], transactions[1]
	does(first, pays, quick.ID)
	does(hanging, pays, slow.ID)
	does(hanging, posts, slow.ID)
	does(first, posts, quick.ID)
	modelstest.NoError(t, first.Commit())
	for hour := range 4 {
		modelstest.SealNothing(t, store, modelstest.Noon.Add(time.Duration(hour)*time.Hour))
	}
	modelstest.NoError(t, hanging.Commit())
	modelstest.Seal(t, store, 2, modelstest.Noon.Add(5*time.Hour))
	modelstest.Sound(t, store)
}

// Transactions of another server have other numbers, and a clock may be set back.
func TestForeignHighWaterMarkIsReplaced(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		modelstest.Tap(t, store, player, 10, modelstest.Key(1), modelstest.Noon)
		modelstest.SealNothing(t, store, modelstest.Noon.Add(365*24*time.Hour)) // the clock was wrong
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(10*time.Minute))
		if !modelstest.IsPostgres(t) {
			return
		}
		modelstest.Tap(t, store, player, 10, modelstest.Key(2), modelstest.Noon)
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.MustExec(t, raw, "UPDATE settings SET value = '2 9000000000000000' WHERE key = 'ledger_sighting'")
		modelstest.SealNothing(t, store, modelstest.Noon.Add(10*time.Minute))
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(20*time.Minute))
	})
}

func TestDatabaseRefusesToChangeACheckpoint(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(time.Hour))
		statements := []string{"UPDATE ledger_checkpoints SET postings = 2", "DELETE FROM ledger_checkpoints"}
		if modelstest.IsPostgres(t) {
			statements = append(statements, "TRUNCATE ledger_checkpoints")
		} else {
			statements = append(statements, "REPLACE INTO ledger_checkpoints SELECT id, last_posting_id, 2, amounts, hash, sealed_at, last_action_id, actions FROM ledger_checkpoints")
		}
		for _, statement := range statements {
			modelstest.FailsWith(raw.ExecContext(t.Context(), statement))(t, "append-only", statement)
		}
		modelstest.Sound(t, store)
	})
}

func TestUndecidedActionsAreSealedLater(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "spam")
		nonce := modelstest.Ask(t, store, players.ActionUnban, fmt.Sprint(player.ID))
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(time.Hour))
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT last_action_id FROM ledger_checkpoints"), 1, "sealed up to action")
		modelstest.Confirm(t, store, nonce)
		modelstest.Sound(t, store)
	})
}
