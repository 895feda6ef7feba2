package mds

import (
	"bytes"
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync/atomic"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

// table is a matrix of dissimilarities.
type table [][]float32

func (d table) Len() int { return len(d) }

func (d table) Row(dst []float32, i int, js []int32) {
	if js == nil {
		copy(dst, d[i])
		return
	}
	for t, j := range js {
		dst[t] = d[i][j]
	}
}

// cloud has Euclidean distances.
type cloud []point

func (c cloud) Len() int { return len(c) }

func (c cloud) Row(dst []float32, i int, js []int32) {
	for t := range dst {
		j := t
		if js != nil {
			j = int(js[t])
		}
		dst[t] = float32(math.Sqrt(c[i].minus(c[j]).norm2()))
	}
}

func random(n, dimensions int, seed uint64) cloud {
	rng := rand.New(rand.NewPCG(seed, 1))
	c := make(cloud, n)
	for i := range c {
		for k := range dimensions {
			c[i][k] = rng.NormFloat64() * float64(3-k)
		}
	}
	return c
}

func fitted(t testing.TB, src interface {
	Len() int
	Row([]float32, int, []int32)
}, cfg Config) *Result {
	t.Helper()
	r, err := Fit(t.Context(), src, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// stressOf is stress-1 by its definition.
func stressOf(r *Result, d table) float64 {
	var misfit, distance float64
	for i := range d {
		for j := range i {
			x := 0.0
			for k := range r.Points.Cols {
				x += math.Pow(r.Points.At(i, k)-r.Points.At(j, k), 2)
			}
			misfit += math.Pow(float64(d[i][j])-math.Sqrt(x), 2)
			distance += x
		}
	}
	return math.Sqrt(misfit / distance)
}

func odd(n int, seed uint64) table {
	rng := rand.New(rand.NewPCG(seed, 2))
	d := make(table, n)
	for i := range d {
		d[i] = make([]float32, n)
		for j := range i {
			d[i][j] = rng.Float32() * rng.Float32() * 9
			d[j][i] = d[i][j]
		}
	}
	return d
}

// What lies in the plane is found again: every distance, to single precision.
func TestPlaneIsRecovered(t *testing.T) {
	// A single object is placed to about a thousandth.
	for cfg, exact := range map[*Config]float64{{}: 1e-6, {Dimensions: 3}: 1e-6,
		{Landmarks: 40}: 1e-3, {Dimensions: 3, Landmarks: 40}: 1e-3} {
		c := random(150, max(2, cfg.Dimensions), 3)
		r := fitted(t, c, *cfg)
		if r.Stress1 > exact || r.LandmarkStress > 1e-6 {
			t.Errorf("%+v: stress %g, of the landmarks %g", cfg, r.Stress1, r.LandmarkStress)
		}
		for i := range c {
			for j := range i {
				x := 0.0
				for k := range r.Points.Cols {
					x += math.Pow(r.Points.At(i, k)-r.Points.At(j, k), 2)
				}
				if want := math.Sqrt(c[i].minus(c[j]).norm2()); math.Abs(math.Sqrt(x)-want) > max(
					1e-4, 30*exact) {
					t.Fatalf("%+v: objects %d and %d are %g apart, want %g", cfg, i, j,
						math.Sqrt(x), want)
				}
			}
		}
	}
}

// With many landmarks an object is first placed by some of them, and then as well as by all.
func TestManyLandmarks(t *testing.T) {
	c := random(700, 2, 9)
	r := fitted(t, c, Config{Landmarks: 500})
	for i := range c {
		for j := range i {
			x := math.Hypot(r.Points.At(i, 0)-r.Points.At(j, 0),
				r.Points.At(i, 1)-r.Points.At(j, 1))
			if want := math.Sqrt(c[i].minus(c[j]).norm2()); math.Abs(x-want) > 0.02 {
				t.Fatalf("objects %d and %d are %g apart, want %g", i, j, x, want)
			}
		}
	}
}

// Two-dimensional data of one dimension are a line.
func TestLine(t *testing.T) {
	r := fitted(t, random(30, 1, 4), Config{})
	if r.Stress1 > 1e-5 {
		t.Errorf("stress %g", r.Stress1)
	}
	for i := range 30 {
		if y := r.Points.At(i, 1); math.Abs(y) > 0.01 { // the root of the rounding of distances
			t.Errorf("object %d is at %g beside the line", i, y)
		}
	}
}

// A step never raises the stress, from wherever it is taken: the theory of majorisation, tested
// with a step of our own from random points, without the scaling, for random dissimilarities.
func TestStepNeverRaisesStress(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(r, "n")
		seed := rapid.Uint64().Draw(r, "seed")
		d := odd(n, seed)
		f := &fit{d: slices.Concat(d...), cfg: Config{Threads: 1}}
		x, to := []point(random(n, 3, seed)), make([]point, n)
		before, err := f.transform(context.Background(), x, to)
		if err != nil {
			r.Fatal(err)
		}
		by := before.scale()
		for i := range x {
			x[i] = to[i].times(2).minus(x[i].times(by))
		}
		after, err := f.transform(context.Background(), x, to)
		if err != nil {
			r.Fatal(err)
		}
		if after.misfit > before.raw()*(1+1e-9)+1e-9 {
			r.Fatalf("the stress rose from %g to %g", before.raw(), after.misfit)
		}
		if before.raw() > before.misfit {
			r.Fatalf("scaling raised the stress from %g to %g", before.misfit, before.raw())
		}
	})
}

func TestTraceFallsAndIsTrue(t *testing.T) {
	for seed := range uint64(5) {
		d := odd(60, seed)
		r := fitted(t, d, Config{Seed: seed})
		for i := 1; i < len(r.Trace); i++ {
			if r.Trace[i] > r.Trace[i-1]*(1+1e-12) {
				t.Errorf("the stress rose from %g to %g", r.Trace[i-1], r.Trace[i])
			}
		}
		if want := stressOf(r, d); math.Abs(r.Stress1-want) > 1e-9 ||
			r.Stress1 != r.LandmarkStress || r.StressPairs != 60*59/2 {
			t.Errorf("stress %v of %d pairs, want %v", r.Stress1, r.StressPairs, want)
		}
		if len(r.Trace) != r.Iterations+1 || r.Trace[r.Iterations] != r.LandmarkStress ||
			!r.Converged || r.Trace[0] <= r.Stress1 {
			t.Errorf("%d iterations, trace %v", r.Iterations, r.Trace)
		}
	}
}

// The result is a local optimum: no single object does better a little way off.
func TestNoObjectCanDoBetterNearby(t *testing.T) {
	d := odd(25, 8)
	r := fitted(t, d, Config{Tolerance: 1e-12, MaxIterations: 5000})
	raw := func() float64 {
		sum := 0.0
		for i := range d {
			for j := range i {
				sum += math.Pow(float64(d[i][j])-math.Hypot(r.Points.At(i, 0)-r.Points.At(j, 0),
					r.Points.At(i, 1)-r.Points.At(j, 1)), 2)
			}
		}
		return sum
	}
	least := raw()
	for at := range r.Points.F64 {
		for _, step := range []float64{-1e-3, 1e-3} {
			r.Points.F64[at] += step
			if now := raw(); now < least-1e-9 {
				t.Errorf("moving coordinate %d by %g lowers the stress from %g to %g", at, step,
					least, now)
			}
			r.Points.F64[at] -= step
		}
	}
}

// The estimate for many objects agrees with all pairs.
func TestEstimatedStress(t *testing.T) {
	c := random(700, 3, 5) // three dimensions do not fit into two
	d := make(table, len(c))
	for i := range d {
		d[i] = make([]float32, len(c))
		c.Row(d[i], i, nil)
	}
	r := fitted(t, d, Config{Landmarks: 100})
	all := fitted(t, d, Config{})
	if want := stressOf(r, d); math.Abs(r.Stress1-want) > 0.02*want || r.StressPairs != 500*200 {
		t.Errorf("the stress is estimated as %g from %d pairs, and is %g", r.Stress1, r.StressPairs,
			want)
	}
	if r.Stress1 < 0.98*all.Stress1 || r.Stress1 > 1.3*all.Stress1 {
		t.Errorf("landmarks give stress %g, all objects %g", r.Stress1, all.Stress1)
	}
	if len(r.Landmarks) != 100 || !slices.IsSorted(r.Landmarks) || r.Landmarks[99] >= 700 {
		t.Errorf("landmarks %v", r.Landmarks)
	}
}

func TestSameBytesWhateverTheThreads(t *testing.T) {
	var first []byte
	for _, threads := range []int{1, 2, 7} {
		r := fitted(t, random(500, 3, 6),
			Config{Landmarks: 300, Threads: threads, Seed: 4, MaxIterations: 30})
		var b bytes.Buffer
		if err := binary.Write(&b, binary.LittleEndian,
			append(r.Points.F64, append(r.Trace, r.Stress1)...)); err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = b.Bytes()
		} else if !bytes.Equal(first, b.Bytes()) {
			t.Errorf("%d threads change the result", threads)
		}
	}
}

