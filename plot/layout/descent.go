package layout

import (
	"context"
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/parallel"
)

var (
	curveA    = 1.5769434602
	curveB    = 0.8950608779
	phases    = 16
	smoothing = 10
	negScale  = 2.5 // negatives per visit of an edge
	visit     = 2.0
	startSize = 10.0
)

type at [2]float32

type descent struct {
	cfg   Config
	g     *graph  // of objects in the order of the descent
	order []int32 // object at each place
	now   []at
	next  []at
	pow   *powers
}

func newDescent(g *graph, start *dataset.Matrix, cfg Config) *descent {
	n := len(g.start) - 1
	d := &descent{cfg: cfg, now: make([]at, n), next: make([]at, n), pow: newPowers()}
	d.shuffle(g)
	x := make([]float64, 2*n)
	for p, i := range d.order {
		x[2*p], x[2*p+1] = start.F64[2*i], start.F64[2*i+1]
	}
	y := make([]float64, 2*n)
	for range smoothing {
		for i := range n {
			var sx, sy, w float64
			for e := d.g.start[i]; e < d.g.start[i+1]; e++ {
				j, v := d.g.to[e], float64(d.g.weight[e])
				sx += v * x[2*j]
				sy += v * x[2*j+1]
				w += v
			}
			y[2*i] = (x[2*i] + sx/w) / 2
			y[2*i+1] = (x[2*i+1] + sy/w) / 2
		}
		x, y = y, x
	}
	most := 0.0
	for axis := range 2 {
		mean := 0.0
		for i := range n {
			mean += x[2*i+axis] / float64(n)
		}
		for i := range n {
			x[2*i+axis] -= mean
			most = max(most, math.Abs(x[2*i+axis]))
		}
	}
	if most == 0 {
		return nil
	}
	for i := range n {
		for axis := range 2 {
			d.now[i][axis] = float32(startSize*x[2*i+axis]/most + 1e-3*float64(int64(draw.Mix(uint64(2*i+axis)^cfg.Seed))>>11)/(1<<53))
		}
	}
	return d
}

// shuffle puts objects into a random order, in which those of a phase are a range.
func (d *descent) shuffle(g *graph) {
	n := len(g.start) - 1
	d.order = make([]int32, n)
	for i := range d.order {
		d.order[i] = int32(i)
	}
	for i := n - 1; i > 0; i-- {
		j := draw.Mix(d.cfg.Seed<<32^uint64(i)) % uint64(i+1)
		d.order[i], d.order[j] = d.order[j], d.order[i]
	}
	place := make([]int32, n)
	for p, i := range d.order {
		place[i] = int32(p)
	}
	d.g = &graph{start: make([]int, n+1), to: make([]int32, 0, len(g.to)), weight: make([]float32, 0, len(g.to))}
	for p, i := range d.order {
		for e := g.start[i]; e < g.start[i+1]; e++ {
			d.g.to = append(d.g.to, place[g.to[e]])
			d.g.weight = append(d.g.weight, g.weight[e])
		}
		d.g.start[p+1] = len(d.g.to)
	}
}

func (d *descent) run(ctx context.Context, report func(float64)) error {
	n := len(d.now)
	size := (n + phases - 1) / phases
	for epoch := range d.cfg.Epochs {
		rate := float32(1 - float64(epoch)/float64(d.cfg.Epochs))
		for lo := 0; lo < n; lo += size {
			hi := min(n, lo+size)
			err := parallel.Blocks(ctx, hi-lo, 256, d.cfg.Threads, func(_, from, to int) {
				for i := lo + from; i < lo+to; i++ {
					d.next[i] = d.move(i, epoch, rate)
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

func clip(v float32) float32 { return max(-4, min(4, v)) }

func (d *descent) move(i, epoch int, rate float32) at {
	x, y := d.now[i][0], d.now[i][1]
	n := uint64(len(d.now))
	rng := draw.Mix(d.cfg.Seed ^ uint64(epoch)<<40 ^ uint64(i))
	negative := float32(rng>>40) / (1 << 24)
	for e := d.g.start[i]; e < d.g.start[i+1]; e++ {
		w := float32(visit) * d.g.weight[e]
		phase := float32(uint32(e)*0x9e3779b1>>8) / (1 << 24)
		times := int(float32(epoch+1)*w+phase) - int(float32(epoch)*w+phase)
		for range times {
			q := d.now[d.g.to[e]]
			dx, dy := x-q[0], y-q[1]
			if s := dx*dx + dy*dy; s > 0 {
				p := d.pow.of(s) // s^b
				c := -2 * float32(curveA*curveB) * p / (s * (1 + float32(curveA)*p))
				x += rate * clip(c*dx)
				y += rate * clip(c*dy)
			}
			for negative += float32(negScale); negative >= 1; negative-- {
				rng = rng*6364136223846793005 + 1442695040888963407
				q := d.now[(rng>>32)*n>>32]
				dx, dy := x-q[0], y-q[1]
				if s := dx*dx + dy*dy; s > 0 {
					c := 2 * float32(curveB) / ((0.001 + s) * (1 + float32(curveA)*d.pow.of(s)))
					x += rate * clip(c*dx)
					y += rate * clip(c*dy)
				}
			}
		}
	}
	return at{x, y}
}

// powers has s^b for s by the leading bits.
type powers struct {
	table [256 << 5]float32
}

func newPowers() *powers {
	p := &powers{}
	for i := range p.table {
		lo := float64(math.Float32frombits(uint32(i) << 18))
		hi := float64(math.Float32frombits(uint32(i+1) << 18))
		p.table[i] = float32(math.Pow((lo+hi)/2, curveB))
	}
	return p
}

func (p *powers) of(s float32) float32 { return p.table[math.Float32bits(s)>>18] }

func (d *descent) points(out *dataset.Matrix) {
	for p, i := range d.order {
		out.F64[2*i], out.F64[2*i+1] = float64(d.now[p][0]), float64(d.now[p][1])
	}
}
