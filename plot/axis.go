package plot

import (
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"
)

// axis maps values in lo..hi to points of the page.
type axis struct {
	lo, hi   float64
	from, to vg.Length
}

// newAxis covers least..most with a margin. A single value gets room on both sides.
func newAxis(least, most float64) axis {
	size := max(math.Abs(least), math.Abs(most))
	margin := float64(0.04 * (most - least))
	switch {
	case least == most && size == 0:
		margin = 1
	case least == most:
		margin = float64(0.1 * size)
	case most-least < 1e-9*size: // more digits than a label has
		margin = float64(1e-9 * size)
	}
	return axis{lo: least - margin, hi: most + margin}
}

// at gives the place of v on the page.
func (a axis) at(v float64) vg.Length {
	return a.from + (a.to-a.from)*vg.Length((v-a.lo)/(a.hi-a.lo))
}

// tick is a labelled value.
type tick struct {
	value float64
	label string
}

// ticks gives at most count + 1 round values (1, 2 or 5 times a power of ten), and the power of ten that the
// labels leave out: "×1e6", or "".
func (a axis) ticks(count int) (list []tick, factor string) {
	step := niceStep((a.hi - a.lo) / float64(max(count, 1)))
	first, last := math.Ceil(a.lo/step), math.Floor(a.hi/step)
	largest := max(math.Abs(first), math.Abs(last)) * step
	power := 0
	if largest >= 1e6 || largest < 1e-3 {
		power = int(math.Floor(math.Log10(largest)))
		factor = "×1e" + strconv.Itoa(power)
	}
	decimals := max(0, power-int(math.Floor(math.Log10(step)+1e-9)))
	for i := 0.0; i <= min(last-first, 50); i++ {
		v := (first + i) * step
		text := strconv.FormatFloat(v/math.Pow(10, float64(power)), 'f', decimals, 64)
		if strings.Trim(text, "-0.") == "" {
			text = "0"
		}
		list = append(list, tick{v, strings.Replace(text, "-", "−", 1)})
	}
	return list, factor
}

// niceStep rounds up to 1, 2 or 5 times a power of ten.
func niceStep(least float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(least)))
	for _, m := range []float64{1, 2, 5} {
		if float64(m*power) >= float64(least*(1-1e-9)) {
			return m * power
		}
	}
	return 10 * power
}
