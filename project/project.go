package project

import (
	"context"
	"errors"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// Config is which project to open, and how. Path is needed; Data too, where there is no project
// yet.
type Config struct {
	Path  string      // the project file, made when there is none
	ID    string      // what addresses call it
	Data  string      // DATA as a person names them; "": as the project has it
	Place input.Place // where DATA are looked for
	// Carry means that answers are taken along where the data changed: by id, or by the content of
	// rows that have none. Where it is false, changed data are a fault.
	Carry bool

	// Recipe reports how DATA are read and fitted; the rest is as the project has it,
	// or the default. nil: all of it.
	Recipe *input.Recipe

	// Shared lets others read a project file that is made, as the umask says; else it is for this
	// user alone.
	Shared bool

	// Progress, if set, is called with what is done and its share, in [0, 1], by one goroutine at
	// a time.
	Progress func(what string, share float64)

	// Check, if set, is called with the data and the method before anything is fitted or written.
	// Its error ends the opening.
	Check func(data *input.Data, m *method.Configured) error

	// Alone means that one person answers one question after the other, in a place that shows
	// nothing else. A step then waits until the method has taken it in, so that each question
	// follows from all answers; groups are worked out when [Project.Outcome] asks for them;
	// settings that are not as the project has them are kept with the next step; and answers that
	// contradict the links given with the data are an error of [Open].
	Alone bool

	// Number means that the number of groups of the recipe counts over what steps made of it, also
	// where it is what the project was begun with.
	Number bool

	// Called, if set, returns what the reason of a question calls an object of an id.
	Called func(id string) string
}

// patience is how long a step waits for the groups that follow from it before it returns those of
// the fit before.
const patience = 40 * time.Millisecond

// Project is a project under way. Any number of goroutines may use it.
type Project struct {
	id       string
	file     *store.File
	made     bool // there was no such file before
	view     bool // nothing may be written
	alone    bool
	data     *input.Data
	name     string // of the data
	recipe   *input.Recipe
	method   *method.Configured
	problem  method.Problem
	notes    []string
	kept     map[string]string // settings as the project keeps them
	recalled []string          // settings that the project had, as flags
	changes  []input.Change    // settings that are not as the project had them
	later    *store.Header     // to be kept with the next step; nil: none. Guarded by steps
	carried  *carried          // what became of events as the data changed; nil: they did not
	content  map[string]string // of rows by id, as the file has them. Guarded by steps
	base     int               // groups to find by the settings; 0: the method finds that itself
	settled  int64             // see store.Header
	called   func(row int) string
	keep     bool // answers that contradict others count all the same
	arbiter  bool // who gives one decides what becomes of it
	fit      *fitter

	ctx    context.Context // of the fits
	cancel context.CancelFunc
	wake   chan struct{} // holds a token when facts moved on
	worked chan struct{} // closed when the worker ended
	looks  int           // since the last groups; the worker's own

	steps sync.Mutex // held from the checks of a step until it is applied

	mu      sync.RWMutex // guards what follows
	history *store.History
	facts   *facts
	look    *look
	result  *result
	failed  error
	looked  signal // look or result changed
	sharing Sharing
	trust   map[string]float64 // reliability by name, where it is not 1
	people  map[string]*person

	moved signal // something to see changed; guarded by mu

	charts charts
	finder finder
}

// Open opens a project, and begins one where there is none. It reads the data, and returns when
// there is a first question. ctx ends the opening alone. Where it fails, the project stays as it
// was, and none is left that was not there.
//
// It fails as [store.Open] and [input.Open] do; with a [*fault.Input] where the data are not those
// that the project was begun with; and with a [*link.Contradiction] where given links clash.
func Open(ctx context.Context, cfg Config) (*Project, error) {
	return open(ctx, cfg, false)
}

// View opens a project to look at its groups, also where nothing may be written. It has no
// questions, and steps fail. The recipe counts over what the project has, and nothing of
// it is kept. It fails as [store.View] does, and else as [Open] with Config.Alone, but for a
// project that is not there, which is a [*fault.Input].
func View(ctx context.Context, cfg Config) (*Project, error) {
	cfg.Alone, cfg.Carry = true, false
	return open(ctx, cfg, true)
}

func open(ctx context.Context, cfg Config, view bool) (d *Project, err error) {
	d = &Project{id: cfg.ID, view: view, alone: cfg.Alone, recipe: cfg.Recipe,
		wake: make(chan struct{}, 1), worked: make(chan struct{}),
		people: make(map[string]*person)}
	d.looked, d.moved = signal{make(chan struct{})}, signal{make(chan struct{})}
	if d.recipe == nil {
		d.recipe = input.New()
	}
	d.ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, d.cancel)
	defer func() {
		if err != nil {
			stop()
			d.cancel()
			if d.data != nil {
				d.data.Close()
			}
			if d.file != nil {
				d.file.Close()
			}
			if d.made {
				os.Remove(cfg.Path)
			}
			d = nil
		}
	}()
	cfg.Data, cfg.Place = cfg.Place.Hide(cfg.Data)
	cfg.Place.Vectors = cfg.Path + ".vectors"
	header, began, err := d.recall(ctx, cfg)
	if err != nil {
		return d, err
	}
	if err := d.read(ctx, cfg, header, began); err != nil {
		return d, err
	}
	if err := d.begin(ctx, cfg, header, began); err != nil {
		return d, err
	}
	if n := d.facts.count().Answers; n > 0 && cfg.Progress != nil {
		cfg.Progress("finding the groups from "+words.Count(n, "answer"), 0)
	}
	if err := d.first(ctx); err != nil {
		return d, err
	}
	if !view {
		if err := d.write(ctx, cfg, header, began); err != nil {
			return d, err
		}
	}
	if !stop() { // d.ctx has ended with ctx; from here on it goes on without
		return d, ctx.Err()
	}
	if view {
		close(d.worked)
		return d, nil
	}
	go d.work(d.ctx)
	d.refit()
	return d, nil
}

