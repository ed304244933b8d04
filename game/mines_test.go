package game_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"mcbk/game"
)

var rush = game.NewTournament(time.Date(2026, time.March, 4, 0, 0, 0, 0, time.UTC))

func TestMinesMatchSpecification(t *testing.T) {
	for i, mine := range game.Mines {
		level := i + 1
		cost := game.TON + game.Nanoton(i)*game.TON/2
		if mine.Level != level || mine.Energy != 1000*level || mine.PerTap != game.MicroMCBK(level)*game.MCBK/4 || mine.Cost != cost || mine.Name == "" {
			t.Errorf("mine %d is %+v", level, mine)
		}
		if game.MineAt(level) != mine {
			t.Errorf("level %d is %+v", level, game.MineAt(level))
		}
	}
	if game.MineAt(0) != (game.Mine{}) || game.MineAt(11) != (game.Mine{}) {
		t.Error("there are mines beyond the ten")
	}
}

func TestTournamentStateFollowsClock(t *testing.T) {
	for _, at := range []struct {
		now  time.Time
		is   game.TournamentState
		buys bool
	}{
		{rush.Start.Add(-time.Nanosecond), game.TournamentScheduled, false},
		{rush.Start, game.TournamentRunning, true},
		{rush.End.Add(-30*time.Minute - time.Nanosecond), game.TournamentRunning, true},
		{rush.End.Add(-30 * time.Minute), game.TournamentRunning, false},
		{rush.End.Add(-time.Nanosecond), game.TournamentRunning, false},
		{rush.End, game.TournamentClosed, false},
	} {
		if is := rush.At(at.now); is != at.is || rush.Contains(at.now) != (is == game.TournamentRunning) {
			t.Errorf("at %s it is %s", at.now, is)
		}
		if err := rush.MayBuyMine(1, 0, at.now); (err == nil) != at.buys {
			t.Errorf("at %s a mine may be bought: %v", at.now, err)
		}
	}
	if rush.End.Sub(rush.Start) != 15*24*time.Hour {
		t.Errorf("it lasts %s", rush.End.Sub(rush.Start))
	}
	for _, state := range []game.TournamentState{game.TournamentClosed, game.TournamentFinal, game.TournamentAwarded} {
		over := rush
		over.State = state
		if over.At(rush.Start) != state {
			t.Errorf("%s was taken back by a clock that is behind", state)
		}
	}
}

func TestOnlyNextMineIsSold(t *testing.T) {
	for highest := range 11 {
		for level := -1; level < 13; level++ {
			err := rush.MayBuyMine(level, highest, rush.Start)
			var refusal *game.Refusal
			next := level == highest+1 && level <= 10
			if next != (err == nil) || !next && (!errors.As(err, &refusal) || refusal.Code != game.LevelNotNext) {
				t.Errorf("level %d above %d: %v", level, highest, err)
			}
		}
	}
}

func TestMineEnergyRefillsAtMidnightAndNoon(t *testing.T) {
	d, _ := game.NewDigger(usual, rush.Start).Dig(usual, 1000, rush.Start.Add(2*time.Hour))
	for _, c := range []struct {
		at     time.Duration
		energy int
	}{{12*time.Hour - 1, 0}, {12 * time.Hour, 1000}, {-time.Hour, 0}} { // and by a clock that went back
		now := d.At(rush.Start.Add(c.at))
		if now.Energy() != c.energy || now.Window.End() != rush.Start.Add(12*time.Hour+time.Duration(c.energy)*12*time.Hour/1000) {
			t.Errorf("after %s %d energy, until %s", c.at, now.Energy(), now.Window.End())
		}
	}
	if d.Level = 2; d.Energy() != 1000 {
		t.Errorf("a deeper mine adds its difference at once, not %d", d.Energy())
	}
}

