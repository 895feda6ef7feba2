package hierarchy

import (
	"context"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dendrogram"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/memory"
)

// Config is how to fit. The zero value works.
type Config struct {
	fit.Options // nothing is drawn: Seed means nothing

	// Linkage is how far apart two clusters are. 0: [Ward] for vectors, [Average] for
	// dissimilarities.
	Linkage Linkage

	// Sizes is how many rows each object of data stands for under [Ward]'s linkage: it is their
	// mean. nil: one each. The sizes in the tree count objects.
	Sizes []float64
}

// Fit joins the n rows of data, of d columns, under Euclidean distance. It does not change data.
// Values must be finite.
//
// It takes n²·d steps; (8·d + 360)·n bytes under Ward's linkage, about 8·n·d under single, centroid
// and median linkage, twice that in fewer than 48 columns, and 2·n² + 8·n·d bytes under the others.
// Heights are good to twelve digits and more. It fails with a [*fault.Input] where there are no
// rows, a value is not finite, squares of distances would overflow or vanish, or memory does not
// suffice, and with ctx's error when that is done.
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*dendrogram.Tree, error) {
	if cfg.Linkage == Auto {
		cfg.Linkage = Ward
	}
	if err := cfg.check(data.Rows); err != nil {
		return nil, err
	}
	if cfg.Sizes != nil {
		if err := cfg.checkSizes(data.Rows); err != nil {
			return nil, err
		}
	}
	if data.Cols == 0 {
		return nil, fault.Inputf("give at least one feature",
			"there are no columns to compare rows by")
	}
	if cfg.Linkage != Single && !cfg.Linkage.squares() {
		return fitPairs(ctx, data, cfg)
	}
	var joins []join
	var order []int32
	var err error
	switch cfg.Linkage {
	case Single:
		joins, order, err = spanRows(ctx, data, cfg)
	case Ward:
		joins, order, err = fitWard(ctx, data, cfg)
	default:
		joins, order, err = fitCentres(ctx, data, cfg)
	}
	if err != nil {
		return nil, err
	}
	return newTree(data.Rows, cfg.Linkage, joins, order), nil
}

