package ecm

import (
	"math"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
)

// The objectives, written down from the papers' definitions and as slow as can be.

// twinRow returns Σ_A cost_A(x)·m(A)^β for one row.
func twinRow(cfg Config, r *Result, x, m []float64, ccm bool) float64 {
	sum := 0.0
	for s, set := range r.Credal.Focal {
		weight := math.Pow(m[s], cfg.Fuzziness)
		if set == 0 {
			sum += weight * r.NoiseDistance * r.NoiseDistance
			continue
		}
		size := float64(set.Len())
		middle := make([]float64, len(x))
		shape := make([]float64, len(x)*len(x))
		each := 0.0
		for k := range r.Credal.Clusters {
			if !set.Has(k) {
				continue
			}
			one := make([]float64, len(x))
			for j := range x {
				one[j] = r.Centers.At(k, j)
				middle[j] += one[j] / size
				each += (x[j] - one[j]) * (x[j] - one[j])
			}
			for t, v := range metricOf(r, k, len(x)) {
				shape[t] += v / size
			}
		}
		d := 0.0
		for a := range x {
			for b := range x {
				d += (x[a] - middle[a]) * shape[a*len(x)+b] * (x[b] - middle[b])
			}
		}
		switch {
		case ccm && size > 1:
			d = (each + cfg.Barycentre*d) / (size + cfg.Barycentre)
		case !ccm:
			d *= math.Pow(size, cfg.SetPenalty)
		}
		sum += weight * d
	}
	return sum
}

// metricOf returns S = WᵀW of cluster k, d×d.
func metricOf(r *Result, k, d int) []float64 {
	w := make([]float64, d*d)
	for a := range d {
		for b := range a + 1 {
			switch {
			case r.Metric == fit.Full:
				w[a*d+b] = r.Roots[k*d*(d+1)/2+a*(a+1)/2+b]
			case a == b && r.Metric == fit.Diagonal:
				w[a*d+a] = r.Roots[k*d+a]
			case a == b:
				w[a*d+a] = 1
			}
		}
	}
	s := make([]float64, d*d)
	for a := range d {
		for b := range d {
			for t := range d {
				s[a*d+b] += w[t*d+a] * w[t*d+b]
			}
		}
	}
	return s
}

// twin returns the objective of a fit to vectors; with links that of CECM.
func twin(cfg Config, r *Result, data dataset.Matrix, ccm bool) float64 {
	sum := 0.0
	for i := range data.Rows {
		sum += twinRow(cfg, r, data.AppendRow(nil, i), r.Credal.Row(i), ccm)
	}
	if len(cfg.Links) == 0 {
		return sum
	}
	variance := 0.0
	for j := range data.Cols {
		mean := 0.0
		for i := range data.Rows {
			mean += data.At(i, j) / float64(data.Rows)
		}
		for i := range data.Rows {
			variance += (data.At(i, j) - mean) * (data.At(i, j) - mean) / float64(data.Rows)
		}
	}
	penalty, total := 0.0, 0.0
	for _, l := range cfg.Links {
		total += l.Confidence()
		same, differ := together(r, l)
		apart := (1 + differ - same) / 2
		if l.Kind == link.CannotLink {
			apart = 1 - apart
		}
		penalty += l.Confidence() * apart
	}
	f := float64(len(r.Credal.Focal))
	return (1-cfg.LinkWeight)/(float64(data.Rows)*f*variance)*sum + cfg.LinkWeight/total*penalty
}

// together returns the plausibilities that two rows are of one cluster, and of different ones, on
// the product frame.
func together(r *Result, l link.Link) (same, differ float64) {
	for s, a := range r.Credal.Focal {
		for t, b := range r.Credal.Focal {
			m := r.Credal.Row(l.A)[s] * r.Credal.Row(l.B)[t]
			if a.Meets(b) {
				same += m
			}
			if a != 0 && b != 0 && !(a == b && a.Len() == 1) {
				differ += m
			}
		}
	}
	return same, differ
}

// twinMedian returns the objective of MECM.
func twinMedian(cfg Config, r *Result, src dissim.Source) float64 {
	n := src.Len()
	d := make([][]float32, n)
	most := 0.0
	for i := range d {
		d[i] = make([]float32, n)
		src.Row(d[i], i, nil)
		for _, v := range d[i] {
			most = math.Max(most, float64(v))
		}
	}
	_, exp := math.Frexp(most)
	unit := math.Ldexp(1, exp)
	at := func(i, j int) float64 { return float64(d[i][j]) / unit }
	sum := 0.0
	for s, set := range r.Credal.Focal {
		var own []int
		for k := range r.Credal.Clusters {
			if set.Has(k) {
				own = append(own, r.Medoids[k])
			}
		}
		size := float64(len(own))
		prototype, least := -1, math.Inf(1)
		for p := range n {
			mean, variance := 0.0, 0.0
			for _, m := range own {
				mean += at(p, m) / size
			}
			for _, m := range own {
				variance += (at(p, m) - mean) * (at(p, m) - mean) / size
			}
			if v := variance + cfg.Spread*mean; v < least {
				prototype, least = p, v
			}
		}
		for i := range n {
			weight := math.Pow(r.Credal.Row(i)[s], cfg.Fuzziness)
			switch len(own) {
			case 0:
				sum += weight * r.NoiseDistance
				continue
			case 1:
				sum += weight * at(i, own[0]) * unit
				continue
			}
			gaps, apart, near := 0.0, 0.0, math.Inf(1)
			for _, a := range own {
				near = math.Min(near, at(i, a))
				for _, b := range own {
					gaps += math.Abs(at(i, a) - at(i, b))
					apart += at(a, b)
				}
			}
			rho := 0.0
			if apart > 0 {
				rho = gaps / (cfg.Spread * apart)
			}
			v := (cfg.Barycentre*at(i, prototype) + rho*near) / (cfg.Barycentre + 1)
			sum += weight * math.Pow(size, cfg.SetPenalty) * v * unit
		}
	}
	return sum
}

// focalOf returns a package of focal sets by its number.
func focalOf(c, kind int) []belief.Set {
	var sets []belief.Set
	switch kind {
	case 0:
		sets, _ = belief.Simple(c)
	case 1:
		sets, _ = belief.Pairs(c)
	default:
		sets, _ = belief.Full(c)
	}
	return sets
}
