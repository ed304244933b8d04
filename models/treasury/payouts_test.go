package treasury_test

import (
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

func wantPayout(t *testing.T, store *store.Store, id int64, state models.PayoutState) models.Payout {
	t.Helper()
	p := modelstest.Must(store.Treasury.Payout(t.Context(), fmt.Sprint(id)))(t)
	modelstest.Equal(t, p.State, state, "payable", id, p)
	return p
}

// duePayouts are payouts of one TON each, of payments that are to be sent back.
func duePayouts(t *testing.T, store *store.Store, m *modelstest.Market, many int) {
	t.Helper()
	for range many {
		m.Pay(game.TON, "thanks", modelstest.Noon)
	}
	m.Record(t, modelstest.Noon)
	for id := range many {
		modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(id+1), treasury.MatchRefund)
	}
}

// wantUnmatched holds the comments of payouts for which TON left, as was seen after a moment, without settling them.
func wantUnmatched(t *testing.T, store *store.Store, after time.Time, want ...string) {
	t.Helper()
	strays, err := store.Treasury.UnmatchedPayouts(t.Context(), after)
	var got []string
	for _, stray := range strays {
		got = append(got, stray.Comment)
	}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("TON strayed after %s of payouts %q, want %q: %v", after, got, want, err)
	}
}

func TestPayoutIsApprovedSentAndSettledByChain(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		duePayouts(t, store, m, 6)
		at := modelstest.Noon.Add(time.Minute)
		to := func(comment string, amount game.Nanoton, address string) treasury.ChainTransfer {
			return treasury.ChainTransfer{To: address, Amount: amount, Comment: comment}
		}
		modelstest.Refused(t, store, models.NotEligible, treasury.ActionSent, "1", strings.Repeat("ab", 32))
		m.Send(at, to("MCBK-1", game.TON, "0:payer")) // nobody has approved it
		m.Record(t, at)
		modelstest.Equal(t, wantPayout(t, store, 1, models.PayoutDue).Unmatched, game.TON, "nanoton left before it was approved")
		for id := range 6 {
			modelstest.ApprovePayout(t, store, fmt.Sprint(id+1))
		}
		modelstest.Refused(t, store, models.NotEligible, treasury.ActionApprove, "1", "0:payer")
		m.Send(at, to("mcbk-1\n", game.TON-1, "0:payer"), to("MCBK-2", game.TON, "0:another"), to("\tmcbk-3 \n", game.TON, "0:payer"), to("MCBK-3", game.TON, "0:payer"),
			to("MCBK-+4", game.TON, "0:payer")) // the last names nothing
		noticed := at.Add(time.Minute)
		m.Record(t, noticed)
		for id, stray := range map[int64]game.Nanoton{1: 2*game.TON - 1, 2: game.TON, 4: 0} {
			modelstest.Equal(t, wantPayout(t, store, id, models.PayoutApproved).Unmatched, stray, "nanoton strayed of payable", id)
		}
		if p := wantPayout(t, store, 3, models.PayoutSettled); *p.SettledLine != 2 || p.Unmatched != game.TON { // it was paid twice
			t.Errorf("settled by line %d, %d nanoton strayed", *p.SettledLine, p.Unmatched)
		}

		wantUnmatched(t, store, noticed)
		wantUnmatched(t, store, at, "MCBK-1", "MCBK-2", "MCBK-3")
		wantUnmatched(t, store, at.Add(-time.Minute), "MCBK-1", "MCBK-2", "MCBK-3")
		if strays, err := store.Treasury.UnmatchedPayouts(t.Context(), at.Add(-time.Minute)); err != nil || !strays[0].SeenAt.Equal(noticed) { // not when the older was
			t.Errorf("strayed: %+v, %v", strays, err)
		}

		// What was paid otherwise would be waited for for ever, and only a second payment would settle it.
		gift := m.Send(at, to("a gift", 5*game.TON, "0:payer"))
		m.Record(t, at)
		modelstest.Refused(t, store, "pays_something_else", treasury.ActionSent, "1", gift.Hash)
		wantPayout(t, store, 1, models.PayoutApproved)

		// Without a comment the hash that is reported tells which it was, whether it is seen before or after.
		seen := m.Send(at, to("", game.TON, "0:payer"))
		m.Record(t, at)
		wantPayout(t, store, 4, models.PayoutApproved)
		raw := modelstest.Must(hex.DecodeString(seen.Hash))(t)
		modelstest.Refused(t, store, "validation_failed", treasury.ActionSent, "4", strings.Repeat("z", len(seen.Hash)))
		modelstest.Done(t, store, treasury.ActionSent, "4", base64.StdEncoding.EncodeToString(raw))
		wantPayout(t, store, 4, models.PayoutSettled)
		modelstest.Refused(t, store, game.AlreadyClaimed, treasury.ActionSent, "5", strings.ToUpper(seen.Hash))
		later := m.Send(at, to("", game.TON, "0:payer"))
		modelstest.Done(t, store, treasury.ActionSent, "5", later.Hash)
		wantPayout(t, store, 5, models.PayoutSent)
		modelstest.Refused(t, store, models.NotEligible, treasury.ActionCancelPayout, "5", "too late", "sent")
		m.Record(t, at)
		wantPayout(t, store, 5, models.PayoutSettled)
		for _, shown := range [][]string{{"due"}, {"settled"}, {}} { // an older version kept none
			modelstest.Refused(t, store, models.NotEligible, treasury.ActionCancelPayout, append([]string{"6", "paid by hand"}, shown...)...)
		}
		wantPayout(t, store, 6, models.PayoutApproved)
		modelstest.Done(t, store, treasury.ActionCancelPayout, "6", "paid by hand", "approved")
		m.Send(at, to("MCBK-6", game.TON, "0:payer"))
		m.Record(t, at.Add(time.Hour))
		wantUnmatched(t, store, noticed, "MCBK-6") // somebody was paying it already
		if p := wantPayout(t, store, 6, models.PayoutCancelled); p.Reason != "paid by hand" || p.Unmatched != game.TON {
			t.Errorf("cancelled because %q, %d nanoton strayed", p.Reason, p.Unmatched)
		}
		if n := modelstest.CountMessages(t, store, "prize"); n != 0 { // they were no prizes
			t.Errorf("%d winners are told", n)
		}
		if amount, open, err := store.Treasury.DueTON(t.Context()); err != nil || amount != 2*game.TON || open != 2 {
			t.Errorf("%d nanoton are owed in %d, %v", amount, open, err)
		}
		if returned, newest, err := store.Treasury.ReturnedPayouts(t.Context()); err != nil || returned != 0 || !newest.IsZero() {
			t.Errorf("%d came back, the last at %s, %v", returned, newest, err)
		}
	})
}

