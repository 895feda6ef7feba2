package worth

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// Forty cases stated with .75, of which 24 come true, and sixty with .25, of which 9: errors of .15
// and .1. Twenty of .95 are too few.
func TestExpectedError(t *testing.T) {
	var a tally
	for i := range 60 {
		a.add(.25, i < 9)
		if i < 40 {
			a.add(.75, i < 24)
		}
		if i < 20 {
			a.add(.95, false)
		}
	}
	if got, want := a.expectedError(), (40*.15+60*.1)/100; math.Abs(got-want) > 1e-12 {
		t.Errorf("expected calibration error %g, want %g", got, want)
	}
	if got := a.widest(); math.Abs(got-.15) > 1e-12 {
		t.Errorf("widest difference %g, want .15", got)
	}
	var sum tally
	sum.sum(&a)
	sum.sum(&a) // twenty and twenty are enough
	if got, want := sum.expectedError(), (80*.15+120*.1+40*.95)/240; math.Abs(got-want) > 1e-12 {
		t.Errorf("of twice as many %g, want %g", got, want)
	}
	var edge tally
	for _, v := range []float64{0, 1, .1, math.Nextafter(.2, 0)} {
		edge.add(v, true)
	}
	if edge.n[0] != 1 || edge.n[1] != 2 || edge.n[9] != 1 {
		t.Errorf("0, .1, just below .2 and 1 are in bins %v", edge.n)
	}
	var none tally
	if !math.IsNaN(none.expectedError()) || !math.IsNaN(none.widest()) {
		t.Error("nothing stated has an error")
	}
}

