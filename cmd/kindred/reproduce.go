package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/reproduce"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// reproduceFlags are the flags of kindred reproduce.
type reproduceFlags struct {
	frame.Config
	page           string
	markdown, json bool
}

func newReproduce(a *app) *cobra.Command {
	var f reproduceFlags
	cmd := &cobra.Command{
		Use:   "reproduce NAME|all",
		Short: "A paper's tables and figures made again, ours beside theirs",
		Long: `reproduce runs the experiments of a paper by its protocol and sets our figures beside
the printed ones: means with their 95 % intervals, the best of the starts, and whether the two agree
within what chance explains.

The published data sets are looked for in the folder --datasets; those that are missing are named,
with where to get them, and left out. With --out raw runs (runs.parquet), tables (Markdown, LaTeX,
CSV) and pictures (SVG) go to a folder, and an experiment that was cut short, by Ctrl-C or --trials,
goes on from there.

all runs every experiment, each into a folder of its own in --out. --reduced makes fewer
repetitions, and leaves out what takes long. --page writes one page of Markdown about all that was
run, its pictures in a folder beside it.`,
		Example: `  kindred reproduce list
  kindred reproduce competitive-learning-2013 --trials 2 --parts tables --sets iris,wine
  KINDRED_DATASETS=~/sets kindred reproduce competitive-learning-2013 --out results
  KINDRED_DATASETS=~/sets kindred reproduce all --reduced --out results --page results.md`,
		Args: cli.Arguments(1, 1, "one experiment, all, or list", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			switch {
			case cmd.Flags().Changed("trials") && f.Trials < 1:
				return fault.Settingf("--trials is %d: give 1 or more", f.Trials)
			case f.markdown && f.json:
				return fault.Setting(
					"--markdown and --json are two ways to write the report: give one")
			case isFolder(f.page):
				return fault.Settingf("--page is the folder %s: name a file", safe.Line(f.page))
			case there(f.Out) && !isFolder(f.Out):
				return fault.Settingf("--out: %s is a file, not a folder: give another name",
					safe.Line(f.Out))
			case args[0] == "all" && f.markdown:
				return fault.Setting(
					"--markdown writes the report of one experiment: give --page FILE for that " +
						"of all")
			}
			if err := dataSets(f.Datasets); err != nil {
				return err
			}
			if args[0] == "all" {
				return f.all(cmd.Context(), a)
			}
			return f.one(cmd.Context(), a, args[0])
		},
	}
	fs := cmd.Flags()
	fs.StringVar(&f.Datasets, "datasets", "", "folder with the published data sets")
	fs.IntVar(&f.Trials, "trials", 0,
		"repetitions (default: as many as the paper made, or as a reduced run makes)")
	fs.BoolVar(&f.Reduced, "reduced", false, "fewer repetitions, and without what takes long")
	fs.StringSliceVar(&f.Parts, "parts", nil,
		"parts of the experiment to run, as list names them (default: all)")
	fs.StringSliceVar(&f.Sets, "sets", nil,
		"data sets to run, as list names them, in the parts that use them (default: all)")
	fs.StringVar(&f.Out, "out", "",
		"folder for raw runs, tables and pictures; raw runs that are there already are taken "+
			"from there")
	fs.StringVar(&f.page, "page", "",
		"file for one page of Markdown; its pictures go to a folder beside it, named after it")
	fs.Uint64Var(&f.Seed, "seed", 0, "seed of all that is drawn")
	fs.IntVar(&f.Threads, "threads", 0,
		"threads; results do not depend on it (default: one a processor)")
	fs.BoolVar(&f.markdown, "markdown", false, "write Markdown to stdout")
	fs.BoolVar(&f.json, "json", false, "write JSON to stdout")
	cmd.AddCommand(newReproduceList(a))
	return cmd
}

