package models_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

func TestTapsEarnAThousandthEach(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)

		answer, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 20, Key: "batch-01"}, given.Season, given.Noon)
		if err != nil {
			t.Fatal(err)
		}
		if answer.Accepted != 20 || answer.Player.Balances.Game != 20*game.MCBK/1000 || answer.Player.Bag.Energy() != 980 {
			t.Errorf("answer %+v", answer)
		}
		saved, err := store.Player(t.Context(), player.ID)
		if err != nil {
			t.Fatal(err)
		}
		if saved.Balances != answer.Player.Balances || saved.Bag.Energy() != 980 || saved.Bag.TapsToday != 20 {
			t.Errorf("saved %+v, answered %+v", saved, answer.Player)
		}
		given.Sound(t, store)
	})
}

func TestABatchSentFiftyTimesAtOnceCountsOnce(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		batch := models.Batch{TelegramID: player.TelegramID, Sent: 30, Key: "batch-01"}

		answers := make([]models.Tapped, 50)
		var all sync.WaitGroup
		for i := range answers {
			all.Go(func() {
				answer, err := patiently(func() (models.Tapped, error) { return store.Tap(t.Context(), batch, given.Season, given.Noon) })
				if err != nil {
					t.Errorf("copy %d: %v", i, err)
				}
				answers[i] = answer
			})
		}
		all.Wait()

		for i, a := range answers {
			if a.Accepted != 30 || a.Player.Balances != answers[0].Player.Balances || a.Player.Bag.Energy() != 970 {
				t.Errorf("copy %d got %+v, not the first answer", i, a)
			}
		}
		postings, err := store.Postings(t.Context(), player.ID)
		if err != nil || len(postings) != 1 {
			t.Errorf("%d postings, %v", len(postings), err)
		}
		given.Sound(t, store)
	})
}

func TestARepeatedBatchGetsItsFirstAnswerAfterLaterPlay(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		tap := func(key string, sent int, at time.Time) models.Tapped {
			t.Helper()
			answer, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: sent, Key: key}, given.Season, at)
			if err != nil {
				t.Fatal(err)
			}
			return answer
		}
		first := tap("batch-01", 10, given.Noon)
		tap("batch-02", 15, given.Noon.Add(time.Minute))

		again := tap("batch-01", 10, given.Noon.Add(24*time.Hour))
		if again.Accepted != first.Accepted || again.Player.Balances != first.Player.Balances || again.Player.Bag.Energy() != first.Player.Bag.Energy() {
			t.Errorf("first %+v, again %+v", first, again)
		}
		given.Sound(t, store)
	})
}

func TestBatchOfNothingAcceptedMayComeAgain(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store, given.Tapped(50))
		batch := models.Batch{TelegramID: player.TelegramID, Sent: 5, Key: "batch-01"}
		for _, c := range []struct {
			later    time.Duration
			accepted int
		}{{0, 0}, {0, 0}, {24 * time.Hour, 5}, {25 * time.Hour, 5}} {
			answer, err := store.Tap(t.Context(), batch, given.Season, given.Noon.Add(c.later))
			if err != nil || answer.Accepted != c.accepted {
				t.Errorf("after %s: %d accepted, %v", c.later, answer.Accepted, err)
			}
		}
		if posted, err := store.Postings(t.Context(), player.ID); err != nil || len(posted) != 2 {
			t.Errorf("%d postings, %v", len(posted), err)
		}
		given.Sound(t, store)
	})
}

func TestABatchIDWithAnotherCountIsRefused(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		for _, sent := range []int{10, 11} {
			_, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: sent, Key: "batch-01"}, given.Season, given.Noon)
			var refusal *game.Refusal
			if refused := errors.As(err, &refusal) && refusal.Code == models.IdempotencyKeyReused; refused != (sent == 11) {
				t.Errorf("%d taps: %v", sent, err)
			}
		}
	})
}

