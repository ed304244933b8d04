package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/models"
)

// heldShown is how many held payments one message lists.
const heldShown = 10

// adminMatch lists the payments that wait for an admin, or asks what to do with one.
func (b *Bot) adminMatch() func(context.Context, *tg.Message, string) (reply, error) {
	return b.written("match",
		form{"", b.listHeld},
		form{"PAYMENT ORDER|PLAYER|refund", b.matchPayment},
	)
}

func (b *Bot) listHeld(ctx context.Context, _ *tg.Message, _ []string) (reply, error) {
	held, all, err := b.store.HeldPayments(ctx, heldShown)
	if err != nil {
		return reply{}, err
	}
	back, allBack, err := b.store.RefundablePayments(ctx, heldShown)
	if err != nil {
		return reply{}, err
	}
	lines := []string{"No payment waits for you."}
	if all > 0 {
		lines = []string{fmt.Sprintf("<b>Payments that wait: %d</b>", all)}
		for _, p := range held {
			lines = append(lines, fmt.Sprintf("%d: %s", p.ID, describedPayment(p)))
		}
		lines = append(lines, "", "/match PAYMENT and an order's comment, a player, or refund")
	}
	if allBack > 0 {
		lines = append(lines, "", fmt.Sprintf("<b>Marked to be sent back, the last first: %d</b>", allBack))
		for _, p := range back {
			lines = append(lines, fmt.Sprintf("Payment %d: %s", p.ID, describedPayment(p)))
		}
	}
	return reply{text: strings.Join(lines, "\n")}, nil
}

func describedPayment(p models.HeldPayment) string {
	line := fmt.Sprintf("%s TON, %s, %s\n%s", p.Amount.Decimal(), stamp(p.At), p.Reason, sentBy(p))
	if p.Comment != "" {
		line += "\nsays " + html.EscapeString(shortened(p.Comment))
	}
	return line
}

// sentBy names who a payment came from, to be copied.
func sentBy(p models.HeldPayment) string {
	return "from <code>" + html.EscapeString(p.Source) + "</code>"
}

// longestShown is how many characters of a stranger's comment an admin reads.
const longestShown = 60

func shortened(comment string) string {
	if runes := []rune(comment); len(runes) > longestShown {
		return string(runes[:longestShown]) + "…"
	}
	return comment
}

// matchPayment asks whether to settle a held payment so. What cannot be is told at once.
func (b *Bot) matchPayment(ctx context.Context, _ *tg.Message, values []string) (reply, error) {
	held, err := b.store.HeldPayment(ctx, values[0])
	if errors.Is(err, models.ErrNotFound) {
		return reply{text: "There is no payment " + html.EscapeString(values[0]) + "."}, nil
	}
	if err != nil {
		return reply{}, err
	}
	target := values[1]
	if isComment(target) {
		target = strings.ToUpper(target)
	}
	ask := fmt.Sprintf("Give payment %d to the order %s?", held.ID, html.EscapeString(target))
	switch {
	case target == models.MatchRefund:
		ask = fmt.Sprintf("Mark payment %d to be sent back?", held.ID)
	case isComment(target):
		_, err := b.store.OrderNamed(ctx, target)
		if errors.Is(err, models.ErrNotFound) {
			return reply{text: "There is no order " + html.EscapeString(target) + "."}, nil
		}
		if err != nil {
			return reply{}, err
		}
	default:
		p, err := b.store.FindPlayer(ctx, target)
		if err != nil {
			return reply{}, err
		}
		target = fmt.Sprint(p.ID)
		ask = fmt.Sprintf("Give payment %d to %s?", held.ID, described(p))
	}
	text := fmt.Sprintf("%s\n%s TON, %s", ask, held.Amount.Decimal(), sentBy(held))
	return reply{text: text, action: models.ActionMatch, args: []string{values[0], target}}, nil
}
