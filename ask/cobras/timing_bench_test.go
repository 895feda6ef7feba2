package cobras_test

import (
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/generate"
)

func blobs(b *testing.B, rows, clusters int) (dataset.Matrix, []int32) {
	b.Helper()
	x, classes, err := generate.Make(b.Context(), "blobs",
		generate.Config{Rows: rows, Dimensions: 16, Clusters: clusters, Noise: 2})
	if err != nil {
		b.Fatal(err)
	}
	codes := make([]int32, len(classes))
	for i, c := range classes {
		codes[i] = int32(c)
	}
	return x, codes
}

// BenchmarkFirstQuestion is the wait for the first question on 10⁶×16, beside COBRA's.
func BenchmarkFirstQuestion(b *testing.B) {
	x, _ := blobs(b, 1_000_000, 20)
	b.Run("cobra", func(b *testing.B) {
		for b.Loop() {
			run, err := cobra.New(b.Context(), x, cobra.Config{})
			if err != nil {
				b.Fatal(err)
			}
			run.Next()
		}
	})
	b.Run("cobras", func(b *testing.B) {
		for b.Loop() {
			run, err := cobras.New(b.Context(), x, cobras.Config{})
			if err != nil {
				b.Fatal(err)
			}
			run.Next()
		}
	})
}

// BenchmarkNextQuestion reports the mean and the longest wait for the next question and a queue of
// 64 after an answer, 100 answers on 10⁵×16, a tenth of them wrong for ncobras.
func BenchmarkNextQuestion(b *testing.B) {
	x, classes := blobs(b, 100_000, 20)
	for _, name := range []string{"cobras", "ncobras"} {
		b.Run(name, func(b *testing.B) {
			cfg, wrong := cobras.Config{}, 0.0
			if name == "ncobras" {
				cfg.ErrorRate, wrong = cobras.DefaultErrorRate, 0.1
			}
			var longest, total, queues time.Duration
			asked := 0
			for b.Loop() {
				run, err := cobras.New(b.Context(), x, cfg)
				if err != nil {
					b.Fatal(err)
				}
				q, ok := run.Next()
				for range budget {
					if !ok {
						break
					}
					began := time.Now()
					if err := run.Answer(answers(classes, wrong, 1, q.A, q.B)); err != nil {
						b.Fatal(err)
					}
					q, ok = run.Next()
					took := time.Since(began)
					longest, total = max(longest, took), total+took
					began = time.Now()
					run.Queue(64)
					queues += time.Since(began)
					asked++
				}
			}
			b.ReportMetric(float64(longest.Microseconds())/1000, "longest-ms")
			b.ReportMetric(float64(total.Microseconds())/1000/float64(asked), "mean-ms")
			b.ReportMetric(float64(queues.Microseconds())/1000/float64(asked), "queue-ms")
		})
	}
}
