// Package cli holds what the commands kindred and kindred-scale have in common: exit codes, errors
// in flags in plain words, flags from the environment, signals and the version.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Exit codes.
const (
	Done          = 0
	Failed        = 1
	Usage         = 2
	Input         = 3
	Contradiction = 4
	Interrupted   = 130
	Unread        = 141 // as of a process that SIGPIPE ended
)

// Code returns the exit code for an error that is no interruption. Before a command's own work
// began, every error is one of usage.
func Code(began bool, err error) int {
	var clash *link.Contradiction
	var setting fault.Setting
	switch {
	case err == nil:
		return Done
	case unread(err):
		return Unread
	case errors.As(err, &clash):
		return Contradiction
	case !began, errors.As(err, &setting):
		return Usage
	}
	if class, ok := fault.Of(err); ok {
		return class.Exit
	}
	if fault.IsInput(err) {
		return Input
	}
	return Failed
}

// FlagError adds to an error in a flag where flags are explained, or which flag may be meant.
func FlagError(cmd *cobra.Command, err error) error {
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if fix := meant(cmd, unknown.GetSpecifiedName()); fix != "" {
			return fault.Settingf("%s; %s", explain(err), fix)
		}
	}
	return fault.Settingf("%s; see %s", explain(err), explained(cmd, err))
}

// explained returns the command that explains the flag of an error: kindred methods NAME for a
// parameter of methods, if there is that command, and else the help of the command itself.
func explained(cmd *cobra.Command, err error) string {
	help := cmd.CommandPath() + " --help"
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return help
	}
	takers := TakersOf(bad.GetFlag())
	named := func(c *cobra.Command) bool { return c.Name() == "methods" }
	if len(takers) == 0 || !slices.ContainsFunc(cmd.Root().Commands(), named) {
		return help
	}
	name := "NAME"
	if f := cmd.Flags().Lookup("method"); f != nil && slices.Contains(takers, f.Value.String()) {
		name = f.Value.String()
	} else if len(takers) == 1 {
		name = takers[0]
	}
	return cmd.Root().Name() + " methods " + name
}

// explain rewrites the error of the parser of a value in plain words.
func explain(err error) string {
	var bad *pflag.InvalidValueError
	if !errors.As(err, &bad) {
		return err.Error()
	}
	f := bad.GetFlag()
	if setting, ok := errors.AsType[fault.Setting](err); ok { // which names the flag
		return setting.Error()
	}
	if errors.Is(err, strconv.ErrRange) {
		return fmt.Sprintf("--%s: %s is out of range", f.Name, bad.GetValue())
	}
	kind, ok := map[string]string{
		"int": "a whole number", "int64": "a whole number", "uint64": "a whole number from 0 on",
		"float64": "a number",
		"bool":    "true or false", "duration": "a time such as 30s or 5m",
	}[f.Value.Type()]
	if !ok {
		return err.Error()
	}
	return fmt.Sprintf("--%s takes %s, not %q", f.Name, kind, bad.GetValue())
}

// FromEnvironment sets each flag that was not given from KINDRED_NAME, where env has that. Flags
// for which left returns true are skipped.
func FromEnvironment(cmd *cobra.Command, env func(string) string,
	left func(*pflag.Flag) bool) error {
	var failed error
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		name := "KINDRED_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		value := env(name)
		if f.Changed || value == "" || failed != nil || f.Name == "help" || left != nil && left(f) {
			return
		}
		if err := cmd.Flags().Set(f.Name, value); err != nil {
			failed = fault.Settingf("the environment variable %s: %s", name, explain(err))
		}
		cmd.Flags().SetAnnotation(f.Name, environmentKey, nil) // the flag is there
	})
	return failed
}

// InArguments reports whether a flag is among the arguments of the process, which others can read,
// rather than in the environment.
func InArguments(fs *pflag.FlagSet, name string) bool {
	f := fs.Lookup(name)
	_, environment := f.Annotations[environmentKey]
	return f.Changed && !environment
}

// Arguments checks the number of arguments that count keeps, in words. A nil count keeps all.
func Arguments(least, most int, what string,
	count func(cmd *cobra.Command, args []string) []string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if count != nil {
			args = count(cmd, args)
		}
		if len(args) < least || len(args) > most {
			return fault.Settingf("give %s; see %s --help", what, cmd.CommandPath())
		}
		return nil
	}
}

// Hide leaves flags out of the help: they are known, and mean little to a command.
func Hide(cmd *cobra.Command, names ...string) {
	for _, name := range names {
		cmd.Flags().Lookup(name).Hidden = true
	}
}

// unread reports whether a write to stdout or stderr failed because nobody reads that pipe any
// more.
func unread(err error) bool {
	about, ok := errors.AsType[*fs.PathError](err)
	return ok && (about.Path == os.Stdout.Name() || about.Path == os.Stderr.Name()) &&
		slices.ContainsFunc(closedPipe, func(is error) bool { return errors.Is(about, is) })
}

// Interruptible returns a context that a signal to end cancels. Two seconds later another one ends
// the process at once, in case something waits without end. SIGPIPE is none: what is written to a
// pipe that nobody reads any more fails, and files that are named are written all the same.
func Interruptible() (context.Context, context.CancelFunc) {
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE) // to ignore it is passed on to children
	ctx, stop := signal.NotifyContext(context.Background(), Ends()...)
	context.AfterFunc(ctx, func() { time.AfterFunc(2*time.Second, stop) })
	return ctx, stop
}

// Ends returns the signals to end: that of Ctrl-C, SIGTERM, and SIGHUP unless it is ignored, as
// under nohup.
func Ends() []os.Signal {
	ends := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		ends = append(ends, syscall.SIGHUP)
	}
	return ends
}

// Version returns the version of the command as built: set is what the linker sets at a
// release, "" elsewhere.
func Version(set string) string {
	if set != "" {
		return set
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" &&
		info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "unreleased"
}
