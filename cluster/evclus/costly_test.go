package evclus

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"math"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
)

// costly is a line of objects whose dissimilarities are counted; at a count it ends a context.
type costly struct {
	n             int
	asked, ending atomic.Int64
	end           context.CancelFunc
}

func (s *costly) Len() int { return s.n }

func (s *costly) Row(dst []float32, i int, js []int32) {
	for t := range dst {
		j := t
		if js != nil {
			j = int(js[t])
		}
		dst[t] = float32(math.Abs(float64(i%3-j%3))*5 + float64((i^j)%8)/8)
		if i == j {
			dst[t] = 0
		}
		if s.asked.Add(1) == s.ending.Load() {
			s.end()
		}
	}
}

// TestCostlyDissimilaritiesStopSoon: wherever it is cancelled, a fit looks up at most a row of
// landmarks more.
func TestCostlyDissimilaritiesStopSoon(t *testing.T) {
	const n, threads, most = 4000, 1, 600
	links := []link.Link{{A: 0, B: 1, Kind: link.CannotLink}, {A: 7, B: 90, Kind: link.CannotLink},
		{A: 3, B: 5, Kind: link.CannotLink}}
	for name, fit := range map[string]func(context.Context, dissim.Source) error{
		"propagated links": func(ctx context.Context, src dissim.Source) error {
			_, err := Fit(ctx, src,
				Config{
					Clusters:    3,
					Partners:    3,
					Options:     fit.Options{Threads: threads},
					Knowledge:   fit.Knowledge{Links: links},
					Constraints: Propagate,
					Limits:      fit.Limits{MaxIterations: 1},
				})
			return err
		},
		"landmarks": func(ctx context.Context, src dissim.Source) error {
			_, err := FitLandmarks(ctx, src, 80,
				Config{Clusters: 3, Options: fit.Options{Threads: threads}})
			return err
		},
	} {
		whole := &costly{n: n}
		if err := fit(t.Context(), whole); err != nil {
			t.Fatal(err)
		}
		all := whole.asked.Load()
		for share := range int64(20) {
			ctx, cancel := context.WithCancel(t.Context())
			src := &costly{n: n, end: cancel}
			src.ending.Store(1 + all*share/20)
			if err := fit(ctx, src); !errors.Is(err, context.Canceled) {
				t.Errorf("%s, cancelled after %d of %d: %v", name, src.ending.Load(), all, err)
			}
			if more := src.asked.Load() - src.ending.Load(); more > most {
				t.Errorf("%s, cancelled after %d of %d, looked up %d more", name, src.ending.Load(),
					all, more)
			}
			cancel()
		}
	}
}

// TestManyFocalSetsStopSoon: within a row of a sweep, whose programme is slow then.
func TestManyFocalSetsStopSoon(t *testing.T) {
	focal, err := belief.Full(6)
	if err != nil {
		t.Fatal(err)
	}
	for _, partners := range []int{0, 20} {
		ctx := &fuse{Context: t.Context()}
		ctx.left.Store(math.MaxInt64)
		rows := int64(0)
		_, err := Fit(ctx, blobs(400, 3, 4),
			Config{
				Clusters: 6,
				Focal:    focal,
				Partners: partners,
				Limits:   fit.Limits{MaxIterations: 1},
				Options: fit.Options{Threads: 1, Progress: func(p fit.Progress) {
					if p.Iteration == 0 {
						rows = ctx.left.Load()
					} else {
						rows -= ctx.left.Load()
					}
				}},
			})
		if err != nil {
			t.Fatal(err)
		}
		if rows < 400 {
			t.Errorf("%d partners: the context is looked at %d times in a sweep of 400 rows",
				partners, rows)
		}
	}
}
