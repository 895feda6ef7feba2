//go:build ignore

package method_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// threeGroups are rows around three places that overlap a little, with their classes.
func threeGroups(n int) method.Problem {
	rng := rand.New(rand.NewPCG(4, 2))
	p := method.Problem{Data: dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 2*n)},
		Classes: make([]int32, n)}
	for i := range n {
		p.Classes[i] = int32(i % 3)
		p.Data.F64[2*i] = float64(3*(i%3)) + rng.NormFloat64()
		p.Data.F64[2*i+1] = float64(3*(i%3%2)) + rng.NormFloat64()
	}
	return p
}

func start(t testing.TB, name string, p method.Problem, s method.Settings) *method.Session {
	t.Helper()
	m, err := method.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	session, err := m.Begin(t.Context(), p, s)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

// TestEveryStrategyForEveryMethod that asks by one: a session goes on, is the same when its answers
// are given to another one, and ends in as many groups as the method finds, with what it could not
// honour.
func TestEveryStrategyForEveryMethod(t *testing.T) {
	p := threeGroups(45)
	for _, m := range method.List() {
		if !m.Strategic() || m.Sammon(method.Settings{}) {
			continue
		}
		for _, name := range strategy.Names() {
			s := method.Settings{Clusters: 3, Seed: 2, Asking: method.Asking{Strategy: name}}
			if name == strategy.Nonspecificity && !m.Masses {
				if _, err := m.Begin(t.Context(), p, s); !fault.IsInput(err) ||
					!strings.Contains(err.Error(), "cecm") {
					t.Errorf("%s by %s: %v", m.Name, name, err)
				}
				continue
			}
			if testing.Short() && strategy.Reclusters(name) && m.Name != "pckmeans" &&
				m.Name != "cecm" {
				continue
			}
			run, other := start(t, m.Name, p, s), start(t, m.Name, p, s)
			if err := ask.Drive(t.Context(), run.Session, ask.Labels(p.Classes), 8,
				nil); err != nil {
				t.Errorf("%s by %s: %v", m.Name, name, err)
				continue
			}
			if err := other.Restore(run.Answers(), nil); err != nil {
				t.Fatal(err)
			}
			a, _ := run.Next()
			b, _ := other.Next()
			if a != b || a.Number != 9 {
				t.Errorf("%s by %s: it goes on with %v, and with %v when taken up", m.Name, name, a,
					b)
			}
			x, err := run.Outcome(t.Context())
			if err != nil {
				t.Errorf("%s by %s: %v", m.Name, name, err)
				continue
			}
			y, _ := other.Outcome(t.Context())
			if !slices.Equal(x.Labels, y.Labels) || x.Queries != 8 || len(x.Asked) != 8 {
				t.Errorf("%s by %s: other groups when taken up, or %d answers", m.Name, name,
					x.Queries)
			}
			for _, l := range link.Violated(x.Labels, x.Asked) {
				if !slices.ContainsFunc(x.Unmet,
					func(u link.Link) bool { return u.Pair() == l.Pair() }) {
					t.Errorf("%s by %s: the answer %v is not met, and not told", m.Name, name, l)
				}
			}
		}
	}
}

// TestFittedUnderAnswers is what one fit under links gives that are the same, and no later look at
// it changes it.
func TestFittedUnderAnswers(t *testing.T) {
	p := threeGroups(60)
	s := method.Settings{Clusters: 3, Asking: method.Asking{Strategy: strategy.RandomOrder}}
	run := start(t, "lcvqe", p, s)
	if err := ask.Drive(t.Context(), run.Session, ask.Labels(p.Classes), 30, nil); err != nil {
		t.Fatal(err)
	}
	out, err := run.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m, _ := method.Find("lcvqe")
	linked := p
	linked.Links = run.Answers()
	want, err := m.Fit(t.Context(), linked, s)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(out.Labels, want.Labels) || out.Objective != want.Objective {
		t.Error("a session ends elsewhere than a fit under its answers")
	}
	kept := slices.Clone(out.Labels)
	out.Labels[0] = 99
	if again, _ := run.Outcome(t.Context()); !slices.Equal(again.Labels, kept) {
		t.Error("who changed an outcome changed the session")
	}
	s.AskLabels, s.Budget = true, 30
	asked, err := m.Fit(t.Context(), p, s)
	if err != nil || !slices.Equal(asked.Labels, kept) || asked.Queries != 30 {
		t.Errorf("a fit that asks labels ends elsewhere (%v)", err)
	}
}

// TestAnswersWithoutABudget are a hundred, which is said.
func TestAnswersWithoutABudget(t *testing.T) {
	m, _ := method.Find("lcvqe")
	s := method.Settings{Clusters: 3, AskLabels: true,
		Asking: method.Asking{Strategy: strategy.Random}}
	out, err := m.Fit(t.Context(), threeGroups(60), s)
	if err != nil || out.Queries != method.DefaultBudget ||
		!slices.ContainsFunc(out.Notes,
			func(n string) bool { return strings.Contains(n, "--budget") }) {
		t.Errorf("%d answers, notes %q (%v)", out.Queries, out.Notes, err)
	}
}

// TestAStrategyThatAsksNobody is said to mean nothing.
func TestAStrategyThatAsksNobody(t *testing.T) {
	m, _ := method.Find("pckmeans")
	for _, by := range []method.Asking{{}, {Strategy: strategy.NPU}, {OracleErrors: 0.1},
		{OracleUnknowns: 0.1}} {
		out, err := m.Fit(t.Context(), threeGroups(30), method.Settings{Clusters: 3, Asking: by})
		if err != nil {
			t.Fatal(err)
		}
		if said := slices.ContainsFunc(out.Notes,
			func(n string) bool { return strings.Contains(n, "nobody was asked") }); said == (by == method.Asking{}) {
			t.Errorf("%+v: notes %q", by, out.Notes)
		}
	}
}

// TestTheChoiceOfStrategy is minmax where the number of clusters is known, and said.
func TestTheChoiceOfStrategy(t *testing.T) {
	p := threeGroups(30)
	for clusters, want := range map[int]string{3: strategy.MinMax, 0: strategy.FarthestFirst} {
		run := start(t, "ssdbscan", p, method.Settings{Clusters: clusters})
		if notes := strings.Join(run.Notes, "\n"); !strings.Contains(notes, "by "+want+",") {
			t.Errorf("%d clusters: %q, want %s", clusters, notes, want)
		}
	}
	m, _ := method.Find("lcvqe")
	if _, err := m.Begin(t.Context(), p, method.Settings{}); !fault.IsInput(err) {
		t.Errorf("lcvqe without a number of clusters: %v", err)
	}
	s, _ := method.Find("seeded-kmeans")
	known := p
	known.Known = p.Classes
	if _, err := s.Begin(t.Context(), known, method.Settings{Clusters: 3}); !fault.IsInput(err) {
		t.Errorf("questions beside known classes: %v", err)
	}
}

// TestWhatAnswersCannotDo: before there is anything to learn from, all rows are one group, and why
// is said; a fit that asks labels fails instead.
func TestWhatAnswersCannotDo(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "ssdbscan", p, method.Settings{})
	out, err := run.Outcome(t.Context())
	if err != nil || out.Clusters != 1 || !out.Unfinished || len(out.Notes) == 0 {
		t.Fatalf("%+v (%v)", out, err)
	}
	if same, _ := run.Guess(0, 1); same != 0.5 {
		t.Errorf("before anything is known, two rows are the same by %g", same)
	}
	p.Classes = slices.Repeat([]int32{-1}, 30) // who never knows
	m, _ := method.Find("ssdbscan")
	if _, err := m.Fit(t.Context(), p,
		method.Settings{AskLabels: true, Budget: 3}); !fault.IsInput(err) {
		t.Errorf("nothing is known, and the fit says %v", err)
	}
}

