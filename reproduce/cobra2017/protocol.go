package cobra2017

import (
	"context"
	"fmt"
	"time"

	"github.com/kindred-go/kindred/ask/cobras"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The methods beside the paper's.
const (
	splits = "COBRAS"
	robust = "nCOBRAS"
	spread = "kin"
)

// at names a method at each number of super-instances.
func at(method string, supers []int) (names []string) {
	for _, s := range supers {
		names = append(names, named(method, s))
	}
	return names
}

// compared are the pieces of work of tables 2 and 3.
func (w *work) compared() {
	w.add(ours, at(ours, superCounts), func(f fold, ctx context.Context) ([]outcome, error) {
		return f.cobras(ctx, superCounts)
	})
	add := func(name string, do atBudgets) {
		w.add(name, at(name, superCounts), do.of(superCounts))
	}
	for _, c := range competitors {
		if within(w.plan, c, main, w.set) {
			add(c.name, compete(c, 0))
		}
	}
	add(splits, splitting(0))
	add(robust, splitting(cobras.DefaultErrorRate))
	add(spread, fold.kin)
}

// atBudgets runs a method to each number of questions.
type atBudgets func(f fold, ctx context.Context, budgets []int) ([]outcome, error)

// of has as many questions as COBRA takes with so many super-instances.
func (do atBudgets) of(supers []int) func(f fold, ctx context.Context) ([]outcome, error) {
	return func(f fold, ctx context.Context) ([]outcome, error) {
		budgets, err := f.budgets(ctx, supers)
		if err != nil {
			return nil, err
		}
		return do(f, ctx, budgets)
	}
}

// compete runs a competitor that looks for so many clusters more than there are classes.
func compete(c competitor, offset int) atBudgets {
	return func(f fold, ctx context.Context, budgets []int) ([]outcome, error) {
		return f.compete(ctx, c, f.classes+offset, budgets)
	}
}

func splitting(errorRate float64) atBudgets {
	return func(f fold, ctx context.Context, budgets []int) ([]outcome, error) {
		return f.splitting(ctx, errorRate, budgets)
	}
}

// beside are the super-instances at which competitors look for other numbers of clusters, and are
// timed.
const beside = 50

// offsets are by how many clusters the numbers of competitors are wrong.
var offsets = []int{-2, -1, 0, 1, 2}

func offsetName(offset int) string { return fmt.Sprintf("K%+d", offset) }

// misled are the pieces of work on competitors that look for other numbers of clusters, at least
// two.
func (w *work) misled() {
	for _, c := range competitors {
		if !within(w.plan, c, wrongK, w.set) {
			continue
		}
		for _, offset := range offsets {
			if w.classes+offset >= 2 {
				w.add(c.name+" "+offsetName(offset), []string{c.name},
					compete(c, offset).of([]int{beside}))
			}
		}
	}
}

// wide are the numbers of super-instances of figure 3, and the numbers of questions of the others.
func wide(p frame.Plan) []int {
	if p.Reduced {
		return []int{25, 50, 100, 150, 200}
	}
	return []int{25, 50, 100, 150, 200, 250, 300}
}

// curves are the pieces of work of figure 3.
func (w *work) curves() {
	counts := wide(w.plan)
	add := func(name string, do atBudgets) {
		w.add(name, at(name, counts), func(f fold, ctx context.Context) ([]outcome, error) {
			return do(f, ctx, counts)
		})
	}
	add(ours, fold.cobras)
	for _, c := range competitors {
		if c.strategy == strategy.MinMax {
			add(c.name, compete(c, 0))
		}
	}
	add(splits, splitting(0))
	add(spread, fold.kin)
}

// timed are the pieces of work of figure 4: each method from the data to its clustering, on one
// thread.
func (w *work) timed() {
	add := func(name string, do atBudgets) {
		w.add(name, []string{name}, func(f fold, ctx context.Context) ([]outcome, error) {
			budgets := []int{beside}
			if name != ours {
				var err error
				if budgets, err = f.budgets(ctx, budgets); err != nil {
					return nil, err
				}
			}
			start := time.Now()
			out, err := do(f, ctx, budgets)
			if err != nil {
				return nil, err
			}
			out[0].seconds = time.Since(start).Seconds()
			return out, nil
		})
	}
	add(ours, fold.cobras)
	for _, c := range competitors {
		if within(w.plan, c, times, w.set) {
			add(c.name, compete(c, 0))
		}
	}
	add(splits, splitting(0))
}
