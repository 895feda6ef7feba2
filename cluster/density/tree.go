package density

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/nearest"
)

// tree is the [space] of the rows of a matrix, in a k-d tree.
type tree struct{ *nearest.Tree }

func growTree(ctx context.Context, m dataset.Matrix, threads int) (*tree, error) {
	t, err := nearest.Grow(ctx, m, threads)
	return &tree{t}, err
}

func (t *tree) size() int                  { return t.N }
func (t *tree) columns() int               { return t.D }
func (t *tree) rows() []int32              { return t.Order }
func (t *tree) key(radius float64) float64 { return squareKey(radius) }
func (t *tree) radius(key float64) float64 { return math.Sqrt(key) }
func (t *tree) between(i, j int32) float64 { return t.Between(i, j) }
func (t *tree) leaves() []int32            { return t.Leaves() }