// TestQuestionsWhereNothingIsFitted: strategies that look at groups go on where answers allow none,
// as before there are classes, or after wrong ones that tell more rows apart than there are
// clusters. They look at the groups without answers; a fit that asks labels fails in the end alone.
func TestQuestionsWhereNothingIsFitted(t *testing.T) {
	p := threeGroups(30)
	m, _ := method.Find("ssdbscan")
	byNPU := method.Asking{Strategy: strategy.NPU}
	if out, err := m.Fit(t.Context(), p,
		method.Settings{AskLabels: true, Budget: 12, Asking: byNPU}); err != nil ||
		out.Queries != 12 {
		t.Errorf("ssdbscan by npu: %v", err)
	}
	for name, by := range map[string]string{"ssnb": strategy.Nonspecificity,
		"copkmeans": strategy.NPU} {
		s := method.Settings{Clusters: 3, Asking: method.Asking{Strategy: by}}
		run := start(t, name, p, s)
		first, _ := run.Next()
		for a := range 4 {
			for b := range a {
				if err := run.Tell(link.Link{A: a, B: b, Kind: link.CannotLink}); err != nil {
					t.Fatal(err)
				}
			}
		}
		q, more := run.Next()
		if run.Err() != nil || !more {
			t.Fatalf("%s by %s: four that differ end the questions: %v", name, by,
				run.Err())
		}
		out, err := run.Outcome(t.Context())
		if err != nil || !out.Unfinished || !strings.Contains(out.Notes[0], "4") {
			t.Errorf("%s by %s: %v (%v)", name, by, out.Notes, err)
		}
		if again, _ := run.Next(); again != q {
			t.Errorf("%s by %s: a look at the groups changes the question", name, by)
		}
		for range 6 {
			run.Undo()
		}
		if again, _ := run.Next(); again != first {
			t.Errorf("%s by %s: taken back, it asks %v and not %v", name, by, again, first)
		}
		s.AskLabels, s.Budget = true, 40
		wrong := p
		wrong.Classes = make([]int32, 30)
		for row := range wrong.Classes {
			wrong.Classes[row] = int32(row) // all differ
		}
		m, _ := method.Find(name)
		if _, err := m.Fit(t.Context(), wrong, s); !fault.IsInput(err) {
			t.Errorf("%s by %s: all rows differ, and the fit says %v", name, by, err)
		}
	}
}

