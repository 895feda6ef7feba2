package density

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
)

// Edge joins two rows at a distance.
type Edge struct {
	A, B     int32
	Distance float64
}

// Span returns the edges of a minimum spanning tree of the rows of m under Euclidean distance, the
// shortest first. Among equal ones the values of the rows decide, whatever their order. It fails as
// [FitDBSCAN] does.
func Span(ctx context.Context, m dataset.Matrix, threads int) ([]Edge, error) {
	s, err := Objects{Vectors: m}.space(ctx, threads)
	if err != nil {
		return nil, err
	}
	edges, err := s.span(ctx, nil)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(edges, edge.compare)
	rows := s.rows()
	out := make([]Edge, len(edges))
	for i, e := range edges {
		out[i] = Edge{rows[e.a], rows[e.b], math.Sqrt(e.at)}
	}
	return out, nil
}
