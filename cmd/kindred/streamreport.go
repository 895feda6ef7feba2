package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/stream"
)

// mostReports is how many bad rows are reported in a second; the rest are counted.
const mostReports = 10

// reporter reports bad rows, and links that cannot count.
type reporter struct {
	app *app

	mu      sync.Mutex
	since   time.Time
	shown   int
	skipped int
}

// take is the Report of a run.
func (r *reporter) take(err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if now := time.Now(); now.Sub(r.since) >= time.Second {
		r.count()
		r.since, r.shown = now, 0
	}
	if r.shown++; r.shown > mostReports {
		r.skipped++
		return
	}
	r.app.notef("%s", err)
}

// count reports how many were skipped.
func (r *reporter) count() {
	if r.skipped > 0 {
		r.app.notef("… and %s", words.Count(r.skipped, "more such line"))
	}
	r.skipped = 0
}

func (r *reporter) end() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.count()
}

// scoring counts labels by true class on their way to a sink.
type scoring struct {
	stream.Sink
	counts [][]int64 // by cluster and class
}

func (s *scoring) Put(ctx context.Context, b *stream.Block, labels []competitive.Label) error {
	for i, l := range labels {
		if i >= len(b.Class) || b.Class[i] < 0 {
			continue
		}
		for int(l.Cluster) >= len(s.counts) {
			s.counts = append(s.counts, nil)
		}
		row := &s.counts[l.Cluster]
		for int(b.Class[i]) >= len(*row) {
			*row = append(*row, 0)
		}
		(*row)[b.Class[i]]++
	}
	return s.Sink.Put(ctx, b, labels)
}

// showProgress writes statistics every --stats-every.
func (s *streaming) showProgress(ctx context.Context) {
	t := time.NewTicker(s.statsEvery)
	defer t.Stop()
	rows, at := int64(0), time.Now()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		stats, now := s.cfg.Monitor.Statistics(), time.Now()
		rate := float64(stats.RunRows-rows) / now.Sub(at).Seconds()
		rows, at = stats.RunRows, now
		line := fmt.Sprintf("%s (%s/s), distance %s, margin %s, %d of %d prototypes active",
			words.Count(stats.Rows, "row"), words.Round(rate),
			words.Round(stats.Distance), words.Round(stats.Margin), stats.Learner.Clusters,
			s.cfg.Learner.Config().Clusters)
		if stats.Bad > 0 {
			line += fmt.Sprintf(", %d bad", stats.Bad)
		}
		if stats.Links > 0 || stats.Held > 0 {
			line += fmt.Sprintf(", %s (%d violated, %d waiting, %d lost)",
				words.Count(stats.Links, "link"), stats.Learner.Violated, stats.Held,
				stats.Lost)
		}
		s.app.notef("%s", line)
	}
}

// streamReport is what --json writes.
type streamReport struct {
	Version string `json:"version"`
	Method  string `json:"method"`
	Data    string `json:"data"`
	Seed    uint64 `json:"seed"`
	stream.Statistics
	Saved  *time.Time   `json:"saved,omitempty"` // absent where no state was
	Scores *eval.Report `json:"scores,omitempty"`
	Notes  []string     `json:"notes,omitempty"`
	Ended  string       `json:"ended"` // rows, interrupted or failed
}

// summarize reports the result of the run.
func (s *streaming) summarize(stats stream.Statistics, took time.Duration, err error) {
	cfg := s.cfg.Learner.Config()
	r := streamReport{Version: cli.Version(version), Method: cfg.Rule.String(), Data: s.name,
		Seed: cfg.Seed, Statistics: stats, Notes: s.source.Notes(), Ended: "rows"}
	if !stats.Saved.IsZero() {
		r.Saved = &stats.Saved
	}
	switch {
	case errors.Is(err, context.Canceled):
		r.Ended = "interrupted"
	case err != nil:
		r.Ended = "failed"
	}
	s.app.list("  ", r.Notes)
	line := fmt.Sprintf("%s labelled %s of %s into %s", cfg.Rule,
		words.Count(stats.RunRows, "row"), s.name, words.Count(used(stats.Sizes), "cluster"))
	if stats.RunRows < stats.Rows {
		line += fmt.Sprintf(", %d with those before", stats.Rows)
	}
	line += fmt.Sprintf(", in %.3g s", took.Seconds())
	if stats.RunRows > 0 {
		line += fmt.Sprintf(" (%s rows/s); mean distance %s, margin %s of the latest",
			words.Round(float64(stats.RunRows)/max(took.Seconds(), 1e-9)),
			words.Round(stats.Distance), words.Round(stats.Margin))
	}
	s.app.notef("%s", line)
	if cfg.Rule == competitive.CRPCL || cfg.Rule == competitive.RPCL {
		s.app.notef("%d of %s stand for the latest rows", stats.Learner.Clusters,
			words.Count(cfg.Clusters, "prototype"))
	}
	if stats.Lacking > 0 {
		s.app.notef("%s got no label, as values are missing: --missing keep labels such rows",
			words.Count(stats.Lacking, "row"))
	}
	if bad := stats.Bad - stats.Lacking; bad > 0 {
		s.app.notef("%s could not be read", words.Count(bad, "row"))
	}
	if stats.Links > 0 || stats.Held > 0 {
		s.app.notef("%s came: of those held now %d are met and %d violated; %d could not count, "+
			"%d wait for rows", words.Count(stats.Links, "link"), stats.Learner.Met,
			stats.Learner.Violated, stats.Lost, stats.Held)
	}
	if s.scores != nil {
		if found, err := eval.CompareCounts(s.scores.counts); err == nil {
			r.Scores = &found
			s.app.notef("against %s: adjusted Rand index %.3f, NMI (geometric) %.3f, over %s of "+
				"this run", s.cfg.Layout.Label, found.AdjustedRand, found.NMI,
				words.Count(found.N, "row"))
		}
	}
	if s.state != "" && !stats.Saved.IsZero() {
		s.app.notef("the state is in %s", s.state)
	}
	if s.json {
		to := s.app.err
		if s.out != "" || s.broker.labels != "" {
			to = s.app.out
		}
		writeJSON(to, "", r) // an error could be reported nowhere
	}
}

// writeJSON writes a value, indented unless indent is "".
func writeJSON(w io.Writer, indent string, v any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", indent)
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// used counts the clusters that have rows.
func used(sizes []int64) int {
	n := 0
	for _, size := range sizes {
		if size > 0 {
			n++
		}
	}
	return n
}

// saveModel writes what kindred predict needs.
func (s *streaming) saveModel() error {
	m := s.cfg.Learner.Model(s.cfg.Layout.Encoding)
	if err := model.Save(m, s.model); err != nil {
		return err
	}
	s.app.notef("the model is in %s", s.model)
	return nil
}
