package strategy_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

const same, different, unknown = link.MustLink, link.CannotLink, link.Unknown

// blobs draws rows around k centres in turn, and returns the centre of each.
func blobs(n, k int, seed uint64) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(seed, 1))
	x := dataset.Matrix{Rows: n, Cols: 2, F64: make([]float64, 2*n)}
	classes := make([]int32, n)
	for i := range n {
		classes[i] = int32(i % k)
		x.F64[2*i] = float64(10*(i%k)) + rng.NormFloat64()
		x.F64[2*i+1] = float64(7*(i%k%2)) + rng.NormFloat64()
	}
	return x, classes
}

// means clusters rows by the nearest of the means of the components of must-links, or, before there
// are any, by thirds: enough of a method for strategies to look at. It gives memberships as masses.
func means(x dataset.Matrix, k int) func(context.Context, []link.Link) (strategy.Partition, error) {
	return func(_ context.Context, links []link.Link) (strategy.Partition, error) {
		set, _, err := link.Build(x.Rows, links, link.Keep)
		if err != nil {
			return strategy.Partition{}, err
		}
		labels := make([]int, x.Rows)
		u := make([]float64, x.Rows*k)
		for i := range labels {
			labels[i] = 1 + set.Component(i)%k
			for c := range k {
				u[i*k+c] = 0.3 / float64(k-1)
			}
			u[i*k+labels[i]-1] = 0.7
		}
		p, err := credal.FromFuzzy(u, k)
		return strategy.Partition{Labels: labels, Credal: p}, err
	}
}

func config(x dataset.Matrix, k int, seed uint64) strategy.Config {
	return strategy.Config{Data: x, Clusters: k, Seed: seed, Partition: means(x, max(k, 2))}
}

func begin(t testing.TB, name string, cfg strategy.Config, n int, given []link.Link) *ask.Session {
	t.Helper()
	run, err := ask.Begin(context.Background(), n, given, link.Refuse, choose(t, name, cfg))
	if err != nil {
		t.Fatal(err)
	}
	return run
}

