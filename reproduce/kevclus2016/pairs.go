package kevclus2016

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// The steps of section 5: without pairs of clusters as focal sets, then with those that are mutual
// nearest neighbours, and, of which the paper prints the number alone, with mutual 2-nearest ones.
var steps = []string{"without pairs", "K = 1", "K = 2"}

// similar names the rows of Example 6.
var similar = []string{"S(1,·)", "S(4,·)"}

// starts name how fits of S2 begin.
var starts = []string{"from medoids", "random"}

// pairKey is the key of the fits of S2, and that of the similarities for "".
func pairKey(start string, draw int) frame.Key {
	if start == "" {
		start = "similarities"
	}
	return frame.Key{Part: partPairs, Set: "sipu_s2", Setting: start, Draw: draw}
}

// pairUnits are the fits of section 5.
func pairUnits(p frame.Plan, set *frame.Set) []frame.Unit {
	var list []frame.Unit
	for _, start := range starts {
		list = append(list, frame.Unit{Key: pairKey(start, 0), Draws: few(p), Alone: true,
			Methods: steps, Do: func(ctx context.Context, key frame.Key) ([]frame.Values, error) {
				all, err := paired(ctx, p, set, key)
				if err != nil {
					return nil, err
				}
				return frame.Map(all, func(s step) (frame.Values, error) { return s.values, nil })
			}})
	}
	return append(list, frame.Unit{Key: pairKey("", 1), Starts: set.Classes, Methods: similar,
		Do: func(ctx context.Context, _ frame.Key) ([]frame.Values, error) {
			first, err := paired(ctx, p, set, pairKey(starts[0], 1))
			if err != nil {
				return nil, err
			}
			rows := alike(similarities(first[0].Credal))
			var all []frame.Values
			for t := range set.Classes {
				for _, row := range rows {
					all = append(all, frame.Values{"similarity": row[t]})
				}
			}
			return all, nil
		}})
}

// step is a fit of section 5.
type step struct {
	*evclus.Result
	values frame.Values
}

// paired makes the steps of section 5 on S2: k = 100, d0 the .2 quantile. Each step with pairs
// begins where the one without ended.
func paired(ctx context.Context, p frame.Plan, set *frame.Set, key frame.Key) ([]step, error) {
	o, err := between(set.X, set.Truth, set.Classes, .2)
	if err != nil {
		return nil, err
	}
	method := kevclus
	if key.Setting == starts[0] {
		method = ourEvclus
	}
	cfg := o.config(method, 100, fitSeed(p, key))
	var list []step
	for k := range steps {
		values, r, err := o.evclus(ctx, cfg)
		if err != nil {
			return nil, err
		}
		if k > 0 {
			values["pairs"] = float64(len(r.Pairs))
		}
		list = append(list, step{r, values})
		cfg.Start, cfg.Initial, cfg.Pairs = evclus.Given, list[0].Credal, k+1
	}
	return list, nil
}

// similarities returns S(j,l) of all clusters, c×c (equation 25). An object that is certainly in no
// cluster counts for nothing.
func similarities(m *credal.Partition) [][]float64 {
	c := m.Clusters
	s := make([][]float64, c)
	for j := range s {
		s[j] = make([]float64, c)
	}
	pl := m.Possibilistic()
	empty := slices.Index(m.Focal, belief.Set(0))
	for i := range m.Len() {
		scale := 1.0
		if empty >= 0 {
			scale -= m.Row(i)[empty]
		}
		if scale <= 0 {
			continue
		}
		of := pl[i*c : (i+1)*c]
		for j := range c {
			for l := range c {
				s[j][l] += float64(of[j]/scale) * float64(of[l]/scale)
			}
		}
	}
	return s
}

// alike finds the two of our clusters, each other's nearest, whose similarities are most like those
// that Example 6 prints of clusters 1 and 4, which numbers of clusters do not show: least squared
// error of the roots of what comes first, itself, then each other, then the others from the most
// similar. It returns them in the order of the paper's own, sorted alike.
func alike(s [][]float64) (rows [2][]float64) {
	paper := paperRanks()
	least := math.Inf(1)
	for a := range s {
		for b := range s {
			if nearest(s[a], a) != b || nearest(s[b], b) != a {
				continue
			}
			x, y := ranked(s[a], a, b), ranked(s[b], b, a)
			if apart := distance(x, paper[0]) + distance(y, paper[1]); apart < least {
				least, rows = apart, [2][]float64{x, y}
			}
		}
	}
	return rows
}

// nearest returns the cluster that another is most similar to.
func nearest(s []float64, self int) int {
	best := -1
	for l, v := range s {
		if l != self && (best < 0 || v > s[best]) {
			best = l
		}
	}
	return best
}

// ranked returns the similarities of a cluster to itself, to another, and to the rest from the most
// similar.
func ranked(s []float64, self, other int) []float64 {
	var rest []float64
	for l, v := range s {
		if l != self && l != other {
			rest = append(rest, v)
		}
	}
	slices.SortFunc(rest, func(a, b float64) int { return cmp.Compare(b, a) })
	return append([]float64{s[self], s[other]}, rest...)
}

// distance is the squared error of roots.
func distance(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		d := math.Sqrt(a[i]) - math.Sqrt(b[i])
		sum += float64(d * d)
	}
	return sum
}

// rankName names a row of the table of similarities.
func rankName(t int) string {
	switch t {
	case 0:
		return "to itself"
	case 1:
		return "to each other"
	}
	return fmt.Sprintf("to another, no. %d", t-1)
}

// paperRanks returns the similarities of Example 6 in the order of [ranked].
func paperRanks() [2][]float64 {
	return [2][]float64{ranked(paperSimilar[0][:], 0, 3), ranked(paperSimilar[1][:], 3, 0)}
}
