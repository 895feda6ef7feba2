// Package cobra2017 is under way.
package cobra2017

import "github.com/kindred-go/kindred/reproduce/frame"

// Experiment is not there yet.
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "cobra-2017",
		Title: "COBRA beside MPCKMeans and COSC, tables 1 to 3 and figures 2 to 4",
		Paper: "T. Van Craenendonck, S. Dumančić and H. Blockeel, COBRA: a fast and simple method for active clustering with pairwise constraints, IJCAI 2017",
		Units: func(frame.Plan) []frame.Unit { return nil },
		Tables: func(frame.Plan, *frame.Runs) ([]frame.Table, []frame.Claim) { return nil, nil },
	}
}