func TestTapsNeedConsentAndAnOpenSeason(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		for _, c := range []struct {
			name   string
			player models.Player
			at     time.Time
			code   game.Code
		}{
			{"no consent", given.Player(t, store, given.Unconsented()), given.Noon, game.AgeConsentRequired},
			{"too early", given.Player(t, store), given.Season.Start.Add(-time.Second), game.SeasonNotStarted},
			{"too late", given.Player(t, store), given.Season.Start.Add(90 * 24 * time.Hour), game.SeasonOver},
		} {
			_, err := store.Tap(t.Context(), models.Batch{TelegramID: c.player.TelegramID, Sent: 1, Key: "batch-01"}, given.Season, c.at)
			var refusal *game.Refusal
			if !errors.As(err, &refusal) || refusal.Code != c.code {
				t.Errorf("%s: %v", c.name, err)
			}
			if postings, err := store.Postings(t.Context(), c.player.ID); err != nil || len(postings) != 0 {
				t.Errorf("%s: %d postings, %v", c.name, len(postings), err)
			}
		}
	})
}

// However many players another process holds, and however many batches they send, the others
// find a connection: a tap and a read of somebody else take no part of the wait.
func TestPlayersHeldElsewhereKeepNobodyElseWaiting(t *testing.T) {
	for name, held := range map[string]struct{ players, batches int }{"40 players": {40, 1}, "25 batches of one": {1, 25}} {
		t.Run(name, func(t *testing.T) {
			address := given.Address(t, "postgres")
			store := given.OpenStore(t, address)
			players := make([]models.Player, held.players)
			for i := range players {
				players[i] = given.Player(t, store)
			}
			release := given.HoldPlayers(t, address)
			free := given.Player(t, store) // came later, so nobody holds them
			tap := func(player models.Player, n int) error {
				_, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 1, Key: given.Key(n)}, given.Season, given.Noon)
				return err
			}
			answers := make(chan error, held.players*held.batches)
			for _, player := range players {
				for n := range held.batches {
					go func() { answers <- tap(player, n) }()
				}
			}
			for n := range 5 {
				if err := tap(free, n); err != nil {
					t.Fatal(err)
				}
				if _, err := store.Player(t.Context(), free.ID); err != nil {
					t.Fatal(err)
				}
			}
			if len(answers) > 0 { // they wait for 2 s, see lockTimeout
				t.Errorf("5 taps and reads of a free player took so long that %d of the held were answered, the first %v", len(answers), <-answers)
			}
			release()
			for range cap(answers) {
				if err := <-answers; err != nil {
					t.Error(err)
				}
			}
			given.Sound(t, store)
		})
	}
}

// Nobody waits for an answer to a batch whose request is over: it is not written late, and its
// id counts when it comes again.
func TestAHeldBatchThatNobodyWaitsForIsNotWritten(t *testing.T) {
	address := given.Address(t, "postgres")
	store := given.OpenStore(t, address)
	first, second := given.Player(t, store), given.Player(t, store)
	release := given.HoldPlayers(t, address)
	ctx, leave := context.WithCancel(t.Context())
	tap := func(ctx context.Context, player models.Player) error {
		_, err := store.Tap(ctx, models.Batch{TelegramID: player.TelegramID, Sent: 1, Key: given.Key(1)}, given.Season, given.Noon)
		return err
	}
	var all sync.WaitGroup
	for range 4 { // the first waits for the row, the others behind it
		all.Go(func() {
			if err := tap(ctx, first); !errors.Is(err, models.ErrTryAgain) {
				t.Errorf("a request that was left ended with %v", err)
			}
		})
	}
	time.Sleep(100 * time.Millisecond)
	leave()
	all.Wait()
	release()
	if err := tap(t.Context(), second); err != nil {
		t.Fatal(err)
	}
	if err := tap(t.Context(), first); err != nil {
		t.Fatal(err)
	}
	postings, err := store.Postings(t.Context(), first.ID)
	if err != nil || len(postings) != 1 {
		t.Errorf("%d postings, %v", len(postings), err)
	}
	given.Sound(t, store)
}

