package plot

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// TestDensity against the sum of kernels, as it is written.
func TestDensity(t *testing.T) {
	points := [][2]float64{{0.2, 0.3}, {0.25, 0.5}, {0.6, 0.35}, {0.7, 0.8}}
	f := density(points)
	deviation := func(j int) float64 {
		mean := (points[0][j] + points[1][j] + points[2][j] + points[3][j]) / 4
		sum := 0.0
		for _, p := range points {
			sum += (p[j] - mean) * (p[j] - mean)
		}
		return math.Sqrt(sum / 3)
	}
	scott := math.Pow(4, -1.0/6)
	for _, node := range []int{0, 17*nodes + 20, 40*nodes + 60, nodes*nodes - 1} {
		want := 0.0
		for _, p := range points {
			u := (float64(node%nodes)/(nodes-1) - p[0]) / (scott * deviation(0))
			v := (float64(node/nodes)/(nodes-1) - p[1]) / (scott * deviation(1))
			want += math.Exp(-(u*u + v*v) / 2)
		}
		if math.Abs(f[node]-want) > 1e-8 {
			t.Errorf("node %d: %v, want %v", node, f[node], want)
		}
	}
}

// TestContourIsACircle where the density falls with the distance from a point.
func TestContourIsACircle(t *testing.T) {
	f := make(field, nodes*nodes)
	for i := range f {
		f[i] = -math.Hypot(float64(i%nodes)/(nodes-1)-0.5, float64(i/nodes)/(nodes-1)-0.4)
	}
	if p := f.peak(); math.Abs(p[0]-0.5) > 0.006 || math.Abs(p[1]-0.4) > 0.006 {
		t.Errorf("the peak is at %v", p)
	}
	lines := f.contour(-0.3)
	if len(lines) != 1 || lines[0][0] != lines[0][len(lines[0])-1] {
		t.Fatalf("%d lines", len(lines))
	}
	length := 0.0
	for i, p := range lines[0] {
		if r := math.Hypot(p[0]-0.5, p[1]-0.4); math.Abs(r-0.3) > 1e-4 {
			t.Errorf("%v is %v from the middle", p, r)
		}
		if i > 0 {
			length += math.Hypot(p[0]-lines[0][i-1][0], p[1]-lines[0][i-1][1])
		}
	}
	if math.Abs(length-0.6*math.Pi) > 0.005 {
		t.Errorf("the circle is %v long", length)
	}
	if open := f.contour(-0.45); len(open) != 1 || open[0][0] == open[0][len(open[0])-1] ||
		min(open[0][0][1], open[0][len(open[0])-1][1]) != 0 {
		t.Errorf("a circle beyond the border is %d lines", len(open))
	}
}

// TestContoursMeetEveryCrossing: of any field, each crossing of a side is on one line, and lines
// end where they began or at the border.
func TestContoursMeetEveryCrossing(t *testing.T) {
	for seed := range uint64(9) {
		rng := rand.New(rand.NewPCG(seed, 0))
		f := make(field, nodes*nodes)
		for i := range f {
			f[i] = rng.Float64()
		}
		level := float64(seed+1) / 10
		crossings := 0
		for i, v := range f {
			if i%nodes+1 < nodes && v >= level != (f[i+1] >= level) {
				crossings++
			}
			if i+nodes < len(f) && v >= level != (f[i+nodes] >= level) {
				crossings++
			}
		}
		for _, line := range f.contour(level) {
			first, last := line[0], line[len(line)-1]
			if first == last {
				crossings++ // counted twice
			} else if !atBorder(first) || !atBorder(last) {
				t.Fatalf("a line goes from %v to %v", first, last)
			}
			crossings -= len(line)
		}
		if crossings != 0 {
			t.Fatalf("%d crossings are on no line, or on several", crossings)
		}
	}
}

func atBorder(p [2]float64) bool {
	return p[0] == 0 || p[0] == 1 || p[1] == 0 || p[1] == 1
}

func TestLevelsHoldTheirShares(t *testing.T) {
	points, _ := crowd(500)
	var at [][2]float64
	for i := range points.Rows {
		at = append(at, [2]float64{0.5 + points.At(i, 0)/30, 0.5 + points.At(i, 1)/30})
	}
	f := density(at)
	for _, part := range []float64{0.1, 0.5, 0.9} {
		level, held, total := f.levelOf(part), 0.0, 0.0
		for _, v := range f {
			if total += v; v > level {
				held += v
			}
		}
		if got := held / total; math.Abs(got-part) > 0.01 {
			t.Errorf("the contour of %v holds %v", part, got)
		}
	}
}

