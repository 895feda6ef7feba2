package evclus

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/linalg"
)

// newFitter checks the configuration and fills its defaults in.
func newFitter(src dissim.Source, cfg Config) (*fitter, error) {
	n := src.Len()
	f := &fitter{src: src, n: n, res: &Result{}}
	if err := cfg.check(n); err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults()
	f.cfg, f.report = cfg, reporter{to: cfg.Progress}
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
		return fault.Inputf("give more, or leave them to the default",
			"one focal set leaves nothing to find")
	}
	if need := f.focalBytes(float64(len(focal))); need > maxFocalBytes {
		return fault.Inputf("use simple focal sets with the pairs that overlap (--focal simple "+
			"--pairs 1), or fit landmarks and place the rest",
			"%d focal sets for %d objects need %.0f GiB", len(focal), f.n, need/(1<<30))
	}
	f.fr = newFrame(focal)
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
		return fault.Inputf("give one with as many objects and clusters",
			"the partition to start from does not fit the data and the number of clusters")
	}
	if err := p.Check(); err != nil {
		return err
	}
	for _, s := range p.Focal {
		if !slices.Contains(f.fr.focal, s) {
			return fault.Inputf("fit with its focal sets",
				"the partition to start from has the focal set %v, which the fit has not", s)
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
	value := "zero"
	if first != 0 {
		value = fmt.Sprintf("%g", first)
	}
	return fault.Inputf("look at the features or at the metric",
		"all dissimilarities are %s, so they tell no groups apart", value)
}

// startLabels finds the clusters that starts from medoids begin with, which are the first. All are
// found before dissimilarities may be overwritten.
func (f *fitter) startLabels(ctx context.Context) ([][]int32, error) {
	starts := f.cfg.Starts
	if f.cfg.Start != Medoids {
		starts = 0
	} else if landmarks(f.n, f.cfg.Clusters) == f.n { // there is one such start
		starts = min(starts, 1)
	}
	var out [][]int32
	for s := range starts {
		labels, err := nearestMedoids(ctx, f.src, f.cfg.Clusters, f.cfg.Seed+uint64(s),
			f.cfg.Threads)
		if err != nil {
			return nil, err
		}
		out = append(out, labels)
	}
	return out, nil
}

// startMasses returns the masses that a start begins with.
func (f *fitter) startMasses(s int) []float64 {
	mass := make([]float64, f.n*f.fr.f)
	switch {
	case s < len(f.starts):
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
		for k := range row {
			row[k] = float64(draw.Uint32()) + 1
		}
		linalg.Divide(row, linalg.Sum(row))
	}
}
