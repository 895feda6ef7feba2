package eval_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
)

// Accuracies of C4.5, 1-NN, naive Bayes, Kernel and CN2 on 30 data sets (García & Herrera 2008,
// JMLR 9:2677–2694).
var garcia2008 = [][]float64{
	{.219, .202, .249, .165, .261}, {.803, .75, .813, .692, .798}, {.859, .814, .845, .542, .816},
	{.809, .774, .673, .275, .785},
	{.768, .79, .727, .872, .706}, {.759, .654, .734, .703, .714}, {.693, .611, .572, .689, .572},
	{.544, .531, .558, .439, .541},
	{.945, .954, .978, .541, .858}, {.725, .705, .739, .625, .717}, {.674, .736, .721, .356, .704},
	{.801, .357, .52, .309, .52},
	{.785, .77, .841, .659, .759}, {.71, .402, .728, .12, .674}, {.691, .827, .667, .527, .638},
	{.743, .739, .83, .549, .746},
	{.99, .482, .941, .857, .99}, {.867, .098, .915, .986, .784}, {.821, .872, .815, .885, .778},
	{.893, .824, .902, .739, .885},
	{.799, .655, .925, .517, .755}, {.845, .731, .693, .653, .704}, {.741, .701, .591, .663, .619},
	{.799, .994, .603, .269, .621},
	{.949, .955, .989, .77, .954}, {.555, .505, .569, .312, .556}, {.928, .928, .945, .419, .897},
	{.915, .857, .86, .7, .777},
	{.855, .796, .857, .607, .809}, {.906, .359, .895, .641, .918},
}

// Accuracies of PDFC, NNEP, IS-CHC+1NN and FH-GBML on 24 data sets (García et al. 2010, Information
// Sciences 180).
var garcia2010 = [][]float64{
	{.752, .773, .785, .795}, {.727, .748, .724, .713}, {.736, .716, .585, .638},
	{.994, .861, .88, .791},
	{.508, .553, .575, .515}, {.535, .536, .513, .471}, {.967, .871, .954, .532},
	{.831, .807, .819, .768},
	{.745, .702, .719, .705}, {.709, .572, .669, .607}, {.722, .728, .725, .732},
	{.967, .947, .953, .96},
	{.832, .752, .802, .691}, {.998, .992, .482, .91}, {.963, .963, .954, .926},
	{.982, .953, .932, .63},
	{.978, .773, .834, .849}, {.854, .787, .841, .779}, {.965, .984, .995, .947},
	{.924, .887, .861, .804},
	{.929, .942, .931, .921}, {.837, .643, .602, .554}, {.972, .956, .944, .922},
	{.958, .959, .964, .964},
}