func TestBouncedPayoutIsDueAgain(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		duePayouts(t, store, m, 2)
		modelstest.ApprovePayout(t, store, "1")
		m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: game.TON, Comment: "MCBK-1"})
		m.Record(t, modelstest.Noon)
		wantPayout(t, store, 1, models.PayoutSettled)
		m.Bounce("0:payer", game.TON-1000, modelstest.Noon)
		m.Record(t, modelstest.Noon)
		if p := wantPayout(t, store, 1, models.PayoutDue); p.ReturnedLT == nil || *p.ReturnedLT != m.Head.LT || p.Address != nil || p.Unmatched != 0 {
			t.Errorf("it came back as %+v", p)
		}
		wantUnmatched(t, store, modelstest.Noon.Add(-time.Hour))
		wantPayout(t, store, 2, models.PayoutDue)
		if returned, newest, err := store.Treasury.ReturnedPayouts(t.Context()); err != nil || returned != 1 || !newest.Equal(modelstest.Noon) {
			t.Errorf("%d came back, the last at %s, %v", returned, newest, err)
		}
		modelstest.ApprovePayout(t, store, "1")
		m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: game.TON, Comment: "MCBK-1"})
		m.Record(t, modelstest.Noon)
		wantPayout(t, store, 1, models.PayoutSettled)
	})
}

