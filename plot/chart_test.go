package plot

import (
	"bytes"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgsvg"
	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/fault"
)

var nan = math.NaN()

// curves is a chart with a series of each kind that can stand together.
func curves() ChartConfig {
	return ChartConfig{
		Title: "after answers", Subtitle: "three trials", X: "answers", Y: "index",
		Series: []Series{
			{Name: "COBRA", X: []float64{0, 10, 20, 30}, Y: []float64{0.1, nan, 0.5, 0.7},
				Low: []float64{0, nan, 0.4, 0.6}, High: []float64{0.2, nan, 0.6, 0.8}},
			{Name: "COBRAS", X: []float64{0, 10, 20, 30}, Y: []float64{0.2, 0.4, 0.6, 0.9},
				Low: []float64{0, 0.3, 0.4, 0.6}, High: []float64{0.3, 0.5, 0.8, 1},
				Whiskers: true},
			{Name: "bound", Kind: Steps, X: []float64{0, 15}, Y: []float64{0.8, 0.9}},
			{Name: "best", Kind: Points, X: []float64{25}, Y: []float64{0.95},
				Labels: []string{"seed 7"}},
		},
	}
}

// boxes is a chart over names, with boxes and bars.
func boxesAndBars() ChartConfig {
	return ChartConfig{
		Title: "by set", Y: "seconds", Ticks: []string{"iris", "wine", "none"},
		Series: []Series{
			{Name: "samples", Kind: Boxes,
				Values: [][]float64{{1, 2, 3, 4, 20}, {2, nan, 3}, {nan}}},
			{Name: "means", Kind: Bars, Y: []float64{6, 2.5, nan}, Low: []float64{4, 2, nan},
				High: []float64{8, 3, nan}},
			{Name: "marks", Kind: Points, Y: []float64{5, 2, nan}},
		},
	}
}

func chart(t *testing.T, cfg ChartConfig) string {
	t.Helper()
	f, err := Chart(cfg)
	return reported(t, f, err)
}

func TestChartStatesWhatItShows(t *testing.T) {
	expect(t, chart(t, curves()), "after answers|", "three trials", "|answers|", "|index", "COBRA|",
		"COBRAS|", "bound|", "best|", "seed 7", "|0.2|", "|30|")
	expect(t, chart(t, boxesAndBars()), "by set", "iris|", "wine|", "none|", "samples|", "means|",
		"marks", "seconds")
	log := curves()
	log.LogY, log.Series = true,
		[]Series{{X: []float64{1, 2, 3}, Y: []float64{1, 10, 1000}, Low: []float64{0, -1, 100},
			High: []float64{2, 20, 2000}}}
	expect(t, chart(t, log), "index (log scale)", "|1|", "|10|", "|100|", "|1000|")
	log.LogX, log.Series[0].X = true, []float64{12, 14, 17} // no power of ten is near
	expect(t, chart(t, log), "answers (log scale)", "|14|")
}

// TestPanelsShareALegend: names and the labels that all panels have are written once, and a name
// looks the same everywhere.
func TestPanelsShareALegend(t *testing.T) {
	cfg := ChartConfig{Title: "all sets", X: "answers", Y: "index", Panels: []ChartConfig{
		{Title: "iris", Series: []Series{{Name: "b", Y: []float64{1, 2}}}},
		{Title: "wine", Series: []Series{{Name: "a", Y: []float64{1, 2}},
			{Name: "b", Y: []float64{2, 3}}}},
		{Title: "glass", Series: []Series{{Name: "a", Y: []float64{1, 2}}}, YMin: new(float64)},
	}}
	text := "|" + chart(t, cfg) + "|"
	for _, once := range []string{"all sets", "answers", "index", "iris", "wine", "glass", "a",
		"b"} {
		if n := strings.Count(text, "|"+once+"|"); n != 1 {
			t.Errorf("%q is written %d times: %s", once, n, text)
		}
	}
	cfg.Panels[2].Y = "rank"
	if text = "|" + chart(t, cfg) + "|"; strings.Count(text, "|index|") != 2 ||
		strings.Count(text, "|rank|") != 1 {
		t.Errorf("labels that differ are not those of the panels: %s", text)
	}
	s, err := newChart(cfg)
	if err != nil {
		t.Fatal(err)
	}
	b1, a1, b2, a2 := s.panels[0].series[0], s.panels[1].series[0], s.panels[1].series[1],
		s.panels[2].series[0]
	if a1.look != a2.look || b1.look != b2.look || a1.look == b1.look ||
		!slices.Equal(a1.dashes, a2.dashes) || slices.Equal(a1.dashes, b1.dashes) {
		t.Errorf("looks %v and %v, %v and %v", a1.look, a2.look, b1.look, b2.look)
	}
	if s.panels[2].ys.lo != 0 || s.panels[1].ys.lo == 0 {
		t.Errorf("the limit of one panel is not its own: %v, %v", s.panels[2].ys, s.panels[1].ys)
	}
}

