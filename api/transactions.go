package api

import (
	"context"
	"fmt"
	"time"

	"mcbk/game"
	"mcbk/models"
)

// rowTexts are the labels of the history's rows.
var rowTexts = map[models.CoinKind]words{
	models.CoinsPurchase: {"Coins bought", "Покупка монет"},
	models.CoinsReferral: {"From a friend", "От друга"},
	models.CoinsCheckIn:  {"Daily Reward", "Ежедневная награда"},
	models.CoinsTask:     {"Tasks", "Задания"},
	models.CoinsLoyalty:  {"Loyalty Bonus", "Бонус за верность"},
	models.CoinsWheel:    {"Wheel of Fortune", "Колесо фортуны"},
	models.CoinsTap:      {"Taps on the bag", "Тапы по мешку"},
	models.CoinsOre:      {"Tournament ore", "Руда турнира"},
	models.CoinsPrize:    {"Tournament prize", "Приз турнира"},
	models.TONPrize:      {"Tournament prize", "Приз турнира"},
	models.PaidMine:      {"Level %d mine", "Шахта %d-го уровня"},
}

// tabs maps a filter to kinds of rows; without a filter all are listed.
var tabs = map[TransactionFilter][]models.CoinKind{
	TransactionFilterPurchases: {models.CoinsPurchase},
	TransactionFilterReferrals: {models.CoinsReferral},
}

// ListTransactions lists what brought the player coins or a prize in TON, newest first.
func (s *Server) ListTransactions(ctx context.Context, request ListTransactionsRequestObject) (ListTransactionsResponseObject, error) {
	p := player(ctx)
	if err := s.limits.take(ctx, historiesOfPlayer, who(p)); err != nil {
		return nil, err
	}
	tab := TransactionFilterAll
	if request.Params.Type != nil {
		tab = *request.Params.Type
	}
	page := pageOf(request.Params.Limit, request.Params.Offset)
	rows, more, err := s.store.CoinRows(ctx, p.ID, page, tabs[tab]...)
	if err != nil {
		return nil, err
	}
	answer := ListTransactions200JSONResponse{Transactions: make([]Transaction, len(rows)), HasMore: goesOn(more, page)}
	for i, row := range rows {
		answer.Transactions[i] = s.transaction(row, p.Language)
	}
	return answer, nil
}

// transaction renders a row, valued at the price of its day.
func (s *Server) transaction(row models.CoinRow, language string) Transaction {
	t := Transaction{
		ID: row.ID, Name: rowTexts[row.Kind].in(language), Amount: Amount(Coins(row.Coins).String()), AmountUSD: s.cents(row.Coins, row.At),
		Asset: AssetMCBK, Type: TransactionTypeOther, Kind: TransactionKind(row.Kind), CreatedAt: row.At,
	}
	switch row.Kind {
	case models.CoinsReferral:
		t.Type = TransactionTypeReferral
	case models.TONPrize:
		t.Amount, t.Asset, t.Kind = Amount(TON(row.Paid).String()), AssetTON, TransactionKindPrize
		t.AmountUSD = signed("+", game.Cost(row.Paid, row.Price))
	case models.PaidMine:
		t.Name = fmt.Sprintf(t.Name, row.Level)
		t.Amount, t.Asset, t.IsWithdraw = Amount(TON(row.Paid).String()), AssetTON, true
		t.AmountUSD = signed("-", game.Cost(row.Paid, row.Price))
	}
	return t
}

// cents returns what coins were worth when they came, like +0.10.
func (s *Server) cents(coins game.MicroMCBK, at time.Time) string {
	return signed("+", game.Worth(coins, game.Price(s.options.Season.Day(at))))
}

// signed writes dollars with two decimals, rounded down.
func signed(sign string, worth game.MicroUSD) string {
	const cent = game.USD / 100
	return fmt.Sprintf("%s%d.%02d", sign, worth/game.USD, worth%game.USD/cent)
}
