package kmeans

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// Config describes how to fit. Only Clusters must be set; the zero value of every other field is a
// documented default.
type Config struct {
	// Clusters is the number of centres K, from 1 to the number of rows.
	Clusters int

	// Centers, K×d float64 in prepared units, starts the iteration. Empty: the start is drawn.
	Centers dataset.Matrix

	// MaxIterations bounds the iterations. 0: 300.
	MaxIterations int

	// Tolerance stops an iteration whose centres moved by a sum of squares of at most Tolerance
	// times the mean variance of the columns. 0: 10⁻⁴. Negative: stop only when the labels repeat.
	Tolerance float64

	// Seed chooses the random numbers of the start.
	Seed uint64

	// Out, unless empty, is the folder that the last round writes the labels to, in parts: id and
	// cluster, as Label does.
	Out    string
	Format string // of the parts: csv, parquet or jsonl; "": csv

	// Name separates the checkpoints of this fit from others. "": lloyd.
	Name string
}

// Result is a partition of n rows around K centres. Sizes, Inertia, Medoids and the labels belong
// to Centers as they stand.
type Result struct {
	Centers dataset.Matrix // K×d float64, in prepared units
	// number of each centre's cluster, from 1, the largest first; equals in order of centre, those
	// without rows last
	ClusterOf []int
	Sizes     []int64  // rows of each centre
	Inertia   float64  // Σ‖x − centre‖²
	Medoids   []Medoid // of each centre; Row is −1 where a centre has no rows

	Iterations int
	Stopped    fit.Reason
	// the labels repeated, or the centres moved by no more than the tolerance
	Converged bool
	// per iteration, the inertia of its labels about the centres that they are of, to about ten
	// digits
	Trace []float64
	// per iteration, the sum of the squared moves of the centres; the one that finds the labels
	// repeated moves none
	Shifts        []float64
	EmptyRepaired int // clusters found empty and given a row
	Tally         shard.Tally
}

// Medoid is the row of a cluster nearest to its centre, the lowest number among equals.
type Medoid struct {
	Row     int64     // number in the table, from 0
	ID      string    // from Source.ID, or else the number from 1
	Values  []float64 // d, in prepared units
	Squared float64   // squared distance from the centre
}

// withDefaults puts the documented default in place of each zero.
func (c Config) withDefaults() Config {
	c.MaxIterations = cmp.Or(c.MaxIterations, 300)
	c.Tolerance = cmp.Or(c.Tolerance, 1e-4)
	c.Format = cmp.Or(c.Format, "csv")
	c.Name = cmp.Or(c.Name, "lloyd")
	return c
}

// check refuses a configuration that cannot fit n rows of d values.
func (c Config) check(n int64, d int) error {
	switch {
	case n == 0 || d == 0:
		return fault.Inputf("", "k-means needs data, and got %d rows of %d columns", n, d)
	case c.Clusters < 1:
		return fault.Inputf("ask for at least 1", "%d clusters asked for", c.Clusters)
	case int64(c.Clusters) > n:
		return tooFew(c.Clusters, n)
	case int64(c.Clusters)*int64(d) > math.MaxInt32:
		return fault.Inputf("ask for fewer", "%d clusters of %d columns asked for", c.Clusters, d)
	case c.Centers.Rows != 0 && (c.Centers.Rows != c.Clusters || c.Centers.Cols != d):
		return fault.Inputf("give one row for each cluster, one column for each feature",
			"the starting centres are %d×%d where %d×%d is needed", c.Centers.Rows,
			c.Centers.Cols, c.Clusters, d)
	case c.Centers.Single() || len(c.Centers.F64) != c.Centers.Rows*c.Centers.Cols:
		return fmt.Errorf("lloyd: %d starting centres of %d columns with %d values of float64",
			c.Centers.Rows, c.Centers.Cols, len(c.Centers.F64))
	case c.MaxIterations < 0:
		return fault.Inputf("ask for at least 1, or 0 for the default",
			"at most %d iterations asked for", c.MaxIterations)
	case c.Tolerance != c.Tolerance:
		return fault.Inputf("", "the tolerance is not a number")
	}
	if i := slices.IndexFunc(c.Centers.F64,
		func(v float64) bool { return v-v != 0 }); i >= 0 {
		return fault.Inputf("give centres amid the data",
			"starting centre %d holds a value that is not finite", i/d+1)
	}
	return nil
}

