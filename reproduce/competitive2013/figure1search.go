package competitive2013

import (
	"context"
	"math/rand/v2"

	"github.com/kindred-go/kindred/cluster/bayes"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/reproduce/frame"
)

const (
	folds = 10
	plain = 1e-3 // smoothing that only keeps variances above 0
)

// pick is a choice of two features, from 0, and the error of naive Bayes on them.
type pick struct {
	first, second int
	wrong         float64
}

// values are those of a run of the search.
func (p pick) values() (frame.Values, error) {
	return frame.Values{"first": float64(p.first + 1), "second": float64(p.second + 1),
		"error": p.wrong}, nil
}

// searchFeatures finds the two features on which naive Bayes errs least: by forward selection,
// which keeps the best single one, and among all pairs. All are judged on the same folds; of equals
// the first is chosen.
func searchFeatures(ctx context.Context, set *frame.Set, seed uint64) ([]pick, error) {
	fold := foldsOf(set.Truth, frame.Derive(seed, "folds", set.Name, 1, 1))
	judge := func(features ...int) (float64, error) {
		return crossValidate(ctx, columns(set.X, features...), set.Truth, set.Classes, fold)
	}
	alone := pick{first: -1, wrong: 2}
	for j := range set.X.Cols {
		wrong, err := judge(j)
		if err != nil {
			return nil, err
		}
		if wrong < alone.wrong {
			alone = pick{first: j, wrong: wrong}
		}
	}
	step, all := pick{wrong: 2}, pick{wrong: 2}
	for a := range set.X.Cols {
		for b := a + 1; b < set.X.Cols; b++ {
			wrong, err := judge(a, b)
			if err != nil {
				return nil, err
			}
			found := pick{a, b, wrong}
			if wrong < all.wrong {
				all = found
			}
			if (a == alone.first || b == alone.first) && wrong < step.wrong {
				step = found
			}
		}
	}
	return []pick{step, all}, nil
}

// foldsOf deals the rows of each class, in a random order, to ten folds in turn.
func foldsOf(truth []int32, seed uint64) []int {
	order := rand.New(rand.NewPCG(seed, 0)).Perm(len(truth))
	fold := make([]int, len(truth))
	dealt := map[int32]int{}
	for _, row := range order {
		fold[row] = dealt[truth[row]] % folds
		dealt[truth[row]]++
	}
	return fold
}

// crossValidate returns the share of rows that Gaussian naive Bayes, trained on the other folds,
// takes for another class.
func crossValidate(ctx context.Context, x dataset.Matrix, truth []int32, classes int,
	fold []int) (float64, error) {
	wrong := 0
	for f := range folds {
		var learn, check []int
		var known []int32
		for i, in := range fold {
			if in == f {
				check = append(check, i)
				continue
			}
			learn, known = append(learn, i), append(known, truth[i])
		}
		r, err := bayes.Fit(ctx, x.Subset(learn),
			bayes.Config{Knowledge: fit.Knowledge{Known: known}, Clusters: classes,
				Smoothing: plain, Options: fit.Options{Threads: 1}})
		if err != nil {
			return 0, err
		}
		_, labels, err := r.Model.Predict(ctx, x.Subset(check), 1)
		if err != nil {
			return 0, err
		}
		for t, i := range check {
			if labels[t] != truth[i] {
				wrong++
			}
		}
	}
	return float64(wrong) / float64(len(truth)), nil
}
