package kin

import (
	"math"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// TestCentres draws rows to the group whose centre is near, and leaves the shares of ignorance. A
// row that is left out moves no centre.
func TestCentres(t *testing.T) {
	const n = 6
	data := dataset.Matrix{Rows: n, Cols: 1, F64: []float64{0, 0.2, 1, 1.2, 0.3, 1e9}}
	b := &base{n: n, d: 1, of: []int32{0, 0, 1, 1, 0, 0}, near: [][]int32{{0}, {1}}, expected: 200,
		reach: make([]float32, n*surrounding)}
	for row := range n {
		b.reach[row*surrounding] = 1
	}
	p := &play{base: b, size: 2}
	masses := [][]entry{{{0, 0.45}, {1, 0.5}}, {{1, 0.9}}} // the first node is not clear
	r := &rows{play: p, data: data, masses: masses, out: func(row int) bool { return row == 5 },
		metPart: []bool{true, true}}
	own, _, err := r.likeliest(t.Context(), []int{0, 1})
	if err != nil {
		t.Fatal(err)
	}
	if want := []int{1, 1, 1, 1, 1, 1}; !slices.Equal(own, want) {
		t.Errorf("groups %v, want %v, as no row is of the first", own, want)
	}
	if err := r.centre(t.Context(), []int{0, 0, 1, 1, 0, 0}); err != nil {
		t.Fatal(err)
	}
	if own, _, err = r.groups(t.Context(), []int{0, 1}); err != nil {
		t.Fatal(err)
	}
	if want := []int{0, 0, 1, 1, 0}; !slices.Equal(own[:5], want) {
		t.Errorf("groups %v, want %v", own, want)
	}
	sums := newRowSums(2)
	for row := range 5 {
		got, want := total(r.on(sums, row)), math.Pow(total(masses[b.of[row]]), surer)
		if math.Abs(got-want) > 1e-9 {
			t.Errorf("row %d: masses %g, want %g", row, got, want)
		}
	}
}

// TestMassesThatAreBelieved: of nodes that answers put in a group all are, of others some are not;
// and most of the ignorance is masses of groups that links or answers are about. Shares of the groups
// stay.
func TestMassesThatAreBelieved(t *testing.T) {
	b := &base{n: 3, of: []int32{0, 1, 1}, near: [][]int32{{0, 1}, {1, 0}},
		reach: make([]float32, 3*surrounding)}
	b.reach[0] = 1                                                // by the first node alone
	b.reach[surrounding] = 1                                      // by the second
	b.reach[2*surrounding], b.reach[2*surrounding+1] = 0.75, 0.25 // mostly by the second
	p := &play{base: b, size: 3, walk: &walk{at: []int{0, 1}}, group: []int{0, 1, 2},
		sure: []bool{true, true, true}, tentative: []bool{true, true, true},
		apart: make(relation, 3)}
	second := [2]float64{0.8 * math.Pow(0.8, 0.65) / 2, 0.8 * math.Pow(0.8, 0.65) / 2}
	both := math.Pow(0.85, 1-0.7*0.55/0.85) // what is believed of all masses around the third row
	put := [3][2]float64{{1, 0}, second, {both * 0.55, both * 0.3}}
	for _, c := range []struct {
		name  string
		apart [][2]int // groups that answers separate
		group int      // that the third node is in
		put   bool     // whether the first node is not only tentative
		want  [3][2]float64
	}{
		{"nobody answered", nil, 2, false, [3][2]float64{{0.8, 0}, {0.32, 0.32}, {0.44, 0.24}}},
		{"different", [][2]int{{0, 2}}, 2, false, [3][2]float64{{0.8, 0}, second,
			{0.8 / 0.85 * both * 0.55, 0.8 / 0.85 * both * 0.3}}},
		{"same, as another", nil, 0, false, put},
		{"same, as one of the group", nil, 2, true, put},
	} {
		q := *p
		q.group = []int{0, 1, c.group}
		q.apart, q.tentative = make(relation, 3), []bool{!c.put, true, true}
		for _, a := range c.apart {
			q.apart.set(a[0], a[1])
		}
		r := &rows{play: &q, masses: [][]entry{{{0, 1}}, {{0, 0.4}, {1, 0.4}}}, doubted: 0.2,
			view: &parts{of: []int{0, 1, 2}}}
		r.meet()
		for row, want := range c.want {
			got := r.on(newRowSums(3), row)
			if math.Abs(value(got, 0)-want[0]) > 1e-6 || math.Abs(value(got, 1)-want[1]) > 1e-6 {
				t.Errorf("%s: row %d: %v, want %v", c.name, row, got, want)
			}
		}
	}
}

// TestCentresFarApart: a part of two tentative groups with nothing between them has a centre in each,
// and draws no row that lies there; one of two that lie together has one centre.
func TestCentresFarApart(t *testing.T) {
	for _, c := range []struct {
		far     float64
		centres []float64
	}{{10, []float64{0.5, 10.5}}, {1, []float64{1}}} {
		data := dataset.Matrix{Rows: 6, Cols: 1, F64: []float64{0, 1, c.far, c.far + 1, 5, 5.5}}
		b := &base{n: 6, d: 1, of: []int32{0, 0, 1, 1, 2, 2}, near: [][]int32{{0}, {1}, {2}},
			expected: 200, reach: make([]float32, 6*surrounding),
			clusters: [][]int{{0}, {1}, {2}}}
		for row := range 6 {
			b.reach[row*surrounding] = 1
		}
		p := &play{base: b, size: 2, group: []int{0, 0, 1}}
		r := &rows{play: p, data: data, masses: [][]entry{{{0, 1}}, {{0, 1}}, {{0, 0.6}, {1, 0.4}}},
			out: func(int) bool { return false }, view: &parts{of: []int{0, 1}},
			metPart: make([]bool, 2)}
		if err := r.centre(t.Context(), []int{0, 0, 0, 0, 1, 1}); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(r.centres[0], c.centres) || !slices.Equal(r.centres[1], []float64{5.25}) {
			t.Errorf("centres %v, want %v and 5.25", r.centres, c.centres)
		}
		own, _, err := r.groups(t.Context(), []int{0, 0, 0})
		if want := []int{0, 0, 0, 0, 1, 1}; err != nil || !slices.Equal(own, want) {
			t.Errorf("groups %v, want %v, %v", own, want, err)
		}
	}
	// rows in vain, or beyond all squares, leave everything as it is
	for _, v := range []float64{7, 1e200} {
		r := &rows{play: &play{base: &base{n: 2, d: 1, of: []int32{0, 1}, expected: 200}, size: 2},
			data:   dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{v, -v}},
			masses: make([][]entry, 2), out: func(int) bool { return false }}
		if err := r.centre(t.Context(), []int{0, 1}); err != nil || r.weight != 0 {
			t.Errorf("%g: weight %g, %v", v, r.weight, err)
		}
	}
}
