package cevclus2013

import (
	"context"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// sampled are the methods on other samples of Letters.
var sampled = []string{cevclus, ours}

// tenth draws the sample of a draw: a random tenth of each class, in the order of the rows.
func (b *bench) tenth(set *frame.Set, draw int) (*frame.Set, error) {
	rows := ask.ClassShare(set.Truth, .1, frame.Derive(b.Seed, "tenth", set.Name, draw, 0))
	slices.Sort(rows)
	part := *set
	var values []float64
	part.Truth = nil
	for _, i := range rows {
		values = append(values, set.X.F64[i*set.X.Cols:][:set.X.Cols]...)
		part.Truth = append(part.Truth, set.Truth[i])
	}
	part.Rows = len(rows)
	var err error
	part.X, err = dataset.NewMatrix(len(rows), set.X.Cols, values)
	return &part, err
}

// samples are fits on other samples of Letters than the one of tables 5 and 6, another in each
// draw.
func (b *bench) samples(set *frame.Set) []frame.Unit {
	numbers := b.sampledNumbers()
	var all []frame.Unit
	for draw := 1; draw <= b.Trials; draw++ {
		do := func(ctx context.Context) ([]frame.Run, error) {
			part, err := b.tenth(set, draw)
			if err != nil {
				return nil, err
			}
			g := b.fresh(part, dissim.Euclidean)
			var runs []frame.Run
			for i, n := range numbers {
				links, err := g.links(n, draw)
				if err != nil {
					return nil, err
				}
				for _, method := range sampled {
					r, err := g.run(ctx, method, draw, links, usual, g.effort.weights)
					if err != nil {
						return nil, err
					}
					r.Start, r.Method = i+1, method
					runs = append(runs, r)
				}
			}
			return runs, nil
		}
		all = append(all, frame.Unit{
			Key: frame.Key{Part: partSamples, Set: set.Name, Setting: "another tenth",
				Draw: draw},
			Starts: len(numbers), Methods: sampled, Do: do,
		})
	}
	return all
}

func (b *bench) sampledNumbers() []int { return append([]int{0}, b.weightedNumbers()...) }

// bySample sets Letters of tables 5 and 6 at ξ = 1 beside other samples. The paper's figures are of
// one sample, whose means are taken to vary as ours do from sample to sample.
func (c compiler) bySample() []frame.Table {
	t := frame.Table{
		Name: "table6-samples",
		Title: "Letters of tables 5 and 6 at ξ = 1, another random tenth of each class in each " +
			"trial", Digits: 2, Again: true,
		Keys: []string{"links"}, Groups: sampled,
		Notes: []string{"The paper's figures are of one sample: they agree when it may be one of " +
			"ours."},
	}
	for i, n := range c.sampledNumbers() {
		row := frame.Row{Keys: []string{strconv.Itoa(n)}}
		for _, method := range sampled {
			cell := frame.Cell{Paper: frame.None,
				Mean: c.mean(partSamples, allLetters, "another tenth", method, "rand", i+1),
				Best: frame.None}
			if method == cevclus {
				xi, links := usual, n
				if n == 0 {
					xi, links = 0, 20
				}
				cell.Paper = frame.Told(paperRand[letters][links][at(xi)].mean, cell.Mean.Spread, 1)
			}
			row.Cells = append(row.Cells, cell)
		}
		t.Rows = append(t.Rows, row)
	}
	return []frame.Table{t}
}
