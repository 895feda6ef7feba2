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
func (f fold) compared(p frame.Plan) []frame.Unit {
	supers := supers(p)
	out := []frame.Unit{
		f.unit(main, ours, at(ours, supers),
			func(ctx context.Context) ([]outcome, error) { return f.cobras(ctx, supers) }),
	}
	for _, c := range competitors {
		if within(p, c, main, f.set) {
			out = append(out, f.unit(main, c.name, at(c.name, supers),
				f.atBudgets(supers, func(ctx context.Context, budgets []int) ([]outcome, error) {
					return f.compete(ctx, c, f.classes, budgets)
				})))
		}
	}
	for _, s := range []struct {
		name      string
		errorRate float64
	}{{splits, 0}, {robust, cobras.DefaultErrorRate}} {
		out = append(out, f.unit(main, s.name, at(s.name, supers),
			f.atBudgets(supers, func(ctx context.Context, budgets []int) ([]outcome, error) {
				return f.splitting(ctx, s.errorRate, budgets)
			})))
	}
	return append(out, f.unit(main, spread, at(spread, supers), f.atBudgets(supers, f.kin)))
}

// atBudgets runs a method with as many questions as COBRA takes with so many super-instances.
func (f fold) atBudgets(supers []int,
	do func(ctx context.Context, budgets []int) ([]outcome,
		error)) func(ctx context.Context) ([]outcome, error) {
	return func(ctx context.Context) ([]outcome, error) {
		budgets, err := f.budgets(ctx, supers)
		if err != nil {
			return nil, err
		}
		return do(ctx, budgets)
	}
}

// beside are the super-instances at which competitors look for other numbers of clusters, and are
// timed.
const beside = 50

// offsets are by how many clusters the numbers of competitors are wrong.
var offsets = []int{-2, -1, 0, 1, 2}

func offsetName(offset int) string { return fmt.Sprintf("K%+d", offset) }

// mistold are the pieces of work on competitors that look for other numbers of clusters, at least
// two.
func (f fold) mistold(p frame.Plan) (out []frame.Unit) {
	for _, c := range competitors {
		if !within(p, c, wrongK, f.set) {
			continue
		}
		for _, offset := range offsets {
			if k := f.classes + offset; k >= 2 {
				out = append(out, f.unit(wrongK, c.name+" "+offsetName(offset), []string{c.name},
					f.atBudgets([]int{beside},
						func(ctx context.Context, budgets []int) ([]outcome, error) {
							return f.compete(ctx, c, k, budgets)
						})))
			}
		}
	}
	return out
}

// wide are the numbers of super-instances of figure 3, and the numbers of questions of the others.
func wide(p frame.Plan) []int {
	if p.Reduced {
		return []int{25, 50, 100, 150, 200}
	}
	return []int{25, 50, 100, 150, 200, 250, 300}
}

// curves are the pieces of work of figure 3.
func (f fold) curves(p frame.Plan) []frame.Unit {
	counts := wide(p)
	out := []frame.Unit{f.unit(curves, ours, at(ours, counts),
		func(ctx context.Context) ([]outcome, error) { return f.cobras(ctx, counts) })}
	for _, c := range competitors {
		if c.strategy == strategy.MinMax {
			out = append(out, f.unit(curves, c.name, at(c.name, counts),
				func(ctx context.Context) ([]outcome, error) {
					return f.compete(ctx, c, f.classes, counts)
				}))
		}
	}
	return append(out,
		f.unit(curves, splits, at(splits, counts),
			func(ctx context.Context) ([]outcome, error) { return f.splitting(ctx, 0, counts) }),
		f.unit(curves, spread, at(spread, counts),
			func(ctx context.Context) ([]outcome, error) { return f.kin(ctx, counts) }))
}

// timed are the pieces of work of figure 4: each method from the data to its clustering, on one
// thread. NPU, which takes longest, is timed on the first fold alone.
func (f fold) timed(p frame.Plan) (out []frame.Unit) {
	add := func(name string, do func(ctx context.Context, budget int) (outcome, error)) {
		out = append(out, f.unit(times, name, []string{name},
			func(ctx context.Context) ([]outcome, error) {
				budgets := []int{0}
				if name != ours {
					var err error
					if budgets, err = f.budgets(ctx, []int{beside}); err != nil {
						return nil, err
					}
				}
				start := time.Now()
				o, err := do(ctx, budgets[0])
				o.seconds = time.Since(start).Seconds()
				return []outcome{o}, err
			}))
	}
	last := func(o []outcome, err error) (outcome, error) {
		if err != nil {
			return outcome{}, err
		}
		return o[len(o)-1], nil
	}
	add(ours, func(ctx context.Context, _ int) (outcome, error) { return f.cobra(ctx, beside) })
	for _, c := range competitors {
		if within(p, c, times, f.set) && (c.strategy != strategy.NPU || f.draw == 1) {
			add(c.name, func(ctx context.Context, budget int) (outcome, error) {
				return last(f.compete(ctx, c, f.classes, []int{budget}))
			})
		}
	}
	add(splits, func(ctx context.Context, budget int) (outcome, error) {
		return last(f.splitting(ctx, 0, []int{budget}))
	})
	return out
}
