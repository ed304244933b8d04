package ledger

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// DayTotals is what happened on one UTC day.
type DayTotals struct {
	Day     game.Day
	Players int64            // players who tapped
	Taps    int64            // accepted taps
	Coins   []game.MicroMCBK // given, in the order of Days.Sources
}

// Days is what happened on consecutive UTC days.
type Days struct {
	Sources []string    // where coins come from
	Days    []DayTotals // the oldest first, the last is today
	Until   time.Time   // time of the newest posting counted; zero if none is left out
}

const (
	settingDaysCounted = "days_counted" // the last posting that daily_totals counts
	countChunk         = 10_000         // postings counted in one transaction
	countTail          = 50_000         // most postings read that are not in daily_totals yet
)

// CountDays adds the postings that were sealed since the last call to the totals of their days, and returns how many. Sealed
// postings never change, so that each is read once, outside of any transaction. Each is counted once, because the cursor moves in
// one transaction with the totals. (decision 0003)
func (s *Ledger) CountDays(ctx context.Context, now time.Time) (counted int64, err error) {
	view := s.db.Committed(ctx)
	sealed, err := NewestCheckpoint(view)
	if err != nil {
		return 0, db.WrapUnavailable(err)
	}
	for {
		from, err := daysCounted(view)
		if err != nil || from >= sealed.LastPostingID {
			return counted, db.WrapUnavailable(err)
		}
		next, err := countPostingsAfter(view, from, sealed.LastPostingID, s.countChunk)
		if err != nil {
			return counted, db.WrapUnavailable(err)
		}
		ours, err := s.addToDays(ctx, from, next, now)
		if err != nil {
			return counted, err
		}
		if ours {
			counted += next.postings
		}
	}
}

// daysCounted returns the last posting that daily_totals counts; 0 before the first.
func daysCounted(tx *gorm.DB) (id int64, err error) {
	stored, err := settings.Value(tx, settingDaysCounted)
	if err != nil || stored == "" {
		return 0, err
	}
	return strconv.ParseInt(stored, 10, 64)
}

// addToDays adds a tally to the totals, unless another process has moved the cursor.
func (s *Ledger) addToDays(ctx context.Context, from int64, t tally, now time.Time) (ours bool, err error) {
	err = s.db.InTx(ctx, func(tx *gorm.DB) error {
		if err := settings.Init(tx, settingDaysCounted, "0", now); err != nil {
			return fmt.Errorf("begin to count days: %w", err)
		}
		moved := tx.Model(&models.Setting{}).Where("key = ? AND value = ?", settingDaysCounted, strconv.FormatInt(from, 10)).
			Updates(map[string]any{"value": strconv.FormatInt(t.last, 10), "updated_at": now.UTC()})
		if moved.Error != nil {
			return fmt.Errorf("count days up to posting %d: %w", t.last, moved.Error)
		}
		ours = moved.RowsAffected == 1
		if !ours || len(t.totals) == 0 {
			return nil
		}
		rows := make([]models.DailyTotal, 0, len(t.totals))
		for of, total := range t.totals {
			rows = append(rows, models.DailyTotal{Day: of.day, What: of.what, Total: total})
		}
		table, values := s.db.Dialect.Values(
			db.Integers("day", rows, func(r models.DailyTotal) game.Day { return r.Day }),
			db.Texts("what", rows, func(r models.DailyTotal) string { return r.What }),
			db.Integers("total", rows, func(r models.DailyTotal) int64 { return r.Total }),
		)
		err := tx.Exec("INSERT INTO daily_totals (day, what, total) SELECT day, what, total FROM "+table+` WHERE true
			ON CONFLICT (day, what) DO UPDATE SET total = daily_totals.total + excluded.total`, values...).Error
		return db.Wrap(err, "add to the days")
	})
	return ours, err
}

