package treasury

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/outbox"
)

// hasCommentOf returns the condition that the comment, given as an expression, is that of payout y.
func hasCommentOf(expression string) string {
	return "UPPER(TRIM(" + expression + ")) = '" + models.PayoutCommentPrefix + "' || y.id"
}

// CreatePayout adds a payout, once per source.
func CreatePayout(tx *gorm.DB, p models.Payout, now time.Time) error {
	p.State, p.DueAt = models.PayoutDue, db.Time(now)
	return db.Wrap(tx.Create(&p).Error, "create payout of %d nanoton", p.Amount)
}

// selectPayout selects a payout with its target: for a prize a wallet that its winner has proven, for a refund the sender; and with
// what was paid for it by mistake, such as another amount, or somebody might pay it again.
func selectPayout() string {
	return `SELECT ` + db.Columns[models.Payout]("y") + `, COALESCE(y.address, CASE WHEN y.tournament_id IS NOT NULL THEN (SELECT w.wallet FROM players w WHERE w.id = y.player_id AND w.wallet_proven)
		ELSE (SELECT t.source FROM payments p JOIN treasury_transactions t ON t.lt = p.lt WHERE p.id = y.payment_id AND t.source <> '') END) AS target,
	(SELECT CAST(COALESCE(SUM(f.amount), 0) AS BIGINT) FROM treasury_transfers f WHERE ` + unmatchedTransfer() + `) AS stray,
	EXISTS (SELECT 1 FROM players w WHERE w.id = y.player_id AND w.banned_at IS NOT NULL) AS banned,
	EXISTS (SELECT 1 FROM players w WHERE w.id = y.player_id AND w.erased_at IS NOT NULL) AS erased FROM payables y`
}

// unmatchedTransfer returns the condition that transfer f left for payout y, cancelled or not, without settling it, since its money last came
// back.
func unmatchedTransfer() string {
	return hasCommentOf("f.comment") + ` AND f.returned_lt IS NULL AND f.lt > COALESCE(y.returned_lt, 0)
		AND NOT (f.lt = COALESCE(y.settled_lt, 0) AND f.line = COALESCE(y.settled_line, 0))`
}

// Payouts returns the payouts still to be paid, oldest first; those that wait until somebody has proven a wallet come last.
func (s *Store) Payouts(ctx context.Context, most int) (open []models.Payout, err error) {
	err = s.db.Read(ctx).Raw("SELECT * FROM ("+selectPayout()+" WHERE y.state IN ('due', 'approved', 'sent')) AS o ORDER BY CASE WHEN o.target IS NULL THEN 1 ELSE 0 END, o.id LIMIT ?", most).Scan(&open).Error
	return open, db.WrapUnavailable(err)
}

// Payout returns a payout, paid or not; ErrNotFound if there is none.
func (s *Store) Payout(ctx context.Context, id string) (models.Payout, error) {
	p, err := onePayout(s.db.Read(ctx), id, "")
	return p, db.WrapUnavailable(err)
}

// PrizePayoutState returns the state of the payout for a miner's TON; empty while none is owed.
func PrizePayoutState(tx *gorm.DB, m models.Miner) (models.PayoutState, error) {
	var found []models.PayoutState
	err := tx.Model(&models.Payout{}).Where("tournament_id = ? AND player_id = ?", m.TournamentID, m.PlayerID).Pluck("state", &found).Error
	return append(found, "")[0], db.Wrap(err, "read the payout of player %d", m.PlayerID)
}

// DueTON returns the sum still to be paid and the number of open payouts.
func (s *Store) DueTON(ctx context.Context) (amount game.Nanoton, open int64, err error) {
	err = s.db.Read(ctx).Raw("SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT), COUNT(*) FROM payables WHERE state IN ('due', 'approved', 'sent')").
		Row().Scan(&amount, &open)
	return amount, open, db.WrapUnavailable(err)
}

