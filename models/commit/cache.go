package commit

import (
	"context"
	"errors"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

const (
	// maxCached is how many players' rows are cached, about 12 MB.
	maxCached = 20_000
	// maxCachedRound is the most commands on cached rows that share a transaction.
	maxCachedRound = 256
)

// cachedPlayer is a cached row of a player with its version, for optimistic concurrency control.
type cachedPlayer struct {
	player  models.Player
	version string // PostgreSQL's xmin, which every UPDATE changes
}

// playerCache holds the rows of the players whose commands were tried last, by Telegram id. A row may be stale: what is decided on
// it is written only if its version is unchanged.
type playerCache struct {
	db   *db.DB
	rows *lru.Cache[int64, cachedPlayer]
}

func newPlayerCache(database *db.DB) *playerCache {
	rows, err := lru.New[int64, cachedPlayer](maxCached)
	if err != nil {
		panic(err) // the size is a constant above zero
	}
	return &playerCache{database, rows}
}

// forget makes the next command of these players read their rows.
func (c *playerCache) forget(commands []*waiting) {
	for _, w := range commands {
		c.rows.Remove(w.TelegramID)
	}
}

// runCached executes a group on cached rows. What it leaves joins a round.
func (s *Store) runCached(group []*waiting) {
	group = slices.DeleteFunc(group, (*waiting).Abandoned)
	for len(group) > 0 {
		var r round
		r, group = nextRound(group)
		for _, w := range s.tryCached(r) {
			s.queue.Join(w)
		}
	}
}

// tryCached decides commands on cached rows and writes them, in one statement that is its own transaction, if the rows are unchanged
// and no other transaction locks them. It answers the commands that were written or may have been, and returns the rest: refusals,
// repeated ones, those that write other rows, and rows that have changed. (decision 0020)
func (s *Store) tryCached(r round) (left []*waiting) {
	if s.db.CheckSkew() != nil {
		return r.commands
	}
	ctx, cancel := context.WithTimeout(context.Background(), s.db.Scale.Of(db.TransactionTime))
	defer cancel()
	var d draft
	var versions map[models.PlayerID]string
	begun := false
	err := db.Recover(func() (err error) {
		if err := s.cache.load(ctx, r.commands); err != nil {
			return err
		}
		if d = s.cache.decide(r); len(d.commands) == 0 {
			return nil
		}
		begun = true
		saved, err := d.write(ctx, s.db)
		if err == nil {
			versions = saved
		}
		return err
	})
	written := make(map[*waiting]bool, len(d.commands))
	for i, w := range d.commands {
		if version, saved := versions[d.after[i].ID]; saved {
			written[w] = true
			s.cache.rows.Add(w.TelegramID, cachedPlayer{*d.after[i], version})
			w.Answer = *d.after[i]
		}
	}
	left = slices.DeleteFunc(slices.Clone(r.commands), func(w *waiting) bool { return written[w] })
	s.cache.forget(left)
	if err != nil {
		s.db.Meter.RoundFailed()
	}
	if err = db.WrapUnavailable(err); begun && errors.Is(err, db.ErrUnavailable) { // it may have been committed, so it is not written again
		for _, w := range left {
			w.Finish(err)
		}
		return nil
	}
	if len(written) > 0 {
		s.db.Meter.Round(len(written))
		s.ledger.ReportPostings(slices.DeleteFunc(d.postings, func(p models.Posting) bool { return versions[p.PlayerID] == "" }))
	}
	for w := range written {
		w.Finish(nil)
	}
	return left
}

// load reads the rows of players that are not cached yet, without locking them.
func (c *playerCache) load(ctx context.Context, commands []*waiting) error {
	var missing []int64
	for _, w := range commands {
		if !c.rows.Contains(w.TelegramID) {
			missing = append(missing, w.TelegramID)
		}
	}
	if len(missing) == 0 {
		return nil
	}
	err := c.db.ScanRows(ctx, c.db.Grouped, db.Query{
		Statement: db.Statement{
			Text:   "SELECT " + models.PlayerColumns("p") + ", CAST(p.xmin AS text) FROM players p WHERE p.telegram_id = ANY(?)",
			Values: []any{db.Array{Values: missing}},
		},
		Scan: func(row db.Row) error {
			var read cachedPlayer
			if err := row.Scan(append(read.player.ScanFields(), &read.version)...); err != nil {
				return err
			}
			c.rows.Add(read.player.TelegramID, read)
			return nil
		},
	})
	return db.Wrap(err, "cache %d players", len(missing))
}

// draft is what a round would write if the cached rows are current and its commands are new.
type draft struct {
	commands      []*waiting
	before, after []*models.Player // of each command
	versions      []string         // of the rows before
	postings      []models.Posting
}

// decide leaves out what posts nothing, or writes other rows than its player's.
func (c *playerCache) decide(r round) (d draft) {
	for i, w := range r.commands {
		row, known := c.rows.Get(w.TelegramID)
		scope := r.scopes[i]
		if *scope.Player = row.player; !known || scope.Player.CanPlay() != nil || w.decide(scope) != nil || len(scope.Postings) == 0 || len(scope.writes) > 0 {
			continue
		}
		scope.Player.Revision++
		d.commands, d.versions = append(d.commands, w), append(d.versions, row.version)
		d.before, d.after = append(d.before, &row.player), append(d.after, scope.Player)
		d.postings = append(d.postings, scope.Postings...)
	}
	return d
}

// write stores the draft of each player whose row still has its version, is not locked, and has no record of the key yet; it returns
// their new versions. The rows are locked in ascending order of their ids, as everywhere that several are locked. `free` is
// compared as an array, built once: as a join PostgreSQL scanned it again for every row, even in a long batch. Earlier batches are
// looked up one by one (LATERAL … LIMIT 1): a join planned while the tables were empty would read them whole.
func (d draft) write(ctx context.Context, database *db.DB) (versions map[models.PlayerID]string, err error) {
	dialect := database.Dialect
	table, values := dialect.Values(
		db.Integers("id", d.after, func(p *models.Player) models.PlayerID { return p.ID }),
		db.Texts("version", d.versions, func(version string) string { return version }),
		db.Texts("key", d.commands, func(w *waiting) string { return w.Key }),
		db.Texts("reference", d.commands, func(w *waiting) string { return ledger.BatchReference(w.Key) }),
	)
	insert, save := ledger.InsertPostings(dialect, d.postings), ledger.SaveChanged(dialect, d.before, d.after)
	write := db.Statement{
		Text: `WITH free AS MATERIALIZED (
			SELECT p.id FROM ` + table + ` JOIN players p ON p.id = v.id
				LEFT JOIN LATERAL (SELECT 1 AS found FROM postings q WHERE q.player_id = v.id AND q.reference = v.reference LIMIT 1) posted ON true
				LEFT JOIN LATERAL (SELECT 1 AS found FROM idempotency_keys k WHERE k.player_id = v.id AND k.key = v.key LIMIT 1) answered ON true
			WHERE p.xmin = CAST(v.version AS xid) AND posted.found IS NULL AND answered.found IS NULL
			ORDER BY p.id` + dialect.ForUpdateSkipLocked("p") + `
		), posted AS (` + insert.Text + ` WHERE v.player_id = ANY (ARRAY(SELECT id FROM free)))
		` + save.Text + ` AND v.id = ANY (ARRAY(SELECT id FROM free)) RETURNING players.id, CAST(players.xmin AS text)`,
		Values: slices.Concat(values, insert.Values, save.Values),
	}
	versions = make(map[models.PlayerID]string, len(d.after))
	err = database.ScanRows(ctx, database.Grouped, db.Query{Statement: write, Scan: func(row db.Row) error {
		var (
			id      models.PlayerID
			version string
		)
		if err := row.Scan(&id, &version); err != nil {
			return err
		}
		versions[id] = version
		return nil
	}})
	return versions, db.Wrap(err, "write %d commands on cached players", len(d.commands))
}
