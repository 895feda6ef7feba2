// Package metrics shows the statistics of a stream as Prometheus text.
package metrics

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// measure is one number of the statistics.
type measure struct {
	desc *prometheus.Desc
	kind prometheus.ValueType
	of   func(stream.Statistics) float64
}

// collector reads a monitor at each request.
type collector struct {
	monitor  *stream.Monitor
	measures []measure
	sizes    *prometheus.Desc
}

func newCollector(m *stream.Monitor) *collector {
	c := &collector{monitor: m,
		sizes: prometheus.NewDesc("kindred_stream_cluster_rows_total",
			"Rows labelled with each cluster.", []string{"cluster"}, nil)}
	add := func(kind prometheus.ValueType, name, help string, of func(stream.Statistics) float64) {
		c.measures = append(c.measures,
			measure{desc: prometheus.NewDesc("kindred_stream_"+name, help, nil, nil), kind: kind,
				of: of})
	}
	counter, gauge := prometheus.CounterValue, prometheus.GaugeValue
	add(counter, "rows_total", "Rows labelled and learnt.",
		func(s stream.Statistics) float64 { return float64(s.Rows) })
	add(counter, "bad_rows_total", "Rows that could not be read.",
		func(s stream.Statistics) float64 { return float64(s.Bad) })
	add(counter, "links_total", "Links that were said and did not have to wait.",
		func(s stream.Statistics) float64 { return float64(s.Links) })
	add(counter, "links_lost_total", "Links that could not count.",
		func(s stream.Statistics) float64 { return float64(s.Lost) })
	add(gauge, "links_held", "Links that wait for rows not yet seen.",
		func(s stream.Statistics) float64 { return float64(s.Held) })
	add(gauge, "links_met", "Links among remembered rows that the prototypes meet.",
		func(s stream.Statistics) float64 { return float64(s.Learner.Met) })
	add(gauge, "links_violated", "Links among remembered rows that the prototypes violate.",
		func(s stream.Statistics) float64 { return float64(s.Learner.Violated) })
	add(gauge, "clusters", "Prototypes that stand for data.",
		func(s stream.Statistics) float64 { return float64(s.Learner.Clusters) })
	add(gauge, "distance", "Mean distance to the nearest prototype, of the latest rows.",
		func(s stream.Statistics) float64 { return s.Distance })
	add(gauge, "margin", "Mean margin of the latest rows: how much further the runner-up is.",
		func(s stream.Statistics) float64 { return s.Margin })
	add(gauge, "remembered_rows", "Latest rows that can be linked.",
		func(s stream.Statistics) float64 { return float64(s.Learner.Remembered) })
	add(gauge, "saved_timestamp_seconds", "When the state was last saved; 0: not yet.",
		func(s stream.Statistics) float64 {
			if s.Saved.IsZero() {
				return 0
			}
			return float64(s.Saved.UnixMilli()) / 1e3
		})
	return c
}

// Describe implements prometheus.Collector.
func (c *collector) Describe(out chan<- *prometheus.Desc) {
	for _, m := range c.measures {
		out <- m.desc
	}
	out <- c.sizes
}

// Collect implements prometheus.Collector.
func (c *collector) Collect(out chan<- prometheus.Metric) {
	s := c.monitor.Statistics()
	for _, m := range c.measures {
		out <- prometheus.MustNewConstMetric(m.desc, m.kind, m.of(s))
	}
	for i, n := range s.Sizes {
		out <- prometheus.MustNewConstMetric(c.sizes, prometheus.CounterValue, float64(n),
			strconv.Itoa(i+1))
	}
}

// handler answers with the statistics of m, and those of the Go process, in the text format of
// Prometheus.
func handler(m *stream.Monitor) http.Handler {
	reg := prometheus.NewRegistry()
	reg.MustRegister(newCollector(m), collectors.NewGoCollector())
	return promhttp.HandlerFor(reg, promhttp.HandlerOpts{})
}

// Serve answers at http://ADDRESS/metrics until ctx is done. address is a port, which is taken on
// the loopback interface, or HOST:PORT. It returns the address that it listens on.
func Serve(ctx context.Context, address string, m *stream.Monitor) (string, error) {
	if _, err := strconv.Atoi(address); err == nil {
		address = net.JoinHostPort("127.0.0.1", address)
	}
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fault.Inputf("give a port, or HOST:PORT", "%q is no address to serve metrics on",
			address).Because(err)
	}
	if host == "" {
		host = "127.0.0.1" // all interfaces only where they are named
	}
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return "", fmt.Errorf("metrics cannot be served: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", handler(m))
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second}
	go func() {
		if err := server.Serve(l); err != nil && !errors.Is(err, http.ErrServerClosed) {
			l.Close() // the stream goes on without
		}
	}()
	context.AfterFunc(ctx, func() { server.Close() })
	return l.Addr().String(), nil
}
