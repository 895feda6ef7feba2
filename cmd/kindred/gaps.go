package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

const missingFlag = "missing"

// whole does work that prepares DATA by a recipe. Where values are missing and it is not said what
// to do about that, somebody at the terminal is asked, the recipe has the answer, and the work is
// done again.
func whole[T any](ctx context.Context, a *app, r *input.Recipe, work func() (T, error)) (T, error) {
	done, err := work()
	var in *fault.Input
	var gaps *dataset.Gaps
	if !errors.As(err, &gaps) || !errors.As(err, &in) || r.Given(missingFlag) {
		return done, err
	}
	fd, reads := terminal(a.in)
	if _, writes := terminal(a.err); !reads || !writes {
		return done, err
	}
	t := ask.NewTerminal(a.in, a.err, ask.TerminalConfig{FD: fd, IsTerminal: true,
		Styled: a.styled()})
	defer t.Close()
	how, asked := a.treat(ctx, t, in.File, gaps)
	if errors.Is(asked, io.EOF) || how == dataset.MissingRefuse && asked == nil {
		return done, err
	}
	if asked != nil {
		return done, asked
	}
	if err := r.Set(missingFlag, how.String()); err != nil {
		return done, err
	}
	return work()
}

// mostGaps is how many columns are named that lack values.
const mostGaps = 6

// treat asks what to do about missing values; MissingRefuse is to stop.
func (a *app) treat(ctx context.Context, t *ask.Terminal, file string,
	g *dataset.Gaps) (dataset.Missing, error) {
	var columns []string
	for _, c := range g.Columns {
		columns = append(columns, fmt.Sprintf("%s %d", words.Short(c.Name), c.Missing))
	}
	a.notef("%s: values are missing in %d of %s: %s", file, g.Lacking, words.Count(g.Rows, "row"),
		words.UpTo(columns, mostGaps))
	keys, ways := "", map[byte]dataset.Missing{'q': dataset.MissingRefuse}
	for i, m := range g.Choices {
		key := m.String()[0]
		if _, taken := ways[key]; taken {
			key = m.String()[2]
		}
		keys += string(key)
		ways[key] = m
		usual := ""
		if i == 0 {
			usual = ", or Enter"
		}
		a.notef("  [%c]%s  %s", key, usual, g.About(m))
	}
	a.notef("  [q]  stop")
	key, err := t.Key(ctx, "What becomes of them? › ", keys+"q\r\n")
	if err != nil {
		return dataset.MissingRefuse, err
	}
	how, known := ways[key]
	if !known {
		how = g.Choices[0]
	}
	if how != dataset.MissingRefuse {
		a.notef("--%s %s", missingFlag, how)
	}
	return how, nil
}

// plainWord is an argument that a shell takes as it is.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`)

// again returns the command line that says what to do about missing values, to be copied; "" where
// the command cannot be told.
func again(cmd *cobra.Command, args []string, err error) string {
	var gaps *dataset.Gaps
	if !errors.As(err, &gaps) || cmd.Flags().Lookup(missingFlag) == nil {
		return ""
	}
	line := []string{"kindred"}
	for i := 0; i < len(args); i++ {
		word := args[i]
		if word == "--"+missingFlag {
			i++ // refuse
			continue
		}
		if strings.HasPrefix(word, "--"+missingFlag+"=") {
			continue
		}
		if !plainWord.MatchString(word) {
			word = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
		line = append(line, word)
	}
	return strings.Join(append(line, "--"+missingFlag, gaps.Choices[0].String()), " ")
}
