package worth

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// constantly returns the same values of every piece of work.
func constantly(v frame.Values) func(context.Context, frame.Key) ([]frame.Values, error) {
	return func(context.Context, frame.Key) ([]frame.Values, error) {
		return []frame.Values{v}, nil
	}
}

// Where nobody answers, every method finds something in twelve rows of three classes that lie
// apart, and k-means that is given their number finds them.
func TestNobodyAnswers(t *testing.T) {
	e, cfg := small(t)
	cfg.Parts = []string{silentPart}
	r, err := e.Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got := len(r.Runs.All()); got != len(silents) {
		t.Errorf("%d runs of %d methods", got, len(silents))
	}
	key := func(name string) frame.Key {
		return frame.Key{Part: silentPart, Set: "dozen", Setting: name}
	}
	for _, s := range silents {
		index := r.Runs.Mean(key(s.name), 1, s.name, ari(0))
		found := r.Runs.Mean(key(s.name), 1, s.name, groups(0))
		if !index.There() || !found.There() {
			t.Errorf("%s has an index of %g and %g groups", s.name, index.Value, found.Value)
		}
		if s.knowsClusters && (index.Value != 1 || found.Value != 3) {
			t.Errorf("%s, given three clusters, has an index of %g", s.name, index.Value)
		}
	}
	if len(r.Tables) != 1 || r.Tables[0].Name != "no-answers" || len(r.Tables[0].Rows) != 2 {
		t.Fatalf("tables %+v", r.Tables)
	}
	if len(r.Claims) != len(silents)-1 ||
		!strings.HasPrefix(r.Claims[0].Text, "kin before the first question beside ") {
		t.Errorf("claims %+v", r.Claims)
	}
}

// A curve that rises to .8 and falls to .5 falls by .3, on a set, over sets and in a session.
func TestFalls(t *testing.T) {
	curve := make([]float64, len(checkpoints))
	for i, at := range checkpoints {
		switch {
		case at <= 50:
			curve[i] = .6 + float64(at)/250
		case at <= 200:
			curve[i] = .8 - .002*float64(at-50)
		default:
			curve[i] = 1 // it does not count
		}
	}
	if got := falls(curve); math.Abs(got-.3) > 1e-12 {
		t.Errorf("falls by %g, want .3", got)
	}
	e, cfg := small(t)
	e.Pictures = nil
	var r *record
	e.Tables = func(all *frame.Results) {
		r = &record{Results: all, tasks: []task{{name: "dozen"}}, askers: askers(),
			marks: conditions[2:3]}
	}
	cfg.Parts = []string{"wrong10"}
	values := map[string]frame.Values{}
	for _, name := range calibrated {
		v := frame.Values{area100: .7, fall: falls(curve)}
		for i, at := range checkpoints {
			v[ari(at)] = curve[i]
		}
		values[name] = v
	}
	run(t, e, cfg, values)
	got := r.untold()
	if len(got.Rows) != 2 || got.Rows[0].Keys[3] != "50 answers" {
		t.Fatalf("rows %+v", got.Rows)
	}
	for i, want := range []float64{.7, .8, .5, .3, .3, .3, .3} {
		if v := got.Rows[0].Cells[i].Mean.Value; math.Abs(v-want) > 1e-12 {
			t.Errorf("%s: %g, want %g", got.Groups[i], v, want)
		}
	}
	if each := r.falling(conditions[2]); len(each.Rows) != 1 || len(each.Rows[0].Cells) != 8 {
		t.Errorf("on each set %+v", each.Rows)
	}
}
