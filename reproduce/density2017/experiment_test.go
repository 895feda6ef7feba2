package density2017

import (
	"bytes"
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// run runs the experiment on samples that kindred ships: no data sets are needed.
func run(t *testing.T, out string, threads int, sets ...string) *frame.Report {
	t.Helper()
	r, err := Experiment().Run(context.Background(), frame.Config{
		Trials: 1, Reduced: true, Parts: []string{partUCI}, Sets: sets, Threads: threads, Out: out,
	})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t *testing.T, r *frame.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The same figures on one thread and on three, and when runs are taken up again.
func TestRunsDoNotDependOnThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	folder := t.TempDir()
	one := run(t, folder, 1, "iris")
	again := run(t, folder, 1, "iris")
	if again.Resumed != again.Units || one.Resumed != 0 {
		t.Errorf("%d of %d pieces of work were taken up", again.Resumed, again.Units)
	}
	if text(t, one) != text(t, again) {
		t.Error("a run taken up differs")
	}
	if three := run(t, "", 3, "iris"); text(t, three) != text(t, one) {
		t.Error("a run on three threads differs")
	}
}

func TestTheReport(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	r := run(t, "", 2, "iris", "wine")
	t.Run("tables", func(t *testing.T) { tablesSumUp(t, r) })
	t.Run("claims", func(t *testing.T) { claimsCount(t, r) })
	t.Run("pictures", func(t *testing.T) { picturesAreDrawn(t, r) })
}

func tablesSumUp(t *testing.T, r *frame.Report) {
	sums := map[string]float64{} // over both sets, of one share
	byMethod := map[string][]float64{}
	for _, one := range r.Runs.All() {
		if one.Setting == "5 %" {
			sums[one.Method] += one.Values[0]
			byMethod[one.Method] = append(byMethod[one.Method], one.Values[0])
		}
	}
	row := func(t frame.Table, keys ...string) frame.Row {
		return t.Rows[slices.IndexFunc(t.Rows,
			func(r frame.Row) bool { return slices.Equal(r.Keys, keys) })]
	}
	for j, m := range methods {
		near(t, m.title, row(r.Tables[0], "UCI (2)", "5 %").Cells[j].Mean.Value, sums[m.name]/2)
	}
	// By hand: rank 1 where a method is best.
	ranks := row(r.Tables[1], "5 %")
	total := 0.0
	for j, m := range methods {
		want := 0.0
		for i, v := range byMethod[m.name] {
			for _, other := range methods {
				if w := byMethod[other.name][i]; w > v {
					want += .5
				} else if w == v {
					want += .25
				}
			}
			want += .25
		}
		near(t, "mean rank of "+m.title, ranks.Cells[j].Mean.Value, want)
		total += want
	}
	near(t, "sum of ranks", total, float64(len(methods)*(len(methods)+1))/2)
	for _, against := range r.Tables[2].Rows {
		won, _ := strconv.Atoi(against.Keys[2])
		lost, _ := strconv.Atoi(against.Keys[3])
		if won+lost > 2 {
			t.Errorf("%v of two sets", against.Keys)
		}
		i := slices.IndexFunc(methods, func(c compared) bool { return c.title == against.Keys[1] })
		if against.Keys[0] != "5 %" {
			continue
		}
		w, err := eval.Wilcoxon(byMethod[ours], byMethod[methods[i].name])
		if err != nil {
			t.Fatal(err)
		}
		near(t, "difference", against.Cells[0].Mean.Value, (sums[ours]-sums[methods[i].name])/2)
		near(t, "p of Wilcoxon", against.Cells[1].Mean.Value, w.P)
		if against.Cells[2].Mean.Value < w.P ||
			against.Cells[4].Mean.Value < against.Cells[3].Mean.Value {
			t.Errorf("%v: Holm's correction lowers a p-value", against.Keys)
		}
	}
}

// The notes list what a reduced run leaves out, and mention intervals where there are some.
func TestNotesAreTrueOfTheRun(t *testing.T) {
	const intervals, left = "Intervals are over", "A reduced run leaves out"
	for _, p := range []frame.Plan{{Config: frame.Config{Trials: 1, Reduced: true}},
		{Config: frame.Config{Trials: 2}}} {
		notes := strings.Join(compiler{&frame.Results{Plan: p}}.means(nil).Notes, " ")
		if strings.Contains(notes, intervals) != (p.Trials > 1) ||
			strings.Contains(notes, left) != p.Reduced {
			t.Errorf("%d draws, reduced %v: %s", p.Trials, p.Reduced, notes)
		}
	}
}

// claimsCount counts by hand on how many of the two sets the method of the paper is better than
// each other one.
func claimsCount(t *testing.T, r *frame.Report) {
	if len(r.Claims) != len(methods) {
		t.Fatalf("%d claims: one that it is best, and one beside each other method", len(r.Claims))
	}
	for j, m := range methods[1:] {
		var want []string
		for _, share := range []string{"1 %", "5 %", "20 %"} {
			n := 0
			for _, set := range []string{"iris", "wine"} {
				key := frame.Key{Part: partUCI, Set: set, Setting: share, Draw: 1}
				if r.Runs.Of(key, ours, "ari")[0] > r.Runs.Of(key, m.name, "ari")[0] {
					n++
				}
			}
			want = append(want, strconv.Itoa(n))
		}
		if c := r.Claims[j+1]; !strings.Contains(c.Text,
			"better than "+m.title+", at 1, 5, 20 % labels") || c.Mean != strings.Join(want, ", ") {
			t.Errorf("%s: %s, want %v", c.Text, c.Mean, want)
		}
	}
}

func picturesAreDrawn(t *testing.T, r *frame.Report) {
	var drawn []string
	for _, p := range r.Pictures {
		var b bytes.Buffer
		if err := p.Figure.WriteSVG(&b); err != nil || b.Len() < 1000 {
			t.Errorf("%s: %d bytes, %v", p.Name, b.Len(), err)
		}
		drawn = append(drawn, p.Name)
	}
	if !slices.Equal(drawn, []string{"figure1", "figure4"}) {
		t.Errorf("drawn: %v", drawn)
	}
	if _, err := found(context.Background(), frame.Plan{}); err != nil {
		t.Errorf("the discs: %v", err)
	}
}
