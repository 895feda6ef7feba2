package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/simd"
)

// version is set at a release by the linker; else the build information has it.
var version string

// beamVersion is that of the SDK, which a job server must have too.
func beamVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == "github.com/apache/beam/sdks/v2" {
				return m.Version
			}
		}
	}
	return "unknown"
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version of kindred-scale, and of Beam, which a job server must match",
		Example: `  kindred-scale version`,
		Args:    cli.Arguments(0, 0, "no arguments", plain),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "kindred-scale %s %s/%s %s kernels %s Beam %s\n",
				cli.Version(version), runtime.GOOS, runtime.GOARCH, runtime.Version(), simd.Level(),
				beamVersion())
			return err
		},
	}
}
