package density_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// four are clumps of six rows: the first two are near each other, and so are the last two.
func four() method.Problem {
	p := method.Problem{Data: dataset.Matrix{Rows: 24, Cols: 1}}
	for i := range 24 {
		clump := i / 6
		p.Data.F64 = append(p.Data.F64,
			float64([]int{0, 3, 40, 43}[clump])+float64(i%6)/5+float64(i*i%7)/1000)
	}
	return p
}

// asking begins to ask about merges.
func asking(t *testing.T, p method.Problem, values map[string]string) *method.Session {
	t.Helper()
	s, err := configured(t, values).Begin(t.Context(), p)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// sizes returns how many rows each group has after the answers of an oracle.
func sizes(t *testing.T, s *method.Session, classes []int32) (sizes []int, asked int) {
	t.Helper()
	out, err := s.Answered(t.Context(), ask.Labels(classes), 0)
	if err != nil {
		t.Fatal(err)
	}
	sizes = make([]int, out.Clusters+1)
	for _, l := range out.Labels {
		sizes[l]++
	}
	return sizes, out.Queries
}

// Answers about merges split and join clumps, whatever is most stable, and there are as many
// questions as merges that are not decided.
func TestAsksAboutMerges(t *testing.T) {
	classes := func(of ...int32) (all []int32) {
		for _, c := range of {
			all = append(all, slices.Repeat([]int32{c}, 6)...)
		}
		return all
	}
	for _, c := range []struct {
		classes []int32
		single  string
		sizes   []int
		asked   int
	}{
		{classes(0, 1, 2, 3), "false", []int{0, 6, 6, 6, 6}, 2},
		{classes(0, 0, 1, 1), "false", []int{0, 12, 12}, 2},
		{classes(0, 0, 1, 2), "false", []int{0, 12, 6, 6}, 2},
		{classes(0, 0, 1, 2), "true", []int{0, 12, 6, 6}, 3}, // whether all are one, too
		{classes(0, 1, 2, 3), "true", []int{0, 6, 6, 6, 6}, 3},
	} {
		s := asking(t, four(), map[string]string{"min-points": "3", "single": c.single})
		if got, asked := sizes(t, s, c.classes); !slices.Equal(got, c.sizes) || asked > c.asked {
			t.Errorf("%v: sizes %v after %d answers, want %v after %d", c, got, asked, c.sizes,
				c.asked)
		}
	}
}

// What is known before is not asked about; a row left out represents nothing; and a merge that
// nobody can tell is left aside.
func TestDecidedMergesAreNotAskedAbout(t *testing.T) {
	values := map[string]string{"min-points": "3"}
	p := four()
	p.Links = []link.Link{{A: 0, B: 8, Kind: link.CannotLink}, {A: 14, B: 20, Kind: link.MustLink}}
	if q, ok := asking(t, p, values).Next(); ok {
		t.Errorf("asks %+v", q)
	}
	p = four()
	p.Known = slices.Repeat([]int32{-1}, 24)
	p.Known[0], p.Known[8], p.Known[14], p.Known[20] = 0, 1, 2, 2
	if q, ok := asking(t, p, values).Next(); ok {
		t.Errorf("asks %+v about known classes", q)
	}
	s := asking(t, four(), values)
	first, _ := s.Next()
	s.Exclude([]int{first.A, first.B})
	second, ok := s.Next()
	if !ok || slices.Contains([]int{first.A, first.B}, second.A) ||
		slices.Contains([]int{first.A, first.B}, second.B) || second.Why == "" {
		t.Errorf("asks %+v, and then %+v", first, second)
	}
	count := 0
	for _, ok := s.Next(); ok; _, ok = s.Next() {
		if err := s.Answer(link.Unknown); err != nil {
			t.Fatal(err)
		}
		count++
	}
	if count != 4 { // two of each merge
		t.Errorf("%d questions that nobody can answer", count)
	}
}

// Leaves are chosen whatever is answered, so nobody is asked.
func TestLeavesAreNotAskedAbout(t *testing.T) {
	c := configured(t, map[string]string{"selection": "leaf"})
	if _, err := c.Begin(t.Context(), four()); err == nil {
		t.Error("asks about leaves")
	}
}

// What --selection-eps joins whatever is answered is not asked about.
func TestJoinedMergesAreNotAskedAbout(t *testing.T) {
	for eps, asked := range map[string]int{"1": 2, "2.5": 0, "20": 0} {
		s := asking(t, four(), map[string]string{"min-points": "3", "selection-eps": eps})
		out, err := s.Answered(t.Context(), ask.Labels(slices.Repeat([]int32{1}, 24)), 0)
		if err != nil || out.Queries != asked {
			t.Errorf("within %s: %d questions, want %d; %v", eps, out.Queries, asked, err)
		}
	}
}

// Known classes decide what the links among all rows that have one do.
func TestClassesDecideAsTheirLinksDo(t *testing.T) {
	questions := func(p method.Problem) (all []link.Question) {
		s := asking(t, p, map[string]string{"min-points": "2", "single": "true"})
		for q, ok := s.Next(); ok; q, ok = s.Next() {
			all = append(all, q)
			if err := s.Answer(link.Unknown); err != nil {
				t.Fatal(err)
			}
		}
		return all
	}
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 0))
		p := method.Problem{Data: dataset.Matrix{Rows: 40, Cols: 1}}
		p.Known = slices.Repeat([]int32{-1}, 40)
		linked := method.Problem{}
		for i := range 40 {
			p.Data.F64 = append(p.Data.F64, math.Exp(4*rng.Float64()))
			if i < 5 {
				p.Known[i] = int32(rng.IntN(2))
			}
			for j := range min(i, 5) {
				if i < 5 {
					kind := link.CannotLink
					if p.Known[i] == p.Known[j] {
						kind = link.MustLink
					}
					linked.Links = append(linked.Links, link.Link{A: j, B: i, Kind: kind})
				}
			}
		}
		p.Data.F64[0], p.Data.F64[1] = -1000, 1000 // both fall off all rows
		linked.Data = p.Data
		if got, want := questions(p), questions(linked); !slices.Equal(got, want) {
			t.Errorf("seed %d: asks about %v with classes, and %v with links", seed, got, want)
		}
	}
}

