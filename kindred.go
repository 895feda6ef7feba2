// Package kindred finds the groups that a person means: it reads a table, clusters it by a method
// of any name, asks a few questions, and places new rows.
//
//	table, err := kindred.Read(ctx, "customers.csv")
//	if err != nil {
//		return err
//	}
//	result, err := table.Cluster(ctx, "kmeans", kindred.Params{"clusters": "5"})
//	if err != nil {
//		return err
//	}
//	fmt.Println(result.Labels)
//
// Settings and parameters have the names and values of the command's flags; see docs/reference.md,
// or Methods. The families under cluster/ and ask/ have types of their own for those who want them.
package kindred

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strconv"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project/input"
)

// Params are settings and parameters by name, as text: {"clusters": "5", "scale": "zscore"}.
type Params map[string]string

// Methods returns the methods with the declarations of their parameters, by name.
func Methods() []method.Method { return all.List() }

// Table is data to cluster: a table, texts, series, pictures or a matrix of dissimilarities.
type Table struct {
	name   string
	params Params
	place  input.Place
	data   *input.Data // as read, by the settings of the table alone

	links   []link.Link // of rows as they were given, by Know
	classes []int32
}

// Read reads and prepares data, and returns them as a table. Name is a file, a folder of pictures,
// a sample such as "iris", or the URL of a PostgreSQL database. Params are settings of reading and
// preparing, as in {"label": "class", "missing": "median"}; several are merged. Later calls read
// the data again only where their own settings change how. What is wrong with the data is a
// [*fault.Input], what is wrong with a setting a [fault.Setting].
func Read(ctx context.Context, name string, params ...Params) (*Table, error) {
	t := &Table{params: Params{}}
	t.name, t.place = t.place.Hide(name)
	if err := t.begin(ctx, params); err != nil {
		return nil, err
	}
	return t, nil
}

// begin reads the data by the settings of the table.
func (t *Table) begin(ctx context.Context, params []Params) error {
	for _, p := range params {
		maps.Copy(t.params, p)
	}
	r, err := t.recipe(nil)
	if err != nil {
		return err
	}
	standard := "kmeans"
	if r.ByDissimilarity() {
		standard = "agglomerative"
	}
	t.data, _, err = t.read(ctx, r, func() (*method.Configured, error) {
		m, err := all.Find(standard)
		if err != nil {
			return nil, err
		}
		return m.With(nil)
	})
	return err
}

// FromMatrix returns a table of the rows of x, which are not copied where that is not needed and
// must not change. Columns names its columns; nil: x1, x2, …. With the setting {"dissimilarity":
// "true"} x is a matrix of dissimilarities.
func FromMatrix(ctx context.Context, x dataset.Matrix, columns []string, params ...Params) (*Table,
	error) {
	t := &Table{name: "the matrix", params: Params{},
		place: input.Place{Memory: &input.Memory{Values: x, Columns: columns}}}
	if err := t.begin(ctx, params); err != nil {
		return nil, err
	}
	return t, nil
}

// Know returns the table with knowledge of its rows, besides what it has: links between rows from
// 0, and the class of each row, from 0, negative where it is not known; nil: no class is.
func (t *Table) Know(links []link.Link, classes []int32) *Table {
	known := *t
	known.links = slices.Concat(t.links, links)
	if classes != nil {
		known.classes = classes
	}
	return &known
}

// recipe returns the settings of the table and others.
func (t *Table) recipe(params Params) (*input.Recipe, error) {
	r := input.New()
	for _, settings := range []Params{t.params, params} {
		for _, name := range slices.Sorted(maps.Keys(settings)) {
			if err := r.Set(name, settings[name]); err != nil {
				return nil, err
			}
		}
	}
	return r, r.Check()
}

// read reads the data as a method takes them.
func (t *Table) read(ctx context.Context, r *input.Recipe,
	choose func() (*method.Configured, error)) (*input.Data, method.Problem, error) {
	data, err := r.Take(ctx, t.place, t.name, input.Manner{Choose: choose, Keep: true,
		Before: t.data}, nil)
	if err != nil {
		return nil, method.Problem{}, err
	}
	p := data.Problem()
	p.Threads = r.Threads
	if r.Links != "" {
		if p.Links, _, err = data.Links(ctx, r.Links); err != nil {
			return nil, method.Problem{}, err
		}
	}
	if err := t.known(data, &p); err != nil {
		return nil, method.Problem{}, err
	}
	return data, p, nil
}

