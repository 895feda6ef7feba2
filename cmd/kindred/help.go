package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/project/input"
)

// grouped lets the help of a command list its flags by groups, or the parameters of the method that
// --method names.
func grouped(cmd *cobra.Command, r *input.Recipe) {
	cli.Grouped(cmd, []cli.Topic{
		{Group: input.DataGroup, Rare: []string{"format", "inflate-limit", "threads", "duplicates",
			"series", "images", "embedding", "dimensions", "band", "edit-cost", "dissimilarity",
			"labels", "pictures"}},
		{Group: input.MethodGroup,
			Note: "Methods have parameters of their own: --method NAME --help " +
				"lists those of one."},
		{Group: input.KnowledgeGroup, Rare: []string{"oracle-errors", "oracle-unknowns",
			"random-links", "labelled-share", "deduce"}},
		{Group: sessionGroup, Rare: []string{"studio", "port", "no-browser", "changed-data", "who",
			"overlap", "repeat", "discount"}},
		{Group: outputGroup, Rare: []string{"answers", "picture", "tree"}},
	}, func(out io.Writer) (bool, error) {
		if r.MethodName == "" {
			return false, nil
		}
		m, err := input.Find(r.MethodName)
		if err != nil {
			return false, err
		}
		fmt.Fprintf(out, "%s\n\nParameters of %s, besides the flags that %s --help lists:\n",
			m.Title, m.Name, cmd.CommandPath())
		cli.ListParams(out, m.Params())
		return true, nil
	})
}

// sessionGroup is the group of flags that say how questions are asked and answers kept.
const sessionGroup = "Session"
