package competitive2013

import (
	"context"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// What "beyond" adds to the names of methods.
const (
	withControl  = ", controlled penalty"
	withMust     = ", must-links too"
	withPlusPlus = ", k-means++"
	withDiagonal = ", k-means++, diagonal metric"
	withFull     = ", k-means++, full metric"
)

// beyond returns the work of one draw on what the paper leaves open: the must-links among the
// labelled objects too; k-means++ instead of the Gaussian; from there metrics learnt by each
// prototype; and the controlled penalty in place of the paper's.
func (d drawn) beyond(n int) func(ctx context.Context) ([]frame.Run, error) {
	return func(ctx context.Context) ([]frame.Run, error) {
		cannot, err := d.links(n, false)
		if err != nil {
			return nil, err
		}
		both, err := d.links(n, true)
		if err != nil {
			return nil, err
		}
		var runs []frame.Run
		for start := 1; start <= startsEach; start++ {
			first, err := d.prototypes(ctx, d.set.X, start)
			if err != nil {
				return nil, err
			}
			for _, f := range additions(cannot, both, first) {
				f.x, f.start = d.set.X, start
				run, err := d.fit(ctx, f)
				if err != nil {
					return nil, err
				}
				runs = append(runs, run)
			}
		}
		return runs, nil
	}
}

// beyondTrials are the draws of part beyond: one in a reduced run, as it takes longest and has
// nothing of the paper's.
func beyondTrials(p frame.Plan) int {
	if p.Reduced {
		return 1
	}
	return p.Trials
}

// additions are the fits from one starting point.
func additions(cannot, both []link.Link, first dataset.Matrix) []trial {
	var fits []trial
	for _, method := range methods {
		fits = append(fits,
			trial{method: method, name: method + withMust, links: both, first: first},
			trial{method: method, name: method + withPlusPlus, links: cannot})
	}
	return append(fits,
		trial{method: crpcl, name: crpcl + withControl, links: cannot, first: first,
			controlled: true},
		trial{method: crpcl, name: crpcl + withDiagonal, links: cannot,
			metric: fit.Diagonal},
		trial{method: crpcl, name: crpcl + withFull, links: cannot, metric: fit.Full})
}

// additionNames are the names of the fits from one starting point.
func additionNames() (names []string) {
	for _, f := range additions(nil, nil, dataset.Matrix{}) {
		names = append(names, f.name)
	}
	return names
}

// beyond shows what must-links, better initial prototypes and learnt metrics add, all columns over
// the same draws.
func (c compiler) beyond() []frame.Table {
	c.Trials = beyondTrials(c.Plan)
	notes := []string{"Means over 5, 10, 15 and 20 labelled objects a class and five starts. The " +
		"first column is the paper's protocol, from the runs of tables I to III. " +
		"The second adds the must-links among the labelled objects; the third takes the " +
		"cannot-links alone, but starts from k-means++, as do the two of learnt metrics. The " +
		"last is the first with the controlled penalty."}
	table := func(name, title, measure string) frame.Table {
		t := frame.Table{
			Name: name, Title: title,
			Keys: []string{"data set", "method"},
			Groups: []string{"cannot-links", "must-links too", "k-means++", "diagonal metric",
				"full metric", "controlled penalty"}, Digits: 3,
		}
		var all []string
		for _, n := range labelled[1:] {
			all = append(all, setting(n))
		}
		for _, set := range c.Sets {
			if _, known := paperNMI[crpcl][set.Name]; !known {
				continue
			}
			name := set.Title
			for _, m := range methods {
				row := frame.Row{Keys: []string{name, m}}
				for _, with := range []string{"", withMust, withPlusPlus, withDiagonal, withFull,
					withControl} {
					part := "beyond"
					if with == "" {
						part = "tables"
					}
					row.Cells = append(row.Cells,
						single(c.cell(frame.None, part, set.Name, all, m+with, measure, "", "")))
				}
				t.Rows, name = append(t.Rows, row), ""
			}
		}
		return t
	}
	all := table("table5", "Beyond the paper. NMI over all objects", "nmi")
	if len(all.Rows) == 0 {
		return nil
	}
	untouched := table("table5-untouched",
		"Beyond the paper. NMI over the objects that no link touches", "untouched")
	untouched.Notes = notes
	return []frame.Table{all, untouched}
}
