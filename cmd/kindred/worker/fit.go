package worker

import (
	"context"
	"errors"
	"slices"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// report are the fields of a result.
type report struct {
	Clusters   int      `json:"clusters"`
	Objective  float64  `json:"objective"`
	Measure    string   `json:"measure"` // what the objective is
	Iterations int      `json:"iterations"`
	Unit       string   `json:"unit"` // what iterations counts
	Stopped    string   `json:"reason"`
	Estimate   int      `json:"estimate,omitempty"` // number of clusters that the method estimates
	Unmet      int      `json:"ignored"`            // links that could not be honoured
	Notes      []string `json:"notes"`
	Columns    []string `json:"columns,omitempty"` // names of the features as they are compared
	Figures    any      `json:"figures,omitempty"` // what the method reports besides
	Fuzzy      bool     `json:"fuzzy,omitempty"`   // masses are memberships
	Model      bool     `json:"model"`             // there is a model that places new rows
	Result     int64    `json:"result,omitempty"`  // number of the result; 0: not kept
}

// fitRows fits a method.
func fitRows(ctx context.Context, r *request) (any, []*array, error) {
	t, err := r.task(ctx, configured)
	if err != nil {
		return nil, nil, err
	}
	out, err := t.method.Fit(ctx, t.problem)
	if err != nil {
		return nil, nil, t.named(err)
	}
	return r.result(ctx, t, out)
}

// named returns an error of the method with the rows of the data in it.
func (t *task) named(err error) error {
	var clash *link.Contradiction
	if errors.As(err, &clash) {
		c := *clash
		c.Link = t.given(c.Link)
		c.Chain = make([]link.Link, len(clash.Chain))
		for i, l := range clash.Chain {
			c.Chain[i] = t.given(l)
		}
		return &c
	}
	return input.Placed(err, t.data.Name())
}

// given returns a link between rows of the data as they were given.
func (t *task) given(l link.Link) link.Link {
	l.A, l.B = t.data.At(l.A), t.data.At(l.B)
	return l
}

// result returns what a method found.
func (r *request) result(ctx context.Context, t *task, out *method.Outcome) (any, []*array, error) {
	rep := report{Clusters: out.Clusters, Objective: out.Objective, Measure: out.Measure,
		Iterations: out.Iterations, Unit: out.Unit, Stopped: out.Stopped, Estimate: out.Estimate,
		Unmet: len(out.Unmet), Notes: slices.Concat(t.said, t.recipe.Useless(t.method),
			t.recipe.Vain(t.data), t.data.Notes(), out.Notes)}
	if rep.Notes == nil {
		rep.Notes = []string{}
	}
	t.data.Sign(out.Model, t.method.Method)
	rep.Model = out.Model != nil && t.data.Placeable()
	if out.Detail != nil {
		rep.Figures = out.Detail.Figures()
	}
	if t.data.Ready != nil {
		rep.Columns = t.data.Ready.Names
	}
	arrays := []*array{t.labels(out.Labels)}
	if t.wants("certainty") {
		c, err := method.Doubts(ctx, t.problem, out, t.problem.Threads)
		if ctx.Err() != nil {
			return nil, nil, ctx.Err()
		}
		if err == nil {
			arrays = append(arrays, of("certainty", spread(t, c.Certainty, 1), t.data.Read()))
		}
	}
	if m := out.Model; m != nil && m.Means.Rows > 0 && t.wants("means") {
		arrays = append(arrays, means(m)...)
	}
	if t.wants("model") {
		m, err := t.model(out)
		if err != nil {
			return nil, nil, err
		}
		if m != nil {
			arrays = append(arrays, m)
		}
	}
	if out.Strength != nil {
		arrays = append(arrays, of("strength", spread(t, out.Strength, 1), t.data.Read()))
	}
	if p := out.Credal; p != nil && t.wants("mass") {
		rep.Fuzzy = method.Fuzzy(p)
		arrays = append(arrays, t.masses(p)...)
	}
	if tree := out.Tree; tree != nil && t.wants("tree") {
		children, heights := make([]int64, 0, 2*len(tree.Merges)), make([]float64, len(tree.Merges))
		for i, m := range tree.Merges {
			children, heights[i] = append(children, int64(m.A), int64(m.B)), m.Height
		}
		arrays = append(arrays, of("children", children, len(heights), 2),
			of("height", heights, len(heights)))
	}
	if c := out.Condensed; c != nil && t.wants("tree") {
		arrays = append(arrays, condensed(c)...)
	}
	if len(out.Asked) > 0 {
		asked := make([]int64, 0, 3*len(out.Asked))
		for _, l := range out.Asked {
			asked = append(asked, int64(t.data.At(l.A)), int64(t.data.At(l.B)), int64(l.Kind))
		}
		arrays = append(arrays, of("asked", asked, len(out.Asked), 3))
	}
	if classes, _ := r.classes(); classes != nil { // they were read before
		known := make([]int32, t.data.N())
		for i := range known {
			known[i] = classes[t.data.At(i)]
		}
		arrays = append(arrays, of("class_of", out.ClassOf(known), out.Clusters))
	}
	if rows := t.rows(out.Excluded); rows != nil {
		arrays = append(arrays, of("excluded", rows, len(rows)))
	}
	if rows := t.rows(out.Core); rows != nil {
		arrays = append(arrays, of("core", rows, len(rows)))
	}
	if rows := t.rows(out.Medoids); rows != nil {
		arrays = append(arrays, of("medoids", rows, len(rows)))
	}
	for _, c := range out.Columns {
		arrays = append(arrays, of("column:"+c.Name, spread(t, c.Values, 1), t.data.Read()))
	}
	if out.Of != nil {
		arrays = append(arrays, of("super", spread(t, out.Of, 1), t.data.Read()))
	}
	if rep.Result = r.server.shelf.put(t, out, r.arrays); rep.Result > 0 {
		r.held = true
	}
	return rep, arrays, nil
}

// rows returns the numbers of rows in the data as they were given.
func (t *task) rows(of []int) []int32 {
	if of == nil {
		return nil
	}
	rows := make([]int32, len(of))
	for i, row := range of {
		rows[i] = int32(t.data.At(row))
	}
	return rows
}

// labels returns the labels of all rows; those that preparation left out have 0.
func (t *task) labels(labels []int) *array {
	out := make([]int32, t.data.Read())
	for i, l := range labels {
		out[t.data.At(i)] = int32(l)
	}
	return of("labels", out, len(out))
}

// spread returns values of all rows, width a row, of those of the rows that take part. Others have
// zeros.
func spread[T any](t *task, values []T, width int) []T {
	if t.data.Read() == t.data.N() {
		return values
	}
	out := make([]T, t.data.Read()*width)
	for i := range t.data.N() {
		at := t.data.At(i) * width
		copy(out[at:at+width], values[i*width:(i+1)*width])
	}
	return out
}

// means returns the means of clusters in the order of their numbers, and the number of each.
func means(m *method.Model) []*array {
	order := make([]int, m.Means.Rows)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return m.ClusterOf[a] - m.ClusterOf[b] })
	number := make([]int32, len(order))
	for i, k := range order {
		number[i] = int32(m.ClusterOf[k])
	}
	return []*array{of("means", doubles(m.Means.Subset(order)), m.Means.Rows, m.Means.Cols),
		of("mean_of", number, len(number))}
}

// masses returns a credal partition: focal sets, a row each with a column for each cluster, and the
// masses of each row. Rows that preparation left out have no mass at all.
func (t *task) masses(p *credal.Partition) []*array {
	return []*array{focal(p.Focal, p.Clusters),
		of("mass", spread(t, p.Mass, len(p.Focal)), t.data.Read(), len(p.Focal))}
}

// focal returns focal sets as rows of zeros and ones, a column for each cluster.
func focal(sets []belief.Set, clusters int) *array {
	members := make([]uint8, len(sets)*clusters)
	for i, s := range sets {
		for k := range s.All() {
			members[i*clusters+k] = 1
		}
	}
	return of("focal", members, len(sets), clusters)
}
