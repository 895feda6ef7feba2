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
	for _, run := range r.all[r.first(key):] {
		if run.Key != key {
			break
		}
		if run.Method == method {
			values = append(values, run.Values[at])
		}
	}
	return values
}

// first returns the index of the first run of a key, or of a greater one.
func (r *Runs) first(key Key) int {
	i, _ := slices.BinarySearchFunc(r.all, key,
		func(run Run, k Key) int { return compare(run.Key, k) })
	return i
}

// Values are measurements by measure; what is missing was not measured.
type Values map[string]float64

// Unit is a piece of work, or many that differ in the repetition alone.
type Unit struct {
	Key
	Draws   int      // do it for so many repetitions, from 1; 0: for Draw alone
	Alone   bool     // it is timed, so nothing else runs beside it
	Starts  int      // starting points; 0: one
	Methods []string // what is fitted from each, in order

	// Do returns what was measured of a repetition: for each start, of each method.
	Do func(ctx context.Context, key Key) ([]Values, error)
}

// pieces returns a unit for each repetition.
func pieces(units []Unit) (all []Unit) {
	for _, u := range units {
		u.Starts = max(u.Starts, 1)
		if u.Draws == 0 {
			all = append(all, u)
		}
		for draw := range u.Draws {
			u.Key = u.repetition(draw + 1)
			all = append(all, u)
		}
	}
	return all
}

// repetition returns the key for a repetition.
func (k Key) repetition(draw int) Key {
	k.Draw = draw
	return k
}

// whole reports whether runs are all those of u, in order.
func (u Unit) whole(runs []Run) bool {
	if len(runs) == 0 || len(runs) != u.Starts*len(u.Methods) {
		return false
	}
	for i, run := range runs {
		if start, method := u.at(i); run.Start != start || run.Method != method {
			return false
		}
	}
	return true
}

// at returns the start and the method of run i.
func (u Unit) at(i int) (start int, method string) {
	return i/len(u.Methods) + 1, u.Methods[i%len(u.Methods)]
}

// take makes runs of the values that Do returned. Others than u declares, or of unknown measures,
// are a fault of the program.
func (u Unit) take(all []Values, measures []string) ([]Run, error) {
	if len(all) == 0 || len(all) != u.Starts*len(u.Methods) {
		return nil, fmt.Errorf("%+v: other runs than %d times %s", u.Key, u.Starts,
			strings.Join(u.Methods, ", "))
	}
	runs := make([]Run, len(all))
	for i, values := range all {
		run := Run{Key: u.Key}
		run.Start, run.Method = u.at(i)
		known := 0
		for _, name := range measures {
			v, measured := values[name]
			switch {
			case math.IsInf(v, 0):
				return nil, fmt.Errorf("%+v: %s of %s is infinite", u.Key, name, run.Method)
			case measured:
				known++
			default:
				v = math.NaN()
			}
			run.Values = append(run.Values, v)
		}
		if known < len(values) {
			return nil, fmt.Errorf("%+v: %d values of %d measures", u.Key, len(values), known)
		}
		runs[i] = run
	}
	return runs, nil
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
			values, err := u.Do(inner, u.Key)
			if err != nil {
				return err
			}
			runs, err := u.take(values, w.kept.measures)
			if err != nil {
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
