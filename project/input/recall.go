package input

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// kept are the flags that decide what is asked; a project remembers them, and the method besides.
var kept = []string{
	"id", "label", "features", "drop", "format", "scale", "duplicates", "missing",
	"dissimilarity", "labels", "pictures", "metric", "text", "series", "images", "embedding",
	"dimensions", "band", "edit-cost",
	"clusters", "partners", "d0", "tail", "transform", "focal", "pairs", "xi", "constraints",
	"tolerance",
	"super-instances", "starts", "max-iterations", "seed", "contradictions",
	"eps", "min-points", "new-clusters", "neighbours", "bandwidth", "eigenvectors", "graph",
	"fuzziness", "set-penalty", "noise-distance",
	"link-weight", "cluster-metric", "shared-metric", "linkage", "cut", "likelihood", "smoothing",
	"unlabelled-weight", "quantile", "error-rate",
	"strategy",
}

// linksSetting is where a project keeps the path of the links known before.
const linksSetting = "links"

// Remember returns the settings as a project file keeps them, by the names of their flags, paths as
// seen from its folder.
func (r *Recipe) Remember(project string) map[string]string {
	settings := map[string]string{}
	for _, name := range kept {
		settings[name] = text(r.set.Lookup(name))
		if isFile(name, settings[name]) {
			settings[name] = relative(settings[name], project)
		}
	}
	settings[linksSetting] = ""
	if r.Links != "" {
		settings[linksSetting] = relative(r.Links, project)
	}
	return settings
}

// Default returns the value that a setting has when nothing is said; "" where there is no such
// setting.
func (r *Recipe) Default(name string) string {
	if flag := r.set.Lookup(name); flag != nil {
		return flag.DefValue
	}
	return ""
}

// isFile reports whether the value of a kept flag names a file.
func isFile(name, value string) bool {
	switch name {
	case "labels", "embedding", "pictures":
		return value != ""
	case "focal":
		return setsFile(value) != ""
	}
	return false
}

// Recall sets each setting that was not given to what a project keeps, and tells which, as flags.
// Settings that cannot be used are a [*fault.Input], as a flag is that gives another method than
// the project's.
func (r *Recipe) Recall(h store.Header, project string) (said []string, err error) {
	refuse := func(what, fix string, err error) error {
		return &fault.Input{File: project, Problem: what + " cannot be used: " + err.Error(),
			Fix: fix, Err: err}
	}
	switch {
	case h.Method == "": // just made
	case r.switches && r.MethodName != "":
	case r.MethodName != "" && !r.chosen && r.MethodName != h.Method:
		return nil, &fault.Input{
			File: project, Problem: fmt.Sprintf("the project was begun with --method %s, not %s",
				h.Method, r.MethodName),
			Fix: "leave out --method, or keep another project with --project, which takes the " +
				"answers along by --answers and --links",
		}
	case r.MethodName == "" || r.chosen:
		if r.MethodName, r.chosen = h.Method, false; h.Method != usual {
			said = append(said, "--method "+h.Method)
		}
	}
	for _, name := range kept {
		flag := r.set.Lookup(name)
		value, known := h.Settings[name]
		if flag.Changed || !known {
			continue
		}
		if isFile(name, value) {
			value = resolve(value, project)
		}
		if value == text(flag) {
			continue
		}
		err := assign(flag, value)
		if err == nil {
			_, err = r.Each()
		}
		if err != nil {
			return nil, refuse("the project's setting of --"+name, "give the flag yourself", err)
		}
		said = append(said, "--"+name+" "+value)
	}
	if _, err := r.All(); err != nil {
		return nil, refuse("what the project keeps, with the flags given,",
			"give the flags as they were when it was begun", err)
	}
	if path := h.Settings[linksSetting]; path != "" && !r.set.Changed(linksSetting) {
		r.Links = resolve(path, project)
		said = append(said, "--links "+r.Links)
	}
	return said, nil
}

// Stored is the path of data as a project keeps it: from its own folder, so that both can be moved
// together; "" for what is no file or folder here, such as a sample.
func Stored(data, project string, place Place) string {
	path, where, err := place.Locate(data)
	if err != nil || where != InFile && where != InFolder && where != InParts || path != data {
		return ""
	}
	if place.Root != nil {
		data = filepath.Join(place.Root.Name(), filepath.FromSlash(data))
	}
	return relative(data, project)
}

// DataOf is where the data of a project are: a file or folder seen from the project's folder, or a
// sample. With a root it is named from there, and what lies outside is a [*fault.Input], as what is
// missing is.
func DataOf(h store.Header, project string, place Place) (string, error) {
	if h.Path == "" {
		return h.Data, nil
	}
	path := resolve(h.Path, project)
	_, err := os.Stat(path)
	if err == nil && place.Root != nil {
		if path, err = filepath.Rel(place.Root.Name(), path); err == nil {
			path = filepath.ToSlash(path)
			_, err = place.stat(path)
		}
	}
	if err != nil && place.Root != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", &fault.Input{
			File: project, Problem: fmt.Sprintf(
				"the project was begun with %s, which is not to be had in the folder that is served", h.Data),
			Fix: "put the data there, or open the project by its name: kindred ask " + project,
			Err: err,
		}
	}
	if err != nil {
		return "", &fault.Input{
			File: project, Problem: "the project was begun with " + h.Data + ", and there is no " +
				path,
			Fix: "put the data there, or say where they are: kindred ask DATA --project " +
				project + ", or kindred plot " + project + " --data DATA",
			Err: err,
		}
	}
	return path, nil
}

// relative returns a path as seen from the folder of the project, or an absolute one.
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

// assign undoes text; what a list held before is forgotten.
func assign(f *pflag.Flag, value string) error {
	list, ok := f.Value.(pflag.SliceValue)
	if !ok {
		return f.Value.Set(value)
	}
	if value == "" {
		return list.Replace(nil)
	}
	names, err := csv.NewReader(strings.NewReader(value)).Read()
	if err != nil {
		return err
	}
	return list.Replace(names)
}
