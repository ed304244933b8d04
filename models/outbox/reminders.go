package outbox

import (
	"context"
	"fmt"
	"time"

	"gorm.io/gorm"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/db"
	"mcbk/models/settings"
)

// Where energy is full again, as EnergyFull says.
const (
	EnergyOfBag  = "bag"
	EnergyOfMine = "mine"
)

const (
	remindDayAfter  = 24 * time.Hour   // after a check-in: at an hour at which the player has time
	remindBeforeEnd = 2 * time.Hour    // before the end of the UTC day, at the latest
	remindGrace     = time.Hour        // how late a reminder may be; one that a longer pause delayed is dropped
	remindersAtOnce = 500              // players in a transaction
	remindClosed    = 10 * time.Minute // until a queued reminder of what is closed is tried again
)

// remindable is a player who may be reminded.
type remindable struct {
	ID           models.PlayerID
	TelegramID   int64
	VisitsStreak int
	BagDay       game.Day
	BagSpins     int
	EnergySpent  int
	Level        int // of the mine that is full again; 0 is none
	CheckedInAt  time.Time
}

// mayBeReminded is the condition for a player p who has accepted the rules: they want messages, the bot may write to them, and they
// have no reminder yet whose key begins like that.
const mayBeReminded = ` LEFT JOIN chats c ON c.telegram_id = p.telegram_id
	WHERE p.notifications AND p.banned_at IS NULL AND p.consented_at IS NOT NULL AND c.blocked_at IS NULL
	AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.key = CAST(? AS text) || p.id)`

// Remind queues a reminder for players who checked in yesterday and have not today, a day after they did and two hours before the
// day ends at the latest; and for players who used up most of their mine twelve hours ago and find it full again. It returns how
// many it queued. Outside of the season, and where the game or the mines are closed, there is nothing to come back for.
func (s *Store) Remind(ctx context.Context, season game.Season, now time.Time) (reminded int64, err error) {
	now = db.Time(now)
	if season.Open(now) != nil {
		return 0, nil //nolint:nilerr // nobody is refused anything
	}
	set, err := settings.ReadSettings(s.db.Read(ctx))
	if err != nil || set.Maintenance {
		return 0, db.WrapUnavailable(err)
	}
	finders := []finder{missedToday}
	if set.Runtime.Mines {
		finders = append(finders, restedMiners)
	}
	for _, find := range finders {
		n, err := s.remindAll(ctx, find, now)
		reminded += n
		if err != nil {
			return reminded, err
		}
	}
	return reminded, nil
}

// finder returns the next page of players who may be reminded, after last in the finder's own order (keyset pagination); the zero
// value starts.
type finder func(tx *gorm.DB, last remindable, now time.Time) ([]remindable, error)

// remindAll queues a reminder for each player that find returns, page by page.
func (s *Store) remindAll(ctx context.Context, find finder, now time.Time) (reminded int64, err error) {
	for last := (remindable{}); ; {
		found, err := find(s.db.Read(ctx), last, now) // read, so as not to block SQLite's one writer
		if err == nil && len(found) > 0 {
			err = s.db.InTx(ctx, func(tx *gorm.DB) error {
				return Enqueue(tx, s.db.Dialect, now, db.MapSlice(found, func(r remindable) models.Message { return r.message(now) })...)
			})
		}
		if err != nil {
			return reminded, db.WrapUnavailable(err)
		}
		reminded += int64(len(found))
		if len(found) < remindersAtOnce {
			return reminded, nil
		}
		last = found[len(found)-1]
	}
}

// message tells a player of a mine or a bag that is full again if they used up most of it, else of their streak.
func (r remindable) message(now time.Time) models.Message {
	m := models.Message{Key: fmt.Sprint(reminderKey(now), r.ID), ChatID: r.TelegramID, Urgency: models.UrgencyBulk}
	switch bag := (game.Bag{Spins: r.BagSpins, Day: r.BagDay, EnergySpent: r.EnergySpent}); {
	case r.Level > 0:
		m.Kind, m.Params = models.EnergyFull, map[string]string{"of": EnergyOfMine}
	case r.BagDay == game.DayOf(now)-1 && 2*bag.Energy() <= bag.Level().Energy:
		m.Kind, m.Params = models.EnergyFull, map[string]string{"of": EnergyOfBag}
	default:
		m.Kind, m.Params = models.DailyReminder, map[string]string{"streak": fmt.Sprint(r.VisitsStreak)}
	}
	return m
}

// reminderKey returns the prefix of the keys of a day's reminders; the player's id follows.
func reminderKey(now time.Time) string { return fmt.Sprintf("reminder:%d:", game.DayOf(now)) }

// missedToday returns players who checked in yesterday and not yet today, in the order of yesterday's check-ins.
func missedToday(tx *gorm.DB, last remindable, now time.Time) (found []remindable, err error) {
	today := game.DayOf(now).Start()
	until := now.Add(-remindDayAfter)
	if !now.Before(today.Add(remindDayAfter - remindBeforeEnd)) {
		until = today.Add(-time.Microsecond)
	}
	since := now.Add(-remindDayAfter - remindGrace)
	if yesterday := today.Add(-remindDayAfter); since.Before(yesterday) {
		since = yesterday
	}
	if last.CheckedInAt.After(since) {
		since = last.CheckedInAt
	}
	err = tx.Raw(missed, reminderKey(now), since.UTC(), last.ID, until, game.DayOf(now)-1, game.DayOf(now)-1, remindersAtOnce).Scan(&found).Error
	return found, db.Wrap(err, "find who has not checked in")
}

