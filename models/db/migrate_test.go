package db_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// open opens a database without migrating it.
func open(t *testing.T, address string) (*store.Store, error) {
	t.Helper()
	store, err := store.Open(t.Context(), address, func() time.Time { return modelstest.Noon }, rand.Reader)
	if err == nil {
		t.Cleanup(func() {
			modelstest.NoError(t, store.Close(), "close the store")
		})
	}
	return store, err
}

func mustOpen(t *testing.T, address string) *store.Store {
	t.Helper()
	return modelstest.Must(open(t, address))(t)
}

// newest is the number of the last migration, which is the same for both databases.
func newest(t *testing.T) int64 {
	t.Helper()
	var names [2][]string
	for i, dialect := range []string{"sqlite", "postgres"} {
		files := modelstest.Must(os.ReadDir(filepath.Join("../db/migrations", dialect)))(t)
		for n, file := range files {
			if !strings.HasPrefix(file.Name(), fmt.Sprintf("%04d_", n+1)) {
				t.Errorf("migration %d of %s is %s: the numbers leave no gap", n+1, dialect, file.Name())
			}
			names[i] = append(names[i], file.Name())
		}
	}
	modelstest.Equal(t, names[0], names[1], "a migration is two files of one name, in migrations/sqlite and migrations/postgres")
	return int64(len(names[0]))
}

// A busy machine paused migrations for longer than a player's transaction may idle.
func TestMigrationHasNoStatementTimeout(t *testing.T) {
	store := modelstest.Store(t, "postgres")
	connection, done, err := store.DB.NoStatementTimeout()
	modelstest.NoError(t, err)
	defer done() //nolint:errcheck // a test's own connection
	var statement, lock, idle string
	err = connection.QueryRowContext(t.Context(), `SELECT current_setting('statement_timeout'), current_setting('lock_timeout'),
		current_setting('idle_in_transaction_session_timeout')`).Scan(&statement, &lock, &idle)
	if err != nil || statement != "0" || lock != "1s" || idle != "1min" {
		t.Errorf("statement %s, lock %s, idle %s, %v", statement, lock, idle, err)
	}
}

// Whoever wants a table queues behind a migration that waits for it. Old processes serve while the new one migrates.
func TestMigrationWaitingForADumpLetsPlayersIn(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	old := modelstest.WithTimeouts(t, address)
	player := modelstest.Player(t, old)
	modelstest.Exec(t, address, "DELETE FROM goose_db_version WHERE version_id >= 29") // as 1.0.0 left it; what 29 adds may be there
	release := modelstest.Hold(t, address, "LOCK TABLE players IN ACCESS SHARE MODE")  // as pg_dump does
	migrated := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	next := mustOpen(t, address)
	go func() {
		_, err := next.DB.Migrate(ctx)
		migrated <- err
	}()
	served := 0 // in real time: the waits are PostgreSQL's own
	for began := time.Now(); time.Since(began) < 6*time.Second || (served < 10 && time.Since(began) < 20*time.Second); time.Sleep(200 * time.Millisecond) {
		if _, err := old.Players.PlayerByTelegramID(t.Context(), player.TelegramID); err == nil {
			served++
		}
	}
	if served < 10 {
		t.Errorf("%d calls were served while it waited", served)
	}
	select {
	case err := <-migrated:
		t.Fatalf("it did not wait for the dump: %v", err)
	default:
	}
	release()
	stop()
	<-migrated //nolint:errcheck // later migrations are not made to run twice
}

func TestMigrationsRunFromNothingAndTwice(t *testing.T) {
	want := newest(t)
	modelstest.Each(t, func(t *testing.T, name string) {
		store := mustOpen(t, modelstest.Bare(t, name))
		modelstest.WantFailure(t, store.DB.Ready(t.Context()), "", "ready before the migrations")
		for _, time := range []string{"first", "second"} {
			modelstest.Returns(store.DB.Migrate(t.Context()))(t, want, time, "time: at")
			modelstest.NoError(t, store.DB.Ready(t.Context()), time, "time")
			modelstest.Player(t, store)
		}
		modelstest.Sound(t, store)
	})
}

