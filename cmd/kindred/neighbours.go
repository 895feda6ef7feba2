package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/knn"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
)

// neighbourFlags are the flags of kindred neighbours.
type neighbourFlags struct {
	source input.Source
	k      int
	exact  bool
	inner  bool
	recall float64
	seed   uint64
	out    string
}

func newNeighbours(a *app) *cobra.Command {
	var f neighbourFlags
	cmd := &cobra.Command{
		Use:   "neighbours DATA",
		Short: "Write the nearest neighbours of each row",
		Long: fmt.Sprintf(`neighbours finds the rows nearest to each row of DATA, and writes a line for
each, id,neighbour,rank,distance, to stdout or --out. They are exact up to %d rows, for vectors of up
to 8 columns, and with --exact; else most of them are found by a search of which the recall is
reported. With --inner-product they are the rows of the largest inner products.`, nearest.ExactRows),
		Example: `  kindred neighbours iris -k 5
  kindred neighbours embeddings.npy -k 15 --metric cosine --out knn.parquet
  kindred neighbours embeddings.npy -k 15 --inner-product --scale none --out knn.parquet`,
		Args: cli.Arguments(1, 1, "one DATA: a file, - for stdin, a folder, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0])
		},
	}
	fs := cmd.Flags()
	f.source.Flags(fs)
	f.source.CompareFlags(fs)
	fs.IntVarP(&f.k, "neighbours", "k", 15, "neighbours of each row")
	fs.BoolVar(&f.exact, "exact", false, "find exact neighbours, however many rows there are")
	fs.Float64Var(&f.recall, "recall", 0.95,
		"share of the neighbours that a search that is not exact should find")
	fs.BoolVar(&f.inner, "inner-product", false,
		"find the rows of the largest inner products, the column distance; always exact")
	fs.Uint64Var(&f.seed, "seed", 0, "chooses the random numbers of a search that is not exact")
	fs.StringVar(&f.out, "out", "", "write the graph here (.csv, .parquet or .jsonl)")
	a.sharing(fs)
	return cmd
}

func (f *neighbourFlags) run(ctx context.Context, a *app, name string) error {
	if f.k < 1 {
		return fault.Settingf("--neighbours is %d: give 1 or more", f.k)
	}
	if !(f.recall > 0 && f.recall < 1) {
		return fault.Settingf("--recall is %g: give a share above 0 and below 1, or --exact",
			f.recall)
	}
	if err := a.checkFiles([]string{name}, outFile{"--out", f.out, knn.CheckPath}); err != nil {
		return err
	}
	data, err := watched(a, func(p input.Progress) (*input.Data, error) {
		return f.source.Objects(ctx, a.place(), name, true, false, p)
	})
	if err != nil {
		return err
	}
	problem := data.Problem()
	src, objects, err := problem.Compared()
	if err != nil {
		return input.Placed(err, data.Name())
	}
	if f.inner && (f.source.Metric != "" || objects.Rows.Rows == 0) {
		return fault.Settingf("--inner-product is of rows of numbers, without --metric: " +
			"leave one of them out")
	}
	cfg := nearest.Config{K: f.k, Seed: f.seed, Recall: f.recall, Threads: problem.Threads}
	if f.exact {
		cfg.Search = nearest.Exact
	}
	b := a.bar("looking for neighbours")
	cfg.Progress = b.update
	var found *nearest.Neighbours
	if f.inner {
		found, err = nearest.Products(ctx, objects.Rows, f.k, problem.Threads, b.update)
	} else {
		found, err = nearest.Find(ctx, src, cfg)
	}
	b.done()
	if err != nil {
		return input.Placed(err, data.Name())
	}
	recall, err := nearest.Recall(ctx, src, found, problem.Threads)
	if err != nil {
		return err
	}
	a.list("", data.Notes())
	how := "exact"
	if f.inner {
		how = "those of the largest inner product, exact"
	}
	if found.Search == nearest.Approximate {
		how = fmt.Sprintf("approximate: %.4g %% are no farther than the last true one, measured on "+
			"a sample", 100*recall)
	}
	if zero := zeroRows(objects, data.ID); zero != "" {
		a.notef("%s", zero)
	}
	a.notef("%s: %s of each of %s, %s", data.What(), words.Count(f.k, "neighbour"),
		words.Count(src.Len(), "row"), how)
	g := knn.Graph{K: found.K, Index: found.Index, Dist: found.Dist}
	if f.out == "" {
		return knn.Write(ctx, a.out, dataset.FormatCSV, g, data.ID)
	}
	if err := knn.WriteFile(ctx, f.out, g, data.ID); err != nil {
		return err
	}
	a.notef("the graph is in %s", f.out)
	return nil
}

// zeroRows names the rows that are compared by their directions and have none; "": there are none.
func zeroRows(objects method.Objects, id func(row int) string) string {
	if objects.Metric != dissim.Cosine {
		return ""
	}
	var named []string
	count, row := 0, []float64(nil)
	for i := range objects.Rows.Rows {
		row = objects.Rows.AppendRow(row[:0], i)
		if slices.ContainsFunc(row, func(v float64) bool { return v != 0 }) {
			continue
		}
		if count++; count <= 5 {
			named = append(named, fmt.Sprintf("%d (%s)", i+1, id(i)))
		}
	}
	if count == 0 {
		return ""
	}
	if count > len(named) {
		named = append(named, "…")
	}
	return fmt.Sprintf("%s all zero, without a direction, and at 1 from all others: %s; leave them "+
		"out, or take --metric euclidean", method.Are(count, "row"), strings.Join(named, ", "))
}
