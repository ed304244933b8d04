package stars_test

import (
	"testing"
	"time"

	"mcbk/models"
	"mcbk/models/modelstest"
	"mcbk/models/stars"
	"mcbk/models/store"
)

// Telegram answers no refund for so long that it is given up: an admin can ask again, since nothing else will.
func TestRefundGivenUpIsAskedAgain(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		buyer := modelstest.Player(t, store)
		c := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "charge-1")
		modelstest.ReceiveCharge(t, store, c)
		modelstest.Done(t, store, stars.ActionRefund, c.ChargeID)
		const pause = 2 * time.Hour // more than between two tries
		now := modelstest.Noon
		for dead := false; !dead; now = now.Add(pause) {
			m, _, err := store.Outbox.TakeMessage(t.Context(), now)
			modelstest.NoError(t, err)
			switch {
			case m == nil:
			case m.Kind == models.StarRefund:
				dead, err = store.Outbox.FailMessage(t.Context(), *m, "502 Bad Gateway", now)
			default:
				err = store.Outbox.FinishMessage(t.Context(), *m, now)
			}
			modelstest.NoError(t, err)
			if now.After(modelstest.Noon.Add(200 * pause)) {
				return // it is never given up, which is as good
			}
		}
		modelstest.Done(t, store, stars.ActionRefund, c.ChargeID)
	})
}
