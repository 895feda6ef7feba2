package frame

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// made is an experiment without fits: on the wine that kindred ships, and on a set that is never
// there.
func made(ran *atomic.Int32) Experiment {
	return Experiment{
		Name: "made", Title: "Made up", Paper: "Nobody, Nothing, 2000",
		Parts: []Part{{Name: "only", Title: "the only one"}},
		Needs: []Need{{Name: "wine", Title: "Wine", File: "wine.csv", Rows: 178, Cols: 13,
			Classes: 3, Parts: []string{"only"}, Sample: "wine"},
			{Name: "gone", Title: "Gone", File: "gone.csv", Parts: []string{"only"},
				From: "the moon"}},
		Trials: 4, Measures: []string{"nmi", "squared"}, Protocol: 1,
		Units: func(p Plan) (units []Unit) {
			for _, set := range p.Sets {
				do := func(ctx context.Context, key Key) ([]Values, error) {
					ran.Add(1)
					var values []Values
					for start := 1; start <= 3; start++ {
						v := float64(Derive(p.Seed, "v", set.Name, key.Draw, start)%1000) / 1000
						values = append(values, Values{"nmi": v, "squared": 1 - v},
							Values{"nmi": v / 2})
					}
					return values, ctx.Err()
				}
				for draw := range p.Trials {
					key := Key{Part: "only", Set: set.Name, Setting: "plain", Draw: draw + 1}
					units = append(units, Unit{Key: key, Alone: draw%2 == 1, Starts: 3,
						Methods: []string{"a", "b"}, Do: do})
				}
			}
			return units
		},
		Tables: func(r *Results) {
			var gains []float64
			for draw := 1; draw <= r.Trials; draw++ {
				key := Key{Part: "only", Set: "wine", Setting: "plain", Draw: draw}
				a, b := r.Of(key, "a", "nmi"), r.Of(key, "b", "nmi")
				gains = append(gains, Mean(a).Value-Mean(b).Value)
			}
			one := Table{Name: "one", Title: "One", Keys: []string{"set"}, Groups: []string{"a"},
				Digits: 2, Signed: true}
			one.AddCells([]string{"wine"}, Cell{Paper: Reported(.5, .1, 4), Mean: Mean(gains)})
			r.Add(one)
			r.Claims = append(r.Claims, Claim{Text: "things", Paper: "3", Mean: "2", Best: "1"})
		},
	}
}

