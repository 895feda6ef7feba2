package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
)

// unprepared are the flags that a survey refuses.
var unprepared = []string{"scale", "missing"}

func newSurvey(a *app) *cobra.Command {
	var r reading
	var on running
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "survey DATA…",
		Short: "Show what is in the files: rows, columns, ranges, missing values, unreadable rows",
		Example: `  kindred-scale survey 'logs/2026-*/*.parquet'
  kindred-scale survey big.csv --bad-rows 0.1% --json`,
		Args: cli.Arguments(1, 1<<20, "DATA: files, folders or patterns", plain),
		RunE: func(cmd *cobra.Command, args []string) error {
			source, err := r.source(cmd, plain(cmd, args))
			if err != nil {
				return err
			}
			if err := refuse(cmd.Flags(), unprepared,
				": a survey looks at the data as they are; leave it out"); err != nil {
				return err
			}
			engine, err := on.start(cmd, a, r.Threads, args)
			if err != nil {
				return err
			}
			defer engine.Close()
			t, err := look(cmd.Context(), cmd, engine, source, "")
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(a.out).Encode(t.about())
			}
			return t.show(a.out)
		},
	}
	r.flags(cmd)
	on.flags(cmd)
	cli.Hide(cmd, unprepared...)
	declareJSON(cmd, &asJSON, "write one JSON object to stdout")
	grouped(cmd, nil)
	return cmd
}

// about is what survey --json writes.
type about struct {
	Version     string        `json:"version"`
	Data        string        `json:"data"`
	Fingerprint string        `json:"fingerprint"`
	Rows        int64         `json:"rows"`
	Unreadable  int64         `json:"unreadable"`
	Samples     []string      `json:"samples,omitempty"` // unreadable rows
	Files       int           `json:"files"`
	Splits      int           `json:"splits"`
	Columns     []aboutColumn `json:"columns"`
	Left        []string      `json:"left_out,omitempty"`
	Classes     []string      `json:"classes,omitempty"`
}

type aboutColumn struct {
	Name     string  `json:"name"`
	Min      float64 `json:"min"`
	Max      float64 `json:"max"`
	Mean     float64 `json:"mean"`
	Variance float64 `json:"variance"`
	Missing  int64   `json:"missing"`
}

func (t *table) about() about {
	sv := t.survey
	out := about{Version: cli.Version(version), Data: t.name, Fingerprint: sv.Fingerprint,
		Rows: sv.Rows, Unreadable: sv.Tally.Unreadable, Samples: sv.Tally.Samples,
		Splits: len(sv.Splits), Left: t.source.Left, Classes: sv.Classes}
	for i, s := range sv.Splits {
		if i == 0 || s.File != sv.Splits[i-1].File {
			out.Files++
		}
	}
	for _, c := range sv.Columns {
		out.Columns = append(out.Columns,
			aboutColumn{c.Name, c.Min, c.Max, c.Mean, c.Variance, c.Missing})
	}
	return out
}

// show writes it for people.
func (t *table) show(out io.Writer) error {
	s := t.about()
	fmt.Fprintf(out, "%s: %s of %s in %s, %s\n\n", safe.Line(t.name),
		words.Count(int(s.Rows), "row"), words.Count(len(s.Columns), "column"),
		words.Count(s.Files, "file"), words.Count(s.Splits, "split"))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "column\tleast\tmost\tmean\tvariance\tmissing\t")
	for _, c := range s.Columns {
		missing := "-"
		if c.Missing > 0 {
			missing = fmt.Sprint(c.Missing)
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\t%s\t\n", words.Short(c.Name), words.Round(c.Min),
			words.Round(c.Max), words.Round(c.Mean), words.Round(c.Variance), missing)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	for _, l := range s.Left {
		fmt.Fprintf(out, "left out: %s\n", safe.Line(l))
	}
	switch {
	case t.survey.ManyClasses:
		fmt.Fprintf(out, "classes in %s: too many to list\n", safe.Line(t.source.Label))
	case len(s.Classes) > 0:
		fmt.Fprintf(out, "classes in %s: %s\n", safe.Line(t.source.Label),
			safe.Line(words.UpTo(s.Classes, 12)))
	}
	if s.Unreadable > 0 {
		fmt.Fprintf(out, "%s cannot be read:\n", words.Count(int(s.Unreadable), "row"))
		for _, line := range s.Samples {
			fmt.Fprintf(out, "  %s\n", safe.Line(line))
		}
	}
	return nil
}
