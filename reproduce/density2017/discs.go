package density2017

import (
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// ratios are how many times denser the dense discs are than the sparse ones.
var ratios = []int{1, 3, 10, 30}

const discPoints = 100

// discs draws four discs of equally many points, spread evenly: two of radius 1 with a gap of ½
// between them, and above and below two larger ones, whose points are ratio times sparser. From a
// tenfold ratio on points of a sparse disc lie farther from their neighbours than the dense discs
// from each other, so that no single radius finds all four. The problem is ours.
func discs(ratio int, seed uint64, draw int) problem {
	p := problem{name: discsName(ratio), classes: 4}
	rng := rand.New(rand.NewPCG(frame.Derive(seed, "discs", p.name, draw, 0), 0))
	wide := math.Sqrt(float64(ratio))
	const apart = 1.25 // of the centre of a dense disc from the middle
	gap := .5 + .3*wide
	reach := 1 + wide + gap
	up := math.Sqrt(float64(reach*reach) - apart*apart)
	p.x = dataset.Matrix{Rows: 4 * discPoints, Cols: 2}
	for c, disc := range []struct{ x, y, radius float64 }{{-apart, 0, 1}, {apart, 0, 1},
		{0, up, wide}, {0, -up, wide}} {
		for range discPoints {
			x, y := 2*rng.Float64()-1, 2*rng.Float64()-1
			for float64(x*x)+float64(y*y) > 1 {
				x, y = 2*rng.Float64()-1, 2*rng.Float64()-1
			}
			p.x.F64 = append(p.x.F64, disc.x+float64(disc.radius*x), disc.y+float64(disc.radius*y))
			p.truth = append(p.truth, int32(c))
		}
	}
	return p
}

func discsName(ratio int) string { return fmt.Sprintf("discs 1:%d", ratio) }
