package competitive

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// kdd returns KDD'99 with classes of 1000 rows and more, 492 368×34, or rows of the same kind made
// up where no data sets are at hand; and the cannot-links of 20 labelled rows a class.
//
//	KINDRED_DATASETS=… go test -run ^$ -bench Learning ./competitive
func kdd(b *testing.B) (dataset.Matrix, []link.Link) {
	b.Helper()
	var data dataset.Matrix
	var classes []int
	if folder := os.Getenv("KINDRED_DATASETS"); folder != "" {
		data, classes = readKDD(b, filepath.Join(folder, "kddcup99_10pct_ge1000.csv.gz"))
	} else {
		data, classes = blobs(8, 34, 200_000/8, 30, 1)
	}
	return data, labelled(classes, 20, link.CannotLink, 1)
}

func readKDD(b *testing.B, file string) (dataset.Matrix, []int) {
	b.Helper()
	table, err := dataset.Read(context.Background(), file, dataset.ReadOptions{Label: "class"})
	if err != nil {
		b.Fatal(err)
	}
	prepared, err := table.Prepare(context.Background(),
		dataset.Preparation{Scale: dataset.ScaleNone})
	if err != nil {
		b.Fatal(err)
	}
	codes, _, _ := table.Labels()
	classes := make([]int, len(codes))
	for i, c := range codes {
		classes[i] = int(c)
	}
	return prepared.X, classes
}

// BenchmarkLearning is the learning loop: one pass over the rows as they lie, one core.
func BenchmarkLearning(b *testing.B) {
	data, links := kdd(b)
	for _, rule := range []Rule{WinnerTakeAll, FrequencySensitive, RPCL, OLCVQE, CRPCL} {
		b.Run(rule.String(), func(b *testing.B) {
			seconds := 0.0
			for b.Loop() {
				r, err := Fit(context.Background(), data,
					FitConfig{Links: links, Config: Config{Rule: rule, Clusters: 8, Init: Sample},
						Epochs:  1,
						InOrder: true, Threads: 1})
				if err != nil {
					b.Fatal(err)
				}
				seconds += r.Seconds
			}
			b.ReportMetric(float64(data.Rows)*float64(b.N)/seconds/1e6, "Mrows/s")
		})
	}
}

// BenchmarkShuffled is an epoch in an order of its own.
func BenchmarkShuffled(b *testing.B) {
	data, links := kdd(b)
	seconds := 0.0
	for b.Loop() {
		r, err := Fit(context.Background(), data,
			FitConfig{Links: links, Config: Config{Rule: OLCVQE, Clusters: 8, Init: Sample},
				Epochs:  1,
				Threads: 1})
		if err != nil {
			b.Fatal(err)
		}
		seconds += r.Seconds
	}
	b.ReportMetric(float64(data.Rows)*float64(b.N)/seconds/1e6, "Mrows/s")
}

// BenchmarkObserveRows is a live stream in blocks of 1024 rows, labels and memory for links
// included.
func BenchmarkObserveRows(b *testing.B) {
	data, _ := kdd(b)
	if data.Single() {
		b.Skip("the data are float32")
	}
	const block = 1024
	d := data.Cols
	for _, rule := range []Rule{WinnerTakeAll, OLCVQE, CRPCL} {
		b.Run(rule.String(), func(b *testing.B) {
			l, err := New(Config{Rule: rule, Clusters: 8},
				dataset.Matrix{Rows: 5000, Cols: d, F64: data.F64[:5000*d]})
			if err != nil {
				b.Fatal(err)
			}
			labels := make([]Label, block)
			rows := 0
			for b.Loop() {
				at := rows % (data.Rows - block)
				if _, err := l.ObserveRows(context.Background(), data.F64[at*d:(at+block)*d],
					labels); err != nil {
					b.Fatal(err)
				}
				rows += block
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds()/1e6, "Mrows/s")
		})
	}
}

// BenchmarkObserve is a live stream row by row.
func BenchmarkObserve(b *testing.B) {
	for _, metric := range []fit.Metric{fit.Euclidean, fit.Diagonal, fit.Full} {
		for _, d := range []int{2, 34} {
			b.Run(fmt.Sprintf("%v/d=%d", metric, d), func(b *testing.B) {
				data, _ := blobs(8, d, 1000, 30, 1)
				l, err := New(Config{Clusters: 8, Metric: metric}, data)
				if err != nil {
					b.Fatal(err)
				}
				i := 0
				for b.Loop() {
					if _, _, err := l.Observe(data.F64[i*d : (i+1)*d]); err != nil {
						b.Fatal(err)
					}
					i = (i + 1) % data.Rows
				}
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			})
		}
	}
}

// BenchmarkMemory measures what a learner holds on to, which no longer grows once its window is
// full.
func BenchmarkMemory(b *testing.B) {
	const d, window = 34, 10_000
	data, _ := blobs(8, d, 5000, 30, 1)
	for b.Loop() {
		before := held()
		l, err := New(Config{Clusters: 8, Remember: window}, data)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := l.ObserveRows(context.Background(), data.F64, nil); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(held()-before)/window, "bytes/remembered-row")
		runtime.KeepAlive(l)
	}
}

func held() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// BenchmarkLink states a link between rows that have many, and takes it back.
func BenchmarkLink(b *testing.B) {
	data, classes := blobs(8, 34, 1000, 30, 1)
	l, err := New(Config{Clusters: 8}, data)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := l.ObserveRows(context.Background(), data.F64, nil); err != nil {
		b.Fatal(err)
	}
	for _, k := range labelled(classes, 20, link.CannotLink, 1) {
		if _, err := l.Link(int64(k.A+1), int64(k.B+1), k.Kind, 0); err != nil {
			b.Fatal(err)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for b.Loop() {
		x, y := int64(rng.IntN(1000)+1), int64(rng.IntN(1000)+1001)
		for _, kind := range []link.Kind{link.CannotLink, link.Unknown} {
			if _, err := l.Link(x, y, kind, 0); err != nil {
				b.Fatal(err)
			}
		}
	}
}
