package jobs

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/given"
)

// heard lets the leader look twice and returns what the admins heard of it.
func (s *shelf) heard(ctx context.Context, leader *leaderTerm) []string {
	s.told = nil
	leader.checkAlarms(ctx)
	leader.checkAlarms(ctx)
	return s.told
}

func heard(t *testing.T, when string, got []string, want ...string) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s: heard %q, want %q", when, got, want)
	}
}

func TestEachAlarmIsRaisedOnceAndEnds(t *testing.T) {
	const mib = 1 << 20
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	for _, step := range []struct {
		when string
		do   func()
		told []string
	}{
		{"all is well", func() {}, nil},
		{"a message is dead", func() { store.dead = 1 }, []string{"raised outbox_dead "}},
		{"another is", func() { store.dead = 2 }, nil},
		{"an hour later", func() { store.dead = 0 }, []string{"ended outbox_dead "}},
		{"little space", func() { store.free = 1023 * mib }, []string{"raised disk_low "}},
		{"a little more", func() { store.free = 1025 * mib }, nil},
		{"enough", func() { store.free = 1280 * mib }, []string{"ended disk_low "}},
		{"a little less", func() { store.free = 1025 * mib }, nil},
	} {
		step.do()
		heard(t, step.when, store.heard(t.Context(), leader), step.told...)
		for _, line := range step.told {
			if name := models.AlarmName(strings.Fields(line)[1]); o.gauge.raised[alarmKey{name, ""}] != strings.HasPrefix(line, "raised") {
				t.Errorf("%s: the meter does not know", step.when)
			}
		}
	}
}

func TestAJobThatIsLateIsTold(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	store.err = errors.New("ill")
	missed := func(is func(j job) bool) (told []string) {
		for _, name := range dueIn(is) {
			told = append(told, "raised job_missed "+name)
		}
		return told
	}
	for _, step := range []struct {
		by   time.Duration
		told []string
	}{
		{time.Hour + 5*time.Minute, nil}, // what is done every five minutes is one hour late
		{time.Minute, missed(func(j job) bool { return j.interval == fiveMinutes })},
		{54 * time.Minute, nil}, // one hour late
		{time.Minute, missed(func(j job) bool { return j.interval == hourly })},
		{12*time.Hour + 59*time.Minute, nil}, // 03:00
		{time.Minute, missed(func(j job) bool { return j.interval == daily && !j.slow })},
		{7*time.Hour + 30*time.Minute, missed(func(j job) bool { return j.interval == daily && j.slow })}, // they may work for six hours
	} {
		o.clock.Step(step.by)
		leader.runAll(t.Context())
		heard(t, o.clock.Now().String(), store.heard(t.Context(), leader), step.told...)
	}
	leader = o.leader(store) // who begins to lead knows no better
	heard(t, "from the next leader", store.heard(t.Context(), leader))
	store.err = nil
	o.clock.Step(retryDelay)
	leader.runAll(t.Context())
	if told := store.heard(t.Context(), leader); len(told) != len(everyJob) || !strings.HasPrefix(told[0], "ended job_missed") || len(store.alarms) != 0 {
		t.Errorf("when all is done again: %q", told)
	}
}

// After a long pause of all processes the work is done before anybody is told that it was not.
func TestAPauseOfAllIsNoAlarm(t *testing.T) {
	store, o := newShelf(), newOffice()
	o.leader(store).runAll(t.Context())
	o.clock.Step(10 * daily)
	leader := o.leader(store)
	leader.runAll(t.Context())
	heard(t, "after the pause", store.heard(t.Context(), leader))
}

// A look between a jump of the clock and the work that it makes due tells nobody.
func TestAJumpOfTheClockIsNoAlarm(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	for range 3 {
		leader.runAll(t.Context())
		leader.checkAlarms(t.Context())
		o.clock.Step(3 * daily)
		leader.checkAlarms(t.Context())
	}
	if len(store.told) > 0 {
		t.Errorf("heard %q", store.told)
	}
}

