package reproduce

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/filelock"
	"github.com/kindred-go/kindred/plot"
	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// tiny is an experiment without fits on the sets of the names.
func tiny(name string, sets ...string) frame.Experiment {
	e := frame.Experiment{
		Name: name, Title: "The " + name + " one", Paper: "Nobody, Nothing, 2000",
		Parts:  []frame.Part{{Name: "only"}},
		Trials: 4, Reduced: 2, Hours: frame.Hours{Full: 2.5, Reduced: .25},
		Measures: []string{"nmi"},
		Remarks:  "What there is to say of " + name + ".",
		Units: func(p frame.Plan) (units []frame.Unit) {
			for _, s := range p.Sets {
				units = append(units,
					frame.Unit{Key: frame.Key{Part: "only", Set: s.Name}, Draws: p.Trials,
						Methods: []string{"a"},
						Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
							return []frame.Values{{"nmi": float64(key.Draw)}}, ctx.Err()
						}})
			}
			return units
		},
		Tables: func(r *frame.Results) {
			var values []float64
			for _, run := range r.All() {
				values = append(values, run.Values[0])
			}
			t := frame.Table{Name: "table1", Title: "Table 1 of " + name, Keys: []string{"set"},
				Groups: []string{"a"}, Digits: 1}
			t.AddCells([]string{"x"},
				frame.Cell{Paper: frame.Printed(2), Mean: frame.Mean(values)})
			r.Add(t)
			r.Claim("counted", "2", "%d", len(values))
		},
		Pictures: func(_ context.Context, r *frame.Results) error {
			r.Chart("figure1", "Figure 1", plot.ChartConfig{
				Series: []plot.Series{{X: []float64{0, 1}, Y: []float64{0, 1}}}})
			return nil
		},
	}
	for _, s := range sets {
		e.Needs = append(e.Needs, catalogue.Need(s, "only"))
	}
	return e
}

// both are two experiments: wine is a sample, the matrix of silhouettes is not here.
func both() []frame.Experiment {
	return []frame.Experiment{tiny("first", "wine", "chickenpieces"),
		tiny("second", "iris", "wine"), tiny("third", "chickenpieces", "zongker")}
}

func reports(t *testing.T, all []Done) (reports []*frame.Report) {
	t.Helper()
	for _, d := range all {
		if d.Err != nil {
			t.Fatal(d.Err)
		}
		reports = append(reports, d.Report)
	}
	return reports
}

