package models_test

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"

	"mcbk/models"
	"mcbk/models/given"
)

// open opens a database without migrating it.
func open(t *testing.T, address string) (*models.Store, error) {
	t.Helper()
	store, err := models.Open(t.Context(), address, func() time.Time { return given.Noon }, rand.Reader)
	if err == nil {
		t.Cleanup(func() {
			if err := store.Close(); err != nil {
				t.Errorf("close the store: %v", err)
			}
		})
	}
	return store, err
}

func mustOpen(t *testing.T, address string) *models.Store {
	t.Helper()
	store, err := open(t, address)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// newest is the number of the last migration, which is the same for both databases.
func newest(t *testing.T) int64 {
	t.Helper()
	var names [2][]string
	for i, dialect := range []string{"sqlite", "postgres"} {
		files, err := os.ReadDir(filepath.Join("migrations", dialect))
		if err != nil {
			t.Fatal(err)
		}
		for n, file := range files {
			if !strings.HasPrefix(file.Name(), fmt.Sprintf("%04d_", n+1)) {
				t.Errorf("migration %d of %s is %s: the numbers leave no gap", n+1, dialect, file.Name())
			}
			names[i] = append(names[i], file.Name())
		}
	}
	if !reflect.DeepEqual(names[0], names[1]) {
		t.Errorf("a migration is two files of one name, in migrations/sqlite and migrations/postgres; SQLite has %q, PostgreSQL %q", names[0], names[1])
	}
	return int64(len(names[0]))
}

// A busy machine paused migrations for longer than a player's transaction may idle.
func TestAMigrationMayTakeLongerThanAPlayersTransaction(t *testing.T) {
	store := given.Store(t, "postgres")
	statement, lock, idle, err := store.MigrationLimits(t.Context())
	if err != nil || statement != "0" || lock != "1s" || idle != "1min" {
		t.Errorf("statement %s, lock %s, idle %s, %v", statement, lock, idle, err)
	}
}

// Whoever wants a table queues behind a migration that waits for it. Old processes serve while the new one migrates.
func TestAMigrationThatWaitsForADumpLetsPlayersIn(t *testing.T) {
	address := given.Address(t, "postgres")
	old := given.Hurried(t, address)
	player := given.Player(t, old)
	given.Exec(t, address, "DELETE FROM goose_db_version WHERE version_id >= 29") // as 1.0.0 left it; what 29 adds may be there
	release := given.Hold(t, address, "LOCK TABLE players IN ACCESS SHARE MODE")  // as pg_dump does
	migrated := make(chan error, 1)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	next := mustOpen(t, address)
	go func() {
		_, err := next.Migrate(ctx)
		migrated <- err
	}()
	served := 0 // in real time: the waits are PostgreSQL's own
	for began := time.Now(); time.Since(began) < 6*time.Second || (served < 10 && time.Since(began) < 20*time.Second); time.Sleep(200 * time.Millisecond) {
		if _, err := old.PlayerByTelegramID(t.Context(), player.TelegramID); err == nil {
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
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := mustOpen(t, given.Bare(t, name))
			if err := store.Ready(t.Context()); err == nil {
				t.Error("ready before the migrations")
			}
			for _, time := range []string{"first", "second"} {
				if at, err := store.Migrate(t.Context()); err != nil || at != want {
					t.Errorf("%s time: at %d of %d, %v", time, at, want, err)
				}
				if err := store.Ready(t.Context()); err != nil {
					t.Errorf("%s time: not ready: %v", time, err)
				}
				given.Player(t, store)
			}
			given.Sound(t, store)
		})
	}
}

func TestProcessesStartingTogetherMigrateOnce(t *testing.T) {
	t.Parallel()
	address := given.Bare(t, "postgres")
	stores := make([]*models.Store, 5)
	for i := range stores {
		stores[i] = mustOpen(t, address)
	}
	allAtOnce(len(stores), func(i int) {
		if _, err := stores[i].Migrate(t.Context()); err != nil {
			t.Errorf("process %d: %v", i, err)
		}
		if err := stores[i].Ready(t.Context()); err != nil {
			t.Errorf("process %d is not ready: %v", i, err)
		}
	})
}

func TestAStoreKeepsItsPlayersWhenItIsOpenedAgain(t *testing.T) {
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, name)
			store, err := models.Open(t.Context(), address, func() time.Time { return given.Noon }, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := store.Migrate(t.Context()); err != nil {
				t.Fatal(err)
			}
			player := given.Player(t, store, given.Tapped(20))
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			again := given.OpenStore(t, address)
			if saved, err := again.Player(t.Context(), player.ID); err != nil || !reflect.DeepEqual(saved, player) {
				t.Errorf("saved\n%+v, %v, was\n%+v", saved, err, player)
			}
			given.Sound(t, again)
		})
	}
}

