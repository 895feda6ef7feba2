package plot

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
	"pgregory.net/rapid"
)

func axisOf(least, most float64) axis {
	a := newAxis(least, most)
	a.from, a.to = 50, 400
	return a
}

func labels(a axis) string {
	list, factor := a.ticks(48, func(s string) vg.Length { return vg.Length(5 * len(s)) })
	var all []string
	for _, t := range list {
		all = append(all, t.label)
	}
	return strings.TrimSpace(strings.Join(all, " ") + " " + factor)
}

func TestTickLabels(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{0, 1, "0 0.2 0.4 0.6 0.8 1.0"},
		{-3, 3, "−3 −2 −1 0 1 2 3"},
		{0, 6.5e6, "0 1 2 3 4 5 6 ×1e6"},
		{0, 7e-5, "0 1 2 3 4 5 6 7 ×1e-5"},
		{12, 12, "11.0 11.5 12.0 12.5 13.0"},
		{0, 0, "−1.0 −0.5 0 0.5 1.0"},
	} {
		if got := labels(axisOf(c.lo, c.hi)); got != c.want {
			t.Errorf("ticks of %v to %v: %s; want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// Ticks lie on the axis, in order, with labels that differ and state their position.
func TestTicks(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		lo := rapid.Float64Range(-1e300, 1e300).Draw(r, "lo")
		span := rapid.OneOf(rapid.Float64Range(0, 1e300), rapid.Just(0.0),
			rapid.Just(math.Abs(lo)*1e-8), rapid.Just(math.Abs(lo)*1e-15)).Draw(r, "span")
		a := axisOf(lo, lo+span)
		list, factor := a.ticks(48, func(s string) vg.Length { return vg.Length(5 * len(s)) })
		scale := 1.0
		if factor != "" {
			power, err := strconv.Atoi(strings.TrimPrefix(factor, "×1e"))
			if err != nil {
				r.Fatal(err)
			}
			scale = math.Pow(10, float64(power))
		}
		for i, tick := range list {
			if at := a.at(tick.value); !(at >= a.from-1e-3 && at <= a.to+1e-3) {
				r.Fatalf("tick %v of %v to %v is at %v", tick.value, a.lo, a.hi, at)
			}
			if i > 0 && (tick.value <= list[i-1].value || tick.label == list[i-1].label) {
				r.Fatalf("ticks %v", list)
			}
			v, err := strconv.ParseFloat(strings.Replace(tick.label, "−", "-", 1), 64)
			if err != nil || math.Abs(v*scale-tick.value) > (a.hi-a.lo)*1e-3+
				math.Abs(tick.value)*1e-12 {
				r.Fatalf("tick %v is labelled %s %s", tick.value, tick.label, factor)
			}
		}
		if len(list) == 0 || len(list) > 20 {
			r.Fatalf("%d ticks", len(list))
		}
	})
}

// places is a canvas that notes how far the round marks filled on it reach.
type places struct {
	vg.Canvas
	least, most vg.Point
}

func (p *places) Fill(path vg.Path) {
	if path[len(path)-1].Type == vg.CloseComp && path[1].Type == vg.ArcComp {
		at := path[1].Pos
		p.least = vg.Point{X: min(p.least.X, at.X), Y: min(p.least.Y, at.Y)}
		p.most = vg.Point{X: max(p.most.X, at.X), Y: max(p.most.Y, at.Y)}
	}
}

// The points fill the space within the axes and do not leave it.
func TestPointsFillTheAxes(t *testing.T) {
	for _, scale := range []float64{1e-200, 1, 1e200} {
		cfg := ScatterConfig{Cloud: Cloud{Points: full(200).Points}}
		for i := range cfg.Points.F64 {
			cfg.Points.F64[i] *= scale
		}
		p := &places{Canvas: vgsvg.New(400, 300), least: vg.Point{X: 1e9, Y: 1e9}}
		figure(t, cfg).draw(p, 400, 300)
		if p.least.X < 30 || p.least.X > 75 || p.most.X > 392 || p.most.X < 370 {
			t.Errorf("scale %g: points from %v to %v of 400 across", scale, p.least.X, p.most.X)
		}
		if p.least.Y < 20 || p.least.Y > 55 || p.most.Y > 292 || p.most.Y < 270 {
			t.Errorf("scale %g: points from %v to %v of 300 upwards", scale, p.least.Y, p.most.Y)
		}
	}
}

// An axis has length, whatever the values.
func TestAxisHasLength(t *testing.T) {
	for _, v := range [][2]float64{{0, 0}, {5e-324, 5e-324}, {-5e-324, 5e-324}, {0, 1e-291}, {7, 7},
		{-1e300, -1e300}, {1, math.Nextafter(1, 2)}} {
		a := axisOf(v[0], v[1])
		if !(a.hi > a.lo) || a.hi-a.lo < 1e-9*math.Abs(v[0]) || a.hi-a.lo < 1e-290 ||
			!(a.at(v[0]) > 50 && a.at(v[1]) < 400) {
			t.Errorf("%v lies on an axis from %v to %v", v, a.lo, a.hi)
		}
	}
}

// The corners are points, turn left throughout, and have every point on their left or on an edge.
func TestHull(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		var points []vg.Point
		for range rapid.IntRange(0, 40).Draw(r, "n") {
			points = append(points,
				vg.Point{X: vg.Length(rapid.IntRange(0, 9).Draw(r, "x")),
					Y: vg.Length(rapid.IntRange(0, 9).Draw(r, "y"))})
		}
		h := hull(points)
		is := map[vg.Point]bool{}
		for _, p := range points {
			is[p] = true
		}
		for i, a := range h {
			b, c := h[(i+1)%len(h)], h[(i+2)%len(h)]
			if !is[a] {
				r.Fatalf("corner %v of %v is no point", a, h)
			}
			if len(h) > 2 && turn(a, b, c) <= 0 {
				r.Fatalf("%v does not turn left at %v", h, b)
			}
			for _, p := range points {
				if turn(a, b, p) < 0 {
					r.Fatalf("%v is outside %v", p, h)
				}
			}
		}
		if len(points) > 0 && len(h) == 0 {
			r.Fatalf("no hull of %v", points)
		}
	})
}

