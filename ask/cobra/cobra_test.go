package cobra

import (
	"github.com/kindred-go/kindred/fit"

	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// line is n points on a line at the given places.
func line(places ...float64) dataset.Matrix {
	return dataset.Matrix{Rows: len(places), Cols: 1, F64: places}
}

func answer(t *testing.T, r *Run, kinds ...link.Kind) {
	t.Helper()
	for _, k := range kinds {
		if err := r.Answer(k); err != nil {
			t.Fatal(err)
		}
	}
}

const same, different, unknown = link.MustLink, link.CannotLink, link.Unknown

func wantNext(t *testing.T, r *Run, a, b int) {
	t.Helper()
	q, ok := r.Next()
	if !ok || q.A != a || q.B != b {
		t.Fatalf("asks %+v (%v), want rows %d and %d", q, ok, a, b)
	}
}

func Example() {
	// Two groups on a line, and one super-instance a row.
	x := dataset.Matrix{Rows: 4, Cols: 1, F64: []float64{0, 1, 5, 7}}
	group := []int{1, 1, 2, 2}
	run, err := New(context.Background(), x, Config{SuperInstances: 4})
	if err != nil {
		panic(err)
	}
	for {
		q, ok := run.Next()
		if !ok {
			break
		}
		kind := link.CannotLink
		if group[q.A] == group[q.B] {
			kind = link.MustLink
		}
		fmt.Printf("question %d: rows %d and %d? %v\n", q.Number, q.A, q.B, kind)
		run.Answer(kind)
	}
	fmt.Println(run.Result().Labels)
	// Output:
	// question 1: rows 0 and 1? same
	// question 2: rows 2 and 3? same
	// question 3: rows 1 and 2? different
	// [1 1 2 2]
}

func TestUnknownIsNotAskedAgain(t *testing.T) {
	// Two tight triples, 10 apart: nine pairs lie between them.
	r := start(t, line(0, 1, 2, 12, 13, 14), Config{})
	answer(t, r, same, same, same, same) // 0=1, 1=2, 3=4, 4=5
	wantNext(t, r, 2, 3)
	answer(t, r, unknown)
	wantNext(t, r, 1, 3)
	answer(t, r, unknown)
	wantNext(t, r, 2, 4)
	answer(t, r, unknown)
	if q, ok := r.Next(); ok {
		t.Fatalf("a fourth pair is asked about: %+v", q)
	}
	res := r.Result()
	if !res.Complete || res.Undecided != 1 || res.Clusters != 2 {
		t.Errorf("%+v", res)
	}
	if likely, most := r.Remaining(); likely != 0 || most != 0 {
		t.Errorf("%d of %d answers remain", likely, most)
	}
	// Taking one back opens the pair of clusters again.
	r.Undo()
	wantNext(t, r, 2, 4)
	answer(t, r, same)
	if res := r.Result(); res.Clusters != 1 || res.Undecided != 0 {
		t.Errorf("%+v", res)
	}
}

func TestUnknownsAddUpWhenClustersJoin(t *testing.T) {
	r := start(t, line(0, 1, 10, 20.5), Config{})
	answer(t, r, unknown)      // 0 ? 1
	answer(t, r, unknown)      // 1 ? 2
	answer(t, r, unknown)      // 0 ? 2
	answer(t, r, different)    // 2 ≠ 3
	answer(t, r, same)         // 1 = 3: so {1,3} differs from 2
	wantNext(t, r, 0, 3)       // one unknown so far between {0} and {1,3}
	answer(t, r, same)         // {0,1,3}
	if q, ok := r.Next(); ok { // 2 differs from it
		t.Errorf("asks %+v", q)
	}
	if res := r.Result(); res.Clusters != 2 || res.Undecided != 0 {
		t.Errorf("%+v", res)
	}
}

// TestAPairIsDoubtedOnce, however often the same "unknown" is said.
func TestAPairIsDoubtedOnce(t *testing.T) {
	given := []link.Link{{A: 2, B: 3}, {A: 3, B: 2}, {A: 2, B: 3}}
	r := start(t, line(0, 1, 2, 12, 13, 14), Config{Knowledge: fit.Knowledge{Links: given}})
	answer(t, r, same, same, same, same)
	wantNext(t, r, 1, 3)
	if err := r.Restore(append(r.Answers(), given[0]), nil); err != nil {
		t.Fatal(err)
	}
	wantNext(t, r, 1, 3)
}

func TestARedoThatContradictsIsForgotten(t *testing.T) {
	r := start(t, line(0, 1, 5),
		Config{Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 1, Kind: same}}}})
	if err := r.Restore(nil, []link.Link{{A: 0, B: 1, Kind: different}}); err != nil {
		t.Fatal(err)
	}
	if l, ok := r.Redo(); ok {
		t.Errorf("%+v came back, against a given link", l)
	}
	if len(r.Answers()) != 0 {
		t.Errorf("answers %v", r.Answers())
	}
}

