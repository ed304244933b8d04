package game

import "time"

// A tournament in the mines. (spec §9: Tap and mines; decision 0037: the mines)
const (
	TournamentLength = 15 * 24 * time.Hour
	salesEndBefore   = 30 * time.Minute // the end of the tournament: a payment needs time to arrive
	MineOrderOpen    = 15 * time.Minute // validity of an order for a mine
	MineWindow       = 12 * time.Hour   // a mine's energy is refilled after each, at 00:00 and 12:00 UTC
	EnergyPerDig     = 10
	MaxDigBatch      = 1000       // taps per batch
	LeastPrizeOre    = 100 * MCBK // minimum of a prize, by default; a closed tournament without a stored value means this
	DailyDigDays     = 10         // minimum of a daily digger
	DailyDigFactor   = 2          // multiplier of a daily digger's ore
)

// Refusals of the mines.
const (
	LevelNotNext        Code = "level_not_next"
	MineLocked          Code = "mine_locked"
	TournamentNotActive Code = "tournament_not_active"
)

// Mine is one of ten mines, unlocked in order.
type Mine struct {
	Level  int
	Name   string
	Cost   Nanoton
	Energy int       // in a window of twelve hours
	PerTap MicroMCBK // ore that a tap digs
}

// Mines are in order of depth. The entry payment opens the first (spec §3: mine table).
var Mines = [...]Mine{
	{1, "Stone", TON, 1000, MCBK / 4},
	{2, "Coal", 3 * TON / 2, 2000, MCBK / 2},
	{3, "Iron", 2 * TON, 3000, 3 * MCBK / 4},
	{4, "Copper", 5 * TON / 2, 4000, MCBK},
	{5, "Silver", 3 * TON, 5000, 5 * MCBK / 4},
	{6, "Gold", 7 * TON / 2, 6000, 3 * MCBK / 2},
	{7, "Platinum", 4 * TON, 7000, 7 * MCBK / 4},
	{8, "Titanium", 9 * TON / 2, 8000, 2 * MCBK},
	{9, "Emerald", 5 * TON, 9000, 9 * MCBK / 4},
	{10, "Diamond", 11 * TON / 2, 10000, 5 * MCBK / 2},
}

// MineAt returns the mine of a level. Level 0 is the zero Mine without energy.
func MineAt(level int) Mine {
	if level < 1 || level > len(Mines) {
		return Mine{}
	}
	return Mines[level-1]
}

// TournamentState is a tournament's stage.
type TournamentState string

// A tournament is awarded when an admin confirms its prizes.
const (
	TournamentScheduled TournamentState = "scheduled"
	TournamentRunning   TournamentState = "running"
	TournamentClosed    TournamentState = "closed"
	TournamentFinal     TournamentState = "final"
	TournamentAwarded   TournamentState = "awarded"
)

// Tournament is a tournament's time and stored stage.
type Tournament struct {
	Start time.Time `gorm:"column:starts_at"` // UTC
	End   time.Time `gorm:"column:ends_at"`   // UTC, exclusive
	State TournamentState
}

// NewTournament returns a scheduled tournament that starts at start.
func NewTournament(start time.Time) Tournament {
	start = start.UTC()
	return Tournament{Start: start, End: start.Add(TournamentLength), State: TournamentScheduled}
}

// At returns the state at now; the stored one may lag behind.
func (t Tournament) At(now time.Time) TournamentState {
	switch t.State {
	case TournamentScheduled, TournamentRunning:
		switch {
		case !now.Before(t.End):
			return TournamentClosed
		case !now.Before(t.Start):
			return TournamentRunning
		}
		return TournamentScheduled
	}
	return t.State
}

// Contains reports whether a time is within the tournament.
func (t Tournament) Contains(at time.Time) bool { return !at.Before(t.Start) && at.Before(t.End) }

// SalesEnd returns the end of the sale of its mines.
func (t Tournament) SalesEnd() time.Time { return t.End.Add(-salesEndBefore) }

