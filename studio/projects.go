package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
	"github.com/kindred-go/kindred/project/store"
)

// extension is that of project files.
const extension = ".kindred"

// projects are all that the server has had open, by id.
type projects struct {
	mu     sync.Mutex
	byID   map[string]*openProject
	listed *signal        // fires when the list, or a project in it, changed
	work   sync.WaitGroup // openings under way
	closed map[string]glance
	shut   bool // no more may be opened
	log    *slog.Logger
	feeds  map[string]*feed // of the list, by ""
}

// Open opens a project, or begins one, and serves it; cfg.ID names it in addresses, and is the name
// of its file without the extension where it is empty. It fails as [project.Open] does. The server
// closes the project when it stops.
func (s *Server) Open(ctx context.Context, cfg project.Config) (*project.Project, error) {
	p, err := s.add(cfg, "", false)
	if err != nil {
		return nil, err
	}
	defer s.projects.work.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.stopping, cancel)()
	began := time.Now()
	if err := p.open(ctx, nil); err != nil {
		s.projects.forget(p)
		return nil, err
	}
	s.log.Info("a project is open", "project", p.id, "took", time.Since(began))
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.project, nil
}

// Begin opens a project, or begins one, in the background, and returns its id. How far it is, and
// why it failed where it does, is in the list of projects.
func (s *Server) Begin(cfg project.Config) (id string, err error) {
	return s.start(context.Background(), cfg, "", false)
}

// Shut closes a project that was opened by [Server.Open] or [Server.Begin], and forgets it; the
// requests that it still answers are awaited for a moment. It fails for a project that is not known,
// and as closing the file does.
func (s *Server) Shut(id string) error {
	s.projects.mu.Lock()
	p := s.projects.byID[id]
	s.projects.mu.Unlock()
	if p == nil {
		return noProject(id)
	}
	for p.interrupted() {
	}
	err := p.release(stateClosed)()
	s.projects.forget(p)
	return err
}

// start announces a project and opens it in the background, for the request of ctx.
func (s *Server) start(ctx context.Context, cfg project.Config, begun string,
	served bool) (id string, err error) {
	p, err := s.add(cfg, begun, served)
	if err != nil {
		return "", err
	}
	s.background(ctx, p, func(ctx context.Context) error { return p.open(ctx, nil) })
	return p.id, nil
}

// background does what add, or another user of projects.work, has announced, for the request of
// ctx, which need not wait for it.
func (s *Server) background(ctx context.Context, p *openProject,
	do func(context.Context) error) {
	log := s.log.With("request", requestOf(ctx), "project", p.id)
	go func() {
		defer s.projects.work.Done()
		began := time.Now()
		switch err := do(s.stopping); {
		case err == nil:
			log.Info("a project is open", "took", time.Since(began))
		case s.stopping.Err() == nil:
			log.Log(ctx, levelOf(err), "a project could not be opened", cause(err))
		}
	}()
}

// add announces a project as one that is being opened; the caller opens it and then calls
// projects.work.Done.
func (s *Server) add(cfg project.Config, begun string, served bool) (*openProject, error) {
	if cfg.ID == "" {
		cfg.ID = strings.TrimSuffix(filepath.Base(cfg.Path), extension)
	}
	all := &s.projects
	all.mu.Lock()
	defer all.mu.Unlock()
	if err := s.room(cfg.ID); err != nil {
		return nil, err
	}
	if all.shut {
		return nil, kindClosed.problem("the server is stopping", "start it again")
	}
	p := all.byID[cfg.ID]
	if p == nil {
		p = all.meet(cfg.ID)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.state == stateOpening || p.state == stateOpen {
		return nil, fault.Inputf("give the other one another name",
			"a project called %q is open already", cfg.ID)
	}
	p.begins(cfg)
	p.begun, p.served = begun, served
	p.state, p.what, p.share, p.err = stateOpening, "", 0, nil
	all.work.Add(1)
	p.changed()
	return p, nil
}

// meet adds a project to those known. The caller holds mu.
func (all *projects) meet(id string) *openProject {
	p := &openProject{id: id, state: stateClosed, moved: newSignal(), listed: all.listed,
		log: all.log, feeds: map[string]*feed{}}
	all.byID[id] = p
	return p
}

// While projects are being opened, room for another is awaited for openingWait, a look every
// openingLook.
const openingWait, openingLook = 10 * time.Second, 10 * time.Millisecond

// room makes sure that one more project may be open: the one unused for longest is closed for it,
// and if all are in use those that are being opened are awaited. The caller holds projects.mu,
// which is free while it waits.
func (s *Server) room(id string) error {
	all := &s.projects
	for end := time.Now().Add(openingWait); !all.shut; {
		open, opening, oldest, since := 0, false, (*openProject)(nil), time.Time{}
		for _, p := range all.byID {
			p.mu.Lock()
			if p.current() && p.id != id {
				open++
				opening = opening || p.state == stateOpening
				if p.unused() && (oldest == nil || p.used.Before(since)) {
					oldest, since = p, p.used
				}
			}
			p.mu.Unlock()
		}
		switch {
		case open < s.cfg.MostOpen:
			return nil
		case oldest == nil && opening && time.Now().Before(end):
			all.mu.Unlock()
			time.Sleep(openingLook)
			all.mu.Lock()
			continue
		case oldest == nil:
			return kindBusy.problem(fmt.Sprintf("%d projects are open, and all are in use", open),
				"close the page of one, and try again")
		}
		all.mu.Unlock()
		s.retire(oldest)
		all.mu.Lock()
	}
	return nil
}

// retire closes a project, unless somebody uses it by now.
func (s *Server) retire(p *openProject) {
	p.mu.Lock()
	if !p.unused() {
		p.mu.Unlock()
		return
	}
	finish := p.exchange(stateClosed)
	p.mu.Unlock()
	p.changed()
	if err := finish(); err != nil {
		s.log.Error("a project could not be closed", "project", p.id, cause(err))
		return
	}
	s.log.Info("a project was closed for another", "project", p.id)
}

// announce counts in work that is about to be done, unless the server is stopping.
func (all *projects) announce() bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if !all.shut {
		all.work.Add(1)
	}
	return !all.shut
}

