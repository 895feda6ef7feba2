package kin

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

const (
	// by how much better a metric must foretell the groups of nodes that it was not learnt from than
	// the plain distance does, and by how many standard errors
	directionsGain, directionsErrors = 0.05, 2

	learnFolds = 4
	learnLeast = 5   // known nodes beyond one a group that a metric is learnt from, at least
	mostLearnt = 256 // nodes that a metric is learnt from, at most
	rankShare  = 0.6 // weight of the next nearest node in what is foretold
)

// shrinkages are the shares of the scatter within groups that are taken as even in all directions.
var shrinkages = []float64{0.5, 0.2, 0.05}

// weighDirections looks whether the groups of known nodes are foretold better in a metric that is
// learnt from others.
func (p *play) weighDirections(ctx context.Context) error {
	points, err := p.learnMetric(ctx)
	if err != nil {
		return err
	}
	g := p.plain
	if points != nil {
		if g, err = newGraph(ctx, points, p.m, p.d, p.cfg.Threads, nil); err != nil {
			return err
		}
		p.stick(g)
	}
	if g == p.walk.graph {
		return nil
	}
	w, err := p.on(ctx, g)
	if err == nil {
		p.walk = w
	}
	return err
}

// grouped counts the known nodes of groups of two and more.
func (p *play) grouped() int {
	out := 0
	for _, c := range p.members() {
		if c > 1 {
			out += c
		}
	}
	return out
}

// sample is the known nodes that a metric is learnt from: those of groups of two and more.
type sample struct {
	*play
	nodes []int     // by group
	group []int     // of each of nodes
	inner []float64 // len(nodes)×m: inner product of each of nodes with all nodes
}

// metric is one that is learnt.
type metric struct {
	far    func(i, j int) float64                   // squared distance between two nodes
	points func(context.Context) ([]float64, error) // m×d: where the nodes are in it
}

// learner returns the metric by some of the nodes of a sample, by their places in it, between the
// nodes of a list; nil: too little is known.
type learner func(of, among []int) *metric

// learnMetric returns where the nodes are, m×d, in the metric that foretells the groups of known
// nodes best, by cross-validation; nil: none does so better than the plain distance.
func (p *play) learnMetric(ctx context.Context) ([]float64, error) {
	s, err := p.sample(ctx)
	if err != nil || len(s.nodes) == 0 {
		return nil, err
	}
	var learners []learner
	for _, share := range shrinkages {
		learners = append(learners,
			func(of, among []int) *metric { return s.within(of, among, share) })
	}
	plain, err := s.foretold(ctx, func([]int, []int) *metric {
		return &metric{far: p.square}
	})
	if err != nil {
		return nil, err
	}
	var best learner
	most := 0.0
	for _, l := range learners {
		by, err := s.foretold(ctx, l)
		if err != nil {
			return nil, err
		}
		if gain := s.gained(by, plain); gain > most {
			best, most = l, gain
		}
	}
	if best == nil {
		return nil, nil
	}
	places := make([]int, len(s.nodes))
	for i := range places {
		places[i] = i
	}
	return best(places, nil).points(ctx)
}

// gained is how much better nodes are foretold than by the plain distance; 0: not so much that it
// cannot be chance, or none better of those that were asked about one by one. Those that stand for
// tentative groups are far from others of their group whatever lies between.
func (s *sample) gained(by, plain []float64) float64 {
	if len(by) == 0 {
		return 0
	}
	n, gain, spread, placed := float64(len(by)), 0.0, 0.0, 0.0
	for i, v := range by {
		gain += (v - plain[i]) / n
		if !s.tentative[s.at[s.nodes[i]]] {
			placed += v - plain[i]
		}
	}
	for i, v := range by {
		t := v - plain[i] - gain
		spread += float64(t * t)
	}
	if gain < max(directionsGain, float64(directionsErrors*math.Sqrt(spread)/n)) || placed < 0 {
		return 0
	}
	return gain
}

// sample draws what a metric is learnt from: of many nodes, some of all groups.
func (p *play) sample(ctx context.Context) (*sample, error) {
	members, s := p.members(), &sample{play: p}
	for g, count := range members {
		if count < 2 {
			continue
		}
		for l, of := range p.group {
			if of == g {
				s.nodes, s.group = append(s.nodes, p.ends[l]), append(s.group, g)
			}
		}
	}
	if n := len(s.nodes); n > mostLearnt {
		for i := range mostLearnt {
			s.nodes[i], s.group[i] = s.nodes[i*n/mostLearnt], s.group[i*n/mostLearnt]
		}
		s.nodes, s.group = s.nodes[:mostLearnt], s.group[:mostLearnt]
	}
	m, d := p.m, p.d
	s.inner = make([]float64, len(s.nodes)*m)
	err := parallel.Blocks(ctx, len(s.nodes), 4, p.cfg.Threads, func(_, lo, hi int) {
		for a := lo; a < hi; a++ {
			x := p.means[s.nodes[a]*d : (s.nodes[a]+1)*d]
			for j := range m {
				s.inner[a*m+j] = linalg.Dot(x, p.means[j*d:(j+1)*d])
			}
		}
	})
	return s, err
}

