package cobra_test

import (
	"testing"
	"time"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
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

// BenchmarkOptdigits389 is a whole run after reading: super-instances and all answers by label.
func BenchmarkOptdigits389(b *testing.B) {
	x, classes := published(b, "optdigits389")
	for b.Loop() {
		run, err := cobra.New(b.Context(), x, cobra.Config{SuperInstances: 100})
		if err != nil {
			b.Fatal(err)
		}
		if err := ask.Drive(b.Context(), run.Session, ask.Labels(classes), 0, nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNextQuestion reports the mean and the longest wait for the next question after an
// answer.
func BenchmarkNextQuestion(b *testing.B) {
	x, classes := blobs(b, 20000, 20)
	cfg := cobra.Config{SuperInstances: 1000}
	si, err := cobra.Build(b.Context(), x, cfg)
	if err != nil {
		b.Fatal(err)
	}
	oracle := ask.Labels(classes)
	var longest, total time.Duration
	var answers int
	for b.Loop() {
		run, err := cobra.Start(si, x, cfg)
		if err != nil {
			b.Fatal(err)
		}
		q, ok := run.Next()
		for ok {
			reply, _ := oracle.Ask(b.Context(), q)
			kind, _ := reply.Kind()
			began := time.Now()
			if err := run.Answer(kind); err != nil {
				b.Fatal(err)
			}
			q, ok = run.Next()
			run.Remaining()
			took := time.Since(began)
			longest, total = max(longest, took), total+took
			answers++
		}
	}
	b.ReportMetric(float64(total.Nanoseconds())/float64(answers), "ns/answer")
	b.ReportMetric(float64(longest.Microseconds()), "µs-longest")
	b.ReportMetric(float64(answers)/float64(b.N), "answers")
}

// BenchmarkUndo is one answer taken back and given again after 500.
func BenchmarkUndo(b *testing.B) {
	x, classes := blobs(b, 20000, 20)
	run, err := cobra.New(b.Context(), x, cobra.Config{SuperInstances: 1000})
	if err != nil {
		b.Fatal(err)
	}
	if err := ask.Drive(b.Context(), run.Session, ask.Labels(classes), 500, nil); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		run.Undo()
		run.Redo()
		run.Next()
	}
}

// BenchmarkFirstQuestion is 10⁶×16 to the first of 100 super-instances' questions, after reading.
func BenchmarkFirstQuestion(b *testing.B) {
	x, _ := blobs(b, 1_000_000, 25)
	for b.Loop() {
		run, err := cobra.New(b.Context(), x, cobra.Config{SuperInstances: 100})
		if err != nil {
			b.Fatal(err)
		}
		if _, ok := run.Next(); !ok {
			b.Fatal("no question")
		}
	}
}