// Days returns what happened on today and the days before it, days in all. Postings that are not counted yet are read, up to a
// limit: on a busy server the newest are left out, and Until says so.
func (s *Ledger) Days(ctx context.Context, now time.Time, days int) (Days, error) {
	today := game.DayOf(now)
	first := today - game.Day(days) + 1
	all := tally{totals: map[dayOf]int64{}}
	var until time.Time
	err := s.db.Snapshot(ctx, func(tx *gorm.DB) error {
		var counted []models.DailyTotal
		if err := tx.Raw("SELECT day, what, total FROM daily_totals WHERE day >= ? AND day <= ?", first, today).Scan(&counted).Error; err != nil {
			return fmt.Errorf("read the totals of days: %w", err)
		}
		from, err := daysCounted(tx)
		if err != nil {
			return err
		}
		if all, err = countPostingsAfter(tx, from, 0, s.countTail); err != nil {
			return err
		}
		if all.postings == int64(s.countTail) {
			until = all.newest
		}
		for _, row := range counted {
			all.totals[dayOf{row.Day, row.What}] += row.Total
		}
		return nil
	})
	if err != nil {
		return Days{}, err
	}
	d := Days{Until: until}
	for _, source := range givesCoins() {
		d.Sources = append(d.Sources, source.Title)
	}
	for day := first; day <= today; day++ {
		totals := DayTotals{Day: day, Players: all.totals[dayOf{day, whatPlayers}], Taps: all.totals[dayOf{day, whatTaps}]}
		for _, source := range givesCoins() {
			totals.Coins = append(totals.Coins, game.MicroMCBK(all.totals[dayOf{day, string(source.Account)}]))
		}
		d.Days = append(d.Days, totals)
	}
	return d, nil
}

// Counters of a day other than the coins that an account gave.
const (
	whatTaps    = "taps"
	whatPlayers = "players"
)

// dayOf is a counter of a day.
type dayOf struct {
	day  game.Day
	what string
}

// tally is the sum over some postings.
type tally struct {
	totals   map[dayOf]int64
	postings int64
	last     int64     // the id up to which nothing is left to count
	newest   time.Time // when the last posting was made
}

// countPostingsAfter tallies at most most postings after an id, and up to another one unless that is 0.
func countPostingsAfter(tx *gorm.DB, after, upTo int64, most int) (tally, error) {
	t := tally{totals: map[dayOf]int64{}}
	where, values := "id > ?", []any{after}
	if upTo > 0 {
		where, values = where+" AND id <= ?", append(values, upTo)
	}
	err := EachPosting(tx.Raw("SELECT "+models.PostingColumns+" FROM postings WHERE "+where+" ORDER BY id LIMIT ?", append(values, most)...),
		func(id int64, p models.Posting) {
			t.last, t.newest = id, p.PostedAt
			t.postings++
			t.add(p)
		})
	if t.postings < int64(most) && upTo > 0 {
		t.last = upTo
	}
	return t, err
}

func (t tally) add(p models.Posting) {
	day := game.DayOf(p.PostedAt)
	if _, house := inChart(p.Source); house && p.Asset == models.AssetMCBK && p.Amount > 0 {
		t.totals[dayOf{day, string(p.Source)}] += p.Amount
	}
	if p.Source != models.HouseTaps {
		return
	}
	accepted, first := tapsOfReceipt(p.Memo)
	if accepted == 0 {
		return
	}
	t.totals[dayOf{day, whatTaps}] += accepted
	if first {
		t.totals[dayOf{day, whatPlayers}]++
	}
}

// tapsOfReceipt returns how many taps a receipt accepts, and whether they were the first of the player's day: then the energy spent
// belongs to them alone. A receipt that cannot be read counts as none, and verify reports it.
func tapsOfReceipt(receipt string) (accepted int64, first bool) {
	r, err := DecodeTapReceipt(receipt)
	if err != nil {
		return 0, false
	}
	return int64(max(r.Accepted, 0)), r.EnergySpent == r.Accepted*r.Rate.Energy
}

// TapsOf returns how many taps of a player were ever accepted. It reads all of the player's postings.
func TapsOf(tx *gorm.DB, id models.PlayerID) (taps int64, err error) {
	err = db.Each(tx.Raw(TapReceipts, id, models.HouseTaps), func(row db.Row) error {
		var receipt string
		err := row.Scan(&receipt)
		accepted, _ := tapsOfReceipt(receipt)
		taps += accepted
		return err
	})
	return taps, db.Wrap(err, "read the taps of player %d", id)
}

// TapReceipts is the statement that finds the receipts of a player's taps.
const TapReceipts = "SELECT memo FROM postings WHERE player_id = ? AND source = ?"