func TestEditingAnAnswer(t *testing.T) {
	r := start(t, line(0, 1, 2.5), Config{})
	answer(t, r, same, same) // 0=1, 1=2
	if err := r.Edit(1, 0, different); err != nil {
		t.Fatal(err)
	}
	if got := r.Result().Labels; !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("labels %v", got)
	}
	if _, ok := r.Next(); ok {
		t.Error("0 and 2 differ through 1, and are asked about")
	}
	if err := r.Edit(0, 2, same); err == nil {
		t.Error("an answer that was never given was changed")
	}
}

func TestAnEditThatContradictsIsRefused(t *testing.T) {
	r := start(t, line(0, 1, 2.5), Config{})
	if err := r.Restore([]link.Link{{A: 0, B: 1, Kind: different}, {A: 1, B: 2, Kind: same},
		{A: 0, B: 2, Kind: different}}, nil); err != nil {
		t.Fatal(err)
	}
	var clash *link.Contradiction
	if err := r.Edit(0, 1, same); !errors.As(err, &clash) {
		t.Fatalf("got %v", err)
	}
	if got := r.Result().Labels; !slices.Equal(got, []int{2, 1, 1}) {
		t.Errorf("the refused edit changed the labels to %v", got)
	}
}

func TestGivenLinks(t *testing.T) {
	r := start(t, line(0, 1, 5, 7),
		Config{Knowledge: fit.Knowledge{Links: []link.Link{{A: 3, B: 0, Kind: same},
			{A: 1, B: 2, Kind: different}}}})
	wantNext(t, r, 0, 1)
	answer(t, r, same)
	// 0=1, 3=0 and 1≠2 entail 2≠3, so nothing is left.
	if res := r.Result(); !res.Complete || !slices.Equal(res.Labels, []int{1, 1, 2, 1}) {
		t.Errorf("%+v", res)
	}
}

func TestGivenContradictions(t *testing.T) {
	cfg := Config{
		SuperInstances: 3,
		Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 1, Kind: same},
			{A: 0, B: 1, Kind: different}}},
	}
	var clash *link.Contradiction
	if _, err := New(t.Context(), line(0, 1, 2), cfg); !errors.As(err, &clash) {
		t.Errorf("got %v", err)
	}
	cfg.Contradictions = link.Keep
	r, err := New(t.Context(), line(0, 1, 2), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if unmet := r.Result().Unmet; len(unmet) != 1 || unmet[0].Kind != different {
		t.Errorf("unmet: %v", unmet)
	}
}

func TestAGivenLinkWithinASuperInstanceIsUnmet(t *testing.T) {
	x := line(0, 0.1, 0.2, 9, 9.1, 9.2)
	r, err := New(t.Context(), x,
		Config{
			SuperInstances: 2,
			Knowledge: fit.Knowledge{Links: []link.Link{{A: 0, B: 1, Kind: different},
				{A: 0, B: 5, Kind: same}}},
		})
	if err != nil {
		t.Fatal(err)
	}
	if res := r.Result(); len(res.Unmet) != 1 || res.Clusters != 1 {
		t.Errorf("%+v", res)
	}
}

