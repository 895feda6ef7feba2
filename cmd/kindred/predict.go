package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/input"
)

func newPredict(a *app) *cobra.Command {
	var s input.Source
	var out string
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Place new rows into the groups of a model",
		Long: `predict reads a model that kindred cluster or ask wrote with --model, and gives each row of DATA
the cluster whose nearest mean, or nearest row that the model keeps, it is closest to; one that density methods
would call noise gets 0. Columns are found by name; a model of texts reads them from the
column of that name, and one that was made by --embedding takes vectors of the same columns.

The model of an evidential method gives each row a mass function, by its dissimilarities to the rows
that the model keeps; what is written has the columns of kindred cluster. Where the model was made from
a matrix, DATA has a line for each new object: its dissimilarities to all the old ones, in their order.`,
		Example: `  kindred cluster train.csv -k 5 --model groups.model
  kindred predict groups.model new.csv --out new-groups.csv`,
		Args: cli.Arguments(2, 2, "a MODEL and DATA", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return predict(cmd.Context(), a, s, args[0], args[1], out)
		},
	}
	s.ReadingFlags(cmd.Flags())
	cmd.Flags().BoolVar(&s.Square, "dissimilarity", false,
		"DATA are dissimilarities of new objects to old ones (.csv without header, or .npy)")
	cmd.Flags().StringVar(&out, "out", "",
		"write the partition here (.csv, .parquet or .jsonl) instead of to stdout")
	return cmd
}

func predict(ctx context.Context, a *app, s input.Source, by, data, out string) error {
	if err := a.checkFiles([]string{by, data},
		outFile{"--out", out, partition.CheckPath}); err != nil {
		return err
	}
	m, err := model.Load(by)
	if err != nil {
		return err
	}
	if m.Credal() {
		return placeBy(ctx, a, s, m, data, out)
	}
	if s.Square {
		if m.Exemplars == nil {
			return fault.Setting(
				"--dissimilarity goes with the model of a method that takes dissimilarities; " +
					"this one takes rows of features")
		}
		d, err := rectangle(ctx, a, &s, data)
		if err != nil {
			return err
		}
		labels, err := model.PredictColumns(ctx, m, d, s.Threads)
		if err != nil {
			return input.Placed(err, data)
		}
		return givePlaces(a, m, data, labels, func(i int) string { return strconv.Itoa(i + 1) },
			out)
	}
	t, made, err := rowsFor(ctx, a, s, m, data)
	if err != nil {
		return aboutModel(err)
	}
	labels, rows, err := model.Predict(ctx, m, made, s.Threads)
	if err != nil {
		return aboutModel(err)
	}
	return givePlaces(a, m, t.Name, labels, names(a, t, rows), out)
}

// givePlaces writes the cluster of each row that a model placed.
func givePlaces(a *app, m *method.Model, name string, labels []int, id func(int) string,
	out string) error {
	clusters, nowhere := map[int]bool{}, 0
	for _, l := range labels {
		if l == 0 {
			nowhere++
		} else {
			clusters[l] = true
		}
	}
	near := ""
	if nowhere > 0 {
		near = fmt.Sprintf(", %d of them near none (cluster 0)", nowhere)
	}
	a.say("%s: %s placed into %s of the %s model%s", name, words.Count(len(labels), "row"),
		words.Count(len(clusters), "cluster"), m.Method, near)
	return a.writeGroups(out, &method.Outcome{Labels: labels}, id)
}

// rowsFor reads the columns of DATA that a model needs, and makes the rows that it takes of them:
// mostly the same table.
func rowsFor(ctx context.Context, a *app, s input.Source, m *method.Model, data string) (t,
	made *dataset.Table, err error) {
	b := a.bar("")
	t, made, notes, err := s.ForModel(ctx, a.place(), m, data, b.progress)
	b.done()
	for _, n := range notes {
		a.say("%s", n)
	}
	return t, made, err
}

// names returns the ids of rows of a table (nil: all), and says so when they are but numbers.
func names(a *app, t *dataset.Table, rows []int32) func(i int) string {
	if !hasIDs(t) {
		a.say("the rows are named by their numbers; --id names a column of ids")
	}
	if rows == nil {
		return t.ID
	}
	return func(i int) string { return t.ID(int(rows[i])) }
}

// place returns new objects their place in a credal partition.
func placeBy(ctx context.Context, a *app, s input.Source, m *method.Model, data, out string) error {
	var p *credal.Partition
	id, name := func(i int) string { return strconv.Itoa(i + 1) }, data
	if s.Square {
		d, err := rectangle(ctx, a, &s, data)
		if err != nil {
			return err
		}
		if p, err = model.PlacementOf(ctx, m, d, s.Threads); err != nil {
			return input.Placed(err, data)
		}
		if l := m.Landmarks; d.Cols == l.Fitted {
			a.say("columns of %s: dissimilarities to the %s, in their order", data,
				words.Count(l.Fitted, "fitted object"))
		} else {
			a.say("columns of %s: dissimilarities to the %s of the model, of %d fitted objects",
				data, words.Count(d.Cols, "landmark"), l.Fitted)
		}
	} else {
		t, made, err := rowsFor(ctx, a, s, m, data)
		if err != nil {
			return aboutModel(err)
		}
		var rows []int32
		if p, rows, err = model.Placement(ctx, m, made, s.Threads); err != nil {
			return aboutModel(input.Placed(err, t.Name))
		}
		if left := t.Rows - p.Len(); left > 0 {
			a.say("%s with missing values left out", words.Count(left, "row"))
		}
		id, name = names(a, t, rows), t.Name
	}
	rough := p.Rough()
	ambiguous, outliers := 0, 0
	for i, outlier := range rough.Outlier {
		if outlier {
			outliers++
		} else if rough.Ambiguous(i) {
			ambiguous++
		}
	}
	a.say("%s: %s placed into the %s of the %s model; %s between clusters, %s near none (outliers)",
		name, words.Count(p.Len(), "row"), words.Count(p.Clusters, "cluster"), m.Method,
		are(ambiguous, "row"), are(outliers, "row"))
	return a.writeGroups(out, &method.Outcome{Credal: p}, id)
}

// aboutModel turns fixes that name flags of preparation into ones that a model leaves.
func aboutModel(err error) error {
	var in *fault.Input
	if errors.As(err, &in) {
		in.Problem = strings.Replace(in.Problem, "--features names", "the model needs the column",
			1)
		switch {
		case strings.Contains(in.Fix, "--drop") && !strings.Contains(in.Fix, "mean"),
			strings.Contains(in.Fix, "such rows with --missing drop"):
			in.Fix = "fill the values in, or make the model with --missing drop"
		case strings.Contains(in.Fix, "--missing"):
			in.Fix = "fill the values in, or make the model with --missing drop, mean or median"
		}
	}
	return err
}
