package plot

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
)

func newChart(cfg ChartConfig) (*chartScene, error) {
	configs, err := panelsOf(cfg)
	if err != nil {
		return nil, err
	}
	s := &chartScene{across: 1, down: 1}
	looks := newChartLooks(configs)
	for i, c := range configs {
		p, err := newPanel(panelName(cfg, i), c, looks)
		if err != nil {
			return nil, err
		}
		s.panels = append(s.panels, p)
	}
	l := chartLegend(s.panels)
	if len(cfg.Panels) > 0 {
		s.across = cfg.Across
		s.across = cmp.Or(s.across, int(math.Ceil(math.Sqrt(float64(len(configs))))))
		s.across = min(s.across, len(configs))
		s.down = (len(configs) + s.across - 1) / s.across
		if cfg.Width == 0 {
			cfg.Width = min(40, max(4,
				2.5*float64(s.across)+0.4+float64(l.width(3*vg.Inch)/vg.Inch)))
		}
		cfg.Height = cmp.Or(cfg.Height, min(40, max(3, 2.1*float64(s.down)+0.6)))
	}
	page := Page{Title: cfg.Title, Subtitle: cfg.Subtitle, Width: cfg.Width, Height: cfg.Height}
	if err := s.page.begin(page, "", ""); err != nil {
		return nil, err
	}
	if len(cfg.Panels) == 0 {
		s.panels[0].legend = l
		return s, nil
	}
	s.page.legend = l
	// the label that all panels have, which is taken from them
	same := func(label func(p *panel) *string) string {
		text := *label(s.panels[0])
		for _, p := range s.panels {
			if *label(p) != text {
				return ""
			}
		}
		for _, p := range s.panels {
			*label(p) = ""
		}
		return text
	}
	s.page.xLabel = same(func(p *panel) *string { return &p.xLabel })
	s.page.yLabel = same(func(p *panel) *string { return &p.yLabel })
	for _, p := range s.panels {
		p.small = true
	}
	return s, nil
}

// chartLooks returns each name its look, in the order in which names come.
type chartLooks struct {
	order  map[string]int
	dashes map[string][]vg.Length
	fill   map[string]int
	boxes  int // names of boxes
}

var lineDashes = [][]vg.Length{nil, {6, 2.5}, {1.4, 2}, {7, 2, 1.4, 2}, {3, 1.5}, {10, 3, 3, 3}}

// chartKey is what a look goes by: the name of a series, or its position where it has none.
func chartKey(i int, s Series) string {
	if s.Name != "" {
		return s.Name
	}
	return fmt.Sprint("\x00", i)
}

func newChartLooks(configs []ChartConfig) chartLooks {
	l := chartLooks{map[string]int{}, map[string][]vg.Length{}, map[string]int{}, 0}
	asked := false
	lines, boxes := map[string]bool{}, map[string]bool{}
	for _, c := range configs {
		for i, s := range c.Series {
			key := chartKey(i, s)
			if _, known := l.order[key]; !known {
				l.order[key] = len(l.order)
			}
			asked = asked || s.Dashed
			switch s.Kind {
			case Line, Steps:
				if !lines[key] {
					l.dashes[key] = lineDashes[len(lines)%len(lineDashes)]
				}
				lines[key] = true
			case Bars:
				if _, known := l.fill[key]; !known {
					l.fill[key] = len(l.fill)
				}
			case Boxes:
				boxes[key] = true
			}
		}
	}
	if asked {
		clear(l.dashes)
	}
	l.boxes = len(boxes)
	return l
}

// newPanel makes the axes of a checked chart without panels, and puts its series beside each other.
func newPanel(where string, c ChartConfig, looks chartLooks) (*panel, error) {
	p := &panel{cfg: c}
	for i, s := range c.Series {
		key := chartKey(i, s)
		d := drawnSeries{Series: s, look: clusterLook(looks.order[key] + 1),
			dashes: looks.dashes[key], fill: looks.fill[key], marked: looks.boxes > 1}
		if s.Dashed {
			d.dashes = []vg.Length{5, 3}
		}
		p.series = append(p.series, d)
	}
	p.standBeside()
	least, most := p.across()
	var err error
	if p.xs, err = axisWithin(where, "x", least, most, c.XMin, c.XMax, c.LogX,
		len(c.Ticks) > 0); err != nil {
		return nil, err
	}
	least, most, foot := p.upwards()
	if p.ys, err = axisWithin(where, "y", least, most, c.YMin, c.YMax, c.LogY, false); err != nil {
		return nil, err
	}
	if foot && c.YMin == nil && least == 0 {
		p.ys.lo = 0
	}
	p.title, p.note, p.xLabel, p.yLabel, p.names = c.Title, c.Subtitle, c.X, c.Y, c.Ticks
	if c.LogX {
		p.xTicks = func(a axis) []tick { return logTicksApart(a, 30) }
		p.xLabel = logLabel(p.xLabel)
	}
	if c.LogY {
		p.yTicks = func(a axis) []tick { return logTicksApart(a, 12) }
		p.yLabel = logLabel(p.yLabel)
	}
	return p, nil
}

