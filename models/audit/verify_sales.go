package audit

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/admin"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// saleMatches returns a check that an entry of a kind is coins for a payment, to that account; findInvalidPayments checks how many.
func saleMatches(kind string, to models.Account) func(l *ledgerReplay, p models.Posting) bool {
	return func(_ *ledgerReplay, p models.Posting) bool {
		_, ok := ledger.ReferenceNumber(p, kind)
		return ok && p.Memo == "" && matchesMove(p, []ledger.Move{{From: models.HouseSales, To: to, Asset: models.AssetMCBK, Amount: p.Amount}})
	}
}

// ofNoMine is the condition that a payment p is for no mine.
const ofNoMine = "NOT EXISTS (SELECT 1 FROM orders m WHERE m.id = p.order_id AND m.kind = 'mine')"

// findInvalidPayments lists players with a credited payment, their own or a friend's, that was posted otherwise than it says, and with entries
// of no payment.
var findInvalidPayments = findPlayers(`WITH due AS (SELECT * FROM (` + duePayments + `) AS d WHERE player_id > @After AND player_id <= @UpTo),
		paid AS (SELECT player_id, reference || ' ' || amount AS reference FROM postings
			WHERE player_id > @After AND player_id <= @UpTo AND (reference LIKE 'pay:%' OR reference LIKE 'share:%' OR reference LIKE 'mine:%'))
	SELECT player_id FROM (SELECT * FROM due EXCEPT SELECT * FROM paid) AS unpaid
	UNION SELECT player_id FROM (SELECT * FROM paid EXCEPT SELECT * FROM due) AS undue
	ORDER BY player_id LIMIT ?`)

// duePayments lists the entries that credited payments call for, with their coins.
const duePayments = `SELECT player_id, 'pay:' || id || ' ' || coins AS reference FROM payments p WHERE state = 'credited' AND ` + ofNoMine + `
	UNION ALL SELECT player_id, 'mine:' || id || ' 0' FROM payments p WHERE state = 'credited' AND NOT ` + ofNoMine + `
	UNION ALL SELECT b.referrer_id, 'share:' || p.id || ' ' || (p.coins / 100) FROM payments p JOIN players b ON b.id = p.player_id
		WHERE p.state = 'credited' AND b.referrer_id IS NOT NULL AND ` + ofNoMine

// credited is a payment with the order and transaction it belongs to.
type credited struct {
	models.Payment `gorm:"embedded"`
	At             time.Time        // chain time
	Owner          *models.PlayerID // of the order
	Ordered        *int64           // nanoton
	LockedTON      *int64           // prices of the order
	LockedMCB      *int64
	Until          *time.Time
	First          bool // of the order's payments, as they were posted: clocks of leaders differ
}

