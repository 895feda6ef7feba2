package frame

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/internal/parallel"
)

// Key names a piece of work: what runs on the same draw of an experiment's random choices.
type Key struct {
	Part    string
	Set     string
	Setting string // what varies within a part, such as "10 labelled"
	Draw    int    // repetition, from 1
}

// Run is one fit and what was measured of it.
type Run struct {
	Key
	Start  int       // starting point, from 1
	Method string    // what was fitted
	Values []float64 // in the order of Experiment.Measures; NaN where not measured
}

// Runs are the runs of an experiment, in the order of its plan.
type Runs struct {
	measures []string
	all      []Run
}

// All returns the runs. The slice is not to be changed.
func (r *Runs) All() []Run { return r.all }

// Of returns the values of a measure, by start, of one method's runs of a piece of work.
func (r *Runs) Of(key Key, method, measure string) []float64 {
	at := slices.Index(r.measures, measure)
	var values []float64
	lo, _ := slices.BinarySearchFunc(r.all, key,
		func(run Run, k Key) int { return compare(run.Key, k) })
	for _, run := range r.all[lo:] {
		if run.Key != key {
			break
		}
		if run.Method == method {
			values = append(values, run.Values[at])
		}
	}
	return values
}

// Unit is a piece of work.
type Unit struct {
	Key
	Alone   bool     // it is timed, so nothing else runs beside it
	Starts  int      // starting points
	Methods []string // what is fitted from each, in order
	Do      func(ctx context.Context) ([]Run, error)
}

// whole reports whether runs are all those of u, as do returns them.
func (u Unit) whole(runs []Run) bool {
	if len(runs) == 0 || len(runs) != u.Starts*len(u.Methods) {
		return false
	}
	for i, run := range runs {
		if run.Start != i/len(u.Methods)+1 || run.Method != u.Methods[i%len(u.Methods)] {
			return false
		}
	}
	return true
}

// take names the runs that Do returned, and refuses those of other starts, methods or measures than
// u declares: a fault of the program.
func (u Unit) take(runs []Run, measures []string) error {
	for i := range runs {
		runs[i].Key = u.Key
		if len(runs[i].Values) != len(measures) {
			return fmt.Errorf("%+v: %d values of %d measures", u.Key, len(runs[i].Values),
				len(measures))
		}
		for j, v := range runs[i].Values {
			if math.IsInf(v, 0) {
				return fmt.Errorf("%+v: %s of %s is infinite", u.Key, measures[j], runs[i].Method)
			}
		}
	}
	if !u.whole(runs) {
		return fmt.Errorf("%+v: other runs than %d times %s", u.Key, u.Starts,
			strings.Join(u.Methods, ", "))
	}
	return nil
}

// collect does the pieces of work that are not whole in the store, and returns the runs of all.
func collect(ctx context.Context, p Plan, units []Unit, kept *store) (*Runs, error) {
	w := worker{Plan: p, kept: kept, total: len(units)}
	var beside, alone []Unit
	for _, u := range units {
		switch {
		case u.whole(kept.runs[u.Key]):
			w.done++
		case u.Alone:
			alone = append(alone, u)
		default:
			beside = append(beside, u)
		}
	}
	kept.taken = w.done
	w.report()
	err := w.work(ctx, beside, parallel.Threads(p.Threads))
	if err == nil {
		err = w.work(ctx, alone, 1)
	}
	if saved := kept.save(); err == nil {
		err = saved
	}
	if err != nil {
		return nil, err
	}
	runs := &Runs{measures: kept.measures}
	for _, u := range units {
		runs.all = append(runs.all, kept.runs[u.Key]...)
	}
	slices.SortStableFunc(runs.all, func(a, b Run) int { return compare(a.Key, b.Key) })
	return runs, nil
}

// worker does pieces of work.
type worker struct {
	Plan
	kept        *store
	mu          sync.Mutex
	done, total int
}

func (w *worker) work(ctx context.Context, units []Unit, threads int) error {
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(threads)
	for _, u := range units {
		if inner.Err() != nil {
			break
		}
		g.Go(func() error {
			if err := inner.Err(); err != nil {
				return err
			}
			runs, err := u.Do(inner)
			if err != nil {
				return err
			}
			if err := u.take(runs, w.kept.measures); err != nil {
				return err
			}
			w.mu.Lock()
			defer w.mu.Unlock()
			w.done++
			w.report()
			return w.kept.add(u.Key, runs)
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	return ctx.Err()
}

func (w *worker) report() {
	if w.Progress != nil {
		w.Progress(w.done, w.total)
	}
}
