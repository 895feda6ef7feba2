// Package competitive runs competitive learning over the splits of a table: O-LCVQE, C-RPCL and
// their kin (package competitive; Covões, Hruschka and Ghosh, IEEE TNNLS 24, 2013, whose future
// work this is), with prototypes that are averaged by wins.
//
// # Rounds
//
// In each round some learners start from the same prototypes. Each presents the rows of one split,
// in an order drawn at random within each block, and then the prototypes are averaged, weighted by
// the competitions that each won with each learner (see [competitive.Average]). Learning rates and
// winning frequencies go on from those of all learners together. So a round is as much of the table
// as is learnt between two averagings: a learner's period is a split, of Source.SplitRows rows, and
// Config.Learners is how many splits there are to a round. A pass presents every row once, in
// rounds of splits drawn at random, and splits that are not of the round are not read.
//
// One learner at a time is the method of package competitive on rows in that order, to the bit.
// More learners do more rows in the same time, but to average is not to learn from all of them: ten
// learners that each go a tenth of the way to where their rows are come to a tenth of the way, as
// one learner does with a tenth of the rows (Patra, JMLR 12, 2011). See [Compare].
//
// # Links
//
// Rows that links name are few. A first pass looks for them, and their values go to all learners,
// so each linked row is presented with all its partners, wherever these lie, as it is on one
// machine.
//
// # Asynchronous learning
//
// [Simulate] plays what learners do that do not wait for each other, on one machine: see there.
package competitive

import (
	"cmp"
	"context"
	"fmt"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// Config describes how to learn. Of competitive.Config, HalfLife and metrics other than euclidean
// are refused, and what is about memory plays no part.
type Config struct {
	competitive.Config

	// between rows by id; of several for one pair the last counts, and unknown ones are left out
	Links []Link

	// Passes over the table. 0: 10. At most 10 000.
	Passes int

	// Learners is how many splits are learnt at the same time between two averagings. 0: all of
	// them. One is the method without averaging.
	Learners int

	// Prototypes, k×d, is where learning starts, in prepared units. Empty: a first pass draws about
	// 20 000 rows of those that are not left out (fewer where these are more than 2²² values, but
	// twice the clusters), and Init places prototypes by them as it would if they were the table.
	Prototypes dataset.Matrix
}

// Link is between two rows by id: what stands in the column Source.ID, or, without one, the row's
// number from 1.
type Link struct {
	A, B       string
	Kind       link.Kind
	Confidence float64 // in (0, 1]; 0: 1
}

// Result is what [Fit] learnt.
type Result struct {
	Prototypes dataset.Matrix // k×d, float64, in prepared units; a row belongs to the nearest
	Wins       []float64      // k: competitions won, one at the start included
	// k: rows of the last pass that were nearest to each prototype, before they were learnt
	Nearest []int64
	// k: prototypes nearest to at least ActiveShare/k of the rows of the last pass
	Active []bool
	// one a pass: sum of the squared distances of all rows to the nearest prototype, each before it
	// was learnt
	Trace   []float64
	Rows    int64 // presented in a pass
	Rounds  int   // of learning, those of earlier tries included
	Resumed int   // of them, those of earlier tries

	// links that the nearest prototypes of their rows do not meet
	Violated     []Link
	Contradicted []*link.Contradiction // links that contradict others, and were kept
}

// mostPasses bounds passes, and with them the trace.
const mostPasses = 10_000

// Fit learns the rows of a table. Links that contradict each other are a [*link.Contradiction]
// unless Contradictions is [link.Keep]; configurations, data and links that cannot be are a
// [*fault.Input]. The outcome depends on the files, Source.SplitRows, Source.BlockRows and the
// configuration alone.
func Fit(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	cfg Config) (*Result, error) {
	cfg.Passes = cmp.Or(cfg.Passes, 10)
	if err := cfg.check(src, sv); err != nil {
		return nil, err
	}
	ids, links, contradicted, err := resolve(cfg.Links, cfg.Contradictions)
	if err != nil {
		return nil, err
	}
	found, err := gather(ctx, r, src, sv, cfg, ids)
	if err != nil {
		return nil, err
	}
	begin, err := competitive.Begin(ctx, cfg.Config,
		sample.Matrix(found.Rows, len(src.Columns)), cfg.Prototypes)
	if err != nil {
		return nil, found.numbered(err, src.Columns)
	}
	job := learning{Config: cfg.Config, Columns: src.Columns, Splits: len(sv.Splits),
		Learners: cfg.Learners, Passes: cfg.Passes, Linked: found.Linked, Ties: ties(links)}
	out, err := fold.Run(ctx, r,
		fold.Plan{Name: "online", Job: learnJob, Source: src.Bare(), Splits: sv.Splits,
			State: progress{Shared: begin}.encode(), Rounds: cfg.Passes * job.turns()}, job)
	if err != nil {
		return nil, err
	}
	end, err := decodeProgress(out.State)
	if err != nil {
		return nil, err
	}
	result := &Result{Wins: end.Shared.Wins, Active: competitive.Active(end.Last, cfg.ActiveShare),
		Trace: end.Trace,
		Rows:  end.Rows, Rounds: out.Rounds, Resumed: out.Resumed, Contradicted: contradicted}
	for _, n := range end.Last {
		result.Nearest = append(result.Nearest, int64(n))
	}
	if result.Prototypes,
		err = dataset.NewMatrix(cfg.Clusters, len(src.Columns), end.Shared.Prototypes); err != nil {
		return nil, err
	}
	result.Violated, err = violated(ctx, result.Prototypes, found.Linked, ids, links)
	return result, err
}

// check refuses what cannot be learnt.
func (c Config) check(src shard.Source, sv *survey.Survey) error {
	switch {
	case c.Passes < 1 || c.Passes > mostPasses:
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d, or 0 for 10", mostPasses),
			"%d passes asked for",
			c.Passes)
	case c.Learners < 0:
		return fault.Inputf("give how many splits are learnt at the same time, or 0 for all",
			"%d learners asked for", c.Learners)
	case c.Prototypes.Rows > 0 && c.Prototypes.Cols != len(src.Columns):
		return fault.Inputf("give the columns that the table has",
			"the initial prototypes have %d columns and the table %d", c.Prototypes.Cols,
			len(src.Columns))
	case sv.Rows < 1 || len(sv.Splits) == 0:
		return fault.Inputf("give at least one", "the table has no rows")
	}
	return c.Config.Check(len(src.Columns))
}

// violated returns the links that the nearest prototypes of their rows do not meet.
func violated(ctx context.Context, prototypes dataset.Matrix, rows []linkedRow, ids []string,
	links []link.Link) ([]Link, error) {
	if len(links) == 0 {
		return nil, nil
	}
	x := dataset.Matrix{Rows: len(rows), Cols: prototypes.Cols}
	for _, r := range rows {
		x.F64 = append(x.F64, r.Values...)
	}
	labels, err := (&competitive.Result{Prototypes: prototypes}).Predict(ctx, x, 1)
	if err != nil {
		return nil, err
	}
	var out []Link
	for _, l := range links {
		if same := labels[l.A] == labels[l.B]; same != (l.Kind == link.MustLink) {
			out = append(out, Link{A: ids[l.A], B: ids[l.B], Kind: l.Kind,
				Confidence: l.Confidence()})
		}
	}
	return out, nil
}
