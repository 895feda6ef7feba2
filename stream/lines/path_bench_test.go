package lines

import (
	"bytes"
	"io"
	"testing"

	"github.com/kindred-go/kindred/competitive"
	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/stream"
)

// BenchmarkPath goes all the way, from the bytes of CSV to the bytes of labels, over rows of KDD'99 again and again.
func BenchmarkPath(b *testing.B) {
	text, _ := kdd(b, 100_000)
	body := text[nextLine(text, 0):]
	for _, rule := range []competitive.Rule{competitive.WinnerTakeAll, competitive.OLCVQE, competitive.CRPCL} {
		b.Run(rule.String(), func(b *testing.B) {
			rows := int64(0)
			for b.Loop() {
				const rounds = 10
				src := From(io.MultiReader(bytes.NewReader(text), &endless{text: body, left: rounds - 1}), "rows.csv")
				first, err := src.WarmUp(b.Context(), WarmUp{Read: dataset.ReadOptions{Label: "class"}})
				if err != nil {
					b.Fatal(err)
				}
				learner, err := competitive.New(competitive.Config{Rule: rule, Clusters: 8}, first.X)
				if err != nil {
					b.Fatal(err)
				}
				sink := NewWriter(io.Discard, dataset.FormatCSV, stream.Position{})
				stats, err := stream.Run(b.Context(), src, sink, stream.Config{Learner: learner, Layout: first.Layout, ID: "bench"})
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
