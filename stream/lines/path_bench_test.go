package lines

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/stream"
)

// BenchmarkPath goes all the way, from the bytes of CSV to the bytes of labels, over rows of KDD'99
// again and again.
func BenchmarkPath(b *testing.B) {
	text, _ := kdd(b, 100_000)
	body := text[nextLine(text, 0):]
	for _, rule := range []competitive.Rule{competitive.WinnerTakeAll, competitive.OLCVQE,
		competitive.CRPCL} {
		b.Run(rule.String(), func(b *testing.B) {
			rows := int64(0)
			for b.Loop() {
				const rounds = 10
				src := From(io.MultiReader(bytes.NewReader(text),
					&endless{text: body, left: rounds - 1}), "rows.csv")
				first, err := src.WarmUp(b.Context(),
					WarmUp{Read: dataset.ReadOptions{Label: "class"}})
				if err != nil {
					b.Fatal(err)
				}
				learner, err := competitive.New(competitive.Config{Rule: rule, Clusters: 8},
					first.X)
				if err != nil {
					b.Fatal(err)
				}
				sink := NewWriter(io.Discard, dataset.FormatCSV, stream.Position{})
				stats, err := stream.Run(b.Context(), src, sink,
					stream.Config{Learner: learner, Layout: first.Layout, ID: "bench"})
				if err != nil || stats.Rows != rounds*100_000 {
					b.Fatalf("%d rows: %v", stats.Rows, err)
				}
				rows += stats.Rows
				sink.Close()
				src.Close()
			}
			b.ReportMetric(float64(rows)/b.Elapsed().Seconds(), "rows/s")
		})
	}
}

// BenchmarkLatency sends a row into a pipe, waits for its label from another, and sends the next.
func BenchmarkLatency(b *testing.B) {
	text, _ := kdd(b, 20_000)
	rowsIn, in, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	out, labelsOut, err := os.Pipe()
	if err != nil {
		b.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() {
		src := From(rowsIn, "rows.csv")
		first, err := src.WarmUp(b.Context(), WarmUp{Read: dataset.ReadOptions{Label: "class"}})
		if err != nil {
			ended <- err
			return
		}
		learner, err := competitive.New(competitive.Config{Rule: competitive.OLCVQE, Clusters: 8},
			first.X)
		if err != nil {
			ended <- err
			return
		}
		sink := NewWriter(labelsOut, dataset.FormatCSV, stream.Position{})
		_, err = stream.Run(b.Context(), src, sink,
			stream.Config{Learner: learner, Layout: first.Layout, ID: "bench"})
		ended <- err
	}()
	lines := bytes.SplitAfter(text, []byte("\n"))
	labels := bufio.NewReader(out)
	if _, err := in.Write(bytes.Join(lines[:DefaultWarmUp+1], nil)); err != nil {
		b.Fatal(err)
	}
	for range DefaultWarmUp + 1 { // with the header
		if _, err := labels.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	var took []time.Duration
	for b.Loop() {
		row := lines[DefaultWarmUp+1+len(took)%10_000]
		began := time.Now()
		if _, err := in.Write(row); err != nil {
			b.Fatal(err)
		}
		if _, err := labels.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
		took = append(took, time.Since(began))
	}
	in.Close()
	if err := <-ended; err != nil {
		b.Fatal(err)
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Nanoseconds()), "ns-median")
	b.ReportMetric(float64(took[len(took)*99/100].Nanoseconds()), "ns-p99")
}
