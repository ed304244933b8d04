package models

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"gorm.io/gorm"
)

// maxCached is how many players' rows are cached, about 12 MB.
const maxCached = 20_000

// cachedPlayer is a cached row of a player with its version (PostgreSQL's xmin), for optimistic concurrency control.
type cachedPlayer struct {
	player  Player
	version string // PostgreSQL's xmin, which every change of the row changes, whoever makes it
}

// playerCache holds the rows of the players who tapped last, by Telegram id. A row may be stale: decisions based on it are written
// only if its version is unchanged. Only the group commit uses the cache, one group at a time.
type playerCache struct {
	db   *gorm.DB
	rows *simplelru.LRU[int64, cachedPlayer]
}

func newPlayerCache(db *gorm.DB) *playerCache {
	rows, err := simplelru.NewLRU[int64, cachedPlayer](maxCached, nil)
	if err != nil {
		panic(err) // the size is a constant above zero
	}
	return &playerCache{db, rows}
}

// tryCached decides batches on cached rows and writes them, in one statement that is its own transaction, if the rows are unchanged
// and no other transaction locks them. It answers the batches that were written or may have been, and returns the rest: refusals,
// batches seen before, rows that have changed. They are written under locks. (decision 0025)
func (s *Store) tryCached(ctx context.Context, group []*waitingTap) (left []*waitingTap) {
	if s.cache == nil || s.DB.skewed() != nil {
		return group
	}
	written, begun := map[*waitingTap]bool{}, false
	var posted []Posting
	err := recovered(func() error {
		tx := s.cache.db.WithContext(ctx)
		if err := s.cache.load(tx, group); err != nil {
			return err
		}
		draft, err := s.cache.decide(group, func(p *Player, w *waitingTap) bool { return s.mayReach(p, w.rules, w.batch.Sent, w.now) })
		if err != nil {
			return err
		}
		begun = true
		versions, err := draft.write(tx, s.DB.dialect)
		if err != nil {
			return err
		}
		for w, player := range draft.batches {
			if version, saved := versions[player.ID]; saved {
				written[w] = true
				s.cache.rows.Add(player.TelegramID, cachedPlayer{*player, version})
			}
		}
		posted = slices.DeleteFunc(draft.all.postings, func(p Posting) bool { return versions[p.PlayerID] == "" })
		return nil
	})
	for _, w := range group {
		if !written[w] {
			s.cache.rows.Remove(w.batch.TelegramID)
			w.answer, w.err = Tapped{}, nil
			left = append(left, w)
		}
	}
	if err = explained(err); begun && errors.Is(err, ErrTryAgain) { // it may have been committed, so it is not written again
		for _, w := range left {
			w.finish(err)
		}
		return nil
	}
	if len(written) > 0 {
		s.DB.meter.TapGroup(len(written))
		s.reportPostings(posted)
	}
	for w := range written {
		w.finish(nil)
	}
	return left
}

