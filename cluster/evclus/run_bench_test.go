package evclus_test

import (
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/link"
)

// BenchmarkNextQuestion takes twenty answers and reports the mean and the longest wait for the next
// question.
func BenchmarkNextQuestion(b *testing.B) {
	for name, n := range map[string]int{"n=2000": 2000, "n=100000": 100_000} {
		b.Run(name, func(b *testing.B) {
			x, classes, err := generate.Make(b.Context(), "t-clusters", generate.Config{Rows: n})
			if err != nil {
				b.Fatal(err)
			}
			src, err := dissim.Vectors(x, dissim.Euclidean)
			if err != nil {
				b.Fatal(err)
			}
			codes := make([]int32, n)
			for i, c := range classes {
				codes[i] = int32(c)
			}
			oracle := ask.Labels(codes)
			var longest, all time.Duration
			waits := 0
			for b.Loop() {
				r, err := evclus.NewRun(b.Context(), src, evclus.Config{Clusters: 4, Partners: 100})
				if err != nil {
					b.Fatal(err)
				}
				q, _ := r.Next()
				for range 20 {
					reply, _ := oracle.Ask(b.Context(), q)
					kind, _ := reply.Kind()
					if kind == link.Unknown {
						b.Fatal("every object has a class")
					}
					began := time.Now()
					if err := r.Answer(kind); err != nil {
						b.Fatal(err)
					}
					q, _ = r.Next()
					wait := time.Since(began)
					longest = max(longest, wait)
					all += wait
					waits++
				}
			}
			b.ReportMetric(float64(all.Milliseconds())/float64(waits), "ms/question")
			b.ReportMetric(float64(longest.Milliseconds()), "ms-longest")
		})
	}
}

// BenchmarkSeveralPeople tells answers from a queue of 50, five between two looks, and reports what
// a look, the queue after it, what remains and a result take.
func BenchmarkSeveralPeople(b *testing.B) {
	for name, n := range map[string]int{"n=2000": 2000, "n=100000": 100_000} {
		b.Run(name, func(b *testing.B) {
			x, classes, err := generate.Make(b.Context(), "t-clusters", generate.Config{Rows: n})
			if err != nil {
				b.Fatal(err)
			}
			src, err := dissim.Vectors(x, dissim.Euclidean)
			if err != nil {
				b.Fatal(err)
			}
			cfg := evclus.Config{Clusters: 4}
			if n > 2000 {
				cfg.Partners = 100
			}
			var spent [5]time.Duration // tell, look, queue, remaining, result
			timed := func(what int, do func()) {
				began := time.Now()
				do()
				spent[what] += time.Since(began)
			}
			rounds := 0
			for b.Loop() {
				r, err := evclus.NewRun(b.Context(), src, cfg)
				if err != nil {
					b.Fatal(err)
				}
				for range 6 {
					timed(1, func() { err = r.Look(b.Context()) })
					if err != nil {
						b.Fatal(err)
					}
					var queue []ask.Prompt
					timed(2, func() { queue = r.Queue(50) })
					timed(3, func() { r.Remaining() })
					timed(4, func() { _, err = r.Result(b.Context()) })
					if err != nil {
						b.Fatal(err)
					}
					for _, g := range queue[:5] {
						l := link.Link{A: g.A, B: g.B,
							Kind: link.CannotLink}
						if classes[l.A] == classes[l.B] {
							l.Kind = link.MustLink
						}
						timed(0, func() { r.Tell(l) })
					}
					rounds++
				}
			}
			for what, unit := range []string{"µs/5-told", "µs/look", "µs/queue", "µs/remaining",
				"µs/result"} {
				b.ReportMetric(float64(spent[what].Microseconds())/float64(rounds), unit)
			}
		})
	}
}
