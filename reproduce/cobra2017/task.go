package cobra2017

import (
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// task is a clustering task: a data set as the paper prepares it.
type task struct {
	name, title string
	classes     int
	set         dataset.Matrix // as it was read
	x           dataset.Matrix // without rows that repeat another, features between 0 and 1
	truth       []int32
	// questions that COBRA takes, counted once for all methods that may ask as many
	counted frame.Once[countKey, int]
}

type countKey struct {
	seed         uint64
	draw, supers int
}

// prepare leaves out rows whose features are those of an earlier one, and scales features to 0..1;
// one that is constant becomes 0. Vectors of texts stay as they are: they have the same units in
// all columns.
func prepare(s *frame.Set) *task {
	t := &task{name: s.Name, title: s.Title, classes: s.Classes, set: s.X}
	if t.x, t.truth = frame.Distinct(s.X, s.Truth); !texts[s.Name] {
		t.x = frame.Scaled(t.x)
	}
	return t
}

// folds is how many folds a cross-validation has.
const folds = 5

// fold is a fold of the cross-validation: a fifth of the rows is set aside, nobody is asked about
// those, and a clustering of all rows is judged by them alone (§4).
type fold struct {
	*task
	seed    uint64
	draw    int // from 1; folds 1 to 5 are of one partition of the rows, the next five of another
	askable []bool
	test    []int
}

func (t *task) fold(seed uint64, draw int) fold {
	f := fold{task: t, seed: seed, draw: draw, askable: make([]bool, t.x.Rows)}
	order := rand.New(rand.NewPCG(frame.Derive(seed, "folds", t.name, (draw-1)/folds+1, 0),
		0)).Perm(t.x.Rows)
	for i, row := range order {
		if i*folds/t.x.Rows == (draw-1)%folds {
			f.test = append(f.test, row)
		} else {
			f.askable[row] = true
		}
	}
	return f
}

// derive returns the seed of a random choice in the fold.
func (f fold) derive(what string, number int) uint64 {
	return frame.Derive(f.seed, what, f.name, f.draw, number)
}

// ari is the adjusted Rand index over the rows set aside.
func (f fold) ari(labels []int) (float64, error) {
	found, truth := make([]int, len(f.test)), make([]int, len(f.test))
	for i, row := range f.test {
		found[i], truth[i] = labels[row], int(f.truth[row])
	}
	r, err := eval.Compare(found, truth)
	return r.AdjustedRand, err
}
