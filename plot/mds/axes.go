package mds

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// turn moves the mean of the points to the origin and turns them to their principal axes, the
// widest first, with a positive coordinate where an axis reaches farthest: distances alone leave
// all of this open.
func turn(points []point, dimensions int) {
	var mean point
	for _, p := range points {
		for k := range mean {
			mean[k] += p[k] / float64(len(points))
		}
	}
	cov := mat.NewSymDense(dimensions, nil)
	for i := range points {
		p := points[i].minus(mean)
		points[i] = p
		for k := range dimensions {
			for l := k; l < dimensions; l++ {
				cov.SetSym(k, l, cov.At(k, l)+float64(p[k]*p[l]))
			}
		}
	}
	_, axes := eigen(cov)
	for i, p := range points {
		points[i] = point{}
		for k := range dimensions {
			for l := range dimensions {
				points[i][k] += float64(p[l] * axes.At(l, k))
			}
		}
	}
	for k := range dimensions {
		flip := 1.0
		if farthest(points, k) < 0 {
			flip = -1
		}
		for i := range points {
			points[i][k] *= flip
			points[i][k] += 0 // no −0
		}
	}
}

// farthest returns coordinate k of the point that lies farthest out along it, the first within a
// billionth.
func farthest(points []point, k int) float64 {
	most := 0.0
	for _, p := range points {
		most = max(most, math.Abs(p[k]))
	}
	for _, p := range points {
		if math.Abs(p[k]) >= float64(most*(1-1e-9)) {
			return p[k]
		}
	}
	return 0
}
