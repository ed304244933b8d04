package models_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// What a sweep or a claim has read may change before it writes. SQLite has one writer.
func TestWhatIsUnderWayWhileItExpiresStays(t *testing.T) {
	t.Parallel()
	for what, race := range map[string]struct {
		table, first string // what commits while then waits for it
		then         func(store *models.Store, p models.Player, advice models.Advice) error
		ends         string
	}{
		"advice that an ad doubled": {
			"predictions", "state = 'doubled', settled_at = now()", func(store *models.Store, _ models.Player, _ models.Advice) error {
				_, err := store.ExpireOffers(t.Context(), given.Noon.Add(day))
				return err
			}, "doubled",
		},
		"advice that is being claimed": {
			"predictions", "state = 'expired'", func(store *models.Store, p models.Player, advice models.Advice) error {
				return claim(t, store, p, advice.ID, given.Noon)
			}, "claimed",
		},
		"an ad that was confirmed": {
			"ad_tickets", "state = 'settled', settled_at = now()", func(store *models.Store, _ models.Player, _ models.Advice) error {
				_, err := store.ExpireOffers(t.Context(), given.Noon.Add(2*time.Hour))
				return err
			}, "settled",
		},
		"an order that is being cancelled": {
			"orders", "state = 'expired'", func(store *models.Store, p models.Player, _ models.Advice) error {
				_, err := store.CancelOrder(t.Context(), p.ID, 1)
				if refusal := (*game.Refusal)(nil); !errors.As(err, &refusal) || refusal.Code != models.NotEligible {
					return fmt.Errorf("want not_eligible: %w", err)
				}
				return nil
			}, "expired",
		},
		"an order that is being paid": {
			"orders", "state = 'expired'", func(store *models.Store, p models.Player, _ models.Advice) error {
				order, err := store.Order(t.Context(), p.ID, 1)
				if err != nil {
					return err
				}
				m := &market{store: store, head: beginning, since: beginning}
				m.comes(order.Amount, order.Comment, given.Noon)
				history := models.History{Since: m.since, Transactions: m.next, KnownUntil: given.Noon, Agreed: 2}
				_, err = store.Record(t.Context(), history, given.Season, given.Noon)
				return err
			}, "paid",
		},
		"a nonce that proved a wallet": {
			"wallet_nonces", "state = 'used', used_at = now(), wallet = '0:a'", func(store *models.Store, _ models.Player, _ models.Advice) error {
				_, err := store.ExpireNonces(t.Context(), given.Noon.Add(time.Hour))
				return err
			}, "used",
		},
	} {
		t.Run(what, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, "postgres")
			store, raw := given.OpenStore(t, address), given.Raw(t, address)
			p := buyer(t, store)
			sells(t, store)
			ordered(t, store, p, game.TON, given.Noon)
			advice := advised(t, store, p, given.Noon)
			opened(t, store, p, models.AdPrediction, given.Noon)
			nonceOf(t, store, p, given.Noon)
			other, err := raw.BeginTx(t.Context(), nil)
			if err == nil {
				_, err = other.ExecContext(t.Context(), "UPDATE "+race.table+" SET "+race.first)
			}
			if err != nil {
				t.Fatal(err)
			}
			answer := make(chan error, 1)
			go func() { answer <- race.then(store, p, advice) }()
			untilLocked(t, raw, answer)
			if err := other.Commit(); err != nil {
				t.Fatal(err)
			}
			if err := <-answer; err != nil {
				t.Error(err)
			}
			if count(t, raw, fmt.Sprintf("SELECT COUNT(*) FROM %s WHERE state = '%s'", race.table, race.ends)) != 1 {
				t.Errorf("it did not end %s", race.ends)
			}
		})
	}
}
