package ops_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"

	"mcbk/jobs"
	"mcbk/models/db"
	"mcbk/ops"
)

var (
	_ db.Meter   = (*ops.Meter)(nil)
	_ jobs.Meter = (*ops.Jobs)(nil)
)

func TestMeterCountsGroupsAndPostings(t *testing.T) {
	registry := ops.NewRegistry("v1")
	meter := ops.NewMeter(registry)
	for _, size := range []int{1, 3, 32} {
		meter.Round(size)
	}
	meter.RoundFailed()
	meter.Postings("tap", 2)
	meter.Postings("tap", 34)
	want := `
# HELP mcbk_postings_total Committed postings by the kind of their entry.
# TYPE mcbk_postings_total counter
mcbk_postings_total{kind="tap"} 36
# HELP mcbk_rounds_failed_total Rounds of players' writes that failed; most of their writes succeed alone.
# TYPE mcbk_rounds_failed_total counter
mcbk_rounds_failed_total 1
# HELP mcbk_tap_group_size Writes of players in one commit.
# TYPE mcbk_tap_group_size histogram
mcbk_tap_group_size_bucket{le="1"} 1
mcbk_tap_group_size_bucket{le="2"} 1
mcbk_tap_group_size_bucket{le="4"} 2
mcbk_tap_group_size_bucket{le="8"} 2
mcbk_tap_group_size_bucket{le="16"} 2
mcbk_tap_group_size_bucket{le="32"} 3
mcbk_tap_group_size_bucket{le="64"} 3
mcbk_tap_group_size_bucket{le="128"} 3
mcbk_tap_group_size_bucket{le="256"} 3
mcbk_tap_group_size_bucket{le="512"} 3
mcbk_tap_group_size_bucket{le="+Inf"} 3
mcbk_tap_group_size_sum 36
mcbk_tap_group_size_count 3
`
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "mcbk_postings_total", "mcbk_rounds_failed_total", "mcbk_tap_group_size"); err != nil {
		t.Error(err)
	}
}

func TestCheckoutsAreTimed(t *testing.T) {
	registry := ops.NewRegistry("v1")
	done := ops.WatchCheckouts(registry)
	done("approved", 70*time.Millisecond)
	done("failed", 8*time.Second)
	want := `
# HELP mcbk_checkout_seconds Duration of answers to checkouts in Telegram Stars by outcome.
# TYPE mcbk_checkout_seconds histogram
`
	for end, counts := range map[string][]int{"approved": {0, 1, 1, 1, 1, 1, 1}, "failed": {0, 0, 0, 0, 0, 0, 1}} {
		for i, limit := range []string{"0.05", "0.1", "0.5", "1", "2", "5", "10"} {
			want += fmt.Sprintf("mcbk_checkout_seconds_bucket{end=%q,le=%q} %d\n", end, limit, counts[i])
		}
		want += fmt.Sprintf("mcbk_checkout_seconds_bucket{end=%q,le=\"+Inf\"} 1\nmcbk_checkout_seconds_count{end=%[1]q} 1\n", end)
		want += fmt.Sprintf("mcbk_checkout_seconds_sum{end=%q} %s\n", end, map[string]string{"approved": "0.07", "failed": "8"}[end])
	}
	if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "mcbk_checkout_seconds"); err != nil {
		t.Error(err)
	}
}

func TestOutboxMetricsAreExported(t *testing.T) {
	registry := ops.NewRegistry("v1")
	meter := ops.NewMeter(registry)
	meter.Messages("sent", 2)
	meter.Messages("sent", 1)
	meter.Messages("blocked", 1)
	var away error
	ops.WatchOutbox(registry, func(ctx context.Context) (int64, error) {
		if _, limited := ctx.Deadline(); !limited {
			t.Error("the count may take for ever")
		}
		return 7, away
	})
	for queued, err := range map[string]error{"7": nil, "NaN": errors.New("the database is away")} {
		away = err
		want := `
# HELP mcbk_messages_queued Unsent messages of the outbox.
# TYPE mcbk_messages_queued gauge
mcbk_messages_queued ` + queued + `
# HELP mcbk_messages_total Messages of the outbox by outcome.
# TYPE mcbk_messages_total counter
mcbk_messages_total{end="blocked"} 1
mcbk_messages_total{end="sent"} 3
`
		if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "mcbk_messages_total", "mcbk_messages_queued"); err != nil {
			t.Error(err)
		}
	}
}

