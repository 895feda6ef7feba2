package hierarchy

import "context"

// space is clusters with distances, in a measure of the space's own that rises with the height of a
// merge. A cluster is known by its lowest member, by the place of that in the canonical order of
// the objects: so equal distances are settled by what the objects are and not by how they come.
type space interface {
	// live returns the clusters there are, in an order that from follows and join may change.
	live() []int32

	// from sets dst[t] to the distance of a to cluster t of live. That to itself has no meaning.
	from(dst []float64, a int32)

	// nearest returns the cluster nearest to a but a itself, the lowest among equals unless prefer
	// (negative: none) is one of them. There must be another.
	nearest(a, prefer int32) (b int32, far float64)

	// join makes one cluster of a and b, which are so far apart, and returns its number, the lower
	// of the two.
	join(ctx context.Context, a, b int32, far float64) (int32, error)

	// height turns a distance into the height of a merge.
	height(far float64) float64
}

// chain adds to joins of n objects until one cluster is left, following chains of nearest
// neighbours: from a cluster to the one nearest to it and on, until two are nearest to each other,
// which are joined. It is right for reducible linkages.
//
// What stays of the chain remains one, but for rounding; where that leads back into it, the chain
// is cut there. Distances fall along what is added to a chain between two joins, so it comes to an
// end.
func chain(ctx context.Context, s space, n int, joins []join, p *pace) ([]join, error) {
	var path []int32
	on := make([]int32, n) // place in path, from 1; 0: not on it
	cut := func(to int) {
		for _, a := range path[to:] {
			on[a] = 0
		}
		path = path[:to]
	}
	there := make([]bool, n)
	for _, a := range s.live() {
		there[a] = true
	}
	first := int32(0)
	for m := len(s.live()); m > 1; {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if len(path) == 0 {
			for !there[first] {
				first++
			}
			path = append(path, first)
			on[first] = 1
		}
		tip, before := path[len(path)-1], int32(-1)
		if len(path) > 1 {
			before = path[len(path)-2]
		}
		b, far := s.nearest(tip, before)
		switch {
		case b == before:
			cut(len(path) - 2)
			joins = append(joins, join{tip, b, s.height(far)})
			there[max(tip, b)] = false
			if _, err := s.join(ctx, tip, b, far); err != nil {
				return nil, err
			}
			m--
			p.left(m)
		case on[b] > 0:
			cut(int(on[b]))
		default:
			path = append(path, b)
			on[b] = int32(len(path))
		}
	}
	return joins, nil
}

// nearestFirst joins the two nearest clusters, again and again. Each cluster has a neighbour, and a
// bound below which none is: where the neighbour has been joined to another the bound stays, and is
// made good when it is the least.
func nearestFirst(ctx context.Context, s space, n int, p *pace) ([]join, error) {
	joins := make([]join, 0, n-1)
	if n == 1 {
		return joins, nil
	}
	to, bound := make([]int32, n), make([]float64, n) // to: −1 where it is to be looked for
	for a := range to {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		to[a], bound[a] = s.nearest(int32(a), -1)
	}
	row := make([]float64, n)
	for m := n; m > 1; {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		live := s.live()
		a := live[0]
		for _, b := range live[1:] {
			if bound[b] < bound[a] || bound[b] == bound[a] && b < a {
				a = b
			}
		}
		b := to[a]
		if b < 0 {
			to[a], bound[a] = s.nearest(a, -1)
			continue
		}
		joins = append(joins, join{a, b, s.height(bound[a])})
		c, err := s.join(ctx, a, b, bound[a])
		if err != nil {
			return nil, err
		}
		m--
		p.left(m)
		if m == 1 {
			break
		}
		live = s.live()
		s.from(row, c)
		to[c] = -1
		for t, x := range live {
			if x == c {
				continue
			}
			far := row[t]
			switch {
			case far < bound[x] ||
				far == bound[x] && (to[x] < 0 || to[x] == a || to[x] == b || c < to[x]):
				to[x], bound[x] = c, far
			case to[x] == a || to[x] == b:
				to[x] = -1
			}
			if to[c] < 0 || far < bound[c] || far == bound[c] && x < to[c] {
				to[c], bound[c] = x, far
			}
		}
	}
	return joins, nil
}