func TestConcurrentProcessesMigrateOnce(t *testing.T) {
	t.Parallel()
	address := modelstest.Bare(t, "postgres")
	stores := make([]*store.Store, 5)
	for i := range stores {
		stores[i] = mustOpen(t, address)
	}
	modelstest.Concurrently(len(stores), func(i int) {
		modelstest.Succeeds(stores[i].DB.Migrate(t.Context()))(t, "process", i)
		modelstest.Succeeds(stores[i].DB.Ready(t.Context()))(t, "process", i, "ready")
	})
}

func TestReopenedStoreKeepsItsPlayers(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		address := modelstest.Address(t, name)
		store := modelstest.Must(store.Open(t.Context(), address, func() time.Time { return modelstest.Noon }, rand.Reader))(t)
		modelstest.Must(store.DB.Migrate(t.Context()))(t)
		player := modelstest.Player(t, store, modelstest.Tapped(20))
		modelstest.NoError(t, store.Close())
		again := modelstest.OpenStore(t, address)
		modelstest.Returns(again.Players.Player(t.Context(), player.ID))(t, player, "saved")
		modelstest.Sound(t, again)
	})
}

// Whatever it says: nothing can have happened through a connection that was not had.
func TestDatabaseThatRefusesConnectionsIsUnavailable(t *testing.T) {
	settings := modelstest.Must(pgx.ParseConfig(modelstest.Address(t, "postgres")))(t)
	settings.Database = "nobody_made_this"
	_, err := pgx.ConnectConfig(t.Context(), settings)
	var said *pgconn.PgError
	if !errors.As(err, &said) || said.Code != "3D000" || !db.IsUnavailable(fmt.Errorf("read players: %w", err)) {
		t.Errorf("%v is not away", err)
	}
}

func TestSQLiteFileServesOneProcessByAnyLink(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcbk.db")
	link := filepath.Join(t.TempDir(), "link.db")
	modelstest.NoError(t, os.Symlink(file, link)) // to a file that is not there yet
	store := mustOpen(t, "sqlite:"+link)
	for _, path := range []string{link, file} {
		modelstest.Fails(open(t, "sqlite:"+path))(t, db.ErrInUse, "a second store by", path)
	}
	modelstest.Must(store.DB.Migrate(t.Context()))(t) // undisturbed
}

// A transaction that began by reading, and wanted to write when another has written since, could only fail.
func TestSQLiteTransactionLocksForWritingFromItsStart(t *testing.T) {
	address := modelstest.Address(t, "sqlite")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	err := modelstest.InTx(t.Context(), store, func(ctx context.Context) error {
		return modelstest.ErrorOf(raw.ExecContext(ctx, "PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK"))
	})
	if err == nil || !strings.Contains(err.Error(), "database is locked") {
		t.Errorf("another writer began beside it: %v", err)
	}
	modelstest.MustExec(t, raw, "BEGIN IMMEDIATE; ROLLBACK") // it would have succeeded alone
}

// What SQLite wrote beside one name of a file is not seen by another, and answers that were given are gone.
func TestSQLiteFileWithHardLinksIsRefused(t *testing.T) {
	address := modelstest.Address(t, "sqlite")
	modelstest.NoError(t, os.Link(strings.TrimPrefix(address, "sqlite:"), filepath.Join(t.TempDir(), "hard.db")))
	modelstest.FailsWith(open(t, address))(t, "hard links", "served")
	modelstest.FailsWith(store.OpenToRead(t.Context(), address, func() time.Time { return modelstest.Noon }))(t, "hard links", "read")
}

