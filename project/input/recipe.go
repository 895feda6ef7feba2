package input

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/data/encode/endpoint"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/cli"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
)

// Recipe is how DATA are read, prepared, compared and fitted. It holds the settings of the data
// and of what is known before in its fields, and the values of parameters of methods by name, as
// text. [New] makes one.
type Recipe struct {
	Source
	MethodName string // as in --method; "": chosen by the data
	Links      string // file of links known before; "": none
	Labelled   Labelled
	Answers    Answers

	data, how, knowledge *param.Set        // bound to the fields above
	methods              []all.Param       // the parameters that there are
	params               map[string]string // values of them that were set; "": the default is meant
	usual                map[string]bool   // settings of which the default is meant
	recalled             map[string]bool   // settings that a project had, and nobody gave

	chosen   bool // MethodName was chosen here, and not given
	switches bool // a project may go on under MethodName, whatever it was begun with
	settled  bool // the texts were looked at
	long     bool // and are
	found    bool // their column was found, and not given
}

// Labelled are the rows whose class is known before, of those that the column of true classes has a
// class of: so many of each class, or a share of it. At most one of them is above 0.
type Labelled struct {
	PerClass int
	Share    float64
}

// Given reports whether any class is known before.
func (l Labelled) Given() bool { return l.PerClass > 0 || l.Share > 0 }

// Answers is how true classes answer questions.
type Answers struct {
	// Labels means that they do, and no person: rows without a class are not asked about.
	Labels           bool
	Errors, Unknowns float64 // shares of wrong answers, and of "don't know"
}

// Oracle returns what answers from the true classes, mistaken by a seed.
func (a Answers) Oracle(classes []int32, seed uint64) (ask.Oracle, error) {
	return ask.Noisy(ask.Labels(classes), a.Errors, a.Unknowns, seed)
}

// New returns the recipe of which no setting is given.
func New() *Recipe {
	r := &Recipe{data: &param.Set{}, how: &param.Set{}, knowledge: &param.Set{},
		methods: all.Params(), params: map[string]string{}, usual: map[string]bool{},
		recalled: map[string]bool{}}
	r.declareReading(r.data)
	r.declarePreparing(r.data)
	r.declareComparing(r.data)
	r.how.String(&r.MethodName, param.Param{Name: methodSetting, Help: "see kindred methods",
		Auto: "kin; cobra with --super-instances; evclus for a matrix, series, short texts and " +
			"with a --metric other than cosine"})
	r.knowledge.File(&r.Links, param.Param{Name: linksSetting,
		Help: "CSV of known pairs: a,b (ids of rows), link (same, different, unknown)"})
	r.knowledge.Int(&r.Labelled.PerClass, param.Param{Name: perClassSetting, Default: "0",
		Help: "rows drawn of each class: known classes, or links among them"})
	r.knowledge.Float(&r.Labelled.Share, param.Param{Name: shareSetting, Max: 1, Default: "0",
		Example: "0.1", Help: "the same as a share of each class; 1: all that the column has"})
	r.knowledge.Float(&r.Answers.Errors, param.Param{Name: "oracle-errors", Max: 1, Default: "0",
		Example: "0.1", Help: "share of the answers of --oracle labels that are wrong"})
	r.knowledge.Float(&r.Answers.Unknowns, param.Param{Name: "oracle-unknowns", Max: 1,
		Default: "0", Example: "0.1",
		Help: "share of the answers of --oracle labels that are unknown"})
	return r
}

// Names of settings that are not of data or methods.
const (
	methodSetting   = "method"
	linksSetting    = "links"
	perClassSetting = "labelled-per-class"
	shareSetting    = "labelled-share"
)

