package evclus

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
)

// newFitter checks the configuration and fills its defaults in.
func newFitter(src dissim.Source, cfg Config) (*fitter, error) {
	n := src.Len()
	f := &fitter{src: src, n: n, res: &Result{}}
	c := cfg.Clusters
	bad := func(fix, problem string, args ...any) error {
		return &fault.Input{Problem: fmt.Sprintf(problem, args...), Fix: fix}
	}
	switch {
	case n < 3:
		return nil, bad("give more",
			"%d objects are too few for an evidential partition: there must be 3 or more", n)
	case c < 2:
		return nil, bad("ask for 2 or more", "%d clusters leave nothing to tell apart", c)
	case c > n:
		return nil, bad(fmt.Sprintf("ask for %d or fewer", n),
			"%d clusters cannot be found among %d objects", c, n)
	case c > belief.MaxClusters:
		return nil, bad(fmt.Sprintf("ask for %d or fewer", belief.MaxClusters),
			"%d clusters are too many", c)
	case cfg.Partners < 0:
		return nil, bad("give 1 or more, or 0 for all pairs", "%d partners cannot be drawn",
			cfg.Partners)
	case !(cfg.D0.Value >= 0) || math.IsInf(cfg.D0.Value, 1):
		return nil, badD0(cfg.D0.Value)
	case !(cfg.D0.Quantile >= 0 && cfg.D0.Quantile <= 1):
		return nil, bad("give a number from 0 to 1, such as 0.9", "a quantile of %g cannot be used",
			cfg.D0.Quantile)
	case !(cfg.Tail >= 0 && cfg.Tail < 1):
		return nil, bad("give a number between 0 and 1, such as 0.05",
			"a tail of %g cannot be used", cfg.Tail)
	case !(cfg.LinkWeight >= 0) || math.IsInf(cfg.LinkWeight, 1):
		return nil, bad("give a number above 0, such as 1",
			"a weight of links of %g cannot be used", cfg.LinkWeight)
	case !(cfg.Tolerance >= 0 && cfg.Tolerance < 1):
		return nil, bad("give a number between 0 and 1, such as 1e-5",
			"a tolerance of %g cannot be used", cfg.Tolerance)
	case cfg.Starts < 0 || cfg.MaxIterations < 0 || cfg.Pairs < 0:
		return nil, bad("give numbers of 0 or more", "starts, sweeps and pairs cannot be negative")
	case cfg.Transform > Rank || cfg.Stress > Sammon || cfg.Optimizer > Gradient ||
		cfg.Start > Given || cfg.Constraints > Penalty:
		return nil, bad("use the constants of this package",
			"a transform, stress, optimiser, start or way of links is unknown")
	}
	if err := checkRoute(cfg); err != nil {
		return nil, err
	}
	if cfg.D0.Quantile == 0 {
		cfg.D0.Quantile = 0.9
	}
	orElse(&cfg.Tail, 0.05)
	orElse(&cfg.LinkWeight, 1)
	orElse(&cfg.Tolerance, 1e-5)
	orElse(&cfg.Starts, 1)
	orElse(&cfg.MaxIterations, 1000)
	f.cfg, f.told = cfg, teller{to: cfg.Progress}
	f.setPartners()
	if err := f.setFocal(); err != nil {
		return nil, err
	}
	note, err := checkLinks(n, cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	if note != "" {
		f.note("%s", note)
	}
	f.links = newLinkTerms(n, cfg.Links)
	return f, f.checkInitial()
}

func orElse[T comparable](v *T, otherwise T) {
	var zero T
	if *v == zero {
		*v = otherwise
	}
}

func badD0(d0 float64) error {
	return &fault.Input{
		Problem: fmt.Sprintf(
			"d0 is %g: it is the dissimilarity from which objects belong to different clusters",
			d0),
		Fix: "give a number above 0, or a quantile from 0 to 1 at which dissimilarities are " +
			"above 0",
	}
}

// setFocal settles the focal sets, and refuses more than memory holds.
func (f *fitter) setFocal() error {
	var err error
	focal := f.cfg.Focal
	if focal == nil {
		focal, err = belief.Simple(f.cfg.Clusters)
	} else {
		focal, err = belief.Sort(f.cfg.Clusters, focal)
	}
	if err != nil {
		return err
	}
	if len(focal) < 2 {
		return &fault.Input{Problem: "one focal set leaves nothing to find",
			Fix: "give more, or leave them to the default"}
	}
	if need := f.focalBytes(float64(len(focal))); need > maxFocalBytes {
		return &fault.Input{
			Problem: fmt.Sprintf("%d focal sets for %d objects need %.0f GiB", len(focal), f.n,
				need/(1<<30)),
			Fix: "use simple focal sets with the pairs that overlap (--focal simple --pairs " +
				"1), or fit landmarks and place the rest",
		}
	}
	f.fr = newFrame(f.cfg.Clusters, focal)
	return nil
}

// focalBytes estimates the memory that a number of focal sets takes.
func (f *fitter) focalBytes(sets float64) float64 {
	matrix, masses := sets*sets*8, float64(f.n)*sets*8
	switch {
	case f.descends(): // parameters, steps and derivatives, now and before, and two padded copies
		return 10*masses + 4*matrix
	case f.res.Partners > 0: // of each chunk of rows, the sums of its lanes and a programme
		chunks := min(32, 1+f.n/(4*64))
		return 4*masses + float64(4+6*chunks)*matrix
	}
	// the best solution, the present one, one under links, conflict vectors
	return 4*masses + 6*matrix
}

// maxFocalBytes bounds the memory for masses: 16 GiB.
const maxFocalBytes = 16 << 30

// setPartners settles between sampled and all pairs.
func (f *fitter) setPartners() {
	k := f.cfg.Partners
	switch {
	case k == 0:
	case k >= f.n:
		f.note("%d partners were asked for and there are %d others: all pairs are used.", k, f.n-1)
	case !dissim.Samples(f.n, k):
		f.note("All pairs of the %d objects are used: %d partners each would cost as much.", f.n, k)
	default:
		f.res.Partners = k
	}
}

func (f *fitter) checkInitial() error {
	if f.cfg.Start != Given {
		return nil
	}
	p := f.cfg.Initial
	if p == nil || p.Clusters != f.cfg.Clusters || p.Len() != f.n {
		return &fault.Input{Problem: "the partition to start from does not fit the data and the number of clusters", Fix: "give one with as many objects and clusters"}
	}
	known := make(map[belief.Set]bool)
	for _, s := range f.fr.focal {
		known[s] = true
	}
	if err := p.Check(); err != nil {
		return err
	}
	for _, s := range p.Focal {
		if !known[s] {
			return &fault.Input{Problem: fmt.Sprintf("the partition to start from has the focal set %v, which the fit has not", s), Fix: "fit with its focal sets"}
		}
	}
	return nil
}

// differ refuses dissimilarities that are all equal.
func (f *fitter) differ() error {
	var first float32
	seen := false
	for _, run := range f.store.runs() {
		for _, v := range run {
			if seen && v != first {
				return nil
			}
			first, seen = v, true
		}
	}
	problem := fmt.Sprintf("all dissimilarities are %g, so they tell no groups apart", first)
	if first == 0 {
		problem = "all dissimilarities are zero, so they tell no groups apart"
	}
	return &fault.Input{Problem: problem, Fix: "look at the features or at the metric"}
}

// startLabels finds the clusters that starts from medoids begin with; nil for other starts. All are
// found before dissimilarities may be overwritten.
func (f *fitter) startLabels(ctx context.Context) ([][]int32, error) {
	out := make([][]int32, f.cfg.Starts)
	for s := range out {
		if f.cfg.Start != Medoids || s > 0 && landmarks(f.n, f.cfg.Clusters) == f.n {
			continue
		}
		labels, err := nearestMedoids(ctx, f.src, f.cfg.Clusters, f.cfg.Seed+uint64(s),
			f.cfg.Threads)
		if err != nil {
			return nil, err
		}
		out[s] = labels
	}
	return out, nil
}

// startMasses returns the masses that a start begins with.
func (f *fitter) startMasses(s int) []float64 {
	mass := make([]float64, f.n*f.fr.f)
	switch {
	case f.starts[s] != nil:
		for k := range f.cfg.Clusters {
			f.fr.certain(mass, f.starts[s], int32(k))
		}
	case f.cfg.Start == Given && s == 0:
		copy(mass, widen(f.cfg.Initial.Mass, f.cfg.Initial.Focal, f.fr.focal))
	default:
		randomMasses(mass, f.fr.f, rand.New(rand.NewPCG(f.cfg.Seed, 0x72616e646f6d0000+uint64(s))))
	}
	return mass
}

// certain returns the rows of a cluster the mass .9 on it, or on the smallest focal set around it,
// and .1 on the largest focal set.
func (fr *frame) certain(mass []float64, labels []int32, k int32) {
	at := fr.f - 1
	for l, s := range fr.focal {
		if s.Has(int(k)) {
			at = l
			break
		}
	}
	for i, l := range labels {
		if l == k {
			mass[i*fr.f+at] += 0.9
			mass[(i+1)*fr.f-1] += 0.1
		}
	}
}

// randomMasses draws each row evenly from the simplex of sums of multiples of 2⁻³².
func randomMasses(mass []float64, f int, draw *rand.Rand) {
	for i := 0; i < len(mass); i += f {
		row := mass[i : i+f]
		sum := 0.0
		for k := range row {
			row[k] = float64(draw.Uint32()) + 1
			sum += row[k]
		}
		for k := range row {
			row[k] /= sum
		}
	}
}
