package fold

import (
	"context"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/scale/shard"
)

// Local runs plans in this process, without an engine and without checkpoints: the twin that
// engines are held to.
type Local struct {
	Threads int // 0: one a processor
}

// Rounds implements [Runner].
func (l Local) Rounds(ctx context.Context, p Plan) (Outcome, error) {
	if err := p.Check(); err != nil {
		return Outcome{}, err
	}
	job, err := Make(p.Job, p.Config)
	if err != nil {
		return Outcome{}, err
	}
	out := Outcome{State: p.State}
	for out.Rounds < p.Most() && !out.Done {
		merged, tally, err := l.round(ctx, job, out.State, p)
		if err != nil {
			return Outcome{}, err
		}
		out.Tally = tally
		if out.State, out.Done, err = Next(job, out.State, merged); err != nil {
			return Outcome{}, err
		}
		out.Rounds++
	}
	return out, nil
}

func (l Local) round(ctx context.Context, job Job, state []byte, p Plan) ([]Merged, shard.Tally,
	error) {
	parts := map[int64][]Part{}
	tallies := make([]shard.Tally, len(p.Splits))
	var lock sync.Mutex
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel.Threads(l.Threads))
	for i, s := range p.Splits {
		g.Go(func() (err error) {
			tallies[i], err = Split(ctx, job, state, p.Source, s, func(key int64, data []byte) {
				lock.Lock()
				defer lock.Unlock()
				parts[key] = append(parts[key], Part{Split: s.Index, Data: data})
			})
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, shard.Tally{}, err
	}
	var merged []Merged
	for key, of := range parts {
		data, err := Merge(job, state, key, of)
		if err != nil {
			return nil, shard.Tally{}, err
		}
		merged = append(merged, Merged{Key: key, Data: data})
	}
	var tally shard.Tally
	for _, t := range tallies {
		tally.Add(t)
	}
	return merged, tally, nil
}
