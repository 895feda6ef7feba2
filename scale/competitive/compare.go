package competitive

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/shard"
)

// CompareConfig describes what [Compare] compares on. The zero value of each field but Folder is a
// documented default.
type CompareConfig struct {
	// of the data sets, in files as `kindred reproduce list` names them; those that are not there
	// are left out, and named below the tables
	Folder string
	Sets   []string // names of those wanted; none: all
	Seeds  int      // 0: 10
	// labelled rows a class, all cannot-links among which are given; 0: 20, as in the paper;
	// negative: none
	Labelled int
	Threads  int // runs at the same time; 0: one a processor. It never changes the result
}

// trial is a data set and how it is learnt.
type trial struct {
	name, file string
	scale      dataset.Scale
	passes     int
	// of so many rows one is taken, as the table is to be made in minutes; 0: all are
	every int
	// the learners' rows are runs of the file, of which blocks are shuffled, as on an engine; else
	// all are
	inOrder bool
	period  int // of the asynchronous learners
}

// trials are sets of the competitive-learning paper, and two larger ones like them. KDD'99 is
// scaled, as otherwise one column is all there is. Every fifth row has the same runs of one kind, a
// fifth as long, beside blocks of 4096 as they are.
var trials = []trial{
	{name: "Letters", file: "letterIJL_227.csv", scale: dataset.ScaleNone, passes: 10, period: 2},
	{name: "Pendigits", file: "pendigits389.csv", scale: dataset.ScaleNone, passes: 1, period: 10},
	{name: "Pendigits in 10 passes", file: "pendigits389.csv", scale: dataset.ScaleNone, passes: 10,
		period: 10},
	{name: "all pendigits in 10 passes", file: "pendigits.csv", scale: dataset.ScaleNone,
		passes: 10, period: 20},
	{name: "all letters", file: "letter.csv", scale: dataset.ScaleNone, passes: 1, period: 50},
	{name: "KDD'99", file: "kddcup99_10pct_ge1000.csv.gz", scale: dataset.ScaleMinMax, passes: 1,
		every: 5, period: 100},
	{name: "KDD'99 in the order of the file", file: "kddcup99_10pct_ge1000.csv.gz",
		scale: dataset.ScaleMinMax, passes: 1, every: 5, inOrder: true, period: 100},
}

// What is compared: averaging by learners and period, and asynchronous learners by staleness.
var (
	learners   = []int{2, 4, 8, 16, 64}
	periods    = []int{0, 1000, 100, 10} // 0: a learner's rows of a pass
	staleness  = []int{0, 1, 4, 16, -1}  // −1: nobody waits
	rules      = []competitive.Rule{competitive.CRPCL, competitive.OLCVQE}
	looks      = 4
	alone      = mode{learners: 1}
	apart      = 16   // asynchronous learners
	unevenness = 1.0  // of theirs
	straggling = 0.05 // of their periods
)

// mode is a way to learn.
type mode struct {
	learners, period, staleness int
	apart                       bool // asynchronous, with learners of uneven speeds
}

// figures are what a way to learn came to.
type figures struct {
	nmi, squared float64 // at the end; the squared error as a ratio to that of one learner
	time         float64 // until the end, in the time of a row
	waited       float64 // share of the learners' time
	// at each look: the time, and the squared error as a ratio to that of one learner
	times, on []float64
}

// of returns the modes that a trial of n rows goes through, one learner first. A period of no less
// than a learner's rows is left out, as it is the same as the longest.
func (t trial) modes(n int) []mode {
	modes := []mode{alone}
	for _, w := range learners {
		for _, p := range periods {
			if p < n/w && w <= n {
				modes = append(modes, mode{learners: w, period: p})
			}
		}
	}
	for _, s := range staleness {
		modes = append(modes, mode{learners: apart, period: t.period, staleness: s, apart: true})
	}
	return modes
}

// run is all seeds and rules of a trial.
type run struct {
	trial
	rows int
	got  map[competitive.Rule]map[mode][]figures // by seed
}

// Compare learns published data sets row by row by one learner, by several that are averaged, and
// by several that do not wait for each other, and writes tables in Markdown: the normalised mutual
// information with the true classes (Strehl and Ghosh), and the squared error, mean ± standard
// deviation over seeds. A seed draws the order of rows, the labelled ones and the starting
// prototypes (from the Gaussian of the data), which are the same for all ways to learn. Rates are
// the paper's, and so is the penalty of rivals.
func Compare(ctx context.Context, cfg CompareConfig) (table string, err error) {
	cfg.Seeds, cfg.Labelled = cmp.Or(cfg.Seeds, 10), cmp.Or(cfg.Labelled, 20)
	if cfg.Seeds < 1 || cfg.Seeds > 1000 {
		return "", fault.Inputf("ask for 1 to 1000", "%d seeds asked for", cfg.Seeds)
	}
	var names []string
	for _, t := range trials {
		names = append(names, t.name)
	}
	for _, name := range cfg.Sets {
		if !slices.Contains(names, name) {
			return "", fault.Inputf("name some of "+strings.Join(names, ", "),
				"there is no data set %.60q", name)
		}
	}
	var runs []*run
	var missing []string
	for _, t := range trials {
		if len(cfg.Sets) > 0 && !slices.Contains(cfg.Sets, t.name) {
			continue
		}
		r, err := t.run(ctx, cfg)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, fmt.Sprintf("%s (%s)", t.name, t.file))
			continue
		case err != nil:
			return "", err
		}
		runs = append(runs, r)
	}
	if len(runs) == 0 {
		return "", &fault.Input{File: cfg.Folder,
			Problem: "none of the data sets is here: " + strings.Join(missing, ", "),
			Fix:     "`kindred reproduce list` names them, and where to get them"}
	}
	table = tables(runs, cfg)
	if len(missing) > 0 {
		table += "\nNot here, and so left out: " + strings.Join(missing, ", ") + ".\n"
	}
	return table, nil
}

