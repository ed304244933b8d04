package treasury

import (
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Actions of admins on payouts. All take the payout's id; ActionApprove also the raw address that was shown, ActionSent the hash
// of the transaction that paid it, ActionCancelPayout the reason and the state that was shown.
const (
	ActionApprove      models.Action = "payouts approve"
	ActionSent         models.Action = "payouts sent"
	ActionCancelPayout models.Action = "payouts cancel"
)

// asked reads and locks the payout of a pending action.
func (s *Store) asked(tx *gorm.DB, q models.PendingAction, arguments int) (models.Payout, error) {
	if len(q.Args) != arguments {
		return models.Payout{}, fmt.Errorf("%s with %d arguments", q.Action, len(q.Args))
	}
	return onePayout(tx, q.Args[0], s.db.Dialect.ForUpdate("y"))
}

// ApprovePayout freezes the address of a payout. It refuses with not_eligible if the payout is not due; with
// wallet_not_connected if there is no address, as for a prize whose winner has proven none; and with other_address if it is not the
// address that was shown.
func (s *Store) ApprovePayout(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	if len(q.Args) == 1 { // requested by a version that named no address
		return "", game.Refuse(models.OtherAddress)
	}
	p, err := s.asked(tx, q, 2)
	switch {
	case err != nil:
		return "", err
	case p.State != models.PayoutDue:
		return "", game.Refuse(models.NotEligible)
	case p.Target == nil:
		return "", game.Refuse(models.WalletNotConnected)
	case *p.Target != q.Args[1]:
		return "", game.Refuse(models.OtherAddress)
	}
	moved, err := movePayout(tx, p, []models.PayoutState{models.PayoutDue},
		map[string]any{"state": models.PayoutApproved, "approved_at": db.Time(now), "address": *p.Target})
	if err == nil && !moved {
		err = game.Refuse(models.NotEligible)
	}
	return fmt.Sprintf("payout %d of %s TON to %s is approved", p.ID, p.Amount.Decimal(), *p.Target), err
}

// ReportSent stores which transaction paid an approved payout, or replaces it while the chain has none; the chain has the last
// word. It refuses with not_eligible for a payout that is not approved; with already_claimed for a transaction that paid another,
// or whose money came back; and with pays_something_else for one that the chain knows and that sent another amount or to another
// address: it would wait for ever.
func (s *Store) ReportSent(tx *gorm.DB, q models.PendingAction, now time.Time) (outcome string, err error) {
	// Otherwise the recorder could write the transaction while it is reported: neither would see the other's row, and nothing would
	// settle it.
	if err := lockTreasury(tx); err != nil {
		return "", err
	}
	p, err := s.asked(tx, q, 2)
	if err != nil {
		return "", err
	}
	hash, err := HexHash(q.Args[1])
	if err != nil {
		return "", err
	}
	if p.State != models.PayoutApproved && p.State != models.PayoutSent {
		return "", game.Refuse(models.NotEligible)
	}
	var (
		used  int64
		known bool
	)
	err = tx.Raw(`SELECT (SELECT COUNT(*) FROM payables WHERE reported_hash = ? AND id <> ?)
		+ (SELECT COUNT(*) FROM treasury_transactions t JOIN payables y ON t.lt < y.returned_lt WHERE t.hash = ? AND y.id = ?),
		EXISTS (SELECT 1 FROM treasury_transactions WHERE hash = ?)`, hash, p.ID, hash, p.ID, hash).Row().Scan(&used, &known)
	if err != nil {
		return "", fmt.Errorf("find what transaction %s paid: %w", hash, err)
	}
	if used > 0 {
		return "", game.Refuse(game.AlreadyClaimed)
	}
	// The watcher may have seen it before it was reported.
	var seen []struct {
		LT       int64 `gorm:"column:lt"`
		Line     int
		Returned bool
	}
	err = tx.Raw(`SELECT f.lt, f.line, f.returned_lt IS NOT NULL AS returned FROM treasury_transfers f JOIN treasury_transactions t ON t.lt = f.lt
		WHERE t.hash = ? AND f.destination = ? AND f.amount = ? AND NOT EXISTS (SELECT 1 FROM payables o WHERE o.settled_lt = f.lt AND o.settled_line = f.line)
		ORDER BY CASE WHEN f.returned_lt IS NULL THEN 0 ELSE 1 END, f.line LIMIT 1`, hash, *p.Address, int64(p.Amount)).Scan(&seen).Error
	if err != nil {
		return "", fmt.Errorf("find transaction %s: %w", hash, err)
	}
	switch {
	case len(seen) == 0 && known:
		return "", game.Refuse(models.PaysSomethingElse)
	case len(seen) > 0 && seen[0].Returned:
		return "", game.Refuse(game.AlreadyClaimed)
	}
	moved, err := movePayout(tx, p, []models.PayoutState{models.PayoutApproved, models.PayoutSent},
		map[string]any{"state": models.PayoutSent, "sent_at": db.Time(now), "reported_hash": hash})
	if err != nil {
		return "", err
	}
	if !moved {
		return "", game.Refuse(models.NotEligible)
	}
	if len(seen) > 0 {
		return fmt.Sprintf("payout %d of %s TON is settled", p.ID, p.Amount.Decimal()), s.settlePayout(tx, p.ID, seen[0].LT, seen[0].Line, now)
	}
	return fmt.Sprintf("payout %d of %s TON is sent and waits for the chain", p.ID, p.Amount.Decimal()), nil
}

// CancelPayout cancels a payout that nobody has paid. It refuses with not_eligible for any other, and for one in another state
// than was shown: once it is approved, somebody may be paying it, and the earlier request did not warn of it.
func (s *Store) CancelPayout(tx *gorm.DB, q models.PendingAction, _ time.Time) (outcome string, err error) {
	if len(q.Args) == 2 { // requested by a version that stored no state
		return "", game.Refuse(models.NotEligible)
	}
	p, err := s.asked(tx, q, 3)
	switch {
	case err != nil:
		return "", err
	case string(p.State) != q.Args[2]:
		return "", game.Refuse(models.NotEligible)
	}
	moved, err := movePayout(tx, p, []models.PayoutState{models.PayoutDue, models.PayoutApproved},
		map[string]any{"state": models.PayoutCancelled, "reason": q.Args[1]})
	if err == nil && !moved {
		err = game.Refuse(models.NotEligible)
	}
	return fmt.Sprintf("payout %d of %s TON is cancelled: %s", p.ID, p.Amount.Decimal(), q.Args[1]), err
}

// HexHash returns a transaction's hash, written in hex or in base64, as it is stored.
func HexHash(written string) (string, error) {
	if raw, err := hex.DecodeString(written); err == nil && len(raw) == 32 {
		return hex.EncodeToString(raw), nil
	}
	raw, err := base64.URLEncoding.DecodeString(strings.NewReplacer("+", "-", "/", "_").Replace(written))
	if err != nil || len(raw) != 32 {
		return "", game.Refuse(models.ValidationFailed)
	}
	return hex.EncodeToString(raw), nil
}
