package kevclus2016

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// same reports whether two reports have the same runs, seconds aside.
func same(a, b *frame.Report) bool {
	x, y := a.Runs.All(), b.Runs.All()
	return slices.EqualFunc(x, y, func(r, s frame.Run) bool {
		if r.Key != s.Key || r.Start != s.Start || r.Method != s.Method {
			return false
		}
		for i, v := range r.Values {
			if measures[i] != "seconds" && v != s.Values[i] &&
				!(math.IsNaN(v) && math.IsNaN(s.Values[i])) {
				return false
			}
		}
		return true
	})
}

func run(t *testing.T, e frame.Experiment, cfg frame.Config) *frame.Report {
	t.Helper()
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func cell(t *testing.T, r *frame.Report, table string, row, group int) frame.Cell {
	t.Helper()
	for _, one := range r.Tables {
		if one.Name == table {
			return one.Rows[row].Cells[group]
		}
	}
	t.Fatalf("there is no table %s", table)
	return frame.Cell{}
}

func TestTheButterflyIsThePapers(t *testing.T) {
	cfg := frame.Config{Trials: 1, Parts: []string{partMasses}}
	r := run(t, Experiment(), cfg)
	for object, said := range paperMasses {
		for l, want := range said {
			c := cell(t, r, "figure2", object-1, l)
			if c.Paper.There() != (want >= 0) || want >= 0 && math.Abs(c.Mean.Value-want) > .06 {
				t.Errorf("object %d: %v, where the paper has %v", object, c.Mean.Value, want)
			}
		}
	}
	var names []string
	for _, p := range r.Pictures {
		names = append(names, p.Name)
	}
	if want := []string{"figure1", "figure2", "figure3", "figure4"}; !slices.Equal(names, want) {
		t.Errorf("pictures %v", names)
	}
	if mass := r.Claims[0]; mass.Mean != mass.Paper {
		t.Errorf("%+v", mass)
	}
}

// TestDescentsDoNotDependOnThreads, nor on being taken up again; and each way down falls.
func TestDescentsDoNotDependOnThreads(t *testing.T) {
	folder := t.TempDir()
	cfg := frame.Config{Trials: 2, Seed: 5, Parts: []string{partSimulated}, Threads: 1, Out: folder}
	a := run(t, Experiment(), cfg)
	again := run(t, Experiment(), cfg)
	cfg.Threads, cfg.Out = 3, ""
	b := run(t, Experiment(), cfg)
	if !same(a, b) || !same(a, again) || again.Resumed != 2 {
		t.Error("the runs differ")
	}
	for draw := 1; draw <= 2; draw++ {
		key := frame.Key{Part: partSimulated, Set: tClusters, Draw: draw}
		for _, m := range descents {
			stress, seconds := a.Runs.Of(key, m, "stress"), a.Runs.Of(key, m, "seconds")
			if len(stress) != tracePoints || seconds[0] != 0 || !slices.IsSorted(seconds) {
				t.Errorf("%s: seconds %v", m, seconds)
			}
			for i := 1; i < len(stress); i++ {
				if stress[i] > stress[i-1]*(1+1e-9) {
					t.Errorf("%s rises at point %d: %v", m, i+1, stress)
				}
			}
		}
		if a.Runs.Of(key, gradient, "stress")[0] < .9*a.Runs.Of(key, irqp, "stress")[0] {
			t.Error("the gradient and row programmes do not begin alike")
		}
	}
	if got := cell(t, a, "figures5to9-counts", 0, 1).Paper.Value; got != 1 {
		t.Errorf("the paper has one trapped start of row programmes, not %v", got)
	}
}

// small is the experiment with a matrix of few objects in place of the gestures, which are not to
// be had.
func small(t *testing.T) (frame.Experiment, string) {
	t.Helper()
	const n = 80
	folder := t.TempDir()
	x, truth := simulate(n, 11)
	o, err := between(x, truth, 4, .9)
	if err != nil {
		t.Fatal(err)
	}
	var matrix, labels strings.Builder
	labels.WriteString("class\n")
	row := make([]float32, n)
	for i := range n {
		o.Row(row, i, nil)
		matrix.WriteString(strings.Trim(strings.Join(strings.Fields(fmt.Sprint(row)), ","),
			"[]") + "\n")
		fmt.Fprintln(&labels, truth[i])
	}
	for name, text := range map[string]string{"gestures_D.csv": matrix.String(),
		"gestures_labels.csv": labels.String()} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e := Experiment()
	for i, need := range e.Needs {
		if need.Name == "gestures" {
			e.Needs[i].Rows, e.Needs[i].Cols, e.Needs[i].Classes = n, n, 4
		}
	}
	return e, folder
}

func TestMatricesAreSweptWhenGiven(t *testing.T) {
	e, folder := small(t)
	r := run(t, e, frame.Config{Trials: 2, Parts: []string{partGestures}, Datasets: folder})
	if got := len(r.Runs.All()); got != 2*(9*2+4) {
		t.Errorf("%d runs", got)
	}
	if c := cell(t, r, "rivals", 1, 1); c.Paper.Value != .66 {
		t.Errorf("EK-NNclus has at most .66 in the paper, not %v", c.Paper.Value)
	}
	if c := cell(t, r, "rivals-clusters", 0, 2); c.Paper.Value != 24 {
		t.Errorf("EK-NNclus finds up to 24 clusters in the paper, not %v", c.Paper.Value)
	}
	for _, m := range partnerMethods {
		if ari := r.Runs.Of(frame.Key{Part: partGestures, Set: "gestures",
			Setting: "gestures, k = 79", Draw: 1}, m, "ari"); len(ari) != 1 || ari[0] < .3 {
			t.Errorf("%s: ARI %v", m, ari)
		}
	}
	if len(r.Pictures) != 1 || r.Pictures[0].Name != "figures23to25" {
		t.Errorf("%d pictures", len(r.Pictures))
	}
}

func TestWhatIsMissingIsNamed(t *testing.T) {
	r := run(t, Experiment(),
		frame.Config{Trials: 1, Parts: []string{partMasses, partDigits, partGestures},
			Datasets: t.TempDir()})
	if len(r.Missing) != 2 || r.Missing[0].Name != "zongker" ||
		!strings.Contains(r.Missing[1].From, "prtools.org") {
		t.Errorf("%+v", r.Missing)
	}
}

// TestRealData holds what the paper prints of the proteins and of S2 against one repetition.
func TestRealData(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS names no folder with data sets")
	}
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	r := run(t, Experiment(),
		frame.Config{Trials: 1, Parts: []string{partProtein, partPairs}, Datasets: folder})
	if c := cell(t, r, "figures5to9-counts", 1, 1); c.Paper.Value != 2 || c.Mean.Value > 3 {
		t.Errorf("%v misclassified proteins", c.Mean.Value)
	}
	for row, want := range map[int]float64{3: 4, 4: 12} {
		if c := cell(t, r, "figures27and28", row, 0); c.Mean.Value != want ||
			c.Paper.Value != want {
			t.Errorf("%v pairs, where the paper has %v", c.Mean.Value, want)
		}
	}
	before, after := cell(t, r, "figures27and28", 0, 0).Mean.Value,
		cell(t, r, "figures27and28", 1, 0).Mean.Value
	if before > 20 || after < 90 || after > 190 {
		t.Errorf("%v ambiguous objects, then %v; the paper has 9 and 139", before, after)
	}
	for i := range similar {
		for rank := range 5 {
			c := cell(t, r, "example6", rank, i)
			if math.Abs(c.Mean.Value-c.Paper.Value) > .1*c.Paper.Value {
				t.Errorf("%s, rank %d: %.1f, where the paper has %.1f", similar[i], rank+1,
					c.Mean.Value, c.Paper.Value)
			}
		}
	}
}

