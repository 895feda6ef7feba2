package frame

import (
	"context"
	"math"
	"strings"
	"testing"
)

// onerun returns a piece of work of one run with values of nmi and squared.
func onerun(values ...float64) func(context.Context, Key) ([]Values, error) {
	return func(context.Context, Key) ([]Values, error) {
		v := Values{}
		for i, name := range []string{"nmi", "squared"}[:len(values)] {
			v[name] = values[i]
		}
		return []Values{v}, nil
	}
}

// TestFaultsOfAnExperimentAreReported: runs other than a piece of work declares would be lost, or
// run for ever.
func TestFaultsOfAnExperimentAreReported(t *testing.T) {
	for words, do := range map[string]func(context.Context, Key) ([]Values, error){
		"2 values of 1 measures": onerun(1, 2),
		"nmi of a is infinite":   onerun(math.Inf(1)),
		"other runs than 1 times a": func(context.Context, Key) ([]Values, error) {
			return nil, nil
		},
		"other runs than 1 times a ": func(context.Context, Key) ([]Values, error) {
			return make([]Values, 2), nil
		},
	} {
		e := Experiment{
			Name: "slip", Parts: []Part{{Name: "bare", Bare: true}}, Trials: 1,
			Measures: []string{"nmi"},
			Units: func(Plan) []Unit {
				return []Unit{{Key: Key{Part: "bare", Draw: 1}, Starts: 1, Methods: []string{"a"},
					Do: do}}
			},
			Tables: func(*Results) {},
		}
		if _, err := e.Run(t.Context(), Config{}); err == nil ||
			!strings.Contains(err.Error(), strings.TrimSpace(words)) {
			t.Errorf("got %v, not %q", err, words)
		}
	}
}
