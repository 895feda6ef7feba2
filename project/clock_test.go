package project

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project/store"
)

// A clock that is set back and forth between steps changes neither their order, nor what counts, nor
// what is undone.
func TestAClockThatIsSet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.kindred")
	d := at(t, path, few(t), "super-instances", "6")
	now := time.Now()
	for i, at := range []time.Time{now, now.Add(-5 * time.Hour), now.AddDate(10, 0, 0),
		now.AddDate(-10, 0, 0)} {
		id := "step" + string('a'+rune(i))
		_, wait, err := d.submit(t.Context(), "", id, request{}, func() ([]store.Event, error) {
			return []store.Event{{Step: store.Unknown, A: d.data.ID(2 * i), B: d.data.ID(2*i + 1),
				ID: id, At: at}}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if err := wait(); err != nil {
			t.Fatal(err)
		}
	}
	look := func(d *Project, want string) {
		t.Helper()
		var rows []string
		for _, l := range d.history.Answers() {
			rows = append(rows, l.A+"-"+l.B)
		}
		if got := strings.Join(rows, " "); got != want {
			t.Errorf("the answers are %q, want %q", got, want)
		}
		all := d.history.All()
		if !slices.IsSortedFunc(all, func(a, b store.Event) int { return int(a.Seq - b.Seq) }) {
			t.Errorf("the steps are %+v", all)
		}
	}
	pairs := make([]string, 4)
	for i := range pairs {
		pairs[i] = d.data.ID(2*i) + "-" + d.data.ID(2*i+1)
	}
	look(d, strings.Join(pairs, " "))
	if _, err := d.Undo(t.Context(), "", "undo"); err != nil {
		t.Fatal(err)
	}
	look(d, strings.Join(pairs[:3], " "))
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = at(t, path, "")
	look(d, strings.Join(pairs[:3], " "))
	if _, err := d.Redo(t.Context(), "", "redo"); err != nil {
		t.Fatal(err)
	}
	look(d, strings.Join(pairs, " "))
}

// How long a question stays with a person does not depend on what the clock is set to.
func TestQuestionsAreKeptByTheTimeThatPasses(t *testing.T) {
	d := at(t, filepath.Join(t.TempDir(), "test.kindred"), few(t), "super-instances", "6")
	if _, err := d.Turn(t.Context(), "ann"); err != nil {
		t.Fatal(err)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	l := d.at("ann").lease
	if l == nil {
		t.Fatal("no question is with a person who was asked")
	}
	if !strings.Contains(l.at.String(), " m=") { // a reading of the clock that nobody sets
		t.Errorf("the question is kept from %v", l.at)
	}
}