// recall opens the project file where there is one, and takes its settings.
func (d *Project) recall(ctx context.Context, cfg Config) (h store.Header, began bool, err error) {
	d.name = cfg.Data
	there := store.Exists(cfg.Path)
	switch {
	case d.view && !there:
		return h, false, store.Missing(cfg.Path, "check the spelling")
	case !there:
		return h, false, nil
	case d.view:
		d.file, err = store.View(ctx, cfg.Path)
	default:
		d.file, err = store.Open(ctx, cfg.Path)
	}
	if err != nil {
		return h, false, err
	}
	if h, began, err = d.file.Header(ctx); err != nil || !began {
		return h, began, err
	}
	if d.recalled, err = d.recipe.Recall(h, cfg.Path); err != nil {
		return h, true, err
	}
	if d.name == "" {
		d.name, err = input.DataOf(h, cfg.Path, cfg.Place)
	}
	return h, true, err
}

// read reads the data.
func (d *Project) read(ctx context.Context, cfg Config, h store.Header, began bool) (err error) {
	switch {
	case d.file != nil && !began && (d.view || d.name == ""):
		return fault.Inputf("begin one with kindred ask DATA",
			"the project holds no session yet").In(cfg.Path)
	case d.name == "":
		return fault.Inputf("name the data",
			"there is no such project, and no data to begin it with").In(cfg.Path)
	}
	if d.data, err = input.Open(ctx, cfg.Place, d.name, d.recipe, cfg.Progress); err != nil {
		return err
	}
	if d.recipe.Answers.Labels { // remembered where it makes a difference alone
		if d.recipe.Answers.Labels, err = d.data.AskClassed(); err != nil {
			return err
		}
	}
	if began && h.Fingerprint != d.data.Fingerprint() && !cfg.Carry {
		fix := "restore the data, keep another project with --project, or take the answers along " +
			"with --changed-data carry"
		if d.view {
			fix = "name the data the project was begun with by --data, or go on with kindred ask " +
				"--changed-data carry first"
		}
		return fault.Inputf(fix,
			"the project was begun with other data (%s of %s) than %s holds now (%s)",
			words.Count(h.Rows, "row"), h.Data, d.name,
			words.Count(d.data.Read(), "row")).In(cfg.Path).Because(ErrChanged)
	}
	if d.method, err = d.recipe.Asking(); err != nil || cfg.Check == nil {
		return err
	}
	return cfg.Check(d.data, d.method)
}

