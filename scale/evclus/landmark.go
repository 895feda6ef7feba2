// Package evclus makes credal partitions of tables too large for one machine by k-EVCLUS
// (kevclus-2016): one pass draws landmarks, which are fitted in this process, with links if there
// are any; another places every row by its dissimilarities to them, one row programme each, and
// sums up what became of the rows.
package evclus

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// DefaultLandmarks is how many rows are fitted by default: 2000.
const DefaultLandmarks = 2000

// Config describes how to fit.
type Config struct {
	// Method is evclus or kevclus with values of its parameters. clusters must be given; landmarks
	// is the number of rows that are fitted (0: [DefaultLandmarks], or as many as links name, if
	// they are more), and model-rows how many of them the model keeps and rows are placed by.
	Method *method.Configured

	Metric dissim.Metric // of rows of numbers; "": Euclidean
	// Scale is the scaling of the source's preparation, for the model: none, minmax or zscore;
	// "": none.
	Scale   string
	Threads int // of the fit; 0: one per processor; it never changes the result

	// Links between rows of the table: A and B are positions in Linked, which holds ids of rows.
	// All of those become landmarks.
	Links  []link.Link
	Linked []string

	// AskLabels lets the labels of the landmarks answer the questions of the method, at most Budget
	// of them; 0: as many as kindred cluster asks.
	AskLabels bool
	Budget    int
}

// landmarks returns the method that fits them, which fits all rows that it is given, their number
// and the seed.
func (c Config) landmarks() (how *method.Configured, count int, seed uint64, err error) {
	if c.Method == nil {
		return nil, 0, 0, fault.Inputf("give kevclus or evclus",
			"there is no method to fit landmarks by")
	}
	if c.Method.Value("stress") != "conflict" {
		return nil, 0, 0, fault.Inputf(fixStress,
			"rows cannot be placed by a fit of %s with these parameters", c.Method.Name)
	}
	values := map[string]string{}
	for _, p := range c.Method.Params() {
		if c.Method.Given(p.Name) && p.Name != "landmarks" {
			values[p.Name] = c.Method.Value(p.Name)
		}
	}
	if how, err = c.Method.With(values); err != nil {
		return nil, 0, 0, err
	}
	if count, err = strconv.Atoi(c.Method.Value("landmarks")); err != nil {
		return nil, 0, 0, err
	}
	count = cmp.Or(count, DefaultLandmarks)
	if count < 3 {
		return nil, 0, 0, fault.Inputf("ask for 3 or more (--landmarks)", "%s cannot carry a fit",
			words.Count(count, "landmark"))
	}
	seed, err = strconv.ParseUint(c.Method.Value("seed"), 10, 64)
	return how, count, seed, err
}

// fixStress is what to do about a fit that places no rows.
const fixStress = "take kevclus or evclus, with the conflict stress (--stress conflict)"

// Result is a fit of landmarks.
type Result struct {
	Model     *method.Model   // places rows, here by [Place] and elsewhere by `kindred predict`
	Outcome   *method.Outcome // of the landmarks, in the order of Landmarks
	Landmarks []Row           // in the order of the table
	Notes     []string        // what a person should know, a sentence each
}

// Row is a row of the table.
type Row struct {
	Number int64  // from 0, over all files
	ID     string // its number from 1, where the source has no ids
	Label  string // "" without one
}

