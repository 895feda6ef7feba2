package cobra

import (
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// A person does not wait for the best super-instances of many values.
func TestPartsOfManyValues(t *testing.T) {
	for _, c := range []struct {
		name               string
		rows, cols         int
		iterations, sample int
	}{
		{"few", 100_000, 64, 0, 0},
		{"many rows", 100_001, 2, 10, 0},
		{"many values", 50_000, 768, 10, 1 << 14},
		{"many values in few columns", 2_000_000, 16, 10, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Config{}.parts(dataset.Matrix{Rows: c.rows, Cols: c.cols})
			if got.MaxIterations != c.iterations || got.Sample != c.sample {
				t.Errorf("%d iterations from a sample of %d, want %d and %d", got.MaxIterations,
					got.Sample, c.iterations, c.sample)
			}
			set := Config{}
			set.MaxIterations = 7
			if got := set.parts(dataset.Matrix{Rows: c.rows, Cols: c.cols}); got.MaxIterations != 7 {
				t.Errorf("%d iterations where 7 are given", got.MaxIterations)
			}
		})
	}
}
