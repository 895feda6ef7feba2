package simd

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// levels lists what this machine can run, the portable twin first.
func levels() []level {
	all := []level{portable}
	for l := avx2; l <= active; l++ {
		all = append(all, l)
	}
	return all
}

// noise returns n values, some of them repeated and some of them whole, so that ties occur.
func noise[T Float](n int, seed uint64) []T {
	rng := rand.New(rand.NewPCG(seed, uint64(n)))
	out := make([]T, n)
	for i := range out {
		switch v := rng.NormFloat64(); rng.IntN(4) {
		case 0:
			out[i] = T(math.Round(v))
		default:
			out[i] = T(v)
		}
	}
	return out
}

func asBits[T Float](v []T) []uint64 {
	out := make([]uint64, len(v))
	for i, f := range v {
		out[i] = math.Float64bits(float64(f))
	}
	return out
}

func sameBits[T Float](t *testing.T, what string, got, want []T) {
	t.Helper()
	if g, w := asBits(got), asBits(want); !slices.Equal(g, w) {
		for i := range g {
			if g[i] != w[i] {
				t.Fatalf("%s: value %d is %x, want %x", what, i, got[i], want[i])
			}
		}
		t.Fatalf("%s: %d values, want %d", what, len(got), len(want))
	}
}

// The loops of the documentation, word for word.

func docSquaredDistance[T Float](x, y []T) T {
	lane := make([]T, 8)
	if isSingle[T]() {
		lane = make([]T, 16)
	}
	for j := range x {
		t := x[j] - y[j]
		l := j % len(lane)
		lane[l] = fma(t, t, lane[l])
	}
	for w := len(lane) / 2; w > 0; w /= 2 {
		for l := range w {
			lane[l] += lane[l+w]
		}
	}
	return lane[0]
}

func docNearest[T Float](rows, shift, centroid []T, d int, label []int32, best, second []T) {
	k := len(centroid) / d
	for i := range label {
		label[i], best[i], second[i] = 0, T(math.Inf(1)), T(math.Inf(1))
		for c := range k {
			s := halfSquaredNorm(centroid[c*d : (c+1)*d])
			for j := range d {
				s = fma(-(rows[i*d+j] - shift[j]), centroid[c*d+j], s)
			}
			other := s
			if s < best[i] {
				other, best[i], label[i] = best[i], s, int32(c)
			}
			if other < second[i] {
				second[i] = other
			}
		}
	}
}

var shapes = []struct{ n, d, k int }{
	{1, 1, 1}, {2, 3, 2}, {5, 2, 9}, {11, 4, 3}, {12, 5, 4}, {13, 7, 5}, {23, 8, 6}, {24, 9, 7},
	{25, 15, 8},
	{47, 16, 15}, {48, 17, 16}, {49, 31, 25}, {100, 33, 31}, {97, 64, 100}, {7, 200, 3},
	{3, 1025, 260},
}

func TestLevelsAgree(t *testing.T) {
	t.Run("float64", func(t *testing.T) { levelsAgree[float64](t) })
	t.Run("float32", func(t *testing.T) { levelsAgree[float32](t) })
}