// ReturnedPayouts returns how many payouts are due again because their money came back, and when that of the last was seen; the
// zero time if there is none.
func (s *Store) ReturnedPayouts(ctx context.Context) (due int64, newest time.Time, err error) {
	var found struct {
		DueAt time.Time
		Due   int64
	}
	err = s.db.Read(ctx).Raw(`SELECT due_at, COUNT(*) OVER () AS due FROM payables
		WHERE state = 'due' AND returned_lt IS NOT NULL ORDER BY due_at DESC LIMIT 1`).Scan(&found).Error
	return found.Due, found.DueAt.UTC(), db.WrapUnavailable(db.Wrap(err, "find what came back"))
}

// UnmatchedPayout is a payout that transfers named without settling it.
type UnmatchedPayout struct {
	Comment string
	SeenAt  time.Time // UTC, of the newest of these transfers
}

// UnmatchedPayouts returns the payouts that transfers named without settling them, of transfers seen after a moment.
func (s *Store) UnmatchedPayouts(ctx context.Context, after time.Time) (strays []UnmatchedPayout, err error) {
	var transfers []struct {
		ID     int64
		SeenAt time.Time
	}
	err = s.db.Read(ctx).Raw(`SELECT y.id, t.seen_at FROM treasury_transactions t JOIN treasury_transfers f ON f.lt = t.lt
		JOIN payables y ON `+unmatchedTransfer()+" WHERE t.seen_at > ? ORDER BY y.id, t.seen_at DESC", db.Time(after)).Scan(&transfers).Error
	for _, transfer := range transfers {
		comment := models.Payout{ID: transfer.ID}.Comment()
		if len(strays) > 0 && strays[len(strays)-1].Comment == comment {
			continue // an older one
		}
		strays = append(strays, UnmatchedPayout{comment, transfer.SeenAt.UTC()})
	}
	return strays, db.WrapUnavailable(err)
}

func onePayout(tx *gorm.DB, payout, lock string) (models.Payout, error) {
	id, err := strconv.ParseInt(payout, 10, 64)
	if err != nil {
		return models.Payout{}, fmt.Errorf("payout %q: %w", payout, db.ErrNotFound)
	}
	p, err := db.One[models.Payout](tx.Raw(selectPayout()+" WHERE y.id = ?"+lock, id))
	return p, db.Wrap(err, "read payout %d", id)
}

// movePayout updates a payout that is in one of some states; moved is false if it is in none of them any more.
func movePayout(tx *gorm.DB, p models.Payout, from []models.PayoutState, set map[string]any) (moved bool, err error) {
	done := tx.Model(&models.Payout{}).Where("id = ? AND state IN ?", p.ID, from).Updates(set)
	return done.RowsAffected == 1, db.Wrap(done.Error, "move payout %d from %s", p.ID, p.State)
}

// settleTransfers stores what the treasury sent, settles the payouts that were paid by it, and finds those whose money came back.
func (s *Store) settleTransfers(tx *gorm.DB, all []ChainTransaction, now time.Time) error {
	for _, t := range all {
		for line, sent := range t.Sent {
			transfer := models.TreasuryTransfer{LT: t.LT, Line: line, Destination: sent.To, Amount: sent.Amount, Comment: TrimComment(sent.Comment)}
			if err := tx.Create(&transfer).Error; err != nil {
				return fmt.Errorf("record transfer %d of transaction %d: %w", line, t.LT, err)
			}
			if err := s.settleTransfer(tx, t, line, now); err != nil {
				return err
			}
		}
		if t.Kind == ChainBounced {
			if err := markBounced(tx, t, now); err != nil {
				return err
			}
		}
	}
	return nil
}

// TrimComment returns a transfer's comment as it is stored: without the spaces and line breaks that people leave around it.
func TrimComment(comment string) string { return strings.TrimSpace(withoutZeros(comment)) }

// withoutZeros removes the bytes that PostgreSQL's texts cannot hold.
func withoutZeros(comment string) string { return strings.ReplaceAll(comment, "\x00", "") }