// TestTrainOnly is the paper's cross-validation: rows that are set aside are never asked about, and
// a super-instance of such rows alone joins the nearest other.
func TestTrainOnly(t *testing.T) {
	x := line(0, 0.1, 0.2, 4, 4.1, 4.2, 9, 9.1, 9.3)
	askable := []bool{true, true, true, false, false, false, false, true, true}
	r, err := New(t.Context(), x,
		Config{SuperInstances: 3, Limits: fit.Limits{Starts: 10}, Askable: askable})
	if err != nil {
		t.Fatal(err)
	}
	si := r.SuperInstances()
	if si.Len() != 2 || si.Joined != 1 {
		t.Fatalf("%+v", si)
	}
	if si.Of[3] != si.Of[0] || si.Of[6] != si.Of[8] {
		t.Errorf("the middle rows joined the wrong side: %v", si.Of)
	}
	if !slices.Contains(si.Medoids, 1) || !slices.Contains(si.Medoids, 7) {
		t.Errorf("medoids %v", si.Medoids)
	}
	if got, want := si.Means.F64[si.Of[0]], (0.1+4.1)/2; !near(got, want) {
		t.Errorf("mean of the joined super-instance %v, want %v", got, want)
	}
	for {
		q, ok := r.Next()
		if !ok {
			break
		}
		if !askable[q.A] || !askable[q.B] {
			t.Fatalf("asks about a row set aside: %+v", q)
		}
		answer(t, r, different)
	}
	if _, err := New(t.Context(), x,
		Config{SuperInstances: 3, Askable: make([]bool, 9)}); err == nil {
		t.Error("no row may be asked about, and no error")
	}
}

func near(a, b float64) bool { return a-b < 1e-12 && b-a < 1e-12 }

func TestEqualRowsNeedFewerSuperInstances(t *testing.T) {
	x := line(1, 1, 1, 1, 2, 2, 2, 2)
	r, err := New(t.Context(), x, Config{SuperInstances: 5})
	if err != nil {
		t.Fatal(err)
	}
	if n := r.SuperInstances().Len(); n != 2 {
		t.Errorf("%d super-instances of two distinct rows", n)
	}
	answer(t, r, different)
	if got := r.Result().Labels; !slices.Equal(got, []int{1, 1, 1, 1, 2, 2, 2, 2}) {
		t.Errorf("labels %v", got)
	}
}

func TestPredictGoesToTheNearestMean(t *testing.T) {
	r := start(t, line(0, 1, 10, 11), Config{})
	answer(t, r, same, same, different)
	res := r.Result()
	got, err := r.SuperInstances().Predict(t.Context(), res.ClusterOf, line(-3, 0.9, 10.4, 99), 1)
	if err != nil || !slices.Equal(got, []int{1, 1, 2, 2}) {
		t.Errorf("%v %v", got, err)
	}
}

func TestBadConfigurations(t *testing.T) {
	x := line(0, 1, 2)
	for name, c := range map[string]struct {
		data dataset.Matrix
		cfg  Config
	}{
		"no rows":         {dataset.Matrix{Cols: 1}, Config{}},
		"no features":     {dataset.Matrix{Rows: 1}, Config{}},
		"super-instances": {x, Config{SuperInstances: -1}},
		"starts":          {x, Config{Limits: fit.Limits{Starts: -1}}},
		"too many": {dataset.Matrix{Rows: 6000, Cols: 1, F64: make([]float64, 6000)},
			Config{SuperInstances: 6000}},
		"not a number": {line(0, math.NaN(), 2), Config{}},
		"too large":    {line(0, 1e200, 2), Config{}},
	} {
		if _, err := New(t.Context(), c.data, c.cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := New(t.Context(), dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1}},
		Config{}); err == nil {
		t.Error("a matrix that is too short is taken")
	}
	if _, err := New(t.Context(), x, Config{Askable: []bool{true}}); err == nil {
		t.Error("Askable of the wrong length is taken")
	}
	r := start(t, x, Config{})
	if err := r.Answer(link.Kind(9)); err == nil {
		t.Error("a kind of link that there is not is taken")
	}
	answer(t, r, same, same)
	if err := r.Answer(same); !errors.Is(err, ask.ErrNothingAsked) {
		t.Errorf("an answer to no question: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New(ctx, x, Config{SuperInstances: 2}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled build: %v", err)
	}
}

func TestMoreSuperInstancesThanRowsIsOneARow(t *testing.T) {
	r, err := New(t.Context(), line(0, 1, 2), Config{SuperInstances: 10})
	if err != nil || r.SuperInstances().Len() != 3 {
		t.Errorf("%v", err)
	}
}
