package kevclus2016

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/elementary"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simplexqp"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The ways to move a row of k-EVCLUS: by the terms of the partners that it drew, as Algorithm 1
// does when it has no others, or by all terms that it is in, those of the objects that drew it too.
// Both are written plainly here; k-EVCLUS itself is the latter.
var sides = []string{"own partners", "both sides"}

// sidePartners are the numbers of partners that the ways are compared by, on sideObjects points.
var sidePartners = []int{10, 20, 50, 100}

const sideObjects = 2000

func sideKey(k int) frame.Key {
	return frame.Key{Part: partSides, Set: tClusters, Setting: fmt.Sprintf("k = %d", k)}
}

// sideMethods are the ways and, beside them, k-EVCLUS as it is here, from random masses and from
// medoids.
func sideMethods() []string { return slices.Concat(sides, partnerMethods) }

// sideUnits compare the ways, which begin from the same random masses with the same partners.
func sideUnits(p frame.Plan) []frame.Unit {
	var list []frame.Unit
	for _, k := range sidePartners {
		list = append(list, timed(p, sideKey(k), few(p), sideMethods(),
			func(int) (objects, error) { return simulated(p, sideObjects, 1, .9) },
			settings{partners: k}))
	}
	return list
}

// plainly fits k-EVCLUS by Algorithm 1 to the letter: partners of each object at random, random
// masses, rows one after the other, ended by the running mean of equation 21, or after 200 sweeps.
func (o objects) plainly(ctx context.Context, k int, both bool,
	seed uint64) (frame.Values, error) {
	began := time.Now()
	n, rng := o.Len(), rand.New(rand.NewPCG(seed, 1))
	focal, err := belief.Simple(o.clusters)
	if err != nil {
		return nil, err
	}
	f := len(focal)
	d := o.draw(k, rng)
	m := &credal.Partition{Clusters: o.clusters, Focal: focal, Mass: make([]float64, n*f)}
	conflict, against := belief.ConflictMatrix(focal), make([]float64, n*f)
	oppose := func(i int) {
		for a := range f {
			against[i*f+a] = linalg.DotInOrder(conflict[a*f:(a+1)*f], m.Row(i))
		}
	}
	for i := range n {
		row := m.Row(i)
		sum := 0.0
		for a := range row {
			row[a] = rng.Float64()
			sum += row[a]
		}
		for a := range row {
			row[a] /= sum
		}
		oppose(i)
	}
	stress := func() (sum float64) {
		for t, j := range d.to {
			i := t / k
			miss := linalg.DotInOrder(m.Row(i), against[int(j)*f:int(j)*f+f]) - d.delta[t]
			sum += float64(miss * miss)
		}
		return sum / d.total
	}
	solver, h, g := simplexqp.New(f), make([]float64, f*f), make([]float64, f)
	term := func(j int, delta float64) {
		c := against[j*f : j*f+f]
		for a, x := range c {
			g[a] += float64(delta * x)
			for b, y := range c {
				h[a*f+b] += float64(x * y)
			}
		}
	}
	last, change := stress(), 1.0
	sweeps, rises := 0, 0
	for ; change >= tolerance && sweeps < 200; sweeps++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range n {
			clear(h)
			clear(g)
			for t := i * k; t < (i+1)*k; t++ {
				term(int(d.to[t]), d.delta[t])
			}
			if both {
				for _, t := range d.by[i] {
					term(int(t)/k, d.delta[t])
				}
			}
			solver.Solve(h, g, m.Row(i))
			oppose(i)
		}
		now := stress()
		if now > last*(1+1e-12) {
			rises++
		}
		change = .5*change + .5*math.Abs(now-last)/last
		last = now
	}
	values := o.judge(began, m)
	values["stress"] = last
	values["sweeps"], values["rises"] = float64(sweeps), float64(rises)
	return values, nil
}

// drawn are k partners of every object, drawn without replacement, and the conflicts that they call
// for.
type drawn struct {
	to    []int32   // n×k: the partners
	delta []float64 // of each
	total float64   // Σ δ²
	by    [][]int32 // of each object, its places in to
}

// draw draws partners. d0 is a quantile of the dissimilarities drawn, α .05.
func (o objects) draw(k int, rng *rand.Rand) drawn {
	n := o.Len()
	d := drawn{to: make([]int32, 0, n*k), delta: make([]float64, n*k), by: make([][]int32, n)}
	far := make([]float32, n*k)
	others := make([]int32, n)
	for i := range others {
		others[i] = int32(i)
	}
	for i := range n {
		at := slices.Index(others, int32(i))
		others[0], others[at] = others[at], others[0]
		for t := 1; t <= k; t++ {
			s := t + rng.IntN(n-t)
			others[t], others[s] = others[s], others[t]
			d.by[others[t]] = append(d.by[others[t]], int32(i*k+t-1))
		}
		d.to = append(d.to, others[1:k+1]...)
		o.Row(far[i*k:(i+1)*k], i, d.to[i*k:])
	}
	sorted := slices.Sorted(slices.Values(far))
	d0 := float64(sorted[int(math.Round(o.d0*float64(len(sorted)-1)))])
	gamma := -elementary.Log(.05) / float64(d0*d0)
	for t, v := range far {
		d.delta[t] = 1 - elementary.Exp(-gamma*float64(v)*float64(v))
		d.total += float64(d.delta[t] * d.delta[t])
	}
	return d
}
