package jobs

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"mcbk/game"
	"mcbk/models"
	"mcbk/models/alarms"
	"mcbk/models/modelstest"
	"mcbk/models/treasury"
)

// deadMessage stores a message that is dead now.
func (h *harness) deadMessage() {
	h.Helper()
	h.exec(`INSERT INTO outbox (key, chat_id, kind, params, urgency, state, tries, next_try_at, queued_at, finished_at, last_error)
		VALUES ('dead' || (SELECT COUNT(*) FROM outbox), 9, 'x', '{}', 0, 'dead', 8, ?, ?, ?, 'x')`, h.now(), h.now(), h.now())
}

// raise raises an alarm without notifying the admins.
func (h *harness) raise(name models.AlarmName, subject string) {
	h.Helper()
	modelstest.Must(h.store.Alarms.ReportAlarm(h.Context(), alarms.AlarmReading{Name: name, Subject: subject, On: true}, nil, h.now()))(h)
}

// raised are the names and subjects of the active alarms, and the last one's detail.
func (h *harness) raised() (all []string, detail string) {
	h.Helper()
	raised := modelstest.Must(h.store.Alarms.RaisedAlarms(h.Context()))(h)
	for _, r := range raised {
		all, detail = append(all, strings.TrimSpace(string(r.Name)+" "+r.Subject)), r.Detail
	}
	return all, detail
}

// record adds consecutive transactions of the chain and its known-until time.
func (h *harness) record(until time.Time, transactions ...treasury.ChainTransaction) {
	h.Helper()
	own, pinned, err := h.store.Treasury.Treasury(h.Context())
	modelstest.NoError(h, err)
	if !pinned {
		modelstest.NoError(h, h.store.Treasury.BeginRecord(h.Context(), "mainnet", "0:treasury", models.ChainCursor{}))
	}
	history := treasury.History{Since: own.Cursor, KnownUntil: until, Agreed: treasury.EnoughServers}
	last := own.Cursor
	for _, t := range transactions {
		t.ChainCursor, t.Prev, t.At, t.BoC, last = cursorAt(last.LT+10), last, until, []byte{1}, cursorAt(last.LT+10)
		history.Transactions = append(history.Transactions, t)
	}
	modelstest.Must(h.store.Treasury.Record(h.Context(), history, modelstest.Season, h.now))(h)
}

func cursorAt(lt int64) models.ChainCursor {
	return models.ChainCursor{LT: lt, Hash: fmt.Sprintf("%064x", lt)}
}

func (h *harness) storePrice(at time.Time) {
	h.Helper()
	modelstest.NoError(h, h.store.Orders.SavePrice(h.Context(), game.PriceReading{At: at, Price: 5 * game.USD / 2}))
}

// owe creates payouts of a TON each: refunds.
func (h *harness) owe(payouts int) {
	h.Helper()
	h.storePrice(modelstest.Noon)
	for n := range payouts {
		modelstest.Paid(h, h.store, game.TON, "thanks", modelstest.Noon)
		modelstest.Done(h, h.store, treasury.ActionMatch, fmt.Sprint(n+1), treasury.MatchRefund)
	}
}

// send is a transaction that sends nanotons to the payer with a payout's comment.
func send(amount game.Nanoton, comment string) treasury.ChainTransaction {
	return treasury.ChainTransaction{Kind: "other", Sent: []treasury.ChainTransfer{{To: "0:payer", Amount: amount, Comment: comment}}}
}

func TestEachAlarmIsRaisedOnceAndEnds(t *testing.T) {
	h := newHarness(t)
	leader := h.lead()
	h.alarms("all is well", leader)
	h.deadMessage()
	h.exec("ALTER TABLE alarms RENAME TO hidden")
	h.alarms("without the table", leader)
	if !strings.Contains(h.log.String(), "level=WARN") {
		t.Errorf("the log says %s", h.log.String())
	}
	h.exec("ALTER TABLE hidden RENAME TO alarms")
	h.alarms("a message is dead", leader, "raised outbox_dead ")
	if !h.meter.raised[alarmKey{models.AlarmOutboxDead, ""}] {
		t.Error("the meter has no alarm")
	}
	h.deadMessage()
	h.alarms("another is", leader)
	h.clock.Step(deadWindow)
	h.alarms("an hour later", leader, "ended outbox_dead ")
	if h.meter.raised[alarmKey{models.AlarmOutboxDead, ""}] {
		t.Error("the meter has an alarm that has ended")
	}
	if sent := h.number("SELECT COUNT(*) FROM outbox WHERE kind = 'alarm' AND chat_id = 2"); sent != 2 {
		t.Errorf("the second admin is sent %d messages", sent)
	}
	if _, measured := h.meter.raised[alarmKey{models.AlarmDiskLow, ""}]; !measured {
		t.Error("the disk is not watched")
	}
}

