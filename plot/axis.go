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

// newAxis covers least..most with a margin. A single value gets a margin on both sides.
func newAxis(least, most float64) axis {
	size := max(math.Abs(least), math.Abs(most))
	margin := float64(0.04 * (most - least))
	switch {
	case size < 1e-290: // as good as 0
		margin = 1
	case least == most:
		margin = float64(0.1 * size)
	case most-least < 1e-9*size: // more digits than a label has
		margin = float64(1e-9 * size)
	}
	return axis{lo: least - margin, hi: most + margin}
}

// scaled returns the common logarithm of a value on a logarithmic axis, and any other as it is.
func scaled(v float64, log bool) float64 {
	if log {
		return math.Log10(v)
	}
	return v
}

// at returns the position of v on the page.
func (a axis) at(v float64) vg.Length {
	return a.from + (a.to-a.from)*vg.Length((v-a.lo)/(a.hi-a.lo))
}

// tick is a labelled value.
type tick struct {
	value float64
	label string
}

// ticks returns round values (1, 2 or 5 times a power of ten), and the power of ten that their
// labels leave out: "×1e6", or "". They are about spacing apart, but at least three where the
// labels, whose size along the axis extent measures, fit.
func (a axis) ticks(spacing vg.Length, extent func(label string) vg.Length) (list []tick,
	factor string) {
	length := a.to - a.from
	fits := func(list []tick) bool {
		widest := vg.Length(0)
		for _, t := range list {
			widest = max(widest, extent(t.label))
		}
		return len(list) < 2 || a.at(list[1].value)-a.at(list[0].value) >= widest+6
	}
	count := max(1, int(length/spacing))
	list, factor = a.divide(count)
	for more := count + 1; len(list) < 3 && more <= 8; more++ {
		if finer, f := a.divide(more); fits(finer) {
			list, factor = finer, f
		}
	}
	for !fits(list) && count > 1 {
		count--
		list, factor = a.divide(count)
	}
	return list, factor
}

// divide returns about count ticks.
func (a axis) divide(count int) (list []tick, factor string) {
	step := niceStep((a.hi - a.lo) / float64(count))
	first, last := math.Ceil(a.lo/step), math.Floor(a.hi/step)
	largest := max(math.Abs(first), math.Abs(last)) * step
	power := 0
	if largest >= 1e6 || largest < 1e-3 && largest > 0 {
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

// niceStep returns the step of 1, 2 or 5 times a power of ten whose ratio to about is nearest to 1.
func niceStep(about float64) float64 {
	power := math.Pow(10, math.Floor(math.Log10(about)))
	switch m := about / power; { // the bounds are geometric means
	case m < math.Sqrt2:
		return power
	case m < 3.1623:
		return 2 * power
	case m < 7.0711:
		return 5 * power
	}
	return 10 * power
}
