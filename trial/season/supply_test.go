package season

import (
	"database/sql"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"mcbk/bot/chart"
	"mcbk/game"
	"mcbk/models/settings"
)

// The limits of friends' rewards as players read them, written independently (spec §2: Referral).
const (
	friendDays   = 14 // days with a check-in
	friendsADay  = 20
	friendCoins  = 50 * game.MCBK
	friendPoints = 10
	// The task of a friend's first check-in.
	inviteCoins  = 2 * game.MCBK
	invitePoints = 100
)

// sources are the accounts that pay rewards, with labels.
var sources = []struct{ account, name string }{
	{"house:taps", "Bag"},
	{"house:daily", "Check-in"},
	{"house:advice", "Advice"},
	{"house:tasks", "Tasks"},
	{"house:wheel", "Wheel"},
	{"house:loyalty", "Loyalty"},
	{"house:friends", "Friends"},
}

// books is a season's ledger.
type books struct {
	days     int
	byDay    map[string][]game.Reward         // by account: its payments on each day
	byPerson map[int64]map[string]game.Reward // by Telegram ID and account
	visits   map[int64][]int                  // days of check-ins, ascending
	friends  map[int64][]friend               // by inviter: paid friends
	invited  map[int64]int                    // by inviter: paid invite tasks
}

// friend is a paid friend.
type friend struct {
	id  int64
	day int
	game.Reward
}

// read loads the ledger. Payments after the last day count to it.
func (s *scene) read() books {
	s.t.Helper()
	db, err := s.db.Open()
	must(s.t, err)
	defer db.Close() //nolint:errcheck // read only
	b := books{
		days: s.form.days, byDay: map[string][]game.Reward{}, byPerson: map[int64]map[string]game.Reward{},
		visits: map[int64][]int{}, friends: map[int64][]friend{}, invited: map[int64]int{},
	}
	for _, source := range sources {
		b.byDay[source.account] = make([]game.Reward, b.days)
	}
	if n := count(s.t, db, "SELECT COUNT(*) FROM postings WHERE destination LIKE 'house:%' AND asset IN ('MCBK', 'POINT')"); n > 0 {
		s.t.Errorf("coins or points went back to the house %d times", n)
	}
	rows(s.t, db, `SELECT p.telegram_id, q.source, date(q.posted_at), SUM(CASE q.asset WHEN 'MCBK' THEN q.amount ELSE 0 END), SUM(CASE q.asset WHEN 'POINT' THEN q.amount ELSE 0 END)
		FROM postings q JOIN players p ON p.id = q.player_id WHERE q.asset IN ('MCBK', 'POINT') GROUP BY 1, 2, 3`, func(scan scan) {
		var (
			id          int64
			account, on string
			given       game.Reward
		)
		must(s.t, scan(&id, &account, &on, &given.Coins, &given.Points))
		if b.byDay[account] == nil {
			s.t.Fatalf("%s gave %d a reward, and nobody here bought or dug", account, id)
		}
		day := min(s.dayOf(on), b.days) - 1
		b.byDay[account][day] = plus(b.byDay[account][day], given)
		if b.byPerson[id] == nil {
			b.byPerson[id] = map[string]game.Reward{}
		}
		b.byPerson[id][account] = plus(b.byPerson[id][account], given)
	})
	rows(s.t, db, `SELECT p.telegram_id, date(q.posted_at) FROM postings q JOIN players p ON p.id = q.player_id
		WHERE q.reference LIKE 'checkin:%' GROUP BY 1, 2 ORDER BY 1, 2`, func(scan scan) {
		var (
			id int64
			on string
		)
		must(s.t, scan(&id, &on))
		b.visits[id] = append(b.visits[id], s.dayOf(on))
	})
	rows(s.t, db, `SELECT p.telegram_id, f.telegram_id, date(q.posted_at), SUM(CASE q.asset WHEN 'MCBK' THEN q.amount ELSE 0 END), SUM(CASE q.asset WHEN 'POINT' THEN q.amount ELSE 0 END)
		FROM postings q JOIN players p ON p.id = q.player_id JOIN players f ON q.reference = 'friend:' || f.id
		WHERE q.source = 'house:friends' GROUP BY 1, 2, 3`, func(scan scan) {
		var (
			id int64
			on string
			f  friend
		)
		must(s.t, scan(&id, &f.id, &on, &f.Coins, &f.Points))
		f.day = s.dayOf(on)
		b.friends[id] = append(b.friends[id], f)
	})
	rows(s.t, db, `SELECT p.telegram_id, COUNT(*) FROM player_tasks u JOIN tasks t ON t.id = u.task_id JOIN players p ON p.id = u.player_id
		WHERE t.action = 'invite_friends' AND u.state = 'claimed' GROUP BY 1`, func(scan scan) {
		var (
			id    int64
			times int
		)
		must(s.t, scan(&id, &times))
		b.invited[id] = times
	})
	var held game.Reward
	must(s.t, db.QueryRowContext(s.t.Context(), `SELECT SUM(balance_game + balance_referral + balance_purchased), SUM(balance_game_points + balance_referral_points)
		FROM players`).Scan(&held.Coins, &held.Points))
	if given := b.supply(); held != given || given.Coins == 0 || given.Points == 0 {
		s.t.Errorf("players hold %v, and were given %v", held, given)
	}
	return b
}