func TestAllRunsEachIntoItsFolder(t *testing.T) {
	out := t.TempDir()
	var said []string
	all, err := All(t.Context(), both(), frame.Config{Reduced: true, Out: out},
		func(e frame.Experiment, i, of int) {
			said = append(said, fmt.Sprint(e.Name, i, of))
		})
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"first0 3", "second1 3", "third2 3"}; !slices.Equal(said, want) {
		t.Errorf("said %q", said)
	}
	got := reports(t, all)
	if got[0].Trials != 2 || got[1].Units != 4 || !got[2].Empty() || got[2].Trials != 2 {
		t.Errorf("%+v", got)
	}
	for _, name := range []string{"first/runs.parquet", "first/table1.tex", "second/figure1.svg",
		"second/report.md"} {
		if _, err := os.Stat(filepath.Join(out, name)); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Stat(filepath.Join(out, "all.lock")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lock is left: %v", err)
	}
	// More of it goes on from there; the trials that are asked for count, not those of a reduced
	// run.
	more, err := All(t.Context(), both(), frame.Config{Reduced: true, Trials: 3, Out: out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := reports(t, more); got[1].Units != 6 || got[1].Resumed != 4 {
		t.Errorf("%d pieces, %d taken up", got[1].Units, got[1].Resumed)
	}
	if missing := Missing(got); len(missing) != 2 || missing[0].Name != "chickenpieces" {
		t.Errorf("missing %v", missing)
	}
}

func TestAllTakesWhatIsAskedFor(t *testing.T) {
	all, err := All(t.Context(), both(), frame.Config{Sets: []string{"iris"}, Trials: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := reports(t, all); len(got) != 1 || got[0].Experiment.Name != "second" ||
		got[0].Units != 1 {
		t.Errorf("%+v", got)
	}
	for _, c := range []struct {
		cfg  frame.Config
		says string
	}{
		{frame.Config{Sets: []string{"irises"}},
			`"irises" is no data set of an experiment; there is wine, chickenpieces, iris, ` +
				`zongker`},
		{frame.Config{Parts: []string{"only"}}, "parts are those of one experiment"},
	} {
		if _, err := All(t.Context(), both(), c.cfg, nil); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, not %q", err, c.says)
		}
	}
}

// TestOneFailureDoesNotStopTheOthers: a night's run is not lost over one file.
func TestOneFailureDoesNotStopTheOthers(t *testing.T) {
	experiments := both()[:2]
	experiments[0].Units = func(frame.Plan) []frame.Unit {
		return []frame.Unit{{Key: frame.Key{Part: "only", Draw: 1}, Starts: 1,
			Methods: []string{"a"},
			Do: func(context.Context, frame.Key) ([]frame.Values, error) {
				return nil, errors.New("no luck")
			}}}
	}
	all, err := All(t.Context(), experiments, frame.Config{Trials: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if all[0].Err == nil || all[0].Err.Error() != "first: no luck" || all[1].Err != nil ||
		len(all[1].Report.Tables) != 1 {
		t.Errorf("%+v", all)
	}
}

func TestAllStopsWhenTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	out := t.TempDir()
	cfg := frame.Config{Out: out, Threads: 1, Progress: func(done, total int) {
		if total == 8 && done == 3 { // the second
			cancel()
		}
	}}
	if all, err := All(ctx, both(), cfg, nil); !errors.Is(err, context.Canceled) || len(all) != 1 {
		t.Errorf("got %d reports and %v", len(all), err)
	}
	again, err := All(t.Context(), both(), frame.Config{Out: out}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := reports(t, again); got[0].Resumed != 4 || got[1].Resumed < 3 {
		t.Errorf("%d and %d pieces were kept", got[0].Resumed, got[1].Resumed)
	}
}

func TestTwoRunsOfAllDoNotShareAFolder(t *testing.T) {
	out := t.TempDir()
	release, err := filelock.Beside(filepath.Join(out, "all"))
	if err != nil {
		t.Fatal(err)
	}
	defer release()
	if _, err := All(t.Context(), both(), frame.Config{Out: out}, nil); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "another run of all experiments is under way") {
		t.Errorf("got %v", err)
	}
}

// TestThePageShowsEverything, by relative links to pictures that are there, in the same bytes each
// time.
func TestThePageShowsEverything(t *testing.T) {
	all, err := All(t.Context(), both(), frame.Config{Trials: 2}, nil)
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "docs", "our results.md")
	page := Page{Reports: reports(t, all)}
	pictures := filepath.Join(folder, "docs", "our results")
	if err := os.MkdirAll(pictures, 0o777); err != nil {
		t.Fatal(err)
	}
	// one it no longer makes, and another's
	for _, name := range []string{"first-figure0.svg", "another-figure1.svg"} {
		if err := os.WriteFile(filepath.Join(pictures, name), []byte("<svg/>"), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	var first []byte
	for range 2 {
		if err := page.Save(path); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = text
		} else if !bytes.Equal(first, text) {
			t.Error("another page the second time")
		}
	}
	for _, want := range []string{
		"# Results\n", "not all that there is",
		"- [first](#the-first-one): 2 of 4 repetitions, seed 0\n", "\n## The second one\n",
		"\nAbout 7.5 hours of one core, in full: first 2.5, second 2.5, third 2.5.\n",
		"What there is to say of first.", "| counted | 2 | 4 |", "Table 1 of second",
		"](our%20results/first-figure1.svg)", "ChickenPieces (chickenpieces_D.csv with",
		"None of its data sets was there",
	} {
		if !strings.Contains(string(first), want) {
			t.Errorf("%q is not in\n%s", want, first)
		}
	}
	if n := strings.Count(string(first), "ChickenPieces"); n != 1 {
		t.Errorf("a missing set is named %d times", n)
	}
	if strings.Contains(string(first), folder) || strings.Contains(string(first), "say of third") {
		t.Errorf("of this machine, or of what was not run:\n%s", first)
	}
	var names []string
	files, err := os.ReadDir(pictures)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	if want := []string{"another-figure1.svg", "first-figure1.svg",
		"second-figure1.svg"}; !slices.Equal(names, want) {
		t.Errorf("pictures %q", names)
	}
}

// TestThePageStatesHours: those of reduced runs where the page is of such, and none that were not
// measured.
func TestThePageStatesHours(t *testing.T) {
	var page Page
	for _, e := range both() {
		page.Reports = append(page.Reports, &frame.Report{Experiment: e})
	}
	page.Reduced, page.Reports[1].Experiment.Hours = true, frame.Hours{}
	if got := page.hours(); got !=
		"\nAbout 0.5 hours of one core, at reduced effort: first 0.25, third 0.25.\n" {
		t.Errorf("%q", got)
	}
	page.Reports = page.Reports[1:2]
	if got := page.hours(); got != "" {
		t.Errorf("%q", got)
	}
}

// TestTheExperimentsAreWhole: names that can be asked for, told apart, and data sets of parts that
// there are.
func TestTheExperimentsAreWhole(t *testing.T) {
	var names []string
	for _, e := range List() {
		if slices.Contains(names, e.Name) || e.Name == "all" || e.Name == "list" {
			t.Errorf("%q cannot be asked for", e.Name)
		}
		names = append(names, e.Name)
		var parts, used []string
		for _, p := range e.Parts {
			if slices.Contains(parts, p.Name) || p.Title == "" {
				t.Errorf("%s: part %+v", e.Name, p)
			}
			parts = append(parts, p.Name)
			if p.Bare {
				used = append(used, p.Name)
			}
		}
		var sets []string
		for _, n := range e.Needs {
			if slices.Contains(sets, n.Name) {
				t.Errorf("%s needs %s twice", e.Name, n.Name)
			}
			sets, used = append(sets, n.Name), append(used, n.Parts...)
			for _, p := range n.Parts {
				if !slices.Contains(parts, p) {
					t.Errorf("%s: %s is of no part %q", e.Name, n.Name, p)
				}
			}
		}
		for _, p := range parts {
			if !slices.Contains(used, p) {
				t.Errorf("%s: part %s has no data", e.Name, p)
			}
		}
		if e.Title == "" || e.Paper == "" || e.Trials < 1 || e.Reduced < 1 ||
			e.Reduced > e.Trials || e.Protocol < 1 {
			t.Errorf("%s: %d repetitions, %d reduced, protocol %d", e.Name, e.Trials, e.Reduced,
				e.Protocol)
		}
	}
	if len(names) != 6 {
		t.Errorf("experiments %q", names)
	}
}
