package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/project/input"
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

// run runs one command line and returns the exit code.
func run(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetIn(a.in)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return cli.Done
	}
	code := a.code(ctx, err)
	if code == cli.Interrupted {
		fmt.Fprintln(a.err, "kindred: interrupted")
		return code
	}
	fmt.Fprintf(a.err, "kindred: %s\n", safe.Line(err.Error()))
	return code
}

// code returns the exit code for an error.
func (a *app) code(ctx context.Context, err error) int {
	if errors.Is(err, ask.ErrInterrupted) || ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return cli.Interrupted
	}
	return cli.Code(a.began, err)
}

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
			if err := cli.FromEnvironment(cmd, a.env, nil); err != nil {
				return err
			}
			a.began = true
			return nil
		},
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.AddCommand(
		newDemo(a), newAsk(a), newServe(a), newCluster(a), newStream(a), newPredict(a), newScore(a),
		newPlot(a), newLinks(a), newData(a), newVersion(a),
		newMethods(a), newReproduce(a),
	)
	return root
}

// place is where DATA are looked for.
func (a *app) place() input.Place {
	return input.Place{Stdin: a.in, Folder: a.env("KINDRED_DATASETS")}
}

// terminal returns the descriptor of a stream that is a terminal.
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

// styled reports whether talk may be bold.
func (a *app) styled() bool {
	_, ok := terminal(a.err)
	return ok && a.env("NO_COLOR") == "" && a.env("TERM") != "dumb"
}

// say writes a line of talk.
func (a *app) say(format string, args ...any) {
	fmt.Fprintln(a.err, safe.Line(fmt.Sprintf(format, args...)))
}
