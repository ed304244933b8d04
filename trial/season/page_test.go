package season

import (
	"fmt"
	"strings"

	"mcbk/game"
)

// page renders a season in Markdown.
func (s *scene) page(b books, f full) string {
	var page strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&page, format+"\n", args...) }
	count := map[kind]int{}
	visits := 0
	for _, p := range s.people {
		count[p.kind]++
		visits += p.days
	}
	supply := b.supply()

	line("# Emission\n")
	line("What a season of %d days brings into the world, played through the program's own API on a clock that is moved. `make season` plays it", s.form.days)
	line("again and writes this page; `trial/season` has the people and what they are held to. This one is of `-seed=%d`: what people choose follows", *seed)
	line("from it, while the wheel's dice are the program's own, so that another run differs by about a percent.\n")
	line("| Who | How many | Coins each | Points each | |\n|---|---:|---:|---:|---|")
	for _, who := range []struct {
		kind
		what string
	}{
		{honest, fmt.Sprintf("come on %s of 100 days, tap, spin and claim; some ask for advice, watch an ad or invite somebody", s.presence())},
		{greedy, "each day all energy, free spins, ad spins, tasks, advice, and an ad for all that an ad multiplies"},
		{owner, fmt.Sprintf("play as honest people do, each day, and have invented %d friends together", count[fake])},
		{fake, "check in on as many days as a friend must, and never again"},
	} {
		each := share(s.held(b, who.kind), count[who.kind])
		line("| %s | %d | %s | %s | %s |", names[who.kind], count[who.kind], coins(each.Coins), grouped(each.Points), who.what)
	}
	line("\nNobody bought coins or dug in the mines. %s days were played in all. At the end `mcbk verify` found every invariant sound, and what all", grouped(int64(visits)))
	line("sources gave is to the millionth what all players hold.\n")
	line("## Supply by source\n")
	line("![Coins by day and source](emission.png)\n")
	s.supplyTable(line, b, supply)
	line("\n## A full player\n")
	s.fullTable(line, f)
	line("\n## Invented friends\n")
	s.ownersTable(line, b)
	return page.String()
}

var names = map[kind]string{honest: "Honest", greedy: "Greedy", owner: "Owners", fake: "Invented friends"}

func (s *scene) held(b books, k kind) (all game.Reward) {
	for _, p := range s.people {
		if p.kind != k {
			continue
		}
		for _, given := range b.byPerson[p.id] {
			all = plus(all, given)
		}
	}
	return all
}

func (s *scene) supplyTable(line func(string, ...any), b books, supply game.Reward) {
	days := []int{1, s.form.days / 4, s.form.days / 2, s.form.days * 3 / 4, s.form.days}
	head, rule := "", ""
	for _, day := range days {
		head, rule = head+fmt.Sprintf(" Day %d |", day), rule+"---:|"
	}
	line("In all, and coins on some days:\n")
	line("| Source | Coins | Share | Points | Share |%s\n|---|---:|---:|---:|---:|%s", head, rule)
	row := func(name string, all game.Reward, on func(day int) game.Reward) {
		cells := ""
		for _, day := range days {
			cells += " " + coins(on(day).Coins) + " |"
		}
		line("| %s | %s | %s | %s | %s |%s", name, coins(all.Coins), percent(int64(all.Coins), int64(supply.Coins)), grouped(all.Points), percent(all.Points, supply.Points), cells)
	}
	for _, source := range sources {
		row(source.name, b.gave(source.account), func(day int) game.Reward { return b.byDay[source.account][day-1] })
	}
	row("All", supply, func(day int) (all game.Reward) {
		for _, given := range b.byDay {
			all = plus(all, given[day-1])
		}
		return all
	})
}

