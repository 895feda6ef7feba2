package cobra

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// TestAQueueHoldsTheOpenPairs in their order, the first of each two clusters before the others, as
// all pairs sorted anew give them; and it changes nothing.
func TestAQueueHoldsTheOpenPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, begin := drawRun(t, link.Refuse)
		r := begin()
		if rapid.Bool().Draw(t, "whole") {
			r.chooser.walk.Target = walkWindow
		}
		for range rapid.IntRange(0, 12).Draw(t, "answers") {
			if _, ok := r.Next(); !ok {
				break
			}
			r.Answer(rapid.SampledFrom([]link.Kind{unknown, same, different}).Draw(t, "kind"))
			if rapid.Bool().Draw(t, "look") {
				r.Queue(n)
			}
			if rapid.IntRange(0, 3).Draw(t, "undo") == 0 {
				r.Undo()
			}
		}
		next, some := r.Next()
		most := rapid.IntRange(0, 9).Draw(t, "most")
		queue := r.Queue(most)
		want := openPairs(r, most)
		if len(queue) != len(want) {
			t.Fatalf("%d of %d questions", len(queue), len(want))
		}
		for i, q := range queue {
			if ([2]int{min(q.A, q.B), max(q.A, q.B)}) != want[i] ||
				q.Number != len(r.Answers())+1+i || q.Why == "" {
				t.Fatalf("question %d is %+v, want %v", i, q, want[i])
			}
		}
		if len(queue) > 0 && queue[0].Question != next || most > 0 && some != (len(queue) > 0) {
			t.Fatalf("begins with %+v, next is %+v", queue, next)
		}
		if after, _ := r.Next(); after != next || !reflect.DeepEqual(r.Queue(most), queue) {
			t.Fatal("a queue moved something")
		}
	})
}

// openPairs returns what a queue is to hold, from its definition.
func openPairs(r *Run, most int) [][2]int {
	var pairs []pair
	points := r.chooser.walk.points
	at := func(s int) []float64 { return points.F64[s*points.Cols : (s+1)*points.Cols] }
	for a := range points.Rows {
		for b := a + 1; b < points.Rows; b++ {
			p := pair{D: linalg.SquaredDistance(at(a), at(b)), A: int32(a), B: int32(b)}
			if r.chooser.open(r.Ledger, p) {
				pairs = append(pairs, p)
			}
		}
	}
	slices.SortFunc(pairs, pair.Compare)
	clusters := map[[2]int32]bool{}
	for _, p := range pairs {
		clusters[r.chooser.state.key(r.chooser.state.of[p.A], r.chooser.state.of[p.B])] = true
	}
	_, unasked, _ := r.chooser.unasked()
	var first, later [][2]int
	met := map[[2]int32]bool{}
	for _, p := range pairs[:min(len(pairs), lookahead*most)] {
		if len(first) == most ||
			len(met) == r.chooser.state.open-unasked && !r.chooser.walk.Whole() {
			break
		}
		a, b := r.chooser.stands[p.A], r.chooser.stands[p.B]
		key := r.chooser.state.key(r.chooser.state.of[p.A], r.chooser.state.of[p.B])
		if met[key] {
			later = append(later, [2]int{min(a, b), max(a, b)})
		} else {
			met[key] = true
			first = append(first, [2]int{min(a, b), max(a, b)})
		}
	}
	all := append(first, later...)
	return all[:min(most, len(all))]
}

func TestAQueueOfFewPairsIsShort(t *testing.T) {
	r := start(t, line(0, 1, 5), Config{})
	if got := r.Queue(math.MaxInt); len(got) != 3 {
		t.Errorf("%d questions about 3 rows", len(got))
	}
	if r.Queue(0) != nil || r.Queue(-1) != nil {
		t.Error("questions that nobody wants")
	}
}
