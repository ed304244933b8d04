package leaderboard

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ranks"
)

// RankBy is the score that a board ranks players by.
type RankBy int

// The boards. Equal scores are ordered by the lower id. (decision 0038: ranks)
const (
	ByCoins     RankBy = iota // the game bucket, micro-MCBK
	ByPoints                  // game points
	ByPurchased               // the purchased bucket, micro-MCBK
	boardCount
)

// of returns a player's score on a board.
func (by RankBy) of(b models.Balances) int64 {
	return [boardCount]int64{int64(b.Game), b.GamePoints, int64(b.Purchased)}[by]
}

const (
	// readAtOnce is how many rows or postings a statement reads, so that no snapshot is held for long, and a slow disk allows it
	// within statementTimeout.
	readAtOnce = 10_000
	// refreshedAtOnce is how many rows are read again, in a cycle, each time the ledger is followed: whatever was missed is right
	// again after a while.
	refreshedAtOnce = 5_000
	// mostFollowed is how far behind the newest posting it begins at most. Changes by a transaction that stays open for longer than
	// that many postings are left to the cycle.
	mostFollowed = 500_000
	// maxChanged is how many changed players are remembered between two readings of them; further ones are found in the ledger.
	maxChanged = 100_000
)

// MarkChanged notes that rows of players were committed. It does not block.
func (s *Store) MarkChanged(ids ...models.PlayerID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range ids {
		if len(s.waiting) < maxChanged {
			s.waiting[id] = struct{}{}
		}
	}
}

// MarkChangedOnCommit notes, once the transaction is committed, that a player's place may have changed though nothing was posted.
func (s *Store) MarkChangedOnCommit(tx *gorm.DB, id models.PlayerID) {
	db.OnCommit(tx, func() { s.MarkChanged(id) })
}

// watermark is a snapshot of the newest ids and of the transactions then running, from which the low-water mark follows.
type watermark struct {
	Posting int64
	Player  models.PlayerID
	Oldest  int64 // number of the oldest transaction that may still have been running, see dialect.transactions
	Next    int64 // above the number of each that had one
}

func (s *Store) watermark(ctx context.Context) (w watermark, err error) {
	oldest, next := s.db.Dialect.Transactions()
	err = s.db.Committed(ctx).Raw(`SELECT COALESCE((SELECT MAX(id) FROM postings), 0) AS posting, COALESCE((SELECT MAX(id) FROM players), 0) AS player, ` +
		oldest + " AS oldest, " + next + " AS next").Scan(&w).Error
	return w, db.Wrap(err, "read the ledger's newest posting")
}

// BuildRanks reads every player and builds the boards, once in the life of a process. Until it returns, nobody has a place.
func (s *Store) BuildRanks(ctx context.Context) error {
	begun, err := s.watermark(ctx)
	if err != nil {
		return db.WrapUnavailable(err)
	}
	var entries [boardCount][]ranks.Entry
	for after, more := models.PlayerID(0), true; more; {
		rows, err := s.boardRows(ctx, "p.id > ? ORDER BY p.id LIMIT ?", after, readAtOnce)
		if err != nil {
			return db.WrapUnavailable(err)
		}
		for _, row := range rows {
			if after = row.id; row.banned {
				s.banned[row.id] = true
				continue
			}
			for by := range boardCount {
				entries[by] = append(entries[by], row.entry(by))
			}
		}
		more = len(rows) == readAtOnce
	}
	var built [boardCount]*ranks.Board
	for by := range built {
		built[by] = ranks.NewBoard(entries[by])
		entries[by] = nil
	}
	// A transaction that ran when the first watermark was seen may have committed after its rows were read. So the ledger is read
	// again from as far back as it is followed at all.
	s.read = watermark{Posting: begun.Posting - mostFollowed, Player: begun.Player - refreshedAtOnce}
	s.seen = begun
	s.built.Store(&built)
	return nil
}

// FollowRanks brings the boards up to what any process has committed, and reads a part of all rows again.
func (s *Store) FollowRanks(ctx context.Context) error {
	// What one of them misses the others may find.
	return db.WrapUnavailable(errors.Join(s.followLedger(ctx, readAtOnce), s.refreshBanned(ctx), s.refreshNext(ctx)))
}

