package ops

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// Jobs are the metrics of the jobs (decision 0018: metrics). Only the leader exports leader state.
type Jobs struct {
	leads               prometheus.Gauge
	seconds             *prometheus.HistogramVec
	runs, failures      *prometheus.CounterVec
	last                *prometheus.GaugeVec
	raised, level, most *prometheus.GaugeVec
	ahead               prometheus.Gauge
}

// NewJobs registers the metrics of the jobs.
func NewJobs(registry prometheus.Registerer) *Jobs {
	factory := promauto.With(registry)
	job, alarm := []string{"job"}, []string{"alarm", "subject"}
	return &Jobs{
		leads: factory.NewGauge(prometheus.GaugeOpts{Name: "mcbk_leader", Help: "1 while this process leads."}),
		seconds: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mcbk_job_seconds", Help: "Duration of successful runs of a job.", Buckets: prometheus.ExponentialBuckets(0.01, 4, 10),
		}, job),
		runs:     factory.NewCounterVec(prometheus.CounterOpts{Name: "mcbk_job_runs_total", Help: "Runs of a job, including failed ones."}, job),
		failures: factory.NewCounterVec(prometheus.CounterOpts{Name: "mcbk_job_failures_total", Help: "Failed runs of a job."}, job),
		last: factory.NewGaugeVec(prometheus.GaugeOpts{
			Name: "mcbk_job_last_success_timestamp_seconds", Help: "Last success of a job in any process.",
		}, job),
		raised: factory.NewGaugeVec(prometheus.GaugeOpts{Name: "mcbk_alarm_raised", Help: "1 while an alarm is raised."}, alarm),
		level:  factory.NewGaugeVec(prometheus.GaugeOpts{Name: "mcbk_alarm_level", Help: "Current value of an alarm, in its own unit."}, alarm),
		most:   factory.NewGaugeVec(prometheus.GaugeOpts{Name: "mcbk_alarm_limit", Help: "Value from which an alarm is raised."}, alarm),
		ahead: factory.NewGauge(prometheus.GaugeOpts{
			Name: "mcbk_clock_ahead_seconds", Help: "Seconds by which this process's clock is ahead of the database's.",
		}),
	}
}

// Leads reports leadership of this process.
func (j *Jobs) Leads(leads bool) {
	if leads {
		j.leads.Set(1)
		return
	}
	j.leads.Set(0)
	for _, known := range []*prometheus.GaugeVec{j.last, j.raised, j.level, j.most} {
		known.Reset()
	}
}

// JobDone counts a successful run.
func (j *Jobs) JobDone(job string, took time.Duration) {
	j.runs.WithLabelValues(job).Inc()
	j.failures.WithLabelValues(job) // exports a 0, too
	j.seconds.WithLabelValues(job).Observe(took.Seconds())
}

// JobFailed counts a failed run.
func (j *Jobs) JobFailed(job string) {
	j.runs.WithLabelValues(job).Inc()
	j.failures.WithLabelValues(job).Inc()
}

// LastSuccess reports the time of a job's last success.
func (j *Jobs) LastSuccess(job string, at time.Time) {
	j.last.WithLabelValues(job).Set(float64(at.UnixMilli()) / 1000)
}

// Alarm reports the state of an alarm; the values of both labels are fixed.
func (j *Jobs) Alarm(name, subject string, raised bool, level, limit int64) {
	on := 0.0
	if raised {
		on = 1
	}
	j.raised.WithLabelValues(name, subject).Set(on)
	j.level.WithLabelValues(name, subject).Set(float64(level))
	j.most.WithLabelValues(name, subject).Set(float64(limit))
}

// ClockAhead reports the difference from the database's clock.
func (j *Jobs) ClockAhead(ahead time.Duration) { j.ahead.Set(ahead.Seconds()) }
