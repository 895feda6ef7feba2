package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// meant returns what a person may have meant by a flag that a command does not have; "" where
// nothing is near.
func meant(cmd *cobra.Command, name string) string {
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Name != allFlag && (!f.Hidden || len(TakersOf(f)) > 0) {
			names = append(names, f.Name)
		}
	})
	known := otherFlags[strings.ToLower(name)]
	if !slices.Contains(names, known) {
		known = ""
	}
	near, ok := words.Nearest(name, names)
	switch others := having(cmd.Root(), name); {
	case known != "":
		return "did you mean " + described(cmd, known) + "?"
	case len(others) > 0:
		return "it is a flag of " + words.UpTo(others, 4)
	case ok:
		return "did you mean " + described(cmd, near) + "?"
	}
	return ""
}

// described names a flag, and the methods that it is a parameter of.
func described(cmd *cobra.Command, name string) string {
	text := "--" + name
	if takers := TakersOf(cmd.Flags().Lookup(name)); len(takers) > 0 {
		text += ", a parameter of " + words.UpTo(takers, 4)
	}
	return text
}

// having lists the commands that have a flag, those that are not hidden; nil for letters.
func having(cmd *cobra.Command, name string) (found []string) {
	for _, sub := range cmd.Commands() {
		found = append(found, having(sub, name)...)
	}
	if f := cmd.Flags().Lookup(name); f != nil && len(name) > 1 && cmd.Runnable() && !cmd.Hidden &&
		(!f.Hidden || len(TakersOf(f)) > 0) {
		found = append(found, cmd.CommandPath())
	}
	return found
}

// otherFlags are names of parameters elsewhere, and of those that are the same here.
var otherFlags = map[string]string{
	"n-clusters": "clusters", "k": "clusters", "groups": "clusters",
	"random-state": "seed", "n-jobs": "threads", "jobs": "threads",
	"max-iter": "max-iterations", "iterations": "max-iterations", "tol": "tolerance",
	"n-init": "starts", "min-samples": "min-points", "minpts": "min-points",
	"min-pts": "min-points", "epsilon": "eps", "output": "out", "output-file": "out",
	"columns": "features", "cols": "features", "exclude": "drop", "ignore": "drop",
	"target": "label", "class": "label", "classes": "label", "distance": "metric",
	"standardize": "scale", "normalize": "scale", "constraints-file": "links",
	"algorithm": "method", "algo": "method", "image": "images", "texts": "text",
}

// Commands lets a command take none but its sub-commands, and returns the error for another word:
// what is near, or what others call so. what, unless nil, may return what a word is if it is no
// name of a command at all.
func Commands(what func(word string) string, others map[string]string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return nil
		}
		var names []string
		for _, sub := range cmd.Commands() {
			if !sub.Hidden {
				names = append(names, sub.Name())
			}
		}
		fix := "see " + cmd.CommandPath() + " --help"
		near, ok := words.Nearest(args[0], names)
		if other := others[strings.ToLower(args[0])]; other != "" {
			near, ok = other, true
		}
		is := ""
		if what != nil {
			is = what(args[0])
		}
		switch {
		case is != "":
			fix = is
		case ok:
			fix = fmt.Sprintf("did you mean %s %s? %s", cmd.CommandPath(), near, fix)
		}
		return fault.Settingf("unknown command %q for %q; %s", args[0], cmd.CommandPath(), fix)
	}
}
