package mines

import (
	"context"
	"fmt"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/commit"
	"mcbk/models/ledger"
	"mcbk/models/taps"
)

// Dug is the answer to a batch, as of when the batch was accepted.
type Dug struct {
	Accepted          int
	Total             game.MicroMCBK // ore in this tournament
	Energy, MaxEnergy int
	Revision          int64 // of the player's row
}

// runningTournament reads the tournament of a command's moment. A transaction that closes it waits for the command's, and every later
// one sees that it is closed.
var runningTournament = commit.Rows[models.Tournament]{
	Columns: "t.id, t.starts_at, t.ends_at, t.state", From: "JOIN tournaments t ON t.starts_at <= w.at AND t.ends_at > w.at", Share: "t",
	Fields: func(t *models.Tournament) []any { return []any{&t.ID, &t.Start, &t.End, &t.State} },
}

// ownMiner reads a player's miner in the tournament of the command's moment.
var ownMiner = commit.Rows[models.Miner]{
	Columns: models.MinerColumns,
	From: `JOIN tournaments t ON t.starts_at <= w.at AND t.ends_at > w.at
		JOIN miners m ON m.tournament_id = t.id AND m.player_id = w.player_id`,
	Fields: (*models.Miner).ScanFields,
}

var saveMiner = commit.Write[*models.Miner]{Checked: true, Statement: saveMiners}

// Dig credits as much of a batch as energy and pace allow, in the tournament that runs at now: posting, player and miner in one
// transaction. A batch of which something was accepted before returns its first answer. It refuses with user_blocked,
// age_consent_required, season_not_started, season_over, tournament_not_active, mine_locked and, for a known batch id with another
// count, idempotency_key_reused. ErrNotFound is a person without a player.
func (s *Store) Dig(ctx context.Context, batch taps.Batch, season game.Season, now time.Time) (Dug, error) {
	by, err := s.taps.Caller(batch)
	if err != nil {
		return Dug{}, err
	}
	rules := s.settings.RuntimeSettings(ctx, now).TapRules()
	dug, _, err := commit.Run(ctx, s.commit, commit.Command[Dug]{
		Caller: by, Now: now, Wants: []commit.Want{runningTournament.For(0, ""), ownMiner.For(0, "")},
		Decide: func(c *commit.Scope) (Dug, error) {
			if err := c.Player.CanEarn(season, now); err != nil {
				return Dug{}, err
			}
			m, minerErr := ownMiner.One(c)
			t, err := runningTournament.One(c)
			switch {
			case err != nil && minerErr == nil:
				return Dug{}, commit.ErrOwnTx // another transaction holds the tournament
			case err != nil || t.At(now) != game.TournamentRunning:
				return Dug{}, game.Refuse(game.TournamentNotActive)
			case minerErr != nil:
				return Dug{}, game.Refuse(game.MineLocked)
			}
			before := m.Ore
			after, accepted := m.Dig(rules, batch.Sent, now)
			dug := Dug{Accepted: accepted, Total: after.Ore, Energy: after.Energy(), MaxEnergy: after.Mine().Energy, Revision: c.Player.Revision}
			if accepted == 0 { // nothing happened, and nothing is stored: the same id may come again
				return dug, nil
			}
			dug.Revision++
			m.Digger = after
			saveMiner.Add(c, &m)
			return dug, c.Post(ledger.Entry{
				Reference: ledger.BatchReference(by.Key),
				Memo:      ledger.DigReceipt{Tournament: t.ID, Sent: batch.Sent, Accepted: accepted, After: after, Revision: c.Player.Revision + 1}.Encode(),
				Moves:     []ledger.Move{{From: models.HouseMines, To: models.AccountMine, Asset: models.AssetOre, Amount: int64(after.Ore - before)}},
			})
		},
		Restore: func(first commit.BatchRecord, p *models.Player) (Dug, error) {
			return repeatedAnswer(first, p, batch.Sent)
		},
	})
	return dug, err
}

// repeatedAnswer returns the first answer to a batch that comes again. The same id with another count, or of taps at the bag, is
// refused with idempotency_key_reused.
func repeatedAnswer(first commit.BatchRecord, p *models.Player, sent int) (Dug, error) {
	if !ledger.IsDigReceipt(first.Memo) {
		return Dug{}, game.Refuse(models.IdempotencyKeyReused)
	}
	receipt, err := ledger.DecodeDigReceipt(first.Memo)
	if err != nil {
		return Dug{}, fmt.Errorf("read the receipt of a batch of player %d: %w", p.ID, err)
	}
	if receipt.Sent != sent {
		return Dug{}, game.Refuse(models.IdempotencyKeyReused)
	}
	return Dug{Accepted: receipt.Accepted, Total: receipt.After.Ore, Energy: receipt.After.Energy(), MaxEnergy: receipt.After.Mine().Energy, Revision: receipt.Revision}, nil
}