func TestABatchTheDatabaseRefusesTakesNoOtherWithIt(t *testing.T) {
	eachAddress(t, func(t *testing.T, store *models.Store, raw *sql.DB) {
		unlucky, lucky := given.Player(t, store), given.Player(t, store)
		refuse := fmt.Sprintf(`CREATE TRIGGER unlucky BEFORE INSERT ON postings WHEN NEW.player_id = %d
			BEGIN SELECT RAISE(ABORT, 'unlucky'); END`, unlucky.ID)
		if isPostgres(t) {
			refuse = fmt.Sprintf(`ALTER TABLE postings ADD CHECK (player_id <> %d)`, unlucky.ID)
		}
		do(t, raw, refuse)
		allAtOnce(60, func(i int) {
			player, want := lucky, false
			if i%3 == 0 {
				player, want = unlucky, true
			}
			_, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 1, Key: given.Key(i)}, given.Season, given.Noon)
			if failed := err != nil; failed != want || errors.Is(err, models.ErrTryAgain) {
				t.Errorf("batch %d: %v", i, err)
			}
		})
		if saved, err := store.Player(t.Context(), lucky.ID); err != nil || saved.Balances.Game != given.TapRules.Earns(40) {
			t.Errorf("%+v, %v", saved.Balances, err)
		}
		if !isPostgres(t) {
			do(t, raw, "DROP TRIGGER unlucky") // verify would name it
		}
		given.Sound(t, store)
	})
}

// A batch without an id cannot come again, so one of which nothing was accepted needs no receipt.
func TestBatchOfNothingAcceptedLeavesNoRow(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store)
		tap := func(key string) models.Tapped {
			tapped, err := store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 5, Key: key}, given.Season, given.Noon)
			if err != nil {
				t.Fatal(err)
			}
			return tapped
		}
		for tap("").Accepted > 0 { // until the pace is used up
		}
		before, err := store.Postings(t.Context(), player.ID)
		if err != nil {
			t.Fatal(err)
		}
		if tapped := tap(""); tapped.Accepted != 0 || tapped.Player.ID != player.ID {
			t.Errorf("answered %+v", tapped)
		}
		tap(given.Key(1))
		after, err := store.Postings(t.Context(), player.ID)
		if err != nil || len(after) != len(before) {
			t.Errorf("%d postings, were %d, %v", len(after), len(before), err)
		}
		given.Sound(t, store)
	})
}

func TestABatchWhoseKeyAnotherCallHasUsedIsRefused(t *testing.T) {
	given.EachDatabase(t, func(t *testing.T, store *models.Store) {
		player := given.Player(t, store, given.Tapped(5)) // they are cached
		request := models.Request{Player: player.ID, Key: given.Key(1), Operation: "checkIn", BodyHash: []byte{1}}
		_, err := store.Once(t.Context(), request, given.Noon, func(context.Context) (models.Answer, error) {
			return models.Answer{Status: 200}, nil
		})
		if err != nil {
			t.Fatalf("another call with the key: %v", err)
		}
		for range 2 {
			_, err = store.Tap(t.Context(), models.Batch{TelegramID: player.TelegramID, Sent: 3, Key: given.Key(1), Keyed: true}, given.Season, given.Noon)
			refusedWith(t, "a batch with the key", err, models.IdempotencyKeyReused)
		}
		batch := models.Batch{TelegramID: player.TelegramID, Sent: 3, Key: given.Key(1)} // an id that is no key
		if answer, err := store.Tap(t.Context(), batch, given.Season, given.Noon); err != nil || answer.Accepted != 3 {
			t.Errorf("a batch whose id is no key: %+v, %v", answer, err)
		}
		given.Sound(t, store)
	})
}