// followLedger reads again the players of postings that are not on the boards yet, and newcomers.
//
// A posting has its id before it is committed, so smaller ids may still appear below the newest that is visible. The watermark
// moves to a newest id only when every transaction that ran when it was seen has ended (as in SealLedger); until then the postings
// below it are read each time. It reads atOnce postings by a statement, and each player once: there may be mostFollowed of them,
// too many for one statement's time.
func (s *Store) followLedger(ctx context.Context, atOnce int64) error {
	now, err := s.watermark(ctx)
	if err != nil {
		return err
	}
	var ids []models.PlayerID
	for after := max(s.read.Posting, now.Posting-mostFollowed, 0); after < now.Posting; after += atOnce {
		var part []models.PlayerID
		err := s.db.Committed(ctx).Raw("SELECT DISTINCT player_id FROM postings WHERE id > ? AND id <= ?", after, after+atOnce).Scan(&part).Error
		if err != nil {
			return fmt.Errorf("read whom postings name: %w", err)
		}
		ids = append(ids, part...)
	}
	slices.Sort(ids)
	if err := s.RefreshRanks(ctx, slices.Compact(ids)); err != nil {
		return err
	}
	for after := max(int64(s.read.Player), 0); after < int64(now.Player); after += atOnce {
		if err := s.refresh(ctx, "p.id > ? AND p.id <= ?", after, after+atOnce); err != nil {
			return err
		}
	}
	if now.Oldest >= s.seen.Next {
		s.read, s.seen = s.seen, now
	}
	return nil
}

// DrainChanged returns the players whose rows this process has changed since it was last called.
func (s *Store) DrainChanged() []models.PlayerID {
	s.mu.Lock()
	defer s.mu.Unlock()
	ids := slices.Collect(maps.Keys(s.waiting))
	clear(s.waiting)
	return ids
}

// RefreshRanks reads these players again.
func (s *Store) RefreshRanks(ctx context.Context, ids []models.PlayerID) error {
	for part := range slices.Chunk(ids, refreshedAtOnce) {
		condition, args := s.db.Dialect.AnyOf("p.id", part)
		if err := s.refresh(ctx, condition, args...); err != nil {
			return db.WrapUnavailable(err)
		}
	}
	return nil
}

// refreshBanned reads players again who were banned or whose ban was lifted: no posting shows that.
func (s *Store) refreshBanned(ctx context.Context) error {
	var banned []models.PlayerID
	if err := s.db.Committed(ctx).Raw("SELECT id FROM players WHERE banned_at IS NOT NULL").Scan(&banned).Error; err != nil {
		return fmt.Errorf("list banned players: %w", err)
	}
	now := make(map[models.PlayerID]bool, len(banned))
	var changed []models.PlayerID
	for _, id := range banned {
		if now[id] = true; !s.banned[id] {
			changed = append(changed, id)
		}
	}
	for id := range s.banned {
		if !now[id] {
			changed = append(changed, id)
		}
	}
	if err := s.RefreshRanks(ctx, changed); err != nil {
		return err
	}
	s.banned = now
	return nil
}

func (s *Store) refreshNext(ctx context.Context) error {
	rows, err := s.boardRows(ctx, "p.id > ? ORDER BY p.id LIMIT ?", s.refreshedTo, refreshedAtOnce)
	if err != nil {
		return err
	}
	s.put(rows)
	s.refreshedTo = 0
	if len(rows) == refreshedAtOnce {
		s.refreshedTo = rows[len(rows)-1].id
	}
	return nil
}

func (s *Store) refresh(ctx context.Context, condition string, args ...any) error {
	rows, err := s.boardRows(ctx, condition, args...)
	if err == nil {
		s.put(rows)
	}
	return err
}

// put puts rows onto the boards. They were read after any that are there.
func (s *Store) put(rows []boardRow) {
	built := s.built.Load()
	if built == nil {
		return
	}
	for _, row := range rows {
		for by, board := range built {
			if row.banned {
				board.Remove(int64(row.id))
			} else {
				board.Set(row.entry(RankBy(by)))
			}
		}
	}
}

// boardRow is what the boards need of a player.
type boardRow struct {
	id       models.PlayerID
	balances models.Balances // only the scores that are ranked
	banned   bool
}

func (r boardRow) entry(by RankBy) ranks.Entry {
	return ranks.Entry{Score: by.of(r.balances), ID: int64(r.id)}
}

func (s *Store) boardRows(ctx context.Context, condition string, args ...any) (all []boardRow, err error) {
	query := s.db.Committed(ctx).Raw("SELECT p.id, p.balance_game, p.balance_game_points, p.balance_purchased, p.banned_at IS NOT NULL FROM players p WHERE "+
		condition, args...)
	err = db.Each(query, func(row db.Row) error {
		var r boardRow
		if err := row.Scan(&r.id, &r.balances.Game, &r.balances.GamePoints, &r.balances.Purchased, &r.banned); err != nil {
			return fmt.Errorf("read a score: %w", err)
		}
		all = append(all, r)
		return nil
	})
	return all, err
}