// Groups of rows: 1 has classes a, a, b, 2 has b, c as often, of which the lower is the majority.
func TestInMajority(t *testing.T) {
	got := inMajority([]int{1, 1, 1, 2, 2}, []int{1, 1, 2, 3, 2})
	if want := []bool{true, true, false, false, true}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestCertainty(t *testing.T) {
	focal, err := belief.Simple(2) // ∅, both singletons, all
	if err != nil {
		t.Fatal(err)
	}
	masses := map[belief.Set]float64{belief.Singleton(0): .2, belief.Singleton(1): .5,
		belief.Omega(2): .3}
	p := &credal.Partition{Clusters: 2, Focal: focal}
	for _, s := range focal {
		p.Mass = append(p.Mass, masses[s])
	}
	out := &method.Outcome{Labels: []int{2}, Credal: p}
	if got := certainty(out); !slices.Equal(got, []float64{.5}) {
		t.Errorf("by masses %v, want .5", got)
	}
	out.Strength = []float64{.7}
	if got := certainty(out); !slices.Equal(got, []float64{.7}) {
		t.Errorf("by strength %v, want .7", got)
	}
	if got := certainty(&method.Outcome{Labels: []int{1}}); got != nil {
		t.Errorf("%v of an outcome that states nothing", got)
	}
}

// star asks whether each row is with the first, and is settled from some answer on.
type star struct{ n, settled int }

func (s star) Questions(_ context.Context, known *ask.Ledger, _ int) ([]ask.Prompt, error) {
	i := len(known.Answers()) + 1
	if i >= s.n {
		return nil, nil
	}
	return []ask.Prompt{{Question: link.Question{A: 0, B: i, Groups: i%2 == 0, Same: .9}}}, nil
}

func (s star) Remaining(*ask.Ledger) (likely, most int) { return 1, s.n }

func (s star) Settled(known *ask.Ledger) bool { return len(known.Answers()) >= s.settled }

// followed drives a star of n rows in two classes, which shows one group up to some answers and
// then the classes, and how sure it is up to some answers.
func followed(t *testing.T, n, settled, knows, silentFrom int) curve {
	t.Helper()
	classes := make([]int32, n)
	for i := range classes {
		classes[i] = int32(i % 2)
	}
	m, err := method.Method{Configure: func(*param.Set) method.Steps {
		return method.Steps{
			Begin: func(ctx context.Context, _ method.Problem) (*method.Session, error) {
				s, err := ask.Begin(ctx, n, nil, link.Refuse, star{n, settled})
				return &method.Session{Session: s,
					Outcome: func(context.Context) (*method.Outcome, error) {
						out := &method.Outcome{Labels: make([]int, n), Clusters: 1}
						if len(s.Answers()) < silentFrom {
							out.Strength = slices.Repeat([]float64{.8}, n)
						}
						for i := range out.Labels {
							if out.Labels[i] = 1; len(s.Answers()) >= knows {
								out.Labels[i], out.Clusters = 1+i%2, 2
							}
						}
						return out, nil
					}}, err
			}}
	}}.With(nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := follow(t.Context(), m, method.Problem{Classes: classes}, ask.Labels(classes), lastFew)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// A claim is judged fifty answers later, if need be beyond the last checkpoint, or at the end of
// the questions.
func TestClaims(t *testing.T) {
	for _, c := range []struct {
		name              string
		n, settled, knows int
		want              claim
	}{
		{"too soon", 300, 20, 60, claim{true, 20, 0, 1}},
		{"in time", 300, 70, 60, claim{true, 70, 1, 1}},
		{"beyond the last checkpoint", 300, 180, 225, claim{true, 180, 0, 1}},
		{"and a change after fifty more", 300, 180, 231, claim{true, 180, 0, 0}},
		{"the questions end before", 101, 80, 99, claim{true, 80, 0, 1}},
	} {
		got := followed(t, c.n, c.settled, c.knows, 1000)
		if got.claim != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got.claim, c.want)
		}
		if want := min(c.n-1, lastFew); got.Asked != want {
			t.Errorf("%s: %d questions, want %d", c.name, got.Asked, want)
		}
	}
	if got := followed(t, 300, 1000, 60, 1000); got.claim.made {
		t.Errorf("%+v of a session that never states it", got.claim)
	}
}

// What a session states: half of its rows are right while it shows one group, all from 60 answers
// on; it states .9 of questions that are right every other time.
func TestWhatASessionStates(t *testing.T) {
	c := followed(t, 300, 1000, 60, 1000)
	want := []float64{.3, .2, .2, .2}
	for i, v := range c.Errors {
		if math.Abs(v-want[i]) > 1e-12 {
			t.Errorf("after %d answers an error of %g, want %g", judged[i], v, want[i])
		}
	}
	v := c.values()
	for name, want := range map[string]float64{
		ece(0): (.3 + .6) / 4, ece(200): .2, groups(0): 1, groups(200): 2,
		inBin(ofRows, "n", 8): 1200, inBin(ofRows, "right", 8): 150 + 900,
		inBin(rowQuestions, "n", 9): 100, inBin(rowQuestions, "right", 9): 0,
		inBin(groupQuestions, "n", 9): 100, inBin(groupQuestions, "right", 9): 100,
		inBin(groupQuestions, "said", 9): 90, fall: 0,
	} {
		if got, there := v[name]; !there || math.Abs(got-want) > 1e-9 {
			t.Errorf("%s is %g, want %g", name, got, want)
		}
	}
	c = followed(t, 300, 1000, 60, 100)
	v = c.values()
	if math.Abs(v[ece(0)]-.3) > 1e-12 || !math.IsNaN(v[ece(100)]) ||
		v[inBin(ofRows, "n", 8)] != 300 {
		t.Errorf("of one that states nothing from 100 answers on: errors %v, in all %g", c.Errors,
			v[ece(0)])
	}
	known := measures()
	for name := range v {
		if !slices.Contains(known, name) {
			t.Errorf("%s is no measure", name)
		}
	}
}

// Two sets with rows in a bin count the same, however many rows they have; of questions each does.
func TestReliability(t *testing.T) {
	e, cfg := small(t)
	e.Pictures = nil
	var r *record
	e.Tables = func(all *frame.Results) {
		r = &record{Results: all, tasks: []task{{name: "dozen"}}, askers: askers(),
			marks: conditions[:1]}
	}
	run(t, e, cfg, map[string]frame.Values{preferred: {
		area100: 1, ece(0): .1, ece(50): .1,
		inBin(ofRows, "n", 9): 100, inBin(ofRows, "said", 9): 95, inBin(ofRows, "right", 9): 60,
		inBin(rowQuestions, "n", 3): 29, inBin(rowQuestions, "said", 3): 10,
		inBin(groupQuestions, "n", 3): 40, inBin(groupQuestions, "said", 3): 14,
		inBin(groupQuestions, "right", 3): 30,
		settledAfter:                      40, settledIndex: .5, settledLater: .53,
	}})
	var lines []string
	for _, row := range r.binned().Rows {
		lines = append(lines, fmt.Sprintf("%s %s: %.2f %.2f", strings.Join(row.Keys[2:4], " "),
			row.Keys[4], row.Cells[0].Mean.Value, row.Cells[1].Mean.Value))
	}
	want := []string{"rows 90–100 % 1: 0.95 0.60",
		"questions about two groups 30–40 % 40: 0.35 0.75"}
	if !slices.Equal(lines, want) {
		t.Errorf("bins %q, want %q", lines, want)
	}
	sum := r.calibration()
	if len(sum.Rows) != 1 || sum.Rows[0].Cells[0].Mean.Value != .1 ||
		!math.IsNaN(sum.Rows[0].Cells[4].Mean.Value) ||
		math.Abs(sum.Rows[0].Cells[7].Mean.Value-.4) > 1e-12 {
		t.Errorf("calibration %+v", sum.Rows)
	}
	if got := r.settled(); len(got.Rows) != 1 ||
		!slices.Equal(got.Rows[0].Keys[2:], []string{"1", "1", "1"}) ||
		got.Rows[0].Cells[0].Mean.Value != 1 {
		t.Errorf("settled %+v", got.Rows)
	}
	r.reliabilities()
	if len(r.Pictures) != 1 {
		t.Errorf("%d diagrams, want 1", len(r.Pictures))
	}
}
