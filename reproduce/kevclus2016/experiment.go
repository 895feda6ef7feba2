// Package kevclus2016 does the experiments of kevclus-2016 again: EVCLUS by row programmes, on
// random partners, and with pairs of clusters.
package kevclus2016

import (
	_ "embed"

	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

//go:embed remarks.md
var remarks string

// The parts.
const (
	partMasses    = "butterfly"
	partProtein   = "protein"
	partSimulated = "simulated"
	partGrowth    = "growth"
	partPartners  = "partners"
	partScaling   = "scaling"
	partDigits    = "digits"
	partGestures  = "gestures"
	partPairs     = "pairs"
	partSides     = "sides"
)

// Experiment is Denœux, Sriboonchitta and Kanjanatarakul (2016).
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "kevclus-2016",
		Title: "Evidential clustering of large dissimilarity data, figures 1 to 28",
		Paper: "T. Denœux, S. Sriboonchitta and O. Kanjanatarakul, Evidential clustering of " +
			"large dissimilarity data, Knowledge-Based Systems 106 (2016) 179–195",
		Parts: []frame.Part{
			{Name: partMasses, Title: "figures 1 to 4: the butterfly and its credal partition",
				Bare: true},
			{Name: partProtein,
				Title: "figures 5 to 7: the gradient and row programmes on proteins"},
			{Name: partSimulated, Title: "figures 8 to 10: the same on 200 simulated points",
				Bare: true},
			{Name: partGrowth,
				Title: "figure 11: seconds by the number of objects, with RECM and MECM",
				Bare:  true},
			{Name: partPartners,
				Title: "figures 12 to 18: random partners, 2000 and 10 000 simulated points, " +
					"with RECM and EK-NNclus", Bare: true},
			{Name: partScaling, Title: "figure 19: three methods on 1000 to 5000 simulated points",
				Bare: true},
			{Name: partDigits, Title: "figures 20 to 22: the Zongker digits"},
			{Name: partGestures, Title: "figures 23 to 25: the Delft gestures"},
			{Name: partPairs, Title: "figures 26 to 28: pairs of clusters of S2"},
			{Name: partSides,
				Title: "not in the paper: rows moved by their own partners alone, or by those " +
					"who drew them too", Bare: true},
		},
		Needs: []frame.Need{
			catalogue.Need("protein", partProtein),
			catalogue.Need("zongker", partDigits),
			catalogue.Need("gestures", partGestures),
			catalogue.Need("sipu_s2", partPairs),
		},
		Trials:   20,
		Reduced:  10,
		Hours:    frame.Hours{Full: .3, Reduced: .02},
		Measures: measures,
		Protocol: 1,
		Units:    units,
		Tables:   tables,
		Pictures: pictures,
		Remarks:  remarks,
	}
}

// few are the repetitions where the paper makes ten, not twenty: ten at most.
func few(p frame.Plan) int { return min(p.Trials, 10) }
