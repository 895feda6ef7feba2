// Package cevclus2013 does the experiments of cevclus-2013 again: EVCLUS under must-links and
// cannot-links, from dissimilarities.
package cevclus2013

import (
	_ "embed"

	"github.com/kindred-go/kindred/reproduce/catalogue"
	"github.com/kindred-go/kindred/reproduce/frame"
)

//go:embed remarks.md
var remarks string

// The parts.
const (
	partWeights = "weights"
	partSamples = "samples"
	partShape   = "shape"
	partCurves  = "curves"
	partWords   = "words"
	partAsking  = "asking"
)

// The data sets.
const (
	wine       = "wine"
	letters    = "letterIJL_227"
	allLetters = "letterIJL"
	ecoli      = "ecoli3"
	toys       = "toys2c_like"
	news       = "news20_w100_1136"
	chickens   = "chickenpieces"
	proteins   = "protein"
)

// Experiment is Antoine, Quost, Masson and Denœux (2014).
func Experiment() frame.Experiment {
	return frame.Experiment{
		Name:  "cevclus-2013",
		Title: "Evidential clustering under links, tables 5 to 9 and figures 3 to 15",
		Paper: "V. Antoine, B. Quost, M.-H. Masson and T. Denœux, CEVCLUS: evidential clustering " +
			"with instance-level constraints for relational data, Soft Computing 18 (2014) " +
			"1321–1335",
		Parts: []frame.Part{
			{Name: partWeights,
				Title: "tables 5 and 6: the Rand index by the weight ξ of 20 to 200 random links"},
			{Name: partSamples,
				Title: "letters of tables 5 and 6 on other samples, as the paper's sample is not " +
					"known"},
			{Name: partShape,
				Title: "figures 3 to 5: two curved classes, without links and with 20"},
			{Name: partCurves,
				Title: "figures 6 to 15: the Rand index by the number of random links, beside " +
					"SSCARD and CCL"},
			{Name: partWords, Title: "table 7: links of newsgroups by the words of their topics"},
			{Name: partAsking,
				Title: "table 9: an expert is asked about objects that the partition is least " +
					"certain of"},
		},
		Needs: []frame.Need{
			catalogue.Need(wine, partWeights, partCurves),
			catalogue.Need(letters, partWeights, partCurves),
			catalogue.Need(ecoli, partWeights, partCurves),
			catalogue.Need(allLetters, partSamples),
			catalogue.Need(toys, partShape, partCurves),
			catalogue.Need(news, partCurves, partWords),
			catalogue.Need(chickens, partCurves, partAsking),
			catalogue.Need(proteins, partCurves, partAsking),
		},
		Trials:   25,
		Reduced:  10,
		Hours:    frame.Hours{Full: 3, Reduced: .35},
		Measures: measures,
		Protocol: 1,
		Units:    units,
		Tables:   tables,
		Pictures: pictures,
		Remarks:  remarks,
	}
}

// units cuts the experiment into pieces: all fits of one number of links on one draw.
func units(p frame.Plan) []frame.Unit {
	b := newBench(p)
	var all []frame.Unit
	for set, part := range p.Work() {
		g := b.ground(set, metricOf(set.Need))
		switch part {
		case partWeights:
			all = append(all, b.weights(g)...)
		case partSamples:
			all = append(all, b.samples(set))
		case partCurves:
			all = append(all, b.curves(g)...)
		case partWords:
			all = append(all, b.words(g)...)
		case partAsking:
			all = append(all, b.asking(g))
		}
	}
	return all
}
