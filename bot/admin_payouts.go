package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/treasury"
)

const payoutsShown = 12

func (h *adminHandler) listPayouts(ctx context.Context, _ []string) (reply, error) {
	due, all, err := h.store.Treasury.DueTON(ctx)
	if err != nil {
		return reply{}, err
	}
	if all == 0 {
		return reply{text: "Nothing is owed to anybody."}, nil
	}
	open, err := h.store.Treasury.Payouts(ctx, payoutsShown)
	if err != nil {
		return reply{}, err
	}
	lines := []string{fmt.Sprintf("<b>Payouts: %d, %s TON in all</b>", all, due.Decimal())}
	for _, p := range open {
		lines = append(lines, h.describePayout(p))
	}
	if int(all) > len(open) {
		lines = append(lines, fmt.Sprintf("and %d more", int(all)-len(open)))
	}
	lines = append(lines, "", "Approve each payout, then pay it once, from the treasury's wallet, by its link: exactly that amount, with that comment. The chain settles it within a minute. If you paid one without its comment: /payouts sent ID HASH.")
	return reply{text: strings.Join(lines, "\n")}, nil
}

// showPayout shows one payout in any state.
func (h *adminHandler) showPayout(ctx context.Context, values []string) (reply, error) {
	p, err := h.store.Treasury.Payout(ctx, values[0])
	if errors.Is(err, db.ErrNotFound) {
		return noPayout(values[0]), nil
	}
	return reply{text: h.describePayout(p)}, err
}

func noPayout(id string) reply {
	return reply{text: "There is no payout " + html.EscapeString(id) + "."}
}

// describePayout describes a payout in HTML, with the next step.
func (h *adminHandler) describePayout(p models.Payout) string {
	line := fmt.Sprintf("%d: %s TON, %s", p.ID, p.Amount.Decimal(), payoutPurpose(p))
	switch p.State {
	case models.PayoutDue:
		if p.ReturnedLT != nil {
			line += "; <b>it came back</b>"
		}
		if p.Target == nil {
			return line + "; due, but " + missingTarget(p) + unmatchedWarning(p)
		}
		return line + fmt.Sprintf("; due to <code>%s</code>", html.EscapeString(h.settings.shownAddress(*p.Target))) + unmatchedWarning(p)
	case models.PayoutSent:
		return line + fmt.Sprintf("; sent by <code>%s</code> to <code>%s</code>, waits for the chain", html.EscapeString(*p.ReportedHash), html.EscapeString(h.settings.shownAddress(*p.Address))) + unmatchedWarning(p)
	case models.PayoutSettled:
		return line + fmt.Sprintf("; settled on %s, to <code>%s</code>", p.SettledAt.UTC().Format(time.DateOnly), html.EscapeString(h.settings.shownAddress(*p.Address))) + unmatchedWarning(p)
	case models.PayoutCancelled:
		return line + "; cancelled: " + html.EscapeString(p.Reason) + unmatchedWarning(p)
	}
	address := html.EscapeString(h.settings.shownAddress(*p.Address))
	if h.settings.PaymentLink == nil {
		return line + fmt.Sprintf("; approved, to <code>%s</code> with the comment <code>%s</code>", address, p.Comment()) + unmatchedWarning(p)
	}
	link := html.EscapeString(h.settings.PaymentLink(*p.Address, p.Amount, p.Comment()))
	return line + fmt.Sprintf("; approved, to <code>%s</code> with the comment <code>%s</code>%s\n<a href=\"%s\">pay</a>: <code>%s</code>", address, p.Comment(), unmatchedWarning(p), link, link)
}

// payoutPurpose returns a payout's purpose in HTML, and for a prize whether its winner is banned.
func payoutPurpose(p models.Payout) string {
	if p.TournamentID == nil {
		return fmt.Sprintf("refund of payment %d", *p.PaymentID)
	}
	banned := ""
	if p.Banned && !p.Erased {
		banned = " <b>(banned)</b>"
	}
	return fmt.Sprintf("prize of player %d%s in tournament %d", *p.PlayerID, banned, *p.TournamentID)
}

