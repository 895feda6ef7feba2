package images

import "math"

// The outlines of a picture are histograms of the orientations of its edges, by position.
//
// N. Dalal and B. Triggs, Histograms of Oriented Gradients for Human Detection, CVPR 2005: 8 × 8
// pixels per cell, 9 orientations over a half turn, each cell normalised within the four blocks of
// 2 × 2 cells that it is in. Those four versions are added up, as P. F. Felzenszwalb et al. do
// (Object Detection with Discriminatively Trained Part-Based Models, PAMI 32, 2010), so that a cell
// has 9 numbers instead of 36.
const (
	side         = 64 // pixels of the picture that outlines are taken from
	cell         = 8  // pixels of a cell
	cells        = side / cell
	orientations = 9
	outlineSize  = cells * cells * orientations

	clip = 0.2 // of a normalised value: no single edge decides
	// added to squared norms, with lightness in [0, 1]: plain surfaces have no outlines
	faintest = 1e-4
)

// outlines sets f, of outlineSize, to the outlines of a picture of side × side lightness values in
// [0, 1]; f has length 1, or is all 0 for a plain picture.
func outlines(f, light []float64) {
	clear(f)
	var soft [side * side]float64
	smooth(soft[:], light)
	at := func(x, y int) float64 { return soft[min(max(y, 0), side-1)*side+min(max(x, 0), side-1)] }
	var raw [outlineSize]float64
	for y := range side {
		for x := range side {
			dx, dy := at(x+1, y)-at(x-1, y), at(x, y+1)-at(x, y-1)
			strength := math.Sqrt(float64(dx*dx) + float64(dy*dy))
			if strength < 1e-6 {
				continue
			}
			turn := math.Atan2(dy, dx) / math.Pi
			turn = (turn - math.Floor(turn)) * orientations
			o := int(turn)
			part := turn - float64(o)
			first, second := o%orientations, (o+1)%orientations
			// A pixel counts for the four cells whose middles are around it.
			cx, cy := (float64(x)+0.5)/cell-0.5, (float64(y)+0.5)/cell-0.5
			x0, y0 := int(math.Floor(cx)), int(math.Floor(cy))
			fx, fy := cx-float64(x0), cy-float64(y0)
			for corner := range 4 {
				px, py, w := x0, y0, strength
				if corner&1 == 0 {
					w *= 1 - fx
				} else {
					w, px = w*fx, px+1
				}
				if corner&2 == 0 {
					w *= 1 - fy
				} else {
					w, py = w*fy, py+1
				}
				if px < 0 || py < 0 || px >= cells || py >= cells {
					continue
				}
				base := (py*cells + px) * orientations
				raw[base+first] += float64(w * (1 - part))
				raw[base+second] += float64(w * part)
			}
		}
	}
	for y := -1; y < cells; y++ {
		for x := -1; x < cells; x++ {
			normaliseBlock(f, raw[:], x, y)
		}
	}
	unit(f)
}

// normaliseBlock adds the four cells from (x, y) on, as normalised within their block, to f. Blocks
// at the rim see the cells there twice.
func normaliseBlock(f, raw []float64, x, y int) {
	sum := faintest
	for corner := range 4 {
		px, py := min(max(x+corner&1, 0), cells-1), min(max(y+corner>>1, 0), cells-1)
		for _, v := range raw[(py*cells+px)*orientations:][:orientations] {
			sum += float64(v * v)
		}
	}
	norm := math.Sqrt(sum)
	for corner := range 4 {
		px, py := x+corner&1, y+corner>>1
		if px < 0 || py < 0 || px >= cells || py >= cells {
			continue
		}
		base := (py*cells + px) * orientations
		for o := range orientations {
			f[base+o] += min(raw[base+o]/norm, clip)
		}
	}
}

// smooth sets out to means over 3 × 3 pixels, which quietens noise and the steps of small pictures.
func smooth(out, light []float64) {
	var rows [side * side]float64
	for i := range light {
		x := i % side
		rows[i] = (light[i-min(x, 1)] + light[i] + light[i+min(side-1-x, 1)]) / 3
	}
	for i := range light {
		y := i / side
		out[i] = (rows[i-side*min(y, 1)] + rows[i] + rows[i+side*min(side-1-y, 1)]) / 3
	}
}

// unit scales v to length 1, unless it is 0.
func unit(v []float64) {
	var squares float64
	for _, x := range v {
		squares += float64(x * x)
	}
	if squares < 1e-12 {
		clear(v)
		return
	}
	length := math.Sqrt(squares)
	for i := range v {
		v[i] /= length
	}
}
