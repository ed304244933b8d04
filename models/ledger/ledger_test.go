package ledger_test

import (
	"database/sql"
	"fmt"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ledger"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/taps"
)

func TestMain(m *testing.M) { modelstest.Main(m) }

func TestDatabaseRefusesToChangeAPosting(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		before := modelstest.Must(store.Ledger.Postings(t.Context(), player.ID))(t)
		modelstest.Equal(t, len(before), 1, "postings")
		statements := []string{
			"UPDATE postings SET amount = amount + 1",
			"UPDATE postings SET memo = memo",
			fmt.Sprintf("UPDATE postings SET player_id = %d", modelstest.Player(t, store).ID),
			"DELETE FROM postings",
			"DELETE FROM players",
			`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
				SELECT player_id, reference, line, source, destination, asset, 0, memo, posted_at FROM postings WHERE true
				ON CONFLICT (player_id, reference, line) DO UPDATE SET amount = 0`,
		}
		if modelstest.IsPostgres(t) {
			statements = append(statements, "TRUNCATE postings", "TRUNCATE players CASCADE")
		} else {
			statements = append(statements,
				"REPLACE INTO postings SELECT id, player_id, reference, line, source, destination, asset, 0, memo, posted_at, mark FROM postings",
				`REPLACE INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at)
					SELECT player_id, reference, line, source, destination, asset, 0, memo, posted_at FROM postings`)
		}
		for _, statement := range statements {
			if result, err := raw.ExecContext(t.Context(), statement); err == nil {
				t.Errorf("%s: done, %v", statement, result)
			} else if !strings.Contains(err.Error(), "append-only") && !strings.Contains(err.Error(), "rows stay") && !strings.Contains(strings.ToLower(err.Error()), "foreign key") {
				t.Errorf("%s: %v", statement, err)
			}
		}
		modelstest.Returns(store.Ledger.Postings(t.Context(), player.ID))(t, before, "postings")
		modelstest.Sound(t, store)
	})
}

func TestLedgerRefusesInvalidEntry(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, st *store.Store) {
		player := modelstest.Player(t, st)
		for name, moves := range map[string][]ledger.Move{
			"nothing":                 {},
			"an unknown account":      {{From: modelstest.House, To: "gaem", Asset: models.AssetMCBK, Amount: 5}},
			"an unknown house":        {{From: "house:tapz", To: models.AccountGame, Asset: models.AssetMCBK, Amount: 5}},
			"another asset":           {{From: modelstest.House, To: models.AccountSpins, Asset: models.AssetMCBK, Amount: 5}},
			"from an account to it":   {{From: models.AccountGame, To: models.AccountGame, Asset: models.AssetMCBK}},
			"a negative amount":       {{From: modelstest.House, To: models.AccountGame, Asset: models.AssetMCBK, Amount: -5}},
			"more than there is":      {{From: models.AccountGame, To: modelstest.House, Asset: models.AssetMCBK, Amount: 1}},
			"a good move and another": {{From: modelstest.House, To: models.AccountGame, Asset: models.AssetMCBK, Amount: 5}, {From: modelstest.House, To: "gaem", Asset: models.AssetMCBK}},
		} {
			modelstest.FailsWith(modelstest.Post(t.Context(), st, []modelstest.Entry{{Player: player.ID, Reference: "test:" + name, Moves: moves}}, modelstest.Noon))(t, "", name, "was posted")
		}
		modelstest.Equal(t, len(modelstest.Must(st.Ledger.Postings(t.Context(), player.ID))(t)), 0, "stayed")
		modelstest.Equal(t, modelstest.Must(st.Players.Player(t.Context(), player.ID))(t).Balances, player.Balances, "the player holds")
	})
}

