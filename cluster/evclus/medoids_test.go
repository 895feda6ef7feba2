package evclus

import (
	"context"
	"errors"
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dissim"
)

// assigning returns what it costs to assign every object to its nearest medoid.
func assigning(d []float32, n int, medoids []int32) float64 {
	total := 0.0
	for i := range n {
		near := math.Inf(1)
		for _, m := range medoids {
			near = min(near, float64(d[int(m)*n+i]))
		}
		total += near
	}
	return total
}

// TestMedoidsAgainstEverySet: never better than the best of all sets, and no single swap betters
// them.
func TestMedoidsAgainstEverySet(t *testing.T) {
	best := 0
	const runs = 300
	for seed := range uint64(runs) {
		n := 4 + int(seed%6)
		c := 2 + int(seed/6)%(n-2)
		d := newProblem("simple 2", n, 0, seed).delta.D
		medoids, err := pam(t.Context(), d, n, c)
		if err != nil || len(medoids) != c {
			t.Fatalf("%v, %v", medoids, err)
		}
		got, least := assigning(d, n, medoids), math.Inf(1)
		for set := range 1 << n {
			if bits.OnesCount(uint(set)) != c {
				continue
			}
			var all []int32
			apart := 0 // medoids that these differ from
			for i := range n {
				if set>>i&1 == 1 {
					all = append(all, int32(i))
					if !slices.Contains(medoids, int32(i)) {
						apart++
					}
				}
			}
			cost := assigning(d, n, all)
			least = min(least, cost)
			if apart == 1 && cost < got-1e-6 {
				t.Fatalf("seed %d: %v cost %v, one swap gives %v at %v", seed, medoids, got, all,
					cost)
			}
		}
		if got < least-1e-9 {
			t.Fatalf("seed %d: %v cost %v, less than the least %v", seed, medoids, got, least)
		}
		if got < least+1e-6 {
			best++
		}
	}
	if best < runs*9/10 {
		t.Errorf("the best medoids were found in %d of %d runs", best, runs)
	}
}

func TestMedoidsOfEqualObjects(t *testing.T) {
	for _, c := range []int{2, 5, 9, 10} {
		medoids, err := pam(t.Context(), make([]float32, 100), 10, c)
		slices.Sort(medoids)
		if err != nil || len(slices.Compact(medoids)) != c {
			t.Errorf("%d medoids of equal objects: %v, %v", c, medoids, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := pam(ctx, blobs(40, 4, 1).D, 40, 4); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

// TestMedoidsEndWhateverTheSizes: beside great dissimilarities small ones are lost in rounding.
func TestMedoidsEndWhateverTheSizes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(3, 12).Draw(t, "n")
		d := make([]float32, n*n)
		for i := range n {
			for j := range i {
				v := rapid.SampledFrom([]float32{0, 1e-38, 3e-38, 1e-20, 1e-9, 3e-9, 1e-8, 0.3,
					1}).Draw(t, "d")
				d[i*n+j], d[j*n+i] = v, v
			}
		}
		c := rapid.IntRange(2, n).Draw(t, "c")
		medoids := build(d, n, c)
		s := newSwaps(d, n, slices.Clone(medoids))
		for range 10_000 {
			swapped := false
			for j := range n {
				swapped = s.try(j) || swapped
			}
			if !swapped {
				return
			}
		}
		t.Fatalf("still swaps: %v", s.medoids)
	})
}

// TestStartFromMedoids: groups that lie apart are found whatever the seed, the scale and the number
// of objects.
func TestStartFromMedoids(t *testing.T) {
	for _, n := range []int{60, 400, 900} {
		for seed := range uint64(4) {
			src := blobs(n, 5, seed)
			for _, scale := range []float32{1, 1e-30, 1e30} {
				scaled := &dissim.Dense{N: n, D: slices.Clone(src.D)}
				for i := range scaled.D {
					scaled.D[i] *= scale
				}
				labels, err := nearestMedoids(t.Context(), scaled, 5, seed, 2)
				if err != nil {
					t.Fatal(err)
				}
				for i, l := range labels {
					if l != labels[i%5] {
						t.Fatalf("n %d, seed %d, scale %g: object %d in cluster %d, its "+
							"group in %d",
							n, seed, scale, i, l, labels[i%5])
					}
				}
				if first := slices.Clone(labels[:5]); len(
					slices.Compact(slices.Sorted(slices.Values(first)))) != 5 {
					t.Fatalf("clusters %v for five groups", first)
				}
			}
		}
	}
}

func TestSampleObjects(t *testing.T) {
	drawn := make([]int, 30)
	for seed := range uint64(3000) {
		marks := sampleObjects(30, 10, seed)
		if len(marks) != 10 || !slices.IsSorted(marks) || len(slices.Compact(marks)) != 10 {
			t.Fatalf("drawn: %v", marks)
		}
		for _, i := range marks {
			drawn[i]++
		}
	}
	for i, times := range drawn { // 1000 expected, with a deviation of 26
		if times < 870 || times > 1130 {
			t.Errorf("object %d was drawn %d times of 3000", i, times)
		}
	}
	if all := sampleObjects(5, 5, 1); !slices.Equal(all, []int32{0, 1, 2, 3, 4}) {
		t.Errorf("all of five: %v", all)
	}
}

// TestRandomMassesAreMasses, and others with another seed.
func TestRandomMassesAreMasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := newProblem("pairs 4", 5, 0, rapid.Uint64().Draw(t, "seed"))
		for i := range p.n {
			sum := 0.0
			for _, m := range p.row(p.mass, i) {
				if !(m > 0) {
					t.Fatalf("mass %v", m)
				}
				sum += m
			}
			if math.Abs(sum-1) > 1e-14 {
				t.Fatalf("sums to %v", sum)
			}
		}
	})
}
