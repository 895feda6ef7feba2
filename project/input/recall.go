package input

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/dburl"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project/store"
)

// remembered reports whether a project remembers a setting of the data or of knowledge: not the
// method, which it has apart, what a single run may use, and how true classes answer.
func remembered(name string) bool {
	switch name {
	case methodSetting, "threads", "inflate-limit", "oracle-errors", "oracle-unknowns":
		return false
	}
	return !OwnersAlone(name)
}

// Remember returns the settings as a project file keeps them, by the names of their flags, paths as
// seen from its folder: all of the data, and the values of parameters that were set.
func (r *Recipe) Remember(project string) map[string]string {
	settings := map[string]string{}
	for _, p := range r.Declared() {
		text, _ := r.Get(p.Name)
		if r.set(p.Name) == nil && text == "" || !remembered(p.Name) {
			continue
		}
		if isFile(p, text) {
			text = relative(text, project)
		}
		settings[p.Name] = text
	}
	if r.Answers.Labels {
		settings[oracleSetting] = "labels"
	}
	return settings
}

// oracleSetting has a value in projects where labels answer and some rows have none: which rows are
// asked about decides what the answers amount to.
const oracleSetting = "oracle"

// Values returns those of remembered settings that are parameters.
func Values(settings map[string]string) map[string]string {
	values := maps.Clone(settings)
	delete(values, oracleSetting)
	return values
}

// firstDefaults are the defaults of flags of the first edition that were neither empty nor zero.
var firstDefaults = map[string]string{"transform": "exp", "contradictions": "refuse"}

// plainSetting has a value in projects since there are other ways to read texts and choose roles.
const plainSetting = "plain"

// ReadingNow is the [store.Header] field Reading of projects begun now; those with a smaller one
// are read as dataset.ReadOptions.Earlier describes if it is 0, scale the columns of an embedding
// and those that cosine compares if it is below 2, have earlierDefaults if it is below 3, make
// vectors of texts by latent semantic analysis and decode large JPEGs whole if it is below 4,
// compare categories that stand beside texts if it is below 5, and scale the columns of a category
// one by one with minmax if it is below 6.
const ReadingNow = readingWeighed

const (
	readingDerived = 3 // earlierDefaults follow from the data
	// texts become vectors by an encoder, and large JPEGs are decoded at a fraction of their size
	readingEncoded = 4
	readingTexts   = 5 // texts are compared before categories
	readingWeighed = 6 // with minmax, too, a category weighs as one number
)

// earlierDefaults are the defaults of parameters that follow from the data in projects begun now.
var earlierDefaults = map[string]string{"d0": "quantile:0.9", "unlabelled-weight": "1"}

// kept returns the settings that a project has, by what they mean: without those that are as they
// would be by default. The first edition kept values of all parameters of methods; those that are
// empty, zero or the default of their flag were not given.
func (r *Recipe) kept(h store.Header) map[string]string {
	settings := map[string]string{}
	begun := len(h.Settings) > 0
	if _, known := h.Settings[plainSetting]; !known && begun {
		settings[plainSetting] = "true" // begun when there was no other way
	}
	if m, err := Find(h.Method); err == nil && begun && h.Reading < readingDerived {
		for _, p := range m.Params() {
			if text, changed := earlierDefaults[p.Name]; changed {
				settings[p.Name] = text
			}
		}
	}
	if begun && h.Reading < readingEncoded && h.Settings["text"] != "" &&
		h.Settings["embedding"] == "" {
		settings["encoder"] = encode.LSA
	}
	for name, text := range h.Settings {
		if name == oracleSetting {
			settings[name] = text
		}
		zero := text == "" || text == "0" || text == "false"
		if set := r.set(name); set != nil {
			p, _ := set.Lookup(name)
			switch p.Kind {
			case param.Int, param.Float, param.Bool:
			default:
				zero = text == "" // a column may be called 0
			}
			if remembered(name) && !zero && text != p.Default {
				settings[name] = text
			}
			continue
		}
		p := r.parameter(name)
		if p == nil || text == "" || !h.Given && (zero || text == firstDefaults[name]) {
			continue
		}
		settings[name] = text
	}
	return settings
}

// Change is a setting that is not as a project has it.
type Change struct {
	Name, Was, Is string // "": the default
}