func TestLowDiskAlarmHasHysteresis(t *testing.T) {
	raised := false
	for step, c := range []struct {
		free int64
		want bool
	}{{1025, false}, {1024, false}, {1023, true}, {1025, true}, {1279, true}, {1280, false}, {1025, false}} {
		if raised = lowDisk(c.free, raised).On; raised != c.want {
			t.Errorf("step %d: with %d MiB free it is raised: %t", step, c.free, raised)
		}
	}
}

func TestOverdueJobRaisesAlarmUntilDone(t *testing.T) {
	h, work := newHarness(t), new(fakeWork)
	jobs := []job{
		{name: "minutes", interval: fiveMinutes, work: work.do},
		{name: "hour", interval: hourly, work: work.do},
		{name: "day", interval: daily, work: work.do},
		{name: "slow", interval: daily, at: 3*time.Hour + 30*time.Minute, slow: true, work: work.do},
	}
	leader := h.lead(jobs...)
	leader.runAll(t.Context())
	work.err = errors.New("ill")
	for _, step := range []struct {
		by   time.Duration
		want []string
	}{
		{time.Hour + 5*time.Minute, nil}, // what is done every five minutes is one hour overdue
		{time.Minute, []string{"raised job_missed minutes"}},
		{54 * time.Minute, nil}, // one hour overdue
		{time.Minute, []string{"raised job_missed hour"}},
		{12*time.Hour + 59*time.Minute, nil}, // 03:00
		{time.Minute, []string{"raised job_missed day"}},
		{7*time.Hour + 29*time.Minute, nil}, // it may work for six hours
		{time.Minute, []string{"raised job_missed slow"}},
	} {
		h.clock.Step(step.by)
		leader.runAll(t.Context())
		h.alarms(h.now().String(), leader, step.want...)
	}
	leader = h.lead(jobs...)
	h.alarms("from the next leader", leader)
	work.err = nil
	leader.runAll(t.Context())
	h.alarms("when all is done again", leader, "ended job_missed minutes", "ended job_missed hour", "ended job_missed day", "ended job_missed slow")
	if raised, _ := h.raised(); len(raised) > 0 {
		t.Errorf("still raised: %q", raised)
	}
}

// After a pause of all processes or a clock jump the work is done before an alarm is raised.
func TestPauseOrClockJumpRaisesNoAlarm(t *testing.T) {
	h := newHarness(t)
	jobs := []job{{name: "daily", interval: daily, work: new(fakeWork).do}}
	h.lead(jobs...).runAll(t.Context())
	h.clock.Step(10 * daily)
	leader := h.lead(jobs...)
	leader.runAll(t.Context())
	h.alarms("after the pause", leader)
	for range 3 {
		leader.runAll(t.Context())
		leader.checkAlarms(t.Context())
		h.clock.Step(3 * daily)
		leader.checkAlarms(t.Context())
	}
	if sent := h.messages(); len(sent) > 0 {
		t.Errorf("after jumps the admins are sent %q", sent)
	}
}

func TestJobThatNeverSucceedsRaisesAlarm(t *testing.T) {
	h, work := newHarness(t), &fakeWork{err: errors.New("ill")}
	jobs := []job{{name: "hour", interval: hourly, work: work.do}, {name: "day", interval: daily, work: work.do}}
	leader := h.lead(jobs...)
	leader.runAll(t.Context())
	h.alarms("at first", leader)
	h.clock.Step(time.Hour + time.Second)
	h.alarms("an hour later", leader, "raised job_missed hour")
	h.alarms("from the next leader", h.lead(jobs...))
}

