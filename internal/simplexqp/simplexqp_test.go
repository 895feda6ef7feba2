package simplexqp

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"
)

// quadraticProgram draws H = A'A + a multiple of I (perhaps none), g, and a feasible start.
func quadraticProgram(t *rapid.T) (f int, h, g, m []float64) {
	f = rapid.IntRange(1, 9).Draw(t, "f")
	rows := rapid.IntRange(0, 12).Draw(t, "rows")
	value := rapid.Float64Range(-1, 1)
	a := make([]float64, rows*f)
	for i := range a {
		a[i] = value.Draw(t, "a")
	}
	h, g, m = make([]float64, f*f), make([]float64, f), make([]float64, f)
	for i := range f {
		for j := range f {
			for r := range rows {
				h[i*f+j] += a[r*f+i] * a[r*f+j]
			}
		}
		g[i] = 3 * value.Draw(t, "g")
	}
	left := 1.0
	for i := range f {
		m[i] = left
		if i < f-1 {
			m[i] *= rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(t, "m")
		}
		left -= m[i]
	}
	return f, h, g, m
}

func objective(h, g, m []float64) float64 {
	f, q := len(m), 0.0
	for i := range f {
		q -= 2 * g[i] * m[i]
		for j := range f {
			q += m[i] * h[i*f+j] * m[j]
		}
	}
	return q
}

// TestSolutionsMeetTheKKTConditions, and the change is as reported.
func TestSolutionsMeetTheKKTConditions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, h, g, m := quadraticProgram(t)
		before := objective(h, g, m)
		change, _ := New(f).Solve(h, g, m)
		after := objective(h, g, m)
		if math.Abs(after-before-change) > 1e-9 || change > 0 {
			t.Fatalf("from %v to %v, said %v", before, after, change)
		}
		sum, level, least := 0.0, math.Inf(-1), math.Inf(1)
		for i := range f {
			if m[i] < 0 {
				t.Fatalf("negative: %v", m)
			}
			sum += m[i]
			grad := -g[i]
			for j := range f {
				grad += h[i*f+j] * m[j]
			}
			least = min(least, grad)
			if m[i] > 0 {
				level = max(level, grad)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("sums to %v", sum)
		}
		if level-least > 1e-6 {
			t.Fatalf("gradient %v on the support, %v elsewhere: h %v g %v m %v", level, least, h, g,
				m)
		}
	})
}

// TestAgainstEverySupport: the brute-force twin minimises over each subset of variables.
func TestAgainstEverySupport(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, h, g, m := quadraticProgram(t)
		for i := range f {
			h[i*f+i] += 0.1 // the twin needs solutions that are unique
		}
		New(f).Solve(h, g, m)
		got, want := objective(h, g, m), math.Inf(1)
		for support := 1; support < 1<<f; support++ {
			if x := onSupport(h, g, f, support); x != nil {
				want = min(want, objective(h, g, x))
			}
		}
		if math.Abs(got-want) > 1e-8 {
			t.Fatalf("%v, and the best support has %v", got, want)
		}
	})
}

// onSupport minimises with the sum kept by Gauss-Jordan on the KKT system; nil when that leaves the
// simplex.
func onSupport(h, g []float64, f, support int) []float64 {
	var at []int
	for k := range f {
		if support>>k&1 == 1 {
			at = append(at, k)
		}
	}
	n := len(at) + 1
	a := make([][]float64, n)
	for i := range a {
		a[i] = make([]float64, n+1)
		for j := range n {
			switch {
			case i < n-1 && j < n-1:
				a[i][j] = h[at[i]*f+at[j]]
			case i != j:
				a[i][j] = 1
			}
		}
		if i < n-1 {
			a[i][n] = g[at[i]]
		} else {
			a[i][n] = 1
		}
	}
	for c := range n {
		pivot := c
		for r := c; r < n; r++ {
			if math.Abs(a[r][c]) > math.Abs(a[pivot][c]) {
				pivot = r
			}
		}
		a[c], a[pivot] = a[pivot], a[c]
		for r := range n {
			if r != c {
				w := a[r][c] / a[c][c]
				for j := c; j <= n; j++ {
					a[r][j] -= w * a[c][j]
				}
			}
		}
	}
	x := make([]float64, f)
	for i, k := range at {
		x[k] = a[i][n] / a[i][i]
		if !(x[k] >= -1e-12) {
			return nil
		}
	}
	return x
}

