// Package cobra2017 runs the experiments of the COBRA paper again: how many questions strategies
// need, and COBRA beside MPCKMeans and COSC with MinMax and NPU in a five-fold cross-validation.
package cobra2017

import (
	"context"
	_ "embed"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"

	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

//go:embed remarks.md
var remarks string

// The parts.
const (
	orders = "orders"
	main   = "tables"
	wrongK = "clusters"
	curves = "curves"
	times  = "times"
)

// measures of a run: the adjusted Rand index over the rows set aside, questions asked, clusters
// found, super-instances, and seconds.
var measures = []string{"ari", "questions", "clusters", "supers", "seconds"}

// Experiment is Van Craenendonck, Dumančić and Blockeel (2017).
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "cobra-2017",
		Title: "COBRA beside MPCKMeans and COSC, tables 1 to 3 and figures 2 to 4",
		Paper: "T. Van Craenendonck, S. Dumančić and H. Blockeel, COBRA: a fast and simple " +
			"method for active clustering with pairwise constraints, IJCAI 2017",
		Parts: []frame.Part{
			{Name: orders,
				Title: "table 1: questions until all pairs are known, by order, and of COBRA"},
			{Name: main, Title: "tables 2 and 3, figure 2: five-fold cross-validation at 25, 50 " +
				"and 100 super-instances; COBRAS, its noise-robust version and kin beside them"},
			{Name: wrongK,
				Title: "MPCKMeans and COSC with one or two clusters too few or too many"},
			{Name: curves, Title: "figure 3: quality against questions on four sets"},
			{Name: times, Title: "figure 4: run times"},
		},
		Needs: needs(),
		// a second cross-validation, so that figures rest on ten folds where the paper has five
		Trials:   2 * folds,
		Reduced:  2 * folds,
		Hours:    frame.Hours{Full: 7, Reduced: 1},
		Measures: measures,
		Protocol: 2,
		Units:    units,
		Tables:   tables,
		Pictures: pictures,
		Remarks:  remarks,
	}
}

// texts are sets of vectors made of texts, which are not scaled.
var texts = map[string]bool{"news_similar3_lsi10": true, "news_different3_lsi10": true}

// curved are the sets of our figure 3.
var curved = []string{"ionosphere", "optdigits389", "ecoli", "breast-cancer"}

// needs are the paper's 21 tasks.
func needs() []frame.Need {
	var out []frame.Need
	for _, name := range []string{
		"iris", "wine", "dermatology_complete", "hepatitis_112", "glass", "ionosphere",
		"optdigits389", "ecoli", "breast-cancer", "segmentation",
		"column_2C", "parkinsons", "spambase", "sonar", "yeast", "faces-identity", "faces-pose",
		"faces-expression", "faces-sunglasses",
		"news_similar3_lsi10", "news_different3_lsi10",
	} {
		parts := []string{main, wrongK, times}
		if _, ok := paperOrders[name]; ok {
			parts = append(parts, orders)
		}
		if slices.Contains(curved, name) {
			parts = append(parts, curves)
		}
		out = append(out, catalogue.Need(name, parts...))
	}
	return out
}

// superCounts are the numbers of super-instances of tables 2 and 3.
var superCounts = []int{25, 50, 100}

// within reports whether a competitor is run on a task: what takes too long is left out of the
// parts on wrong numbers of clusters and on times, and more of it of a reduced run.
func within(p frame.Plan, c competitor, part string, x dataset.Matrix) bool {
	rows, columns := math.MaxInt, math.MaxInt
	npu := c.name == mpckNPU || c.name == coscNPU
	switch {
	case p.Reduced && npu && part == wrongK:
		return false
	case p.Reduced && (npu || c.spectral) && part != main:
		rows = 250
	case p.Reduced && c.name == coscNPU:
		rows = 400
	case npu && part != main:
		rows, columns = 500, 100
	}
	return x.Rows <= rows && x.Cols <= columns
}

// draws are the repetitions of a part: orders are quick, and there are never fewer than ten of
// them.
func draws(p frame.Plan, part string) int {
	if part == orders {
		return max(p.Trials, 2*folds)
	}
	return p.Trials
}

// units cuts the experiment into pieces.
func units(p frame.Plan) []frame.Unit {
	var out []frame.Unit
	tasks := map[*frame.Set]*task{}
	for set, part := range p.Work() {
		if tasks[set] == nil {
			tasks[set] = prepare(set)
		}
		w := work{task: tasks[set], plan: p, part: part}
		switch part {
		case orders:
			w.add(orders, orderNames, fold.ordered)
		case main:
			w.compared()
		case wrongK:
			w.misled()
		case curves:
			w.curves()
		case times:
			w.timed()
		}
		out = append(out, w.units...)
	}
	return out
}

// work collects the pieces of work of a part on a task.
type work struct {
	*task
	plan  frame.Plan
	part  string
	units []frame.Unit
}

// add adds a piece of work on each fold: do returns one outcome for each name.
func (w *work) add(setting string, names []string,
	do func(f fold, ctx context.Context) ([]outcome, error)) {
	t, part := w.task, w.part
	w.units = append(w.units, frame.Unit{
		Key: frame.Key{Part: part, Set: t.name, Setting: setting}, Draws: draws(w.plan, part),
		Methods: names, Alone: part == times,
		Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			f := t.fold(w.plan.Seed, key.Draw)
			outcomes, err := do(f, ctx)
			if err != nil {
				return nil, fmt.Errorf("%s, %s, fold %d: %w", t.title, setting, f.draw, err)
			}
			return frame.Map(outcomes, f.values)
		},
	})
}

// values are those of an outcome.
func (f fold) values(o outcome) (frame.Values, error) {
	values := frame.Values{"questions": float64(len(o.asked))}
	if o.labels != nil {
		ari, err := f.ari(o.labels)
		if err != nil {
			return nil, err
		}
		values["ari"], values["clusters"] = ari, float64(o.clusters)
	}
	if o.supers > 0 {
		values["supers"] = float64(o.supers)
	}
	if o.seconds > 0 {
		values["seconds"] = o.seconds
	}
	return values, nil
}