// isFolder reports whether there is a folder of a name.
func isFolder(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// dataSets refuses a folder of data sets that is not there: what kindred ships would stand in for
// what was meant.
func dataSets(folder string) error {
	switch {
	case folder == "" || isFolder(folder):
		return nil
	case there(folder):
		return fault.Settingf(
			"--datasets: %s is a file, not a folder: give the folder that the data sets are in",
			safe.Line(folder))
	}
	return fault.Settingf("--datasets: there is no folder %s: check the spelling",
		safe.Line(folder))
}

// one runs one experiment.
func (f *reproduceFlags) one(ctx context.Context, a *app, name string) error {
	e, err := reproduce.Find(name)
	if err != nil {
		return err
	}
	bar := a.bar("running " + e.Name)
	f.Progress = func(done, total int) { bar.update(float64(done) / float64(max(1, total))) }
	r, err := e.Run(ctx, f.Config)
	bar.done()
	if err != nil {
		f.noteCut(ctx, a)
		return err
	}
	f.noteMissing(a, r)
	if f.Out != "" {
		if err := r.Save(f.Out); err != nil {
			return err
		}
		f.noteKept(a, r)
	}
	if err := f.savePage(a, r); err != nil {
		return err
	}
	if f.Out == "" && f.page == "" && len(r.Pictures) > 0 {
		a.notef("%s not kept: --out FOLDER keeps pictures, tables and raw runs",
			method.Are(len(r.Pictures), "picture"))
	}
	switch {
	case f.markdown:
		return r.WriteMarkdown(a.out)
	case f.json:
		return r.WriteJSON(a.out)
	}
	return r.WriteText(a.out)
}

// all runs every experiment.
func (f *reproduceFlags) all(ctx context.Context, a *app) error {
	bar := a.bar("")
	var label string
	var before, of int
	f.Progress = func(done, total int) {
		bar.progress(label, (float64(before)+float64(done)/float64(max(1, total)))/float64(of))
	}
	done, err := reproduce.All(ctx, reproduce.List(), f.Config, func(e frame.Experiment, i, n int) {
		label, before, of = fmt.Sprintf("%s (%d of %d)", e.Name, i+1, n), i, n
		bar.progress(label, float64(i)/float64(n))
	})
	bar.done()
	if err != nil {
		f.noteCut(ctx, a)
		return err
	}
	reports := []*frame.Report{}
	var failed []error
	for _, d := range done {
		if d.Err != nil {
			failed = append(failed, d.Err)
		} else {
			reports = append(reports, d.Report)
		}
	}
	f.noteMissing(a, reports...)
	if f.Out != "" {
		f.noteKept(a, reports...)
	}
	if len(reports) > 0 {
		if err := f.savePage(a, reports...); err != nil {
			return err
		}
	}
	if err := f.writeAll(a, reports); err != nil {
		return err
	}
	return errors.Join(failed...)
}

// writeAll writes what the experiments come to.
func (f *reproduceFlags) writeAll(a *app, reports []*frame.Report) error {
	if f.json {
		return writeJSON(a.out, " ", reports)
	}
	for i, r := range reports {
		if i > 0 {
			fmt.Fprintln(a.out)
		}
		if err := r.WriteShort(a.out); err != nil {
			return err
		}
	}
	return nil
}

// noteMissing names the data sets that were left out.
func (f *reproduceFlags) noteMissing(a *app, reports ...*frame.Report) {
	for _, n := range reproduce.Missing(reports) {
		a.notef("left out: %s is not here (%s): %s", n.Title, n.Files(), n.From)
	}
}

// noteKept reports where everything is, and how much of it was there before.
func (f *reproduceFlags) noteKept(a *app, reports ...*frame.Report) {
	resumed, units := 0, 0
	for _, r := range reports {
		resumed, units = resumed+r.Resumed, units+r.Units
	}
	taken := ""
	if resumed > 0 {
		taken = fmt.Sprintf(" (%d of %s were there already)", resumed, words.Count(units, "piece"))
	}
	a.notef("raw runs, tables and pictures are in %s%s", safe.Line(f.Out), taken)
}

// noteCut reports how to go on, when a run was cut short.
func (f *reproduceFlags) noteCut(ctx context.Context, a *app) {
	switch {
	case ctx.Err() == nil:
	case f.Out != "":
		a.notef("what ran is in %s; the same command goes on from there", safe.Line(f.Out))
	default:
		a.notef("what ran is gone; with --out FOLDER the same command goes on where it was cut " +
			"short")
	}
}

// savePage writes the page of all reports if --page is given.
func (f *reproduceFlags) savePage(a *app, reports ...*frame.Report) error {
	if f.page == "" {
		return nil
	}
	p := reproduce.Page{Reduced: f.Reduced, Reports: reports}
	if err := p.Save(f.page); err != nil {
		return err
	}
	a.notef("the page is %s", safe.Line(f.page))
	return nil
}

func newReproduceList(a *app) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use: "list",
		Short: "Name the experiments, their parts, and the data sets they need with those that " +
			"are here",
		Args: cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(*cobra.Command, []string) error {
			if err := dataSets(folder); err != nil {
				return err
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for i, e := range reproduce.List() {
				if i > 0 {
					fmt.Fprintln(w)
				}
				listExperiment(w, e, folder)
			}
			return w.Flush()
		},
	}
	cmd.Flags().StringVar(&folder, "datasets", "", "folder with the published data sets")
	return cmd
}

// listExperiment describes an experiment, and which of its data sets are in a folder. Each list is
// aligned by itself.
func listExperiment(w *tabwriter.Writer, e frame.Experiment, folder string) {
	fmt.Fprintf(w, "%s\n  %s\n  %s\n  repetitions: %d, reduced %d\n", e.Name, e.Title, e.Paper,
		e.Trials, e.Reduced)
	if e.Hours.Full > 0 {
		fmt.Fprintf(w, "  hours of one core: about %g, reduced %g\n", e.Hours.Full, e.Hours.Reduced)
	}
	if len(e.Parts) > 0 {
		fmt.Fprintln(w, "  parts:")
	}
	for _, p := range e.Parts {
		bare := ""
		if p.Bare {
			bare = " (needs no data set)"
		}
		fmt.Fprintf(w, "    %s\t%s%s\n", p.Name, p.Title, bare)
	}
	if len(e.Needs) > 0 {
		fmt.Fprintln(w, "  data sets:")
	}
	var missing []frame.Need
	for _, n := range e.Needs {
		size := fmt.Sprintf("%d×%d, %s", n.Rows, n.Cols, classes(n.Classes))
		if n.Matrix {
			size = "matrix " + size
		}
		is := "here"
		switch here, shipped := n.Here(folder); {
		case shipped:
			is = "sample"
		case !here:
			is = "not here"
			missing = append(missing, n)
		}
		fmt.Fprintf(w, "    %s\t%s\t%s\t%s\n", n.Name, size, is, n.Files())
	}
	if len(missing) > 0 {
		fmt.Fprintln(w, "  where to get what is not here:")
	}
	for _, n := range missing {
		fmt.Fprintf(w, "    %s\t%s\n", n.Name, n.From)
	}
}

func classes(n int) string {
	if n == 0 {
		return "no classes"
	}
	return fmt.Sprintf("%d classes", n)
}
