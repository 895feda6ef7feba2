package competitive

import (
	"fmt"
	"math"
	"testing"

	"github.com/kindred-go/kindred/link"
)

// Rows on a line, worked by hand with α = ½ and β = ¼.
func TestRowsByHand(t *testing.T) {
	for _, c := range []struct {
		rule    Rule
		penalty Penalty
		want    []float64
	}{
		// 2 goes to 0, which moves half way; 6 to 10
		{WinnerTakeAll, Plain, []float64{1, 8}},
		{OLCVQE, Plain, []float64{1, 8}},             // no links: the same
		{FrequencySensitive, Plain, []float64{1, 8}}, // 2·25 for 6 against 16: as before
		// 2: 10 goes to 12, 0 to 1; 6: 12 goes to 9, and 1 away from 6 to −¼
		{RPCL, Plain, []float64{0 + 1 - 1.25, 9}},
		{CRPCL, Plain, []float64{0 + 1 - 1.25, 9}},     // no links: the same
		{RPCL, Controlled, []float64{0 + 1 - 1.25, 9}}, // the rival is near enough: the same
	} {
		l := placed(t, Config{Rule: c.rule,
			Rate: Rate{Start: 0.5, Unlearn: 0.25, Penalty: c.penalty}}, 0, 10)
		number, label, err := l.Observe([]float64{2})
		if want := (Label{Cluster: 0, RunnerUp: 1, Distance: 2, Margin: 6}); err != nil ||
			number != 1 || label != want {
			t.Errorf("%v: %d, %+v, %v", c.rule, number, label, err)
		}
		see(t, l, 6)
		stand(t, c.rule.String(), l, c.want...)
	}
}

// A rival that is far off goes by ¼ of ten times the distance of the row from the winner, 0.2, and
// not by ¼ of its own, 9.8.
func TestFarRivalsByHand(t *testing.T) {
	for penalty, want := range map[Penalty]float64{Controlled: 10.5, Plain: 12.45} {
		l := placed(t, Config{Rule: RPCL, Rate: Rate{Start: 0.5, Unlearn: 0.25, Penalty: penalty}},
			0, 10)
		see(t, l, 0.2)
		stand(t, penalty.String(), l, 0.1, want)
	}
}

// A winner that wins often is held back: after three rows the row at 4 goes to the other prototype.
func TestFrequentWinnersAreHeldBackByHand(t *testing.T) {
	l := placed(t, Config{Rule: FrequencySensitive, Rate: Rate{Start: 0.5}}, 0, 10)
	see(t, l, 0, 0, 0) // wins 4 and 1
	_, label, err := l.Observe([]float64{4})
	if err != nil || label.Cluster != 0 { // the label is by distance alone
		t.Fatal(label, err)
	}
	stand(t, "4·16 against 1·36", l, 0, 7)
}

