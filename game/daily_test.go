package game

import (
	"testing"

	"pgregory.net/rapid"
)

func TestStreakRewardGrowsUntilSeventhDay(t *testing.T) {
	var v Visits
	want := []Reward{{1e6, 10}, {1e6, 20}, {1e6, 30}, {2e6, 40}, {2e6, 50}, {2e6, 60}, {3e6, 100}, {3e6, 100}, {3e6, 100}}
	for i, reward := range want {
		var ok bool
		if v, ok = v.CheckIn(100 + Day(i)); !ok || v.Streak != i+1 || DefaultCheckIn.On(v.Streak) != reward {
			t.Errorf("day %d: %+v (%t) pays %+v, want %+v", i+1, v, ok, DefaultCheckIn.On(v.Streak), reward)
		}
	}
}

func TestOnlyNonDefaultRewardIsStored(t *testing.T) {
	second := Visits{Day: 100, Streak: 2, Total: 9}
	if usual := second.PaidAs(Reward{1e6, 20}); usual != second || usual.Paid() != (Reward{1e6, 20}) {
		t.Errorf("the usual: %+v pays %+v", usual, usual.Paid())
	}
	changed := Reward{0, 21}
	paid := second.PaidAs(changed)
	if paid.Reward != changed || paid.Paid() != changed || paid.Streak != 2 {
		t.Errorf("another: %+v pays %+v", paid, paid.Paid())
	}
	if next, _ := paid.CheckIn(101); next.Paid() != (Reward{1e6, 30}) {
		t.Errorf("the day after: %+v", next)
	}
}

// Streak and total depend only on the set of days.
func TestVisitsDependOnlyOnDays(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		days := rapid.SliceOfN(rapid.Int32Range(20_000, 20_030), 0, 60).Draw(t, "days of calls")
		var v Visits
		counted := map[Day]bool{}
		for _, day := range days {
			v.Doubled = true
			after, ok := v.CheckIn(Day(day))
			if ok == (v.Total > 0 && Day(day) <= v.Day) {
				t.Fatalf("a call on day %d after %+v: %t", day, v, ok)
			}
			if ok {
				counted[Day(day)] = !after.Doubled // an ad doubles one day's
			} else if after != v {
				t.Fatalf("a refused call changed %+v to %+v", v, after)
			}
			v = after
		}
		streak := 0
		for counted[v.Day-Day(streak)] {
			streak++
		}
		if v.Total != len(counted) || v.Streak != streak {
			t.Fatalf("%+v after %d days, %d of them in a row", v, len(counted), streak)
		}
	})
}