// Alarms of sales must end when sales stop.
func TestStaleAlarmsEndAndOthersStay(t *testing.T) {
	h := newHarness(t)
	leader := h.lead()
	stay := []string{"clock_skew", "moon_full", "verify_failed", "verify_failed " + nightlyAlarm} // of a newer version, of other jobs
	for _, name := range []models.AlarmName{models.AlarmChainBehind, models.AlarmPriceStale, models.AlarmClockSkew, models.AlarmVerifyFailed, "moon_full"} {
		h.raise(name, "")
	}
	h.raise(models.AlarmJobMissed, "retired")
	h.raise(models.AlarmPayoutUnmatched, "MCBK-1")
	h.raise(models.AlarmVerifyFailed, nightlyAlarm)
	h.alarms("at once", leader, "ended chain_behind ", "ended job_missed retired", "ended payout_stray MCBK-1", "ended price_stale ")
	if raised, _ := h.raised(); !slices.Equal(raised, stay) {
		t.Errorf("still raised are %q, want %q", raised, stay)
	}
	for _, on := range []alarmKey{{models.AlarmClockSkew, ""}, {models.AlarmVerifyFailed, ""}, {models.AlarmVerifyFailed, nightlyAlarm}} {
		if !h.meter.raised[on] {
			t.Errorf("the meter does not have %s", on)
		}
	}
	h.clock.Step(time.Minute) // no process has reported it since
	h.alarms("a minute later", leader, "ended clock_skew ")
}

// Payouts wait for an admin also without sales.
func TestWaitingMoneyRaisesAlarmsWithoutSales(t *testing.T) {
	h := newHarness(t)
	h.owe(2)
	modelstest.Done(t, h.store, treasury.ActionApprove, "1", "0:payer")
	came := []treasury.ChainTransaction{
		send(game.TON, "MCBK-1"),
		{Kind: "bounced", Source: "0:payer", Amount: game.TON - 1000},
		send(game.TON, "MCBK-2"),
		{Kind: treasury.ChainIncoming, Source: "0:payer", Amount: game.TON},
	}
	h.record(h.now(), came...)
	leader := h.lead()
	h.alarms("at first", leader, "raised payments_held ", "raised payout_returned ", "raised payout_stray MCBK-2")
	h.alarms("from the next leader", h.lead())
	h.clock.Step(time.Hour)
	modelstest.Done(t, h.store, treasury.ActionApprove, "1", "0:payer")
	h.record(h.now(), came...)
	h.alarms("when more came", leader, "raised payments_held ", "raised payout_returned ", "raised payout_stray MCBK-2")
	modelstest.Done(t, h.store, treasury.ActionMatch, "3", treasury.MatchRefund)
	modelstest.Done(t, h.store, treasury.ActionMatch, "4", treasury.MatchRefund)
	modelstest.Done(t, h.store, treasury.ActionApprove, "1", "0:payer")
	h.record(h.now(), send(game.TON, "MCBK-1"))
	h.alarms("once settled", leader, "ended payments_held ", "ended payout_returned ")
}

// Each payout has its own alarm: the second must not hide behind the first.
func TestUnmatchedTransferAlertsForADayPerPayout(t *testing.T) {
	h := newHarness(t)
	h.owe(2)
	leader := h.lead()
	h.alarms("before", leader)
	h.record(h.now(), send(game.TON, "MCBK-1"))
	h.alarms("one strays", leader, "raised payout_stray MCBK-1")
	h.clock.Step(5 * time.Hour)
	h.record(h.now())
	h.alarms("hours later", leader)
	h.record(h.now(), send(game.TON, "MCBK-2"))
	h.alarms("another strays", leader, "raised payout_stray MCBK-2")
	h.clock.Step(19 * time.Hour)
	h.record(h.now())
	h.exec("ALTER TABLE treasury_transfers RENAME TO hidden")
	h.alarms("unknown", leader)
	h.exec("ALTER TABLE hidden RENAME TO treasury_transfers")
	h.alarms("the first is a day old", leader, "ended payout_stray MCBK-1")
	h.clock.Step(5 * time.Hour)
	h.record(h.now())
	h.alarms("all are", leader, "ended payout_stray MCBK-2")
}

