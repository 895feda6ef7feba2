package worker

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"sync"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// called is what messages call rows that came as an array.
const called = "X"

// settings are the fields of a request about rows.
type settings struct {
	Method  string            `json:"method"`
	Params  map[string]string `json:"params"`  // settings and parameters, as flags of the command
	Columns []string          `json:"columns"` // names of the columns of X; nil: x1, x2, …
	Table   string            `json:"table"`   // file with the rows, in place of X
	// folder of the pictures that a column names; "": that of the table
	Pictures string `json:"pictures"`
	// features that are all numbers or booleans are compared as they are, unless scale is given
	Unscaled bool     `json:"unscaled"`
	Budget   int      `json:"budget"` // answers, 0: no limit
	Want     []string `json:"want"`   // parts of the result; nil: all
}

// wants reports whether a part of the result is wanted.
func (s *settings) wants(part string) bool {
	return s.Want == nil || slices.Contains(s.Want, part)
}

// task is a request about rows, its data read as the method takes them.
type task struct {
	settings
	recipe  *input.Recipe
	method  *method.Configured
	data    *input.Data
	problem method.Problem
	said    []string // while the data were read
}

// task reads the data of a request. Choose configures the method by the recipe.
func (r *request) task(ctx context.Context,
	choose func(*input.Recipe) (*method.Configured, error)) (*task, error) {
	t := &task{recipe: input.New()}
	if err := r.into(&t.settings); err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(t.Params)) {
		if err := t.recipe.Set(name, t.Params[name]); err != nil {
			return nil, err
		}
	}
	if t.Method != "" {
		if err := t.recipe.Set("method", t.Method); err != nil {
			return nil, err
		}
	}
	name, place, err := r.place(&t.settings)
	if err != nil {
		return nil, err
	}
	t.recipe.Unscaled = t.Unscaled
	place.Notify = func(note string) { t.said = append(t.said, note) }
	if t.method, err = choose(t.recipe); err != nil {
		return nil, err
	}
	t.data, err = t.recipe.Take(ctx, place, name, input.Manner{
		Choose: func() (*method.Configured, error) { return choose(t.recipe) }}, nil)
	if err != nil {
		return nil, err
	}
	t.problem = t.data.Problem()
	t.problem.Threads = t.recipe.Threads
	t.problem.Progress = r.progress()
	if t.recipe.Links != "" {
		if t.problem.Links, _, err = t.data.Links(ctx, t.recipe.Links); err != nil {
			return nil, err
		}
	}
	if err := r.knowledge(t.data, &t.problem); err != nil {
		return nil, err
	}
	// what is too large to be kept is of this request alone, and links look at it again
	x := r.arrays[called]
	t.problem.Consume = t.data.IsMatrix() && x != nil && len(x.bytes) > mostOfOne &&
		len(t.problem.Links) == 0
	return t, nil
}

// place returns where the rows of a request are found, and by which name.
func (r *request) place(s *settings) (name string, place input.Place, err error) {
	a, given := r.arrays[called]
	switch {
	case s.Table != "" && given:
		return "", place, fault.Setting("the rows are given both as an array and as a file: give " +
			"one of them")
	case s.Table != "":
		name, place = place.Hide(s.Table)
		place.Pictures = s.Pictures
		return name, place, nil
	case !given:
		return "", place, fault.Setting("the array X is missing: give the rows")
	}
	x, err := a.matrix()
	if err != nil {
		return "", place, err
	}
	place.Memory = &input.Memory{Values: x, Columns: s.Columns}
	return called, place, nil
}

// kinds are the names of the arrays of links.
var kinds = []struct {
	name string
	kind link.Kind
}{{"same", link.MustLink}, {"different", link.CannotLink}, {"unknown", link.Unknown}}

// pairs returns the pairs of rows of an array of links, one after the other; nil where there is
// none.
func (r *request) pairs(name string) ([]int64, error) {
	a, given := r.arrays[name]
	if !given {
		return nil, nil
	}
	pairs, err := a.ints()
	if err == nil && (len(a.Shape) != 2 || a.Shape[1] != 2) {
		err = a.expected(fmt.Sprintf("two columns, the rows of a pair, and has the shape %v",
			a.Shape))
	}
	return pairs, err
}

// knowledge takes the links and known classes of a request into a problem. Rows that preparation
// left out have none.
func (r *request) knowledge(d *input.Data, p *method.Problem) error {
	for _, k := range kinds {
		pairs, err := r.pairs(k.name)
		if err != nil {
			return err
		}
		given := make([]link.Link, len(pairs)/2)
		for i := range given {
			given[i] = link.Link{A: int(pairs[2*i]), B: int(pairs[2*i+1]), Kind: k.kind}
		}
		links, err := d.Given(given)
		if in, ok := errors.AsType[*fault.Input](err); ok {
			in.File = k.name
		}
		if err != nil {
			return err
		}
		p.Links = append(p.Links, links...)
	}
	classes, err := r.classes()
	if err == nil && classes != nil {
		p.Known, err = d.Known(classes)
	}
	return err
}

// classes returns the known classes of a request, by the numbers that it has for them; nil where
// there are none.
func (r *request) classes() ([]int32, error) {
	a, given := r.arrays["known"]
	if !given {
		return nil, nil
	}
	values, err := a.ints()
	if err != nil {
		return nil, err
	}
	classes := make([]int32, len(values))
	for i, v := range values {
		classes[i] = int32(max(-1, min(v, math.MaxInt32)))
	}
	return classes, nil
}

// progressEvery is how often the progress of a request is reported at most.
const progressEvery = 100 * time.Millisecond

// progress returns a function that reports progress to the client.
func (r *request) progress() func(fit.Progress) {
	var mu sync.Mutex
	last := time.Now()
	return func(p fit.Progress) {
		mu.Lock()
		defer mu.Unlock()
		if now := time.Now(); now.Sub(last) >= progressEvery {
			last = now
			r.reply(map[string]any{"progress": p.Share}, nil)
		}
	}
}

// configured returns the method of a recipe, configured.
func configured(r *input.Recipe) (*method.Configured, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	m, err := input.Find(r.MethodName)
	if err != nil {
		return nil, err
	}
	return r.Configure(m)
}

// doubles returns the values of a matrix in float64.
func doubles(m dataset.Matrix) []float64 {
	if !m.Single() {
		return m.F64
	}
	out := make([]float64, len(m.F32))
	for i, v := range m.F32 {
		out[i] = float64(v)
	}
	return out
}
