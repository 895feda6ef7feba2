package main

import (
	"cmp"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
)

func newMethods(a *app) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{
		Use:   "methods [NAME]",
		Short: "List the methods, or describe one: what it takes, learns from and finds",
		Example: `  kindred methods
  kindred methods mpckmeans
  kindred methods --json`,
		Args: cli.Arguments(0, 1, "at most one NAME of a method", nil),
		RunE: func(_ *cobra.Command, args []string) error {
			list := all.List()
			if len(args) > 0 {
				m, err := all.Find(args[0])
				if err != nil {
					return fault.Setting(err.Error())
				}
				if !asJSON {
					return describeMethod(a.out, m)
				}
				list = []method.Method{m}
			}
			if asJSON {
				return writeMethods(a.out, list)
			}
			return listMethods(a.out)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false,
		"write the declarations of the methods, or of one, and of the settings of data as JSON")
	return cmd
}

// declared is a method as JSON has it.
type declared struct {
	Name          string         `json:"name"`
	Title         string         `json:"title"`
	Source        string         `json:"source"`
	NeedsAnswers  bool           `json:"needs_answers"`
	NeedsClusters bool           `json:"needs_clusters"`
	Dissimilarity bool           `json:"dissimilarity"`
	Cosine        bool           `json:"cosine"`
	Masses        bool           `json:"masses"`
	Degrees       bool           `json:"degrees"`
	Tree          bool           `json:"tree"`
	Condensed     bool           `json:"condensed"`
	Links         bool           `json:"links"`
	Labels        bool           `json:"labels"`
	Asks          bool           `json:"asks"`
	Draws         bool           `json:"draws"`
	Params        []param.Schema `json:"params"`
}

// writeMethods writes the declarations of methods as JSON.
func writeMethods(out io.Writer, list []method.Method) error {
	var methods []declared
	for _, m := range list {
		methods = append(methods, declared{
			Name: m.Name, Title: m.Title, Source: m.Source, NeedsAnswers: m.NeedsAnswers,
			NeedsClusters: m.NeedsClusters, Dissimilarity: m.Dissimilarity, Cosine: m.Cosine,
			Masses: m.Masses, Degrees: m.Degrees, Tree: m.Tree || m.Condensed,
			Condensed: m.Condensed,
			Links:     m.Links, Labels: m.Labels, Asks: m.Asks(),
			Draws:  m.Draws,
			Params: param.Schemas(m.Params()),
		})
	}
	return writeJSON(out, "  ", map[string]any{"methods": methods,
		"settings": param.Schemas(input.New().General())})
}

// listMethods writes a line a method.
func listMethods(out io.Writer) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "METHOD\tTAKES\tLEARNS FROM\tFINDS\t")
	for _, m := range all.List() {
		takes := "rows"
		if m.Dissimilarity {
			takes = "rows, dissimilarities"
		}
		if m.NeedsClusters {
			takes += ", -k"
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", m.Name, takes, cmp.Or(m.LearnsFrom(), "-"),
			m.Finds(), m.Title)
	}
	fmt.Fprintln(w, "\nEvery method that learns from links can ask for them (kindred ask "+
		"--method NAME, --strategy); kindred methods NAME says more.")
	return w.Flush()
}

// describeMethod describes one method with its parameters.
func describeMethod(out io.Writer, m method.Method) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "%s\n  described in\t%s\n", m.Title, m.Source)
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
		{m.Asks(), "asks (kindred ask)"},
		{m.Masses, "finds masses or memberships, and so doubtful rows"},
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
	if err := w.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\nparameters:")
	cli.ListParams(out, m.Params())
	return nil
}
