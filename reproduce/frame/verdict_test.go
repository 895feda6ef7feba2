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
		effect float64 // 0: greater than any interval here
		want   Verdict
	}{
		{why: "within the interval", cell: Cell{Paper: Printed(.327), Mean: ours(.2)},
			want: Agrees},
		{why: "just outside", cell: Cell{Paper: Printed(.329), Mean: ours(.2)}, want: Differs},
		{why: "the best start agrees",
			cell: Cell{Paper: Printed(.5), Mean: ours(.2), Best: ours(.45)}, want: AgreesBest},
		{why: "the interval is as wide as the effect",
			cell: Cell{Paper: Printed(.21), Mean: ours(.2)}, effect: .2542, want: Agrees},
		{why: "the interval is wider than the effect",
			cell: Cell{Paper: Printed(.21), Mean: ours(.2)}, effect: .2540, want: TooFew},
		{why: "that of the best start is, too",
			cell:   Cell{Paper: Printed(.5), Mean: ours(.2), Best: ours(.45)},
			effect: .2540, want: TooFew},
		{why: "what differs, differs whatever the effect",
			cell: Cell{Paper: Printed(.329), Mean: ours(.2)}, effect: .01, want: Differs},
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
		if c.effect == 0 {
			c.effect = 10
		}
		if got := c.cell.verdict(3, c.signed, c.effect); got != c.want {
			t.Errorf("%s: %q, not %q", c.why, got, c.want)
		}
	}
	exact := Figure{Value: .6849, Spread: 0, N: 10}
	if got := (Cell{Paper: Printed(.68), Mean: exact}).verdict(2, false, .01); got != Agrees {
		t.Errorf("what rounds to the printed figure: %q", got)
	}
	if got := (Cell{Paper: Printed(.69), Mean: exact}).verdict(2, false, .01); got != Differs {
		t.Errorf("what rounds to another figure: %q", got)
	}
}

// TestTheEffectOfAColumn: an interval is compared with the range of the paper's figures in its
// column, without those that sum others up; with the figure itself where it is the only one, and of
// differences always; and with no less than a unit of the last digit.
func TestTheEffectOfAColumn(t *testing.T) {
	// Ten repetitions: t = 2.2622 with nine degrees of freedom. Two such means are apart by an
	// interval that is 2·2.2622·√(2·s²/10) = 2.0233·s from end to end.
	ours := func(v, spread float64) Figure { return Figure{Value: v, Spread: spread, N: 10} }
	cell := func(paper, spread float64) Cell {
		return Cell{Paper: Printed(paper), Mean: ours(paper, spread)}
	}
	for _, c := range []struct {
		why    string
		signed bool
		first  Cell   // is judged
		others []Cell // below it; the last sums up
		want   Verdict
	}{
		{why: "narrower than the range", first: cell(.9, .09), want: Agrees,
			others: []Cell{cell(.7, 0), cell(5, 0)}},
		{why: "wider than the range", first: cell(.9, .11), want: TooFew,
			others: []Cell{cell(.7, 0), cell(5, 0)}},
		{why: "the only one", first: cell(.9, .4), want: Agrees, others: []Cell{{}, cell(5, 0)}},
		{why: "the only one, wide", first: cell(.9, .5), want: TooFew,
			others: []Cell{{}, cell(5, 0)}},
		{why: "a difference", signed: true, first: cell(-.1, .04), want: Agrees,
			others: []Cell{cell(.8, 0), cell(5, 0)}},
		{why: "a difference that the interval hides", signed: true, first: cell(-.1, .06),
			want: TooFew, others: []Cell{cell(.8, 0), cell(5, 0)}},
		{why: "no difference, nearly for certain", signed: true, first: cell(0, .004),
			want: Agrees, others: []Cell{cell(.8, 0), cell(5, 0)}},
		{why: "no difference, perhaps", signed: true, first: cell(0, .006), want: TooFew,
			others: []Cell{cell(.8, 0), cell(5, 0)}},
	} {
		table := Table{Groups: []string{"ours"}, Digits: 2, Signed: c.signed}
		table.AddCells(nil, c.first)
		for _, other := range c.others {
			table.AddCells(nil, other)
		}
		table.Rows[len(table.Rows)-1].Sum = true
		if got := table.judge()(0, c.first); got != c.want {
			t.Errorf("%s: %q, not %q", c.why, got, c.want)
		}
		if table.Plain = true; table.judge()(0, c.first) != NoVerdict {
			t.Errorf("%s: a verdict in a table without", c.why)
		}
	}
}

// TestTotalsCountApartWhatTellsNothing: figures that are too few to tell are not among those that
// agree or differ.
func TestTotalsCountApartWhatTellsNothing(t *testing.T) {
	table := Table{Groups: []string{"ours"}, Digits: 2}
	add := func(paper, v, spread float64) {
		table.AddCells(nil, Cell{Paper: Printed(paper), Mean: Figure{Value: v, Spread: spread,
			N: 10}})
	}
	add(.5, .5, .9)
	if got := tally("Of", table); got != "Of 1 figure: 1 too few to tell." {
		t.Errorf("%q", got)
	}
	add(.6, .6, 0)
	add(.7, .9, .01)
	if got := tally("Of", table); got !=
		"Of 3 figures: 1 agree, 1 differ; 1 too few to tell." {
		t.Errorf("%q", got)
	}
}
