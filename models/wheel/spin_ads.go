package wheel

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/ads"
	"mcbk/models/ledger"
	"mcbk/models/settings"
)

// SpinAd is a rewarded ad that turns an ad spin of the day on which its ticket was opened into a
// free spin.
var SpinAd = ads.Handler{
	Offered: func(tx *gorm.DB, p *models.Player, _ int64, all *ledger.Tx, now time.Time) (int64, error) {
		if !p.SpinsGranted(now) { // a request grants the day's spins
			set, err := settings.ReadSettings(tx)
			if err == nil {
				err = giveSpins(p, set.Runtime.FreeSpins, all, now)
			}
			if err != nil {
				return 0, err
			}
		}
		return 0, noAdSpin(p.Balances)
	},
	Settle: func(tx *gorm.DB, p *models.Player, ticket models.AdTicket, all *ledger.Tx, now time.Time) (paid bool, err error) {
		// The spins of a new day are not given here: they are granted at the player's next request, after what is still due for the day before.
		if p.Balances.Spins >= game.MostSpins {
			return false, nil
		}
		moves := []ledger.Move{
			{From: models.HouseWheel, To: models.AccountSpins, Asset: models.AssetSpin, Amount: 1},
			{From: models.HouseWheel, To: models.AccountGamePoints, Asset: models.AssetPoint, Amount: game.AdSpinPoints},
		}
		if ticket.Day == p.Wheel.SpinsGrantedDay {
			if p.Balances.AdSpins < 1 {
				return false, nil
			}
			moves = append(moves, ledger.Move{From: models.AccountAdSpins, To: models.HouseWheel, Asset: models.AssetAdSpin, Amount: 1})
		} else { // that day's ad spins are no longer in the account
			used, err := ads.PaidOn(tx, p.ID, ticket.Day)
			if err != nil || used[models.AdSpin] >= game.AdSpinsADay {
				return false, err
			}
		}
		return true, all.Record(p, ledger.Entry{Reference: "adspin:" + ticket.Ticket, Memo: fmt.Sprint(ticket.Day), Moves: moves}, now)
	},
}

// noAdSpin refuses with ad_spins_exhausted or spin_limit_reached if an ad could not bring a spin.
func noAdSpin(held models.Balances) error {
	switch {
	case held.AdSpins < 1:
		return game.Refuse(game.AdSpinsExhausted)
	case held.Spins >= game.MostSpins:
		return game.Refuse(game.SpinLimitReached)
	}
	return nil
}

// TakenAdSpin returns the player once the confirmation of an ad has brought a free spin; each ad is reported to one call. It
// refuses with ad_not_confirmed while none has, with ad_spins_exhausted and spin_limit_reached, and, where no ad is under way, with
// season_not_started and season_over.
func (s *Store) TakenAdSpin(ctx context.Context, id models.PlayerID, season game.Season, now time.Time) (models.Player, error) {
	return s.ledger.WithPlayer(ctx, id, models.Player.CanRequest, func(tx *gorm.DB, p *models.Player) error {
		acknowledged, err := ads.AcknowledgeOldest(tx, id, models.AdSpin, now)
		if err != nil || acknowledged {
			return err
		}
		underWay, err := ads.InProgress(tx, id, models.AdSpin, 0, now)
		if err != nil {
			return err
		}
		if closed := season.Open(now); closed != nil && !underWay {
			return closed
		}
		if !p.SpinsGranted(now) { // nothing was asked for today
			return game.Refuse(models.AdNotConfirmed)
		}
		if err := noAdSpin(p.Balances); err != nil {
			return err
		}
		return game.Refuse(models.AdNotConfirmed)
	})
}

// PrizeAd is a rewarded ad that multiplies the prize of a spin.
var PrizeAd = ads.Handler{
	Offered: func(tx *gorm.DB, p *models.Player, target int64, _ *ledger.Tx, now time.Time) (int64, error) {
		spin, err := oneSpin(tx, p.ID, target)
		switch {
		case err != nil:
			return 0, err
		case spin.Odds().WithAd(spin.Drawn()) == 1:
			return 0, game.Refuse(models.NotEligible)
		case spin.State == models.SpinClaimed || spin.State == models.SpinDoubled:
			return 0, game.Refuse(game.AlreadyClaimed)
		case spin.State == models.SpinCredited && now.Sub(spin.SpunAt) >= PendingPrizeTimeout:
			return 0, game.Refuse(models.Expired)
		}
		return spin.ID, nil
	},
	Settle: func(tx *gorm.DB, p *models.Player, ticket models.AdTicket, all *ledger.Tx, now time.Time) (paid bool, err error) {
		spin, err := oneSpin(tx, p.ID, ticket.TargetID)
		if err != nil || spin.State == models.SpinDoubled {
			return false, err
		}
		unpaid := spin.State == models.SpinPending
		if err := settleSpin(tx, &spin, models.SpinDoubled, now); err != nil {
			return false, err
		}
		if unpaid {
			if err := payPrize(p, spin, all, now); err != nil {
				return false, err
			}
		}
		extra := spin.Odds().Extra(spin.Drawn())
		p.Wheel.Won += extra.Coins
		return true, all.Record(p, ledger.Entry{
			Reference: fmt.Sprint("spin2:", spin.ID), Memo: Receipt(spin), Moves: ledger.RewardMoves(models.HouseWheel, extra),
		}, now)
	},
}

// DoubledSpin returns a spin and the player once the confirmation of an ad has multiplied its prize. It refuses with not_found;
// with not_eligible if no ad can multiply it; with ad_not_confirmed; and with already_claimed if it was claimed and no ad is under
// way for it.
func (s *Store) DoubledSpin(ctx context.Context, id models.PlayerID, spinID int64, now time.Time) (models.Spin, models.Player, error) {
	return s.doubledSpin(ctx, id, spinID, false, now)
}

// DoubledChest is DoubledSpin for a chest; a spin without one is refused with not_eligible.
func (s *Store) DoubledChest(ctx context.Context, id models.PlayerID, spinID int64, now time.Time) (models.Spin, models.Player, error) {
	return s.doubledSpin(ctx, id, spinID, true, now)
}

func (s *Store) doubledSpin(ctx context.Context, id models.PlayerID, spinID int64, needsChest bool, now time.Time) (spin models.Spin, player models.Player, err error) {
	player, err = s.ledger.WithPlayer(ctx, id, models.Player.CanRequest, func(tx *gorm.DB, _ *models.Player) (err error) {
		if spin, err = oneSpin(tx, id, spinID); err != nil {
			return err
		}
		if needsChest && spin.Chest == game.NoChest {
			return game.Refuse(models.NotEligible)
		}
		if spin.State == models.SpinDoubled {
			return ads.AcknowledgeAll(tx, id, models.AdRoulette, now)
		}
		if spin.Odds().WithAd(spin.Drawn()) == 1 {
			return game.Refuse(models.NotEligible)
		}
		underWay, err := ads.InProgress(tx, id, models.AdRoulette, spinID, now)
		if err != nil {
			return err
		}
		if spin.State == models.SpinClaimed && !underWay {
			return game.Refuse(game.AlreadyClaimed)
		}
		return game.Refuse(models.AdNotConfirmed)
	})
	return spin, player, err
}
