package store_test

import (
	"database/sql"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

const checkpoints = "SELECT COUNT(*) FROM ledger_checkpoints"

func TestPostingsAreSealedTenMinutesAfterTheyWereSighted(t *testing.T) {
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
		if n := modelstest.Count(t, raw, checkpoints); n != 2 {
			t.Errorf("%d checkpoints", n)
		}
		report, err := store.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
		if err != nil || len(report.Broken()) > 0 || !strings.HasPrefix(report.Checkpoint, "checkpoint 2 up to posting 3 is ") {
			t.Errorf("%+v, %v", report, err)
		}
	})
}

// Two stores on one PostgreSQL are two processes.
func TestProcessesSealingTogetherMakeOneChain(t *testing.T) {
	for _, name := range modelstest.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Address(t, name)
			stores := []*store.Store{modelstest.OpenStore(t, address)}
			if modelstest.IsPostgres(t) {
				stores = append(stores, modelstest.OpenStore(t, address))
			}
			raw := modelstest.Raw(t, address)
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
}

// A posting has its id before it is committed, so that an older one may appear after a newer.
func TestNothingIsSealedOverATransactionThatStillRuns(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	player, slow := modelstest.Player(t, store), modelstest.Player(t, store)
	hanging, err := raw.BeginTx(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer hanging.Rollback() //nolint:errcheck // committed below
	for _, statement := range []string{
		"UPDATE players SET balance_game = 1000, bag_taps_today = 1, bag_energy_spent = 1 WHERE id = %d",
		`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
			VALUES (%d, 'tap:slow', 0, 'house:taps', 'game', 'MCBK', 1000, '1 1 0 1 1000 0 0 0 0 0 0 0', '2026-03-04 12:00:00+00:00')`,
	} {
		if _, err := hanging.ExecContext(t.Context(), fmt.Sprintf(statement, slow.ID)); err != nil {
			t.Fatal(err)
		}
	}
	modelstest.Tap(t, store, player, 10, modelstest.Key(1), modelstest.Noon)
	for hour := range 4 {
		modelstest.SealNothing(t, store, modelstest.Noon.Add(time.Duration(hour)*time.Hour))
	}
	if err := hanging.Commit(); err != nil {
		t.Fatal(err)
	}
	modelstest.Seal(t, store, 2, modelstest.Noon.Add(5*time.Hour))
	modelstest.Sound(t, store)
}

// Of two that ran the later may hold the older posting, and be newer than all that have ended. Numbers are the whole server's: without
// the rule it fails where no other test's transaction ends meanwhile.
func TestNothingIsSealedOverTheNewestTransactionOfAll(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	quick, slow := modelstest.Player(t, store), modelstest.Player(t, store)
	does := func(tx *sql.Tx, statement string, player models.PlayerID) {
		t.Helper()
		if _, err := tx.ExecContext(t.Context(), fmt.Sprintf(statement, player)); err != nil {
			t.Fatal(err)
		}
	}
	const (
		pays  = "UPDATE players SET balance_game = 1000, bag_taps_today = 1, bag_energy_spent = 1 WHERE id = %d"
		posts = `INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
			VALUES (%d, 'tap:one', 0, 'house:taps', 'game', 'MCBK', 1000, '1 1 0 1 1000 0 0 0 0 0 0 0', '2026-03-04 12:00:00+00:00')`
	)
	var transactions [2]*sql.Tx
	for i := range transactions {
		tx, err := raw.BeginTx(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer tx.Rollback() //nolint:errcheck // committed below
		transactions[i] = tx
	}
	first, hanging := transactions[0], transactions[1]
	does(first, pays, quick.ID)
	does(hanging, pays, slow.ID)
	does(hanging, posts, slow.ID)
	does(first, posts, quick.ID)
	if err := first.Commit(); err != nil {
		t.Fatal(err)
	}
	for hour := range 4 {
		modelstest.SealNothing(t, store, modelstest.Noon.Add(time.Duration(hour)*time.Hour))
	}
	if err := hanging.Commit(); err != nil {
		t.Fatal(err)
	}
	modelstest.Seal(t, store, 2, modelstest.Noon.Add(5*time.Hour))
	modelstest.Sound(t, store)
}

// Transactions of another server have other numbers, and a clock may be set back.
func TestASightingThatMeansNothingHereIsReplaced(t *testing.T) {
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

func TestTheDatabaseItselfRefusesToChangeACheckpoint(t *testing.T) {
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
			if _, err := raw.ExecContext(t.Context(), statement); err == nil || !strings.Contains(err.Error(), "append-only") {
				t.Errorf("%s: %v", statement, err)
			}
		}
		modelstest.Sound(t, store)
	})
}