// Earlier payments and an ended tournament wait until the address is set again.
func TestTreasuryWithoutItsAddressFallsBehind(t *testing.T) {
	h := newHarness(t)
	h.record(h.now())
	leader := h.lead()
	h.clock.Step(maxChainLag)
	h.alarms("at the limit", leader)
	h.clock.Step(time.Second)
	h.alarms("behind", leader, "raised chain_behind ")
	h.clock.Step(time.Hour)
	h.alarms("an hour later", leader)
	if raised, detail := h.raised(); len(raised) != 1 || detail != alarms.TreasuryUnset {
		t.Errorf("raised are %q: %s", raised, detail)
	}
	leader.o.Sales.Treasury = "0:treasury"
	h.record(h.now())
	h.storePrice(h.now())
	h.alarms("set again and read", leader, "ended chain_behind ")

	for ordered, want := range map[bool][]string{false: {"ended chain_behind "}, true: nil} { // its lite servers never answered
		h := newHarness(t)
		modelstest.NoError(h, h.store.Treasury.PinTreasury(t.Context(), "testnet", "0:treasury", h.now()))
		if ordered {
			h.order(h.now(), h.now().Add(time.Hour))
		}
		h.raise(models.AlarmChainBehind, "")
		h.alarms(fmt.Sprintf("never read, ordered: %v", ordered), h.lead(), want...)
	}
}

// Servers that are occasionally a minute late must not toggle the alarm at each reading.
func TestIntermittentlyLateChainRaisesOneAlarm(t *testing.T) {
	h := newHarness(t)
	leader := h.lead()
	leader.o.Sales.Treasury = "0:treasury"
	late := func(when string, age time.Duration, want ...string) {
		t.Helper()
		h.record(h.now().Add(-age))
		h.storePrice(h.now())
		h.alarms(when, leader, want...)
	}
	h.clock.Step(gracePeriod + time.Second)
	late("at first", recoveredChainLag)
	want := []string{"raised chain_behind "}
	for i := range 5 {
		h.clock.Step(150 * time.Second)
		late(fmt.Sprint("before reading ", i), recoveredChainLag+150*time.Second, want...)
		late(fmt.Sprint("after reading ", i), recoveredChainLag)
		want = nil
	}
	late("up to date", recoveredChainLag-time.Second, "ended chain_behind ")
	late("a little late", maxChainLag)
	late("late again", maxChainLag+time.Second, "raised chain_behind ")
}

func TestBrokenSalesRaiseAlarms(t *testing.T) {
	const never = -1
	for _, c := range []struct {
		name         string
		lag          time.Duration // of the chain before the leader's term, or never
		age          time.Duration // of the price before it
		raised       bool          // both alarms, by the last leader
		after        time.Duration // in the term
		chain, price bool          // the alarms that are on
	}{
		{"just leading", never, never, false, time.Minute, false, false},
		{"nothing is read", never, never, false, 11 * time.Minute, true, true},
		{"just leading, and never was anything read", never, never, true, 0, true, true},
		{"read by the last leader, not by this one", time.Minute, time.Minute, false, time.Minute + time.Second, true, false},
		{"for longer", time.Minute, time.Minute, false, game.PriceFresh, true, true},
		{"too old from the beginning", maxChainLag + handoverTime, time.Minute, false, gracePeriod, false, false},
		{"and not read soon", maxChainLag + handoverTime, time.Minute, false, gracePeriod + time.Second, true, false},
		{"after minutes in which nobody led", maxChainLag + handoverTime + time.Second, time.Minute, false, time.Minute, false, false},
		{"just leading, and what was read is old", time.Hour, time.Hour, true, 0, true, true},
		{"read, and still late", -9 * time.Minute, -2 * time.Minute, true, 10 * time.Minute, true, false},
		{"read", -9 * time.Minute, -2 * time.Minute, true, 10*time.Minute - time.Second, false, false},
	} {
		h := newHarness(t)
		leader := h.lead()
		leader.o.Sales.Treasury = "0:treasury"
		if c.lag != never {
			h.record(leader.since.Add(-c.lag))
			h.storePrice(leader.since.Add(-c.age))
		}
		raised := map[alarmKey]bool{{models.AlarmChainBehind, ""}: c.raised, {models.AlarmPriceStale, ""}: c.raised}
		readings, err := leader.salesReadings(t.Context(), leader.since.Add(c.after), raised)
		if err != nil || len(readings) != 2 || readings[0].Name != models.AlarmChainBehind || readings[1].Name != models.AlarmPriceStale ||
			readings[0].On != c.chain || readings[1].On != c.price {
			t.Errorf("%s: %+v, %v", c.name, readings, err)
		}
	}
}

