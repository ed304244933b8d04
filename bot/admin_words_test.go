package bot

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/mines"
	"mcbk/models/modelstest"
	"mcbk/models/players"
	"mcbk/models/privacy"
	"mcbk/models/treasury"
)

func TestAddressesAreUserFriendly(t *testing.T) {
	raw := "0:" + strings.Repeat("9f", 32)
	h := &adminHandler{sender: &sender{settings: Settings{ShownAddress: func(address string) string { return "UQ<" + address[2:4] + ">" }}}}
	done := models.AdminAction{Action: treasury.ActionApprove, State: models.ActionExecuted, Outcome: "payout 1 of 1 TON to " + raw + " is approved"}
	for said, want := range map[string]string{
		h.describeOutcome(done):                                                             "<b>Done:</b> payout 1 of 1 TON to UQ&lt;9f&gt; is approved.",
		h.settings.displayText("not an address: 0:payer, 12:30"):                            "not an address: 0:payer, 12:30",
		h.describeSender(treasury.HeldPayment{Source: raw, FromTreasury: true}):             "from <code>UQ&lt;9f&gt;</code>, the treasury itself",
		h.describeSender(treasury.HeldPayment{Source: raw, ProvenBy: new(models.PlayerID)}): "from <code>UQ&lt;9f&gt;</code>, the wallet of player 0",
		Settings{}.displayText(raw):                                                         raw, // without a way to write it
	} {
		if said != want {
			t.Errorf("said %q, not %q", said, want)
		}
	}
}

func TestPayoutWarnsOfUnmatchedTransfer(t *testing.T) {
	address, target := "0:payer", "0:payer"
	p := models.Payout{ID: 7, PaymentID: new(int64), Amount: 2_000_000_000, Address: &address, Target: &target, ReportedHash: &address}
	h := &adminHandler{sender: &sender{}}
	for state, can := range map[models.PayoutState]struct{ approve, cancel bool }{
		models.PayoutDue: {true, true}, models.PayoutApproved: {false, true}, models.PayoutSent: {false, false},
	} {
		p.State, p.Unmatched = state, 0
		if said := h.describePayout(p); strings.Contains(said, "Look before") {
			t.Errorf("%s: %q", state, said)
		}
		p.Unmatched = 1_500_000_000
		if said := h.describePayout(p); !strings.Contains(said, "<b>Look before you pay:</b> 1.5 TON already left with the comment <code>MCBK-7</code>") ||
			strings.Contains(said, "approve it") != can.approve || strings.Contains(said, "/payouts cancel 7 REASON") != can.cancel {
			t.Errorf("%s: %q", state, said)
		}
	}
	nowhere := p
	nowhere.State, nowhere.Target = models.PayoutDue, nil
	if said := h.describePayout(nowhere); !strings.Contains(said, "Look before") || strings.Contains(said, "this address") || !strings.Contains(said, "/payouts cancel 7 REASON") {
		t.Errorf("without a wallet: %q", said)
	}
	h.settings.PaymentLink = func(string, game.Nanoton, string) string { return "https://pay.example/" }
	p.State = models.PayoutApproved
	if said, link, _ := strings.Cut(h.describePayout(p), "https://pay.example/"); !strings.Contains(said, "Look before") || link == "" {
		t.Errorf("before the link: %q", said)
	}
}

func TestLongReplyIsSplitByLines(t *testing.T) {
	line := strings.Repeat("€", 1000)
	for lines, want := range map[int]int{1: 1, 4: 1, 5: 2, 8: 2, 9: 3, 32: 8} {
		all := splitMessage(strings.TrimSuffix(strings.Repeat(line+"\n", lines), "\n"))
		if len(all) != want || strings.Count(strings.Join(all, "\n"), line) != lines {
			t.Errorf("%d lines became %d messages, want %d", lines, len(all), want)
		}
	}
	all := splitMessage(strings.TrimSuffix(strings.Repeat(line+"\n", 40), "\n"))
	if len(all) != maxParts || !strings.HasSuffix(all[maxParts-1], "\n…") {
		t.Errorf("40 lines became %d messages, the last %q", len(all), all[len(all)-1])
	}
	if all := splitMessage(strings.Repeat("€", 5000)); len(all) != 1 || all[0] != "The answer is longer than a message can be." {
		t.Errorf("one line became %q", all)
	}
}

func TestSettledPayoutIsShown(t *testing.T) {
	address, settled := "0:payer", modelstest.Noon
	paid := models.Payout{ID: 7, PaymentID: new(int64), Amount: 2_000_000_000, State: models.PayoutSettled, Address: &address, SettledAt: &settled}
	cancelled := models.Payout{ID: 8, PaymentID: new(int64), Amount: 2_000_000_000, State: models.PayoutCancelled, Reason: "<paid> by hand"}
	for _, c := range []struct {
		payout    models.Payout
		unmatched game.Nanoton
		says      string
	}{
		{paid, 0, "7: 2 TON, refund of payment 0; settled on 2026-03-04, to <code>0:payer</code>"},
		{paid, 1_500_000_000, "<b>It may have been paid twice:</b> 1.5 TON more left with the comment <code>MCBK-7</code>."},
		{cancelled, 0, "8: 2 TON, refund of payment 0; cancelled: &lt;paid&gt; by hand"},
		{cancelled, 1_500_000_000, "<b>It was paid though it is cancelled:</b> 1.5 TON left with the comment <code>MCBK-8</code>."},
	} {
		c.payout.Unmatched = c.unmatched
		if said := (&adminHandler{sender: &sender{}}).describePayout(c.payout); !strings.Contains(said, c.says) || c.unmatched == 0 && said != c.says {
			t.Errorf("said %q, not %q", said, c.says)
		}
	}
}

func TestRefusalExplainsTheRemedy(t *testing.T) {
	for _, c := range []struct {
		action     models.Action
		code, want string
	}{
		{mines.ActionAward, "already_claimed", "it is already awarded"},
		{treasury.ActionMatch, "already_claimed", "it is already settled"},
		{privacy.ActionErase, "money_waits", "some of their money still waits; settle it first, see /match, /payouts and /tournament"},
		{"press", "nonce_used", "it was already decided"},
		{players.ActionBan, "something_newer", "something newer"},
	} {
		if said := explainRefusal(c.action, c.code); said != c.want {
			t.Errorf("%s of %s: %q", c.code, c.action, said)
		}
	}
}

func TestMistypedCommandGetsSuggestion(t *testing.T) {
	for typed, want := range map[string]string{
		"satts": "/stats?", "payout": "/payouts?", "bann": "/ban?", "brodcast": "/broadcast?", "turnament": "/tournament?", "hlep": "/help?",
	} {
		if said := mistyped(typed); !strings.Contains(said, "Did you mean "+want) {
			t.Errorf("%s: %q", typed, said)
		}
	}
	for _, far := range []string{"xyz", "q", strings.Repeat("я", 4000)} {
		if said := mistyped(far); strings.Contains(said, "Did you mean") || len(said) > 400 {
			t.Errorf("%.20s: %q", far, said)
		}
	}
}

func TestLongErrorIsCutBetweenCharacters(t *testing.T) {
	for _, text := range []string{strings.Repeat("п", 200), "x" + strings.Repeat("п", 200)} {
		if said := truncateError(errors.New(text)); !utf8.ValidString(said) || len(said) > 305 || !strings.HasSuffix(said, "п…") {
			t.Errorf("said %q", said)
		}
	}
	if said := truncateError(errors.New("brief")); said != "brief" {
		t.Errorf("said %q", said)
	}
}
