package worth

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// made is the small experiment with areas that are set, not measured.
func made(t *testing.T, areas map[string]float64) *frame.Report {
	t.Helper()
	e, cfg := small(t)
	values := map[string]frame.Values{}
	for name, v := range areas {
		values[name] = frame.Values{}
		for _, measure := range e.Measures {
			if measure != settledAfter && measure != ece(0) { // nothing is stated
				values[name][measure] = v
			}
		}
		values[name][groups(50)] = 3 // as many as there are
	}
	e.Pictures = nil
	return run(t, e, cfg, values)
}

// run runs an experiment with values by asker that are set, not measured.
func run(t *testing.T, e frame.Experiment, cfg frame.Config,
	values map[string]frame.Values) *frame.Report {
	t.Helper()
	if cfg.Parts == nil {
		cfg.Parts = []string{"right"}
	}
	e.Units = func(frame.Plan) []frame.Unit {
		var out []frame.Unit
		for name, v := range values {
			key := frame.Key{Part: cfg.Parts[0], Set: "dozen", Setting: name, Draw: 1}
			out = append(out, frame.Unit{Key: key, Starts: 1, Methods: []string{name},
				Do: func(context.Context, frame.Key) ([]frame.Values, error) {
					return []frame.Values{v}, nil
				}})
		}
		return out
	}
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestTables(t *testing.T) {
	r := made(t, map[string]float64{preferred: .7, "COBRA 50": .5, "PCK-means npu": .9})
	tables := map[string]frame.Table{}
	for _, table := range r.Tables {
		tables[table.Name] = table
	}
	var order []string
	for _, row := range tables["ranking-right"].Rows {
		order = append(order, row.Keys[0])
	}
	if want := []string{"PCK-means npu", preferred, "COBRA 50"}; !slices.Equal(order, want) {
		t.Errorf("ranking %v, want %v", order, want)
	}
	choose := tables["choose"].Rows[0]
	if got, want := choose.Keys[3:],
		[]string{preferred, "PCK-means npu"}; !slices.Equal(got, want) {
		t.Errorf("chosen %v, want %v", got, want)
	}
	if a, b := choose.Cells[0].Mean.Value, choose.Cells[1].Mean.Value; a != .7 || b != .9 {
		t.Errorf("of areas %g and %g, want .7 and .9", a, b)
	}
	if len(r.Claims) != 2 ||
		r.Claims[0].Mean != "on 1 of 1 set, 0 lost; mean area 0.700 beside 0.500; Wilcoxon p "+
			"1.000" || r.Claims[0].Paper != "" {
		t.Errorf("claims %v", r.Claims)
	}
	if want := "0 of 1 after 0 answers, 1 of 1 after 50 answers, 0 of 1 after 100 answers, 0 " +
		"of 1 after 200 answers"; r.Claims[1].Mean != want {
		t.Errorf("numbers of groups %q, want %q", r.Claims[1].Mean, want)
	}
}

// Three sets on which the first is better than the second each time: signed ranks have a two-sided
// p of 2/2³.
func TestCompared(t *testing.T) {
	ranks, beside := compared([][]float64{{.9, .5}, {.8, .6}, {.7, .6}}, 0)
	if !slices.Equal(ranks, []float64{1, 2}) {
		t.Errorf("ranks %v, want 1 and 2", ranks)
	}
	if beside[1][0] != "3 – 0" || beside[1][1] != ".250" || beside[0][0] != "" {
		t.Errorf("beside the first %v, want 3 – 0 at .250, and nothing beside itself", beside)
	}
	for p, want := range map[float64]string{1: "1.000", .0124: ".012", 1e-9: "< .001",
		math.NaN(): ""} {
		if got := chance(p); got != want {
			t.Errorf("%g is written %q, want %q", p, got, want)
		}
	}
}

// COBRA asks 30 questions and ends at .6. The default has .5 after 25 answers and .7 after 35, so
// .6 after 30: neither is better.
func TestFinished(t *testing.T) {
	e, cfg := small(t)
	var r *record
	e.Pictures = nil
	e.Tables = func(all *frame.Results) {
		r = &record{Results: all, tasks: []task{{name: "dozen"}}, askers: askers(),
			marks: conditions[:1]}
	}
	run(t, e, cfg, map[string]frame.Values{
		"COBRA 25": {askedIn: 30, ari(200): .6},
		"COBRA 50": {askedIn: 200}, // never ends
		preferred:  {ari(25): .5, ari(35): .7},
	})
	got := r.finished()
	if len(got.Rows) != 1 ||
		!slices.Equal(got.Rows[0].Keys[:5],
			[]string{e.Parts[0].Title, "1", "COBRA 25", "30", "0 – 0"}) {
		t.Fatalf("rows %v", got.Rows)
	}
	if a, b := got.Rows[0].Cells[0].Mean.Value, got.Rows[0].Cells[1].Mean.Value; a != .6 ||
		math.Abs(b-.6) > 1e-15 {
		t.Errorf("%g beside %g, want .6 twice", a, b)
	}
	for answers, want := range map[float64]float64{25: .5, 35: .7, 27: .54} {
		if got := r.after("right", "dozen", preferred, answers); math.Abs(got-want) > 1e-15 {
			t.Errorf("after %g answers %g, want %g", answers, got, want)
		}
	}
	for _, answers := range []float64{201, math.NaN(), 0} {
		if got := r.after("right", "dozen", preferred, answers); !math.IsNaN(got) {
			t.Errorf("after %g answers %g, want none", answers, got)
		}
	}
}

// A reduced run ranks methods over the sets that it asks about, though others are there.
func TestSetsThatAreNotAskedAbout(t *testing.T) {
	var p frame.Plan
	for _, name := range []string{"iris", "column_2C"} {
		p.Sets = append(p.Sets,
			&frame.Set{Need: frame.Need{Name: name}, Truth: []int32{0, 1},
				X: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{0, 1}}})
	}
	if full := tasks(p); len(full) != 2 {
		t.Errorf("%d sets in a full run, want 2", len(full))
	}
	p.Reduced, p.Trials = true, 1
	none := p
	none.Sets = p.Sets[1:]
	got := &frame.Results{Plan: none, Runs: &frame.Runs{}}
	if tables(got); len(got.Tables) != 1 || len(got.Tables[0].Rows) != 0 ||
		!strings.Contains(got.Tables[0].Notes[0], "Nothing was asked about") {
		t.Errorf("%v of no runs, want one that says so", got.Tables)
	}
	asked := map[string]bool{}
	for _, u := range units(p) {
		asked[u.Set] = true
	}
	for _, task := range newRecord(&frame.Results{Plan: p, Runs: &frame.Runs{}}).tasks {
		if !asked[task.name] {
			t.Errorf("%s is in the tables, and nobody asks about it", task.name)
		}
	}
}

// What kin was tuned on is known by the names of sets that there are, and some are left to compare
// it on.
func TestFresh(t *testing.T) {
	for _, list := range [][]string{tunedOn, tunedWrong, likeTuned} {
		for _, name := range list {
			if !slices.Contains(sets, name) {
				t.Errorf("there is no set %q", name)
			}
		}
	}
	right, wrong := conditions[0], conditions[2]
	for name, want := range map[string][2]bool{"iris": {}, "column_2C": {}, "wine": {true, false},
		"sonar": {true, true}} {
		if got := [2]bool{right.fresh(name), wrong.fresh(name)}; got != want {
			t.Errorf("%s is fresh where answers are right, and wrong: %v, want %v", name, got, want)
		}
	}
	three := []task{{name: "iris"}, {name: "wine"}, {name: "sonar"}}
	if got := right.apart(three); len(got) != 2 || got[0].name != "wine" || got[1].name != "sonar" {
		t.Errorf("%v, want wine and sonar", got)
	}
	if got := right.apart(three[1:]); got != nil {
		t.Errorf("%v of sets that are all fresh, want none", got)
	}
	if three[0].name != "iris" {
		t.Error("the sets given were changed")
	}
}