// TestBoxNumbers against numpy.percentile, and whiskers by hand.
func TestBoxNumbers(t *testing.T) {
	for _, c := range []struct {
		sample []float64
		want   fiveNumbers
	}{
		{[]float64{30, 1, 2, 3, 4, 5, 6, 7, 8},
			fiveNumbers{low: 1, first: 3, median: 5, third: 7, high: 8, beyond: []float64{30}}},
		{[]float64{2, 4, 4, 5, 7, 9, nan, 11, 12},
			fiveNumbers{low: 2, first: 4, median: 6, third: 9.5, high: 12}},
		{[]float64{3, 1, 4, 1, 5, 9, 2, 6, 5, 3},
			fiveNumbers{low: 1, first: 2.25, median: 3.5, third: 5, high: 9}},
		{[]float64{7}, fiveNumbers{7, 7, 7, 7, 7, nil}},
		{[]float64{-9, 1, 1, 1, 1}, fiveNumbers{1, 1, 1, 1, 1, []float64{-9}}},
	} {
		if got, ok := boxOf(c.sample); !ok ||
			!cmp.Equal(got, c.want, cmp.AllowUnexported(fiveNumbers{})) {
			t.Errorf("box of %v: %+v, want %+v", c.sample, got, c.want)
		}
	}
	if _, ok := boxOf([]float64{nan}); ok {
		t.Error("there is a box of nothing")
	}
}

// TestValuesStandWhereTheAxesSay: powers of ten are evenly apart on a logarithmic axis, and what
// is drawn side by side over one name neither overlaps nor leaves the width of the name.
func TestValuesStandWhereTheAxesSay(t *testing.T) {
	s, err := newChart(ChartConfig{LogX: true, LogY: true,
		Series: []Series{{X: []float64{1, 10, 100}, Y: []float64{0.1, 1, 10}}}})
	if err != nil {
		t.Fatal(err)
	}
	p := s.panels[0]
	p.frame.draw(vgsvg.New(500, 400), 500, 400)
	d := &p.series[0]
	a, b, c := p.on(d, 1, 0.1), p.on(d, 10, 1), p.on(d, 100, 10)
	if math.Abs(float64(b.X-a.X-(c.X-b.X))) > 1e-9 || math.Abs(float64(b.Y-a.Y-(c.Y-b.Y))) > 1e-9 ||
		b.X <= a.X || b.Y <= a.Y {
		t.Errorf("powers of ten stand at %v, %v and %v", a, b, c)
	}
	if s, err = newChart(boxesAndBars()); err != nil {
		t.Fatal(err)
	}
	last := -0.5
	for _, d := range s.panels[0].series {
		if d.shift-d.half < last || d.half <= 0 || d.shift+d.half > 0.5 {
			t.Errorf("%s is drawn from %v to %v, and another up to %v", d.Name, d.shift-d.half,
				d.shift+d.half, last)
		}
		last = d.shift + d.half
	}
	if s.panels[0].ys.lo != 0 {
		t.Errorf("bars stand on %v", s.panels[0].ys.lo)
	}
}

