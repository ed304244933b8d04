package bot

import (
	"context"
	"errors"
	"fmt"
	"html"
	"strconv"
	"strings"
	"time"

	telegram "github.com/go-telegram/bot"
	tg "github.com/go-telegram/bot/models"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/orders"
	"mcbk/models/stars"
)

// InvoiceLink has Telegram make a link that takes Stars. It works for anybody and more than once: the payload says whose order it is.
func (b *Bot) InvoiceLink(ctx context.Context, r orders.InvoiceRequest) (link string, err error) {
	return b.sender.client.CreateInvoiceLink(ctx, &telegram.CreateInvoiceLinkParams{
		Title: r.Title, Description: r.Description, Payload: r.Payload, Currency: string(models.CurrencyStars),
		Prices: []tg.LabeledPrice{{Label: r.Title, Amount: int(r.Stars)}},
	})
}

// StarTransactions returns a page of Telegram's list of the bot's transactions in Stars, oldest first.
func (b *Bot) StarTransactions(ctx context.Context, offset int64, limit int) (page []stars.Transaction, err error) {
	type partner struct {
		Type            string   `json:"type"`
		TransactionType string   `json:"transaction_type"`
		User            user     `json:"user"`
		Payload         userText `json:"invoice_payload"`
	}
	var list struct {
		Transactions []struct {
			ID       string   `json:"id"`
			Amount   int64    `json:"amount"`
			Date     int64    `json:"date"`
			Source   *partner `json:"source"`
			Receiver *partner `json:"receiver"`
		} `json:"transactions"`
	}
	// The client library fails on a partner whose type is newer than it.
	fields := map[string]string{"offset": strconv.FormatInt(offset, 10), "limit": strconv.Itoa(limit)}
	if err := b.inbox.settings.call(ctx, b.stars, "getStarTransactions", fields, &list); err != nil {
		return nil, err
	}
	pays := func(p *partner) bool {
		return p != nil && p.Type == "user" && (p.TransactionType == "" || p.TransactionType == "invoice_payment")
	}
	for _, t := range list.Transactions {
		line := stars.Transaction{ChargeID: t.ID, Stars: game.Stars(t.Amount), At: time.Unix(t.Date, 0).UTC()}
		switch {
		case pays(t.Source):
			line.Kind, line.Payer, line.Payload = stars.ChargeTransaction, t.Source.User.ID, string(t.Source.Payload)
		case pays(t.Receiver):
			line.Kind, line.Payer, line.Payload = stars.RefundTransaction, t.Receiver.User.ID, string(t.Receiver.Payload)
		}
		page = append(page, line)
	}
	return page, nil
}

// receivePayment credits Stars that were paid, or books a refund, of which Telegram tells by a service message.
func (h *updateHandler) receivePayment(ctx context.Context, message *message) error {
	p, paid := message.RefundedPayment, message.SuccessfulPayment.inStars()
	if paid {
		p = message.SuccessfulPayment
	}
	charge := models.StarCharge{
		ChargeID: p.ChargeID, Payer: message.Chat.ID, Stars: game.Stars(p.Stars), Payload: string(p.Payload), PaidAt: time.Unix(message.Date, 0),
	}
	if paid {
		return h.store.Stars.Receive(ctx, charge, h.settings.Season, h.now())
	}
	return h.store.Stars.Refund(ctx, charge, h.settings.Season, charge.PaidAt, h.now())
}

// refundStars has Telegram give a charge back, and books it. Asked again, Telegram says that it has done so.
func (o *delivery) refundStars(ctx context.Context, m models.Message) error {
	charge, err := o.store.Stars.Charge(ctx, m.Params["charge"])
	if err != nil || charge.RefundedAt != nil {
		return err
	}
	_, err = o.client.RefundStarPayment(ctx, &telegram.RefundStarPaymentParams{UserID: m.ChatID, TelegramPaymentChargeID: charge.ChargeID})
	if err != nil && !strings.Contains(err.Error(), "CHARGE_ALREADY_REFUNDED") {
		return fmt.Errorf("refund charge %s: %w", charge.ChargeID, err)
	}
	now := o.now()
	return o.store.Stars.Refund(context.WithoutCancel(ctx), charge, o.settings.Season, now, now)
}

func (h *adminHandler) showStars(ctx context.Context, _ []string) (reply, error) {
	sum, err := h.store.Stars.Summary(ctx, h.now())
	if err != nil {
		return reply{}, err
	}
	balance := "Telegram does not tell the balance now."
	if held, err := h.client.GetMyStarBalance(ctx); err == nil {
		balance = fmt.Sprintf("The bot's balance: %s Stars.", formatInteger(int64(held.Amount), models.English))
	}
	lines := []string{
		"<b>Telegram Stars</b>", balance,
		fmt.Sprintf("Today, UTC: %s paid, %s refunded.", formatInteger(int64(sum.Today), models.English), formatInteger(int64(sum.TodayRefunded), models.English)),
		fmt.Sprintf("Payments that wait for an admin: %d (/match).", sum.Held),
		fmt.Sprintf("Refunds that Telegram has not made yet: %d.", sum.Requested),
	}
	if sum.Debt > 0 {
		lines = append(lines, fmt.Sprintf("Coins that refunds have still to take from later purchases: %s MCBK.", sum.Debt.Decimal()))
	}
	return reply{text: strings.Join(append(lines, "", "To give one back: <code>/stars refund CHARGE</code>. /player shows a player's charges."), "\n")}, nil
}

func (h *adminHandler) refundStars(ctx context.Context, values []string) (reply, error) {
	charge, err := h.store.Stars.Charge(ctx, values[0])
	if errors.Is(err, db.ErrNotFound) {
		return reply{text: "There is no charge " + html.EscapeString(truncateInput(values[0])) + "."}, nil
	}
	if err != nil {
		return reply{}, err
	}
	if charge.RefundedAt != nil {
		return reply{text: fmt.Sprintf("That charge was refunded on %s UTC.", formatSecond(*charge.RefundedAt))}, nil
	}
	payment, err := h.store.Stars.Payment(ctx, charge.ChargeID)
	if err != nil {
		return reply{}, err
	}
	if payment.State == models.PaymentHeld {
		return reply{text: fmt.Sprintf("That charge waits for an admin. To refund it: <code>/match %d refund</code>", payment.ID)}, nil
	}
	whom := fmt.Sprintf("Telegram's user %d", charge.Payer)
	p, err := h.store.Players.PlayerByTelegramID(ctx, charge.Payer)
	if err != nil && !errors.Is(err, db.ErrNotFound) {
		return reply{}, err
	}
	if err == nil {
		whom = describePlayer(p)
	}
	takes := "The mine stays open."
	if payment.Coins > 0 {
		takes = fmt.Sprintf("The %s MCBK that they bought are taken back, also the inviter's share.", payment.Coins.Decimal())
	}
	return reply{
		text:   fmt.Sprintf("Give %d Stars of %s UTC back to %s? %s", charge.Stars, formatSecond(charge.PaidAt), whom, takes),
		action: stars.ActionRefund, args: []string{charge.ChargeID},
	}, nil
}

// describeCharges lists a player's latest payments in Stars.
func describeCharges(all []models.StarCharge) (lines []string) {
	for _, c := range all {
		line := fmt.Sprintf("%s: %d Stars, order %s, charge <code>%s</code>", formatSecond(c.PaidAt), c.Stars, html.EscapeString(truncateInput(c.Payload)), html.EscapeString(c.ChargeID))
		if c.RefundedAt != nil {
			line += ", refunded"
		}
		lines = append(lines, line)
	}
	return lines
}
