package ask_test

import (
	"context"
	"errors"
	"math"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// TestNoisyLabels err as often as asked for, and answer the same when asked again, either row
// first.
func TestNoisyLabels(t *testing.T) {
	const n, wrong, unknowns = 200, 0.1, 0.05
	classes := make([]int32, n)
	for i := range classes {
		classes[i] = int32(i % 3)
	}
	clean := ask.Labels(classes)
	noisy, err := ask.Noisy(clean, wrong, unknowns, 7)
	if err != nil {
		t.Fatal(err)
	}
	other, _ := ask.Noisy(clean, wrong, unknowns, 8)
	var count [2]map[string]int
	count[0], count[1] = map[string]int{}, map[string]int{}
	otherwise := 0
	for a := range n {
		for b := a + 1; b < n; b++ {
			askOne := func(o ask.Oracle, a, b int) ask.Reply {
				r, err := o.Ask(t.Context(), link.Question{A: a, B: b})
				if err != nil {
					t.Fatal(err)
				}
				return r
			}
			truth, reply := askOne(clean, a, b), askOne(noisy, a, b)
			if again := askOne(noisy, b, a); again != reply {
				t.Fatalf("rows %d and %d: %v, then %v", a, b, reply, again)
			}
			if askOne(other, a, b) != reply {
				otherwise++
			}
			kind := 0
			if truth == ask.Same {
				kind = 1
			}
			switch reply {
			case ask.DontKnow:
				count[kind]["unknown"]++
			case truth:
				count[kind]["right"]++
			default:
				count[kind]["wrong"]++
			}
		}
	}
	for kind, c := range count {
		all := float64(c["unknown"] + c["right"] + c["wrong"])
		for what, want := range map[string]float64{"unknown": unknowns, "wrong": wrong} {
			// Four standard deviations of a share among so many pairs.
			if share := float64(c[what]) /
				all; math.Abs(share-want) > 4*math.Sqrt(want*(1-want)/all) {
				t.Errorf("of pairs of kind %d, %.4f are %s, want %g", kind, share, what, want)
			}
		}
	}
	if otherwise == 0 {
		t.Error("another seed errs about the same pairs")
	}
}

// TestNoiseLeavesTheRest: don't know, other replies and errors pass, and shares that are none are
// refused.
func TestNoiseLeavesTheRest(t *testing.T) {
	broken := errors.New("broken")
	for _, want := range []ask.Reply{ask.DontKnow, ask.Undo, ask.Quit} {
		o, _ := ask.Noisy(ask.Func(func(context.Context, link.Question) (ask.Reply,
			error) {
			return want, broken
		}), 1, 0, 1)
		if got, err := o.Ask(t.Context(), link.Question{A: 0, B: 1}); got != want || err != broken {
			t.Errorf("%v became %v (%v)", want, got, err)
		}
	}
	liar, _ := ask.Noisy(ask.Labels([]int32{0, 0, 1}), 1, 0, 1)
	if got, _ := liar.Ask(t.Context(), link.Question{A: 0, B: 1}); got != ask.Different {
		t.Errorf("a liar says %v of the same", got)
	}
	if got, _ := liar.Ask(t.Context(), link.Question{A: 0, B: 2}); got != ask.Same {
		t.Errorf("a liar says %v of the different", got)
	}
	for _, shares := range [][2]float64{{-0.1, 0}, {0, 1.1}, {0.6, 0.6}, {math.NaN(), 0}} {
		if _, err := ask.Noisy(liar, shares[0], shares[1], 0); !fault.IsInput(err) {
			t.Errorf("shares %v: %v", shares, err)
		}
	}
}
