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
	h := fnv.New128a()
	buf := binary.LittleEndian.AppendUint64([]byte{which}, uint64(p.tree.stamp))
	for _, sum := range p.doubt.digest {
		buf = binary.LittleEndian.AppendUint64(buf, sum)
	}
	for _, v := range stands {
		buf = binary.LittleEndian.AppendUint32(buf, uint32(v))
	}
	h.Write(buf)
	key := string(h.Sum(nil))
	v, ok := p.tree.verdicts[key]
	if !ok {
		v = work(p.doubt.among(stands), stands)
		if len(p.tree.verdicts) >= maxVerdicts {
			clear(p.tree.verdicts)
		}
		p.tree.verdicts[key] = v
	}
	return v
}

// maxVerdicts bounds what is remembered of earlier plays.
const maxVerdicts = 100_000

// among returns the statements about two of some nodes, rising.
func (b *belief) among(nodes []int32) (statements []int32) {
	in := make(map[int32]bool, len(nodes))
	for _, v := range nodes {
		in[v] = true
	}
	for v := range in {
		for e := range b.edges(v) {
			if s := &b.said[e]; s.a == v && in[s.b] {
				statements = append(statements, e)
			}
		}
	}
	slices.Sort(statements)
	return statements
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
	c := p.doubt.contract(worlds, p.askable)
	held := c.seen(nil, c.all())
	score := make([]float64, len(c.nodes)*len(c.nodes))
	wrong := 0.0
	for _, w := range worlds {
		weight, fixed := math.Exp(-w.cost), false
		about := c.about(w.flips)
		now := c.seen(w.flips, about)
		for at, x := range about {
			for _, y := range about[:at] {
				was, is := held(x, y), now(x, y)
				// only what is known of two can be known otherwise
				if was != link.Unknown && is != link.Unknown && is != was && c.open(x, y) {
					score[c.pair(x, y)] += weight
					fixed = true
				}
			}
		}
		if fixed {
			wrong += weight
		}
	}
	if 1/(1+wrong) >= p.tree.cfg.certainty() {
		return verdict{}
	}
	return p.best(c, stands, score)
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
	c := p.doubt.contract(worlds, p.askable)
	size := len(c.nodes) * len(c.nodes)
	same, different := make([]int, size), make([]int, size)
	for _, w := range worlds {
		now := c.seen(w.flips, c.all())
		for x := range int32(len(c.nodes)) {
			for y := range x {
				switch now(x, y) {
				case link.MustLink:
					same[c.pair(x, y)]++
				case link.CannotLink:
					different[c.pair(x, y)]++
				}
			}
		}
	}
	score := make([]float64, size)
	for i := range score {
		score[i] = float64(min(same[i], different[i]))
	}
	if best := p.best(c, stands, score); best.ask {
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
	p.x = p.tree.data.AppendRow(p.x[:0], p.doubt.rows[u])
	p.y = p.tree.data.AppendRow(p.y[:0], p.doubt.rows[v])
	return linalg.SquaredDistance(p.x, p.y)
}

// askable reports whether a node may be asked about.
func (p *play) askable(v int32) bool { return p.tree.askable(p.doubt.rows[v]) }

// best returns the pair of nodes that nobody was asked about yet of the classes of the highest
// positive score: of two that stand for super-instances rather than of others, and of the nearest
// on a tie.
func (p *play) best(c *contraction, stands []int32, score []float64) verdict {
	most := 0.0
	for x := range int32(len(c.nodes)) {
		for y := range x {
			if s := score[c.pair(x, y)]; s > most && c.open(x, y) {
				most = s
			}
		}
	}
	if most == 0 {
		return verdict{}
	}
	current := make([][]int32, len(c.nodes)) // of each class, nodes that stand for super-instances
	for _, v := range stands {
		if at := c.class[v]; at >= 0 {
			current[at] = append(current[at], v)
		}
	}
	var out verdict
	for _, of := range [][][]int32{current, c.nodes} {
		near := math.Inf(1)
		for x := range int32(len(c.nodes)) {
			for y := range x {
				if score[c.pair(x, y)] != most || !c.open(x, y) {
					continue
				}
				for _, one := range of[x] {
					for _, two := range of[y] {
						u, v := min(one, two), max(one, two)
						if _, asked := p.doubt.at[pairKey(u, v)]; asked || !p.askable(u) ||
							!p.askable(v) {
							continue
						}
						d := p.apart(u, v)
						if first := v < out.v || v == out.v && u < out.u; !out.ask || d < near ||
							d == near && first {
							out, near = verdict{ask: true, u: u, v: v}, d
						}
					}
				}
			}
		}
		if out.ask {
			break
		}
	}
	return out
}