func TestAJobThatNeverSucceedsIsTold(t *testing.T) {
	store, o := newShelf(), newOffice()
	store.err = errors.New("ill")
	leader := o.leader(store)
	leader.runAll(t.Context())
	heard(t, "at first", store.heard(t.Context(), leader))
	o.clock.Step(time.Hour + time.Second)
	if told := store.heard(t.Context(), leader); len(told) != len(dueIn(func(j job) bool { return j.interval <= hourly })) {
		t.Errorf("an hour later: %q", told)
	}
	heard(t, "from the next leader", store.heard(t.Context(), o.leader(store)))
}

func TestTheAlarmOfAJobThatIsNoMoreEnds(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	store.alarms[alarmKey{models.AlarmJobMissed, "retired"}] = models.AlarmReading{Name: models.AlarmJobMissed, Subject: "retired"}
	store.alarms[alarmKey{models.AlarmClockSkew, ""}] = models.AlarmReading{Name: models.AlarmClockSkew}
	store.alarms[alarmKey{models.AlarmVerifyFailed, ""}] = models.AlarmReading{Name: models.AlarmVerifyFailed}
	heard(t, "at the next look", store.heard(t.Context(), leader), "ended job_missed retired")
	if store.skewEnd != 2 { // it looked twice
		t.Errorf("the skewed clocks were looked at %d times", store.skewEnd)
	}
	if !o.gauge.raised[alarmKey{models.AlarmVerifyFailed, ""}] || !o.gauge.raised[alarmKey{models.AlarmClockSkew, ""}] {
		t.Error("the meter does not know what others raised")
	}
}

// What players are owed waits for an admin also where coins are no longer sold; nobody is told that it is settled before it is.
func TestMoneyThatWaitsIsAnAlarmAlsoWhereNothingIsSold(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	store.till.held, store.till.newest, store.till.returned = 3, o.clock.Now(), 1
	store.till.stray = map[string]time.Time{"MCBK-3": o.clock.Now()}
	waits := store.heard(t.Context(), leader)
	heard(t, "at first", waits, "raised payments_held ", "raised payout_returned ", "raised payout_stray MCBK-3")
	heard(t, "from the next leader", store.heard(t.Context(), o.leader(store)))
	for _, about := range []alarmKey{{models.AlarmPaymentsHeld, ""}, {models.AlarmPayoutReturned, ""}, {models.AlarmPayoutStray, "MCBK-3"}} {
		if grew := store.alarms[about].Grew; !grew.Equal(o.clock.Now()) {
			t.Errorf("the newest of %s is told to be of %s", about, grew)
		}
	}
	store.till.held, store.till.returned = 0, 0
	heard(t, "once settled", store.heard(t.Context(), leader), "ended payments_held ", "ended payout_returned ")
}

// Payments that were made before wait until the address is set again, and so does a tournament that has ended.
func TestATreasuryWhoseAddressIsRemovedFallsBehind(t *testing.T) {
	store, o := newShelf(), newOffice()
	store.till.is, store.till.pinned.KnownUntil = true, o.clock.Now()
	leader := o.leader(store)
	for _, step := range []struct {
		after time.Duration
		told  []string
	}{{maxChainLag, nil}, {time.Second, []string{"raised chain_behind "}}, {time.Hour, nil}} {
		o.clock.Step(step.after)
		leader.runAll(t.Context())
		heard(t, "after "+step.after.String(), store.heard(t.Context(), leader), step.told...)
	}
	if detail := store.alarms[alarmKey{models.AlarmChainBehind, ""}].Detail; detail != models.TreasuryUnset {
		t.Errorf("it tells %q", detail)
	}
	leader.o.Sales.Treasury, store.till.pinned.KnownUntil, store.till.rate.At = "0:treasury", o.clock.Now(), o.clock.Now()
	heard(t, "set again and read", store.heard(t.Context(), leader), "ended chain_behind ")

	for ordered, told := range map[bool][]string{false: {"ended chain_behind "}, true: nil} { // its lite servers never answered
		store, o := newShelf(), newOffice()
		leader := o.leader(store)
		leader.runAll(t.Context())
		store.till.pinned = models.Treasury{Network: "testnet", Address: "0:treasury"} // it has but a name
		if ordered {
			store.till.ordered = o.clock.Now()
		}
		store.alarms[alarmKey{models.AlarmChainBehind, ""}] = models.AlarmReading{Name: models.AlarmChainBehind}
		heard(t, fmt.Sprintf("never read, ordered: %v", ordered), store.heard(t.Context(), leader), told...)
	}
}

