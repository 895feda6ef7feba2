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

// TestACategoryWeighsAsANumberOfARange: with minmax the variances of its columns add up to that of a
// number spread evenly, and two values are never further apart than two numbers can be.
func TestACategoryWeighsAsANumberOfARange(t *testing.T) {
	for _, c := range []struct {
		levels   string // of the rows, in turn
		p        Preparation
		variance float64 // of the columns together
		apart    float64 // two different values, squared
	}{
		{"ab", Preparation{}, 1. / 12, 1. / 3},
		{"abcd", Preparation{}, 1. / 12, 2. / 9}, // 1 − 4/16 is 9/12
		// 1 − (19/20)² − (1/20)² = 0.095, and 12 times that is less than 2
		{"aaaaaaaaaaaaaaaaaaab", Preparation{}, 0.0475, 1},
		{"abcd", Preparation{Earlier: true}, 0.75, 2},
		{"abcd", Preparation{Plain: true}, 0.75, 2},
		{"abcd", Preparation{Weights: map[string]float64{"c": 2}}, 4. / 12, 8. / 9},
	} {
		var b strings.Builder
		b.WriteString("x,c\n")
		for i := range 60 {
			b.WriteString(itoa(i*i%31) + "," + c.levels[i%len(c.levels):][:1] + "\n")
		}
		x := prepare(t, readString(t, b.String(), "t.csv", ReadOptions{}), c.p).X
		variance, apart := 0.0, 0.0
		for j := 1; j < x.Cols; j++ {
			mean := 0.0
			for i := range x.Rows {
				mean += x.At(i, j) / float64(x.Rows)
			}
			for i := range x.Rows {
				variance += math.Pow(x.At(i, j)-mean, 2) / float64(x.Rows)
			}
			apart += math.Pow(x.At(0, j)-x.At(len(c.levels)-1, j), 2)
		}
		if math.Abs(variance-c.variance) > 1e-12 || math.Abs(apart-c.apart) > 1e-12 {
			t.Errorf("%s, %+v: variance %v, values %v apart", c.levels, c.p, variance, apart)
		}
	}
}

// TestAColumnThatDecides most of the distances is named, unless it was weighed by hand.
func TestAColumnThatDecides(t *testing.T) {
	var b strings.Builder
	b.WriteString("x,income,c\n")
	for i := range 40 {
		b.WriteString(itoa(i*i%31) + "," + itoa(1000*(i%7)) + "," + "abc"[i%3:][:1] + "\n")
	}
	for _, c := range []struct {
		o    ReadOptions
		p    Preparation
		want string // begin of the note; "": there is none
	}{
		{ReadOptions{}, Preparation{Scale: ScaleNone}, "column income decides most of the " +
			"distances, as it has 99 % of the variance: --scale zscore"},
		{ReadOptions{}, Preparation{}, ""},
		{ReadOptions{}, Preparation{Scale: ScaleZScore}, ""},
		{ReadOptions{}, Preparation{Earlier: true}, "column c decides"},
		{ReadOptions{}, Preparation{Earlier: true, Uncounted: true}, ""},
		{ReadOptions{}, Preparation{Weights: map[string]float64{"income": 10}}, ""},
		{ReadOptions{Drop: []string{"c"}}, Preparation{Scale: ScaleNone}, "column income decides"},
		{ReadOptions{Drop: []string{"x"}}, Preparation{Earlier: true}, ""}, // 84 % of two columns
		{ReadOptions{Features: []string{"income"}}, Preparation{Scale: ScaleNone}, ""},
	} {
		got := ""
		for _, note := range prepare(t, readString(t, b.String(), "t.csv", c.o), c.p).Notes {
			if strings.Contains(note, "decides most") {
				got = note
			}
		}
		if !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
			t.Errorf("%+v, %+v: %q", c.o, c.p, got)
		}
	}
}