// No sequence of taps exceeds a window's energy or the pace, and the ore matches the taps.
func TestDiggingNeverExceedsEnergyOrPace(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var (
			now   = arrival
			model = newPace()
			d     = game.NewDigger(usual, now)
			spent = map[game.Window]int{}
			last  = game.WindowOf(now)
			taps  int64
			ore   game.MicroMCBK
		)
		for range rapid.IntRange(1, 60).Draw(t, "batches") {
			now = now.Add(moments().Draw(t, "step"))
			if d.Level < 10 && rapid.IntRange(0, 4).Draw(t, "deeper") == 0 {
				d.Level++
			}
			last = max(last, game.WindowOf(now))
			sent := rapid.IntRange(1, game.MaxDigBatch).Draw(t, "sent")
			want := min(sent, (d.Mine().Energy-spent[last])/10, model.at(now))
			var accepted int
			if d, accepted = d.Dig(usual, sent, now); accepted != want {
				t.Fatalf("%d of %d accepted at %s, want %d", accepted, sent, now, want)
			}
			model.take(accepted)
			spent[last] += 10 * accepted
			taps += int64(accepted)
			ore += game.MicroMCBK(accepted*d.Level) * game.MCBK / 4
			if d.Taps != taps || d.Ore != ore || d.Energy() != d.Mine().Energy-spent[last] {
				t.Fatalf("%+v after %d taps and %d ore", d, taps, ore)
			}
		}
	})
}

func TestDailyDiggerIsPaidDouble(t *testing.T) {
	dig := func(from, to int, but ...int) game.Digger {
		d := game.NewDigger(usual, rush.Start.Add(time.Duration(from)*24*time.Hour))
		for day := from; day < to; day++ {
			if !slices.Contains(but, day) {
				d, _ = d.Dig(usual, 1, rush.Start.Add(time.Duration(day)*24*time.Hour+time.Hour))
				d, _ = d.Dig(usual, 1, rush.Start.Add(time.Duration(day)*24*time.Hour+2*time.Hour))
			}
		}
		return d
	}
	for name, c := range map[string]struct {
		d     game.Digger
		daily bool
	}{
		"all days":                    {dig(0, 15), true},
		"all but one in the middle":   {dig(0, 15, 7), false},
		"all but the first":           {dig(0, 15, 0), false},
		"all but the last":            {dig(0, 14), false},
		"the last ten":                {dig(5, 15), true},
		"the last ten but one":        {dig(5, 15, 9), false},
		"the last nine":               {dig(6, 15), false},
		"opened after the end, never": {dig(15, 15), false},
	} {
		pays := c.d.Ore
		if c.daily {
			pays *= 2
		}
		if c.d.Daily(rush) != c.daily || c.d.Pays(rush) != pays {
			t.Errorf("%s: daily %t, %d for %d", name, c.d.Daily(rush), c.d.Pays(rush), c.d.Ore)
		}
	}
}

func TestDugEveryDayIgnoresToday(t *testing.T) {
	first := game.DayOf(rush.Start)
	for name, c := range map[string]struct {
		d      game.Digger
		steady bool
	}{
		"no mine yet":                      {game.Digger{FirstDay: first}, false},
		"the first day, nothing dug":       {game.Digger{Level: 1, FirstDay: first + 3}, true},
		"the first day, dug":               {game.Digger{Level: 1, FirstDay: first + 3, LastDay: first + 3, Days: 1}, true},
		"every day, today not yet":         {game.Digger{Level: 1, FirstDay: first, LastDay: first + 2, Days: 3}, true},
		"every day, today too":             {game.Digger{Level: 1, FirstDay: first, LastDay: first + 3, Days: 4}, true},
		"all but one":                      {game.Digger{Level: 1, FirstDay: first, LastDay: first + 2, Days: 2}, false},
		"all but one, today too":           {game.Digger{Level: 1, FirstDay: first, LastDay: first + 3, Days: 3}, false},
		"opened yesterday, dug today only": {game.Digger{Level: 1, FirstDay: first + 2, LastDay: first + 3, Days: 1}, false},
	} {
		if c.d.DugEveryDay(first+3) != c.steady {
			t.Errorf("%s: %t", name, !c.steady)
		}
	}
}

func TestLateEntryCannotBecomeDailyDigger(t *testing.T) {
	last := game.DayOf(rush.End.Add(-time.Nanosecond))
	for left, inTime := range map[game.Day]bool{15: true, 10: true, 9: false, 1: false} {
		if (game.Digger{Level: 1, FirstDay: last - left + 1}).InTime(rush) != inTime {
			t.Errorf("with %d days left: %t", left, !inTime)
		}
	}
	if (game.Digger{FirstDay: last - 14}).InTime(rush) {
		t.Error("nobody becomes one without a mine")
	}
}

