package cobras

import (
	"cmp"
	"encoding/binary"
	"hash/fnv"
	"math"
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// verdict is what a belief calls for: a question, or worlds to choose from.
type verdict struct {
	ask    bool
	u, v   int32
	worlds []world
}

// confirm merges new super-instances, and then asks redundant questions until it is certain enough
// that the links in use are right. When links prove to be mistakes all super-instances are merged
// anew.
func (p *play) confirm(fresh []*part) error {
	before := p.doubt.changes
	if err := p.merge(fresh); err != nil {
		return err
	}
	for p.doubt.rate > 0 {
		if err := p.certify(); err != nil {
			return err
		}
		if p.doubt.changes == before {
			return nil
		}
		before = p.doubt.changes
		p.groups = newGroups(p.parts...)
		if err := p.merge(p.parts); err != nil {
			return err
		}
	}
	return nil
}

// certify asks until no statements contradict each other, and those in use are probably right.
func (p *play) certify() error {
	for {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		if p.doubt.clashes {
			if err := p.correct(); err != nil {
				return err
			}
			continue
		}
		v := p.remember(1, p.doubtful)
		if !v.ask {
			return nil
		}
		err := p.check(v,
			"this one closes a circle of answers, to see whether all of them are right")
		if err != nil {
			return err
		}
	}
}

// correct explains a contradiction by the likeliest mistakes. Where several explanations are as
// likely it asks what decides between them; where nothing does it takes the one whose must-links
// are longest, and whose cannot-links shortest (ours).
func (p *play) correct() error {
	for p.doubt.clashes {
		if err := p.ctx.Err(); err != nil {
			return err
		}
		v := p.remember(2, p.suspect)
		if v.ask {
			if err := p.check(v,
				"answers contradict each other, and this one tells which is wrong"); err != nil {
				return err
			}
			continue
		}
		p.doubt.judge(v.worlds[0])
	}
	return nil
}

func (p *play) check(v verdict, why string) error {
	_, err := p.question(link.Question{A: p.doubt.rows[v.u], B: p.doubt.rows[v.v], Why: why})
	if err == errAgain {
		return nil
	}
	return err
}

// remember works a verdict out, or returns the one of an earlier play that believed the same.
func (p *play) remember(which byte, work func(matter, stands []int32) verdict) verdict {
	var stands []int32
	for _, s := range p.parts {
		if rows := p.tree.standing(s); len(rows) > 0 { // all rows may be left out
			stands = append(stands, p.doubt.of(int(rows[0])))
		}
	}
	current := make([]bool, len(p.doubt.rows))
	for _, v := range stands {
		current[v] = true
	}
	h := fnv.New128a()
	buf := binary.LittleEndian.AppendUint64([]byte{which}, uint64(p.tree.stamp))
	buf = binary.LittleEndian.AppendUint32(buf, uint32(len(p.doubt.rows)))
	for _, row := range p.doubt.rows { // a verdict is about nodes, and so about those very rows
		buf = binary.LittleEndian.AppendUint32(buf, uint32(row))
	}
	for _, v := range stands {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(v))
	}
	var matter []int32
	for i, s := range p.doubt.said {
		if current[s.a] && current[s.b] {
			matter = append(matter, int32(i))
		}
		flags := byte(0)
		if s.same {
			flags = 1
		}
		if s.wrong {
			flags |= 2
		}
		buf = binary.LittleEndian.AppendUint32(buf, uint32(s.a))
		buf = binary.LittleEndian.AppendUint32(buf, uint32(s.b))
		buf = binary.LittleEndian.AppendUint64(append(buf, flags), math.Float64bits(s.cost))
	}
	for _, v := range p.doubt.unknown() {
		buf = binary.LittleEndian.AppendUint64(buf, v)
	}
	h.Write(buf)
	key := string(h.Sum(nil))
	v, ok := p.tree.verdicts[key]
	if !ok {
		v = work(matter, stands)
		if len(p.tree.verdicts) >= maxVerdicts {
			clear(p.tree.verdicts)
		}
		p.tree.verdicts[key] = v
	}
	return v
}

// maxVerdicts bounds what is remembered of earlier plays.
const maxVerdicts = 10_000