// Each change leaves every book in agreement with every other, so that only the chain tells.
func TestVerifyNamesTheFirstCheckpointThatDiffers(t *testing.T) {
	const first, second, third = "checkpoint 1 (postings 1 to 5)", "checkpoint 2 (postings 6 to 9)", "checkpoint 3 (postings 10 to 13)"
	cases := map[string]struct {
		changes []string
		names   string
	}{
		"a reference": {[]string{"UPDATE postings SET reference = 'tap:other' WHERE id = 7"}, second},
		"a time":      {[]string{"UPDATE postings SET posted_at = '2026-03-04 12:00:00.000001+00:00' WHERE id = 13"}, third},
		"a claim":     {[]string{"UPDATE postings SET memo = REPLACE(memo, '10 10 0', '11 10 0') WHERE id = 2"}, first},
		"an amount, its memo and the balance": {[]string{
			"UPDATE postings SET amount = 11000, memo = '11 11 0 31 31000 0 0 0 0 0 0 0' WHERE id = 13",
			"UPDATE players SET balance_game = 31000, bag_taps_today = 31, bag_energy_spent = 31 WHERE id = (SELECT player_id FROM postings WHERE id = 13)",
		}, third},
		"gone with its worth": {[]string{
			"UPDATE players SET balance_game = 20000, bag_taps_today = 20, bag_energy_spent = 20 WHERE id = (SELECT player_id FROM postings WHERE id = 12)",
			"DELETE FROM postings WHERE id = 12",
		}, third},
		"the newest gone": {[]string{
			"UPDATE players SET balance_game = 20000, bag_taps_today = 20, bag_energy_spent = 20 WHERE id = (SELECT player_id FROM postings WHERE id = 13)",
			"DELETE FROM postings WHERE id = 13",
		}, third},
		"one put in where none was": {[]string{`INSERT INTO postings (id, player_id, reference, line, source, destination, asset, amount, memo, posted_at)
			SELECT 1, MIN(id), 'tap:forged', 0, 'house:taps', 'game', 'MCBK', 0, '1 0 0 0 0 0 0 0 0 0 0 0', '2026-03-04 12:00:00+00:00' FROM players`}, first},
		"an id":                       {[]string{"UPDATE postings SET id = 1 WHERE id = 2"}, first},
		"two ids exchanged":           {[]string{"UPDATE postings SET id = -id WHERE id IN (6, 7)", "UPDATE postings SET id = 13 + id WHERE id IN (-6, -7)"}, second},
		"a checkpoint's hash":         {[]string{"UPDATE ledger_checkpoints SET hash = (SELECT hash FROM ledger_checkpoints WHERE id = 1) WHERE id = 2"}, second},
		"a checkpoint's count":        {[]string{"UPDATE ledger_checkpoints SET postings = 5 WHERE id = 2"}, second},
		"a checkpoint's sums":         {[]string{"UPDATE ledger_checkpoints SET amounts = 'MCBK=1' WHERE id = 1"}, first},
		"a checkpoint's time":         {[]string{"UPDATE ledger_checkpoints SET sealed_at = '2026-03-04 12:00:00+00:00' WHERE id = 3"}, third},
		"a checkpoint's end":          {[]string{"UPDATE ledger_checkpoints SET last_posting_id = 8 WHERE id = 2"}, "checkpoint 2 (postings 6 to 8)"},
		"a checkpoint gone":           {[]string{"DELETE FROM ledger_checkpoints WHERE id = 2"}, "checkpoint 3 (postings 6 to 13)"},
		"the first checkpoint gone":   {[]string{"DELETE FROM ledger_checkpoints WHERE id = 1"}, "checkpoint 2 (postings 1 to 9)"},
		"a checkpoint with no number": {[]string{"UPDATE ledger_checkpoints SET id = 5 WHERE id = 3"}, "checkpoint 5 (postings 10 to 13)"},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		var players []models.Player
		for range 4 {
			players = append(players, modelstest.Player(t, store))
		}
		// An id that was given and never used, as after a rollback.
		if modelstest.IsPostgres(t) {
			modelstest.MustExec(t, raw, "SELECT nextval('postings_id_seq')")
		} else {
			modelstest.MustExec(t, raw, "INSERT INTO sqlite_sequence (name, seq) VALUES ('postings', 1)")
		}
		for round := range 3 {
			for _, p := range players {
				modelstest.Tap(t, store, p, 10, modelstest.Key(round), modelstest.Noon)
			}
			at := modelstest.Noon.Add(time.Duration(round) * time.Hour)
			modelstest.SealNothing(t, store, at)
			modelstest.Seal(t, store, 4, at.Add(30*time.Minute))
		}
		unguarded(t, raw)
		restore := remembered(t, raw)
		for name, c := range cases {
			breaks(t, store, 0)
			for _, change := range c.changes {
				modelstest.MustExec(t, raw, change)
			}
			got := brokenPlayers(t, store)
			if want := map[string][]string{chainHolds: {c.names}}; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: found %v, want %v", name, got, want)
			}
			restore()
		}
		// Somebody who makes one checkpoint anew must make all later ones anew.
		modelstest.MustExec(t, raw, "UPDATE postings SET reference = 'tap:other' WHERE id = 2")
		modelstest.MustExec(t, raw, "DELETE FROM ledger_checkpoints")
		modelstest.MustExec(t, raw, "UPDATE settings SET value = '5 0' WHERE key = 'ledger_sighting'")
		modelstest.Seal(t, store, 4, modelstest.Noon.Add(24*time.Hour))
		modelstest.MustExec(t, raw, "INSERT INTO ledger_checkpoints SELECT * FROM kept_ledger_checkpoints WHERE id > 1")
		if got, want := brokenPlayers(t, store), map[string][]string{chainHolds: {second}}; !reflect.DeepEqual(got, want) {
			t.Errorf("made anew: found %v, want %v", got, want)
		}
	})
}

