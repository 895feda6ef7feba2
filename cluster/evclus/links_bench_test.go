package evclus_test

import (
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
)

// linked is a data set on which links are tried.
type linked struct {
	name  string
	scale dataset.Scale
	full  bool // all focal sets, else the simple ones
}

// source reads the set and returns a configuration for it.
func (s linked) source(t testing.TB) (src dissim.Source, classes []int32, cfg evclus.Config) {
	t.Helper()
	x, classes := load(t, s.name+".csv", dataset.ReadOptions{Label: "class"}, s.scale)
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range classes {
		cfg.Clusters = max(cfg.Clusters, int(c)+1)
	}
	if s.full {
		if cfg.Focal, err = belief.Full(cfg.Clusters); err != nil {
			t.Fatal(err)
		}
	}
	return src, classes, cfg
}

// randIndex fits and compares the pignistic decisions with the classes.
func randIndex(t testing.TB, src dissim.Source, classes []int32, cfg evclus.Config) float64 {
	t.Helper()
	r, err := evclus.Fit(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]int, len(classes))
	for i, c := range classes {
		truth[i] = int(c) + 1
	}
	report, err := eval.Compare(r.Credal.ArgMax(belief.MaxPignistic), truth)
	if err != nil {
		t.Fatal(err)
	}
	return report.Rand
}

// meanRand returns the mean over draws of random links.
func meanRand(t testing.TB, src dissim.Source, classes []int32, cfg evclus.Config, links,
	draws int) float64 {
	t.Helper()
	var sum float64
	for draw := range draws {
		var err error
		if cfg.Links, err = ask.RandomLinks(classes, links, uint64(draw+1)); err != nil {
			t.Fatal(err)
		}
		sum += randIndex(t, src, classes, cfg)
	}
	return sum / float64(draws)
}

// TestFewLinksDoNotHarm: the mean Rand index with links is not below that without, and many help.
func TestFewLinksDoNotHarm(t *testing.T) {
	long(t)
	for _, s := range []linked{{"wine", dataset.ScaleZScore, true},
		{"iris", dataset.ScaleNone, true}} {
		src, classes, cfg := s.source(t)
		without := randIndex(t, src, classes, cfg)
		last := 0.0
		for _, links := range []int{5, 10, 50, 200} {
			last = meanRand(t, src, classes, cfg, links, 6)
			t.Logf("%s, %d links: %.3f, without %.3f", s.name, links, last, without)
			if last < without-0.001 {
				t.Errorf("%s: %d links lower the Rand index to %.4f from %.4f", s.name, links, last,
					without)
			}
		}
		if last < without+0.02 {
			t.Errorf("%s: 200 links gain no more than %.4f", s.name, last-without)
		}
	}
}

// BenchmarkLinks reports mean Rand indices over 20 draws of random links, without them and by
// each strategy:
//
//	KINDRED_DATASETS=… go test -run ^$ -bench Links -benchtime 1x ./evclus
func BenchmarkLinks(b *testing.B) {
	for _, s := range []linked{
		{"wine", dataset.ScaleZScore, true}, {"ecoli3", dataset.ScaleNone, true},
		{"letterIJL_227", dataset.ScaleNone, true},
		{"iris", dataset.ScaleNone, true}, {"glass_dedup", dataset.ScaleNone, false},
		{"breast_cancer_wisconsin_dedup", dataset.ScaleNone, true},
		{"toys2c_like", dataset.ScaleNone, true},
	} {
		for _, links := range []int{5, 10, 20, 50, 100, 200} {
			b.Run(fmt.Sprintf("%s/links=%d", s.name, links), func(b *testing.B) {
				src, classes, cfg := s.source(b)
				for b.Loop() {
					b.ReportMetric(randIndex(b, src, classes, cfg), "rand-without")
					for _, way := range []struct {
						name string
						how  evclus.Constraints
					}{{"choose", evclus.Choose}, {"anchor", evclus.Anchor},
						{"propagate", evclus.Propagate}, {"penalty", evclus.Penalty}} {
						cfg.Constraints = way.how
						b.ReportMetric(meanRand(b, src, classes, cfg, links, 20), "rand-"+way.name)
					}
				}
			})
		}
	}
}

// BenchmarkCevclus reports mean Rand indices of the method of cevclus-2013 over 20 draws, for its
// Tables 5 and 6: the Sammon stress by gradients, all focal sets, ξ = 1, five starts of which one
// is the solution without links. The paper: wine .87 without and .93, .94, .96, .98 with 20 to 200
// links; ecoli .88 and .91, .92, .94, .96; its letters are another sample.
func BenchmarkCevclus(b *testing.B) {
	for _, s := range []linked{{"wine", dataset.ScaleZScore, true},
		{"ecoli3", dataset.ScaleNone, true}, {"letterIJL_227", dataset.ScaleNone, true}} {
		for _, links := range []int{20, 50, 100, 200} {
			b.Run(fmt.Sprintf("%s/links=%d", s.name, links), func(b *testing.B) {
				src, classes, cfg := s.source(b)
				cfg.Stress, cfg.Optimizer, cfg.Start, cfg.Starts = evclus.Sammon, evclus.Gradient,
					evclus.Random, 5
				for b.Loop() {
					b.ReportMetric(randIndex(b, src, classes, cfg), "rand-without")
					b.ReportMetric(meanRand(b, src, classes, cfg, links, 20), "rand")
				}
			})
		}
	}
}
