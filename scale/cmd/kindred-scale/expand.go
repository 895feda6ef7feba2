package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
	scalecobra "github.com/kindred-go/kindred/scale/cobra"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/kmeans"
)

// expandFlags are the flags of kindred-scale expand.
type expandFlags struct {
	reading reading
	running running
	outputs outputs
	groups  string
}

// settled are the flags that the super-instances decide.
var settled = []string{"scale", "missing", "features", "drop", "ignore", "label", "answers"}

func newExpand(a *app) *cobra.Command {
	var f expandFlags
	cmd := &cobra.Command{
		Use:   "expand FOLDER DATA…",
		Short: "Write for every row the group of the super-instance that it belongs to",
		Long: `expand reads the super-instances that kindred-scale super wrote to FOLDER, ` +
			`and their groups
(id,cluster) as kindred ask --out writes them. Each row of DATA belongs to the nearest mean, and has
its group. Groups are numbered by all their rows, the largest first; 0 stays 0. DATA may be other
rows of the same columns.`,
		Example: `  kindred-scale expand big-super big --groups groups.csv --out big-groups
  kindred-scale expand big-super 'news/*.parquet' --groups groups.csv --id key \
      --out news-groups --parts parquet`,
		Args: cli.Arguments(2, 1<<20, "a FOLDER of super-instances and DATA", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, plain(cmd, args), args)
		},
	}
	f.reading.flags(cmd)
	f.outputs.flags(a, cmd)
	f.running.flags(cmd)
	cli.Hide(cmd, settled...)
	var set param.Set
	set.File(&f.groups, param.Param{Name: "groups",
		Help: "file of the groups of the rows in FOLDER: id,cluster (.csv, .parquet or .jsonl)"})
	cli.Declare(cmd.Flags(), input.DataGroup, &set)
	grouped(cmd, nil)
	return cmd
}

func (f *expandFlags) run(cmd *cobra.Command, a *app, paths, args []string) error {
	ctx := cmd.Context()
	source, err := f.reading.source(cmd, paths[1:])
	if err != nil {
		return err
	}
	if err := refuse(cmd.Flags(), settled, ": rows are read and prepared as those of the "+
		"super-instances were; leave it out"); err != nil {
		return err
	}
	switch {
	case f.groups == "":
		return fault.Setting(
			"give the file of the groups with --groups, as kindred ask --out writes it")
	case f.outputs.out == "":
		return fault.Setting("give the folder to write to with --out")
	}
	if err := f.outputs.check(paths[1:]); err != nil {
		return err
	}
	made, err := scalecobra.Load(ctx, paths[0])
	if err != nil {
		return err
	}
	g, err := made.ReadGroups(ctx, f.groups)
	if err != nil {
		return err
	}
	on, err := f.running.start(cmd, a, f.reading.Threads, args)
	if err != nil {
		return err
	}
	defer on.Close()
	if source, err = recipe.Apply(source, made.Recipe); err != nil {
		return err
	}
	t, err := look(ctx, cmd, on, source, f.outputs.folder, fmt.Sprint(g.ClusterOf, made.Means.F64))
	if err != nil {
		return err
	}
	if t.source.Single != source.Single {
		return &fault.Input{File: strings.Join(source.Paths, ", "),
			Problem: "its numbers are of another precision than those that the super-instances " +
				"were made of", Fix: "give files of the same columns, all of 32 bits or all of 64"}
	}
	if f.outputs.model != "" {
		err := a.write(f.outputs.model, func() error {
			return model.Save(&method.Model{Method: "cobra", Means: made.Means,
				ClusterOf: g.ClusterOf, Encoding: made.Recipe}, f.outputs.model)
		})
		if err != nil {
			return err
		}
	}
	placed, err := kmeans.Label(ctx, on, t.source, t.survey, made.Means, g.ClusterOf,
		f.outputs.folder, f.outputs.parts)
	if err != nil {
		return err
	}
	rows := bySize(placed.Sizes, g.ClusterOf)
	all, in := total(placed.Sizes), total(rows)
	a.list(t.notes())
	a.logf("%s in %s %s; the group of each is in %s, in %s", words.Count(int(all), "row"),
		words.Count(g.Clusters, "cluster"), sizes(rows, all-in),
		f.outputs.out, words.Count(len(t.survey.Splits), "part"))
	return nil
}
