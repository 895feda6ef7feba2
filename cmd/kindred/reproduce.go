package main

import (
	"context"
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/reproduce"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// reproduceFlags are the flags of kindred reproduce.
type reproduceFlags struct {
	frame.Config
	markdown bool
}

func newReproduce(a *app) *cobra.Command {
	var f reproduceFlags
	cmd := &cobra.Command{
		Use:   "reproduce NAME",
		Short: "A paper's tables made again, our figures beside theirs",
		Long: `reproduce runs the experiments of a paper by its protocol and sets our figures beside the printed ones: means
with their 95 % intervals, the best of the starts, and whether the two agree within what chance explains.

The published data sets are looked for in the folder --datasets; those that are missing are named, with where
to get them, and left out. With --out raw runs (runs.csv) and tables (Markdown) go to a folder, and an
experiment that was cut short, by Ctrl-C or --trials, goes on from there.`,
		Example: `  kindred reproduce list
  kindred reproduce competitive-learning-2013 --trials 2 --parts tables --sets iris,wine
  KINDRED_DATASETS=~/sets kindred reproduce competitive-learning-2013 --out results`,
		Args: arguments(1, 1, "one experiment, or list"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("trials") && f.Trials < 1 {
				return usage{fmt.Sprintf("--trials is %d: give 1 or more", f.Trials)}
			}
			return f.run(cmd.Context(), a, args[0])
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.Datasets, "datasets", "", "folder with the published data sets")
	fs.IntVar(&f.Trials, "trials", 0, "repetitions (default: as many as the paper made)")
	fs.StringSliceVar(&f.Parts, "parts", nil, "parts of the experiment to run, as list names them (default: all)")
	fs.StringSliceVar(&f.Sets, "sets", nil, "data sets to run, as list names them (default: all)")
	fs.StringVar(&f.Out, "out", "", "folder for raw runs and tables; raw runs that are there already are taken from there")
	fs.Uint64Var(&f.Seed, "seed", 0, "seed of all that is drawn")
	fs.IntVar(&f.Threads, "threads", 0, "threads; results do not depend on it (default: one a processor)")
	fs.BoolVar(&f.markdown, "markdown", false, "write Markdown to stdout")
	cmd.AddCommand(newReproduceList(a))
	return cmd
}

func newReproduceList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Name the experiments, their parts and the data sets they need",
		Args:  arguments(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for _, e := range reproduce.List() {
				fmt.Fprintf(w, "%s\n  %s\n  %s\n", e.Name, e.Title, e.Paper)
				fmt.Fprintln(w, "  parts:")
				for _, p := range e.Parts {
					fmt.Fprintf(w, "    %s\t%s\n", p.Name, p.Title)
				}
				fmt.Fprintln(w, "  data sets:")
				for _, n := range e.Needs {
					fmt.Fprintf(w, "    %s\t%d×%d, %d classes\t%s\t%s\n", n.Name, n.Rows, n.Cols, n.Classes, n.File, n.From)
				}
			}
			return w.Flush()
		},
	}
}

func (f *reproduceFlags) run(ctx context.Context, a *app, name string) error {
	e, err := reproduce.Find(name)
	if err != nil {
		return err
	}
	bar := a.bar("running " + e.Name)
	f.Progress = func(done, total int) { bar.update(float64(done) / float64(max(1, total))) }
	r, err := e.Run(ctx, f.Config)
	bar.done()
	if err != nil {
		if f.Out != "" && ctx.Err() != nil {
			a.say("what ran is in %s; the same command goes on from there", f.Out)
		}
		return err
	}
	for _, n := range r.Missing {
		a.say("left out: %s is not here (%s): %s", n.Title, n.File, n.From)
	}
	if f.Out != "" {
		if err := r.Save(f.Out); err != nil {
			return err
		}
		taken := ""
		if r.Resumed > 0 {
			taken = fmt.Sprintf(" (%d of %s were there already)", r.Resumed, words.Count(r.Units, "piece"))
		}
		a.say("raw runs and tables are in %s%s", safe.Line(f.Out), taken)
	}
	if f.markdown {
		return r.WriteMarkdown(a.out)
	}
	return r.WriteText(a.out)
}
