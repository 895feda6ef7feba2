package competitive2013

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// Figure 1 is made of the trial on Pendigits' two most informative features in which C-RPCL is
// furthest above LCVQE.
const (
	figure1Set      = "pendigits"
	figure1Labelled = 15
	wrapperSetting  = "wrapper"
)

// The classes that the text is about, among the digits 3, 8 and 9.
const (
	eights = 1
	nines  = 2
)

var digits = []string{"3", "8", "9"}

// The ways to search for the two features.
const (
	forward  = "forward selection"
	allPairs = "all pairs"
)

var searches = []string{forward, allPairs}

// chooseFeatures returns a function that searches for the features once, whichever unit comes
// first, and again only after an error.
func chooseFeatures(set *frame.Set, seed uint64) func(ctx context.Context) ([]pick, error) {
	var once frame.Once[string, []pick]
	return func(ctx context.Context) ([]pick, error) {
		return once.Get(set.Name, func() ([]pick, error) { return searchFeatures(ctx, set, seed) })
	}
}

// figure1 fits the three methods from five starting points, on two features.
func (d drawn) figure1(ctx context.Context, features pick) ([]frame.Values, error) {
	x := columns(d.set.X, features.first, features.second)
	var all []frame.Values
	for start := 1; start <= startsEach; start++ {
		for _, method := range methods {
			f, err := d.onTwo(ctx, x, method, start)
			if err != nil {
				return nil, err
			}
			values, err := d.measure(f.trial, f.fitted)
			if err != nil {
				return nil, err
			}
			values["missed"] = f.missed(d.set.Truth, eights)
			values["off"] = f.off(x, d.set.Truth, nines)
			all = append(all, values)
		}
	}
	return all, nil
}

// onTwo fits a method on two features, with the links that table I has at 15 labelled objects.
func (d drawn) onTwo(ctx context.Context, x dataset.Matrix, method string, start int) (matched,
	error) {
	links, err := d.links(figure1Labelled, false)
	if err != nil {
		return matched{}, err
	}
	first, err := d.prototypes(ctx, x, start)
	if err != nil {
		return matched{}, err
	}
	f := trial{method: method, name: method, x: x, links: links, first: first, start: start}
	r, err := d.run(ctx, f)
	if err != nil {
		return matched{}, err
	}
	return matched{f, r, match(r.labels, d.set.Truth, d.set.Classes)}, nil
}

// matched is a fit whose clusters are matched with classes.
type matched struct {
	trial
	fitted
	class []int32 // of each cluster
}

// match matches clusters with classes, one to one, so that as many rows as can be are in the
// cluster of their class.
func match(labels, truth []int32, classes int) []int32 {
	counts := make([]int, classes*classes)
	for i, l := range labels {
		counts[int(l)*classes+int(truth[i])]++
	}
	best := -1
	var found []int32
	var try func(taken []int32, right int)
	try = func(taken []int32, right int) {
		if len(taken) == classes {
			if right > best {
				best, found = right, slices.Clone(taken)
			}
			return
		}
		for c := range int32(classes) {
			if !slices.Contains(taken, c) {
				try(append(taken, c), right+counts[len(taken)*classes+int(c)])
			}
		}
	}
	try(nil, 0)
	return found
}

// right reports whether row i is in the cluster of its class.
func (m matched) right(truth []int32, i int) bool { return m.class[m.labels[i]] == truth[i] }

// missed counts the rows of a class that are in the clusters of others.
func (m matched) missed(truth []int32, class int32) float64 {
	n := 0
	for i, c := range truth {
		if c == class && !m.right(truth, i) {
			n++
		}
	}
	return float64(n)
}

// off is the distance of the prototype of a class from the mean of the class.
func (m matched) off(x dataset.Matrix, truth []int32, class int32) float64 {
	mean := means(x, truth, len(m.class))
	return math.Sqrt(squared(mean, int(class), m.centres, slices.Index(m.class, class)))
}

// means returns the mean of each class.
func means(x dataset.Matrix, truth []int32, classes int) dataset.Matrix {
	m := dataset.Matrix{Rows: classes, Cols: x.Cols, F64: make([]float64, classes*x.Cols)}
	size := make([]float64, classes)
	for i, c := range truth {
		size[c]++
		for j := range x.Cols {
			m.F64[int(c)*x.Cols+j] += x.At(i, j)
		}
	}
	for i := range m.F64 {
		m.F64[i] /= size[i/x.Cols]
	}
	return m
}

