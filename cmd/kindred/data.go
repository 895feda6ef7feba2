package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/cli"
)

func newData(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Samples, a look at a file, made-up data, other formats",
		Args:  cli.Commands(nil, nil),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newDataList(a), newDataInfo(a), newDataExplain(a), newDataMake(a),
		newDataConvert(a))
	return cmd
}

func newDataList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "list",
		Short: "Name the samples inside kindred and the laws of made-up data",
		Args:  cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(*cobra.Command, []string) error {
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			fmt.Fprintln(w, "Samples, usable by name wherever DATA is asked for:")
			for _, s := range sample.List() {
				fmt.Fprintf(w, "  %s\t%d×%d, %d classes\t%s\n\t\t%s\n\t\t%s\n", s.Name, s.Rows,
					s.Features, s.Classes, s.Title, s.Origin, s.Licence)
			}
			fmt.Fprintln(w, "\nLaws, for kindred data make:")
			for _, l := range generate.Laws() {
				d := l.Defaults
				fmt.Fprintf(w, "  %s\t%d×%d, %d classes\t%s\n", l.Name, d.Rows, d.Dimensions,
					d.Clusters, l.Title)
			}
			return w.Flush()
		},
	}
}

func newDataMake(a *app) *cobra.Command {
	var cfg generate.Config
	var out string
	cmd := &cobra.Command{
		Use:   "make LAW",
		Short: "Make data by a known law, with the true class of each row",
		Long: `make writes a table with the columns x1, x2, … and class: CSV to stdout, and to --out
in the format that its name tells (.csv, .tsv, .parquet, .jsonl; .npy takes the matrix without the
classes). The laws:

` + laws(),
		Example: `  kindred data make moons --out moons.csv
  kindred data make blobs --rows 100000 --dimensions 16 --clusters 25 --seed 7 > blobs.csv`,
		Args: cli.Arguments(1, 1, "one LAW (see kindred data list)", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.checkFiles(nil, outFile{"--out", out, checkTable}); err != nil {
				return err
			}
			x, classes, err := generate.Make(cmd.Context(), args[0], cfg)
			if err != nil {
				return err
			}
			if out == "" {
				return generate.Write(cmd.Context(), a.out, x, classes)
			}
			return writeMade(cmd.Context(), a, out, x, classes)
		},
	}
	fs := cmd.Flags()
	fs.IntVar(&cfg.Rows, "rows", 0, "rows (default: the law's own)")
	fs.IntVar(&cfg.Dimensions, "dimensions", 0, "features (default: the law's own)")
	fs.IntVarP(&cfg.Clusters, "clusters", "k", 0, "clusters (default: the law's own)")
	fs.Float64Var(&cfg.Noise, "noise", 0, "spread (default: the law's own; negative for none)")
	fs.Uint64Var(&cfg.Seed, "seed", 0, "seed")
	fs.StringVar(&out, "out", "", "write here instead of to stdout")
	a.sharing(fs)
	return cmd
}

// writeMade writes made-up data in the format of the ending of a name.
func writeMade(ctx context.Context, a *app, out string, x dataset.Matrix, classes []int) error {
	format, err := tableFormat(out)
	if err != nil {
		return err
	}
	b := a.bar("writing " + filepath.Base(out))
	defer b.done()
	switch format {
	case dataset.FormatCSV:
		return atomicfile.Write(out,
			func(w io.Writer) error { return generate.Write(ctx, w, x, classes) })
	case dataset.FormatNPY:
		a.notef("%s has the features alone: .npy takes no classes", out)
		return atomicfile.Write(out,
			func(w io.Writer) error { return writeNPY(ctx, w, x, b.update) })
	}
	var text bytes.Buffer
	if err := generate.Write(ctx, &text, x, classes); err != nil {
		return err
	}
	t, err := dataset.ReadStream(ctx, &text, out,
		dataset.ReadOptions{Format: dataset.FormatCSV, Label: "class", Keep: true})
	if err != nil {
		return err
	}
	cols, err := written(t, nil)
	if err != nil {
		return err
	}
	return atomicfile.Write(out, func(w io.Writer) error {
		return writeTable(ctx, w, format, t, cols, b.update)
	})
}

func laws() string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, l := range generate.Laws() {
		fmt.Fprintf(w, "  %s\t%s; noise: %s (%g)\n", l.Name, l.Title, l.Noise, l.Defaults.Noise)
	}
	w.Flush()
	return b.String()
}
