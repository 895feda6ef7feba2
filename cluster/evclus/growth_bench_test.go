package evclus

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
)

// cloud returns the distances of n points of d features in c overlapping groups. Cheap to draw, as
// benchmarks of a million points draw it often.
func cloud(b *testing.B, n, d, c int) dissim.Source {
	b.Helper()
	draw := rand.New(rand.NewPCG(1, uint64(n)))
	x := make([]float64, n*d)
	for i := range n {
		group := rand.New(rand.NewPCG(2, uint64(i%c)))
		for q := range d {
			x[i*d+q] = 2.5*group.NormFloat64() + draw.NormFloat64()
		}
	}
	m, err := dataset.NewMatrix(n, d, x)
	if err != nil {
		b.Fatal(err)
	}
	src, err := dissim.Vectors(m, dissim.Euclidean)
	if err != nil {
		b.Fatal(err)
	}
	return src
}

func benchFit(b *testing.B, src dissim.Source, cfg Config) {
	b.Helper()
	b.ReportAllocs()
	var r *Result
	for b.Loop() {
		var err error
		if r, err = Fit(b.Context(), src, cfg); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(r.Iterations), "sweeps")
	b.ReportMetric(r.Stress, "stress")
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(src.Len()), "ns/object")
}

// large tells of benchmarks that need a minute or gigabytes; -short leaves them out.
func large(b *testing.B, n int) {
	if n > 100_000 && testing.Short() {
		b.Skip("large")
	}
}

// BenchmarkObjects: time and memory against n; with sampled pairs both should grow as n.
func BenchmarkObjects(b *testing.B) {
	for _, n := range []int{1000, 10_000, 100_000, 1_000_000} {
		b.Run(fmt.Sprintf("sampled/n=%d", n), func(b *testing.B) {
			large(b, n)
			benchFit(b, cloud(b, n, 16, 5), Config{Clusters: 5, Partners: 100})
		})
	}
	for _, n := range []int{1000, 3000, 10_000} {
		b.Run(fmt.Sprintf("full/n=%d", n),
			func(b *testing.B) { benchFit(b, cloud(b, n, 16, 5), Config{Clusters: 5}) })
	}
}

func BenchmarkPartners(b *testing.B) {
	src := cloud(b, 20_000, 16, 5)
	for _, k := range []int{10, 30, 100, 300} {
		b.Run(fmt.Sprintf("k=%d", k),
			func(b *testing.B) { benchFit(b, src, Config{Clusters: 5, Partners: k}) })
	}
}

// BenchmarkSweep: one sweep of each engine, by the number of focal sets. Bytes are those of the
// dissimilarities read; both sides of each pair take part where pairs are sampled.
func BenchmarkSweep(b *testing.B) {
	for _, c := range []int{4, 8, 16, 30} {
		focal, err := belief.Simple(c)
		if err != nil {
			b.Fatal(err)
		}
		fr := newFrame(focal)
		const n, k = 20_000, 100
		s, err := dissim.Sample(b.Context(), cloud(b, n, 4, c), k, 1, 0, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := newScale(Exponential, 6, 0.05, nil).applyAll(b.Context(), s.D, 0); err != nil {
			b.Fatal(err)
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("sampled/f=%d/threads=%d", fr.f, threads), func(b *testing.B) {
				e, err := newSampled(b.Context(), fr, s, threads)
				if err != nil {
					b.Fatal(err)
				}
				benchSweep(b, e, n, fr.f, int64(2*n*k*4))
			})
		}
		const m = 3000
		dense, err := dissim.NewDense(b.Context(), cloud(b, m, 4, c), 0, nil)
		if err != nil {
			b.Fatal(err)
		}
		if err := newScale(Exponential, 6, 0.05, nil).applyAll(b.Context(), dense.D,
			0); err != nil {
			b.Fatal(err)
		}
		for _, threads := range []int{1, 2} {
			b.Run(fmt.Sprintf("full/f=%d/threads=%d", fr.f, threads), func(b *testing.B) {
				e, err := newFull(b.Context(), fr, m, dense.D, threads)
				if err != nil {
					b.Fatal(err)
				}
				benchSweep(b, e, m, fr.f, int64(m*m*4))
			})
		}
	}
}