// Mutual purchases: each transaction names the same two players the other way round.
func TestEntriesOfTwoPlayersNeverDeadlock(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, st *store.Store) {
		one, other := modelstest.Player(t, st).ID, modelstest.Player(t, st).ID
		modelstest.Concurrently(16, func(i int) {
			first, second := one, other
			if i%2 == 0 {
				first, second = other, one
			}
			entries := make([]modelstest.Entry, 0, 2)
			for _, id := range []models.PlayerID{first, second} {
				entries = append(entries, modelstest.Entry{Player: id, Reference: fmt.Sprint("test:", i), Moves: []ledger.Move{
					{From: modelstest.House, To: models.AccountGame, Asset: models.AssetMCBK, Amount: 1},
				}})
			}
			if runs, err := modelstest.Post(t.Context(), st, entries, modelstest.Noon); err != nil || runs > 1 {
				t.Errorf("begun %d times, %v", runs, err)
			}
		})
		for _, id := range []models.PlayerID{one, other} {
			modelstest.Equal(t, modelstest.Must(st.Players.Player(t.Context(), id))(t).Balances.Game, 16, "player", id, "holds")
		}
	})
}

func TestDatabaseRefusesInvalidPosting(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		insert := func(player models.PlayerID, reference string, line int, from, to, asset string, amount int64) error {
			_, err := raw.ExecContext(t.Context(), fmt.Sprintf(`INSERT INTO postings
				(player_id, reference, line, source, destination, asset, amount, memo, posted_at)
				VALUES (%d, '%s', %d, '%s', '%s', '%s', %d, '1 0 0 20 20000 0 0 0 0 0 0 0', '2026-03-04 12:00:00+00:00')`,
				player, reference, line, from, to, asset, amount))
			return err
		}
		modelstest.NoError(t, insert(player.ID, "tap:first", 0, "house:taps", "game", "MCBK", 0))
		for name, err := range map[string]error{
			"again":              insert(player.ID, "tap:first", 0, "house:taps", "game", "MCBK", 0),
			"a stranger's":       insert(999, "second", 0, "house:taps", "game", "MCBK", 0),
			"a negative amount":  insert(player.ID, "second", 0, "house:taps", "game", "MCBK", -1),
			"a negative line":    insert(player.ID, "second", -1, "house:taps", "game", "MCBK", 0),
			"to itself":          insert(player.ID, "second", 0, "game", "game", "MCBK", 0),
			"of an unknown kind": insert(player.ID, "second", 0, "house:taps", "game", "GOLD", 0),
		} {
			if err == nil {
				t.Errorf("a posting %s was written", name)
			}
		}
		modelstest.Sound(t, store)
	})
}

func TestDatabaseRefusesNegativeBalance(t *testing.T) {
	modelstest.EachDatabaseRaw(t, func(t *testing.T, store *store.Store, raw *sql.DB) {
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		columns := []string{"bag_spins", "bag_taps_today", "bag_energy_spent", "bag_allowance_milli"}
		for _, account := range []models.Account{
			models.AccountGame, models.AccountReferral, models.AccountPurchased, models.AccountGamePoints,
			models.AccountReferralPoints, models.AccountMine, models.AccountSpins, models.AccountAdSpins,
		} {
			columns = append(columns, "balance_"+string(account))
		}
		for _, column := range columns {
			if _, err := raw.ExecContext(t.Context(), "UPDATE players SET "+column+" = -1"); err == nil || !strings.Contains(strings.ToLower(err.Error()), "check") {
				t.Errorf("%s below zero: %v", column, err)
			}
		}
		for _, wrong := range []string{"referrer_id = id", "language = 'de'", "telegram_id = 0", "referral_code = NULL"} {
			modelstest.FailsWith(raw.ExecContext(t.Context(), "UPDATE players SET "+wrong))(t, "", wrong, "was written")
		}
		modelstest.Returns(store.Players.Player(t.Context(), player.ID))(t, player, "saved")
	})
}

// The other columns of a posting say what happened, for whoever reads the ledger later.
func TestTapBatchIsOnePostingFromTheHouse(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		at := modelstest.Noon.Add(123456 * time.Microsecond)
		modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 20, Key: modelstest.Key(1)}, modelstest.Season, at))(t)
		postings := modelstest.Must(store.Ledger.Postings(t.Context(), player.ID))(t)
		if len(postings) != 1 {
			t.Fatalf("%d postings", len(postings))
		}
		want := models.Posting{
			PlayerID: player.ID, Reference: "tap:" + modelstest.Key(1), Source: "house:taps", Destination: models.AccountGame,
			Asset: models.AssetMCBK, Amount: int64(20 * game.MCBK / 1000), Memo: postings[0].Memo, PostedAt: at, Mark: postings[0].Mark,
		}
		modelstest.Equal(t, postings[0], want, "posted")
	})
}
