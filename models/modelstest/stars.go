package modelstest

import (
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/orders"
	"mcbk/models/stars"
	"mcbk/models/store"
)

// StarUSD is what a Star is worth in tests.
const StarUSD game.MicroUSD = 13_000

// OrderStars orders coins for Stars.
func OrderStars(t testing.TB, store *store.Store, player models.Player, amount game.Stars, at time.Time) models.Order {
	t.Helper()
	comment := Must(store.Orders.NewComment(orders.InvoicePrefix))(t)
	price := game.Price(Season.Day(at))
	coins, _ := amount.Coins(StarUSD, price)
	invoice := orders.Invoice{Comment: comment, Stars: amount, StarPrice: StarUSD, Coins: coins, MCBKPrice: price, Link: "https://t.me/$" + comment}
	return Must(store.Orders.OrderStars(t.Context(), player.ID, invoice, Season, at))(t)
}

// OrderMineForStars orders a player's next mine for Stars, at the price of TON that is stored.
func OrderMineForStars(t testing.TB, store *store.Store, player models.Player, level int, at time.Time) models.Order {
	t.Helper()
	invoice := Must(store.Mines.Invoice(t.Context(), player.ID, level, at))(t)
	if invoice.Link == "" {
		invoice.Comment = Must(store.Orders.NewComment(orders.InvoicePrefix))(t)
		invoice.Link = "https://t.me/$" + invoice.Comment
	}
	return Must(store.Mines.OrderMine(t.Context(), player.ID, level, &invoice, Season, at))(t)
}

// Charge is what Telegram tells of a payment for an order by its player, a minute later.
func Charge(player models.Player, o models.Order, id string) models.StarCharge {
	return models.StarCharge{ChargeID: id, Payer: player.TelegramID, Stars: o.Stars(), Payload: o.Comment, PaidAt: o.CreatedAt.Add(time.Minute)}
}

// ReceiveCharge has a charge recorded, a second after it was paid.
func ReceiveCharge(t testing.TB, store *store.Store, c models.StarCharge) {
	t.Helper()
	NoError(t, store.Stars.Receive(t.Context(), c, Season, c.PaidAt.Add(time.Second)))
}

// RefundCharge has a refund booked, an hour after the charge was paid.
func RefundCharge(t testing.TB, store *store.Store, c models.StarCharge) {
	t.Helper()
	at := c.PaidAt.Add(time.Hour)
	NoError(t, store.Stars.Refund(t.Context(), c, Season, at, at))
}

// Listed is a charge in Telegram's list of transactions.
func Listed(c models.StarCharge) stars.Transaction {
	return stars.Transaction{ChargeID: c.ChargeID, Kind: stars.ChargeTransaction, Payer: c.Payer, Stars: c.Stars, Payload: c.Payload, At: c.PaidAt}
}

// ListedRefund is the refund of a charge in Telegram's list.
func ListedRefund(c models.StarCharge) stars.Transaction {
	return stars.Transaction{ChargeID: c.ChargeID, Kind: stars.RefundTransaction, Payer: c.Payer, Stars: c.Stars, At: c.PaidAt.Add(time.Hour)}
}

// RecordStars records the next transactions of Telegram's list.
func RecordStars(t testing.TB, store *store.Store, all ...stars.Transaction) {
	t.Helper()
	for _, line := range all {
		books := Must(store.Stars.Books(t.Context()))(t)
		NoError(t, store.Stars.Record(t.Context(), books.Transactions, line, Season, line.At.Add(time.Minute)))
	}
}
