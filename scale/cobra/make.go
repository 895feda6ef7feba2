package cobra

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/ask/cobra"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/recipe"
	"github.com/kindred-go/kindred/scale/internal/sample"
	scalekmeans "github.com/kindred-go/kindred/scale/kmeans"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// Config describes how to make super-instances. The zero value makes [cobra.DefaultSuperInstances].
type Config struct {
	// 0: cobra.DefaultSuperInstances; more than there are rows: as many as rows
	SuperInstances int
	MaxIterations  int     // 0: 300 up to 100 000 rows and 10 above, as package cobra has it
	Tolerance      float64 // 0: that of package kmeans
	Seed           uint64
	Scale          string // that src is prepared by: none, minmax or zscore; "": none
}

// few is how many iterations super-instances of many rows get.
const few, many = 10, 100_000

// Make groups the rows of a table by k-means and returns what stands for them: Algorithm 1, line 1
// of Van Craenendonck, Dumančić and Blockeel 2017. The medoids are then looked up as they lie in
// the data, in the splits that hold one.
func Make(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	cfg Config) (*Table, *scalekmeans.Result, error) {
	rows := sv.Kept(src)
	switch {
	case cfg.SuperInstances < 0:
		return nil, nil, fault.Inputf("give a positive number", "%d super-instances asked for",
			cfg.SuperInstances)
	case cfg.SuperInstances == 0:
		cfg.SuperInstances = cobra.DefaultSuperInstances
	}
	if cfg.MaxIterations == 0 && rows > many {
		cfg.MaxIterations = few
	}
	fit, err := scalekmeans.Fit(ctx, r, src, sv, scalekmeans.Config{
		Clusters: int(min(int64(cfg.SuperInstances), rows)), MaxIterations: cfg.MaxIterations,
		Tolerance: cfg.Tolerance, Seed: cfg.Seed, Name: "super",
	})
	if err != nil {
		return nil, nil, err
	}
	t := &Table{Names: src.Columns, Label: src.Label}
	if t.Recipe, err = recipe.Of(src, cfg.Scale); err != nil {
		return nil, nil, err
	}
	var kept []int
	var at []int64
	for i, m := range fit.Medoids {
		if m.Row >= 0 && fit.Sizes[i] > 0 {
			kept, at = append(kept, i), append(at, m.Row)
			t.IDs, t.Sizes = append(t.IDs, m.ID), append(t.Sizes, fit.Sizes[i])
			t.Medoids.F64 = append(t.Medoids.F64, m.Values...)
		}
	}
	t.Medoids.Rows, t.Medoids.Cols = len(kept), len(src.Columns)
	t.Means = fit.Centers.Subset(kept)
	return t, fit, t.lookUp(ctx, r, src, sv, at)
}

// lookUp fills in what the medoids, whose numbers are given, are in the data.
func (t *Table) lookUp(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	at []int64) error {
	src.Prepare = shard.Preparation{Missing: shard.MissingKeep}
	src.ID = "" // known
	sorted := slices.Sorted(slices.Values(at))
	found, err := sample.Find(ctx, r, "super-medoids", src, sv, sample.Wanted{Numbers: sorted})
	if err != nil {
		return err
	}
	rows := found.Named
	t.Raw = dataset.Matrix{Rows: len(at), Cols: len(src.Columns)}
	for _, number := range at {
		i, ok := slices.BinarySearchFunc(rows, number,
			func(r sample.Row, n int64) int { return int(min(1, max(-1, r.Number-n))) })
		if !ok {
			return fmt.Errorf("super: row %d, which was there before, is not there any more: "+
				"leave the files as they are while they are read", number+1)
		}
		t.Raw.F64 = append(t.Raw.F64, rows[i].Values...)
		if src.Label != "" {
			t.Classes = append(t.Classes, rows[i].Label)
		}
	}
	return t.check()
}

// Resolve returns links, whose rows are places in a list of ids, with the rows numbered as
// [Table.start] does. Rows that are no medoids are looked up, so that a run knows their
// super-instances; one that is not there is a *fault.Input.
func (t *Table) Resolve(ctx context.Context, r fold.Runner, src shard.Source, sv *survey.Survey,
	links []link.Link, ids []string) ([]link.Link, error) {
	number := make(map[string]int, t.Len()+len(ids))
	for i, id := range t.IDs {
		number[id] = i
	}
	var others []string
	for _, id := range ids {
		if _, known := number[id]; !known {
			others = append(others, id)
		}
	}
	if len(others) > 0 {
		src.Label = ""
		found, err := sample.Find(ctx, r, "super-linked", src, sv, sample.Wanted{IDs: others})
		if err != nil {
			return nil, err
		}
		rows := found.Named
		for i, row := range rows {
			if _, twin := number[row.ID]; twin {
				return nil, &fault.Input{Column: src.ID,
					Problem: fmt.Sprintf("two rows have the id %q, which a link names", row.ID),
					Fix:     "give rows ids that differ"}
			}
			number[row.ID] = t.Len() + i
		}
		nearest, err := place(ctx, t.Means, sample.Matrix(rows, len(t.Names)))
		if err != nil {
			return nil, err
		}
		for i, row := range rows {
			t.Linked = append(t.Linked, Linked{ID: row.ID, Of: int(nearest[i])})
		}
	}
	resolved := slices.Clone(links)
	for i := range resolved {
		l := &resolved[i]
		for _, end := range []*int{&l.A, &l.B} {
			at, known := number[ids[*end]]
			if !known {
				return nil, fault.Inputf("fix the link, or name the column of ids with --id",
					"a link names the row %q, which is not there or was left out for missing "+
						"values", ids[*end])
			}
			*end = at
		}
	}
	return resolved, nil
}

// place returns the nearest mean of each row.
func place(ctx context.Context, means, x dataset.Matrix) ([]int32, error) {
	if x.Rows == 0 {
		return nil, nil
	}
	return (&kmeans.Result{Centers: means}).Predict(ctx, x, 1)
}
