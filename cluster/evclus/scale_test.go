package evclus

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dissim"
)

// TestQuantilesAgainstSorting: type 7, over all pairs once and over sampled ones.
func TestQuantilesAgainstSorting(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(64, 120).Draw(t, "n")
		src := newProblem("simple 2", n, 0, rapid.Uint64().Draw(t, "seed")).delta
		if rapid.Bool().Draw(t, "ties") {
			src = blobs(n, 3, 1)
		}
		q := rapid.OneOf(rapid.Float64Range(0, 1),
			rapid.SampledFrom([]float64{0, 0.5, 0.9, 1})).Draw(t, "q")
		for _, partners := range []int{0, 1, 20} {
			s, err := newStore(t.Context(), src, partners, Config{}, func(float64) {})
			if err != nil {
				t.Fatal(err)
			}
			var all []float64
			if partners == 0 {
				for i := range n {
					for j := range i {
						all = append(all, float64(src.D[i*n+j]))
					}
				}
			} else {
				for p, i := range s.sampled.Order[:n] {
					for _, shift := range s.sampled.Shifts {
						all = append(all, float64(
							src.D[int(i)*n+int(s.sampled.Order[(p+int(shift))%n])]))
					}
				}
			}
			slices.Sort(all)
			at := q * float64(len(all)-1)
			lo := int(at)
			want := all[lo] + (at-float64(lo))*(all[min(lo+1, len(all)-1)]-all[lo])
			got, err := s.quantile(t.Context(), q, 2)
			if err != nil || math.Abs(got-want) > 1e-12*(1+want) {
				t.Fatalf("quantile %v of %d partners: %v, want %v (%v)", q, partners, got, want,
					err)
			}
			if sample := s.sample(1 << 30); int64(len(sample)) != s.pairs() ||
				len(all) != len(sample) {
				t.Fatalf("%d partners: %d of %d pairs", partners, len(sample), len(all))
			}
			some := s.sample(50)
			if len(some) < 50 || len(some) > 100 && int(s.pairs()) > 100 {
				t.Fatalf("about 50 of %d: %d", s.pairs(), len(some))
			}
		}
	})
}

func TestTransforms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d0 := rapid.Float64Range(0.1, 10).Draw(t, "d0")
		tail := rapid.Float64Range(0.001, 0.9).Draw(t, "tail")
		d := append(rapid.SliceOfN(rapid.Float32Range(0, 20), 1, 50).Draw(t, "d"), 0, float32(d0))
		got := make([]float32, len(d))
		exponential := newScale(Exponential, d0, tail, nil)
		exponential.apply(got, d)
		for i, v := range d {
			want := -math.Expm1(math.Log(tail) * float64(v) * float64(v) / (d0 * d0))
			if math.Abs(float64(got[i])-want) > 1e-6 {
				t.Fatalf("δ(%v) is %v, want %v", v, got[i], want)
			}
		}
		if at := float64(got[len(d)-1]); math.Abs(at-(1-tail)) > 1e-5 {
			t.Fatalf("δ(d0) is %v with a tail of %v", at, tail)
		}
		newScale(Linear, d0, tail, nil).apply(got, d)
		for i, v := range d {
			if math.Abs(float64(got[i])-math.Min(1, float64(v)/d0)) > 1e-6 {
				t.Fatalf("linear δ(%v) is %v", v, got[i])
			}
		}
		newScale(Rank, 0, tail, d).apply(got, d)
		for i, v := range d {
			below, equal := 0, 0
			for _, u := range d {
				if u < v {
					below++
				} else if u == v {
					equal++
				}
			}
			if want := (float64(below) + float64(equal)/2) /
				float64(len(d)); math.Abs(float64(got[i])-want) > 1e-6 {
				t.Fatalf("rank of %v is %v, want %v", v, got[i], want)
			}
		}
	})
}

// TestRanksOfMany: quantiles stand for the numbers, and keep their order.
func TestRanksOfMany(t *testing.T) {
	many := make([]float32, 100_000)
	for i := range many {
		many[i] = float32(i) * float32(i)
	}
	got := make([]float32, len(many))
	newScale(Rank, 0, 0, many).apply(got, many)
	for i, v := range got {
		if want := float64(i) / float64(len(many)); math.Abs(float64(v)-want) > 1e-3 ||
			i > 0 && v < got[i-1] {
			t.Fatalf("rank of %d is %v", i, v)
		}
	}
}

// TestAutoD0 meets its equation: the mean of 1 − δ is the share of pairs that the clusters put
// together.
func TestAutoD0(t *testing.T) {
	for _, n := range []int{90, 300} {
		src := blobs(n, 3, 3)
		store, err := newStore(t.Context(), src, 0, Config{}, func(float64) {})
		if err != nil {
			t.Fatal(err)
		}
		sample := store.sample(1 << 30)
		for _, transform := range []Transform{Exponential, Linear} {
			for _, parts := range []int{2, 3, 5} {
				labels, together := make([]int32, n), 0.0
				for i := range labels {
					labels[i] = int32(i*i) % int32(parts)
				}
				for i := range n {
					for j := range i {
						if labels[i] == labels[j] {
							together++
						}
					}
				}
				together /= float64(len(sample))
				d0 := autoD0(sample, labels, parts, transform, 0.05)
				delta := make([]float32, len(sample))
				newScale(transform, d0, 0.05, nil).apply(delta, sample)
				same := 0.0
				for _, v := range delta {
					same += 1 - float64(v)
				}
				if same /= float64(len(sample)); math.Abs(same-together) > 1e-6 {
					t.Errorf("n %d, %d clusters, transform %d: d0 %v puts %v together, want %v", n,
						parts, transform, d0, same, together)
				}
			}
		}
	}
}

// TestMonotoneTransformsLeaveRanksAlone: a fit on ranks heeds order alone.
func TestMonotoneTransformsLeaveRanksAlone(t *testing.T) {
	src := blobs(100, 3, 8)
	squared := &dissim.Dense{N: src.N, D: make([]float32, len(src.D))}
	for i, v := range src.D {
		squared.D[i] = v * v
	}
	// The start goes by sizes, so both start at random.
	cfg := Config{Clusters: 3, Transform: Rank, Start: Random}
	a, err := Fit(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Fit(t.Context(), squared, cfg)
	if err != nil || !slices.Equal(a.Credal.Mass, b.Credal.Mass) {
		t.Errorf("squared dissimilarities give another fit (%v)", err)
	}
}