func (s *scene) fullTable(line func(string, ...any), f full) {
	line("What somebody gets who takes all that pays on all %d days, with %.1f spins a day: the average of the greedy ones beside what the rules", s.form.days, f.spins)
	line("of `game/` give. Each of them got just that, and on the wheel what the odds make likely. It is without friends.\n")
	line("| Source | Coins | Rules | Points | Rules |\n|---|---:|---:|---:|---:|")
	var got, rules game.Reward
	for _, source := range sources {
		has, may := f.got[source.account], f.rules[source.account]
		if source.account == "house:friends" {
			continue
		}
		if source.account == "house:wheel" {
			line("| Wheel | %s | %s likely | %s | %s likely |", coins(has.Coins), coins(f.byOdds.Coins), grouped(has.Points), grouped(f.byOdds.Points))
			may = f.byOdds
		} else {
			line("| %s | %s | %s | %s | %s |", source.name, coins(has.Coins), coins(may.Coins), grouped(has.Points), grouped(may.Points))
		}
		got, rules = plus(got, has), plus(rules, may)
	}
	line("| **Emission per full player** | **%s** | %s | **%s** | %s |", coins(got.Coins), coins(rules.Coins), grouped(got.Points), grouped(rules.Points))
	line("\nThat is %s coins and %s points a day. Were each spin the luckiest there is, the wheel would give %s coins and %s points.",
		coins(got.Coins/game.MicroMCBK(s.form.days)), grouped(got.Points/int64(s.form.days)), coins(f.rules["house:wheel"].Coins), grouped(f.rules["house:wheel"].Points))
}

func (s *scene) ownersTable(line func(string, ...any), b books) {
	line("A friend pays once, after %d days with a check-in, %s coins and %d points, %d friends a UTC day; a day on which one comes first completes a task", friendDays, friendCoins.Decimal(), friendPoints, friendsADay)
	line("of %s coins and %d points. Nobody got more, and what a friend earns stays with the friend. A day of work is one check-in of one invented friend.\n", inviteCoins.Decimal(), invitePoints)
	line("| Owner of | Paid for | Most a day | By friends, coins + points | By the task | For each friend | For each day of work |\n|---|---:|---:|---:|---:|---:|---:|")
	most := friendsADay * (s.form.days - friendDays + 1)
	for _, p := range s.people {
		if p.kind != owner {
			continue
		}
		onDay, busiest, work := map[int]int{}, 0, 0
		for _, f := range b.friends[p.id] {
			onDay[f.day]++
			busiest = max(busiest, onDay[f.day])
		}
		friends := s.inventedBy(p)
		for _, f := range friends {
			work += f.days
		}
		paid, task := b.byPerson[p.id]["house:friends"], times(b.invited[p.id], game.Reward{Coins: inviteCoins, Points: invitePoints})
		all := plus(paid, task)
		line("| %d friends, %s | %d | %d | %s | %s | %s | %s |", len(friends), arrivals(friends), len(b.friends[p.id]), busiest, both(paid), both(task), each(all, len(friends)), each(all, work))
	}
	line("\nThe most that anybody can be paid for friends in a season of %d days is %s coins, for %s of them with %s check-ins. Those in line at its end",
		s.form.days, coins(friendCoins*game.MicroMCBK(most)), grouped(int64(most)), grouped(int64(most*friendDays)))
	line("are paid for afterwards, %d a day.", friendsADay)
}

// arrivals describes the arrivals of an owner's friends.
func arrivals(friends []*person) string {
	days := map[int]bool{}
	for _, f := range friends {
		days[f.arrives] = true
	}
	switch len(days) {
	case 1:
		return "all at once"
	case len(friends):
		return "one a day"
	}
	return fmt.Sprintf("in %d waves", len(days))
}

// presence is the percentage of days on which the honest come.
func (s *scene) presence() string {
	came, could := 0, 0
	for _, p := range s.people {
		if p.kind == honest {
			came, could = came+p.days, could+s.form.days-p.arrives+1
		}
	}
	return fmt.Sprint(came * 100 / could)
}

func both(r game.Reward) string {
	return fmt.Sprintf("%s + %s", coins(r.Coins), grouped(r.Points))
}

func each(r game.Reward, n int) string {
	return fmt.Sprintf("%s + %.1f", coins(r.Coins/game.MicroMCBK(max(n, 1))), float64(r.Points)/float64(max(n, 1)))
}

// coins formats whole coins, few with two decimals.
func coins(amount game.MicroMCBK) string {
	const hundredth = game.MCBK / 100
	if amount < 100*game.MCBK {
		return ((amount + hundredth/2) / hundredth * hundredth).Decimal()
	}
	return grouped(int64((amount + game.MCBK/2) / game.MCBK))
}

// grouped formats a number: 1,234,567.
func grouped(n int64) string {
	text := fmt.Sprint(n)
	for at := len(text) - 3; at > 0; at -= 3 {
		text = text[:at] + "," + text[at:]
	}
	return text
}

func percent(part, all int64) string { return fmt.Sprintf("%.1f %%", float64(part)*100/float64(all)) }
