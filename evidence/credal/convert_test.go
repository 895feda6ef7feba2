package credal_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

func ExampleFromPossibilistic() {
	p, _ := credal.FromPossibilistic([]float64{1, .25, .5, .5}, 2)
	fmt.Println(p.Focal)
	fmt.Println(p.Row(0), p.Row(1))
	// Output:
	// [{} {1} {2} {1+2}]
	// [0 0.75 0 0.25] [0.5 0 0 0.5]
}

func TestHardFuzzyPossibilisticAndRoughComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(1, 6).Draw(t, "c")
		labels := rapid.SliceOfN(rapid.IntRange(0, c), 1, 20).Draw(t, "labels")
		p, err := credal.FromHard(labels, c)
		if err != nil || p.Check() != nil {
			t.Fatal(err, p.Check())
		}
		for _, rule := range []belief.Rule{belief.MaxPlausibility, belief.MaxPignistic,
			belief.MaxMass} {
			if !slices.Equal(p.Hard(rule), labels) {
				t.Fatalf("labels %v came back as %v", labels, p.Hard(rule))
			}
		}
		n := len(labels)
		levels := make([]float64, n*c)
		for i := range levels {
			levels[i] = float64(rapid.IntRange(0, 8).Draw(t, "level")) / 8
		}
		if p, err = credal.FromPossibilistic(levels, c); err != nil || p.Check() != nil ||
			!slices.Equal(p.Possibilistic(), levels) {
			t.Fatalf("contours %v came back as %v (%v)", levels, p.Possibilistic(), err)
		}
		for i := range n {
			row := levels[i*c : (i+1)*c]
			clear(row)
			for range 8 {
				row[rapid.IntRange(0, c-1).Draw(t, "cluster")] += 1. / 8
			}
		}
		if p, err = credal.FromFuzzy(levels, c); err != nil || !slices.Equal(p.Fuzzy(), levels) ||
			!slices.Equal(p.Pignistic(), levels) {
			t.Fatalf("memberships %v came back as %v (%v)", levels, p.Fuzzy(), err)
		}
		sets := make([]belief.Set, n)
		for i := range sets {
			sets[i] = belief.Set(rapid.IntRange(0, 1<<c-1).Draw(t, "set"))
		}
		if p, err = credal.FromRough(sets, c); err != nil ||
			!slices.Equal(p.RoughByMass().Upper, sets) {
			t.Fatalf("sets %v came back as %v (%v)", sets, p.RoughByMass().Upper, err)
		}
		for i, r := 0, p.Rough(); i < n; i++ {
			if !sets[i].Within(r.Upper[i]) || r.Outlier[i] != (sets[i] == 0) ||
				sets[i].Len() == 1 && r.Lower(i) != sets[i] {
				t.Fatalf("set %v: lower %v, upper %v", sets[i], r.Lower(i), r.Upper[i])
			}
		}
	})
}

func TestBadConversionsAreRefused(t *testing.T) {
	vacuous, _ := belief.Vacuous(2)
	other, _ := belief.Vacuous(3)
	for name, make := range map[string]func() (*credal.Partition, error){
		"label": func() (*credal.Partition,
			error) {
			return credal.FromHard([]int{1, 3}, 2)
		},
		"negative":    func() (*credal.Partition, error) { return credal.FromHard([]int{-1}, 0) },
		"64 clusters": func() (*credal.Partition, error) { return credal.FromHard([]int{64}, 0) },
		"memberships": func() (*credal.Partition,
			error) {
			return credal.FromFuzzy([]float64{.5, .6}, 2)
		},
		"ragged": func() (*credal.Partition,
			error) {
			return credal.FromFuzzy([]float64{.5, .5, 1}, 2)
		},
		"no clusters": func() (*credal.Partition,
			error) {
			return credal.FromPossibilistic([]float64{1}, 0)
		},
		"plausibility": func() (*credal.Partition,
			error) {
			return credal.FromPossibilistic([]float64{1, 1.5}, 2)
		},
		"set": func() (*credal.Partition,
			error) {
			return credal.FromRough([]belief.Set{4}, 2)
		},
		"frames": func() (*credal.Partition,
			error) {
			return credal.FromMasses([]belief.Mass{vacuous, other})
		},
		"nobody": func() (*credal.Partition, error) { return credal.FromMasses(nil) },
	} {
		if p, err := make(); !fault.IsInput(err) {
			t.Errorf("%s: %v %v", name, p, err)
		}
	}
}