// Servers that tell of a minute ago, and that only now and then, raise and end no alarm at each reading.
func TestAChainThatIsLateNowAndThenIsToldOnce(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.o.Sales.Treasury, store.till.is, store.till.pinned.KnownUntil = "0:treasury", true, o.clock.Now()
	late := func(when string, age time.Duration, told ...string) {
		t.Helper()
		store.till.pinned.KnownUntil, store.till.rate.At = o.clock.Now().Add(-age), o.clock.Now()
		leader.runAll(t.Context())
		heard(t, when, store.heard(t.Context(), leader), told...)
	}
	o.clock.Step(gracePeriod + time.Second)
	late("at first", recoveredChainLag)
	told := []string{"raised chain_behind "}
	for i := range 5 {
		o.clock.Step(150 * time.Second)
		late(fmt.Sprint("before reading ", i), recoveredChainLag+150*time.Second, told...)
		late(fmt.Sprint("after reading ", i), recoveredChainLag)
		told = nil
	}
	late("up to date", recoveredChainLag-time.Second, "ended chain_behind ")
	late("a little late", maxChainLag)
	late("late again", maxChainLag+time.Second, "raised chain_behind ")
}

// With coins no longer sold, nobody would ever end what was wrong with selling; when they are sold again, it would be told to nobody.
func TestTheAlarmsOfSellingEndWithTheSales(t *testing.T) {
	for _, name := range []models.AlarmName{models.AlarmChainBehind, models.AlarmPriceStale} {
		store, o := newShelf(), newOffice()
		leader := o.leader(store)
		leader.runAll(t.Context())
		store.alarms[alarmKey{name, ""}] = models.AlarmReading{Name: name}
		heard(t, "at the next look", store.heard(t.Context(), leader), "ended "+string(name)+" ")
	}
}

func TestAnAlarmOfANewerVersionIsLeftToIt(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	store.alarms[alarmKey{"moon_full", ""}] = models.AlarmReading{Name: "moon_full"}
	heard(t, "at the next look", store.heard(t.Context(), leader))
}

func TestAlarmsThatCannotBeLookedAtAreLookedAtLater(t *testing.T) {
	store, o := newShelf(), newOffice()
	leader := o.leader(store)
	leader.runAll(t.Context())
	store.dead, store.away = 1, models.ErrTryAgain
	heard(t, "without a database", store.heard(t.Context(), leader))
	if !strings.Contains(o.log.String(), "level=WARN") {
		t.Errorf("the log says %s", o.log.String())
	}
	store.away = nil
	heard(t, "with one", store.heard(t.Context(), leader), "raised outbox_dead ")
}

func TestWhatVerifyFindsIsAnAlarmUntilItIsWell(t *testing.T) {
	for _, name := range given.Databases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := given.Address(t, name)
			store, raw := given.OpenStore(t, address), given.Raw(t, address)
			given.Player(t, store, given.Tapped(10))
			o := newOffice()
			leader := o.leader(store)
			check := func(balance string, alarms int) {
				t.Helper()
				if _, err := raw.ExecContext(t.Context(), "UPDATE players SET balance_game = "+balance); err != nil {
					t.Fatal(err)
				}
				leader.runAll(t.Context())
				o.clock.Step(daily)
				raised, err := store.RaisedAlarms(t.Context())
				if err != nil || len(raised) != alarms {
					t.Errorf("with a balance of %s: %+v, %v: %s", balance, raised, err, o.log.String())
				}
				if alarms > 0 && (raised[0].Name != models.AlarmVerifyFailed || !strings.Contains(raised[0].Detail, "every balance equals the sum of its postings: player ")) {
					t.Errorf("it tells %+v", raised[0])
				}
			}
			check("10000", 0)
			check("10001", 1)
			check("10002", 1)
			check("10000", 0)
			var messages int
			err := raw.QueryRowContext(t.Context(), "SELECT COUNT(*) FROM outbox WHERE kind = 'alarm'").Scan(&messages)
			if err != nil || messages != 4 { // two admins, raised and ended
				t.Errorf("%d messages, %v", messages, err)
			}
		})
	}
}

