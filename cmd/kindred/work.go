package main

import (
	"os"
	"os/signal"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/cmd/kindred/worker"
	"github.com/kindred-go/kindred/internal/cli"
)

// newWork is the command behind packages for other languages, which start it.
func newWork(a *app) *cobra.Command {
	return &cobra.Command{
		Use:    "work",
		Hidden: true,
		Short:  "Do what a program asks for on stdin, and reply on stdout",
		Long: `work is the process behind the Python package pykindred. It reads requests from stdin until
that ends, and writes replies to stdout. It leaves Ctrl-C to the program that started it.`,
		Args: cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(cmd *cobra.Command, _ []string) error {
			signal.Ignore(os.Interrupt)
			return worker.Serve(cmd.Context(), a.in, a.out, cli.Version(version))
		},
	}
}
