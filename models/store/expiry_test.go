package store_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func TestMain(m *testing.M) { modelstest.Main(m) }

// What a sweep or a claim has read may change before it writes. SQLite has one writer.
func TestRowsInUseDoNotExpire(t *testing.T) {
	t.Parallel()
	for what, race := range map[string]struct {
		table, first string // what commits while then waits for it
		then         func(store *store.Store, p models.Player, advice models.Advice) error
		ends         string
	}{
		"advice that an ad doubled": {
			"predictions", "state = 'doubled', settled_at = now()", func(store *store.Store, _ models.Player, _ models.Advice) error {
				_, err := store.Ads.ExpireOffers(t.Context(), modelstest.Noon.Add(24*time.Hour))
				return err
			}, "doubled",
		},
		"advice that is being claimed": {
			"predictions", "state = 'expired'", func(store *store.Store, p models.Player, advice models.Advice) error {
				return modelstest.ClaimAdvice(t, store, p, advice.ID, modelstest.Noon)
			}, "claimed",
		},
		"an ad that was confirmed": {
			"ad_tickets", "state = 'settled', settled_at = now()", func(store *store.Store, _ models.Player, _ models.Advice) error {
				_, err := store.Ads.ExpireOffers(t.Context(), modelstest.Noon.Add(2*time.Hour))
				return err
			}, "settled",
		},
		"an order that is being cancelled": {
			"orders", "state = 'expired'", func(store *store.Store, p models.Player, _ models.Advice) error {
				_, err := store.Orders.CancelOrder(t.Context(), p.ID, 1)
				if !modelstest.IsRefused(err, models.NotEligible) {
					return fmt.Errorf("want not_eligible: %w", err)
				}
				return nil
			}, "expired",
		},
		"an order that is being paid": {
			"orders", "state = 'expired'", func(store *store.Store, p models.Player, _ models.Advice) error {
				order, err := store.Orders.Order(t.Context(), p.ID, 1)
				if err != nil {
					return err
				}
				m := &modelstest.Market{Store: store, Head: modelstest.HistoryStart, Since: modelstest.HistoryStart}
				m.Pay(order.Amount, order.Comment, modelstest.Noon)
				history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: modelstest.Noon, Agreed: 2}
				_, err = store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon))
				return err
			}, "paid",
		},
		"a nonce that proved a wallet": {
			"wallet_nonces", "state = 'used', used_at = now(), wallet = '0:a'", func(store *store.Store, _ models.Player, _ models.Advice) error {
				_, err := store.Wallet.ExpireNonces(t.Context(), modelstest.Noon.Add(time.Hour))
				return err
			}, "used",
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			address := modelstest.Address(t, "postgres")
			store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
			p := modelstest.Buyer(t, store)
			modelstest.NewMarket(t, store)
			modelstest.OrderCoins(t, store, p, game.TON, modelstest.Noon)
			advice := modelstest.Advice(t, store, p, modelstest.Noon)
			modelstest.OpenAd(t, store, p, models.AdPrediction, modelstest.Noon)
			modelstest.NewNonce(t, store, p, modelstest.Noon)
			err := modelstest.Behind(t, address, "UPDATE "+race.table+" SET "+race.first, func() error { return race.then(store, p, advice) })
			modelstest.NoError(t, err)
			modelstest.Equal(t, modelstest.Count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE state = '%s'", race.table, race.ends)), 1, "it did not end", race.ends)
		})
	}
}

// A call under a key joins its transaction, whose writes would stay if its ad were found to be too old only afterwards.
func TestAdExpiringDuringConfirmationChangesNothing(t *testing.T) {
	t.Parallel()
	for purpose, offered := range map[models.AdPurpose]func(t *testing.T, store *store.Store, p models.Player) (target int64){
		models.AdDaily: func(t *testing.T, store *store.Store, p models.Player) int64 {
			modelstest.CheckIn(t, store, p, modelstest.Noon)
			return 0
		},
		models.AdPrediction: func(t *testing.T, store *store.Store, p models.Player) int64 {
			return modelstest.Advice(t, store, p, modelstest.Noon).ID
		},
		models.AdRoulette: func(t *testing.T, store *store.Store, p models.Player) int64 {
			spin, _ := modelstest.Spun(t, store, p, false, modelstest.Segment(t, "points_100"), modelstest.Noon)
			return spin.ID
		},
	} {
		t.Run(string(purpose), func(t *testing.T) {
			t.Parallel()
			address := modelstest.Address(t, "postgres")
			store := modelstest.OpenStore(t, address)
			p := modelstest.Player(t, store)
			ticket := modelstest.Must(store.Ads.StartAd(t.Context(), p.ID, purpose, offered(t, store, p), modelstest.Season, modelstest.Noon))(t)
			before := modelstest.Must(store.Players.Player(t.Context(), p.ID))(t)
			err := modelstest.Behind(t, address, "UPDATE ad_tickets SET state = 'expired'", func() error {
				_, err := store.Commit.Once(t.Context(), commit.Request{Player: p.ID, Key: modelstest.Key(1), Operation: "setPreference", BodyHash: []byte("one")}, modelstest.Noon.Add(time.Minute), func(ctx context.Context) (commit.Answer, error) {
					_, err := store.Ads.CompleteAd(ctx, p.ID, ticket.Ticket, true, modelstest.Noon.Add(time.Minute))
					return commit.Answer{Status: 200}, err
				})
				return err
			})
			modelstest.WantRefusal(t, err, models.Expired, "its word")
			if after, err := store.Players.Player(t.Context(), p.ID); err != nil || after.Visits != before.Visits || after.Balances != before.Balances {
				t.Errorf("afterwards %+v, %v; before %+v", after, err, before)
			}
			modelstest.Sound(t, store)
		})
	}
}
