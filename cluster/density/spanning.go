package density

import (
	"context"
	"math"
	"math/bits"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
)

// Edge joins two rows at a distance.
type Edge struct {
	A, B     int32
	Distance float64
}

// Span returns the edges of a minimum spanning tree of the rows of m under Euclidean distance, the
// shortest first. Among equal ones the values of the rows decide, whatever their order. Progress,
// unless nil, receives the share of the work that is done. Span fails as [FitHDBSCAN] does.
func Span(ctx context.Context, m dataset.Matrix, threads int,
	progress func(share float64)) ([]Edge, error) {
	s, err := Objects{Vectors: m}.space(ctx, threads)
	if err != nil {
		return nil, err
	}
	edges, err := span(ctx, &watched{space: s, progress: progress}, nil)
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

// watched reports the rounds of Borůvka's algorithm, each of which halves the groups at least.
type watched struct {
	space
	progress func(share float64)
	rounds   int
}

func (w *watched) bridge(ctx context.Context, b *bridges) error {
	err := w.space.bridge(ctx, b)
	if w.rounds++; w.progress != nil && err == nil {
		w.progress(min(1, float64(w.rounds)/float64(bits.Len(uint(w.size())))))
	}
	return err
}
