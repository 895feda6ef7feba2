package plot

import (
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/link"
)

func TestRoughCounts(t *testing.T) {
	points, p := seven()
	f, err := Rough(RoughConfig{
		Cloud: Cloud{Points: points, ClusterNames: []string{"ants"},
			Links: []link.Link{{A: 0, B: 6, Kind: link.CannotLink}}}, Credal: p,
		Page: Page{Title: "seven", Subtitle: "MDS, stress 0.12"},
	})
	expect(t, reported(t, f, err), "seven|MDS, stress 0.12", "ants|(2 of 4)", "cluster 2|(1 of 3)",
		"cluster 3|(1 of 2)",
		"lower approximation|", "upper approximation|", "ambiguous|(2)", "outlier|(1)",
		"Plausibility (size)", "cannot-link|(1)")
	f, err = Rough(RoughConfig{Cloud: Cloud{Points: points, Classes: []int{0, 0, 1, 1, 0, -1, 0},
		ClassNames: []string{"yes", "no"}}, Credal: p})
	expect(t, reported(t, f, err), "True class (shape)|yes|(4)|no|(2)|not known|(1)", "|cluster 1|")
	f, err = Rough(RoughConfig{Cloud: Cloud{Points: points.Subset([]int{0, 1, 2})},
		Credal: masses(first, first, second)})
	if text := reported(t, f, err); strings.Contains(text, "ambiguous") ||
		strings.Contains(text, "outlier") {
		t.Errorf("the legend explains what is not there: %s", text)
	}
}

// A weak member stretches the upper hull of its own cluster, and no other.
func TestWeakMembersAreOfOneHull(t *testing.T) {
	points := dataset.Matrix{Rows: 4, Cols: 2, F64: []float64{0, 0, 1, 0, 9, 9, 5, 5}}
	p, err := credal.FromHard([]int{1, 1, 2, 1}, 2)
	if err != nil {
		t.Fatal(err)
	}
	omega := slices.Index(p.Focal, belief.Omega(2))
	p.Row(3)[slices.Index(p.Focal, 1)], p.Row(3)[omega] = .2, .8
	f, err := Rough(RoughConfig{Cloud: Cloud{Points: points}, Credal: p})
	text := reported(t, f, err)
	if expect(t, text, "cluster 1|(2 of 3)", "cluster 2|(1 of 1)"); strings.Contains(text,
		"ambiguous") {
		t.Error(text)
	}
}

// within reports whether p is in the polygon or line or point that corners make, by the side of
// every pair of corners that has all others on one side: a test without order.
func within(p vg.Point, corners []vg.Point) bool {
	const near = 1e-6
	for _, a := range corners {
		for _, b := range corners {
			left, right, own := false, false, turn(a, b, p)
			for _, c := range corners {
				left, right = left || turn(a, b, c) > near, right || turn(a, b, c) < -near
			}
			if !left && own > near || !right && own < -near {
				return false
			}
		}
	}
	most := vg.Length(math.Inf(1))
	lo, hi := vg.Point{X: most, Y: most}, vg.Point{X: -most, Y: -most}
	for _, c := range corners {
		lo.X, hi.X = min(lo.X, c.X), max(hi.X, c.X)
		lo.Y, hi.Y = min(lo.Y, c.Y), max(hi.Y, c.Y)
	}
	return p.X >= lo.X-near && p.X <= hi.X+near && p.Y >= lo.Y-near && p.Y <= hi.Y+near
}

// Each hull holds its points; its corners are points that belong to it, so none is an outlier; and
// the lower one lies within the upper one.
func TestHullsHoldTheirPoints(t *testing.T) {
	kinds := [][]float64{first, second, third, between, unknown, nowhere}
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(r, "n")
		points, rows := dataset.Matrix{Rows: n, Cols: 2}, make([][]float64, n)
		for i := range n {
			points.F64 = append(points.F64, float64(rapid.IntRange(0, 6).Draw(r, "x")),
				float64(rapid.IntRange(0, 6).Draw(r, "y")))
			rows[i] = rapid.SampledFrom(kinds).Draw(r, "masses")
		}
		s, err := newRough(RoughConfig{Cloud: Cloud{Points: points}, Credal: masses(rows...)})
		if err != nil {
			r.Fatal(err)
		}
		s.draw(vgsvg.New(460, 345), 460, 345) // sets the positions of the axes
		for id := range 3 {
			lower, upper := s.hulls(id)
			own := map[vg.Point]bool{}
			for i := range n {
				at := s.place(i)
				set := s.rough.Upper[i]
				if s.rough.Outlier[i] || !set.Has(id) {
					continue
				}
				own[at] = true
				if !within(at, upper) || set.Len() == 1 && !within(at, lower) {
					r.Fatalf("cluster %d: object %d at %v is outside: lower %v, upper %v", id, i,
						at, lower, upper)
				}
			}
			for _, corner := range lower {
				if !within(corner, upper) {
					r.Fatalf("cluster %d: lower corner %v is outside %v", id, corner, upper)
				}
			}
			for _, corner := range append(lower, upper...) {
				if !own[corner] {
					r.Fatalf("cluster %d: corner %v is none of its objects", id, corner)
				}
			}
		}
	})
}

// An upper hull is dash-dotted, unlike a cannot-link, and a lower one is not: seven has a lower
// hull of one cluster, and three upper ones.
func TestHullsAreDashedOrSolid(t *testing.T) {
	points, p := seven()
	f, err := Rough(RoughConfig{Cloud: Cloud{Points: points}, Credal: p})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := parse(t, f)
	// and one in the legend
	if got := strings.Count(text, "stroke-dasharray:5.5,2,1,2"); got != 3+1 {
		t.Errorf("%d dash-dotted lines", got)
	}
}

// Linked objects are always drawn; the note states how many others are.
func TestRoughOfMany(t *testing.T) {
	points, p := crowd(3000)
	f, err := Rough(RoughConfig{Cloud: Cloud{Points: points, MaxPoints: 100,
		Links: []link.Link{{A: 2998, B: 2999, Kind: link.MustLink}}}, Credal: p})
	expect(t, reported(t, f, err), "100 of 3\u202f000 points drawn", "must-link|(1)")
	text, _ := parse(t, f)
	if len(text) > 100_000 {
		t.Errorf("100 points take %d bytes", len(text))
	}
}

// On equal scales a square is a square.
func TestEqualScale(t *testing.T) {
	points, p := seven()
	s, err := newRough(RoughConfig{Cloud: Cloud{Points: points, EqualScale: true}, Credal: p,
		Page: Page{Width: 9, Height: 3}})
	if err != nil {
		t.Fatal(err)
	}
	s.draw(vgsvg.New(648, 216), 648, 216)
	across, up := s.at(1, 0).X-s.at(0, 0).X, s.at(0, 1).Y-s.at(0, 0).Y
	if math.Abs(float64(across-up)) > 1e-9 || across <= 0 {
		t.Errorf("a unit is %v across and %v upwards", across, up)
	}
	for i := range points.Rows {
		if at := s.place(i); at.X < s.xs.from || at.X > s.xs.to || at.Y < s.ys.from ||
			at.Y > s.ys.to {
			t.Errorf("point %d is outside the axes", i)
		}
	}
}