// unknown returns the pairs that nobody knew of, rising.
func (b *belief) unknown() []uint64 {
	var keys []uint64
	for key, i := range b.at {
		if i < 0 {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// doubtful chooses the redundant question to ask: the one whose answer, if what is believed is
// true, rules out most of the alternatives. There is none once the links that matter are right with
// enough certainty; alternatives that no question can rule out do not count against it.
func (p *play) doubtful(matter, stands []int32) verdict {
	worlds := p.doubt.alternatives(matter)
	worlds = worlds[:min(len(worlds), mostWorlds)]
	if len(worlds) == 0 {
		return verdict{}
	}
	now := p.doubt.see(nil)
	views := make([]*view, len(worlds))
	weight := make([]float64, len(worlds))
	for i, w := range worlds {
		views[i], weight[i] = p.doubt.see(w.flips), math.Exp(-w.cost)
	}
	fixed := make([]bool, len(worlds))
	// only what is known of two can be known otherwise
	best := p.best(stands, now.known(), func(u, v int32) (score float64) {
		held := now.relation(u, v)
		if held == link.Unknown {
			return 0
		}
		for i, w := range views {
			if k := w.relation(u, v); k != link.Unknown && k != held {
				score += weight[i]
				fixed[i] = true
			}
		}
		return score
	})
	wrong := 0.0
	for i, m := range fixed {
		if m {
			wrong += weight[i]
		}
	}
	if best.ask = best.ask && 1/(1+wrong) < p.tree.cfg.certainty(); !best.ask {
		return verdict{}
	}
	return best
}

// suspect chooses what to ask when answers contradict each other: the pair that parts the likeliest
// explanations most evenly, as long as they disagree about links that matter. Else the explanation
// to take comes first.
func (p *play) suspect(matter, stands []int32) verdict {
	worlds := p.doubt.explanations()
	slices.SortStableFunc(worlds, func(v, w world) int {
		return cmp.Or(cmp.Compare(p.strain(w), p.strain(v)), slices.Compare(v.flips, w.flips))
	})
	out := verdict{worlds: worlds[:1]}
	if !disagree(worlds, matter) {
		return out
	}
	worlds = worlds[:min(len(worlds), mostWorlds)]
	views := make([]*view, len(worlds))
	for i, w := range worlds {
		views[i] = p.doubt.see(w.flips)
	}
	// two must be of one group in some of them
	together := func(v int32) (u []int32) {
		for _, w := range views {
			u = append(u, w.with(v)...)
		}
		return u
	}
	best := p.best(stands, together, func(u, v int32) float64 {
		same, different := 0, 0
		for _, w := range views {
			switch w.relation(u, v) {
			case link.MustLink:
				same++
			case link.CannotLink:
				different++
			}
		}
		return float64(min(same, different))
	})
	if best.ask {
		return best
	}
	return out
}

// disagree reports whether worlds differ on statements that matter.
func disagree(worlds []world, matter []int32) bool {
	for _, e := range matter {
		first := slices.Contains(worlds[0].flips, e)
		for _, w := range worlds[1:] {
			if slices.Contains(w.flips, e) != first {
				return true
			}
		}
	}
	return false
}

// strain is how far apart the rows of must-links are that a world takes for mistakes, less those of
// cannot-links.
func (p *play) strain(w world) float64 {
	var sum float64
	for _, f := range w.flips {
		s := &p.doubt.said[f]
		d := math.Sqrt(p.apart(s.a, s.b))
		if !s.same {
			d = -d
		}
		sum += d
	}
	return sum
}

func (p *play) apart(u, v int32) float64 {
	x := p.tree.data.AppendRow(nil, p.doubt.rows[u])
	return linalg.SquaredDistance(x, p.tree.data.AppendRow(nil, p.doubt.rows[v]))
}

// best returns the pair of nodes that nobody was asked about yet of the highest positive score: of
// two that stand for super-instances rather than of others, and of the nearest on a tie. Others
// returns the nodes that have a positive score with one, and more perhaps.
func (p *play) best(stands []int32, others func(v int32) []int32,
	score func(u, v int32) float64) verdict {
	current := make([]bool, len(p.doubt.rows))
	for _, v := range stands {
		current[v] = true
	}
	var out verdict
	most, rank, near := 0.0, 0, math.Inf(1)
	for v := range int32(len(p.doubt.rows)) {
		them := slices.Clone(others(v))
		slices.Sort(them)
		for _, u := range slices.Compact(them) {
			if u >= v {
				break
			}
			if _, asked := p.doubt.at[pairKey(u, v)]; asked || !p.tree.askable(p.doubt.rows[u]) ||
				!p.tree.askable(p.doubt.rows[v]) {
				continue
			}
			s := score(u, v)
			if s <= 0 || s < most {
				continue
			}
			r := 0
			if current[u] && current[v] {
				r = 1
			}
			if s == most && r < rank {
				continue
			}
			d := p.apart(u, v)
			if s == most && r == rank && d >= near {
				continue
			}
			out = verdict{ask: true, u: u, v: v}
			most, rank, near = s, r, d
		}
	}
	return out
}
