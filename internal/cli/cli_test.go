package cli_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/link"
)

// command has a flag of each kind, and one that the environment does not set.
func command(env func(string) string) *cobra.Command {
	cmd := &cobra.Command{
		Use: "knit WOOL", SilenceErrors: true, SilenceUsage: true,
		Args: cli.Arguments(1, 1, "one WOOL", nil),
		PersistentPreRunE: func(cmd *cobra.Command, _ []string) error {
			return cli.FromEnvironment(cmd, env, func(f *pflag.Flag) bool { return f.Hidden })
		},
		RunE: func(*cobra.Command, []string) error { return nil },
	}
	fs := cmd.Flags()
	fs.Int("max-rows", 1, "")
	fs.Int64("stitches", 1, "")
	fs.Uint64("seed", 0, "")
	fs.Float64("gauge", 1, "")
	fs.Bool("purl", false, "")
	fs.Duration("rest", 0, "")
	fs.String("colour", "", "")
	fs.String("secret", "", "")
	cli.Hide(cmd, "secret")
	cmd.SetFlagErrorFunc(cli.FlagError)
	cmd.SetOut(io.Discard)
	cmd.SetErr(io.Discard)
	return cmd
}

// TestAParameterOfMethodsIsExplainedByThem where the program lists methods.
func TestAParameterOfMethodsIsExplainedByThem(t *testing.T) {
	for line, where := range map[string]string{
		"knit wool --gauge fine":                       "needles methods NAME",
		"knit wool --method moss --gauge fine":         "needles methods moss",
		"knit wool --method rib --gauge fine":          "needles methods NAME",
		"knit wool --method moss --stitches 1e6":       "needles methods seed",
		"knit wool --method moss --max-rows few":       "needles knit --help",
		"knit wool --method moss --gauge 3 --frills 1": "needles knit --help",
	} {
		root := &cobra.Command{Use: "needles", SilenceErrors: true, SilenceUsage: true}
		knit := command(func(string) string { return "" })
		knit.Flags().String("method", "", "")
		cli.Takers(knit.Flags().Lookup("gauge"), []string{"moss", "seed"})
		cli.Takers(knit.Flags().Lookup("stitches"), []string{"seed"})
		root.AddCommand(knit, &cobra.Command{Use: "methods",
			Run: func(*cobra.Command, []string) {}})
		root.SetArgs(strings.Fields(line))
		if err := root.Execute(); err == nil || !strings.HasSuffix(err.Error(), "; see "+where) {
			t.Errorf("%s: %v, want %s", line, err, where)
		}
	}
}

func TestFlagErrorsAreInPlainWords(t *testing.T) {
	for _, c := range []struct {
		line, env, problem string
	}{
		{line: "wool --max-rows many", problem: `--max-rows takes a whole number, not "many"; ` +
			`see knit --help`},
		{line: "wool --stitches 1e6", problem: `--stitches takes a whole number, not "1e6"; ` +
			`see knit --help`},
		{line: "wool --stitches 99999999999999999999",
			problem: "--stitches: 99999999999999999999 is out of range; see knit --help"},
		{line: "wool --seed -1", problem: `--seed takes a whole number from 0 on, not "-1"; ` +
			`see knit --help`},
		{line: "wool --gauge fine", problem: `--gauge takes a number, not "fine"; see knit --help`},
		{line: "wool --purl=perhaps", problem: `--purl takes true or false, not "perhaps"; see ` +
			`knit --help`},
		{line: "wool --rest 5", problem: `--rest takes a time such as 30s or 5m, not "5"; see ` +
			`knit --help`},
		{line: "wool --frills", problem: "unknown flag: --frills; see knit --help"},
		{line: "wool --gauge", problem: "flag needs an argument: --gauge; see knit --help"},
		{line: "", problem: "give one WOOL; see knit --help"},
		{line: "wool", env: "KINDRED_MAX_ROWS=many",
			problem: `the environment variable KINDRED_MAX_ROWS: --max-rows takes a whole ` +
				`number, not "many"`},
		{line: "wool --max-rows 2", env: "KINDRED_MAX_ROWS=many"},
		{line: "wool", env: "KINDRED_SECRET=a"},
		{line: "wool", env: "KINDRED_HELP=a"},
	} {
		name, value, _ := strings.Cut(c.env, "=")
		cmd := command(func(asked string) string {
			if asked == name {
				return value
			}
			return ""
		})
		cmd.SetArgs(strings.Fields(c.line))
		err := cmd.Execute()
		reported := ""
		if err != nil {
			reported = err.Error()
		}
		var setting fault.Setting
		if reported != c.problem || errors.As(err, &setting) != (c.problem != "") {
			t.Errorf("knit %s with %s: got %q, want %q", c.line, c.env, reported, c.problem)
		}
	}
}

func TestTheEnvironmentSetsFlags(t *testing.T) {
	cmd := command(func(name string) string {
		return map[string]string{"KINDRED_COLOUR": "red", "KINDRED_SECRET": "no"}[name]
	})
	cmd.SetArgs([]string{"wool"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	colour, _ := cmd.Flags().GetString("colour")
	secret, _ := cmd.Flags().GetString("secret")
	if colour != "red" || secret != "" {
		t.Errorf("colour %q, secret %q", colour, secret)
	}
}

func TestCode(t *testing.T) {
	bad := &fault.Input{Problem: "is empty"}
	for _, c := range []struct {
		began bool
		err   error
		want  int
	}{
		{true, nil, cli.Done},
		{true, errors.New("no space left"), cli.Failed},
		{false, errors.New("unknown command"), cli.Usage},
		{true, fmt.Errorf("here: %w", fault.Settingf("give %d", 1)), cli.Usage},
		{true, fmt.Errorf("here: %w", bad), cli.Input},
		{true, fmt.Errorf("here: %w", &link.Contradiction{}), cli.Contradiction},
	} {
		if got := cli.Code(c.began, c.err); got != c.want {
			t.Errorf("%v, began %v: exit code %d, want %d", c.err, c.began, got, c.want)
		}
	}
}

func TestVersion(t *testing.T) {
	if got := cli.Version("v1.2.3"); got != "v1.2.3" {
		t.Errorf("a release: %q", got)
	}
	if got := cli.Version(""); got == "" {
		t.Error("a build that is no release has no version")
	}
}

func TestInterruptible(t *testing.T) {
	ctx, stop := cli.Interruptible()
	if ctx.Err() != nil {
		t.Error("it is cancelled before any signal")
	}
	stop()
	if ctx.Err() != context.Canceled {
		t.Error("stop does not cancel it")
	}
}

// TestHelpNamesValuesAlike, whatever Go calls their types.
func TestHelpNamesValuesAlike(t *testing.T) {
	cmd := command(func(string) string { return "" })
	cli.Placeholders(cmd)
	var out strings.Builder
	cmd.SetOut(&out)
	cmd.SetArgs([]string{"--help"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"--max-rows N ", "--stitches N ", "--seed N ", "--gauge X ",
		"--rest TIME ", "--colour TEXT "} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is not in %s", want, &out)
		}
	}
	for _, not := range []string{" int ", " string ", " uint ", " float ", " duration "} {
		if strings.Contains(out.String(), not) {
			t.Errorf("%q is in %s", not, &out)
		}
	}
}
