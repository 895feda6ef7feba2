package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
)

// Why flags of kindred cluster are refused that no method takes here.
const (
	numbersOnly = "rows of numbers are compared here: make vectors first, and give them as " +
		"columns of the files"
	drawn = "links are drawn among rows on one machine: draw a sample, make links of it " +
		"with kindred links or kindred ask, and give them with --links"
	pictures = "a picture of all rows would show none: draw a sample, or the super-instances " +
		"of kindred-scale super, with kindred plot"
	oneMachine = "what it is for takes all rows together: kindred cluster does, on one machine"
)

// elsewhere are those flags, with what to do instead.
var elsewhere = map[string]string{
	"text": numbersOnly, "series": numbersOnly, "images": numbersOnly, "embedding": numbersOnly,
	"dimensions": numbersOnly, "encoder": numbersOnly,
	"band": numbersOnly, "edit-cost": numbersOnly, "dissimilarity": numbersOnly,
	"labels": numbersOnly, "pictures": numbersOnly,
	"random-links": drawn, "labelled-per-class": drawn, "labelled-share": drawn, "deduce": drawn,
	"plot": pictures, "picture": pictures, "tree": oneMachine,
	"oracle-errors": "the labels answer without errors here: kindred ask --oracle labels makes " +
		"some, on the super-instances of kindred-scale super",
	"oracle-unknowns": "the labels answer all that they know here: kindred ask --oracle labels " +
		"can leave some out, on the super-instances of kindred-scale super",
	"strategy": "cobra has questions of its own: kindred ask takes strategies, on the " +
		"super-instances of kindred-scale super",
}

// foreign are flags of kindred cluster that other flags here do not bring.
var foreign = []string{"random-links", "deduce", "plot", "picture", "tree"}

// common are the flags that mean something to all methods, those of reading and running aside,
// which refuse for themselves.
var common = []string{"method", "json", "out", "parts", "model", "shared", "quiet", "help", "starts"}

// refusals makes all flags of kindred cluster known, and hides in the help those that no method
// takes.
func refusals(cmd *cobra.Command) {
	fs := cmd.Flags()
	for _, name := range foreign {
		fs.String(name, "", elsewhere[name])
	}
	var byMethods []string
	for _, m := range methods() {
		byMethods = append(byMethods, m.takes()...)
	}
	taken := taken(byMethods)
	fs.VisitAll(func(f *pflag.Flag) {
		if !slices.Contains(taken, f.Name) {
			f.Hidden = true
		}
	})
}

// taken lists the flags that mean something, with those that a method takes.
func taken(byMethod []string) []string {
	return slices.Concat(common, ofReading, ofRunning, byMethod)
}

// refused returns the first flag that was given and means nothing to a method, with the reason and
// what to do instead.
func refused(fs *pflag.FlagSet, m *scaled) error {
	takes, err := taken(m.takes()), error(nil)
	fs.Visit(func(f *pflag.Flag) {
		if err != nil || slices.Contains(takes, f.Name) ||
			slices.Contains(ofReadingElsewhere, f.Name) {
			return
		}
		var others []string
		for _, other := range methods() {
			if slices.Contains(other.takes(), f.Name) {
				others = append(others, other.name)
			}
		}
		reason := elsewhere[f.Name]
		switch {
		case len(others) > 0:
			reason = fmt.Sprintf(
				"it means nothing to %s: leave it out, or take a method that it is for (%s)",
				m.name, words.UpTo(others, 6))
		case reason == "":
			reason = oneMachine
		}
		err = fault.Settingf("--%s: %s", f.Name, reason)
	})
	return err
}

// refuse returns the error of the first of some flags that was given, with the reason, which
// follows the name of the flag.
func refuse(fs *pflag.FlagSet, flags []string, reason string) error {
	for _, flag := range flags {
		if fs.Changed(flag) {
			return fault.Setting("--" + flag + reason)
		}
	}
	return nil
}

// isParameter reports whether a flag is a parameter of a method, which the help of the method
// lists.
func isParameter(name string) bool {
	return slices.ContainsFunc(methods(),
		func(m scaled) bool { return slices.Contains(m.takes(), name) })
}

// findMethod finds a method by its name.
func findMethod(name string) (*scaled, error) {
	all := methods()
	for i := range all {
		if strings.EqualFold(all[i].name, name) {
			return &all[i], nil
		}
	}
	return nil, fault.Settingf(
		"--method: %s is none of those that work on tables of any size: %s; kindred cluster has "+
			"more, on one machine", words.Short(name), methodNames())
}
