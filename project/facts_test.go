package project

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// few writes a table of eight rows in which ids differ in case alone, or are not Latin.
func few(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "few.csv")
	text := "id,x,y\n"
	for i, id := range []string{"a", "A", "ä", "日本", "<b>", "=1+1", "🐟", "x y"} {
		text += fmt.Sprintf("%s,%d,%d\n", id, i*i, i%3)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// recipe returns the recipe of settings as name, value, name, value.
func recipe(t testing.TB, settings ...string) *input.Recipe {
	t.Helper()
	r := input.New()
	for i := 0; i < len(settings); i += 2 {
		if err := r.Set(settings[i], settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

// at opens a project, and closes it with the test unless that is done before.
func at(t testing.TB, path, data string, settings ...string) *Project {
	t.Helper()
	d, err := Open(t.Context(),
		Config{Path: path, Data: data, Recipe: recipe(t, settings...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// However several people answer, take back, change and drop: the facts kept up to date are those
// worked out anew, a project opened again has the same, and the groups are those of a new project
// that is given what counts.
func TestFactsFollowFromWhatIsInEffect(t *testing.T) {
	folder, data := t.TempDir(), few(t)
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		method := rapid.SampledFrom([][]string{{"super-instances", "6"}, {"super-instances", "6"},
			{"super-instances", "6", "contradictions", "keep"},
			{"method", "evclus", "clusters", "2"}}).Draw(rt, "method")
		if n++; n > 25 { // each step waits for the disk
			return
		}
		path := filepath.Join(folder, fmt.Sprintf("%s%d.kindred", method[1], n))
		d := at(t, path, data, method...)
		defer func() { d.Close() }()
		for range rapid.IntRange(1, 14).Draw(rt, "steps") {
			random(rt, t, d)
			// opened again, each answer is looked at by itself
			if _, _, err := d.Outcome(t.Context()); err != nil {
				rt.Fatal(err)
			}
			func() {
				d.mu.RLock()
				defer d.mu.RUnlock() // also where it fails: closing waits for it
				compare(rt, d, d.facts)
			}()
		}
		if rapid.IntRange(0, 3).Draw(rt, "open again") > 0 {
			return
		}
		before, _, err := d.Outcome(t.Context())
		if err != nil {
			rt.Fatal(err)
		}
		was, links, bad := d.State("ann"), d.Effective(), slices.Clone(d.facts.bad)
		d.Close()
		d = at(t, path, "")
		after, _, err := d.Outcome(t.Context())
		if err != nil || !slices.Equal(before.Labels, after.Labels) {
			rt.Fatalf("groups %v, and %v once opened again (%v)", before.Labels, after.Labels, err)
		}
		is := d.State("ann")
		was.Fitting, was.Fitted, was.Changed, is.Fitted, is.Changed = false, 0, "", 0, ""
		was.Notes, is.Notes, was.Hues, is.Hues = nil, nil, nil, nil
		if !reflect.DeepEqual(was, is) || !reflect.DeepEqual(links, d.Effective()) {
			rt.Fatalf("%+v\nonce opened again is\n%+v", was, is)
		}
		fresh := at(t, filepath.Join(folder, fmt.Sprintf("%s%d-fresh.kindred", method[1], n)), data,
			method...)
		defer fresh.Close()
		var pairs []Pair
		for _, l := range links {
			pairs = append(pairs, Pair{A: l.A.Row, B: l.B.Row, Link: l.Link})
		}
		if len(pairs) > 0 && !was.Sharing.Discount {
			if _, err := fresh.Links(t.Context(), "", "", pairs, true); err != nil {
				rt.Fatal(err)
			}
			for _, row := range bad {
				if _, err := fresh.LeaveOut(t.Context(), "", "", row); err != nil {
					rt.Fatal(err)
				}
			}
			out, _, err := fresh.Outcome(t.Context())
			if err != nil || !slices.Equal(before.Labels, out.Labels) {
				rt.Fatalf("groups %v; %v in a project given what counts, %v (%v)", before.Labels,
					out.Labels, links, err)
			}
		}
	})
}

// random takes one step; refusals are as good as steps, failures are not.
func random(rt *rapid.T, t *testing.T, d *Project) {
	who := rapid.SampledFrom([]string{"ann", "bob", "cleo", ""}).Draw(rt, "who")
	answer := rapid.SampledFrom([]string{"same", "same", "different", "different", "unknown"})
	row := rapid.IntRange(0, d.data.N()-1)
	keep := rapid.Bool().Draw(rt, "keep")
	revision := d.State(who).Revision
	seq := rapid.Int64Range(1, max(1, revision)).Draw(rt, "seq")
	ctx := t.Context()
	var err error
	switch step := rapid.IntRange(0, 13).Draw(rt, "step"); step {
	case 0, 1, 2, 3:
		_, err = d.Answer(ctx, who,
			Step{A: row.Draw(rt, "a"), B: row.Draw(rt, "b"), Answer: answer.Draw(rt, "answer"),
				Keep: keep})
	case 4, 5:
		var turn Turn
		if turn, err = d.Turn(ctx, who); err == nil && turn.Question != nil {
			q := turn.Question
			_, err = d.Answer(ctx, who,
				Step{A: q.A.Row, B: q.B.Row, Answer: answer.Draw(rt, "answer"), Keep: keep,
					Question: q.Number})
		}
	case 6:
		_, err = d.Undo(ctx, who, "")
	case 7:
		_, err = d.Redo(ctx, who, "")
	case 8:
		_, err = d.Edit(ctx, who, "", seq, answer.Draw(rt, "answer"), keep, nil)
	case 9:
		_, err = d.Drop(ctx, who, "", seq, &revision)
	case 10:
		var pairs []Pair
		for range rapid.IntRange(1, 4).Draw(rt, "links") {
			pairs = append(pairs,
				Pair{A: row.Draw(rt, "a"), B: row.Draw(rt, "b"), Link: answer.Draw(rt, "answer")})
		}
		_, err = d.Links(ctx, who, "", pairs, keep)
	case 11:
		_, err = d.LeaveOut(ctx, who, "", row.Draw(rt, "a"))
	case 12:
		_, err = d.Skip(ctx, who, "", row.Draw(rt, "a"), row.Draw(rt, "b"))
	case 13:
		s := rapid.SampledFrom([]Sharing{{}, {Overlap: 0.5, Repeat: 0.5},
			{Discount: true}}).Draw(rt, "sharing")
		if err = d.SetSharing(ctx, s); err == nil {
			err = d.Reliability(ctx, who, 0.5)
		}
	}
	var clash *Contradiction
	var input *fault.Input
	switch {
	case errors.As(err, &clash):
		if len(clash.Clash.Chain) == 0 || len(clash.Clash.Objects) < 2 {
			rt.Fatalf("a contradiction without its chain: %+v", clash.Clash)
		}
	case err != nil && !errors.As(err, &input) && !errors.Is(err, ErrStale) &&
		!errors.Is(err, ErrNotFound) && !errors.Is(err, ErrForbidden) &&
		!errors.Is(err, ErrNothing):
		rt.Fatal(err)
	}
}

// compare holds facts against those worked out anew.
func compare(rt *rapid.T, d *Project, got *facts) {
	want := d.factsOf(d.history)
	for _, x := range []struct {
		what      string
		got, want any
	}{
		{"revision", got.revision, want.revision},
		{"voices", got.voices, want.voices},
		{"links", slices.Concat(got.links), slices.Concat(want.links)}, // no matter if nil or empty
		{"clashes", got.clashes, want.clashes},
		{"disputes", got.dispute, want.dispute},
		{"bad", got.bad, want.bad},
		{"tallies", got.tallies, want.tallies},
	} {
		if !reflect.DeepEqual(x.got, x.want) {
			rt.Fatalf("%s: %+v\nworked out anew: %+v", x.what, x.got, x.want)
		}
	}
	seen := make(map[[2]int]bool)
	for _, l := range got.links {
		if seen[l.Pair()] {
			rt.Fatalf("two links count for rows %v: %+v", l.Pair(), got.links)
		}
		seen[l.Pair()] = true
	}
	for a := range d.data.N() {
		for b := range a {
			if got.known.Relation(a, b) != want.known.Relation(a, b) {
				rt.Fatalf("rows %d and %d: %v, worked out anew %v", a, b, got.known.Relation(a, b),
					want.known.Relation(a, b))
			}
		}
	}
	for _, c := range got.clashes {
		if len(got.known.Explain(c.link.A, c.link.B)) == 0 || c.answer.link.Kind != c.link.Kind {
			rt.Fatalf("the clash %+v has no chain, or another answer", c)
		}
	}
}

// An answer that was kept as a doubt against a given link is in nobody's way: the project can be
// opened and viewed again.
func TestADoubtAgainstGivenLinksIsNoContradiction(t *testing.T) {
	folder, data := t.TempDir(), few(t)
	path, links := filepath.Join(folder, "doubt.kindred"), filepath.Join(folder, "links.csv")
	if err := os.WriteFile(links, []byte("a,b,link\na,A,same\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	d := at(t, path, data, "links", links, "method", "cobra", "super-instances", "6")
	r, err := d.Answer(t.Context(), "", Step{A: 0, B: 1, Answer: "different", Keep: true})
	if err != nil || !r.Event.Doubt || r.State.Contradictions != 1 {
		t.Fatalf("%v: %+v", err, r.Event)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	for what, open := range map[string]func() (*Project, error){
		"view": func() (*Project, error) { return View(t.Context(), Config{Path: path}) },
		"alone": func() (*Project, error) {
			return Open(t.Context(), Config{Path: path, Alone: true})
		},
	} {
		d, err := open()
		if err != nil {
			t.Errorf("%s: %v", what, err)
			continue
		}
		d.Close()
	}
}

// interrupted is a context that calls a function whenever it is looked at.
type interrupted struct {
	context.Context
	do func()
}

func (c interrupted) Err() error {
	c.do()
	return c.Context.Err()
}

// Groups are of the answers that they follow from, where one comes just before they are worked out.
func TestGroupsAreOfTheirRevision(t *testing.T) {
	d, err := Open(t.Context(), Config{Path: filepath.Join(t.TempDir(), "late.kindred"),
		Data: few(t), Alone: true, Recipe: recipe(t, "method", "cobra", "super-instances", "6")})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	next := 1
	answer := func() {
		if _, err := d.Answer(t.Context(), "", Step{A: 0, B: next, Answer: "unknown"}); err != nil {
			t.Error(err)
		}
		next++
	}
	answer()
	r, err := d.latest(interrupted{t.Context(), sync.OnceFunc(answer)})
	if err != nil {
		t.Fatal(err)
	}
	if revision := r.revision.Load(); revision != int64(len(r.out.Asked)) {
		t.Errorf("groups of %d answers are of revision %d", len(r.out.Asked), revision)
	}
}

// While a project is opened, the work on its answers is named, after that on its data.
func TestOpeningNamesTheAnswersThatItTakesUp(t *testing.T) {
	path, data := filepath.Join(t.TempDir(), "test.kindred"), few(t)
	open := func() (d *Project, last string) {
		t.Helper()
		d, err := Open(t.Context(), Config{Path: path, Data: data, Recipe: recipe(t),
			Progress: func(what string, _ float64) { last = what }})
		if err != nil {
			t.Fatal(err)
		}
		return d, last
	}
	d, last := open()
	if last == "" || strings.Contains(last, "answer") {
		t.Errorf("the last work on a new project is %q", last)
	}
	for i := range 2 {
		if _, err := d.Answer(t.Context(), "", Step{A: 0, B: 6 + i, Answer: "same"}); err != nil {
			t.Fatal(err)
		}
	}
	d.Close()
	d, last = open()
	defer d.Close()
	if last != "finding the groups from 2 answers" {
		t.Errorf("the last work on one with answers is %q", last)
	}
}

// A name of a group changes nothing that a fit depends on: the groups are those of the last step at
// once, also where it comes during a fit, and what the last answer changed is still said.
func TestANameNeedsNoFit(t *testing.T) {
	d := at(t, filepath.Join(t.TempDir(), "test.kindred"), few(t), "method", "kin")
	if _, err := d.Answer(t.Context(), "", Step{A: 0, B: 7, Answer: "same"}); err != nil {
		t.Fatal(err)
	}
	first, _, err := d.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	gen, changed := d.facts.gen, d.State("").Changed
	named := func(row int, name string) State {
		t.Helper()
		r, err := d.NameGroup(t.Context(), "", "", row, name)
		if err != nil {
			t.Fatal(err)
		}
		return r.State
	}
	is := named(0, "zero")
	out, revision, err := d.Outcome(t.Context())
	if is.Fitting || is.Fitted != is.Revision || is.Changed != changed || out != first ||
		revision != is.Revision || d.facts.gen != gen || err != nil {
		t.Errorf("after a name the groups are found anew: %+v (%v)", is, err)
	}
	// The fit of an answer is held up until the name is there.
	if err := d.fit.use(t.Context(), func() error {
		if _, _, err := d.submit(t.Context(), "", "", request{}, func() ([]store.Event, error) {
			return []store.Event{{Step: store.Different, A: d.data.ID(0), B: d.data.ID(3)}}, nil
		}); err != nil {
			return err
		}
		_, _, err := d.submit(t.Context(), "", "", request{}, func() ([]store.Event, error) {
			return []store.Event{{Step: store.Name, A: d.data.ID(0), Text: "nought"}}, nil
		})
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if out, _, err = d.Outcome(t.Context()); err != nil || out == first || len(out.Asked) != 2 {
		t.Errorf("an answer is not looked at: %v", err)
	}
	if is = d.State(""); is.Fitting || is.Fitted != is.Revision || d.facts.gen != gen+1 {
		t.Errorf("the groups are not those of the name: %+v", is)
	}
}

// A project whose number of groups follows from a step begins its method once when it is opened.
func TestAMethodIsBegunOnceAtOpening(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.kindred")
	d := at(t, path, few(t), "method", "evclus", "clusters", "2")
	if _, err := d.Several(t.Context(), "", Several{Clusters: 3}); err != nil {
		t.Fatal(err)
	}
	if out, _, err := d.Outcome(t.Context()); err != nil || out.Clusters != 3 {
		t.Fatalf("%+v, %v", out, err)
	}
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	d = at(t, path, "")
	if out, _, err := d.Outcome(t.Context()); err != nil || out.Clusters != 3 || d.fit.runs != 1 {
		t.Errorf("%d groups of %d methods that were begun: %v", out.Clusters, d.fit.runs, err)
	}
}
