package eval

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

const silhouetteJob = "scoring-silhouette"

// MostSilhouetteClusters bounds the sample: every cluster has some rows in it.
const MostSilhouetteClusters = 1000

func init() { fold.RegisterSum[drawing](silhouetteJob) }

// SilhouetteConfig sets up [Silhouette]. Its zero value works.
type SilhouetteConfig struct {
	Sample  int    // about how many rows to score among; 0: 5000; at most 50 000
	Least   int    // rows of each cluster in any case, or all it has; 0: 20; 2 to 1000
	Seed    uint64 // of the sample
	Threads int    // in this process; 0: one a processor. It never changes the result
}

// Silhouettes are those of a sample of rows, scored among themselves, and the estimates for all
// rows. The names in JSON are those of kindred score.
type Silhouettes struct {
	// over all rows but noise: the means of clusters, weighted by their sizes
	Mean   float64 `json:"mean"`
	Error  float64 `json:"error"`   // standard error of Mean
	Sample int     `json:"objects"` // rows that were scored
	Of     int64   `json:"of"`      // rows but noise
	Noise  int64   `json:"noise"`   // rows of cluster 0, or without a cluster, which are left out
	// by name: as numbers where all are, else as texts
	Clusters []ClusterSilhouette `json:"clusters"`
}

// ClusterSilhouette is the estimate for one cluster.
type ClusterSilhouette struct {
	Name   string  `json:"label"`
	Sample int     `json:"objects"` // rows that were scored
	Of     int64   `json:"of"`      // rows
	Mean   float64 `json:"mean"`    // silhouette
	Error  float64 `json:"error"`   // standard error of Mean
}

// Silhouette scores how much nearer rows are to their own cluster than to the next, by
// [eval.Silhouette] on a sample. The sample is the rows whose numbers hash lowest under the seed,
// and of each small cluster the lowest in any case, so that it does not depend on how the work is
// shared out; within a cluster all rows are as likely. With no more rows than the sample the result
// is exact.
//
// The errors are by leaving out one scored row at a time. They hold both that few rows are scored,
// and that few stand for those which distances are taken to, and go to 0 as the sample grows to the
// whole. The bias, as the nearest other cluster is chosen by the same sample, is of a lower order
// and not in them.
//
// Parts and columns are read as by [Compare]. It fails with a [*fault.Input] as that does, when
// fewer than two clusters have rows, and with more than [MostSilhouetteClusters]; and when ctx is
// done.
func Silhouette(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey, found Side,
	cfg SilhouetteConfig) (*Silhouettes, error) {
	cfg.Sample, cfg.Least = cmp.Or(cfg.Sample, 5000), cmp.Or(cfg.Least, 20)
	if cfg.Sample < 1 || cfg.Sample > 50_000 || cfg.Least < 2 || cfg.Least > 1000 {
		return nil, fault.Inputf("ask for up to 50000, and for 2 to 1000, or 0 for the defaults",
			"a sample of %d rows, and %d of each cluster, asked for", cfg.Sample, cfg.Least)
	}
	if found == (Side{}) {
		found.Column = src.Label
	}
	src.Label = ""
	if slices.Contains(src.Columns, found.Column) && found.Folder == "" {
		return nil, &fault.Input{Column: found.Column, Problem: "is one of the features",
			Fix: "leave it out of them (--drop " + words.Shell(found.Column) + ")"}
	}
	j := drawing{Columns: len(src.Columns), Below: sample.Below(int64(cfg.Sample), sv.Kept(src)),
		Least: cfg.Least, Seed: cfg.Seed}
	var err error
	if j.Found, err = found.plan(ctx, &src, len(sv.Splits)); err != nil {
		return nil, err
	}
	out, err := fold.Run(ctx, r,
		fold.Plan{Job: silhouetteJob, Source: src, Splits: sv.Splits}, j)
	if err != nil {
		return nil, err
	}
	drawn := j.strata()
	if err := drawn.Add(out.State); err != nil {
		return nil, err
	}
	return drawn.score(ctx, cfg)
}

// score scores the sample.
func (s *strata) score(ctx context.Context, cfg SilhouetteConfig) (*Silhouettes, error) {
	out := &Silhouettes{}
	if t := s.of[""]; t != nil {
		out.Noise = t.rows
		delete(s.of, "")
	}
	names := slices.Sorted(maps.Keys(s.of))
	number := numbers(names)
	place := make(map[string]int, len(names))
	for i, name := range names {
		place[name] = number[i]
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(place[a], place[b]) })
	x := dataset.Matrix{Cols: s.job.Columns}
	var labels []int // position of the cluster, from 1
	for i, name := range names {
		t := s.of[name]
		out.Of += t.rows
		for _, r := range t.Sorted() {
			x.F64 = append(x.F64, r.Values...)
			labels = append(labels, i+1)
		}
	}
	x.Rows, out.Sample = len(labels), len(labels)
	scored, err := eval.Silhouette(ctx, x, labels,
		eval.SilhouetteConfig{Sample: max(1, x.Rows), Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	k, end := jackknife{x: x, values: scored.Values}, 0
	for i, c := range scored.Clusters {
		k.starts, k.of = append(k.starts, end), append(k.of, s.of[names[i]].rows)
		end += c.Objects
	}
	k.starts = append(k.starts, end)
	each, all, err := k.errors(ctx, cfg.Threads)
	if err != nil {
		return nil, err
	}
	out.Error = all
	for i, c := range scored.Clusters {
		out.Mean += float64(float64(k.of[i]) / float64(out.Of) * c.Mean)
		out.Clusters = append(out.Clusters,
			ClusterSilhouette{Name: names[i], Of: k.of[i], Sample: c.Objects, Mean: c.Mean,
				Error: each[i]})
	}
	return out, nil
}
