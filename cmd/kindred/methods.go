package main

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method"
)

func newMethods(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "methods [NAME]",
		Short: "List the methods, or say all about one: what it takes, learns from and gives",
		Example: `  kindred methods
  kindred methods mpckmeans`,
		Args: cli.Arguments(0, 1, "at most one NAME of a method", nil),
		RunE: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listMethods(a.out)
			}
			m, err := method.Find(args[0])
			if err != nil {
				return fault.Setting(err.Error())
			}
			return tellMethod(a.out, m, newCluster(a).Flags())
		},
	}
}

// listMethods writes a line a method.
func listMethods(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METHOD\tTAKES\tLEARNS FROM\tGIVES\t")
	for _, m := range method.List() {
		takes, learns, gives := "rows", "-", "groups"
		if m.Dissimilarity {
			takes = "rows, dissimilarities"
		}
		if m.NeedsClusters {
			takes += ", -k"
		}
		switch {
		case m.Labels:
			learns = "classes, links"
		case m.Links:
			learns = "links"
		}
		if m.Masses {
			gives = "masses"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, takes, learns, gives, m.Title)
	}
	fmt.Fprintln(w, "\nEvery method that learns from links can ask for them (kindred ask "+
		"--method NAME, --strategy); kindred methods NAME says more.")
	return w.Flush()
}

// tellMethod writes all about one method; flags are those of kindred cluster.
func tellMethod(out io.Writer, m method.Method, flags *pflag.FlagSet) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n  described in\t%s\n  by default\t%s\n", m.Title, m.Source, m.Default)
	var facts []string
	for _, f := range []struct {
		holds bool
		words string
	}{
		{m.NeedsClusters, "needs the number of clusters (-k)"},
		{m.NeedsAnswers, "needs answers or links"},
		{m.Dissimilarity, "takes dissimilarities: matrices, texts, series, mixed tables"},
		{m.Links, "learns from links"},
		{m.Labels, "learns from known classes (--labelled-per-class, --labelled-share)"},
		{m.Begin != nil, "asks (kindred ask)"},
		{m.Masses, "gives masses or memberships, so that doubtful rows are told"},
		{m.Draws, "draws at random, by --seed"},
		{!m.Draws, "draws nothing: the order of rows means nothing, exact ties aside"},
		{m.Invariant == method.ToFactor, "a factor on all values means nothing to it by default"},
		{m.Invariant == method.ToColumns,
			"the scale of each column means nothing to it by default"},
	} {
		if f.holds {
			facts = append(facts, f.words)
		}
	}
	fmt.Fprintf(w, "  it\t%s\n", strings.Join(facts, "\n  \t"))
	fmt.Fprintln(w, "\nflags that mean something to it, besides those of reading DATA:")
	for _, name := range slices.Sorted(slices.Values(m.Takes)) {
		if f := flags.Lookup(name); f != nil {
			fmt.Fprintf(w, "  --%s\t%s\n", name, f.Usage)
		}
	}
	return w.Flush()
}
