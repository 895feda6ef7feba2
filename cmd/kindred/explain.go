package main

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

func newDataExplain(a *app) *cobra.Command {
	var s input.Source
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain DATA A B",
		Short: "Show which columns make two rows close or far",
		Long: `explain compares two rows as a method would, with the same flags, and shows what each
column adds to their squared distance (or to their dissimilarity by --metric gower).`,
		Example: `  kindred data explain customers.csv C-00017 C-00042
  kindred data explain people.csv 1 2 --metric gower`,
		Args: cli.Arguments(3, 3, "DATA and the ids of two rows", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			d, err := watched(a, func(p input.Progress) (*input.Data, error) {
				return s.Objects(cmd.Context(), a.place(), args[0], true, false, p)
			})
			if err != nil {
				return err
			}
			var rows [2]int
			for i, id := range args[1:] {
				var ok bool
				if rows[i], ok = d.Row(id); !ok {
					return &fault.Input{File: d.Name(), Problem: "has no row " + id +
						" among those that are compared",
						Fix: "give an id, as of the first row " + d.ID(0)}
				}
			}
			e := d.Explain(rows[0], rows[1])
			if asJSON {
				return writeJSON(a.out, "  ", e)
			}
			return explain(a.out, e)
		},
	}
	s.Flags(cmd.Flags())
	s.CompareFlags(cmd.Flags())
	cmd.Flags().BoolVar(&asJSON, "json", false, "write JSON")
	return cmd
}

// explain writes what makes two rows close or far.
func explain(out io.Writer, e *input.Explanation) error {
	fmt.Fprintf(out, "%s and %s are %s apart: %s\n", safe.Line(words.Short(e.A)),
		safe.Line(words.Short(e.B)), words.Round(e.Distance), safe.Line(e.By))
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	if len(e.Columns) > 0 {
		fmt.Fprintln(w, "\ncolumn\tA\tB\tshare\t")
	}
	cell := func(text string) string {
		if text == "" {
			return "-"
		}
		return safe.Line(words.Short(text))
	}
	for _, c := range e.Columns {
		bar := strings.Repeat("█", int(20*c.Share+0.5))
		fmt.Fprintf(w, "%s\t%s\t%s\t%3.0f %%\t%s\n", cell(c.Column), cell(c.A), cell(c.B),
			100*c.Share, bar)
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if e.Words != nil {
		fmt.Fprintf(out, "\nwords of both: %s\n", safe.Line(strings.Join(e.Words, ", ")))
	}
	return nil
}
