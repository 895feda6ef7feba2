package eval_test

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
)

func within(t rapid.TB, what string, got, want, slack float64) {
	t.Helper()
	if !(math.Abs(got-want) <= slack) {
		t.Errorf("%s is %.10g, want %.10g", what, got, want)
	}
}

func signedRank(t testing.TB, a, b []float64, zeros eval.Zeros) eval.SignedRank {
	t.Helper()
	r, err := eval.WilcoxonWith(a, b, zeros)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// The Hamilton depression scale of nine patients before and after a tranquilliser (Hollander &
// Wolfe 1973, table 3.1; the example of R's wilcox.test, which prints the one-sided p-value
// 0.01953).
func TestWilcoxonOnHollanderAndWolfe(t *testing.T) {
	before := []float64{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30}
	after := []float64{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29}
	r := signedRank(t, before, after, eval.DropZeros)
	if r.N != 9 || r.Plus != 40 || r.Minus != 5 || !r.Exact {
		t.Errorf("got %+v, want 9 pairs with sums 40 and 5", r)
	}
	within(t, "half the exact p-value", r.P/2, 0.01953125, 1e-15)
	// SciPy 1.17, method="approx", correction=True
	within(t, "the normal p-value", r.NormalP, 0.04401098401295143, 1e-12)
}

// Area under the ROC curve of C4.5, with m tuned, with cf tuned, with both, on 14 data sets (Demšar
// 2006, tables 2 and 6).
var demsar = [][]float64{
	{.763, .768, .771, .798}, {.599, .591, .590, .569}, {.954, .971, .968, .967},
	{.628, .661, .654, .657},
	{.882, .888, .886, .898}, {.936, .931, .916, .931}, {.661, .668, .609, .685},
	{.583, .583, .563, .625},
	{.775, .838, .866, .875}, {1, 1, 1, 1}, {.940, .962, .965, .962}, {.619, .666, .614, .669},
	{.972, .981, .9751, .975}, {.957, .978, .946, .970},
}

func column(rows [][]float64, j int) []float64 {
	out := make([]float64, len(rows))
	for i, row := range rows {
		out[i] = row[j]
	}
	return out
}

// Demšar's worked example: sums of ranks 93 and 12 with the two sets without a difference split.
// The p-values are SciPy 1.17's with correction=True, on differences rounded to six places.
func TestWilcoxonOnDemsar(t *testing.T) {
	a, b := column(demsar, 1), column(demsar, 0)
	r := signedRank(t, a, b, eval.SplitZeros)
	if r.Plus != 93 || r.Minus != 12 || r.N != 12 || r.Zeros != 2 {
		t.Errorf("got %+v, want the sums 93 and 12", r)
	}
	r = signedRank(t, a, b, eval.DropZeros)
	if r.Minus != 6.5 {
		t.Errorf("dropped: the lesser sum is %v, want 6.5", r.Minus)
	}
	within(t, "dropped: z", r.Z, 2.5112525819614415, 1e-12)
	within(t, "dropped: p", r.NormalP, 0.012030358470209076, 1e-12)
	r = signedRank(t, a, b, eval.PrattZeros)
	if r.Minus != 10.5 {
		t.Errorf("Pratt: the lesser sum is %v, want 10.5", r.Minus)
	}
	within(t, "Pratt: z", r.Z, 2.5178904194658354, 1e-12)
	within(t, "Pratt: p", r.NormalP, 0.01180600450285098, 1e-12)
}

func TestWilcoxonAgainstSciPy(t *testing.T) {
	of := func(n, step, modulus, less int) []float64 {
		d := make([]float64, n)
		for i := range d {
			d[i] = float64(i*step%modulus-less) + 0.001*float64(i)
		}
		return d
	}
	r := signedRank(t, of(30, 17, 31, 11), make([]float64, 30), eval.DropZeros)
	within(t, "the lesser sum of 30", min(r.Plus, r.Minus), 124, 0)
	within(t, "the exact p-value of 30", r.P, 0.024786051362752914, 1e-14)
	r = signedRank(t, of(60, 37, 61, 25), make([]float64, 60), eval.DropZeros)
	within(t, "the lesser sum of 60", min(r.Plus, r.Minus), 624, 0)
	within(t, "the p-value of 60", r.P, 0.032472481463759785, 1e-12)
	if r.Exact {
		t.Error("60 pairs have no exact p-value here")
	}
	tied := []float64{3, -1, 2, 2, -4, 5, 0, 6, -1, 7, 8, 2, 0, -3, 9, 1, 4, 0}
	within(t, "the p-value with ties",
		signedRank(t, tied, make([]float64, len(tied)), eval.DropZeros).NormalP,
		0.028446364511685977, 1e-12)
	within(t, "the p-value with ties, Pratt",
		signedRank(t, tied, make([]float64, len(tied)), eval.PrattZeros).NormalP,
		0.032061315562825106, 1e-12)
}

// byEnumeration goes through all signs of the ranks.
func byEnumeration(d []float64, zeros eval.Zeros) float64 {
	size := make([]float64, 0, len(d))
	none := 0
	for _, v := range d {
		if v == 0 {
			none++
		}
	}
	for _, v := range d {
		if v != 0 || zeros == eval.PrattZeros || zeros == eval.SplitZeros {
			size = append(size, math.Abs(v))
		}
	}
	if zeros == eval.SplitZeros && none%2 == 1 {
		size = slices.Delete(size, slices.Index(size, 0), slices.Index(size, 0)+1)
	}
	var ranks []float64
	sum, found := 0.0, 0.0
	for _, v := range d {
		if v == 0 {
			continue
		}
		below, same := 0, 0
		for _, w := range size {
			if w < math.Abs(v) {
				below++
			} else if w == math.Abs(v) {
				same++
			}
		}
		r := float64(below) + float64(same+1)/2
		ranks, sum = append(ranks, r), sum+r
		if v > 0 {
			found += r
		}
	}
	extreme := 0
	for signs := range 1 << len(ranks) {
		plus := 0.0
		for i, r := range ranks {
			if signs>>i&1 == 1 {
				plus += r
			}
		}
		if math.Abs(2*plus-sum) >= math.Abs(2*found-sum) {
			extreme++
		}
	}
	return float64(extreme) / float64(int(1)<<len(ranks))
}

func TestWilcoxonAgainstEnumeration(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole := rapid.SliceOfN(rapid.IntRange(-6, 6), 1, 10).Draw(t, "differences")
		d, base, turned := make([]float64, len(whole)), make([]float64, len(whole)),
			make([]float64, len(whole))
		for i, v := range whole {
			d[i], base[i] = 10+float64(v), 10
			turned[i] = 10 - float64(v)
		}
		zeros := rapid.SampledFrom([]eval.Zeros{eval.DropZeros, eval.PrattZeros,
			eval.SplitZeros}).Draw(t, "zeros")
		r, err := eval.WilcoxonWith(d, base, zeros)
		if err != nil {
			t.Fatal(err)
		}
		plain := make([]float64, len(whole))
		for i, v := range whole {
			plain[i] = float64(v)
		}
		if want := byEnumeration(plain, zeros); math.Abs(r.P-want) > 1e-12 || !r.Exact {
			t.Errorf("p is %v, want %v by enumeration", r.P, want)
		}
		back, err := eval.WilcoxonWith(turned, base, zeros)
		if err != nil {
			t.Fatal(err)
		}
		if back.P != r.P || back.NormalP != r.NormalP || back.Z != -r.Z || back.Plus != r.Minus {
			t.Errorf("signs turned: %+v, was %+v", back, r)
		}
		n, total := float64(r.N), r.Plus+r.Minus
		switch zeros {
		case eval.DropZeros:
			within(t, "the sum of ranks", total, n*(n+1)/2, 1e-9)
		case eval.SplitZeros:
			n += float64(r.Zeros - r.Zeros%2)
			within(t, "the sum of ranks", total, n*(n+1)/2, 1e-9)
		}
	})
}

func TestWilcoxonRefuses(t *testing.T) {
	for name, err := range map[string]error{
		"lengths":   second(eval.Wilcoxon([]float64{1}, []float64{1, 2})),
		"none":      second(eval.Wilcoxon(nil, nil)),
		"NaN":       second(eval.Wilcoxon([]float64{math.NaN()}, []float64{1})),
		"infinite":  second(eval.Wilcoxon([]float64{1}, []float64{math.Inf(1)})),
		"treatment": second(eval.WilcoxonWith([]float64{1}, []float64{2}, 3)),
	} {
		if !fault.IsInput(err) {
			t.Errorf("%s: got %v, want an input fault", name, err)
		}
	}
	if r, err := eval.Wilcoxon([]float64{1, 2}, []float64{1, 2}); err != nil || r.P != 1 ||
		r.NormalP != 1 || r.Zeros != 2 {
		t.Errorf("without any difference: %+v, %v, want the p-value 1", r, err)
	}
}