// Flags adds a flag for each setting to fs; what is given there the recipe knows to be given.
// Parameters of methods are hidden in help, but those that have a short form.
func (r *Recipe) Flags(fs *pflag.FlagSet) {
	add := func(group string, p param.Param) *pflag.Flag {
		set := func(text string) error { return r.put(p.Name, text) }
		if p.Name != allowRemote {
			return cli.Flag(fs, group, p, set)
		}
		short, long := p, p
		long.Name += "-encoder" // that means the same with every command
		of := cli.Flag(fs, group, long, set)
		if fs.Lookup(short.Name) == nil { // else it lets others reach a server
			of.Hidden = true
			return cli.Flag(fs, group, short, set)
		}
		return of
	}
	for _, s := range []struct {
		group string
		set   *param.Set
	}{{DataGroup, r.data}, {MethodGroup, r.how}, {KnowledgeGroup, r.knowledge}} {
		for _, p := range s.set.Params() {
			add(s.group, p)
		}
	}
	for _, p := range r.methods {
		f := add(MethodGroup, p.Param)
		if f.Hidden, f.Usage = p.Short == "", p.Help; f.Hidden {
			var takers []string
			for _, m := range p.Methods {
				takers = append(takers, m.Name)
			}
			cli.Takers(f, takers)
		}
		if p.Span {
			f.Usage += "; of some methods a range to choose from, as in 2..8"
		}
	}
}

// Declared returns the declarations of the settings of data and knowledge, and then those of the
// parameters of methods by name.
func (r *Recipe) Declared() []param.Param { return append(r.General(), r.methodParams()...) }

// General returns the declarations of the settings of data, the method and knowledge.
func (r *Recipe) General() []param.Param {
	return slices.Concat(r.data.Params(), r.how.Params(), r.knowledge.Params())
}

func (r *Recipe) methodParams() []param.Param {
	out := make([]param.Param, len(r.methods))
	for i, p := range r.methods {
		out[i] = p.Param
	}
	return out
}

// set returns the set that declares a setting; nil for that of a method, and where there is none.
func (r *Recipe) set(name string) *param.Set {
	for _, set := range []*param.Set{r.data, r.how, r.knowledge} {
		if _, ok := set.Lookup(name); ok {
			return set
		}
	}
	return nil
}

