package ads

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
	"mcbk/models/tasks"
)

// Limits of rewarded ads. (decision 0026: the daily loop)
const (
	adsAnHour  = 20
	adsADay    = 60
	shortestAd = 5 * time.Second // no ad is over sooner
)

// Handler is what a feature defines for the ads that are watched for it.
type Handler struct {
	// Offered returns the target to store with the ticket, or refuses if nothing would be paid. target is what the player named, or 0.
	Offered func(tx *gorm.DB, p *models.Player, target int64, all *ledger.Tx, now time.Time) (stored int64, err error)
	// Settle pays the locked player what the confirmed ad was for; paid is false if nothing is left to pay.
	Settle func(tx *gorm.DB, p *models.Player, ticket models.AdTicket, all *ledger.Tx, now time.Time) (paid bool, err error)
}

// StartAd opens a ticket. It refuses with not_found and already_claimed (the target), not_eligible, expired,
// rate_limited beyond 20 an hour or 60 a UTC day, and what every earning call refuses with.
func (s *Store) StartAd(ctx context.Context, id models.PlayerID, purpose models.AdPurpose, target int64, season game.Season, now time.Time) (models.AdTicket, error) {
	var ticket models.AdTicket
	err := s.db.InTx(ctx, func(tx *gorm.DB) error {
		return s.ledger.Post(tx, []models.PlayerID{id}, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) (err error) {
			p := locked[id]
			if err := p.CanEarn(season, now); err != nil {
				return err
			}
			of, built := s.handlers[purpose]
			if !built {
				return game.Refuse(models.NotEligible)
			}
			stored, err := of.Offered(tx, p, target, all, now)
			if err != nil {
				return err
			}
			if err := withinAdLimits(tx, id, now); err != nil {
				return err
			}
			ticket, err = s.openTicket(tx, models.AdTicket{
				PlayerID: id, Purpose: purpose, TargetID: stored, Day: game.DayOf(now), OpenedAt: now, State: models.AdOpen,
			})
			return err
		})
	})
	return ticket, err
}

func (s *Store) openTicket(tx *gorm.DB, t models.AdTicket) (models.AdTicket, error) {
	name, err := s.db.Random(16)
	if err != nil {
		return models.AdTicket{}, fmt.Errorf("make an ad ticket: %w", err)
	}
	t.Ticket = hex.EncodeToString(name)
	err = tx.Create(&t).Error
	return t, db.Wrap(err, "open an ad ticket of player %d", t.PlayerID)
}

// withinAdLimits refuses with rate_limited, and how long to wait.
func withinAdLimits(tx *gorm.DB, id models.PlayerID, now time.Time) error {
	midnight := game.DayOf(now).Start()
	from := now.Add(-time.Hour)
	if midnight.Before(from) {
		from = midnight
	}
	var opened []time.Time
	err := tx.Model(&models.AdTicket{}).Where("player_id = ? AND opened_at >= ?", id, from).Order("opened_at DESC").Pluck("opened_at", &opened).Error
	if err != nil {
		return fmt.Errorf("count the ads of player %d: %w", id, err)
	}
	if len(opened) >= adsADay && !opened[adsADay-1].Before(midnight) {
		return &game.Refusal{Code: models.RateLimited, RetryAfter: (game.DayOf(now) + 1).Start().Sub(now)}
	}
	if len(opened) >= adsAnHour && db.IsHourlyLimited(tx) {
		if wait := opened[adsAnHour-1].Add(time.Hour).Sub(now); wait > 0 {
			return &game.Refusal{Code: models.RateLimited, RetryAfter: wait}
		}
	}
	return nil
}

// AdCallback is an ad network's statement that a person watched an ad.
type AdCallback struct {
	TelegramID int64
	Ticket     string // empty from networks that cannot carry it
}

// errNothingToSettle ends a confirmation that found no ticket, before anything was written.
var errNothingToSettle = errors.New("no open ticket to settle")

