package plot

import (
	"fmt"
	"image/color"
	"math"
	"strconv"
	"strings"

	"gonum.org/v1/plot/vg"

	"github.com/kindred-go/kindred/fault"
)

// TraceConfig describes what a picture of a descent shows (kevclus-2016 Figs 6 and 9). Only Starts
// is needed.
type TraceConfig struct {
	Starts [][]float64 // of each start, the objective before the first sweep and after each
	// of the same shape: when that was, in seconds from the beginning; nil: sweeps are counted
	Seconds [][]float64
	Winner  int // the start that won, from 0

	Page // YLabel "": "stress"
}

type traceScene struct {
	frame
	cfg TraceConfig
	log bool // the vertical axis is logarithmic
}

// Trace makes a figure of the objective over the sweeps of each start, or over time. The winning
// start is a thick line with a diamond at its end; the others are thin, with a ring. The vertical
// axis is logarithmic when all values are positive and span more than a factor of twenty.
//
// It fails with a [*fault.Input] when there is nothing to draw, a value is not finite or beyond
// ±1e300, times fall, or the shapes or the winner do not agree with the starts.
func Trace(cfg TraceConfig) (*Figure, error) {
	if err := checkTrace(cfg); err != nil {
		return nil, err
	}
	s, over := &traceScene{cfg: cfg}, "time in seconds"
	if cfg.Seconds == nil {
		over = "sweeps"
	}
	if err := s.begin(cfg.Page, over, "stress"); err != nil {
		return nil, err
	}
	least, most, latest := math.Inf(1), math.Inf(-1), 0.0
	for i, start := range cfg.Starts {
		for t, v := range start {
			least, most, latest = min(least, v), max(most, v), max(latest, s.when(i, t))
		}
	}
	s.log = least > 0 && most/least > 20
	s.xs, s.ys = newAxis(0, latest), newAxis(s.height(least), s.height(most))
	if latest > 0 {
		s.xs.lo = -0.01 * latest
	}
	if cfg.Seconds == nil {
		s.xTicks = func(a axis) []tick { return wholeTicks(a, 0, int(latest)) }
	}
	if s.log {
		s.yTicks = logTicks
		s.yLabel += " (log scale)"
	}
	won := cfg.Starts[cfg.Winner]
	last := strconv.FormatFloat(won[len(won)-1], 'g', 4, 64)
	outcome := "ends at " + last
	if len(cfg.Starts) > 1 {
		outcome = fmt.Sprintf("start %d of %d won with %s", cfg.Winner+1, len(cfg.Starts), last)
		s.frame.legend = s.legend()
	}
	s.note = besides(s.note, outcome)
	return s.figure("Descent", s.draw), nil
}

func checkTrace(cfg TraceConfig) error {
	switch {
	case len(cfg.Starts) == 0:
		return fault.Inputf("give at least one", "there are no starts to draw")
	case cfg.Winner < 0 || cfg.Winner >= len(cfg.Starts):
		return fault.Inputf("number starts from 0", "start %d of %d cannot have won", cfg.Winner,
			len(cfg.Starts))
	case cfg.Seconds != nil && len(cfg.Seconds) != len(cfg.Starts):
		return fault.Inputf("give times for each start, or none",
			"there are %d starts but times of %d",
			len(cfg.Starts), len(cfg.Seconds))
	}
	for i, start := range cfg.Starts {
		if len(start) == 0 {
			return fault.Inputf("give its first value at least", "start %d has no values", i+1)
		}
		if cfg.Seconds != nil && len(cfg.Seconds[i]) != len(start) {
			return fault.Inputf("give a time a value", "start %d has %d values but %d times", i+1,
				len(start), len(cfg.Seconds[i]))
		}
		for t, v := range start {
			if !(math.Abs(v) <= 1e300) {
				return fault.Inputf("values are finite numbers",
					"value %d of start %d is %v", t+1, i+1,
					v)
			}
			if cfg.Seconds == nil {
				continue
			}
			if at := cfg.Seconds[i][t]; !(at >= 0 && at <= 1e300) ||
				t > 0 && at < cfg.Seconds[i][t-1] {
				return fault.Inputf("times are numbers from 0 that do not fall",
					"time %d of start %d is %v", t+1, i+1, at)
			}
		}
	}
	return nil
}

