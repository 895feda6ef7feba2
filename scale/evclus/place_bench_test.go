package evclus

import (
	"testing"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/scale/shard"
)

// BenchmarkPlace returns the time of a row on one thread, by 500 landmarks of 16 values in 10
// clusters: "single" is what `kindred predict` does with a table, "blocks" the same rows by blocks
// and summed up, "written" with a part of Parquet besides.
func BenchmarkPlace(b *testing.B) {
	const n = 1 << 16
	x, _ := blobs(n, 16, 10, 3)
	table := inMemory{x: x, split: n, blocks: shard.DefaultBlockRows}
	res, err := Fit(b.Context(), table, shard.Source{Columns: columns(16)}, table.survey(),
		Config{Method: kevclus(b, "clusters=10")})
	if err != nil {
		b.Fatal(err)
	}
	m := res.Model
	perRow := func(b *testing.B) {
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n,
			"ns/row")
	}
	b.Run("single", func(b *testing.B) {
		for b.Loop() {
			rows, err := dissim.Cross(x, m.Landmarks.Objects.Rows, dissim.Euclidean)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := m.Landmarks.By.Place(b.Context(), rows, n, 1); err != nil {
				b.Fatal(err)
			}
		}
		perRow(b)
	})
	for name, folder := range map[string]string{"blocks": "", "written": b.TempDir()} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if _, err := Place(b.Context(), table, shard.Source{}, table.survey(), m,
					Output{Path: folder}); err != nil {
					b.Fatal(err)
				}
			}
			perRow(b)
		})
	}
}