// A row left out as bad data is in no cluster, has no strength, and places no others.
func TestRowsLeftOutAreNoise(t *testing.T) {
	s := asking(t, four(), map[string]string{"min-points": "3"})
	s.Exclude([]int{7})
	out, err := s.Outcome(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if out.Labels[7] != 0 || out.Strength[7] != 0 || !out.Credal.Rough().Outlier[7] {
		t.Errorf("row 7 is in cluster %d, with a strength of %g, and masses %v", out.Labels[7],
			out.Strength[7], out.Credal.Row(7))
	}
	place := func(out *method.Outcome) int {
		placed, err := out.Model.Condensed.By.PlaceVectors(t.Context(), four().Data,
			four().Data.Subset([]int{7}), 1)
		if err != nil {
			t.Fatal(err)
		}
		return placed.Labels[0]
	}
	if got, want := place(out), out.Labels[6]; got != want {
		t.Errorf("a new row is placed in %d, want %d", got, want)
	}
	s.Exclude([]int{6, 7, 8, 9, 10, 11})
	if out, err = s.Outcome(t.Context()); err != nil || out.Clusters != 3 || place(out) != 0 {
		t.Errorf("a new row is placed in %d of %d clusters, whose rows are left out: %v", place(out),
			out.Clusters, err)
	}
	var all []int
	for i := range 24 {
		all = append(all, i)
	}
	s.Exclude(all)
	if out, err = s.Outcome(t.Context()); err != nil || out.Clusters != 0 || out.Model != nil {
		t.Errorf("%d clusters are left of no rows: %v", out.Clusters, err)
	}
}
