package commit

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

const (
	// maxRound is the most commands that share a transaction.
	maxRound = 64
	// maxLockWaits is how many commands wait for a locked player at once. Each wait holds a connection, which others need too.
	maxLockWaits = 3
)

// ErrOwnTx is what Decide returns for a command that needs a transaction of its own, which waits for what others hold.
var ErrOwnTx = errors.New("the command needs a transaction of its own")

// Caller is who sends a command and, if it may be repeated, under which key.
type Caller struct {
	TelegramID int64
	Key        string // the client's Idempotency-Key, or the id of a batch; empty without one
	Operation  string // the API operation
	BodyHash   []byte // hash of the request body
}

// Command is a write of one player. Its result R must survive JSON: with the player's row it is stored under the key and returned
// again to the same request.
type Command[R any] struct {
	Caller
	Now   time.Time
	Wants []Want // rows to read with the player's, once that is locked
	// Decide changes the scope and returns the result. An error, or a refusal, leaves nothing. It is called again if the transaction
	// is.
	Decide func(s *Scope) (R, error)
	// Restore makes the command a batch, which is stored as its posting instead of under its key. It returns the result of the first
	// time, and sets the player as of then.
	Restore func(first BatchRecord, p *models.Player) (R, error)
	// Cached commands are first decided on a cached row as if they were new. Those that write other rows go on to a round.
	Cached bool
}

// waiting is a command that waits for its round.
type waiting struct {
	Caller
	now     time.Time
	wants   []Want
	decide  func(s *Scope) error
	restore func(first BatchRecord, p *models.Player) error // of a batch
	result  any                                             // a pointer to it
	locked  bool                                            // another transaction held the player
	db.Call[models.Player]
}

// Run executes a command and returns its result and the player after it, or those of the first time when it is repeated. It refuses
// with user_blocked, idempotency_key_reused and what Decide refuses with; ErrNotFound is a person without a player.
//
// Commands that arrive while a round is being committed are decided together in the next one, see GroupCommit. A command whose
// player is locked by another transaction runs in one of its own. (decision 0020)
func Run[R any](ctx context.Context, s *Store, c Command[R]) (R, models.Player, error) {
	var none R
	result := new(R) // a round may still write it when the caller has left
	w := &waiting{
		Caller: c.Caller, now: c.Now, wants: c.Wants, result: result, Call: db.NewCall[models.Player](ctx),
		decide: func(scope *Scope) (err error) { *result, err = c.Decide(scope); return err },
	}
	if c.Restore != nil {
		w.restore = func(first BatchRecord, p *models.Player) (err error) {
			*result, err = c.Restore(first, p)
			return err
		}
	}
	if _, inside := db.TxFrom(ctx); inside {
		w.OwnTx = true
	} else {
		if c.Cached && s.cache != nil {
			s.cached.Join(w)
		} else {
			s.queue.Join(w)
		}
		select {
		case <-w.Done:
		case <-ctx.Done(): // it may still be executed; its key gets the answer next time
			return none, models.Player{}, db.WrapUnavailable(ctx.Err())
		}
	}
	err := w.Err
	if w.OwnTx && w.locked {
		select {
		case s.lockWaits <- struct{}{}:
			defer func() { <-s.lockWaits }()
		case <-ctx.Done():
			return none, models.Player{}, db.WrapUnavailable(ctx.Err())
		}
	}
	if w.OwnTx {
		err = s.db.InTx(ctx, func(tx *gorm.DB) error { return s.runInOwnTx(tx, w) })
	}
	if err != nil {
		return none, models.Player{}, err
	}
	return *result, w.Answer, nil
}

// runRounds executes a group. A command that nobody waits for any more is not: it comes again, with its key.
func (s *Store) runRounds(group []*waiting) {
	group = slices.DeleteFunc(group, (*waiting).Abandoned)
	for len(group) > 0 {
		var r round
		r, group = nextRound(group)
		s.runRound(r)
	}
}

// runRound executes a round in one transaction and answers its commands. No client that goes away cancels it, since others wait for
// the same commit. If the database refuses it, each command runs alone: only one of them may be at fault.
func (s *Store) runRound(r round) {
	ctx, cancel := context.WithTimeout(context.Background(), s.db.Scale.Of(db.TransactionTime))
	defer cancel()
	err := db.Recover(func() error {
		first, then := r.reads(s.db.Dialect, true)
		return s.db.InRound(ctx, slices.Concat(first, []db.Query{r.lock(s.db.Dialect, true)}, then), func() ([]db.Query, error) {
			return r.decide(s.db.Dialect)
		})
	})
	if err == nil {
		s.report(r)
	} else {
		s.db.Meter.RoundFailed()
	}
	for _, w := range r.commands {
		w.OwnTx = w.OwnTx || err != nil && (db.LostRace(err) || !errors.Is(err, db.ErrUnavailable))
		w.Finish(err)
	}
}

// runInOwnTx executes a command in a transaction, and waits for its player.
func (s *Store) runInOwnTx(tx *gorm.DB, w *waiting) error {
	r, _ := nextRound([]*waiting{w})
	first, then := r.reads(s.db.Dialect, false)
	if err := db.RunQueries(tx, slices.Concat(first, []db.Query{r.lock(s.db.Dialect, false)}, then)...); err != nil {
		return err
	}
	if r.players[w.TelegramID] == nil {
		return fmt.Errorf("%s of Telegram %d: %w", w.Operation, w.TelegramID, db.ErrNotFound)
	}
	writes, err := r.decide(s.db.Dialect)
	if err == nil {
		err = w.Err
	}
	if err != nil {
		return err
	}
	db.OnCommit(tx, func() { s.report(r) })
	return db.RunQueries(tx, writes...)
}