func ranking(t rapid.TB, f func([][]float64) (eval.Ranking, error),
	scores [][]float64) eval.Ranking {
	t.Helper()
	r, err := f(scores)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func ranksAre(t rapid.TB, got, want []float64, slack float64) {
	t.Helper()
	for j := range want {
		within(t, fmt.Sprintf("mean rank %d", j), got[j], want[j], slack)
	}
}

// Demšar prints mean ranks 3.143, 2.000, 2.893, 1.964, χ² 9.28 and F 3.69, for which the critical
// value at 0.05 is 2.85 (section 3.2.4).
func TestFriedmanOnDemsar(t *testing.T) {
	r := ranking(t, eval.Friedman, demsar)
	ranksAre(t, r.Ranks, []float64{3.143, 2.000, 2.893, 1.964}, 5e-4)
	within(t, "χ²", r.Statistic, 9.28, 5e-3)
	within(t, "F", r.ImanDavenport, 3.69, 5e-3)
	within(t, "the standard error", r.StdErr, math.Sqrt(4*5/(6.*14)), 1e-15)
	if r.PDavenport >= 0.05 || r.PDavenport <= 0.01 {
		t.Errorf("p of F is %v, want it below .05, not far", r.PDavenport)
	}
}

// The mean ranks of C4.5 to CN2; the F of Iman and Davenport and the p-values against C4.5 as the
// manual of the R package scmamp 0.2 prints them for these data; χ² with ties corrected from SciPy
// 1.17.
func TestFriedmanOnGarcia2008(t *testing.T) {
	r := ranking(t, eval.Friedman, garcia2008)
	ranksAre(t, r.Ranks, []float64{2.1, 3.25, 2.2, 4.33333, 3.11667}, 1e-5)
	within(t, "F", r.ImanDavenport, 14.309, 5e-4)
	within(t, "p of F", r.PDavenport, 1.593e-9, 5e-13)
	within(t, "χ², corrected", r.Corrected, 39.91275167785245, 1e-9)
	within(t, "p of it", r.PCorrected, 4.512033059024698e-08, 1e-16)
	against, err := r.Against(0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.004848763, 0.8064959, 4.486991e-08, 0.01276301} {
		within(t, fmt.Sprintf("p against method %d", against[i].Method), against[i].P, want,
			1e-6*want)
	}
	// By hand: least first, times 4, 3, 2 and 1.
	for i, want := range []float64{3 * against[0].P, against[1].P, 4 * against[2].P,
		2 * against[3].P} {
		within(t, "Holm's", against[i].Holm, want, 1e-15)
	}
}

// García et al. 2010 print the mean ranks 1.771, 2.479, 2.479 and 3.271.
func TestFriedmanOnGarcia2010(t *testing.T) {
	r := ranking(t, eval.Friedman, garcia2010)
	ranksAre(t, r.Ranks, []float64{1.771, 2.479, 2.479, 3.271}, 5e-4)
	within(t, "χ², corrected", r.Corrected, 16.36134453781515, 1e-9)
}

// The p-values of aligned ranks in the manual of scmamp 0.2, which divides by √(k(kn+1)/6), and
// ranks differences as subtraction leaves them, so that rounding breaks some ties.
func TestAlignedRanksOnGarcia2008(t *testing.T) {
	r := ranking(t, eval.AlignedRanks, garcia2008)
	against, err := r.Against(0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{0.001174850, 0.3341698, 2.843421e-10, 0.01845167} {
		z := against[i].Z * r.StdErr / math.Sqrt(5*(5*30+1)/6.)
		within(t, fmt.Sprintf("p against method %d", against[i].Method),
			math.Erfc(math.Abs(z)/math.Sqrt2), want, 1e-2*want)
	}
}

// alignedTwin follows García et al. 2010 word by word, on whole numbers: scores times the number of
// methods.
func alignedTwin(scores [][]int) (statistic float64, ranks []float64) {
	n, k := len(scores), len(scores[0])
	type cell struct{ value, i, j int }
	var cells []cell
	for i, row := range scores {
		sum := 0
		for _, v := range row {
			sum += v
		}
		for j, v := range row {
			cells = append(cells, cell{k*v - sum, i, j})
		}
	}
	byMethod, bySet := make([]float64, k), make([]float64, n)
	for _, c := range cells {
		r := 0.5
		for _, d := range cells {
			if d.value > c.value {
				r++
			} else if d.value == c.value {
				r += 0.5
			}
		}
		byMethod[c.j] += r
		bySet[c.i] += r
	}
	fn, fk := float64(n), float64(k)
	over, under := -fk*fn*fn/4*(fk*fn+1)*(fk*fn+1), fk*fn*(fk*fn+1)*(2*fk*fn+1)/6
	for j, r := range byMethod {
		over += r * r
		byMethod[j] = r / fn
	}
	for _, r := range bySet {
		under -= r * r / fk
	}
	return (fk - 1) * over / under, byMethod
}

func TestRankingsHold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, k := rapid.IntRange(1, 8).Draw(t, "sets"), rapid.IntRange(2, 6).Draw(t, "methods")
		whole := make([][]int, n)
		scores, other := make([][]float64, n), make([][]float64, n)
		order := rapid.Permutation(upTo(k)).Draw(t, "order")
		for i := range whole {
			whole[i] = rapid.SliceOfN(rapid.IntRange(0, 9), k, k).Draw(t, "scores")
			scores[i], other[i] = make([]float64, k), make([]float64, k)
			for j, v := range whole[i] {
				scores[i][j] = float64(v) / 10 // no tenth is a number in binary: ties must survive
			}
			for j, from := range order {
				other[i][j] = scores[i][from]
			}
		}
		statistic, ranks := alignedTwin(whole)
		a := ranking(t, eval.AlignedRanks, scores)
		within(t, "the statistic", a.Statistic, statistic, 1e-9*(1+statistic))
		ranksAre(t, a.Ranks, ranks, 1e-9)
		for name, f := range map[string]func([][]float64) (eval.Ranking,
			error){"Friedman": eval.Friedman, "aligned": eval.AlignedRanks} {
			r, turned := ranking(t, f, scores), ranking(t, f, other)
			within(t, name+": the statistic of methods in another order", turned.Statistic,
				r.Statistic, 1e-9*(1+r.Statistic))
			for j, from := range order {
				within(t, name+": a mean rank", turned.Ranks[j], r.Ranks[from], 1e-9)
			}
			if r.Corrected < r.Statistic*(1-1e-9) {
				t.Errorf("%s: corrected for ties %v, below %v", name, r.Corrected, r.Statistic)
			}
			if r.P < 0 || r.P > 1 || r.PCorrected > r.P+1e-12 {
				t.Errorf("%s: p-values %v and %v", name, r.P, r.PCorrected)
			}
			if against, err := r.Against(0); err != nil || len(against) != k-1 {
				t.Errorf("%s: %v, %v", name, against, err)
			} else if k == 2 && name == "aligned" {
				within(t, "Z² of two methods", against[0].Z*against[0].Z, r.Corrected,
					1e-9*(1+r.Corrected))
			}
		}
	})
}

