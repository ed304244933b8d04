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
	"mcbk/models/admin"
	"mcbk/models/audit"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/settings"
	"mcbk/models/store"
)

func TestVerifyFindsStaleConfirmation(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		modelstest.Ask(t, store, settings.ActionChangeSetting, "taps_per_second", "20")
		for broken, after := range []time.Duration{12 * time.Minute, 12*time.Minute + time.Second} {
			late := modelstest.Noon.Add(24 * time.Hour) // stopped meanwhile, which breaks nothing
			modelstest.NoError(t, store.Alarms.SaveRun(t.Context(), models.JobRun{Job: admin.ExpireActionsJob, Period: modelstest.Noon.Add(after), DoneAt: modelstest.Noon.Add(after)}))
			report := modelstest.Must(store.Audit.Verify(t.Context(), modelstest.Season, late))(t)
			modelstest.Equal(t, len(report.Broken()), broken, "after", after, report.Broken())
			for _, v := range report.Broken() {
				if v.Invariant != confirmationsExpire || !slices.Equal(v.Broken, []string{"admin action 1"}) {
					t.Errorf("after %s: %+v", after, v)
				}
			}
		}
	})
}

func TestVerifyPausesBetweenSnapshots(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Player(t, store)
		rests := 0
		report, err := store.Audit.Verify(db.Throttled(t.Context(), func(context.Context) error { rests++; return nil }), modelstest.Season, modelstest.Noon)
		if err != nil || rests == 0 || len(report.Broken()) > 0 {
			t.Errorf("%d rests, %+v, %v", rests, report, err)
		}
		enough := errors.New("enough")
		modelstest.Fails(store.Audit.Verify(db.Throttled(t.Context(), func(context.Context) error { return enough }), modelstest.Season, modelstest.Noon))(t, enough, "it ends with")
	})
}

func TestVerifyFindsRateMissingInReceipt(t *testing.T) {
	const set, second = "UPDATE postings SET ", " WHERE reference = 'tap:key-00002'"
	cases := map[string]finding{
		"another energy":    {set + "memo = REPLACE(memo, ' 3 2000', ' 2 2000')" + second, []string{receiptsMatch, countersAreSums}},
		"no energy":         {set + "memo = REPLACE(memo, ' 3 2000', ' 0 2000')" + second, []string{receiptsMatch, countersAreSums}},
		"other coins":       {set + "memo = REPLACE(memo, ' 3 2000', ' 3 1000')" + second, []string{receiptsMatch, countersAreSums}},
		"no coins":          {set + "memo = REPLACE(memo, ' 3 2000', ' 3 0')" + second, []string{receiptsMatch, countersAreSums}},
		"no rate":           {set + "memo = REPLACE(memo, ' 3 2000', '')" + second, []string{receiptsMatch, countersAreSums}},
		"the usual one":     {set + "memo = REPLACE(memo, ' 3 2000', ' 1 1000')" + second, []string{receiptsMatch, countersAreSums}},
		"half a rate":       {set + "memo = REPLACE(memo, ' 3 2000', ' 3')" + second, []string{receiptsMatch, countersAreSums}},
		"something added":   {set + "memo = memo || ' 1'" + second, []string{receiptsMatch}},
		"an amount of more": {set + "amount = amount + 2000" + second, []string{receiptsMatch, balancesAreSums, countersAreSums}},
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		modelstest.Tap(t, store, player, 5, modelstest.Key(1), modelstest.Noon)
		modelstest.Done(t, store, settings.ActionChangeSetting, "energy_per_tap", "3")
		modelstest.Done(t, store, settings.ActionChangeSetting, "micro_mcbk_per_tap", "2000")
		modelstest.Tap(t, store, player, 5, modelstest.Key(2), modelstest.Noon)
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		wantFound(t, store, raw, player.ID, cases)
	})
}

