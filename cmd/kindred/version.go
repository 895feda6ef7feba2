package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/simd"
)

// version is set at a release by the linker; else the build information tells.
var version string

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which kindred this is",
		Args:  cli.Arguments(0, 0, "no arguments", nil),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "kindred %s %s/%s %s kernels %s\n", cli.Version(version),
				runtime.GOOS, runtime.GOARCH, runtime.Version(), simd.Level())
			return err
		},
	}
}