// forget takes back what add did.
func (all *projects) forget(p *openProject) {
	all.mu.Lock()
	defer all.mu.Unlock()
	delete(all.byID, p.id)
	all.listed.fire()
}

// find returns a project by id, whether it is open or not.
func (s *Server) find(id string) (*openProject, error) {
	s.projects.mu.Lock()
	p := s.projects.byID[id]
	s.projects.mu.Unlock()
	if p != nil {
		return p, nil
	}
	cfg, err := s.servedConfig(id)
	if err != nil {
		return nil, err
	}
	s.projects.mu.Lock()
	defer s.projects.mu.Unlock()
	if p = s.projects.byID[id]; p == nil {
		p = s.projects.meet(id)
		p.cfg, p.served = cfg, true
	}
	return p, nil
}

// closeAll closes every project, and lets none be opened any more.
func (all *projects) closeAll() error {
	all.mu.Lock()
	all.shut = true
	known := slices.Collect(maps.Values(all.byID))
	all.mu.Unlock()
	all.work.Wait() // openings end with the server's context
	errs := make([]error, len(known))
	var work sync.WaitGroup
	for i, p := range known {
		finish := p.release(stateClosed)
		work.Go(func() { errs[i] = finish() })
	}
	work.Wait()
	return errors.Join(errs...)
}

// noProject returns the problem of an id that no project has.
func noProject(id string) *Problem {
	return kindNotFound.problem(fmt.Sprintf("there is no project %q", short(id)),
		"see "+apiBase+"/projects for those there are")
}

// servedConfig returns the config of a project file in the folder served, by its id. Only plain
// files right in the folder are projects, so that no id leads elsewhere.
func (s *Server) servedConfig(id string) (project.Config, error) {
	none := noProject(id)
	if s.root == nil || id == "" || id != filepath.Base(id) || !filepath.IsLocal(id+extension) ||
		strings.HasPrefix(id, ".") {
		return project.Config{}, none
	}
	info, err := s.root.Lstat(id + extension)
	if err != nil || !info.Mode().IsRegular() {
		return project.Config{}, none
	}
	return s.configOf(id), nil
}

func (s *Server) configOf(id string) project.Config {
	return project.Config{
		ID: id, Path: filepath.Join(s.root.Name(), id+extension), Place: input.Place{Root: s.root},
		Recipe: input.New(), Progress: s.progress, Shared: s.cfg.Shared,
	}
}

// freeID returns an id for a new project about data: their name, with a number where that is taken.
// The caller holds projects.mu.
func (s *Server) freeID(data string) (string, error) {
	base := filepath.Base(filepath.ToSlash(data))
	if at := strings.IndexByte(base, '.'); at > 0 {
		base = base[:at]
	}
	base = strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' {
			return r
		}
		return '-'
	}, base)
	base = cmp.Or(strings.Trim(string([]rune(base)[:min(60, len([]rune(base)))]), "-"), "project")
	for n := 1; ; n++ {
		id := base
		if n > 1 {
			id = fmt.Sprintf("%s-%d", base, n)
		}
		_, err := s.root.Lstat(id + extension)
		known := s.projects.byID[id]
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fault.Inputf("see that it is there and may be read",
				"the folder that is served cannot be looked at").In(s.cfg.Root).Because(err)
		}
		if err != nil && (known == nil || !known.isCurrent()) {
			return id, nil
		}
	}
}

// glance is the entry in the list of a project that is not open.
type glance struct {
	size         int64
	modified     time.Time
	data, method string
	count        store.Tally
	failed       error
}

// look reads the entry of a closed project file, once for each change of the file.
func (s *Server) look(ctx context.Context, name string, info fs.FileInfo) glance {
	s.projects.mu.Lock()
	known, ok := s.projects.closed[name]
	s.projects.mu.Unlock()
	if ok && known.size == info.Size() && known.modified.Equal(info.ModTime()) &&
		!passes(known.failed) {
		return known
	}
	g := glance{size: info.Size(), modified: info.ModTime()}
	if err := g.read(ctx, filepath.Join(s.root.Name(), name)); err != nil {
		g.failed = err
		if errors.Is(err, store.ErrInUse) || ctx.Err() != nil {
			return g // it may pass
		}
		if known.failed == nil || known.failed.Error() != err.Error() {
			s.log.Warn("a project file could not be read", "file", name, cause(err))
		}
	}
	s.projects.mu.Lock()
	defer s.projects.mu.Unlock()
	s.projects.closed[name] = g
	return g
}

// passes reports whether trouble with a file may pass while the file stays as it is: a damaged one
// does not get better by itself.
func passes(err error) bool {
	class, trouble := fault.Of(err)
	return trouble && class.Kind != fault.Damaged
}

func (g *glance) read(ctx context.Context, path string) error {
	p, err := store.View(ctx, path)
	if err != nil {
		return err
	}
	defer p.Close()
	h, _, err := p.Header(ctx)
	if err != nil {
		return err
	}
	events, err := p.Events(ctx)
	if err != nil {
		return err
	}
	g.data, g.method, g.count = h.Data, h.Method, store.NewHistory(events).Tally()
	return nil
}

// short cuts what a client called something, for a sentence.
func short(name string) string { return words.Cut(name, 80) }
