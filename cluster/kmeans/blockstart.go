package kmeans

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
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
	return drawn(ctx, sample, dataset.Matrix{}, stands, clusters, threads, rng)
}
