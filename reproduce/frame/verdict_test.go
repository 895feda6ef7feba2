package frame

import (
	"math"
	"testing"
)

func TestFiguresSumUpRepetitions(t *testing.T) {
	f := Mean([]float64{1, 2, math.NaN(), 3})
	// The .975 quantile of Student's t with two degrees of freedom is 4.3027.
	if f.N != 3 || f.Value != 2 || f.Spread != 1 ||
		math.Abs(f.Interval()-4.302653/math.Sqrt(3)) > 1e-5 {
		t.Errorf("%+v, interval %g", f, f.Interval())
	}
	if one := Mean([]float64{7}); one.Value != 7 || one.N != 1 || !math.IsNaN(one.Spread) ||
		!math.IsNaN(one.Interval()) {
		t.Errorf("%+v", one)
	}
	if Mean([]float64{math.NaN()}).There() || Mean(nil).There() {
		t.Error("a figure of nothing")
	}
}

func TestVerdicts(t *testing.T) {
	// Two repetitions with a standard deviation of 0.01: t = 12.706 with one degree of freedom, so
	// the difference of two such means has the interval 12.706·√(2·0.01²/2) = 0.127, and three
	// digits add 0.0005.
	ours := func(v float64) Figure { return Figure{Value: v, Spread: .01, N: 2} }
	for _, c := range []struct {
		why    string
		cell   Cell
		signed bool
		want   Verdict
	}{
		{why: "within the interval", cell: Cell{Paper: Printed(.327), Mean: ours(.2)},
			want: Agrees},
		{why: "just outside", cell: Cell{Paper: Printed(.329), Mean: ours(.2)}, want: Differs},
		{why: "the best start agrees",
			cell: Cell{Paper: Printed(.5), Mean: ours(.2), Best: ours(.45)}, want: AgreesBest},
		{why: "both above 0", cell: Cell{Paper: Printed(.5), Mean: ours(.2)}, signed: true,
			want: SameSide},
		{why: "on two sides", cell: Cell{Paper: Printed(-.5), Mean: ours(.2)}, signed: true,
			want: Differs},
		{why: "one repetition proves nothing",
			cell: Cell{Paper: Printed(.5), Mean: Figure{Value: .2, Spread: math.NaN(), N: 1}},
			want: NoVerdict},
		{why: "nothing printed", cell: Cell{Paper: None, Mean: ours(.2)}, want: NoVerdict},
		// The paper's own deviation, 0.1 over ten repetitions: √(0.01²/2 + 0.1²/10) = 0.0324, times
		// 12.706 is 0.411.
		{why: "the paper's spread counts", cell: Cell{Paper: Reported(.61, .1, 10), Mean: ours(.2)},
			want: Agrees},
		{why: "and no further", cell: Cell{Paper: Reported(.613, .1, 10), Mean: ours(.2)},
			want: Differs},
	} {
		if got := c.cell.verdict(3, c.signed); got != c.want {
			t.Errorf("%s: %q, not %q", c.why, got, c.want)
		}
	}
	exact := Figure{Value: .6849, Spread: 0, N: 10}
	if got := (Cell{Paper: Printed(.68), Mean: exact}).verdict(2, false); got != Agrees {
		t.Errorf("what rounds to the printed figure: %q", got)
	}
	if got := (Cell{Paper: Printed(.69), Mean: exact}).verdict(2, false); got != Differs {
		t.Errorf("what rounds to another figure: %q", got)
	}
}