// MayBuyMine refuses with tournament_not_active before the tournament, after it and shortly before its end, and with level_not_next
// for any level but the next.
func (t Tournament) MayBuyMine(level, highest int, now time.Time) error {
	if t.At(now) != TournamentRunning || !now.Before(t.SalesEnd()) {
		return Refuse(TournamentNotActive)
	}
	if level != highest+1 || level > len(Mines) {
		return Refuse(LevelNotNext)
	}
	return nil
}

// Window counts spans of twelve hours since 1970-01-01 00:00 UTC.
type Window int32

// WindowOf returns the window of a moment.
func WindowOf(at time.Time) Window {
	return Window(2*DayOf(at)) + Window(at.UTC().Hour()/12)
}

// End returns the end of the window, UTC.
func (w Window) End() time.Time { return Day(0).Start().Add(time.Duration(w+1) * MineWindow) }

// Digger is a player's state in a tournament's mines.
type Digger struct {
	Level int // the deepest open mine; 0 before the entry is paid

	Window      Window `gorm:"column:energy_window"` // that EnergySpent belongs to
	EnergySpent int

	AllowanceMilli int64     // thousandths of a tap that may still be accepted
	AllowanceAt    time.Time // time of AllowanceMilli, UTC

	Ore  MicroMCBK // dug
	Taps int64     // accepted

	FirstDay Day // UTC day of the entry
	LastDay  Day // UTC day of the last tap; 0 before the first
	Days     int // UTC days with a tap
}

// NewDigger returns the digger of a player whose first mine opens at now.
func NewDigger(pace TapRules, now time.Time) Digger {
	return Digger{
		Level: 1, Window: WindowOf(now), FirstDay: DayOf(now),
		AllowanceMilli: int64(pace.AtFirst) * milliPerTap, AllowanceAt: now,
	}
}

// At returns the digger as of now, with full energy in a new window. A clock set back changes nothing.
func (d Digger) At(now time.Time) Digger {
	if w := WindowOf(now); w > d.Window {
		d.Window, d.EnergySpent = w, 0
	}
	return d
}

// Mine returns the deepest open mine.
func (d Digger) Mine() Mine { return MineAt(d.Level) }

// Energy returns the energy left in this window.
func (d Digger) Energy() int { return max(d.Mine().Energy-d.EnergySpent, 0) }

// Dig accepts as many taps as energy and pace allow.
func (d Digger) Dig(pace TapRules, sent int, now time.Time) (after Digger, accepted int) {
	d = d.At(now)
	allowance := Bag{AllowanceMilli: d.AllowanceMilli, AllowanceAt: d.AllowanceAt}.grown(pace, now)
	accepted = max(min(sent, d.Energy()/EnergyPerDig, int(allowance.AllowanceMilli/milliPerTap)), 0)
	d.AllowanceMilli, d.AllowanceAt = allowance.AllowanceMilli-int64(accepted)*milliPerTap, allowance.AllowanceAt
	d.EnergySpent += accepted * EnergyPerDig
	d.Ore += MicroMCBK(accepted) * d.Mine().PerTap
	d.Taps += int64(accepted)
	if day := DayOf(now); accepted > 0 && day > d.LastDay {
		d.LastDay = day
		d.Days++
	}
	return d, accepted
}

// Daily reports whether the player dug on every UTC day from the entry to the tournament's last, and on at least DailyDigDays.
func (d Digger) Daily(t Tournament) bool {
	return d.InTime(t) && d.Days >= d.days(t)
}

// InTime reports whether the entry leaves enough days for a daily digger.
func (d Digger) InTime(t Tournament) bool { return d.Level > 0 && d.days(t) >= DailyDigDays }

// days counts the UTC days from the entry to the tournament's last.
func (d Digger) days(t Tournament) int { return int(DayOf(t.End.Add(-time.Nanosecond))-d.FirstDay) + 1 }

// Pays returns the coins for the ore: one for one, multiplied for a daily digger.
func (d Digger) Pays(t Tournament) MicroMCBK {
	if d.Daily(t) {
		return DailyDigFactor * d.Ore
	}
	return d.Ore
}

// DugEveryDay reports whether the player dug every day so far; today still counts.
func (d Digger) DugEveryDay(today Day) bool {
	days := int(today - d.FirstDay)
	if d.LastDay == today {
		days++
	}
	return d.Level > 0 && d.Days >= days
}
