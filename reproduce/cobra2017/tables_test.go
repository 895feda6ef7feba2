package cobra2017

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// TestPaperAddsUp: what table 1 says of pairs; 21 tasks in each comparison of table 2; and five
// ranks that add up to 1+2+3+4+5.
func TestPaperAddsUp(t *testing.T) {
	for name, row := range paperOrders {
		if row.rows*(row.rows-1)/2 != row.pairs {
			t.Errorf("%s: %d rows and %d pairs", name, row.rows, row.pairs)
		}
		if float64(row.pairs) < row.random || row.random < row.closest ||
			row.closest < row.superInstance {
			t.Errorf("%s: %+v does not fall", name, row)
		}
	}
	stars := 0
	for _, c := range competitors {
		for n, d := range paperDuels[c.name] {
			if d.won+d.lost != paperTasks {
				t.Errorf("%s at %d: %d won and %d lost", c.name, n, d.won, d.lost)
			}
			if d.significant {
				stars++
			}
		}
	}
	if stars != 7 {
		t.Errorf("%d asterisks in table 2, the paper has 7", stars)
	}
	stars = 0
	for n, of := range paperRanks {
		total := 0.0
		for _, name := range fiveMethods() {
			total += of[name].mean
			if of[name].significant {
				stars++
			}
		}
		if math.Abs(total-15) > .025 {
			t.Errorf("the ranks at %d add up to %.2f", n, total)
		}
	}
	if stars != 10 {
		t.Errorf("%d asterisks in table 3, the paper has 10", stars)
	}
}

// TestBound: 25 super-instances and 3 clusters take 22 must-links and 3 cannot-links.
func TestBound(t *testing.T) {
	if got := bound(25, 3); got != 25 {
		t.Errorf("%g", got)
	}
	if got := bound(100, 20); got != 80+190 {
		t.Errorf("%g", got)
	}
}

// TestBetween reads a curve at its points, between them, and beyond its ends.
func TestBetween(t *testing.T) {
	x, y := []float64{10, 20, 40}, []float64{.1, .5, .6}
	for at, want := range map[float64]float64{10: .1, 15: .3, 30: .55, 40: .6} {
		if got := between(x, y, at); math.Abs(got-want) > 1e-12 {
			t.Errorf("at %g: %g, want %g", at, got, want)
		}
	}
	if !math.IsNaN(between(x, y, 9)) || !math.IsNaN(between(x, y, 41)) {
		t.Error("there is something beyond the ends")
	}
}

// TestCounts: the asterisk is with who is ahead.
func TestCounts(t *testing.T) {
	for _, c := range []struct {
		won, lost   int
		significant bool
		want        string
	}{{13, 8, false, "13 : 8"}, {17, 4, true, "17* : 4"}, {2, 15, true, "2 : 15*"}} {
		if got := counts(c.won, c.lost, c.significant); got != c.want {
			t.Errorf("%q, want %q", got, c.want)
		}
	}
}

// TestRanks: ranks of each set, ties shared.
func TestRanks(t *testing.T) {
	each, err := ranks([][]float64{{.9, .5, .5}, {.1, .2, .3}})
	if err != nil {
		t.Fatal(err)
	}
	for m, want := range [][]float64{{1, 3}, {2.5, 2}, {2.5, 1}} {
		for set := range want {
			if each[m][set] != want[set] {
				t.Errorf("method %d on set %d has rank %g, want %g", m, set, each[m][set],
					want[set])
			}
		}
	}
}