// The axes are principal: uncorrelated, the widest first, around the mean, reaching farthest where
// positive.
func TestAxes(t *testing.T) {
	r := fitted(t, odd(40, 3), Config{Dimensions: 3})
	var mean, most [3]float64
	var cov [3][3]float64
	for i := range 40 {
		for k := range 3 {
			v := r.Points.At(i, k)
			mean[k] += v
			if math.Abs(v) > math.Abs(most[k]) {
				most[k] = v
			}
			for l := range 3 {
				cov[k][l] += v * r.Points.At(i, l)
			}
		}
	}
	for k := range 3 {
		if math.Abs(mean[k]) > 1e-9 || most[k] < 0 || math.Abs(cov[k][(k+1)%3]) > 1e-9 ||
			k > 0 && cov[k][k] > cov[k-1][k-1] {
			t.Errorf("axis %d: sum %g, farthest %g, moments %v", k, mean[k], most[k], cov[k])
		}
	}
}

// Whatever the dissimilarities, the result is finite and states its stress.
func TestOddDissimilarities(t *testing.T) {
	equal := func(n int, v float32) table {
		d := make(table, n)
		for i := range d {
			d[i] = slices.Repeat([]float32{v}, n)
			d[i][i] = 0
		}
		return d
	}
	one := equal(40, 0) // one object away from all others
	for i := range 40 {
		one[7][i], one[i][7] = 5, 5
	}
	one[7][7] = 0
	for name, d := range map[string]table{
		"one object": equal(1, 0), "two": equal(2, 3), "three": equal(3, 1),
		"two, equal": equal(2, 0), "all zero": equal(40, 0), "all equal": equal(40, 2),
		"one apart": one, "huge": equal(40, math.MaxFloat32),
		"tiny": equal(40, math.SmallestNonzeroFloat32), "odd": odd(40, 1),
	} {
		for _, landmarks := range []int{0, 5} {
			r := fitted(t, d, Config{Landmarks: landmarks})
			for at, v := range r.Points.F64 {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%s: value %d is %v", name, at, v)
				}
			}
			if !(r.Stress1 >= 0 && r.Stress1 < 10) || r.Points.Rows != len(d) ||
				r.Points.Cols != 2 {
				t.Errorf("%s: stress %v of %d×%d points", name, r.Stress1, r.Points.Rows,
					r.Points.Cols)
			}
			switch name {
			case "one object", "two", "three", "two, equal", "all zero":
				if r.Stress1 > 1e-6 {
					t.Errorf("%s, %d landmarks: stress %g", name, landmarks, r.Stress1)
				}
			case "one apart":
				if landmarks == 0 && r.Stress1 > 1e-3 {
					t.Errorf("%s: stress %g", name, r.Stress1)
				}
			}
		}
	}
}

