package ledger

import (
	"context"
	"fmt"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
)

// Entry is one fact about one player: its postings are written together, once.
type Entry struct {
	Reference string
	Memo      string
	Moves     []Move
}

// Move is a line of an entry.
type Move struct {
	From, To models.Account
	Asset    models.Asset
	Amount   int64 // in the asset's unit, never negative
}

// Possible reports whether both accounts exist, differ and hold the asset.
func (m Move) Possible() bool {
	return m.From != m.To && m.Amount >= 0 && holds(m.From, m.Asset) && holds(m.To, m.Asset)
}

// Tx is what one transaction posts. It is the only way to change a balance: Record changes it in the locked rows, Post or a round of
// commands writes postings and rows to the database.
type Tx struct {
	Postings []models.Posting
}

// Record posts an entry to a player whose row is locked in the same transaction, and changes their balances at once, so that the
// next entry sees them. It refuses amounts that no ledger can hold and amounts that the player does not have. An entry that was
// posted before makes write fail: callers search it first, under the lock.
func (j *Tx) Record(p *models.Player, e Entry, now time.Time) error {
	if len(e.Moves) == 0 {
		return fmt.Errorf("entry %q of player %d moves nothing", e.Reference, p.ID)
	}
	for line, m := range e.Moves {
		if !m.Possible() {
			return fmt.Errorf("entry %q of player %d: no %d %s can move from %s to %s", e.Reference, p.ID, m.Amount, m.Asset, m.From, m.To)
		}
		if from := p.Balances.Amount(m.From); from != nil {
			if *from < m.Amount {
				return fmt.Errorf("entry %q of player %d: account %s holds %d, %d asked", e.Reference, p.ID, m.From, *from, m.Amount)
			}
			*from -= m.Amount
		}
		if to := p.Balances.Amount(m.To); to != nil {
			*to += m.Amount
		}
		posting := models.Posting{
			PlayerID: p.ID, Reference: e.Reference, Line: line,
			Source: m.From, Destination: m.To, Asset: m.Asset, Amount: m.Amount, Memo: e.Memo, PostedAt: now,
		}
		posting.Mark = posting.Checksum()
		j.Postings = append(j.Postings, posting)
	}
	return nil
}

// Post changes what players own: it locks them, lets decide record entries and change what play changes of their rows, and writes
// both in one trip if the database allows that.
func (s *Ledger) Post(tx *gorm.DB, ids []models.PlayerID, decide func(locked map[models.PlayerID]*models.Player, all *Tx) error) error {
	all, err := s.lockPlayers(tx, ids)
	if err != nil {
		return err
	}
	locked := make(map[models.PlayerID]*models.Player, len(all))
	for _, p := range all {
		locked[p.ID] = &p
	}
	var posted Tx
	if err := decide(locked, &posted); err != nil {
		return err
	}
	var before, after []*models.Player
	for i := range all {
		if p := locked[all[i].ID]; *p != all[i] {
			p.Revision++
			before, after = append(before, &all[i]), append(after, p)
		}
	}
	var writes []db.Statement
	if len(posted.Postings) > 0 {
		writes = append(writes, InsertPostings(s.db.Dialect, posted.Postings))
	}
	if len(after) > 0 {
		writes = append(writes, SaveChanged(s.db.Dialect, before, after))
	}
	if err := s.db.Dialect.ExecBatch(tx, writes...); err != nil {
		return fmt.Errorf("write %d postings of %d players, the first %d: %w", len(posted.Postings), len(ids), ids[0], err)
	}
	db.OnCommit(tx, func() { s.ReportPostings(posted.Postings) })
	return nil
}

// Settlement is what post began, for steps of it that need most of that.
type Settlement struct {
	Tx     *gorm.DB
	Locked map[models.PlayerID]*models.Player
	Ledger *Tx
	Now    time.Time
}

// ReportPostings counts committed postings, and has the players' places on the boards read again.
func (s *Ledger) ReportPostings(postings []models.Posting) {
	kinds := map[string]int{}
	for _, p := range postings {
		kind, _, _ := strings.Cut(p.Reference, ":")
		kinds[kind]++
		s.leaderboard.MarkChanged(p.PlayerID)
	}
	for kind, n := range kinds {
		s.db.Meter.Postings(kind, n)
	}
}

// InsertPostings returns the statement that inserts postings.
func InsertPostings(d db.Dialect, rows []models.Posting) db.Statement {
	return d.Insert("postings",
		db.Integers("player_id", rows, func(p models.Posting) models.PlayerID { return p.PlayerID }),
		db.Texts("reference", rows, func(p models.Posting) string { return p.Reference }),
		db.Integers("line", rows, func(p models.Posting) int { return p.Line }),
		db.Texts("source", rows, func(p models.Posting) models.Account { return p.Source }),
		db.Texts("destination", rows, func(p models.Posting) models.Account { return p.Destination }),
		db.Texts("asset", rows, func(p models.Posting) models.Asset { return p.Asset }),
		db.Integers("amount", rows, func(p models.Posting) int64 { return p.Amount }),
		db.Texts("memo", rows, func(p models.Posting) string { return p.Memo }),
		db.Times("posted_at", rows, func(p models.Posting) time.Time { return p.PostedAt }),
		db.Integers("mark", rows, func(p models.Posting) int64 { return p.Mark }),
	)
}

