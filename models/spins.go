package models

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// SpinPatience is how long a prize waits to be claimed or doubled before it is paid as it is.
const SpinPatience = 24 * time.Hour

// Spin is a turn of the wheel.
type Spin struct {
	ID          int64
	PlayerID    PlayerID
	SeedID      int64
	Nonce       int64 // of the seed
	OddsVersion int
	Segment     int // of the wheel, 0 to 9
	Chest       int // place in the chest's table, or game.NoChest
	Golden      bool
	StreakEnd   *game.Day // of a golden spin, UTC day of the last spin before it
	State       SpinState
	SpunAt      time.Time
	SettledAt   *time.Time // UTC; when it was first paid, nil while pending
}

// SpinState is where a spin stands.
type SpinState string

// A prize of coins is credited at once; another is pending until it is claimed or doubled, or
// paid with the next spin or after 24 hours. Doubled also ends a claimed or golden credited one.
const (
	SpinCredited SpinState = "credited"
	SpinPending  SpinState = "pending"
	SpinClaimed  SpinState = "claimed"
	SpinDoubled  SpinState = "doubled"
)

// Drawn is where the spin stopped.
func (s Spin) Drawn() game.Spin {
	return game.Spin{Outcome: game.Outcome{Segment: s.Segment, Chest: s.Chest}, Golden: s.Golden}
}

// Odds are those the spin was made under.
func (s Spin) Odds() game.Odds {
	odds, _ := game.OddsOf(s.OddsVersion) // verify tells of one that never was
	return odds
}

// TurnWheel takes a free spin and turns the wheel. What waited from the spin before is paid first, as it is.
// It refuses with no_spins_left, golden_not_available, and what every earning call refuses with.
func (s *Store) TurnWheel(ctx context.Context, id PlayerID, golden bool, season game.Season, now time.Time) (spin Spin, player Player, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		return s.post(tx, []PlayerID{id}, func(locked map[PlayerID]*Player, all *journal) error {
			p := locked[id]
			if err := p.mayEarn(season, now); err != nil {
				return err
			}
			if err := giveSpins(p, all, now); err != nil {
				return err
			}
			switch {
			case golden && !p.Wheel.Golden():
				return game.Refuse(game.GoldenNotAvailable)
			case p.Balances.Spins < 1:
				return game.Refuse(game.NoSpinsLeft)
			}
			if err := payWaiting(tx, p, all, now); err != nil {
				return err
			}
			spin, err = s.turn(tx, p, golden, all, now)
			player = *p
			return err
		})
	})
	return spin, player, err
}

// turn makes a spin of a locked player: what it costs, where it stops and, for coins, what it pays.
func (s *Store) turn(tx *gorm.DB, p *Player, golden bool, all *journal, now time.Time) (Spin, error) {
	taken, err := s.takeTicket(tx, p.ID, now)
	if err != nil {
		return Spin{}, err
	}
	odds := game.PresentOdds()
	at := odds.Draw(game.Rolls(taken.Seed.server(), taken.Seed.ClientSeed, taken.nonce()))
	spin := Spin{
		ID: taken.Spin, PlayerID: p.ID, SeedID: taken.Seed.ID, Nonce: taken.nonce(), OddsVersion: odds.Version, Segment: at.Segment, Chest: at.Chest,
		Golden: golden, State: SpinPending, SpunAt: now,
	}
	if golden {
		end := p.Wheel.SpunDay
		spin.StreakEnd = &end
	}
	if odds.AtOnce(spin.Drawn()) {
		spin.State, spin.SettledAt = SpinCredited, &now
	}
	err = all.record(p, entry{
		reference: fmt.Sprint("roll:", spin.ID), memo: spinReceipt(spin),
		moves: []move{{from: AccountSpins, to: houseWheel, asset: AssetSpin, amount: 1}},
	}, now)
	if err != nil {
		return Spin{}, err
	}
	p.Bag.Spins++
	wheel := p.Wheel.Spun(game.DayOf(now), golden)
	if spin.State == SpinCredited {
		wheel.Won += odds.Prize(spin.Drawn()).Coins
		if err := all.record(p, prizeEntry(p, spin), now); err != nil {
			return Spin{}, err
		}
	}
	all.turn(p, wheel)
	advance, err := s.advance(tx, p.ID, game.RouletteSpin, 1, now)
	all.besides = append(all.besides, insertSpin(spin), advance)
	return spin, err
}

