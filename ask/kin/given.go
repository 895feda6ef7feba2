package kin

import (
	"math"
	"slices"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// stand returns the row that stands for each node: its medoid, unless that is left out, or unless
// given links are about other rows of the node and not about the medoid. Of those rows it is one of
// the component that most of them are of, the nearest to their mean. −1: no row may.
func (b *base) stand(data dataset.Matrix, known *ask.Ledger) []int {
	parts := cobra.SuperInstances{Of: b.of, Medoids: b.medoids,
		Means: dataset.Matrix{Rows: len(b.medoids), Cols: b.d, F64: b.means}}
	stands := parts.Standing(data, known, b.cfg.Askable, linalg.SquaredDistance)
	given := known.Given()
	if len(given) == 0 {
		return stands
	}
	set, _, _ := link.Build(b.n, given, link.Keep)
	linked := make([][]int, len(stands)) // rows of each node
	for row := range set.Linked() {
		if !known.Out(row) && (b.cfg.Askable == nil || b.cfg.Askable[row]) {
			linked[b.of[row]] = append(linked[b.of[row]], row)
		}
	}
	var x []float64
	for i, rows := range linked {
		if len(rows) == 0 || slices.Contains(rows, stands[i]) {
			continue
		}
		count := make(map[int]int) // rows of each component
		for _, row := range rows {
			count[set.Component(row)]++
		}
		most, least := 0, math.Inf(1)
		for _, row := range rows {
			x = data.AppendRow(x[:0], row)
			far := linalg.SquaredDistance(x, b.means[i*b.d:(i+1)*b.d])
			if c := count[set.Component(row)]; c > most || c == most && far < least {
				stands[i], most, least = row, c, far
			}
		}
	}
	return stands
}

// know takes in what was linked before the first answer, and returns the links that it leaves to be
// learnt one by one. What must-links join is of one group, that of the nodes that its rows stand
// for; the other rows hint that their nodes are of it, too. Components that all differ from each
// other, single rows among them, have groups of their own where these nodes have none: so it is
// with known classes. Where answers may be wrong, all links are left.
func (p *play) know(given []link.Link) (left []link.Link) {
	if p.doubtful() {
		return given
	}
	taken, rest := p.set.Apart(p.n)
	stands := make(map[int]int) // node that stands for a component, by its lowest row
	for k, rows := range slices.Concat(taken, rest) {
		var nodes []int
		at := -1
		for _, row := range rows {
			if i := int(p.of[row]); p.standing[i] == row {
				nodes = append(nodes, i)
				if at < 0 && p.at[i] >= 0 {
					at = i
				}
			}
		}
		if at < 0 {
			if len(nodes) == 0 || k >= len(taken) {
				continue
			}
			at = nodes[0]
			p.put(at, p.alone(), true, nil)
		}
		stands[rows[0]] = at
		for _, i := range nodes {
			p.unite(at, i)
		}
		for _, row := range rows {
			if i := int(p.of[row]); p.standing[i] != row {
				p.hint(hint{fact{i, at, true}, impure})
			}
		}
	}
	for _, rows := range slices.Concat(taken, rest) {
		at, ok := stands[rows[0]]
		if !ok {
			continue
		}
		for other := range p.set.Separated(rows[0]) {
			if to, ok := stands[other]; ok && other < rows[0] {
				p.differ(at, to)
			}
		}
	}
	for _, l := range given {
		one, is := stands[p.set.Component(l.A)]
		other, are := stands[p.set.Component(l.B)]
		if !is || !are || l.Kind == link.Unknown || one == other && l.Kind == link.CannotLink {
			left = append(left, l)
		}
	}
	return left
}

// unite makes the groups of two nodes one, of which the first is known.
func (p *play) unite(known, i int) {
	if known == i {
		return
	}
	one := p.at[known]
	if p.at[i] < 0 {
		p.put(i, p.group[one], true, nil)
		return
	}
	p.state(one, p.at[i], true)
	p.join(p.group[one], p.group[p.at[i]])
}

// state keeps what is linked of two places in ends, where answers may be wrong.
func (p *play) state(one, two int, same bool) {
	if p.rate > 0 {
		p.stated = append(p.stated, fact{one, two, same})
	}
}

// differ parts the groups of two known nodes.
func (p *play) differ(i, j int) {
	p.state(p.at[i], p.at[j], false)
	p.part(p.group[p.at[i]], p.group[p.at[j]])
}
