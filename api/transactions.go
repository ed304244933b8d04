package api

import (
	"context"
	"fmt"
	"strconv"

	"mcbk/game"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/wallet"
)

var rowTexts = map[ledger.CoinKind]words{
	ledger.CoinsPurchase: {"Coins bought", "Покупка монет"},
	ledger.CoinsReferral: {"From a friend", "От друга"},
	ledger.CoinsCheckIn:  {"Daily Reward", "Ежедневная награда"},
	ledger.CoinsTask:     {"Tasks", "Задания"},
	ledger.CoinsLoyalty:  {"Loyalty Bonus", "Бонус за верность"},
	ledger.CoinsWheel:    {"Wheel of Fortune", "Колесо фортуны"},
	ledger.CoinsTap:      {"Taps on the bag", "Тапы по мешку"},
	ledger.CoinsOre:      {"Tournament ore", "Руда турнира"},
	ledger.CoinsPrize:    {"Tournament prize", "Приз турнира"},
	ledger.TONPrize:      {"Tournament prize", "Приз турнира"},
	ledger.CoinsRefunded: {"Refund", "Возврат"},
	ledger.PaidMine:      {"Level %d mine", "Шахта %d-го уровня"},
}

// tabs maps a filter to kinds of rows; without a filter all are listed.
var tabs = map[TransactionFilter][]ledger.CoinKind{
	TransactionFilterPurchases: {ledger.CoinsPurchase},
	TransactionFilterReferrals: {ledger.CoinsReferral},
}

// ListTransactions lists the player's credits of coins and TON prizes, newest first.
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
	rows, more, err := s.store.Wallet.CoinRows(ctx, p.ID, page, tabs[tab]...)
	if err != nil {
		return nil, err
	}
	shown := db.MapSlice(rows, func(row wallet.CoinRow) Transaction { return s.transaction(row, p.Language) })
	return ListTransactions200JSONResponse{Transactions: shown, HasMore: goesOn(more, page)}, nil
}

// transaction renders a row, valued at that day's price.
func (s *Server) transaction(row wallet.CoinRow, language string) Transaction {
	worth := game.Worth(row.Coins, game.Price(s.options.Season.Day(row.At)))
	t := Transaction{
		ID: row.ID, Name: rowTexts[row.Kind].in(language), Amount: Amount(Coins(row.Coins).String()), AmountUSD: signed("+", worth),
		Asset: AssetMCBK, Type: TransactionTypeOther, Kind: TransactionKind(row.Kind), CreatedAt: row.At,
	}
	switch row.Kind {
	case ledger.CoinsReferral:
		t.Type = TransactionTypeReferral
	case ledger.TONPrize:
		t.Amount, t.Asset, t.Kind = Amount(TON(row.Paid).String()), AssetTON, TransactionKindPrize
		t.AmountUSD = signed("+", game.Cost(row.Paid, row.Price))
	case ledger.PaidMine:
		t.Name = fmt.Sprintf(t.Name, row.Level)
		t.Amount, t.Asset, t.IsWithdraw = Amount(TON(row.Paid).String()), AssetTON, true
		t.AmountUSD = signed("-", game.Cost(row.Paid, row.Price))
		if row.StarPrice > 0 {
			t.Amount, t.Asset = Amount(strconv.FormatInt(int64(row.Paid), 10)), AssetXTR
			t.AmountUSD = signed("-", game.MicroUSD(row.Paid)*row.StarPrice)
		}
	case ledger.CoinsRefunded:
		t.IsWithdraw = true
		t.AmountUSD = signed("-", worth)
	}
	return t
}

// signed formats dollars with two decimals, rounded down, like +0.10.
func signed(sign string, worth game.MicroUSD) string {
	const cent = game.USD / 100
	return fmt.Sprintf("%s%d.%02d", sign, worth/game.USD, worth%game.USD/cent)
}
