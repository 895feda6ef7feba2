package competitive

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/link"
)

// agreement is the adjusted Rand index of labels with classes.
func agreement(t *testing.T, labels []int32, classes []int) float64 {
	t.Helper()
	got := make([]int, len(labels))
	for i, l := range labels {
		got[i] = int(l)
	}
	r, err := eval.Compare(got, classes)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

// bars returns two groups side by side, each long times as long as wide, which squared error would
// rather cut across.
func bars(each int, long float64, seed uint64) (dataset.Matrix, []int) {
	rng := rand.New(rand.NewPCG(seed, 3))
	var values []float64
	var classes []int
	for i := range 2 * each {
		classes = append(classes, i%2)
		values = append(values, long*prototypes.Normal(rng), 6*float64(i%2)+prototypes.Normal(rng))
	}
	return dataset.Matrix{Rows: 2 * each, Cols: 2, F64: values}, classes
}

// meanAgreement fits ten pairs of bars.
func meanAgreement(t *testing.T, cfg FitConfig, each int, kind link.Kind) (mean float64) {
	t.Helper()
	for seed := range uint64(10) {
		data, classes := bars(200, 4, seed)
		cfg.Clusters, cfg.Seed = 2, seed
		cfg.Links = labelled(classes, each, kind, seed)
		r, err := Fit(t.Context(), data, cfg)
		if err != nil {
			t.Fatal(err)
		}
		mean += agreement(t, r.Labels, classes) / 10
	}
	return mean
}

func TestMustLinksHelp(t *testing.T) {
	for _, c := range []struct {
		rule        Rule
		each        int
		without, at float64 // what it is at most without links, and at least with must-links alone
	}{{OLCVQE, 10, 0.1, 0.7}, {CRPCL, 20, 0.1, 0.35}} {
		cfg := FitConfig{Config: Config{Rule: c.rule}, Epochs: 20}
		if got := meanAgreement(t, cfg, 0, link.MustLink); got > c.without {
			t.Errorf("%v without links: %.2f, too easy to show anything", c.rule, got)
		}
		if got := meanAgreement(t, cfg, c.each, link.MustLink); got < c.at {
			t.Errorf("%v with must-links among %d rows a class: %.2f", c.rule, c.each, got)
		}
	}
}

func TestCannotLinksHelp(t *testing.T) {
	if got := meanAgreement(t, FitConfig{Config: Config{Rule: OLCVQE}, Epochs: 20}, 10,
		link.CannotLink); got < 0.7 {
		t.Errorf("olcvqe with cannot-links: %.2f", got)
	}
}

// Learnt metrics find stretched clusters that plain distances cut across.
func TestLearntMetricsHelp(t *testing.T) {
	for metric, least := range map[fit.Metric]float64{fit.Diagonal: 0.75, fit.Full: 0.95} {
		if got := meanAgreement(t,
			FitConfig{Config: Config{Rule: RPCL, Metric: metric}, Epochs: 20, Starts: 5}, 0,
			link.MustLink); got < least {
			t.Errorf("%v: %.2f", metric, got)
		}
	}
	if got := meanAgreement(t, FitConfig{Config: Config{Rule: RPCL}, Epochs: 20, Starts: 5}, 0,
		link.MustLink); got > 0.4 {
		t.Errorf("euclidean: %.2f, too easy to show anything", got)
	}
}

// The full metric does not care how columns are mixed; the diagonal one does.
func TestFullMetricFollowsTurnedClusters(t *testing.T) {
	mean := map[fit.Metric]float64{}
	for seed := range uint64(5) {
		data, classes := bars(200, 4, seed)
		for i := range data.Rows {
			x, y := data.F64[2*i], data.F64[2*i+1]
			data.F64[2*i], data.F64[2*i+1] = (x-y)*math.Sqrt2/2, (x+y)*math.Sqrt2/2
		}
		for _, m := range []fit.Metric{fit.Diagonal, fit.Full} {
			r, err := Fit(t.Context(), data,
				FitConfig{Config: Config{Rule: RPCL, Metric: m, Clusters: 2, Seed: seed},
					Epochs: 20, Starts: 5})
			if err != nil {
				t.Fatal(err)
			}
			mean[m] += agreement(t, r.Labels, classes) / 5
		}
	}
	if mean[fit.Full] < 0.9 || mean[fit.Diagonal] > mean[fit.Full]-0.3 {
		t.Errorf("agreement by metric: %v", mean)
	}
}

// Groups that wander are lost by a mean over all time, and kept by one that forgets.
func TestForgettingFollowsDrift(t *testing.T) {
	const groups, rows = 3, 12_000
	follow := func(halfLife float64) float64 {
		rng := rand.New(rand.NewPCG(5, 0))
		row := func(i int) ([]float64, int) {
			c := rng.IntN(groups)
			angle := 2 * math.Pi * (float64(c)/groups + float64(i)/rows)
			return []float64{8*math.Cos(angle) + prototypes.Normal(rng),
				8*math.Sin(angle) + prototypes.Normal(rng)}, c
		}
		warm := dataset.Matrix{Rows: 100, Cols: 2}
		for range warm.Rows {
			x, _ := row(0)
			warm.F64 = append(warm.F64, x...)
		}
		l, err := New(Config{Rule: WinnerTakeAll, Clusters: groups, Rate: Rate{Schedule: Harmonic},
			HalfLife: halfLife}, warm)
		if err != nil {
			t.Fatal(err)
		}
		var labels []int32
		var classes []int
		for i := range rows {
			x, c := row(i)
			_, label, err := l.Observe(x)
			if err != nil {
				t.Fatal(err)
			}
			labels, classes = append(labels, label.Cluster), append(classes, c)
		}
		return agreement(t, labels, classes)
	}
	if always, forgets := follow(0), follow(200); always > 0.7 || forgets < 0.95 {
		t.Errorf("agreement over the stream is %.2f where wins count for ever, %.2f with a "+
			"half-life", always, forgets)
	}
}

// Four groups apart from each other and twice as many prototypes: rpcl drives half of them off.
func TestRPCLCountsClusters(t *testing.T) {
	if testing.Short() {
		t.Skip("many rows: left out of -short")
	}
	cfg := Config{Rule: RPCL, Clusters: 8, Rate: Rate{Unlearn: 0.01}}
	for seed := range uint64(10) {
		data, _ := blobs(4, 8, 250, 20, seed)
		cfg.Seed = seed
		r, err := Fit(context.Background(), data, FitConfig{Config: cfg, Epochs: 10})
		if err != nil {
			t.Fatal(err)
		}
		if n := countActive(r.Active); n != 4 {
			t.Errorf("fit of data %d: %d clusters", seed, n)
		}
		l, err := New(cfg, data)
		if err != nil {
			t.Fatal(err)
		}
		for range 10 {
			if _, err := l.ObserveRows(t.Context(), data.F64, nil); err != nil {
				t.Fatal(err)
			}
		}
		if n := l.Snapshot().Clusters(); n != 4 || l.Statistics().Clusters != n {
			t.Errorf("stream of data %d: %d clusters", seed, n)
		}
	}
}
