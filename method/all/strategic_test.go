package all_test

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
	"github.com/kindred-go/kindred/method/all"
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

// find returns a method by its name.
func find(t testing.TB, name string) method.Method {
	t.Helper()
	m, err := all.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// start begins to ask by a method of that name.
func start(t testing.TB, name string, p method.Problem, v values) *method.Session {
	t.Helper()
	return begin(t, find(t, name), p, v)
}

// refused returns the error of a session that cannot begin.
func refused(t testing.TB, name string, p method.Problem, v values) error {
	t.Helper()
	c, err := find(t, name).With(v)
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.Begin(t.Context(), p)
	return err
}

// TestEveryStrategyForEveryMethod that asks by one: a session goes on, is the same when its answers
// are given to another one, and ends in as many groups as the method finds, with what it could not
// honour.
func TestEveryStrategyForEveryMethod(t *testing.T) {
	p := threeGroups(45)
	for _, m := range all.List() {
		if !m.Strategic() || m.Name == "cevclus" { // which is slow
			continue
		}
		for _, s := range strategy.List() {
			name := s.Name
			v := values{"clusters": "3", "seed": "2", "strategy": name}
			if s.NeedsMasses && !m.Masses {
				if err := refused(t, m.Name, p, v); !fault.IsInput(err) ||
					!strings.Contains(err.Error(), "a method with masses") {
					t.Errorf("%s by %s: %v", m.Name, name, err)
				}
				continue
			}
			if testing.Short() && s.Refits && m.Name != "pckmeans" && m.Name != "cecm" {
				continue
			}
			run, other := begin(t, m, p, v), begin(t, m, p, v)
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
					t.Errorf("%s by %s: the answer %v is neither met nor reported", m.Name, name, l)
				}
			}
		}
	}
}

// TestFittedUnderAnswers: the outcome of a session is that of one fit under links that are the
// same, and no change of an outcome changes the session.
func TestFittedUnderAnswers(t *testing.T) {
	p := threeGroups(60)
	v := values{"clusters": "3", "strategy": strategy.RandomOrder}
	run := start(t, "lcvqe", p, v)
	if err := ask.Drive(t.Context(), run.Session, ask.Labels(p.Classes), 30, nil); err != nil {
		t.Fatal(err)
	}
	out, err := run.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	m := find(t, "lcvqe")
	linked := p
	linked.Links = run.Answers()
	want, err := plain(t.Context(), m, linked, v)
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
	asked, err := answered(t.Context(), m, p, v, 30)
	if err != nil || !slices.Equal(asked.Labels, kept) || asked.Queries != 30 {
		t.Errorf("a fit that asks labels ends elsewhere (%v)", err)
	}
}

// TestAnswersWithoutABudget are a hundred, which a note reports.
func TestAnswersWithoutABudget(t *testing.T) {
	out, err := answered(t.Context(), find(t, "lcvqe"), threeGroups(60),
		values{"clusters": "3", "strategy": strategy.Random}, 0)
	if err != nil || out.Queries != method.DefaultBudget ||
		!slices.ContainsFunc(out.Notes,
			func(n string) bool { return strings.Contains(n, "--budget") }) {
		t.Errorf("%d answers, notes %q (%v)", out.Queries, out.Notes, err)
	}
}

// TestAStrategyThatAsksNobody has no effect, which a note reports.
func TestAStrategyThatAsksNobody(t *testing.T) {
	for _, v := range []values{{"clusters": "3"},
		{"clusters": "3", "strategy": strategy.NPU}} {
		out, err := plain(t.Context(), find(t, "pckmeans"), threeGroups(30), v)
		if err != nil {
			t.Fatal(err)
		}
		_, given := v["strategy"]
		if noted := slices.ContainsFunc(out.Notes, func(n string) bool {
			return strings.Contains(n, "nobody was asked")
		}); noted != given {
			t.Errorf("%v: notes %q", v, out.Notes)
		}
	}
}

