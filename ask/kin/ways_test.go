package kin_test

import (
	"github.com/kindred-go/kindred/fit"

	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/kindred-go/kindred/ask/kin"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// TestAnyWay that answers came to be what they are gives the same question and the same bytes, on
// few rows and many, of whatever kind; and questions end.
func TestAnyWay(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 3))
		n := []int{1, 2, 3, 4, 5, 30, 80, 150}[rng.IntN(8)]
		x, classes := dataset.Matrix{Rows: n, Cols: 2}, make([]int32, n)
		single := rng.IntN(3) == 0
		for i := range n {
			classes[i] = int32(rng.IntN(3))
			u, v := float64(classes[i])+0.5*rng.NormFloat64(), rng.NormFloat64()
			switch rng.IntN(12) {
			case 0:
				u, v = 0, 0
			case 1:
				u += 1e6
			}
			if single {
				x.F32 = append(x.F32, float32(u), float32(v))
			} else {
				x.F64 = append(x.F64, u, v)
			}
		}
		cfg := kin.Config{
			SuperInstances: rng.IntN(60),
			ErrorRate:      []float64{0, 0, 0.1, 0.49}[rng.IntN(4)],
			Options:        fit.Options{Threads: 1},
		}
		if n > 5 && rng.IntN(2) == 0 {
			cfg.Links = randomLinks(n, rng.IntN(40), classes)
		}
		if rng.IntN(2) == 0 {
			cfg.Contradictions = link.Keep
		}
		wrong := []float64{0, 0.2}[rng.IntN(2)]
		says := func(a, b int) link.Kind {
			switch v := rng.Float64(); {
			case v < 0.1:
				return unknown
			case v < 0.1+wrong:
				return same + different - truly(classes, a, b)
			}
			return truly(classes, a, b)
		}
		run := begin(t, x, cfg)
		out := wander(t, rng, run, says)
		cfg.Threads = 5
		other := begin(t, x, cfg)
		other.Exclude(out)
		if err := other.Restore(run.Answers(), nil); err != nil {
			t.Fatal(err)
		}
		p, _ := run.Next()
		q, _ := other.Next()
		one, two := result(t, run), result(t, other)
		if len(one.Answers)+len(two.Answers) == 0 {
			one.Answers, two.Answers = nil, nil
		}
		if p != q || !reflect.DeepEqual(one, two) || run.Settled() != other.Settled() {
			t.Errorf("seed %d: it asks %+v, and taken up again %+v; the same result: %t", seed, p,
				q, reflect.DeepEqual(one, two))
		}
		if wrong == 0 && cfg.ErrorRate == 0 && cfg.Contradictions == link.Refuse && len(out) == 0 &&
			len(one.Unmet) > 0 {
			t.Errorf("seed %d: unmet %v", seed, one.Unmet)
		}
		if asked := answer(t, run, 3000, says); len(asked) == 3000 {
			t.Errorf("seed %d: no end of questions about %d rows", seed, n)
		}
		result(t, run)
	}
}

// wander answers, takes back, edits, tells, looks, and leaves rows out, which it gives. What is
// refused is as good as not said.
func wander(t *testing.T, rng *rand.Rand, run *kin.Run, says func(a, b int) link.Kind) (out []int) {
	n := run.N()
	for range 60 {
		a, b := rng.IntN(n), rng.IntN(n)
		switch rng.IntN(12) {
		case 0:
			run.Undo()
		case 1:
			run.Redo()
		case 2:
			run.Queue(1 + rng.IntN(5))
		case 3:
			_ = run.Tell(link.Link{A: a, B: b, Kind: says(a, b)})
		case 4:
			if answers := run.Answers(); len(answers) > 0 {
				l := answers[rng.IntN(len(answers))]
				_ = run.Edit(l.A, l.B, says(l.A, l.B))
			}
		case 5:
			if rng.IntN(4) == 0 {
				out = nil
				for range rng.IntN(n/2 + 1) {
					out = append(out, rng.IntN(n))
				}
				run.Exclude(out)
			}
		case 6:
			result(t, run)
			run.Settled()
			run.Remaining()
			run.Guess(a, b)
		default:
			if q, ok := run.Next(); ok {
				_ = run.Answer(says(q.A, q.B))
			}
		}
	}
	return out
}