// The invariants, by the words a test knows them by.
const (
	assetsFit           = "every posting is a player's and moves what both its accounts hold"
	entriesAreWhole     = "every entry has a reference of its own and lines from 0 without a gap"
	checksumsMatch      = "every posting is as it was written"
	receiptsMatch       = "every entry's receipt tells what was posted"
	balancesAreSums     = "every balance equals the sum of its postings"
	nothingIsNegative   = "no account of a player is or ever was below zero"
	energyIsLimited     = "no day's taps cost more than the energy of the player's level"
	countersAreSums     = "the taps and energy counted today are those of today's postings"
	tasksArePaid        = "every claimed task was paid once what it promised, and no other task was"
	tasksAreNoted       = "whoever reached a task's taps, energy or spins today has it completed"
	tasksAreClosed      = "no task of a day that was closed is left open"
	answersAreWhole     = "every stored answer is finished"
	guardsExist         = "the database itself still guards its rows"
	checkpointsMatch    = "every checkpoint of the ledger follows from its postings"
	confirmationsExpire = "no question to an admin stays open ten minutes beyond its limit"
)

// findBroken is what verify names for each broken invariant. A posting changed by hand does not fit its checksum, whatever else is wrong
// with it, see TestVerifyFindsEveryChangedFieldOfAPosting.
func findBroken(t *testing.T, store *store.Store) map[string][]string {
	t.Helper()
	broken := modelstest.Broken(t, store)
	delete(broken, checksumsMatch)
	return broken
}

func TestVerifyFindsEveryChangedFieldOfAPosting(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		dropGuards(t, raw)
		modelstest.Player(t, store, modelstest.Tapped(20))
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		restore := snapshots(t, raw)
		for _, change := range []string{
			"reference = 'tap:brandnew'", "reference = 'tap:'", "memo = memo || ' '", "amount = amount + 1",
			"posted_at = '2026-11-22 12:00:01.5+00:00'", "destination = 'referral'", "line = 1", "mark = 7",
		} {
			modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE postings SET %s WHERE player_id = %d", change, player.ID))
			broken := modelstest.Broken(t, store)
			modelstest.Equal(t, broken[checksumsMatch], []string{fmt.Sprint("player ", player.ID)}, change, broken)
			restore()
		}
		if broken := modelstest.Broken(t, store); len(broken) > 1 { // the guards are gone
			t.Errorf("put back: %v", broken)
		}
	})
}

// findBrokenRows is what verify finds but for missing guards.
func findBrokenRows(t *testing.T, store *store.Store) map[string][]string {
	t.Helper()
	got := findBroken(t, store)
	delete(got, guardsExist)
	return got
}

func brokenFor(player models.PlayerID, invariants []string) map[string][]string {
	broken := map[string][]string{}
	for _, name := range invariants {
		invariant, what, other := strings.Cut(name, "\n")
		if !other {
			what = fmt.Sprint("player ", player)
		}
		broken[invariant] = append(broken[invariant], what)
	}
	return broken
}

// wantBroken checks that these invariants are broken for one player, and no other invariant but
// that the database is guarded.
func wantBroken(t *testing.T, store *store.Store, player models.PlayerID, invariants ...string) {
	t.Helper()
	modelstest.Equal(t, findBrokenRows(t, store), brokenFor(player, invariants))
}

// dropGuards takes away what keeps the ledger's rows as they are and states to their steps, as the database's owner could.
func dropGuards(t *testing.T, raw *sql.DB) {
	t.Helper()
	statements := []string{
		"DROP TRIGGER postings_no_update", "DROP TRIGGER postings_no_delete", "DROP TRIGGER postings_no_replace",
		"DROP TRIGGER ledger_checkpoints_no_update", "DROP TRIGGER ledger_checkpoints_no_delete",
	}
	if modelstest.IsPostgres(t) {
		statements = []string{
			"DROP TRIGGER postings_no_change ON postings", "DROP TRIGGER ledger_checkpoints_no_change ON ledger_checkpoints",
			"ALTER TABLE postings ALTER id SET GENERATED BY DEFAULT",
		}
	}
	statements = append(statements, dropFixedTriggers(t)...)
	for table := range stateRows {
		switch {
		case table == "admin_actions": // the audit stays what it is
		case modelstest.IsPostgres(t):
			statements = append(statements, "DROP TRIGGER "+table+"_steps ON "+table)
		default:
			statements = append(statements, "DROP TRIGGER "+table+"_steps")
		}
	}
	for _, statement := range statements {
		modelstest.MustExec(t, raw, statement)
	}
}

