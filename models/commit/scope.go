package commit

import (
	"time"

	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/ledger"
)

// Scope is what a command decides on, and what it changes.
type Scope struct {
	Player *models.Player // the locked row; what play changes of it is stored if the command also posts or adds a row
	Now    time.Time
	ledger.Tx

	read   map[source][]any // rows, by what read them
	writes []write
}

// write is a row that a command writes.
type write struct {
	by  target
	row any
}

// NewScope returns a scope without rows.
func NewScope(p models.Player, now time.Time) *Scope {
	return &Scope{Player: &p, Now: now, read: map[source][]any{}}
}

// Post records an entry of the player.
func (s *Scope) Post(e ledger.Entry) error { return s.Record(s.Player, e, s.Now) }

// Rows reads rows for commands. From joins them to w, what is wanted: its columns are player_id, number, text, and at, the command's
// time.
type Rows[R any] struct {
	Columns  string
	Computed func(d db.Dialect) string // one more column; nil for none
	From     string
	Share    string             // the alias of rows that are locked against changes, before the players are; empty for none
	Fields   func(row *R) []any // targets of the columns
}

// Want is what a command wants to be read.
type Want struct {
	of     source
	number int64
	text   string
}

// source is any Rows.
type source interface {
	query(d db.Dialect, wanted []wanted, skipLocked bool) db.Query
	first() bool
}

// wanted is a command's want.
type wanted struct {
	Want
	telegramID int64
	scope      *Scope
}

// For wants the rows of a number and a text; either may go without a meaning.
func (r *Rows[R]) For(number int64, text string) Want { return Want{r, number, text} }

// In returns the rows that a scope was given.
func (r *Rows[R]) In(s *Scope) []R {
	return db.MapSlice(s.read[r], func(row any) R { return row.(R) }) //nolint:forcetypeassert // see put
}

// One returns the only row; ErrNotFound without one.
func (r *Rows[R]) One(s *Scope) (row R, err error) {
	rows := r.In(s)
	if len(rows) == 0 {
		return row, db.ErrNotFound
	}
	return rows[0], nil
}

func (r *Rows[R]) put(s *Scope, rows ...R) {
	for _, row := range rows {
		s.read[r] = append(s.read[r], row)
	}
}

func (r *Rows[R]) first() bool { return r.Share != "" }

func (r *Rows[R]) query(d db.Dialect, all []wanted, skipLocked bool) db.Query {
	columns := r.Columns
	if r.Computed != nil {
		columns += ", " + r.Computed(d)
	}
	nr := 0
	table, values := d.Values(
		db.Integers("nr", all, func(wanted) int { nr++; return nr - 1 }),
		db.Integers("telegram_id", all, func(w wanted) int64 { return w.telegramID }),
		db.Integers("number", all, func(w wanted) int64 { return w.number }),
		db.Texts("text", all, func(w wanted) string { return w.text }),
		db.Times("at", all, func(w wanted) time.Time { return db.Time(w.scope.Now) }),
	)
	lock := ""
	if r.Share != "" {
		lock = d.ForShare(r.Share, skipLocked)
	}
	return db.Query{
		Statement: db.Statement{Text: "SELECT w.nr, " + columns + ` FROM (
			SELECT v.nr, p.id AS player_id, v.number, v.text, v.at FROM ` + table + " JOIN players p ON p.telegram_id = v.telegram_id) w " + r.From + lock, Values: values},
		Scan: func(from db.Row) error {
			var (
				nr  int
				row R
			)
			if err := from.Scan(append([]any{&nr}, r.Fields(&row)...)...); err != nil {
				return err
			}
			r.put(all[nr].scope, row)
			return nil
		},
	}
}

// Write writes the rows that the commands of a round have added, each statement for all of them. Checked writes run first: they free
// unique states, such as a pending spin, that inserts take.
type Write[R any] struct {
	Statement  func(d db.Dialect, rows []R) db.Statement
	Checked    bool                                    // an UPDATE whose conditions must hold for each row
	Statements func(d db.Dialect, rows []R) []db.Query // instead of one Statement, in this order
}

// target is any Write.
type target interface {
	queries(d db.Dialect, rows []any) []db.Query
	checked() bool
}

func (w *Write[R]) checked() bool { return w.Checked }

// Add writes a row if the command succeeds.
func (w *Write[R]) Add(s *Scope, row R) { s.writes = append(s.writes, write{w, row}) }

func (w *Write[R]) queries(d db.Dialect, all []any) []db.Query {
	rows := db.MapSlice(all, func(row any) R { return row.(R) }) //nolint:forcetypeassert // see Add
	if w.Statements != nil {
		return w.Statements(d, rows)
	}
	q := db.Query{Statement: w.Statement(d, rows)}
	if w.Checked {
		q.Changes = int64(len(rows))
	}
	return []db.Query{q}
}

// Claim is a row that a player claims.
type Claim struct {
	ID int64
	At time.Time
}

// Claims returns the write that claims rows of a table whose state is one of these, and notes the time in a column.
func Claims(table, column, states string) Write[Claim] {
	return Write[Claim]{Checked: true, Statement: func(d db.Dialect, rows []Claim) db.Statement {
		return d.Update(table, "state = 'claimed', "+column+" = v.at", table+".id = v.id AND state IN ("+states+")",
			db.Integers("id", rows, func(c Claim) int64 { return c.ID }),
			db.Times("at", rows, func(c Claim) time.Time { return db.Time(c.At) }),
		)
	}}
}
