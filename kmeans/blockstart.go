package kmeans

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/dataset"
)

// SampleRows is the number of rows that [InitParallel] looks at where there are more: max([PlusPlusRows], 20·K).
func SampleRows(clusters int) int { return max(PlusPlusRows, 20*clusters) }

// Start draws starting centres, K×d, from a sample that was drawn elsewhere, of float64 rows. Stands says how many rows of the
// whole each one stands for, and k-means‖ with greedy k-means++ draws from them as [InitParallel] does from its own sample. With
// stands nil the sample is all there is, and the centres are those that [Fit] would start from with InitAuto.
func Start(ctx context.Context, sample dataset.Matrix, stands []float64, clusters int, seed uint64, threads int) (dataset.Matrix, error) {
	if err := valid(sample, "sampled rows"); err != nil {
		return dataset.Matrix{}, err
	}
	if sample.Single() || stands != nil && len(stands) != sample.Rows {
		return dataset.Matrix{}, fmt.Errorf("kmeans: a sample of %d rows, float32: %t, with %d weights", sample.Rows, sample.Single(), len(stands))
	}
	if err := (Config{Clusters: clusters}).check(max(sample.Rows, min(clusters, len(stands))), sample.Cols); err != nil {
		return dataset.Matrix{}, err
	}
	e := newEngine(sample.F64, sample.Rows, sample.Cols, clusters, threads)
	if _, err := e.columns(ctx); err != nil { // looks for values that are not finite
		return dataset.Matrix{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var centers []float64
	var err error
	if stands == nil {
		centers, err = e.initialise(ctx, InitAuto, rng)
	} else {
		centers, err = e.oversample(ctx, stands, rng)
	}
	return dataset.Matrix{Rows: clusters, Cols: sample.Cols, F64: centers}, err
}