func (s *scene) dayOf(date string) int {
	on, err := time.Parse(time.DateOnly, date)
	must(s.t, err)
	return int(on.Sub(firstDay)/(24*time.Hour)) + 1
}

// supply is the total emission.
func (b books) supply() (all game.Reward) {
	for account := range b.byDay {
		all = plus(all, b.gave(account))
	}
	return all
}

func (b books) gave(account string) (all game.Reward) {
	for _, given := range b.byDay[account] {
		all = plus(all, given)
	}
	return all
}

func plus(a, b game.Reward) game.Reward {
	return game.Reward{Coins: a.Coins + b.Coins, Points: a.Points + b.Points}
}

func times(n int, r game.Reward) game.Reward {
	return game.Reward{Coins: game.MicroMCBK(n) * r.Coins, Points: int64(n) * r.Points}
}

type scan = func(into ...any) error

func rows(t *testing.T, db *sql.DB, query string, row func(scan)) {
	t.Helper()
	found, err := db.QueryContext(t.Context(), query)
	must(t, err)
	defer found.Close() //nolint:errcheck // read to the end
	for found.Next() {
		row(found.Scan)
	}
	must(t, found.Err())
}

// judge checks and reports the payments.
func (s *scene) judge(began time.Time) {
	s.t.Helper()
	b := s.read()
	full := s.fullPlayer(b)
	s.wheelIsFair(b)
	s.friendsAreCapped(b)
	page := s.page(b, full)
	s.t.Logf("after %s:\n%s", time.Since(began).Round(time.Second), page)
	if *folder == "" {
		return
	}
	picture, err := chart.DrawSupply(s.picture(b))
	must(s.t, err)
	must(s.t, os.WriteFile(filepath.Join(*folder, "emission.md"), []byte(page), 0o600))
	must(s.t, os.WriteFile(filepath.Join(*folder, "emission.png"), picture, 0o600))
}

// bound is the reward of a greedy player by the rules, without wheel and friends.
func bound(days, energy int) map[string]game.Reward {
	most := map[string]game.Reward{
		"house:taps":    {Coins: game.MicroMCBK(energy/game.EnergyPerTap) * game.CoinsPerTap},
		"house:advice":  {Points: int64(2*days) * game.AdvicePoints},
		"house:loyalty": times(days, game.LoyaltyReward),
	}
	for day := 1; day <= days; day++ {
		most["house:daily"] = plus(most["house:daily"], times(2, game.DefaultCheckIn.On(day)))
	}
	for _, task := range settings.DefaultSettings().DailyTasks() {
		if task.Action != game.InviteFriends {
			most["house:tasks"] = plus(most["house:tasks"], times(days, game.Reward{Coins: task.Coins, Points: task.Points}))
		}
	}
	return most
}

