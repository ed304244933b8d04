package store_test

import (
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/modelstest"
	"mcbk/models/store"
)

// A transaction that another one made fail is run once more, whichever statement failed: its answer is the same.
func TestRetriedTransactionGivesSameAnswer(t *testing.T) {
	for what, prepare := range map[string]func(t *testing.T, store *store.Store) (call func() (string, error)){
		"an order of a mine": func(t *testing.T, store *store.Store) func() (string, error) {
			player := modelstest.Buyer(t, store)
			return func() (string, error) {
				o, err := store.Mines.OrderMine(t.Context(), player.ID, 1, nil, modelstest.Season, modelstest.Noon)
				return fmt.Sprint(o.Currency, o.Amount), err
			}
		},
		"an order of coins": func(t *testing.T, store *store.Store) func() (string, error) {
			player := modelstest.Buyer(t, store)
			return func() (string, error) {
				o, err := store.Orders.OrderCoins(t.Context(), player.ID, game.TON, modelstest.Season, modelstest.Noon)
				return fmt.Sprint(o.Currency, o.Amount, o.Coins), err
			}
		},
		"an ad for a prize": func(t *testing.T, store *store.Store) func() (string, error) {
			spin, player := modelstest.Spun(t, store, modelstest.Player(t, store), false, modelstest.Segment(t, "points_200"), modelstest.Noon)
			return func() (string, error) {
				ticket, err := store.Ads.StartAd(t.Context(), player.ID, models.AdRoulette, spin.ID, modelstest.Season, modelstest.Noon)
				return fmt.Sprint(ticket.TargetID == spin.ID, ticket.State), err
			}
		},
		"a confirmed ad": func(t *testing.T, store *store.Store) func() (string, error) {
			player := modelstest.Player(t, store)
			modelstest.OpenAd(t, store, player, models.AdSpin, modelstest.Noon)
			return func() (string, error) {
				ticket, settled, err := store.Ads.ConfirmAd(t.Context(), ads.AdCallback{TelegramID: player.TelegramID}, modelstest.Noon.Add(time.Minute))
				return fmt.Sprint(ticket.State, settled), err
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
				modelstest.NewMarket(t, store)
				modelstest.Tournament(t, store)
				want, err := prepare(t, store)()
				modelstest.NoError(t, err)
				var left atomic.Int64
				failStatement(t, store, &left)
				for statement := int64(1); ; statement++ {
					call := prepare(t, store)
					left.Store(statement)
					modelstest.Returns(call())(t, want, "statement", statement, "failed")
					if left.Swap(0) > 0 { // there are no more
						if statement < 4 {
							t.Errorf("%d statements have failed", statement-1)
						}
						break
					}
				}
				modelstest.Sound(t, store)
			})
		})
	}
}

// failStatement makes the statement of a transaction fail at which left reaches zero.
func failStatement(t *testing.T, store *store.Store, left *atomic.Int64) {
	t.Helper()
	fail := func(query *gorm.DB) {
		if _, inTx := query.Statement.ConnPool.(gorm.TxCommitter); inTx && left.Add(-1) == 0 {
			_ = query.AddError(&pgconn.PgError{Code: "40001", Message: "another transaction was first"})
		}
	}
	modelstest.NoError(t, store.DB.InTx(t.Context(), func(tx *gorm.DB) error {
		all := tx.Callback()
		return errors.Join(
			all.Query().Before("*").Register("fail", fail), all.Create().Before("*").Register("fail", fail),
			all.Update().Before("*").Register("fail", fail), all.Raw().Before("*").Register("fail", fail),
			all.Row().Before("*").Register("fail", func(query *gorm.DB) {
				if rows, _ := query.Get("rows"); rows == true { // a single row would be nil
					fail(query)
				}
			}),
		)
	}))
}
