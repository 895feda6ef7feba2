package worth

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// small is the experiment on twelve rows of three classes, in a folder of its own.
func small(t *testing.T) (frame.Experiment, frame.Config) {
	t.Helper()
	var text strings.Builder
	text.WriteString("x,y,class\n")
	for i := range 12 {
		fmt.Fprintf(&text, "%d,%d,%c\n", 10*(i%3)+i/6, 7*(i%3)*(i%3)+i/3%2, 'a'+i%3)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "dozen.csv"), []byte(text.String()),
		0o600); err != nil {
		t.Fatal(err)
	}
	e := Experiment()
	e.Needs = []frame.Need{{Name: "dozen", Title: "A dozen", File: "dozen.csv", Rows: 12, Cols: 2,
		Classes: 3, Parts: e.Needs[0].Parts}}
	return e, frame.Config{Trials: 1, Datasets: folder}
}

// Runs, and so all tables but those of seconds, do not depend on threads; what ran is taken up
// again.
func TestSameOnAnyNumberOfThreads(t *testing.T) {
	e, cfg := small(t)
	cfg.Parts = []string{"right", "wrong10"}
	cfg.Out, cfg.Threads = t.TempDir(), 1
	one, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	again, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if again.Resumed != again.Units {
		t.Errorf("%d of %d pieces of work were taken up again", again.Resumed, again.Units)
	}
	cfg.Out, cfg.Threads = "", 3
	three, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	said := func(r *frame.Report) string {
		tables := slices.DeleteFunc(slices.Clone(r.Tables),
			func(t frame.Table) bool { return t.Name == "cost" })
		return fmt.Sprintf("%v %v", tables, r.Claims)
	}
	if a, b := said(one), said(three); a != b {
		t.Errorf("one thread:\n%s\nthree:\n%s", a, b)
	}
	if len(one.Pictures) == 0 {
		t.Error("no pictures")
	}
	for _, run := range one.Runs.All() {
		last := run.Values[slices.Index(e.Measures, ari(200))]
		// 12 rows have 66 pairs, so whoever asks for as long as something is to be learnt knows all
		// in the end; COBRA then has a super-instance a row, and random asks what follows, too.
		if run.Part == "right" && run.Values[slices.Index(e.Measures, askedIn)] >= 24 && last < 1 {
			t.Errorf("%s: adjusted Rand index %g in the end", run.Method, last)
		}
	}
}

// two asks two questions about four rows.
type two struct{}

func (two) Questions(_ context.Context, known *ask.Ledger, _ int) ([]ask.Prompt, error) {
	asked := len(known.Answers())
	if asked == 2 {
		return nil, nil
	}
	return []ask.Prompt{{Question: link.Question{A: 0, B: asked + 1}}}, nil
}

func (two) Remaining(*ask.Ledger) (likely, most int) { return 1, 2 }

// scripted is a session of four rows in two classes that asks two questions and then knows.
func scripted(ctx context.Context) (*method.Session, error) {
	s, err := ask.Begin(ctx, 4, nil, link.Refuse, two{})
	outcome := func(context.Context) (*method.Outcome, error) {
		if len(s.Answers()) < 2 {
			return &method.Outcome{Labels: []int{1, 1, 1, 1}}, nil
		}
		return &method.Outcome{Labels: []int{1, 1, 2, 1}}, nil
	}
	return &method.Session{Session: s, Outcome: outcome}, err
}

