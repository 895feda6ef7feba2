package nearest

import (
	"encoding/binary"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/draw"
)

// Where leaders are many, a row meets some of them, and nearly always the nearest; they are the
// same on any number of threads, with assembly and without.
func TestManyLeaders(t *testing.T) {
	const n, d, count = 4000, 10, 400
	rng := rand.New(rand.NewPCG(3, 0))
	x := dataset.Matrix{Rows: n, Cols: d}
	for i := range n {
		for j := range d {
			x.F64 = append(x.F64, float64(i*(j+3)%31)+rng.NormFloat64())
		}
	}
	src, err := dissim.Vectors(x, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	var lead []int32
	for _, i := range draw.Few(rng, n, count) {
		lead = append(lead, int32(i))
	}
	of := disjoint.Singletons(n)
	rng.Shuffle(n, func(i, j int) { of[i], of[j] = of[j], of[i] })
	var first []int32
	for _, threads := range []int{1, 3} {
		s := newSearcher(t.Context(), src, n, 1, threads, nil)
		v := newCarver(s, s.newComparers(), rng)
		got, err := v.led(of, lead, 2)
		if err != nil {
			t.Fatal(err)
		}
		if met := v.pairs / n; met > count/2 {
			t.Errorf("a row meets %g of %d leaders", met, count)
		}
		if first == nil {
			first = got
		}
		if !slices.Equal(got, first) {
			t.Errorf("other leaders on %d threads", threads)
		}
		exact, err := v.closest(of, lead, 2)
		if err != nil {
			t.Fatal(err)
		}
		hit := 0
		for i := range of {
			mine := got[2*i : 2*i+2]
			if mine[0] == mine[1] {
				t.Fatalf("row %d has leader %d twice", of[i], mine[0])
			}
			if mine[0] == exact[2*i] {
				hit++
			}
		}
		if hit < n*9/10 {
			t.Errorf("%d of %d rows have their nearest leader", hit, n)
		}
	}
	sum := fnv.New64a()
	if err := binary.Write(sum, binary.LittleEndian, first); err != nil {
		t.Fatal(err)
	}
	if got, want := sum.Sum64(), uint64(0xa717804aea02d39b); got != want {
		t.Errorf("the digest of the leaders is %#x, want %#x", got, want)
	}
}

// Rows that follow one another are met where they are.
func TestRowsInARunAreNotCopied(t *testing.T) {
	x := dataset.Matrix{Rows: 4, Cols: 2, F32: []float32{0, 1, 2, 3, 4, 5, 6, 7}}
	var g gatherer
	got := g.of(x, []int32{1, 2})
	if !slices.Equal(got.F32, x.F32[2:6]) || &got.F32[0] != &x.F32[2] {
		t.Errorf("rows 1 and 2 are %v", got.F32)
	}
	if got := g.of(x, []int32{2, 0}); !slices.Equal(got.F32, []float32{4, 5, 0, 1}) {
		t.Errorf("rows 2 and 0 are %v", got.F32)
	}
	if !slices.Equal(x.F32, []float32{0, 1, 2, 3, 4, 5, 6, 7}) {
		t.Errorf("the rows have changed: %v", x.F32)
	}
}
