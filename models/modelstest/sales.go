package modelstest

import (
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/store"
	"mcbk/models/treasury"
)

// Held records one TON that came at Noon, when a TON cost 2.5 dollars, with the comment of no order.
func Held(t testing.TB, store *store.Store) {
	t.Helper()
	NoError(t, store.Orders.SavePrice(t.Context(), game.PriceReading{At: Noon, Price: 5 * game.USD / 2}))
	Paid(t, store, game.TON, "for <my> coins", Noon)
}

// Tournament plans a tournament in the mines that begins with the Season.
func Tournament(t testing.TB, store *store.Store) game.Tournament {
	t.Helper()
	Must(store.Mines.FirstTournament(t.Context(), Season.Start))(t)
	return game.NewTournament(Season.Start)
}

var opening sync.Mutex // the treasury's history goes on from one payment to the next

// Paid records a payment to the treasury, whose history is read for the first time unless it was before.
func Paid(t testing.TB, store *store.Store, amount game.Nanoton, comment string, at time.Time) {
	t.Helper()
	PaidBy(t, store, "0:payer", amount, comment, at)
}

// PaidBy is Paid from an account of the chain.
func PaidBy(t testing.TB, store *store.Store, source string, amount game.Nanoton, comment string, at time.Time) {
	t.Helper()
	opening.Lock()
	defer opening.Unlock()
	own, pinned, err := store.Treasury.Treasury(t.Context())
	NoError(t, err)
	if !pinned {
		NoError(t, store.Treasury.BeginRecord(t.Context(), "mainnet", "0:treasury", models.ChainCursor{}))
	}
	came := transfer(own.Cursor, source, amount, comment, at)
	history := treasury.History{Since: own.Cursor, Transactions: []treasury.ChainTransaction{came}, Head: came.ChainCursor, KnownUntil: at, Agreed: treasury.EnoughServers}
	Must(store.Treasury.Record(t.Context(), history, Season, At(at)))(t)
}

// transfer is a payment to the treasury that follows a cursor of its history.
func transfer(after models.ChainCursor, source string, amount game.Nanoton, comment string, at time.Time) treasury.ChainTransaction {
	own := models.ChainCursor{LT: after.LT + 10, Hash: fmt.Sprintf("%064x", after.LT+10)}
	return treasury.ChainTransaction{
		ChainCursor: own, Prev: after, At: at.Truncate(time.Second), Kind: treasury.ChainIncoming,
		Source: source, Amount: amount, Comment: comment, CommentKind: "text", BoC: []byte("cells of " + own.Hash),
	}
}

// Opened opens the next mine of a player who has a wallet, in the Tournament.
func Opened(t *testing.T, store *store.Store, player models.Player, level int, at time.Time) {
	t.Helper()
	Tournament(t, store)
	order := OrderMine(t, store, player, level, at)
	Paid(t, store, order.Amount, order.Comment, at)
}

// OpenMines pays for a player's next mines at a time.
func (m *Market) OpenMines(t *testing.T, player models.Player, at time.Time, levels ...int) {
	t.Helper()
	for _, level := range levels {
		order := OrderMine(t, m.Store, player, level, at)
		m.Pay(order.Amount, order.Comment, at)
		m.Record(t, at)
	}
}

// Send puts a transaction of the treasury's owner on the chain.
func (m *Market) Send(at time.Time, transfers ...treasury.ChainTransfer) treasury.ChainTransaction {
	tx := m.Pay(0, "", at)
	sent := &m.Next[len(m.Next)-1]
	sent.Kind, sent.Sent = "outgoing", transfers
	return tx
}

// Bounce puts on the chain what came back of a transfer to an address.
func (m *Market) Bounce(from string, amount game.Nanoton, at time.Time) {
	m.Pay(amount, "", at)
	back := &m.Next[len(m.Next)-1]
	back.Kind, back.Source = "bounced", from
}

// ApprovePayout has a payout approved, for where it would go now.
func ApprovePayout(t *testing.T, store *store.Store, id string) {
	t.Helper()
	p, err := store.Treasury.Payout(t.Context(), id)
	if err != nil || p.Target == nil {
		t.Fatalf("payable %s goes nowhere: %+v, %v", id, p, err)
	}
	Done(t, store, treasury.ActionApprove, id, *p.Target)
}

// HistoryStart is the cursor that the treasury's history begins after.
var HistoryStart = models.ChainCursor{LT: 100, Hash: "beginning"}

// Market is a treasury in a test, whose chain is written by hand.
type Market struct {
	Store *store.Store
	Head  models.ChainCursor
	Since models.ChainCursor
	Next  []treasury.ChainTransaction
}

// NewMarket is a store that sells coins, TON being at 2.5 dollars since noon.
func NewMarket(t *testing.T, store *store.Store) *Market {
	t.Helper()
	NoError(t, store.Treasury.BeginRecord(t.Context(), "testnet", "0:treasury", HistoryStart))
	m := &Market{Store: store, Head: HistoryStart, Since: HistoryStart}
	m.SetPrice(t, 2_500_000, Noon)
	return m
}

