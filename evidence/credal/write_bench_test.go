package credal_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
)

// random returns a partition whose masses are what fits give: some of them 0.
func random(n, c int, focal []belief.Set, seed uint64) *credal.Partition {
	r := rand.New(rand.NewPCG(seed, 1))
	p := &credal.Partition{Clusters: c, Focal: focal, Mass: make([]float64, n*len(focal))}
	for i := range n {
		sum := 0.0
		row := p.Row(i)
		for j := range row {
			if r.IntN(2) == 0 || j == len(row)-1 {
				row[j] = float64(r.IntN(1<<20) + 1)
				sum += row[j]
			}
		}
		for j := range row {
			row[j] /= sum
		}
	}
	return p
}

func BenchmarkWrite(b *testing.B) {
	const n, c = 500_000, 4
	focal, _ := belief.Simple(c)
	p := random(n, c, focal, 1)
	ids := make([]string, n)
	for i := range ids {
		ids[i] = strconv.Itoa(i + 1)
	}
	for _, format := range []dataset.Format{dataset.FormatCSV, dataset.FormatJSONL,
		dataset.FormatParquet} {
		b.Run(fmt.Sprint(format), func(b *testing.B) {
			var size counter
			for b.Loop() {
				size = 0
				if err := credal.Write(&size, format, p,
					func(i int) string { return ids[i] }); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(n)*float64(b.N)/b.Elapsed().Seconds()/1e6, "Mrows/s")
			b.ReportMetric(float64(size)/n, "B/row")
		})
	}
}

type counter int64

func (c *counter) Write(p []byte) (int, error) { *c += counter(len(p)); return len(p), nil }

var _ io.Writer = (*counter)(nil)
