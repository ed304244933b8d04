package bot

import (
	"context"
	"fmt"
	"html"
	"strings"

	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
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
	if all == 0 {
		return reply{text: "No payment waits for you."}, nil
	}
	lines := []string{fmt.Sprintf("<b>Payments that wait: %d</b>", all)}
	for _, p := range held {
		lines = append(lines, describedPayment(p))
	}
	return reply{text: strings.Join(append(lines, "", "/match PAYMENT and an order's comment, a player, or refund"), "\n")}, nil
}

func describedPayment(p models.HeldPayment) string {
	line := fmt.Sprintf("%d: %s TON, %s, %s\nfrom <code>%s</code>", p.ID, tons(p.Amount), stamp(p.At), p.Reason, html.EscapeString(p.Source))
	if p.Comment != "" {
		line += "\nsays " + html.EscapeString(shortened(p.Comment))
	}
	return line
}

// longestShown is how many characters of a stranger's comment an admin reads.
const longestShown = 60

func shortened(comment string) string {
	if runes := []rune(comment); len(runes) > longestShown {
		return string(runes[:longestShown]) + "…"
	}
	return comment
}

// matchPayment asks whether to settle a held payment so.
func (b *Bot) matchPayment(ctx context.Context, _ *tg.Message, values []string) (reply, error) {
	payment, target := values[0], values[1]
	ask := "Give payment %s to the order " + html.EscapeString(target) + "?"
	switch {
	case target == models.MatchRefund:
		ask = "Mark payment %s to be sent back?"
	case !comment.MatchString(target):
		p, err := b.store.FindPlayer(ctx, target)
		if err != nil {
			return reply{}, err
		}
		target = fmt.Sprint(p.ID)
		ask = "Give payment %s to " + described(p) + "?"
	}
	return reply{text: fmt.Sprintf(ask, payment), action: models.ActionMatch, args: []string{payment, target}}, nil
}

// tons writes an amount as people read it.
func tons(amount game.Nanoton) string {
	text := fmt.Sprintf("%d.%09d", amount/game.TON, amount%game.TON)
	return strings.TrimSuffix(strings.TrimRight(text, "0"), ".")
}
