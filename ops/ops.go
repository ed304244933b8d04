// Package ops serves metrics and profiles to operators, on an address of its own.
package ops

import (
	"context"
	"database/sql"
	"math"
	"net/http"
	"net/http/pprof"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// NewRegistry makes the program's metrics registry, with the metrics of the process and the Go runtime.
func NewRegistry(version string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	promauto.With(registry).NewGauge(prometheus.GaugeOpts{
		Name: "mcbk_build_info", Help: "Always 1; the version is a label.", ConstLabels: prometheus.Labels{"version": version},
	}).Set(1)
	return registry
}

// Handler serves the metrics and net/http/pprof.
func Handler(registry *prometheus.Registry) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(registry, promhttp.HandlerOpts{Registry: registry}))
	mux.HandleFunc("/debug/pprof/", pprof.Index)
	mux.HandleFunc("/debug/pprof/cmdline", pprof.Cmdline)
	mux.HandleFunc("/debug/pprof/profile", pprof.Profile)
	mux.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	mux.HandleFunc("/debug/pprof/trace", pprof.Trace)
	return mux
}

// WatchPools exports the statistics of the database's connection pools.
func WatchPools(registry prometheus.Registerer, pools map[string]*sql.DB) {
	for name, pool := range pools {
		registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
}

// Meter exports metrics of models' writes (decision 0018: metrics).
type Meter struct {
	rounds   prometheus.Histogram
	failed   prometheus.Counter
	postings *prometheus.CounterVec
	messages *prometheus.CounterVec
}

// NewMeter registers a Meter's metrics.
func NewMeter(registry prometheus.Registerer) *Meter {
	factory := promauto.With(registry)
	return &Meter{
		rounds: factory.NewHistogram(prometheus.HistogramOpts{
			Name: "mcbk_tap_group_size", Help: "Writes of players in one commit.", Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
		failed: factory.NewCounter(prometheus.CounterOpts{
			Name: "mcbk_rounds_failed_total", Help: "Rounds of players' writes that failed; most of their writes succeed alone.",
		}),
		postings: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "mcbk_postings_total", Help: "Committed postings by the kind of their entry.",
		}, []string{"kind"}),
		messages: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "mcbk_messages_total", Help: "Messages of the outbox by outcome.",
		}, []string{"end"}),
	}
}

// Round records the number of players' writes of one commit.
func (m *Meter) Round(size int) { m.rounds.Observe(float64(size)) }

// RoundFailed counts a failed round of players' writes.
func (m *Meter) RoundFailed() { m.failed.Inc() }

// Postings counts committed postings. kind has few fixed values, like "tap".
func (m *Meter) Postings(kind string, n int) { m.postings.WithLabelValues(kind).Add(float64(n)) }

// Messages counts messages of the outbox. end has few fixed values, like "sent".
func (m *Meter) Messages(end string, n int) { m.messages.WithLabelValues(end).Add(float64(n)) }

// WatchCheckouts exports how long answers to checkouts in Stars take; end has few fixed values, like "approved".
func WatchCheckouts(registry prometheus.Registerer) (done func(end string, took time.Duration)) {
	seconds := promauto.With(registry).NewHistogramVec(prometheus.HistogramOpts{
		Name: "mcbk_checkout_seconds", Help: "Duration of answers to checkouts in Telegram Stars by outcome.", Buckets: []float64{0.05, 0.1, 0.5, 1, 2, 5, 10},
	}, []string{"end"})
	return func(end string, took time.Duration) { seconds.WithLabelValues(end).Observe(took.Seconds()) }
}

const countTime = 2 * time.Second

// WatchOutbox exports the number of queued messages, counted at each scrape; NaN on failure.
func WatchOutbox(registry prometheus.Registerer, queued func(ctx context.Context) (int64, error)) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mcbk_messages_queued", Help: "Unsent messages of the outbox.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), countTime)
		defer cancel()
		n, err := queued(ctx)
		if err != nil {
			return math.NaN()
		}
		return float64(n)
	})
}

// WatchChain exports the lag of the treasury's history, read at each scrape; NaN if unknown.
func WatchChain(registry prometheus.Registerer, lag func(ctx context.Context) (lag time.Duration, known bool, err error)) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mcbk_chain_lag_seconds", Help: "Age of the treasury's known history.",
	}, func() float64 {
		ctx, cancel := context.WithTimeout(context.Background(), countTime)
		defer cancel()
		behind, known, err := lag(ctx)
		if err != nil || !known {
			return math.NaN()
		}
		return behind.Seconds()
	})
}
