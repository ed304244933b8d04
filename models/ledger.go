package models

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
)

// entry is one fact about one player: its postings are written together, once.
type entry struct {
	reference string
	memo      string
	moves     []move
}

type move struct {
	from, to Account
	asset    Asset
	amount   int64 // in the asset's unit, never negative
}

// possible reports whether both accounts exist, differ and hold the asset.
func (m move) possible() bool {
	return m.from != m.to && m.amount >= 0 && holds(m.from, m.asset) && holds(m.to, m.asset)
}

// journal is what one transaction posts. It is the only way to change a balance: record changes it in the locked rows, write puts
// postings and rows into the database.
type journal struct {
	postings []Posting
	players  []*Player                        // each once, in the order first touched
	columns  func(players []*Player) []column // further ones of the players that changed; nil for none
	besides  []statement                      // further writes, each on rows of its own
}

// record posts an entry to a player whose row is locked in the same transaction, and changes their balances at once, so that the
// next entry sees them. It refuses amounts that no ledger can hold and amounts that the player does not have. An entry that was
// posted before makes write fail: callers look for it first, under the lock.
func (j *journal) record(p *Player, e entry, now time.Time) error {
	if len(e.moves) == 0 {
		return fmt.Errorf("entry %q of player %d moves nothing", e.reference, p.ID)
	}
	for line, m := range e.moves {
		if !m.possible() {
			return fmt.Errorf("entry %q of player %d: no %d %s can move from %s to %s", e.reference, p.ID, m.amount, m.asset, m.from, m.to)
		}
		if from := p.Balances.amount(m.from); from != nil {
			if *from < m.amount {
				return fmt.Errorf("entry %q of player %d: account %s holds %d, %d asked", e.reference, p.ID, m.from, *from, m.amount)
			}
			*from -= m.amount
		}
		if to := p.Balances.amount(m.to); to != nil {
			*to += m.amount
		}
		posting := Posting{
			PlayerID: p.ID, Reference: e.reference, Line: line,
			Source: m.from, Destination: m.to, Asset: m.asset, Amount: m.amount, Memo: e.memo, PostedAt: now,
		}
		posting.Mark = posting.checksum()
		j.postings = append(j.postings, posting)
	}
	if !slices.Contains(j.players, p) {
		j.players = append(j.players, p)
	}
	return nil
}

// post changes what players own: it locks them, lets decide record entries on their rows, and writes what was recorded. The
// group commits of taps, digs and spins lock and write many players together instead.
func (s *Store) post(tx *gorm.DB, ids []PlayerID, decide func(locked map[PlayerID]*Player, all *journal) error) error {
	locked, err := s.lockPlayers(tx, ids)
	if err != nil {
		return err
	}
	var all journal
	if err := decide(locked, &all); err != nil {
		return err
	}
	return s.writeJournal(tx, &all)
}

// booking is what post began, for steps of it that need most of that.
type booking struct {
	tx     *gorm.DB
	locked map[PlayerID]*Player
	all    *journal
	now    time.Time
}

// writeJournal stores everything recorded, however many players it touches: the postings and the players' rows, in one trip to the
// database if it allows that.
func (s *Store) writeJournal(tx *gorm.DB, j *journal) error {
	if len(j.players) == 0 {
		if j.columns != nil || len(j.besides) > 0 {
			return errors.New("write a journal: it changes what no entry is recorded for")
		}
		return nil
	}
	changed := playColumns(j.players)
	if j.columns != nil {
		changed = append(changed, j.columns(j.players)...)
	}
	writes := append([]statement{insertPostings(s.DB.dialect, j.postings)}, j.besides...)
	saved, err := s.DB.dialect.inOneTrip(tx, append(writes, savePlayers(s.DB.dialect, j.players, changed))...)
	if err != nil {
		return fmt.Errorf("write %d postings, the first %q of player %d: %w", len(j.postings), j.postings[0].Reference, j.postings[0].PlayerID, err)
	}
	if saved != int64(len(j.players)) {
		return fmt.Errorf("write %d players, the first %d: %d rows", len(j.players), j.players[0].ID, saved)
	}
	onCommit(tx, func() { s.reportPostings(j.postings) })
	return nil
}

