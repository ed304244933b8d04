package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strings"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/treasury"
)

const heldShown = 10

func (h *adminHandler) listHeld(ctx context.Context, _ []string) (reply, error) {
	held, all, err := h.store.Treasury.HeldPayments(ctx, heldShown)
	if err != nil {
		return reply{}, err
	}
	back, allBack, err := h.store.Treasury.RefundablePayments(ctx, heldShown)
	if err != nil {
		return reply{}, err
	}
	lines := []string{"No payment waits for an admin."}
	if all > 0 {
		lines = []string{fmt.Sprintf("<b>Payments that wait for an admin: %d</b>", all)}
		for _, p := range held {
			lines = append(lines, fmt.Sprintf("%d: %s", p.ID, h.describePayment(p)))
		}
		lines = append(lines, "", fmt.Sprintf("What to do with one, here %[1]d: <code>/match %[1]d MC-…</code> gives it to an order, <code>/match %[1]d @name</code> to a player as coins, <code>/match %[1]d refund</code> marks it for refund.", held[0].ID))
	}
	if allBack > 0 {
		lines = append(lines, "", fmt.Sprintf("<b>Marked for refund, newest first: %d</b>", allBack))
		for _, p := range back {
			lines = append(lines, fmt.Sprintf("Payment %d: %s%s", p.ID, h.describePayment(p), describeRefund(p)))
		}
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

func (h *adminHandler) describePayment(p treasury.HeldPayment) string {
	line := fmt.Sprintf("%s, %s UTC, %s\n%s", p.Sum(), formatSecond(p.At), p.Reason, h.describeSender(p))
	if p.Comment != "" {
		line += "\nsays <code>" + html.EscapeString(truncateInput(p.Comment)) + "</code>" // as code, so that Telegram makes no link of it
	}
	return line
}

// describeSender returns a payment's sender, formatted to be copied.
func (h *adminHandler) describeSender(p treasury.HeldPayment) string {
	if p.ChargeID != nil {
		line := "from Telegram's user <code>" + p.Source + "</code>"
		if p.ProvenBy != nil {
			line += fmt.Sprintf(", player %d", *p.ProvenBy)
		}
		return line
	}
	line := "from <code>" + html.EscapeString(h.settings.shownAddress(p.Source)) + "</code>"
	switch {
	case p.FromTreasury:
		line += ", the treasury itself"
	case p.ProvenBy != nil:
		line += fmt.Sprintf(", the wallet of player %d", *p.ProvenBy)
	}
	return line
}

// describeRefund describes a refund marked as due, so that nobody sends it twice.
func describeRefund(p treasury.HeldPayment) string {
	switch {
	case p.ChargeID != nil && p.Refunded:
		return "\nTelegram has refunded it"
	case p.ChargeID != nil:
		return "\nTelegram has not refunded it yet"
	case p.PayoutID == nil || p.PayoutState == nil:
		return ""
	}
	how := map[models.PayoutState]string{
		models.PayoutDue: "waits to be approved", models.PayoutApproved: "is approved and waits to be paid", models.PayoutSent: "waits for the chain",
		models.PayoutSettled: "is paid", models.PayoutCancelled: "is cancelled: nothing is refunded",
	}[*p.PayoutState]
	return fmt.Sprintf("\npayout %d %s", *p.PayoutID, how)
}

// maxShown is how many characters of user input an admin is shown.
const maxShown = 60

// truncateInput returns user input on one line, cut to maxShown.
func truncateInput(comment string) string {
	// A line break would imitate the game's text and could break the markup.
	return excerpt(strings.Join(strings.Fields(comment), " "), maxShown)
}

// matchPayment requests confirmation of a held payment's settlement. An impossible one is refused at once.
func (h *adminHandler) matchPayment(ctx context.Context, values []string) (reply, error) {
	held, err := h.store.Treasury.HeldPayment(ctx, values[0])
	if errors.Is(err, db.ErrNotFound) {
		return reply{text: "There is no payment " + html.EscapeString(values[0]) + "."}, nil
	}
	if refusal, ok := errors.AsType[*game.Refusal](err); ok && refusal.Code == game.AlreadyClaimed {
		return reply{text: fmt.Sprintf("Payment %s is no longer waiting: it was credited, or marked for refund. See /match and /audit.", html.EscapeString(values[0]))}, nil
	}
	if err != nil {
		return reply{}, err
	}
	target := normalizeTarget(values[1])
	ask := fmt.Sprintf("Give payment %d to the order %s?", held.ID, html.EscapeString(target))
	switch {
	case target == treasury.MatchRefund:
		ask = fmt.Sprintf("Mark payment %d for refund?", held.ID)
	case held.FromTreasury:
		return reply{text: sentence(explainRefusal(treasury.ActionMatch, models.OwnMoney))}, nil
	case comment.MatchString(target):
		order, err := h.store.Treasury.OrderNamed(ctx, target)
		if errors.Is(err, db.ErrNotFound) {
			return reply{text: "There is no order " + html.EscapeString(target) + "."}, nil
		}
		if err != nil {
			return reply{}, err
		}
		if order.Currency != held.Currency() {
			return reply{text: fmt.Sprintf("That order is in another currency. To give the payment to its player: <code>/match %d %d</code>", held.ID, order.PlayerID)}, nil
		}
		buyer, err := h.store.Players.FindPlayer(ctx, fmt.Sprint(order.PlayerID))
		if err != nil {
			return reply{}, err
		}
		if buyer.Erased() {
			return reply{text: sentence(explainRefusal(treasury.ActionMatch, models.AlreadyErased))}, nil
		}
		ask += fmt.Sprintf("\nIt belongs to %s: %s.", describePlayer(buyer), describeOrder(order))
	default:
		p, err := h.store.Players.FindPlayer(ctx, target)
		if err != nil {
			return reply{}, err
		}
		if p.Erased() {
			return reply{text: sentence(explainRefusal(treasury.ActionMatch, models.AlreadyErased))}, nil
		}
		target = fmt.Sprint(p.ID)
		ask = fmt.Sprintf("Give payment %d to %s?", held.ID, describePlayer(p))
	}
	text := fmt.Sprintf("%s\n%s, %s", ask, held.Sum(), h.describeSender(held))
	return reply{text: text, action: treasury.ActionMatch, args: []string{values[0], target}}, nil
}