// ConfirmAd settles the ticket a network names, else the person's oldest that is open, at least 5
// seconds and at most 60 minutes old; what it was for is paid in the same transaction.
// A network calls again when it heard no answer: settled is false when there was nothing to settle.
func (s *Store) ConfirmAd(ctx context.Context, c AdCallback, now time.Time) (ticket models.AdTicket, settled bool, err error) {
	p, err := s.players.PlayerByTelegramID(ctx, c.TelegramID)
	if errors.Is(err, db.ErrNotFound) {
		return models.AdTicket{}, false, nil
	}
	if err != nil {
		return models.AdTicket{}, false, err
	}
	paid, err := s.settleAd(ctx, p.ID, now, func(tx *gorm.DB) (models.AdTicket, error) {
		oldest, youngest := now.Add(-models.AdTicketAge), now.Add(-shortestAd)
		open, err := db.One[models.AdTicket](tx.Scopes(db.ForUpdate).
			Where("player_id = ? AND state = 'open' AND opened_at >= ? AND opened_at <= ? AND (ticket = ? OR ? = '')", p.ID, oldest, youngest, c.Ticket, c.Ticket).
			Order("opened_at, ticket"))
		if errors.Is(err, db.ErrNotFound) {
			err = errNothingToSettle // any other error is answered as one: the network will call again
		}
		ticket = open
		return open, err
	})
	if errors.Is(err, errNothingToSettle) {
		return models.AdTicket{}, false, nil
	}
	ticket.Paid = paid
	return ticket, err == nil, err
}

// CompleteAd reports whether a player's ticket is confirmed. With trusted, the client's word confirms a ticket that is at least 5
// seconds old; before that it refuses with ad_not_confirmed. It refuses with not_found, and with expired after 60 minutes.
func (s *Store) CompleteAd(ctx context.Context, id models.PlayerID, name string, trusted bool, now time.Time) (confirmed bool, err error) {
	ticket, err := db.One[models.AdTicket](s.db.Read(ctx).Where("ticket = ? AND player_id = ?", name, id))
	if err != nil {
		return false, db.WrapUnavailable(fmt.Errorf("read ad ticket: %w", err))
	}
	switch {
	case ticket.State == models.AdSettled:
		return true, nil
	case ticket.State == models.AdExpired || now.After(ticket.ExpiresAt()):
		return false, game.Refuse(models.Expired)
	case !trusted:
		return false, nil
	case now.Sub(ticket.OpenedAt) < shortestAd:
		return false, game.Refuse(models.AdNotConfirmed)
	}
	_, err = s.settleAd(ctx, id, now, func(tx *gorm.DB) (models.AdTicket, error) {
		locked, err := db.One[models.AdTicket](tx.Scopes(db.ForUpdate).Where("ticket = ?", name))
		switch {
		case errors.Is(err, db.ErrNotFound), locked.State == models.AdExpired: // by the clock of another process
			err = game.Refuse(models.Expired)
		case locked.State == models.AdSettled: // a twin was faster
			err = errNothingToSettle
		}
		return locked, err
	})
	if errors.Is(err, errNothingToSettle) {
		err = nil
	}
	return err == nil, err
}

// settleAd confirms the open ticket that pick finds and locks under the player's lock, and pays what the ad was for, if that is
// still due. pick's lock keeps the ticket from expiring meanwhile: a transaction that is joined could not take back what was
// written.
func (s *Store) settleAd(ctx context.Context, id models.PlayerID, now time.Time, pick func(tx *gorm.DB) (models.AdTicket, error)) (paid bool, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		return s.ledger.Post(tx, []models.PlayerID{id}, func(locked map[models.PlayerID]*models.Player, all *ledger.Tx) error {
			ticket, err := pick(tx)
			if err != nil {
				return err
			}
			paid, err = s.handlers[ticket.Purpose].Settle(tx, locked[id], ticket, all, now)
			if err != nil {
				return fmt.Errorf("settle an ad of player %d for %s: %w", id, ticket.Purpose, err)
			}
			err = db.UpdateOne(tx.Model(&models.AdTicket{}).Where("ticket = ? AND state = ?", ticket.Ticket, models.AdOpen).
				Updates(map[string]any{"state": models.AdSettled, "settled_at": now, "paid": paid}))
			if err != nil {
				return fmt.Errorf("settle ad ticket %s of player %d: %w", ticket.Ticket, id, err)
			}
			if err := earnLoyalty(tx, locked[id], ticket.Day); err != nil {
				return err
			}
			return tasks.AdvanceTask(tx, s.tasks, id, game.WatchAds, 1, ticket.Day, now)
		})
	})
	return paid, err
}