// parameter returns the declarations of a parameter of methods; nil where there is none.
func (r *Recipe) parameter(name string) *all.Param {
	at := slices.IndexFunc(r.methods, func(p all.Param) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	return &r.methods[at]
}

// Copy returns another recipe of the settings that were given.
func (r *Recipe) Copy() *Recipe {
	c := New()
	for _, p := range r.Declared() {
		if r.Given(p.Name) {
			text, _ := r.Get(p.Name)
			if r.usual[p.Name] {
				text = ""
			}
			c.put(p.Name, text) // which it was set to
		}
	}
	c.switches = r.switches
	return c
}

// put sets a setting to a value; "" is the default. A name or value that is none is a
// [fault.Setting].
func (r *Recipe) put(name, text string) error {
	set, p := r.set(name), r.parameter(name)
	var err error
	switch {
	case set == nil && p == nil:
		var names []string
		for _, p := range r.Declared() {
			names = append(names, p.Name)
		}
		meant := ""
		if near, ok := words.Nearest(name, names); ok {
			meant = fmt.Sprintf("; did you mean %q?", near)
		}
		return fault.Settingf("there is no setting %q%s", name, meant)
	case set == nil && text != "":
		err = p.Check(text, r.MethodName)
	case set == nil:
	case text == "":
		set.Reset(name)
	default:
		err = set.Set(name, text)
	}
	if err != nil {
		return err
	}
	if set == nil {
		r.params[name] = text
	}
	r.usual[name] = text == ""
	delete(r.recalled, name)
	return nil
}

// Set sets what the flag of that name sets, as if it was given: a list is one line of CSV. "", and
// a 0 that the setting cannot have, is the default. A name or value that is none is a
// [fault.Setting]. A method that is set, unlike one of a flag, is taken by [Recipe.Recall]
// over that of a project.
func (r *Recipe) Set(name, value string) error {
	err := r.put(name, value)
	if err != nil && value == "0" {
		if r.put(name, "") == nil {
			err = nil
		}
	}
	if err == nil && name == methodSetting {
		r.chosen, r.switches = false, true
	}
	return err
}

// Get returns a setting in the form that Set takes, or its default; ok is false where there is no
// such setting. The default of a parameter of methods is "", as each may have its own.
func (r *Recipe) Get(name string) (value string, ok bool) {
	if set := r.set(name); set != nil {
		return set.Value(name), true
	}
	return r.params[name], r.parameter(name) != nil
}

// Given reports whether a setting was given, and not recalled from a project.
func (r *Recipe) Given(name string) bool {
	if r.recalled[name] {
		return false
	}
	if set := r.set(name); set != nil {
		return set.Given(name) || r.usual[name]
	}
	_, given := r.params[name]
	return given
}

// Seed returns the seed of what is drawn at random outside the methods, too.
func (r *Recipe) Seed() uint64 {
	seed, _ := strconv.ParseUint(r.params["seed"], 10, 64) // which was checked
	return seed
}

// spell sets the method to its own name, where it was given in other letters, as DBSCAN.
func (r *Recipe) spell() {
	if m, err := all.Find(r.MethodName); err == nil {
		r.MethodName = m.Name
	}
}

// Check checks the settings that do not depend on the method. Errors are a [fault.Setting].
func (r *Recipe) Check() error {
	r.spell()
	if _, err := r.Preparation(false); err != nil {
		return err
	}
	if sum := r.Answers.Errors + r.Answers.Unknowns; sum > 1 {
		return fault.Settingf(
			"--oracle-errors and --oracle-unknowns add up to %g: give at most 1 together", sum)
	}
	switch {
	case r.Labelled.PerClass > 0 && r.Labelled.Share > 0:
		return fault.Setting("--labelled-per-class and --labelled-share both say which rows are " +
			"labelled: give one of them")
	case r.Labelled.Given() && r.Label == "" && r.Labels == "":
		return fault.Setting("the column of true classes is needed: name it with --label")
	}
	if err := r.CheckTexts(); err != nil {
		return err
	}
	_, err := r.Compared()
	return err
}

// Configure configures a method by the values that were set of its parameters, and checks that it
// suits the other settings. Errors are a [fault.Setting].
func (r *Recipe) Configure(m method.Method) (*method.Configured, error) {
	values := map[string]string{}
	for name, text := range r.params {
		if text != "" && m.Takes(name) {
			values[name] = text
		}
	}
	c, err := m.With(values)
	if err != nil {
		return nil, err
	}
	switch {
	case r.strict() && !m.Dissimilarity:
		err = fault.Settingf("%s takes rows of features only: give --method evclus, or another "+
			"that takes dissimilarities (kindred methods), for a matrix or series", m.Name)
	case r.Text != "" && r.Embedding == "" && !r.Vectors(m) && !m.Dissimilarity:
		err = fault.Settingf("--metric %s makes no vectors, and %s takes nothing else: give "+
			"--method evclus, or another that takes dissimilarities (kindred methods), or leave "+
			"out --metric", r.Metric, m.Name)
	case r.cosine() && !m.Dissimilarity && !m.Cosine:
		err = fault.Settingf("--metric cosine: %s does not go by angles between rows; give "+
			"--method kmeans or another that does, or leave out --metric", m.Name)
	case m.NeedsClusters && r.params["clusters"] == "" && r.chosen:
		err = fault.Settingf("%s needs the number of clusters: give it with -k, or another method "+
			"with --method (%s is the default where dissimilarities are compared)", m.Name, m.Name)
	case m.NeedsClusters && r.params["clusters"] == "":
		err = fault.Settingf("%s needs the number of clusters: give it with -k", m.Name)
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

// ByDissimilarity reports whether the data, where no method is given, call for one that takes
// dissimilarities: a matrix, series, short texts, or what is compared by a metric, unless it is rows
// of numbers by cosine, which methods of vectors take.
func (r *Recipe) ByDissimilarity() bool {
	texts := r.Text != "" && r.Embedding == ""
	return r.strict() || r.Metric != "" && (texts || !r.cosine()) ||
		texts && !r.long && !r.encoderGiven() && !r.mixed()
}

// Choose sets the method where none is given; a look at the data may change it.
func (r *Recipe) Choose(name string) {
	r.MethodName, r.chosen = name, true
}

// Chosen reports whether the method was set by [Recipe.Choose], and not given.
func (r *Recipe) Chosen() bool { return r.chosen }

// usualMethod is the method that learns about vectors where none is given: its groups are right
// after fewer answers than those of cobra and cobras, and cobra leaves super-instances that nobody
// compared groups of their own.
const usualMethod = "kin"

// ChooseLearning sets the method that learns from links and answers where none is given: kin; or
// cobra where a number of super-instances is given, or where questions have to end; or pckmeans
// where a range of numbers of clusters is; or evclus where [Recipe.ByDissimilarity] is true.
func (r *Recipe) ChooseLearning(ends bool) {
	switch {
	case r.ByDissimilarity():
		r.Choose("evclus")
	case ends || r.params["super-instances"] != "":
		r.Choose("cobra")
	case strings.Contains(r.params["clusters"], ".."):
		r.Choose("pckmeans")
	default:
		r.Choose(usualMethod)
	}
}

// Asking returns the method that asks, configured. Where none is given it is that of
// [Recipe.ChooseLearning]; as long as texts decide that and were not looked at, it is nil. Errors
// are a [fault.Setting].
func (r *Recipe) Asking() (*method.Configured, error) {
	if err := r.Check(); err != nil || r.Undecided() {
		return nil, err
	}
	if r.MethodName == "" {
		r.ChooseLearning(false)
	}
	m, err := Find(r.MethodName)
	if err != nil {
		return nil, err
	}
	if !m.Asks() {
		return nil, fault.Settingf(
			"%s asks no questions: give --method kin, evclus or another that learns from links "+
				"(kindred methods)", m.Name)
	}
	c, err := r.Configure(m)
	if err == nil {
		err = c.Askable()
	}
	return c, err
}

// Find returns the method of a name, as in --method. The error is a [fault.Setting].
func Find(name string) (method.Method, error) {
	m, err := all.Find(name)
	if err != nil {
		return m, fault.Setting("--method: " + err.Error())
	}
	return m, nil
}

// Defaults lists the parameters that have a default which matters, as in "starts 1, epochs 100";
// given, unless nil, reports those that were given.
func Defaults(params []param.Param, given func(name string) bool) string {
	var all []string
	for _, p := range params {
		switch {
		case given != nil && given(p.Name), p.Kind == param.Bool, p.Default == "0",
			p.Default == "" && (!p.Basic && p.Name != "starts" ||
				strings.HasPrefix(p.Auto, "none")),
			slices.Contains([]string{"contradictions", "max-iterations", "model-rows", "strategy",
				"tolerance"}, p.Name):
			continue
		case p.Default == "":
			all = append(all, p.Name+" "+p.Auto)
		default:
			all = append(all, p.Name+" "+p.Default)
		}
	}
	if all == nil {
		return "nothing to choose"
	}
	return strings.Join(all, ", ")
}

// isFile reports whether a value names a file.
func isFile(p param.Param, value string) bool {
	return p.Kind == param.File && value != "" && !slices.Contains(p.Choices, value) &&
		!endpoint.Is(value)
}

// Files names the files that the settings do: links, true classes, vectors, pictures, focal sets.
func (r *Recipe) Files() []string {
	var files []string
	for _, p := range r.Declared() {
		if text, _ := r.Get(p.Name); isFile(p, text) {
			files = append(files, text)
		}
	}
	return files
}

// Foreign returns the first parameter that was given and is not of the method, and the methods that
// take it; "" where there is none.
func (r *Recipe) Foreign(m method.Method) (name string, methods []string) {
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		if !r.Given(name) || m.Takes(name) {
			continue
		}
		for _, p := range all.Params() {
			for _, takes := range p.Methods {
				if p.Name == name {
					methods = append(methods, takes.Name)
				}
			}
		}
		return name, methods
	}
	return "", nil
}

// Useless names the parameters that were given and mean nothing to the method.
func (r *Recipe) Useless(c *method.Configured) []string {
	var notes []string
	useless := func(name string) {
		notes = append(notes, "--"+name+" means nothing to "+c.Name)
	}
	if !c.Dissimilarity {
		for _, name := range []string{"metric", "band", "edit-cost"} {
			if r.Given(name) && !(name == "metric" && c.Cosine && r.cosine()) {
				useless(name)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(r.params)) {
		if r.Given(name) && !c.Takes(name) {
			useless(name)
		}
	}
	if r.Links != "" && !c.Learns() {
		notes = append(notes, r.OnlyChecked(c))
	}
	return notes
}

// OnlyChecked returns the note on links for a method that learns nothing from them: how many it
// violates is counted, and other methods heed them.
func (r *Recipe) OnlyChecked(c *method.Configured) string {
	var names []string
	for _, m := range all.List() {
		if m.Links && (m.Dissimilarity || !r.strict()) {
			names = append(names, m.Name)
		}
	}
	return fmt.Sprintf("%s learns nothing from links: they are only checked; %s learn from them "+
		"(kindred methods)", c.Name, words.UpTo(names, 6))
}