// TestLinesReadInGrey: lines have dashes of their own, unless a series asks to be the dashed one.
func TestLinesReadInGrey(t *testing.T) {
	cfg := ChartConfig{}
	for i := range 3 {
		cfg.Series = append(cfg.Series, Series{Name: strconv.Itoa(i), Y: []float64{0, float64(i)}})
	}
	dashed := func() (n int) {
		f, err := Chart(cfg)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := parse(t, f)
		return strings.Count(text, "stroke-dasharray")
	}
	if got := dashed(); got != 4 { // two lines, and their samples in the legend
		t.Errorf("%d dashed lines", got)
	}
	cfg.Series[0].Dashed = true
	if got := dashed(); got != 2 {
		t.Errorf("%d dashed lines where one is set", got)
	}
}

// TestABandIsExplainedWhereThereIsOne: intervals that are all NaN, as those of a single trial,
// leave none.
func TestABandIsExplainedWhereThereIsOne(t *testing.T) {
	shapes := func(low, high []float64) int {
		f, err := Chart(ChartConfig{YMin: ptr(0.0), YMax: ptr(3.0),
			Series: []Series{{Name: "a", Y: []float64{1, 2}, Low: low, High: high}}})
		if err != nil {
			t.Fatal(err)
		}
		text, _ := parse(t, f)
		return strings.Count(text, "<path")
	}
	none, some := shapes([]float64{nan, nan}, []float64{nan, nan}),
		shapes([]float64{0, 1}, []float64{2, 3})
	if plain := shapes(nil, nil); none != plain || some != plain+2 { // the band, and its sample
		t.Errorf("%d shapes without intervals, %d with none of them known, %d with all", plain,
			none, some)
	}
}

