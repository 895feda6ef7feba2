package cli

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
)

// width is that of help, in columns.
const width = 100

// Topic is a group of flags in help.
type Topic struct {
	Group string
	Note  string   // a sentence behind the flags; "": none
	Rare  []string // flags that are left out unless --all is given with --help
}

// allFlag is the flag that makes help list rare flags, too.
const allFlag = "all"

// Grouped lets the help of a command list its flags by groups, in the order of topics; those in no
// group come last. special, if not nil, may write help of its own first, and reports whether that
// is all.
func Grouped(cmd *cobra.Command, topics []Topic, special func(out io.Writer) (bool, error)) {
	if slices.ContainsFunc(topics, func(t Topic) bool { return t.Rare != nil }) {
		cmd.Flags().Bool(allFlag, false, "with --help: list all flags")
		Hide(cmd, allFlag)
	}
	cmd.SetHelpFunc(func(cmd *cobra.Command, _ []string) {
		out := cmd.OutOrStdout()
		if special != nil {
			done, err := special(out)
			if err != nil {
				fmt.Fprintln(cmd.ErrOrStderr(), err)
			}
			if done || err != nil {
				return
			}
		}
		help(out, cmd, topics)
	})
}

func help(out io.Writer, cmd *cobra.Command, topics []Topic) {
	fmt.Fprintf(out, "%s\n\nUsage: %s\n", cmp.Or(cmd.Long, cmd.Short), cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", cmd.Example)
	}
	all, _ := cmd.Flags().GetBool(allFlag)
	left := 0
	var known []string
	for _, t := range topics {
		if all {
			t.Rare = nil
		}
		known = append(known, t.Group)
		left += flags(out, cmd.LocalFlags(), t)
	}
	flags(out, cmd.LocalFlags(), Topic{}, known...)
	if left > 0 {
		fmt.Fprintf(out, "\n%d more flags: %s --help --all lists all.\n", left, cmd.CommandPath())
	}
}

// flags lists the flags of a topic, and returns how many rare ones it left out; those of others are
// left out of the last one.
func flags(out io.Writer, fs *pflag.FlagSet, t Topic, others ...string) (left int) {
	var names, usages []string
	fs.VisitAll(func(f *pflag.Flag) {
		group := ""
		if of := f.Annotations[groupKey]; len(of) > 0 {
			group = of[0]
		}
		if f.Hidden || f.Name == "help" || group != t.Group &&
			(t.Group != "" || slices.Contains(others, group)) {
			return
		}
		if slices.Contains(t.Rare, f.Name) {
			left++
			return
		}
		name, usage := placeholder(f)
		line := flagName(f.Name, f.Shorthand)
		if name != "" {
			line += " " + name
		}
		names, usages = append(names, line), append(usages, usage)
	})
	if names == nil && t.Note == "" {
		return left
	}
	fmt.Fprintf(out, "\n%s:\n", cmp.Or(t.Group, "Other"))
	List(out, names, usages)
	if t.Note != "" {
		fmt.Fprintf(out, "  %s\n", strings.Join(words.Wrap(t.Note, width-2), "\n  "))
	}
	return left
}

// flagName writes a flag with its letter, if it has one.
func flagName(name, letter string) string {
	if letter == "" {
		return "      --" + name
	}
	return "  -" + letter + ", --" + name
}

// List writes two columns, the second wrapped.
func List(out io.Writer, names, texts []string) {
	wide := 0
	for _, name := range names {
		wide = max(wide, len(name))
	}
	wide += 2
	for i, name := range names {
		lines := words.Wrap(texts[i], width-wide)
		fmt.Fprintf(out, "%-*s%s\n", wide, name,
			strings.Join(lines, "\n"+strings.Repeat(" ", wide)))
	}
}

// ListParams writes parameters with their ranges, units and defaults.
func ListParams(out io.Writer, params []param.Param) {
	var names, texts []string
	for _, p := range params {
		name := flagName(p.Name, p.Short)
		text := p.Help + ": " + p.Range()
		if p.Unit != "" {
			text += ", in " + p.Unit
		}
		names, texts = append(names, name), append(texts, text+". Default: "+p.DefaultWords())
	}
	List(out, names, texts)
}
