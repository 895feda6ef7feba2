package input

import (
	"math"
	"strings"

	"github.com/spf13/pflag"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Recipe reports how DATA are read, prepared, compared and fitted. Its fields are what the flags of
// the command set; [New] makes one.
type Recipe struct {
	Source
	Fit        Fit
	Evidential Evidential
	Tuning     Tuning
	Asking     Asking
	MethodName string // as in --method; "": chosen by the data
	Clusters   string // a number, or a range as in 2..8
	Links      string // file of links known before; "": none

	set      *pflag.FlagSet
	chosen   bool // MethodName was chosen here, and not given
	switches bool // a project may go on under MethodName, whatever it was begun with
	settled  bool // the texts were looked at
	long     bool // and are
	found    bool // their column was found, and not given
}

// Fit are the parameters that an asking session shares with a single fit, as their flags set them.
type Fit struct {
	SuperInstances, Starts, MaxIterations int
	Tolerance                             float64
	Seed                                  uint64
	Contradictions                        string
}

// New returns the recipe of which nothing was said.
func New() *Recipe {
	r := &Recipe{set: pflag.NewFlagSet("", pflag.ContinueOnError)}
	r.set.SortFlags = false
	r.Source.Flags(r.set)
	r.Source.CompareFlags(r.set)
	r.Fit.flags(r.set)
	r.Evidential.flags(r.set)
	r.Tuning.flags(r.set)
	r.Asking.flags(r.set)
	r.set.StringVarP(&r.Clusters, "clusters", "k", "",
		"number of clusters, where the method needs it; a fit by an evidential method also takes "+
			"a range to choose from, as in 2..8")
	r.set.StringVar(&r.MethodName, "method", "", "kin, cobras, cobra, evclus, kevclus or another "+
		"that learns from links, see kindred methods (default: kin; cobra with "+
		"--super-instances; evclus for a matrix, series and short texts, and with --metric)")
	r.set.StringVar(&r.Links, linksSetting, "",
		"file of links known before: a,b,link with same, different or unknown")
	return r
}

// Flags adds a flag for each setting to fs; what is given there the recipe knows to be given.
func (r *Recipe) Flags(fs *pflag.FlagSet) { fs.AddFlagSet(r.set) }

// Copy returns another recipe of the settings that were given.
func (r *Recipe) Copy() *Recipe {
	c := New()
	r.set.VisitAll(func(f *pflag.Flag) {
		if f.Changed {
			c.Set(f.Name, text(f)) // which it was set to
		}
	})
	c.switches = r.switches
	return c
}

// Set sets what the flag of that name sets, as if it was given: a list is one line of CSV. A name
// or value that is none is a [fault.Setting]. A method that is set, unlike one that a flag gives,
// is taken by [Recipe.Recall] over that of a project.
func (r *Recipe) Set(name, value string) error {
	flag := r.set.Lookup(name)
	if flag == nil {
		return fault.Settingf("there is no setting %q", name)
	}
	before, given := text(flag), flag.Changed
	if err := assign(flag, value); err != nil {
		return fault.Settingf("--%s: %v", name, err)
	}
	flag.Changed = true
	if _, err := r.Each(); err != nil {
		flag.Changed = given
		assign(flag, before) // which it was
		return err
	}
	if name == "method" {
		r.chosen, r.switches = false, true
	}
	return nil
}

// Get returns a setting in the form that Set takes; ok is false where there is no such setting.
func (r *Recipe) Get(name string) (value string, ok bool) {
	flag := r.set.Lookup(name)
	if flag == nil {
		return "", false
	}
	return text(flag), true
}

func (f *Fit) flags(fs *pflag.FlagSet) {
	fs.IntVar(&f.SuperInstances, "super-instances", 0,
		"small groups that cobra (default 50) and kin (default 300) ask about; 0: the default")
	fs.IntVar(&f.Starts, "starts", 0,
		"starts, of which the best is kept (default: by the method, mostly 1)")
	fs.IntVar(&f.MaxIterations, "max-iterations", 0, "k-means iterations a start (default 300; "+
		"lcvqe 100; for super-instances of over 100 000 rows 10); sweeps of an evidential method "+
		"(default 1000)")
	fs.Uint64Var(&f.Seed, "seed", 0, "seed of all that is drawn at random")
	fs.Float64Var(&f.Tolerance, "tolerance", 0, "k-means stops when the centres move less "+
		"(default 1e-4 of the mean variance), an evidential method when the stress changes less "+
		"(default 1e-5 of it)")
	fs.StringVar(&f.Contradictions, "contradictions", "refuse",
		"links that contradict each other: refuse or keep")
}

// mostThreads bounds what a client may ask of the machine.
const mostThreads = 4096

// settings checks the flags and turns them into a method's settings.
func (f *Fit) settings(threads int) (method.Settings, error) {
	s := method.Settings{
		SuperInstances: f.SuperInstances, Starts: f.Starts, MaxIterations: f.MaxIterations,
		Tolerance: f.Tolerance, Seed: f.Seed, Threads: threads,
	}
	for _, c := range []struct {
		flag         string
		value, least int
	}{{"super-instances", f.SuperInstances, 0}, {"starts", f.Starts, 0},
		{"max-iterations", f.MaxIterations, 0}, {"threads", threads, 0}} {
		if c.value < c.least {
			return s, fault.Settingf("--%s is %d: give %d or more", c.flag, c.value, c.least)
		}
	}
	if threads > mostThreads {
		return s, fault.Settingf("--threads is %d: give at most %d, or 0 for one a processor",
			threads, mostThreads)
	}
	if math.IsNaN(f.Tolerance) || math.IsInf(f.Tolerance, 0) {
		return s, fault.Settingf("--tolerance is %g: give a number, such as 1e-4", f.Tolerance)
	}
	switch f.Contradictions {
	case "refuse":
		s.Contradictions = link.Refuse
	case "keep":
		s.Contradictions = link.Keep
	default:
		return s, fault.Settingf("--contradictions is %q: give refuse or keep", f.Contradictions)
	}
	return s, nil
}

// Each checks what can be told of a setting without the others, and gives those of the fit. Errors
// are a [fault.Setting].
func (r *Recipe) Each() (s method.Settings, err error) {
	if _, err := r.Preparation(false); err != nil {
		return s, err
	}
	if s, err = r.Fit.settings(r.Threads); err != nil {
		return s, err
	}
	if s.Evidential, err = r.Evidential.settings(); err != nil {
		return s, err
	}
	if s.Tuning, err = r.Tuning.settings(); err != nil {
		return s, err
	}
	if s.Asking, err = r.Asking.settings(r.Fit.Seed); err != nil {
		return s, err
	}
	s.Clusters, s.Evidential.MostClusters, err = parseClusters(r.Clusters)
	return s, err
}

// All checks the settings that do not depend on the method, and gives those of the fit. Errors are
// a [fault.Setting].
func (r *Recipe) All() (method.Settings, error) {
	s, err := r.Each()
	if err == nil {
		_, err = r.Compared()
	}
	return s, err
}

// Suits reports whether a method can do with the settings.
func (r *Recipe) Suits(m method.Method, s method.Settings) error {
	switch {
	case r.strict() && !m.Dissimilarity:
		return fault.Settingf("%s takes rows of features only: give --method evclus, or another "+
			"that takes dissimilarities (kindred methods), for a matrix or series", m.Name)
	case r.Text != "" && r.Embedding == "" && !r.Vectors(m) && !m.Dissimilarity:
		return fault.Settingf("--metric %s gives no vectors, and %s takes nothing else: give "+
			"--method evclus, or another that takes dissimilarities (kindred methods), or leave "+
			"out --metric", r.Metric, m.Name)
	case s.Evidential.MostClusters > s.Clusters && !m.Evidential:
		return fault.Settingf("--clusters is %s: %s takes one number", r.Clusters, m.Name)
	case m.NeedsClusters && s.Clusters == 0:
		return fault.Settingf("%s needs the number of clusters: give it with -k", m.Name)
	}
	return r.limits(m, s)
}

// Askable reports whether a method can ask under the settings.
func (r *Recipe) Askable(m method.Method, s method.Settings) error {
	switch {
	case m.Begin == nil || !m.Evidential || m.Strategic():
		return nil
	case s.Evidential.MostClusters > s.Clusters:
		return fault.Settingf("--clusters is %s: questions are about one number of clusters; "+
			"find it first with kindred cluster", r.Clusters)
	case s.Evidential.Landmarks > 0:
		return fault.Setting("--landmarks leaves rows out of the fit, and questions need all of " +
			"them; kevclus with few --partners is quick")
	case m.Sammon(s), r.Evidential.Optimizer == "gradient":
		return fault.Setting(
			"questions need fits by row: leave out --stress sammon and --optimizer gradient")
	}
	return nil
}

// ByDissimilarity reports whether the data, where no method is given, call for one that takes
// dissimilarities: a matrix, series, short texts, or rows that are compared by a metric.
func (r *Recipe) ByDissimilarity() bool {
	return r.strict() || r.Metric != "" || r.Text != "" && r.Embedding == "" && !r.long
}

// Choose sets the method where none is given; a look at the data may change it.
func (r *Recipe) Choose(name string) {
	r.MethodName, r.chosen = name, true
}

// usual is the method that asks about vectors where none is given: its groups are right after fewer
// answers than those of cobra and cobras.
const usual = "kin"

// Settings returns the method that asks and its settings. Where none is given it is kin, or cobra
// where a number of super-instances is given, or evclus as [Recipe.ByDissimilarity] says; as long
// as texts decide that and were not looked at, it is a Method without a name. Errors are a
// [fault.Setting].
func (r *Recipe) Settings() (method.Method, method.Settings, error) {
	s, err := r.All()
	if err != nil {
		return method.Method{}, s, err
	}
	if r.Undecided() {
		return method.Method{}, s, nil
	}
	if r.MethodName == "" {
		switch {
		case r.ByDissimilarity():
			r.Choose("evclus")
		case r.Fit.SuperInstances > 0:
			r.Choose("cobra")
		default:
			r.Choose(usual)
		}
	}
	m, err := method.Find(r.MethodName)
	switch {
	case err != nil:
		return m, s, fault.Setting("--method: " + err.Error())
	case m.Begin == nil:
		return m, s, fault.Settingf(
			"%s asks no questions: give --method kin, evclus or another that learns from links "+
				"(kindred methods)", m.Name)
	}
	if err := r.Suits(m, s); err != nil {
		return m, s, err
	}
	return m, s, r.Askable(m, s)
}

// Defaults says what a method does unless the settings say otherwise, without what they do say of
// d0.
func (r *Recipe) Defaults(m method.Method) string {
	if r.Evidential.D0 == "" && r.Evidential.Transform != "rank" {
		return m.Default
	}
	return strings.Replace(m.Default, ", d0 at the 0.9 quantile", "", 1)
}

// Files names the files that the settings do: links, true classes, vectors, pictures, focal sets.
// None is "".
func (r *Recipe) Files() []string {
	return []string{r.Links, r.Labels, r.Embedding, r.Pictures, setsFile(r.Evidential.Focal)}
}