func levelsAgree[T Float](t *testing.T) {
	for _, s := range shapes {
		rows, shift, x := noise[T](s.n*s.d, 1), noise[T](s.d, 2), noise[T](s.d, 3)
		centroids := noise[T](s.k*s.d, 4)
		copy(centroids[(s.k-1)*s.d:], centroids[:s.d]) // two the same: a tie in every row

		dist := make([]T, s.n)
		for i := range dist {
			dist[i] = docSquaredDistance(x, rows[i*s.d:(i+1)*s.d])
		}
		columns := make([]T, s.n)
		for i := range columns {
			for j := range s.d {
				u := x[j] - rows[j*s.n+i]
				columns[i] = fma(u, u, columns[i])
			}
		}
		label, best, second := make([]int32, s.n), make([]T, s.n), make([]T, s.n)
		docNearest(rows, shift, centroids, s.d, label, best, second)
		sums := make([]float64, s.k*s.d)
		for i, l := range label {
			for j := range s.d {
				sums[int(l)*s.d+j] += float64(rows[i*s.d+j]) - float64(shift[j])
			}
		}

		for _, at := range levels() {
			what := func(f string) string { return fmt.Sprintf("%v: %s %+v", at, f, s) }
			got := make([]T, s.n)
			squaredDistances(at, got, x, rows)
			sameBits(t, what("rows"), got, dist)
			squaredDistancesColumns(at, got, x, rows, s.n)
			sameBits(t, what("columns"), got, columns)
			scattered, there := make([]T, 2*s.n+1), make([]int32, 2*s.n+1)
			expected := make([]T, len(there))
			for i := range there {
				there[i] = int32(i * 5 % s.n)
				expected[i] = dist[there[i]]
			}
			squaredDistancesAt(at, scattered, x, rows, there)
			sameBits(t, what("scattered rows"), scattered, expected)

			c := newCentroids(at, centroids, s.d)
			var w Workspace[T]
			gl, gb, gs := make([]int32, s.n), make([]T, s.n), make([]T, s.n)
			c.Nearest(&w, rows, shift, gl, gb, gs)
			if !slices.Equal(gl, label) {
				t.Fatal(what("labels"), gl, label)
			}
			sameBits(t, what("best"), gb, best)
			sameBits(t, what("second"), gs, second)
			clear(gl)
			clear(gb)
			c.Nearest(&w, rows, shift, gl, gb, nil)
			if !slices.Equal(gl, label) {
				t.Fatal(what("labels without second"), gl, label)
			}
			sameBits(t, what("best without second"), gb, best)

			gsum := make([]float64, s.k*s.d)
			accumulate(at, gsum, rows, shift, label)
			sameBits(t, what("sums"), gsum, sums)

			// Every third row goes from its sum to the next.
			moved := slices.Clone(sums)
			var index, from, to []int32
			for i := 0; i < s.n; i += 3 {
				index, from, to = append(index, int32(i)), append(from, label[i]),
					append(to, (label[i]+1)%int32(s.k))
				for j := range s.d {
					v := float64(rows[i*s.d+j]) - float64(shift[j])
					moved[int(label[i])*s.d+j] -= v
					moved[int((label[i]+1)%int32(s.k))*s.d+j] += v
				}
			}
			move(at, gsum, rows, shift, index, from, to)
			sameBits(t, what("moved sums"), gsum, moved)
		}
	}
}

func TestNearestByHand(t *testing.T) {
	c := NewCentroids([]float64{0, 0, 4, 0, 0, 3, 4, 0}, 2) // the last repeats the second
	label, best, second := make([]int32, 3), make([]float64, 3), make([]float64, 3)
	c.Nearest(new(Workspace[float64]), []float64{11, 20, 13, 21, 12, 20}, []float64{10, 20}, label,
		best, second)
	// Less the shift the rows are (1,0), (3,1), (2,0); the last lies between the first two
	// centroids.
	if want := []int32{0, 1, 0}; !slices.Equal(label, want) {
		t.Errorf("labels %v, want %v", label, want)
	}
	if want := []float64{0, -4, 0}; !slices.Equal(best, want) {
		t.Errorf("best %v, want %v", best, want)
	}
	if want := []float64{4, -4, 0}; !slices.Equal(second, want) {
		t.Errorf("second %v, want %v", second, want)
	}
}

func TestSquaredDistance(t *testing.T) {
	x, y := []float32{1, 2, 3}, []float32{4, 6, 3}
	if got := SquaredDistance(x, y); got != 25 {
		t.Errorf("got %g, want 25", got)
	}
	if got := SquaredDistance([]float64{}, nil); got != 0 {
		t.Errorf("no coordinates: got %g, want 0", got)
	}
}

