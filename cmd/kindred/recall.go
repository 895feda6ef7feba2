package main

import (
	"encoding/csv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// remember gives the flags that decide what is asked, as a project keeps them.
func remember(cmd *cobra.Command) map[string]string {
	settings := map[string]string{}
	for _, name := range kept {
		if f := cmd.Flags().Lookup(name); f != nil {
			settings[name] = text(f)
		}
	}
	return settings
}

// recall sets each such flag that was not given to what the project keeps.
func recall(cmd *cobra.Command, settings map[string]string) error {
	for _, name := range kept {
		f := cmd.Flags().Lookup(name)
		value, known := settings[name]
		if f == nil || f.Changed || !known || value == text(f) {
			continue
		}
		if err := f.Value.Set(value); err != nil {
			return err
		}
	}
	return nil
}

// text is a flag's value in the form that it is given in: lists as one line of CSV.
func text(f *pflag.Flag) string {
	list, ok := f.Value.(pflag.SliceValue)
	if !ok {
		return f.Value.String()
	}
	names := list.GetSlice()
	if len(names) == 0 {
		return ""
	}
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write(names) // a strings.Builder takes everything
	w.Flush()
	return strings.TrimSuffix(b.String(), "\n")
}
