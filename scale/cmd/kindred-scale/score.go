package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/param"
	scaleeval "github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/shard"
)

// mostSampled is how many rows eval.Silhouette takes at most.
const mostSampled = 50_000

// scoreFlags are the flags of kindred-scale score.
type scoreFlags struct {
	reading    reading
	running    running
	silhouette bool
	cfg        scaleeval.SilhouetteConfig
	model      string
	json       bool
}

// scores is what score --json writes.
type scores struct {
	*eval.Report // nil: not compared with classes
	// rows that have no cluster or no class
	Left       *int64                 `json:"left_out,omitempty"`
	Silhouette *scaleeval.Silhouettes `json:"silhouette,omitempty"`
	Simplified *scaleeval.Centered    `json:"simplified_silhouette,omitempty"`
}

func newScore(a *app) *cobra.Command {
	var f scoreFlags
	cmd := &cobra.Command{
		Use:   "score PARTS DATA…",
		Short: "Judge a partition in parts against true classes, and by the data",
		Long: `score compares the clusters in PARTS, the folder that cluster or expand ` +
			`wrote with --out, with the
classes in a column of DATA, the same files in the same splits: Rand, adjusted Rand, NMI, purity,
pair precision and recall, as kindred score does. PARTS may also be COLUMN=NAME, a column of DATA
that holds clusters.

--silhouette judges by the features of DATA, with or without classes: silhouettes of a sample of
rows, and the estimates for all of them, with standard errors. --model judges all rows by the
centres that cluster wrote with --model: the simplified silhouette, of distances to the nearest
centre and the next, in one pass and without PARTS being read.`,
		Example: `  kindred-scale cluster big -k 25 --ignore class --out groups
  kindred-scale score groups big --label class
  kindred-scale score groups big --silhouette --sample 10000 --model groups.model`,
		Args: cli.Arguments(2, 1<<20, "PARTS and DATA", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, plain(cmd, args), args)
		},
	}
	f.reading.flags(cmd)
	f.running.flags(cmd)
	var set param.Set
	set.Bool(&f.silhouette, param.Param{Name: "silhouette", Default: "false",
		Help: "mean silhouette by the features of DATA, on a sample, with its standard error"})
	set.Int(&f.cfg.Sample, param.Param{Name: "sample", Min: 1, Max: mostSampled, Default: "5000",
		Help: "about how many rows silhouettes are taken of; each cluster has 20 in any case"})
	set.Uint64(&f.cfg.Seed, param.Param{Name: "seed", Default: "0", Help: "seed of that sample"})
	set.File(&f.model, param.Param{Name: "model",
		Help: "model of cluster --model: simplified silhouette of all rows about its centres"})
	cli.Declare(cmd.Flags(), "", &set)
	declareJSON(cmd, &f.json, "write one JSON object to stdout")
	grouped(cmd, nil)
	return cmd
}

func (f *scoreFlags) run(cmd *cobra.Command, a *app, paths, args []string) error {
	ctx := cmd.Context()
	source, err := f.reading.source(cmd, paths[1:])
	if err != nil {
		return err
	}
	found, err := foundSide(paths[0])
	if err != nil {
		return err
	}
	if err := f.check(cmd); err != nil {
		return err
	}
	var model *method.Model
	if f.model != "" {
		if model, err = a.centres(f.model); err != nil {
			return err
		}
	}
	if found.Column != "" && len(source.Columns) == 0 {
		source.Ignore = append(source.Ignore, found.Column) // what is judged is no feature
	}
	on, err := f.running.start(cmd, a, f.reading.Threads, args)
	if err != nil {
		return err
	}
	defer on.Close()
	held, err := stamps(ctx, found)
	if err != nil {
		return err
	}
	t, err := f.reading.take(ctx, cmd, on, source, "", held...)
	if err != nil {
		return err
	}
	s, err := f.judge(ctx, on, t, found, model)
	if err != nil {
		return err
	}
	if f.json {
		return json.NewEncoder(a.out).Encode(s)
	}
	return s.show(a.out)
}

// check looks at the flags.
func (f *scoreFlags) check(cmd *cobra.Command) error {
	fs := cmd.Flags()
	if !f.silhouette {
		if err := refuse(fs, []string{"sample", "seed"}, " is of the sample that silhouettes are "+
			"taken of: give --silhouette too, or leave it out"); err != nil {
			return err
		}
		if err := refuse(fs, []string{"scale", "features"}, ": features are judged with "+
			"--silhouette alone: give it too, or leave this out"); err != nil {
			return err
		}
	}
	if f.reading.Label == "" && !f.silhouette && f.model == "" {
		return fault.Setting("name the column of true classes with --label, or judge by the data " +
			"with --silhouette or --model")
	}
	return nil
}

// judge takes the passes that are asked for.
func (f *scoreFlags) judge(ctx context.Context, on *engineRunner, t *table, found scaleeval.Side,
	m *method.Model) (s scores, err error) {
	if f.reading.Label != "" {
		counted, err := scaleeval.Compare(ctx, on, t.source, t.survey, found,
			scaleeval.Side{Column: f.reading.Label})
		if err != nil {
			return s, err
		}
		report, err := counted.Report()
		if err != nil {
			return s, err
		}
		s.Report, s.Left = &report, &counted.Left
	}
	if f.silhouette {
		f.cfg.Threads = f.reading.Threads
		if s.Silhouette, err = scaleeval.Silhouette(ctx, on, t.source, t.survey, found,
			f.cfg); err != nil {
			return s, err
		}
	}
	if m != nil {
		s.Simplified, err = judgeCentres(ctx, on, t, m)
	}
	return s, err
}

// foundSide returns where the clusters lie.
func foundSide(text string) (scaleeval.Side, error) {
	if column, ok := strings.CutPrefix(text, "COLUMN="); ok {
		if column == "" {
			return scaleeval.Side{},
				fault.Setting("COLUMN= names no column: give COLUMN=NAME, or the folder of parts")
		}
		return scaleeval.Side{Column: column}, nil
	}
	folder, err := absolute(text)
	return scaleeval.Side{Folder: folder}, err
}

// stamps returns what differs between one state of the parts and another.
func stamps(ctx context.Context, side scaleeval.Side) ([]string, error) {
	if side.Folder == "" {
		return []string{side.Column}, nil
	}
	names, err := shard.List(ctx, side.Folder)
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(names,
		func(name string) bool { return strings.HasSuffix(name, ".jsonl") }) {
		return nil, &fault.Input{File: side.Folder,
			Problem: "holds parts in JSON lines, which are not read again",
			Fix:     "write them with --parts csv or parquet"}
	}
	var files []shard.Split
	for _, name := range names {
		files = append(files, shard.Split{File: name})
	}
	held, err := shard.Stamps(ctx, files)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(held)
	return []string{string(text)}, err
}

// show writes the indices as kindred score does.
func (s scores) show(out io.Writer) error {
	var parts []string
	if s.Report != nil {
		text := s.Report.String()
		if *s.Left > 0 {
			text += fmt.Sprintf("\n%s without a cluster or a class left out",
				words.Count(int(*s.Left), "row"))
		}
		parts = append(parts, text)
	}
	if s.Silhouette != nil {
		parts = append(parts, "S"+strings.TrimPrefix(silhouettes(s.Silhouette), "s"))
	}
	if s.Simplified != nil {
		parts = append(parts, "Simplified silhouette: "+simplified(s.Simplified))
	}
	_, err := fmt.Fprintln(out, strings.Join(parts, "\n\n"))
	return err
}
