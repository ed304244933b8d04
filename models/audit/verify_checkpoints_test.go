package audit_test

import (
	"database/sql"
	"fmt"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
)

// Each change leaves every book in agreement with every other, so that only the chain tells.
func TestVerifyNamesFirstCheckpointThatDiffers(t *testing.T) {
	const first, second, third = "checkpoint 1 (postings 1 to 5)", "checkpoint 2 (postings 6 to 9)", "checkpoint 3 (postings 10 to 13)"
	named := func(checkpoint string) []string { return []string{of(checkpointsMatch, checkpoint)} }
	cases := map[string]finding{
		"a reference": {"UPDATE postings SET reference = 'tap:other' WHERE id = 7", named(second)},
		"a time":      {"UPDATE postings SET posted_at = '2026-03-04 12:00:00.000001+00:00' WHERE id = 13", named(third)},
		"a claim":     {"UPDATE postings SET memo = REPLACE(memo, '10 10 0', '11 10 0') WHERE id = 2", named(first)},
		"an amount, its memo and the balance": {`UPDATE postings SET amount = 11000, memo = '11 11 0 31 31000 0 0 0 0 0 0 0' WHERE id = 13;
			UPDATE players SET balance_game = 31000, bag_taps_today = 31, bag_energy_spent = 31 WHERE id = (SELECT player_id FROM postings WHERE id = 13)`, named(third)},
		"gone with its worth": {`UPDATE players SET balance_game = 20000, bag_taps_today = 20, bag_energy_spent = 20 WHERE id = (SELECT player_id FROM postings WHERE id = 12);
			DELETE FROM postings WHERE id = 12`, named(third)},
		"the newest gone": {`UPDATE players SET balance_game = 20000, bag_taps_today = 20, bag_energy_spent = 20 WHERE id = (SELECT player_id FROM postings WHERE id = 13);
			DELETE FROM postings WHERE id = 13`, named(third)},
		"one put in where none was": {`INSERT INTO postings (id, player_id, reference, line, source, destination, asset, amount, memo, posted_at)
			SELECT 1, MIN(id), 'tap:forged', 0, 'house:taps', 'game', 'MCBK', 0, '1 0 0 0 0 0 0 0 0 0 0 0', '2026-03-04 12:00:00+00:00' FROM players`, named(first)},
		"an id": {"UPDATE postings SET id = 1 WHERE id = 2", named(first)},
		"two ids exchanged": {`UPDATE postings SET id = -id WHERE id IN (6, 7);
			UPDATE postings SET id = 13 + id WHERE id IN (-6, -7)`, named(second)},
		"a checkpoint's hash":         {"UPDATE ledger_checkpoints SET hash = (SELECT hash FROM ledger_checkpoints WHERE id = 1) WHERE id = 2", named(second)},
		"a checkpoint's count":        {"UPDATE ledger_checkpoints SET postings = 5 WHERE id = 2", named(second)},
		"a checkpoint's sums":         {"UPDATE ledger_checkpoints SET amounts = 'MCBK=1' WHERE id = 1", named(first)},
		"a checkpoint's time":         {"UPDATE ledger_checkpoints SET sealed_at = '2026-03-04 12:00:00+00:00' WHERE id = 3", named(third)},
		"a checkpoint's end":          {"UPDATE ledger_checkpoints SET last_posting_id = 8 WHERE id = 2", named("checkpoint 2 (postings 6 to 8)")},
		"a checkpoint gone":           {"DELETE FROM ledger_checkpoints WHERE id = 2", named("checkpoint 3 (postings 6 to 13)")},
		"the first checkpoint gone":   {"DELETE FROM ledger_checkpoints WHERE id = 1", named("checkpoint 2 (postings 1 to 9)")},
		"a checkpoint with no number": {"UPDATE ledger_checkpoints SET id = 5 WHERE id = 3", named("checkpoint 5 (postings 10 to 13)")},
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
		dropGuards(t, raw)
		wantFound(t, store, raw, 0, cases)
		// Somebody who makes one checkpoint anew must make all later ones anew.
		modelstest.MustExec(t, raw, "UPDATE postings SET reference = 'tap:other' WHERE id = 2")
		modelstest.MustExec(t, raw, "DELETE FROM ledger_checkpoints")
		modelstest.MustExec(t, raw, "UPDATE settings SET value = '5 0' WHERE key = 'ledger_sighting'")
		modelstest.Seal(t, store, 4, modelstest.Noon.Add(24*time.Hour))
		modelstest.MustExec(t, raw, "INSERT INTO ledger_checkpoints SELECT * FROM kept.ledger_checkpoints WHERE id > 1")
		modelstest.Equal(t, findBrokenRows(t, store), brokenFor(0, named(second)), "made anew")
	})
}

func TestCheckpointsSealAdminActions(t *testing.T) {
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
			modelstest.Equal(t, findBrokenRows(t, store)[checkpointsMatch], []string{names}, change, names)
			modelstest.MustExec(t, raw, "DELETE FROM admin_actions")
			modelstest.MustExec(t, raw, "INSERT INTO admin_actions "+map[bool]string{true: "OVERRIDING SYSTEM VALUE "}[modelstest.IsPostgres(t)]+"SELECT * FROM kept_actions")
		}
		modelstest.Equal(t, len(findBrokenRows(t, store)), 0, "put back")
	})
}

func TestVerifyNamesMissingCheckpoints(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Player(t, store, modelstest.Tapped(20))
		const sealed = "every posting that has settled has its checkpoint"
		for hour := range 4 {
			at := modelstest.Noon.Add(time.Duration(hour+1) * time.Hour)
			modelstest.NoError(t, store.Alarms.SaveRun(t.Context(), models.JobRun{Job: ledger.SealLedgerJob, Period: at, DoneAt: at}))
			modelstest.Equal(t, len(findBroken(t, store)[sealed]), hour/3, "after", hour+1, "runs that sealed nothing")
		}
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 1, modelstest.Noon.Add(time.Hour))
		modelstest.Must(store.Ledger.CountDays(t.Context(), modelstest.Noon.Add(time.Hour)))(t)
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		modelstest.MustExec(t, raw, "DELETE FROM job_runs")
		modelstest.MustExec(t, raw, "DELETE FROM ledger_checkpoints")
		modelstest.Equal(t, findBroken(t, store)[sealed], []string{"postings 1 to 1 were sealed"}, "the only one gone")
	})
}
