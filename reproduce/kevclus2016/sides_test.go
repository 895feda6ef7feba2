package kevclus2016

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPartnersAreDrawn: each object has k different others, and knows who drew it.
func TestPartnersAreDrawn(t *testing.T) {
	const n, k = 40, 7
	x, truth := simulate(n, 3)
	o, err := between(x, truth, 4, .9)
	if err != nil {
		t.Fatal(err)
	}
	d := o.draw(k, rand.New(rand.NewPCG(1, 2)))
	total := 0.0
	for i := range n {
		mine := slices.Clone(d.to[i*k : (i+1)*k])
		slices.Sort(mine)
		if len(slices.Compact(mine)) != k || slices.Contains(mine, int32(i)) {
			t.Fatalf("object %d has %v", i, d.to[i*k:(i+1)*k])
		}
		for _, at := range d.by[i] {
			if d.to[at] != int32(i) {
				t.Fatalf("object %d is not at %d", i, at)
			}
			total++
		}
	}
	if total != n*k {
		t.Errorf("%v draws, not %d", total, n*k)
	}
}

// TestBothSidesDescend: moved by both sides, no sweep raises the stress; and on all pairs the plain
// way ends where EVCLUS does.
func TestBothSidesDescend(t *testing.T) {
	const n = 64
	x, truth := simulate(n, 3)
	o, err := between(x, truth, 4, .9)
	if err != nil {
		t.Fatal(err)
	}
	least := math.Inf(1)
	for seed := range uint64(6) {
		few, err := o.plainly(t.Context(), 5, true, seed)
		if err != nil {
			t.Fatal(err)
		}
		if few["rises"] != 0 {
			t.Errorf("seed %d: %v sweeps raised the stress", seed, few["rises"])
		}
		all, err := o.plainly(t.Context(), n-1, true, seed)
		if err != nil {
			t.Fatal(err)
		}
		least = min(least, all["stress"])
	}
	cfg := o.config(ourIRQP, 0, 1)
	cfg.Starts = 6
	values, r, err := o.evclus(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got := values["stress"]; math.Abs(got-least) > .01*least || got != r.Stress {
		t.Errorf("the plain way ends at %v, EVCLUS at %v", least, got)
	}
}

// TestOwnPartnersRaiseTheStress: moved by their own partners alone, rows raise the sum now and
// then, and it ends higher than by both sides.
func TestOwnPartnersRaiseTheStress(t *testing.T) {
	x, truth := simulate(300, 5)
	o, err := between(x, truth, 4, .9)
	if err != nil {
		t.Fatal(err)
	}
	rises, own, both := 0.0, 0.0, 0.0
	for seed := range uint64(5) {
		a, err := o.plainly(t.Context(), 10, false, seed)
		if err != nil {
			t.Fatal(err)
		}
		b, err := o.plainly(t.Context(), 10, true, seed)
		if err != nil {
			t.Fatal(err)
		}
		rises += a["rises"]
		own, both = own+a["stress"], both+b["stress"]
	}
	if rises == 0 || own <= both {
		t.Errorf("%v rises; own partners end at %v, both sides at %v", rises, own, both)
	}
}