// Changes returns the settings that are not as a project has them, by name.
func (r *Recipe) Changes(h store.Header, project string) []Change {
	was := r.kept(h)
	is := r.kept(store.Header{Settings: r.Remember(project), Given: true, Reading: ReadingNow})
	var changes []Change
	for _, name := range slices.Sorted(maps.Keys(is)) {
		if was[name] != is[name] {
			changes = append(changes, Change{name, was[name], is[name]})
		}
	}
	for _, name := range slices.Sorted(maps.Keys(was)) {
		if _, still := is[name]; !still {
			changes = append(changes, Change{name, was[name], ""})
		}
	}
	return changes
}

// Recall sets each setting that was not given to what a project keeps, and returns which, as flags.
// Settings that cannot be used are a [*fault.Input], as a flag is that names another method than
// the project's.
func (r *Recipe) Recall(h store.Header, project string) (flags []string, err error) {
	refuse := func(what, fix string, err error) error {
		return &fault.Input{File: project, Problem: what + " cannot be used: " + err.Error(),
			Fix: fix, Err: err}
	}
	r.spell()
	begun := len(h.Settings) > 0
	r.apart = begun && h.Reading < readingEncoded
	r.usualEncoder = r.apart && !r.Given("encoder")
	r.earlier, r.scaled = begun && h.Reading < 1, begun && h.Reading < 2
	r.exact = begun && h.Reading < readingEncoded
	r.categories = begun && h.Reading < readingTexts
	r.sharp = begun && h.Reading < readingWeighed
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
		if r.MethodName, r.chosen = h.Method, false; h.Method != usualMethod {
			flags = append(flags, "--method "+h.Method)
		}
	}
	kept := r.kept(h)
	r.Answers.Labels = r.Answers.Labels || kept[oracleSetting] != ""
	for _, p := range r.order() {
		value, known := kept[p.Name]
		if !known || r.Given(p.Name) {
			continue
		}
		if isFile(p, value) {
			value = resolve(value, project)
		}
		if err := r.put(p.Name, value); err != nil {
			return nil, refuse("the project's setting of --"+p.Name, "give the flag yourself", err)
		}
		r.recalled[p.Name] = true
		if _, there := h.Settings[p.Name]; !there {
			continue // nobody chose it
		}
		flags = append(flags, "--"+p.Name+" "+value)
	}
	if err := r.Check(); err != nil {
		return nil, refuse("what the project keeps, with the flags given,",
			"give the flags as they were when it was begun", err)
	}
	return flags, nil
}

// order returns all declarations as people read them: the data, the parameters of the method in its
// own order, others, and links last.
func (r *Recipe) order() []param.Param {
	out := r.data.Params()
	if m, err := Find(r.MethodName); err == nil {
		out = append(out, m.Params()...)
	}
	for _, p := range append(r.methodParams(), r.knowledge.Params()...) {
		if !slices.ContainsFunc(out, func(q param.Param) bool { return q.Name == p.Name }) {
			out = append(out, p)
		}
	}
	return out
}

// Stored is the path of data as a project keeps it: from its own folder, so that both can be moved
// together; "" for what is no file or folder here, such as a sample.
func Stored(data, project string, place Place) string {
	path, where, err := place.Locate(data)
	if err != nil || where != InFile && where != InFolder && where != InParts &&
		where != InTexts || path != data {
		return ""
	}
	if place.Root != nil {
		data = filepath.Join(place.Root.Name(), filepath.FromSlash(data))
	}
	return relative(data, project)
}

// DataOf is where the data of a project are: a file or folder seen from the project's folder, or a
// sample. With a root it is named from there, and what lies outside is a [*fault.Input], as what is
// missing is. So is a database on another machine: whoever opens the project names it again.
func DataOf(h store.Header, project string, place Place) (string, error) {
	if h.Path == "" {
		if dburl.Is(h.Data) && !dburl.Local(h.Data) && place.Root == nil {
			return "", &fault.Input{
				File: project, Problem: "the project was begun with the database " +
					words.Short(dburl.Bare(h.Data)) + ", and to open it would connect there with " +
					"your password",
				Fix: "name the address again, if you trust it: kindred ask URL --project " +
					words.Shell(project) + ", or kindred plot " + words.Shell(project) +
					" --data URL",
			}
		}
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
				"the project was begun with %s, which is not to be had in the folder that is "+
					"served", h.Data),
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