func TestEmptyAndValidDatabasesAreSound(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		modelstest.Sound(t, store)
		modelstest.Player(t, store)
		modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.Player(t, store, modelstest.Unconsented())
		report, err := store.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
		if err != nil || len(report.Broken()) > 0 || report.Players != 3 || report.Postings != 1 {
			t.Errorf("%+v, %v", report, err)
		}
		told := map[string]bool{}
		for _, v := range report.Verdicts {
			told[v.Invariant] = true
		}
		if len(told) != len(report.Verdicts) || len(told) < 40 || told[""] {
			t.Errorf("%d verdicts tell of %d invariants", len(report.Verdicts), len(told))
		}
	})
}

// Of two processes the clock of one may be behind, also when a day begins.
func TestTapsAroundMidnightOnTwoClocksAreSound(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(24 * time.Hour)
		modelstest.Tap(t, store, player, 1000, modelstest.Key(1), midnight.Add(-time.Second))
		modelstest.Tap(t, store, player, 10, modelstest.Key(2), midnight)
		modelstest.Tap(t, store, player, 20, modelstest.Key(3), midnight.Add(-time.Millisecond))
	})
}

// Two accounts that are wrong by the same amount do not cancel out, nor do two players.
func TestVerifyFindsChangedBalancesAndCounters(t *testing.T) {
	set := func(changes string) string { return "UPDATE players SET " + changes + " WHERE id = {player}" }
	sums, counters := []string{balancesAreSums}, []string{countersAreSums}
	const answer = `INSERT INTO idempotency_keys (player_id, key, operation, body_hash, status, answer, created_at)
		VALUES ({player}, 'key', 'op', '', %d, '', '2026-01-01 00:00:00+00:00')`
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		other, poor := modelstest.Player(t, store, modelstest.Tapped(20)).ID, modelstest.Player(t, store).ID
		player := modelstest.Player(t, store, modelstest.Tapped(20)).ID
		if modelstest.IsPostgres(t) {
			modelstest.MustExec(t, raw, "ALTER TABLE players DROP CONSTRAINT players_balance_spins_check")
		} else {
			raw.SetMaxOpenConns(1) // which the next line is about
			modelstest.MustExec(t, raw, "PRAGMA ignore_check_constraints = ON")
		}
		cases := map[string]finding{
			"coins of no posting":            {fmt.Sprintf("UPDATE players SET balance_mine = 1 WHERE id = %d", poor), []string{of(balancesAreSums, fmt.Sprint("player ", poor))}},
			"coins in another account":       {set("balance_game = balance_game - 1, balance_referral = 1"), sums},
			"coins of another player":        {fmt.Sprintf("UPDATE players SET balance_game = balance_game + CASE id WHEN %d THEN 1 ELSE -1 END WHERE id IN (%[1]d, {player})", other), []string{of(balancesAreSums, fmt.Sprint("player ", other)), balancesAreSums}},
			"a negative balance":             {set("balance_spins = -1"), []string{nothingIsNegative, balancesAreSums}},
			"energy given back":              {set("bag_energy_spent = 0"), counters},
			"taps never made":                {set("bag_taps_today = 21"), counters},
			"another day":                    {set("bag_day = bag_day - 1"), counters},
			"a later day":                    {set("bag_day = bag_day + 1"), counters},
			"a later day without taps":       {set("bag_day = bag_day + 1, bag_energy_spent = 0, bag_taps_today = 0"), nil},
			"an answer":                      {fmt.Sprintf(answer, 200), nil},
			"an answer that is not finished": {fmt.Sprintf(answer, 0), []string{answersAreWhole}},
			"a forged posting":               {forgedPosting("{player}", "gift", 100, "") + "; " + set("balance_game = balance_game + 100000, bag_taps_today = 120, bag_energy_spent = 120"), []string{receiptsMatch}},
		}
		for _, account := range []models.Account{
			models.AccountGame, models.AccountReferral, models.AccountPurchased, models.AccountGamePoints,
			models.AccountReferralPoints, models.AccountMine, models.AccountSpins, models.AccountAdSpins,
		} {
			cases[fmt.Sprint("more in ", account)] = finding{set(fmt.Sprintf("balance_%[1]s = balance_%[1]s + 1", account)), sums}
		}
		wantFound(t, store, raw, player, cases)
	})
}

