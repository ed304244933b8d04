package models

import (
	"context"
	"encoding/hex"
	"fmt"
	"io"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// TapBatch is what a client says was tapped since its last batch.
type TapBatch struct {
	Player PlayerID
	Sent   int    // taps claimed, 1 to game.MaxTapBatch
	Key    string // the batch's id; the same id again gets the first answer. May be empty.
}

// Tapped is the answer to a batch.
type Tapped struct {
	Accepted int
	Player   Player // as it stood when the batch was accepted
}

// IdempotencyKeyReused refuses a known key that comes with another body.
const IdempotencyKeyReused game.Code = "idempotency_key_reused"

// Tap credits as much of a batch as energy and pace allow (decision 0005): two rows, the
// posting and the player, in one transaction. A batch seen before returns its first answer.
// It refuses with age_consent_required, season_not_started, season_over and, for a known
// batch id with another count, idempotency_key_reused.
func (s *Store) Tap(ctx context.Context, batch TapBatch, season game.Season, now time.Time) (Tapped, error) {
	reference, err := s.tapReference(batch.Key)
	if err != nil {
		return Tapped{}, err
	}
	var answer Tapped
	err = s.inTx(ctx, func(tx *gorm.DB) error {
		player, err := s.lockPlayer(tx, batch.Player)
		if err != nil {
			return err
		}
		before, err := posted(tx, batch.Player, reference)
		if err != nil {
			return err
		}
		if before != nil {
			answer, err = recall(*before, player, batch.Sent)
			return err
		}
		if err := player.mayEarn(season, now); err != nil {
			return err
		}
		player.Bag, answer.Accepted = player.Bag.Tap(batch.Sent, now)
		coins := game.TapCoins(answer.Accepted)
		err = post(tx, &player, entry{
			reference: reference,
			memo:      tapReceipt(batch.Sent, answer.Accepted, player.Bag, player.Balances.plus(coins)),
			moves:     []move{{from: houseTaps, to: AccountGame, asset: AssetMCBK, amount: int64(coins)}},
		}, now)
		answer.Player = player
		return err
	})
	return answer, err
}

// tapReceipt is the answer to a batch in few bytes, kept with its posting for a repeated
// request: every number that the player's later life may change, in recall's order.
func tapReceipt(sent, accepted int, bag game.Bag, b Balances) string {
	return fmt.Sprint(sent, accepted, bag.Spins, bag.EnergySpent, int64(b.Game), int64(b.Referral), int64(b.Purchased),
		b.GamePoints, b.ReferralPoints, int64(b.Mine), b.Spins, b.AdSpins)
}

// recall rebuilds the first answer to a batch that comes again. The same id with another
// count is refused with idempotency_key_reused.
func recall(p Posting, player Player, sent int) (Tapped, error) {
	var (
		first    int
		accepted int
		b        Balances
	)
	player.Bag.Day = game.DayOf(p.PostedAt)
	_, err := fmt.Sscan(p.Memo, &first, &accepted, &player.Bag.Spins, &player.Bag.EnergySpent, &b.Game, &b.Referral, &b.Purchased,
		&b.GamePoints, &b.ReferralPoints, &b.Mine, &b.Spins, &b.AdSpins)
	if err != nil {
		return Tapped{}, fmt.Errorf("read receipt of %q, player %d: %w", p.Reference, p.PlayerID, err)
	}
	if first != sent {
		return Tapped{}, game.Refuse(IdempotencyKeyReused)
	}
	player.Balances = b
	return Tapped{Accepted: accepted, Player: player}, nil
}

// tapReference names the batch's entry. A client's key cannot contain "~", so a key made
// here for a batch without one never meets it.
func (s *Store) tapReference(key string) (string, error) {
	if key != "" {
		return "tap:" + key, nil
	}
	var random [12]byte
	if _, err := io.ReadFull(s.entropy, random[:]); err != nil {
		return "", fmt.Errorf("name a tap batch: %w", err)
	}
	return "tap:~" + hex.EncodeToString(random[:]), nil
}