func text(t *testing.T, r *Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestReportsAreTheSameOnAnyThreads(t *testing.T) {
	var ran atomic.Int32
	var first string
	for _, threads := range []int{1, 2, 7} {
		folder := t.TempDir()
		r, err := made(&ran).Run(t.Context(), Config{Threads: threads, Out: folder})
		if err != nil {
			t.Fatal(err)
		}
		raw, err := os.ReadFile(filepath.Join(folder, runsFile))
		if err != nil {
			t.Fatal(err)
		}
		if got := text(t, r) + string(raw); first == "" {
			first = got
		} else if got != first {
			t.Errorf("%d threads:\n%s\nnot\n%s", threads, got, first)
		}
	}
	for _, want := range []string{"Gone (gone.csv): the moon",
		"Wine is the sample that kindred ships", "a: paper", "things"} {
		if !strings.Contains(first, want) {
			t.Errorf("%q is not in\n%s", want, first)
		}
	}
}

func TestResumedRunsGiveTheSameReport(t *testing.T) {
	var ran atomic.Int32
	whole, err := made(&ran).Run(t.Context(), Config{})
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	for _, step := range []struct {
		trials int
		ran    int32
	}{{1, 1}, {3, 2}, {4, 1}, {4, 0}, {2, 0}, {4, 0}} { // cutting short again forgets nothing
		ran.Store(0)
		r, err := made(&ran).Run(t.Context(), Config{Trials: step.trials, Out: folder})
		if err != nil {
			t.Fatal(err)
		}
		if ran.Load() != step.ran || r.Resumed != step.trials-int(step.ran) {
			t.Errorf("%d trials: %d pieces ran and %d were taken up", step.trials, ran.Load(),
				r.Resumed)
		}
		if step.trials == 4 && text(t, r) != text(t, whole) {
			t.Errorf("resumed:\n%s\nnot\n%s", text(t, r), text(t, whole))
		}
	}
}

// TestPiecesThatAreNotWholeRunAgain: runs that are missing, doubled or of another name do not go
// into means.
func TestPiecesThatAreNotWholeRunAgain(t *testing.T) {
	var ran atomic.Int32
	folder := t.TempDir()
	path := filepath.Join(folder, runsFile)
	first, err := made(&ran).Run(t.Context(), Config{Out: folder})
	if err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string]func(runs []Run) []Run{
		"without a run":  func(runs []Run) []Run { return slices.Delete(runs, 2, 3) },
		"a run doubled":  func(runs []Run) []Run { return slices.Insert(runs, 2, runs[2]) },
		"another method": func(runs []Run) []Run { runs[2].Method = "c"; return runs },
		"another start":  func(runs []Run) []Run { runs[2].Start = 1; return runs },
	} {
		runs, err := readRuns(path, []string{"nmi", "squared"})
		if err != nil {
			t.Fatal(err)
		}
		rewrite(t, path, change(runs))
		r, err := made(&ran).Run(t.Context(), Config{Out: folder})
		if err != nil {
			t.Fatal(err)
		}
		after, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if r.Resumed != 3 || !bytes.Equal(after, whole) {
			t.Errorf("%s: %d pieces were taken up", name, r.Resumed)
		}
		if r.Tables[0].Rows[0].Cells[0].Mean != first.Tables[0].Rows[0].Cells[0].Mean {
			t.Errorf("%s: %+v", name, r.Tables[0].Rows[0].Cells[0])
		}
	}
}

// rewrite writes raw runs of made in place of others.
func rewrite(t *testing.T, path string, runs []Run) {
	t.Helper()
	var b bytes.Buffer
	if err := writeRuns(&b, []string{"nmi", "squared"}, runs); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

func TestRunsOfOtherSettingsAreRefused(t *testing.T) {
	var ran atomic.Int32
	folder := t.TempDir()
	run := func(e Experiment, seed uint64) error {
		_, err := e.Run(t.Context(), Config{Out: folder, Seed: seed})
		return err
	}
	if err := run(made(&ran), 1); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(filepath.Join(folder, runsFile))
	if err != nil {
		t.Fatal(err)
	}
	another, later := made(&ran), made(&ran)
	another.Name, later.Protocol = "another", 2
	for _, c := range []struct {
		e    Experiment
		seed uint64
		says string
	}{
		{made(&ran), 2, "seed 1, not 2"},
		{another, 1, `"made"`},
		{later, 1, "another version"},
	} {
		if err := run(c.e, c.seed); !fault.IsInput(err) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, not %q", err, c.says)
		}
	}
	after, err := os.ReadFile(filepath.Join(folder, runsFile))
	if err != nil || !bytes.Equal(before, after) {
		t.Errorf("refused runs were changed: %v", err)
	}
}

func TestACutKeepsWhatRan(t *testing.T) {
	for _, threads := range []int{1, 3} {
		t.Run(fmt.Sprint(threads), func(t *testing.T) {
			var ran atomic.Int32
			folder := t.TempDir()
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			cfg := Config{Threads: threads, Out: folder, Trials: 40, Progress: func(done, _ int) {
				if done == 5 {
					cancel()
				}
			}}
			if _, err := made(&ran).Run(ctx, cfg); !errors.Is(err, context.Canceled) {
				t.Fatalf("got %v", err)
			}
			kept := ran.Load()
			ran.Store(0)
			cfg.Progress = nil
			r, err := made(&ran).Run(t.Context(), cfg)
			if err != nil {
				t.Fatal(err)
			}
			if r.Resumed < 5 || r.Resumed > int(kept) || int(ran.Load())+r.Resumed != 40 {
				t.Errorf("%d ran, %d were kept, then %d ran", kept, r.Resumed, ran.Load())
			}
		})
	}
}