// What somebody with the database's own tools could do to a player's second posting of four.
func TestVerifyFindsPostingsChangedPastTriggers(t *testing.T) {
	const (
		second  = " WHERE player_id = {player} AND reference = 'tap:key-00002'"
		nothing = " WHERE player_id = {player} AND reference = 'tap:nothing'"
	)
	cases := map[string]finding{
		"another amount":      {"UPDATE postings SET amount = amount + 1000" + second, []string{receiptsMatch, balancesAreSums, countersAreSums}},
		"a negative amount":   {"UPDATE postings SET amount = -amount" + second, []string{assetsFit, receiptsMatch, balancesAreSums, countersAreSums}},
		"another destination": {"UPDATE postings SET destination = 'referral'" + second, []string{receiptsMatch, balancesAreSums}},
		"another source":      {"UPDATE postings SET source = 'referral'" + second, []string{receiptsMatch, balancesAreSums, nothingIsNegative, countersAreSums}},
		"an unknown source":   {"UPDATE postings SET source = 'house:gifts'" + second, []string{assetsFit, receiptsMatch, countersAreSums}},
		"to itself":           {"UPDATE postings SET source = 'game'" + second, []string{assetsFit, receiptsMatch, balancesAreSums, countersAreSums}},
		"another asset":       {"UPDATE postings SET asset = 'POINT'" + second, []string{assetsFit}},
		"another kind":        {"UPDATE postings SET reference = 'gift:1'" + second, []string{receiptsMatch}},
		"another's reference": {"UPDATE postings SET reference = 'tap:key-00001'" + second, []string{entriesAreWhole}},
		"a line missing":      {"UPDATE postings SET reference = 'tap:key-00001', line = 2" + second, []string{entriesAreWhole, receiptsMatch}},
		"a line below zero": {
			"UPDATE postings SET line = CASE reference WHEN 'tap:key-00001' THEN -1 ELSE 1 END, reference = 'tap:key-00001' WHERE player_id = {player} AND reference < 'tap:key-00003'",
			[]string{entriesAreWhole, receiptsMatch},
		},
		"another line": {"UPDATE postings SET line = 1" + second, []string{entriesAreWhole, receiptsMatch}},
		"a line twice, none missing": {
			"UPDATE postings SET line = CASE reference WHEN 'tap:key-00003' THEN 2 ELSE 0 END, reference = 'tap:key-00001' WHERE player_id = {player} AND reference < 'tap:l'",
			[]string{entriesAreWhole, receiptsMatch},
		},
		"more taps told":               {"UPDATE postings SET memo = REPLACE(memo, '20 20', '21 21')" + second, []string{receiptsMatch}},
		"more coins told":              {"UPDATE postings SET memo = REPLACE(memo, '30000', '30001')" + second, []string{receiptsMatch}},
		"more than claimed":            {"UPDATE postings SET memo = REPLACE(memo, '20 20 0', '19 20 0')" + second, []string{receiptsMatch}},
		"no claim at all":              {"UPDATE postings SET memo = REPLACE(memo, '20 20 0', '-1 20 0')" + second, []string{receiptsMatch}},
		"too large a claim":            {"UPDATE postings SET memo = REPLACE(memo, '20 20 0', '10001 20 0')" + second, []string{receiptsMatch}},
		"spins taken back":             {"UPDATE postings SET memo = REPLACE(memo, '20 20 0', '20 20 1')" + second, []string{receiptsMatch}},
		"spins never made":             {"UPDATE postings SET memo = REPLACE(memo, '5 0 0', '5 0 2')" + nothing, []string{receiptsMatch}},
		"something added":              {"UPDATE postings SET memo = memo || ' 1'" + second, []string{receiptsMatch}},
		"nothing told":                 {"UPDATE postings SET memo = ''" + second, []string{receiptsMatch}},
		"another day":                  {"UPDATE postings SET posted_at = '2026-03-03 12:00:00+00:00'" + second, nil}, // a clock may be behind
		"a later day":                  {"UPDATE postings SET posted_at = '2026-03-05 12:00:00+00:00'" + second, []string{receiptsMatch, countersAreSums}},
		"nothing to another account":   {"UPDATE postings SET destination = 'referral'" + nothing, []string{receiptsMatch}},
		"nothing from another account": {"UPDATE postings SET source = 'referral'" + nothing, []string{receiptsMatch}},
		"gone":                         {"DELETE FROM postings" + second, []string{receiptsMatch, balancesAreSums, countersAreSums}},
	}
	for _, nobody := range []string{"-1", "999999"} {
		cases["of no player, "+nobody] = finding{forgedPosting(nobody, "tap:odd", 0, "1 0 0 0 0 0 0 0 0 0 0 0"), []string{of(assetsFit, "player "+nobody), of(countersAreSums, "player "+nobody)}}
	}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		modelstest.Player(t, store, modelstest.Tapped(20))
		player := modelstest.Player(t, store)
		for i, taps := range []int{10, 20, 10} {
			modelstest.Tap(t, store, player, taps, modelstest.Key(i+1), modelstest.Noon)
		}
		modelstest.MustExec(t, raw, forgedPosting(fmt.Sprint(player.ID), "tap:nothing", 0, "5 0 0 40 40000 0 0 0 0 0 0 0"))
		modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.Sound(t, store)
		dropGuards(t, raw)
		withoutKeysAndChecks(t, raw)
		wantFound(t, store, raw, player.ID, cases)
	})
}

