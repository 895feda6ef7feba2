//go:build unix

package spectral

import (
	"testing"

	"golang.org/x/sys/unix"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/cluster/spectral"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
)

// BenchmarkAgainst compares landmark clustering with k-means and with the spectral method of one
// machine, all given the number of classes:
//
//	KINDRED_DATASETS=… go test -run ^$ -bench Against -benchtime 1x ./neighbours
//
// Set by set it reports seconds of processors and the adjusted Rand index with the classes;
// landmarks-5-rounds has five rounds over all rows instead of one.
func BenchmarkAgainst(b *testing.B) {
	for _, name := range []string{"sipu_jain", "sipu_spiral", "sipu_pathbased", "sipu_flame",
		"sipu_compound", "sipu_aggregation", "sipu_d31", "optdigits_train", "pendigits", "letter",
		"moons 10⁵", "rings 10⁵", "blobs 10⁵", "moons 10⁶", "blobs 10⁶"} {
		methods := []struct {
			name   string
			most   int // rows
			labels func(x dataset.Matrix, k int) ([]int, error)
		}{
			{"kmeans", 1 << 30, func(x dataset.Matrix, k int) ([]int, error) {
				r, err := kmeans.Fit(b.Context(), x,
					kmeans.Config{Clusters: k, Limits: fit.Limits{Starts: 10}})
				if err != nil {
					return nil, err
				}
				return ints(r.Labels), nil
			}},
			{"spectral", 200_000, func(x dataset.Matrix, k int) ([]int, error) {
				g, err := spectral.VectorGraph(b.Context(), x, spectral.GraphConfig{})
				if err != nil {
					return nil, err
				}
				r, err := spectral.Fit(b.Context(), g, spectral.Config{Clusters: k})
				if err != nil {
					return nil, err
				}
				return ints(r.Labels), nil
			}},
			{"landmarks", 1 << 30,
				func(x dataset.Matrix, k int) ([]int,
					error) {
					return byLandmarks(b, x, Config{Clusters: k})
				}},
			{"landmarks-5-rounds", 1 << 30, func(x dataset.Matrix, k int) ([]int, error) {
				return byLandmarks(b, x, Config{Clusters: k, Rounds: 5})
			}},
		}
		for _, m := range methods {
			b.Run(name+"/"+m.name, func(b *testing.B) {
				x, truth := set(b, name)
				if x.Rows > m.most {
					b.Skip("too many rows")
				}
				classes := map[int]bool{}
				for _, c := range truth {
					classes[c] = true
				}
				for b.Loop() {
					began := processors(b)
					found, err := m.labels(x, len(classes))
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(processors(b)-began, "cpu-s")
					r, err := eval.Compare(found, truth)
					if err != nil {
						b.Fatal(err)
					}
					b.ReportMetric(r.AdjustedRand, "ARI")
				}
			})
		}
	}
}

// processors returns the seconds of processor time taken so far.
func processors(b *testing.B) float64 {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}

func byLandmarks(b testing.TB, x dataset.Matrix, cfg Config) ([]int, error) {
	m := inMemory{x: x, split: 1 << 18, block: 4096}
	src, sv := m.table()
	r, err := Fit(b.Context(), m, src, sv, cfg)
	if err != nil {
		return nil, err
	}
	labels, err := r.Model.Place(b.Context(), x, 0)
	return ints(labels), err
}