// SaveChanged writes what play has changed of players, and their balances and revisions anyway.
func SaveChanged(d db.Dialect, before, after []*models.Player) db.Statement {
	columns := append(balanceColumns(after), db.Integers("revision", after, func(p *models.Player) int64 { return p.Revision }))
	for _, part := range playerParts {
		for i, p := range after {
			if part.changed(before[i], p) {
				columns = append(columns, part.columns(after)...)
				break
			}
		}
	}
	key := []db.Column{db.Integers("id", after, func(p *models.Player) models.PlayerID { return p.ID })}
	return d.Update("players", db.Assignments(columns), "players.id = v.id", append(key, columns...)...)
}

func balanceColumns(players []*models.Player) []db.Column {
	return []db.Column{
		db.Integers("balance_game", players, func(p *models.Player) game.MicroMCBK { return p.Balances.Game }),
		db.Integers("balance_referral", players, func(p *models.Player) game.MicroMCBK { return p.Balances.Referral }),
		db.Integers("balance_purchased", players, func(p *models.Player) game.MicroMCBK { return p.Balances.Purchased }),
		db.Integers("balance_game_points", players, func(p *models.Player) int64 { return p.Balances.GamePoints }),
		db.Integers("balance_referral_points", players, func(p *models.Player) int64 { return p.Balances.ReferralPoints }),
		db.Integers("balance_mine", players, func(p *models.Player) game.MicroMCBK { return p.Balances.Mine }),
		db.Integers("balance_spins", players, func(p *models.Player) int64 { return p.Balances.Spins }),
		db.Integers("balance_ad_spins", players, func(p *models.Player) int64 { return p.Balances.AdSpins }),
	}
}

// playerParts are the other columns that play changes, by what changes together.
var playerParts = []struct {
	changed func(a, b *models.Player) bool
	columns func(players []*models.Player) []db.Column
}{
	{func(a, b *models.Player) bool { return a.Bag != b.Bag }, func(players []*models.Player) []db.Column {
		return []db.Column{
			db.Integers("bag_spins", players, func(p *models.Player) int { return p.Bag.Spins }),
			db.Integers("bag_day", players, func(p *models.Player) game.Day { return p.Bag.Day }),
			db.Integers("bag_taps_today", players, func(p *models.Player) int { return p.Bag.TapsToday }),
			db.Integers("bag_energy_spent", players, func(p *models.Player) int { return p.Bag.EnergySpent }),
			db.Integers("bag_allowance_milli", players, func(p *models.Player) int64 { return p.Bag.AllowanceMilli }),
			db.Times("bag_allowance_at", players, func(p *models.Player) time.Time { return p.Bag.AllowanceAt }),
		}
	}},
	{func(a, b *models.Player) bool { return a.Visits != b.Visits }, func(players []*models.Player) []db.Column {
		return []db.Column{
			db.Integers("visits_day", players, func(p *models.Player) game.Day { return p.Visits.Day }),
			db.Integers("visits_streak", players, func(p *models.Player) int { return p.Visits.Streak }),
			db.Integers("visits_total", players, func(p *models.Player) int { return p.Visits.Total }),
			db.List("visits_doubled", "boolean", players, func(p *models.Player) bool { return p.Visits.Doubled }),
			db.Integers("visits_coins", players, func(p *models.Player) game.MicroMCBK { return p.Visits.Coins }),
			db.Integers("visits_points", players, func(p *models.Player) int64 { return p.Visits.Points }),
		}
	}},
	{func(a, b *models.Player) bool { return a.Wheel != b.Wheel }, func(players []*models.Player) []db.Column {
		return []db.Column{
			db.Integers("wheel_looked_day", players, func(p *models.Player) game.Day { return p.Wheel.SpinsGrantedDay }),
			db.Integers("wheel_spun_day", players, func(p *models.Player) game.Day { return p.Wheel.SpunDay }),
			db.Integers("wheel_streak", players, func(p *models.Player) int { return p.Wheel.Streak }),
			db.Integers("wheel_spins_today", players, func(p *models.Player) int { return p.Wheel.SpinsToday }),
			db.Integers("wheel_counted_day", players, func(p *models.Player) game.Day { return p.Wheel.CountedDay }),
			db.Integers("wheel_won", players, func(p *models.Player) game.MicroMCBK { return p.Wheel.Won }),
		}
	}},
	{func(a, b *models.Player) bool { return a.AdvisedDay != b.AdvisedDay || a.Loyalty != b.Loyalty }, func(players []*models.Player) []db.Column {
		return []db.Column{
			db.Integers("advised_day", players, func(p *models.Player) game.Day { return p.AdvisedDay }),
			db.Integers("loyalty_day", players, func(p *models.Player) game.Day { return p.Loyalty.Day }),
			db.List("loyalty_claimed", "boolean", players, func(p *models.Player) bool { return p.Loyalty.Claimed }),
		}
	}},
}

// Postings lists a player's postings, oldest first.
func (s *Ledger) Postings(ctx context.Context, id models.PlayerID) ([]models.Posting, error) {
	var all []models.Posting
	err := s.db.Committed(ctx).Raw("SELECT "+db.Columns[models.Posting]("postings")+" FROM postings WHERE player_id = ? ORDER BY id", id).Scan(&all).Error
	return all, db.WrapUnavailable(err)
}

// RewardMoves returns the moves of a reward from a house account to the game balances.
func RewardMoves(from models.Account, r game.Reward) []Move {
	var moves []Move
	if r.Coins > 0 {
		moves = append(moves, Move{From: from, To: models.AccountGame, Asset: models.AssetMCBK, Amount: int64(r.Coins)})
	}
	if r.Points > 0 {
		moves = append(moves, Move{From: from, To: models.AccountGamePoints, Asset: models.AssetPoint, Amount: r.Points})
	}
	return moves
}
