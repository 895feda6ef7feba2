package dataset

import (
	"math"
	"strings"
	"testing"
)

// TestACategoryWeighsAsANumber: with zscore the variances of its columns add up to 1, and any two
// rare values are as far apart as any two others.
func TestACategoryWeighsAsANumber(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,c\n")
	for i := range 100 {
		level := "often"
		switch {
		case i == 0:
			level = "rare"
		case i%2 == 0:
			level = "other"
		}
		b.WriteString(itoa(i*i%31) + "," + level + "\n")
	}
	prepare := func(p Preparation) *Prepared {
		table, err := ReadStream(t.Context(), strings.NewReader(b.String()), "t.csv",
			ReadOptions{Format: FormatCSV})
		if err != nil {
			t.Fatal(err)
		}
		p.Scale = ScaleZScore
		out, err := table.Prepare(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	variances := func(p *Prepared) (category float64) {
		for j := 1; j < p.X.Cols; j++ {
			for i := range p.X.Rows {
				category += p.X.At(i, j) * p.X.At(i, j) / float64(p.X.Rows)
			}
		}
		return category
	}
	apart := func(p *Prepared, a, b int) float64 {
		sum := 0.0
		for j := 1; j < p.X.Cols; j++ {
			sum += math.Pow(p.X.At(a, j)-p.X.At(b, j), 2)
		}
		return math.Sqrt(sum)
	}
	p := prepare(Preparation{})
	if v := variances(p); math.Abs(v-1) > 1e-12 {
		t.Errorf("the category has the variance %v", v)
	}
	if a, b := apart(p, 0, 1), apart(p, 1, 2); math.Abs(a-b) > 1e-12 {
		t.Errorf("rare values are %v apart, others %v", a, b)
	}
	if v := variances(prepare(Preparation{Plain: true})); math.Abs(v-3) > 1e-12 {
		t.Errorf("as in the first edition it has %v", v)
	}
	if v := variances(prepare(Preparation{Weights: map[string]float64{"c": 2}})); math.Abs(v-4) > 1e-12 {
		t.Errorf("with a weight of 2 it has %v", v)
	}
}
