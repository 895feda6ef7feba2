package kin_test

import (
	"github.com/kindred-go/kindred/fit"

	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// clouds are rows of four normal groups that overlap.
func clouds(n int) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(6, 6))
	x, classes := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
	for i := range n {
		c := i % 4
		classes[i] = int32(c)
		x.F64 = append(x.F64, 4*float64(c%2)+rng.NormFloat64(), 4*float64(c/2)+rng.NormFloat64())
	}
	return x, classes
}

func randomLinks(n, count int, classes []int32) (out []link.Link) {
	rng := rand.New(rand.NewPCG(7, 7))
	for len(out) < count {
		if a, b := rng.IntN(n), rng.IntN(n); a != b {
			out = append(out, link.Link{A: a, B: b, Kind: truly(classes, a, b)})
		}
	}
	return out
}

// TestLinksDoNoHarm, few or many, given or told, though super-instances hold rows of several
// classes.
func TestLinksDoNoHarm(t *testing.T) {
	const n = 1200
	x, classes := clouds(n)
	says := func(a, b int) link.Kind { return truly(classes, a, b) }
	for _, rate := range []float64{0, 0.1} {
		alone := begin(t, x, kin.Config{SuperInstances: 100, ErrorRate: rate})
		answer(t, alone, 12, says)
		without := ari(t, result(t, alone).Labels, classes)
		for _, count := range []int{20, 100, 1000} {
			links := randomLinks(n, count, classes)
			given := begin(t, x,
				kin.Config{SuperInstances: 100, ErrorRate: rate,
					Knowledge: fit.Knowledge{Links: links}})
			if v := ari(t, result(t, given).Labels, classes); v < 0.8 {
				t.Errorf("%d links, before the first answer: adjusted Rand index %.3f", count, v)
			}
			answer(t, given, 12, says)
			told := begin(t, x, kin.Config{SuperInstances: 100, ErrorRate: rate})
			answer(t, told, 12, says)
			for _, l := range links {
				if _, ok := told.Answered(l.A, l.B); ok {
					continue
				}
				if err := told.Tell(l); err != nil {
					t.Fatal(err)
				}
			}
			for name, run := range map[string]*kin.Run{"given": given, "told": told} {
				res := result(t, run)
				if v := ari(t, res.Labels, classes); v < without-0.05 {
					t.Errorf("%d links %s: adjusted Rand index %.3f, without them %.3f", count,
						name, v, without)
				}
				if rate == 0 && len(res.Unmet) > 0 {
					t.Errorf("%d links %s: %d unmet", count, name, len(res.Unmet))
				}
			}
		}
	}
}

// TestLinksSpeak: links alone bring doubtful rows where they belong.
func TestLinksSpeak(t *testing.T) {
	const n = 300
	x, classes := clouds(n)
	before := ari(t, result(t, begin(t, x, kin.Config{})).Labels, classes)
	after := ari(t, result(t,
		begin(t, x, kin.Config{Knowledge: fit.Knowledge{Links: randomLinks(n, 600, classes)}})).
		Labels,
		classes)
	if after < before+0.05 {
		t.Errorf("adjusted Rand index %.3f without links, %.3f with 600", before, after)
	}
}

// TestGuessIsOfTheAnswersAsTheyAre, whatever was looked at before.
func TestGuessIsOfTheAnswersAsTheyAre(t *testing.T) {
	x, classes := arcs(120)
	says := func(a, b int) link.Kind { return truly(classes, a, b) }
	run, other := begin(t, x, kin.Config{SuperInstances: 40}),
		begin(t, x, kin.Config{SuperInstances: 40})
	answer(t, run, 12, says)
	run.Next()
	for range 7 {
		run.Undo()
	}
	answer(t, other, 5, says)
	for a := range 120 {
		v, _ := run.Guess(a, 60)
		if w, _ := other.Guess(a, 60); v != w {
			t.Fatalf("rows %d and 60 are one with %g; where nothing was taken back with %g", a, v,
				w)
		}
	}
}

// TestDoubtIsShown of the rows that the next question is about.
func TestDoubtIsShown(t *testing.T) {
	x, classes := arcs(300)
	run := begin(t, x, kin.Config{SuperInstances: 100})
	about := 0
	for range 25 {
		q, ok := run.Next()
		if !ok {
			break
		}
		res := result(t, run)
		for _, row := range []int{q.A, q.B} {
			certain := false
			for _, v := range res.Credal.Row(row) {
				certain = certain || v == 1
			}
			if !certain {
				about++
				break
			}
		}
		answer(t, run, 1, func(a, b int) link.Kind { return truly(classes, a, b) })
	}
	if about < 20 {
		t.Errorf("of 25 questions %d are about a row that is in doubt", about)
	}
}

// TestAtTheEnd answers that nobody was asked for count the same, whether the end was looked at or
// not.
func TestAtTheEnd(t *testing.T) {
	x, classes := clouds(60)
	says := func(a, b int) link.Kind {
		if a%3 == 0 || b%3 == 0 {
			return unknown
		}
		return truly(classes, a, b)
	}
	run := begin(t, x, kin.Config{})
	answer(t, run, 2000, says)
	for i := range 30 {
		l := link.Link{A: i, B: i + 30}
		if _, ok := run.Answered(l.A, l.B); ok {
			continue
		}
		l.Kind = truly(classes, l.A, l.B)
		if err := run.Tell(l); err != nil {
			t.Fatal(err)
		}
		run.Next()
	}
	other := begin(t, x, kin.Config{})
	if err := other.Restore(run.Answers(), nil); err != nil {
		t.Fatal(err)
	}
	p, _ := run.Next()
	q, _ := other.Next()
	if p != q || !reflect.DeepEqual(result(t, run), result(t, other)) {
		t.Errorf("it asks %+v, and taken up again %+v", p, q)
	}
}

// TestWords of questions are plain, and tell of no certainty.
func TestWords(t *testing.T) {
	x, classes := clouds(300)
	for _, count := range []int{0, 60} {
		run := begin(t, x, kin.Config{SuperInstances: count})
		said := make(map[string]bool)
		for range 60 {
			q, ok := run.Next()
			if !ok {
				break
			}
			for _, part := range []string{"the likeliest (", "the likeliest left (", "like it",
				"their groups", "probably in the group", " 0 %", "100 %", "NaN"} {
				said[part] = said[part] || strings.Contains(q.Why, part)
			}
			answer(t, run, 1, func(a, b int) link.Kind { return truly(classes, a, b) })
		}
		if said[" 0 %"] || said["100 %"] || said["NaN"] || said["like it"] != (count > 0) ||
			!said["the likeliest ("] || !said["probably in the group"] ||
			count == 0 && !said["the likeliest left ("] {
			t.Errorf("%d super-instances: %v", count, said)
		}
	}
}
