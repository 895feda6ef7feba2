package outline

import (
	"image"
	"image/color"
	"math"
)

// mask reports for each pixel whether it belongs to a shape; a margin of one pixel, which does not,
// runs around.
type mask struct {
	in            []bool
	width, height int // with the margin
}

// luminance returns the brightness of a colour on white paper, in [0, 65535].
func luminance(c color.Color) float64 {
	r, g, b, a := c.RGBA()
	return float64(299*uint64(r)+587*uint64(g)+114*uint64(b))/1000 + float64(0xffff-a)
}

// binarise splits a picture into shapes and background.
func binarise(img image.Image, o Options) *mask {
	b := img.Bounds()
	m := &mask{width: b.Dx() + 2, height: b.Dy() + 2}
	m.in = make([]bool, m.width*m.height)
	threshold := o.Threshold * 0xffff
	gray, _ := img.(*image.Gray)
	whole, _ := img.(image.RGBA64Image) // most pictures, whose colours need no allocation
	lightBorder, darkBorder := 0, 0
	for y := range b.Dy() {
		for x := range b.Dx() {
			var v float64
			switch {
			case gray != nil:
				v = float64(gray.Pix[y*gray.Stride+x]) * 0x101
			case whole != nil:
				v = luminance(whole.RGBA64At(b.Min.X+x, b.Min.Y+y))
			default:
				v = luminance(img.At(b.Min.X+x, b.Min.Y+y))
			}
			light := v >= threshold
			m.in[(y+1)*m.width+x+1] = light
			if x == 0 || y == 0 || x == b.Dx()-1 || y == b.Dy()-1 {
				if light {
					lightBorder++
				} else {
					darkBorder++
				}
			}
		}
	}
	if o.Foreground == Dark || o.Foreground == Opposite && lightBorder >= darkBorder {
		for y := 1; y < m.height-1; y++ {
			row := m.in[y*m.width+1 : (y+1)*m.width-1]
			for x := range row {
				row[x] = !row[x]
			}
		}
	}
	return m
}

// shape is one component of a mask.
type shape struct {
	*mask     // nothing else is in it
	first int // its first pixel, from the top and then from the left
}

// around lists the positions of a pixel's neighbours, clockwise as seen from the one to the left.
func (m *mask) around() [8]int {
	w := m.width
	return [8]int{-1, -w - 1, -w, -w + 1, 1, w + 1, w, w - 1}
}

// largest keeps the 8-connected component with most pixels, the first of equals.
func (m *mask) largest() (shape, bool) {
	around := m.around()
	component := make([]int32, len(m.in)) // 0: not reached
	var best shape
	most, which, count := 0, int32(0), int32(0)
	var stack []int32
	for start, in := range m.in {
		if !in || component[start] != 0 {
			continue
		}
		count++
		component[start] = count
		stack = append(stack[:0], int32(start))
		size := 0
		for len(stack) > 0 {
			p := int(stack[len(stack)-1])
			stack = stack[:len(stack)-1]
			size++
			for _, step := range around {
				if q := p + step; m.in[q] && component[q] == 0 {
					component[q] = count
					stack = append(stack, int32(q))
				}
			}
		}
		if size > most {
			most, which, best.first = size, count, start
		}
	}
	if most == 0 {
		return shape{}, false
	}
	for p, c := range component {
		m.in[p] = c == which
	}
	best.mask = m
	return best, true
}

// contour returns the pixels of the outer contour, clockwise, from the first, which is the origin,
// so that it does not matter where the shape lies. It walks by Moore's neighbourhood: from each
// pixel it looks around, clockwise, from the background pixel it looked at last, and ends when it
// is about to repeat its first step.
func (s shape) contour() []point {
	around := s.around()
	next := func(p, from int) (direction int, ok bool) {
		for k := range 8 {
			if d := (from + k) % 8; s.in[p+around[d]] {
				return d, true
			}
		}
		return 0, false
	}
	at := func(p int) point {
		return point{float64(p%s.width - s.first%s.width), float64(p/s.width - s.first/s.width)}
	}
	out := []point{at(s.first)}
	start, ok := next(s.first, 0) // nothing is above or to the left of it
	if !ok {
		return out
	}
	p, d := s.first, start
	for {
		p += around[d]
		// Coming by direction d, the pixel looked at before lies at d−2 (d−3 after a diagonal
		// step), seen from here.
		from := (d + 6) % 8
		if d%2 == 1 {
			from = (d + 5) % 8
		}
		d, _ = next(p, from)
		if p == s.first && d == start {
			return out
		}
		out = append(out, at(p))
	}
}

// farthest returns the position in the contour of the pixel farthest from the contour's centre of
// gravity, the first of equals.
func farthest(contour []point) int {
	var centre point
	for _, p := range contour {
		centre.x += p.x
		centre.y += p.y
	}
	n := float64(len(contour))
	best, at := -1.0, 0
	for i, p := range contour {
		x, y := n*p.x-centre.x, n*p.y-centre.y // whole numbers, so equals are found equal
		if r := float64(x*x) + float64(y*y); r > best {
			best, at = r, i
		}
	}
	return at
}

type point struct{ x, y float64 }

func (p point) minus(q point) point { return point{p.x - q.x, p.y - q.y} }

func (p point) length() float64 { return math.Hypot(p.x, p.y) }

// segments lays vectors of one length along a closed line, from the corner at position first: each
// ends at the next position on the line that is that far from where it begins. The last one, which
// closes the round, is shorter, and left out below half the length.
func segments(line []point, first int, length float64) []point {
	n := len(line)
	at := func(i int) point { return line[(first+i)%n] }
	var vectors []point
	from := at(0)
	on := from // where on the line the search goes on
	for i := 1; i <= n; {
		to := at(i)
		if to.minus(from).length() < length {
			on = to
			i++
			continue
		}
		end := leaves(from, on, to, length)
		vectors = append(vectors, end.minus(from))
		from, on = end, end
	}
	if rest := at(0).minus(from); rest.length() >= length/2 {
		vectors = append(vectors, rest)
	}
	return vectors
}

// leaves returns the position between a and b where the line from a, nearer than length to from, to
// b, not nearer, leaves the circle around from.
func leaves(from, a, b point, length float64) point {
	d, e := b.minus(a), a.minus(from)
	// |e + t·d|² = length², the larger root
	dd := float64(d.x*d.x) + float64(d.y*d.y)
	de := float64(d.x*e.x) + float64(d.y*e.y)
	ee := float64(e.x*e.x) + float64(e.y*e.y)
	t := (math.Sqrt(max(0, float64(de*de)-float64(dd*(ee-float64(length*length))))) - de) / dd
	t = min(max(t, 0), 1)
	return point{a.x + float64(t*d.x), a.y + float64(t*d.y)}
}

// turns returns the angle in degrees, in (−180, 180], from each vector's forerunner to it; y grows
// downwards, so clockwise is positive.
func turns(vectors []point) []float64 {
	angles := make([]float64, len(vectors))
	before := vectors[len(vectors)-1]
	for i, v := range vectors {
		cross := float64(before.x*v.y) - float64(before.y*v.x)
		dot := float64(before.x*v.x) + float64(before.y*v.y)
		angles[i] = math.Atan2(cross, dot) * (180 / math.Pi)
		if angles[i] == -180 {
			angles[i] = 180
		}
		before = v
	}
	return angles
}