// finding is what verify must find after a change past a database's guards, where {player} is a player's id.
type finding struct {
	change string
	broken []string // invariants, of the player unless said otherwise by of
}

// of names what is found in place of the player.
func of(invariant, what string) string { return invariant + "\n" + what }

// wantFound makes each change, and undoes it with what it returns.
func wantFound(t *testing.T, store *store.Store, raw *sql.DB, player models.PlayerID, cases map[string]finding) (undo func()) {
	t.Helper()
	undo = snapshots(t, raw)
	for name, c := range cases {
		modelstest.MustExec(t, raw, strings.ReplaceAll(c.change, "{player}", fmt.Sprint(player)))
		modelstest.Equal(t, findBrokenRows(t, store), brokenFor(player, c.broken), name)
		undo()
	}
	wantBroken(t, store, player)
	return undo
}

// withoutKeysAndChecks takes a table's own rules away too.
func withoutKeysAndChecks(t *testing.T, raw *sql.DB) {
	t.Helper()
	if modelstest.IsPostgres(t) {
		modelstest.MustExec(t, raw, `ALTER TABLE postings DROP CONSTRAINT postings_player_id_reference_line_key,
			DROP CONSTRAINT postings_check, DROP CONSTRAINT postings_line_check, DROP CONSTRAINT postings_amount_check,
			DROP CONSTRAINT postings_player_id_fkey`)
		return
	}
	for _, statement := range []string{
		`CREATE TABLE copied (id INTEGER PRIMARY KEY AUTOINCREMENT, player_id BIGINT, reference TEXT, line SMALLINT, source TEXT,
			destination TEXT, asset TEXT, amount BIGINT, memo TEXT, posted_at DATETIME, mark BIGINT NOT NULL DEFAULT 0)`,
		"INSERT INTO copied SELECT * FROM postings",
		"DROP TABLE postings",
		"ALTER TABLE copied RENAME TO postings",
	} {
		modelstest.MustExec(t, raw, statement)
	}
}