func TestStoreIsReadableBesideServingProcess(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		address := modelstest.Address(t, name)
		serving := modelstest.OpenStore(t, address)
		player := modelstest.Player(t, serving, modelstest.Tapped(20))

		reading := modelstest.Must(store.OpenToRead(t.Context(), address, func() time.Time { return modelstest.Noon }))(t)
		defer func() { modelstest.NoError(t, reading.Close(), "close the reading store") }()
		modelstest.Sound(t, reading)
		modelstest.NoError(t, reading.DB.Ready(t.Context()), "ready")
		modelstest.Returns(reading.Players.Player(t.Context(), player.ID))(t, player, "read")
		tapped := modelstest.Must(serving.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 5, Key: modelstest.Key(1)}, modelstest.Season, modelstest.Noon))(t)
		modelstest.Equal(t, modelstest.Must(reading.Players.Player(t.Context(), player.ID))(t).Balances, tapped.Player.Balances, "read later", tapped.Player)
		if name == "sqlite" {
			wish := players.Preference{Notifications: new(false)}
			modelstest.FailsWith(reading.Players.SetPreference(t.Context(), player.ID, wish, modelstest.Noon))(t, "", "a file that is only read was changed")
		}
	})
}

func TestReadingCreatesNoSQLiteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	modelstest.Fails(store.OpenToRead(t.Context(), "sqlite:"+path, time.Now))(t, fs.ErrNotExist, "opened")
	modelstest.Fails(os.Stat(path))(t, fs.ErrNotExist, "a file was made")
}

func TestUnreachableDatabaseIsReportedWithoutPassword(t *testing.T) {
	for _, address := range []string{
		"postgres://mcbk:secretsecret@127.0.0.1:1/mcbk",
		"postgres://mcbk:secretsecret@127.0.0.1:1/mcbk?sslmode=wrong",
		"postgres://mcbk:secretsecret@127.0.0.1:port/mcbk",
		"postgres://mcbk:secret%secretsecret@127.0.0.1/mcbk",
	} {
		if _, err := open(t, address); err == nil || strings.Contains(err.Error(), "secretsecret") {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestCancelledCallChangesNothingAndMayBeRepeated(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		player := modelstest.Player(t, store)
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		batch := taps.Batch{TelegramID: player.TelegramID, Sent: 20, Key: modelstest.Key(1)}
		modelstest.Fails(store.Taps.Tap(cancelled, batch, modelstest.Season, modelstest.Noon))(t, db.ErrUnavailable, "cancelled")
		modelstest.Equal(t, modelstest.Must(store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon))(t).Accepted, 20, "again")
	})
}

func TestMigrationKeepsProvenWalletsAndDeletesErasedOnes(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		var p, erased models.Player
		store, raw := playedAt(t, name, 37, func(store *store.Store) {
			p, erased = modelstest.Player(t, store, modelstest.Tapped(20)), modelstest.Player(t, store)
			modelstest.Done(t, store, players.ActionBan, fmt.Sprint(modelstest.Player(t, store).ID), "spam")
			modelstest.NewNonce(t, store, p, modelstest.Noon)
			modelstest.NewNonce(t, store, erased, modelstest.Noon)
		})
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE wallet_nonces SET state = 'used', used_at = made_at, wallet = CASE player_id WHEN %d THEN '0:aa' ELSE '0:ee' END", p.ID))
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET wallet = '0:aa', wallet_proven = TRUE WHERE id = %d", p.ID))
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET erased_at = created_at, banned_at = created_at, ban_reason = 'x', username = '', photo_url = '', notifications = FALSE WHERE id = %d", erased.ID))
		modelstest.Must(store.DB.Migrate(t.Context()))(t)
		modelstest.Equal(t, modelstest.Count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM wallet_nonces WHERE wallet <> '' AND player_id = %d", erased.ID)), 0, "wallets of erased players are kept")
		modelstest.MustExec(t, raw, fmt.Sprintf("UPDATE players SET erased_at = NULL, banned_at = NULL, ban_reason = '' WHERE id = %d", erased.ID)) // no admin had erased them
		modelstest.Sound(t, store)
		modelstest.NewNonce(t, store, p, modelstest.Noon)
		modelstest.MustExec(t, raw, "UPDATE wallet_nonces SET state = 'used', used_at = made_at, wallet = '0:bb' WHERE state = 'open'")
		want := map[string][]string{"every proven wallet is one player's, whose nonce its key has signed": {fmt.Sprint("player ", p.ID)}}
		modelstest.Equal(t, modelstest.Broken(t, store), want, "broken are")
		modelstest.ProveWallet(t, store, p, "0:bb", modelstest.Noon) // an older program stored no proof; the wallet is proven again
		modelstest.Sound(t, store)
	})
}

