package kevclus2016

import "github.com/kindred-go/kindred/reproduce/frame"

// What the paper prints, by section. Figures that are drawn alone are met by claims.

// paperMasses is what section 2.2 states of Figure 2, by object from 1: masses of ∅, {ω1}, {ω2} and
// Ω; −1 is not stated.
var paperMasses = map[int][4]float64{
	3:  {-1, -1, .8, -1},
	9:  {-1, .8, -1, -1},
	12: {1, -1, -1, -1},
}

// paperTrapped are the starts of twenty that were trapped in a local minimum at n = 200 (section
// 3.2, of Figure 9), and paperWrong the misclassified proteins (of Figure 5).
var paperTrapped = map[string]float64{gradient: 3, irqp: 1}

const paperWrong = 2

// paperOutliers are the outliers of Figure 8.
const paperOutliers = 2

// paperMedian are the seconds of MECM by number of objects (section 3.2).
var paperMedian = map[int]float64{100: 46.0, 200: 141.0}

// rival is what sections 4.1 and 4.2 print of RECM and EK-NNclus on a data set; −1 is not printed.
type rival struct {
	ari, most, seconds, nonspecificity float64
	clusters                           [3]float64 // mean, least and most
}

var paperRivals = map[string]map[string]rival{
	"n = 2000":  {recm: {.86, -1, 12.99, -1, unstated}, eknnclus: {.74, .83, 3.46, -1, unstated}},
	"n = 10000": {eknnclus: {.73, .86, 72.06, -1, unstated}},
	"zongker": {recm: {.25, .36, 13.1, .01, unstated},
		eknnclus: {.55, .58, 9.53, -1, [3]float64{9, -1, -1}}},
	"gestures": {recm: {.11, .17, 5.71, .00621, unstated},
		eknnclus: {.59, .66, 4.16, -1, [3]float64{21.3, 19, 24}}},
}

var (
	unstated  = [3]float64{-1, -1, -1}
	unprinted = rival{-1, -1, -1, -1, unstated}
)

// What section 5 prints of S2: ambiguous objects and seconds of the first and the second step, and
// mutual neighbours.
var (
	paperAmbiguous = [2]float64{9, 139}
	paperSteps     = [2]float64{29.5, 31.3}
	paperPairs     = [2]float64{4, 12} // with K = 1 and 2, of 105
)

// paperSimilar are the similarities of Example 6, of clusters 1 and 4 to each of the 15.
var paperSimilar = [2][15]float64{
	{275.5, 9.2, 4.0, 61.4, 6.5, 59.8, 4.4, 7.1, 5.5, 8.3, 7.4, 6.7, 6.5, 4.4, 4.0},
	{61.4, 30.2, 5.8, 219.6, 8.8, 9.1, 6.2, 34.2, 7.3, 16.7, 9.2, 8.5, 8.3, 6.2, 5.8},
}

// figure is a printed figure, none for −1.
func figure(v float64) frame.Figure {
	if v < 0 {
		return frame.None
	}
	return frame.Printed(v)
}
