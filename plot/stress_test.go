package plot

import (
	"context"
	"image/color"
	"math"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// distances are the Euclidean distances of points.
type distances dataset.Matrix

func (d distances) Len() int { return d.Rows }

func (d distances) Row(dst []float32, i int, js []int32) {
	m := dataset.Matrix(d)
	for t := range dst {
		j := t
		if js != nil {
			j = int(js[t])
		}
		dst[t] = float32(math.Hypot(m.At(i, 0)-m.At(j, 0), m.At(i, 1)-m.At(j, 1)))
	}
}

func TestShepard(t *testing.T) {
	f, err := Shepard(ShepardConfig{Delta: []float64{0, 0.5, 1}, Kappa: []float64{0, 0.5, 0.7},
		Page: Page{Subtitle: "k = 10"}})
	text := reported(t, f, err)
	expect(t, text, "k = 10 · 3 pairs · root mean square of κ − δ 0.173", "κ = δ",
		"transformed dissimilarity δ", "degree of conflict κ")
	if strings.Contains(text, "Pairs in a cell") {
		t.Errorf("three points are shown as cells: %s", text)
	}
	many := make([]float64, 5000)
	for i := range many {
		many[i] = float64(i) / 4999
	}
	f, err = Shepard(ShepardConfig{Delta: many, Kappa: many})
	expect(t, reported(t, f, err), "5\u202f000 pairs", "Pairs in a cell|84|10|1")
	s := &shepardScene{cfg: ShepardConfig{Delta: many, Kappa: many}}
	s.count()
	total := 0
	for at, n := range s.counts {
		if total += n; n > 0 && at%shepardCells != shepardCells-1-at/shepardCells {
			t.Errorf("a pair on the diagonal is in cell %d", at)
		}
	}
	if total != 5000 || s.darkness(1) != 0 || s.darkness(float64(s.most)) != 1 {
		t.Errorf("%d pairs in cells, darkness from %v to %v", total, s.darkness(1),
			s.darkness(float64(s.most)))
	}
	for problem, cfg := range map[string]ShepardConfig{
		"no pairs":        {},
		"1 dissim":        {Delta: []float64{1}},
		"row 1: the pair": {Delta: []float64{math.NaN()}, Kappa: []float64{0}},
		"row 2: the pair": {Delta: []float64{1, 0}, Kappa: []float64{0, 1.1}},
		"99 inches":       {Delta: []float64{1}, Kappa: []float64{0}, Page: Page{Width: 99}},
	} {
		if _, err := Shepard(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

// Cells are the means of the pairs of their blocks, by brute force; an object beside itself does
// not count.
func TestHeatMapCells(t *testing.T) {
	points, p := crowd(23)
	order, _ := ByCertainty(p)
	d := distances(points)
	row := make([]float32, 23)
	s := &heatScene{cfg: HeatMapConfig{Source: d, Order: order, MaxCells: 5}, n: 23}
	if err := s.check(); err != nil {
		t.Fatal(err)
	}
	if err := s.average(t.Context()); err != nil {
		t.Fatal(err)
	}
	most := 0.0
	for a := range 5 {
		for b := range 5 {
			sum, count := 0.0, 0
			for _, i := range order[a*23/5 : (a+1)*23/5] {
				d.Row(row, i, nil)
				for _, j := range order[b*23/5 : (b+1)*23/5] {
					if i != j {
						sum += float64(row[j])
						count++
					}
				}
			}
			want := sum / float64(count)
			if got := float64(s.mean[a*5+b]); math.Abs(got-want) > 1e-6 {
				t.Errorf("cell %d, %d is %v, want %v", a, b, got, want)
			}
			most = max(most, want)
		}
	}
	if math.Abs(s.most-most) > 1e-9 {
		t.Errorf("the greatest mean is %v, want %v", s.most, most)
	}
}

func TestHeatMap(t *testing.T) {
	points, p := crowd(900)
	order, groups := ByCertainty(p)
	before := ""
	for _, threads := range []int{1, 3} {
		f, err := HeatMap(t.Context(),
			HeatMapConfig{Source: distances(points), Order: order, Groups: groups,
				GroupNames: []string{"ants"}, MaxCells: 100, Threads: threads})
		expect(t, reported(t, f, err), "ants|cluster 2|cluster 3|", "Dissimilarity|",
			"cells are means over blocks of 9 to 9 objects")
		text, _ := parse(t, f)
		if strings.Count(text, "<image ") != 1 ||
			!strings.Contains(text, "data:image/png;base64,") {
			t.Error("the cells are not one PNG image")
		}
		if before != "" && text != before {
			t.Error("the number of threads changes the picture")
		}
		before = text
	}
	f, err := HeatMap(t.Context(),
		HeatMapConfig{Source: distances(points.Subset([]int{0, 1, 2})), Scale: "distance"})
	expect(t, reported(t, f, err), "|object|", "distance|")
	f, err = HeatMap(t.Context(),
		HeatMapConfig{Source: distances(points), Order: order, MaxCells: 10,
			Page: Page{XLabel: "by <certainty>"}})
	expect(t, reported(t, f, err), "|by <certainty>|")
	two := points.Subset([]int{0, 1})
	for problem, cfg := range map[string]HeatMapConfig{
		"no dissimilarities": {},
		"no dissim":          {Source: distances{Cols: 2}},
		"1 groups":           {Source: distances(two), Groups: []int{1}},
		"row 2: the group":   {Source: distances(two), Groups: []int{1, -1}},
		"5000 cells":         {Source: distances(two), MaxCells: 5000},
		"object 2 twice":     {Source: distances(two), Order: []int{1, 1}},
		"objects 1 and 1": {Source: distances(dataset.Matrix{Rows: 2, Cols: 2,
			F64: []float64{math.NaN(), 0, 0, 0}})},
		"1 inches": {Source: distances(two), Page: Page{Width: 1}},
	} {
		if _, err := HeatMap(t.Context(), cfg); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := HeatMap(ctx, HeatMapConfig{Source: distances(points)}); err != context.Canceled {
		t.Errorf("a cancelled heat map gave %v", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	src := costly{distances(points), cancel, new(atomic.Int64)}
	if _, err := HeatMap(ctx, HeatMapConfig{Source: src, Threads: 1}); err != context.Canceled ||
		src.asked.Load() > fetchPiece {
		t.Errorf("cancelled under way: %v after %d dissimilarities", err, src.asked.Load())
	}
}

// costly ends the context with its first dissimilarities, and counts those asked for.
type costly struct {
	distances
	end   context.CancelFunc
	asked *atomic.Int64
}

func (c costly) Row(dst []float32, i int, js []int32) {
	c.asked.Add(int64(len(dst)))
	c.distances.Row(dst, i, js)
	c.end()
}

// Near is dark and far is light, throughout.
func TestShadesAreOrdered(t *testing.T) {
	light := func(c color.NRGBA) float64 {
		return 0.2126*float64(c.R) + 0.7152*float64(c.G) + 0.0722*float64(c.B)
	}
	for _, scale := range []shades{closeness, slices.Clone(crowding)} {
		rising := light(scale.at(1)) > light(scale.at(0))
		for i := range 100 {
			a, b := light(scale.at(float64(i)/100)), light(scale.at(float64(i+1)/100))
			if a == b || a < b != rising {
				t.Errorf("the lightness goes from %v to %v at %d %%", a, b, i)
			}
		}
	}
	if closeness.at(-1) != closeness[0] || closeness.at(2) != closeness[len(closeness)-1] {
		t.Error("values beyond the scale have other colours than its ends")
	}
}

func TestTrace(t *testing.T) {
	f, err := Trace(TraceConfig{Starts: [][]float64{{1, 0.5, 0.01}, {2, 0.3}, {1}},
		Page: Page{Title: "descents", YLabel: "objective"}})
	expect(t, reported(t, f, err), "descents|", "start 1 of 3 won with 0.01",
		"objective (log scale)",
		"|sweeps|", "start 1, the winner|", "other starts|(2)", "|0.01|", "|0.1|", "|1|")
	f, err = Trace(TraceConfig{Starts: [][]float64{{3, 2, 1}}, Seconds: [][]float64{{0, 0.5, 2}}})
	text := reported(t, f, err)
	expect(t, text, "ends at 1", "time in seconds", "|stress")
	if strings.Contains(text, "log") || strings.Contains(text, "winner") {
		t.Errorf("one short descent: %s", text)
	}
	for _, starts := range [][][]float64{{{0}}, {{5}, {5}}, {{0, 0, 0}}, {{1e300, 1e-300}},
		{{-1, -2}}, {{1e-320, 5e-324}}} {
		f, err := Trace(TraceConfig{Starts: starts})
		reported(t, f, err)
	}
	for problem, cfg := range map[string]TraceConfig{
		"no starts":          {},
		"start 2 of 1":       {Starts: [][]float64{{1}}, Winner: 2},
		"start 2 has no":     {Starts: [][]float64{{1}, {}}},
		"value 2 of start 1": {Starts: [][]float64{{1, math.Inf(1)}}},
		"times of 0":         {Starts: [][]float64{{1}}, Seconds: [][]float64{}},
		"but 2 times":        {Starts: [][]float64{{1}}, Seconds: [][]float64{{1, 2}}},
		"time 2 of start 1":  {Starts: [][]float64{{2, 1}}, Seconds: [][]float64{{1, 0.5}}},
		"time 1 of start 1":  {Starts: [][]float64{{2}}, Seconds: [][]float64{{math.NaN()}}},
		"99 inches":          {Starts: [][]float64{{2}}, Page: Page{Height: 99}},
	} {
		if _, err := Trace(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

// Labels of a logarithmic axis stand where their values are.
func TestLogTicks(t *testing.T) {
	for _, c := range []struct {
		lo, hi float64
		want   string
	}{
		{-2, 0, "0.01 0.02 0.05 0.1 0.2 0.5 1"},
		{-0.1, 1.4, "1 2 5 10 20"},
		{-6, -1, "1e−6 1e−5 0.0001 0.001 0.01 0.1"},
		{0, 16, "1 100 10000 1e6 1e8 1e10 1e12 1e14 1e16"},
	} {
		var got []string
		for _, tick := range logTicks(axis{lo: c.lo, hi: c.hi}) {
			got = append(got, tick.label)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("from %v to %v: %v; want %s", c.lo, c.hi, got, c.want)
		}
	}
}

// A square picture has a square, beside its legend, whatever the sides of the page.
func TestShrink(t *testing.T) {
	for _, page := range [][2]vg.Length{{600, 200}, {200, 600}} {
		f := &frame{xs: axis{lo: 0, hi: 1}, ys: axis{lo: 0, hi: 1}, shrink: true, yLabel: "y"}
		f.draw(vgsvg.New(page[0], page[1]), page[0], page[1])
		if wide, high := f.xs.to-f.xs.from,
			f.ys.to-f.ys.from; math.Abs(float64(wide-high)) > 1e-9 || wide < 100 ||
			f.xs.to > page[0] || f.ys.to > page[1] {
			t.Errorf("on %v: %v by %v", page, wide, high)
		}
	}
}
