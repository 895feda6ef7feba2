package evclus

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/link"
)

// blobs returns the dissimilarities of n objects in c groups on a line, deterministic in seed; some
// are 0.
func blobs(n, c int, seed uint64) *dissim.Dense {
	draw := rand.New(rand.NewPCG(seed, 7))
	at := make([]float64, n)
	for i := range at {
		at[i] = float64(10*(i%c)) + float64(draw.IntN(40))/10
	}
	d := &dissim.Dense{N: n, D: make([]float32, n*n)}
	for i := range at {
		for j := range at {
			d.D[i*n+j] = float32(math.Abs(at[i] - at[j]))
		}
	}
	return d
}

// deltas scales dissimilarities to the conflicts they call for.
func deltas(d []float32) []float32 {
	out := make([]float32, len(d))
	for k, v := range d {
		out[k] = float32(1 - math.Exp(-float64(v)*float64(v)/25))
	}
	return out
}

// directObjective is the objective from its definition, term by term (cevclus-2013 eqs. 12, 13, 18,
// 19).
func directObjective(p gradientProblem, point []float64, links []link.Link) float64 {
	f := len(p.focal)
	masses := make([]float64, p.n*f)
	for i := range p.n {
		softmax(masses[i*f:i*f+f], point[i*f:i*f+f])
	}
	least := math.Inf(1)
	each := func(do func(i, j int, v float64)) {
		scratch := newTermScratch(p.terms)
		for i := range p.n {
			js, values := p.terms.row(i, scratch)
			for t, v := range values {
				j := t
				if js != nil {
					j = int(js[t])
				}
				if j != i {
					do(i, j, float64(v))
				}
			}
		}
	}
	each(func(_, _ int, v float64) {
		if v > 0 {
			least = min(least, v)
		}
	})
	var sum, norm float64
	each(func(i, j int, v float64) {
		same, _ := plausibilities(p.focal, masses[i*f:i*f+f], masses[j*f:j*f+f])
		if kappa := 1 - same; p.stress == Sammon {
			a, b := point[p.n*f], point[p.n*f+1]
			sum += (a*kappa + b - v) * (a*kappa + b - v) / max(v, least) / 2
			norm += v / 2
		} else {
			sum += (kappa - v) * (kappa - v) / 2
			norm += v * v / 2
		}
	})
	sum /= norm
	var penalty, count float64
	for _, l := range links {
		if l.Kind == link.Unknown {
			continue
		}
		same, different := plausibilities(p.focal, masses[l.A*f:l.A*f+f], masses[l.B*f:l.B*f+f])
		penalty += l.Same()*(different+1-same) + (1-l.Same())*(same+1-different)
		count++
	}
	if count > 0 {
		sum += p.xi / (2 * count) * penalty
	}
	return sum
}

// TestGradientAgainstDifferences compares objective and derivatives with the definition and its
// central differences: both stresses, all pairs and sampled ones, with and without links, all
// families of focal sets.
func TestGradientAgainstDifferences(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := rapid.IntRange(2, 4).Draw(t, "clusters")
		family := rapid.SampledFrom([]func(int) ([]belief.Set, error){belief.Simple, belief.Pairs,
			belief.Full}).Draw(t, "family")
		focal, err := family(c)
		if err != nil {
			t.Fatal(err)
		}
		p := gradientProblem{focal: focal, xi: 0.7, threads: 2,
			stress: rapid.SampledFrom([]Stress{Conflict, Sammon}).Draw(t, "stress")}
		seed := rapid.Uint64Range(1, 1000).Draw(t, "seed")
		if rapid.Bool().Draw(t, "sampled") {
			p.n = 64
			d := blobs(p.n, c, seed)
			s, err := dissim.Sample(t.Context(), d, 3, seed, 1, nil)
			if err != nil {
				t.Fatal(err)
			}
			p.terms = newSampledTerms(s, s.D)
			if p.stress == Conflict {
				p.terms = newSampledTerms(s, deltas(s.D))
			}
		} else {
			p.n = rapid.IntRange(3, 20).Draw(t, "n")
			d := blobs(p.n, c, seed)
			p.terms = matrixTerms{p.n, d.D}
			if p.stress == Conflict {
				p.terms = matrixTerms{p.n, deltas(d.D)}
			}
		}
		links := someTies(t, p.n)
		terms := newLinkTerms(p.n, links)
		p.links = &terms

		draw := rand.New(rand.NewPCG(seed, 3))
		point := make([]float64, p.n*len(focal), p.n*len(focal)+2)
		for k := range point {
			point[k] = float64(draw.IntN(400))/100 - 2
		}
		if p.stress == Sammon {
			point = append(point, 7.5, 1.25)
		}
		e, err := newGradientEvaluator(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		gradient := make([]float64, len(point))
		j, stress, err := e.evaluate(t.Context(), point, gradient)
		if err != nil {
			t.Fatal(err)
		}
		if want := directObjective(p, point, links); math.Abs(j-want) > 1e-12*want {
			t.Fatalf("the objective is %v, want %v", j, want)
		}
		if want := directObjective(p, point, nil); math.Abs(stress-want) > 1e-12*want {
			t.Fatalf("the stress is %v, want %v", stress, want)
		}
		var largest float64
		for _, g := range gradient {
			largest = max(largest, math.Abs(g))
		}
		for range 8 {
			k := draw.IntN(len(point))
			if draw.IntN(4) == 0 {
				k = len(point) - 1 - draw.IntN(2) // a and b
			}
			const h = 1e-4
			at := point[k]
			point[k] = at + h
			above := directObjective(p, point, links)
			point[k] = at - h
			below := directObjective(p, point, links)
			point[k] = at
			if want := (above - below) / (2 * h); math.Abs(gradient[k]-want) > 1e-6*largest {
				t.Fatalf("derivative %d of %d is %v, want %v", k, len(point), gradient[k], want)
			}
		}
	})
}

