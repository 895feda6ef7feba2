package main

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/partition"
)

func newPredict(a *app) *cobra.Command {
	var s source
	var out string
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Place new rows into the groups of a model",
		Long: `predict reads a model that kindred cluster or ask wrote with --model, and gives each row of DATA
the cluster whose nearest mean it is closest to. Columns are found by name.`,
		Example: `  kindred cluster train.csv -k 5 --model groups.model
  kindred predict groups.model new.csv --out new-groups.csv`,
		Args: arguments(2, 2, "a MODEL and DATA"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return predict(cmd.Context(), a, s, args[0], args[1], out)
		},
	}
	s.reading(cmd)
	cmd.Flags().StringVar(&out, "out", "", "write the partition here (.csv, .parquet or .jsonl) instead of to stdout")
	return cmd
}

func predict(ctx context.Context, a *app, s source, model, data, out string) error {
	o := outputs{out: out}
	if err := o.check(a, model, data); err != nil {
		return err
	}
	m, err := method.LoadModel(model)
	if err != nil {
		return err
	}
	s.features = m.Encoding.Sources()
	t, err := s.read(ctx, a, data, false)
	if err != nil {
		return aboutModel(err)
	}
	for _, n := range m.Encoding.Unknown(t) {
		a.say("%s", n)
	}
	labels, rows, err := m.Predict(ctx, t, s.threads)
	if err != nil {
		return aboutModel(err)
	}
	id := func(i int) string {
		if rows == nil {
			return t.ID(i)
		}
		return t.ID(int(rows[i]))
	}
	if named := slices.IndexFunc(t.Columns, func(c dataset.Column) bool { return c.Role == dataset.ID }); named < 0 {
		a.say("the rows are named by their numbers; --id names a column of ids")
	}
	a.say("%s: %s placed into %s of the %s model", t.Name, count(len(labels), "row"), count(distinct(labels), "cluster"), m.Method)
	if out != "" {
		return partition.WriteFile(out, labels, id)
	}
	return partition.Write(a.out, dataset.FormatCSV, labels, id)
}

// aboutModel turns mends that name flags of preparation into ones that a model leaves.
func aboutModel(err error) error {
	var in *fault.Input
	if errors.As(err, &in) {
		in.Problem = strings.Replace(in.Problem, "--features names", "the model needs the column", 1)
		if strings.Contains(in.Mend, "--missing") {
			in.Mend = "fill the values in, or make the model with --missing drop, mean or median"
		}
	}
	return err
}

func distinct(labels []int) int {
	seen := map[int]bool{}
	for _, l := range labels {
		seen[l] = true
	}
	return len(seen)
}
