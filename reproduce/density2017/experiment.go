// Package density2017 is under way.
package density2017

import "github.com/kindred-go/kindred/reproduce/frame"

// Experiment is not there yet.
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "multiple-density-2017",
		Title: "Multiple-density clustering beside its neighbours",
		Paper: "Y. Yang et al., Neurocomputing 257 (2017)",
		Units: func(frame.Plan) []frame.Unit { return nil },
		Tables: func(frame.Plan, *frame.Runs) ([]frame.Table, []frame.Claim) { return nil, nil },
	}
}
