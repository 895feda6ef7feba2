package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/generate"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

func newData(a *app) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "data",
		Short: "Samples, a look at a file, made-up data, other formats",
		Args:  cli.Arguments(0, 0, "one of list, info, explain, make and convert", nil),
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

func newDataInfo(a *app) *cobra.Command {
	var s input.Source
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "info DATA",
		Short: "Show what is understood of a file: columns, types, ranges, missing values, roles",
		Example: `  kindred data info customers.csv
  zcat events.csv.gz | kindred data info -`,
		Args: cli.Arguments(1, 1, "one DATA: a file, - for stdin, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			t, err := read(cmd.Context(), a, &s, args[0], true)
			if err != nil {
				return err
			}
			return info(cmd.Context(), a.out, &s, t, asJSON)
		},
	}
	s.Flags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// info writes a table of the columns and what would become of them.
func info(ctx context.Context, out io.Writer, s *input.Source, t *dataset.Table,
	asJSON bool) error {
	p, d, err := s.Profile(ctx, t)
	if err != nil {
		return err
	}
	if asJSON {
		return writeJSON(out, "  ", p)
	}
	fmt.Fprintf(out, "%s: %s, %s, read as %s\n\n", safe.Line(t.Name), words.Count(t.Rows, "row"),
		words.Count(len(t.Columns), "column"), t.Format)
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "column\ttype\trole\tvalues\tmissing\t")
	for i, c := range t.Columns {
		missing := "-"
		if c.Missing > 0 {
			missing = fmt.Sprintf("%d (first in row %d)", c.Missing, c.FirstMissing)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\n", words.Short(c.Name), c.Type, c.Role,
			values(c, p.Columns[i]), missing, safe.Line(c.Why))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, n := range t.Notes {
		fmt.Fprintf(out, "\n%s", safe.Line(n))
	}
	for _, c := range p.Columns {
		for _, what := range c.Suspicions {
			fmt.Fprintf(out, "\nlook at column %s: %s", words.Short(c.Name), safe.Line(what))
		}
	}
	if len(t.Notes) > 0 {
		fmt.Fprintln(out)
	}
	if p.Problem != "" {
		_, err := fmt.Fprintf(out, "\nIt cannot be clustered as it is: %s\n",
			safe.Line(p.Problem))
		return err
	}
	for _, n := range d.Ready.Notes {
		fmt.Fprintln(out, safe.Line(n))
	}
	_, err = fmt.Fprintf(out,
		"\nIt gives a matrix of %d rows and %s; rows with equal features: %d. Fingerprint %.16s.\n",
		p.MatrixRows, words.Count(p.Features, "feature"), p.Duplicates, t.Fingerprint)
	return err
}

// values describes what a column holds, at a glance.
func values(c dataset.Column, p input.ColumnProfile) string {
	switch {
	case c.Type == dataset.Number && c.Role == dataset.Feature:
		return fmt.Sprintf("%s to %s, mean %s %s", words.Round(c.Min), words.Round(c.Max),
			words.Round(c.Mean), sparkline(p.Histogram))
	case p.Low != "":
		return p.Low + " to " + p.High
	case len(c.Levels) > 0:
		const most, wide = 5, 45
		text := words.Short(c.Levels[0])
		shown := 1
		for _, l := range c.Levels[1:min(most, len(c.Levels))] {
			longer := text + ", " + words.Short(l)
			if utf8.RuneCountInString(longer) > wide {
				break
			}
			text, shown = longer, shown+1
		}
		if c.Distinct > shown {
			text += fmt.Sprintf(", … (%d)", c.Distinct)
		}
		return text
	case c.Distinct > 0:
		return fmt.Sprintf("%d different", c.Distinct)
	case len(p.Examples) > 0:
		const most = 30
		text := []rune(safe.Line(p.Examples[0].Value))
		if len(text) > most {
			text = append(text[:most-1], '…')
		}
		return "as " + string(text)
	}
	return ""
}

// sparkline draws counts as bars of eight heights.
func sparkline(counts []int) string {
	if len(counts) == 0 {
		return ""
	}
	most := max(1, slices.Max(counts))
	bars := []rune(" ▁▂▃▄▅▆▇█")
	var b strings.Builder
	for _, n := range counts {
		b.WriteRune(bars[(8*n+most-1)/most])
	}
	return b.String()
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
			if out != "" {
				if err := checkTable(out); err != nil {
					return fault.Setting("--out: " + err.Error())
				}
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
