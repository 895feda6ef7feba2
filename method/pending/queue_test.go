//go:build ignore

package method_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// TestEverySessionServesSeveralPeople holds what any session owes them: a queue of different
// questions that begins with the next one and moves nothing, answers told in any order, guesses,
// and looks that may be cut short.
func TestEverySessionServesSeveralPeople(t *testing.T) {
	x, classes := overlapping()
	p := method.Problem{Data: x, Classes: classes}
	settings := method.Settings{Clusters: 2, Threads: 2}
	for _, m := range asks() {
		s := begin(t, m, p, settings)
		var said []link.Link
		for range 3 {
			if err := s.Look(t.Context()); err != nil {
				t.Fatal(err)
			}
			next, _ := s.Next()
			queue := s.Queue(4)
			if len(queue) != 4 || queue[0].Question != next {
				t.Fatalf("%s: %d questions, the first %+v, next is %+v", m.Name, len(queue),
					queue[0].Question, next)
			}
			if after, _ := s.Next(); after != next || !reflect.DeepEqual(s.Queue(4), queue) {
				t.Errorf("%s: a queue moved something", m.Name)
			}
			pairs := map[[2]int]bool{}
			for i, prompt := range queue {
				q := prompt.Question
				l := link.Link{A: q.A, B: q.B, Kind: link.CannotLink,
					Source: fmt.Sprint("person ", i)}
				if classes[q.A] == classes[q.B] {
					l.Kind = link.MustLink
				}
				pairs[l.Pair()] = true
				if (prompt.Group != nil) != (m.Evidential && !m.Strategic()) ||
					q.Number != next.Number+i || q.Why == "" {
					t.Errorf("%s: prompt %d is %+v", m.Name, i, prompt)
				}
				if prompt.Group != nil &&
					(prompt.Group.Object != q.A ||
						prompt.Group.References[prompt.Group.Ask].Object != q.B) {
					t.Errorf("%s: %+v is asked of %+v", m.Name, q, *prompt.Group)
				}
				said = append(said, l)
			}
			if len(pairs) != 4 {
				t.Errorf("%s: the pairs %v", m.Name, pairs)
			}
			for _, l := range said[len(said)-4:] {
				if err := s.Tell(l); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !slices.Equal(s.Answers(), said) {
			t.Errorf("%s: keeps %+v", m.Name, s.Answers())
		}
		for _, l := range said {
			if same, words := s.Guess(l.B, l.A); same != float64(2-l.Kind) || words == "" {
				t.Errorf("%s: guesses %v (%s) of a pair that is %v", m.Name, same, words, l.Kind)
			}
		}
		other := begin(t, m, p, settings)
		if err := other.Restore(said, nil); err != nil {
			t.Fatal(err)
		}
		ended, cancel := context.WithCancel(t.Context())
		cancel()
		if err := other.Look(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: a look without time: %v", m.Name, err)
		}
		if _, err := other.Outcome(ended); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: an outcome without time: %v", m.Name, err)
		}
		got, err := s.Outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		want, err := other.Outcome(t.Context())
		if err != nil || !reflect.DeepEqual(got, want) || len(got.Asked) != 12 {
			t.Errorf("%s: told %+v\nrestored %+v (%v)", m.Name, got, want, err)
		}
		one, _ := s.Next()
		if two, _ := other.Next(); one != two {
			t.Errorf("%s: asks %+v, and %+v when restored", m.Name, one, two)
		}
		refused := said[0]
		refused.Kind = 3 - refused.Kind // told again, the other way round
		if err := s.Tell(refused); err == nil && s.Answers()[0] != refused {
			t.Errorf("%s: keeps %+v", m.Name, s.Answers()[0])
		}
	}
}

// TestRowsLeftOutAreInNoCluster of any outcome, nor asked about, and come back.
func TestRowsLeftOutAreInNoCluster(t *testing.T) {
	x, classes := overlapping()
	for _, m := range asks() {
		s := begin(t, m, method.Problem{Data: x, Classes: classes},
			method.Settings{Clusters: 2, SuperInstances: 15})
		if err := ask.Drive(t.Context(), s.Session, ask.Labels(classes), 6, nil); err != nil {
			t.Fatal(err)
		}
		whole, err := s.Outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
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
				t.Errorf("%s: asks %+v", m.Name, q)
			}
			if err := s.Answer(link.Unknown); err != nil {
				t.Fatal(err)
			}
		}
		got, err := s.Outcome(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for row, l := range got.Labels {
			if noise := slices.Contains(m.Takes, "min-points"); (l == 0) != slices.Contains(out,
				row) && !noise || l > got.Clusters {
				t.Errorf("%s: row %d is in cluster %d of %d", m.Name, row, l, got.Clusters)
			}
		}
		if !slices.Equal(got.Excluded, out) ||
			!slices.ContainsFunc(got.Notes,
				func(n string) bool { return strings.Contains(n, "left out as bad data") }) {
			t.Errorf("%s: leaves out %v, notes %q", m.Name, got.Excluded, got.Notes)
		}
		switch model := got.Model; {
		case model == nil && m.Sammon(method.Settings{}):
		case model.Credal():
			if slices.ContainsFunc(model.Landmarks.Which,
				func(i int32) bool { return slices.Contains(out, int(i)) }) ||
				model.Landmarks.Len() != x.Rows-len(out) {
				t.Errorf("%s: landmarks %v", m.Name, model.Landmarks.Which)
			}
			if len(got.Was) != 2 {
				t.Errorf("%s: clusters were %v", m.Name, got.Was)
			}
		case model.Exemplars != nil:
			if slices.ContainsFunc(model.Exemplars.Which,
				func(i int32) bool { return slices.Contains(out, int(i)) }) ||
				len(model.Exemplars.ClusterOf) == 0 {
				t.Errorf("%s: places by rows %v", m.Name, model.Exemplars.Which)
			}
		case model.Means.Rows != len(model.ClusterOf) || slices.Contains(model.ClusterOf, 0) ||
			m.Name == "cobra" && model.Means.Rows >= len(got.Medoids):
			t.Errorf("%s: %d means of clusters %v", m.Name, model.Means.Rows, model.ClusterOf)
		}
		certainty, err := method.Doubts(t.Context(), method.Problem{Data: x}, got, 1)
		if err != nil || certainty.Certainty[3] != 0 || certainty.Other[3] != 0 ||
			certainty.Words(3) != "left out as bad data" {
			t.Errorf("%s: %v", m.Name, err)
		}
		s.Exclude(nil)
		if back, err := s.Outcome(t.Context()); err != nil || back.Excluded != nil ||
			slices.Contains(back.Labels, 0) && !slices.Contains(m.Takes, "min-points") {
			t.Errorf("%s: %v is left out (%v)", m.Name, back.Excluded, err)
		}
		all := make([]int, x.Rows)
		for i := range all {
			all[i] = i
		}
		s.Exclude(all)
		if none, err := s.Outcome(t.Context()); err != nil || slices.Max(none.Labels) != 0 ||
			none.Model != nil {
			t.Errorf("%s: %+v of no row (%v)", m.Name, none, err)
		} else if _, err := method.Doubts(t.Context(), method.Problem{Data: x}, none,
			1); err != nil {
			t.Error(err)
		}
	}
}