// TestTheChoiceOfStrategy is minmax where the number of clusters is known, and a note names it.
func TestTheChoiceOfStrategy(t *testing.T) {
	p := threeGroups(30)
	for want, v := range map[string]values{
		strategy.MinMax: {"clusters": "3"}, strategy.FarthestFirst: {},
	} {
		run := start(t, "ssdbscan", p, v)
		if notes := strings.Join(run.Notes, "\n"); !strings.Contains(notes, "by "+want+",") {
			t.Errorf("%v: %q, want %s", v, notes, want)
		}
	}
	if err := refused(t, "lcvqe", p, nil); !fault.IsInput(err) {
		t.Errorf("lcvqe without a number of clusters: %v", err)
	}
	known := p
	known.Known = p.Classes
	if err := refused(t, "seeded-kmeans", known, values{"clusters": "3"}); !fault.IsInput(err) {
		t.Errorf("questions beside known classes: %v", err)
	}
}

// TestWhatAnswersCannotDo: before there is anything to learn from, all rows are one group, and a
// note reports why; a fit under the answers of labels fails instead.
func TestWhatAnswersCannotDo(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "ssdbscan", p, nil)
	out, err := run.Outcome(t.Context())
	if err != nil || out.Clusters != 1 || !out.Unfinished || len(out.Notes) == 0 {
		t.Fatalf("%+v (%v)", out, err)
	}
	if same, _ := run.Guess(0, 1); same != 0.5 {
		t.Errorf("before anything is known, two rows are the same by %g", same)
	}
	p.Classes = slices.Repeat([]int32{-1}, 30) // who never knows
	if _, err := answered(t.Context(), find(t, "ssdbscan"), p, nil, 3); !fault.IsInput(err) {
		t.Errorf("nothing is known, and the fit returns %v", err)
	}
}

// TestQuestionsWhereNothingIsFitted: strategies that look at groups go on where answers allow none,
// as before there are classes, or after wrong ones that tell more rows apart than there are
// clusters. They look at the groups without answers; a fit under the answers of labels fails in the
// end alone.
func TestQuestionsWhereNothingIsFitted(t *testing.T) {
	p := threeGroups(30)
	if out, err := answered(t.Context(), find(t, "ssdbscan"), p,
		values{"strategy": strategy.NPU}, 12); err != nil || out.Queries != 12 {
		t.Errorf("ssdbscan by npu: %v", err)
	}
	for name, by := range map[string]string{"ssnb": strategy.Nonspecificity,
		"copkmeans": strategy.NPU} {
		v := values{"clusters": "3", "strategy": by}
		run := start(t, name, p, v)
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
		wrong := p
		wrong.Classes = make([]int32, 30)
		for row := range wrong.Classes {
			wrong.Classes[row] = int32(row) // all differ
		}
		if _, err := answered(t.Context(), find(t, name), wrong, v, 40); !fault.IsInput(err) {
			t.Errorf("%s by %s: all rows differ, and the fit returns %v", name, by, err)
		}
	}
}

// TestRowsLeftOutOfASession are in no cluster, and are not asked about.
func TestRowsLeftOutOfASession(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "pckmeans", p, values{"clusters": "3"})
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

// TestGuessesAndReasons: what is entailed is certain, else it goes by the groups so far; reasons
// call the rows by name.
func TestGuessesAndReasons(t *testing.T) {
	p := threeGroups(30)
	run := start(t, "pckmeans", p,
		values{"clusters": "3", "strategy": strategy.MinMax})
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
	run := start(t, "pckmeans", p, values{"clusters": "3", "strategy": strategy.NPU})
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
	noisy, err := ask.Noisy(ask.Labels(p.Classes), 0.15, 0, 0)
	if err != nil {
		t.Fatal(err)
	}
	answer := func(v values) (*method.Outcome, error) {
		c, err := find(t, "pckmeans").With(v)
		if err != nil {
			t.Fatal(err)
		}
		return c.Answered(t.Context(), p, noisy, 80)
	}
	v := values{"clusters": "3", "strategy": strategy.Random}
	var clash *link.Contradiction
	if _, err := answer(v); !errors.As(err, &clash) || len(clash.Chain) == 0 {
		t.Errorf("refused: %v", err)
	}
	v["contradictions"] = "keep"
	if out, err := answer(v); err != nil || out.Queries != 80 {
		t.Errorf("kept: %v", err)
	}
}
