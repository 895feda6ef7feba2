package strategy_test

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/link"
)

// counted counts the dissimilarities that are looked at.
type counted struct {
	dissim.Source
	cells atomic.Int64
}

func (c *counted) Row(dst []float32, i int, js []int32) {
	c.cells.Add(int64(len(dst)))
	c.Source.Row(dst, i, js)
}

// TestAnAnswerTakesTheWorkOfOne: the question after many answers, and those after it, look at few
// rows of dissimilarities, however many answers there are, and cluster the rows once.
func TestAnAnswerTakesTheWorkOfOne(t *testing.T) {
	const n, clusters, answers = 400, 4, 300
	x, classes := blobs(n, clusters, 3)
	for _, s := range strategy.List() {
		t.Run(s.Name, func(t *testing.T) {
			distances, err := dissim.Vectors(x, dissim.Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			src := &counted{Source: distances}
			cfg := config(x, clusters, 1)
			cfg.Dissim = src
			fits, partition := 0, cfg.Partition
			cfg.Partition = func(ctx context.Context, links []link.Link) (strategy.Partition,
				error) {
				fits++
				return partition(ctx, links)
			}
			chooser, err := strategy.New(s.Name, cfg)
			if err != nil {
				t.Fatal(err)
			}
			run, err := ask.Begin(t.Context(), n, nil, link.Refuse, chooser)
			if err != nil {
				t.Fatal(err)
			}
			for i := range answers {
				src.cells.Store(0)
				fits = 0
				q, ok := run.Next()
				if run.Err() != nil {
					t.Fatal(run.Err())
				}
				if !ok {
					break
				}
				const each = 4 * n
				if cells := src.cells.Load(); i > 0 && cells > each || fits > 1 {
					t.Fatalf("after %d answers it looks at %d dissimilarities among %d rows, and "+
						"clusters them %d times", i, cells, n, fits)
				}
				kind := different
				if classes[q.A] == classes[q.B] {
					kind = same
				}
				if err := run.Answer(kind); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}