// known takes what is known of the rows into a problem. Rows that preparation left out have none.
func (t *Table) known(data *input.Data, p *method.Problem) error {
	links, err := data.Given(t.links)
	if err != nil {
		return err
	}
	p.Links = append(p.Links, links...)
	if t.classes != nil {
		p.Known, err = data.Known(t.classes)
	}
	return err
}

// Cluster clusters the rows by the method of a name, with values of its parameters.
func (t *Table) Cluster(ctx context.Context, name string, params Params) (*Result, error) {
	r, err := t.recipe(params)
	if err != nil {
		return nil, err
	}
	m, err := input.Find(name)
	if err != nil {
		return nil, err
	}
	c, err := r.Configure(m)
	if err != nil {
		return nil, err
	}
	data, p, err := t.read(ctx, r, func() (*method.Configured, error) { return c, nil })
	if err != nil {
		return nil, err
	}
	out, err := c.Fit(ctx, p)
	if err != nil {
		return nil, r.Named(input.Placed(err, data.Name()), data, r.LabelledRows(data))
	}
	out.Notes = slices.Concat(r.Useless(c), r.Vain(data), out.Notes)
	return t.result(ctx, data, p, out, m)
}

// Answer is the answer to a question about two rows.
type Answer = link.Kind

// The answers.
const (
	Unknown   Answer = link.Unknown
	Same      Answer = link.MustLink
	Different Answer = link.CannotLink
)

// Question is a pair of rows, from 0, that is asked about.
type Question struct {
	A, B       int
	IDA, IDB   string // the names of the rows
	Number     int    // from 1
	Why        string // why this pair is asked about
	Difference []input.Difference
}

// ErrStop is returned by an answering function that has no more answers. [Table.Ask] then returns
// the groups so far.
var ErrStop = errors.New("kindred: no more answers")

// Ask asks about pairs of rows, whose answers answer returns, and returns the groups that follow
// from them. The parameter method names the method, kin by default; budget bounds the number of
// answers, which otherwise end when answer returns [ErrStop], when further answers are unlikely to
// change the groups, or when no question is left.
func (t *Table) Ask(ctx context.Context,
	answer func(ctx context.Context, q Question) (Answer, error), params Params) (*Result, error) {
	params = maps.Clone(params)
	budget := 0
	if text, ok := params["budget"]; ok {
		var err error
		if budget, err = parseBudget(text); err != nil {
			return nil, err
		}
		delete(params, "budget")
	}
	r, err := t.recipe(params)
	if err != nil {
		return nil, err
	}
	data, p, err := t.read(ctx, r, r.Asking)
	if err != nil {
		return nil, err
	}
	c, err := r.Asking()
	if err != nil {
		return nil, err
	}
	oracle := ask.Func(func(ctx context.Context, q link.Question) (ask.Reply, error) {
		kind, err := answer(ctx, Question{A: q.A, B: q.B, IDA: data.ID(q.A), IDB: data.ID(q.B),
			Number: q.Number, Why: ask.Why(q, data.ID), Difference: data.Differences(q.A, q.B)})
		switch {
		case errors.Is(err, ErrStop):
			return ask.Quit, nil
		case err != nil:
			return 0, err
		case kind == Same:
			return ask.Same, nil
		case kind == Different:
			return ask.Different, nil
		}
		return ask.DontKnow, nil
	})
	s, err := c.Begin(ctx, p)
	if err != nil {
		return nil, r.Named(err, data, r.LabelledRows(data))
	}
	out, err := s.Answered(ctx, oracle, budget)
	if err != nil {
		return nil, input.Named(err, data, "")
	}
	out.Notes = slices.Concat(r.Useless(c), r.Vain(data), out.Notes)
	return t.result(ctx, data, p, out, c.Method)
}

// Result is the groups of a table.
type Result struct {
	Labels    []int     // group of each row, from 1, the largest first; 0: none
	Clusters  int       // number of groups
	Certainty []float32 // of each row, in [0, 1]; nil where it is not known
	IDs       []string  // names of the rows
	Notes     []string  // what was chosen or noticed, in sentences

	// Layout is how Plot brings rows into the plane: "pca", "mds" or "neighbours"; "": pca for
	// vectors, and mds for other objects.
	Layout method.Layout

	Outcome *method.Outcome // all that the method found

	data    *input.Data
	problem method.Problem
	classes []int32 // as they were known of the rows that were read; nil: none was
}