// A smaller refund comes back, and a transfer that was no payout, from where a larger payout had gone later.
func TestOnlyBouncedPayoutIsDueAgain(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		for _, amount := range []game.Nanoton{game.TON, 30 * game.TON, 2 * game.TON, game.TON} {
			m.Pay(amount, "thanks", modelstest.Noon)
		}
		m.Record(t, modelstest.Noon)
		for id := range 4 {
			modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(id+1), treasury.MatchRefund)
			modelstest.ApprovePayout(t, store, fmt.Sprint(id+1))
		}
		to := func(comment string, amount game.Nanoton) treasury.ChainTransfer {
			return treasury.ChainTransfer{To: "0:payer", Amount: amount, Comment: comment}
		}
		comesBack := func(amount game.Nanoton) {
			m.Bounce("0:payer", amount, modelstest.Noon)
			m.Record(t, modelstest.Noon)
		}
		first := m.Send(modelstest.Noon, to("MCBK-1", game.TON))
		m.Send(modelstest.Noon, to("MCBK-2", 30*game.TON))
		m.Send(modelstest.Noon, to("a gift", 5*game.TON))
		m.Record(t, modelstest.Noon)
		modelstest.Done(t, store, treasury.ActionSent, "3", strings.Repeat("ab", 32)) // no transaction that the chain has
		comesBack(game.TON - 1000)
		comesBack(5*game.TON - 1000)
		wantPayout(t, store, 1, models.PayoutDue)
		wantPayout(t, store, 2, models.PayoutSettled)
		wantPayout(t, store, 3, models.PayoutSent)
		comesBack(30*game.TON - 1000)
		wantPayout(t, store, 2, models.PayoutDue)

		// What came back pays nothing, whoever says so.
		modelstest.ApprovePayout(t, store, "1")
		modelstest.Refused(t, store, game.AlreadyClaimed, treasury.ActionSent, "1", first.Hash)
		wantPayout(t, store, 1, models.PayoutApproved)
		// Two of one amount come back both.
		m.Send(modelstest.Noon, to("MCBK-1", game.TON), to("MCBK-4", game.TON))
		m.Record(t, modelstest.Noon)
		wantPayout(t, store, 4, models.PayoutSettled)
		comesBack(game.TON - 1000)
		comesBack(game.TON - 1000)
		wantPayout(t, store, 1, models.PayoutDue)
		wantPayout(t, store, 4, models.PayoutDue)
	})
}

// One refund came back and was cancelled; then one of a little more comes back, less gas, with less than the first had been.
func TestBouncedTransferIsMatchedOnce(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		amounts := []game.Nanoton{game.TON - 5_000_000, game.TON, game.TON}
		for i, amount := range amounts {
			m.Pay(amount, "thanks", modelstest.Noon)
			m.Record(t, modelstest.Noon)
			modelstest.Done(t, store, treasury.ActionMatch, fmt.Sprint(i+1), treasury.MatchRefund)
		}
		paid := func(id int64) treasury.ChainTransaction {
			modelstest.ApprovePayout(t, store, fmt.Sprint(id))
			tx := m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: amounts[id-1], Comment: fmt.Sprint("MCBK-", id)})
			m.Record(t, modelstest.Noon)
			wantPayout(t, store, id, models.PayoutSettled)
			return tx
		}
		comesBack := func(amount game.Nanoton) {
			m.Bounce("0:payer", amount, modelstest.Noon)
			m.Record(t, modelstest.Noon)
		}
		paid(1)
		comesBack(amounts[0] - 1000)
		modelstest.Done(t, store, treasury.ActionCancelPayout, "1", "a contract that keeps nothing", "due")
		second := paid(2)
		comesBack(game.TON - 6_000_000)
		wantPayout(t, store, 2, models.PayoutDue)
		wantUnmatched(t, store, modelstest.Noon.Add(-time.Hour))

		modelstest.ApprovePayout(t, store, "3")
		modelstest.Refused(t, store, game.AlreadyClaimed, treasury.ActionSent, "3", second.Hash)
		wantPayout(t, store, 3, models.PayoutApproved)
	})
}

