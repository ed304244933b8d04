package taps

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"gorm.io/gorm"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// maxCached is how many players' rows are cached, about 12 MB.
const maxCached = 20_000

// cachedPlayer is a cached row of a player with its version (PostgreSQL's xmin), for optimistic concurrency control.
type cachedPlayer struct {
	player  models.Player
	version string // PostgreSQL's xmin, which every UPDATE changes
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
// batches seen before, rows that have changed. They are written under locks. (decision 0020)
func (s *Store) tryCached(ctx context.Context, group []*WaitingTap) (left []*WaitingTap) {
	if s.cache == nil || s.db.CheckSkew() != nil {
		return group
	}
	written, begun := map[*WaitingTap]bool{}, false
	var posted []models.Posting
	err := db.Recover(func() error {
		tx := s.cache.db.WithContext(ctx)
		if err := s.cache.load(tx, group); err != nil {
			return err
		}
		draft, err := s.cache.decide(group, func(p *models.Player, w *WaitingTap) bool {
			return s.tasks.MayComplete(p, w.Rules, w.Batch.Sent, w.Now)
		})
		if err != nil {
			return err
		}
		begun = true
		versions, err := draft.write(tx, s.db.Dialect)
		if err != nil {
			return err
		}
		for w, player := range draft.batches {
			if version, saved := versions[player.ID]; saved {
				written[w] = true
				s.cache.rows.Add(player.TelegramID, cachedPlayer{*player, version})
			}
		}
		posted = slices.DeleteFunc(draft.all.Postings, func(p models.Posting) bool { return versions[p.PlayerID] == "" })
		return nil
	})
	for _, w := range group {
		if !written[w] {
			s.cache.rows.Remove(w.Batch.TelegramID)
			w.Answer, w.Err = Tapped{}, nil
			left = append(left, w)
		}
	}
	if err = db.WrapUnavailable(err); begun && errors.Is(err, db.ErrUnavailable) { // it may have been committed, so it is not written again
		for _, w := range left {
			w.Finish(err)
		}
		return nil
	}
	if len(written) > 0 {
		s.db.Meter.TapGroup(len(written))
		s.ledger.ReportPostings(posted)
	}
	for w := range written {
		w.Finish(nil)
	}
	return left
}

// load reads the rows of players that are not cached yet, without locking them.
func (c *playerCache) load(tx *gorm.DB, group []*WaitingTap) error {
	var missing []int64
	for _, w := range group {
		if !c.rows.Contains(w.Batch.TelegramID) {
			missing = append(missing, w.Batch.TelegramID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	rows, err := tx.Raw("SELECT "+models.PlayerColumns("p")+", CAST(p.xmin AS text) FROM players p WHERE p.telegram_id = ANY(?)", db.Array{Values: missing}).Rows()
	if err != nil {
		return fmt.Errorf("cache %d players: %w", len(missing), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	for rows.Next() {
		var row cachedPlayer
		if err := rows.Scan(append(row.player.ScanFields(), &row.version)...); err != nil {
			return fmt.Errorf("read a player who taps: %w", err)
		}
		c.rows.Add(row.player.TelegramID, row)
	}
	return rows.Err()
}

// draft is what a group would write if the cached rows are current.
type draft struct {
	all      ledger.Tx
	versions map[models.PlayerID]string
	batches  map[*WaitingTap]*models.Player // the batches that earned something
}

// decide leaves to the way under locks those batches that may complete a task, and those after them: the other rows that a task
// needs are not written here.
func (c *playerCache) decide(group []*WaitingTap, mayReach func(p *models.Player, w *WaitingTap) bool) (draft, error) {
	d := draft{versions: map[models.PlayerID]string{}, batches: make(map[*WaitingTap]*models.Player, len(group))}
	players := make(map[int64]BatchPlayer, len(group))
	locking := map[int64]bool{}
	for _, w := range group {
		if locking[w.Batch.TelegramID] {
			continue
		}
		at, known := players[w.Batch.TelegramID]
		if !known {
			row, ok := c.rows.Get(w.Batch.TelegramID)
			if !ok {
				continue
			}
			player := row.player
			at = BatchPlayer{Player: &player, Before: map[string]models.Posting{}}
			players[w.Batch.TelegramID] = at
			d.versions[player.ID] = row.version
		}
		if mayReach(at.Player, w) {
			locking[w.Batch.TelegramID] = true
			continue
		}
		before := len(d.all.Postings)
		if err := w.decide(at, &d.all); err != nil {
			return draft{}, err
		}
		if len(d.all.Postings) > before {
			d.batches[w] = at.Player
		}
	}
	return d, nil
}

// write stores the draft of each player whose row still has its version, is not locked, and has none of the batches yet; it returns
// their new versions. The rows are locked in ascending order of their ids, as everywhere that several are locked. `free` is
// compared as an array, built once: as a join PostgreSQL scanned it again for every row, even in a long batch. Earlier batches are
// looked up one by one (LATERAL … LIMIT 1): a join planned while the tables were empty would read them whole.
func (d draft) write(tx *gorm.DB, dialect db.Dialect) (versions map[models.PlayerID]string, err error) {
	if len(d.batches) == 0 {
		return nil, nil
	}
	slices.SortFunc(d.all.Players, func(a, b *models.Player) int { return int(a.ID - b.ID) })
	players, who := dialect.Values(
		db.Integers("id", d.all.Players, func(p *models.Player) models.PlayerID { return p.ID }),
		db.Texts("version", d.all.Players, func(p *models.Player) string { return d.versions[p.ID] }),
	)
	batches := make([]*WaitingTap, 0, len(d.batches))
	for w := range d.batches {
		batches = append(batches, w)
	}
	tapped, what := dialect.Values(
		db.Integers("player_id", batches, func(w *WaitingTap) models.PlayerID { return d.batches[w].ID }),
		db.Texts("reference", batches, func(w *WaitingTap) string { return w.Reference }),
		db.Texts("key", batches, func(w *WaitingTap) string { return w.Batch.RequestKey() }),
	)
	insert, save := ledger.InsertPostings(dialect, d.all.Postings), ledger.SavePlayers(dialect, d.all.Players, ledger.PlayColumns(d.all.Players))
	rows, err := db.RawQuery(tx, db.Statement{
		Text: `WITH tapped AS MATERIALIZED (SELECT * FROM ` + tapped + `), free AS MATERIALIZED (
			SELECT p.id FROM ` + players + ` JOIN players p ON p.id = v.id
			WHERE p.xmin = CAST(v.version AS xid) AND p.id <> ALL (ARRAY(
				SELECT t.player_id FROM tapped t CROSS JOIN LATERAL (
					SELECT 1 FROM postings q WHERE q.player_id = t.player_id AND q.reference = t.reference LIMIT 1) posted_before
				UNION ALL
				SELECT t.player_id FROM tapped t CROSS JOIN LATERAL (
					SELECT 1 FROM idempotency_keys k WHERE k.player_id = t.player_id AND k.key = t.key LIMIT 1) answered_before
			)) ORDER BY p.id` + dialect.ForUpdateSkipLocked("p") + `
		), posted AS (` + insert.Text + ` WHERE v.player_id = ANY (ARRAY(SELECT id FROM free)))
		` + save.Text + ` AND v.id = ANY (ARRAY(SELECT id FROM free)) RETURNING players.id, CAST(players.xmin AS text)`,
		Values: slices.Concat(what, who, insert.Values, save.Values),
	})
	if err != nil {
		return nil, fmt.Errorf("write %d batches of cached players: %w", len(batches), err)
	}
	defer rows.Close() //nolint:errcheck // read to the end, or failed already
	versions = make(map[models.PlayerID]string, len(d.all.Players))
	for rows.Next() {
		var (
			id      models.PlayerID
			version string
		)
		if err := rows.Scan(&id, &version); err != nil {
			return nil, fmt.Errorf("read a new version: %w", err)
		}
		versions[id] = version
	}
	return versions, rows.Err()
}