func TestCheckpointsSealWhatAdminsDid(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		for round := range 2 {
			modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "spam")
			modelstest.Done(t, store, players.ActionUnban, fmt.Sprint(player.ID))
			modelstest.Tap(t, store, player, 10, modelstest.Key(round), modelstest.Noon)
			at := modelstest.Noon.Add(time.Duration(round) * time.Hour)
			modelstest.SealNothing(t, store, at)
			modelstest.Seal(t, store, 1, at.Add(30*time.Minute))
		}
		modelstest.Sound(t, store)
		const first, second = "checkpoint 1 (postings 1 to 1)", "checkpoint 2 (postings 2 to 2)"
		unaudited := []string{"DROP TRIGGER admin_actions_no_update", "DROP TRIGGER admin_actions_no_delete", "DROP TRIGGER admin_actions_no_replace"}
		if modelstest.IsPostgres(t) {
			unaudited = []string{"DROP TRIGGER admin_actions_no_update ON admin_actions", "DROP TRIGGER admin_actions_no_delete ON admin_actions", "ALTER TABLE admin_actions ALTER id SET GENERATED BY DEFAULT"}
		}
		for _, statement := range unaudited {
			modelstest.MustExec(t, raw, statement)
		}
		modelstest.MustExec(t, raw, "CREATE TABLE kept_actions AS SELECT * FROM admin_actions")
		for change, names := range map[string]string{
			"UPDATE admin_actions SET outcome = 'another' WHERE id = 1":                                 first,
			"UPDATE admin_actions SET admin_id = 7 WHERE id = 4":                                        second,
			"UPDATE admin_actions SET decided_at = asked_at, args = '[]', action = 'none' WHERE id = 3": second,
			"UPDATE admin_actions SET id = -1 WHERE id = 2":                                             first,
			"UPDATE admin_actions SET nonce_hash = 'another' WHERE id = 2":                              first,
		} {
			modelstest.MustExec(t, raw, change)
			if got := brokenPlayers(t, store)[chainHolds]; !slices.Equal(got, []string{names}) {
				t.Errorf("%s: found %v, want %s", change, got, names)
			}
			modelstest.MustExec(t, raw, "DELETE FROM admin_actions")
			modelstest.MustExec(t, raw, "INSERT INTO admin_actions "+map[bool]string{true: "OVERRIDING SYSTEM VALUE "}[modelstest.IsPostgres(t)]+"SELECT * FROM kept_actions")
		}
		if got := brokenPlayers(t, store); len(got) > 0 {
			t.Errorf("put back: %v", got)
		}
	})
}

func TestUndecidedActionsAreSealedLater(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.Done(t, store, players.ActionBan, fmt.Sprint(player.ID), "spam")
		nonce := modelstest.Ask(t, store, players.ActionUnban, fmt.Sprint(player.ID))
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(time.Hour))
		if n := modelstest.Count(t, raw, "SELECT last_action_id FROM ledger_checkpoints"); n != 1 {
			t.Errorf("sealed up to action %d", n)
		}
		modelstest.Confirm(t, store, nonce)
		modelstest.Sound(t, store)
	})
}

func TestVerifyNamesMissingCheckpoints(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Player(t, store, modelstest.Tapped(20))
		const sealed = "every posting that has settled has its checkpoint"
		for hour := range 4 {
			at := modelstest.Noon.Add(time.Duration(hour+1) * time.Hour)
			if err := store.Alarms.SaveRun(t.Context(), alarms.JobRun{Job: ledger.SealLedgerJob, Period: at, DoneAt: at}); err != nil {
				t.Fatal(err)
			}
			if got := found(t, store)[sealed]; len(got) != hour/3 {
				t.Errorf("after %d runs that sealed nothing: %v", hour+1, got)
			}
		}
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(time.Hour))
		if _, err := store.Ledger.CountDays(t.Context(), modelstest.Noon.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
		modelstest.Sound(t, store)
		unguarded(t, raw)
		modelstest.MustExec(t, raw, "DELETE FROM job_runs")
		modelstest.MustExec(t, raw, "DELETE FROM ledger_checkpoints")
		if got := found(t, store)[sealed]; !slices.Equal(got, []string{"postings 1 to 1 were sealed"}) {
			t.Errorf("the only one gone: %v", got)
		}
	})
}
