package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/session"
)

// kept are the flags that decide what is asked; a project remembers them, and the method besides.
var kept = []string{
	"id", "label", "features", "drop", "format", "scale", "duplicates", "missing",
	"dissimilarity", "labels", "metric", "text", "series", "band", "edit-cost",
	"clusters", "partners", "d0", "tail", "transform", "focal", "pairs", "xi", "constraints", "tolerance",
	"super-instances", "starts", "max-iterations", "seed", "contradictions",
}

// linksSetting is where a project keeps the path of the links known before.
const linksSetting = "links"

// remember gives the settings of this command as a project keeps them.
func (f *fitting) remember(cmd *cobra.Command, project string) map[string]string {
	settings := map[string]string{}
	for _, name := range kept {
		flag := cmd.Flags().Lookup(name)
		if flag == nil {
			continue
		}
		settings[name] = text(flag)
		if isFile(name, settings[name]) {
			settings[name] = relative(settings[name], project)
		}
	}
	settings[linksSetting] = ""
	if f.links != "" {
		settings[linksSetting] = relative(f.links, project)
	}
	return settings
}

// isFile tells whether the value of a kept flag names a file.
func isFile(name, value string) bool {
	return name == "labels" && value != "" || name == "focal" && setsFile(value) != ""
}

// recall sets each flag that was not given to what the project keeps, and says so.
func (f *fitting) recall(cmd *cobra.Command, a *app, h session.Header, project string) error {
	refuse := func(what, mend string, err error) error {
		return &fault.Input{File: project, Problem: what + " cannot be used: " + err.Error(), Mend: mend, Err: err}
	}
	var said []string
	switch {
	case h.Method == "": // just made
	case f.method != "" && f.method != h.Method:
		return &fault.Input{
			File: project, Problem: fmt.Sprintf("the project was begun with --method %s, not %s", h.Method, f.method),
			Mend: "leave out --method, or keep another project with --project, which takes the answers along by --answers and --links",
		}
	case f.method == "":
		if f.method = h.Method; h.Method != "cobra" {
			said = append(said, "--method "+h.Method)
		}
	}
	for _, name := range kept {
		flag := cmd.Flags().Lookup(name)
		value, known := h.Settings[name]
		if flag == nil || flag.Changed || !known {
			continue
		}
		if isFile(name, value) {
			value = resolve(value, project)
		}
		if value == text(flag) {
			continue
		}
		err := flag.Value.Set(value)
		if err == nil {
			_, err = f.each()
		}
		if err != nil {
			return refuse("the project's setting of --"+name, "give the flag yourself", err)
		}
		said = append(said, "--"+name+" "+value)
	}
	if _, err := f.settings(); err != nil {
		return refuse("what the project keeps, with the flags given,", "give the flags as they were when it was begun", err)
	}
	flag := cmd.Flags().Lookup(linksSetting)
	if path := h.Settings[linksSetting]; path != "" && (flag == nil || !flag.Changed) {
		f.links = resolve(path, project)
		said = append(said, "--links "+f.links)
	}
	if len(said) > 0 {
		a.say("settings of %s: %s", project, strings.Join(said, ", "))
	}
	return nil
}

// stored is the path of the data as a project keeps it: from its own folder, so that both can be
// moved together; "" for what is no file here, such as a sample.
func (f *fitting) stored(a *app, data, project string) string {
	path, where, err := a.locate(data)
	if err != nil || where != inFile || path != data {
		return ""
	}
	return relative(data, project)
}

// relative gives a path as seen from the folder of the project, or an absolute one.
func relative(path, project string) string {
	abs, err := filepath.Abs(path)
	if err != nil {
		return path
	}
	folder, err := filepath.Abs(filepath.Dir(project))
	if err != nil {
		return abs
	}
	if rel, err := filepath.Rel(folder, abs); err == nil {
		return filepath.ToSlash(rel)
	}
	return abs
}

// resolve undoes relative.
func resolve(path, project string) string {
	if path = filepath.FromSlash(path); filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(project), path)
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

// dataPath is where the data of a project are: a file seen from the project's folder, or a sample.
func dataPath(h session.Header, project string) (string, error) {
	if h.Path == "" {
		return h.Data, nil
	}
	path := resolve(h.Path, project)
	if _, err := os.Stat(path); err != nil {
		return "", &fault.Input{
			File: project, Problem: "the project was begun with " + h.Data + ", and there is no " + path,
			Mend: "put the data there, or say where they are: kindred ask DATA --project " + project + ", or kindred plot " + project + " --data DATA",
			Err:  err,
		}
	}
	return path, nil
}
