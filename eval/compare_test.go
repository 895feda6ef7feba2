package eval_test

import (
	"encoding/json"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// near allows for rounding of a few last bits.
var near = cmpopts.EquateApprox(1e-13, 1e-14)

func compare(t testing.TB, pred, truth []int) eval.Report {
	t.Helper()
	r, err := eval.Compare(pred, truth)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// by returns n labels, the i-th being f(i).
func by(n int, f func(i int) int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

func TestByHand(t *testing.T) {
	// Table 2 1 / 0 3: pairs together in both 1+0+3 = 4, in clusters 3+3 = 6, in classes 1+6 = 7,
	// of 15.
	got := compare(t, []int{1, 1, 1, 2, 2, 2}, []int{5, 5, 9, 9, 9, 9})
	h, g := math.Ln2, -(1./3*math.Log(1./3) + 2./3*math.Log(2./3))
	mutual := 1./3*math.Log(2) + 1./6*math.Log(1./2) + 1./2*math.Log(3./2)
	want := eval.Report{
		N: 6, Clusters: 2, Classes: 2,
		Rand:         10. / 15,
		AdjustedRand: (4 - 6*7/15.) / (6.5 - 6*7/15.),
		NMI:          mutual / math.Sqrt(h*g), NMIArithmetic: 2 * mutual / (h + g),
		Purity:        5. / 6,
		PairPrecision: 4. / 6, PairRecall: 4. / 7, PairF1: 8. / 13,
	}
	if diff := cmp.Diff(want, got, near); diff != "" {
		t.Error(diff)
	}
}

// The values are those of scikit-learn 1.9.1: rand_score, adjusted_rand_score,
// normalized_mutual_info_score with both averages, and the rest from its contingency_matrix and
// pair_confusion_matrix.
func TestAgainstScikitLearn(t *testing.T) {
	for _, c := range []struct {
		name        string
		pred, truth func(i int) int
		want        eval.Report
	}{
		{"drift", func(i int) int {
			if i%7 == 0 {
				return (i/40+1)%5 + 1
			}
			return i/40 + 1
		}, func(i int) int { return i / 50 }, eval.Report{N: 200, Clusters: 5, Classes: 4,
			Rand: 0.7974371859296483, AdjustedRand: 0.41409070623715855, NMI: 0.5220537177959471,
			NMIArithmetic: 0.5206049445707062,
			Purity:        0.725, PairPrecision: 0.611381697000769, PairRecall: 0.48673469387755103,
			PairF1: 0.541983865469833}},
		{"squares", func(i int) int { return i*i%7 - 50 }, func(i int) int { return i % 5 },
			eval.Report{N: 200, Clusters: 4, Classes: 5,
				Rand: 0.6396984924623116, AdjustedRand: -0.015845373757452437,
				NMI: 0.0010828021917769954, NMIArithmetic: 0.001078746393354111,
				Purity: 0.21, PairPrecision: 0.18521370812475935, PairRecall: 0.24666666666666667,
				PairF1: 0.21156806685726853}},
		{"refined", func(i int) int { return (i/10 + 1) << 40 }, func(i int) int { return i / 50 },
			eval.Report{N: 200, Clusters: 20, Classes: 4,
				Rand: 0.7989949748743719, AdjustedRand: 0.25328330206378985,
				NMI:           0.6802620276919171,
				NMIArithmetic: 0.6327183637591293,
				Purity:        1, PairPrecision: 1, PairRecall: 0.1836734693877551,
				PairF1: 0.3103448275862069}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, compare(t, by(200, c.pred), by(200, c.truth)),
				near); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestTrivialPartitions(t *testing.T) {
	one := func(int) int { return 1 }
	alone := func(i int) int { return i + 1 }
	two := func(i int) int { return i%2 + 1 }
	all := eval.Report{Rand: 1, AdjustedRand: 1, NMI: 1, NMIArithmetic: 1, Purity: 1,
		PairPrecision: 1, PairRecall: 1, PairF1: 1}
	for _, c := range []struct {
		name        string
		n           int
		pred, truth func(int) int
		want        eval.Report
	}{
		{"one object", 1, one, one, all},
		{"both one cluster", 4, one, one, all},
		{"both alone", 4, alone, alone, all},
		{"equal", 4, two, two, all},
		{"one cluster of two", 4, one, two,
			eval.Report{Rand: 2. / 6, Purity: .5, PairPrecision: 2. / 6, PairRecall: 1,
				PairF1: .5}},
		{"alone of two", 4, alone, two,
			eval.Report{Rand: 4. / 6, NMI: math.Sqrt(.5), NMIArithmetic: 2. / 3, Purity: 1}},
		{"two of alone", 4, two, alone,
			eval.Report{Rand: 4. / 6, NMI: math.Sqrt(.5), NMIArithmetic: 2. / 3, Purity: .5}},
		{"one of alone", 4, one, alone, eval.Report{Purity: .25}},
		{"alone of one", 4, alone, one, eval.Report{Purity: 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := compare(t, by(c.n, c.pred), by(c.n, c.truth))
			got.N, got.Clusters, got.Classes = 0, 0, 0
			if diff := cmp.Diff(c.want, got, near); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// twin counts pairs one by one and tables cell by cell.
func twin(pred, truth []int) (r eval.Report) {
	n := len(pred)
	var both, a, b, agree, all int
	for i := range n {
		for j := range i {
			p, t := pred[i] == pred[j], truth[i] == truth[j]
			all++
			agree += btoi(p == t)
			both += btoi(p && t)
			a += btoi(p)
			b += btoi(t)
		}
	}
	ratio := func(x, y int, ofNothing bool) float64 {
		if y == 0 {
			return float64(btoi(ofNothing))
		}
		return float64(x) / float64(y)
	}
	r.N = n
	r.Rand = ratio(agree, all, true)
	r.PairPrecision, r.PairRecall, r.PairF1 = ratio(both, a, b == 0), ratio(both, b, a == 0),
		ratio(2*both, a+b, true)
	r.AdjustedRand = 1
	if expected := ratio(a*b, all, false); float64(a+b)/2 != expected {
		r.AdjustedRand = (float64(both) - expected) / (float64(a+b)/2 - expected)
	}
	share := func(keep func(i int) bool) float64 {
		var k int
		for i := range n {
			k += btoi(keep(i))
		}
		return float64(k) / float64(n)
	}
	values := func(labels []int) []int {
		return slices.Compact(slices.Sorted(slices.Values(labels)))
	}
	var mutual, h, g float64
	for _, p := range values(pred) {
		pp := share(func(i int) bool { return pred[i] == p })
		h -= pp * math.Log(pp)
		var largest float64
		for _, t := range values(truth) {
			pt := share(func(i int) bool { return truth[i] == t })
			if joint := share(func(i int) bool {
				return pred[i] == p && truth[i] == t
			}); joint > 0 {
				mutual += joint * math.Log(joint/(pp*pt))
				largest = max(largest, joint)
			}
		}
		r.Purity += largest
		r.Clusters += btoi(p != 0)
	}
	for _, t := range values(truth) {
		pt := share(func(i int) bool { return truth[i] == t })
		g -= pt * math.Log(pt)
		r.Classes++
	}
	for _, p := range pred {
		r.Noise += btoi(p == 0)
	}
	switch {
	case len(values(pred)) == 1 && len(values(truth)) == 1:
		r.NMI, r.NMIArithmetic = 1, 1
	case h != 0 && g != 0:
		r.NMI, r.NMIArithmetic = mutual/math.Sqrt(h*g), 2*mutual/(h+g)
	}
	return r
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func twoPartitions(t *rapid.T) (pred, truth []int) {
	n := rapid.IntRange(1, 40).Draw(t, "n")
	label := rapid.OneOf(rapid.IntRange(0, 3), rapid.IntRange(-2, 20),
		rapid.SampledFrom([]int{0, math.MaxInt, math.MinInt, 7}))
	return rapid.SliceOfN(label, n, n).Draw(t, "pred"), rapid.SliceOfN(label, n, n).Draw(t, "truth")
}

func TestAgainstCountingPairs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pred, truth := twoPartitions(t)
		got, err := eval.Compare(pred, truth)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(twin(pred, truth), got, cmpopts.EquateApprox(1e-9, 1e-9)); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestNamesAndOrderDoNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		pred, truth := twoPartitions(t)
		got, err := eval.Compare(pred, truth)
		if err != nil {
			t.Fatal(err)
		}
		order := rapid.Permutation(by(len(pred), func(i int) int { return i })).Draw(t, "order")
		renamed := func(l int) int { // 0 stays 0
			if l > -10 && l < 30 {
				return l * -1000003
			}
			return l
		}
		p := by(len(pred), func(i int) int { return renamed(pred[order[i]]) })
		q := by(len(pred), func(i int) int { return truth[order[i]] })
		again, err := eval.Compare(p, q)
		if err != nil || again != got {
			t.Fatalf("shuffled and renamed: %+v, %v\nbefore: %+v", again, err, got)
		}
		swapped, err := eval.Compare(truth, pred)
		if err != nil || swapped.Rand != got.Rand || swapped.AdjustedRand != got.AdjustedRand ||
			swapped.NMI != got.NMI ||
			swapped.NMIArithmetic != got.NMIArithmetic || swapped.PairPrecision != got.PairRecall ||
			swapped.PairF1 != got.PairF1 {
			t.Fatalf("swapped: %+v, %v\nbefore: %+v", swapped, err, got)
		}
	})
}

func TestExactBeyond64Bits(t *testing.T) {
	// Two halves with two objects exchanged. The products of pair counts pass 2⁶⁴ here, and 1 − ARI
	// is of order 10⁻⁵, so a product cut to 64 bits shows. Each half keeps m−1 objects together,
	// and those exchanged are alone in their cells.
	const n, m = 400_000, 200_000
	pred := by(n, func(i int) int { return 1 + i/m })
	truth := slices.Clone(pred)
	truth[0], truth[n-1] = 2, 1
	r := compare(t, pred, truth)
	const both, each, all = (m - 1) * (m - 2), m * (m - 1), n * (n - 1) / 2
	if want := 1 - 2.*(each-both)/all; math.Abs(r.Rand-want) > 1e-15 {
		t.Errorf("Rand %.17g, want %.17g", r.Rand, want)
	}
	// Constants are exact, so this is the definition rounded once.
	const expected = 1. * each * each / all
	if want := (both - expected) / (each - expected); r.AdjustedRand != want {
		t.Errorf("adjusted Rand %.17g, want %.17g", r.AdjustedRand, want)
	}
}

func TestNoise(t *testing.T) {
	pred, truth := []int{1, 1, 0, 0, 4}, []int{1, 1, 2, 3, 3}
	together := compare(t, pred, truth)
	if together.Noise != 2 || together.Clusters != 2 || together.PairPrecision != .5 {
		t.Errorf("noise as one cluster: %+v", together)
	}
	own := eval.Singletons(pred)
	if !slices.Equal(own, []int{1, 1, 2, 3, 4}) || pred[2] != 0 {
		t.Errorf("Singletons gave %v and left %v", own, pred)
	}
	apart := compare(t, own, truth)
	if apart.Noise != 0 || apart.Clusters != 4 || apart.PairPrecision != 1 {
		t.Errorf("noise as single objects: %+v", apart)
	}
}

func TestUntouched(t *testing.T) {
	pred, truth := []int{1, 1, 2, 2, 1}, []int{1, 1, 2, 1, 2}
	links := []link.Link{{A: 3, B: 4, Kind: link.CannotLink}, {A: 0, B: 1}}
	got, err := eval.CompareUntouched(pred, truth, links)
	if err != nil || got != compare(t, pred[:3], truth[:3]) {
		t.Errorf("got %+v, %v, want the score of the first three", got, err)
	}
	links = append(links, link.Link{A: 0, B: 1, Kind: link.MustLink},
		link.Link{A: 2, B: 1, Kind: link.CannotLink})
	if _, err := eval.CompareUntouched(pred, truth, links); !fault.IsInput(err) {
		t.Errorf("with all objects linked: %v, want an input fault", err)
	}
}

func TestLinkReport(t *testing.T) {
	labels := []int{1, 1, 2, 0, 0}
	links := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 0, B: 2, Kind: link.MustLink},
		{A: 1, B: 2, Kind: link.MustLink}, {A: 3, B: 4, Kind: link.MustLink},
		{A: 0, B: 1, Kind: link.CannotLink}, {A: 0, B: 3, Kind: link.CannotLink}, {A: 1, B: 3},
	}
	got, err := eval.CheckLinks(labels, links)
	want := eval.LinkReport{Must: 4, Cannot: 2, Unknown: 1, MustViolated: 2, CannotViolated: 1,
		MustShare: .5, CannotShare: .5, Share: .5}
	if err != nil || got != want {
		t.Errorf("got %+v, %v, want %+v", got, err, want)
	}
	text := "3 of 6 links violated: 2 of 4 must-links (50.0 %), 1 of 2 cannot-links (50.0 %)"
	if got := got.String(); got != text {
		t.Errorf("got %q, want %q", got, text)
	}
	if got, err := eval.CheckLinks(labels, nil); err != nil || got != (eval.LinkReport{}) {
		t.Errorf("without links: %+v, %v", got, err)
	}
}

func TestRefused(t *testing.T) {
	for name, err := range map[string]error{
		"lengths":              second(eval.Compare([]int{1}, []int{1, 2})),
		"no objects":           second(eval.Compare(nil, nil)),
		"lengths, untouched":   second(eval.CompareUntouched([]int{1}, nil, nil)),
		"no objects untouched": second(eval.CompareUntouched(nil, nil, nil)),
		"link out of range": second(eval.CompareUntouched([]int{1}, []int{1},
			[]link.Link{{A: 0, B: 1}})),
		"link below": second(eval.CheckLinks([]int{1}, []link.Link{{A: -1, B: 0}})),
		"kind of link": second(eval.CheckLinks([]int{1, 2},
			[]link.Link{{A: 1, B: 0, Kind: 3}})),
	} {
		if !fault.IsInput(err) {
			t.Errorf("%s: got %v, want an input fault", name, err)
		}
	}
}

func second[T any](_ T, err error) error { return err }

func TestReportAsJSON(t *testing.T) {
	text, err := json.Marshal(compare(t, []int{1, 2}, []int{1, 2}))
	want := `{"n":2,"clusters":2,"classes":2,"noise":0,"ri":1,"ari":1,"nmi":1,` +
		`"nmi_arithmetic":1,"purity":1,"pair_precision":1,"pair_recall":1,"pair_f1":1}`
	if err != nil || string(text) != want {
		t.Errorf("got %s, %v, want %s", text, err, want)
	}
}
