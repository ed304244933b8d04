package db_test

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"testing"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// barrier makes two transactions wait for each other on their first run.
func barrier() func() {
	var both sync.WaitGroup
	both.Add(2)
	runs := make(chan struct{}, 2)
	return func() {
		select {
		case runs <- struct{}{}:
			both.Done()
			both.Wait()
		default: // a later run
		}
	}
}

func touchPlayer(tx *gorm.DB, id models.PlayerID) error {
	return tx.Exec("UPDATE players SET bag_taps_today = bag_taps_today + 1 WHERE id = ?", id).Error
}

func TestTransactionThatLosesARaceIsRetried(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	st := modelstest.OpenStore(t, address)
	one, other := modelstest.Player(t, st).ID, modelstest.Player(t, st).ID
	for name, c := range map[string]struct {
		begin string
		ids   [2][2]models.PlayerID // what each of the two changes, in this order
	}{
		"a deadlock":              {"SELECT 1", [2][2]models.PlayerID{{one, other}, {other, one}}},
		"a failed serialization":  {"SET TRANSACTION ISOLATION LEVEL SERIALIZABLE", [2][2]models.PlayerID{{one, one}, {one, one}}},
		"a row changed meanwhile": {"SET TRANSACTION ISOLATION LEVEL REPEATABLE READ", [2][2]models.PlayerID{{other, other}, {other, other}}},
	} {
		met, runs := barrier(), make(chan struct{}, 2*db.Attempts)
		modelstest.Concurrently(2, func(i int) {
			err := st.DB.InTx(t.Context(), func(tx *gorm.DB) error {
				runs <- struct{}{}
				if err := tx.Exec(c.begin).Error; err != nil {
					return err
				}
				if err := tx.Raw("SELECT COUNT(*) FROM players").Scan(new(int)).Error; err != nil { // the snapshot begins
					return err
				}
				if name == "a deadlock" {
					if err := touchPlayer(tx, c.ids[i][0]); err != nil {
						return err
					}
					met()
					return touchPlayer(tx, c.ids[i][1])
				}
				met()
				return touchPlayer(tx, c.ids[i][0])
			})
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		})
		if len(runs) < 3 {
			t.Errorf("%s: %d runs, so nobody lost", name, len(runs))
		}
	}
}

func TestTransactionLosingEveryRaceIsTriedFourTimes(t *testing.T) {
	address := modelstest.Address(t, "postgres")
	store := modelstest.OpenStore(t, address)
	runs := 0
	err := store.DB.InTx(t.Context(), func(tx *gorm.DB) error {
		runs++
		return tx.Exec("DO $$ BEGIN RAISE EXCEPTION 'lost' USING ERRCODE = '40001'; END $$").Error
	})
	if !errors.Is(err, db.ErrUnavailable) || runs != 4 {
		t.Errorf("%d runs, then %v", runs, err)
	}
}

func TestMistakeIsNotRetried(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		runs := 0
		err := store.DB.InTx(context.WithoutCancel(t.Context()), func(tx *gorm.DB) error {
			runs++
			return fmt.Errorf("a mistake: %w", tx.Exec("SELECT * FROM nowhere").Error)
		})
		if err == nil || errors.Is(err, db.ErrUnavailable) || runs != 1 {
			t.Errorf("%d runs, then %v", runs, err)
		}
	})
}

func TestMissingWriteConnectionFailsSoon(t *testing.T) {
	t.Parallel()
	store := modelstest.WithTimeouts(t, modelstest.Address(t, "sqlite"))
	began, end := make(chan struct{}), make(chan struct{})
	var first sync.WaitGroup
	first.Go(func() {
		err := store.DB.InTx(t.Context(), func(*gorm.DB) error {
			close(began)
			<-end
			return nil
		})
		if err != nil && !errors.Is(err, db.ErrUnavailable) { // a busy machine may keep it beyond its time
			t.Error(err)
		}
	})
	<-began
	err := store.DB.InTx(t.Context(), func(*gorm.DB) error { return nil })
	if !errors.Is(err, db.ErrOverloaded) || !errors.Is(err, db.ErrUnavailable) {
		t.Errorf("ended with %v", err)
	}
	close(end)
	first.Wait()
	modelstest.NoError(t, store.DB.InTx(t.Context(), func(*gorm.DB) error { return nil }), "afterwards")
}

func TestSlowTransactionIsCancelled(t *testing.T) {
	t.Parallel()
	store := modelstest.WithTimeouts(t, modelstest.Address(t, "postgres"))
	seconds := 0
	err := store.DB.InTx(t.Context(), func(tx *gorm.DB) error {
		for ; seconds < 10; seconds++ { // each statement is short enough
			if err := tx.Exec("SELECT pg_sleep(1)").Error; err != nil {
				return err
			}
		}
		return nil
	})
	if !errors.Is(err, db.ErrUnavailable) || seconds > 5 {
		t.Errorf("after %d s ended with %v", seconds, err)
	}
}
