package cobras

import (
	"context"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/disjoint"
	"github.com/kindred-go/kindred/internal/draw"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/parallel"
)

// substitutes is how many members of a super-instance may stand for it: when it is not known
// whether the first are of one cluster the second are asked about, then the third.
const substitutes = 3

// part is a super-instance: rows that are taken to be of one cluster.
type part struct {
	id     uint64    // follows from where it is in the tree
	rows   []int32   // rising
	mean   []float64 // length d
	splits map[int]*division
	stands []int32 // askable rows nearest the mean, at most substitutes, the nearest first
	stamp  int     // the tree's stamp when stands were looked for
}

// division is what a part falls into.
type division struct {
	parts []*part // without empty ones
	// by which parts nobody can be asked about: the parts, those joined with others
	joined map[string][]*part
}

// tree holds the parts that were made of the data so far. What it makes depends on the data and the
// configuration alone, never on the order of what was asked for; representatives also depend on the
// rows left out.
type tree struct {
	data  dataset.Matrix
	cfg   Config
	root  *part
	out   func(row int) bool
	stamp int // changes when rows are left out

	verdicts map[string]verdict // of beliefs, by what is believed
}

func newTree(ctx context.Context, data dataset.Matrix, cfg Config, out func(int) bool) (*tree,
	error) {
	t := &tree{data: data, cfg: cfg, out: out, stamp: 1, verdicts: make(map[string]verdict)}
	t.root = &part{id: 1, rows: disjoint.Singletons(data.Rows)}
	return t, t.center(ctx, t.root)
}

// center works out the mean of a part.
func (t *tree) center(ctx context.Context, p *part) error {
	const block = 4096
	n, d := len(p.rows), t.data.Cols
	sums := make([][]float64, parallel.Count(n, block))
	err := parallel.Blocks(ctx, n, block, t.cfg.Threads, func(b, lo, hi int) {
		sum, row := make([]float64, d), make([]float64, 0, d)
		for _, i := range p.rows[lo:hi] {
			row = t.data.AppendRow(row[:0], int(i))
			linalg.Add(sum, row)
		}
		sums[b] = sum
	})
	p.mean = make([]float64, d)
	for _, sum := range sums {
		linalg.Add(p.mean, sum)
	}
	linalg.Divide(p.mean, float64(n))
	return err
}

// split returns the k parts that k-means makes of a part, or fewer where it has not as many
// distinct rows. A part nobody can be asked about goes with the nearest that somebody can; where
// there is none, all stay one.
func (t *tree) split(ctx context.Context, p *part, k int) ([]*part, error) {
	d := p.splits[k]
	if d == nil {
		var err error
		if d, err = t.divide(ctx, p, k); err != nil {
			return nil, err
		}
		if p.splits == nil {
			p.splits = make(map[int]*division)
		}
		p.splits[k] = d
	}
	silent := make([]byte, len(d.parts))
	some := false
	for i, child := range d.parts {
		if len(t.standing(child)) == 0 {
			silent[i], some = 1, true
		}
	}
	if !some {
		return d.parts, nil
	}
	if whole, ok := d.joined[string(silent)]; ok {
		return whole, nil
	}
	whole, err := t.join(ctx, p, d.parts, silent)
	if err != nil {
		return nil, err
	}
	if d.joined == nil {
		d.joined = make(map[string][]*part)
	}
	d.joined[string(silent)] = whole
	return whole, nil
}