// luck is a spin's prize with an ad: mean, deviation, maximum.
type luck struct{ mean, variance, most coinsAndPoints }

type coinsAndPoints struct{ coins, points float64 } // micro-MCBK

// luckOf is that of an ordinary or a golden spin.
func luckOf(golden bool) (l luck) {
	odds := game.CurrentOdds()
	add := func(at game.Outcome, chance float64) {
		spin := game.Spin{Outcome: at, Golden: golden}
		paid := plus(odds.Prize(spin).Reward, odds.Extra(spin))
		coins, points := float64(paid.Coins), float64(paid.Points)
		l.mean = coinsAndPoints{l.mean.coins + chance*coins, l.mean.points + chance*points}
		l.variance = coinsAndPoints{l.variance.coins + chance*coins*coins, l.variance.points + chance*points*points}
		l.most = coinsAndPoints{max(l.most.coins, coins), max(l.most.points, points)}
	}
	for i, segment := range odds.Wheel {
		if segment.Type != game.ChestType {
			add(game.Outcome{Segment: i, Chest: game.NoChest}, float64(segment.Weight)/100)
			continue
		}
		for j, held := range odds.Chest {
			add(game.Outcome{Segment: i, Chest: j}, float64(segment.Weight*held.Weight)/10_000)
		}
	}
	l.variance.coins -= l.mean.coins * l.mean.coins
	l.variance.points -= l.mean.points * l.mean.points
	return l
}

// full is the average greedy player, by source: paid, expected by the rules, and for the wheel by the odds.
type full struct {
	got, rules map[string]game.Reward
	byOdds     game.Reward
	spins      float64 // a day
}

// fullPlayer checks that each greedy player got exactly what the rules give, and from the wheel at most the possible.
func (s *scene) fullPlayer(b books) full {
	s.t.Helper()
	f := full{got: map[string]game.Reward{}, rules: map[string]game.Reward{}}
	ordinary, golden := luckOf(false), luckOf(true)
	var all int
	for _, p := range s.people {
		if p.kind != greedy {
			continue
		}
		all++
		rules, got := bound(s.form.days, p.energy), b.byPerson[p.id]
		adSpins := game.Reward{Points: int64(s.form.days * game.AdSpinsADay * game.AdSpinPoints)}
		at := func(of func(luck) coinsAndPoints) game.Reward {
			spin, gold := of(ordinary), of(golden)
			return plus(adSpins, game.Reward{
				Coins:  game.MicroMCBK(float64(p.spun)*spin.coins + float64(p.gold)*gold.coins),
				Points: int64(float64(p.spun)*spin.points + float64(p.gold)*gold.points),
			})
		}
		rules["house:wheel"] = at(func(l luck) coinsAndPoints { return l.most })
		f.byOdds = plus(f.byOdds, at(func(l luck) coinsAndPoints { return l.mean }))
		f.spins += float64(p.spun+p.gold) / float64(s.form.days)
		for _, source := range sources {
			has, may := got[source.account], rules[source.account]
			f.got[source.account], f.rules[source.account] = plus(f.got[source.account], has), plus(f.rules[source.account], may)
			switch {
			case source.account == "house:wheel" && (has.Coins > may.Coins || has.Points > may.Points):
				s.t.Errorf("%d won %v on the wheel, where %v is the most", p.id, has, may)
			case source.account != "house:wheel" && has != may:
				s.t.Errorf("%s gave %d, who takes all, %v, and the rules say %v", source.account, p.id, has, may)
			}
		}
	}
	for _, source := range sources {
		f.got[source.account], f.rules[source.account] = share(f.got[source.account], all), share(f.rules[source.account], all)
	}
	f.byOdds, f.spins = share(f.byOdds, all), f.spins/float64(all)
	return f
}