func TestDayCountsOnceAndOnlyByTap(t *testing.T) {
	d := game.NewDigger(usual, rush.Start)
	for _, step := range []struct {
		name string
		sent int
		at   time.Duration
		days int
	}{
		{"no tap", 0, time.Hour, 0},
		{"a tap", 1, 2 * time.Hour, 1},
		{"another", 1, 14 * time.Hour, 1},
		{"no tap on the next day", 0, 25 * time.Hour, 1},
		{"a tap on the next day", 1, 26 * time.Hour, 2},
		{"a tap by a clock that went back", 1, 20 * time.Hour, 2},
	} {
		if d, _ = d.Dig(usual, step.sent, rush.Start.Add(step.at)); d.Days != step.days {
			t.Fatalf("%s: %d days, want %d", step.name, d.Days, step.days)
		}
	}
}

func TestPrizesMatchSpecification(t *testing.T) {
	ores := make([]game.MicroMCBK, 120)
	for i := range ores {
		ores[i] = game.MicroMCBK(1000-i) * game.MCBK
	}
	var ton game.Nanoton
	var coins game.MicroMCBK
	won := 0
	for i, s := range game.Standings(ores, game.LeastPrizeOre) {
		if s.Rank != i+1 || s.Prize != game.PrizeAt(i+1) {
			t.Errorf("place %d is %+v", i+1, s)
		}
		ton, coins = ton+s.TON, coins+s.Coins
		if s.Prize != (game.Prize{}) {
			won++
		}
	}
	if won != 100 || ton != 60*game.TON || coins != 695_000*game.MCBK {
		t.Errorf("%d won %d nanoton and %d micro-MCBK", won, ton, coins)
	}
}

func TestEqualOreSharesPrizesAndLittleOreWinsNone(t *testing.T) {
	of := func(ores ...game.MicroMCBK) (won []game.Standing) {
		for i := range ores {
			ores[i] *= game.MCBK
		}
		return game.Standings(ores, game.LeastPrizeOre)
	}
	if won := game.Standings([]game.MicroMCBK{100 * game.MCBK, 99 * game.MCBK}, 99*game.MCBK); won[1].Prize != game.PrizeAt(2) {
		t.Errorf("as much as a prize needs wins %+v", won[1])
	}
	if won := of(500, 500, 500, 100, 99); won[0] != won[2] || won[0].Rank != 1 || won[0].TON != 20*game.TON || won[0].Coins != 58_333_333_333 ||
		won[3] != (game.Standing{Rank: 4, Prize: game.PrizeAt(4)}) || won[4] != (game.Standing{Rank: 5}) {
		t.Errorf("three first ones: %+v", won)
	}
	last := make([]game.MicroMCBK, 0, 103)
	for i := range 98 {
		last = append(last, game.MicroMCBK(1000-i))
	}
	won := of(append(last, 200, 200, 200, 200, 200)...)
	if won[98].Rank != 99 || won[102].Rank != 99 || won[102].Coins != 2_000*game.MCBK {
		t.Errorf("five at the 99th: %+v and %+v", won[98], won[102])
	}
}

// The prizes' total is never exceeded, and a higher rank never wins less.
func TestSharedPrizesNeverExceedTotal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ores := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) game.MicroMCBK {
			return game.MicroMCBK(rapid.IntRange(0, 40).Draw(t, "tens")) * 10 * game.MCBK
		}), 0, 200).Draw(t, "ores")
		slices.SortFunc(ores, func(a, b game.MicroMCBK) int { return int((b - a) / game.MCBK) })
		var ton game.Nanoton
		var coins game.MicroMCBK
		before := game.Standing{Rank: 1, Prize: game.PrizeAt(1)}
		for i, s := range game.Standings(ores, game.LeastPrizeOre) {
			ton, coins = ton+s.TON, coins+s.Coins
			if s.TON > before.TON || s.Coins > before.Coins || s.Rank < before.Rank {
				t.Fatalf("%+v comes after %+v", s, before)
			}
			if ores[i] < game.LeastPrizeOre && s.Prize != (game.Prize{}) {
				t.Fatalf("%d ore wins %+v", ores[i], s.Prize)
			}
			if i > 0 && (ores[i] == ores[i-1]) != (s == before) && s.Rank == before.Rank {
				t.Fatalf("%+v and %+v", before, s)
			}
			before = s
		}
		if ton > 60*game.TON || coins > 695_000*game.MCBK {
			t.Fatalf("%d nanoton and %d micro-MCBK", ton, coins)
		}
	})
}
