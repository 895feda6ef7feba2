package hierarchy

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/parallel"
)

// spanning returns the edges of a minimum spanning tree, which are the joins of single linkage. It
// holds one distance an object.
func spanning(ctx context.Context, s *lone, n int, p *pace) ([]join, error) {
	joins := make([]join, 0, n-1)
	best, near := slices.Repeat([]float64{math.Inf(1)}, n), make([]int32, n)
	row := make([]float64, n)
	for a := int32(0); len(joins) < n-1; {
		if err := s.from(ctx, row, a); err != nil {
			return nil, err
		}
		next, least := int32(-1), math.Inf(1)
		for t, x := range s.live() {
			if x == a {
				continue
			}
			if row[t] < best[x] {
				best[x], near[x] = row[t], a
			}
			if best[x] < least || best[x] == least && x < next {
				next, least = x, best[x]
			}
		}
		s.drop(a)
		joins = append(joins, join{near[next], next, least})
		p.left(n - len(joins))
		a = next
	}
	return joins, nil
}

func fitSingle(ctx context.Context, src dissim.Source, cfg Config) (*dendrogram.Tree, error) {
	n := src.Len()
	s := &lone{src: src, objects: disjoint.Singletons(n), slot: disjoint.Singletons(n),
		row: make([]float32, n), threads: cfg.Threads}
	joins, err := spanning(ctx, s, n, newPace(n, fit.Share(cfg.Progress)))
	if err != nil {
		return nil, err
	}
	return newTree(n, Single, joins, disjoint.Singletons(n)), nil
}

// lone is objects whose dissimilarities are computed when they are needed.
type lone struct {
	src           dissim.Source
	objects, slot []int32
	row           []float32
	threads       int
}

func (l *lone) live() []int32 { return l.objects }

// rowPiece is how many dissimilarities are computed at a time: what one costs is not known, and
// ctx is to be seen in time.
const rowPiece = 512

func (l *lone) from(ctx context.Context, dst []float64, a int32) error {
	return parallel.Blocks(ctx, len(l.objects), rowPiece, l.threads, func(_, lo, hi int) {
		l.src.Row(l.row[lo:hi], int(a), l.objects[lo:hi])
		for t := lo; t < hi; t++ {
			dst[t] = float64(l.row[t])
		}
	})
}

func (l *lone) drop(a int32) {
	q, last := l.slot[a], len(l.objects)-1
	l.objects[q] = l.objects[last]
	l.slot[l.objects[q]] = q
	l.objects = l.objects[:last]
}

// spanRows returns the joins of the rows of data under single linkage.
func spanRows(ctx context.Context, data dataset.Matrix, cfg Config) ([]join, []int32, error) {
	edges, err := density.Span(ctx, data, cfg.Threads, fit.Share(cfg.Progress))
	joins := make([]join, len(edges))
	for i, e := range edges {
		joins[i] = join{e.A, e.B, e.Distance}
	}
	return joins, disjoint.Singletons(data.Rows), err
}