// Fit draws landmarks and fits them: those that links name, and of the others the rows of the
// smallest keyed hashes of their numbers, so that neither splits nor workers matter. They are
// fitted exactly as `kindred cluster` fits a table of them, in the order of the table; a table with
// no more rows than landmarks is fitted whole.
//
// It fails with a *fault.Input for links that name rows that are not there, with a
// *link.Contradiction for links that contradict each other, and where the method fails.
func Fit(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	cfg Config) (*Result, error) {
	how, count, seed, err := cfg.landmarks()
	if err != nil {
		return nil, err
	}
	if cfg.Metric == "" {
		cfg.Metric = dissim.Euclidean
	}
	if !cfg.Metric.OfVectors() {
		return nil, fault.Inputf("take one that does, such as euclidean",
			"the metric %s does not compare rows of numbers", string(cfg.Metric))
	}
	encoding, err := recipe.Of(src, cfg.Scale)
	if err != nil {
		return nil, err
	}
	drawn, err := draw(ctx, r, src, sv,
		sampling{Count: count, Seed: seed, Linked: linked(cfg)})
	if err != nil {
		return nil, err
	}
	p, err := problem(src, drawn, cfg)
	if err != nil {
		return nil, err
	}
	out, err := cfg.fit(ctx, how, p)
	if err != nil {
		return nil, named(err, drawn)
	}
	if out.Model == nil {
		return nil, fault.Inputf(fixStress,
			"the fit of the landmarks has no model to place rows by")
	}
	out.Model.Method, out.Model.Encoding = how.Name, encoding
	res := &Result{Model: out.Model, Outcome: out, Notes: slices.Clone(out.Notes)}
	for _, d := range drawn {
		res.Landmarks = append(res.Landmarks, d.Row)
	}
	res.Notes = append(res.Notes,
		fmt.Sprintf("%s of %d fitted; the model keeps %d of them, and places all rows by those.",
			words.Count(len(drawn), "landmark"), sv.Rows, out.Model.Landmarks.By.Len()))
	if extra := len(linked(cfg)) - count; extra > 0 {
		res.Notes = append(res.Notes,
			fmt.Sprintf("Links name %d rows more than there should be landmarks: all of them "+
				"became landmarks.", extra))
	}
	return res, nil
}

// fit fits the landmarks, or lets their labels answer the questions of the method.
func (c Config) fit(ctx context.Context, how *method.Configured, p method.Problem) (
	*method.Outcome, error) {
	if c.AskLabels {
		return how.Answered(ctx, p, ask.Labels(p.Classes), c.Budget)
	}
	return how.Fit(ctx, p)
}

// named lets a contradiction among links speak of ids.
func named(err error, drawn []drawnRow) error {
	var clash *link.Contradiction
	if !errors.As(err, &clash) {
		return err
	}
	clash.Names = func(row int) string { return drawn[row].ID }
	return fmt.Errorf("%w; correct one of them, or keep both with --contradictions keep", clash)
}

// linked returns the ids that links of a known kind name, each once, in order of their first link.
func linked(cfg Config) []string {
	var ids []string
	seen := map[int]bool{}
	for _, l := range cfg.Links {
		if l.Kind == link.Unknown {
			continue
		}
		for _, at := range []int{l.A, l.B} {
			if !seen[at] {
				seen[at] = true
				ids = append(ids, cfg.Linked[at])
			}
		}
	}
	return ids
}

// problem returns the landmarks as a table of their own.
func problem(src shard.Source, drawn []drawnRow, cfg Config) (method.Problem, error) {
	x := dataset.Matrix{Rows: len(drawn), Cols: len(src.Columns)}
	at := map[string]int{}
	for i, d := range drawn {
		if src.Single {
			for _, v := range d.X {
				x.F32 = append(x.F32, float32(v))
			}
		} else {
			x.F64 = append(x.F64, d.X...)
		}
		if _, twice := at[d.ID]; twice && d.Linked {
			return method.Problem{},
				&fault.Input{Column: src.ID,
					Problem: fmt.Sprintf("the id %q is that of several rows, and a link names it",
						d.ID), Fix: "give each row an id of its own"}
		}
		at[d.ID] = i
	}
	p := method.Problem{Data: x, Objects: method.Objects{Comparison: method.Comparison{Metric: cfg.Metric},
		Rows: x},
		Classes: classes(drawn), Threads: cfg.Threads}
	for _, l := range cfg.Links {
		if l.Kind == link.Unknown {
			continue
		}
		a, okA := at[cfg.Linked[l.A]]
		b, okB := at[cfg.Linked[l.B]]
		if !okA || !okB {
			missing := cfg.Linked[l.A]
			if okA {
				missing = cfg.Linked[l.B]
			}
			return p, fault.Inputf(
				"name rows by the column of --id, or by their numbers from 1 without one",
				"a link names the row %q, which is not in the data or was left out", missing)
		}
		l.A, l.B = a, b
		p.Links = append(p.Links, l)
	}
	return p, nil
}

// classes numbers the labels of landmarks; nil where none has one.
func classes(drawn []drawnRow) []int32 {
	var names []string
	for _, d := range drawn {
		if d.Label != "" {
			names = append(names, d.Label)
		}
	}
	if names == nil {
		return nil
	}
	slices.Sort(names)
	names = slices.Compact(names)
	out := make([]int32, len(drawn))
	for i, d := range drawn {
		at, found := slices.BinarySearch(names, d.Label)
		if !found {
			at = -1
		}
		out[i] = int32(at)
	}
	return out
}