func TestShortSlicesPanic(t *testing.T) {
	for name, f := range map[string]func(){
		"rows": func() {
			SquaredDistances(make([]float64, 3), make([]float64, 2),
				make([]float64, 5))
		},
		"no row": func() {
			SquaredDistancesAt(make([]float64, 2), make([]float64, 2), make([]float64, 5),
				[]int32{0, 2})
		},
		"row before": func() {
			SquaredDistancesAt(make([]float64, 2), make([]float64, 2), make([]float64, 5),
				[]int32{0, -1})
		},
		"columns": func() {
			SquaredDistancesColumns(make([]float64, 3), make([]float64, 2),
				make([]float64, 5), 3)
		},
		"accumulate": func() {
			Accumulate(make([]float64, 3), make([]float64, 4),
				make([]float64, 2), []int32{0, 1})
		},
		"nearest": func() {
			NewCentroids(make([]float64, 4), 2).Nearest(new(Workspace[float64]), make([]float64, 3),
				make([]float64, 2),
				make([]int32, 2), make([]float64, 2), nil)
		},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestLabelsAreNearest looks at rows that float32 cannot distinguish: some midway between two
// centroids but for the last bits, some repeated, some huge or tiny.
func TestLabelsAreNearest(t *testing.T) {
	for _, scale := range []float64{1, 1e-3, 1e-25, 1e-42, 1e-160, 1e10, 1e17, 1e30, 1e60} {
		for _, s := range shapes {
			centroids, rows, shift := noise[float64](s.k*s.d, 1), noise[float64](s.n*s.d, 2),
				noise[float64](s.d, 3)
			rng := rand.New(rand.NewPCG(5, uint64(s.n)))
			for i := range s.n {
				if i%3 > 0 { // close to a midpoint
					a, b := rng.IntN(s.k), rng.IntN(s.k)
					off := math.Ldexp(1, -rng.IntN(60))
					for j := range s.d {
						u, v := centroids[a*s.d+j], centroids[b*s.d+j]
						rows[i*s.d+j] = shift[j] + (u+v)/2 + off*(u-v)
					}
				}
			}
			for _, all := range [][]float64{centroids, rows, shift} {
				for i := range all {
					all[i] *= scale
				}
			}
			for _, at := range levels() {
				c := newCentroids(at, centroids, s.d)
				var w Workspace[float64]
				want, got, best := make([]int32, s.n), make([]int32, s.n), make([]float64, s.n)
				c.Nearest(&w, rows, shift, want, best, nil)
				c.Labels(&w, rows, shift, got, nil)
				if !slices.Equal(got, want) {
					t.Fatalf("%v, scale %g, %+v: labels\n%v, nearest\n%v", at, scale, s, got, want)
				}
			}
		}
	}
}

// TestGapIsALowerBound compares with distances computed the plain way.
func TestGapIsALowerBound(t *testing.T) {
	for _, exp := range []int{0, 130, 200, 400, -40, -126, -140, -145, -148, -150, -400} {
		t.Run(fmt.Sprintf("float64/2^%d", exp),
			func(t *testing.T) { gapIsALowerBound[float64](t, math.Ldexp(1, exp), 1e-5) })
	}
	for _, exp := range []int{0, 40, -40, -80, -126} {
		t.Run(fmt.Sprintf("float32/2^%d", exp),
			func(t *testing.T) { gapIsALowerBound[float32](t, math.Ldexp(1, exp), 1e-5) })
	}
}

func gapIsALowerBound[T Float](t *testing.T, scale, loose float64) {
	for _, s := range shapes {
		centroids, rows, shift := noise[T](s.k*s.d, 1), noise[T](s.n*s.d, 2), noise[T](s.d, 3)
		for _, all := range [][]T{centroids, rows, shift} {
			for i := range all {
				all[i] *= T(scale)
			}
		}
		if s.n > 5 {
			for j := range s.d { // on a centroid, and between two
				rows[j] = shift[j] + centroids[j]
				rows[s.d+j] = shift[j] + (centroids[j]+centroids[(s.k-1)*s.d+j])/2
			}
		}
		for _, at := range levels() {
			label, gap := make([]int32, s.n), make([]float32, s.n)
			newCentroids(at, centroids, s.d).Labels(new(Workspace[T]), rows, shift, label, gap)
			for i := range s.n {
				own, other, size := 0.0, math.Inf(1), 0.0
				for c := range s.k {
					dist := 0.0
					for j := range s.d {
						u := float64(rows[i*s.d+j]) - float64(shift[j]) -
							float64(centroids[c*s.d+j])
						dist += u * u
					}
					size = max(size, math.Sqrt(dist))
					if c == int(label[i]) {
						own = math.Sqrt(dist)
					} else {
						other = min(other, math.Sqrt(dist))
					}
				}
				// Near a centroid the error of a square is one of its root.
				if got, want := float64(gap[i]), other-own; got > max(0, want) ||
					(own > 0.1*scale && scale > 1e-20 && scale < 1e20 &&
						got < want-loose*float64(s.d)*size) {
					t.Errorf("%v %+v row %d: gap %g, distances differ by %g", at, s, i, got, want)
				}
			}
		}
	}
}
