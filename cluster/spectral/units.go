package spectral

import (
	"slices"

	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// units are the nodes of a graph with must-links contracted: what COSC cuts between.
type units struct {
	of      []int32        // unit of each row
	first   []int          // first row of each unit
	weights *linalg.Sparse // between units
	volume  []float64      // of each unit: the degrees of its nodes
	rivals  rivals         // units that cannot-links keep apart, ascending
}

// contract joins must-linked rows, and rows of one node as long as no cannot-link is about them,
// nor about a row that they are must-linked to: joining those could leave too few colours. The
// units of one node share its links among them and are linked to each other by the weight 1.
func (g *Graph) contract(weights *linalg.Sparse, set *link.Set) (*units, error) {
	u := &units{}
	firm := link.NewSet(g.Rows())
	for _, l := range set.Given() {
		l.Plausibility = 0
		if err := firm.Add(l); err != nil {
			return nil, err
		}
	}
	mates := make([][]int, g.Nodes()) // rows of each node that are not joined
	// a row of each node that has no cannot-link, from 1
	free := make([]int, g.Nodes())
	for row, c := range g.Node {
		if apart(set, row) {
			mates[c] = append(mates[c], row)
			continue
		}
		if free[c] == 0 {
			free[c] = row + 1
			mates[c] = append(mates[c], row)
		} else if err := firm.Add(link.Link{A: free[c] - 1, B: row,
			Kind: link.MustLink}); err != nil {
			return nil, err
		}
	}
	u.of, u.first = firm.Numbers()
	n := len(u.first)
	at := make([][]int32, g.Nodes()) // units of each node
	for c, rows := range mates {
		for _, row := range rows {
			if v := u.of[row]; !slices.Contains(at[c], v) {
				at[c] = append(at[c], v)
			}
		}
	}
	u.volume = make([]float64, n)
	var entries []linalg.Entry
	for i := range g.Nodes() {
		for e := weights.Start[i]; e < weights.Start[i+1]; e++ {
			j := int(weights.Col[e])
			share := weights.Value[e] / float64(len(at[i])*len(at[j]))
			for _, a := range at[i] {
				for _, b := range at[j] {
					u.volume[a] += share
					if j > i && a != b {
						entries = append(entries, linalg.Entry{Row: a, Col: b, Value: share})
					}
				}
			}
		}
		for p, a := range at[i] {
			for _, b := range at[i][:p] {
				entries = append(entries, linalg.Entry{Row: a, Col: b, Value: 1})
				u.volume[a]++
				u.volume[b]++
			}
		}
	}
	for a, v := range u.volume {
		if v == 0 { // nothing to weigh it by
			u.volume[a] = 1e-12
		}
	}
	u.rivals = make(rivals, n)
	for _, l := range set.Given() {
		if l.Kind == link.CannotLink {
			a, b := u.of[l.A], u.of[l.B]
			u.rivals[a], u.rivals[b] = append(u.rivals[a], b), append(u.rivals[b], a)
		}
	}
	for a := range u.rivals {
		slices.Sort(u.rivals[a])
		u.rivals[a] = slices.Compact(u.rivals[a])
	}
	var err error
	u.weights, err = linalg.NewSparse(n, entries)
	return u, err
}

// apart reports whether the links separate some row from this one.
func apart(set *link.Set, row int) bool {
	for range set.Separated(row) {
		return true
	}
	return false
}

// cutProblem is the search for two parts of some units.
type cutProblem struct {
	n      int
	edges  []cutEdge
	degree []float64 // sums of weights of the edges
	volume []float64
	total  float64    // of the volumes
	apart  [][2]int32 // pairs that cannot-links keep apart
	start  []int      // edges at each unit: near[start[i]:start[i+1]]
	near   []cutEnd
	rival  [][]int32
}

type cutEdge struct {
	a, b int32
	w    float64
}

type cutEnd struct {
	to int32
	w  float64
}

// among makes the problem of some units, ascending; a unit is numbered by its place.
func (u *units) among(some []int32) *cutProblem {
	p := &cutProblem{n: len(some), degree: make([]float64, len(some)),
		start: make([]int, len(some)+1), rival: make([][]int32, len(some))}
	place := make(map[int32]int32, len(some))
	for t, v := range some {
		place[v] = int32(t)
	}
	for t, v := range some {
		p.volume = append(p.volume, u.volume[v])
		p.total += u.volume[v]
		for e := u.weights.Start[v]; e < u.weights.Start[v+1]; e++ {
			s, ok := place[u.weights.Col[e]]
			if !ok {
				continue
			}
			w := u.weights.Value[e]
			p.near = append(p.near, cutEnd{s, w})
			p.degree[t] += w
			if int(s) > t {
				p.edges = append(p.edges, cutEdge{int32(t), s, w})
			}
		}
		p.start[t+1] = len(p.near)
		for _, r := range u.rivals[v] {
			if s, ok := place[r]; ok {
				p.rival[t] = append(p.rival[t], s)
				if int(s) > t {
					p.apart = append(p.apart, [2]int32{int32(t), s})
				}
			}
		}
	}
	return p
}

// weightsOf returns the matrix of the edges.
func (p *cutProblem) matrix() *linalg.Sparse {
	m := &linalg.Sparse{Start: p.start}
	for _, e := range p.near {
		m.Col, m.Value = append(m.Col, e.to), append(m.Value, e.w)
	}
	return m
}