// begin starts the method, and brings in what the project holds.
func (d *Project) begin(ctx context.Context, cfg Config, h store.Header, began bool) error {
	d.trust = make(map[string]float64)
	var events []store.Event
	if d.file != nil {
		if _, err := d.file.Setting(ctx, sharingSetting, &d.sharing); err != nil {
			return err
		}
		if _, err := d.file.Setting(ctx, trustSetting, &d.trust); err != nil {
			return err
		}
		var err error
		if events, err = d.file.Events(ctx); err != nil {
			return err
		}
		if d.content, err = d.file.Contents(ctx); err != nil {
			return err
		}
		if began && (h.Fingerprint != d.data.Fingerprint() || h.IDs != "" && h.IDs != d.ids()) {
			if d.carried, err = d.carry(ctx, cfg.Path, h, events); err != nil {
				return err
			}
			events = d.carried.events
		}
	}
	d.history = store.NewHistory(events)
	d.base, d.settled = groupsOf(d.method), d.settles(cfg, h, began)
	clusters := d.clusters(d.history)
	at := clusters
	if clusters == d.base {
		at = 0
	}
	begun, err := d.recipe.BeginAt(d.ctx, d.data, at, cfg.Progress)
	if err != nil {
		return err
	}
	d.method, d.problem = begun.Method, begun.Problem
	d.problem.Progress = nil
	d.keep = begun.Session.Keeps()
	d.arbiter = !d.keep || begun.Session.Arbitrated
	d.notes = append(d.data.Notes(), begun.Notes...)
	d.notes = append(d.notes, d.recipe.Useless(d.method)...)
	if d.file != nil {
		d.notes = append(d.notes, d.file.Notes()...)
	}
	d.called = d.data.ID
	if cfg.Called != nil {
		d.called = func(row int) string { return cfg.Called(d.data.ID(row)) }
	}
	d.fit = newFitter(begun.Session, d.called)
	d.fit.begin, d.fit.clusters = d.session, clusters
	d.gather()
	gone := []string{}
	if n := d.facts.gone; n > 0 {
		gone = append(gone, words.Count(n, "answer")+
			" about rows that are not among the data now: left out")
	}
	if d.carried != nil {
		d.carried.notes = append(d.carried.notes, gone...)
		gone = d.carried.notes
	}
	d.notes = append(d.notes, gone...)
	if d.alone {
		return d.clashesWithGiven(cfg.Path)
	}
	return nil
}

// first looks for the first question, and for the groups before it.
func (d *Project) first(ctx context.Context) error {
	return d.fit.use(ctx, func() error {
		if err := d.fit.update(d.facts); err != nil {
			return d.recipe.Named(err, d.data, d.recipe.LabelledRows(d.data))
		}
		l := &look{gen: d.facts.gen}
		var err error
		if !d.view {
			if l, err = d.fit.look(d.ctx, d.facts.gen, d.most()); err != nil {
				return err
			}
		}
		out, err := d.fit.run.Outcome(d.ctx)
		if err != nil {
			return err
		}
		d.look, d.result = l, newResult(d.facts.gen, d.facts.revision, out, nil, nil)
		return nil
	})
}

