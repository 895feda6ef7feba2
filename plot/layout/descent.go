package layout

import (
	"context"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// phases is in how many groups the objects of an epoch move, one group after the other. Those
	// of a group look at where the others were before, so that threads change nothing.
	phases    = 16
	negatives = 5    // random others that an object moves away from, for each that it moves towards
	smoothing = 10   // rounds in which objects of the start move half the way to their neighbours
	reach     = 10   // of the start, from the middle
	noise     = 1e-3 // added to the start, for objects at one point to come apart
	moveRows  = 64   // objects of a block
)

// place is where an object lies.
type place [2]float32

// descent moves objects to where their fuzzy graph in the plane is like that of their neighbours.
type descent struct {
	cfg       Config
	g         *graph
	order     []int32 // object at each place of the descent, at random
	now, next []place
	forces    *forces
}

// newDescent returns a descent from a start, the rows of which are those of the objects.
func newDescent(ctx context.Context, found *nearest.Neighbours, start dataset.Matrix,
	cfg Config) (*descent, error) {
	n := start.Rows
	d := &descent{cfg: cfg, order: disjoint.Singletons(n), now: make([]place, n),
		next: make([]place, n), forces: newForces()}
	rng := rand.New(rand.NewPCG(cfg.Seed, 0x6c61796f))
	rng.Shuffle(n, func(i, j int) { d.order[i], d.order[j] = d.order[j], d.order[i] })
	var err error
	if d.g, err = fuzzy(ctx, found, d.order, cfg.Threads); err != nil {
		return nil, err
	}
	most := 0.0
	for _, v := range start.F64 {
		most = max(most, math.Abs(v))
	}
	if most == 0 { // no landmark differs from the first
		most = 1
	}
	for p, i := range d.order {
		for axis := range d.now[p] {
			v := reach * start.F64[2*int(i)+axis] / most
			d.now[p][axis] = float32(v + float64(noise*(2*rng.Float64()-1)))
		}
	}
	for range smoothing {
		err := parallel.Blocks(ctx, n, 4*moveRows, cfg.Threads, func(_, lo, hi int) {
			for p := lo; p < hi; p++ {
				d.next[p] = d.smooth(p)
			}
		})
		if err != nil {
			return nil, err
		}
		d.now, d.next = d.next, d.now
	}
	return d, nil
}

// smooth returns the middle between an object and the mean of its neighbours.
func (d *descent) smooth(p int) place {
	var x, y, total float64
	for e := d.g.start[p]; e < d.g.start[p+1]; e++ {
		q, w := d.now[d.g.to[e]], float64(d.g.weight[e])
		x += float64(w * float64(q[0]))
		y += float64(w * float64(q[1]))
		total += w
	}
	return place{(d.now[p][0] + float32(x/total)) / 2, (d.now[p][1] + float32(y/total)) / 2}
}

// run moves the objects, ever less.
func (d *descent) run(ctx context.Context, report func(share float64)) error {
	n := len(d.now)
	size := parallel.Count(n, phases)
	for epoch := range d.cfg.Epochs {
		rate := float32(1 - float64(epoch)/float64(d.cfg.Epochs))
		for lo := 0; lo < n; lo += size {
			hi := min(n, lo+size)
			err := parallel.Blocks(ctx, hi-lo, moveRows, d.cfg.Threads, func(_, from, to int) {
				for p := lo + from; p < lo+to; p++ {
					d.next[p] = d.move(p, epoch, rate)
				}
			})
			if err != nil {
				return err
			}
			copy(d.now[lo:hi], d.next[lo:hi])
		}
		report(float64(epoch+1) / float64(d.cfg.Epochs))
	}
	return nil
}

// move returns where the object at place p goes in an epoch.
func (d *descent) move(p, epoch int, rate float32) place {
	rng := newRandom(d.cfg.Seed, epoch, p)
	return d.along(d.now[p], d.g.start[p], d.g.start[p+1], rng, epoch, rate)
}

// along returns where an object goes in an epoch that is tied to others by some edges: towards each
// in as many epochs as the weight has it, spread evenly, and away from random objects each time.
func (d *descent) along(at place, from, to int, rng random, epoch int, rate float32) place {
	for e := from; e < to; e++ {
		// Epochs times weight, from an offset of the edge, passes a whole number.
		w := d.g.weight[e]
		if uint32(epoch)*w+uint32(e)*0x9e3779b1 >= w {
			continue
		}
		at = d.forces.step(at, d.now[d.g.to[e]], d.now, &rng, rate)
	}
	return at
}

// random draws the others that an object moves away from in an epoch.
type random uint64

func newRandom(seed uint64, epoch, p int) random {
	return random(draw.Mix(draw.Mix(seed+uint64(epoch)) + uint64(p)))
}

// below returns a number from 0 to below n, which is less than 2³².
func (r *random) below(n int) int {
	*r = *r*6364136223846793005 + 1442695040888963407
	return int(uint64(*r>>32) * uint64(n) >> 32)
}
