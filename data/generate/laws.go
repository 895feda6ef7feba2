package generate

import (
	"math"
	"math/rand/v2"
)

// blobs: cluster j is N(c_j, σ²I), σ = Noise. Sizes differ by at most one and the rows are in
// random order. The centres lie in the cube from −5m to 5m, m the smallest whole number with m^d ≥
// clusters: each is the one of ten uniform candidates that is farthest from the centres before it,
// so that clusters seldom touch at σ = 1. Beyond 1000 clusters a centre is a single uniform draw.
func blobs(t *table, cfg Config, s stream) {
	mixture(t, cfg, s, func(int) (weight, spread float64) { return 1, cfg.Noise })
}

// unequalBlobs: as blobs, but cluster j of k (from 0) has a size in proportion to j + 1 and the
// standard deviation Noise·(0.4 + 1.2·j/(k−1)); a single cluster has 0.4 times the noise.
func unequalBlobs(t *table, cfg Config, s stream) {
	mixture(t, cfg, s, func(j int) (weight, spread float64) {
		return float64(j + 1),
			cfg.Noise * (0.4 + float64(1.2*float64(j))/float64(max(1, cfg.Clusters-1)))
	})
}

// mixture draws spherical Gaussians, at least one row of each: cluster j, from 0, has a size in
// proportion to its weight, and spread as standard deviation.
func mixture(t *table, cfg Config, s stream, law func(j int) (weight, spread float64)) {
	centre := centres(cfg, s)
	total := 0.0
	for j := range cfg.Clusters {
		weight, _ := law(j)
		total += weight
	}
	// Cluster j ends at the rounded share of the first j + 1 weights, moved so that each keeps a
	// row.
	sum, done := 0.0, 0
	for j := range cfg.Clusters {
		weight, _ := law(j)
		sum += weight
		end := int(math.Round(float64(sum/total) * float64(cfg.Rows)))
		end = min(max(end, done+1), cfg.Rows-(cfg.Clusters-1-j))
		for ; done < end; done++ {
			t.class = append(t.class, j+1)
		}
	}
	for i := len(t.class) - 1; i > 0; i-- { // Fisher and Yates
		j := s.below(i + 1)
		t.class[i], t.class[j] = t.class[j], t.class[i]
	}
	d := cfg.Dimensions
	for _, c := range t.class {
		_, spread := law(c - 1)
		for _, m := range centre[(c-1)*d : c*d] {
			t.x.F64 = append(t.x.F64, m+float64(spread*s.normal()))
		}
	}
}

func centres(cfg Config, s stream) []float64 {
	k, d := cfg.Clusters, cfg.Dimensions
	candidates := 10
	if k > 1000 {
		candidates = 1
	}
	half := 5 * float64(cubeEdge(k, d))
	centre := make([]float64, 0, k*d)
	trial := make([]float64, d)
	for j := range k {
		farthest := -1.0
		for range candidates {
			for l := range trial {
				trial[l] = float64(half * (float64(2*s.uniform()) - 1))
			}
			near := math.Inf(1)
			if candidates > 1 { // else there is nothing to choose from
				for i := range j {
					near = min(near, squared(trial, centre[i*d:(i+1)*d]))
				}
			}
			if near > farthest {
				farthest = near
				centre = append(centre[:j*d], trial...)
			}
		}
	}
	return centre
}

// cubeEdge returns the smallest m with m^d ≥ k.
func cubeEdge(k, d int) int {
	for m := 1; ; m++ {
		cells := 1
		for l := 0; l < d && cells < k; l++ {
			cells *= m
			if m == 1 {
				break
			}
		}
		if cells >= k {
			return m
		}
	}
}

func squared(a, b []float64) float64 {
	sum := 0.0
	for l, v := range a {
		sum += float64((v - b[l]) * (v - b[l]))
	}
	return sum
}

// moons: class 1 is the upper half of the unit circle around (0, 0), class 2 the lower half of the
// unit circle around (1, ½); angles are uniform, and N(0, Noise²) is added to both coordinates.
func moons(t *table, cfg Config, s stream) {
	for class := 1; class <= 2; class++ {
		for range t.rows(share(cfg.Rows, 2, class-1)) {
			x, y := s.direction()
			y = math.Abs(y)
			if class == 2 {
				x, y = 1-x, 0.5-y
			}
			t.add(class, x+float64(cfg.Noise*s.normal()), y+float64(cfg.Noise*s.normal()))
		}
	}
}

