package plot

import "gonum.org/v1/plot/vg"

// ChartConfig describes what a chart shows. Series or Panels are needed.
type ChartConfig struct {
	Title, Subtitle string // text from data may be anything: it is cleaned and shortened
	X, Y            string // what the axes show

	LogX, LogY bool // logarithmic axes, for positive values
	Series     []Series

	// Panels are small charts side by side, row by row, in place of Series. They share one
	// legend: series of one name look the same in all. What a panel leaves out (X, Y, Ticks, the
	// limits, LogX and LogY) it has from the chart around it; sizes are those of the whole alone.
	Panels []ChartConfig
	Across int // panels in a row; 0 = as square as can be

	// limits of the axes, in which what lies beyond is cut off; nil: those of the data
	XMin, XMax, YMin, YMax *float64

	Ticks []string // names instead of numbers along x, of the positions 0, 1, 2 …

	Width, Height float64 // inches; 0 = 6.4 and 4.8, panels more; from 2 to 40
}

// SeriesKind is how a series is drawn.
type SeriesKind int

const (
	Line   SeriesKind = iota // points in the order given, joined
	Points                   // points alone
	Boxes                    // of each x, quartiles, whiskers and outliers of a sample
	Steps                    // a value holds until the next x
	Bars                     // from 0, or from the foot of a logarithmic axis
)

// Series is one of the curves of a chart, or marks in its place.
type Series struct {
	Name string // in the legend; "": not there
	Kind SeriesKind

	X []float64 // finite; nil: 0, 1, 2 …
	Y []float64 // one per position; NaN breaks a line. Boxes have Values instead

	// Low and High are the ends of an interval at each position, NaN where there is none: a band
	// around lines, and whiskers on all else, or where Whiskers asks for them. On a logarithmic
	// axis, a Low that is not positive reaches down to the axis.
	Low, High []float64
	Whiskers  bool

	// Values holds, for Boxes, the sample of each position; NaN is left out, and an empty sample
	// has no box. The box goes from the first quartile to the third (linear interpolation between
	// order statistics), with a line at the median; whiskers reach the last values within 1.5 times
	// the interquartile range of the box (Tukey), and values beyond are drawn one by one.
	Values [][]float64

	// a dashed line; where no series asks for one, several lines have dashes of their own
	Dashed bool
	Labels []string // text beside each point, "" for none
}

// Chart makes a figure of curves, points, boxes or bars over an axis, or of several such charts
// with one legend. Series differ in hue and in marker, dashes or filling, so that the figure reads
// in grey, too. With Ticks, the points, boxes and bars of several series at one position stand side
// by side.
//
// It fails with a [*fault.Input] when there is nothing to draw, shapes do not agree, a value is
// infinite or beyond ±1e300, an interval is upside down, or a logarithmic axis has a value that is
// not positive.
func Chart(cfg ChartConfig) (*Figure, error) {
	s, err := newChart(cfg)
	if err != nil {
		return nil, err
	}
	return s.page.figure("Chart", s.draw), nil
}

// chartScene is a checked chart: its panels, one for a chart without, and the page around them.
type chartScene struct {
	page         frame // title and note, and with several panels the labels they share; the legend
	panels       []*panel
	across, down int
}

// panel is one chart.
type panel struct {
	frame
	cfg    ChartConfig
	series []drawnSeries
}

// drawnSeries is a series with its look, and its offset beside others.
type drawnSeries struct {
	Series
	look   look
	dashes []vg.Length
	fill   int     // of bars: filled, faint, hatched …
	marked bool    // whether boxes have the marker
	shift  float64 // along x, from the position
	half   float64 // of the width of boxes and bars
}
