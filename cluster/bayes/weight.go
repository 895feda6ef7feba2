package bayes

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

const (
	weightFolds = 10
	// by which a weight is chosen, at most: of known class, or ten a class if that is more, and of
	// others
	weightRows = 500
	// of fits whose predictions alone count
	weightSteps     = 30
	weightTolerance = 1e-4
)

// weights are those that a row of unknown class may be given. By the first one such rows count for
// next to nothing.
func weights() []float64 { return []float64{1e-6, 0.001, 0.01, 0.03, 0.1, 0.3, 1} }

// chooses reports whether there is something to choose a weight by: a row of each class is known,
// two of some class, and not all rows.
func (e *em) chooses() bool {
	return e.labelled < e.N && e.complete() && slices.Max(e.counts) > 1
}

// chooseWeight returns the weight of a row of unknown class under which rows of known class are
// predicted best by fits that know nine tenths of them: that of the least sum of squares of the
// differences of posterior probabilities and classes (Brier 1950), the smallest among equals. Nigam
// et al., section 5.3.1, choose λ by cross-validation as well; squares are ours, as the posteriors
// of naive Bayes are too sure of themselves for a logarithm.
func (e *em) chooseWeight(ctx context.Context, cfg Config) (float64, error) {
	rows, known, scale := e.someRows()
	data := e.Data.Subset(rows)
	fold := e.folds(known)
	best, fewest := 1.0, math.Inf(1)
	report := cfg.Progress
	cfg.Progress = nil
	tried := weights()
	for w, weight := range tried {
		cfg.UnlabelledWeight = max(least, float64(weight*scale))
		wrong := 0.0
		for held := range weightFolds {
			cfg.Known = slices.Clone(known)
			for i, f := range fold {
				if f == held {
					cfg.Known[i] = -1
				}
			}
			p, err := predicted(ctx, data, cfg)
			if err != nil {
				return 0, err
			}
			if report != nil {
				report(fit.Progress{Share: (float64(w) + float64(held+1)/weightFolds) /
					float64(len(tried))})
			}
			for i, f := range fold {
				if f == held {
					wrong += squares(p[i*e.K:(i+1)*e.K], known[i])
				}
			}
		}
		if wrong < fewest {
			best, fewest = weight, wrong
		}
	}
	return best, nil
}

// predicted returns the posterior probabilities of a short fit, n×k.
func predicted(ctx context.Context, data dataset.Matrix, cfg Config) ([]float64, error) {
	cfg.MaxIterations, cfg.Tolerance = weightSteps, weightTolerance
	e, err := newEM(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	r, err := e.run(ctx, 0, cfg)
	if err != nil {
		return nil, err
	}
	r.Memberships, r.Labels = make([]float64, e.N*e.K), make([]int32, e.N)
	_, err = e.expect(ctx, r.Model, r)
	return r.Memberships, err
}

// someRows returns rows of each class and of none, all or evenly spaced ones, ascending, the
// classes of these, and by what a weight is multiplied so that those of none weigh as all do.
func (e *em) someRows() (rows []int, known []int32, scale float64) {
	of := make([][]int, e.K+1) // by class, those of none last
	for i := range e.N {
		c := int(e.class(i))
		if c < 0 {
			c = e.K
		}
		of[c] = append(of[c], i)
	}
	for c, all := range of {
		most := weightRows
		if c < e.K {
			most = max(weightFolds, weightRows/e.K)
		}
		taken := min(len(all), most)
		for t := range taken {
			rows = append(rows, all[t*len(all)/taken])
		}
		if c == e.K {
			labelled := len(rows) - taken
			scale = float64(len(all)) / float64(taken) * float64(labelled) / float64(e.labelled)
		}
	}
	slices.Sort(rows)
	for _, i := range rows {
		known = append(known, e.class(i))
	}
	return rows, known, scale
}

// folds returns the fold of each row of known class, by turns within classes, and −1 for others and
// where it is the only one of its class.
func (e *em) folds(known []int32) []int {
	fold, seen := make([]int, len(known)), make([]int, e.K)
	for i, c := range known {
		fold[i] = -1
		if c >= 0 && e.counts[c] > 1 {
			fold[i] = seen[c] % weightFolds
			seen[c]++
		}
	}
	return fold
}

// squares returns the sum of the squared differences of probabilities from a class.
func squares(p []float64, class int32) (sum float64) {
	for c, v := range p {
		if int32(c) == class {
			v = 1 - v
		}
		sum += float64(v * v)
	}
	return sum
}