func TestPayoutReportIsCorrectableUntilSettled(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		m := modelstest.NewMarket(t, store)
		duePayouts(t, store, m, 2)
		for _, id := range []string{"1", "2"} {
			modelstest.ApprovePayout(t, store, id)
		}
		wrong := strings.Repeat("ab", 32)
		modelstest.Done(t, store, treasury.ActionSent, "1", wrong)
		modelstest.Refused(t, store, game.AlreadyClaimed, treasury.ActionSent, "2", wrong)
		right := m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: game.TON})
		m.Record(t, modelstest.Noon)
		wantPayout(t, store, 1, models.PayoutSent)
		modelstest.Done(t, store, treasury.ActionSent, "1", right.Hash)
		wantPayout(t, store, 1, models.PayoutSettled)
		modelstest.Refused(t, store, models.NotEligible, treasury.ActionSent, "1", wrong)
	})
}

// SQLite has one writer.
func TestPayoutReportedDuringRecordingIsSettled(t *testing.T) {
	t.Parallel()
	address := modelstest.Address(t, "postgres")
	store, raw := modelstest.OpenStore(t, address), modelstest.Raw(t, address)
	m := modelstest.NewMarket(t, store)
	duePayouts(t, store, m, 1)
	modelstest.ApprovePayout(t, store, "1")
	paid := m.Send(modelstest.Noon, treasury.ChainTransfer{To: "0:payer", Amount: game.TON})
	m.Pay(game.TON, "thanks", modelstest.Noon)
	nonce := modelstest.Must(store.Admin.RequestConfirmation(t.Context(), models.PendingAction{Admin: modelstest.Admin, Action: treasury.ActionSent, Args: []string{"1", paid.Hash}}, modelstest.Noon))(t)
	release := modelstest.Hold(t, address, "LOCK TABLE payments IN SHARE MODE") // what is written after the transfers
	recorded, reported := make(chan error, 1), make(chan error, 1)
	go func() {
		history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: modelstest.Noon, Agreed: 2}
		_, err := store.Treasury.Record(t.Context(), history, modelstest.Season, modelstest.At(modelstest.Noon))
		recorded <- err
	}()
	modelstest.AwaitLock(t, raw, recorded)
	go func() {
		press := admin.Confirmation{Admin: modelstest.Admin, ChatID: modelstest.Admin, Nonce: nonce, Admins: []int64{modelstest.Admin}}
		decision, err := store.Admin.ConfirmAction(t.Context(), press, modelstest.Noon)
		if err == nil && decision.Action.State != models.ActionExecuted {
			err = fmt.Errorf("the payout is not reported: %+v", decision)
		}
		reported <- err
	}()
	modelstest.AwaitLocks(t, raw, 2, reported)
	release()
	modelstest.NoError(t, errors.Join(<-recorded, <-reported))
	wantPayout(t, store, 1, models.PayoutSettled)
	modelstest.Sound(t, store)
}

func TestPayoutsWithoutWalletAreListedLast(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 3, func(i int) (int, []int) { return 450 - i, []int{0, 1, 2, 3, 4} })
		r.Finish(t)
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.ProveWallet(t, store, r.Players[2], *r.Players[2].Wallet, modelstest.Noon)
		var listed []int64
		payables, err := store.Treasury.Payouts(t.Context(), 2)
		for _, p := range payables {
			listed = append(listed, p.ID)
		}
		if err != nil || !slices.Equal(listed, []int64{3, 1}) {
			t.Errorf("listed are %v, %v", listed, err)
		}
	})
}