// forgedPosting writes a tap posting of that many taps, which the database's own rules let pass.
func forgedPosting(player, reference string, taps int, memo string) string {
	return fmt.Sprintf(`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
		VALUES (%s, '%s', 0, 'house:taps', 'game', 'MCBK', %d, '%s', '2026-03-04 12:00:00+00:00')`, player, reference, modelstest.TapRules.Earns(taps), memo)
}

// Nobody can tap so often in a day. The levels are made by hand, of which verify tells too.
func TestVerifyFindsEnergyBeyondDailyLimit(t *testing.T) {
	spinsNeverMade := []string{receiptsMatch, wheelMatchesLedger}
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		modelstest.MustExec(t, raw, "UPDATE players SET bag_allowance_milli = 5000000")
		modelstest.Tap(t, store, player, game.EnergyLevels[0].Energy, modelstest.Key(0), modelstest.Noon) // up to the brim
		wantBroken(t, store, player.ID)
		for i, level := range game.EnergyLevels[1:] {
			modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET bag_spins = %d, bag_allowance_milli = 5000000", level.Spins))
			modelstest.Tap(t, store, player, level.Energy-game.EnergyLevels[i].Energy, modelstest.Key(i+1), modelstest.Noon)
			wantBroken(t, store, player.ID, append(spinsNeverMade, energyIsLimited)...)
		}
	})
}

// reachSecondLevel spins as often as the second level of energy takes, twenty times a day from a time on.
func reachSecondLevel(t *testing.T, store *store.Store, player models.Player, from time.Time) (last time.Time) {
	t.Helper()
	const aDay = 20
	modelstest.Done(t, store, settings.ActionChangeSetting, "free_spins", fmt.Sprint(aDay))
	store.Settings.RuntimeSettings(t.Context(), from)
	for i := range game.EnergyLevels[1].Spins {
		last = from.Add(time.Duration(i/aDay) * 24 * time.Hour)
		modelstest.NoError(t, modelstest.ErrorOf(modelstest.SpinOnce(t.Context(), store, player, false, last)))
	}
	return last
}

// The level is that of the moment of the taps: who spun more later had no more energy before.
func TestVerifyUsesEnergyOfLevelAtThatTime(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player, second := modelstest.Player(t, store), game.EnergyLevels[1]
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET bag_spins = %d, bag_allowance_milli = 5000000", second.Spins))
		modelstest.Tap(t, store, player, second.Energy, modelstest.Key(0), modelstest.Noon)
		modelstest.MustExec(t, raw, "UPDATE players SET bag_spins = 0")
		reachSecondLevel(t, store, player, modelstest.Noon.Add(24*time.Hour))
		wantBroken(t, store, player.ID, receiptsMatch, energyIsLimited)
	})
}

func TestVerifyAllowsEnergyOfReachedLevel(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store)
		now := reachSecondLevel(t, store, player, modelstest.Noon)
		modelstest.MustExec(t, raw, "UPDATE players SET bag_allowance_milli = 5000000")
		modelstest.Tap(t, store, player, game.EnergyLevels[1].Energy, modelstest.Key(0), now)
		modelstest.Sound(t, store)
	})
}

