package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/safe"
)

// app is the surroundings of a command: its streams and the environment.
type app struct {
	out, err io.Writer
	env      func(string) string
	quiet    bool
	shared   bool   // others may read new files, as the umask says
	work     string // folder of what is done, after which the same command goes on; ""
	rounds   bool   // the command goes on in rounds, which --work keeps
	began    bool   // a command's own work began: what fails now is no error of usage
}

func newApp(out, err io.Writer, env func(string) string) *app {
	return &app{out: out, err: err, env: env}
}

// run runs one command line and returns the exit code.
func run(ctx context.Context, a *app, args []string) int {
	root := newRoot(a)
	root.SetArgs(args)
	root.SetOut(a.out)
	root.SetErr(a.err)
	err := root.ExecuteContext(ctx)
	if err == nil {
		return cli.Done
	}
	code, text := cli.Code(a.began, err), safe.Line(err.Error())
	if code == cli.Unread {
		return code
	}
	if ctx.Err() != nil {
		code, text = cli.Interrupted, "interrupted"
		switch {
		case a.work != "":
			text += "; the same command goes on after the last round that is done, which --work " +
				a.work + " keeps"
		case a.rounds:
			text += "; with --work FOLDER the same command goes on after the last round that is " +
				"done"
		}
	}
	fmt.Fprintf(a.err, "kindred-scale: %s\n", text)
	return code
}

// newRoot builds the tree of commands.
func newRoot(a *app) *cobra.Command {
	root := &cobra.Command{
		Use:   "kindred-scale",
		Short: "Find groups in tables that no machine holds",
		Long: `kindred-scale does the work of kindred cluster on tables in many files, on ` +
			`an engine that is there
already: in this process (Prism, which needs nothing), or on Flink, Spark or Dataflow. Rows are read
where they lie, in blocks, and are never collected; the groups are the same whatever the engine and
the number of its workers.`,
		Example: `  kindred-scale generate rows --rows 1000000 --dimensions 16 -k 25
  kindred-scale survey rows
  kindred-scale cluster rows --method kmeans -k 25 --ignore class --out groups \
      --model groups.model
  kindred-scale cluster rows -k 25 --out groups --runner flink --endpoint localhost:8099 \
      --environment_type LOOPBACK --work /mnt/work`,
		SilenceErrors: true,
		SilenceUsage:  true,
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			if err := cli.FromEnvironment(cmd, a.env,
				func(f *pflag.Flag) bool { return f.Hidden && !isParameter(f.Name) }); err != nil {
				return err
			}
			a.began = true
			return nil
		},
	}
	root.SetFlagErrorFunc(cli.FlagError)
	root.PersistentFlags().BoolVarP(&a.quiet, "quiet", "q", false,
		"write nothing on stderr but errors")
	root.AddCommand(newCluster(a), newSuper(a), newExpand(a), newScore(a), newSurvey(a),
		newGenerate(a), newCompare(a), newVersion(a))
	return root
}

// plain returns the arguments before a --.
func plain(cmd *cobra.Command, args []string) []string {
	if dash := cmd.ArgsLenAtDash(); dash >= 0 {
		return args[:dash]
	}
	return args
}

// terminal reports whether messages go to a terminal.
func (a *app) terminal() bool {
	f, isFile := a.err.(*os.File)
	return isFile && term.IsTerminal(int(f.Fd()))
}

// logf writes a line to stderr.
func (a *app) logf(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.err, safe.Line(fmt.Sprintf(format, args...)))
	}
}