func TestRelabel(t *testing.T) {
	p, _ := credal.FromHard([]int{3, 2, 2, 0, 1, 3}, 4)
	order := p.BySize()
	if !slices.Equal(order, []int{2, 1, 0, 3}) {
		t.Errorf("order %v", order)
	}
	if err := p.Relabel(order); err != nil {
		t.Fatal(err)
	}
	if got := p.Hard(belief.MaxPlausibility); !slices.Equal(got, []int{1, 2, 2, 0, 3, 1}) {
		t.Errorf("labels %v", got)
	}
	for _, bad := range [][]int{{0, 1, 2}, {0, 1, 2, 2}, {1, 2, 3, 4}, {0, 1, 2, 3, 4}} {
		if err := p.Relabel(bad); !fault.IsInput(err) {
			t.Errorf("%v: %v", bad, err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawPartition(t, "p")
		c := p.Clusters
		order := rapid.Permutation(seq(c)).Draw(t, "order")
		before := p.Possibilistic()
		if err := p.Relabel(order); err != nil || p.Check() != nil {
			t.Fatal(err, p.Check())
		}
		for i, pl := range p.Possibilistic() {
			if pl != before[i/c*c+order[i%c]] {
				t.Fatal("a plausibility went elsewhere")
			}
		}
	})
}

func seq(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// TestRandIndexOfHardPartitions: all credal Rand indices are then the ordinary one.
func TestRandIndexOfHardPartitions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 60).Draw(t, "n")
		label := rapid.IntRange(1, 5)
		x, y := rapid.SliceOfN(label, n, n).Draw(t, "x"), rapid.SliceOfN(label, n, n).Draw(t, "y")
		a, _ := credal.FromHard(x, 5)
		b, _ := credal.FromHard(y, 7)
		got, err := credal.CompareRand(t.Context(), a, b, credal.RandConfig{})
		if err != nil {
			t.Fatal(err)
		}
		want, err := eval.Compare(x, y)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range []float64{got.Consistency, got.Belief, got.Jousselme} {
			if math.Abs(v-want.Rand) > 1e-12 {
				t.Fatalf("%+v, want %v", got, want.Rand)
			}
		}
	})
}

// TestRandIndicesFollowTheRelations, and each relation the calculus on the product of the frames.
func TestRandIndicesFollowTheRelations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a := drawPartition(t, "a")
		b := drawPartition(t, "b")
		n := min(a.Len(), b.Len())
		a.Mass, b.Mass = a.Mass[:n*len(a.Focal)], b.Mass[:n*len(b.Focal)]
		got, err := credal.CompareRand(t.Context(), a, b, credal.RandConfig{})
		if err != nil {
			t.Fatal(err)
		}
		want := credal.RandIndices{Consistency: 1, Belief: 1, Jousselme: 1, Pairs: n * (n - 1) / 2}
		for i := range n {
			for j := range i {
				x, y := pairMass(t, a.Relation(i, j)), pairMass(t, b.Relation(i, j))
				conflict, _ := belief.Conflict(x, y)
				want.Consistency -= conflict / float64(want.Pairs)
				distance, squared := 0.0, 0.0
				for s := range belief.Set(4) {
					if s != 0 {
						distance += math.Abs(x.Bel(s) - y.Bel(s))
					}
					for u := range belief.Set(4) {
						jaccard := 1.0
						if s|u != 0 {
							jaccard = float64((s & u).Len()) / float64((s | u).Len())
						}
						squared += jaccard * (x.Of(s) - y.Of(s)) * (x.Of(u) - y.Of(u))
					}
				}
				want.Belief -= distance / 2 / float64(want.Pairs)
				want.Jousselme -= math.Sqrt(max(0, squared)/2) / float64(want.Pairs)
			}
		}
		if math.Abs(got.Consistency-want.Consistency) > 1e-9 ||
			math.Abs(got.Belief-want.Belief) > 1e-9 ||
			math.Abs(got.Jousselme-want.Jousselme) > 1e-7 || got.Pairs != want.Pairs {
			t.Fatalf("%+v, want %+v", got, want)
		}
		same, err := credal.CompareRand(t.Context(), a, a, credal.RandConfig{})
		if err != nil || same.Belief != 1 || same.Jousselme != 1 {
			t.Fatalf("a partition differs from itself: %+v %v", same, err)
		}
	})
}

