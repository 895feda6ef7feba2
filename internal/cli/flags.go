package cli

import (
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/method/param"
)

// Declare adds a flag for each parameter of a set, in a group of the help; "": in none.
func Declare(fs *pflag.FlagSet, group string, set *param.Set) {
	for _, p := range set.Params() {
		Flag(fs, group, p, func(text string) error { return set.Set(p.Name, text) })
	}
}

// Flag adds the flag of a parameter, in a group of the help; "": in none.
func Flag(fs *pflag.FlagSet, group string, p param.Param, set func(text string) error) *pflag.Flag {
	f := fs.VarPF(&value{kind: p.Kind, choices: p.Choices, set: set}, p.Name, p.Short, p.Usage())
	if p.Kind == param.Bool {
		f.NoOptDefVal = "true"
	}
	if group != "" {
		Group(fs, group, p.Name)
	}
	return f
}

// value is the value of a flag that is made from a declaration.
type value struct {
	kind    param.Kind
	choices []string
	set     func(text string) error
	text    string
}

// Choices returns the words that a flag made from a declaration takes, and the kind of its values;
// ok is false for another flag.
func Choices(f *pflag.Flag) (words []string, kind param.Kind, ok bool) {
	v, ok := f.Value.(*value)
	if !ok {
		return nil, 0, false
	}
	return v.choices, v.kind, true
}

func (v *value) String() string { return v.text }

// Set sets the value; names are added to those that the flag was given before.
func (v *value) Set(text string) error {
	if v.kind == param.List && v.text != "" && text != "" {
		text = v.text + "," + text
	}
	if err := v.set(text); err != nil {
		return err
	}
	v.text = text
	return nil
}

// Type returns the placeholder for the value in help, as in --clusters N.
func (v *value) Type() string {
	return [...]string{param.Int: "N", param.Float: "X", param.Bool: "bool", param.Choice: "WORD",
		param.Text: "TEXT", param.File: "FILE", param.List: "NAMES"}[v.kind]
}

// Shared adds the flag --shared of a command that writes files, in a group of the help; "": in none.
func Shared(fs *pflag.FlagSet, group string, shared *bool) {
	fs.BoolVar(shared, "shared", false,
		"let others read new files as the umask says; else they are for you alone")
	if group != "" {
		Group(fs, group, "shared")
	}
}

// Keys of annotations of flags.
const (
	groupKey  = "kindred group"
	takersKey = "kindred methods"

	environmentKey = "kindred environment" // of flags that the environment has set
)

// Takers records the methods that a flag is a parameter of; their descriptions explain it, and not
// the help of the command.
func Takers(f *pflag.Flag, methods []string) {
	if f.Annotations == nil {
		f.Annotations = map[string][]string{}
	}
	f.Annotations[takersKey] = methods
}

// TakersOf returns the methods that a flag is a parameter of, as [Takers] recorded them.
func TakersOf(f *pflag.Flag) []string { return f.Annotations[takersKey] }

// Group puts flags into a group of the help.
func Group(fs *pflag.FlagSet, group string, names ...string) {
	for _, name := range names {
		fs.SetAnnotation(name, groupKey, []string{group}) // the flag is there
	}
}

// placeholder returns the word for the value of a flag in help, and its usage without the mark
// of pflag for it.
func placeholder(f *pflag.Flag) (name, usage string) {
	name, usage = pflag.UnquoteUsage(f)
	switch name {
	case "bool":
		name = ""
	case "string":
		name = "TEXT"
	case "int", "uint", "int64", "uint64":
		name = "N"
	case "float", "float64":
		name = "X"
	case "strings", "stringArray":
		name = "NAMES"
	case "duration":
		name = "TIME"
	}
	return strings.TrimSpace(name), usage
}