// foretold returns how well each node of the sample is foretold by a metric learnt from the others,
// a quarter of them left out at once: the share of its own group among known nodes, the nearer the
// more they weigh.
func (s *sample) foretold(ctx context.Context, learn learner) ([]float64, error) {
	out := make([]float64, len(s.nodes))
	for fold := range learnFolds {
		var of, left []int
		for a := range s.nodes {
			if a%learnFolds == fold {
				left = append(left, a)
			} else {
				of = append(of, a)
			}
		}
		learnt := learn(of, s.ends)
		if learnt == nil {
			return nil, nil
		}
		type other struct {
			far float64
			l   int
		}
		order := make([]other, 0, len(s.ends))
		for _, a := range left {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			order = order[:0]
			for l, i := range s.ends {
				if i != s.nodes[a] {
					order = append(order, other{learnt.far(s.nodes[a], i), l})
				}
			}
			slices.SortFunc(order, func(x, y other) int {
				return cmp.Or(cmp.Compare(x.far, y.far), cmp.Compare(x.l, y.l))
			})
			w, own, all := 1.0, 0.0, 0.0
			for _, o := range order {
				if all += w; s.play.group[o.l] == s.group[a] {
					own += w
				}
				w *= rankShare
			}
			out[a] = own / all
		}
	}
	return out, nil
}

// within learns a metric in which the groups are as compact in all directions: x'S⁻¹x, where S is
// the scatter within groups, shrunk to an even one, as in relevant component analysis (Bar-Hillel
// and others 2005). With R the differences to the means of groups, by Woodbury's identity, that is
// the plain distance less a distance in the coordinates L⁻¹Rx, where LL' = RR' and a multiple of
// the unit matrix.
func (s *sample) within(of, among []int, share float64) *metric {
	byGroup := make(map[int][]int)
	for _, a := range of {
		byGroup[s.group[a]] = append(byGroup[s.group[a]], a)
	}
	var rows [][]float64 // residuals times all nodes
	var own []int        // node that each is of
	m, free := s.m, 0
	for i := 0; i < len(of); {
		group := byGroup[s.group[of[i]]]
		i += len(group)
		if len(group) < 2 {
			continue
		}
		mean := make([]float64, m)
		for _, a := range group {
			linalg.Add(mean, s.inner[a*m:(a+1)*m])
		}
		linalg.Divide(mean, float64(len(group)))
		for _, a := range group {
			row := slices.Clone(s.inner[a*m : (a+1)*m])
			for j, v := range mean {
				row[j] -= v
			}
			rows, own = append(rows, row), append(own, a)
		}
		free += len(group) - 1
	}
	if free < learnLeast {
		return nil
	}
	n := len(rows)
	a, trace := linalg.NewLower(n), 0.0
	for lo := 0; lo < n; {
		hi := lo + len(byGroup[s.group[own[lo]]])
		for i := range rows {
			mean := 0.0
			for _, b := range own[lo:hi] {
				mean += rows[i][s.nodes[b]] / float64(hi-lo)
			}
			for j := lo; j < min(hi, i+1); j++ {
				a.Row(i)[j] = rows[i][s.nodes[own[j]]] - mean
			}
		}
		lo = hi
	}
	for i := range n {
		trace += a.Row(i)[i]
	}
	if trace <= 0 {
		return nil
	}
	even := share / (1 - share) * trace / float64(min(s.d, s.m))
	for i := range n {
		a.Row(i)[i] += even
	}
	a.Factor(linalg.AtLeast(even / 2))
	at := make([][]float64, m)
	for _, i := range among {
		z := make([]float64, n)
		for r, row := range rows {
			z[r] = row[i]
		}
		a.SolveLower(z)
		at[i] = z
	}
	return &metric{
		far: func(i, j int) float64 {
			return max(0, s.square(i, j)-linalg.SquaredDistance(at[i], at[j]))
		},
		points: func(ctx context.Context) ([]float64, error) { return s.points(ctx, own, even) },
	}
}

// points moves the nodes to where their plain distances are those of the metric within groups:
// along each direction v in which the known nodes of a group differ, of the scatter λ, by
// 1−√(e/(e+λ)) of what they have of it, where e is the even scatter.
func (s *sample) points(ctx context.Context, own []int, even float64) ([]float64, error) {
	n, d := len(own), s.d
	residuals, scatter := make([]float64, n*d), make([]float64, n*n)
	for lo := 0; lo < n; {
		hi, mean := lo, make([]float64, d)
		for ; hi < n && s.group[own[hi]] == s.group[own[lo]]; hi++ {
			linalg.Add(mean, s.means[s.nodes[own[hi]]*d:(s.nodes[own[hi]]+1)*d])
		}
		linalg.Divide(mean, float64(hi-lo))
		for i := lo; i < hi; i++ {
			for j, v := range s.means[s.nodes[own[i]]*d : (s.nodes[own[i]]+1)*d] {
				residuals[i*d+j] = v - mean[j]
			}
		}
		lo = hi
	}
	trace := 0.0
	for i := range n {
		for j := range i + 1 {
			v := linalg.Dot(residuals[i*d:(i+1)*d], residuals[j*d:(j+1)*d])
			scatter[i*n+j], scatter[j*n+i] = v, v
		}
		trace += scatter[i*n+i]
	}
	const rounded = 1e-12
	values, err := linalg.QL(ctx, scatter, n, rounded*trace)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(s.means)
	for k, v := range values {
		if v <= rounded*trace {
			continue
		}
		along := make([]float64, d) // of length √v
		for i, u := range scatter[k*n : (k+1)*n] {
			for j, r := range residuals[i*d : (i+1)*d] {
				along[j] += float64(u * r)
			}
		}
		by := (1 - math.Sqrt(even/(even+v))) / v
		err := parallel.Blocks(ctx, s.m, 64, s.cfg.Threads, func(_, lo, hi int) {
			for i := lo; i < hi; i++ {
				x := out[i*d : (i+1)*d]
				t := by * linalg.Dot(along, x)
				for j, a := range along {
					x[j] -= float64(t * a)
				}
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}
