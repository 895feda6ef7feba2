package project_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// recipe returns settings as name, value, name, value.
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

// alone opens a project for one person.
func alone(t testing.TB, path, data string, settings ...string) *project.Project {
	t.Helper()
	d, err := project.Open(t.Context(), project.Config{Path: path, Data: data, Alone: true,
		Recipe: recipe(t, settings...)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// asks returns the question that a person without a name is asked now.
func asks(t testing.TB, d *project.Project) *project.Question {
	t.Helper()
	turn, err := d.Turn(t.Context(), "")
	if err != nil {
		t.Fatal(err)
	}
	return turn.Question
}

// TestAloneEachQuestionFollowsFromAllAnswers: the questions, and the groups in the end, are those
// of a session without a project, whatever the method, and also when the project is opened anew.
func TestAloneEachQuestionFollowsFromAllAnswers(t *testing.T) {
	const answers = 24
	for _, settings := range [][]string{
		{"method", "kin"}, {"method", "cobras"}, {"method", "cobra", "super-instances", "20"},
		{"method", "evclus", "clusters", "3"},
		{"method", "pckmeans", "clusters", "3", "strategy", "closest-pairs"},
	} {
		t.Run(settings[1], func(t *testing.T) {
			settings = append(settings, "label", "class")
			path := projectFile(t)
			var asked [][2]int
			d := alone(t, path, "iris", settings...)
			for i := range answers {
				if i == answers/2 {
					if err := d.Close(); err != nil {
						t.Fatal(err)
					}
					d = alone(t, path, "")
				}
				q := asks(t, d)
				if q == nil {
					break
				}
				a, b := q.A.Row, q.B.Row
				asked = append(asked, [2]int{a, b})
				must(t)(d.Answer(t.Context(), "", project.Step{A: a, B: b,
					Answer: truth(d, a, b), Question: i + 1}))
			}
			out, _, err := d.Outcome(t.Context())
			if err != nil {
				t.Fatal(err)
			}

			var want [][2]int
			session, classes := begin(t, recipe(t, settings...))
			err = ask.Drive(t.Context(), session.Session, ask.Labels(classes), answers,
				func(e ask.Event) error {
					want = append(want, [2]int{e.Question.A, e.Question.B})
					return nil
				})
			if err != nil {
				t.Fatal(err)
			}
			outcome, err := session.Outcome(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(asked, want) || len(want) < 3 {
				t.Errorf("it asked about %v, and the session about %v", asked, want)
			}
			if !slices.Equal(out.Labels, outcome.Labels) || out.Queries != outcome.Queries {
				t.Errorf("%d and %d answers made other groups", out.Queries, outcome.Queries)
			}
		})
	}
}

// begin begins a session on iris without a project.
func begin(t *testing.T, r *input.Recipe) (*method.Session, []int32) {
	t.Helper()
	data, err := input.Open(t.Context(), input.Place{}, "iris", r, nil)
	if err != nil {
		t.Fatal(err)
	}
	begun, err := r.Begin(t.Context(), data, nil)
	if err != nil {
		t.Fatal(err)
	}
	return begun.Session, data.Classes
}

func TestAloneOneTakesBackAndBringsBack(t *testing.T) {
	path := projectFile(t)
	d := open(t, path, "iris", "label", "class")
	must(t)(d.Links(t.Context(), "", "a",
		[]project.Pair{{A: 1, B: 2, Link: "same"}, {A: 2, B: 60, Link: "different"}}, false))
	d.Close()
	d = alone(t, path, "")
	first := asks(t, d)
	must(t)(d.Answer(t.Context(), "", project.Step{A: first.A.Row, B: first.B.Row,
		Answer: "unknown", Question: 3}))
	second := asks(t, d)
	must(t)(d.Undo(t.Context(), "", ""))
	again := asks(t, d)
	if again.A.Row != first.A.Row || again.B.Row != first.B.Row {
		t.Errorf("an answer taken back is not asked again: %v and %v", first, again)
	}
	must(t)(d.Redo(t.Context(), "", ""))
	after := asks(t, d)
	if after.A.Row != second.A.Row || after.B.Row != second.B.Row || d.State("").Answers != 2 ||
		d.State("").Stated != 3 {
		t.Errorf("an answer brought back leads to %v, not %v, of %+v", after, second, d.State(""))
	}
	must(t)(d.Undo(t.Context(), "", ""))
	must(t)(d.Undo(t.Context(), "", "")) // of both links, which were given together
	if _, err := d.Undo(t.Context(), "", ""); !errors.Is(err, project.ErrNothing) {
		t.Errorf("an undo of nothing: %v", err)
	}
	if s := d.State(""); s.Answers != 0 {
		t.Errorf("%d answers are left", s.Answers)
	}
}

func TestSettingsAreKeptWithTheNextStep(t *testing.T) {
	path := projectFile(t)
	alone(t, path, "iris", "label", "class", "scale", "zscore").Close()
	scale := func() string {
		t.Helper()
		d := alone(t, path, "")
		defer d.Close()
		return d.State("").Settings["scale"]
	}
	d := alone(t, path, "", "scale", "none")
	if got := d.Changes(); len(got) != 1 || got[0] != (input.Change{Name: "scale", Was: "zscore",
		Is: "none"}) {
		t.Errorf("changes %v", got)
	}
	d.Close()
	if got := scale(); got != "zscore" {
		t.Errorf("a look made scale %q", got)
	}
	d = alone(t, path, "", "scale", "none")
	q := asks(t, d)
	must(t)(d.Answer(t.Context(), "", project.Step{A: q.A.Row, B: q.B.Row, Answer: "unknown",
		Question: 1}))
	d.Close()
	if got := scale(); got != "none" {
		t.Errorf("after an answer scale is %q", got)
	}
}

// linked writes a table of six rows and a file of links.
func linked(t *testing.T, links string) (data, file string) {
	t.Helper()
	folder := t.TempDir()
	data, file = filepath.Join(folder, "line.csv"), filepath.Join(folder, "links.csv")
	for path, text := range map[string]string{data: "x\n0\n1\n2\n20\n21\n22\n", file: links} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return data, file
}

func TestAnswersAgainstGivenLinks(t *testing.T) {
	for name, given := range map[string]string{
		"the pair": "a,b,link\n1,3,same\n", "a chain": "a,b,link\n1,2,same\n2,3,same\n",
	} {
		t.Run(name, func(t *testing.T) { againstGiven(t, given) })
	}
}

func againstGiven(t *testing.T, given string) {
	data, links := linked(t, given)
	path := projectFile(t)
	d := alone(t, path, data, "method", "pckmeans", "clusters", "2")
	must(t)(d.Answer(t.Context(), "", project.Step{A: 0, B: 2, Answer: "different"}))
	d.Close()
	cfg := project.Config{Path: path, Alone: true, Recipe: recipe(t, "links", links)}
	_, err := project.Open(t.Context(), cfg)
	var clash *link.Contradiction
	if !errors.As(err, &clash) || !strings.Contains(err.Error(), "contradict each other") {
		t.Errorf("answers that given links contradict: %v", err)
	}
	d = alone(t, path, "", "links", links, "contradictions", "keep")
	out, _, err := d.Outcome(t.Context())
	if err != nil || out.Queries != 1 {
		t.Fatalf("a kept contradiction: %v, %+v", err, out)
	}
	if s := d.State(""); s.Contradictions != 1 {
		t.Errorf("%d contradictions are listed", s.Contradictions)
	}
	d.Close()
	// Without the links the answer counts; taken back, the links may come, and it may not.
	d = alone(t, path, "", "links", "", "contradictions", "")
	must(t)(d.Undo(t.Context(), "", ""))
	d.Close()
	d = alone(t, path, "", "links", links)
	var refused *project.Contradiction
	if _, err := d.Redo(t.Context(), "", ""); !errors.As(err, &refused) {
		t.Errorf("a redo against given links: %v", err)
	}
	if s := d.State(""); s.Answers != 0 {
		t.Errorf("%d answers came back", s.Answers)
	}
}

func TestViewChangesNothing(t *testing.T) {
	path := projectFile(t)
	d := open(t, path, "iris", "label", "class")
	answerAll(t, d, "", 12)
	want, _, err := d.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	d.Close()
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	view := func(cfg project.Config) (*project.Project, error) {
		cfg.Path = path
		return project.View(t.Context(), cfg)
	}
	d, err = view(project.Config{})
	if err != nil {
		t.Fatal(err)
	}
	scene, err := d.Scene(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(scene.Outcome.Labels, want.Labels) || len(scene.Links) != 12 {
		t.Errorf("a view has other groups, and %d links", len(scene.Links))
	}
	if _, err := d.Answer(t.Context(), "", project.Step{A: 0, B: 149,
		Answer: "unknown"}); err == nil {
		t.Error("a view takes an answer")
	}
	d.Close()
	if _, err := view(project.Config{Data: "wine"}); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "--data") {
		t.Errorf("other data: %v", err)
	}
	refused := errors.New("refused")
	if _, err := view(project.Config{Check: func(d *input.Data, m *method.Configured) error {
		if d.N() != 150 || m.Name != "kin" {
			t.Errorf("%d rows, %s", d.N(), m.Name)
		}
		return refused
	}}); err != refused {
		t.Errorf("a check that refuses: %v", err)
	}
	if after, _ := os.ReadFile(path); !slices.Equal(before, after) {
		t.Error("a view changed the file")
	}
	path = filepath.Join(t.TempDir(), "none.kindred")
	if _, err := view(project.Config{}); !fault.IsInput(err) {
		t.Errorf("no project: %v", err)
	}
}

// TestUndoPassesOverRowsThatAreGone: what a person takes back is among what they see.
func TestUndoPassesOverRowsThatAreGone(t *testing.T) {
	data, _ := linked(t, "")
	path := projectFile(t)
	d := alone(t, path, data, "method", "pckmeans", "clusters", "2")
	for _, row := range []int{1, 5} {
		must(t)(d.Answer(t.Context(), "", project.Step{A: 0, B: row, Answer: "unknown"}))
	}
	d.Close()
	if err := os.WriteFile(data, []byte("x\n0\n1\n2\n20\n21\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	d, err := project.Open(t.Context(), project.Config{Path: path, Carry: true, Alone: true})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if s := d.State(""); s.Answers != 1 || !slices.ContainsFunc(s.Notes, func(n string) bool {
		return strings.HasPrefix(n, "1 answer about rows that are not among the data now")
	}) {
		t.Errorf("%d answers; notes %q", s.Answers, s.Notes)
	}
	must(t)(d.Undo(t.Context(), "", ""))
	if s := d.State(""); s.Answers != 0 || s.CanUndo {
		t.Errorf("%d answers after an undo, and more to undo: %v", s.Answers, s.CanUndo)
	}
}