// missingTarget returns why a payout has no target.
func missingTarget(p models.Payout) string {
	switch {
	case p.TournamentID == nil:
		return "the chain does not tell who sent it"
	case p.Erased:
		return fmt.Sprintf("the account was erased: <code>/payouts cancel %d REASON</code>", p.ID)
	case p.Banned:
		return "the player has proven no wallet, and cannot while banned"
	}
	return "the player has proven no wallet"
}

// unmatchedWarning warns of TON sent for a payout that did not settle it, so that it is not paid twice.
func unmatchedWarning(p models.Payout) string {
	switch {
	case p.Unmatched == 0:
		return ""
	case p.State == models.PayoutCancelled:
		return fmt.Sprintf("\n<b>It was paid though it is cancelled:</b> %s TON left with the comment <code>%s</code>.", p.Unmatched.Decimal(), p.Comment())
	case p.State == models.PayoutSettled:
		return fmt.Sprintf("\n<b>It may have been paid twice:</b> %s TON more left with the comment <code>%s</code>.", p.Unmatched.Decimal(), p.Comment())
	}
	warning := fmt.Sprintf("\n<b>Look before you pay:</b> %s TON already left with the comment <code>%s</code>, but before it was approved, in another amount or to another address.", p.Unmatched.Decimal(), p.Comment())
	if p.State != models.PayoutDue || p.Target != nil { // otherwise no address is shown
		next := "do not pay"
		if p.State == models.PayoutDue {
			next = "approve it, do not pay"
		}
		warning += fmt.Sprintf(" If exactly this amount went to this address: %s, and report the transaction: <code>/payouts sent %d HASH</code>.", next, p.ID)
	}
	if p.State != models.PayoutSent { // a sent payout can't be cancelled
		warning += fmt.Sprintf(" If it paid them in another way: <code>/payouts cancel %d REASON</code>.", p.ID)
	}
	return warning
}

// confirmPayout requests confirmation of an action on a payout in one of the given states.
func confirmPayout(action models.Action, states ...models.PayoutState) func(*adminHandler, context.Context, []string) (reply, error) {
	return func(h *adminHandler, ctx context.Context, values []string) (reply, error) {
		p, err := h.store.Treasury.Payout(ctx, values[0])
		if errors.Is(err, db.ErrNotFound) {
			return noPayout(values[0]), nil
		}
		if err != nil {
			return reply{}, err
		}
		if !slices.Contains(states, p.State) {
			return reply{text: fmt.Sprintf("Payout %d is %s.", p.ID, p.State) + unmatchedWarning(p)}, nil
		}
		what := fmt.Sprintf("payout %d of %s TON, %s", p.ID, p.Amount.Decimal(), payoutPurpose(p))
		var ask string
		switch action {
		case treasury.ActionApprove:
			if p.Target == nil {
				return reply{text: fmt.Sprintf("Payout %d cannot be approved: %s.", p.ID, missingTarget(p)) + unmatchedWarning(p)}, nil
			}
			values = append(values, *p.Target)
			ask = fmt.Sprintf("Approve %s, to <code>%s</code>? The address is then fixed.", what, html.EscapeString(h.settings.shownAddress(*p.Target))) + unmatchedWarning(p)
		case treasury.ActionSent:
			ask = fmt.Sprintf("Note that %s was sent by <code>%s</code>?", what, html.EscapeString(values[1]))
		default:
			ask = fmt.Sprintf("Cancel %s? %s\nNobody will get it.", what, html.EscapeString(values[1]))
			if p.State == models.PayoutApproved {
				ask += " If somebody is paying it right now, the money is gone: the alarm payout_stray will tell."
			}
			ask += unmatchedWarning(p)
			values = append(values, string(p.State))
		}
		return reply{text: ask, action: action, args: values}, nil
	}
}
