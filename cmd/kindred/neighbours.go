package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/knn"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/nearest"
	"github.com/kindred-go/kindred/internal/words"
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
		Long: fmt.Sprintf(`neighbours finds the rows nearest to each row of DATA, and writes lines of
id,neighbour,rank,distance, the nearest first, to stdout or --out.

They are exact up to %d rows, for vectors of up to 8 columns, and with --exact. Otherwise a faster
search finds most of them, and reports how many on a sample of rows. With --recall it does so where
it saves time: above 5000 rows of numbers, or 50 000 where more than 0.99 is asked for.

With --inner-product the neighbours of a row are those of the largest inner products with it, which
are in the column distance. Columns are not scaled then, unless --scale is given.`,
			nearest.ExactRows),
		Example: `  kindred neighbours iris -k 5
  kindred neighbours embeddings.npy -k 15 --metric cosine --out knn.parquet
  kindred neighbours embeddings.npy -k 15 --inner-product --out knn.parquet`,
		Args: cli.Arguments(1, 1, "one DATA: a file, - for stdin, a folder, or a sample", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0], cmd.Flags().Changed("recall"))
		},
	}
	fs := cmd.Flags()
	f.source.Flags(fs)
	f.source.CompareFlags(fs)
	fs.IntVarP(&f.k, "neighbours", "k", 15, "neighbours of each row")
	fs.BoolVar(&f.exact, "exact", false, "find exact neighbours, however many rows there are")
	fs.Float64Var(&f.recall, "recall", 0.95,
		"share of the neighbours that a search finds at least, where it is not exact")
	fs.BoolVar(&f.inner, "inner-product", false,
		"find the rows of the largest inner products, the column distance; always exact")
	fs.Uint64Var(&f.seed, "seed", 0, "seed of a search that is not exact")
	fs.StringVar(&f.out, "out", "", "write the graph here (.csv, .parquet or .jsonl)")
	a.sharing(fs)
	return cmd
}

func (f *neighbourFlags) run(ctx context.Context, a *app, name string, recalled bool) error {
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
	if f.inner && f.source.Scale == "" && f.source.Series == "" && !f.source.Square {
		f.source.Scale = "none" // a shift of the columns changes inner products
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
	cfg := nearest.Config{K: f.k, Seed: f.seed, Threads: problem.Threads}
	if f.exact {
		cfg.Search = nearest.Exact
	}
	if recalled {
		cfg.Recall = f.recall
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
	what, how := data.What(), "exact"
	if f.inner {
		what = strings.TrimSuffix(what, string(dissim.Euclidean)) + "inner product"
	}
	if recalled {
		how = "exact (--recall has no effect here)"
	}
	if found.Search == nearest.Approximate {
		how = fmt.Sprintf("approximate: %.4g %% are no farther than the last true one, measured on "+
			"a sample", 100*recall)
	}
	a.notef("%s: %s of each of %s, %s", what, words.Count(f.k, "neighbour"),
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
