package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/intake"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/link"
)

// Exit codes, as those of kindred.
const (
	exitDone          = 0
	exitFailed        = 1
	exitUsage         = 2
	exitInput         = 3
	exitContradiction = 4
	exitInterrupted   = 130
)

// app is what a command stands in: its streams and the environment.
type app struct {
	out, err io.Writer
	env      func(string) string
	quiet    bool
	work     string // folder of what is done, after which the same command goes on; ""
	began    bool   // a command's own work began: what fails now is no slip in its usage
}

func newApp(out, err io.Writer, env func(string) string) *app {
	return &app{out: out, err: err, env: env}
}

// run runs one command line and gives the exit code.
func run(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	code := a.code(ctx, err)
	text := safe.Line(err.Error())
	if code == exitInterrupted {
		text = "interrupted"
		if a.work != "" {
			text += "; the same command goes on after the last round that is done, which --work " + a.work + " keeps"
		}
	}
	fmt.Fprintf(a.err, "kindred-scale: %s\n", text)
	return code
}

func (a *app) code(ctx context.Context, err error) int {
	var clash *link.Contradiction
	var slip usage
	var setting intake.Usage
	switch {
	case ctx.Err() != nil:
		return exitInterrupted
	case errors.As(err, &clash):
		return exitContradiction
	case !a.began, errors.As(err, &slip), errors.As(err, &setting):
		return exitUsage
	case fault.IsInput(err):
		return exitInput
	}
	return exitFailed
}

// usage is a slip in a command line, found before any data are read.
type usage struct{ problem string }

func (u usage) Error() string { return u.problem }

func usagef(format string, args ...any) usage { return usage{fmt.Sprintf(format, args...)} }

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "kindred-scale",
		Short: "Find groups in tables that no machine holds",
		Long: `kindred-scale does the work of kindred cluster on tables in many files, on an engine that is there already: in this process
(Prism, which needs nothing), or on Flink, Spark or Dataflow. Rows are read where they lie, in blocks, and are never collected;
the groups are the same whatever the engine and the number of its workers.`,
		Example: `  kindred-scale generate rows --rows 1000000 --dimensions 16 -k 25
  kindred-scale survey rows
  kindred-scale cluster rows --method kmeans -k 25 --ignore class --out groups --model groups.model
  kindred-scale cluster rows -k 25 --out groups --runner flink --endpoint localhost:8099 --environment_type LOOPBACK --work /mnt/work`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.fromEnvironment(cmd); err != nil {
				return err
			}
			a.began = true
			return nil
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v; see %s --help", err, cmd.CommandPath())
	})
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false, "say nothing on stderr but errors")
	root.AddCommand(newCluster(a), newSuper(a), newExpand(a), newScore(a), newSurvey(a), newGenerate(a), newCompare(a), newVersion(a))
	return root
}

// hide leaves flags out of the help: they are known, to be refused with a reason.
func hide(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// fromEnvironment sets each flag that was not given from KINDRED_NAME, where that is set.
func (a *app) fromEnvironment(cmd *cobra.Command) error {
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "KINDRED_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := a.env(name)
		if f.Changed || f.Hidden || value == "" || failed != nil || f.Name == "help" {
			return
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			failed = usagef("the environment variable %s: %v", name, err)
		}
	})
	return failed
}

// arguments checks the number of arguments before a --, in words.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if n := len(plain(cmd, args)); n < least || n > most {
			return usagef("give %s; see %s --help", what, cmd.CommandPath())
		}
		return nil
	}
}

// plain gives the arguments before a --.
func plain(cmd *cobra.Command, args []string) []string {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash]
	}
	return args
}

// terminal tells whether talk goes to a terminal.
func (a *app) terminal() bool {
	f, isFile := a.err.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}

// say writes a line of talk.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.err, safe.Line(fmt.Sprintf(format, args...)))
	}
}