// Programmes without a unique solution, of any scale and from starts with masses next to nothing,
// meet the conditions in few steps.
func TestDegeneratePrograms(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for trial := range 4000 {
		f := 1 + trial%17
		scale := []float64{1, 1e30, 1e-30, 1e150, 1e-150}[rng.IntN(5)]
		rank := rng.IntN(3) // 0: no curvature
		a, g, m := make([]float64, rank*f), make([]float64, f), make([]float64, f)
		for i := range a {
			a[i] = float64(rng.IntN(3)) // whole numbers make columns, and gradients, equal
		}
		h, sum := make([]float64, f*f), 0.0
		for i := range f {
			for j := range f {
				for r := range rank {
					h[i*f+j] += a[r*f+i] * a[r*f+j] * scale
				}
			}
			g[i] = float64(rng.IntN(3)) * scale
			m[i] = math.Pow(10, -float64(rng.IntN(300))) * float64(rng.IntN(2))
			sum += m[i]
		}
		m[0] += max(0, 1-sum)
		sum = max(1, sum)
		for i := range m {
			m[i] /= sum
		}
		before := objective(h, g, m)
		change, steps := New(f).Solve(h, g, m)
		if math.Abs(objective(h, g, m)-before-change) > 1e-12*scale || change > 0 || steps > 3*f+3 {
			t.Fatalf("f %d, rank %d: from %v to %v, said %v, in %d steps", f, rank, before,
				objective(h, g, m), change, steps)
		}
		level, least := math.Inf(-1), math.Inf(1)
		for i := range f {
			grad := -g[i]
			for j := range f {
				grad += h[i*f+j] * m[j]
			}
			least = min(least, grad)
			if m[i] > 1e-15 {
				level = max(level, grad)
			}
		}
		if level-least > 1e-9*scale {
			t.Fatalf("f %d, rank %d, scale %v: gradient %v on the support, %v elsewhere", f, rank,
				scale, level, least)
		}
	}
}

func TestNothingToMinimise(t *testing.T) {
	m := []float64{0.25, 0.75}
	if change, steps := New(2).Solve(make([]float64, 4), make([]float64, 2), m); change != 0 ||
		steps != 0 || m[0] != 0.25 {
		t.Errorf("%v after %d: %v", m, steps, change)
	}
	// Without curvature it is a linear program: the best vertex.
	if change, _ := New(2).Solve(make([]float64, 4), []float64{1, 2}, m); m[1] != 1 ||
		math.Abs(change+0.5) > 1e-12 {
		t.Errorf("%v, change %v", m, change)
	}
}

// TestRelaxingGoesOnInTheSameDirection: the change that it reports is the true one, the solution
// stays in the simplex, and the two steps together never raise the objective.
func TestRelaxingGoesOnInTheSameDirection(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, h, g, m := quadraticProgram(t)
		start := append([]float64(nil), m...)
		omega := rapid.Float64Range(1, 2).Draw(t, "omega")
		s := New(f)
		change, _ := s.Solve(h, g, m)
		solution := append([]float64(nil), m...)
		change += s.Relax(m, omega)
		before, after := objective(h, g, start), objective(h, g, m)
		if math.Abs(after-before-change) > 1e-9 || after > before+1e-12 {
			t.Fatalf("from %v to %v, said %v", before, after, change)
		}
		sum := 0.0
		for k, v := range m {
			if v < 0 {
				t.Fatalf("negative: %v", m)
			}
			sum += v
			if d, on := solution[k]-start[k], v-start[k]; d*on < 0 ||
				math.Abs(on) > omega*math.Abs(d)+1e-12 {
				t.Fatalf("from %v by %v to %v", start, solution, m)
			}
		}
		if math.Abs(sum-1) > 1e-12 {
			t.Fatalf("sums to %v", sum)
		}
	})
}

// Many masses that are nowhere 0 are not taken away one by one, and the minimum is that from a
// corner.
func TestManyVariablesFromEverywhere(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	const f, rows = 200, 300
	a, g := make([]float64, rows*f), make([]float64, f)
	for i := range a {
		a[i] = rng.Float64()
	}
	h := make([]float64, f*f)
	for i := range f {
		g[i] = 40 * rng.Float64()
		for j := range f {
			for r := range rows {
				h[i*f+j] += a[r*f+i] * a[r*f+j]
			}
		}
	}
	even, corner := make([]float64, f), make([]float64, f)
	for k := range even {
		even[k] = 1.0 / f
	}
	corner[0] = 1
	solver := New(f)
	before := objective(h, g, even)
	change, steps := solver.Solve(h, g, even)
	solver.Solve(h, g, corner)
	got, want := objective(h, g, even), objective(h, g, corner)
	if math.Abs(got-want) > 1e-9*math.Abs(want) ||
		math.Abs(before+change-got) > 1e-9*math.Abs(got) {
		t.Errorf("%v and a change of %v from everywhere, %v from a corner", got, change, want)
	}
	if steps > f/2 {
		t.Errorf("%d systems of equations for %d variables", steps, f)
	}
}
