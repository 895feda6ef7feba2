package kmeans

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/simd"
)

// SampleRows is the number of rows that [InitParallel] looks at where there are more:
// max([PlusPlusRows], 20·K).
func SampleRows(clusters int) int { return max(PlusPlusRows, 20*clusters) }

// Start draws starting centres, K×d, from a sample that was drawn elsewhere. Stands is how many
// rows of the whole each one stands for, and k-means‖ with greedy k-means++ draws from them as
// [InitParallel] does from its own sample. With stands nil the sample is all there is, and the
// centres are those that [Fit] would start from with InitAuto. Threads ≤ 0 means one per processor.
func Start(ctx context.Context, sample dataset.Matrix, stands []float64, clusters int, seed uint64,
	threads int) (dataset.Matrix, error) {
	if err := sample.CheckSize("sampled rows"); err != nil {
		return dataset.Matrix{}, err
	}
	if stands != nil && len(stands) != sample.Rows {
		return dataset.Matrix{},
			fmt.Errorf("kmeans: %d weights for a sample of %d rows", len(stands), sample.Rows)
	}
	if err := (Config{Clusters: clusters}).check(sample.Rows, sample.Cols); err != nil {
		return dataset.Matrix{}, err
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	var centers []float64
	var err error
	if sample.Single() {
		centers, err = start(ctx, sample.F32, sample, stands, clusters, threads, rng)
	} else {
		centers, err = start(ctx, sample.F64, sample, stands, clusters, threads, rng)
	}
	if err != nil {
		return dataset.Matrix{}, err
	}
	return dataset.Matrix{Rows: clusters, Cols: sample.Cols, F64: centers}, nil
}

func start[T simd.Float](ctx context.Context, rows []T, m dataset.Matrix, stands []float64,
	clusters, threads int, rng *rand.Rand) ([]float64, error) {
	e := newEngine(rows, m.Rows, m.Cols, clusters, threads)
	if _, err := e.columns(ctx); err != nil { // which looks for values that are not finite
		return nil, err
	}
	if stands == nil {
		return e.initialise(ctx, InitAuto, rng)
	}
	return e.oversample(ctx, stands, rng)
}