func logLabel(label string) string {
	if label == "" {
		return "log scale"
	}
	return label + " (log scale)"
}

// logTicksApart labels an axis of common logarithms at least some points apart, by round numbers of
// the values where no powers of ten and their like lie on it.
func logTicksApart(a axis, apart vg.Length) []tick {
	list := logTicks(a)
	if len(list) < 2 {
		list = nil
		values, factor := axis{lo: math.Pow(10, a.lo), hi: math.Pow(10, a.hi), from: a.from,
			to: a.to}.ticks(2*apart, func(string) vg.Length { return apart })
		if factor != "" {
			return logTicks(a)
		}
		for _, t := range values {
			if t.value > 0 {
				list = append(list, tick{math.Log10(t.value), t.label})
			}
		}
		return list
	}
	fits := func(list []tick) bool {
		for i := 1; i < len(list); i++ {
			if a.at(list[i].value)-a.at(list[i-1].value) < apart {
				return false
			}
		}
		return true
	}
	if fits(list) {
		return list
	}
	whole := slices.DeleteFunc(slices.Clone(list),
		func(t tick) bool { return t.value != math.Floor(t.value) })
	if len(whole) < 2 {
		whole = list
	}
	for every := 1; ; every++ {
		var some []tick
		for i := 0; i < len(whole); i += every {
			some = append(some, whole[i])
		}
		if fits(some) {
			return some
		}
	}
}

// standBeside returns boxes and bars, and points over names, their widths and shifts.
func (p *panel) standBeside() {
	var beside []int
	var places []float64
	for i, s := range p.series {
		if s.Kind == Boxes || s.Kind == Bars || s.Kind == Points && len(p.cfg.Ticks) > 0 {
			beside = append(beside, i)
			for _, x := range s.X {
				places = append(places, p.mapX(x))
			}
		}
	}
	slices.Sort(places)
	gap := math.Inf(1)
	if len(p.cfg.Ticks) > 0 {
		gap = 1
	}
	for i := 1; i < len(places); i++ {
		if d := places[i] - places[i-1]; d > 0 {
			gap = min(gap, d)
		}
	}
	if math.IsInf(gap, 1) {
		gap = 1
	}
	k := float64(len(beside))
	width := float64(0.8*gap) / k
	if k == 1 {
		width = float64(0.55 * gap)
	}
	for at, i := range beside {
		p.series[i].shift = float64((float64(at) - (k-1)/2) * width)
		p.series[i].half = float64(0.43 * width)
	}
}

func (p *panel) mapX(x float64) float64 { return scaled(x, p.cfg.LogX) }

func (p *panel) mapY(y float64) float64 { return scaled(y, p.cfg.LogY) }

// across returns the ends of what is drawn along x.
func (p *panel) across() (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	if n := len(p.cfg.Ticks); n > 0 {
		least, most = -0.5, float64(n)-0.5
	}
	for _, s := range p.series {
		for _, x := range s.X {
			x = p.mapX(x)
			reach := max(s.half, 0)
			least, most = min(least, x+s.shift-reach), max(most, x+s.shift+reach)
		}
	}
	return least, most
}

// upwards returns the ends of what is drawn along y, and whether there are bars that stand on 0.
func (p *panel) upwards() (least, most float64, foot bool) {
	least, most = math.Inf(1), math.Inf(-1)
	see := func(v float64) {
		if v == v && !(p.cfg.LogY && v <= 0) {
			v = p.mapY(v)
			least, most = min(least, v), max(most, v)
		}
	}
	for _, s := range p.series {
		for _, list := range append([][]float64{s.Y, s.Low, s.High}, s.Values...) {
			for _, v := range list {
				see(v)
			}
		}
		if s.Kind == Bars && !p.cfg.LogY {
			see(0)
			foot = true
		}
	}
	return least, most, foot
}

// axisWithin makes an axis from the ends of the data, which are mapped, and from limits, which are
// not.
func axisWithin(where, name string, least, most float64, lo, hi *float64, log, exact bool) (axis,
	error) {
	a := newAxis(least, most)
	if exact {
		a.lo, a.hi = least, most
	}
	for _, end := range []struct {
		limit *float64
		to    *float64
	}{{lo, &a.lo}, {hi, &a.hi}} {
		switch {
		case end.limit == nil:
		case log && *end.limit <= 0:
			return a, chartFault(where, "limits of a logarithmic axis are positive",
				"the %s axis cannot end at %v", name, *end.limit)
		case log:
			*end.to = math.Log10(*end.limit)
		default:
			*end.to = *end.limit
		}
	}
	if !(a.lo < a.hi) {
		return a, chartFault(where, "let the limits hold some of the data",
			"the %s axis would go from %v to %v", name, a.lo, a.hi)
	}
	return a, nil
}
