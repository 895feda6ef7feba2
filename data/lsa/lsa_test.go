package lsa

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

// TestWeightsByHand works the weights of three short texts out with pencil and paper.
func TestWeightsByHand(t *testing.T) {
	texts := []string{"Red red apple.", "green apple", "red car"}
	cfg := Config{}.withDefaults(len(texts))
	m, err := vocabulary(t.Context(), texts, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(m.words, " "); got != "apple car green red" {
		t.Fatalf("words %s", got)
	}
	// Two of three texts hold apple and red, one each car and green.
	often, once := math.Log(4.0/3)+1, math.Log(4.0/2)+1
	for i, want := range []float64{often, once, once, often} {
		if math.Abs(m.idf[i]-want) > 1e-15 {
			t.Errorf("%s weighs %v, not %v", m.words[i], m.idf[i], want)
		}
	}
	// Red occurs twice in the first text: 1 + ln 2.
	a, r := often, (1+math.Log(2))*often
	length := math.Hypot(a, r)
	words, weights := m.bag().weigh(texts[0])
	if !slices.Equal(words, []int32{0, 3}) || math.Abs(float64(weights[0])-a/length) > 1e-7 ||
		math.Abs(float64(weights[1])-r/length) > 1e-7 {
		t.Errorf("words %v weigh %v, not %v and %v", words, weights, a/length, r/length)
	}
}

// dense returns weights as a matrix of all values.
func (a *sparse) dense() *mat.Dense {
	out := mat.NewDense(a.rows, a.cols, nil)
	for i := range a.rows {
		for e := a.start[i]; e < a.start[i+1]; e++ {
			out.Set(i, int(a.col[e]), float64(a.value[e]))
		}
	}
	return out
}

// TestAgainstDenseDecomposition: dimensions, their share and the vectors are those of a singular
// value decomposition of the whole matrix, by another algorithm.
func TestAgainstDenseDecomposition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		texts := topics(rng, rapid.IntRange(1, 60).Draw(t, "texts"),
			rapid.IntRange(1, 5).Draw(t, "topics"), 12)
		cfg := Config{Dimensions: rapid.IntRange(1, 8).Draw(t, "dimensions")}
		m, x, err := Fit(context.Background(), texts, cfg)
		if err != nil {
			t.Fatal(err)
		}
		a, err := m.weigh(context.Background(), texts, cfg.withDefaults(len(texts)))
		if err != nil {
			t.Fatal(err)
		}
		var svd mat.SVD
		if !svd.Factorize(a.dense(), mat.SVDThin) {
			t.Fatal("no decomposition")
		}
		values := svd.Values(nil)
		var v mat.Dense
		svd.VTo(&v)
		kept, total := 0.0, 0.0
		for j, s := range values {
			if total += s * s; j < m.dims {
				kept += s * s
			}
		}
		if math.Abs(m.report.Share-kept/total) > 2e-3 {
			t.Fatalf("a share of %v is kept, and %v could be", m.report.Share, kept/total)
		}
		// Where a dimension's value differs from all others, its direction is determined, but for
		// the sign.
		apart := func(j int) bool {
			return (j == 0 || values[j-1] > 1.2*values[j]) &&
				(j+1 == len(values) || values[j] > 1.2*values[j+1])
		}
		for j := range m.dims {
			if !apart(j) {
				continue
			}
			var product float64
			for w := range m.words {
				product += float64(m.basis[w*m.dims+j]) * v.At(w, j)
			}
			if math.Abs(math.Abs(product)-1) > 2e-3 {
				t.Fatalf("dimension %d has %v in common with the one it should be", j, product)
			}
		}
		for i := range x.Rows {
			var squares float64
			for j := range x.Cols {
				squares += x.At(i, j) * x.At(i, j)
			}
			if squares != 0 && math.Abs(squares-1) > 1e-5 {
				t.Fatalf("row %d has length %v", i, math.Sqrt(squares))
			}
		}
	})
}

// topics makes texts of words, most of them of one topic: text i is of topic i modulo count.
func topics(rng *rand.Rand, n, count, words int) []string {
	texts := make([]string, n)
	for i := range texts {
		var b strings.Builder
		for range words {
			topic := i % count
			if rng.IntN(4) == 0 {
				topic = count // words of no topic
			}
			// Words are not equally common.
			fmt.Fprintf(&b, "word%dx%d ", topic, int(30*math.Pow(rng.Float64(), 2)))
		}
		texts[i] = b.String()
	}
	return texts
}

// TestSameBytesOnAnyNumberOfThreads, of goroutines and of processors.
func TestSameBytesOnAnyNumberOfThreads(t *testing.T) {
	texts := topics(rand.New(rand.NewPCG(3, 4)), 3000, 6, 20)
	var want []byte
	for _, threads := range []int{1, 2, 5} {
		before := runtime.GOMAXPROCS(threads)
		m, x, err := Fit(t.Context(), texts, Config{Threads: threads})
		runtime.GOMAXPROCS(before)
		if err != nil {
			t.Fatal(err)
		}
		model, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		got := fmt.Append(model, x.F32)
		if want == nil {
			want = got
		} else if string(got) != string(want) {
			t.Fatalf("%d threads give other bytes", threads)
		}
	}
}