// report makes known what a round has committed.
func (s *Store) report(r round) {
	if r.changed == 0 {
		return
	}
	s.db.Meter.Round(r.changed)
	s.ledger.ReportPostings(r.postings)
	if s.cache != nil {
		s.cache.forget(r.commands)
	}
}

// round is commands of different players that share a transaction.
type round struct {
	commands []*waiting
	scopes   []*Scope
	players  map[int64]*models.Player // locked, by Telegram id
	postings []models.Posting
	changed  int // commands that changed something
}

// nextRound splits off the first command of each player.
func nextRound(group []*waiting) (r round, rest []*waiting) {
	r.players = make(map[int64]*models.Player, len(group))
	for _, w := range group {
		if _, here := r.players[w.TelegramID]; here {
			rest = append(rest, w)
			continue
		}
		r.players[w.TelegramID] = nil
		r.commands, r.scopes = append(r.commands, w), append(r.scopes, NewScope(models.Player{}, w.now))
	}
	return r, rest
}

// lock locks the players in ascending order of their ids, as everywhere that several are locked.
func (r *round) lock(d db.Dialect, skipLocked bool) db.Query {
	lock := d.ForUpdate("p")
	if skipLocked {
		lock = d.ForUpdateSkipLocked("p")
	}
	table, values := d.Values(db.Integers("telegram_id", r.commands, func(w *waiting) int64 { return w.TelegramID }))
	return db.Query{
		Statement: db.Statement{
			Text: "SELECT " + models.PlayerColumns("p") + " FROM " + table + " JOIN players p ON p.telegram_id = v.telegram_id ORDER BY p.id" + lock, Values: values,
		},
		Scan: func(row db.Row) error {
			var p models.Player
			if err := row.Scan(p.ScanFields()...); err != nil {
				return err
			}
			r.players[p.TelegramID] = &p
			return nil
		},
	}
}

// reads reads what the commands want, before and after the players are locked: the statement that locks them does not see what is
// committed while it waits.
func (r *round) reads(d db.Dialect, skipLocked bool) (first, then []db.Query) {
	var sources []source
	wants := map[source][]wanted{}
	for i, w := range r.commands {
		all := w.wants
		if w.Key != "" {
			all = append(slices.Clip(all), records.For(0, w.Key))
		}
		for _, want := range all {
			if _, known := wants[want.of]; !known {
				sources = append(sources, want.of)
			}
			wants[want.of] = append(wants[want.of], wanted{want, w.TelegramID, r.scopes[i]})
		}
	}
	for _, of := range sources {
		if q := of.query(d, wants[of], skipLocked); of.first() {
			first = append(first, q)
		} else {
			then = append(then, q)
		}
	}
	return first, then
}

// decide gives each command its answer or its refusal and returns what they write together. A command whose player is not locked, or
// that must run alone, is left to a transaction of its own.
func (r *round) decide(d db.Dialect) (queries []db.Query, err error) {
	var (
		before, after []*models.Player
		keys          []models.IdempotencyKey
		targets       []target
	)
	rows := map[target][]any{}
	for i, w := range r.commands {
		w.Answer, w.Err, w.OwnTx = models.Player{}, nil, false
		p, scope := r.players[w.TelegramID], r.scopes[i]
		if p == nil {
			w.OwnTx, w.locked = true, true
			continue
		}
		*scope.Player = *p
		repeated, err := w.answer(scope)
		if w.OwnTx = errors.Is(err, ErrOwnTx); err != nil || repeated {
			w.Err = err
			continue
		}
		changed := len(scope.writes) > 0 || len(scope.Postings) > 0
		if changed {
			scope.Player.Revision++
		}
		w.Answer = *scope.Player
		if !changed { // nothing is stored: the same request may come again
			continue
		}
		if r.changed++; w.Key != "" && w.restore == nil {
			key, err := w.key(p.ID)
			if err != nil {
				return nil, err
			}
			keys = append(keys, key)
		}
		before, after = append(before, p), append(after, scope.Player)
		r.postings = append(r.postings, scope.Postings...)
		for _, write := range scope.writes {
			if _, known := rows[write.by]; !known {
				targets = append(targets, write.by)
			}
			rows[write.by] = append(rows[write.by], write.row)
		}
	}
	if len(r.postings) > 0 {
		queries = append(queries, db.Query{Statement: ledger.InsertPostings(d, r.postings)})
	}
	for _, checked := range []bool{true, false} {
		for _, by := range targets {
			if by.checked() == checked {
				queries = append(queries, by.queries(d, rows[by])...)
			}
		}
	}
	if len(after) > 0 { // every stored key changes its player's xmin, which cached rows compare
		queries = append(queries, db.Query{Statement: ledger.SaveChanged(d, before, after), Changes: int64(len(after))})
	}
	if len(keys) > 0 {
		queries = append(queries, db.Query{Statement: saveKeys(d, keys), Changes: int64(len(keys))})
	}
	return queries, nil
}

// answer decides a command, unless it is repeated.
func (w *waiting) answer(s *Scope) (repeated bool, err error) {
	if err := s.Player.CanPlay(); err != nil {
		return false, err
	}
	for _, r := range records.In(s) {
		switch {
		case w.restore != nil && r.memo != nil:
			err := w.restore(BatchRecord{*r.memo, *r.postedAt, r.spinsGranted}, s.Player)
			w.Answer = *s.Player
			return true, err
		case r.key.Operation != w.Operation || !bytes.Equal(r.key.BodyHash, w.BodyHash):
			return false, game.Refuse(models.IdempotencyKeyReused)
		case r.key.Status != unchanged:
			return true, w.restoreStored(*s.Player, r.key)
		}
	}
	return false, w.decide(s)
}
