package cevclus2013

import "github.com/kindred-go/kindred/reproduce/frame"

// paperTrials are the trials that the figures of tables 5 and 6 are means of, and paperStudent the
// quantile of Student's t that their intervals are made with: the mean ± 1.984 σ/10 (§4.1.4).
const (
	paperTrials  = 100
	paperStudent = 1.984
)

// weighed are the weights ξ of tables 5 and 6.
var weighed = []float64{0, .05, .1, .2, .5, .8, 1, 1.5, 2, 2.5, 3, 5}

// interval is a mean and half of its 95 % interval, as printed.
type interval struct{ mean, half float64 }

// figure returns it as a figure, with the standard deviation that the interval is made of.
func (i interval) figure() frame.Figure {
	return frame.Reported(i.mean, 10*i.half/paperStudent, paperTrials)
}

// exact are means whose printed intervals are ± 0.00.
func exact(means ...float64) []interval {
	out := make([]interval, len(means))
	for i, m := range means {
		out[i] = interval{mean: m}
	}
	return out
}

// paperRand are tables 5 and 6: the Rand index by set, number of links, and weight, in the order of
// weighed.
var paperRand = map[string]map[int][]interval{
	wine: {
		20:  exact(.87, .95, .95, .93, .93, .93, .93, .93, .93, .93, .93, .93),
		50:  widen(exact(.87, .95, .96, .95, .95, .94, .94, .94, .93, .93, .93, .93), 9),
		100: widen(exact(.87, .95, .96, .96, .96, .96, .96, .95, .94, .93, .92, .92), 8, 9, 10, 11),
		200: widen(exact(.87, .96, .97, .97, .98, .98, .98, .98, .97, .96, .94, .95), 9, 10, 11),
	},
	letters: {
		20:  exact(.61, .61, .62, .63, .63, .63, .63, .62, .63, .62, .63, .63),
		50:  widen(exact(.61, .61, .62, .63, .65, .64, .64, .64, .63, .64, .63, .64), 4),
		100: widen(exact(.61, .61, .61, .63, .71, .71, .68, .65, .65, .65, .64, .64), 4, 5, 6, 7),
		200: widen(exact(.61, .61, .61, .63, .79, .84, .83, .77, .71, .68, .67, .62), 4, 5, 6, 7, 8,
			9, 10, 11),
	},
	ecoli: {
		20:  widen(exact(.88, .90, .91, .91, .91, .91, .91, .91, .91, .91, .91, .91), 0),
		50:  widen(exact(.88, .91, .91, .92, .92, .93, .92, .93, .93, .92, .92, .92), 0),
		100: widen(exact(.88, .91, .91, .93, .94, .94, .94, .94, .94, .94, .94, .94), 0),
		200: widen(exact(.88, .91, .91, .94, .96, .96, .96, .96, .96, .96, .96, .96), 0),
	},
}

// widen sets the intervals to ± 0.01 at the positions.
func widen(of []interval, at ...int) []interval {
	for _, i := range at {
		of[i].half = .01
	}
	return of
}

// paperShape are the Rand indices of §4.2.1 on Toys2c: of EVCLUS, and of CEVCLUS under 20 links.
var paperShape = map[int]float64{0: .73, 20: .90}

// paperWords is table 7, by method: without links, and under those of the words.
var paperWords = map[string][2]float64{cevclus: {.63, .68}, sscard: {.64, .65}, ccl: {.27, .54}}

// What the paper states of the links that its words make.
const (
	paperWordLinks = 3947
	paperWordWrong = .041
)

// paperAsking is table 9, on ChickenPieces: links that the expert had stated by then, and the Rand
// index, at each question.
var paperAsking = []struct {
	links int
	rand  float64
}{{0, .76}, {5, .80}, {12, .82}, {19, .83}, {20, .83}}
