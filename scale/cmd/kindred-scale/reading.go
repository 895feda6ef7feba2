package main

import (
	"cmp"
	"context"
	"errors"
	"math"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// reading are the flags for how DATA are read and prepared: those of kindred cluster, and some
// of files that many machines read.
type reading struct {
	*input.Source
	badRows   shard.Bad
	splitRows int
	blockRows int
}

// flags adds the flags to a command; those of the source that mean nothing here are known, and
// refused with a reason.
func (r *reading) flags(cmd *cobra.Command) {
	fs := cmd.Flags()
	if r.Source == nil {
		r.Source = &input.Source{}
		r.Source.Flags(fs)
	}
	fs.Lookup("threads").Usage = "splits that a worker reads at a time (default: one a processor " +
		"in this process, else 1); it never changes a result"
	fs.Lookup("scale").Usage = "scaling of features: none, minmax or zscore (default minmax)"
	fs.Lookup("missing").Usage = "missing values: refuse, drop the row, or fill with the mean " +
		"(default refuse)"
	r.splitRows, r.blockRows = shard.DefaultSplitRows, shard.DefaultBlockRows
	var set param.Set
	set.List(&r.Drop, param.Param{Name: "ignore", Help: "the same as --drop"})
	set.Text(param.Param{Name: "bad-rows", Default: "0", Example: "0.1%",
		Values: "a number of rows or a share of them",
		Help: "unreadable rows that are borne: a number, or a share as 0.1%; they are counted, " +
			"and left out"}, func(text string) (err error) {
		r.badRows, err = parseBad(text)
		return err
	})
	set.Int(&r.splitRows, param.Param{Name: "split-rows", Min: 1,
		Default: strconv.Itoa(shard.DefaultSplitRows),
		Help: "rows that are read at a time, about: a task of the engine; another number means " +
			"other sums in the last digits"})
	set.Int(&r.blockRows, param.Param{Name: "block-rows", Min: 1,
		Default: strconv.Itoa(shard.DefaultBlockRows), Help: "rows that are in memory at a time"})
	cli.Declare(fs, input.DataGroup, &set)
	cli.Hide(cmd, ofReadingElsewhere...)
}

// The flags of reading that mean something here, and those that are refused by [reading.source].
var (
	ofReading = []string{"id", "label", "features", "drop", "ignore", "scale", "missing",
		"threads", "delimiter", "decimal", "bad-rows", "split-rows"}
	ofReadingElsewhere = []string{"block-rows", "format", "inflate-limit", "duplicates",
		"encoding", "na", "date-order", "types", "dates"}
)

// source returns the source that the flags describe.
func (r *reading) source(cmd *cobra.Command, paths []string) (shard.Source, error) {
	s := shard.Source{
		Paths: paths, Columns: r.Features, ID: r.ID, Label: r.Label, Ignore: r.Drop,
		Delimiter: r.Delimiter, Decimal: r.Decimal, BlockRows: r.blockRows, SplitRows: r.splitRows,
		BadRows: r.badRows,
	}
	fs := cmd.Flags()
	switch {
	case fs.Changed("format"):
		return s, fault.Setting(
			"--format: the ending of each file's name is its format (.parquet, .csv, " +
				".tsv, .csv.gz); --parts chooses that of --out")
	case fs.Changed("inflate-limit"):
		return s, fault.Setting(
			"--inflate-limit: compressed files are read as a stream, whatever they inflate to; " +
				"leave it out")
	case r.Encoding != "" || r.NA != nil || r.DateOrder != "" || r.Types != nil || r.Dates != "":
		return s, fault.Setting("--encoding, --na, --date-order, --types and --dates: many files " +
			"are read as UTF-8, with plain numbers and no dates; bring them to that form first " +
			"(kindred data convert)")
	case r.Duplicates != "keep":
		return s, fault.Setting("--duplicates: equal rows lie in any file, and finding them " +
			"takes all rows together; drop them where the files are made, or use kindred cluster")
	case r.Missing == "median":
		return s, fault.Setting(
			"--missing median: a median takes all rows together; give mean, or drop the rows")
	case len(r.Features) > 0 && len(r.Drop) > 0:
		return s, fault.Setting(
			"--features names the columns to use and --drop those to leave out: give one of them")
	}
	if _, err := r.Preparation(false); err != nil {
		return s, err
	}
	for _, name := range paths {
		if err := readable(name); err != nil {
			return s, err
		}
	}
	return s, nil
}

// readable refuses what can be read once alone: DATA are read in every round, at many places.
func readable(name string) error {
	const fix = "write it to a file, .parquet or .csv, and give that"
	if name == "-" {
		return fault.Setting("rows cannot come from stdin, as they are read several times: " + fix)
	}
	if info, err := os.Stat(name); err == nil && !info.IsDir() && !info.Mode().IsRegular() {
		return &fault.Input{File: name,
			Problem: "is a pipe or a device, and rows are read several times", Fix: fix}
	}
	return nil
}

// parseBad reads a number of rows, or a share of them with a percent sign.
func parseBad(text string) (shard.Bad, error) {
	wrong := errors.New("neither a number of rows nor a share")
	if share, ok := strings.CutSuffix(text, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || math.IsNaN(p) || p < 0 || p > 100 {
			return shard.Bad{}, wrong
		}
		return shard.Bad{Share: p / 100}, nil
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return shard.Bad{}, wrong
	}
	return shard.Bad{Most: n}, nil
}

// table is DATA as a method takes them.
type table struct {
	name   string
	source shard.Source
	survey *survey.Survey
	scale  string
}

// look plans and surveys DATA, for a run whose parts go to the folder out ("": none), and which
// holds the engine's folder of states. What it depends on beside flags and DATA is named by also.
func look(ctx context.Context, cmd *cobra.Command, on *engineRunner, s shard.Source, out string,
	also ...string) (*table, error) {
	s, splits, err := shard.Plan(ctx, s)
	if err != nil {
		return nil, err
	}
	if err := absoluteSplits(splits); err != nil {
		return nil, err
	}
	run, err := identity(ctx, cmd, s, splits, also)
	if err != nil {
		return nil, err
	}
	if err := hold(ctx, on.work, out, run, on.app.shared); err != nil {
		return nil, err
	}
	sv, err := survey.Run(ctx, on, s, splits)
	if err != nil {
		return nil, err
	}
	return &table{name: strings.Join(s.Paths, ", "), source: s, survey: sv}, nil
}

// take looks at DATA and prepares them.
func (r *reading) take(ctx context.Context, cmd *cobra.Command, on *engineRunner, s shard.Source,
	out string, also ...string) (*table, error) {
	t, err := look(ctx, cmd, on, s, out, also...)
	if err != nil {
		return nil, err
	}
	t.scale = cmp.Or(r.Scale, "minmax")
	t.source.Prepare, err = t.survey.Prepare(t.scale, r.Missing)
	return t, err
}
