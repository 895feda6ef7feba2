package kin

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
)

// TestWideVectors: of vectors whose groups all differ along the same few directions a metric is
// learnt, the same on any number of threads and where the answers are restored.
func TestWideVectors(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	const n, d, groups, along, answers = 300, 2 * mostFeatures, 5, 6, 60
	rng := rand.New(rand.NewPCG(5, 5))
	normal := func(count int, deviation float64) []float64 {
		out := make([]float64, count)
		for i := range out {
			out[i] = deviation * rng.NormFloat64()
		}
		return out
	}
	centres, directions := normal(groups*d, 0.5), normal(along*d, 0.35)
	x := dataset.Matrix{Rows: n, Cols: d, F64: normal(n*d, 0.3)}
	for i := range n {
		by := normal(along, 1)
		for j := range d {
			x.F64[i*d+j] += centres[i%groups*d+j]
			for k, v := range by {
				x.F64[i*d+j] += v * directions[k*d+j]
			}
		}
	}
	var first *Result
	for _, threads := range []int{1, 2, 5} {
		begin := func() *Run {
			run, err := New(t.Context(), x, Config{Options: fit.Options{Threads: threads}})
			if err != nil {
				t.Fatal(err)
			}
			return run
		}
		run, learnt := begin(), false
		for number := range answers {
			reply(t, run, groups, number)
			p := run.chooser.last.play
			learnt = learnt || p.graph != p.plain
		}
		if after := score(t, run, groups); after < 0.9 || !learnt {
			t.Errorf("index %.3f after %d answers; a metric is learnt: %t", after, answers, learnt)
		}
		res, err := run.Result(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = res
			run, answers := begin(), run.Answers()
			if err := run.Restore(answers, nil); err != nil {
				t.Fatal(err)
			}
			if res, err = run.Result(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(first, res) {
			t.Errorf("another result on %d threads", threads)
		}
	}
}
