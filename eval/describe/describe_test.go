package describe_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval/describe"
)

func ExampleGroups() {
	// Two features: the first distinguishes the groups, the second does not.
	x, _ := dataset.NewMatrix(6, 2, []float64{1, 5, 2, 6, 3, 7, 11, 5, 12, 6, 13, 7})
	groups, _ := describe.Groups(context.Background(), x, []int{1, 1, 1, 2, 2, 2}, 3)
	for _, g := range groups {
		t := g.Traits[0]
		fmt.Printf("cluster %d: %d rows around row %d; feature %d is %g, elsewhere %g\n",
			g.Cluster, g.Size, g.Medoid, t.Feature, t.Inside, t.Outside)
	}
	// Output:
	// cluster 1: 3 rows around row 1; feature 0 is 2, elsewhere 12
	// cluster 2: 3 rows around row 4; feature 0 is 12, elsewhere 2
}

// TestTraitsAgreeWithTwoPasses compares with the textbook formulas.
func TestTraitsAgreeWithTwoPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 40).Draw(t, "n")
		offset := rapid.SampledFrom([]float64{0, 1e6}).Draw(t, "offset")
		values := rapid.SliceOfN(rapid.Float64Range(-10, 10), n, n).Draw(t, "values")
		labels := rapid.SliceOfN(rapid.IntRange(0, 3), n, n).Draw(t, "labels")
		for i := range values {
			// finer differences get lost where the offset is added, before anything is compared
			if offset != 0 {
				values[i] = math.Round(values[i]*1024) / 1024
			}
			values[i] += offset
		}
		x, _ := dataset.NewMatrix(n, 1, values)
		groups, err := describe.Groups(t.Context(), x, labels, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range groups {
			if g.Cluster == 0 {
				t.Fatal("noise was described")
			}
			in, out := split(values, labels, g.Cluster)
			if len(in) != g.Size {
				t.Fatalf("size %d, want %d", g.Size, len(in))
			}
			want := (mean(in) - mean(out)) /
				math.Sqrt((deviations(in)+deviations(out))/float64(n-2))
			for _, trait := range g.Traits {
				if math.Abs(trait.Effect-want) > 1e-4*math.Abs(want) {
					t.Fatalf("effect %v, want %v", trait.Effect, want)
				}
			}
			if len(g.Traits) == 0 && math.Abs(want) > 0.51 {
				t.Fatalf("an effect of %v is not described", want)
			}
		}
	})
}

func TestLabelsMustFit(t *testing.T) {
	x, _ := dataset.NewMatrix(3, 1, []float64{1, 2, 9})
	if _, err := describe.Groups(t.Context(), x, []int{1, 1}, 3); err == nil {
		t.Error("two labels for three rows are taken")
	}
}

func TestOneClusterHasNoTraits(t *testing.T) {
	x, _ := dataset.NewMatrix(3, 1, []float64{1, 2, 9})
	groups, err := describe.Groups(t.Context(), x, []int{1, 1, 1}, 3)
	if err != nil || len(groups) != 1 || len(groups[0].Traits) != 0 {
		t.Errorf("%+v %v", groups, err)
	}
}

// TestRowsThatCountNowhere: those of labels below 0 are neither in a group nor among the others.
func TestRowsThatCountNowhere(t *testing.T) {
	x, _ := dataset.NewMatrix(5, 1, []float64{0, 2, 1000, 5, 7})
	got, err := describe.Groups(t.Context(), x, []int{1, 1, -1, 2, 2}, 3)
	if err != nil {
		t.Fatal(err)
	}
	rest, _ := dataset.NewMatrix(4, 1, []float64{0, 2, 5, 7})
	want, err := describe.Groups(t.Context(), rest, []int{1, 1, 2, 2}, 3)
	if err != nil {
		t.Fatal(err)
	}
	want[1].Medoid++ // a row more is before it
	if !cmp.Equal(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestConstantFeaturesTellApartWithoutNaN(t *testing.T) {
	x, _ := dataset.NewMatrix(4, 2, []float64{0, 3, 0, 3, 1, 3, 1, 3})
	groups, err := describe.Groups(t.Context(), x, []int{1, 1, 2, 2}, 3)
	if err != nil {
		t.Fatal(err)
	}
	if tr := groups[0].Traits; len(tr) != 1 || tr[0].Feature != 0 || !math.IsInf(tr[0].Effect, -1) {
		t.Errorf("%+v", tr)
	}
}

func split(values []float64, labels []int, c int) (in, out []float64) {
	for i, v := range values {
		if labels[i] == c {
			in = append(in, v)
		} else {
			out = append(out, v)
		}
	}
	return in, out
}

func mean(v []float64) float64 {
	s := 0.0
	for _, x := range v {
		s += x
	}
	return s / float64(len(v))
}

func deviations(v []float64) float64 {
	s, m := 0.0, mean(v)
	for _, x := range v {
		s += (x - m) * (x - m)
	}
	return s
}

// TestTraitsAreThoseOfGroups: noise, which comes before the groups, has no medoid to be taken for
// that of one.
func TestTraitsAreThoseOfGroups(t *testing.T) {
	x := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{50, 1, 2, 3, 10, 11}}
	labels := []int{0, 2, 2, 2, 5, 5}
	groups, err := describe.Groups(t.Context(), x, labels, 1)
	if err != nil {
		t.Fatal(err)
	}
	traits, err := describe.Traits(t.Context(), x, labels, 1)
	if err != nil || len(traits) != 2 || len(groups) != 2 || groups[0].Medoid != 2 ||
		labels[groups[1].Medoid] != 5 {
		t.Fatalf("%v, %v (%v)", groups, traits, err)
	}
	for i := range groups {
		if traits[i].Medoid != -1 {
			t.Errorf("the medoid of group %d is %d", i, traits[i].Medoid)
		}
		if groups[i].Medoid = -1; !cmp.Equal(groups[i], traits[i]) {
			t.Error(cmp.Diff(groups[i], traits[i]))
		}
	}
}
