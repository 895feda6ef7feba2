package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/project/input"
)

// predictFlags are the flags of kindred predict.
type predictFlags struct {
	source input.Source
	out    string
	json   bool
}

// placedReport is what --json writes.
type placedReport struct {
	Version  string          `json:"version"`
	Method   string          `json:"method"` // of the model
	Data     string          `json:"data"`
	N        int             `json:"n"`                 // rows that are placed
	Clusters int             `json:"clusters"`          // that rows are placed into
	Nowhere  int             `json:"nowhere,omitempty"` // rows near none
	Notes    []string        `json:"notes,omitempty"`
	Labels   json.RawMessage `json:"labels,omitempty"` // where there is no --out, as in .jsonl
}

func newPredict(a *app) *cobra.Command {
	var f predictFlags
	cmd := &cobra.Command{
		Use:   "predict MODEL DATA",
		Short: "Place new rows into the groups of a model",
		Long: `predict reads a model that kindred cluster or ask wrote with --model, and gives each
row of DATA the cluster whose nearest mean, or nearest row that the model keeps, it is closest to;
one that density methods would call noise gets 0. Columns are found by name; a model of texts reads
them from the column of that name, and one that was made by --embedding takes vectors of the same
columns.

The model of an evidential method gives each row a mass function, by its distances from the
prototypes or its dissimilarities to the rows that the model keeps, and that of hdbscan by its
condensed tree, as approximate_predict of the hdbscan package does; what is written has the columns
of kindred cluster. Where the model was made from a matrix, DATA has a line for each new object: its
dissimilarities to all the old ones, in their order.`,
		Example: `  kindred cluster train.csv -k 5 --model groups.model
  kindred predict groups.model new.csv --out new-groups.csv`,
		Args: cli.Arguments(2, 2, "a MODEL and DATA", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd.Context(), a, args[0], args[1])
		},
	}
	fs := cmd.Flags()
	f.source.ReadingFlags(fs)
	f.source.EncoderFlags(fs)
	fs.BoolVar(&f.source.Square, "dissimilarity", false,
		"DATA are dissimilarities of new objects to old ones (.csv without header, or .npy)")
	fs.StringVar(&f.out, "out", "",
		"write the partition here (.csv, .parquet or .jsonl) instead of to stdout")
	fs.BoolVar(&f.json, "json", false,
		"write one JSON object to stdout, with the labels if there is no --out")
	a.sharing(fs)
	return cmd
}

func (f *predictFlags) run(ctx context.Context, a *app, by, data string) error {
	s := f.source
	if err := a.checkFiles([]string{by, data},
		outFile{"--out", f.out, partition.CheckPath}); err != nil {
		return err
	}
	m, err := model.Load(by)
	if err != nil {
		return err
	}
	if note := model.Note(m, by); note != "" {
		a.notef("%s", note)
	}
	var out *method.Outcome
	id, name := func(i int) string { return strconv.Itoa(i + 1) }, data
	if s.Square {
		if m.Landmarks == nil && m.Exemplars == nil && m.Condensed == nil {
			return fault.Setting(
				"--dissimilarity goes with the model of a method that takes dissimilarities; " +
					"this one takes rows of features")
		}
		d, err := watched(a, func(p input.Progress) (dataset.Matrix, error) {
			return s.Rectangle(ctx, a.place(), data, p)
		})
		if err != nil {
			return err
		}
		if out, err = model.PlaceColumns(ctx, m, d, s.Threads); err != nil {
			return input.Placed(err, data)
		}
		if l := m.Landmarks; l != nil && d.Cols == l.Fitted {
			a.notef("columns of %s: dissimilarities to the %s, in their order", data,
				words.Count(l.Fitted, "fitted object"))
		} else if l != nil {
			a.notef("columns of %s: dissimilarities to the %s of the model, of %d fitted objects",
				data, words.Count(d.Cols, "landmark"), l.Fitted)
		}
	} else {
		t, made, err := rowsFor(ctx, a, s, m, data)
		if err != nil {
			return aboutModel(err)
		}
		var rows []int32
		if out, rows, err = model.Place(ctx, m, made, s.Threads); err != nil {
			return aboutModel(input.Placed(err, t.Name))
		}
		if left := leftOut(t, rows); left != "" {
			a.notef("%s", left)
		}
		id, name = names(a, t, rows), t.Name
	}
	a.notef("%s: %s", name, placed(m, out))
	if f.out != "" || !f.json {
		if err := a.writeGroups(f.out, out, id); err != nil || !f.json {
			return err
		}
	}
	r := &placedReport{Version: cli.Version(version), Method: m.Method, Data: name,
		N: len(out.Labels), Notes: out.Notes}
	r.Clusters, r.Nowhere = clustersOf(out.Labels)
	if f.out == "" {
		if r.Labels, err = rowsOf(out, id); err != nil {
			return err
		}
	}
	return writeJSON(a.out, "", r)
}

