package main

import (
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/project/input"
)

func newDemo(a *app) *cobra.Command {
	f := askFlags{Recipe: input.New()}
	cmd := &cobra.Command{
		Use:   "demo [SAMPLE]",
		Short: "Try it on a sample: handwritten digits, on a page in the browser",
		Long: `demo asks about pairs of handwritten digits, or of another sample, until the groups are found: on a
page in the browser, or here with --terminal. Nothing is kept. Where there is nobody to answer, the
true labels do.`,
		Example: `  kindred demo
  kindred demo iris
  kindred demo --terminal
  kindred demo --oracle labels`,
		Args: cli.Arguments(0, 1, "at most one sample (see kindred data list)", nil),
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.demo(cmd, a, args)
		},
	}
	f.flags(cmd)
	return cmd
}

func (f *askFlags) demo(cmd *cobra.Command, a *app, args []string) error {
	name := "digits"
	if len(args) > 0 {
		name = args[0]
	}
	s, ok := sample.Find(name)
	if !ok {
		return fault.Setting("demo takes the name of a sample: see kindred data list")
	}
	f.Label = s.Label
	if f.oracle == "" && !f.page.wanted(a, "") && nobody(a.in) {
		f.oracle = "labels"
		a.say("nobody is at a keyboard, so the true labels answer")
	}
	folder, err := os.MkdirTemp("", "kindred-demo-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	f.project, f.passing = filepath.Join(folder, "demo.kindred"), true
	return f.run(cmd, a, s.Name)
}

// nobody reports whether an input can bring no keys: it is a device such as
// /dev/null, but no terminal.
func nobody(in io.Reader) bool {
	f, isFile := in.(*os.File)
	if !isFile {
		return false
	}
	info, err := f.Stat()
	_, isTerminal := terminal(in)
	return err == nil && !isTerminal && info.Mode()&os.ModeCharDevice != 0
}
