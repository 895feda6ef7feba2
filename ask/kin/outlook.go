package kin

// The outlook is the number of answers that are likely to follow. It is that of the nodes whose
// group is in doubt, but nodes that are alike pass from doubt to certainty together, so that one
// answer can take it from dozens to one and the next take it back. So it counts down by one per
// answer as long as it is near what is in doubt, and else moves there by a limited factor.
const (
	nearOutlook = 0.3 // how far it may be from what is in doubt, as a share of that
	mostOutlook = 1.4 // the factor by which it grows with an answer, or falls
)

// undecided reports whether answers may still find the group of a node.
func (p *play) undecided(node int) bool {
	return p.at[node] < 0 && !p.hard[node] && p.standing[node] >= 0
}

// follow returns the outlook, by what is supposed of the groups and the outlook before.
func (p *play) follow(view *parts) float64 {
	doubt := p.doubt(view)
	switch {
	case p.before == 0:
		return doubt
	case p.before >= doubt*(1-nearOutlook) && p.before <= doubt*(1+nearOutlook):
		return p.before
	}
	return min(max(doubt, p.before/mostOutlook), p.before*mostOutlook)
}

// doubt is how many answers what is in doubt now may take: one for each node whose most plausible
// group has no more than nine tenths of the mass on groups, or most of whose mass is ignorance, less
// for those that are surer; and at least as many as have to be the likelier ones before the groups
// count as settled.
func (p *play) doubt(view *parts) float64 {
	out := 0.0
	for i, row := range view.on {
		if !p.undecided(i) {
			continue
		}
		sum := total(row)
		if sum < 0.5 {
			out++
			continue
		}
		v := min(1, float64(1-greatest(row)/sum)/(1-Certainty))
		out += float64(v * v)
	}
	return max(1, out, float64(settledAfter-p.streak))
}
