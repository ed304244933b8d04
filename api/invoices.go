package api

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gin-gonic/gin"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/orders"
)

// invoiceRetry is the client's delay after Telegram has made no link.
const invoiceRetry = 5 * time.Second

// createInvoice has Telegram make the link of an order in Stars before once begins a transaction: no transaction waits for the network,
// and a link without an order cannot be paid. What cannot be ordered asks Telegram nothing; a repeated request skips it.
func (g *gateway) createInvoice(next StrictHandlerFunc, operation string) StrictHandlerFunc {
	if operation != "OrderStars" && operation != "CreateMinePayment" {
		return next
	}
	return g.unlessAnswered(next, func(c *gin.Context, request any) error {
		ctx, now := c.Request.Context(), g.now()
		p := player(c)
		invoice, text, err := g.invoiceFor(ctx, p, request, now)
		if invoice == nil || err != nil {
			return err
		}
		c.Set(invoiceKey, invoice)
		if invoice.Link != "" { // of an open order
			return nil
		}
		if err := g.store.Orders.MayOrder(ctx, p, models.CurrencyStars, now); err != nil {
			return err
		}
		if invoice.Comment, err = g.store.Orders.NewComment(orders.InvoicePrefix); err != nil {
			return err
		}
		bounded, cancel := context.WithTimeout(ctx, telegramTimeout)
		defer cancel()
		invoice.Link, err = g.options.InvoiceLink(bounded, orders.InvoiceRequest{
			Title: text.title.in(p.Language), Description: text.description.in(p.Language), Payload: invoice.Comment, Stars: invoice.Stars,
		})
		if err != nil {
			g.log.WarnContext(ctx, "create invoice link", "stars", invoice.Stars, "error", err)
			return &game.Refusal{Code: paymentLinkFailed, RetryAfter: invoiceRetry}
		}
		return nil
	})
}

// invoiceFor returns the invoice of an order in Stars, a new one without its comment and link; nil for an order in TON.
func (g *gateway) invoiceFor(ctx context.Context, p models.Player, request any, now time.Time) (*orders.Invoice, invoiceText, error) {
	if err := g.options.Sales.sellsTo(p, g.store.Settings.RuntimeSettings(ctx, now), currencyOf(request)); err != nil {
		return nil, invoiceText{}, err
	}
	switch r := request.(type) {
	case OrderStarsRequestObject:
		runtime := g.store.Settings.RuntimeSettings(ctx, now)
		stars := game.Stars(r.Body.Stars)
		if low, high := runtime.StarsAnOrder[0], runtime.StarsAnOrder[1]; stars < game.Stars(low) || stars > game.Stars(high) {
			return nil, invoiceText{}, &game.Refusal{Code: invalidAmount, Params: map[string]any{"min": low, "max": high}}
		}
		price := game.Price(g.options.Season.Day(now))
		coins, ok := stars.Coins(runtime.StarUSD, price)
		if !ok {
			return nil, invoiceText{}, game.Refuse(orders.PriceUnavailable)
		}
		return &orders.Invoice{Stars: stars, StarPrice: runtime.StarUSD, Coins: coins, MCBKPrice: price}, coinsInvoice(coins), nil
	case CreateMinePaymentRequestObject:
		if currencyOf(r) == models.CurrencyTON {
			return nil, invoiceText{}, nil
		}
		invoice, err := g.store.Mines.Invoice(ctx, p.ID, r.Body.Level, now)
		return &invoice, mineInvoice(r.Body.Level), err
	}
	return nil, invoiceText{}, errors.New("unexpected request type")
}

// currencyOf returns what an order is to be paid in.
func currencyOf(request any) models.Currency {
	if mine, ok := request.(CreateMinePaymentRequestObject); ok && (mine.Body.Currency == nil || *mine.Body.Currency == CurrencyTON) {
		return models.CurrencyTON
	}
	return models.CurrencyStars
}

// invoiceText is what Telegram shows above the button that pays.
type invoiceText struct{ title, description words }

func coinsInvoice(coins game.MicroMCBK) invoiceText {
	amount := coins.Decimal() + " MCBK"
	return invoiceText{
		words{amount, amount},
		words{"Coins of the game. They are yours as soon as Telegram confirms the payment.", "Монеты игры. Они ваши, как только Telegram подтвердит оплату."},
	}
}

func mineInvoice(level int) invoiceText {
	return invoiceText{
		words{fmt.Sprintf("Mine %d of the tournament", level), fmt.Sprintf("Шахта %d турнира", level)},
		words{"Opens this mine as soon as Telegram confirms the payment.", "Откроет эту шахту, как только Telegram подтвердит оплату."},
	}
}

// OrderStars creates an order at the current price, to be paid in Stars.
func (s *Server) OrderStars(ctx context.Context, _ OrderStarsRequestObject) (OrderStarsResponseObject, error) {
	invoice := invoiceOf(ctx)
	if invoice == nil {
		return nil, errors.New("an order in Stars without its invoice")
	}
	order, err := s.store.Orders.OrderStars(ctx, player(ctx).ID, *invoice, s.options.Season, s.now())
	if err != nil {
		return nil, err
	}
	return OrderStars200JSONResponse{
		OrderID: order.ID, InvoiceLink: invoice.Link, MCBK: Coins(order.Coins), ExpiresAt: order.ExpiresAt.UTC(), Order: s.order(order),
	}, nil
}

// invoiceOf returns the invoice that createInvoice has made; nil for an order in TON.
func invoiceOf(ctx context.Context) *orders.Invoice {
	invoice, _ := ctx.Value(invoiceKey).(*orders.Invoice)
	return invoice
}