// library is a store whose books take some hours to check.
type library struct {
	*shelf
	clock interface{ Step(by time.Duration) }
	hours int
}

func (l *library) VerifyPart(_ context.Context, _ game.Season, _ time.Time, more func() bool) (models.Report, error) {
	hours := 0
	for goOn := true; goOn && hours < l.hours; goOn = more() {
		hours++
		l.clock.Step(time.Hour)
	}
	l.report.Postings, l.report.Whole = int64(hours), hours == l.hours
	return l.report, nil
}

func TestANightThatSawAPartOfTheBooksEndsNoAlarm(t *testing.T) {
	o := newOffice()
	books := &library{shelf: newShelf(), clock: o.clock}
	sound := []models.Verdict{{Invariant: "sound"}, {Invariant: "whole", EachPart: true}}
	odd := []models.Verdict{{Invariant: "odd", Broken: []string{"player 7"}}, {Invariant: "whole", EachPart: true}}
	late := []models.Verdict{{Invariant: "sound"}, {Invariant: "whole", EachPart: true, Broken: []string{"nonce 3"}}}
	for night, c := range []struct {
		hours    int
		found    []models.Verdict
		checked  int64    // hours
		standing []string // subjects
		rounds   int      // ended so far
	}{
		{12, sound, 5, nil, 0},
		{7, odd, 5, []string{roundAlarm}, 0},
		{6, late, 5, []string{roundAlarm, nightlyAlarm}, 0},
		{1, odd, 1, []string{roundAlarm}, 1},
		{9, late, 5, []string{roundAlarm, nightlyAlarm}, 1},
		{5, sound, 5, nil, 2},
	} {
		books.hours, books.report.Verdicts = c.hours, c.found
		checked, err := verifier{books, o.options()}.verify(t.Context(), o.clock.Now())
		if err != nil || checked != c.checked {
			t.Errorf("night %d: %d hours, %v", night, checked, err)
		}
		raised := map[alarmKey]bool{}
		for _, subject := range c.standing {
			raised[alarmKey{models.AlarmVerifyFailed, subject}] = true
		}
		if standing, err := o.leader(books).raised(t.Context()); err != nil || !reflect.DeepEqual(standing, raised) || books.anew != c.rounds {
			t.Errorf("night %d: raised are %v, %v; %d rounds", night, standing, err, books.anew)
		}
	}
}

func TestAnAlarmTellsNoMoreThanAMessageHolds(t *testing.T) {
	if long := truncateDetail(strings.Repeat("я", 501)); long != strings.Repeat("я", 500)+"…" {
		t.Errorf("it tells %q", long)
	}
	if short := truncateDetail("я"); short != "я" {
		t.Errorf("it tells %q", short)
	}
}

func TestARestIsAsLongAsTheWorkWithinBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rest := throttle(time.Now)
		for work, want := range map[time.Duration]time.Duration{0: minPause, time.Second: time.Second, time.Hour: maxPause} {
			time.Sleep(work)
			began := time.Now()
			if err := rest(t.Context()); err != nil || time.Since(began) != want {
				t.Errorf("after %s it rests for %s, %v", work, time.Since(began), err)
			}
		}
		ending, end := context.WithCancel(t.Context())
		end()
		if err := rest(ending); !errors.Is(err, context.Canceled) {
			t.Errorf("at the end: %v", err)
		}
	})
}