// TestRowsLeftOutOfASession are in no cluster, and are not asked about.
func TestRowsLeftOutOfASession(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "pckmeans", p, method.Settings{Clusters: 3})
	run.Exclude([]int{4, 5})
	for _, prompt := range run.Queue(20) {
		for _, row := range []int{4, 5} {
			if prompt.Question.A == row || prompt.Question.B == row {
				t.Errorf("row %d is asked about", row)
			}
		}
	}
	out, err := run.Outcome(t.Context())
	if err != nil || out.Labels[4] != 0 || out.Labels[5] != 0 || out.Labels[6] == 0 ||
		!slices.Equal(out.Excluded, []int{4, 5}) {
		t.Errorf("labels %v, left out %v (%v)", out.Labels, out.Excluded, err)
	}
}

// TestGuessesAndReasons: what is entailed is certain, else the groups so far say; reasons call the
// rows by name.
func TestGuessesAndReasons(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "pckmeans", p,
		method.Settings{Clusters: 3, Asking: method.Asking{Strategy: strategy.MinMax}})
	for _, l := range []link.Link{{A: 0, B: 3, Kind: link.MustLink},
		{A: 3, B: 1, Kind: link.CannotLink}} {
		if err := run.Tell(l); err != nil {
			t.Fatal(err)
		}
	}
	out, err := run.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	apart, together := 1, 1
	for row := 2; row < 30; row++ {
		if out.Labels[row] == out.Labels[2] && row != 2 {
			together = row
		} else if out.Labels[row] != out.Labels[2] {
			apart = row
		}
	}
	for _, c := range []struct {
		a, b int
		want float64
	}{{0, 3, 1}, {1, 0, 0}, {2, together, 0.75}, {2, apart, 0.25}, {0, 99, 0.5}} {
		if same, words := run.Guess(c.a, c.b); same != c.want || words == "" {
			t.Errorf("rows %d and %d are the same by %g (%s), want %g", c.a, c.b, same, words,
				c.want)
		}
	}
	q, _ := run.Next()
	if why := ask.Why(q, func(row int) string { return "ROW" }); !strings.Contains(why,
		"ROW is far") || !strings.Contains(why, "ROW stands") {
		t.Errorf("why: %s", why)
	}
}

// TestASessionIsCutShort and goes on.
func TestASessionIsCutShort(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "pckmeans", p,
		method.Settings{Clusters: 3, Asking: method.Asking{Strategy: strategy.NPU}})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := run.Look(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("a look that is cut short: %v", err)
	}
	if _, err := run.Outcome(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("an outcome that is cut short: %v", err)
	}
	if _, ok := run.Next(); !ok {
		t.Error("no question afterwards")
	}
	if _, err := run.Outcome(t.Context()); err != nil {
		t.Error(err)
	}
}

// TestAnswersThatClash are refused with the chain, or kept.
func TestAnswersThatClash(t *testing.T) {
	p := threeGroups(45)
	m, _ := method.Find("pckmeans")
	s := method.Settings{Clusters: 3, AskLabels: true, Budget: 80,
		Asking: method.Asking{Strategy: strategy.Random, OracleErrors: 0.15}}
	var clash *link.Contradiction
	if _, err := m.Fit(t.Context(), p, s); !errors.As(err, &clash) || len(clash.Chain) == 0 {
		t.Errorf("refused: %v", err)
	}
	s.Contradictions = link.Keep
	out, err := m.Fit(t.Context(), p, s)
	if err != nil || out.Queries != 80 {
		t.Errorf("kept: %v", err)
	}
	s.Asking.OracleErrors = 2
	if _, err := m.Fit(t.Context(), p, s); !fault.IsInput(err) {
		t.Errorf("twice as many mistakes as answers: %v", err)
	}
}
