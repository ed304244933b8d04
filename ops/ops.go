// Package ops is what operators look at: metrics and profiles. It is served on an address of its own, never to players.
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

// NewRegistry makes the registry for the metrics of all parts of the program; those of the process and the Go runtime are in it.
func NewRegistry(version string) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	registry.MustRegister(collectors.NewGoCollector(), collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}))
	promauto.With(registry).NewGauge(prometheus.GaugeOpts{
		Name: "mcbk_build_info", Help: "Always 1; the version is a label.", ConstLabels: prometheus.Labels{"version": version},
	}).Set(1)
	return registry
}

// Handler serves the metrics and the profiles of net/http/pprof.
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

// WatchPools exports how busy the database's connections are.
func WatchPools(registry prometheus.Registerer, pools map[string]*sql.DB) {
	for name, pool := range pools {
		registry.MustRegister(collectors.NewDBStatsCollector(pool, name))
	}
}

// Meter exports what models reports of its writes. (decision 0018: metrics)
type Meter struct {
	tapGroups prometheus.Histogram
	postings  *prometheus.CounterVec
	messages  *prometheus.CounterVec
}

// NewMeter registers a Meter's metrics.
func NewMeter(registry prometheus.Registerer) *Meter {
	factory := promauto.With(registry)
	return &Meter{
		tapGroups: factory.NewHistogram(prometheus.HistogramOpts{
			Name: "mcbk_tap_group_size", Help: "Tap batches written by one commit.", Buckets: prometheus.ExponentialBuckets(1, 2, 10),
		}),
		postings: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "mcbk_postings_total", Help: "Committed postings by the kind of their entry.",
		}, []string{"kind"}),
		messages: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "mcbk_messages_total", Help: "Messages of the outbox by how they ended.",
		}, []string{"end"}),
	}
}

// TapGroup records one commit and how many tap batches it wrote.
func (m *Meter) TapGroup(size int) { m.tapGroups.Observe(float64(size)) }

// Postings counts committed postings. kind is one of a fixed few, like "tap".
func (m *Meter) Postings(kind string, n int) { m.postings.WithLabelValues(kind).Add(float64(n)) }

// Messages counts messages of the outbox. end is one of a fixed few, like "sent".
func (m *Meter) Messages(end string, n int) { m.messages.WithLabelValues(end).Add(float64(n)) }

// countTime is the timeout of a count for the metrics.
const countTime = 2 * time.Second

// WatchOutbox exports how many messages are queued, counted whenever the metrics are scraped, or NaN while they cannot be
// counted.
func WatchOutbox(registry prometheus.Registerer, queued func(ctx context.Context) (int64, error)) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mcbk_messages_queued", Help: "Messages of the outbox that are not sent yet.",
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

// WatchChain exports how far the treasury's history lies back, asked for whenever the metrics are scraped, or NaN while that is
// unknown.
func WatchChain(registry prometheus.Registerer, lag func(ctx context.Context) (lag time.Duration, known bool, err error)) {
	promauto.With(registry).NewGaugeFunc(prometheus.GaugeOpts{
		Name: "mcbk_chain_lag_seconds", Help: "Since the time up to which the treasury's history is known.",
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
