package wallet

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/orders"
)

// openedMine is the condition for postings that note the opening of a mine.
const openedMine = "source = 'house:mines' AND destination = 'mine' AND reference LIKE 'mine:%'"

// refunded is the condition for postings by which a refund takes coins back.
const refunded = "destination = 'house:sales' AND reference LIKE 'refund:%'"

// CoinRow is a row of a player's history of coins.
type CoinRow struct {
	ID    int64 // of its first posting; of a prize in TON, which has none, its payout's, negative
	Kind  ledger.CoinKind
	Coins game.MicroMCBK
	At    time.Time // of its first posting, or when the prize was settled, UTC

	Level int // of a mine

	// Of a mine, and of a prize in TON.
	Paid      game.Nanoton
	Price     game.MicroUSD `gorm:"column:price"` // of a TON when it was paid; 0 when unknown
	StarPrice game.MicroUSD // of a Star when it was paid with Stars; else 0
	SettledAt *time.Time    // of a prize
}

// settledPrizes are a player's prizes in TON that were paid, each after the postings that were there before it was settled. By id
// alone PostgreSQL would read all postings of everybody from the newest on, until it meets one of the player.
const settledPrizes = ` UNION ALL SELECT -z.id, (SELECT COALESCE(MAX(q.id + 0), 0) FROM postings q WHERE q.player_id = z.player_id AND q.posted_at <= z.settled_at),
	'ton_prize', CAST(0 AS BIGINT) FROM payables z WHERE z.player_id = ? AND z.tournament_id IS NOT NULL AND z.state = 'settled'`

// CoinRows lists what brought a player coins, or a prize in TON, of these kinds, or of all if none is named; newest first by its
// first posting. more reports whether there are older ones. (decision 0034: the wallet)
func (s *Store) CoinRows(ctx context.Context, id models.PlayerID, page models.Page, kinds ...ledger.CoinKind) (rows []CoinRow, more bool, err error) {
	var names, moves []string
	if len(kinds) == 0 || slices.Contains(kinds, ledger.PaidMine) {
		names = append(names, fmt.Sprintf("WHEN %s THEN '%s ' || CAST(id AS TEXT)", openedMine, ledger.PaidMine))
		moves = append(moves, "("+openedMine+")")
	}
	if len(kinds) == 0 || slices.Contains(kinds, ledger.CoinsRefunded) {
		names = append(names, fmt.Sprintf("WHEN %s THEN '%s ' || CAST(id AS TEXT)", refunded, ledger.CoinsRefunded))
		moves = append(moves, "("+refunded+")")
	}
	for _, house := range ledger.Chart {
		for _, row := range house.History {
			if len(kinds) > 0 && !slices.Contains(kinds, row.Kind) {
				continue
			}
			part := "CAST(id AS TEXT)"
			if row.Daily {
				part = s.db.Dialect.Date("posted_at")
			}
			moved := fmt.Sprintf("source = '%s' AND destination = '%s'", house.Account, row.Destination)
			names = append(names, fmt.Sprintf("WHEN %s THEN '%s ' || %s", moved, row.Kind, part))
			moves = append(moves, "(asset = 'MCBK' AND amount > 0 AND "+moved+")")
		}
	}
	prizes, values := "", []any{id}
	if len(kinds) == 0 || slices.Contains(kinds, ledger.TONPrize) {
		prizes, values = settledPrizes, append(values, id)
	}
	err = s.db.Read(ctx).Raw(`SELECT told.id, p.posted_at AS at, told.name AS kind, told.coins, z.settled_at,
			COALESCE(u.level, 0) AS level, COALESCE(y.amount, z.amount, 0) AS paid, COALESCE(y.ton_price, 0) AS price, COALESCE(y.star_price, 0) AS star_price FROM (
			SELECT MIN(id) AS id, MIN(id) AS place, CASE `+strings.Join(names, " ")+` END AS name, CAST(SUM(amount) AS BIGINT) AS coins FROM postings
			WHERE player_id = ? AND (`+strings.Join(moves, " OR ")+`)
			GROUP BY name`+prizes+` ORDER BY place DESC, id LIMIT ? OFFSET ?
		) AS told LEFT JOIN postings p ON p.id = told.id
		LEFT JOIN payments y ON p.reference = 'mine:' || y.id AND y.player_id = p.player_id
		LEFT JOIN mine_levels u ON u.payment_id = y.id
		LEFT JOIN payables z ON z.id = -told.id ORDER BY told.place DESC, told.id`, append(values, page.Limit+1, page.Offset)...).Scan(&rows).Error
	if err != nil {
		return nil, false, db.WrapUnavailable(fmt.Errorf("read the coins of player %d: %w", id, err))
	}
	rows, more = models.CutTo(rows, page)
	for i := range rows {
		kind, _, _ := strings.Cut(string(rows[i].Kind), " ")
		if settled := rows[i].SettledAt; settled != nil {
			price, err := orders.TonPriceAt(s.db.Read(ctx), *settled)
			if err != nil {
				return nil, false, db.WrapUnavailable(err)
			}
			rows[i].At, rows[i].Price = *settled, price
		}
		rows[i].Kind, rows[i].At = ledger.CoinKind(kind), rows[i].At.UTC()
	}
	return rows, more, nil
}
