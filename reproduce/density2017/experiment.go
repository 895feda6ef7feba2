// Package density2017 compares clustering by multiple densities with its neighbours on labels of a
// few rows.
package density2017

import (
	_ "embed"
	"slices"

	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The parts.
const (
	partUCI       = "uci"
	partShapes    = "shapes"
	partDensities = "densities"
)

// Experiment compares the method of multiple-density-2017 with others that learn from a few labels.
// Of the paper only page 195 is at hand, without its tables, so that the comparison is ours.
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "multiple-density-2017",
		Title: "Clusters of several densities, found from a few labels",
		Paper: "a comparison of our own, after Y. Yang and others, Neurocomputing 257 (2017), " +
			"pp. 193–205, of which we have page 195 alone",
		Parts: []frame.Part{
			{Name: partUCI, Title: "sets of the UCI repository"},
			{Name: partShapes, Title: "shapes in the plane"},
			{Name: partDensities, Title: "discs whose densities differ up to thirtyfold",
				Bare: true},
		},
		Needs:    needs(),
		Trials:   10,
		Reduced:  10,
		Hours:    frame.Hours{Full: 1, Reduced: .13},
		Measures: measures,
		Protocol: 1,
		Units:    units,
		Tables:   tables,
		Pictures: pictures,
		Remarks:  remarks,
	}
}

//go:embed remarks.md
var remarks string

var (
	uci = []string{
		"iris", "wine", "glass", "ecoli", "ionosphere", "breast_cancer_wisconsin_683", "column_2C",
		"column_3C", "hepatitis_112",
		"dermatology_complete", "pima", "optdigits389", "letterIJL", "pendigits389",
	}
	shapes = []string{"sipu_compound", "sipu_pathbased", "sipu_aggregation", "sipu_jain",
		"sipu_spiral"}
)

func needs() []frame.Need {
	return append(catalogue.Needs(uci, partUCI), catalogue.Needs(shapes, partShapes)...)
}

// planar reports whether the features of a set are coordinates of one plane.
func planar(name string) bool { return slices.Contains(shapes, name) }
