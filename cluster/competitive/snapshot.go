package competitive

import (
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/internal/simd"
)

// Label is where a row belongs.
type Label struct {
	Cluster  int32 // nearest prototype, from 0; the lowest among equals
	RunnerUp int32 // second nearest; -1 where there is one prototype
	// to the nearest prototype, in its metric; for a row that is learnt, before it was
	Distance float64
	Margin   float64 // distance to the runner-up less Distance; 0 where there is one prototype
}

// label makes distances of squared ones.
func (r ranks) label() Label {
	l := Label{Cluster: r.first, RunnerUp: r.second, Distance: math.Sqrt(r.near)}
	if r.second >= 0 {
		l.Margin = math.Sqrt(r.next) - l.Distance
	}
	return l
}

// Snapshot is the state of a learner at one moment. It never changes, so that any number of
// goroutines may use it; its slices are shared and not to be written to.
type Snapshot struct {
	Prototypes dataset.Matrix // k×d, float64
	// competitions won, a prototype, one at the start included; later ones count more by
	// Config.HalfLife
	Wins    []float64
	Nearest []float64 // rows learnt that were nearest to each prototype, forgotten alike
	Rows    int64     // rows learnt

	// Active reports which prototypes stand for data: they were nearest to at least
	// Config.ActiveShare/k of the latest 128·k to 256·k rows. With rpcl and crpcl the others have
	// been driven off, and the number of active ones is an estimate of the number of clusters; see
	// the package's documentation for when it can be relied on.
	Active []bool

	at     *simd.Padded
	shapes *shapes
}

// snapshot copies the state of the core.
func (c *core) snapshot() *Snapshot {
	s := &Snapshot{Rows: c.rows, Active: c.active(), at: simd.NewPadded(c.k, c.d),
		Prototypes: dataset.Matrix{Rows: c.k, Cols: c.d, F64: c.prototypes()},
		Wins:       make([]float64, c.k), Nearest: make([]float64, c.k)}
	for j := range c.k {
		copy(s.at.Row(j), c.at.Row(j))
		s.Wins[j], s.Nearest[j] = c.wins[j]/c.gain, c.nearest[j]/c.gain
	}
	if c.shapes != nil {
		shapes := *c.shapes
		shapes.root = append([]float64(nil), shapes.root...)
		s.shapes = &shapes
	}
	return s
}

// roots returns the metrics of the prototypes; none where they are Euclidean.
func (s *Snapshot) roots() []float64 {
	if s.shapes == nil {
		return nil
	}
	return s.shapes.root
}

// prototypes copies the prototypes, row-major.
func (c *core) prototypes() []float64 {
	out := make([]float64, 0, c.k*c.d)
	for j := range c.k {
		out = append(out, c.at.Row(j)...)
	}
	return out
}

// active reports which prototypes were nearest to enough of the rows of this window and the last.
func (c *core) active() []bool {
	counts := make([]int64, c.k)
	for j := range counts {
		counts[j] = c.now[j] + c.before[j]
	}
	return shared(counts, c.cfg.ActiveShare)
}

// shared reports which counts are at least a share of the mean count, and not 0.
func shared(counts []int64, share float64) []bool {
	total := linalg.Sum(counts)
	active := make([]bool, len(counts))
	for j, n := range counts {
		active[j] = n > 0 && float64(n)*float64(len(counts)) >= share*float64(total)
	}
	return active
}

// Clusters returns the number of active prototypes.
func (s *Snapshot) Clusters() int { return countActive(s.Active) }

func countActive(active []bool) (n int) {
	for _, a := range active {
		if a {
			n++
		}
	}
	return n
}

// Label returns where a row belongs. A row of another width, or with a value that is not finite or
// beyond ±10¹²⁰, is a [*fault.Input].
func (s *Snapshot) Label(row []float64) (Label, error) {
	if err := check(row, s.Prototypes.Cols); err != nil {
		return Label{}, err
	}
	return s.rank(row).label(), nil
}

func (s *Snapshot) rank(row []float64) ranks {
	var store [64]float64
	dist := store[:]
	if s.at.Len() > len(dist) {
		dist = make([]float64, s.at.Len())
	}
	if s.shapes == nil {
		s.at.Distances(dist[:s.at.Len()], row)
	} else {
		gap := make([]float64, len(row))
		for j := range s.Prototypes.Rows {
			dist[j] = s.shapes.measure(j, row, s.at.Row(j), gap)
		}
	}
	return lowest(dist[:s.Prototypes.Rows])
}

// check refuses a row that cannot be learnt.
func check(row []float64, d int) error {
	if len(row) != d {
		return fault.Inputf("give the columns that the prototypes have",
			"a row of %d values, where %d are needed", len(row), d)
	}
	if simd.Within(row, MostValue) {
		return nil
	}
	column := slices.IndexFunc(row, func(v float64) bool { return !(math.Abs(v) <= MostValue) })
	v := row[column]
	in := dataset.NotFinite(-1, column, v)
	if !math.IsNaN(v) && !math.IsInf(v, 0) {
		in.Problem, in.Fix = fmt.Sprintf("the value %g is too large to be squared", v),
			"scale the column, for example to 0..1"
	}
	return in
}

// checkAll refuses rows of which one cannot be learnt, and numbers it from 1.
func checkAll(rows []float64, d int) error {
	if len(rows)%d != 0 {
		return fault.Inputf("give the columns that the prototypes have",
			"%d values do not make whole rows of %d", len(rows), d)
	}
	if simd.Within(rows, MostValue) {
		return nil
	}
	for i := range len(rows) / d {
		if err := check(rows[i*d:(i+1)*d], d); err != nil {
			return numbered(err, i)
		}
	}
	return nil
}

// numbered returns an error of check as one about row i, from 0.
func numbered(err error, i int) error {
	if in, ok := err.(*fault.Input); ok {
		in.Row = i + 1
	}
	return err
}

// model returns what Predict needs of a result.
func (r *Result) model() (*Snapshot, error) {
	p := r.Prototypes
	if p.Single() || p.Rows < 1 || p.Cols < 1 || len(p.F64) != p.Rows*p.Cols ||
		!simd.Within(p.F64, reach) {
		return nil, fault.Inputf("give those that were fitted",
			"%d×%d prototypes with %d values, or values that are not finite", p.Rows, p.Cols,
			len(p.F64))
	}
	s := &Snapshot{Prototypes: p, at: simd.NewPadded(p.Rows, p.Cols)}
	for j := range p.Rows {
		p.AppendRow(s.at.Row(j)[:0], j)
	}
	if r.Metric != fit.Euclidean {
		s.shapes = &shapes{full: r.Metric == fit.Full, k: p.Rows, d: p.Cols, root: r.Roots}
		if want := p.Rows * s.shapes.size(); len(r.Roots) != want {
			return nil, fault.Inputf("give those that were fitted",
				"the metrics of the prototypes hold %d values where %d are needed", len(r.Roots),
				want)
		}
		if !simd.Within(r.Roots, steepest) {
			return nil, fault.Inputf("give those that were fitted",
				"the metrics of the prototypes hold values that are not finite or too large")
		}
	}
	return s, nil
}