// Whatever it says: nothing can have happened through a connection that was not had.
func TestADatabaseThatTakesNoConnectionIsAway(t *testing.T) {
	settings, err := pgx.ParseConfig(given.Address(t, "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	settings.Database = "nobody_made_this"
	_, err = pgx.ConnectConfig(t.Context(), settings)
	var said *pgconn.PgError
	if !errors.As(err, &said) || said.Code != "3D000" || !models.Away(fmt.Errorf("read players: %w", err)) {
		t.Errorf("%v is not away", err)
	}
}

func TestASQLiteFileServesOneProcess(t *testing.T) {
	address := given.Address(t, "sqlite")
	store := mustOpen(t, address)
	if _, err := open(t, address); !errors.Is(err, models.ErrInUse) {
		t.Errorf("a second store: %v", err)
	}
	if _, err := store.Migrate(t.Context()); err != nil {
		t.Errorf("the first store was disturbed: %v", err)
	}
}

func TestASQLiteFileServesOneProcessByWhateverLink(t *testing.T) {
	file := filepath.Join(t.TempDir(), "mcbk.db")
	link := filepath.Join(t.TempDir(), "link.db")
	if err := os.Symlink(file, link); err != nil { // to a file that is not there yet
		t.Fatal(err)
	}
	mustOpen(t, "sqlite:"+link)
	for _, path := range []string{link, file} {
		if _, err := open(t, "sqlite:"+path); !errors.Is(err, models.ErrInUse) {
			t.Errorf("a second store by %s: %v", path, err)
		}
	}
}

// A transaction that began by reading, and wanted to write when another has written since, could only fail.
func TestASQLiteTransactionIsAWriterFromItsBeginning(t *testing.T) {
	address := given.Address(t, "sqlite")
	store, raw := given.OpenStore(t, address), given.Raw(t, address)
	err := store.InTx(t.Context(), func(ctx context.Context) error {
		_, err := raw.ExecContext(ctx, "PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK")
		return err
	})
	if err == nil || !strings.Contains(err.Error(), "database is locked") {
		t.Errorf("another writer began beside it: %v", err)
	}
	do(t, raw, "BEGIN IMMEDIATE; ROLLBACK") // it would have succeeded alone
}

// What SQLite wrote beside one name of a file is not seen by another, and answers that were given are gone.
func TestASQLiteFileOfSeveralNamesIsRefused(t *testing.T) {
	address := given.Address(t, "sqlite")
	if err := os.Link(strings.TrimPrefix(address, "sqlite:"), filepath.Join(t.TempDir(), "hard.db")); err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, address); err == nil || !strings.Contains(err.Error(), "hard links") {
		t.Errorf("served: %v", err)
	}
	if _, err := models.OpenToRead(t.Context(), address, func() time.Time { return given.Noon }); err == nil || !strings.Contains(err.Error(), "hard links") {
		t.Errorf("read: %v", err)
	}
}

func TestAClosedSQLiteFileIsFreeAgain(t *testing.T) {
	address := given.Address(t, "sqlite")
	store, err := models.Open(t.Context(), address, func() time.Time { return given.Noon }, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	mustOpen(t, address)
}

func TestAStoreCanBeReadBesideTheServingOne(t *testing.T) {
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, name)
			serving := given.OpenStore(t, address)
			player := given.Player(t, serving, given.Tapped(20))

			reading, err := models.OpenToRead(t.Context(), address, func() time.Time { return given.Noon })
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := reading.Close(); err != nil {
					t.Errorf("close the reading store: %v", err)
				}
			}()
			given.Sound(t, reading)
			if err := reading.Ready(t.Context()); err != nil {
				t.Errorf("not ready: %v", err)
			}
			if saved, err := reading.Player(t.Context(), player.ID); err != nil || !reflect.DeepEqual(saved, player) {
				t.Errorf("read %+v, %v, want %+v", saved, err, player)
			}
			tapped, err := serving.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 5, Key: given.Key(1)}, given.Season, given.Noon)
			if err != nil {
				t.Fatalf("serve beside it: %v", err)
			}
			if saved, err := reading.Player(t.Context(), player.ID); err != nil || saved.Balances != tapped.Player.Balances {
				t.Errorf("read later %+v, %v, want %+v", saved, err, tapped.Player)
			}
		})
	}
}

func TestASQLiteFileOpenedToReadCannotBeChanged(t *testing.T) {
	address := given.Address(t, "sqlite")
	player := given.Player(t, given.OpenStore(t, address))
	reading, err := models.OpenToRead(t.Context(), address, func() time.Time { return given.Noon })
	if err != nil {
		t.Fatal(err)
	}
	defer reading.Close() //nolint:errcheck // nothing was written
	no := false
	if _, err := reading.SetPreference(t.Context(), player.ID, models.Preference{Notifications: &no}, given.Noon); err == nil {
		t.Error("a wish was stored")
	}
}

func TestReadingMakesNoSQLiteFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.db")
	if _, err := models.OpenToRead(t.Context(), "sqlite:"+path, time.Now); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("opened: %v", err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file was made: %v", err)
	}
}

func TestAnUnreachableDatabaseIsReportedWithoutItsPassword(t *testing.T) {
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

func TestACancelledCallChangesNothingAndMayBeRepeated(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		cancelled, cancel := context.WithCancel(t.Context())
		cancel()
		batch := models.Batch{TelegramID: player.TelegramID, Sent: 20, Key: given.Key(1)}
		if _, err := store.Tap(cancelled, batch, given.Season, given.Noon); !errors.Is(err, models.ErrTryAgain) {
			t.Errorf("cancelled: %v", err)
		}
		if answer, err := store.Tap(t.Context(), batch, given.Season, given.Noon); err != nil || answer.Accepted != 20 {
			t.Errorf("again: %+v, %v", answer, err)
		}
		given.Sound(t, store)
	})
}

func TestTheSeasonStartsOnTheDayOfTheFirstStart(t *testing.T) {
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, name)
			store := given.OpenStore(t, address)
			today := given.Noon.Truncate(24 * time.Hour)
			for _, now := range []time.Time{given.Noon, given.Noon.Add(100 * 24 * time.Hour), given.Noon.Add(-24 * time.Hour)} {
				if start, err := store.ProjectStart(t.Context(), time.Time{}, now); err != nil || start != today {
					t.Errorf("started %s: %s, %v, want %s", now, start, err, today)
				}
			}
		})
	}
}

// Days, prices and prizes are counted from it, whether or not it still stands in the settings.
func TestAConfiguredStartStaysOnceSomebodyPlays(t *testing.T) {
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store := given.OpenStore(t, given.Address(t, name))
			later := given.Season.Start.Add(72 * time.Hour)
			for _, configured := range []time.Time{{}, later, given.Season.Start} { // planned anew
				want := configured
				if want.IsZero() {
					want = given.Noon.Truncate(24 * time.Hour)
				}
				if start, err := store.ProjectStart(t.Context(), configured, given.Noon); err != nil || !start.Equal(want) {
					t.Errorf("configured %s: %s, %v", configured, start, err)
				}
			}
			given.Player(t, store)
			if _, err := store.ProjectStart(t.Context(), later, given.Noon); !errors.Is(err, models.ErrOtherStart) {
				t.Errorf("moved while somebody plays: %v", err)
			}
			for _, configured := range []time.Time{given.Season.Start, {}} {
				start, err := store.ProjectStart(t.Context(), configured, given.Noon.Add(100*24*time.Hour))
				if err != nil || !start.Equal(given.Season.Start) {
					t.Errorf("configured %s later: %s, %v", configured, start, err)
				}
			}
		})
	}
}

func TestAnEmptyDatabaseIsToldFromOneThatDoesNotAnswer(t *testing.T) {
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			store, err := models.Open(t.Context(), given.Bare(t, name), func() time.Time { return given.Noon }, rand.Reader)
			if err != nil {
				t.Fatal(err)
			}
			var behind models.BehindError
			if err := store.Ready(t.Context()); !errors.As(err, &behind) || behind.At != 0 {
				t.Errorf("empty: %v", err)
			}
			if err := store.Close(); err != nil {
				t.Fatal(err)
			}
			if err := store.Ready(t.Context()); err == nil || errors.As(err, &behind) {
				t.Errorf("closed: %v", err)
			}
		})
	}
}

func TestTheFirstStartIsADayInUTC(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		evening := time.Date(2026, time.March, 3, 20, 0, 0, 0, time.FixedZone("", -5*60*60)) // 01:00 UTC on the 4th
		if start, err := store.ProjectStart(t.Context(), time.Time{}, evening); err != nil || start != given.Season.Start {
			t.Errorf("%s, %v, want %s", start, err, given.Season.Start)
		}
	})
}

func TestProcessesStartingTogetherAgreeOnTheSeason(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		starts := make([]time.Time, 20)
		allAtOnce(len(starts), func(i int) {
			start, err := store.ProjectStart(t.Context(), time.Time{}, given.Noon.Add(time.Duration(i)*24*time.Hour))
			if err != nil {
				t.Error(err)
			}
			starts[i] = start
		})
		for _, start := range starts {
			if start != starts[0] || start.IsZero() {
				t.Errorf("one starts on %s, another on %s", starts[0], start)
			}
		}
	})
}