func tooFew(clusters int, rows int64) error {
	return fault.Inputf(fmt.Sprintf("ask for at most %d", rows),
		"%d clusters asked for and only %s given", clusters, words.Count(rows, "row"))
}

// Fit partitions the rows of a table that was surveyed.
//
// A worker holds for each split under way a block of rows and about 80·K·d bytes; one worker holds
// the sample that the start is drawn from, about max(65536, 20·K) rows. A round sends 8·K·(d+1)
// bytes for each split.
//
// Up to that many rows the sample is all of them, and the start is that of kmeans.Fit with the same
// seed. Of more rows each is drawn by itself, by a hash of seed and number, so the sample does not
// depend on how the table is cut.
func Fit(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	cfg Config) (*Result, error) {
	cfg = cfg.withDefaults()
	d := len(src.Columns)
	if err := cfg.check(sv.Kept(src), d); err != nil {
		return nil, err
	}
	work := newWork(src, sv, cfg)
	begin := state{Phase: phaseDraw, Centers: cfg.Centers.F64}
	if cfg.Centers.Rows > 0 {
		begin.Phase = phaseAssign
		if _, err := kmeans.NewFrame(cfg.Centers, src.Single); err != nil {
			return nil, err
		}
	}
	s, _, err := work.run(ctx, r, cfg.Name, src.Bare(), sv.Splits, begin)
	if err != nil {
		return nil, err
	}
	last := src
	last.Label = ""
	s, tally, err := work.run(ctx, r, cfg.Name+"-labels", last, sv.Splits, s)
	if err != nil {
		return nil, err
	}
	return s.result(d, tally), shard.Finish(ctx, cfg.Out, len(sv.Splits))
}

// work is the configuration of the job.
type work struct {
	Clusters, Cols int
	Columns        []string
	Iterations     int
	Tolerance      float64
	Seed           uint64
	Single         bool

	Rows   int64   // about how many
	Mean   floats  // about the mean of the rows, prepared
	Spread float64 // about Σ‖x − Mean‖²
	Origin floats  // sums are taken about it

	Out, Format string
	IDs         bool // rows have ids of their own
}

func newWork(src shard.Source, sv *survey.Survey, cfg Config) work {
	w := work{Clusters: cfg.Clusters, Cols: len(src.Columns), Columns: src.Columns,
		Iterations: cfg.MaxIterations, Tolerance: cfg.Tolerance, Seed: cfg.Seed,
		Single: src.Single, Rows: sv.Kept(src), Out: cfg.Out, Format: cfg.Format, IDs: src.ID != ""}
	variance := 0.0
	for j, c := range sv.Columns {
		figures, by := c.Figures, 1.0
		if src.Prepare.Missing == shard.MissingDrop && c.Whole != nil {
			figures = *c.Whole
		}
		if p := src.Prepare; p.Shift != nil {
			if by = 0; p.Divisor[j] != 0 {
				by = 1 / p.Divisor[j]
			}
			figures.Mean -= p.Shift[j]
		}
		w.Mean = append(w.Mean, figures.Mean*by)
		variance = min(math.MaxFloat64, variance+figures.Variance*by*by)
	}
	w.Spread = min(math.MaxFloat64, variance*float64(w.Rows))
	w.Origin = kmeans.Origin(w.Mean, variance/float64(len(w.Mean)), src.Single)
	return w
}

// run does the rounds from begin until the job reports that they are done.
func (w work) run(ctx context.Context, r fold.Runner, name string, src shard.Source,
	splits []shard.Split, begin state) (state, shard.Tally, error) {
	first, err := json.Marshal(begin)
	if err != nil {
		return state{}, shard.Tally{}, err
	}
	// Empty clusters take rounds of their own; their number is bounded by the state.
	out, err := fold.Run(ctx, r, fold.Plan{Name: name, Job: jobName, Source: src, Splits: splits,
		State: first, Rounds: math.MaxInt32}, w)
	if err != nil {
		return state{}, shard.Tally{}, err
	}
	var s state
	if err := json.Unmarshal(out.State, &s); err != nil {
		return state{}, shard.Tally{}, fmt.Errorf("lloyd: the last state cannot be read: %w", err)
	}
	return s, out.Tally, nil
}