// run learns a data set in all ways.
func (t trial) run(ctx context.Context, cfg CompareConfig) (*run, error) {
	file, err := dataset.Read(ctx, filepath.Join(cfg.Folder, t.file),
		dataset.ReadOptions{Label: "class"})
	if err != nil {
		return nil, err
	}
	ready, err := file.Prepare(ctx, dataset.Preparation{Scale: t.scale, Threads: cfg.Threads})
	if err != nil {
		return nil, err
	}
	truth, names, _ := file.Labels()
	x := ready.X
	if t.every > 0 {
		x, truth = thin(x, truth, t.every)
	}
	r := &run{trial: t, rows: x.Rows, got: map[competitive.Rule]map[mode][]figures{}}
	modes := t.modes(r.rows)
	for _, rule := range rules {
		r.got[rule] = map[mode][]figures{}
		for _, m := range modes {
			r.got[rule][m] = make([]figures, cfg.Seeds)
		}
	}
	errs := make([]error, cfg.Seeds)
	err = parallel.Blocks(ctx, cfg.Seeds, 1, cfg.Threads, func(seed, _, _ int) {
		errs[seed] = r.seed(ctx, cfg, seed, x, truth, len(names), modes)
	})
	return r, errors.Join(append(errs, err)...)
}

// thin takes one row of so many, the first of them.
func thin(x dataset.Matrix, truth []int32, every int) (dataset.Matrix, []int32) {
	var rows []int
	var of []int32
	for i := 0; i < x.Rows; i += every {
		rows, of = append(rows, i), append(of, truth[i])
	}
	return x.Subset(rows), of
}

// seed learns a data set in all ways by one seed. Goroutines of other seeds write elsewhere.
func (r *run) seed(ctx context.Context, cfg CompareConfig, seed int, x dataset.Matrix,
	truth []int32, classes int, modes []mode) error {
	if !r.inOrder {
		order := rand.New(rand.NewPCG(uint64(seed), ordering)).Perm(x.Rows)
		x = x.Subset(order)
		moved := make([]int32, len(truth))
		for i, row := range order {
			moved[i] = truth[row]
		}
		truth = moved
	}
	var links []link.Link
	if cfg.Labelled > 0 {
		var err error
		if links, err = ask.ClassLinks(truth, ask.ClassRows(truth, cfg.Labelled, uint64(seed)),
			false); err != nil {
			return err
		}
	}
	for _, rule := range rules {
		learn := competitive.Config{Rule: rule, Clusters: classes,
			Rate: competitive.Rate{Penalty: competitive.Plain}, Init: competitive.Gaussian,
			Seed: uint64(seed)}
		start, err := competitive.Begin(ctx, learn, x, dataset.Matrix{})
		if err != nil {
			return err
		}
		base := 0.0
		for _, m := range modes {
			g := game{Config: learn, Links: links, Learners: m.learners, Period: m.period,
				Passes: r.passes, Staleness: m.staleness, Exchange: float64(r.period) / 4}
			if g.Start, err = dataset.NewMatrix(classes, x.Cols, start.Prototypes); err != nil {
				return err
			}
			if r.inOrder {
				g.Block = shard.DefaultBlockRows
			}
			if m.apart {
				g.Uneven, g.Stragglers, g.Looks = unevenness, straggling, looks
			}
			f, err := judge(ctx, x, truth, g)
			if err != nil {
				return err
			}
			if m == alone {
				base = f.squared
			}
			f.squared /= base
			for i := range f.on {
				f.on[i] /= base
			}
			r.got[rule][m][seed] = f
		}
	}
	return nil
}

// judge plays a game and returns what it came to.
func judge(ctx context.Context, x dataset.Matrix, truth []int32, g game) (f figures, err error) {
	played, err := simulate(ctx, x, g)
	if err != nil {
		return f, err
	}
	for i, l := range played.Looks {
		prototypes, err := dataset.NewMatrix(g.Config.Clusters, x.Cols, l.Shared.Prototypes)
		if err != nil {
			return f, err
		}
		labels, err := (&competitive.Result{Prototypes: prototypes}).Predict(ctx, x, 1)
		if err != nil {
			return f, err
		}
		total := squared(x, labels, prototypes)
		f.times, f.on = append(f.times, l.Time), append(f.on, total)
		if i < len(played.Looks)-1 {
			continue
		}
		found, classes := make([]int, len(labels)), make([]int, len(labels))
		for row := range labels {
			found[row], classes[row] = int(labels[row])+1, int(truth[row])+1
		}
		report, err := eval.Compare(found, classes)
		if err != nil {
			return f, err
		}
		f.nmi, f.squared, f.time = report.NMI, total, l.Time
		f.waited = played.Waited / (l.Time * float64(max(1, g.Learners)))
	}
	return f, nil
}

// squared returns the sum of the squared distances of rows to the prototypes of their labels.
func squared(x dataset.Matrix, labels []int32, prototypes dataset.Matrix) (total float64) {
	var row, at []float64
	for i, l := range labels {
		row, at = x.AppendRow(row[:0], i), prototypes.AppendRow(at[:0], int(l))
		for j, v := range row {
			total += float64((v - at[j]) * (v - at[j]))
		}
	}
	return total
}