// load reads the rows of players that are not cached yet, without locking them.
func (c *playerCache) load(tx *gorm.DB, group []*waitingTap) error {
	var missing []int64
	for _, w := range group {
		if !c.rows.Contains(w.batch.TelegramID) {
			missing = append(missing, w.batch.TelegramID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	rows, err := tx.Raw("SELECT "+playerColumns("p")+", CAST(p.xmin AS text) FROM players p WHERE p.telegram_id = ANY(?)", array{missing}).Rows()
	if err != nil {
		return fmt.Errorf("cache %d players: %w", len(missing), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		var row cachedPlayer
		if err := rows.Scan(append(row.player.fields(), &row.version)...); err != nil {
			return fmt.Errorf("read a player who taps: %w", err)
		}
		c.rows.Add(row.player.TelegramID, row)
	}
	return rows.Err()
}

// draft is what a group would write if the cached rows are current.
type draft struct {
	all      journal
	versions map[PlayerID]string
	batches  map[*waitingTap]*Player // the batches that earned something
}

// decide leaves to the way under locks those batches that may complete a task, and those after them: the other rows that a task
// needs are not written here.
func (c *playerCache) decide(group []*waitingTap, mayReach func(p *Player, w *waitingTap) bool) (draft, error) {
	d := draft{versions: map[PlayerID]string{}, batches: make(map[*waitingTap]*Player, len(group))}
	players := make(map[int64]batchPlayer, len(group))
	locking := map[int64]bool{}
	for _, w := range group {
		if locking[w.batch.TelegramID] {
			continue
		}
		at, known := players[w.batch.TelegramID]
		if !known {
			row, ok := c.rows.Get(w.batch.TelegramID)
			if !ok {
				continue
			}
			player := row.player
			at = batchPlayer{player: &player, before: map[string]Posting{}}
			players[w.batch.TelegramID] = at
			d.versions[player.ID] = row.version
		}
		if mayReach(at.player, w) {
			locking[w.batch.TelegramID] = true
			continue
		}
		before := len(d.all.postings)
		if err := w.decide(at, &d.all); err != nil {
			return draft{}, err
		}
		if len(d.all.postings) > before {
			d.batches[w] = at.player
		}
	}
	return d, nil
}

// write stores the draft of each player whose row still has its version, is not locked, and has none of the batches yet; it returns
// their new versions. The rows are locked in ascending order of their ids, as everywhere that several are locked. `free` is
// compared as an array, built once: as a join PostgreSQL scanned it again for every row, even in a long batch. Earlier batches are
// looked up one by one (LATERAL … LIMIT 1): a join planned while the tables were empty would read them whole.
func (d draft) write(tx *gorm.DB, dialect dialect) (versions map[PlayerID]string, err error) {
	if len(d.batches) == 0 {
		return nil, nil
	}
	slices.SortFunc(d.all.players, func(a, b *Player) int { return int(a.ID - b.ID) })
	players, who := dialect.values(
		integers("id", d.all.players, func(p *Player) PlayerID { return p.ID }),
		texts("version", d.all.players, func(p *Player) string { return d.versions[p.ID] }),
	)
	batches := make([]*waitingTap, 0, len(d.batches))
	for w := range d.batches {
		batches = append(batches, w)
	}
	tapped, what := dialect.values(
		integers("player_id", batches, func(w *waitingTap) PlayerID { return d.batches[w].ID }),
		texts("reference", batches, func(w *waitingTap) string { return w.reference }),
		texts("key", batches, func(w *waitingTap) string { return w.batch.requestKey() }),
	)
	insert, save := insertPostings(dialect, d.all.postings), savePlayers(dialect, d.all.players, playColumns(d.all.players))
	rows, err := askPostgres(tx, statement{
		`WITH tapped AS MATERIALIZED (SELECT * FROM ` + tapped + `), free AS MATERIALIZED (
			SELECT p.id FROM ` + players + ` JOIN players p ON p.id = v.id
			WHERE p.xmin = CAST(v.version AS xid) AND p.id <> ALL (ARRAY(
				SELECT t.player_id FROM tapped t CROSS JOIN LATERAL (
					SELECT 1 FROM postings q WHERE q.player_id = t.player_id AND q.reference = t.reference LIMIT 1) posted_before
				UNION ALL
				SELECT t.player_id FROM tapped t CROSS JOIN LATERAL (
					SELECT 1 FROM idempotency_keys k WHERE k.player_id = t.player_id AND k.key = t.key LIMIT 1) answered_before
			)) ORDER BY p.id` + dialect.forUpdateSkipLocked("p") + `
		), posted AS (` + insert.text + ` WHERE v.player_id = ANY (ARRAY(SELECT id FROM free)))
		` + save.text + ` AND v.id = ANY (ARRAY(SELECT id FROM free)) RETURNING players.id, CAST(players.xmin AS text)`,
		slices.Concat(what, who, insert.values, save.values),
	})
	if err != nil {
		return nil, fmt.Errorf("write %d batches of cached players: %w", len(batches), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	versions = make(map[PlayerID]string, len(d.all.players))
	for rows.Next() {
		var (
			id      PlayerID
			version string
		)
		if err := rows.Scan(&id, &version); err != nil {
			return nil, fmt.Errorf("read a new version: %w", err)
		}
		versions[id] = version
	}
	return versions, rows.Err()
}
