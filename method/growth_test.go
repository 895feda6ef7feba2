package method

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method/param"
)

// Time that grows with the rows and their pairs is found; where one sample alone was disturbed, it
// is none.
func TestSquare(t *testing.T) {
	of := func(m, a, b float64) time.Duration { return time.Duration(a*m + b*m*m) }
	for _, c := range []struct{ a, b float64 }{{1e6, 0}, {1e6, 1e3}, {1e6, 1e5}, {0, 1e4}} {
		before := []time.Duration{of(100, c.a, c.b), of(200, c.a, c.b)}
		got, want := square(before, of(400, c.a, c.b), 50), float64(of(20_000, c.a, c.b))/
			float64(of(400, c.a, c.b))
		if c.b == 0 {
			want = 0
		}
		if math.Abs(got-want) > 1e-6*want {
			t.Errorf("%v: %v times as long, want %v", c, got, want)
		}
	}
	for i := range 3 {
		times := []time.Duration{100, 200, 400}
		times[i] += times[i] / 2
		if got := square(times[:2], times[2], 50); got != 0 {
			t.Errorf("%v: %v times as long by pairs", times, got)
		}
	}
	if got := square([]time.Duration{1}, 4, 50); got != 0 {
		t.Errorf("one doubling: %v", got)
	}
}

// Links are as dense in a sample as among all rows, and its rows rise.
func TestLinksOfSamples(t *testing.T) {
	const n, m, links = 10_000, 500, 1000
	var all []link.Link
	for i := range links {
		all = append(all, link.Link{A: i * 7919 % n, B: (i*104_729 + 1) % n})
	}
	p := Problem{Data: rowsOf(n, 2), Knowledge: fit.Knowledge{Links: all}}
	for _, some := range [][]link.Link{all, {{A: n - 1, B: n - 2}}, {{A: 0, B: n - 1}}, nil} {
		p.Links = some
		for draw := range mostDraws {
			rows := p.spread(m, draw)
			if len(rows) != m || !slices.IsSorted(rows) || rows[m-1] >= n ||
				len(slices.Compact(slices.Clone(rows))) != m {
				t.Fatalf("%d rows up to %d", len(rows), rows[len(rows)-1])
			}
			s, err := p.sample(m, draw)
			if err != nil {
				t.Fatal(err)
			}
			want := len(some) * m / n
			if len(s.Links) < want*3/4 || len(s.Links) > 2*want+2 {
				t.Errorf("of %d links %d are in the sample, want %d", len(some), len(s.Links), want)
			}
			for _, l := range s.Links {
				if s.Data.At(l.A, 0) != p.Data.At(rows[l.A], 0) {
					t.Fatal("a link is of another row")
				}
			}
		}
	}
}

// Where a sample takes many times the iterations of another, other rows are drawn.
func TestSamplesOfManyIterations(t *testing.T) {
	const n, m = 10_000, 500
	var firsts []float64
	method := Method{Name: "hard", Configure: func(*param.Set) Steps {
		return Steps{Fit: func(_ context.Context, p Problem) (*Outcome, error) {
			time.Sleep(againTime) // so that no sample is fitted again
			firsts = append(firsts, p.Data.At(0, 0))
			out := &Outcome{Labels: make([]int, p.Data.Rows), Iterations: 3}
			if len(firsts) < 3 {
				out.Iterations = 39
			}
			return out, nil
		}}
	}}
	c, err := method.With(nil)
	if err != nil {
		t.Fatal(err)
	}
	p := Problem{Data: rowsOf(n, 2)}
	least := 3
	if _, _, err := c.probe(t.Context(), p, m, &least); err != nil {
		t.Fatal(err)
	}
	if len(firsts) != 3 || firsts[0] == firsts[1] || firsts[1] == firsts[2] || least != 3 {
		t.Errorf("samples begin with %v, and had %d iterations at least", firsts, least)
	}
	firsts, least = nil, 10
	if _, _, err := c.probe(t.Context(), p, m, &least); err != nil || len(firsts) != 1 {
		t.Errorf("%d samples are fitted where the first has few times as many iterations, %v",
			len(firsts), err)
	}
}