// Unacknowledged returns the player's newest ticket of this day or the one before that paid and was not shown to them yet.
func Unacknowledged(tx *gorm.DB, id models.PlayerID, purpose models.AdPurpose, today game.Day) (ticket models.AdTicket, found bool, err error) {
	ticket, err = db.One[models.AdTicket](tx.
		Where("player_id = ? AND opened_at >= ? AND purpose = ? AND state = 'settled' AND paid AND told_at IS NULL", id, (today - 1).Start(), purpose).
		Order("opened_at DESC"))
	if errors.Is(err, db.ErrNotFound) {
		return models.AdTicket{}, false, nil
	}
	return ticket, err == nil, err
}

// AcknowledgeAll marks what a player's tickets of a purpose have paid as shown, those of this day and the one before: nobody asks for older.
func AcknowledgeAll(tx *gorm.DB, id models.PlayerID, purpose models.AdPurpose, now time.Time) error {
	return tx.Model(&models.AdTicket{}).
		Where("player_id = ? AND opened_at >= ? AND purpose = ? AND state = 'settled' AND told_at IS NULL", id, (game.DayOf(now)-1).Start(), purpose).
		Update("told_at", now).Error
}

// acknowledgeTimeout is how long a player may take to request what an ad has paid; a later request is about another ad.
const acknowledgeTimeout = time.Hour

// AcknowledgeOldest marks as shown the oldest ticket of a player and purpose that paid within acknowledgeTimeout and was not shown yet.
func AcknowledgeOldest(tx *gorm.DB, id models.PlayerID, purpose models.AdPurpose, now time.Time) (acknowledged bool, err error) {
	marked := tx.Exec(`UPDATE ad_tickets SET told_at = ? WHERE ticket = (SELECT ticket FROM ad_tickets
		WHERE player_id = ? AND opened_at > ? AND purpose = ? AND state = 'settled' AND paid AND told_at IS NULL AND settled_at > ?
		ORDER BY opened_at, ticket LIMIT 1)`, now, id, now.Add(-acknowledgeTimeout-models.AdTicketAge), purpose, now.Add(-acknowledgeTimeout))
	return marked.RowsAffected > 0, db.Wrap(marked.Error, "acknowledge an ad of player %d for %s", id, purpose)
}

// InProgress reports whether a player has an open ticket that may still be confirmed; target as in AdTicket.
func InProgress(tx *gorm.DB, id models.PlayerID, purpose models.AdPurpose, target int64, now time.Time) (bool, error) {
	open, err := db.Count(tx.Model(&models.AdTicket{}).
		Where("player_id = ? AND purpose = ? AND target_id = ? AND state = 'open' AND opened_at >= ?", id, purpose, target, now.Add(-models.AdTicketAge)))
	return open > 0, err
}

// ExpireOffers closes ad tickets that were not confirmed within 60 minutes and advice that was not claimed on its day, and returns
// how many. Nothing depends on it: what is too old is refused anyway.
func (s *Store) ExpireOffers(ctx context.Context, now time.Time) (rows int64, err error) {
	tickets, err := s.db.Sweep(ctx, `UPDATE ad_tickets SET state = 'expired' WHERE state = 'open' AND ticket IN
		(SELECT ticket FROM ad_tickets WHERE state = 'open' AND opened_at < ? LIMIT ?)`, now.Add(-models.AdTicketAge), db.SweepRows)
	if err != nil {
		return tickets, err
	}
	offers, err := s.db.Sweep(ctx, `UPDATE predictions SET state = 'expired' WHERE state = 'offered' AND id IN
		(SELECT id FROM predictions WHERE state = 'offered' AND day < ? LIMIT ?)`, game.DayOf(now), db.SweepRows)
	return tickets + offers, err
}
