package api

import (
	"context"
	"slices"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
	"mcbk/ton"
)

// Sales configures payment for orders.
type Sales struct {
	Treasury *ton.Address // nil: nothing is sold for TON
	Network  ton.Network
	LinkBase string // of the wallet app's payment links
}

// defaultTONPrice is shown as stale before a price is known; nothing is sold at it.
const defaultTONPrice = 2_500_000

// GetTONPrice returns the prices of TON and MCBK.
func (s *Server) GetTONPrice(ctx context.Context, _ GetTONPriceRequestObject) (GetTONPriceResponseObject, error) {
	now := s.now()
	rate, err := s.store.Orders.Rate(ctx, now)
	if err != nil {
		return nil, err
	}
	answer := GetTONPrice200JSONResponse{UpdatedAt: rate.At, Stale: !rate.Sells}
	if rate.At.IsZero() {
		rate.Price, answer.UpdatedAt = defaultTONPrice, time.Unix(0, 0).UTC()
	}
	answer.Data = Prices{TONPriceUSD: USD(rate.Price), MCBKPriceUSD: USD(game.Price(s.options.Season.Day(now)))}
	return answer, nil
}

// GetPriceInfo returns the price schedule and the number of sold coins.
func (s *Server) GetPriceInfo(ctx context.Context, _ GetPriceInfoRequestObject) (GetPriceInfoResponseObject, error) {
	now := s.now()
	sold, err := s.store.Treasury.Sold(ctx, now)
	if err != nil {
		return nil, err
	}
	season, runtime := s.options.Season, s.store.Settings.RuntimeSettings(ctx, now)
	launch, last := game.StepAt(1), game.StepAt(game.SeasonDays)
	step := game.StepAt(season.Day(now))
	rise, _ := launch.Next()
	info := GetPriceInfo200JSONResponse{
		Price: USD(step.Price), Period: step.Period, PurchasedTotal: Coins(sold), PurchasedGoal: Coins(game.SalesGoal),
		Discount: Discount{
			Active: step.Price == launch.Price, Price: USD(step.Price), FullPrice: USD(last.Price), EndsAt: season.DayStart(rise.From),
		},
		Stars: StarsTerms{USD: USD(runtime.StarUSD), Min: int64(runtime.StarsAnOrder[0]), Max: int64(runtime.StarsAnOrder[1])},
	}
	if next, ok := step.Next(); ok {
		info.NextPrice, info.NextChangeAt = new(USD(next.Price)), new(season.DayStart(next.From))
	}
	return info, nil
}

// paysWith returns what players can pay with.
func (s Sales) paysWith(runtime settings.RuntimeSettings) (all []models.Currency) {
	if s.Treasury != nil && runtime.Takes(models.CurrencyTON) {
		all = append(all, models.CurrencyTON)
	}
	if runtime.Takes(models.CurrencyStars) {
		all = append(all, models.CurrencyStars)
	}
	return all
}

// sellsTo refuses players without consent, and all players where they cannot pay in that currency.
func (s Sales) sellsTo(p models.Player, runtime settings.RuntimeSettings, in models.Currency) error {
	if err := p.CanRequest(); err != nil || slices.Contains(s.paysWith(runtime), in) {
		return err
	}
	return switchedOff("sales")
}

// PurchaseTokens creates an order at the current price.
func (s *Server) PurchaseTokens(ctx context.Context, request PurchaseTokensRequestObject) (PurchaseTokensResponseObject, error) {
	p := player(ctx)
	now := s.now()
	if err := s.options.Sales.sellsTo(p, s.store.Settings.RuntimeSettings(ctx, now), models.CurrencyTON); err != nil {
		return nil, err
	}
	order, err := s.store.Orders.OrderCoins(ctx, p.ID, game.Nanoton(request.Body.TONAmount), s.options.Season, now)
	if err != nil {
		return nil, err
	}
	shown := s.order(order)
	return PurchaseTokens200JSONResponse{Success: true, PaymentLink: shown.PaymentLink, Message: "Pay in your wallet", Order: shown}, nil
}

// ListOrders lists the player's orders.
func (s *Server) ListOrders(ctx context.Context, request ListOrdersRequestObject) (ListOrdersResponseObject, error) {
	page := pageOf(request.Params.Limit, request.Params.Offset)
	orders, more, err := s.store.Orders.Orders(ctx, player(ctx).ID, page)
	if err != nil {
		return nil, err
	}
	return ListOrders200JSONResponse{Orders: db.MapSlice(orders, s.order), HasMore: goesOn(more, page)}, nil
}

// GetOrder shows one of the player's orders.
func (s *Server) GetOrder(ctx context.Context, request GetOrderRequestObject) (GetOrderResponseObject, error) {
	order, err := s.store.Orders.Order(ctx, player(ctx).ID, request.ID)
	if err != nil {
		return nil, err
	}
	return GetOrder200JSONResponse(s.order(order)), nil
}

// CancelOrder closes an open order.
func (s *Server) CancelOrder(ctx context.Context, request CancelOrderRequestObject) (CancelOrderResponseObject, error) {
	order, err := s.store.Orders.CancelOrder(ctx, player(ctx).ID, request.ID)
	if err != nil {
		return nil, err
	}
	return CancelOrder200JSONResponse(s.order(order)), nil
}

// order renders an order with its payment link, which is missing without sales. An order is held while its payment needs an admin.
func (s *Server) order(o models.Order) Order {
	shown := Order{
		ID: o.ID, Kind: OrderKind(o.Kind), Status: OrderStatus(o.State), Comment: o.Comment, Currency: Currency(o.Currency),
		TONAmount: TON(o.Amount), MCBKAmount: Coins(o.Coins), CreatedAt: o.CreatedAt.UTC(), ExpiresAt: o.ExpiresAt.UTC(), TxHash: o.TxHash,
	}
	shown.Level = o.MineLevel
	shown.Payable = o.State == models.OrderPending
	if o.PaidAt != nil {
		shown.PaidAt, shown.PaidTON, shown.PaidMCBK = new(o.PaidAt.UTC()), new(TON(o.Paid)), new(Coins(o.Credited))
	}
	if o.Held > 0 {
		shown.HeldTON = new(TON(o.Held))
		if o.State != models.OrderPaid {
			shown.Status = OrderStatusHeld
		}
	}
	if o.Currency == models.CurrencyStars {
		shown.TONAmount, shown.PaidTON, shown.HeldTON = 0, nil, nil
		shown.Stars, shown.PaymentLink = new(int64(o.Stars())), *o.InvoiceLink
		if o.Refunded {
			shown.Status = OrderStatusRefunded
		}
	} else if sales := s.options.Sales; sales.Treasury != nil {
		invoice := ton.Invoice{To: *sales.Treasury, Amount: o.Amount, Comment: o.Comment, Expires: o.ExpiresAt}
		shown.PaymentLink = invoice.Link(sales.LinkBase, sales.Network)
		// A comment fits in one cell, so this cannot fail.
		if payload, err := ton.CommentPayload(o.Comment); err == nil {
			shown.Payload = &payload
		}
	}
	return shown
}
