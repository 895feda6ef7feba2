// Package kevclus2016 is under way.
package kevclus2016

import "github.com/kindred-go/kindred/reproduce/frame"

// Experiment is not there yet.
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "kevclus-2016",
		Title: "Evidential clustering of large dissimilarity data",
		Paper: "T. Denœux, S. Sriboonchitta and O. Kanjanatarakul, Evidential clustering of large dissimilarity data, Knowledge-Based Systems 106 (2016)",
		Units: func(frame.Plan) []frame.Unit { return nil },
		Tables: func(frame.Plan, *frame.Runs) ([]frame.Table, []frame.Claim) { return nil, nil },
	}
}