func TestWhatCannotBeRunIsSaid(t *testing.T) {
	var ran atomic.Int32
	e := made(&ran)
	wrong := e
	wrong.Needs = []Need{{Name: "wine", Title: "Wine", Rows: 177, Cols: 13, Classes: 3,
		Parts: []string{"only"}, Sample: "wine", From: "a cellar"}}
	for _, c := range []struct {
		e    Experiment
		cfg  Config
		says string
	}{
		{e, Config{Trials: -1}, "-1 trials"},
		{e, Config{Trials: 1e9}, "ask for 1 to 10000"},
		{e, Config{Parts: []string{"x"}}, `"x" is no part`},
		{e, Config{Sets: []string{"x"}}, `"x" is no data set`},
		{e, Config{Sets: []string{"gone"}}, "the moon"},
		{wrong, Config{}, "178 rows, 13 features and 3 classes, where the paper has 177, 13 and " +
			"3; a cellar"},
	} {
		if _, err := c.e.Run(t.Context(), c.cfg); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), c.says) {
			t.Errorf("got %v, not %q", err, c.says)
		}
	}
}

// TestSetsAloneLeaveOutOtherParts: who asks for a data set does not wait for what needs none.
func TestSetsAloneLeaveOutOtherParts(t *testing.T) {
	var ran atomic.Int32
	e := made(&ran)
	e.Parts = append(e.Parts, Part{Name: "bare", Bare: true})
	units := e.Units
	e.Units = func(p Plan) []Unit {
		list := units(p)
		if p.Has("bare") {
			list = append(list, Unit{Key: Key{Part: "bare", Draw: 1}, Starts: 1,
				Methods: []string{"a"}, Do: onerun(1, 1)})
		}
		return list
	}
	for _, c := range []struct {
		cfg   Config
		units int
		parts []string
	}{
		{Config{Trials: 2}, 3, nil},
		{Config{Trials: 2, Sets: []string{"wine"}}, 2, []string{"only"}},
		{Config{Trials: 2, Sets: []string{"wine"}, Parts: []string{"only", "bare"}}, 3,
			[]string{"only", "bare"}},
	} {
		r, err := e.Run(t.Context(), c.cfg)
		if err != nil {
			t.Fatal(err)
		}
		if r.Units != c.units || !slices.Equal(r.Parts, c.parts) {
			t.Errorf("%+v: %d pieces of parts %q", c.cfg, r.Units, r.Parts)
		}
	}
}

// TestOver has the repetitions of a key that ran, and of each the last start, or a given one.
func TestOver(t *testing.T) {
	key := Key{Part: "only", Set: "wine", Setting: "plain"}
	r := &Runs{measures: []string{"nmi"}}
	for draw := 1; draw <= 3; draw++ {
		for start := 1; start <= 2; start++ {
			for _, method := range []string{"a", "b"} {
				if method == "b" && draw == 2 {
					continue
				}
				r.all = append(r.all, Run{Key: key.repetition(draw), Start: start, Method: method,
					Values: []float64{float64(10*draw + start)}})
			}
		}
	}
	r.all = append(r.all, Run{Key: Key{Part: "only", Set: "wine", Setting: "plum", Draw: 1},
		Start: 1, Method: "a", Values: []float64{0}})
	for _, c := range []struct {
		start  int
		method string
		want   []float64
	}{{0, "a", []float64{12, 22, 32}}, {1, "a", []float64{11, 21, 31}}, {3, "a", nil},
		{0, "b", []float64{12, 32}}, {0, "c", nil}} {
		if got := r.Over(key, c.start, c.method, "nmi"); !slices.Equal(got, c.want) {
			t.Errorf("start %d of %s: %v, not %v", c.start, c.method, got, c.want)
		}
	}
}
