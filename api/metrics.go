package api

import (
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics are the counters of requests. Labels have fixed values: no path, address or person.
type metrics struct {
	answered *prometheus.CounterVec
	seconds  *prometheus.HistogramVec
	open     prometheus.Gauge
}

func newMetrics(registry prometheus.Registerer) *metrics {
	factory := promauto.With(registry)
	return &metrics{
		answered: factory.NewCounterVec(prometheus.CounterOpts{
			Name: "mcbk_http_requests_total", Help: "Requests answered.",
		}, []string{"route", "method", "status"}),
		seconds: factory.NewHistogramVec(prometheus.HistogramOpts{
			Name: "mcbk_http_request_duration_seconds", Help: "Time from the headers' arrival to the response's end.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 8},
		}, []string{"route", "method"}),
		open: factory.NewGauge(prometheus.GaugeOpts{
			Name: "mcbk_http_requests_in_flight", Help: "Requests in flight.",
		}),
	}
}

// metrics records a request and its duration.
func (g *gateway) metrics(c *gin.Context) {
	began := g.now()
	g.counters.open.Inc()
	defer g.counters.open.Dec()
	c.Next()
	route, method := g.routeName(c), methodName(c.Request.Method)
	g.counters.answered.WithLabelValues(route, method, strconv.Itoa(c.Writer.Status())).Inc()
	g.counters.seconds.WithLabelValues(route, method).Observe(g.now().Sub(began).Seconds())
}

// routeName returns the pattern of a request's route; the webhook's path, which may be secret, is replaced.
func (g *gateway) routeName(c *gin.Context) string {
	switch route := c.FullPath(); {
	case route == "" && isCall(c.Request.URL.Path):
		return "unknown"
	case route == "":
		return "page"
	case route == g.options.WebhookPath:
		return "webhook"
	default:
		return route
	}
}

func methodName(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodPatch, http.MethodOptions:
		return method
	}
	return "other"
}
