package competitive

import (
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/simd"
	"github.com/kindred-go/kindred/link"
)

// damaged reports a state that cannot be one.
func damaged(format string, values ...any) error {
	return &fault.Input{Problem: "the learner's state is damaged: it holds " + fmt.Sprintf(format,
		values...), Fix: "take an earlier one, or begin anew"}
}

// Restore makes a learner that goes on where the state was taken. It trusts nothing: a state of
// another version, or with sizes, numbers or links that cannot be, is a [*fault.Input].
func Restore(s State) (*Learner, error) {
	if s.Version != StateVersion {
		return nil, fault.Inputf("use the program that made it, or begin anew",
			"the learner's state has version %d, and this program knows version %d", s.Version,
			StateVersion)
	}
	cfg := s.Config.withDefaults()
	if err := cfg.Check(s.Cols); err != nil {
		return nil, err
	}
	if err := s.checkCore(cfg); err != nil {
		return nil, err
	}
	c := newCore(cfg, s.Cols, s.Prototypes)
	copy(c.wins, s.Wins)
	copy(c.nearest, s.Nearest)
	copy(c.now, s.Now)
	copy(c.before, s.Before)
	c.gain, c.rows = s.Gain, s.Rows
	if cfg.Rate.Schedule == Power {
		c.rates.falling = s.Falling
	}
	if err := s.restoreShapes(c); err != nil {
		return nil, err
	}
	m, err := s.restoreMemory(cfg)
	if err != nil {
		return nil, err
	}
	l := &Learner{core: c, memory: m, counted: s.Counted}
	l.Publish()
	return l, nil
}

// checkCore refuses sizes and numbers that cannot be.
func (s *State) checkCore(cfg Config) error {
	k := cfg.Clusters
	for _, f := range []struct {
		what string
		got  int
		want int
	}{{"prototypes", len(s.Prototypes), k * s.Cols}, {"wins", len(s.Wins), k},
		{"rows nearest to prototypes", len(s.Nearest), k},
		{"counts", len(s.Now), k}, {"counts", len(s.Before), k}} {
		if f.got != f.want {
			return damaged("%d values of %s where %d are needed", f.got, f.what, f.want)
		}
	}
	if !simd.Within(s.Prototypes, reach) {
		return damaged("prototypes beyond all data")
	}
	for _, v := range slices.Concat(s.Wins, s.Nearest) {
		if !(v >= 0 && v < 1e40) {
			return damaged("%g wins", v)
		}
	}
	if !(s.Gain >= 1 && s.Gain < 1e40) || s.Rows < 0 || s.Rows > mostCounted || s.Falling < 0 ||
		s.Falling > 1 || s.Falling != s.Falling ||
		cfg.Rate.Schedule == Power && s.Falling == 0 {
		return damaged("clocks that cannot be")
	}
	for _, v := range slices.Concat(s.Now, s.Before) {
		if v < 0 || v > min(s.Rows, int64(window*k)) {
			return damaged("a count of %d rows", v)
		}
	}
	return nil
}

// restoreShapes restores the metrics of the core.
func (s *State) restoreShapes(c *core) error {
	if (c.cfg.Metric != fit.Euclidean) != (s.Shapes != nil) {
		return damaged("metrics where there are none, or none where there are")
	}
	if s.Shapes == nil {
		return nil
	}
	for _, v := range s.Shapes.Start {
		if !(v > 0 && v <= mostSpread) {
			return damaged("a variance of %g", v)
		}
	}
	if len(s.Shapes.Start) != c.d {
		return damaged("%d variances of %d columns", len(s.Shapes.Start), c.d)
	}
	size := c.k * (&shapes{full: c.cfg.Metric == fit.Full, d: c.d}).size()
	if len(s.Shapes.Cov) != size || len(s.Shapes.Root) != size || len(s.Shapes.Wins) != c.k {
		return damaged("metrics of another size")
	}
	shapes := newShapes(c.cfg.Metric, c.k, slices.Clone(s.Shapes.Start))
	if !simd.Within(s.Shapes.Cov, mostSpread) || !simd.Within(s.Shapes.Root, steepest) {
		return damaged("metrics that are not finite")
	}
	for at := 0; at < size; at += shapes.size() {
		for column := range c.d {
			if v := s.Shapes.Cov[at+shapes.diagonal(column)]; v < 0 {
				return damaged("a variance of %g", v)
			}
		}
	}
	for _, v := range s.Shapes.Wins {
		if v < 0 || v > mostCounted {
			return damaged("%d wins", v)
		}
	}
	copy(shapes.cov, s.Shapes.Cov)
	copy(shapes.root, s.Shapes.Root)
	copy(shapes.wins, s.Shapes.Wins)
	c.shapes = shapes
	return nil
}

// restoreMemory returns the rows that can be linked, and links.
func (s *State) restoreMemory(cfg Config) (*memory, error) {
	m := newMemory(cfg, s.Cols)
	held := int(min(s.Rows, int64(m.room)))
	if len(s.Window) != held*s.Cols {
		return nil, damaged("%d values of the latest rows where %d are needed", len(s.Window),
			held*s.Cols)
	}
	if err := checkAll(s.Window, s.Cols); err != nil {
		return nil, err
	}
	if m.total = s.Rows - int64(held); held == m.room {
		m.ring = make([]float64, len(s.Window))
	}
	m.add(s.Window)
	for _, number := range s.Gone {
		if !m.recent(number) {
			return nil, damaged("a forgotten row %d of %d", number, s.Rows)
		}
		m.gone[number] = struct{}{}
	}
	for _, row := range s.Linked {
		if row.Number < 1 || row.Number > s.Rows || m.named[row.Number] != nil || row.Latest < 0 ||
			row.Latest > s.Clock {
			return nil, damaged("a linked row %d of %d", row.Number, s.Rows)
		}
		if err := check(row.Row, s.Cols); err != nil {
			return nil, err
		}
		m.admit(row.Number, row.Row).latest = row.Latest
	}
	since := int64(0)
	for _, t := range s.Links {
		a, b := m.named[t.A], m.named[t.B]
		if a == nil || b == nil || a == b || m.tie(t.A, t.B) != nil || t.Kind != link.MustLink &&
			t.Kind != link.CannotLink ||
			!(t.Confidence > 0 && t.Confidence <= 1) || t.Since <= since || t.Since > s.Clock {
			return nil, damaged("a link between rows %d and %d that cannot be", t.A, t.B)
		}
		since = t.Since
		held := &tie{a: a, b: b, kind: t.Kind, confidence: t.Confidence, since: t.Since}
		a.ties, b.ties = append(a.ties, held), append(b.ties, held)
		m.count[t.Kind]++
	}
	for _, row := range m.order {
		if len(row.ties) == 0 {
			return nil, damaged("a linked row %d without links", row.number)
		}
	}
	if s.Turn < 0 || s.Turn > len(m.order) || s.Clock < 0 || s.Clock > mostCounted ||
		len(m.order) > m.most {
		return nil, damaged("clocks that cannot be")
	}
	m.clock, m.turn = s.Clock, s.Turn
	return m, nil
}