func benchSweep(b *testing.B, e engine, n, f int, bytes int64) {
	b.Helper()
	mass := make([]float64, n*f)
	randomMasses(mass, f, rand.New(rand.NewPCG(1, 1)))
	if err := e.reset(b.Context(), mass); err != nil {
		b.Fatal(err)
	}
	for range 3 { // the first sweeps solve from masses that are far off
		if _, err := e.sweep(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
	b.SetBytes(bytes)
	for b.Loop() {
		if _, err := e.sweep(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMemory sums float32, the least that a sweep could do with its dissimilarities.
func BenchmarkMemory(b *testing.B) {
	values := make([]float32, 100_000_000/4)
	for i := range values {
		values[i] = float32(i & 7)
	}
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			b.SetBytes(int64(4 * len(values)))
			for b.Loop() {
				var wg sync.WaitGroup
				for t := range threads {
					part := values[t*len(values)/threads : (t+1)*len(values)/threads]
					wg.Go(func() {
						var a, c, d, e, f, g, h, i float32
						for ; len(part) >= 8; part = part[8:] {
							a, c, d, e = a+part[0], c+part[1], d+part[2], e+part[3]
							f, g, h, i = f+part[4], g+part[5], h+part[6], i+part[7]
						}
						runtime.KeepAlive(a + c + d + e + f + g + h + i)
					})
				}
				wg.Wait()
			}
		})
	}
}

// BenchmarkPlace: new objects by 100 landmarks.
func BenchmarkPlace(b *testing.B) {
	for _, n := range []int{10_000, 1_000_000} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			large(b, n)
			src := cloud(b, n, 16, 5)
			marks := sampleObjects(n, 100, 1)
			r, err := Fit(b.Context(), dissim.Among(src, marks), Config{Clusters: 5})
			if err != nil {
				b.Fatal(err)
			}
			m, err := r.Model(every(100))
			if err != nil {
				b.Fatal(err)
			}
			mass := make([]float64, n*len(m.Focal))
			b.ReportAllocs()
			began := time.Now()
			for b.Loop() {
				if err := m.Placer().PlaceInto(b.Context(), mass, dissim.To(src, marks), n,
					0); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/time.Since(began).Seconds()/1e6, "Mobjects/s")
		})
	}
}

// BenchmarkDataSets: published sets, as the package's tests fit them.
func BenchmarkDataSets(b *testing.B) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		b.Skip("the data sets are not at hand: name their folder in KINDRED_DATASETS")
	}
	b.Run("protein", func(b *testing.B) {
		d, _, err := dissim.Read(b.Context(), filepath.Join(folder, "protein_D.csv"),
			dissim.ReadOptions{})
		if err != nil {
			b.Fatal(err)
		}
		benchFit(b, d, Config{Clusters: 4, D0: D0{Quantile: 1}})
	})
	for _, s := range []struct {
		name, file string
		scale      dataset.Scale
		cfg        Config
	}{
		{"t2000", "kevclus_t_n2000.csv", dataset.ScaleNone, Config{Clusters: 4, Partners: 100}},
		{"t2000full", "kevclus_t_n2000.csv", dataset.ScaleNone, Config{Clusters: 4}},
		{"t10000", "kevclus_t_n10000.csv", dataset.ScaleNone, Config{Clusters: 4, Partners: 100}},
		{"t10000full", "kevclus_t_n10000.csv", dataset.ScaleNone, Config{Clusters: 4}},
		{"s2", "sipu_s2.csv", dataset.ScaleZScore,
			Config{Clusters: 15, Partners: 100, D0: D0{Quantile: 0.2}}},
		{"s2pairs", "sipu_s2.csv", dataset.ScaleZScore,
			Config{Clusters: 15, Partners: 100, D0: D0{Quantile: 0.2}, Pairs: 1}},
	} {
		b.Run(s.name, func(b *testing.B) {
			table, err := dataset.Read(b.Context(), filepath.Join(folder, s.file),
				dataset.ReadOptions{Label: "class"})
			if err != nil {
				b.Fatal(err)
			}
			p, err := table.Prepare(b.Context(), dataset.Preparation{Scale: s.scale})
			if err != nil {
				b.Fatal(err)
			}
			src, err := dissim.Vectors(p.X, dissim.Euclidean)
			if err != nil {
				b.Fatal(err)
			}
			benchFit(b, src, s.cfg)
		})
	}
}
