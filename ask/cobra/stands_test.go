package cobra

import (
	"github.com/kindred-go/kindred/fit"

	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/link"
)

// TestExcludedRowsAreNeverAskedAbout, whatever is left out when; the questions depend on the rows
// left out last alone, and what remains is counted without them.
func TestExcludedRowsAreNeverAskedAbout(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, begin := drawRun(t, link.Refuse)
		r := begin()
		for range 20 {
			if rapid.IntRange(0, 4).Draw(t, "exclude") == 0 {
				r.Exclude(rapid.SliceOfN(rapid.IntRange(-1, n), 0, n).Draw(t, "rows"))
			}
			q, ok := r.Next()
			out := r.Excluded()
			if !ok {
				break
			}
			if slices.Contains(out, q.A) || slices.Contains(out, q.B) {
				t.Fatalf("asks %+v, and %v are left out", q, out)
			}
			if err := r.Answer(rapid.SampledFrom([]link.Kind{unknown, same, different}).Draw(t,
				"kind")); err != nil {
				t.Skip("rows entail what super-instances do not")
			}
		}
		fresh := begin()
		fresh.Exclude(r.Excluded())
		if err := fresh.Restore(r.Answers(), nil); err != nil {
			t.Fatal(err)
		}
		if got, want := seen(r), seen(fresh); !reflect.DeepEqual(got, want) {
			t.Fatalf("after other rows:\n%+v\nat once:\n%+v", got, want)
		}
		res := r.Result()
		sizes := make([]int, res.Clusters+1)
		for row, l := range res.Labels {
			if (l == 0) != slices.Contains(r.Excluded(), row) {
				t.Fatalf("row %d has the label %d", row, l)
			}
			sizes[l]++
		}
		if slices.Contains(sizes[1:], 0) ||
			!slices.IsSortedFunc(sizes[1:], func(a, b int) int { return b - a }) {
			t.Fatalf("clusters of %v rows", sizes[1:])
		}
		// of clusters that some open pair, answered ones included, is about
		pairs := map[[2]int32]bool{}
		for a := range r.chooser.state.of {
			for b := range a {
				if r.chooser.askable(int32(a), int32(b)) {
					pairs[r.chooser.state.key(r.chooser.state.of[a], r.chooser.state.of[b])] = true
				}
			}
		}
		if _, most := r.Remaining(); most != 0 && most != len(pairs) {
			t.Fatalf("%d answers at most, %d pairs of clusters are open", most, len(pairs))
		}
	})
}

// TestTheNextNearestMemberStandsIn, and what was answered about the medoid still counts.
func TestTheNextNearestMemberStandsIn(t *testing.T) {
	x := line(0, 1, 1.5, 10, 11, 40) // means 0.83, 10.5, 40; medoids 1, 10 and 40
	r, err := New(t.Context(), x, Config{SuperInstances: 3})
	if err != nil {
		t.Fatal(err)
	}
	wantNext(t, r, 1, 3)
	answer(t, r, different)
	r.Exclude([]int{1, 99, -5})
	wantNext(t, r, 5, 3)
	answer(t, r, different)
	wantNext(t, r, 2, 5) // 1.5 is nearer to the mean than 0 is
	// As rows, 2 may be with 3; their super-instances are known to differ.
	if err := r.Tell(link.Link{A: 2, B: 3, Kind: same}); err != nil || len(r.Result().Unmet) != 1 {
		t.Errorf("unmet: %v (%v)", r.Result().Unmet, err)
	}
	if got := r.representatives(); !slices.Equal(got, []int{2, 5, 3}) {
		t.Errorf("representatives %v", got)
	}
	r.Exclude([]int{5})
	if q, ok := r.Next(); ok {
		t.Errorf("asks %+v of two clusters that differ", q)
	}
	if res := r.Result(); res.Clusters != 2 || !slices.Equal(res.Labels, []int{1, 1, 1, 2, 2, 0}) ||
		res.Undecided != 0 || !res.Complete {
		t.Errorf("%+v", res)
	}
	if got := r.representatives(); !slices.Equal(got, []int{1, 5, 3}) {
		t.Errorf("representatives %v", got)
	}
	r.Exclude(nil)
	if res := r.Result(); res.Clusters != 3 || slices.Contains(res.Labels, 0) {
		t.Errorf("nothing is left out: %+v", res)
	}
}

// TestWhatRemainsWithoutTheRowsLeftOut: pairs of clusters with one that no row stands for are not
// counted.
func TestWhatRemainsWithoutTheRowsLeftOut(t *testing.T) {
	r := start(t, line(0, 1, 5, 7, 20), Config{})
	out := []int{4, 1, 0}
	for left, want := range [][2]int{{4, 10}, {3, 6}, {2, 3}, {1, 1}} {
		r.Exclude(out[:left])
		if likely, most := r.Remaining(); likely != want[0] || most != want[1] {
			t.Errorf("without %v: %d of %d answers remain, want %v", out[:left], likely, most, want)
		}
	}
	r.Exclude([]int{0, 1})
	answer(t, r, unknown, unknown, unknown)
	if res := r.Result(); !res.Complete || res.Undecided != 3 {
		t.Errorf("%d pairs of clusters are undecided", res.Undecided)
	}
}

// TestAnswersAboutARowThatStandsInComeFirst, as those about medoids do: links that are carried over
// must not stand in their way.
func TestAnswersAboutARowThatStandsInComeFirst(t *testing.T) {
	x := line(0, 1, 2, 10, 11, 12) // medoids 1 and 11
	r, err := New(t.Context(), x,
		Config{SuperInstances: 2,
			Knowledge: fit.Knowledge{Links: []link.Link{{A: 2, B: 5, Kind: same}}}})
	if err != nil {
		t.Fatal(err)
	}
	r.Exclude([]int{1})
	if err := r.Tell(link.Link{A: 0, B: 4, Kind: different}); err != nil {
		t.Fatal(err)
	}
	if res := r.Result(); res.Clusters != 2 || len(res.Unmet) != 1 || res.Unmet[0].Kind != same {
		t.Errorf("%+v", res)
	}
}

func TestAllRowsMayBeLeftOut(t *testing.T) {
	r := start(t, line(0, 1, 5), Config{})
	r.Exclude([]int{0, 1, 2})
	if _, ok := r.Next(); ok || r.Queue(5) != nil {
		t.Error("asks about rows that are left out")
	}
	if res := r.Result(); res.Clusters != 0 || !slices.Equal(res.Labels, []int{0, 0, 0}) {
		t.Errorf("%+v", res)
	}
	if likely, most := r.Remaining(); likely != 0 || most != 0 {
		t.Errorf("%d of %d answers remain", likely, most)
	}
}

// TestRowsThatMayNotBeAskedAboutStandForNothing, also where others are left out.
func TestRowsThatMayNotBeAskedAboutStandForNothing(t *testing.T) {
	x := line(0, 1, 2, 10, 11)
	r, err := New(t.Context(), x,
		Config{SuperInstances: 2, Askable: []bool{true, true, false, true, true}})
	if err != nil {
		t.Fatal(err)
	}
	r.Exclude([]int{1})
	wantNext(t, r, 0, 3)
	r.Exclude([]int{0, 1})
	if q, ok := r.Next(); ok {
		t.Errorf("asks %+v", q)
	}
	if res := r.Result(); res.Clusters != 2 || !slices.Equal(res.Labels, []int{0, 0, 2, 1, 1}) {
		t.Errorf("%+v", res)
	}
}