// The name of a small group is beside it, and names overlap no others where there is space.
func TestTagsHideNoSmallGroups(t *testing.T) {
	s := &cloudScene{}
	s.xs, s.ys = axis{from: 0, to: 400}, axis{from: 0, to: 300}
	face := bold(legendSize)
	around := func(x, y, reach vg.Length) (xs, ys []vg.Length) {
		for i := vg.Length(0); i < 41; i++ {
			xs, ys = append(xs, x+(i-20)/20*reach), append(ys, y+(i-20)/20*reach)
		}
		return xs, ys
	}
	// A large group has its name in its middle.
	xs, ys := around(200, 150, 60)
	if at, _ := s.tagPlace(face, "1", xs, ys, nil); at != (vg.Point{X: 200, Y: 150}) {
		t.Errorf("the name of a large group is at %v", at)
	}
	var taken []vg.Rectangle
	for _, at := range []vg.Point{{X: 200, Y: 150}, {X: 200, Y: 158}, {X: 203, Y: 150},
		{X: 200, Y: 297}, {X: 3, Y: 3}, {X: 398, Y: 150}} {
		xs, ys := around(at.X, at.Y, 2)
		place, free := s.tagPlace(face, "12", xs, ys, taken)
		b := tagBox(face, "12", place)
		if !free {
			t.Errorf("there is no place for the name of the group at %v", at)
		}
		for _, other := range append(taken, rectangle(xs[0], ys[0], xs[40], ys[40])) {
			if overlap(b, other) {
				t.Errorf("the name of the group at %v, in %v, hides what is in %v", at, b, other)
			}
		}
		if taken = append(taken, b); b.Min.X < 0 || b.Min.Y < 0 || b.Max.X > 400 || b.Max.Y > 300 {
			t.Errorf("the name of the group at %v is in %v, beyond the axes", at, b)
		}
	}
	if _, free := s.tagPlace(face, "12", xs, ys,
		[]vg.Rectangle{rectangle(0, 0, 400, 300)}); free {
		t.Error("a place is free where there is none")
	}
}

// No two of the first 70 clusters, and no two of the first 14 classes, look the same.
func TestLooksDiffer(t *testing.T) {
	seen := map[look]int{}
	for c := range 71 {
		l := clusterLook(c)
		if before, twice := seen[l]; twice {
			t.Errorf("clusters %d and %d look the same", before, c)
		}
		seen[l] = c
	}
	clear(seen)
	for i := range 14 {
		if before, twice := seen[classLook(i)]; twice {
			t.Errorf("classes %d and %d look the same", before, i)
		}
		seen[classLook(i)] = i
	}
}

func TestCleanAndClip(t *testing.T) {
	for in, want := range map[string]string{
		"plain":                     "plain",
		"  two \t\n words ":         "two words",
		"a\x00b\x07c\u202ed\u200be": "abcde",
		"broken \xff\xc3":           "broken",
		"Ωμέγα é 5 µm":              "Ωμέγα é 5 µm",
		"\u00a0":                    "",
	} {
		if got := clean(in); got != want {
			t.Errorf("clean(%q) = %q, want %q", in, got, want)
		}
	}
	face := regular(9)
	rapid.Check(t, func(r *rapid.T) {
		s := clean(rapid.String().Draw(r, "text"))
		width := vg.Length(rapid.Float64Range(10, 300).Draw(r, "width"))
		got := clip(face, s, width)
		if face.Width(got) > width && got != "…" {
			r.Fatalf("%q is wider than %v", got, width)
		}
		if face.Width(s) <= width && got != s {
			r.Fatalf("%q was cut to %q although it fits", s, got)
		}
	})
	for n, want := range map[int]string{0: "0", 7: "7", 999: "999", 1000: "1\u202f000",
		1234567: "1\u202f234\u202f567"} {
		if got := grouped(n); got != want {
			t.Errorf("grouped(%d) = %q", n, got)
		}
	}
}

func TestLegendIsCutWhereItIsLongest(t *testing.T) {
	l := legend{{entries: make([]entry, 40)}, {heading: "h", entries: make([]entry, 3)}}
	shown := l.fit(20*entryHeight + sectionGap)
	if shown[0] != 15 || shown[1] != 3 { // and a line "… and 25 more", and the heading
		t.Errorf("shown %v", shown)
	}
	if shown = l.fit(1000 * entryHeight); shown[0] != 40 {
		t.Errorf("cut without need: %v", shown)
	}
}