// TestWhatLiesBeyondLimitsIsCutOff: nothing is drawn outside the axes.
func TestWhatLiesBeyondLimitsIsCutOff(t *testing.T) {
	lo, hi := 0.3, 0.6
	for _, cfg := range []ChartConfig{curves(), boxesAndBars()} {
		whole, err := Chart(cfg)
		if err != nil {
			t.Fatal(err)
		}
		cfg.YMin, cfg.YMax = &lo, &hi
		cut, err := Chart(cfg)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := parse(t, whole)
		b, _ := parse(t, cut)
		if strings.Count(b, "<path") >= strings.Count(a, "<path") {
			t.Errorf("%s: the cut chart has %d paths, the whole one %d", cfg.Title,
				strings.Count(b, "<path"), strings.Count(a, "<path"))
		}
		s, err := newChart(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if p := s.panels[0]; p.ys.lo != lo || p.ys.hi != hi {
			t.Errorf("the axis goes from %v to %v", p.ys.lo, p.ys.hi)
		}
	}
}

func TestNamesTurnWhereTheyDoNotFit(t *testing.T) {
	turned := func(names ...string) bool {
		cfg := ChartConfig{Ticks: names,
			Series: []Series{{Kind: Bars, Y: make([]float64, len(names))}}}
		expect(t, chart(t, cfg), names[0]+"|")
		s, err := newChart(cfg)
		if err != nil {
			t.Fatal(err)
		}
		s.panels[0].frame.draw(vgsvg.New(400, 300), 400, 300)
		return s.panels[0].turned
	}
	if turned("iris", "wine") ||
		!turned("breast cancer", "ionosphere", "pendigits", "segmentation", "twenty newsgroups") {
		t.Error("short names are turned, or long ones are not")
	}
}

func TestChartRefuses(t *testing.T) {
	y := []float64{1, 2}
	one := func(s Series) ChartConfig { return ChartConfig{Series: []Series{s}} }
	for problem, cfg := range map[string]ChartConfig{
		"there is nothing to draw":  {},
		"nothing to draw":           one(Series{Y: []float64{nan}}),
		"panel 2: there is nothing": {Panels: []ChartConfig{curves(), {}}},
		"both 4 series and 1 panels": {Series: curves().Series,
			Panels: []ChartConfig{curves()}},
		"panel 1: it has panels": {Panels: []ChartConfig{{Panels: []ChartConfig{curves()}}}},
		"-1 panels in a row": {Across: -1,
			Panels: []ChartConfig{curves()}},
		`series "a": there are 3 positions but 2`: one(Series{Name: "a", X: []float64{1, 2, 3},
			Y: y}),
		"series 1: there are 2 values but 1 lower": one(Series{Y: y, Low: []float64{0},
			High: []float64{3}}),
		"2 values but 2 lower and 0 upper": one(Series{Y: y, Low: y}),
		"2 values but 1 labels":            one(Series{Y: y, Labels: []string{"x"}}),
		"interval 2 goes from 3 to 2": one(Series{Y: y, Low: []float64{0, 3},
			High: []float64{1, 2}}),
		"value 2 is +Inf": one(Series{Y: []float64{1, math.Inf(1)}}),
		"position 1 is -Inf": one(Series{X: []float64{math.Inf(-1)},
			Y: []float64{1}}),
		"position 2 is NaN": one(Series{X: []float64{0, nan}, Y: y}),
		"upper end 1 is 1e+301": one(Series{Y: y, Low: y,
			High: []float64{1e301, 3}}),
		"boxes have Y": one(Series{Kind: Boxes, Y: y}),
		"only boxes have samples": one(Series{Y: y,
			Values: [][]float64{y, y}}),
		"no kind 9": one(Series{Kind: 9, Y: y}),
		"value 1 is 0": {LogY: true,
			Series: []Series{{Y: []float64{0, 1}}}},
		"value 1 is -1": {LogY: true,
			Series: []Series{{Kind: Boxes, Values: [][]float64{{2, -1}}}}},
		"position 1 is 0": {LogX: true, Series: []Series{{Y: y}}},
		"logarithmic but has names": {LogX: true, Ticks: []string{"a"},
			Series: []Series{{X: y, Y: y}}},
		"y axis cannot end at -1": {LogY: true, YMin: ptr(-1.0),
			Series: []Series{{Y: y}}},
		"an axis cannot end at NaN":  {YMin: &nan, Series: []Series{{Y: y}}},
		"the y axis would go from 5": {YMin: ptr(5.0), Series: []Series{{Y: y}}},
		"panel 1: the x axis would go from 3 to 2": {XMin: ptr(3.0), XMax: ptr(2.0),
			Panels: []ChartConfig{{Series: []Series{{Y: y}}}}},
		"50 inches": {Width: 50, Series: []Series{{Y: y}}},
		`panel 1, series "a": there are 1 positions b`: {Panels: []ChartConfig{one(Series{Name: "a",
			X: []float64{1}, Y: y})}},
	} {
		if _, err := Chart(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

func ptr(v float64) *float64 { return &v }

// anySeries draws a series of anything that is allowed.
func anySeries(r *rapid.T, positive bool) Series {
	value := rapid.OneOf(rapid.Float64Range(-10, 10), rapid.Float64Range(-1e300, 1e300),
		rapid.SampledFrom([]float64{0, nan, 1e-310, -1e300}))
	if positive {
		value = rapid.OneOf(rapid.Float64Range(1e-3, 1e3), rapid.Float64Range(1e-300, 1e300),
			rapid.SampledFrom([]float64{nan, 1, 5e-324}))
	}
	n := rapid.IntRange(1, 30).Draw(r, "n")
	list := func(what string) []float64 { return rapid.SliceOfN(value, n, n).Draw(r, what) }
	s := Series{Name: rapid.SampledFrom(append([]string{"a", "b", ""}, hostile...)).Draw(r, "name"),
		Kind: SeriesKind(rapid.IntRange(0, 4).Draw(r, "kind"))}
	if rapid.Bool().Draw(r, "dashed") {
		s.Dashed = true
	}
	if s.Kind == Boxes {
		s.Values = rapid.SliceOfN(rapid.SliceOfN(value, 0, 9), n, n).Draw(r, "values")
		return s
	}
	s.Y = list("y")
	if rapid.Bool().Draw(r, "interval") {
		s.Low, s.High = list("low"), list("high")
		for i, v := range s.Low {
			if v > s.High[i] {
				s.Low[i], s.High[i] = s.High[i], v
			}
		}
		s.Whiskers = rapid.Bool().Draw(r, "whiskers")
	}
	if rapid.Bool().Draw(r, "labels") {
		s.Labels = rapid.SliceOfN(rapid.SampledFrom(append(hostile, "x", "")), n, n).Draw(r,
			"labels")
	}
	return s
}

// TestAnyChartIsDrawn: whatever is allowed becomes a figure without NaN that is the same twice,
// beside a legend that covers no data.
func TestAnyChartIsDrawn(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		panel := func() ChartConfig {
			cfg := ChartConfig{Title: rapid.SampledFrom(hostile).Draw(r, "title"),
				LogY: rapid.Bool().Draw(r, "log")}
			for range rapid.IntRange(1, 3).Draw(r, "series") {
				cfg.Series = append(cfg.Series, anySeries(r, cfg.LogY))
			}
			if rapid.Bool().Draw(r, "names") {
				cfg.Ticks = rapid.SliceOfN(rapid.SampledFrom(append(hostile, "iris")), 1,
					50).Draw(r, "ticks")
			}
			return cfg
		}
		cfg := panel()
		if n := rapid.IntRange(0, 5).Draw(r, "panels"); n > 0 {
			cfg = ChartConfig{Across: rapid.IntRange(0, 3).Draw(r, "across")}
			for range n {
				cfg.Panels = append(cfg.Panels, panel())
			}
		}
		f, err := Chart(cfg)
		if fault.IsInput(err) && strings.Contains(err.Error(), "nothing to draw") {
			return
		}
		if err != nil {
			r.Fatal(err)
		}
		a, _ := parse(t, f)
		if b, _ := parse(t, f); a != b {
			r.Fatal("the same figure was written in two ways")
		}
		s, err := newChart(cfg)
		if err != nil {
			r.Fatal(err)
		}
		c := vgsvg.New(600, 500)
		s.draw(c, 600, 500)
		for i, p := range s.panels {
			wide := vg.Length(600) / vg.Length(s.across)
			if len(cfg.Panels) == 0 {
				if l := p.legend.width(600 * 0.34); l > 0 {
					wide -= l + 14
				}
			}
			if p.xs.to > wide || p.xs.from >= p.xs.to || p.ys.from >= p.ys.to {
				r.Fatalf("panel %d has its axes from %v to %v and from %v to %v, and %v beside "+
					"the legend", i+1, p.xs.from, p.xs.to, p.ys.from, p.ys.to, wide)
			}
		}
	})
}

// TestChartLeavesItsConfigAlone: slices are neither changed nor kept.
func TestChartLeavesItsConfigAlone(t *testing.T) {
	cfg, same := boxesAndBars(), boxesAndBars()
	rng := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		cfg.Series[0].Values[0] = append(cfg.Series[0].Values[0], rng.Float64())
	}
	same.Series[0].Values[0] = slices.Clone(cfg.Series[0].Values[0])
	f, err := Chart(cfg)
	if err != nil {
		t.Fatal(err)
	}
	var before, after bytes.Buffer
	if err := f.WriteSVG(&before); err != nil {
		t.Fatal(err)
	}
	if err := f.WriteSVG(&after); err != nil {
		t.Fatal(err)
	}
	equal := cmp.Comparer(func(a, b float64) bool { return a == b || a != a && b != b })
	if d := cmp.Diff(same, cfg, equal); d != "" || !bytes.Equal(before.Bytes(), after.Bytes()) {
		t.Errorf("the config was changed: %s", d)
	}
}