func share(r game.Reward, n int) game.Reward {
	return game.Reward{Coins: r.Coins / game.MicroMCBK(n), Points: r.Points / int64(n)}
}

// wheelIsFair checks the total prizes against the published odds: six standard deviations are one season in five hundred million.
func (s *scene) wheelIsFair(b books) {
	s.t.Helper()
	ordinary, golden := luckOf(false), luckOf(true)
	var won game.Reward
	var spun, gold float64
	for _, p := range s.people {
		if p.kind == greedy {
			won = plus(won, b.byPerson[p.id]["house:wheel"])
			won.Points -= int64(s.form.days * game.AdSpinsADay * game.AdSpinPoints)
			spun, gold = spun+float64(p.spun), gold+float64(p.gold)
		}
	}
	if gold == 0 {
		s.t.Error("there was no golden spin")
	}
	check := func(what string, won, mean, variance float64) {
		if off := (won - mean) / math.Sqrt(variance); math.Abs(off) > 6 {
			s.t.Errorf("the wheel gave %.0f %s where the odds say %.0f: %.1f standard deviations", won, what, mean, off)
		}
	}
	check("micro-MCBK", float64(won.Coins), spun*ordinary.mean.coins+gold*golden.mean.coins, spun*ordinary.variance.coins+gold*golden.variance.coins)
	check("points", float64(won.Points), spun*ordinary.mean.points+gold*golden.mean.points, spun*ordinary.variance.points+gold*golden.variance.points)
}

// friendsAreCapped checks the stated maximum of friends' rewards: per friend after fourteen days, so many a day, and the task of a first
// check-in. Owners get all of it.
func (s *scene) friendsAreCapped(b books) {
	s.t.Helper()
	for _, p := range s.people {
		if extra := b.invited[p.id] - len(p.invites); extra > 0 {
			s.t.Errorf("%s %d was paid for the task to invite %d times too often", p.kind, p.id, extra)
		}
		onDay := map[int]int{}
		var paid game.Reward
		for _, f := range b.friends[p.id] {
			onDay[f.day]++
			paid = plus(paid, f.Reward)
			if f.Coins > friendCoins || f.Points > friendPoints {
				s.t.Errorf("%s %d was paid %v for %d, more than %s and %d", p.kind, p.id, f.Reward, f.id, friendCoins.Decimal(), friendPoints)
			}
			if days := b.visits[f.id]; len(days) < friendDays || days[friendDays-1] > f.day {
				s.t.Errorf("%s %d was paid on day %d for %d, who had come on %v", p.kind, p.id, f.day, f.id, days)
			}
		}
		for day, friends := range onDay {
			if friends > friendsADay {
				s.t.Errorf("%s %d was paid for %d friends on day %d", p.kind, p.id, friends, day)
			}
		}
		if has := b.byPerson[p.id]["house:friends"]; has != paid {
			s.t.Errorf("%s %d has %v from friends, and was paid %v for them", p.kind, p.id, has, paid)
		}
		if p.kind == owner {
			if n := len(s.inventedBy(p)); len(b.friends[p.id]) != n || b.invited[p.id] != len(p.invites) {
				s.t.Errorf("owner %d invented %d friends who came on %d days, and was paid for %d and %d: the season shows nothing", p.id, n, len(p.invites), len(b.friends[p.id]), b.invited[p.id])
			}
		}
	}
}

func (s *scene) inventedBy(p *person) (all []*person) {
	for _, f := range s.people {
		if f.inviter == p {
			all = append(all, f)
		}
	}
	return all
}

// picture is a chart of coins by day.
func (s *scene) picture(b books) chart.Supply {
	supply := chart.Supply{}
	for _, source := range sources {
		values := make([]float64, b.days)
		for day, given := range b.byDay[source.account] {
			values[day] = float64(given.Coins) / float64(game.MCBK)
		}
		if b.gave(source.account).Coins > 0 {
			supply.Sources = append(supply.Sources, chart.Source{Name: source.name, Coins: values})
		}
	}
	return supply
}