func TestQuantiles(t *testing.T) {
	// type 7, as R's default
	for q, want := range map[float64]float64{0: 1, .25: 1.75, .5: 2.5, 1: 4} {
		if got := quantile([]float64{4, 1, 3, 2}, q); math.Abs(got-want) > 1e-12 {
			t.Errorf("the %g quantile is %v, not %v", q, got, want)
		}
	}
	if !math.IsNaN(median(nil)) || !math.IsNaN(least(nil)) || !math.IsNaN(greatest(nil)) {
		t.Error("nothing has a median")
	}
	if got := trapped([]float64{1, 1.19, 1.21, 3}, 1); got != 2 {
		t.Errorf("%v trapped", got)
	}
}

// TestOneRepetitionClaimsNoSpread, and shows no number that is none.
func TestOneRepetitionClaimsNoSpread(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS names no folder with data sets")
	}
	r := run(t, Experiment(),
		frame.Config{Trials: 1, Parts: []string{partProtein}, Datasets: folder})
	var b strings.Builder
	if err := r.WriteMarkdown(&b); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "NaN") || len(r.Claims) != 2 {
		t.Errorf("%d claims:\n%s", len(r.Claims), b.String())
	}
}

// TestAReducedRunClaimsNothingOfTheWholeMatrix of 10 000 points, which it leaves out.
func TestAReducedRunClaimsNothingOfTheWholeMatrix(t *testing.T) {
	for _, reduced := range []bool{false, true} {
		c := compiler{&frame.Results{Runs: &frame.Runs{},
			Plan: frame.Plan{Config: frame.Config{Trials: 1, Reduced: reduced}}}}
		s := largeSweep(c.Plan, 10000)
		c.partnerClaims(s)
		claims := c.Claims
		gains := slices.ContainsFunc(claims,
			func(c frame.Claim) bool { return c.Paper == "a significant gain" })
		said := strings.Contains(claims[0].Paper, "a reduced run leaves out")
		if last := s.partners[len(s.partners)-1]; gains == reduced || said != reduced ||
			(last == 9999) == reduced {
			t.Errorf("reduced %v: %d partners, %+v", reduced, last, claims)
		}
	}
}
