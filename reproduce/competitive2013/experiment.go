// Package competitive2013 runs the experiments of the paper on competitive learning under links
// again: C-RPCL and O-LCVQE beside LCVQE, on published sets, images and streams.
package competitive2013

import (
	"context"
	_ "embed"
	"fmt"
	"math/rand/v2"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/prototypes"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The methods that the paper compares. Without links C-RPCL is RPCL, O-LCVQE is WTA, and LCVQE is
// k-means.
const (
	crpcl  = "C-RPCL"
	olcvqe = "O-LCVQE"
	lcvqe  = "LCVQE"
)

// methods are the methods in the order of the paper's tables.
var methods = []string{crpcl, olcvqe, lcvqe}

// labelled are the labelled objects a class.
var labelled = []int{0, 5, 10, 15, 20}

const startsEach = 5 // starting points a draw

//go:embed remarks.md
var remarks string

// Experiment is Covões, Hruschka and Ghosh (2013).
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "competitive-learning-2013",
		Title: "Competitive learning with pairwise constraints, tables I to IV and figure 1",
		Paper: "T. F. Covões, E. R. Hruschka and J. Ghosh, Competitive learning with pairwise " +
			"constraints, IEEE Trans. Neural Netw. Learn. Syst. 24 (2013) 164–169",
		Parts: []frame.Part{
			{Name: "tables",
				Title: "tables I to III: eight sets, 0 to 20 labelled objects a class, all " +
					"cannot-links among them"},
			{Name: "figure1",
				Title: "figure 1: two features of Pendigits by a naive-Bayes wrapper, and what " +
					"each method makes of them"},
			{Name: "readings",
				Title: "tables I and II by other readings of the protocol: rows as they lie, " +
					"scaled features"},
			{Name: "kdd", Title: "table IV: KDD'99 in one pass, with times"},
			{Name: "beyond",
				Title: "what is not in the paper: must-links too, better initial prototypes, " +
					"learnt metrics, a bounded penalty"},
		},
		Needs:    needs(),
		Trials:   10,
		Reduced:  10,
		Hours:    frame.Hours{Full: .2, Reduced: .2},
		Measures: measures,
		Protocol: 3,
		Units:    units,
		Tables:   tables,
		Pictures: pictures,
		Remarks:  remarks,
	}
}

// needs are the paper's eight sets and KDD'99. Pendigits are the digits 3, 8 and 9.
func needs() []frame.Need {
	all := catalogue.Needs([]string{"9gauss", "ionosphere", "iris", "wine", "breast-cancer",
		"pendigits389", "letters", "pima"}, "tables", "readings", "beyond")
	all[5].Name, all[5].Parts = figure1Set, []string{"tables", "readings", "beyond", "figure1"}
	return append(all, catalogue.Need("kdd99", "kdd"))
}

// units cuts the experiment into pieces: all fits on one draw of labelled objects.
func units(p frame.Plan) []frame.Unit {
	var units []frame.Unit
	for _, set := range p.Sets {
		for _, part := range set.Parts {
			numbers := labelled
			switch {
			case p.Has(part):
			case part == "tables" && p.Has("beyond"): // whose first column they are
				numbers = labelled[1:]
			default:
				continue
			}
			add := func(setting string, draws, starts int, methods []string,
				do func(ctx context.Context, d drawn) ([]frame.Values, error)) {
				units = append(units, frame.Unit{
					Key:   frame.Key{Part: part, Set: set.Name, Setting: setting},
					Draws: draws, Alone: part == "kdd", Starts: starts, Methods: methods,
					Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
						return do(ctx, drawn{set: set, seed: p.Seed, draw: key.Draw})
					},
				})
			}
			switch part {
			case "figure1":
				chosen := chooseFeatures(set, p.Seed)
				add(wrapperSetting, 1, 1, searches,
					func(ctx context.Context, _ drawn) ([]frame.Values, error) {
						found, err := chosen(ctx)
						if err != nil {
							return nil, err
						}
						return frame.Map(found, pick.values)
					})
				add(setting(figure1Labelled), p.Trials, startsEach, methods,
					func(ctx context.Context, d drawn) ([]frame.Values, error) {
						found, err := chosen(ctx)
						if err != nil {
							return nil, err
						}
						return d.figure1(ctx, found[1])
					})
			case "tables", "readings":
				for i, r := range readings {
					if in, prefix := place(i); in == part && !r.again {
						for _, n := range numbers {
							add(prefix+setting(n), p.Trials, startsEach, methods, r.run(n))
						}
					}
				}
			case "beyond":
				for _, n := range labelled[1:] {
					add(setting(n), p.Trials, startsEach, additionNames(), beyond(n))
				}
			case "kdd":
				for _, how := range streams {
					add(how.name, p.Trials, 1, streamColumns, how.run)
				}
			}
		}
	}
	return units
}

// drawn is one draw on a data set.
type drawn struct {
	set  *frame.Set
	seed uint64
	draw int // from 1
}

func setting(n int) string { return fmt.Sprintf("%d labelled", n) }

// links draws n labelled objects of each class and links them: the cannot-links, or the must-links
// too. The objects of a smaller n are among those of a larger.
func (d drawn) links(n int, both bool) ([]link.Link, error) {
	return ask.ClassLinks(d.set.Truth,
		ask.ClassRows(d.set.Truth, n, frame.Derive(d.seed, "links", d.set.Name, d.draw, 0)), both)
}

// prototypes draws initial prototypes from the Gaussian of a fifth of x, for a starting point.
func (d drawn) prototypes(ctx context.Context, x dataset.Matrix, start int) (dataset.Matrix,
	error) {
	rng := rand.New(rand.NewPCG(frame.Derive(d.seed, "prototypes", d.set.Name, d.draw, start), 0))
	values, err := prototypes.Gaussian(ctx, x, d.set.Classes, rng)
	if err != nil {
		return dataset.Matrix{}, err
	}
	return dataset.NewMatrix(d.set.Classes, x.Cols, values)
}
