package credal_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

// drawPartition draws a partition of a few objects, total conflict and ties among them.
func drawPartition(t *rapid.T, name string) *credal.Partition {
	c := rapid.OneOf(rapid.IntRange(1, 4), rapid.IntRange(1, belief.MaxClusters)).Draw(t, name+" c")
	set := rapid.Map(rapid.Uint64(),
		func(u uint64) belief.Set { return belief.Set(u) & belief.Omega(c) })
	focal, err := belief.Focal(c, rapid.SliceOfN(set, 0, 4).Draw(t, name+" sets"))
	if err != nil {
		t.Fatal(err)
	}
	n := rapid.IntRange(1, 12).Draw(t, name+" n")
	p := &credal.Partition{Clusters: c, Focal: focal, Mass: make([]float64, n*len(focal))}
	for i := range n {
		row := p.Row(i)
		const parts = 8 // eighths are exact
		for range parts {
			row[rapid.IntRange(0, len(row)-1).Draw(t, name+" place")] += 1. / parts
		}
	}
	return p
}

// TestViewsAgreeWithTheCalculus, object by object.
func TestViewsAgreeWithTheCalculus(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawPartition(t, "p")
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		c := p.Clusters
		pl, bel, betp, fuzzy := p.Possibilistic(), p.Beliefs(), p.Pignistic(), p.Fuzzy()
		rough, sets, outliers, nonspecific := p.Rough(), p.HardCredal(), p.Outliers(),
			p.Nonspecificities()
		mean := 0.0
		for i := range p.Len() {
			m, err := p.Object(i)
			if err != nil {
				t.Fatal(err)
			}
			at := func(v []float64) []float64 { return v[i*c : (i+1)*c] }
			for k := range c {
				if at(pl)[k] != m.Pl(belief.Singleton(k)) ||
					at(bel)[k] != m.Bel(belief.Singleton(k)) {
					t.Fatalf("object %d, cluster %d: Pl %v, Bel %v", i, k, at(pl)[k], at(bel)[k])
				}
				if math.Abs(at(betp)[k]-m.Pignistic(belief.Dempster)[k]) > 1e-12 {
					t.Fatalf("BetP %v, want %v", at(betp), m.Pignistic(belief.Dempster))
				}
			}
			if sum := total(at(fuzzy)); math.Abs(sum-1) > 1e-12 {
				t.Fatalf("memberships sum to %v", sum)
			}
			if rough.Upper[i] != m.Undominated() || sets[i] != m.MaxFocal() {
				t.Fatalf("Ω* %v, greatest mass %v of %+v", rough.Upper[i], sets[i], m)
			}
			most := 0.0
			for j := range m.Len() {
				if s, v := m.Focal(j); s != 0 {
					most = max(most, v)
				}
			}
			if outliers[i] != (m.Of(0) > most) || rough.Outlier[i] != outliers[i] {
				t.Fatalf("outlier: %v", outliers[i])
			}
			if lower := rough.Lower(i); lower != 0 &&
				(outliers[i] || lower != rough.Upper[i] || lower.Len() != 1) {
				t.Fatalf("lower %v", lower)
			}
			for _, rule := range []belief.Rule{belief.MaxPlausibility, belief.MaxMass} {
				want := m.Decide(rule) + 1
				if p.ArgMax(rule)[i] != want || p.Hard(rule)[i] != want*btoi(m.Of(0) < 1) {
					t.Fatalf("rule %v: %d, want %d", rule, p.ArgMax(rule)[i], want)
				}
			}
			if math.Abs(nonspecific[i]-m.Nonspecificity()) > 1e-12 {
				t.Fatal("nonspecificity differs")
			}
			mean += nonspecific[i] / float64(p.Len())
		}
		if n := p.Nonspecificity(); c > 1 && math.Abs(n*math.Log2(float64(c))-mean) > 1e-12 ||
			n < 0 || n > 1+1e-12 {
			t.Fatalf("N* = %v", n)
		}
	})
}

