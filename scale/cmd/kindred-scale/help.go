package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/input"
)

// Groups of flags in help, beside those of package input.
const (
	outputGroup = "Output"
	engineGroup = "Engine"
)

// declareJSON declares the flag --json.
func declareJSON(cmd *cobra.Command, json *bool, help string) {
	var set param.Set
	set.Bool(json, param.Param{Name: "json", Default: "false", Help: help})
	cli.Declare(cmd.Flags(), outputGroup, &set)
}

// grouped lets the help of a command list its flags by groups. Where the command has a method, its
// help lists the parameters of the one that --method names.
func grouped(cmd *cobra.Command, method func() (*scaled, error)) {
	cmd.Flags().SortFlags = false
	topics := []cli.Topic{{Group: input.DataGroup}, {Group: input.MethodGroup},
		{Group: input.KnowledgeGroup}, {Group: outputGroup}, {Group: engineGroup}}
	if method == nil {
		cli.Grouped(cmd, topics, nil)
		return
	}
	topics[1].Note = "Each method has parameters of its own: kindred-scale " + cmd.Name() +
		" --method NAME --help lists them."
	cli.Grouped(cmd, topics, func(out io.Writer) (bool, error) {
		if !cmd.Flags().Changed("method") {
			return false, nil
		}
		m, err := method()
		if err != nil {
			return false, err
		}
		fmt.Fprintf(out, "%s\n\nParameters of %s, besides the other flags of %s (--help):\n",
			m.title, m.name, cmd.CommandPath())
		cli.ListParams(out, m.params())
		return true, nil
	})
}
