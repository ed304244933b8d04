package audit_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"mcbk/models/modelstest"
	"mcbk/models/stars"
	"mcbk/models/store"
)

// telegramLists is a list of transactions as Telegram gives it.
func telegramLists(all ...stars.Transaction) func(context.Context, int64, int) ([]stars.Transaction, error) {
	return func(_ context.Context, offset int64, limit int) ([]stars.Transaction, error) {
		rest := all[min(int(offset), len(all)):]
		return rest[:min(limit, len(rest))], nil
	}
}

func TestVerifyStarsComparesChargesWithTelegram(t *testing.T) {
	modelstest.EachDatabase(t, func(t *testing.T, store *store.Store) {
		buyer := modelstest.Player(t, store)
		kept := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 500, modelstest.Noon), "kept")
		back := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 100, modelstest.Noon), "back")
		next := modelstest.Charge(buyer, modelstest.OrderStars(t, store, buyer, 7, modelstest.Noon), "next")
		other := stars.Transaction{ChargeID: "withdrawn", Stars: 10, At: modelstest.Noon}
		whole := []stars.Transaction{modelstest.Listed(kept), other, modelstest.Listed(back), modelstest.ListedRefund(back)}
		modelstest.RecordStars(t, store, whole...)
		modelstest.ReceiveCharge(t, store, next)

		changed := func(i int, change func(t *stars.Transaction)) []stars.Transaction {
			all := slices.Clone(whole)
			change(&all[i])
			return all
		}
		for what, c := range map[string]struct {
			list []stars.Transaction
			want string
		}{
			"the same":             {whole, ""},
			"one is not read yet":  {append(slices.Clone(whole), modelstest.Listed(next)), ""},
			"another amount":       {changed(0, func(t *stars.Transaction) { t.Stars++ }), "kept is recorded as 500 Stars"},
			"another payer":        {changed(0, func(t *stars.Transaction) { t.Payer++ }), "kept is recorded as 500 Stars"},
			"another order":        {changed(2, func(t *stars.Transaction) { t.Payload = "MC-AAAAAAAAAA" }), "back is recorded for"},
			"an unknown charge":    {changed(1, func(t *stars.Transaction) { t.Kind = stars.ChargeTransaction }), "withdrawn of 10 Stars is not recorded"},
			"a charge that is not": {changed(0, func(t *stars.Transaction) { t.Kind = stars.OtherTransaction }), "2 charges are recorded as listed, and Telegram lists 1"},
			"an unknown refund":    {append(changed(1, func(t *stars.Transaction) { *t = modelstest.ListedRefund(kept) }), whole[1]), "kept was refunded, which is not recorded"},
			"a shorter list":       {whole[:3], "4 transactions were read, and Telegram lists 3"},
		} {
			report, err := store.Audit.VerifyStars(t.Context(), telegramLists(c.list...))
			switch {
			case err != nil:
				t.Errorf("%s: %v", what, err)
			case c.want == "" && len(report.Found) > 0, !strings.Contains(strings.Join(report.Found, "; "), c.want):
				t.Errorf("%s: found %q, not %q", what, report.Found, c.want)
			}
		}
	})
}