func TestPrizeIsPaidOnlyToProvenWallet(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 1, func(int) (int, []int) { return 450, []int{0, 1, 2, 3, 4} })
		r.Finish(t)
		if mines := modelstest.Mines(t, store, r.Players[0], r.End); mines.Payout != "" || mines.Miner.Prize.TON != 30*game.TON {
			t.Errorf("before the award the winner is told %+v", mines)
		}
		modelstest.Done(t, store, mines.ActionAward, "1")
		winner := r.Players[0]
		payoutIs := func(want models.PayoutState) {
			t.Helper()
			modelstest.Equal(t, modelstest.Mines(t, store, winner, r.End).Payout, want, "the winner is told of a payout that is")
		}
		payoutIs(models.PayoutDue)
		wallet := *winner.Wallet
		modelstest.Refused(t, store, models.WalletNotConnected, treasury.ActionApprove, "1", wallet)
		shown := "0:" + strings.Repeat("d", 64)
		for _, proven := range []string{shown, wallet} { // between the question and the press it is the winner who chooses
			modelstest.ProveWallet(t, store, winner, proven, modelstest.Noon)
		}
		modelstest.Refused(t, store, "other_address", treasury.ActionApprove, "1", shown)
		wantPayout(t, store, 1, models.PayoutDue)
		modelstest.ApprovePayout(t, store, "1")
		if p := wantPayout(t, store, 1, models.PayoutApproved); *p.Address != wallet || p.Amount != 30*game.TON {
			t.Errorf("approved %+v", p)
		}
		another := "0:" + strings.Repeat("e", 64)
		modelstest.Must(store.Wallet.SetWallet(t.Context(), winner.ID, &another))(t)
		if p := wantPayout(t, store, 1, models.PayoutApproved); *p.Address != wallet || *p.Target != wallet {
			t.Errorf("the address became %+v", p)
		}
		payoutIs(models.PayoutApproved)
		r.Send(r.End.Add(time.Minute), treasury.ChainTransfer{To: wallet, Amount: 30 * game.TON, Comment: "MCBK-1"})
		r.Record(t, r.End.Add(time.Minute))
		payoutIs(models.PayoutSettled)
	})
}

// The chain or an admin's report may settle it. What came back had not arrived, and is told again once it has.
func TestWinnerIsNotifiedOnceOfPayout(t *testing.T) {
	modelstest.EachSound(t, func(t *testing.T, store *store.Store) {
		r := modelstest.NewRush(t, store, 1, func(int) (int, []int) { return 450, []int{0, 1, 2, 3, 4} })
		winner, end := r.Players[0], r.End.Add(time.Second)
		told := func(when string, prizes, payments int) {
			t.Helper()
			if a, b := modelstest.CountMessages(t, store, "prize:"), modelstest.CountMessages(t, store, "prize_paid:"); a != prizes || b != payments {
				t.Errorf("%s the winner is told of coins %d times, of TON %d times; want %d and %d", when, a, b, prizes, payments)
			}
		}
		pays := func(comment string) treasury.ChainTransaction {
			t.Helper()
			modelstest.ApprovePayout(t, store, "1")
			sent := r.Send(end, treasury.ChainTransfer{To: *winner.Wallet, Amount: 30 * game.TON, Comment: comment})
			r.Record(t, end)
			return sent
		}
		modelstest.ProveWallet(t, store, winner, *winner.Wallet, modelstest.Noon)
		modelstest.AdvanceTournaments(t, store, r.End)
		r.Record(t, end)
		modelstest.AdvanceTournaments(t, store, end)
		told("before the award", 0, 0)
		modelstest.Done(t, store, mines.ActionAward, "1")
		modelstest.AdvanceTournaments(t, store, end)
		told("after the award", 1, 0)
		pays("MCBK-1")
		r.Send(end, treasury.ChainTransfer{To: *winner.Wallet, Amount: 30 * game.TON, Comment: "MCBK-1"}) // paid twice
		r.Record(t, end)
		told("once the chain shows it", 1, 1)
		for range 2 {
			r.Bounce(*winner.Wallet, 30*game.TON-1000, end)
			r.Record(t, end)
		}
		wantPayout(t, store, 1, models.PayoutDue)
		told("when it came back", 1, 1)
		sent := pays("no comment")
		told("before it is reported", 1, 1)
		modelstest.Done(t, store, treasury.ActionSent, "1", sent.Hash)
		wantPayout(t, store, 1, models.PayoutSettled)
		told("once it is reported", 1, 2)
		for key, want := range map[string]models.Message{
			fmt.Sprintf("prize:1:%d", winner.ID):      {Kind: mines.PrizeGiven, Params: map[string]string{"amount": "100000000000"}},
			fmt.Sprintf("prize_paid:1:%d", r.Head.LT): {Kind: treasury.PrizePaid, Params: map[string]string{"amount": "30000000000"}},
		} {
			m, err := store.Outbox.Message(t.Context(), key)
			if err != nil || m.ChatID != winner.TelegramID || m.Kind != want.Kind || m.Params["amount"] != want.Params["amount"] {
				t.Errorf("%s is %+v, %v", key, m, err)
			}
		}
	})
}