// Links on a line, worked by hand with α = ½ and β = ¼.
func TestLinksByHand(t *testing.T) {
	rate := Rate{Start: 0.5, Unlearn: 0.25, Penalty: Plain}
	for _, c := range []struct {
		name string
		rule Rule
		at   []float64
		x, o float64
		kind link.Kind
		sure float64
		want []float64
	}{
		// Both are nearest to 0 and o is farther: 10 comes half way to 3, 0 leaves 3 by ¾ and then
		// goes half way to 1.
		{"cannot", OLCVQE, []float64{0, 10}, 1, 3, link.CannotLink, 1, []float64{0.125, 6.5}},
		// x is farther: it goes to 10 and 0 stays.
		{"cannot, x farther", OLCVQE, []float64{0, 10}, 3, 1, link.CannotLink, 1,
			[]float64{0, 6.5}},
		{"cannot, kept already", OLCVQE, []float64{0, 10}, 2, 9, link.CannotLink, 1,
			[]float64{1, 10}},
		{"cannot, half sure", OLCVQE, []float64{0, 10}, 3, 1, link.CannotLink, 0.5,
			[]float64{0, 8.25}},
		{"cannot, one prototype", OLCVQE, []float64{0}, 3, 1, link.CannotLink, 1, []float64{1.5}},
		// Keep costs ½(16+16)+¼(36+36) = 34, both to one ½(16+36) = 26: to that of x. 0 goes to 2,
		// then to 4; 10 leaves 6 by 1.
		{"must", OLCVQE, []float64{0, 10}, 4, 6, link.MustLink, 1, []float64{4, 11}},
		// Keep costs ½(0+0)+¼(1+1) = ½, both to one ½(0+1) = ½: kept, as nothing is cheaper. x is
		// at 0; 0 goes ¼ towards 1, 1 ¼ towards 0.
		{"must, kept", OLCVQE, []float64{0, 1}, 0, 1, link.MustLink, 1, []float64{0.25, 0.75}},
		{"must, met", OLCVQE, []float64{0, 10}, 2, 1, link.MustLink, 1, []float64{1, 10}},
		// Both to r: x = 4 is nearest to 0, o = 9 to 10. Keep ½(16+1)+¼(81+36) = 37.75, to 0 48.5,
		// to 10 18.5. 10 goes to 7, 0 leaves 4 by 1.
		{"must, both to the other", OLCVQE, []float64{0, 10}, 4, 9, link.MustLink, 1,
			[]float64{-1, 7}},
		// Winner of both is 0, so that the next best, 10, learns x, and 0 leaves x by ¼.
		{"cannot", CRPCL, []float64{0, 10, 50}, 1, 3, link.CannotLink, 1,
			[]float64{-0.25, 5.5, 50}},
		{"cannot, half sure", CRPCL, []float64{0, 10, 50}, 1, 3, link.CannotLink, 0.5,
			[]float64{-0.125, 7.75, 50}},
		// o is won by 10: x learns as in rpcl, with 10 for the rival.
		{"cannot, kept already", CRPCL, []float64{0, 10, 50}, 2, 9, link.CannotLink, 1,
			[]float64{1, 12, 50}},
		// The mean of the squares is ½(16+81) = 48.5 at 0 and ½(36+1) = 18.5 at 10, which learns x.
		{"must", CRPCL, []float64{0, 10}, 4, 9, link.MustLink, 1, []float64{-1, 7}},
		// (16 + ¼·81)/1¼ = 29 at 0 and (36 + ¼·1)/1¼ = 29 at 10: the lower number wins.
		{"must, a quarter sure", CRPCL, []float64{0, 10}, 4, 9, link.MustLink, 0.25,
			[]float64{2, 11.5}},
	} {
		core := placed(t, Config{Rule: c.rule, Rate: rate}, c.at...).core
		core.present([]float64{c.x}, []partner{{[]float64{c.o}, c.kind, c.sure}})
		near(t, fmt.Sprint(c.rule, ", ", c.name), core.prototypes(), c.want)
	}
}

func TestSchedulesByHand(t *testing.T) {
	// Harmonic: the start counts as one row, so that the prototype is the mean of 0, 3, 6 and 7.
	l := placed(t, Config{Rule: WinnerTakeAll, Rate: Rate{Schedule: Harmonic}}, 0)
	see(t, l, 3, 6, 7)
	stand(t, "harmonic", l, 4)
	l = placed(t, Config{Rule: WinnerTakeAll, Rate: Rate{Schedule: Harmonic, Least: 0.5}}, 0)
	see(t, l, 4, 4, 4)
	stand(t, "harmonic, at least a half", l, 3.5)
	// Power: for the first 64 rows the rate is Start, then Start·(1+64/64)^−1, half of it.
	l = placed(t, Config{Rule: WinnerTakeAll,
		Rate: Rate{Schedule: Power, Exponent: 1, HalfWay: 64, Start: 0.5}}, 0)
	see(t, l, make([]float64, 64)...)
	see(t, l, 8)
	stand(t, "power", l, 2)
	for _, x := range []float64{1e-9, 0.1, 1, 1.5, 2, 1000, 1e12} {
		for _, e := range []float64{-1, -0.5, 0.3, 1} {
			if got, want := power(x, e), math.Pow(x, e); math.Abs(got-want) > 1e-14*want {
				t.Errorf("power(%g, %g) = %v, want %v", x, e, got, want)
			}
		}
	}
}

func TestWinsAreForgotten(t *testing.T) {
	l := placed(t, Config{Rule: FrequencySensitive, HalfLife: 1}, 0, 100)
	see(t, l, 0, 0, 0)
	s := l.Publish()
	// 1 at the start and 1 a row, each halved by the rows since
	near(t, "wins", s.Wins, []float64{0.125 + 0.125 + 0.25 + 0.5, 0.125})
	near(t, "nearest", s.Nearest, []float64{0.125 + 0.25 + 0.5, 0})
	see(t, l, make([]float64, 3000)...)
	s = l.Publish()
	near(t, "wins after long", s.Wins[:1], []float64{1})
	if s.Wins[1] < 0 || s.Wins[1] > 1e-9 {
		t.Errorf("a win of 3000 half-lives ago counts %g", s.Wins[1])
	}
}
