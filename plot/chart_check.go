package plot

import (
	"cmp"
	"fmt"
	"math"

	"github.com/kindred-go/kindred/fault"
)

// chartFault names the location of what cannot be drawn.
func chartFault(where, fix, format string, args ...any) error {
	if where != "" {
		format, args = "%s: "+format, append([]any{where}, args...)
	}
	return fault.Inputf(fix, format, args...)
}

// panelsOf checks a chart and returns its panels, which have what they leave out from the chart
// around them, with texts cleaned.
func panelsOf(cfg ChartConfig) ([]ChartConfig, error) {
	panels := cfg.Panels
	switch {
	case len(panels) == 0:
		panels = []ChartConfig{cfg}
	case len(cfg.Series) > 0:
		return nil, chartFault("", "put the series into the panels",
			"the chart has both %d series and %d panels", len(cfg.Series), len(cfg.Panels))
	case cfg.Across < 0:
		return nil, chartFault("", "give a number from 1, or 0",
			"there cannot be %d panels in a row", cfg.Across)
	}
	all := make([]ChartConfig, len(panels))
	for i, p := range panels {
		where := panelName(cfg, i)
		if len(p.Panels) > 0 {
			return nil, chartFault(where, "give panels of series", "it has panels itself")
		}
		if p.Ticks == nil {
			p.Ticks = cfg.Ticks
		}
		p.LogX, p.LogY = p.LogX || cfg.LogX, p.LogY || cfg.LogY
		p.XMin, p.XMax, p.YMin, p.YMax = cmp.Or(p.XMin, cfg.XMin), cmp.Or(p.XMax, cfg.XMax),
			cmp.Or(p.YMin, cfg.YMin), cmp.Or(p.YMax, cfg.YMax)
		p.Title, p.Subtitle, p.Ticks = clean(p.Title), clean(p.Subtitle), cleaned(p.Ticks)
		p.X, p.Y = cmp.Or(clean(p.X), clean(cfg.X)), cmp.Or(clean(p.Y), clean(cfg.Y))
		var err error
		if p.Series, err = checkPanel(where, p); err != nil {
			return nil, err
		}
		all[i] = p
	}
	return all, nil
}

// panelName names panel i of a chart with panels.
func panelName(cfg ChartConfig, i int) string {
	if len(cfg.Panels) == 0 {
		return ""
	}
	return fmt.Sprintf("panel %d", i+1)
}

// checkPanel returns the series with their positions and clean names.
func checkPanel(where string, p ChartConfig) ([]Series, error) {
	for _, limit := range []*float64{p.XMin, p.XMax, p.YMin, p.YMax} {
		if limit != nil && !(math.Abs(*limit) <= 1e300) {
			return nil, chartFault(where, "limits are finite numbers", "an axis cannot end at %v",
				*limit)
		}
	}
	if p.LogX && len(p.Ticks) > 0 {
		return nil, chartFault(where, "leave one out", "the axis is logarithmic but has names")
	}
	something := false
	out := make([]Series, len(p.Series))
	for i, s := range p.Series {
		name := fmt.Sprintf("series %d", i+1)
		if s.Name = clean(s.Name); s.Name != "" {
			name = fmt.Sprintf("series %q", s.Name)
		}
		if where != "" {
			name = where + ", " + name
		}
		found, err := checkSeries(name, &s, p.LogX, p.LogY)
		if err != nil {
			return nil, err
		}
		something = something || found
		out[i] = s
	}
	if !something {
		return nil, chartFault(where, "give at least one value", "there is nothing to draw")
	}
	return out, nil
}

// checkSeries refuses what cannot be drawn, fills in positions, and reports whether there is a
// value.
func checkSeries(name string, s *Series, logX, logY bool) (something bool, err error) {
	if s.Kind < Line || s.Kind > Bars {
		return false, chartFault(name, "choose Line, Points, Boxes, Steps or Bars",
			"there is no kind %d", s.Kind)
	}
	n := len(s.Y)
	if s.Kind == Boxes {
		if n = len(s.Values); s.Y != nil || s.Low != nil || s.High != nil {
			return false, chartFault(name, "give boxes their samples alone, as Values",
				"boxes have Y, Low or High")
		}
	} else if s.Values != nil {
		return false, chartFault(name, "choose Boxes", "only boxes have samples")
	}
	if s.X == nil {
		s.X = make([]float64, n)
		for i := range s.X {
			s.X[i] = float64(i)
		}
	}
	switch {
	case len(s.X) != n:
		return false, chartFault(name, "give a value a position",
			"there are %d positions but %d values", len(s.X), n)
	case len(s.Low) != len(s.High) || s.Low != nil && len(s.Low) != n:
		return false, chartFault(name, "give both ends for each value, or none",
			"there are %d values but %d lower and %d upper ends", n, len(s.Low), len(s.High))
	case s.Labels != nil && len(s.Labels) != n:
		return false, chartFault(name, "give a label a value, or none",
			"there are %d values but %d labels", n, len(s.Labels))
	}
	s.Labels = cleaned(s.Labels)
	drawable := func(what string, v float64, log bool) error {
		switch {
		case math.Abs(v) > 1e300:
			return chartFault(name, "values are finite numbers, or NaN where there is none",
				"%s is %v", what, v)
		case log && v <= 0:
			return chartFault(name, "values of a logarithmic axis are positive", "%s is %v", what,
				v)
		}
		return nil
	}
	for i, x := range s.X {
		if math.IsNaN(x) {
			return false, chartFault(name, "positions are finite numbers", "position %d is NaN",
				i+1)
		}
		if err := drawable(fmt.Sprintf("position %d", i+1), x, logX); err != nil {
			return false, err
		}
		values := []float64(nil)
		if s.Kind == Boxes {
			values = s.Values[i]
		} else {
			values = s.Y[i : i+1]
		}
		for _, v := range values {
			if err := drawable(fmt.Sprintf("value %d", i+1), v, logY); err != nil {
				return false, err
			}
			something = something || v == v
		}
		if s.Low == nil {
			continue
		}
		if s.Low[i] > s.High[i] {
			return false, chartFault(name, "Low is at most High", "interval %d goes from %v to %v",
				i+1, s.Low[i], s.High[i])
		}
		if err := cmp.Or(drawable(fmt.Sprintf("lower end %d", i+1), s.Low[i], false),
			drawable(fmt.Sprintf("upper end %d", i+1), s.High[i], logY)); err != nil {
			return false, err
		}
	}
	return something, nil
}
