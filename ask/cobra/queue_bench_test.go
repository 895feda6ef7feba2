package cobra_test

import (
	"github.com/kindred-go/kindred/fit"

	"testing"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/link"
)

// BenchmarkQueue answers questions of 5000 super-instances from a queue of 50, as several people
// do, and reports the mean and the longest wait for an answer to be taken and for the next queue.
func BenchmarkQueue(b *testing.B) {
	x, classes := blobs(b, 20_000, 20)
	cfg := cobra.Config{SuperInstances: 5000, Limits: fit.Limits{MaxIterations: 3}}
	si, err := cobra.Build(b.Context(), x, cfg)
	if err != nil {
		b.Fatal(err)
	}
	var tell, queue, longest time.Duration
	answers, rounds := 0, 0
	for b.Loop() {
		run, err := cobra.Start(si, x, cfg)
		if err != nil {
			b.Fatal(err)
		}
		run.Next() // sorts the closest pairs
		for range 250 {
			began := time.Now()
			questions := run.Queue(50)
			took := time.Since(began)
			queue += took
			longest = max(longest, took)
			rounds++
			began = time.Now()
			for _, q := range questions[:min(20, len(questions))] {
				reply, _ := ask.Labels(classes).Ask(b.Context(), q.Question)
				kind, _ := reply.Kind()
				if run.Tell(link.Link{A: q.A, B: q.B, Kind: kind}) == nil {
					answers++
				}
			}
			tell += time.Since(began)
		}
	}
	b.ReportMetric(float64(tell.Microseconds())/float64(answers), "µs/tell")
	b.ReportMetric(float64(queue.Microseconds())/float64(rounds), "µs/queue")
	b.ReportMetric(float64(longest.Microseconds()), "µs-longest-queue")
}

// BenchmarkExclude leaves out the medoid of one super-instance of 10⁶×16 rows, to the next
// question.
func BenchmarkExclude(b *testing.B) {
	x, _ := blobs(b, 1_000_000, 25)
	run, err := cobra.New(b.Context(), x,
		cobra.Config{SuperInstances: 100, Limits: fit.Limits{MaxIterations: 3}})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		q, _ := run.Next()
		run.Exclude([]int{q.A})
		run.Next()
	}
}