func choose(t testing.TB, name string, cfg strategy.Config) ask.Chooser {
	t.Helper()
	s, err := strategy.New(name, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// groups returns what a session and the strategy of its questions put together.
func groups(t testing.TB, run *ask.Session, s ask.Chooser) *link.Set {
	t.Helper()
	links, err := strategy.Links(context.Background(), s, run.Ledger)
	if err != nil {
		t.Fatal(err)
	}
	set, _, err := link.Build(run.N(), links, link.Refuse)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestAskedToTheEnd every strategy tells the classes, and never asks what it knows.
func TestAskedToTheEnd(t *testing.T) {
	const n, k = 40, 3
	x, classes := blobs(n, k, 7)
	for _, name := range strategy.Names() {
		run := begin(t, name, config(x, k, 3), n, nil)
		err := ask.Drive(t.Context(), run, ask.Labels(classes), 0, func(e ask.Event) error {
			if e.Question.Why == "" {
				t.Errorf("%s does not say why it asks", name)
			}
			return nil
		})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		answers := run.Answers()
		if name != strategy.Random {
			before := link.NewSet(n)
			for _, a := range answers {
				if before.Relation(a.A, a.B) != unknown {
					t.Errorf("%s asks about rows %d and %d, which it knows", name, a.A, a.B)
				}
				before.Add(a)
			}
		}
		if len(link.Latest(answers)) != len(answers) {
			t.Errorf("%s asks a pair twice", name)
		}
		if name == strategy.Nonspecificity {
			continue // it is done when all are told from those that stand for the clusters
		}
		set := groups(t, run, choose(t, name, config(x, k, 3)))
		for i := range n {
			if (set.Relation(i, i%k) == same) != (classes[i] == classes[i%k]) {
				t.Errorf("%s leaves row %d apart", name, i)
			}
		}
		t.Logf("%s: %d answers", name, len(answers))
	}
}

// TestRowsLeftOut are not asked about, and all others are.
func TestRowsLeftOut(t *testing.T) {
	const n, k = 24, 3
	x, classes := blobs(n, k, 1)
	for _, name := range strategy.Names() {
		run := begin(t, name, config(x, k, 0), n, nil)
		run.Exclude([]int{0, 7, 8, 99, -1})
		for i := 0; ; i++ {
			q, ok := run.Next()
			if !ok {
				break
			}
			if slices.ContainsFunc([]int{0, 7, 8},
				func(r int) bool { return q.A == r || q.B == r }) {
				t.Fatalf("%s asks about rows %d and %d", name, q.A, q.B)
			}
			reply, _ := ask.Labels(classes).Ask(t.Context(), q)
			kind, _ := reply.Kind()
			if err := run.Answer(kind); err != nil {
				t.Fatal(err)
			}
			if i == 10 {
				run.Exclude([]int{0, 7, 8, q.A})
				if next, ok := run.Next(); ok && (next.A == q.A || next.B == q.A) {
					t.Fatalf("%s asks about row %d, which was left out", name, q.A)
				}
				run.Exclude([]int{0, 7, 8})
			}
		}
		if run.Err() != nil {
			t.Errorf("%s: %v", name, run.Err())
		}
	}
}

// TestWhoNeverKnows is not asked for ever: no pair twice, and of one object twice at most where
// objects are placed.
func TestWhoNeverKnows(t *testing.T) {
	const n, k = 12, 3
	x, _ := blobs(n, k, 1)
	for _, name := range strategy.Names() {
		run := begin(t, name, config(x, k, 0), n, nil)
		count := 0
		for _, ok := run.Next(); ok; _, ok = run.Next() {
			if err := run.Answer(unknown); err != nil {
				t.Fatal(err)
			}
			count++
		}
		if most := n * (n - 1) / 2; count > most ||
			slices.Contains([]string{strategy.FarthestFirst, strategy.MinMax, strategy.NPU},
				name) && count > 2*n {
			t.Errorf("%s asks %d times of %d rows", name, count, n)
		}
	}
}

// TestGivenLinks are not asked again, and make the first neighbourhoods.
func TestGivenLinks(t *testing.T) {
	const n, k = 30, 3
	x, classes := blobs(n, k, 2)
	given, err := ask.RandomLinks(classes, 25, 4)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range strategy.Names() {
		fresh, told := begin(t, name, config(x, k, 0), n, nil),
			begin(t, name, config(x, k, 0), n, given)
		for _, run := range []*ask.Session{fresh, told} {
			if err := ask.Drive(t.Context(), run, ask.Labels(classes), 0, nil); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		if a, b := len(told.Answers()), len(fresh.Answers()); a > b {
			t.Errorf("%s asks %d times with links and %d without", name, a, b)
		}
	}
}

// TestByDissimilarities alone, all but npu choose as by the vectors these are of, where no two are
// equal.
func TestByDissimilarities(t *testing.T) {
	const n, k = 30, 3
	x, classes := blobs(n, k, 2)
	m := &dissim.Dense{N: n, D: make([]float32, n*n)}
	for i := range n {
		for j := range n {
			dx, dy := x.F64[2*i]-x.F64[2*j], x.F64[2*i+1]-x.F64[2*j+1]
			m.D[i*n+j] = float32(math.Sqrt(dx*dx + dy*dy))
		}
	}
	for _, name := range strategy.Names() {
		cfg := config(x, k, 1)
		byVectors := begin(t, name, cfg, n, nil)
		cfg.Data, cfg.Dissim = dataset.Matrix{}, m
		if name == strategy.NPU {
			if _, err := strategy.New(name, cfg); !fault.IsInput(err) {
				t.Errorf("npu on dissimilarities: %v", err)
			}
			continue
		}
		other := begin(t, name, cfg, n, nil)
		for _, run := range []*ask.Session{byVectors, other} {
			if err := ask.Drive(t.Context(), run, ask.Labels(classes), 20, nil); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(byVectors.Answers(), other.Answers()) {
			t.Errorf("%s asks otherwise by dissimilarities", name)
		}
	}
}

// TestSinglePrecision asks the same of rows that are the same.
func TestSinglePrecision(t *testing.T) {
	const n, k = 24, 3
	x, classes := blobs(n, k, 2)
	narrow := dataset.Matrix{Rows: n, Cols: 2}
	for i, v := range x.F64 {
		narrow.F32 = append(narrow.F32, float32(v))
		x.F64[i] = float64(float32(v))
	}
	for _, name := range strategy.Names() {
		a, b := begin(t, name, config(x, k, 1), n, nil),
			begin(t, name, config(narrow, k, 1), n, nil)
		for _, run := range []*ask.Session{a, b} {
			if err := ask.Drive(t.Context(), run, ask.Labels(classes), 15, nil); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(a.Answers(), b.Answers()) {
			t.Errorf("%s asks otherwise of float32", name)
		}
	}
}

// TestCancelled sessions give the error of the context, and go on afterwards.
func TestCancelled(t *testing.T) {
	const n, k = 30, 3
	x, _ := blobs(n, k, 2)
	for _, name := range strategy.Names() {
		cfg := config(x, k, 1)
		inner := cfg.Partition
		cfg.Partition = func(ctx context.Context, links []link.Link) (strategy.Partition, error) {
			if ctx.Err() != nil {
				return strategy.Partition{}, ctx.Err()
			}
			return inner(ctx, links)
		}
		run := begin(t, name, cfg, n, nil)
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := run.Look(ctx); err != nil && !errors.Is(err, context.Canceled) ||
			run.Err() != nil {
			t.Errorf("%s: %v, %v", name, err, run.Err())
		}
		if _, ok := run.Next(); !ok {
			t.Errorf("%s does not go on: %v", name, run.Err())
		}
	}
}

// TestHostileRows neither end questions before their time nor hold them for ever: far ones, equal
// ones, no columns at all.
func TestHostileRows(t *testing.T) {
	const n = 8
	classes := []int32{0, 0, 1, 1, 0, 1, 2, 2}
	for what, x := range map[string]dataset.Matrix{
		"huge": {Rows: n, Cols: 1,
			F64: []float64{1e300, -1e300, 1e308, -1e308, 0, 1e-300, -1e-300, 5e-324}},
		"equal":      {Rows: n, Cols: 2, F64: make([]float64, 2*n)},
		"no columns": {Rows: n, Cols: 0},
		"float32":    {Rows: n, Cols: 1, F32: []float32{3e38, -3e38, 1e38, 0, 1e-45, 1, 2, 2}},
	} {
		for _, name := range strategy.Names() {
			run := begin(t, name, config(x, 3, 1), n, nil)
			if err := ask.Drive(t.Context(), run, ask.Labels(classes), 0, nil); err != nil ||
				len(run.Answers()) == 0 {
				t.Errorf("%s rows by %s: %d answers (%v)", what, name, len(run.Answers()), err)
			}
			set := groups(t, run, choose(t, name, config(x, 3, 1)))
			if name != strategy.Nonspecificity &&
				set.Relation(0, 4) != same {
				t.Errorf("%s rows by %s: rows 0 and 4 are not put together", what, name)
			}
		}
	}
}

func TestBadSettings(t *testing.T) {
	x, _ := blobs(5, 2, 1)
	for name, cfg := range map[string]strategy.Config{
		"nearest":                   {Data: x},
		strategy.MinMax:             {Data: x},
		strategy.ExploreConsolidate: {Data: x, Clusters: -1},
		strategy.FarthestFirst: {Data: dataset.Matrix{Rows: 2, Cols: 1,
			F64: []float64{0, math.NaN()}}},
		strategy.Random: {Data: dataset.Matrix{Rows: 2, Cols: 1,
			F32: []float32{0, float32(math.Inf(-1))}}},
		strategy.ClosestPairs: {Data: dataset.Matrix{Rows: strategy.MostClosest + 1,
			Cols: 0}},
	} {
		if _, err := strategy.New(name, cfg); !fault.IsInput(err) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := strategy.New(strategy.NPU, strategy.Config{Data: x}); err == nil {
		t.Error("npu does without a partition")
	}
}

func ExampleNew() {
	x := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, 2, 20, 21, 22}}
	s, err := strategy.New(strategy.MinMax, strategy.Config{Data: x, Clusters: 2})
	if err != nil {
		panic(err)
	}
	run, err := ask.Begin(context.Background(), x.Rows, nil, link.Refuse, s)
	if err != nil {
		panic(err)
	}
	err = ask.Drive(context.Background(), run, ask.Labels([]int32{0, 0, 0, 1, 1, 1}), 0,
		func(e ask.Event) error {
			fmt.Println(e.Question.A, e.Question.B, e.Reply == ask.Same)
			return nil
		})
	links, _ := strategy.Links(context.Background(), s, run.Ledger)
	fmt.Println(len(links)-len(run.Answers()), "concluded", err)
	// Output:
	// 0 4 false
	// 2 0 true
	// 1 0 true
	// 3 4 true
	// 5 4 true
	// 0 concluded <nil>
}