// fitPairs joins the rows of data by the distances of all pairs.
func fitPairs(ctx context.Context, data dataset.Matrix, cfg Config) (*dendrogram.Tree, error) {
	src, err := dissim.Vectors(data, dissim.Euclidean)
	if err != nil {
		return nil, err
	}
	least := leastFloat32
	if data.Single() {
		least = leastSingle
	}
	if err := checkRange(data, least); err != nil {
		return nil, err
	}
	// The rows are copied when their exact heights are found.
	if err := checkPairs(data.Rows, 8*float64(data.Rows)*float64(data.Cols)); err != nil {
		return nil, err
	}
	progress := cfg.Progress
	cfg.Progress = fit.Part(progress, 0, joinShare)
	d, err := fill(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	joins, order, err := d.joinAll(ctx, cfg)
	if err != nil {
		return nil, err
	}
	if err := exact(ctx, data, cfg.Linkage, joins, order, cfg.Threads,
		fit.Share(fit.Part(progress, joinShare, 1))); err != nil {
		return nil, err
	}
	return newTree(data.Rows, cfg.Linkage, joins, order), nil
}

// joinShare is the share of the work that it is to join clusters by float32.
const joinShare = 0.8

// fill computes the dissimilarities of all pairs of objects.
func fill(ctx context.Context, src dissim.Source, cfg Config) (*condensed, error) {
	return newCondensed(ctx, src, disjoint.Singletons(src.Len()), cfg.Threads,
		fit.Share(fit.Part(cfg.Progress, 0, fillShare)))
}

// fitCentres joins the rows of data by centroid or median linkage.
func fitCentres(ctx context.Context, data dataset.Matrix, cfg Config) ([]join, []int32, error) {
	n := data.Rows
	copies := 1 // of the rows
	if data.Cols < byColumns {
		copies = 2
	}
	if err := memory.Check(float64(n)*float64(8*copies*data.Cols+100),
		fmt.Sprintf("the centres of %d clusters", n),
		"join the centres of k-means, or a sample of the rows"); err != nil {
		return nil, nil, err
	}
	v, order, err := newVectors(ctx, data, cfg.Linkage)
	if err != nil {
		return nil, nil, err
	}
	joins, err := nearestFirst(ctx, v, data.Rows, newPace(data.Rows, fit.Share(cfg.Progress)))
	return joins, order, err
}

// FitSource joins the objects of src. Ward's, centroid and median linkage take its values as
// Euclidean distances; where they are none the squares that centroid and median linkage come to can
// fall below 0, and are then taken as 0.
//
// It holds 2·n² bytes, but under single linkage only 24·n. Heights are good to about six
// digits. It fails as [Fit] does.
func FitSource(ctx context.Context, src dissim.Source, cfg Config) (*dendrogram.Tree, error) {
	if cfg.Linkage == Auto {
		cfg.Linkage = Average
	}
	n := src.Len()
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	if cfg.Sizes != nil {
		return nil, fault.Inputf("give vectors, or leave the sizes out",
			"dissimilarities are joined without sizes")
	}
	if cfg.Linkage == Single {
		return fitSingle(ctx, src, cfg)
	}
	d, err := fill(ctx, src, cfg)
	if err != nil {
		return nil, err
	}
	joins, order, err := d.joinAll(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return newTree(n, cfg.Linkage, joins, order), nil
}

// fillShare is the share of the work that it is to fill a matrix.
const fillShare = 0.3

// joinAll joins the objects of a matrix, which it overwrites. Order has the object at each place.
func (d *condensed) joinAll(ctx context.Context, cfg Config) (joins []join, order []int32,
	err error) {
	n := len(d.size)
	if order, err = d.rank(ctx, cfg.Threads); err != nil {
		return nil, nil, err
	}
	if err := d.prepare(ctx, cfg.Linkage, order); err != nil {
		return nil, nil, err
	}
	p := newPace(n, fit.Share(fit.Part(cfg.Progress, fillShare, 1)))
	if cfg.Linkage.reducible() {
		if joins, err = d.rounds(ctx, n, p); err == nil {
			joins, err = chain(ctx, d, n, joins, p)
		}
	} else {
		joins, err = nearestFirst(ctx, d, n, p)
	}
	return joins, order, err
}

func (c Config) check(n int) error {
	if c.Linkage < Auto || c.Linkage > Median {
		return fault.Inputf("use a constant of package hierarchy", "there is no linkage %v",
			c.Linkage)
	}
	if n == 0 {
		return fault.Inputf("give at least one", "there are no objects to join")
	}
	if n > math.MaxInt32/2 {
		return fault.Inputf("join a sample of them", "%d objects are more than a tree can hold", n)
	}
	return nil
}

func (c Config) checkSizes(n int) error {
	switch {
	case c.Linkage != Ward:
		return fault.Inputf("take ward, or leave the sizes out", "%v linkage takes no sizes",
			c.Linkage)
	case len(c.Sizes) != n:
		return fmt.Errorf("hierarchy: %d sizes for %d objects", len(c.Sizes), n)
	}
	for i, s := range c.Sizes {
		if !(s > 0 && s <= math.MaxFloat32) {
			return &fault.Input{Row: i + 1, Problem: fmt.Sprintf("the size %g", s),
				Fix: "give sizes above 0"}
		}
	}
	return nil
}

// pace reports how far n objects are joined.
type pace struct {
	report func(share float64)
	n      int
	last   int // hundredths reported
}

func newPace(n int, report func(share float64)) *pace { return &pace{report: report, n: n} }

// left reports that so many clusters are left; the work still to do is about as their square.
func (p *pace) left(m int) {
	if p.report == nil {
		return
	}
	share := float64(m-1) / float64(max(1, p.n-1))
	if at := int(100 * (1 - share*share)); at > p.last {
		p.last = at
		p.report(float64(at) / 100)
	}
}
