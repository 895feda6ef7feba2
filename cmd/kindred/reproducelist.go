package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/reproduce"
	"github.com/kindred-go/kindred/reproduce/frame"
)

func newReproduceList(a *app) *cobra.Command {
	var folder string
	cmd := &cobra.Command{
		Use: "list",
		Short: "Name the experiments, their parts, and the data sets they need with those that " +
			"are here",
		Args: cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(*cobra.Command, []string) error {
			if err := dataSets(folder); err != nil {
				return err
			}
			w := tabwriter.NewWriter(a.out, 0, 0, 2, ' ', 0)
			for i, e := range reproduce.List() {
				if i > 0 {
					fmt.Fprintln(w)
				}
				listExperiment(w, e, folder)
			}
			return w.Flush()
		},
	}
	cmd.Flags().StringVar(&folder, "datasets", "", "folder with the published data sets")
	return cmd
}

// listExperiment tells of an experiment, and which of its data sets are in a folder. Each list is
// aligned by itself.
func listExperiment(w *tabwriter.Writer, e frame.Experiment, folder string) {
	fmt.Fprintf(w, "%s\n  %s\n  %s\n  repetitions: %d, reduced %d\n", e.Name, e.Title, e.Paper,
		e.Trials, e.Reduced)
	if len(e.Parts) > 0 {
		fmt.Fprintln(w, "  parts:")
	}
	for _, p := range e.Parts {
		bare := ""
		if p.Bare {
			bare = " (needs no data set)"
		}
		fmt.Fprintf(w, "    %s\t%s%s\n", p.Name, p.Title, bare)
	}
	if len(e.Needs) > 0 {
		fmt.Fprintln(w, "  data sets:")
	}
	var missing []frame.Need
	for _, n := range e.Needs {
		size := fmt.Sprintf("%d×%d, %s", n.Rows, n.Cols, classes(n.Classes))
		if n.Matrix {
			size = "matrix " + size
		}
		is := "here"
		switch here, shipped := n.Here(folder); {
		case shipped:
			is = "sample"
		case !here:
			is = "not here"
			missing = append(missing, n)
		}
		fmt.Fprintf(w, "    %s\t%s\t%s\t%s\n", n.Name, size, is, n.Files())
	}
	if len(missing) > 0 {
		fmt.Fprintln(w, "  where to get what is not here:")
	}
	for _, n := range missing {
		fmt.Fprintf(w, "    %s\t%s\n", n.Name, n.From)
	}
}

func classes(n int) string {
	if n == 0 {
		return "no classes"
	}
	return fmt.Sprintf("%d classes", n)
}
