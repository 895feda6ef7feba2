//go:build ignore

package method_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// overlapping returns rows on a line in two groups that meet, and their classes.
func overlapping() (dataset.Matrix, []int32) {
	x := dataset.Matrix{Cols: 1}
	var classes []int32
	for i := range 40 {
		x.F64 = append(x.F64, float64(i*i%23)+float64(i%7)/10+10*float64(i/20))
		classes = append(classes, int32(i/20))
	}
	x.Rows = len(x.F64)
	return x, classes
}

// asks lists the methods that ask.
func asks() []method.Method {
	return slices.DeleteFunc(method.List(), func(m method.Method) bool { return m.Begin == nil })
}

func begin(t *testing.T, m method.Method, p method.Problem, s method.Settings) *method.Session {
	t.Helper()
	session, err := m.Begin(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// TestEverySessionIsTakenUpAgain holds what any session owes: the answers of one, given to another,
// bring the same question and the same outcome, what was taken back can be redone, and the outcome
// changes nothing of the session.
func TestEverySessionIsTakenUpAgain(t *testing.T) {
	x, classes := overlapping()
	p := method.Problem{Data: x, Classes: classes}
	settings := method.Settings{Clusters: 2, Threads: 2}
	var names []string
	for _, m := range asks() {
		names = append(names, m.Name)
		one := begin(t, m, p, settings)
		if err := ask.Drive(t.Context(), one.Session, ask.Labels(classes), 9, nil); err != nil {
			t.Fatal(err)
		}
		taken, ok := one.Undo()
		if !ok {
			t.Fatal("nothing to undo")
		}
		before, err := one.Outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		question, _ := one.Next()
		again, err := one.Outcome(t.Context())
		if err != nil || !slices.Equal(again.Labels, before.Labels) || before.Queries != 8 ||
			!slices.Equal(before.Asked, one.Answers()) {
			t.Errorf("%s: another outcome the second time (%v), or %d answers", m.Name, err,
				before.Queries)
		}

		two := begin(t, m, p, settings)
		if err := two.Restore(one.Answers(), []link.Link{taken}); err != nil {
			t.Fatal(err)
		}
		if got, ok := two.Next(); !ok || got != question {
			t.Errorf("%s: asks %+v, before %+v", m.Name, got, question)
		}
		out, err := two.Outcome(t.Context())
		if err != nil || !slices.Equal(out.Labels, before.Labels) {
			t.Errorf("%s: other labels (%v)", m.Name, err)
		}
		if got, ok := two.Redo(); !ok || got.A != taken.A || got.B != taken.B ||
			got.Kind != taken.Kind || len(two.Answers()) != 9 {
			t.Errorf("%s: redo gives %+v, taken back was %+v", m.Name, got, taken)
		}
		if why := ask.Why(question,
			func(row int) string { return fmt.Sprint("row ", row) }); why == "" {
			t.Errorf("%s: no reason", m.Name)
		}
	}
	own := slices.DeleteFunc(names,
		func(name string) bool { m, _ := method.Find(name); return m.Strategic() })
	if !slices.Equal(own, []string{"cobra", "cobras", "evclus", "kevclus", "kin", "ncobras"}) {
		t.Errorf("methods with questions of their own: %v", own)
	}
}

// TestASettledSessionIsSettledAgain, and the labels stop answering.
func TestASettledSessionIsSettledAgain(t *testing.T) {
	x := line(30, 40)
	classes := make([]int32, x.Rows)
	for i := range classes {
		classes[i] = int32(x.F64[i] / 10)
	}
	p := method.Problem{Data: x, Classes: classes}
	settings := method.Settings{Clusters: 2, AskLabels: true,
		Evidential: method.Evidential{D0: evclus.D0{Value: 5}}}
	out := fit(t, "evclus", p, settings)
	if out.Queries < 5 || out.Queries > 20 ||
		!slices.ContainsFunc(out.Notes,
			func(n string) bool { return strings.Contains(n, "unlikely to change the groups") }) {
		t.Fatalf("%d answers, notes %q", out.Queries, out.Notes)
	}
	m, _ := method.Find("evclus")
	session := begin(t, m, p, settings)
	if err := session.Restore(out.Asked, nil); err != nil {
		t.Fatal(err)
	}
	if !session.Settled() || len(session.Answers()) != out.Queries {
		t.Errorf("unsettled after %d of %d answers", len(session.Answers()), out.Queries)
	}
	settings.Budget = out.Queries + 3
	if more := fit(t, "evclus", p, settings); more.Queries != settings.Budget {
		t.Errorf("%d answers, want %d", more.Queries, settings.Budget)
	}
}

// TestAnswersAreLinks: a fit under the answers of a session as links gives its groups.
func TestAnswersAreLinks(t *testing.T) {
	x, classes := overlapping()
	settings := method.Settings{Clusters: 2, AskLabels: true, Budget: 12}
	asked := fit(t, "kevclus", method.Problem{Data: x, Classes: classes}, settings)
	settings.AskLabels = false
	linked := fit(t, "kevclus", method.Problem{Data: x, Links: asked.Asked}, settings)
	if asked.Queries != 12 || !slices.Equal(asked.Labels, linked.Labels) ||
		asked.Constraints == "" || asked.Constraints != linked.Constraints {
		t.Errorf("%d answers by %q: %v, as links by %q: %v", asked.Queries, asked.Constraints,
			asked.Labels, linked.Constraints, linked.Labels)
	}
	if asked.Iterations == 0 || asked.Unit != "sweep" {
		t.Errorf("%d %s", asked.Iterations, asked.Unit)
	}
}

// TestContradictionsThatAreKeptOutliveARestart: a session that keeps them comes back with all of
// its answers.
func TestContradictionsThatAreKeptOutliveARestart(t *testing.T) {
	x, _ := overlapping()
	m, _ := method.Find("evclus")
	session := begin(t, m, method.Problem{Data: x},
		method.Settings{Clusters: 2, Contradictions: link.Keep})
	answers := []link.Link{{A: 0, B: 1, Kind: link.MustLink}, {A: 1, B: 2, Kind: link.MustLink},
		{A: 0, B: 2, Kind: link.CannotLink}}
	if err := session.Restore(answers, nil); err != nil ||
		!slices.Equal(session.Answers(), answers) {
		t.Errorf("%v (%v)", session.Answers(), err)
	}
	strict := begin(t, m, method.Problem{Data: x}, method.Settings{Clusters: 2})
	var clash *link.Contradiction
	if err := strict.Restore(answers, nil); !errors.As(err, &clash) {
		t.Errorf("a contradiction: %v", err)
	}
}

// TestASessionThatIsStopped says so, and keeps its answers.
func TestASessionThatIsStopped(t *testing.T) {
	x, classes := overlapping()
	ctx, cancel := context.WithCancel(t.Context())
	m, _ := method.Find("evclus")
	session, err := m.Begin(ctx, method.Problem{Data: x}, method.Settings{Clusters: 2})
	if err != nil {
		t.Fatal(err)
	}
	ends := ask.Func(func(ctx context.Context, q link.Question) (ask.Reply, error) {
		if q.Number == 3 {
			cancel()
		}
		return ask.Labels(classes).Ask(ctx, q)
	})
	err = ask.Drive(context.WithoutCancel(ctx), session.Session, ends, 0, nil)
	if !errors.Is(err, context.Canceled) || len(session.Answers()) != 3 {
		t.Errorf("%v after %d answers", err, len(session.Answers()))
	}
	if _, err := session.Outcome(t.Context()); !errors.Is(err, context.Canceled) {
		t.Errorf("an outcome: %v", err)
	}
}

func TestSessionsThatCannotBegin(t *testing.T) {
	x, _ := overlapping()
	gradient, sammon := evclus.Gradient, evclus.Sammon
	for says, s := range map[string]method.Settings{
		"needs the number of clusters": {},
		"one number of clusters": {Clusters: 2,
			Evidential: method.Evidential{MostClusters: 4}},
		"leave out --landmarks": {Clusters: 2, Evidential: method.Evidential{Landmarks: 10}},
		"too slow between questions": {Clusters: 2,
			Evidential: method.Evidential{Optimizer: &gradient}},
		"no row programmes": {Clusters: 2,
			Evidential: method.Evidential{Stress: &sammon}},
	} {
		m, _ := method.Find("evclus")
		if _, err := m.Begin(t.Context(), method.Problem{Data: x}, s); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v", says, err)
		}
	}
}
