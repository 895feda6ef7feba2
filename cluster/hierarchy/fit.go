package hierarchy

import (
	"context"
	"fmt"
	"github.com/kindred-go/kindred/data/dendrogram"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// Config reports how to fit. The zero value of every field is a documented default.
type Config struct {
	Linkage Linkage // 0: Ward for vectors, Average for dissimilarities
	Threads int     // 0: one a processor. It never changes the result

	// Progress, unless nil, hears how much of the work is done, from 0 to 1, never from two
	// goroutines at once.
	Progress func(share float64)
}

// Fit joins the rows of data, which it does not change, under Euclidean distance. Values must be
// finite.
//
// It takes n²·d steps; 8·n·d bytes under single, Ward's, centroid and median linkage, and 2·n²
// bytes more under the others. It fails with a *fault.Input where there are no rows, a value is not
// finite or so large that squares overflow, or memory does not suffice, and with ctx's error when
// that is done.
func Fit(ctx context.Context, data dataset.Matrix, cfg Config) (*dendrogram.Tree, error) {
	if cfg.Linkage == Auto {
		cfg.Linkage = Ward
	}
	if err := cfg.check(data.Rows); err != nil {
		return nil, err
	}
	if data.Cols == 0 {
		return nil, &fault.Input{Problem: "there are no columns to compare rows by",
			Fix: "give at least one feature"}
	}
	if cfg.Linkage != Single && !cfg.Linkage.squares() {
		src, err := dissim.Vectors(data, dissim.Euclidean)
		if err != nil {
			return nil, err
		}
		return FitSource(ctx, src, cfg)
	}
	v, order, err := newVectors(ctx, data, cfg.Linkage)
	if err != nil {
		return nil, err
	}
	p := cfg.pace(data.Rows)
	var joins []join
	switch {
	case cfg.Linkage == Single:
		joins, err = spanning(ctx, rows{v}, data.Rows, p)
	case cfg.Linkage.reducible():
		joins, err = chain(ctx, v, data.Rows, nil, p)
	default:
		joins, err = nearestFirst(ctx, v, data.Rows, p)
	}
	if err != nil {
		return nil, err
	}
	return newTree(data.Rows, cfg.Linkage, joins, order), nil
}

// FitSource joins the objects of src. Ward's, centroid and median linkage take its values as
// Euclidean distances; where they are none the squares that centroid and median linkage come to can
// fall below 0, and are then taken as 0.
//
// It holds 2·n² bytes but for single linkage, which takes 24·n. Heights are good to about six
// digits. It fails as [Fit] does.
func FitSource(ctx context.Context, src dissim.Source, cfg Config) (*dendrogram.Tree, error) {
	if cfg.Linkage == Auto {
		cfg.Linkage = Average
	}
	n := src.Len()
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	if cfg.Linkage == Single {
		return fitSingle(ctx, src, cfg)
	}
	d, err := newCondensed(ctx, src, singletons(n), cfg.Threads, cfg.part(0, fillShare))
	if err != nil {
		return nil, err
	}
	return d.fit(ctx, cfg)
}

// fillShare is how much of the work it is, as Progress has it, to fill a matrix.
const fillShare = 0.3

// fit joins the objects of a matrix, which it uses up.
func (d *condensed) fit(ctx context.Context, cfg Config) (*dendrogram.Tree, error) {
	n := len(d.size)
	order, err := d.rank(ctx, cfg.Threads)
	if err != nil {
		return nil, err
	}
	if err := d.prepare(ctx, cfg.Linkage, order); err != nil {
		return nil, err
	}
	p := Config{Progress: cfg.part(fillShare, 1)}.pace(n)
	var joins []join
	if cfg.Linkage.reducible() {
		if joins, err = d.rounds(ctx, n, p); err == nil {
			joins, err = chain(ctx, d, n, joins, p)
		}
	} else {
		joins, err = nearestFirst(ctx, d, n, p)
	}
	if err != nil {
		return nil, err
	}
	return newTree(n, cfg.Linkage, joins, order), nil
}

func (c Config) check(n int) error {
	if c.Linkage < Auto || c.Linkage > Median {
		return &fault.Input{Problem: fmt.Sprintf("there is no linkage %v", c.Linkage)}
	}
	if n == 0 {
		return &fault.Input{Problem: "there are no objects to join", Fix: "give at least one"}
	}
	if n > math.MaxInt32/2 {
		return &fault.Input{Problem: fmt.Sprintf("%d objects are more than a tree can hold", n),
			Fix: "join a sample of them"}
	}
	return nil
}

// part returns a Progress for the part of the work from lo to hi.
func (c Config) part(lo, hi float64) func(float64) {
	if c.Progress == nil {
		return nil
	}
	return func(share float64) { c.Progress(lo + float64(share*(hi-lo))) }
}

// pace watches a run of joins.
type pace struct {
	tell func(share float64)
	n    int
	last int // hundredths told
}

func (c Config) pace(n int) *pace { return &pace{tell: c.Progress, n: n} }

// left tells that so many clusters are left; the work still to do is about as their square.
func (p *pace) left(m int) {
	if p.tell == nil {
		return
	}
	share := float64(m-1) / float64(max(1, p.n-1))
	if at := int(100 * (1 - share*share)); at > p.last {
		p.last = at
		p.tell(float64(at) / 100)
	}
}
