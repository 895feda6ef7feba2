package project

import (
	"context"
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// Config says which project to open. Path is needed; Data too, where there is no project yet.
type Config struct {
	Path  string      // the project file, made when there is none
	ID    string      // what addresses call it
	Data  string      // DATA as a person names them; "": as the project has it
	Place input.Place // where DATA are looked for
	Carry bool        // take the answers along by id where the data changed; else that is a fault

	// Recipe reports how DATA are read and fitted; what it does not say is as the project has it,
	// or the default. nil: all of it.
	Recipe *input.Recipe

	// Progress, if set, hears what is done and its share, in [0, 1]. It is called from one
	// goroutine at a time.
	Progress func(what string, share float64)
}

// patience is how long a step waits for the groups that follow from it before it gives those of the
// fit before.
const patience = 40 * time.Millisecond

// Desk is a project under way. Any number of goroutines may use it.
type Project struct {
	id      string
	file    *store.File
	made    bool // there was no such file before
	data    *input.Data
	name    string // of the data
	recipe  *input.Recipe
	method  *method.Configured
	problem method.Problem
	notes   []string
	kept    map[string]string // settings as the project keeps them
	fit     *fitter

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

	projection projection
}

// Open opens a project, and begins one where there is none. It reads the data, and returns when
// there is a first question. ctx ends the opening alone. Where it fails, the project stays as it
// was, and none is left that was not there.
//
// It fails as [store.Open] and [input.Open] do; with a [*fault.Input] where the data are not those
// that the project was begun with; and with a [*link.Contradiction] where given links clash.
func Open(ctx context.Context, cfg Config) (d *Project, err error) {
	d = &Project{id: cfg.ID, recipe: cfg.Recipe, wake: make(chan struct{}, 1),
		worked: make(chan struct{}), people: make(map[string]*person)}
	d.looked, d.moved = signal{make(chan struct{})}, signal{make(chan struct{})}
	if d.recipe == nil {
		d.recipe = input.New()
	}
	d.ctx, d.cancel = context.WithCancel(context.WithoutCancel(ctx))
	stop := context.AfterFunc(ctx, d.cancel)
	defer func() {
		if !stop() && err == nil {
			err = ctx.Err()
		}
		if err != nil {
			d.cancel()
			if d.file != nil {
				d.file.Close()
			}
			if d.made {
				os.Remove(cfg.Path)
			}
			d = nil
		}
	}()
	header, began, err := d.recall(ctx, cfg)
	if err != nil {
		return d, err
	}
	if err := d.read(ctx, cfg, header, began); err != nil {
		return d, err
	}
	if err := d.begin(ctx, cfg); err != nil {
		return d, err
	}
	if err := d.first(ctx); err != nil {
		return d, err
	}
	if err := d.keep(ctx, cfg, header, began); err != nil {
		return d, err
	}
	go d.work(d.ctx)
	d.stir()
	return d, nil
}

// recall opens the project file where there is one, and takes its settings.
func (d *Project) recall(ctx context.Context, cfg Config) (h store.Header, began bool, err error) {
	d.name = cfg.Data
	if !store.Exists(cfg.Path) {
		return h, false, nil
	}
	if d.file, err = store.Open(ctx, cfg.Path); err != nil {
		return h, false, err
	}
	if h, began, err = d.file.Header(ctx); err != nil || !began {
		return h, began, err
	}
	if _, err = d.recipe.Recall(h, cfg.Path); err != nil {
		return h, true, err
	}
	if d.name == "" {
		d.name, err = input.DataOf(h, cfg.Path, cfg.Place)
	}
	return h, true, err
}

// read reads the data, and the links given with them.
func (d *Project) read(ctx context.Context, cfg Config, h store.Header, began bool) (err error) {
	if d.name == "" {
		return &fault.Input{File: cfg.Path,
			Problem: "there is no such project, and no data to begin it with", Fix: "name the data"}
	}
	if d.data, err = input.Open(ctx, cfg.Place, d.name, d.recipe, cfg.Progress); err != nil {
		return err
	}
	if began && h.Fingerprint != d.data.Fingerprint() && !cfg.Carry {
		return &fault.Input{
			File: cfg.Path,
			Problem: fmt.Sprintf(
				"the project was begun with other data (%d rows of %s) than %s holds now (%d rows)",
				h.Rows, h.Data, d.name, d.data.Read()),
			Fix: "restore the data, keep another project, or take the answers along by row " +
				"id with --changed-data carry",
		}
	}
	if d.method, err = d.recipe.Asking(); err != nil {
		return err
	}
	d.notes = d.data.Notes()
	d.problem = d.data.Problem()
	if d.recipe.Links == "" {
		return nil
	}
	var note string
	if d.problem.Links, note, err = d.data.Links(ctx, d.recipe.Links); note != "" {
		d.notes = append(d.notes, note)
	}
	return err
}

// begin starts the method, and brings in what the project holds.
func (d *Project) begin(ctx context.Context, cfg Config) error {
	p := d.problem
	p.Progress = input.Progress(cfg.Progress).Fit("looking for what to ask")
	run, err := d.method.Begin(d.ctx, p)
	if err != nil {
		return input.Named(err, d.data, d.recipe.Links)
	}
	d.fit = newFitter(run, d.data.ID)
	d.notes = append(d.notes, run.Notes...)
	d.trust = make(map[string]float64)
	var events []store.Event
	if d.file != nil {
		if _, err := d.file.Setting(ctx, sharingSetting, &d.sharing); err != nil {
			return err
		}
		if _, err := d.file.Setting(ctx, trustSetting, &d.trust); err != nil {
			return err
		}
		if events, err = d.file.Events(ctx); err != nil {
			return err
		}
	}
	d.history = store.NewHistory(events)
	d.gather()
	if n := d.facts.gone; n > 0 {
		d.notes = append(d.notes,
			fmt.Sprintf("%d answers about rows that are not among the data now are left out", n))
	}
	return nil
}

// first looks for the first question.
func (d *Project) first(ctx context.Context) error {
	return d.fit.use(ctx, func() error {
		if err := d.fit.tell(d.facts.links, d.facts.bad); err != nil {
			return input.Named(err, d.data, d.recipe.Links)
		}
		l, err := d.fit.look(d.ctx, d.facts.gen, queued+d.history.PutOff())
		if err != nil {
			return err
		}
		out, err := d.fit.run.Outcome(d.ctx)
		if err != nil {
			return err
		}
		d.look, d.result = l, newResult(d.facts.gen, d.facts.revision, out, nil, nil)
		return nil
	})
}

// keep writes what the project is about, once that is known to work, and makes the file of a new
// one.
func (d *Project) keep(ctx context.Context, cfg Config, h store.Header, began bool) (err error) {
	if d.file == nil {
		if store.Exists(cfg.Path) { // it was begun twice at the same time
			return fmt.Errorf("%w: %s", store.ErrInUse, cfg.Path)
		}
		if d.file, err = store.Open(ctx, cfg.Path); err != nil {
			return err
		}
		d.made = true
	}
	settings := d.recipe.Remember(cfg.Path)
	d.kept = maps.Clone(settings)
	for _, p := range d.method.Params() {
		if _, given := settings[p.Name]; !given {
			d.kept[p.Name] = d.method.Value(p.Name)
		}
	}
	if !began {
		h.Created = time.Now().UTC()
	}
	h.Given = true
	h.Data, h.Fingerprint, h.Rows = d.name, d.data.Fingerprint(), d.data.Read()
	h.Path, h.Method, h.Settings = input.Stored(d.name, cfg.Path, cfg.Place), d.method.Name, settings
	return d.file.SetHeader(ctx, h)
}

// gather works the facts out anew. Its user holds mu, or is alone.
func (d *Project) gather() {
	gen := int64(1)
	if d.facts != nil {
		gen = d.facts.gen + 1
	}
	d.facts = newFacts(d.data.N(), d.problem.Links, d.history, d.data.Row, d.reliability())
	d.facts.gen = gen
}

// stir tells the worker that facts moved on.
func (d *Project) stir() {
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

// Close ends the fits and lets go of the project file.
func (d *Project) Close() error {
	d.cancel()
	<-d.worked
	d.steps.Lock()
	defer d.steps.Unlock()
	d.notify()
	return d.file.Close()
}

// ID is what addresses call the project; Path is its file, Data what it is about.
func (d *Project) ID() string { return d.id }

// Path is the project file.
func (d *Project) Path() string { return d.file.Path() }

// Data returns what the project is about.
func (d *Project) Data() *input.Data { return d.data }

// Copy writes a copy of the project file as it stands.
func (d *Project) Copy(ctx context.Context, path string) error { return d.file.Copy(ctx, path) }

// Outcome returns the groups as they stand, and the revision that they are of. It is not to be
// changed.
func (d *Project) Outcome(ctx context.Context) (*method.Outcome, int64, error) {
	r, err := d.latest(ctx)
	if err != nil {
		return nil, 0, err
	}
	return r.out, r.revision, nil
}

// latest waits for the groups of the facts as they stand now.
func (d *Project) latest(ctx context.Context) (*result, error) {
	d.mu.RLock()
	gen := d.facts.gen
	d.mu.RUnlock()
	d.catchUp(ctx, gen)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.mu.RLock()
	defer d.mu.RUnlock()
	if d.result.gen < gen && d.failed == nil {
		return nil, ErrClosed
	}
	return d.result, d.failed
}

// shown returns the groups as they stand, perhaps of the fit before.
func (d *Project) shown() *result {
	d.mu.RLock()
	defer d.mu.RUnlock()
	return d.result
}

// title is the method's, without its name.
func (d *Project) title() string { return strings.TrimSpace(d.method.Title) }