// shuffles calls see with every way to shuffle the scores of each set among the methods.
func shuffles(scores [][]float64, see func([][]float64)) {
	var at func(i, j int)
	at = func(i, j int) {
		switch {
		case i == len(scores):
			see(scores)
		case j == len(scores[i]):
			at(i+1, 0)
		default:
			row := scores[i]
			for other := j; other < len(row); other++ {
				row[j], row[other] = row[other], row[j]
				at(i, j+1)
				row[j], row[other] = row[other], row[j]
			}
		}
	}
	at(0, 0)
}

// If no method is better than another, each shuffle is as likely: the standard error is the
// deviation of the difference of two mean ranks over all of them, and the mean of each statistic,
// corrected for ties, is that of χ², Methods − 1.
func TestRanksOverAllShuffles(t *testing.T) {
	scores := [][]float64{{.7, .4, .1}, {.9, .3, .2}, {.5, .45, .8}}
	tied := [][]float64{{.7, .4, .4}, {.9, .3, .2}, {.5, .5, .8}}
	for _, c := range []struct {
		name   string
		f      func([][]float64) (eval.Ranking, error)
		scores [][]float64
		spread bool // the standard error holds: Friedman's is without ties, as printed
	}{
		{"Friedman", eval.Friedman, scores, true},
		{"Friedman, ties", eval.Friedman, tied, false},
		{"aligned", eval.AlignedRanks, scores, true},
		{"aligned, ties", eval.AlignedRanks, tied, true},
	} {
		var squares, statistics float64
		count := 0.0
		shuffles(c.scores, func(shuffled [][]float64) {
			r := ranking(t, c.f, shuffled)
			squares += math.Pow(r.Ranks[0]-r.Ranks[1], 2)
			statistics += r.Corrected
			count++
		})
		if count != 6*6*6 {
			t.Fatalf("%v shuffles", count)
		}
		r := ranking(t, c.f, c.scores)
		if c.spread {
			within(t, c.name+": the standard error", r.StdErr, math.Sqrt(squares/count), 1e-12)
		}
		within(t, c.name+": the mean of the statistic", statistics/count, 2, 1e-12)
	}
}