func TestVerifyFindingsRaiseAlarmUntilFixed(t *testing.T) {
	modelstest.Each(t, func(t *testing.T, name string) {
		h := newHarnessOn(t, name)
		modelstest.Player(t, h.store, modelstest.Tapped(10))
		leader := newLeaderTerm(h.store, h.options(), leads)
		for _, c := range []struct {
			balance string
			raised  bool
		}{{"10000", false}, {"10001", true}, {"10002", true}, {"10000", false}} {
			h.exec("UPDATE players SET balance_game = " + c.balance)
			leader.runAll(t.Context())
			h.clock.Step(daily)
			raised, detail := h.raised()
			if want := "every balance equals the sum of its postings: player "; len(raised) > 1 || slices.Contains(raised, "verify_failed") != c.raised ||
				c.raised && !strings.Contains(detail, want) {
				t.Errorf("with a balance of %s: %q, %s; %s", c.balance, raised, detail, h.log.String())
			}
		}
		if n := h.number("SELECT COUNT(*) FROM outbox WHERE kind = 'alarm'"); n != 4 { // two admins, raised and ended
			t.Errorf("%d messages", n)
		}
	})
}

// A night reads sixteen players before it checks its budget.
func TestPartialVerifyEndsNoAlarm(t *testing.T) {
	h := newHarness(t)
	var players []models.Player
	for range 17 {
		players = append(players, modelstest.Player(t, h.store, modelstest.Tapped(1)))
	}
	spent := time.Duration(0)
	options := h.options()
	options.Now = func() time.Time { return modelstest.Noon.Add(spent) }
	first, last := players[0].ID, players[16].ID
	for night, c := range []struct {
		whole       bool           // there is time for all players
		first, last game.MicroMCBK // the balances are off by
		trigger     bool           // one was dropped
		postings    int64
		raised      []string
	}{
		{false, 0, 0, false, 16, nil},
		{true, 0, 1, false, 1, []string{"verify_failed"}},
		{false, 0, 0, false, 16, []string{"verify_failed"}}, // the first of a round
		{true, 0, 0, true, 1, []string{"verify_failed each night"}},
		{false, 1, 0, true, 16, []string{"verify_failed", "verify_failed each night"}},
		{true, 0, 0, false, 1, []string{"verify_failed"}}, // found in this round
		{true, 0, 0, false, 17, nil},
	} {
		h.exec("UPDATE players SET balance_game = 1000 + ? WHERE id = ?", int64(c.first), first)
		h.exec("UPDATE players SET balance_game = 1000 + ? WHERE id = ?", int64(c.last), last)
		h.exec("DROP TRIGGER IF EXISTS chats_test")
		if c.trigger {
			h.exec("CREATE TRIGGER chats_test BEFORE DELETE ON chats BEGIN SELECT 1; END")
		}
		if spent = 0; !c.whole {
			spent = nightlyBudget
		}
		postings, err := verifier{h.store, options}.verify(t.Context(), modelstest.Noon)
		if raised, _ := h.raised(); err != nil || postings != c.postings || !slices.Equal(raised, c.raised) {
			t.Errorf("night %d: %d postings, %v; raised are %q, want %q", night, postings, err, raised, c.raised)
		}
	}
}

func TestDetailOfAlarmFitsAMessage(t *testing.T) {
	if long, short := truncateDetail(strings.Repeat("я", 501)), truncateDetail("я"); long != strings.Repeat("я", 500)+"…" || short != "я" {
		t.Errorf("they are %q and %q", long, short)
	}
}

func TestPauseIsAsLongAsTheWorkWithinBounds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		wait := throttle(time.Now)
		for work, want := range map[time.Duration]time.Duration{0: minPause, time.Second: time.Second, time.Hour: maxPause} {
			time.Sleep(work)
			began := time.Now()
			if err := wait(t.Context()); err != nil || time.Since(began) != want {
				t.Errorf("after %s it pauses for %s, %v", work, time.Since(began), err)
			}
		}
		ending, end := context.WithCancel(t.Context())
		end()
		if err := wait(ending); !errors.Is(err, context.Canceled) {
			t.Errorf("at the end: %v", err)
		}
	})
}
