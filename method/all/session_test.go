package all_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
)

// overlapping returns rows on a line in two groups that meet, with their classes.
func overlapping() method.Problem {
	p := method.Problem{Data: dataset.Matrix{Rows: 40, Cols: 1}, Threads: 2}
	for i := range p.Data.Rows {
		p.Data.F64 = append(p.Data.F64, float64(i*i%23)+float64(i%7)/10+10*float64(i/20))
		p.Classes = append(p.Classes, int32(i/20))
	}
	return p
}

// long is a problem about which the method asks for long.
func long(m method.Method) method.Problem {
	if !m.Condensed {
		return overlapping()
	}
	// It asks about dense parts: forty of six rows, all of a class of their own.
	p := method.Problem{Data: dataset.Matrix{Rows: 240, Cols: 1}, Threads: 2}
	for i := range p.Data.Rows {
		part := i / 6
		p.Data.F64 = append(p.Data.F64, float64(10*part+part*part%7)+float64(i*i%11)/20)
		p.Classes = append(p.Classes, int32(part))
	}
	return p
}

// eachAsking runs a part of the suite for all methods that ask.
func eachAsking(t *testing.T, do func(t *testing.T, m method.Method)) {
	for _, m := range all.List() {
		if m.Asks() {
			t.Run(m.Name, func(t *testing.T) {
				t.Parallel()
				do(t, m)
			})
		}
	}
}

