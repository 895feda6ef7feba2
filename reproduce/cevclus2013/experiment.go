// Package cevclus2013 is under way.
package cevclus2013

import "github.com/kindred-go/kindred/reproduce/frame"

// Experiment is not there yet.
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "cevclus-2013",
		Title: "Evidential clustering under links",
		Paper: "V. Antoine, B. Quost, M.-H. Masson and T. Denœux, CEVCLUS: evidential clustering with instance-level constraints for relational data, Soft Computing 18 (2014)",
		Units: func(frame.Plan) []frame.Unit { return nil },
		Tables: func(frame.Plan, *frame.Runs) ([]frame.Table, []frame.Claim) { return nil, nil },
	}
}