func TestChainLagIsExported(t *testing.T) {
	for shown, result := range map[string]struct {
		lag   time.Duration
		known bool
		err   error
	}{"1.5": {1500 * time.Millisecond, true, nil}, "NaN": {0, false, nil}, "+NaN": {time.Second, true, errors.New("the database is away")}} {
		registry := ops.NewRegistry("v1")
		ops.WatchChain(registry, func(ctx context.Context) (time.Duration, bool, error) {
			if _, limited := ctx.Deadline(); !limited {
				t.Error("the question may take for ever")
			}
			return result.lag, result.known, result.err
		})
		want := `
# HELP mcbk_chain_lag_seconds Age of the treasury's known history.
# TYPE mcbk_chain_lag_seconds gauge
mcbk_chain_lag_seconds ` + strings.TrimPrefix(shown, "+") + "\n"
		if err := testutil.GatherAndCompare(registry, strings.NewReader(want), "mcbk_chain_lag_seconds"); err != nil {
			t.Error(err)
		}
	}
}

func TestLeaderExportsJobMetrics(t *testing.T) {
	registry := ops.NewRegistry("v1")
	meter := ops.NewJobs(registry)
	meter.Leads(true)
	meter.JobDone("verify", 2*time.Second)
	meter.JobFailed("verify")
	meter.LastSuccess("verify", time.UnixMilli(1_700_000_000_500))
	meter.Alarm("job_missed", "verify", true, 61, 60)
	meter.ClockAhead(-1500 * time.Millisecond)
	const known = `
# HELP mcbk_clock_ahead_seconds Seconds by which this process's clock is ahead of the database's.
# TYPE mcbk_clock_ahead_seconds gauge
mcbk_clock_ahead_seconds -1.5
# HELP mcbk_job_failures_total Failed runs of a job.
# TYPE mcbk_job_failures_total counter
mcbk_job_failures_total{job="verify"} 1
# HELP mcbk_job_runs_total Runs of a job, including failed ones.
# TYPE mcbk_job_runs_total counter
mcbk_job_runs_total{job="verify"} 2
`
	const leads = known + `
# HELP mcbk_alarm_level Current value of an alarm, in its own unit.
# TYPE mcbk_alarm_level gauge
mcbk_alarm_level{alarm="job_missed",subject="verify"} 61
# HELP mcbk_alarm_limit Value from which an alarm is raised.
# TYPE mcbk_alarm_limit gauge
mcbk_alarm_limit{alarm="job_missed",subject="verify"} 60
# HELP mcbk_alarm_raised 1 while an alarm is raised.
# TYPE mcbk_alarm_raised gauge
mcbk_alarm_raised{alarm="job_missed",subject="verify"} 1
# HELP mcbk_job_last_success_timestamp_seconds Last success of a job in any process.
# TYPE mcbk_job_last_success_timestamp_seconds gauge
mcbk_job_last_success_timestamp_seconds{job="verify"} 1.7000000005e+09
# HELP mcbk_leader 1 while this process leads.
# TYPE mcbk_leader gauge
mcbk_leader 1
`
	const follows = known + `
# HELP mcbk_leader 1 while this process leads.
# TYPE mcbk_leader gauge
mcbk_leader 0
`
	names := []string{
		"mcbk_alarm_level", "mcbk_alarm_limit", "mcbk_alarm_raised", "mcbk_clock_ahead_seconds", "mcbk_job_failures_total",
		"mcbk_job_runs_total", "mcbk_job_last_success_timestamp_seconds", "mcbk_leader",
	}
	if err := testutil.GatherAndCompare(registry, strings.NewReader(leads), names...); err != nil {
		t.Error(err)
	}
	meter.Leads(false)
	if err := testutil.GatherAndCompare(registry, strings.NewReader(follows), names...); err != nil {
		t.Error(err)
	}
}
