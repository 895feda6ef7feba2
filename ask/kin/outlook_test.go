package kin_test

import (
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
)

// TestTheOutlookDoesNotJump: how many answers are likely to follow never changes by more than half
// with one answer, and what is shown of it changes seldom.
func TestTheOutlookDoesNotJump(t *testing.T) {
	for _, name := range []string{"iris", "wine", "digits"} {
		x, classes := prepared(t, name)
		run := begin(t, x, kin.Config{})
		before, jumps, least, upto, changes := 0, 0, -1, -1, 0
		const answers = 60
		for range answers {
			q, ok := run.Next()
			if !ok {
				break
			}
			likely, most := run.Remaining()
			if likely < 1 || most < likely {
				t.Fatalf("%s: %d are likely, %d at most", name, likely, most)
			}
			if before > 0 && (2*likely > 3*before+1 || 2*likely < before-1) {
				jumps++
			}
			if l, u := ask.Between(likely, most); l != least || u != upto {
				changes++
				least, upto = l, u
			}
			before = likely
			if err := run.Answer(truly(classes, q.A, q.B)); err != nil {
				t.Fatal(err)
			}
		}
		t.Logf("%s: %d jumps, %d changes of what is shown", name, jumps, changes)
		if jumps > 0 || changes > answers/3 {
			t.Errorf("%s: %d times it changed by more than half, and what is shown %d times in %d "+
				"answers", name, jumps, changes, answers)
		}
	}
}

// TestTheOutlookFollowsFromTheAnswers, however often somebody looked.
func TestTheOutlookFollowsFromTheAnswers(t *testing.T) {
	x, classes := prepared(t, "iris")
	looked, blind := begin(t, x, kin.Config{}), begin(t, x, kin.Config{})
	for range 20 {
		q, _ := looked.Next()
		looked.Remaining()
		looked.Queue(3)
		if err := looked.Answer(truly(classes, q.A, q.B)); err != nil {
			t.Fatal(err)
		}
	}
	looked.Undo()
	for _, l := range looked.Answers() {
		if err := blind.Tell(l); err != nil {
			t.Fatal(err)
		}
	}
	want, _ := blind.Remaining()
	if got, _ := looked.Remaining(); got != want {
		t.Errorf("%d answers are likely to follow, and %d by the same answers read at once", got, want)
	}
}

// prepared returns a sample as it is clustered by default.
func prepared(t *testing.T, name string) (dataset.Matrix, []int32) {
	t.Helper()
	s, ok := sample.Find(name)
	if !ok {
		t.Fatalf("there is no sample %s", name)
	}
	f, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	table, err := dataset.ReadStream(t.Context(), f, s.Name, dataset.ReadOptions{Label: s.Label})
	if err != nil {
		t.Fatal(err)
	}
	p, err := table.Prepare(t.Context(), dataset.Preparation{})
	if err != nil {
		t.Fatal(err)
	}
	classes, _, _ := table.Labels()
	return p.X, classes
}