func TestMigrationKeepsEarnedLoyaltyBonuses(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		want := map[models.PlayerID]game.Loyalty{}
		store, _ := playedAt(t, name, 38, func(store *store.Store) {
			at := modelstest.Noon.Add(time.Hour)
			claimed := modelstest.Loyal(t, store, "")
			modelstest.Must(store.Daily.ClaimLoyalty(t.Context(), modelstest.By(claimed), modelstest.Season, at))(t)
			want[claimed.ID] = game.Loyalty{Day: game.DayOf(at), Claimed: true}
			want[modelstest.Loyal(t, store, "").ID] = game.Loyalty{Day: game.DayOf(at)}
			for _, but := range []models.AdPurpose{models.AdDaily, models.AdPrediction, models.AdSpin} {
				want[modelstest.Loyal(t, store, but).ID] = game.Loyalty{}
			}
		})
		modelstest.Must(store.DB.Migrate(t.Context()))(t)
		for id, loyalty := range want {
			modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), id))(t).Loyalty, loyalty, "player", id)
		}
		modelstest.Sound(t, store)
	})
}

func TestMigrationCountsSpinsOfTheLastDay(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		want := map[models.PlayerID]int{}
		store, raw := playedAt(t, name, 39, func(store *store.Store) {
			midnight := modelstest.Noon.Truncate(24 * time.Hour).Add(48 * time.Hour)
			for _, hours := range [][]int{{}, {0}, {-24, -1, 0, 12}, {-25, -24, -23}} {
				p := modelstest.Player(t, store)
				for _, h := range hours {
					modelstest.Spun(t, store, p, false, modelstest.Segment(t, "coins_1"), midnight.Add(time.Duration(h)*time.Hour))
				}
				want[p.ID] = modelstest.Must(store.Players.Player(t.Context(), p.ID))(t).Wheel.SpinsToday
			}
		})
		modelstest.Must(store.DB.Migrate(t.Context()))(t)
		for id, spins := range want {
			modelstest.Equal(t, modelstest.Must(store.Players.Player(t.Context(), id))(t).Wheel.SpinsToday, spins, "player", id, "spins")
		}
		modelstest.Equal(t, modelstest.Count(t, raw, "SELECT SUM(wheel_spins_today) FROM players"), 1+2+2, "spins in all")
		modelstest.Sound(t, store)
	})
}

// playedAt returns a database of an older version in which this program has played. What it reads of later migrations is there while it plays.
func playedAt(t *testing.T, database string, version int64, play func(store *store.Store)) (*store.Store, *sql.DB) {
	t.Helper()
	address := modelstest.Bare(t, database)
	store := mustOpen(t, address)
	modelstest.NoError(t, store.DB.MigrateTo(t.Context(), version))
	raw := modelstest.Raw(t, address)
	var later []string
	for _, c := range []struct {
		version      int64
		name, column string
	}{{39, "loyalty_day", "INTEGER NOT NULL DEFAULT 0"}, {39, "loyalty_claimed", "BOOLEAN NOT NULL DEFAULT FALSE"}, {40, "wheel_spins_today", "INTEGER NOT NULL DEFAULT 0"}, {40, "wheel_counted_day", "INTEGER NOT NULL DEFAULT 0"}, {41, "revision", "BIGINT NOT NULL DEFAULT 0"}} {
		if c.version > version {
			modelstest.MustExec(t, raw, "ALTER TABLE players ADD COLUMN "+c.name+" "+c.column)
			later = append(later, c.name)
		}
	}
	play(store)
	for _, name := range later {
		modelstest.MustExec(t, raw, "ALTER TABLE players DROP COLUMN "+name)
	}
	return store, raw
}
