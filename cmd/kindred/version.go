package main

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/internal/simd"
)

// version is set at a release by the linker; else the build information tells.
var version = ""

func versionText() string {
	if version != "" {
		return version
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "unreleased"
}

func newVersion(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Say which kindred this is",
		Args:  arguments(0, 0, "no arguments"),
		RunE: func(*cobra.Command, []string) error {
			_, err := fmt.Fprintf(a.out, "kindred %s %s/%s %s kernels %s\n", versionText(), runtime.GOOS, runtime.GOARCH, runtime.Version(), simd.Level())
			return err
		},
	}
}