// toys2c: two classes in the plane with a border that is not a line, after the description of the
// set Toys2c in V. Antoine, B. Quost, M.-H. Masson and T. Denœux, CEVCLUS: evidential clustering
// with instance-level constraints for relational data, Soft Computing 18 (2014) 1321–1335, which
// states no numbers. Class 1 is an arch: a Gaussian angle θ ~ N(π/2, 0.62²) and radius ρ ~ N(1,
// Noise²) put on the ellipse (4ρ cos θ, 5ρ sin θ). Class 2 is half N((0, 1.9), 0.55 I), inside the
// arch, and half N((0, −1), 0.8 I), below it. The Rand index of 2-means is about 0.73 at the
// default noise, as the article has for clustering without constraints.
func toys2c(t *table, cfg Config, s stream) {
	n1 := share(cfg.Rows, 2, 0)
	for range t.rows(n1) {
		// θ = π/2 + a, so cos θ = −sin a and sin θ = cos a. Cut at 6 radians: 9.7 standard
		// deviations.
		a := min(max(float64(0.62*s.normal()), -6), 6)
		r := 1 + float64(cfg.Noise*s.normal())
		sin, cos := sincos(a)
		t.add(1, float64(-4*r)*sin, float64(5*r)*cos)
	}
	n2 := cfg.Rows - n1
	for i := range t.rows(n2) {
		y, sd := 1.9, math.Sqrt(0.55)
		if i >= n2/2 {
			y, sd = -1.0, math.Sqrt(0.8)
		}
		dx := float64(sd * s.normal())
		t.add(2, dx, y+float64(sd*s.normal()))
	}
}

// gauss9: nine balanced Gaussians N(c, Noise² I) with c on the grid {−1, 0, 1}², after the set
// 9Gauss of T. F. Covões, E. R. Hruschka and J. Ghosh, Competitive learning with pairwise
// constraints, IEEE TNNLS 24 (2013). At the default noise the Bayes error is about 6 %.
func gauss9(t *table, cfg Config, s stream) {
	for j := range 9 {
		for range t.rows(share(cfg.Rows, 9, j)) {
			dx := float64(cfg.Noise * s.normal())
			t.add(j+1, float64(j/3-1)+dx, float64(j%3-1)+float64(cfg.Noise*s.normal()))
		}
	}
}

// tClusters: four balanced bivariate Student t distributions with 5 degrees of freedom and scale
// matrix Noise² I, centred on (0, 0), (0, 5), (5, 0), (5, 5): z/√(w/5) with z ~ N(0, I) and w ~
// χ²₅. The law of T. Denœux, S. Sriboonchitta and O. Kanjanatarakul, Evidential clustering of large
// dissimilarity data, Knowledge-Based Systems 106 (2016), section 4.
func tClusters(t *table, cfg Config, s stream) {
	for j := range 4 {
		for range t.rows(share(cfg.Rows, 4, j)) {
			zx, zy := s.normal(), s.normal()
			scale := cfg.Noise / math.Sqrt(s.chiSquare(5)/5)
			t.add(j+1, float64(5*(j/2))+float64(scale*zx), float64(5*(j%2))+float64(scale*zy))
		}
	}
}

// stream draws the random numbers of one law. Its bits come from PCG-DXSM and every value is made
// of them by operations that IEEE 754 rounds exactly (+ − × ÷ √, each product rounded by itself),
// so a seed makes the same data on every processor.
type stream struct{ pcg *rand.PCG }

// newStream starts the stream of a seed; number distinguishes the laws.
func newStream(seed, number uint64) stream { return stream{rand.NewPCG(seed, number)} }

// uniform draws from (0, 1), never 0 or 1: the middle of one of 2⁵² equal cells.
func (s stream) uniform() float64 {
	return (float64(s.pcg.Uint64()>>12) + 0.5) * (1.0 / (1 << 52))
}

// below draws a whole number from 0 to n−1.
func (s stream) below(n int) int { return int(rand.New(s.pcg).Uint64N(uint64(n))) }

// normal draws from N(0, 1) by the ratio of uniforms (Kinderman and Monahan 1977) with the bounds
// of J. L. Leva, A fast normal random number generator, ACM TOMS 18 (1992) 449–453. The value is a
// quotient; the logarithm only decides the 1 % of cases between the two ellipses.
func (s stream) normal() float64 {
	for {
		u := s.uniform()
		v := float64(1.7156 * (s.uniform() - 0.5))
		x, y := u-0.449871, math.Abs(v)+0.386595
		q := float64(x*x) + float64(y*(float64(0.19600*y)-float64(0.25472*x)))
		if q < 0.27597 || q <= 0.27846 && float64(v*v) <= float64(-4*float64(u*u))*math.Log(u) {
			return v / u
		}
	}
}

// chiSquare draws from χ² with whole degrees of freedom.
func (s stream) chiSquare(df int) float64 {
	sum := 0.0
	for range df {
		z := s.normal()
		sum += float64(z * z)
	}
	return sum
}

// direction draws a point on the unit circle: a point of the disc, pushed outwards.
func (s stream) direction() (x, y float64) {
	for {
		x, y = float64(2*s.uniform())-1, float64(2*s.uniform())-1
		if r := float64(x*x) + float64(y*y); r <= 1 && r > 0 {
			r = math.Sqrt(r)
			return x / r, y / r
		}
	}
}

// sincos returns sin a and cos a for |a| up to about 6 by their power series. The functions of
// package math may differ between processors in the last place.
func sincos(a float64) (sin, cos float64) {
	term := 1.0
	for i := 0; i < 48; i += 2 {
		if i%4 == 0 {
			cos += term
		} else {
			cos -= term
		}
		term = float64(term*a) / float64(i+1)
		if i%4 == 0 {
			sin += term
		} else {
			sin -= term
		}
		term = float64(term*a) / float64(i+2)
	}
	return sin, cos
}