// SetPrice is what a TON costs from then on.
func (m *Market) SetPrice(t *testing.T, price game.MicroUSD, at time.Time) {
	t.Helper()
	NoError(t, m.Store.Orders.SavePrice(t.Context(), game.PriceReading{At: at, Price: price}))
}

// DropPrice is what a TON costs from then on, far less than before, as two readings show.
func (m *Market) DropPrice(t *testing.T, price game.MicroUSD, at time.Time) {
	t.Helper()
	m.SetPrice(t, price, at.Add(-time.Second))
	m.SetPrice(t, price, at)
}

// Pay puts a payment on the chain.
func (m *Market) Pay(amount game.Nanoton, comment string, at time.Time) treasury.ChainTransaction {
	tx := transfer(m.Head, "0:payer", amount, comment, at)
	m.Head, m.Next = tx.ChainCursor, append(m.Next, tx)
	return tx
}

// Record what came, with the chain known until then.
func (m *Market) Record(t *testing.T, until time.Time) {
	t.Helper()
	history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: until, Agreed: 2}
	if n, err := m.Store.Treasury.Record(t.Context(), history, Season, At(until)); err != nil || n != len(m.Next) {
		t.Fatalf("record %d transactions: %d, %v", len(m.Next), n, err)
	}
	m.Since, m.Next = m.Head, nil
}

// Buyer is a player with a wallet.
func Buyer(t *testing.T, store *store.Store, details ...Detail) models.Player {
	t.Helper()
	player := Player(t, store, details...)
	address := fmt.Sprintf("0:%064x", player.ID)
	player, err := store.Wallet.SetWallet(t.Context(), player.ID, &address)
	if err != nil || player.Wallet == nil || *player.Wallet != address {
		t.Fatalf("connect a wallet: %v, %v", player.Wallet, err)
	}
	return player
}

// NewOrder is a market with a buyer, who has ordered coins for one TON at Noon.
func NewOrder(t *testing.T, store *store.Store) (*Market, models.Player, models.Order) {
	t.Helper()
	m, player := NewMarket(t, store), Buyer(t, store)
	return m, player, OrderCoins(t, store, player, game.TON, Noon)
}

// OrderCoins is a player's order of coins.
func OrderCoins(t *testing.T, store *store.Store, player models.Player, amount game.Nanoton, at time.Time) models.Order {
	t.Helper()
	return Must(store.Orders.OrderCoins(t.Context(), player.ID, amount, Season, at))(t)
}

// WantPurchased tells what a player bought, and got for friends.
func WantPurchased(t *testing.T, store *store.Store, player models.Player, purchased, shared game.MicroMCBK) {
	t.Helper()
	now, err := store.Players.Player(t.Context(), player.ID)
	if b := now.Balances; err != nil || b.Purchased != purchased || b.Referral != shared {
		t.Errorf("player %d bought %d and got %d, want %d and %d: %v", player.ID, b.Purchased, b.Referral, purchased, shared, err)
	}
}

// WantOrder checks an order.
func WantOrder(t *testing.T, store *store.Store, order models.Order, state models.OrderState, paid game.Nanoton) {
	t.Helper()
	now, err := store.Orders.Order(t.Context(), order.PlayerID, order.ID)
	if err != nil || now.State != state || now.Paid != paid || (now.PaidAt != nil) != (state == models.OrderPaid) {
		t.Errorf("order %d is %s with %d paid, want %s with %d: %v", order.ID, now.State, now.Paid, state, paid, err)
	}
}

// WantHeld tells which payments wait for an admin, by reason and amount.
func WantHeld(t *testing.T, store *store.Store, want ...string) []treasury.HeldPayment {
	t.Helper()
	held, all, err := store.Treasury.HeldPayments(t.Context(), 100)
	var got []string
	for _, p := range held {
		got = append(got, fmt.Sprintf("%s: %d", p.Reason, p.Amount))
	}
	if err != nil || int(all) != len(held) || !slices.Equal(got, want) {
		t.Errorf("held are %q, want %q: %v", got, want, err)
	}
	return held
}

// RecordFrom is Record with what so many servers show; it returns the error.
func (m *Market) RecordFrom(t *testing.T, agreed int, until time.Time) error {
	t.Helper()
	history := treasury.History{Since: m.Since, Transactions: m.Next, KnownUntil: until, Agreed: agreed}
	n, err := m.Store.Treasury.Record(t.Context(), history, Season, At(Noon.Add(time.Hour)))
	if n > 0 {
		m.Since, m.Next = m.Next[n-1].ChainCursor, m.Next[n:]
	}
	return err
}

// WantKnownUntil checks until when the chain is known.
func (m *Market) WantKnownUntil(t *testing.T, want time.Time) {
	t.Helper()
	if treasury, _, err := m.Store.Treasury.Treasury(t.Context()); err != nil || !treasury.KnownUntil.Equal(want) || treasury.Cursor != m.Since {
		t.Errorf("known until %s up to %v, want %s up to %v: %v", treasury.KnownUntil, treasury.Cursor, want, m.Since, err)
	}
}