// findInvalidPaymentCoins lists players with a payment that brought other coins than its prices, time and order say.
func findInvalidPaymentCoins(tx *gorm.DB, s idRange) ([]models.PlayerID, error) {
	rows, err := tx.Raw(`SELECT `+db.Columns[models.Payment]("p")+`, t.happened_at AS at, o.player_id AS owner, o.amount AS ordered, o.ton_price AS locked_ton, o.mcbk_price AS locked_mcb,
			o.expires_at AS until, NOT EXISTS (SELECT 1 FROM payments e JOIN postings q ON q.player_id = e.player_id AND q.reference = 'pay:' || e.id
				WHERE e.order_id = p.order_id AND e.state = 'credited' AND q.id < (
					SELECT MIN(own.id) FROM postings own WHERE own.player_id = p.player_id AND own.reference = 'pay:' || p.id)) AS first
		FROM payments p JOIN treasury_transactions t ON t.lt = p.lt LEFT JOIN orders o ON o.id = p.order_id
		WHERE p.state = 'credited' AND `+ofNoMine+` AND p.player_id > @After AND p.player_id <= @UpTo ORDER BY p.player_id, p.id`, s).Rows()
	if err != nil {
		return nil, fmt.Errorf("read payments: %w", err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	var invalid []models.PlayerID
	for rows.Next() {
		var c credited
		if err := tx.ScanRows(rows, &c); err != nil {
			return nil, fmt.Errorf("read a payment: %w", err)
		}
		if !c.matches() {
			invalid = addPlayer(invalid, *c.PlayerID)
		}
	}
	return invalid, db.Wrap(rows.Err(), "read payments")
}

func (c credited) matches() bool {
	if c.OrderID == nil { // an admin gave it to a player
		coins, ok := (game.Quote{TON: c.TONPrice, MCBK: c.MCBKPrice}).Coins(c.Amount)
		return ok && c.Locked == 0 && coins == c.Coins
	}
	if c.Owner == nil || *c.Owner != *c.PlayerID {
		return false
	}
	onTime := c.First && !c.At.After(c.Until.Add(game.PaymentGrace))
	coins, ok := c.Worth(game.Quote{TON: game.MicroUSD(*c.LockedTON), MCBK: game.MicroUSD(*c.LockedMCB)})
	return ok && coins == c.Coins && (c.Locked == 0 || onTime && int64(c.Locked) <= *c.Ordered)
}

// findInvalidOrders lists players with an order that was paid otherwise than its payments say.
var findInvalidOrders = findPlayers(`SELECT DISTINCT player_id FROM (
		SELECT o.player_id FROM orders o LEFT JOIN payments p ON p.order_id = o.id AND p.state = 'credited'
		WHERE o.player_id > @After AND o.player_id <= @UpTo GROUP BY o.player_id, o.id, o.paid, o.state, o.paid_at
		HAVING COALESCE(SUM(p.amount), 0) <> o.paid OR (COUNT(p.id) > 0) <> (o.state = 'paid') OR (COUNT(p.id) > 0) <> (o.paid_at IS NOT NULL)
	) AS odd ORDER BY player_id LIMIT ?`)

// brokenTreasury lists gaps in the treasury's recorded history, and payments that do not add up to what came in.
var brokenTreasury = listRows([]rowCheck{
	{"transaction %s does not follow the one before it", `SELECT lt FROM (
		SELECT lt, prev_lt, prev_hash, LAG(lt, 1, (SELECT since_lt FROM treasury)) OVER (ORDER BY lt) AS before_lt,
			LAG(hash, 1, (SELECT since_hash FROM treasury)) OVER (ORDER BY lt) AS before_hash FROM treasury_transactions
		) AS chain WHERE prev_lt <> before_lt OR prev_hash <> before_hash`},
	{"transaction %s is not what its payments add up to", `SELECT t.lt FROM treasury_transactions t LEFT JOIN payments p ON p.lt = t.lt
		GROUP BY t.lt, t.kind, t.amount HAVING COALESCE(SUM(p.amount), 0) <> CASE t.kind WHEN 'incoming' THEN t.amount ELSE 0 END`},
	{"the cursor is not at the last transaction but at %s", `SELECT lt FROM treasury WHERE (lt, hash) <> (
		SELECT COALESCE(MAX(lt), 0), COALESCE(MAX(hash), '') FROM (SELECT lt, hash FROM treasury_transactions
			UNION ALL SELECT since_lt, since_hash FROM treasury ORDER BY lt DESC LIMIT 1) AS last)`},
	// A version that did not store how many servers had shown a transaction credited its orders with such money. A game with a
	// single lite server stores none either, and its rows cannot be told from those: there such money is not found.
	{"the treasury's own money of transaction %s bought something", `SELECT p.lt FROM payments p JOIN treasury_transactions t ON t.lt = p.lt
		JOIN treasury own ON own.address = t.source WHERE p.state = 'credited' AND t.shown_by > 0`},
	{"coins sold are counted as %s", `SELECT sold FROM treasury WHERE sold <> (SELECT COALESCE(SUM(coins), 0) FROM payments WHERE state = 'credited' AND charge_id IS NULL)`},
})

// overdueOrders lists orders that are still open ten minutes after the chain was known beyond their time: each reading of the chain
// closes them.
func overdueOrders(ctx context.Context, s *Auditor, now time.Time) ([]string, error) {
	known := now
	t, pinned, err := s.treasury.Treasury(ctx)
	if err != nil || !pinned || t.KnownUntil.IsZero() {
		return nil, err
	}
	if t.KnownUntil.Before(known) {
		known = t.KnownUntil
	}
	return list(s.db.Committed(ctx), "order %s", "SELECT id FROM orders WHERE state = 'pending' AND currency = 'TON' AND expires_at < ? ORDER BY id LIMIT ?",
		known.Add(-game.PaymentGrace-admin.ConfirmationOverdue))
}
