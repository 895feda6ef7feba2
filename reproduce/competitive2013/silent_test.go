package competitive2013

import (
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// rival learns by Algorithm 2 of the paper, written down line by line, and counts what links do.
type rival struct {
	x, mu    dataset.Matrix
	partners [][]int
	wins     []float64

	// presentations of linked rows; those with F all prototypes; those in which another prototype
	// won
	linked, full, exchanged int
}

// best returns the prototype of least weighted distance from row i, except those in without.
func (r *rival) best(i int, without map[int]bool) int {
	least, at := math.Inf(1), -1
	for j, w := range r.wins {
		if v := w * squared(r.x, i, r.mu, j); !without[j] && v < least {
			least, at = v, j
		}
	}
	return at
}

// step moves prototype j by the share rate of the way to row i.
func (r *rival) step(j int, rate float64, i int) {
	mu := r.mu.F64[j*r.x.Cols:][:r.x.Cols]
	for c := range mu {
		mu[c] += rate * (r.x.At(i, c) - mu[c])
	}
}

func (r *rival) present(i int) {
	j := r.best(i, nil)
	f := map[int]bool{}
	for _, o := range r.partners[i] {
		f[r.best(o, nil)] = true
	}
	if len(f) > 0 {
		r.linked++
	}
	if len(f) > 0 && len(f) == len(r.wins) {
		r.full++
	}
	if len(f) == 0 || !f[j] || len(f) == len(r.wins) {
		r.step(r.best(i, map[int]bool{j: true}), -.002, i)
		r.step(j, .05, i)
		r.wins[j]++
		return
	}
	n := r.best(i, f)
	r.step(n, .05, i)
	r.step(j, -.002, i)
	r.wins[n]++
	r.exchanged++
}

// TestLinksOfCRPCLFallSilent: with all cannot-links among labelled objects the partners of a row
// are mostly won by all prototypes there are, and then C-RPCL as printed is RPCL. That is why its
// results here hardly depend on the number of labels.
func TestLinksOfCRPCLFallSilent(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	want := []string{"ionosphere", "iris", "wine", "breast-cancer", "pendigits", "letters", "pima"}
	if testing.Short() {
		want = want[:3]
	}
	sets, _, _, err := Experiment().Load(t.Context(),
		frame.Config{Datasets: folder, Parts: []string{"tables"}, Sets: want})
	if err != nil {
		t.Fatal(err)
	}
	const draws, forgotten, rounds = 3, 10, 50
	for _, s := range sets {
		for _, n := range []int{5, 20} {
			var linked, full, exchanged int
			for draw := 1; draw <= draws; draw++ {
				d := drawn{set: s, draw: draw}
				links, err := d.links(n, false)
				if err != nil {
					t.Fatal(err)
				}
				r := rival{x: s.X, partners: make([][]int, s.X.Rows),
					wins: make([]float64, s.Classes)}
				if r.mu, err = d.prototypes(t.Context(), s.X, 1); err != nil {
					t.Fatal(err)
				}
				for j := range r.wins {
					r.wins[j] = 1
				}
				for _, l := range links {
					r.partners[l.A], r.partners[l.B] = append(r.partners[l.A], l.B),
						append(r.partners[l.B], l.A)
				}
				rng := rand.New(rand.NewPCG(uint64(draw), 2))
				for epoch := range rounds {
					if epoch == forgotten {
						r.linked, r.full, r.exchanged = 0, 0, 0
					}
					for _, i := range rng.Perm(s.X.Rows) {
						r.present(i)
					}
				}
				linked, full, exchanged = linked+r.linked, full+r.full, exchanged+r.exchanged
			}
			silent, other := float64(full)/float64(linked), float64(exchanged)/float64(linked)
			t.Logf("%s, %d labelled: F is full in %.0f %% of presentations, another prototype "+
				"wins in %.0f %%", s.Name, n, 100*silent, 100*other)
			if n == 20 && (silent < .4 || other > .15) {
				t.Errorf("%s: the links count in more presentations than remarked: F full %.2f, "+
					"exchanged %.2f", s.Name, silent, other)
			}
		}
	}
}