// write writes what the project is about, once that is known to work, and makes the file of a new
// one.
func (d *Project) write(ctx context.Context, cfg Config, h store.Header, began bool) (err error) {
	if d.file == nil {
		if store.Exists(cfg.Path) { // it was begun twice at the same time
			return &fault.Storage{Kind: fault.InUse, File: cfg.Path}
		}
		if d.file, err = store.Open(ctx, cfg.Path); err != nil {
			return err
		}
		d.made = true
		if cfg.Shared {
			if err := atomicfile.Share(cfg.Path); err != nil {
				return err
			}
		}
	}
	settings := d.recipe.Remember(cfg.Path)
	d.kept = input.Values(settings)
	for _, p := range d.method.Params() {
		if _, given := settings[p.Name]; !given {
			d.kept[p.Name] = d.method.Value(p.Name)
		}
	}
	if began {
		d.changes = d.recipe.Changes(h, cfg.Path)
	} else {
		h.Created, h.Reading = time.Now().UTC(), input.ReadingNow
	}
	h.Data, h.Fingerprint, h.Rows = d.name, d.data.Fingerprint(), d.data.Read()
	h.Path, h.Method = input.Stored(d.name, cfg.Path, cfg.Place), d.method.Name
	h.IDs = d.ids()
	now := h
	now.Settings, now.Given, now.Settled = settings, true, d.settled
	switch {
	case !began || !d.alone || d.carried != nil: // ids may be those of a column that was named now
		h = now
	case len(d.changes) > 0:
		d.later = &now
	}
	if d.carried != nil {
		d.content = d.carried.content
		return d.file.Carry(ctx, h, d.carried.events, d.content)
	}
	if err := d.describe(d.history.All()); err != nil {
		return err
	}
	return d.file.SetHeader(ctx, h)
}

// refit wakes the worker, as facts moved on.
func (d *Project) refit() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// Names of small settings in the project file.
const (
	sharingSetting = "sharing"
	trustSetting   = "reliability"
)

// Close ends the fits and closes the project file.
func (d *Project) Close() error {
	d.cancel()
	<-d.worked
	d.finder.close()
	d.steps.Lock()
	defer d.steps.Unlock()
	d.notify()
	return errors.Join(d.data.Close(), d.file.Close())
}

// ID is what addresses call the project.
func (d *Project) ID() string { return d.id }

// Data returns what the project is about.
func (d *Project) Data() *input.Data { return d.data }

// Method returns the method that asks.
func (d *Project) Method() *method.Configured { return d.method }

// Recalled returns the settings that the project had and nobody gave, as flags.
func (d *Project) Recalled() []string { return slices.Clone(d.recalled) }

// Changes returns the settings that are not as the project had them when it was opened.
func (d *Project) Changes() []input.Change { return slices.Clone(d.changes) }

// Carried returns what was carried over as the data changed, and what was not, in sentences; nil
// where they did not.
func (d *Project) Carried() []string {
	if d.carried == nil {
		return nil
	}
	return slices.Clone(d.carried.notes)
}

// FileNotes returns what is to be known of the project file, in sentences.
func (d *Project) FileNotes() []string { return d.file.Notes() }

// Copy writes a copy of the project file as it stands.
func (d *Project) Copy(ctx context.Context, path string) error { return d.file.Copy(ctx, path) }

// Outcome returns the groups as they stand, and the revision that they are of. It is not to be
// changed.
func (d *Project) Outcome(ctx context.Context) (*method.Outcome, int64, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, 0, err
	}
	return r.out, r.revision.Load(), nil
}

// latest waits for the groups of the facts as they stand now.
func (d *Project) latest(ctx context.Context) (*result, error) {
	gen := d.catchUp(ctx)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.RLock()
	r, seen, err := d.result, d.look.gen, d.failed
	d.mu.RUnlock()
	switch {
	case err != nil || r.gen >= gen:
		return r, err
	case !d.alone || seen < gen || d.ctx.Err() != nil:
		return nil, ErrClosed
	}
	err = d.fit.use(ctx, func() error {
		out, err := d.fit.run.Outcome(ctx)
		if err == nil {
			d.settle(d.fit.gen, d.fit.revision, out) // answers may have come since
		}
		return err
	})
	return d.shown(), err
}

// Signed returns the outcome as [Project.Outcome] does, its model with what it needs to read new
// rows of the data.
func (d *Project) Signed(ctx context.Context) (*method.Outcome, error) {
	out, _, err := d.Outcome(ctx)
	if err != nil || out.Model == nil {
		return out, err
	}
	signed, model := *out, *out.Model
	d.data.Sign(&model, d.method.Method)
	signed.Model = &model
	return &signed, nil
}

// shown returns the groups as they stand, perhaps of the fit before.
func (d *Project) shown() *result {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.result
}
