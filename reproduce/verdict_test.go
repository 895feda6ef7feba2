package reproduce

import (
	"math"
	"testing"
)

func TestFiguresSumUpRepetitions(t *testing.T) {
	f := figure([]float64{1, 2, math.NaN(), 3})
	// The .975 quantile of Student's t with two degrees of freedom is 4.3027.
	if f.N != 3 || f.Value != 2 || f.Spread != 1 || math.Abs(f.Interval()-4.302653/math.Sqrt(3)) > 1e-5 {
		t.Errorf("%+v, interval %g", f, f.Interval())
	}
	if one := figure([]float64{7}); one.Value != 7 || one.N != 1 || !math.IsNaN(one.Spread) || !math.IsNaN(one.Interval()) {
		t.Errorf("%+v", one)
	}
	if figure([]float64{math.NaN()}).There() || figure(nil).There() {
		t.Error("a figure of nothing")
	}
}

func TestVerdicts(t *testing.T) {
	// Two repetitions with a standard deviation of 0.01: t = 12.706 with one degree of freedom, so the difference of two such
	// means has the interval 12.706·√(2·0.01²/2) = 0.127, and three digits add 0.0005.
	ours := func(v float64) Figure { return Figure{Value: v, Spread: .01, N: 2} }
	for _, c := range []struct {
		why    string
		cell   Cell
		signed bool
		want   Verdict
	}{
		{why: "within the interval", cell: Cell{Paper: printed(.327), Mean: ours(.2)}, want: Agrees},
		{why: "just outside", cell: Cell{Paper: printed(.329), Mean: ours(.2)}, want: Differs},
		{why: "the best start agrees", cell: Cell{Paper: printed(.5), Mean: ours(.2), Best: ours(.45)}, want: AgreesBest},
		{why: "both above 0", cell: Cell{Paper: printed(.5), Mean: ours(.2)}, signed: true, want: SameSide},
		{why: "on two sides", cell: Cell{Paper: printed(-.5), Mean: ours(.2)}, signed: true, want: Differs},
		{why: "one repetition says nothing", cell: Cell{Paper: printed(.5), Mean: Figure{Value: .2, Spread: math.NaN(), N: 1}}, want: Unsaid},
		{why: "nothing printed", cell: Cell{Paper: none, Mean: ours(.2)}, want: Unsaid},
		// The paper's own deviation, 0.1 over ten repetitions: √(0.01²/2 + 0.1²/10) = 0.0324, times 12.706 is 0.411.
		{why: "the paper's spread counts", cell: Cell{Paper: told([2]float64{.61, .1}), Mean: ours(.2)}, want: Agrees},
		{why: "and no further", cell: Cell{Paper: told([2]float64{.613, .1}), Mean: ours(.2)}, want: Differs},
	} {
		if got := c.cell.Verdict(3, c.signed); got != c.want {
			t.Errorf("%s: %q, not %q", c.why, got, c.want)
		}
	}
	exact := Figure{Value: .6849, Spread: 0, N: 10}
	if got := (Cell{Paper: printed(.68), Mean: exact}).Verdict(2, false); got != Agrees {
		t.Errorf("what rounds to the printed figure: %q", got)
	}
	if got := (Cell{Paper: printed(.69), Mean: exact}).Verdict(2, false); got != Differs {
		t.Errorf("what rounds to another figure: %q", got)
	}
}

func TestPrintedFiguresHangTogether(t *testing.T) {
	for method, sets := range paperNMI {
		for set, row := range sets {
			mean := (row[0] + row[1] + row[2] + row[3] + row[4]) / 5
			if math.Abs(mean-row[5]) > .0011 {
				t.Errorf("table I, %s, %s: the average is %.4f, not %.3f", method, set, mean, row[5])
			}
		}
	}
	for method, sets := range paperViolated {
		for set, row := range sets {
			mean := (row[0] + row[1] + row[2] + row[3]) / 4
			if math.Abs(mean-row[4]) > .11 {
				t.Errorf("table III, %s, %s: the average is %.3f, not %.1f", method, set, mean, row[4])
			}
		}
	}
}

// TestThePapersCountsComeOfItsTables has the counts of section IV: 27 of 40, 47 %, 75 %, and 24 of 32. The third is 30 cells in
// the text and 29 by the printed figures, where two cells tie.
func TestThePapersCountsComeOfItsTables(t *testing.T) {
	var sets []*Set
	for _, n := range competitiveNeeds() {
		sets = append(sets, &Set{Need: n})
	}
	c := compiler{plan{Config: Config{Trials: 1}, sets: sets}, &Runs{measures: competitiveLearning().Measures}}
	claims := append(c.counted(c.differences(0)), c.fewer(c.violations("", "", "violated"))...)
	for i, want := range []string{"27 of 40 (68 %)", "19 of 40 (48 %)", "29 of 40 (72 %)", "24 of 32 (75 %)", "24 of 32 (75 %)"} {
		if claims[i].Paper != want {
			t.Errorf("%s: %s, not %s", claims[i].Says, claims[i].Paper, want)
		}
	}
}