// TestAReducedRunHasAllTasks: tables 2 and 3 have the paper's 21 tasks and its numbers of
// super-instances, and what is left out of a reduced run is COSC with NPU on large sets.
func TestAReducedRunHasAllTasks(t *testing.T) {
	if n := len(needs()); n != paperTasks {
		t.Errorf("%d tasks", n)
	}
	p := frame.Plan{Config: frame.Config{Trials: 10, Reduced: true, Parts: []string{main}}}
	for _, n := range needs() {
		x := dataset.Matrix{Rows: n.Rows, Cols: n.Cols, F64: make([]float64, n.Rows*n.Cols)}
		p.Sets = append(p.Sets, &frame.Set{Need: n, X: x, Truth: make([]int32, n.Rows)})
	}
	of := map[string]map[string]bool{} // sets by method and super-instances
	for _, u := range units(p) {
		for _, m := range u.Methods {
			if of[m] == nil {
				of[m] = map[string]bool{}
			}
			of[m][u.Set] = true
		}
	}
	for _, m := range slices.Concat(fiveMethods(), others) {
		for _, n := range []int{25, 50, 100} {
			name := named(m, n)
			if got := len(of[name]); (got != paperTasks) != (m == coscNPU) || got < 10 {
				t.Errorf("%s is run on %d tasks", name, got)
			}
		}
	}
}

// trial runs the experiment, without what is slow, on the sets that kindred ships.
func trial(t *testing.T, cfg frame.Config) *frame.Report {
	t.Helper()
	e := Experiment()
	all := e.Units
	e.Units = func(p frame.Plan) (quick []frame.Unit) {
		for _, u := range all(p) {
			if u.Setting != coscNPU {
				quick = append(quick, u)
			}
		}
		return quick
	}
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestThreadsAndResumption: the runs are the same on one thread and on three, and are taken up
// again from a folder.
func TestThreadsAndResumption(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	cfg := frame.Config{Trials: 2, Reduced: true, Threads: 1, Parts: []string{orders, main},
		Sets: []string{"iris", "wine"}, Out: t.TempDir()}
	first := trial(t, cfg)
	if first.Resumed != 0 || len(first.Missing) > 0 {
		t.Fatalf("%d pieces were there, and %d sets are missing", first.Resumed, len(first.Missing))
	}
	again := trial(t, cfg)
	if again.Resumed != again.Units {
		t.Errorf("%d of %d pieces were taken up again", again.Resumed, again.Units)
	}
	cfg.Threads, cfg.Out = 3, ""
	other := trial(t, cfg)
	for i, run := range first.Runs.All() {
		for j, v := range run.Values {
			for _, second := range []*frame.Report{again, other} {
				if w := second.Runs.All()[i].Values[j]; w != v &&
					!(math.IsNaN(v) && math.IsNaN(w)) {
					t.Fatalf("%+v %s: %v, then %v", run.Key, run.Method, v, w)
				}
			}
		}
	}
	names := map[string]bool{}
	for _, table := range first.Tables {
		names[table.Name] = true
	}
	for _, want := range []string{"table1", "table2", "beyond", "scores", "clusters"} {
		if !names[want] {
			t.Errorf("there is no %s", want)
		}
	}
	if len(first.Claims) < 5 || len(first.Pictures) != 1 || first.Pictures[0].Name != "figure2" {
		t.Errorf("%d claims and %d pictures", len(first.Claims), len(first.Pictures))
	}
}

// TestFigures: the parts of figures 3 and 4 draw them, and the table of times.
func TestFigures(t *testing.T) {
	r := trial(t, frame.Config{Trials: 1, Reduced: true, Parts: []string{times},
		Sets: []string{"iris"}})
	if len(r.Pictures) != 1 || r.Pictures[0].Name != "figure4" || len(r.Tables) != 1 {
		t.Fatalf("%d pictures and %d tables of times", len(r.Pictures), len(r.Tables))
	}
	if len(r.Claims) > 0 {
		t.Errorf("claims on seconds, which are others in each run: %+v", r.Claims)
	}
	if notes := strings.Join(r.Tables[0].Notes, "\n"); !r.Tables[0].Plain ||
		!strings.Contains(notes, "times as long as COBRA (median of 1 tasks)") {
		t.Errorf("the notes compare no times: %s", notes)
	}
}