// divide runs k-means.
func (t *tree) divide(ctx context.Context, p *part, k int) (*division, error) {
	n := len(p.rows)
	data := t.data
	if n < data.Rows {
		rows := make([]int, n)
		for i, r := range p.rows {
			rows[i] = int(r)
		}
		data = data.Subset(rows)
	}
	cfg := kmeans.Config{
		Clusters: min(k, n),
		Limits:   fit.Limits{Starts: t.cfg.starts(n), MaxIterations: t.cfg.iterations(n)},
		Options:  t.cfg.Options,
	}
	cfg.Seed = mix(t.cfg.Seed, p.id, uint64(k))
	fit, err := kmeans.Fit(ctx, data, cfg)
	if err != nil {
		return nil, err
	}
	children := make([]*part, cfg.Clusters)
	for c := range children {
		children[c] = &part{id: mix(p.id, uint64(k), uint64(c)),
			rows: make([]int32, 0, fit.Sizes[c]), mean: fit.Centers.AppendRow(nil, c)}
	}
	for i, c := range fit.Labels {
		children[c].rows = append(children[c].rows, p.rows[i])
	}
	return &division{parts: slices.DeleteFunc(children,
		func(c *part) bool { return len(c.rows) == 0 })}, nil
}

// join puts each part that nobody can be asked about together with the nearest other.
func (t *tree) join(ctx context.Context, p *part, parts []*part, silent []byte) ([]*part, error) {
	guests := make([][]*part, len(parts))
	any := false
	for i, guest := range parts {
		host, best := -1, math.Inf(1)
		for j, other := range parts {
			if silent[j] == 0 {
				if d := linalg.SquaredDistance(guest.mean, other.mean); d < best {
					host, best = j, d
				}
			}
		}
		if silent[i] == 1 && host >= 0 {
			guests[host] = append(guests[host], guest)
		}
		any = any || host >= 0
	}
	if !any {
		return []*part{p}, nil
	}
	var whole []*part
	for i, host := range parts {
		switch {
		case silent[i] == 1:
		case guests[i] == nil:
			whole = append(whole, host)
		default:
			both := &part{id: host.id, rows: slices.Clone(host.rows)}
			for _, g := range guests[i] {
				both.id = mix(both.id, g.id, 0)
				both.rows = append(both.rows, g.rows...)
			}
			slices.Sort(both.rows)
			if err := t.center(ctx, both); err != nil {
				return nil, err
			}
			whole = append(whole, both)
		}
	}
	return whole, nil
}

// near is a row and its squared distance from a mean.
type near struct {
	d   float64
	row int32
}

// standing returns the askable rows nearest the mean of a part, which is its medoid where that is
// askable, the lower row first on a tie.
func (t *tree) standing(p *part) []int32 {
	if p.stamp == t.stamp {
		return p.stands
	}
	const block = 4096
	best := make([][]near, parallel.Count(len(p.rows), block))
	_ = parallel.Blocks(context.Background(), len(p.rows), block, t.cfg.Threads,
		func(b, lo, hi int) {
			row := make([]float64, 0, t.data.Cols)
			for _, i := range p.rows[lo:hi] {
				if !t.askable(int(i)) {
					continue
				}
				row = t.data.AppendRow(row[:0], int(i))
				best[b] = closer(best[b], near{linalg.SquaredDistance(row, p.mean), i})
			}
		})
	var nearest []near
	for _, some := range best {
		for _, one := range some {
			nearest = closer(nearest, one)
		}
	}
	p.stands, p.stamp = nil, t.stamp
	for _, one := range nearest {
		p.stands = append(p.stands, one.row)
	}
	return p.stands
}

// askable reports whether a row may be asked about.
func (t *tree) askable(row int) bool {
	return (t.cfg.Askable == nil || t.cfg.Askable[row]) && !t.out(row)
}

// closer puts one more into the nearest few.
func closer(few []near, one near) []near {
	at := len(few)
	for at > 0 && one.d < few[at-1].d {
		at--
	}
	if at == substitutes {
		return few
	}
	return slices.Insert(few, at, one)[:min(substitutes, len(few)+1)]
}

// holds reports whether a row is of a part.
func (p *part) holds(row int) bool {
	_, found := slices.BinarySearch(p.rows, int32(row))
	return found
}

// mix makes one number of three (the finaliser of SplitMix64 after each).
func mix(numbers ...uint64) uint64 {
	var h uint64
	for _, n := range numbers {
		h = draw.Mix((h ^ n) + 0x9e3779b97f4a7c15)
	}
	return h
}
