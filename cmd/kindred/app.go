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

	"github.com/kindred-go/kindred/active"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/intake"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/link"
)

// Exit codes.
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
	in       io.Reader
	out, err io.Writer
	env      func(string) string
	began    bool // a command's own work began: what fails now is no slip in its usage
}

func newApp(in io.Reader, out, err io.Writer, env func(string) string) *app {
	return &app{in: in, out: out, err: err, env: env}
}

// run runs one command line and gives the exit code.
func run(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return exitDone
	}
	code := a.code(ctx, err)
	if code == exitInterrupted {
		fmt.Fprintln(a.err, "kindred: interrupted")
		return code
	}
	fmt.Fprintf(a.err, "kindred: %s\n", safe.Line(err.Error()))
	return code
}

func (a *app) code(ctx context.Context, err error) int {
	var clash *link.Contradiction
	var slip usage
	var setting intake.Usage
	switch {
	case errors.Is(err, active.ErrInterrupted), ctx.Err() != nil && errors.Is(err, context.Canceled):
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

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "kindred",
		Short: "Find the groups you mean: clustering guided by a few answers",
		Long: `kindred finds the groups a person means. It asks whether a few pairs of rows belong
together, and returns the groups, what tells them apart, pictures and a file of labels.`,
		Example: `  kindred demo
  kindred ask customers.csv
  kindred cluster iris --method cobra --label class --oracle labels --out groups.csv
  kindred plot customers.kindred --out groups.svg`,
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
		return usage{fmt.Sprintf("%v; see %s --help", err, cmd.CommandPath())}
	})
	root.AddCommand(
		newDemo(a), newAsk(a), newServe(a), newCluster(a), newStream(a), newPredict(a), newScore(a), newPlot(a), newLinks(a), newData(a), newVersion(a),
		newMethods(a), newReproduce(a),
	)
	return root
}

// place is where DATA are looked for.
func (a *app) place() intake.Place {
	return intake.Place{Stdin: a.in, Folder: a.env("KINDRED_DATASETS")}
}

// hide leaves flags out of the help: they are known, and mean little here.
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
		if f.Changed || value == "" || failed != nil || f.Name == "help" {
			return
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			failed = usage{fmt.Sprintf("the environment variable %s: %v", name, err)}
		}
	})
	return failed
}

// arguments checks the number of arguments, in words.
func arguments(least, most int, what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < least || len(args) > most {
			return usage{fmt.Sprintf("give %s; see %s --help", what, cmd.CommandPath())}
		}
		return nil
	}
}

// terminal gives the descriptor of a stream that is a terminal.
func terminal(stream any) (fd int, ok bool) {
	f, isFile := stream.(*os.File)
	if !isFile {
		return 0, false
	}
	return int(f.Fd()), term.IsTerminal(int(f.Fd()))
}

// width is the number of columns of the terminal that talk goes to, or 80.
func (a *app) width() int {
	if fd, ok := terminal(a.err); ok {
		if w, _, err := term.GetSize(fd); err == nil && w > 20 {
			return w
		}
	}
	return 80
}

// styled tells whether talk may be bold.
func (a *app) styled() bool {
	_, ok := terminal(a.err)
	return ok && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// say writes a line of talk.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.err, safe.Line(fmt.Sprintf(format, args...)))
}