// reportPostings counts committed postings, and has the players' places on the boards read again.
func (s *Store) reportPostings(postings []Posting) {
	kinds := map[string]int{}
	for _, p := range postings {
		kind, _, _ := strings.Cut(p.Reference, ":")
		kinds[kind]++
		s.changedOnBoards(p.PlayerID)
	}
	for kind, n := range kinds {
		s.DB.meter.Postings(kind, n)
	}
}

func insertPostings(d dialect, rows []Posting) statement {
	table, values := d.values(
		integers("player_id", rows, func(p Posting) PlayerID { return p.PlayerID }),
		texts("reference", rows, func(p Posting) string { return p.Reference }),
		integers("line", rows, func(p Posting) int { return p.Line }),
		texts("source", rows, func(p Posting) Account { return p.Source }),
		texts("destination", rows, func(p Posting) Account { return p.Destination }),
		texts("asset", rows, func(p Posting) Asset { return p.Asset }),
		integers("amount", rows, func(p Posting) int64 { return p.Amount }),
		texts("memo", rows, func(p Posting) string { return p.Memo }),
		times("posted_at", rows, func(p Posting) time.Time { return p.PostedAt }),
		integers("mark", rows, func(p Posting) int64 { return p.Mark }),
	)
	return statement{`INSERT INTO postings (player_id, reference, line, source, destination, asset, amount, memo, posted_at, mark)
		SELECT * FROM ` + table, values}
}

// savePlayers writes those columns of players and no other.
func savePlayers(d dialect, players []*Player, changed []column) statement {
	sets := make([]string, len(changed))
	for i, c := range changed {
		sets[i] = c.name + " = v." + c.name
	}
	table, values := d.values(append([]column{integers("id", players, func(p *Player) PlayerID { return p.ID })}, changed...)...)
	return statement{"UPDATE players SET " + strings.Join(sets, ", ") + " FROM " + table + " WHERE players.id = v.id", values}
}

// playColumns returns the columns that any play may change.
func playColumns(players []*Player) []column {
	return []column{
		integers("balance_game", players, func(p *Player) game.MicroMCBK { return p.Balances.Game }),
		integers("balance_referral", players, func(p *Player) game.MicroMCBK { return p.Balances.Referral }),
		integers("balance_purchased", players, func(p *Player) game.MicroMCBK { return p.Balances.Purchased }),
		integers("balance_game_points", players, func(p *Player) int64 { return p.Balances.GamePoints }),
		integers("balance_referral_points", players, func(p *Player) int64 { return p.Balances.ReferralPoints }),
		integers("balance_mine", players, func(p *Player) game.MicroMCBK { return p.Balances.Mine }),
		integers("balance_spins", players, func(p *Player) int64 { return p.Balances.Spins }),
		integers("balance_ad_spins", players, func(p *Player) int64 { return p.Balances.AdSpins }),
		integers("bag_spins", players, func(p *Player) int { return p.Bag.Spins }),
		integers("bag_day", players, func(p *Player) game.Day { return p.Bag.Day }),
		integers("bag_taps_today", players, func(p *Player) int { return p.Bag.TapsToday }),
		integers("bag_energy_spent", players, func(p *Player) int { return p.Bag.EnergySpent }),
		integers("bag_allowance_milli", players, func(p *Player) int64 { return p.Bag.AllowanceMilli }),
		times("bag_allowance_at", players, func(p *Player) time.Time { return p.Bag.AllowanceAt }),
	}
}

// Postings lists a player's postings, oldest first.
func (s *Store) Postings(ctx context.Context, id PlayerID) ([]Posting, error) {
	var all []Posting
	err := s.DB.committed(ctx).Raw("SELECT "+columns[Posting]("postings")+" FROM postings WHERE player_id = ? ORDER BY id", id).Scan(&all).Error
	return all, explained(err)
}

// pays returns the moves of a reward from a house account to the game balances.
func pays(from Account, r game.Reward) []move {
	var moves []move
	if r.Coins > 0 {
		moves = append(moves, move{from: from, to: AccountGame, asset: AssetMCBK, amount: int64(r.Coins)})
	}
	if r.Points > 0 {
		moves = append(moves, move{from: from, to: AccountGamePoints, asset: AssetPoint, amount: r.Points})
	}
	return moves
}