// columns returns some columns of a matrix.
func columns(x dataset.Matrix, which ...int) dataset.Matrix {
	out := dataset.Matrix{Rows: x.Rows, Cols: len(which)}
	for i := range x.Rows {
		for _, j := range which {
			out.F64 = append(out.F64, x.At(i, j))
		}
	}
	return out
}

// furthest returns the draw and the start in which C-RPCL's NMI is furthest above LCVQE's, the
// earliest among equals; ok is false where nothing ran.
func (c compiler) furthest() (draw, start int, ok bool) {
	most := math.Inf(-1)
	for d := 1; d <= c.Trials; d++ {
		key := c.figure1Key(d)
		ours, theirs := c.Of(key, crpcl, "nmi"), c.Of(key, lcvqe, "nmi")
		for s := range ours {
			if v := ours[s] - theirs[s]; v > most {
				most, draw, start, ok = v, d, s+1, true
			}
		}
	}
	return draw, start, ok
}

func (c compiler) figure1Key(draw int) frame.Key {
	return frame.Key{Part: "figure1", Set: figure1Set, Setting: setting(figure1Labelled),
		Draw: draw}
}

// searchKey is the key of the search for features.
var searchKey = frame.Key{Part: "figure1", Set: figure1Set, Setting: wrapperSetting, Draw: 1}

// figure1 sets the text about figure 1 beside our runs.
func (c compiler) figure1() {
	draw, start, ok := c.furthest()
	if !ok {
		return
	}
	search := frame.Table{
		Name: "figure1-features",
		Title: "Figure 1. Two features of Pendigits by naive Bayes: errors in ten-fold " +
			"cross-validation, in per cent",
		Keys: []string{"search", "features"}, Groups: []string{"error"}, Digits: 1, Plain: true,
	}
	for _, how := range searches {
		first, second := c.Of(searchKey, how, "first")[0], c.Of(searchKey, how, "second")[0]
		search.AddCells(
			[]string{how, fmt.Sprintf("%.0f and %.0f", min(first, second), max(first, second))},
			frame.Cell{Paper: frame.Printed(7),
				Mean: frame.Printed(100 * c.Of(searchKey, how, "error")[0])})
	}
	search.Notes = []string{"The paper's figure has features 4 and 10; ours are those of the " +
		"search over all pairs. It describes its search only as a wrapper."}
	fits := frame.Table{
		Name:  "figure1-fits",
		Title: "Figure 1. Partitions by two features of Pendigits, 15 labelled objects a class",
		Keys:  []string{"what", "of"}, Groups: methods, Digits: 2, Plain: true,
		Notes: []string{fmt.Sprintf("The trial of figure 1 is that with the largest difference "+
			"of NMI between C-RPCL and LCVQE among %s of %d starts: draw %d, start %d.",
			words.Count(c.Trials, "draw"), startsEach, draw, start)},
	}
	for _, what := range []struct{ measure, title string }{{"nmi", "NMI"},
		{"missed", "objects of class 8 in other clusters"},
		{"off", "distance of the prototype of class 9 from its mean"}} {
		fits.Add([]string{what.title, "all trials"}, func(m string) frame.Cell {
			return single(c.cell(frame.None, score{part: "figure1", set: figure1Set,
				settings: []string{setting(figure1Labelled)}, method: m, measure: what.measure}))
		})
		fits.Add([]string{"", "the trial of figure 1"}, func(m string) frame.Cell {
			return frame.Cell{
				Mean: frame.Printed(c.Of(c.figure1Key(draw), m, what.measure)[start-1])}
		})
	}
	c.Add(search, fits)
	c.oftener("C-RPCL is above LCVQE in NMI on the two features", "nmi", 1, draw, start)
	c.oftener("LCVQE has more errors on class 8 than C-RPCL", "missed", -1, draw, start)
	c.oftener("C-RPCL's prototype is closer to the mean of class 9 than LCVQE's", "off", -1, draw,
		start)
}

// oftener counts the trials in which C-RPCL is better than LCVQE by a measure: greater, or smaller
// where sign is −1.
func (c compiler) oftener(text, measure string, sign float64, draw, start int) {
	var better frame.Share
	there := "not in that trial"
	for d := 1; d <= c.Trials; d++ {
		ours, theirs := c.Of(c.figure1Key(d), crpcl, measure),
			c.Of(c.figure1Key(d), lcvqe, measure)
		for s := range ours {
			wins := sign*(ours[s]-theirs[s]) > 0
			if better.Count(wins); wins && d == draw && s+1 == start {
				there = "in that trial, too"
			}
		}
	}
	c.Claim(text, "in the trial of figure 1", "in %s trials (%s)", better, there)
}