// TestTransformIsFit: texts placed by the model, also one that was written and read, are where the
// fit put them.
func TestTransformIsFit(t *testing.T) {
	texts := topics(rand.New(rand.NewPCG(3, 4)), 300, 4, 20)
	m, x, err := Fit(t.Context(), texts, Config{Dimensions: 7})
	if err != nil {
		t.Fatal(err)
	}
	written, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var read Model
	if err := json.Unmarshal(written, &read); err != nil {
		t.Fatal(err)
	}
	for _, model := range []*Model{m, &read} {
		y, err := model.Transform(t.Context(), texts)
		if err != nil || y.Cols != 7 || !slices.Equal(x.F32, y.F32) {
			t.Errorf("other vectors (%v)", err)
		}
		if model.Report() != m.Report() || model.Dimensions() != 7 {
			t.Errorf("%+v in %d dimensions", model.Report(), model.Dimensions())
		}
	}
	y, err := m.Transform(t.Context(), []string{"nothing known here", "", texts[0]})
	if err != nil {
		t.Fatal(err)
	}
	if y.Rows != 3 || y.At(0, 0) != 0 || y.At(1, 0) != 0 || y.At(2, 0) != x.At(0, 0) {
		t.Errorf("%v", y)
	}
}

// TestOddTexts: what people have in a column of texts, and what comes of it.
func TestOddTexts(t *testing.T) {
	same := slices.Repeat([]string{"the same text"}, 100)
	for name, c := range map[string]struct {
		texts          []string
		dims, wordless int
		problem        string
	}{
		"one text":  {texts: []string{"a single text"}, dims: 1},
		"all equal": {texts: same, dims: 1},
		"some empty": {texts: []string{"red apple", "", "red car", " ", "42 ?"}, dims: 3,
			wordless: 2},
		"none":          {problem: "no words"},
		"all empty":     {texts: []string{"", "?"}, problem: "no words"},
		"all different": {texts: differing(60), problem: "no word occurs in 2 texts"},
		"broken UTF-8": {texts: []string{"red\xffapple", "\xc3\x28 apple", "red\x00car"},
			dims: 3},
		"one long word": {texts: []string{strings.Repeat("a", 1<<21), "red apple", "red"},
			dims: 2, wordless: 1},
		"a very long text": {texts: []string{strings.Repeat("red ", 1<<19) + "apple", "red car"},
			dims: 2},
		"nothing but common": {texts: append(slices.Repeat([]string{"red"}, 40),
			slices.Repeat([]string{"red car"}, 40)...), dims: 1, wordless: 40},
	} {
		m, x, err := Fit(t.Context(), c.texts, Config{})
		var in *fault.Input
		switch {
		case c.problem != "":
			if !errors.As(err, &in) || !strings.Contains(in.Problem, c.problem) || in.Fix == "" {
				t.Errorf("%s: %v", name, err)
			}
		case err != nil:
			t.Errorf("%s: %v", name, err)
		case x.Rows != len(c.texts) || x.Cols != c.dims || m.Report().Wordless != c.wordless:
			t.Errorf("%s: %d × %d, %+v", name, x.Rows, x.Cols, m.Report())
		case (len(m.Notes()) > 1) != (c.wordless > 0):
			t.Errorf("%s: %q", name, m.Notes())
		}
		for _, v := range x.F32 {
			if !(v >= -1.0001 && v <= 1.0001) {
				t.Fatalf("%s: %v", name, x.F32)
			}
		}
	}
}

func differing(n int) (texts []string) {
	for i := range n {
		texts = append(texts, fmt.Sprintf("text%d", i))
	}
	return texts
}

func TestConfigsThatMakeNoSense(t *testing.T) {
	for _, cfg := range []Config{
		{Dimensions: -1}, {Dimensions: 5000}, {MinTexts: -1}, {MaxShare: -0.1}, {MaxShare: 1.1},
		{MaxShare: math.NaN()},
		{MaxWords: -1}, {MaxWords: 1 << 30}, {MinTexts: 5}, {MaxShare: 0.1},
	} {
		if _, _, err := Fit(t.Context(), []string{"red apple", "green apple"},
			cfg); !fault.IsInput(err) {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestWhichWordsAreUsed: the limits hold, and the report counts what they leave out.
func TestWhichWordsAreUsed(t *testing.T) {
	texts := []string{"all most some one", "all most some", "all most", "all"}
	for _, c := range []struct {
		cfg  Config
		want string
		left Report
	}{
		{Config{}, "all most one some", Report{}},
		{Config{MinTexts: 2}, "all most some", Report{Rare: 1}},
		{Config{MinTexts: 2, MaxShare: 0.75}, "most some", Report{Rare: 1, Common: 1}},
		{Config{MaxWords: 2}, "all most", Report{Beyond: 2}},
	} {
		m, err := vocabulary(t.Context(), texts, c.cfg.withDefaults(4))
		if err != nil {
			t.Fatal(err)
		}
		c.left.Texts, c.left.Words = 4, len(m.words)
		if got := strings.Join(m.words, " "); got != c.want || m.report != c.left {
			t.Errorf("%+v: %s, %+v", c.cfg, got, m.report)
		}
	}
}

func TestCancelling(t *testing.T) {
	texts := topics(rand.New(rand.NewPCG(3, 4)), 20_000, 6, 20)
	for _, stop := range []string{"reading words", "weighing words", "finding dimensions",
		"placing texts"} {
		ctx, cancel := context.WithCancel(t.Context())
		_, _, err := Fit(ctx, texts, Config{Progress: func(what string, share float64) {
			if share < 0 || share > 1 {
				t.Errorf("%s: %v", what, share)
			}
			if what == stop {
				cancel()
			}
		}})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("%s went on: %v", stop, err)
		}
	}
}

func ExampleFit() {
	texts := []string{"The cat purrs", "a cat and a kitten", "stocks fell", "Stocks and bonds rose"}
	model, vectors, err := Fit(context.Background(), texts, Config{Dimensions: 2})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(vectors.Rows, "texts in", model.Dimensions(), "dimensions")
	// Output: 4 texts in 2 dimensions
}
