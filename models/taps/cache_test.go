package taps_test

import (
	"fmt"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/store"
	"mcbk/models/taps"
)

// Two processes on one database, the first of which remembers the player.
func twoProcesses(t *testing.T) (first, second *store.Store, player models.Player) {
	t.Helper()
	address := modelstest.Address(t, "postgres")
	first, second = modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)
	player = modelstest.Player(t, first)
	tapOnce(t, first, player, "known-00")
	return first, second, player
}

func tapOnce(t *testing.T, store *store.Store, player models.Player, key string) taps.Tapped {
	t.Helper()
	answer := modelstest.Must(store.Taps.Tap(t.Context(), taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: key}, modelstest.Season, modelstest.Noon))(t)
	return answer
}

func TestCacheNeverOverwritesOtherProcessesWrites(t *testing.T) {
	first, second, player := twoProcesses(t)
	tapOnce(t, second, player, "known-01")
	modelstest.Equal(t, tapOnce(t, first, player, "known-02").Player.Balances.Game, 3*game.CoinsPerTap, "three taps are worth micro-MCBK")
	modelstest.Sound(t, first)
}

func TestRefusalIsNotCached(t *testing.T) {
	first, second, player := twoProcesses(t)
	modelstest.Done(t, second, players.ActionBan, fmt.Sprint(player.ID), "a test")
	batch := taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: "known-01"}
	modelstest.Refuses(first.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon))(t, game.UserBlocked, "a player banned by another process is answered with")
	modelstest.Done(t, second, players.ActionUnban, fmt.Sprint(player.ID))
	tapOnce(t, first, player, "known-02")
	modelstest.Sound(t, first)
}

func TestRepeatedBatchGetsAnswerOfAnotherProcess(t *testing.T) {
	first, second, player := twoProcesses(t)
	tapOnce(t, first, player, "known-01")
	once := tapOnce(t, second, player, "known-01")
	modelstest.Equal(t, once.Player.Balances.Game, 2*game.CoinsPerTap, "micro-MCBK of the batch sent twice")
	modelstest.Sound(t, first)
}

func TestProcessesCachingTheSamePlayersLoseNoTap(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	stores := []*store.Store{modelstest.OpenStore(t, address), modelstest.OpenStore(t, address), modelstest.OpenStore(t, address)}
	players := []models.Player{modelstest.Player(t, stores[0]), modelstest.Player(t, stores[0]), modelstest.Player(t, stores[0])}
	const rounds = 40
	var all sync.WaitGroup
	for s, store := range stores {
		for p, player := range players {
			all.Go(func() {
				for round := range rounds {
					batch := taps.Batch{TelegramID: player.TelegramID, Sent: 1, Key: modelstest.Key(1000*s + 100*p + round)}
					modelstest.Succeeds(store.Taps.Tap(t.Context(), batch, modelstest.Season, modelstest.Noon.Add(time.Duration(round)*time.Second)))(t, "player", p)
				}
			})
		}
	}
	all.Wait()
	for p, player := range players {
		modelstest.Equal(t, tapOnce(t, stores[0], player, "last-one").Player.Balances.Game, game.CoinsPerTap*(rounds*3+1), "player", p, "has micro-MCBK of", rounds*3+1, "taps")
	}
	modelstest.Sound(t, stores[0])
}

// An operator who analyzes a new database tells PostgreSQL that its tables are empty, for as long as nobody does so again.
func TestTapReadsConstantNumberOfRows(t *testing.T) {
	t.Parallel()
	const rounds, together = 30, 10 // so that groups go as arrays too, which are planned otherwise than few rows one by one
	address := modelstest.Address(t, "postgres")
	raw := modelstest.Raw(t, address)
	store := modelstest.OpenStore(t, address)
	players := make([]models.Player, together)
	for i := range players {
		players[i] = modelstest.Player(t, store)
	}
	modelstest.MustExec(t, raw, "ANALYZE postings")
	const entriesRead = "SELECT SUM(idx_tup_read) FROM pg_stat_user_indexes WHERE relname = 'postings'"
	before := modelstest.Count(t, raw, entriesRead)

	for round := range rounds {
		var all sync.WaitGroup
		for _, player := range players {
			all.Go(func() { tapOnce(t, store, player, fmt.Sprintf("round-%02d", round)) })
		}
		all.Wait()
	}
	modelstest.NoError(t, store.Close())
	// PostgreSQL counts what a connection read by the time it is gone.
	for tries := 0; modelstest.Count(t, raw, "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'mcbk'") > 0; tries++ {
		if tries == 1_000 {
			t.Fatal("connections of a closed store are still there")
		}
		time.Sleep(10 * time.Millisecond)
	}
	read := modelstest.Count(t, raw, entriesRead) - before
	if read > 2*rounds*together { // one each is what a tap looks for, one what others of this database may have left
		t.Errorf("%d taps read %d entries of the index", rounds*together, read)
	}
}

// A lost connection leaves open what a write did, but not what only was read through it.
func TestTapOfUncachedPlayerIsWritten(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	known, unknown := modelstest.Player(t, store), modelstest.Player(t, store)
	tapOnce(t, store, known, "known-01")
	modelstest.MustExec(t, raw, "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%xmin%' AND pid <> pg_backend_pid()")
	tapOnce(t, store, unknown, "known-02")
	modelstest.Sound(t, store)
}
