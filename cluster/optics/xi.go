package optics

import (
	"math"
	"slices"
)

// steepDown is a steep down area (Ankerst and others 1999, definition 9) that may begin a cluster.
type steepDown struct {
	start, end int
	between    float64 // mib: the greatest reachability since it ended
}

// extract finds all clusters by the steepness of the reachability plot (Ankerst and others 1999,
// definition 11 and figure 19), and labels the objects by the smallest of them.
func (r *Result) extract(cfg Config) {
	n := len(r.Order)
	plot := make([]float64, n+1)
	for at, i := range r.Order {
		plot[at] = r.Reachability[i]
	}
	plot[n] = math.Inf(1) // so that a valley at the end ends
	keep := 1 - cfg.Xi
	// A step is steep where it is by a factor of 1−ξ, and up or down where it rises or falls at
	// all.
	steepUp, steepFall := make([]bool, n), make([]bool, n)
	up, fall := make([]bool, n), make([]bool, n)
	for at := range n {
		ratio := plot[at] / plot[at+1]
		if math.IsNaN(ratio) { // ∞/∞ and 0/0 are level
			ratio = 1
		}
		steepUp[at], steepFall[at] = ratio <= keep, ratio >= 1/keep
		up[at], fall[at] = ratio < 1, ratio > 1
	}
	place := make([]int, n) // of each object in the order
	for at, i := range r.Order {
		place[i] = at
	}
	var downs []steepDown
	between := 0.0
	for at := 0; at < n; {
		if !steepUp[at] && !steepFall[at] {
			between = max(between, plot[at])
			at++
			continue
		}
		between = max(between, plot[at])
		if steepFall[at] {
			downs = surviving(downs, between, keep, plot)
			end := extend(steepFall, up, at, cfg.MinPoints)
			downs = append(downs, steepDown{start: at, end: end})
			at = end + 1
			between = plot[at]
			continue
		}
		downs = surviving(downs, between, keep, plot)
		begin, end := at, extend(steepUp, fall, at, cfg.MinPoints)
		at = end + 1
		between = plot[at]
		var found [][2]int
		for _, d := range downs {
			first, last := d.start, end
			// Condition 3b: nothing between is higher than the end of the up area.
			if plot[last+1]*keep < d.between {
				continue
			}
			// Condition 4: the two ends are as high as each other.
			switch top := plot[d.start]; {
			case top*keep >= plot[last+1]:
				for plot[first+1] > plot[last+1] && first < d.end {
					first++
				}
			case plot[last+1]*keep >= top:
				for plot[last-1] > top && last > begin {
					last--
				}
			}
			if !cfg.AllowUnlinked {
				var linked bool
				if first, last, linked = r.linked(first, last, plot, place); !linked {
					continue
				}
			}
			switch {
			case last-first+1 < cfg.MinClusterSize, first > d.end, last < begin:
			default:
				found = append(found, [2]int{first, last})
			}
		}
		slices.Reverse(found) // those within others come first
		r.Spans = append(r.Spans, found...)
	}
	r.label()
}

// finer returns settings of extraction by Xi that part the objects into more than one cluster, and
// how many that makes, where one cluster holds nearly all or there is none; 0 where they do not.
// MinClusterSize is the least that there is, the steepness that of cfg or a quarter of it.
func (r *Result) finer(cfg Config) (better Config, clusters int) {
	cfg, err := cfg.withDefaults(len(r.Order))
	if err != nil || cfg.Extraction != Xi || !r.lumped() {
		return cfg, 0
	}
	least := cfg
	least.MinClusterSize = cfg.MinPoints
	flatter := least
	flatter.Xi = cfg.Xi / 4
	for _, c := range []Config{least, flatter} {
		try := &Result{Order: r.Order, Reachability: r.Reachability, Core: r.Core,
			Predecessor: r.Predecessor}
		try.extract(c)
		if try.Clusters > max(1, clusters) && !try.lumped() {
			better, clusters = c, try.Clusters
		}
	}
	return better, clusters
}

// lumped reports whether one cluster holds nearly all objects, or there is none.
func (r *Result) lumped() bool {
	sizes := make([]int, r.Clusters)
	for _, c := range r.Labels {
		if c != Noise {
			sizes[c]++
		}
	}
	return r.Clusters == 0 || 10*slices.Max(sizes) >= 9*len(r.Labels)
}

// surviving returns the down areas that what lies between does not rise above, with the greatest
// reachability since each of them.
func surviving(downs []steepDown, between, keep float64, plot []float64) []steepDown {
	if math.IsInf(between, 1) {
		return nil
	}
	out := downs[:0]
	for _, d := range downs {
		if between <= plot[d.start]*keep {
			d.between = max(d.between, between)
			out = append(out, d)
		}
	}
	return out
}

// extend returns the end of the steep area that begins at a place: no step in it goes the other
// way, and no more than minPoints in a row are not steep.
func extend(steep, other []bool, at, minPoints int) int {
	end, level := at, 0
	for ; at < len(steep); at++ {
		switch {
		case steep[at]:
			end, level = at, 0
		case other[at]:
			return end
		default:
			if level++; level > minPoints {
				return end
			}
		}
	}
	return end
}

// linked cuts objects off the end of a span until the last was reached from within it; ok is false
// where none was.
func (r *Result) linked(first, last int, plot []float64, place []int) (from, to int, ok bool) {
	for first < last {
		if plot[first] > plot[last] {
			return first, last, true
		}
		if by := r.Predecessor[r.Order[last]]; by >= 0 && place[by] >= first && place[by] < last {
			return first, last, true
		}
		last--
	}
	return first, last, false
}

// label numbers the objects of the smallest spans, along the order.
func (r *Result) label() {
	n := len(r.Order)
	along := slices.Repeat([]int32{Noise}, n)
	count := int32(0)
	for _, s := range r.Spans {
		if slices.ContainsFunc(along[s[0]:s[1]+1], func(c int32) bool { return c != Noise }) {
			continue
		}
		for at := s[0]; at <= s[1]; at++ {
			along[at] = count
		}
		count++
	}
	r.Labels, r.Clusters = make([]int32, n), int(count)
	number := make(map[int32]int32, count)
	last := int32(-1)
	for at, c := range along {
		i := r.Order[at]
		if c == Noise {
			r.Labels[i], last = Noise, -1
			continue
		}
		if _, known := number[c]; !known {
			number[c] = int32(len(number))
		}
		r.Labels[i] = number[c]
		if reach := r.Reachability[i]; c == last && !math.IsInf(reach, 1) {
			r.Reach = max(r.Reach, reach) // the first of a cluster is reached from outside it
		}
		last = c
	}
}