// The questions end after two; what they came to counts from then on. Of the four rows one is left
// that no answer is about.
func TestFollow(t *testing.T) {
	var session *method.Session
	m, err := method.Method{Configure: func(*param.Set) method.Steps {
		return method.Steps{
			Begin: func(ctx context.Context, _ method.Problem) (_ *method.Session, err error) {
				session, err = scripted(ctx)
				return session, err
			}}
	}}.With(nil)
	if err != nil {
		t.Fatal(err)
	}
	classes := []int32{0, 0, 1, 1}
	c, err := follow(t.Context(), m, method.Problem{Classes: classes}, ask.Labels(classes),
		lastFew)
	if err != nil {
		t.Fatal(err)
	}
	if want := []link.Link{{A: 0, B: 1, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}}; !slices.Equal(session.Answers(), want) {
		t.Errorf("answers %v, want %v", session.Answers(), want)
	}
	// {1,1,2,1} beside {1,1,2,2}: of 6 pairs 1 is together in both, 3 and 2 in one; (1 − 3·2/6) /
	// ((3 + 2)/2 − 3·2/6) = 0.
	want := slices.Repeat([]float64{0}, len(upTo(lastFew)))
	if !slices.Equal(c.All, want) || c.Asked != 2 {
		t.Errorf("%v after %d questions, want %v after 2", c.All, c.Asked, want)
	}
	if c.Free[0] != 0 || c.Free[2] != 1 { // one row alone agrees
		t.Errorf("over untouched rows %v, want 0 and then 1", c.Free)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := follow(ctx, m, method.Problem{Classes: classes}, ask.Labels(classes),
		lastFew); err == nil {
		t.Error("no error of a context that has ended")
	}
}

// COBRA driven by its own package, answered from the classes, has the same curve on iris as a
// session has here.
func TestCurveIsThatOfTheLibrary(t *testing.T) {
	loaded, _, _, err := Experiment().Load(t.Context(), frame.Config{Sets: []string{"iris"}})
	if err != nil {
		t.Fatal(err)
	}
	iris := newTask(loaded[0])
	a := askers()[slices.IndexFunc(askers(), func(a asker) bool { return a.Name == "COBRA 50" })]
	got, err := a.ask(t.Context(), iris, conditions[0], 7, 3)
	if err != nil {
		t.Fatal(err)
	}
	run, err := cobra.New(t.Context(), iris.x,
		cobra.Config{SuperInstances: 50, Limits: fit.Limits{Starts: 10},
			Options: fit.Options{Seed: frame.Derive(7, "method", "iris", 3, 1)}})
	if err != nil {
		t.Fatal(err)
	}
	truth := make([]int, len(iris.truth))
	for i, c := range iris.truth {
		truth[i] = int(c)
	}
	asked := 0
	for i, at := range upTo(lastFew) {
		for q, more := run.Next(); more && asked < at; q, more = run.Next() {
			kind := link.CannotLink
			if truth[q.A] == truth[q.B] {
				kind = link.MustLink
			}
			if err := run.Answer(kind); err != nil {
				t.Fatal(err)
			}
			asked++
		}
		want, err := eval.Compare(run.Result().Labels, truth)
		if err != nil {
			t.Fatal(err)
		}
		if got.All[i] != want.AdjustedRand {
			t.Errorf("after %d answers %g, want %g", at, got.All[i], want.AdjustedRand)
		}
	}
	if got.Asked != asked {
		t.Errorf("%d questions, want %d", got.Asked, asked)
	}
}

func TestArea(t *testing.T) {
	line, step := make([]float64, len(checkpoints)), make([]float64, len(checkpoints))
	for i, at := range checkpoints {
		line[i] = float64(at) / 200
		if at >= 100 {
			step[i] = 1
		}
	}
	for _, c := range []struct {
		name     string
		curve    []float64
		from, to int
		want     float64
	}{
		{"a line up to its half", line, 0, 100, 0.25},
		{"a line", line, 0, 200, 0.5},
		{"a line from 1 on", line, 1, 100, 50.5 / 200},
		{"a step, by the trapezoid from 75 to 100", step, 0, 100, 0.125},
		{"a step, and then 1", step, 0, 200, (12.5 + 100) / 200},
	} {
		if got := area(c.curve, c.from, c.to); math.Abs(got-c.want) > 1e-15 {
			t.Errorf("%s: %g, want %g", c.name, got, c.want)
		}
	}
	for _, at := range slices.Concat(shown, counted, judged, []int{lastFew, lastMany}) {
		if !slices.Contains(checkpoints, at) {
			t.Errorf("%d is no checkpoint", at)
		}
	}
}

func TestReady(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 3, F64: []float64{1, 5, 2, 3, 5, 6, 1, 5, 2, 2, 5, 4}}
	before := slices.Clone(x.F64)
	set := &frame.Set{X: x, Truth: []int32{0, 1, 2, 1}}
	got, classes := ready(set)
	want := dataset.Matrix{Rows: 3, Cols: 3, F64: []float64{0, 0, 0, 1, 0, 1, .5, 0, .5}}
	if !reflect.DeepEqual(got, want) || !slices.Equal(classes, []int32{0, 1, 1}) ||
		classesOf(classes) != 2 {
		t.Errorf("%v of classes %v, want %v of 0, 1, 1", got, classes, want)
	}
	if !slices.Equal(x.F64, before) {
		t.Error("the rows given were changed")
	}
	set.Vectors = true
	want.F64 = []float64{1, 5, 2, 3, 5, 6, 2, 5, 4}
	if got, _ = ready(set); !reflect.DeepEqual(got, want) {
		t.Errorf("%v of vectors, want %v", got, want)
	}
	single, _ := ready(&frame.Set{X: dataset.Matrix{Rows: 2, Cols: 1,
		F32: []float32{0, float32(math.Copysign(0, -1))}}, Truth: []int32{0, 0}})
	if single.Rows != 1 {
		t.Error("0 and −0 are two rows")
	}
}