// What can be changed together stands in one list.
func TestVerifyFindsEachMissingGuard(t *testing.T) {
	t.Parallel()
	for database, lists := range map[string][]map[string]string{
		"sqlite": {{
			"DROP TRIGGER postings_no_update":           "trigger postings_no_update on postings",
			"DROP TRIGGER postings_no_delete":           "trigger postings_no_delete on postings",
			"DROP TRIGGER postings_no_replace":          "trigger postings_no_replace on postings",
			"DROP TRIGGER ledger_checkpoints_no_update": "trigger ledger_checkpoints_no_update on ledger_checkpoints",
			"DROP TRIGGER payables_fixed":               "trigger payables_fixed on payables",
			"CREATE TRIGGER thief AFTER UPDATE ON payables BEGIN UPDATE payables SET reason = ''; END": "unknown trigger thief on payables",
			"CREATE VIEW debts AS SELECT 1":                   "unknown view debts on debts",
			"ALTER TABLE idempotency_keys ADD COLUMN odd INT": "table idempotency_keys on idempotency_keys",
		}},
		"postgres": {{
			"DROP TRIGGER postings_no_change ON postings":                                        "trigger postings_no_change on postings",
			"ALTER TABLE ledger_checkpoints ENABLE REPLICA TRIGGER ledger_checkpoints_no_change": "trigger ledger_checkpoints_no_change on ledger_checkpoints",
			"ALTER TABLE postings DROP CONSTRAINT postings_player_id_reference_line_key":         "constraint postings_player_id_reference_line_key on postings",
			"ALTER TABLE postings DROP CONSTRAINT postings_player_id_fkey":                       "constraint postings_player_id_fkey on postings",
			"ALTER TABLE players DROP CONSTRAINT players_balance_game_check":                     "constraint players_balance_game_check on players",
			"ALTER TABLE ledger_checkpoints DROP CONSTRAINT ledger_checkpoints_pkey":             "constraint ledger_checkpoints_pkey on ledger_checkpoints",
			"DROP INDEX spins_golden":                             "index spins_golden on spins",
			"ALTER TABLE idempotency_keys DISABLE TRIGGER ALL":    "constraint idempotency_keys_player_id_fkey on idempotency_keys",
			"ALTER TABLE payables DISABLE TRIGGER payables_fixed": "trigger payables_fixed on payables",
			"CREATE TRIGGER thief BEFORE UPDATE ON payables FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()":  "unknown trigger thief on payables",
			"CREATE RULE thief AS ON UPDATE TO payables DO INSTEAD NOTHING":                                                      "unknown rule thief on payables",
			"CREATE POLICY thief ON payables; CREATE TABLE spoilt ()":                                                            "unknown policy thief on payables",
			"ALTER TABLE payables ENABLE ROW LEVEL SECURITY":                                                                     "unknown row security on payables",
			"DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET session_replication_role = replica', current_database()); END $$": "unknown session_replication_role of the database",
		}, {
			"ALTER TABLE postings DISABLE TRIGGER postings_no_change": "trigger postings_no_change on postings",
		}, {
			"CREATE OR REPLACE FUNCTION postings_are_append_only() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN RETURN NEW; END'": "trigger postings_no_change on postings",
		}},
	} {
		for _, changes := range lists {
			t.Run(database, func(t *testing.T) {
				t.Parallel()
				address := modelstest.Address(t, database)
				store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
				modelstest.Sound(t, store)
				for change := range changes {
					modelstest.MustExec(t, raw, change)
				}
				found := findBroken(t, store)
				modelstest.Equal(t, len(found), 1)
				for change, name := range changes {
					if !slices.Contains(found[guardsExist], name) {
						t.Errorf("%s: found %v, want %q", change, found, name)
					}
				}
			})
		}
	}
}

func TestVerifyListsFirstTwentyButCountsAll(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		first := modelstest.ManyPlayers(t, store, raw, 2010)
		report, err := store.Audit.Verify(t.Context(), modelstest.Season, modelstest.Noon)
		if err != nil || len(report.Broken()) > 0 || report.Players != 2010 {
			t.Fatalf("%+v, %v", report, err)
		}
		var want []string
		for _, at := range []models.PlayerID{0, 999, 1000, 1001, 1999, 2000} {
			modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_game = 1 WHERE id = %d", first+at))
			want = append(want, fmt.Sprint("player ", first+at))
		}
		modelstest.Equal(t, findBroken(t, store)[balancesAreSums], want)
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET balance_game = 1 WHERE id >= %d + 985", first))
		want = want[:1]
		for i := range models.PlayerID(19) {
			want = append(want, fmt.Sprint("player ", first+985+i))
		}
		modelstest.Equal(t, findBroken(t, store)[balancesAreSums], want)
	})
}

func TestStaleTasksAreFoundByIndex(t *testing.T) {
	t.Parallel()
	end := time.Date(2026, 3, 5, 15, 0, 0, 0, time.UTC)
	modelstest.NewPlans(t, "player_tasks").WantIndex(t, "player_tasks_open", audit.StaleTasks, "active", 5, end, end, 20)
}
