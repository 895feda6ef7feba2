package evclus_test

import (
	"github.com/kindred-go/kindred/fit"

	"testing"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// TestGradientsAndProgrammesMeet: both optimisers reach the same conflict stress within a
// hundredth.
func TestGradientsAndProgrammesMeet(t *testing.T) {
	src, _ := vectors(t, "iris.csv", dataset.ScaleZScore)
	for _, k := range []int{0, 70} {
		cfg := evclus.Config{Clusters: 3, Partners: k,
			Limits: fit.Limits{Tolerance: 1e-7, MaxIterations: 5000}}
		rows, err := evclus.Fit(t.Context(), src, cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.Optimizer = evclus.Gradient
		steps, err := evclus.Fit(t.Context(), src, cfg)
		if err != nil {
			t.Fatal(err)
		}
		if steps.Stress < 0.9999*rows.Stress || steps.Stress > 1.01*rows.Stress {
			t.Errorf("%d partners: stress %v by programmes, %v by gradients", k, rows.Stress,
				steps.Stress)
		}
	}
}

// TestCEVCLUS: the criterion and optimiser of cevclus-2013, without links and with all links among
// forty rows.
func TestCEVCLUS(t *testing.T) {
	long(t)
	src, classes := vectors(t, "wine.csv", dataset.ScaleZScore)
	focal, err := belief.Full(3)
	if err != nil {
		t.Fatal(err)
	}
	cfg := evclus.Config{
		Clusters:    3,
		Focal:       focal,
		Stress:      evclus.Sammon,
		Optimizer:   evclus.Gradient,
		Constraints: evclus.Penalty,
		Limits:      fit.Limits{Starts: 3},
		Start:       evclus.Random,
		Options:     fit.Options{Seed: 1},
	}
	free, err := evclus.Fit(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if free.A <= 0 || len(free.StartValues) != 3 || free.Objective != free.Stress {
		t.Errorf("a %v, b %v, starts %v, objective %v, stress %v", free.A, free.B, free.StartValues,
			free.Objective, free.Stress)
	}
	for i := range 40 {
		a, b := (i*31)%len(classes), (i*67+5)%len(classes)
		kind := link.CannotLink
		if classes[a] == classes[b] {
			kind = link.MustLink
		}
		if a != b {
			cfg.Links = append(cfg.Links, link.Link{A: a, B: b, Kind: kind})
		}
	}
	linked, err := evclus.Fit(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	before, err := eval.CheckLinks(free.Credal.ArgMax(belief.MaxPignistic), cfg.Links)
	if err != nil {
		t.Fatal(err)
	}
	after, err := eval.CheckLinks(linked.Credal.ArgMax(belief.MaxPignistic), cfg.Links)
	if err != nil {
		t.Fatal(err)
	}
	if linked.Used != evclus.Penalty || after.Violated() > before.Violated() ||
		linked.Objective < linked.Stress {
		t.Errorf("%d links violated without, %d with; objective %v, stress %v", before.Violated(),
			after.Violated(), linked.Objective, linked.Stress)
	}
}

func TestRoutesThatDoNotGoTogether(t *testing.T) {
	src, _ := vectors(t, "iris.csv", dataset.ScaleZScore)
	for name, cfg := range map[string]evclus.Config{
		"Sammon by programmes": {Clusters: 3, Stress: evclus.Sammon},
		"gradients, anchored": {Clusters: 3, Optimizer: evclus.Gradient,
			Constraints: evclus.Anchor},
	} {
		if _, err := evclus.Fit(t.Context(), src, cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
