package competitive

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// Every rule agrees with its twin on random problems, with and without links of all kinds.
func TestRulesAgreeWithTheirTwins(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rule := rapid.SampledFrom([]Rule{CRPCL, OLCVQE, RPCL, FrequencySensitive,
			WinnerTakeAll}).Draw(t, "rule")
		n, d := rapid.IntRange(2, 40).Draw(t, "n"), rapid.IntRange(1, 20).Draw(t, "d")
		k := rapid.IntRange(1, 11).Draw(t, "k")
		many := rapid.IntRange(0, 60).Draw(t, "links")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		data := dataset.Matrix{Rows: n, Cols: d, F64: make([]float64, n*d)}
		for i := range data.F64 {
			data.F64[i] = rng.NormFloat64()
		}
		start := dataset.Matrix{Rows: k, Cols: d, F64: make([]float64, k*d)}
		for i := range start.F64 {
			start.F64[i] = rng.NormFloat64()
		}
		var links []link.Link
		for range many {
			a, b := rng.IntN(n), rng.IntN(n)
			if a != b {
				links = append(links,
					link.Link{A: a, B: b, Kind: link.Kind(rng.IntN(3)),
						Plausibility: []float64{0, .4, .9}[rng.IntN(3)]})
			}
		}
		rate := Rate{Start: 0.1, Unlearn: 0.02,
			Penalty: rapid.SampledFrom([]Penalty{Controlled, Plain}).Draw(t, "penalty")}
		r, err := Fit(context.Background(), data,
			FitConfig{Links: links, Config: Config{Rule: rule, Clusters: k, Rate: rate,
				Contradictions: link.Keep},
				Epochs: 3, InOrder: true, InitialPrototypes: start})
		if err != nil {
			t.Fatal(err)
		}
		twin := &twin{rule: rule, alpha: rate.Start, beta: rate.Unlearn, penalty: rate.Penalty}
		for j := range k {
			twin.mu = append(twin.mu, slices.Clone(start.F64[j*d:(j+1)*d]))
			twin.w = append(twin.w, 1)
		}
		row := func(i int) []float64 { return data.F64[i*d : (i+1)*d] }
		for epoch := range 3 {
			presented := 0.0
			for i := range n {
				var partners []partner
				for _, l := range link.Latest(links) {
					if l.Kind == link.Unknown || l.A != i && l.B != i {
						continue
					}
					o := l.A + l.B - i
					partners = append(partners, partner{row(o), l.Kind, l.Confidence()})
				}
				presented += square(row(i), twin.mu[twin.nearest(row(i))])
				twin.learn(row(i), partners)
			}
			near(t, "trace", r.Trace[epoch:epoch+1], []float64{presented})
		}
		near(t, "prototypes", r.Prototypes.F64, slices.Concat(twin.mu...))
		near(t, "wins", r.Wins, twin.w)
		objective := 0.0
		for i := range n {
			j := twin.nearest(row(i))
			if int(r.Labels[i]) != j {
				t.Fatalf("row %d is in %d, want %d", i, r.Labels[i], j)
			}
			objective += square(row(i), twin.mu[j])
		}
		near(t, "objective", []float64{r.Objective}, []float64{objective})
		again, err := r.Predict(context.Background(), data, 2)
		if err != nil || !slices.Equal(again, r.Labels) {
			t.Fatalf("predicted %v, %v; fitted %v", again, err, r.Labels)
		}
	})
}

// Without links O-LCVQE is WTA and C-RPCL is RPCL; without unlearning RPCL is FSCL. All to the bit,
// in every setting.
func TestWithoutLinksRulesFallTogether(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cfg := anyConfig(t)
		cfg.Metric = fit.Euclidean
		data, _ := blobs(3, 3, 40, 6, cfg.Seed)
		fit := func(rule Rule, unlearn float64) *Result {
			c := cfg
			c.Rule, c.Rate.Unlearn = rule, unlearn
			r, err := Fit(context.Background(), data, FitConfig{Config: c, Epochs: 2})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		for _, same := range [][2]*Result{
			{fit(OLCVQE, 0), fit(WinnerTakeAll, 0)}, {fit(CRPCL, 0), fit(RPCL, 0)},
			{fit(RPCL, -1), fit(FrequencySensitive, 0)},
		} {
			if !slices.Equal(same[0].Prototypes.F64, same[1].Prototypes.F64) ||
				!slices.Equal(same[0].Labels, same[1].Labels) {
				t.Fatalf("%v differs from %v", same[0].Prototypes.F64, same[1].Prototypes.F64)
			}
		}
	})
}

// A learner under links presents both rows again with all their partners, as the twin does.
func TestLearnerAgreesWithTheTwin(t *testing.T) {
	for _, rule := range []Rule{OLCVQE, CRPCL} {
		const k, d = 3, 4
		data, _ := blobs(3, d, 30, 3, 7)
		l, err := New(Config{Rule: rule, Clusters: k, Init: Sample, Rehearse: 10,
			Contradictions: link.Keep}, data)
		if err != nil {
			t.Fatal(err)
		}
		twin := &twin{rule: rule, alpha: 0.05, beta: 0.002, w: []float64{1, 1, 1}}
		for j := range k {
			twin.mu = append(twin.mu, slices.Clone(l.Snapshot().Prototypes.F64[j*d:(j+1)*d]))
		}
		rng := rand.New(rand.NewPCG(1, uint64(rule)))
		partners := map[int64][]partner{}
		var order []int64 // linked rows, as they were first linked
		row := func(number int64) []float64 { return data.F64[(number-1)*d : number*d] }
		turn := 0
		for i := range data.Rows {
			number, label, err := l.Observe(row(int64(i + 1)))
			if err != nil {
				t.Fatal(err)
			}
			if want := twin.nearest(row(number)); int(label.Cluster) != want {
				t.Fatalf("%v: row %d is in %d, want %d", rule, number, label.Cluster, want)
			}
			twin.learn(row(number), nil)
			if number%10 == 0 && len(order) > 0 {
				x := order[turn%len(order)]
				turn = turn%len(order) + 1
				twin.learn(row(x), partners[x])
			}
			if a, b := 1+rng.Int64N(number), 1+rng.Int64N(number); a != b && i%3 == 0 &&
				l.memory.tie(a, b) == nil {
				kind := link.MustLink + link.Kind(rng.IntN(2))
				if _, err := l.Link(a, b, kind, 0.5); err != nil {
					t.Fatal(err)
				}
				for _, ends := range [][2]int64{{a, b}, {b, a}} {
					if partners[ends[0]] == nil {
						order = append(order, ends[0])
					}
					partners[ends[0]] = append(partners[ends[0]], partner{row(ends[1]), kind, 0.5})
				}
				twin.learn(row(a), partners[a])
				twin.learn(row(b), partners[b])
			}
		}
		near(t, rule.String(), l.Publish().Prototypes.F64, slices.Concat(twin.mu...))
		near(t, rule.String(), l.Snapshot().Wins, twin.w)
	}
}