// missed uses the order of the index of times, so that each check-in is read once, however many pages there are.
const missed = `SELECT p.id, p.telegram_id, p.visits_streak, p.bag_day, p.bag_spins, p.bag_energy_spent AS energy_spent, v.checked_in_at
	FROM checkins v JOIN players p ON p.id = v.player_id` + mayBeReminded + `
	AND (v.checked_in_at, v.player_id) > (?, ?) AND v.checked_in_at <= ? AND p.visits_day = ? AND v.day = ? ORDER BY v.checked_in_at, v.player_id LIMIT ?`

// restedMiners returns players of the running tournament whose mine is full again, by id. Who was told so before midnight is not
// told again after it, under the key of the new day; one whom that message did not reach in time is.
func restedMiners(tx *gorm.DB, last remindable, now time.Time) (found []remindable, err error) {
	err = tx.Raw(`SELECT p.id, p.telegram_id, m.level
		FROM tournaments t JOIN miners m ON m.tournament_id = t.id JOIN players p ON p.id = m.player_id`+mayBeReminded+`
		AND t.starts_at <= ? AND t.ends_at > ? AND m.energy_window < ? AND 2 * m.energy_spent >= m.level * ?
		AND m.allowance_at > ? AND m.allowance_at <= ? AND p.id > ?
		AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.key = CAST(? AS text) || p.id AND o.kind = ? AND o.params LIKE ?
			AND o.queued_at > m.allowance_at AND (o.state = 'sent' OR o.state = 'queued' AND o.tries > 0)) ORDER BY p.id LIMIT ?`,
		reminderKey(now), now, now, game.WindowOf(now), game.MineAt(1).Energy,
		now.Add(-game.MineWindow-remindGrace), now.Add(-game.MineWindow), last.ID,
		reminderKey(now.Add(-remindDayAfter)), models.EnergyFull, `%"`+EnergyOfMine+`"%`, remindersAtOnce).Scan(&found).Error
	return found, db.Wrap(err, "find whose mine is full again")
}

// isObsolete reports whether there is nothing left to remind a player of: the day is over, or they were there.
func isObsolete(tx *gorm.DB, m models.Message, now time.Time) (overtaken bool, err error) {
	today := game.DayOf(now)
	if !m.Kind.IsReminder() {
		return false, nil
	}
	if game.DayOf(m.QueuedAt) != today {
		return true, nil
	}
	waits := tx.Raw("SELECT EXISTS (SELECT 1 FROM players WHERE telegram_id = ? AND visits_day >= ?)", m.ChatID, today)
	if m.Params["of"] == EnergyOfMine {
		waits = tx.Raw(`SELECT NOT EXISTS (SELECT 1 FROM miners m JOIN tournaments t ON t.id = m.tournament_id JOIN players p ON p.id = m.player_id
			WHERE p.telegram_id = ? AND t.starts_at <= ? AND t.ends_at > ? AND m.allowance_at <= ?)`, m.ChatID, now, now, m.QueuedAt)
	}
	err = waits.Scan(&overtaken).Error
	return overtaken, db.Wrap(err, "check whether reminder %d is late", m.ID)
}

// isClosed reports whether a message calls somebody to a game or to mines that are closed now.
func isClosed(set settings.Snapshot, m models.Message) bool {
	return m.Kind.IsReminder() && (set.Maintenance || (m.Params["of"] == EnergyOfMine && !set.Runtime.Mines))
}

// postponeClosed puts off a due message if it reminds of what is closed, and with it all such among the next few hundred of its
// urgency: else each look would walk over a whole crowd's reminders while the game is closed. No try is counted, as none was made;
// that their day is over, or that they are unwanted, is found when they are due again.
func (s *Store) postponeClosed(tx *gorm.DB, m models.Message, now time.Time) (postpone bool, err error) {
	if !m.Kind.IsReminder() {
		return false, nil
	}
	set, err := settings.ReadSettings(tx)
	if err != nil || !isClosed(set, m) {
		return false, err
	}
	var due []models.Message
	err = tx.Raw(`SELECT `+db.Columns[models.Message]("m")+` FROM outbox m WHERE state = 'queued' AND urgency = ? AND next_try_at <= ? AND (next_try_at, id) >= (?, ?)
		ORDER BY next_try_at, id LIMIT ?`+s.db.Dialect.ForUpdateSkipLocked("m"), m.Urgency, now, m.NextTryAt.UTC(), m.ID, remindersAtOnce).Scan(&due).Error
	if err != nil {
		return false, fmt.Errorf("find reminders of what is closed: %w", err)
	}
	ids := []int64{m.ID}
	for _, next := range due {
		if isClosed(set, next) {
			ids = append(ids, next.ID)
		}
	}
	err = tx.Model(&models.Message{}).Where("id IN ?", ids).Update("next_try_at", now.Add(remindClosed)).Error
	return err == nil, db.Wrap(err, "postpone reminders of what is closed")
}