// clustersOf counts the clusters that labels name, and the rows in none.
func clustersOf(labels []int) (clusters, nowhere int) {
	found := map[int]bool{}
	for _, l := range labels {
		if l == 0 {
			nowhere++
		} else {
			found[l] = true
		}
	}
	return len(found), nowhere
}

// placed counts the rows that a model placed, in words.
func placed(m *method.Model, out *method.Outcome) string {
	if p := out.Credal; p != nil {
		rough := p.Rough()
		ambiguous, outliers := 0, 0
		for i, outlier := range rough.Outlier {
			if outlier {
				outliers++
			} else if rough.Ambiguous(i) {
				ambiguous++
			}
		}
		return fmt.Sprintf("%s placed into the %s of the %s model; %s between clusters, %s near "+
			"none (outliers)", words.Count(p.Len(), "row"), words.Count(p.Clusters, "cluster"),
			m.Method, method.Are(ambiguous, "row"), method.Are(outliers, "row"))
	}
	clusters, nowhere := clustersOf(out.Labels)
	text := fmt.Sprintf("%s placed into %s of the %s model", words.Count(len(out.Labels), "row"),
		words.Count(clusters, "cluster"), m.Method)
	if nowhere > 0 {
		text += fmt.Sprintf(", %d of them near none (cluster 0)", nowhere)
	}
	return text
}

// leftOut names the rows of a table that preparation left out, the first of many: all but rows,
// which rise; nil is all.
func leftOut(t *dataset.Table, rows []int32) string {
	if rows == nil || len(rows) == t.Rows {
		return ""
	}
	var ids []string
	at := 0
	for row := 0; row < t.Rows && len(ids) < mostListed; row++ {
		if at < len(rows) && int(rows[at]) == row {
			at++
			continue
		}
		ids = append(ids, words.Short(t.ID(row)))
	}
	n := t.Rows - len(rows)
	if n > len(ids) {
		ids = append(ids, "…")
	}
	return fmt.Sprintf("%s with missing values left out: row %s", words.Count(n, "row"),
		strings.Join(ids, ", "))
}

// rowsFor reads the columns of DATA that a model needs, and makes the rows that it takes of them:
// mostly the same table.
func rowsFor(ctx context.Context, a *app, s input.Source, m *method.Model, data string) (t,
	made *dataset.Table, err error) {
	b := a.bar("")
	t, made, notes, err := s.ForModel(ctx, a.place(), m, data, b.progress)
	b.done()
	a.list("", notes)
	return t, made, err
}

// names returns the ids of rows of a table (nil: all), and reports if they are numbers only.
func names(a *app, t *dataset.Table, rows []int32) func(i int) string {
	if !hasIDs(t) {
		a.notef("the rows are named by their numbers; --id names a column of ids")
	}
	if rows == nil {
		return t.ID
	}
	return func(i int) string { return t.ID(int(rows[i])) }
}

// aboutModel turns fixes that name flags of preparation into ones that a model leaves.
func aboutModel(err error) error {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		in.Problem = strings.Replace(in.Problem, "--features names", "the model needs the column",
			1)
		switch {
		case strings.Contains(in.Fix, "--drop") && !strings.Contains(in.Fix, "mean"),
			strings.Contains(in.Fix, "such rows with --missing drop"):
			in.Fix = "fill the values in, or make the model with --missing drop"
		case strings.Contains(in.Fix, "--missing"):
			in.Fix = "fill the values in, or make the model with --missing keep, drop, mean or median"
		}
	}
	return err
}
