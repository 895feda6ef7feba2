package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	asking "github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
	scalecobra "github.com/kindred-go/kindred/scale/cobra"
)

// superFlags are the flags of kindred-scale super.
type superFlags struct {
	reading reading
	running running
	cfg     scalecobra.Config
	out     string
}

func newSuper(a *app) *cobra.Command {
	var f superFlags
	cmd := &cobra.Command{
		Use: "super DATA…",
		Short: "Make super-instances: some hundred rows that stand for all others, to be asked " +
			"about",
		Long: `super groups all rows by k-means and writes to the folder --out what stands ` +
			`for them, a row for each
group:

  medoids.csv   the row nearest the group's mean, as it lies in the data, the number of rows that
                it stands for, and its class
  vectors.csv   the same rows as they are compared, scaled as all rows are
  super.model   places a row in its group; kindred predict reads it

kindred ask takes the first two and asks about them as COBRA would of all rows; kindred-scale expand
then writes the group of every row.`,
		Example: `  kindred-scale super big --super-instances 300 --id key --out big-super
  kindred ask big-super/medoids.csv --embedding big-super/vectors.csv --method cobra \
      --super-instances 300 --id id --out groups.csv
  kindred-scale expand big-super big --groups groups.csv --out big-groups`,
		Args: cli.Arguments(1, 1<<20, "DATA: files, folders or patterns", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, a, plain(cmd, args), args)
		},
	}
	f.reading.flags(cmd)
	f.running.flags(cmd)
	var set param.Set
	declareSupers(&set, &f.cfg)
	cli.Declare(cmd.Flags(), input.MethodGroup, &set)
	var outputs param.Set
	outputs.File(&f.out, param.Param{Name: "out",
		Help: "folder to write to: a new or an empty one, on this machine"})
	cli.Declare(cmd.Flags(), outputGroup, &outputs)
	cli.Shared(cmd.Flags(), outputGroup, &a.shared)
	grouped(cmd, nil)
	return cmd
}

func (f *superFlags) run(cmd *cobra.Command, a *app, paths, args []string) error {
	ctx := cmd.Context()
	source, err := f.reading.source(cmd, paths)
	if err != nil {
		return err
	}
	switch {
	case f.out == "":
		return fault.Setting("give the folder to write to with --out")
	case strings.Contains(f.out, "://"):
		return fault.Settingf("--out: %s is no folder of this machine: name one, and copy it there",
			f.out)
	}
	if err := apart("--out", f.out, paths); err != nil {
		return err
	}
	if held, err := os.ReadDir(f.out); err == nil && len(held) > 0 &&
		!scalecobra.Unfinished(held) {
		return &fault.Input{File: f.out, Problem: "holds files already",
			Fix: "name a new folder, or an empty one"}
	}
	if err := ready("--out", f.out, a.shared); err != nil {
		return err
	}
	on, err := f.running.start(cmd, a, f.reading.Threads, args)
	if err != nil {
		return err
	}
	defer on.Close()
	t, err := f.reading.take(ctx, cmd, on, source, "")
	if err != nil {
		return err
	}
	if err := scalecobra.CheckNames(t.source.Columns, t.source.Label); err != nil {
		return err
	}
	f.cfg.Scale = t.scale
	made, fit, err := scalecobra.Make(ctx, on, t.source, t.survey, f.cfg)
	if err != nil {
		return err
	}
	if err := made.Save(f.out); err != nil {
		return err
	}
	if a.shared {
		for _, name := range []string{scalecobra.MedoidsFile, scalecobra.VectorsFile,
			scalecobra.ModelFile} {
			if err := atomicfile.Share(filepath.Join(f.out, name)); err != nil {
				return err
			}
		}
	}
	a.list(t.notes())
	if asked := cmp.Or(f.cfg.SuperInstances, asking.DefaultSuperInstances); made.Len() < asked {
		a.logf("  %s of the %d asked for: no more rows are distinct",
			words.Count(made.Len(), "super-instance"), asked)
	}
	verb := "stand"
	if made.Len() == 1 {
		verb = "stands"
	}
	a.logf("%s %s for %s, inertia %.6g after %s (%s); they are in %s",
		words.Count(made.Len(), "row"), verb, words.Count(int(made.Rows()), "row"),
		fit.Inertia, words.Count(fit.Iterations, "iteration"), fit.Stopped, f.out)
	a.logf("ask about them: %s", askLine(f.out, made.Len()))
	return nil
}

// askLine is the command that asks about super-instances.
func askLine(folder string, n int) string {
	return fmt.Sprintf("kindred ask %[1]s/%[2]s --embedding %[1]s/%[3]s --method cobra "+
		"--super-instances %[4]d --id id --out groups.csv", folder, scalecobra.MedoidsFile,
		scalecobra.VectorsFile, n)
}
