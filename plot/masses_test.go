package plot

import (
	"math"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
)

func TestMassesAsLines(t *testing.T) {
	_, p := seven()
	f, err := Masses(MassesConfig{Credal: p, ClusterNames: []string{"ants", "bees"},
		Page: Page{Title: "seven"}})
	expect(t, reported(t, f, err), "seven|", "|object|", "Focal set|ants|", "|bees|", "|cluster 3|",
		"|ants + bees|", "|Ω (any cluster)|", "|empty set")
	text, _ := parse(t, f)
	// the frame's line and its sample
	if got := strings.Count(text, "stroke-dasharray:6,2\""); got != 1+1 {
		t.Errorf("%d lines of the frame", got)
	}
	f, err = Masses(MassesConfig{Credal: masses(first, second), Order: []int{1, 0}})
	text = reported(t, f, err)
	expect(t, text, "object, in the order given")
	if strings.Contains(text, "cluster 3") { // never has mass
		t.Errorf("a set without mass is explained: %s", text)
	}
}

// Bands hold the means of their bins, which add up to 1, in the order of certainty.
func TestMassesAsBands(t *testing.T) {
	_, p := crowd(1500)
	f, err := Masses(MassesConfig{Credal: p})
	expect(t, reported(t, f, err), "object, by cluster and certainty",
		"columns are means of 3 to 4 objects", "1 + 2")
	s := &massScene{cfg: MassesConfig{Credal: p}, bins: 7}
	s.order, _ = ByCertainty(p)
	s.choose()
	s.gather()
	for b := range 7 {
		total := 0.0
		for k, set := range s.sets {
			want, from, to := 0.0, b*1500/7, (b+1)*1500/7
			for _, i := range s.order[from:to] {
				want += p.Row(i)[set]
			}
			if math.Abs(s.mass[k][b]-want/float64(to-from)) > 1e-12 {
				t.Errorf("bin %d of set %d is %v, want %v", b, set, s.mass[k][b],
					want/float64(to-from))
			}
			total += s.mass[k][b]
		}
		if math.Abs(total-1) > 1e-9 {
			t.Errorf("bin %d adds up to %v", b, total)
		}
	}
	if s.cfg.Credal.Focal[s.sets[0]] != 1 || s.cfg.Credal.Focal[s.sets[5]] != 0 {
		t.Errorf("the sets come as %v", s.sets)
	}
}

// area adds up the rectangles of a path.
func area(p vg.Path) (sum float64) {
	for i := 0; i+2 < len(p); i++ {
		if p[i].Type == vg.MoveComp {
			d := p[i+2].Pos.Sub(p[i].Pos)
			sum += math.Abs(float64(d.X * d.Y))
		}
	}
	return sum
}

// The stripes of a band cover it, each hue half of it.
func TestStripesCoverTheirBand(t *testing.T) {
	s := &massScene{bins: 30}
	s.ys = axis{lo: 0, hi: 1, from: 20, to: 220}
	low, high := make([]float64, 30), make([]float64, 30)
	want := 0.0
	for b := range low {
		low[b] = 0.3 + 0.2*math.Sin(float64(b))
		high[b] = low[b] + 0.4 + 0.05*math.Cos(float64(b))
		want += 10 * 200 * (high[b] - low[b])
	}
	edge := func(b int) vg.Length { return vg.Length(50 + 10*b) }
	whole := area(s.bandPath(low, high, edge, 0, 1))
	one, two := area(s.bandPath(low, high, edge, 0, 2)), area(s.bandPath(low, high, edge, 1, 2))
	if math.Abs(whole-want) > 0.02*want || math.Abs(one+two-want) > 0.02*want ||
		math.Abs(one-two) > 0.05*want {
		t.Errorf("a band of %v is drawn with %v, or with %v and %v", want, whole, one, two)
	}
}

func TestMassesRefuse(t *testing.T) {
	for problem, cfg := range map[string]MassesConfig{
		"no masses":       {},
		"object 1 twice":  {Credal: masses(first, first), Order: []int{0, 0}},
		"1 of 2 objects":  {Credal: masses(first, first), Order: []int{0}},
		"object 3 twice,": {Credal: masses(first, first), Order: []int{0, 2}},
		"1 inches":        {Credal: masses(first), Page: Page{Height: 1}},
	} {
		if _, err := Masses(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

func TestFocalSet(t *testing.T) {
	points, p := seven()
	f, err := FocalSet(FocalSetConfig{Cloud: Cloud{Points: points,
		ClusterNames: []string{"ants", "bees"}}, Credal: p, Set: 3, Page: Page{Subtitle: "MDS"}})
	expect(t, reported(t, f, err), "MDS · mass of ants + bees", "Cluster|ants|(5)", "bees|(1)",
		"cluster 3|(1)", "Mass (area)|1|0.5|0.1|0")
	f, err = FocalSet(FocalSetConfig{Cloud: Cloud{Points: points,
		Classes: []int{0, 0, 0, 0, 0, 0, -1}, ClassNames: []string{""}}, Credal: p})
	expect(t, reported(t, f, err), "mass of empty set", "True class|class 1|(6)|not known|(1)")
	if _, err := FocalSet(FocalSetConfig{Cloud: Cloud{Points: points}, Credal: p,
		Set: belief.Set(5)}); !fault.IsInput(err) {
		t.Errorf("{1+3} gave %v", err)
	}
}

// The area of a mark is proportional to the mass.
func TestMassIsArea(t *testing.T) {
	s := &focalScene{cloudScene: cloudScene{rows: make([]int, 100)}}
	if a := s.radius(1); 2*a > entryHeight {
		t.Errorf("a legend of lines %v high has no space for radius %v", entryHeight, a)
	}
	many := &focalScene{cloudScene: cloudScene{rows: make([]int, 20000)}}
	if many.radius(0) > 0.6*many.radius(0.1) {
		t.Errorf("of many, mass 0 has radius %v, and a tenth %v", many.radius(0), many.radius(0.1))
	}
	if a, b := s.radius(1), s.radius(0.25); math.Abs(float64(a-2*b)) > 1e-9 || s.radius(0) <= 0 {
		t.Errorf("radius %v for mass 1, %v for a quarter, %v for none", a, b, s.radius(0))
	}
}

func TestSetNames(t *testing.T) {
	p := &credal.Partition{Clusters: 3}
	for set, want := range map[belief.Set]string{0: "empty set", 1: "ants", 4: "cluster 3",
		5: "ants + 3", 7: "Ω (any cluster)"} {
		if got := setName(set, p.Clusters, []string{"ants"}); got != want {
			t.Errorf("%v is named %q, want %q", set, got, want)
		}
	}
}