// begin begins to ask by a method, under those of the values that it takes.
func begin(t testing.TB, m method.Method, p method.Problem, v values) *method.Session {
	t.Helper()
	c, err := m.With(valuesFor(m, v))
	if err != nil {
		t.Fatal(err)
	}
	session, err := c.Begin(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return session
}

func outcome(t testing.TB, s *method.Session) *method.Outcome {
	t.Helper()
	out, err := s.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestQuestionsOfTheirOwn lists the methods that have them.
func TestQuestionsOfTheirOwn(t *testing.T) {
	var own []string
	for _, m := range all.List() {
		if m.Asks() && !m.Strategic() {
			own = append(own, m.Name)
		}
	}
	if !slices.Equal(own, []string{"cobra", "cobras", "evclus", "hdbscan", "kevclus", "kin",
		"ncobras"}) {
		t.Errorf("methods with questions of their own: %v", own)
	}
}

// TestEverySessionIsTakenUpAgain holds what any session owes: the answers of one, given to another,
// bring the same question and the same outcome, what was taken back can be redone, and the outcome
// changes nothing of the session.
func TestEverySessionIsTakenUpAgain(t *testing.T) {
	eachAsking(t, func(t *testing.T, m method.Method) {
		p, v := long(m), values{"clusters": "2"}
		one := begin(t, m, p, v)
		if err := ask.Drive(t.Context(), one.Session, ask.Labels(p.Classes), 9, nil); err != nil {
			t.Fatal(err)
		}
		taken, ok := one.Undo()
		if !ok {
			t.Fatal("nothing to undo")
		}
		before := outcome(t, one)
		question, _ := one.Next()
		again, err := one.Outcome(t.Context())
		if err != nil || !slices.Equal(again.Labels, before.Labels) || before.Queries != 8 ||
			!slices.Equal(before.Asked, one.Answers()) {
			t.Errorf("another outcome the second time (%v), or %d answers", err, before.Queries)
		}

		two := begin(t, m, p, v)
		if err := two.Restore(one.Answers(), []link.Link{taken}); err != nil {
			t.Fatal(err)
		}
		if got, ok := two.Next(); !ok || got != question {
			t.Errorf("asks %+v, before %+v", got, question)
		}
		if out := outcome(t, two); !slices.Equal(out.Labels, before.Labels) {
			t.Error("other labels")
		}
		if got, ok := two.Redo(); !ok || got.A != taken.A || got.B != taken.B ||
			got.Kind != taken.Kind || len(two.Answers()) != 9 {
			t.Errorf("redo returns %+v, taken back was %+v", got, taken)
		}
		if why := ask.Why(question,
			func(row int) string { return fmt.Sprint("row ", row) }); why == "" {
			t.Error("no reason")
		}
	})
}

// TestEverySessionServesSeveralPeople holds what any session owes them: a queue of different
// questions that begins with the next one and moves nothing, answers told in any order, guesses,
// and looks that may be cut short.
func TestEverySessionServesSeveralPeople(t *testing.T) {
	eachAsking(t, func(t *testing.T, m method.Method) {
		p, v := long(m), values{"clusters": "2"}
		s := begin(t, m, p, v)
		var told []link.Link
		for range 3 {
			if err := s.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			told = append(told, queued(t, m, s, p.Classes)...)
			for _, l := range told[len(told)-4:] {
				if err := s.Tell(l); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !slices.Equal(s.Answers(), told) {
			t.Errorf("keeps %+v", s.Answers())
		}
		for _, l := range told {
			if same, words := s.Guess(l.B, l.A); same != float64(2-l.Kind) || words == "" {
				t.Errorf("guesses %v (%s) of a pair that is %v", same, words, l.Kind)
			}
		}
		other := begin(t, m, p, v)
		if err := other.Restore(told, nil); err != nil {
			t.Fatal(err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := other.Look(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("a look without time: %v", err)
		}
		if _, err := other.Outcome(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("an outcome without time: %v", err)
		}
		got, want := outcome(t, s), outcome(t, other)
		if !reflect.DeepEqual(got, want) || len(got.Asked) != 12 {
			t.Errorf("told %+v\nrestored %+v", got, want)
		}
		one, _ := s.Next()
		if two, _ := other.Next(); one != two {
			t.Errorf("asks %+v, and %+v when restored", one, two)
		}
		refused := told[0]
		refused.Kind = 3 - refused.Kind // told again, the other way round
		if err := s.Tell(refused); err == nil && s.Answers()[0] != refused {
			t.Errorf("keeps %+v", s.Answers()[0])
		}
	})
}

// queued checks a queue of four questions, and returns their answers, each by another person.
func queued(t *testing.T, m method.Method, s *method.Session, classes []int32) []link.Link {
	t.Helper()
	next, _ := s.Next()
	queue := s.Queue(4)
	if len(queue) != 4 || queue[0].Question != next {
		t.Fatalf("%d questions, the first %+v, next is %+v", len(queue), queue[0].Question, next)
	}
	if after, _ := s.Next(); after != next || !reflect.DeepEqual(s.Queue(4), queue) {
		t.Error("a queue moved something")
	}
	var answers []link.Link
	pairs := map[[2]int]bool{}
	for i, prompt := range queue {
		q := prompt.Question
		l := link.Link{A: q.A, B: q.B, Kind: link.CannotLink, Source: fmt.Sprint("person ", i)}
		if classes[q.A] == classes[q.B] {
			l.Kind = link.MustLink
		}
		pairs[l.Pair()] = true
		inGroups := m.Name == "evclus" || m.Name == "kevclus"
		if (prompt.Group != nil) != inGroups || q.Number != next.Number+i || q.Why == "" {
			t.Errorf("prompt %d is %+v", i, prompt)
		}
		if prompt.Group != nil && (prompt.Group.Object != q.A ||
			prompt.Group.References[prompt.Group.Ask].Object != q.B) {
			t.Errorf("%+v is asked of %+v", q, *prompt.Group)
		}
		answers = append(answers, l)
	}
	if len(pairs) != 4 {
		t.Errorf("the pairs %v", pairs)
	}
	return answers
}

// TestRowsLeftOutAreInNoCluster of any outcome, nor asked about, and come back.
func TestRowsLeftOutAreInNoCluster(t *testing.T) {
	eachAsking(t, func(t *testing.T, m method.Method) {
		p := overlapping()
		s := begin(t, m, p, values{"clusters": "2", "super-instances": "15"})
		if err := ask.Drive(t.Context(), s.Session, ask.Labels(p.Classes), 6, nil); err != nil {
			t.Fatal(err)
		}
		whole := outcome(t, s)
		out := []int{3, 17, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39}
		if m.Name == "cobra" { // all of one cluster
			for row, l := range whole.Labels {
				if l == whole.Clusters && !slices.Contains(out, row) {
					out = append(out, row)
				}
			}
		}
		s.Exclude(append([]int{500, -1}, out...))
		slices.Sort(out)
		for range 8 {
			q, ok := s.Next()
			if !ok {
				break
			}
			if slices.Contains(out, q.A) || slices.Contains(out, q.B) {
				t.Errorf("asks %+v", q)
			}
			if err := s.Answer(link.Unknown); err != nil {
				t.Fatal(err)
			}
		}
		got := outcome(t, s)
		noise := m.Takes("min-points")
		for row, l := range got.Labels {
			if (l == 0) != slices.Contains(out, row) && !noise || l > got.Clusters {
				t.Errorf("row %d is in cluster %d of %d", row, l, got.Clusters)
			}
		}
		if !slices.Equal(got.Excluded, out) ||
			!slices.ContainsFunc(got.Notes,
				func(n string) bool { return strings.Contains(n, "left out as bad data") }) {
			t.Errorf("leaves out %v, notes %q", got.Excluded, got.Notes)
		}
		placesWithout(t, m, got, p.Data.Rows-len(out))
		certainty, err := method.Doubts(t.Context(), method.Problem{Data: p.Data}, got, 1)
		if err != nil || certainty.Certainty[3] != 0 || certainty.Other[3] != 0 ||
			certainty.Words(3) != "left out as bad data" {
			t.Errorf("%v", err)
		}
		s.Exclude(nil)
		if back := outcome(t, s); back.Excluded != nil ||
			slices.Contains(back.Labels, 0) && !noise {
			t.Errorf("%v is left out", back.Excluded)
		}
		every := make([]int, p.Data.Rows)
		for i := range every {
			every[i] = i
		}
		s.Exclude(every)
		none := outcome(t, s)
		if slices.Max(none.Labels) != 0 || none.Model != nil {
			t.Errorf("%+v of no row", none)
		}
		if _, err := method.Doubts(t.Context(), method.Problem{Data: p.Data}, none,
			1); err != nil {
			t.Error(err)
		}
	})
}

// placesWithout checks that the model of an outcome keeps no row that is left out; rows are those
// that are not.
func placesWithout(t *testing.T, m method.Method, got *method.Outcome, rows int) {
	t.Helper()
	excluded := func(i int32) bool { return slices.Contains(got.Excluded, int(i)) }
	switch model := got.Model; {
	case model == nil:
		if m.Name != "cevclus" { // the Sammon stress places no new rows
			t.Error("there is no model")
		}
	case model.Landmarks != nil:
		if slices.ContainsFunc(model.Landmarks.Which, excluded) ||
			model.Landmarks.By.Len() != rows {
			t.Errorf("landmarks %v", model.Landmarks.Which)
		}
		if len(got.Was) != 2 {
			t.Errorf("clusters were %v", got.Was)
		}
	case model.Exemplars != nil:
		if slices.ContainsFunc(model.Exemplars.Which, excluded) ||
			len(model.Exemplars.ClusterOf) == 0 {
			t.Errorf("places by rows %v", model.Exemplars.Which)
		}
	case model.Means.Rows != len(model.ClusterOf) || slices.Contains(model.ClusterOf, 0) ||
		m.Name == "cobra" && model.Means.Rows >= len(got.Medoids):
		t.Errorf("%d means of clusters %v", model.Means.Rows, model.ClusterOf)
	}
}
