// Package worth is under way.
package worth

import "github.com/kindred-go/kindred/reproduce/frame"

// Experiment is not there yet.
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "worth-of-an-answer",
		Title: "The worth of an answer",
		Paper: "kindred",
		Units: func(frame.Plan) []frame.Unit { return nil },
		Tables: func(frame.Plan, *frame.Runs) ([]frame.Table, []frame.Claim) { return nil, nil },
	}
}
