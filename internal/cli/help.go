package cli

import (
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
	Note  string // a sentence behind the flags; "": none
}

// Grouped lets the help of a command list its flags by groups, in the order of topics; those in no
// group come last. special, if not nil, may write help of its own first, and reports whether that
// is all.
func Grouped(cmd *cobra.Command, topics []Topic, special func(out io.Writer) (bool, error)) {
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
	text := cmd.Long
	if text == "" {
		text = cmd.Short
	}
	fmt.Fprintf(out, "%s\n\nUsage: %s\n", text, cmd.UseLine())
	if cmd.Example != "" {
		fmt.Fprintf(out, "\nExamples:\n%s\n", cmd.Example)
	}
	known := []string{""}
	for _, t := range topics {
		known = append(known, t.Group)
		flags(out, cmd.LocalFlags(), t)
	}
	flags(out, cmd.LocalFlags(), Topic{}, known[1:]...)
}

// flags lists the flags of a topic; those of others are left out of the last one.
func flags(out io.Writer, fs *pflag.FlagSet, t Topic, others ...string) {
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
		name, usage := placeholder(f)
		line := "      --" + f.Name
		if f.Shorthand != "" {
			line = "  -" + f.Shorthand + ", --" + f.Name
		}
		if name != "" {
			line += " " + name
		}
		names, usages = append(names, line), append(usages, usage)
	})
	if names == nil && t.Note == "" {
		return
	}
	group := t.Group
	if group == "" {
		group = "Other"
	}
	fmt.Fprintf(out, "\n%s:\n", group)
	List(out, names, usages)
	if t.Note != "" {
		fmt.Fprintf(out, "  %s\n", strings.Join(words.Wrap(t.Note, width-2), "\n  "))
	}
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
		name := "      --" + p.Name
		if p.Short != "" {
			name = "  -" + p.Short + ", --" + p.Name
		}
		text := p.Help + ": " + p.Range()
		if p.Unit != "" {
			text += ", in " + p.Unit
		}
		names, texts = append(names, name), append(texts, text+". Default: "+p.DefaultWords())
	}
	List(out, names, texts)
}