// TestRandIndicesStayWithinBounds though the masses of a row may sum to a little more than 1.
func TestRandIndicesStayWithinBounds(t *testing.T) {
	const most = 1 + 9e-7
	focal := []belief.Set{1, 2}
	a := &credal.Partition{Clusters: 2, Focal: focal, Mass: []float64{most, 0, most, 0}}
	b := &credal.Partition{Clusters: 2, Focal: focal, Mass: []float64{most, 0, 0, most}}
	for _, p := range []*credal.Partition{a, b} {
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
	}
	got, err := credal.CompareRand(t.Context(), a, b, credal.RandConfig{})
	if err != nil || got.Consistency != 0 || got.Belief != 0 || got.Jousselme != 0 {
		t.Errorf("%+v %v", got, err)
	}
}

// TestComparingStopsInTime: what 1024 focal sets need before the first pair is compared takes many
// seconds.
func TestComparingStopsInTime(t *testing.T) {
	focal, err := belief.Full(10)
	if err != nil {
		t.Fatal(err)
	}
	p := &credal.Partition{Clusters: 10, Focal: focal, Mass: make([]float64, 8000*len(focal))}
	for i := range p.Len() {
		p.Row(i)[i%len(focal)] = 1
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := credal.CompareRand(ctx, p, p, credal.RandConfig{}); !errors.Is(err,
		context.Canceled) {
		t.Error(err)
	}
}

// pairMass makes a relation a mass function: {1} is "same", {2} "different".
func pairMass(t *rapid.T, r credal.Relation) belief.Mass {
	m, err := belief.New(2, []belief.Set{0, 1, 2, 3},
		[]float64{r.Empty, r.Same, r.Different, r.Unknown})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRelationsOnTheProduct(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPartition(t, "p")
		if p.Clusters > 7 {
			t.Skip()
		}
		product, err := belief.NewProduct(p.Clusters, p.Clusters)
		if err != nil {
			t.Fatal(err)
		}
		first, err1 := p.Object(0)
		last, err2 := p.Object(p.Len() - 1)
		first, err3 := product.VacuousExtension(first, belief.First)
		last, err4 := product.VacuousExtension(last, belief.Second)
		joint, err5 := belief.Conjunctive(first, last)
		for _, err := range []error{err1, err2, err3, err4, err5} {
			if err != nil {
				t.Fatal(err)
			}
		}
		var same belief.Set
		for k := range p.Clusters {
			same |= belief.Singleton(product.Pair(k, k))
		}
		different := belief.Omega(product.Size()) &^ same
		r := p.Relation(0, p.Len()-1)
		for _, pair := range [][2]float64{
			{r.BelSame(), joint.Bel(same)}, {r.PlSame(), joint.Pl(same)}, {r.Empty, joint.Of(0)},
			{r.BelDifferent(), joint.Bel(different)}, {r.PlDifferent(), joint.Pl(different)},
		} {
			if math.Abs(pair[0]-pair[1]) > 1e-12 {
				t.Fatalf("%+v: %v, want %v", r, pair[0], pair[1])
			}
		}
	})
}

func TestSampledPairsComeNear(t *testing.T) {
	focal, _ := belief.Simple(3)
	a, b := random(500, 3, focal, 1), random(500, 3, focal, 2)
	all, err := credal.CompareRand(t.Context(), a, b, credal.RandConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for _, threads := range []int{1, 3} {
		some, err := credal.CompareRand(t.Context(), a, b,
			credal.RandConfig{Exact: 100, Pairs: 200_000, Threads: threads})
		if err != nil || !some.Sampled || math.Abs(some.Belief-all.Belief) > .005 ||
			math.Abs(some.Consistency-all.Consistency) > .005 {
			t.Errorf("%+v, want about %+v (%v)", some, all, err)
		}
		again, _ := credal.CompareRand(t.Context(), a, b,
			credal.RandConfig{Exact: 100, Pairs: 200_000, Threads: 2})
		if again != some {
			t.Errorf("%+v on other threads: %+v", some, again)
		}
	}
	if _, err := credal.CompareRand(t.Context(), a, table1(),
		credal.RandConfig{}); !fault.IsInput(err) {
		t.Error(err)
	}
}