func TestFitRefuses(t *testing.T) {
	bad := odd(30, 1)
	bad[4][7], bad[7][4] = float32(math.NaN()), float32(math.NaN())
	negative := odd(30, 1)
	for i := range negative {
		negative[29][i], negative[i][29] = -1, -1
	}
	for problem, c := range map[string]struct {
		d   table
		cfg Config
	}{
		"no objects":            {nil, Config{}},
		"4 dimensions":          {odd(3, 1), Config{Dimensions: 4}},
		"2 landmarks":           {odd(3, 1), Config{Landmarks: 2}},
		"-1 iterations":         {odd(3, 1), Config{MaxIterations: -1}},
		"tolerance NaN":         {odd(3, 1), Config{Tolerance: math.NaN()}},
		"objects 5 and 8 is N":  {bad, Config{}},
		"objects 30 and":        {negative, Config{Landmarks: 3, Seed: 2}},
		"objects 1 and 30 is -": {negative, Config{}},
	} {
		_, err := Fit(t.Context(), c.d, c.cfg)
		if !fault.IsInput(err) || !bytes.Contains([]byte(err.Error()), []byte(problem)) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

func TestCancellation(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	calls := 0
	_, err := Fit(ctx, odd(200, 1), Config{Progress: func(p Progress) {
		if calls++; calls == 3 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || calls != 3 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// costly ends the context with its first dissimilarities, and counts those asked for.
type costly struct {
	cloud
	end   context.CancelFunc
	asked *atomic.Int64
}

func (c costly) Row(dst []float32, i int, js []int32) {
	c.asked.Add(int64(len(dst)))
	c.cloud.Row(dst, i, js)
	c.end()
}

// Dissimilarities may take milliseconds each, so that few may be asked for once the context is
// done.
func TestCancellationWhileDissimilaritiesAreCostly(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	src := costly{random(500, 2, 1), cancel, new(atomic.Int64)}
	if _, err := Fit(ctx, src, Config{Threads: 1}); !errors.Is(err, context.Canceled) ||
		src.asked.Load() > fetchPiece {
		t.Errorf("%v after %d dissimilarities", err, src.asked.Load())
	}
}

// Over seventy orders of magnitude rounding does not raise the trace either.
func TestTraceNeverRises(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 400 {
		d := make(table, 2+rng.IntN(12))
		for i := range d {
			d[i] = make([]float32, len(d))
			for j := range i {
				d[i][j] = float32(math.Pow(10, 70*rng.Float64()-35))
				d[j][i] = d[i][j]
			}
		}
		if trace := fitted(t, d, Config{Dimensions: 1}).Trace; !slices.IsSortedFunc(trace,
			func(a, b float64) int { return cmp.Compare(b, a) }) {
			t.Fatalf("the trace rises: %v", trace)
		}
	}
}

func TestProgress(t *testing.T) {
	last := Progress{}
	fitted(t, random(3000, 3, 2), Config{Landmarks: 50, Progress: func(p Progress) {
		if p.Share < last.Share || p.Placed < last.Placed || p.Share > 1 {
			t.Errorf("%+v after %+v", p, last)
		}
		last = p
	}})
	if last.Share != 1 || last.Placed != 2950 {
		t.Errorf("the last progress is %+v", last)
	}
}

func ExampleFit() {
	square := table{ // the corners of a square, in order
		{0, 1, math.Sqrt2, 1},
		{1, 0, 1, math.Sqrt2},
		{math.Sqrt2, 1, 0, 1},
		{1, math.Sqrt2, 1, 0},
	}
	r, err := Fit(context.Background(), square, Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%d points in %d dimensions, stress below a millionth: %t\n", r.Points.Rows,
		r.Points.Cols, r.Stress1 < 1e-6)
	// Output: 4 points in 2 dimensions, stress below a millionth: true
}