// fitBlobs is a fit of 30 objects in two groups.
func fitBlobs(stress Stress, threads, steps int, links []link.Link) (gradientProblem, []float64) {
	focal, _ := belief.Full(2)
	d := blobs(30, 2, 1)
	p := gradientProblem{terms: matrixTerms{30, d.D}, n: 30, focal: focal, stress: stress, xi: 1,
		tol: 1e-7, maxSteps: steps, threads: threads}
	if stress == Conflict {
		p.terms = matrixTerms{30, deltas(d.D)}
	}
	terms := newLinkTerms(30, links)
	p.links = &terms
	draw := rand.New(rand.NewPCG(5, 5))
	start := make([]float64, 0, 120)
	for range 30 {
		// a softmax must be helped out of 0
		row := [4]float64{0, float64(1 + draw.IntN(8)), float64(1 + draw.IntN(8)), 4}
		sum := row[1] + row[2] + row[3]
		start = append(start, 0, row[1]/sum, row[2]/sum, row[3]/sum)
	}
	return p, start
}

func TestGradientFindsGroups(t *testing.T) {
	for _, stress := range []Stress{Conflict, Sammon} {
		p, start := fitBlobs(stress, 2, 3000, nil)
		out, err := gradientFit(t.Context(), p, start)
		if err != nil || !out.converged {
			t.Fatalf("stress %d: converged %t after %d steps, %v", stress, out.converged,
				len(out.trace)-1, err)
		}
		if !slices.IsSortedFunc(out.trace,
			func(x, y float64) int { return int(math.Copysign(1, y-x)) }) {
			t.Errorf("stress %d: the objective rises: %v", stress, out.trace)
		}
		if last := out.trace[len(out.trace)-1]; last != out.objective {
			t.Errorf("stress %d: %v at the end of the trace for %v", stress, last, out.objective)
		}
		for i := range 30 {
			first, own := out.mass[:4], out.mass[4*i:4*i+4]
			same, different := plausibilities(p.focal, first, own)
			if (i%2 == 0) != (same > different) {
				t.Errorf("stress %d: object %d has masses %.2f, object 0 %.2f", stress, i, own,
					first)
			}
		}
	}
}

// TestGradientHeedsLinks ties an object to the other group.
func TestGradientHeedsLinks(t *testing.T) {
	links := []link.Link{{A: 0, B: 1, Kind: link.MustLink}}
	for _, stress := range []Stress{Conflict, Sammon} {
		p, start := fitBlobs(stress, 1, 3000, links)
		out, err := gradientFit(t.Context(), p, start)
		if err != nil {
			t.Fatal(err)
		}
		if same, different := plausibilities(p.focal, out.mass[:4],
			out.mass[4:8]); same < 0.99 || different > 0.01 {
			t.Errorf("stress %d: linked objects are the same by %.3f and different by %.3f", stress,
				same, different)
		}
		if out.objective < out.stress {
			t.Errorf("stress %d: objective %v below stress %v", stress, out.objective, out.stress)
		}
	}
}

func TestGradientIsTheSameOnAnyNumberOfThreads(t *testing.T) {
	for _, stress := range []Stress{Conflict, Sammon} {
		var first *solution
		for _, threads := range []int{1, 2, 5} {
			p, start := fitBlobs(stress, threads, 50,
				[]link.Link{{A: 3, B: 4, Kind: link.CannotLink, Plausibility: 0.8}})
			out, err := gradientFit(t.Context(), p, start)
			if err != nil {
				t.Fatal(err)
			}
			if threads == 1 {
				first = out
			} else if !slices.Equal(out.mass, first.mass) ||
				!slices.Equal(out.trace, first.trace) {
				t.Errorf("stress %d: %d threads give other bytes", stress, threads)
			}
		}
	}
}

func TestGradientCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	p, start := fitBlobs(Sammon, 1, 1000, nil)
	p.progress = func(step int, _, _ float64) {
		if step == 5 {
			cancel()
		}
	}
	out, err := gradientFit(ctx, p, start)
	if !errors.Is(err, context.Canceled) || out.converged || len(out.mass) != 120 ||
		len(out.trace) != 6 {
		t.Errorf("after %d steps: %v, %d masses", len(out.trace)-1, err, len(out.mass))
	}
	if out, err = gradientFit(ctx, p, start); !errors.Is(err, context.Canceled) ||
		len(out.mass) != 120 {
		t.Errorf("cancelled before it began: %v, %d masses", err, len(out.mass))
	}
}
