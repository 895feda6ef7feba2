package frame

import (
	"context"
	"math"
	"strings"
	"testing"
)

// onerun returns a piece of work of one run of method a.
func onerun(values ...float64) func(context.Context) ([]Run, error) {
	return func(context.Context) ([]Run,
		error) {
		return []Run{{Start: 1, Method: "a", Values: values}}, nil
	}
}

// TestFaultsOfAnExperimentAreReported: runs other than a piece of work declares would be lost, or
// run for ever.
func TestFaultsOfAnExperimentAreReported(t *testing.T) {
	for words, do := range map[string]func(context.Context) ([]Run, error){
		"2 values of 1 measures":    onerun(1, 2),
		"nmi of a is infinite":      onerun(math.Inf(1)),
		"other runs than 1 times a": func(context.Context) ([]Run, error) { return nil, nil },
		"other runs than 1 times a ": func(context.Context) ([]Run,
			error) {
			return []Run{{Start: 2, Method: "a", Values: []float64{1}}}, nil
		},
	} {
		e := Experiment{
			Name: "slip", Parts: []Part{{Name: "bare", Bare: true}}, Trials: 1,
			Measures: []string{"nmi"},
			Units: func(Plan) []Unit {
				return []Unit{{Key: Key{Part: "bare", Draw: 1}, Starts: 1, Methods: []string{"a"},
					Do: do}}
			},
			Tables: func(Plan, *Runs) ([]Table, []Claim) { return nil, nil },
		}
		if _, err := e.Run(t.Context(), Config{}); err == nil ||
			!strings.Contains(err.Error(), strings.TrimSpace(words)) {
			t.Errorf("got %v, not %q", err, words)
		}
	}
}