// when returns the position of value t of start i along the horizontal axis.
func (s *traceScene) when(i, t int) float64 {
	if s.cfg.Seconds == nil {
		return float64(t)
	}
	return s.cfg.Seconds[i][t]
}

// height returns the position of a value along the vertical axis.
func (s *traceScene) height(v float64) float64 { return scaled(v, s.log) }

// logTicks labels an axis of common logarithms: 1, 2 and 5 times powers of ten, or powers alone
// where these are many.
func logTicks(a axis) (list []tick) {
	factors := []float64{1, 2, 5}
	every := 1
	if decades := a.hi - a.lo; decades > 3 {
		factors = factors[:1]
		every = max(1, int(math.Ceil(decades/8)))
	}
	for power := int(math.Floor(a.lo)); power <= int(math.Ceil(a.hi)); power++ {
		if power%every != 0 {
			continue
		}
		for _, f := range factors {
			if at := float64(power) + math.Log10(f); at >= a.lo && at <= a.hi {
				text := strconv.FormatFloat(f, 'f', -1, 64) + "e" + strconv.Itoa(power)
				if power >= -4 && power <= 4 {
					text = strconv.FormatFloat(f*math.Pow10(power), 'f', max(0, -power), 64)
				}
				list = append(list, tick{at, strings.Replace(text, "-", "−", 1)})
			}
		}
	}
	return list
}

func (s *traceScene) draw(c vg.Canvas, width, height vg.Length) {
	s.frame.draw(c, width, height)
	for i := range s.cfg.Starts {
		if i != s.cfg.Winner {
			s.drawStart(c, i, soft, 0.45, 0.7)
		}
	}
	for i, start := range s.cfg.Starts {
		if i != s.cfg.Winner {
			drawLoser(c, s.at(s.when(i, len(start)-1), s.height(start[len(start)-1])))
		}
	}
	won := s.cfg.Starts[s.cfg.Winner]
	s.drawStart(c, s.cfg.Winner, white, 0.8, 3.4)
	s.drawStart(c, s.cfg.Winner, hues[0], 1, 1.9)
	drawWinner(c, s.at(s.when(s.cfg.Winner, len(won)-1), s.height(won[len(won)-1])))
}

func (s *traceScene) drawStart(c vg.Canvas, i int, hue color.NRGBA, opacity float64,
	width vg.Length) {
	start := s.cfg.Starts[i]
	p := line(len(start),
		func(t int) vg.Point { return s.at(s.when(i, t), s.height(start[t])) })
	if len(p) > 1 {
		stroke(c, p, faded(hue, opacity), width)
	}
}

func drawWinner(c vg.Canvas, at vg.Point) {
	look{diamond, false, hues[0]}.draw(c, at, 3.8, 1, 0.6)
}

func drawLoser(c vg.Canvas, at vg.Point) {
	fill(c, circle.path(at, 1.8), white)
	look{circle, true, soft}.draw(c, at, 1.8, 0.8, 0)
}

func (s *traceScene) legend() legend {
	entries := []entry{{sample: func(c vg.Canvas, at vg.Point) {
		stroke(c, level(at, -8, 7), hues[0], 1.9)
		drawWinner(c, at)
	}, name: fmt.Sprintf("start %d, the winner", s.cfg.Winner+1)},
		{sample: func(c vg.Canvas, at vg.Point) {
			stroke(c, level(at, -8, 7), faded(soft, 0.6), 0.7)
			drawLoser(c, at)
		}, name: "other starts", count: inBrackets(len(s.cfg.Starts) - 1)}}
	return legend{{entries: entries}}
}