// result returns what a method found of the table.
func (t *Table) result(ctx context.Context, data *input.Data, p method.Problem, out *method.Outcome,
	m method.Method) (*Result, error) {
	data.Sign(out.Model, m)
	r := &Result{Labels: out.Labels, Clusters: out.Clusters, Outcome: out, data: data, problem: p,
		classes: t.classes, Notes: append(append([]string{}, data.Notes()...), out.Notes...)}
	for i := range out.Labels {
		r.IDs = append(r.IDs, data.ID(i))
	}
	if c, err := method.Doubts(ctx, p, out, p.Threads); err == nil {
		r.Certainty = c.Certainty
	} else if ctx.Err() != nil {
		return nil, err
	}
	return r, nil
}

// Write writes which row is in which group to a file that ends in .csv, .parquet or .jsonl; of a
// credal partition with the columns that describe its masses. Where classes were known, known_class is
// that of most known rows of the group.
func (r *Result) Write(path string) error {
	columns := r.Outcome.Columns
	if r.classes != nil {
		known := make([]int32, len(r.Labels))
		for i := range known {
			known[i] = r.classes[r.data.At(i)]
		}
		of := make([]string, r.Outcome.Clusters)
		for k, class := range r.Outcome.ClassOf(known) {
			if class >= 0 {
				of[k] = strconv.Itoa(int(class))
			}
		}
		columns = append(slices.Clone(columns), partition.Classes(r.Labels, of))
	}
	if p := r.Outcome.Credal; p != nil {
		return credal.WriteFile(path, p, r.data.ID, columns...)
	}
	return partition.WriteFile(path, r.Labels, r.data.ID, columns...)
}

// Save writes a model that places new rows, for [Load]. A result without one is a [*fault.Input].
func (r *Result) Save(path string) error {
	if r.Outcome.Model == nil || !r.data.Placeable() {
		return &fault.Input{File: path, Problem: "these groups make no model that places new rows",
			Fix: "cluster by another method"}
	}
	return model.Save(r.Outcome.Model, path)
}

// Plot draws the groups to a file that ends in .svg or .png. Picture is the name of one of the
// pictures of kindred plot, as in "silhouette"; "" draws the groups. [Result.Layout] chooses how
// rows are brought into the plane.
func (r *Result) Plot(ctx context.Context, path, picture string) error {
	scene := r.data.Scene(r.Outcome, r.problem.Links, r.Outcome.Asked)
	scene.Layout = r.Layout
	fig, err := gallery.Draw(ctx, scene, picture)
	if err != nil {
		return err
	}
	return fig.Save(path)
}

// Model places new rows into groups.
type Model struct{ *method.Model }

// Load reads a model that [Result.Save] or the command wrote.
func Load(path string) (*Model, error) {
	m, err := model.Load(path)
	if err != nil {
		return nil, err
	}
	return &Model{m}, nil
}

// Predict returns the group of each row of a table, 0 for rows that are in none, and for those with
// missing values where the model leaves such rows out.
func (m *Model) Predict(ctx context.Context, t *Table) ([]int, error) {
	r, err := t.recipe(nil)
	if err != nil {
		return nil, err
	}
	if r.Square {
		return nil, fault.Setting("a model places the rows of tables: kindred predict " +
			"--dissimilarity places those of a matrix")
	}
	source := r.Source.Reading()
	table, rows, _, err := source.ForModel(ctx, t.place, m.Model, t.name, nil)
	if err != nil {
		return nil, err
	}
	placed, which, err := model.Predict(ctx, m.Model, rows, r.Threads)
	if err != nil || which == nil {
		return placed, err
	}
	labels := make([]int, table.Rows)
	for i, row := range which {
		labels[row] = placed[i]
	}
	return labels, nil
}

func parseBudget(text string) (int, error) {
	v, err := strconv.Atoi(text)
	if err != nil || v < 0 {
		return 0, fault.Settingf("budget is %q: give a number of answers, such as 50", text)
	}
	return v, nil
}