func total(v []float64) float64 {
	sum := 0.0
	for _, x := range v {
		sum += x
	}
	return sum
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Table 2 of cevclus-2013: how plausible it is that the first object is with each other, or not.
func ExamplePartition_Relation() {
	for j := 1; j < 5; j++ {
		r := table1().Relation(0, j)
		fmt.Printf("%.1f %.1f\n", r.PlSame(), r.PlDifferent())
	}
	// Output:
	// 0.9 0.1
	// 0.1 0.9
	// 1.0 1.0
	// 0.0 0.0
}

func ExamplePartition_Rough() {
	r := table1().Rough()
	for i := range r.Upper {
		fmt.Println(r.Lower(i), r.Upper[i], r.Outlier[i])
	}
	// Output:
	// {1} {1} false
	// {1} {1} false
	// {2} {2} false
	// {} {1+2} false
	// {} {1+2} true
}

func TestTotalConflictIsNoNaN(t *testing.T) {
	p := table1()
	if pl, u, betp := p.Possibilistic()[8:], p.Fuzzy()[8:],
		p.Pignistic()[8:]; !slices.Equal(pl, []float64{0, 0}) ||
		!slices.Equal(u, []float64{.5, .5}) || !slices.Equal(betp, u) {
		t.Errorf("pl %v, u %v, BetP %v", pl, u, betp)
	}
	if p.Hard(belief.MaxPlausibility)[4] != 0 || p.ArgMax(belief.MaxPlausibility)[4] != 1 {
		t.Error("an outlier is labelled, or has no nearest cluster")
	}
}

func TestCheck(t *testing.T) {
	for name, spoil := range map[string]func(p *credal.Partition){
		"unsorted":   func(p *credal.Partition) { p.Focal[0], p.Focal[1] = p.Focal[1], p.Focal[0] },
		"twice":      func(p *credal.Partition) { p.Focal[0] = p.Focal[1] },
		"beyond":     func(p *credal.Partition) { p.Clusters = 1 },
		"no sets":    func(p *credal.Partition) { p.Focal = nil },
		"ragged":     func(p *credal.Partition) { p.Mass = p.Mass[1:] },
		"NaN":        func(p *credal.Partition) { p.Mass[5] = math.NaN() },
		"infinite":   func(p *credal.Partition) { p.Mass[5] = math.Inf(1) },
		"negative":   func(p *credal.Partition) { p.Mass[4], p.Mass[5] = -.1, 1 },
		"wrong sum":  func(p *credal.Partition) { p.Mass[0] = 1e-5 },
		"no cluster": func(p *credal.Partition) { p.Clusters = 0 },
	} {
		p := table1()
		if err := p.Check(); err != nil {
			t.Fatal(err)
		}
		if spoil(p); !fault.IsInput(p.Check()) {
			t.Errorf("%s: %v", name, p.Check())
		}
	}
}

// An object of which all mass is on one cluster and the frame is no doubt between clusters.
func TestWeakMembers(t *testing.T) {
	focal := []belief.Set{0, 1, 2, 4, 7} // of three clusters
	p := &credal.Partition{Clusters: 3, Focal: focal, Mass: []float64{
		0, .6, 0, 0, .4, // surely of the first
		0, 0, .3, 0, .7,
		.1, 0, .3, 0, .6,
		0, 0, .3, .01, .69, // between all three
		0, 0, 0, 0, 1, // ignorance alone
		.8, .1, 0, 0, .1, // an outlier
	}}
	if err := p.Check(); err != nil {
		t.Fatal(err)
	}
	r := p.Rough()
	for i, want := range []struct {
		lower, may      belief.Set
		weak, ambiguous bool
	}{{lower: 1, may: 1}, {may: 2, weak: true}, {may: 2, weak: true}, {may: 7, ambiguous: true},
		{may: 7, ambiguous: true}, {may: 1}} {
		if r.Lower(i) != want.lower || !r.Outlier[i] && r.May(i) != want.may ||
			r.Weak(i) != want.weak || r.Ambiguous(i) != want.ambiguous {
			t.Errorf("object %d: lower %v, may %v, weak %v, ambiguous %v", i, r.Lower(i), r.May(i),
				r.Weak(i), r.Ambiguous(i))
		}
	}
	if byMass := p.RoughByMass(); byMass.Weak(1) || byMass.May(1) != 7 {
		t.Errorf("by mass: %v", byMass.May(1))
	}
}