// settleTransfer settles the payout that a transfer names, or that an admin says its transaction paid, if address and amount are
// right.
func (s *Store) settleTransfer(tx *gorm.DB, t ChainTransaction, line int, now time.Time) error {
	sent := t.Sent[line]
	comment := TrimComment(sent.Comment)
	var ids []int64
	err := tx.Raw(`SELECT y.id FROM payables y WHERE y.state IN ('approved', 'sent') AND y.address = ? AND y.amount = ?
		AND (`+hasCommentOf("?")+` OR y.reported_hash = ?) ORDER BY CASE WHEN `+hasCommentOf("?")+` THEN 0 ELSE 1 END LIMIT 1`,
		sent.To, int64(sent.Amount), comment, t.Hash, comment).Scan(&ids).Error
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.settlePayout(tx, ids[0], t.LT, line, now)
}

// settlePayout settles a payout by the transfer that paid it. The winner gets a message, and another if the money had come back.
func (s *Store) settlePayout(tx *gorm.DB, id, lt int64, line int, now time.Time) error {
	moved, err := movePayout(tx, models.Payout{ID: id}, []models.PayoutState{models.PayoutApproved, models.PayoutSent},
		map[string]any{"state": models.PayoutSettled, "settled_at": db.Time(now), "settled_lt": lt, "settled_line": line})
	if err != nil || !moved {
		return err
	}
	var winners []struct {
		TelegramID int64
		Amount     game.Nanoton
	}
	err = tx.Raw("SELECT p.telegram_id, y.amount FROM payables y JOIN players p ON p.id = y.player_id WHERE y.id = ? AND y.tournament_id IS NOT NULL", id).Scan(&winners).Error
	if err != nil {
		return fmt.Errorf("find the winner of payout %d: %w", id, err)
	}
	for _, w := range winners {
		err = outbox.Enqueue(tx, s.db.Dialect, now, models.Message{
			Key: fmt.Sprintf("prize_paid:%d:%d", id, lt), ChatID: w.TelegramID, Kind: PrizePaid, Urgency: models.UrgencyPersonal,
			Params: map[string]string{"amount": fmt.Sprint(int64(w.Amount))},
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// markBounced marks the transfer whose money came back, less the fees of the way, and makes the payout that it had paid due again.
// No message says which transfer that was: of those to that address that have not come back yet it is the one with the nearest
// amount; of equal ones the last that paid something.
func markBounced(tx *gorm.DB, t ChainTransaction, now time.Time) error {
	var found []struct {
		LT     int64 `gorm:"column:lt"`
		Line   int
		Payout *int64
	}
	err := tx.Raw(`SELECT f.lt, f.line, y.id AS payout FROM treasury_transfers f JOIN treasury_transactions c ON c.lt = f.lt
		LEFT JOIN payables y ON y.settled_lt = f.lt AND y.settled_line = f.line OR y.state = 'sent' AND y.reported_hash = c.hash AND y.address = f.destination
		WHERE f.destination = ? AND f.amount >= ? AND f.returned_lt IS NULL
		ORDER BY f.amount, CASE WHEN y.settled_lt = f.lt THEN 0 WHEN y.id IS NOT NULL THEN 1 ELSE 2 END, f.lt DESC, f.line LIMIT 1`,
		t.Source, int64(t.Amount)).Scan(&found).Error
	if err == nil && len(found) > 0 {
		err = tx.Model(&models.TreasuryTransfer{}).Where("lt = ? AND line = ?", found[0].LT, found[0].Line).Update("returned_lt", t.LT).Error
	}
	if err == nil && len(found) > 0 && found[0].Payout != nil {
		err = tx.Model(&models.Payout{}).Where("id = ?", *found[0].Payout).Updates(map[string]any{
			"state": models.PayoutDue, "due_at": db.Time(now), "address": nil, "reported_hash": nil, "approved_at": nil, "sent_at": nil,
			"settled_at": nil, "settled_lt": nil, "settled_line": nil, "returned_lt": t.LT,
		}).Error
	}
	return db.Wrap(err, "mark the transfer that transaction %d returned", t.LT)
}

// PrizePaid tells a winner that the chain shows the prize as paid; amount in nanoton.
const PrizePaid models.MessageKind = "prize_paid"
