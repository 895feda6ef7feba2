package project_test

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// open opens a project on a sample, with settings as flag, value, flag, value.
func open(t testing.TB, path, data string, settings ...string) *project.Project {
	t.Helper()
	r := input.New()
	for i := 0; i < len(settings); i += 2 {
		if err := r.Set(settings[i], settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	d, err := project.Open(t.Context(),
		project.Config{Path: path, ID: "test", Data: data, Recipe: r})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func projectFile(t testing.TB) string { return filepath.Join(t.TempDir(), "test.kindred") }

// truth says what the classes of a sample say of a pair.
func truth(d *project.Project, a, b int) string {
	classes := d.Data().Classes
	if classes[a] == classes[b] {
		return "same"
	}
	return "different"
}

// answerAll answers by the classes until nothing is asked, or most answers are given.
func answerAll(t testing.TB, d *project.Project, who string, most int) (answers int) {
	t.Helper()
	turn, err := d.Turn(t.Context(), who)
	for ; err == nil && answers < most; answers++ {
		if turn.Question == nil { // perhaps only until the fit ends
			if _, _, err = d.Outcome(t.Context()); err == nil {
				turn, err = d.Turn(t.Context(), who)
			}
			if turn.Question == nil {
				break
			}
		}
		q := turn.Question
		var r project.Reply
		r, err = d.Answer(t.Context(), who, project.Step{
			ID: fmt.Sprintf("%s-%d-%d", who, d.State(who).Revision, answers), A: q.A.Row, B: q.B.Row,
			Answer: truth(d, q.A.Row, q.B.Row), Question: q.Number,
		})
		turn = r.Turn
	}
	if err != nil {
		t.Fatal(err)
	}
	return answers
}

func ari(t testing.TB, d *project.Project) float64 {
	t.Helper()
	out, _, err := d.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var truth []int
	for _, c := range d.Data().Classes {
		truth = append(truth, int(c))
	}
	r, err := eval.Compare(out.Labels, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r.AdjustedRand
}

func TestASessionOnDigits(t *testing.T) {
	d := open(t, projectFile(t), "digits", "label", "class", "super-instances", "40")
	answerAll(t, d, "", 30)
	if ari := ari(t, d); ari < 0.6 {
		t.Errorf("ARI %.2f after 30 answers", ari)
	}
	answerAll(t, d, "", 500)
	s := d.State("")
	if ari := ari(t, d); ari < 0.75 || s.Clusters < 10 {
		t.Errorf("ARI %.2f, %d groups after %d answers", ari, s.Clusters, s.Answers)
	}
	if !s.Settled || s.Likely != 0 {
		t.Errorf("at the end settled is %v, and %d more are likely", s.Settled, s.Likely)
	}
	t.Logf("%d answers, %d groups, ARI %.3f, %q", s.Answers, s.Clusters, ari(t, d), s.Changed)
}