func upTo(k int) []int {
	out := make([]int, k)
	for i := range out {
		out[i] = i
	}
	return out
}

func TestHolm(t *testing.T) {
	// R: p.adjust(c(.01, .04, NA, .03, .005), "holm")
	got := eval.Holm([]float64{0.01, 0.04, math.NaN(), 0.03, 0.005})
	for i, want := range []float64{0.03, 0.06, math.NaN(), 0.06, 0.02} {
		if math.IsNaN(want) != math.IsNaN(got[i]) || math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("value %d is %v, want %v", i, got[i], want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOfN(rapid.Float64Range(0, 1), 0, 12).Draw(t, "p")
		adjusted := eval.Holm(p)
		for i := range p {
			if adjusted[i] < p[i] || adjusted[i] > min(1, float64(len(p))*p[i]) {
				t.Errorf("%v became %v of %d", p[i], adjusted[i], len(p))
			}
			for j := range p {
				if p[i] < p[j] && adjusted[i] > adjusted[j] {
					t.Errorf("%v < %v, but %v > %v", p[i], p[j], adjusted[i], adjusted[j])
				}
			}
		}
		kept := slices.Clone(p)
		if eval.Holm(p); !slices.Equal(kept, p) {
			t.Error("the caller's values changed")
		}
	})
}

func TestRankingsRefuse(t *testing.T) {
	for name, scores := range map[string][][]float64{
		"no sets":    nil,
		"one method": {{1}},
		"ragged":     {{1, 2}, {1}},
		"NaN":        {{1, math.NaN()}},
	} {
		if err := second(eval.Friedman(scores)); !fault.IsInput(err) {
			t.Errorf("%s: got %v, want an input fault", name, err)
		}
		if err := second(eval.AlignedRanks(scores)); !fault.IsInput(err) {
			t.Errorf("%s, aligned: got %v, want an input fault", name, err)
		}
	}
	if err := second(ranking(t, eval.Friedman, demsar).Against(4)); !fault.IsInput(err) {
		t.Errorf("no such control: got %v, want an input fault", err)
	}
	for name, f := range map[string]func([][]float64) (eval.Ranking,
		error){"Friedman": eval.Friedman, "aligned": eval.AlignedRanks} {
		r := ranking(t, f, [][]float64{{.7, .7, .7}, {.1, .1, .1}})
		if r.Statistic != 0 || r.P != 1 || r.Corrected != 0 || r.PCorrected != 1 {
			t.Errorf("%s: all equal: %+v", name, r)
		}
	}
}

func ExampleAlignedRanks() {
	ari := [][]float64{ // sets × methods
		{.80, .62, .60},
		{.71, .70, .55},
		{.90, .88, .91},
		{.45, .30, .21},
	}
	r, err := eval.AlignedRanks(ari)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean ranks %.2f, p %.3f\n", r.Ranks, r.P)
	against, err := r.Against(0)
	for _, c := range against {
		fmt.Printf("method %d: z %.2f, p %.3f, after Holm %.3f\n", c.Method, c.Z, c.P, c.Holm)
	}
	fmt.Println(err)
	// Output:
	// mean ranks [3.00 7.00 9.50], p 0.086
	// method 1: z 1.35, p 0.176, after Holm 0.176
	// method 2: z 2.20, p 0.028, after Holm 0.056
	// <nil>
}

func ExampleWilcoxon() {
	r, err := eval.Wilcoxon([]float64{.80, .71, .90, .45, .66, .59},
		[]float64{.62, .70, .92, .30, .41, .51})
	fmt.Printf("%d pairs, sums of ranks %g and %g, p %.4f %v\n", r.N, r.Plus, r.Minus, r.P, err)
	// Output: 6 pairs, sums of ranks 19 and 2, p 0.0938 <nil>
}
