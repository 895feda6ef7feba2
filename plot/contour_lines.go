package plot

import "slices"

// peak returns the position of the greatest density.
func (f field) peak() [2]float64 {
	best := 0
	for i, v := range f {
		if v > f[best] {
			best = i
		}
	}
	return [2]float64{float64(best%nodes) / (nodes - 1), float64(best/nodes) / (nodes - 1)}
}

// levelOf returns the density above which a share of the whole lies.
func (f field) levelOf(part float64) float64 {
	v := slices.Clone(f)
	slices.Sort(v)
	total := 0.0
	for _, x := range v {
		total += x
	}
	left := (1 - part) * total
	for _, x := range v {
		if left -= x; left < 0 {
			return x
		}
	}
	return v[len(v)-1]
}

// crossing is the middle of a side between two nodes, where a contour crosses it: the side to the
// right of node at, or above it.
type crossing struct {
	at int
	up bool
}

// contour returns the lines along which the density is level, by marching squares: closed ones end
// where they begin, and others at the border. Of the two ways through a saddle, the one that the
// mean of its corners decides.
func (f field) contour(level float64) [][][2]float64 {
	meets := map[crossing][]crossing{}
	var order []crossing // as found, so that lines come in the same order
	join := func(a, b crossing) {
		for _, pair := range [][2]crossing{{a, b}, {b, a}} {
			if meets[pair[0]] == nil {
				order = append(order, pair[0])
			}
			meets[pair[0]] = append(meets[pair[0]], pair[1])
		}
	}
	for y := range nodes - 1 {
		for x := range nodes - 1 {
			at := y*nodes + x
			corners := [4]int{at, at + 1, at + 1 + nodes, at + nodes} // anticlockwise
			sides := [4]crossing{{at, false}, {at + 1, true}, {at + nodes, false}, {at, true}}
			var crossed []int
			sum := 0.0
			for k, corner := range corners {
				sum += f[corner]
				if f[corner] >= level != (f[corners[(k+1)%4]] >= level) {
					crossed = append(crossed, k)
				}
			}
			switch {
			case len(crossed) == 2:
				join(sides[crossed[0]], sides[crossed[1]])
			case len(crossed) == 4 && (sum/4 >= level) == (f[at] >= level):
				// the corner at and its opposite are one
				join(sides[0], sides[1])
				join(sides[2], sides[3])
			case len(crossed) == 4:
				join(sides[3], sides[0])
				join(sides[1], sides[2])
			}
		}
	}
	var lines [][][2]float64
	done := map[crossing]bool{}
	follow := func(from crossing) {
		line := [][2]float64{f.where(from, level)}
		done[from] = true
		for here := from; ; {
			i := slices.IndexFunc(meets[here], func(c crossing) bool { return !done[c] })
			if i < 0 {
				if len(line) > 2 && slices.Contains(meets[here], from) {
					line = append(line, line[0])
				}
				break
			}
			here = meets[here][i]
			done[here] = true
			line = append(line, f.where(here, level))
		}
		lines = append(lines, line)
	}
	for _, ends := range []int{1, 2} { // open lines from an end, then closed ones
		for _, c := range order {
			if !done[c] && len(meets[c]) == ends {
				follow(c)
			}
		}
	}
	return lines
}

// where returns the position of a crossing, by linear interpolation.
func (f field) where(c crossing, level float64) [2]float64 {
	x, y := float64(c.at%nodes), float64(c.at/nodes)
	next := c.at + 1
	if c.up {
		next = c.at + nodes
	}
	part := (level - f[c.at]) / (f[next] - f[c.at])
	if c.up {
		y += part
	} else {
		x += part
	}
	return [2]float64{x / (nodes - 1), y / (nodes - 1)}
}
