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

// sampledKey is the key of the fits on a sample of a draw. The start of a run is the number of
// links.
var sampledKey = frame.Key{Part: partSamples, Set: allLetters, Setting: "another tenth"}

// samples are fits on other samples of Letters than the one of tables 5 and 6, another in each
// draw.
func (b *bench) samples(set *frame.Set) frame.Unit {
	return frame.Unit{Key: sampledKey, Draws: b.Trials, Starts: len(sampledNumbers),
		Methods: sampled,
		Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
			part, err := b.tenth(set, key.Draw)
			if err != nil {
				return nil, err
			}
			g := b.fresh(part, dissim.Euclidean)
			var all []frame.Values
			for _, n := range sampledNumbers {
				links, err := g.links(n, key.Draw)
				if err != nil {
					return nil, err
				}
				values, err := g.runs(ctx, sampled, key.Draw, links, g.effort.weights)
				if err != nil {
					return nil, err
				}
				all = append(all, values...)
			}
			return all, nil
		}}
}

// sampledNumbers are the links on other samples.
var sampledNumbers = append([]int{0}, weightedNumbers...)

// bySample sets Letters of tables 5 and 6 at ξ = 1 beside other samples. The paper's figures are of
// one sample, whose means are taken to vary as ours do from sample to sample.
func (c compiler) bySample() {
	t := frame.Table{
		Name: "table6-samples",
		Title: "Letters of tables 5 and 6 at ξ = 1, another random tenth of each class in each " +
			"trial", Digits: 2, Again: true,
		Keys: []string{"links"}, Groups: sampled,
		Notes: []string{"The paper's figures are of one sample: they agree when it may be one of " +
			"ours."},
	}
	for i, n := range sampledNumbers {
		t.Add([]string{strconv.Itoa(n)}, func(method string) frame.Cell {
			cell := frame.Cell{Mean: c.Mean(sampledKey, i+1, method, "rand")}
			if method == cevclus {
				xi, links := usual, n
				if n == 0 {
					xi, links = 0, 20
				}
				cell.Paper = frame.Reported(paperRand[letters][links][at(xi)].mean,
					cell.Mean.Spread, 1)
			}
			return cell
		})
	}
	c.Add(t)
}