func TestContour(t *testing.T) {
	points, _ := crowd(300)
	cfg := ContourConfig{Points: points, Classes: make([]int, 300),
		ClassNames: []string{"ants", "", "few"}, Dots: true, Page: Page{Title: "densities",
			XLabel: "length"}}
	for i := range cfg.Classes {
		cfg.Classes[i] = i % 2
	}
	cfg.Classes[0], cfg.Classes[1], cfg.Classes[2] = -1, 2, 2
	cfg.Marks = []ContourMarks{
		{Name: "asked", Points: points.Subset([]int{4, 5}), Classes: []int{0, -1}},
		{Name: "centres", Points: points.Subset([]int{6})},
		{Name: "means", Points: points.Subset([]int{7})},
	}
	f, err := Contour(cfg)
	text := reported(t, f, err)
	expect(t, text, "densities|", "length|", "ants|(", "class 2|(", "few|(2)", "asked|(2)",
		"centres|(1)", "means|(1)", "Contours hold 25, 50, 75, 95 %")
	if n := strings.Count("|"+text+"|", "|few|"); n != 1 { // two objects have no density to name
		t.Errorf("few is written %d times: %s", n, text)
	}
	a, _ := parse(t, f)
	if b, _ := parse(t, f); a != b {
		t.Error("the same figure was written in two ways")
	}
	cfg.EqualScale = true
	f, err = Contour(cfg)
	reported(t, f, err)
	flat := dataset.Matrix{Rows: 5, Cols: 2, F32: slices.Repeat([]float32{2, 3}, 5)}
	f, err = Contour(ContourConfig{Points: flat, Classes: make([]int, 5),
		ClassNames: []string{"one"}, Shares: []float64{0.5}})
	expect(t, reported(t, f, err), "one|(5)", "hold 50 %")
	two := points.Subset([]int{0, 1})
	wide := dataset.Matrix{Rows: 1, Cols: 3, F64: []float64{1, 2, 3}}
	for problem, cfg := range map[string]ContourConfig{
		"no points":          {},
		"3 coordinates, not": {Points: wide},
		"2 points but 0":     {Points: two},
		"no class 1 among 1": {Points: two, Classes: []int{0, 1}, ClassNames: []string{"a"}},
		"hold 1 of a class":  {Points: two, Classes: []int{-1, -1}, Shares: []float64{1}},
		"8 kinds of marks": {Points: two, Classes: []int{-1, -1},
			Marks: make([]ContourMarks, 8)},
		`marks "m" have 3`: {Points: two, Classes: []int{-1, -1},
			Marks: []ContourMarks{{Name: "m", Points: wide}}},
		`2 marks "m" but 1`: {Points: two, Classes: []int{-1, -1},
			Marks: []ContourMarks{{Name: "m", Points: two, Classes: []int{0}}}},
		"no class 5 among 0": {Points: two, Classes: []int{-1, -1},
			Marks: []ContourMarks{{Points: two, Classes: []int{-1, 5}}}},
		"row 1, column x: Na": {Points: dataset.Matrix{Rows: 1, Cols: 2,
			F64: []float64{math.NaN(), 1}}, Classes: []int{-1}},
		"99 inches": {Points: two, Classes: []int{-1, -1}, Page: Page{Height: 99}},
	} {
		if _, err := Contour(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

func TestStrokes(t *testing.T) {
	pen := dataset.Matrix{Rows: 3, Cols: 2, F64: []float64{0, 0, 5, 10, 10, 0}}
	dot := dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, 1}}
	f, err := Strokes(StrokesConfig{Panels: []Stroke{{"a roof", pen}, {"a dot", dot}, {"", pen}},
		Page: Page{Title: "letters", Subtitle: "by hand"}})
	expect(t, reported(t, f, err), "letters|", "by hand|", "a roof", "a dot")
	for problem, cfg := range map[string]StrokesConfig{
		"0 strokes":             {},
		"-1 in a row":           {Panels: []Stroke{{"", pen}}, Across: -1},
		"row 2: the stroke has": {Panels: []Stroke{{"", pen}, {}}},
		"row 1, column x: +Inf": {Panels: []Stroke{{"",
			dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{math.Inf(1), 1}}}}},
		"1 inches": {Panels: []Stroke{{"", pen}}, Page: Page{Width: 1}},
	} {
		if _, err := Strokes(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
	for _, name := range hostile {
		f, err := Strokes(StrokesConfig{Panels: []Stroke{{name, pen}}, Page: Page{Title: name}})
		reported(t, f, err)
		f, err = Contour(ContourConfig{Points: pen, Classes: []int{0, 0, 0},
			ClassNames: []string{name}, Marks: []ContourMarks{{Name: name, Points: dot}},
			Page: Page{Title: name}})
		reported(t, f, err)
	}
}
