package frame

import "math"

// Verdict reports how a figure of a paper and ours go together.
type Verdict string

// The verdicts.
const (
	NoVerdict Verdict = "" // no figure in the paper, or too few repetitions of ours
	// the mean over all starts is the paper's, within what chance explains
	Agrees     Verdict = "agrees"
	AgreesBest Verdict = "agrees as best" // not that, but the mean of the best starts is
	SameSide   Verdict = "same side"      // differences alone: not that, but the winner is the same
	Differs    Verdict = "differs"
)

// Cell sets a figure of a paper beside ours.
type Cell struct {
	Paper Figure `json:"paper,omitzero"`
	// over repetitions, of the mean over starts
	Mean Figure `json:"ours,omitzero"`
	// over repetitions, of the start with the least squared error
	Best Figure `json:"best_start,omitzero"`
}

// verdict judges the cell. Figures agree when they are apart by no more than the 95 % interval of
// their difference, plus what rounding to so many digits can do. Where the paper prints no spread,
// its means are taken to vary as ours do, over as many repetitions. signed reports whether the
// figures are differences, whose sign is that of the winner.
func (c Cell) verdict(digits int, signed bool) Verdict {
	switch {
	case !c.Paper.There() || c.Mean.N < 2:
		return NoVerdict
	case agree(c.Paper, c.Mean, digits):
		return Agrees
	case c.Best.N > 1 && agree(c.Paper, c.Best, digits):
		return AgreesBest
	case signed && sign(Round(c.Paper.Value, digits)) == sign(Round(c.Mean.Value, digits)):
		return SameSide
	}
	return Differs
}

func agree(paper, ours Figure, digits int) bool {
	theirs := paper.Spread
	n := paper.N
	if math.IsNaN(theirs) || n == 0 {
		theirs, n = ours.Spread, ours.N
	}
	deviation := math.Sqrt(float64(ours.Spread*ours.Spread)/float64(ours.N) +
		float64(theirs*theirs)/float64(n))
	return math.Abs(paper.Value-ours.Value) <= quantile(ours.N-1)*deviation+.5*math.Pow10(-digits)+
		1e-12
}

func sign(v float64) int {
	switch {
	case v > 0:
		return 1
	case v < 0:
		return -1
	}
	return 0
}
