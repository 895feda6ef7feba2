package main

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/outline"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

// convertFlags are the flags of kindred data convert.
type convertFlags struct {
	source  input.Source
	segment float64
}

func newDataConvert(a *app) *cobra.Command {
	var f convertFlags
	cmd := &cobra.Command{
		Use:   "convert IN OUT",
		Short: "Change the format of data, or turn them into dissimilarities",
		Long: `convert reads IN and writes OUT in the format that its name tells (.csv, .tsv, .npy,
.parquet, .jsonl). All columns of a table are kept but those of --drop; .npy takes the matrix of its
features, unscaled. Dates, times, timestamps and decimals of Parquet become texts, as
2024-05-17T08:30:00Z. Columns of lists, maps, durations or bytes have no such form: they are refused
unless --drop leaves them out.

With --metric, --text or --series OUT (.csv or .npy) is the square matrix of the dissimilarities
among the rows, which kindred cluster --dissimilarity takes. Features are prepared as the flags say.

A folder of pictures (.png .gif .jpg .pbm .pgm) of silhouettes becomes JSON lines (.jsonl) of cyclic
strings: id, class (the sub-folder, or what a file's name begins with, before the first digit, "-"
or "_") and angles, by which the outline turns from segment to segment, in degrees, for --metric
cyclic-edit --series angles.`,
		Example: `  kindred data convert wine.csv wine.parquet
  kindred data convert iris iris-distances.npy --metric manhattan --scale zscore
  kindred data convert chicken-pieces pieces.jsonl --segment 20
  kindred data convert pieces.jsonl pieces.npy --metric cyclic-edit --series angles
  kindred data convert words.csv words-distances.csv --text word`,
		Args: cli.Arguments(2, 2, "IN and OUT", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0], args[1])
		},
	}
	f.source.Flags(cmd.Flags())
	f.source.CompareFlags(cmd.Flags())
	cmd.Flags().Float64Var(&f.segment, "segment", outline.DefaultSegment,
		"of pictures: length of a segment of the outline, in pixels")
	a.sharing(cmd.Flags())
	return cmd
}

func (f *convertFlags) run(ctx context.Context, a *app, in, out string) error {
	if _, err := f.source.Preparation(true); err != nil {
		return err
	}
	if _, err := f.source.Compared(); err != nil {
		return err
	}
	if err := a.checkFiles([]string{in}, outFile{"OUT", out, checkTable}); err != nil {
		return err
	}
	if info, err := os.Stat(in); err == nil && info.IsDir() {
		return f.pictures(ctx, a, in, out)
	}
	if f.source.Metric != "" || f.source.Square || f.source.Text != "" || f.source.Series != "" {
		return f.matrix(ctx, a, in, out)
	}
	return f.table(ctx, a, in, out)
}

// checkTable reports whether a table can be written to a file of that name.
func checkTable(path string) error {
	_, err := tableFormat(path)
	return err
}

// table changes the format of a table.
func (f *convertFlags) table(ctx context.Context, a *app, in, out string) error {
	format, err := tableFormat(out)
	if err != nil {
		return err
	}
	t, err := read(ctx, a, &f.source, in, format != dataset.FormatNPY)
	if err != nil {
		return err
	}
	b := a.bar("writing " + filepath.Base(out))
	defer b.done()
	if format == dataset.FormatNPY {
		return f.features(ctx, a, b, t, out)
	}
	cols, err := written(t, f.source.Drop)
	if err != nil {
		return err
	}
	err = atomicfile.Write(out, func(w io.Writer) error {
		return writeTable(ctx, w, format, t, cols, b.update)
	})
	if err != nil {
		return err
	}
	a.notef("%s of %s in %s", words.Count(t.Rows, "row"), words.Count(len(cols), "column"), out)
	return nil
}

// features writes the features of a table as a NumPy array.
func (f *convertFlags) features(ctx context.Context, a *app, b *bar, t *dataset.Table,
	out string) error {
	o, err := f.source.Preparation(true)
	if err != nil {
		return err
	}
	o.Scale = dataset.ScaleNone
	p, err := t.Prepare(ctx, o)
	if err != nil {
		return err
	}
	if err := atomicfile.Write(out,
		func(w io.Writer) error { return writeNPY(ctx, w, p.X, b.update) }); err != nil {
		return err
	}
	a.list("", append(slices.Clone(t.Notes), p.Notes...))
	a.notef("%s of %s in %s: %s", words.Count(p.X.Rows, "row"),
		words.Count(p.X.Cols, "column"), out, words.UpTo(p.Names, 10))
	return nil
}

// matrix writes the dissimilarities among all rows.
func (f *convertFlags) matrix(ctx context.Context, a *app, in, out string) error {
	format, err := tableFormat(out)
	if err != nil {
		return err
	}
	if format != dataset.FormatCSV && format != dataset.FormatNPY {
		return fault.Settingf("%s: a matrix of dissimilarities is written as .csv or .npy", out)
	}
	p, err := objects(ctx, a, &f.source, in, true)
	if err != nil {
		return err
	}
	a.list("", p.Notes())
	m, isDense := p.Dissim.(*dissim.Dense)
	if !isDense {
		b := a.bar("comparing rows")
		m, err = dissim.NewDense(ctx, p.Dissim, f.source.Threads, b.read)
		b.done()
		if err != nil {
			return err
		}
	}
	b := a.bar("writing " + filepath.Base(out))
	err = dissim.Write(out, m)
	b.done()
	if err != nil {
		return err
	}
	what := "dissimilarities"
	if p.Objects.Metric != "" {
		what = string(p.Objects.Metric) + " dissimilarities"
	}
	a.notef("the %s of %s in %s", what, words.Count(m.N, "row"), out)
	return nil
}