func insertSpin(s Spin) statement {
	return statement{`INSERT INTO spins (id, player_id, seed_id, nonce, odds_version, segment, chest, golden, streak_end, state, spun_at, settled_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, []any{
		s.ID, s.PlayerID, s.SeedID, s.Nonce, s.OddsVersion, s.Segment, s.Chest, s.Golden, s.StreakEnd, s.State, s.SpunAt, s.SettledAt,
	}}
}

// spinReceipt is what verify needs to know of a spin to tell what it pays.
func spinReceipt(s Spin) string {
	return fmt.Sprint(s.OddsVersion, " ", s.Segment, " ", s.Chest, " ", s.Golden)
}

// prizeEntry pays a spin without an ad; spins only as many as a player may hold.
func prizeEntry(p *Player, s Spin) entry {
	prize := s.Odds().Prize(s.Drawn())
	moves := pays(houseWheel, prize.Reward)
	if prize.Spins > 0 {
		amount := max(min(prize.Spins, game.MostSpins-p.Balances.Spins), 0)
		moves = append(moves, move{from: houseWheel, to: AccountSpins, asset: AssetSpin, amount: amount})
	}
	return entry{reference: fmt.Sprint("spin:", s.ID), memo: spinReceipt(s), moves: moves}
}

// payPrize pays a pending spin of a locked player as it is.
func payPrize(p *Player, s Spin, all *journal, now time.Time) error {
	wheel := p.Wheel
	wheel.Won += s.Odds().Prize(s.Drawn()).Coins
	all.turn(p, wheel)
	return all.record(p, prizeEntry(p, s), now)
}

// payWaiting pays what a locked player left pending, if there is something.
func payWaiting(tx *gorm.DB, p *Player, all *journal, now time.Time) error {
	return payThose(tx, p, all, now, "")
}

// payForgotten pays what a locked player left pending up to a moment.
func payForgotten(tx *gorm.DB, p *Player, upTo time.Time, all *journal, now time.Time) error {
	return payThose(tx, p, all, now, " AND spun_at <= ?", upTo)
}

// payThose has no bound of time unless one is asked for: for any time of day PostgreSQL would read the
// pending spins of everybody in the order of their times.
func payThose(tx *gorm.DB, p *Player, all *journal, now time.Time, which string, values ...any) error {
	var waiting []Spin
	err := tx.Raw("UPDATE spins SET state = 'claimed', settled_at = ? WHERE player_id = ? AND state = 'pending'"+which+" RETURNING *",
		append([]any{now, p.ID}, values...)...).Find(&waiting).Error
	if err != nil {
		return fmt.Errorf("end the pending spin of player %d: %w", p.ID, err)
	}
	for _, spin := range waiting {
		if err := payPrize(p, spin, all, now); err != nil {
			return err
		}
	}
	return nil
}

// ClaimSpin pays a pending prize as it is. It refuses with not_found, already_claimed, and what
// every earning call refuses with.
func (s *Store) ClaimSpin(ctx context.Context, id PlayerID, spinID int64, season game.Season, now time.Time) (Player, error) {
	_, player, err := s.claimSpin(ctx, id, spinID, season, now, func(Spin) error { return nil })
	return player, err
}

// ClaimChest is ClaimSpin for a chest; a spin without one is refused with not_eligible.
func (s *Store) ClaimChest(ctx context.Context, id PlayerID, spinID int64, season game.Season, now time.Time) (Spin, Player, error) {
	return s.claimSpin(ctx, id, spinID, season, now, hasChest)
}

func hasChest(s Spin) error {
	if s.Chest == game.NoChest {
		return game.Refuse(NotEligible)
	}
	return nil
}

func (s *Store) claimSpin(ctx context.Context, id PlayerID, spinID int64, season game.Season, now time.Time, fits func(Spin) error) (spin Spin, player Player, err error) {
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		return s.post(tx, []PlayerID{id}, func(locked map[PlayerID]*Player, all *journal) (err error) {
			p := locked[id]
			if err := p.mayEarn(season, now); err != nil {
				return err
			}
			if spin, err = oneSpin(tx, id, spinID); err != nil {
				return err
			}
			if err := fits(spin); err != nil {
				return err
			}
			if spin.State != SpinPending {
				return game.Refuse(game.AlreadyClaimed)
			}
			if err := settleSpin(tx, &spin, SpinClaimed, now); err != nil {
				return err
			}
			err = payPrize(p, spin, all, now)
			player = *p
			return err
		})
	})
	return spin, player, err
}

// settleSpin moves a spin of a locked player to a state in which it is paid.
func settleSpin(tx *gorm.DB, s *Spin, to SpinState, now time.Time) error {
	moved := tx.Exec("UPDATE spins SET state = ?, settled_at = COALESCE(settled_at, ?) WHERE id = ? AND state = ?", to, now, s.ID, s.State)
	if moved.Error != nil {
		return fmt.Errorf("settle spin %d: %w", s.ID, moved.Error)
	}
	if moved.RowsAffected != 1 {
		return fmt.Errorf("settle spin %d: %d rows", s.ID, moved.RowsAffected)
	}
	s.State = to
	return nil
}

func oneSpin(tx *gorm.DB, id PlayerID, spinID int64) (Spin, error) {
	var found []Spin
	if err := tx.Raw("SELECT * FROM spins WHERE id = ? AND player_id = ?", spinID, id).Scan(&found).Error; err != nil {
		return Spin{}, fmt.Errorf("read a spin: %w", err)
	}
	if len(found) == 0 {
		return Spin{}, fmt.Errorf("spin: %w", ErrNotFound)
	}
	return found[0], nil
}

// PaySpins pays the prizes that waited for 24 hours, as they are, and returns how many. Done again
// it finds nothing to do.
func (s *Store) PaySpins(ctx context.Context, now time.Time) (paid int64, err error) {
	upTo := now.Add(-SpinPatience)
	for {
		var players []PlayerID
		err := s.read.WithContext(ctx).Raw("SELECT player_id FROM spins WHERE state = 'pending' AND spun_at <= ? ORDER BY spun_at LIMIT ?",
			upTo, payAtOnce).Scan(&players).Error
		if err != nil {
			return paid, explained(fmt.Errorf("find spins to pay: %w", err))
		}
		if len(players) == 0 {
			return paid, nil
		}
		err = s.inTx(ctx, func(tx *gorm.DB) error {
			return s.post(tx, players, func(locked map[PlayerID]*Player, all *journal) error {
				for _, id := range players {
					if err := payForgotten(tx, locked[id], upTo, all, now); err != nil {
						return err
					}
				}
				return nil
			})
		})
		if err != nil {
			return paid, err
		}
		paid += int64(len(players))
	}
}
