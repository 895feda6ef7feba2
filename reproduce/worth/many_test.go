package worth

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The list has forty sets that the experiment has, each with its area before.
func TestListed(t *testing.T) {
	names, areas := before()
	if len(names) != 40 || len(areas) != 40 {
		t.Errorf("%d names of %d sets, want 40", len(names), len(areas))
	}
	for _, name := range names {
		if !slices.ContainsFunc(Experiment().Needs,
			func(n frame.Need) bool { return n.Name == name }) {
			t.Errorf("there is no set %q", name)
		}
		if v := areas[name]; v <= 0 || v > 1 {
			t.Errorf("%s has an area of %g", name, v)
		}
	}
}

// A table of the list sets kin beside its past and beside its rivals.
func TestTheList(t *testing.T) {
	e, cfg := small(t)
	e.Needs[0].Name = "iris" // of which the list knows an area
	e.Pictures = nil
	var r *record
	e.Tables = func(all *frame.Results) {
		r = &record{Results: all, tasks: []task{{name: "iris", title: "Iris"}}, askers: askers(),
			marks: conditions[:1]}
	}
	e.Units = func(frame.Plan) (out []frame.Unit) {
		for name, v := range map[string]float64{preferred: .97, "COBRA 25": .5, "COBRA 50": .98,
			"COBRA 100": .4, "COBRAS": .97} {
			out = append(out, set("right", "iris", name, frame.Values{area1: v}))
		}
		return out
	}
	cfg.Parts = []string{"right"}
	if _, err := e.Run(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	_, areas := before()
	got := r.list()
	if len(got.Rows) != 2 || got.Rows[0].Cells[0].Mean.Value != .97 ||
		math.Abs(got.Rows[0].Cells[2].Mean.Value-(.97-areas["iris"])) > 1e-12 {
		t.Errorf("rows %+v", got.Rows)
	}
	want := "ahead of all of them at once on 0 of 1; of COBRA 25 on 1; of COBRA 50 on 0; of " +
		"COBRA 100 on 1; of COBRAS on 0"
	if len(r.Claims) != 2 || r.Claims[1].Mean != want {
		t.Errorf("claims %+v, want %q", r.Claims, want)
	}
	r.Claims = nil // of one who did not run nothing is known
	r.listClaims([]float64{.5, .5}, []float64{.4, .4}, [][]float64{{.4, .4}, {.4, math.NaN()},
		{.4, .4}, {.4, .4}})
	if want = "ahead of all of them at once on 1 of 1"; !strings.HasPrefix(r.Claims[1].Mean, want) {
		t.Errorf("claims %+v, want %q", r.Claims, want)
	}
}

// Where groups are many, those that know nothing run on more rows, and all are asked for longer.
func TestManyGroups(t *testing.T) {
	large := func(rows, classes int) task {
		return task{x: dataset.Matrix{Rows: rows, Cols: 1}, clusters: classes}
	}
	right, wrong := conditions[0], conditions[2]
	asker := func(name string) asker {
		return askers()[slices.IndexFunc(askers(), func(a asker) bool { return a.Name == name })]
	}
	for _, c := range []struct {
		name    string
		asker   string
		task    task
		c       condition
		reduced bool
		want    bool
	}{
		{"few groups, many rows", "kin", large(20_000, 19), right, false, false},
		{"many groups", "kin", large(20_000, 20), right, false, true},
		{"given the number", "PCK-means minmax", large(20_000, 20), right, false, false},
		{"reduced, right", "COBRAS", large(5000, 20), right, true, true},
		{"reduced, too many rows", "COBRAS", large(20_001, 20), right, true, false},
		{"reduced, wrong", "COBRAS", large(700, 20), wrong, true, false},
		{"reduced, given the number", "PCK-means minmax", large(700, 20), right, true, false},
		{"reduced, few groups", "COBRAS", large(5000, 19), wrong, true, true},
		{"told what is right", "kin, told", large(700, 20), right, false, false},
	} {
		if got := asker(c.asker).runs(c.task, c.c, c.reduced); got != c.want {
			t.Errorf("%s: %s runs: %v, want %v", c.name, c.asker, got, c.want)
		}
	}
	if few, many := large(10, 19).last(), large(10, 20).last(); few != 200 || many != 300 {
		t.Errorf("asked up to %d and %d times", few, many)
	}
	if got := upTo(lastFew); got[len(got)-1] != lastFew {
		t.Errorf("checkpoints up to 200 are %v", got)
	}
}

// set is a unit with values that are set, not measured.
func set(part, name, asker string, v frame.Values) frame.Unit {
	return frame.Unit{Key: frame.Key{Part: part, Set: name, Setting: asker, Draw: 1},
		Methods: []string{asker}, Do: constantly(v)}
}
