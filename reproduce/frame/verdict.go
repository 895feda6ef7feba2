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
	// one of the first two, but the interval is wider than the effect, so that a figure without the
	// effect would agree as well
	TooFew Verdict = "too few to tell"
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
// its means are taken to vary as ours do, over as many repetitions. Figures that agree are too few
// to tell where that interval, from end to end, is wider than the effect. signed reports whether
// the figures are differences, whose sign is that of the winner.
func (c Cell) verdict(digits int, signed bool, effect float64) Verdict {
	told := func(v Verdict, ours Figure) Verdict {
		if 2*apart(c.Paper, ours) > effect+1e-12 {
			return TooFew
		}
		return v
	}
	switch {
	case !c.Paper.There() || c.Mean.N < 2:
		return NoVerdict
	case agree(c.Paper, c.Mean, digits):
		return told(Agrees, c.Mean)
	case c.Best.N > 1 && agree(c.Paper, c.Best, digits):
		return told(AgreesBest, c.Best)
	case signed && sign(Round(c.Paper.Value, digits)) == sign(Round(c.Mean.Value, digits)):
		return SameSide
	}
	return Differs
}

func agree(paper, ours Figure, digits int) bool {
	return math.Abs(paper.Value-ours.Value) <= apart(paper, ours)+.5*math.Pow10(-digits)+1e-12
}

// apart returns half the width of the 95 % interval of the difference of two means.
func apart(paper, ours Figure) float64 {
	theirs := paper.Spread
	n := paper.N
	if math.IsNaN(theirs) || n == 0 {
		theirs, n = ours.Spread, ours.N
	}
	return quantile(ours.N-1) * math.Sqrt(float64(ours.Spread*ours.Spread)/float64(ours.N)+
		float64(theirs*theirs)/float64(n))
}

// judge returns how the cells of each column are judged; not at all in a table without verdicts.
//
// The effect that a cell's interval is compared with is what the paper's figures of the column are
// about: of differences the figure itself, as 0 is where methods are alike; of others how far apart
// the largest and the least of the column are, or the figure itself where it is the only one. No
// effect is smaller than a unit of the last digit.
func (t Table) judge() func(column int, c Cell) Verdict {
	ranges := make([]float64, len(t.Groups)) // of the paper's figures
	for g := range ranges {
		low, high := math.Inf(1), math.Inf(-1)
		for _, row := range t.Rows {
			if g < len(row.Cells) && row.Cells[g].Paper.There() && !row.Sum {
				v := row.Cells[g].Paper.Value
				low, high = min(low, v), max(high, v)
			}
		}
		ranges[g] = high - low
	}
	return func(column int, c Cell) Verdict {
		if t.Plain {
			return NoVerdict
		}
		effect := ranges[column]
		if t.Signed || effect <= 0 {
			effect = math.Abs(c.Paper.Value)
		}
		return c.verdict(t.Digits, t.Signed, max(effect, math.Pow10(-t.Digits)))
	}
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
