package audit_test

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/audit"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

func noMore() bool { return false }

// verifyPart is one step of a check, and what it found but for guards that a test took away. After the last step the next round begins.
func verifyPart(t *testing.T, store *store.Store) (audit.Report, map[string][]string) {
	t.Helper()
	report := modelstest.Must(store.Audit.VerifyPart(t.Context(), modelstest.Season, modelstest.Noon, noMore))(t)
	broken := map[string][]string{}
	for _, v := range report.Broken() {
		broken[v.Invariant] = v.Broken
	}
	delete(broken, guardsExist)
	if report.Whole {
		modelstest.NoError(t, store.Audit.RestartVerify(t.Context(), modelstest.Noon))
	}
	return report, broken
}

// A part ends after its first step: 16 players, or a checkpoint.
func TestVerifyRoundCoversAllRowsOnceThenRestarts(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for range 40 {
			modelstest.Player(t, store, modelstest.Tapped(5))
		}
		modelstest.SealNothing(t, store, modelstest.Noon)
		modelstest.Seal(t, store, 40, modelstest.Noon.Add(time.Hour))
		for round := range 2 {
			for step, want := range []audit.Report{{Players: 16, Postings: 16}, {Players: 16, Postings: 16}, {Players: 8, Postings: 8}, {}, {Whole: true}} {
				got, broken := verifyPart(t, store)
				if got.Players != want.Players || got.Postings != want.Postings || got.Whole != want.Whole || len(broken) > 0 {
					t.Errorf("round %d, step %d: %d players, %d postings, whole: %t, broken: %v", round, step, got.Players, got.Postings, got.Whole, broken)
				}
			}
		}
		report, err := store.Audit.VerifyPart(t.Context(), modelstest.Season, modelstest.Noon, func() bool { return true })
		if err != nil || !report.Whole || report.Players != 40 || report.Postings != 40 {
			t.Errorf("with time for all: %+v, %v", report, err)
		}
	})
}

func TestVerifyRoundReportsFindingsOfEachPart(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		var players []models.Player
		for range 20 {
			players = append(players, modelstest.Player(t, store, modelstest.Tapped(5)))
		}
		first, last := players[0].ID, players[19].ID
		wrong := func(id models.PlayerID, by string) {
			modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_game = balance_game %s WHERE id = %d", by, id))
		}
		wrong(first, "+ 1")
		wrong(last, "+ 1")
		one, other := fmt.Sprint("player ", first), fmt.Sprint("player ", last)
		for step, want := range [][]string{{one}, {one, other}, {one, other}, nil, nil} {
			report, broken := verifyPart(t, store)
			if !slices.Equal(broken[balancesAreSums], want) || len(broken) > 1 || report.Whole != (step == 2) {
				t.Errorf("step %d: found %v, want %v; whole: %t", step, broken, want, report.Whole)
			}
			if step == 1 { // the round keeps what it saw
				wrong(first, "- 1")
				wrong(last, "- 1")
			}
		}
	})
}

func TestFailedVerifyPartRepeatsOneStepAtMost(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		for range 40 {
			modelstest.Player(t, store)
		}
		ctx, cancel := context.WithCancel(t.Context())
		modelstest.FailsWith(store.Audit.VerifyPart(ctx, modelstest.Season, modelstest.Noon, func() bool { cancel(); return true }))(t, "", "cut short it tells")
		if report, _ := verifyPart(t, store); report.Players != 16 {
			t.Errorf("afterwards it saw %d players", report.Players)
		}
		if report, _ := verifyPart(t, store); report.Players != 8 {
			t.Errorf("and then %d", report.Players)
		}
	})
}

func TestVerifyRoundFindsCheckpointDeletedBetweenParts(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		for hour := range 3 {
			at := modelstest.Noon.Add(time.Duration(hour) * time.Hour)
			modelstest.Tap(t, store, player, 10, modelstest.Key(hour), modelstest.Noon)
			modelstest.SealNothing(t, store, at)
			modelstest.Seal(t, store, 1, at.Add(30*time.Minute))
		}
		dropGuards(t, raw)
		verifyPart(t, store) // the player
		if _, broken := verifyPart(t, store); len(broken) > 0 {
			t.Fatalf("the first checkpoint: %v", broken)
		}
		modelstest.MustExec(t, raw, "DELETE FROM ledger_checkpoints WHERE id = 1")
		report, broken := verifyPart(t, store)
		if !report.Whole || !slices.Equal(broken[checkpointsMatch], []string{"checkpoint 2 (postings 1 to 2)"}) {
			t.Errorf("it tells %v; whole: %t", broken, report.Whole)
		}
	})
}

func TestRoundEndIsReportedUntilAcknowledged(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		odd := modelstest.Player(t, store, modelstest.Tapped(5))
		modelstest.MustExec(t, raw, "UPDATE players SET balance_game = balance_game + 1")
		verifyPart(t, store)
		for _, goOn := range []func() bool{noMore, func() bool { return true }} {
			report, err := store.Audit.VerifyPart(t.Context(), modelstest.Season, modelstest.Noon, goOn)
			if err != nil || !report.Whole || len(report.Broken()) != 1 || report.Broken()[0].Broken[0] != fmt.Sprint("player ", odd.ID) {
				t.Errorf("it tells %+v, %v", report, err)
			}
		}
		modelstest.NoError(t, store.Audit.RestartVerify(t.Context(), modelstest.Noon))
		if report, _ := verifyPart(t, store); report.Whole || report.Players != 1 {
			t.Errorf("the next round begins with %+v", report)
		}
	})
}
