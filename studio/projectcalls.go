package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/encode/endpoint"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method/all"
	"github.com/kindred-go/kindred/method/param"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// Me is who asks, and of what.
type Me struct {
	Name    string   `json:"name" doc:"empty where there is one person alone"`
	People  bool     `json:"people" doc:"there are several"`
	Admin   bool     `json:"admin" doc:"may begin projects and change settings and sharing"`
	Names   []string `json:"names,omitempty" doc:"of all people, for the first of them"`
	Version string   `json:"version" doc:"of kindred"`
}

// Health is the answer of a server that works.
type Health struct {
	Status string `json:"status" enum:"ok"`
}

// Listed is a project in the list of them.
type Listed struct {
	ID       string   `json:"id"`
	Data     string   `json:"data" doc:"as they were named"`
	Method   string   `json:"method"`
	State    string   `json:"state" enum:"open,opening,closed,failed"`
	Share    float64  `json:"share" doc:"of opening, how much of it is done, in [0, 1]; below 0: nobody knows how much there is"`
	What     string   `json:"what" doc:"of opening, what is being done"`
	Error    string   `json:"error" doc:"why it failed, or why new settings were not taken"`
	Type     string   `json:"type,omitempty" doc:"type of the problem that the error is, where it is trouble with files, as in /api/v1/problems/in-use"`
	Fix      string   `json:"mend,omitempty" doc:"what to do about that"`
	Settings []string `json:"settings,omitempty" doc:"that the error names: one of them is to be changed, as a rule"`
	Answers  int      `json:"answers" doc:"in effect; a step of several links is one"`
	Stated   int      `json:"stated" doc:"links that these state, each of a step of several"`

	Missing *Missing `json:"missing,omitempty" doc:"of one that failed, or new settings of which were not taken, for missing values: what can be done about them"`
	Changed bool     `json:"changed,omitempty" doc:"it failed as its data changed, and can be opened with carry"`
}

// Listing is the list of projects.
type Listing struct {
	Projects []Listed `json:"projects" doc:"by id"`
}

// Source is something that a project can be begun on.
type Source struct {
	Name  string `json:"name" doc:"what data are called in POST /projects"`
	Title string `json:"title"`
	Kind  string `json:"kind" enum:"sample,file,folder,project"`
}

type body[T any] struct{ Body T }

// projectCalls registers what is about projects as wholes.
func (s *Server) projectCalls(api huma.API) {
	operation(s, api, call("me", "GET /me", "server", "Who the token belongs to"),
		func(ctx context.Context, _ *struct{}) (*body[Me], error) {
			who := asking(ctx)
			me := Me{Name: who.name, People: len(s.cfg.People) > 0, Admin: who.admin,
				Version: s.cfg.Version}
			if who.admin {
				me.Names = s.cfg.People
			}
			return &body[Me]{me}, nil
		})
	s.linkCalls(api)
	operation(s, api, call("health", "GET /health", "server", "Whether the server answers"),
		func(context.Context, *struct{}) (*body[Health], error) {
			return &body[Health]{Health{Status: "ok"}}, nil
		})
	operation(s, api, call("listProjects", "GET /projects", "projects",
		"All projects, open or not"),
		func(ctx context.Context, _ *struct{}) (*body[Listing], error) {
			list, err := s.listing(ctx)
			return &body[Listing]{list}, err
		})
	operation(s, api, call("listSources", "GET /sources", "projects",
		"What a project can be begun on"),
		func(ctx context.Context, _ *struct{}) (*body[Sources], error) {
			list, err := s.sources(ctx)
			return &body[Sources]{Sources{list}}, err
		})
	begins := func(id, path, summary, description string) huma.Operation {
		op := call(id, "POST /projects"+path, "projects", summary, description)
		op.DefaultStatus = http.StatusAccepted
		return op
	}
	operation(s, api, begins("beginProject", "", "Begin a project",
		"The project is opened in the background: its progress is in the list of projects, and "+
			"in the events. The same request again, while it is opened, gives the same project."),
		s.beginProject)
	operation(s, api, begins("openProject", "/{p}/open", "Open a closed project",
		"Settings that are given count over those that the project has, and are kept with it: where "+
			"its data lack values now, missing says what to do."),
		s.openProject)
	operation(s, api, begins("changeSettings", "/{p}/settings",
		"Go on under another method or other settings",
		"All answers are kept. Where the settings do not suit the data the project goes on as it "+
			"was, and the list of projects tells why."),
		s.changeSettings)
}

// Sources are what a project can be begun on.
type Sources struct {
	Sources []Source `json:"sources"`
}

// Started names a project that is being opened.
type Started struct {
	ID string `json:"id" doc:"of the project in addresses"`
}

// listing lists the projects that are known and those in the folder.
func (s *Server) listing(ctx context.Context) (Listing, error) {
	list := map[string]Listed{}
	if s.root != nil {
		entries, err := fs.ReadDir(s.root.FS(), ".")
		if err != nil {
			return Listing{}, fault.Inputf("see that it is there and may be read",
				"the folder that is served cannot be read").In(s.cfg.Root).Because(err)
		}
		s.projects.mu.Lock()
		known := maps.Clone(s.projects.byID)
		s.projects.mu.Unlock()
		for _, entry := range entries {
			id, isProject := strings.CutSuffix(entry.Name(), extension)
			if !isProject || known[id] != nil && known[id].isCurrent() {
				continue
			}
			if _, err := s.servedConfig(id); err != nil {
				continue
			}
			info, err := entry.Info()
			if err != nil {
				continue // it went away meanwhile
			}
			g := s.look(ctx, entry.Name(), info)
			list[id] = Listed{ID: id, Data: g.data, Method: g.method, State: stateClosed,
				Answers: g.count.Answers, Stated: g.count.Links}
			if g.failed != nil {
				l := list[id]
				l.Error = asProblem(g.failed).Detail
				l.Type, l.Fix = troubleOf(g.failed)
				list[id] = l
			}
		}
	}
	s.projects.mu.Lock()
	known := slices.Collect(maps.Values(s.projects.byID))
	s.projects.mu.Unlock()
	for _, p := range known {
		// files that are closed are in the list, while they are there
		if l, served := p.listedAs(); l.State != stateClosed || !served {
			list[p.id] = l
		}
	}
	ids := slices.Sorted(maps.Keys(list))
	out := Listing{Projects: make([]Listed, len(ids))}
	for i, id := range ids {
		out.Projects[i] = list[id]
	}
	return out, ctx.Err()
}

// listedAs returns the entry of a project in the list, and whether its file lies in the folder
// served.
func (p *openProject) listedAs() (l Listed, served bool) {
	p.mu.Lock()
	l, served = Listed{ID: p.id, Data: p.data, Method: p.method, State: p.state, Share: p.share,
		What: p.what}, p.served
	if p.err != nil {
		problem := asProblem(p.err)
		l.Error, l.Settings = problem.Detail, problem.Settings
		l.Type, l.Fix = troubleOf(p.err)
		l.Changed = errors.Is(p.err, project.ErrChanged)
		var gaps *dataset.Gaps
		if errors.As(p.err, &gaps) {
			l.Missing = missingOf(gaps, 0)
		}
	}
	d := p.project
	p.mu.Unlock()
	if d != nil {
		s := d.State("")
		l.Answers, l.Stated = s.Answers, s.Stated
	}
	return l, served
}

// Limits of what is offered to begin on.
const (
	mostSources   = 2000
	deepestSource = 3
)

// sources lists samples, and files and folders of the folder served, by their names in it.
func (s *Server) sources(ctx context.Context) ([]Source, error) {
	list := []Source{}
	if s.root == nil { // nothing can be begun
		return list, nil
	}
	for _, x := range sample.List() {
		list = append(list, Source{Name: x.Name, Title: x.Title, Kind: "sample"})
	}
	holds := map[string]string{} // what the folders are of
	err := fs.WalkDir(s.root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case name == ".":
			return err
		case err != nil, strings.HasPrefix(entry.Name(), "."):
			if entry.IsDir() {
				return fs.SkipDir
			}
			return nil
		case entry.IsDir():
			if strings.Count(name, "/")+1 >= deepestSource {
				return fs.SkipDir
			}
			return nil
		case !entry.Type().IsRegular():
			return nil
		case len(list) >= mostSources:
			return fs.SkipAll
		}
		folder := path.Dir(name)
		switch kind := sourceKind(entry.Name()); kind {
		case "":
		case "folder":
			holds[folder] = "pictures"
		default:
			if path.Ext(strings.ToLower(name)) == ".txt" && folder != "." {
				holds[folder] = cmp.Or(holds[folder], "texts")
				return nil
			}
			list = append(list, Source{Name: name, Title: name, Kind: kind})
		}
		return nil
	})
	for _, folder := range slices.Sorted(maps.Keys(holds)) {
		if folder != "." {
			list = append(list, Source{Name: folder, Title: "a folder of " + holds[folder],
				Kind: "folder"})
		}
	}
	return list, err
}

// likelyData are endings of files that hold data, which only their first bytes show, or which are
// not read: looking at one of those explains how it is saved as one that is.
var likelyData = []string{".txt", ".data", ".dat", ".xls", ".xlsb", ".ods", ".numbers", ".pkl",
	".pickle", ".h5", ".hdf5", ".nc", ".mat", ".sav", ".dta", ".sas7bdat", ".rds", ".rdata",
	".duckdb", ".avro", ".orc", ".zip"}

// sourceKind returns the kind of source that a file is, by its name; pictures make one of their
// folder.
func sourceKind(name string) string {
	if dataset.FormatOf(name) != "" {
		return "file"
	}
	switch path.Ext(strings.ToLower(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return "folder"
	case extension:
		return "project"
	}
	if slices.Contains(likelyData, path.Ext(strings.ToLower(name))) {
		return "file"
	}
	return ""
}

// adminsAlone refuses a person who may not change what holds for all.
func (s *Server) adminsAlone(ctx context.Context) error {
	if asking(ctx).admin {
		return nil
	}
	return kindForbidden.problem("this is kept for "+s.people[0].name,
		"ask "+s.people[0].name+" to do it")
}

// settings are settings of a project by name, as text.
type settings map[string]string

// Schema returns the declarations of all settings that a client may set.
func (settings) Schema(huma.Registry) *huma.Schema {
	s := &huma.Schema{Type: huma.TypeObject, Properties: map[string]*huma.Schema{},
		AdditionalProperties: false}
	for _, p := range input.New().Declared() {
		if input.OwnersAlone(p.Name) {
			continue
		}
		about := p.Help + ": " + p.Range()
		if p.DefaultWords() != "" {
			about += ". Default: " + p.DefaultWords()
		}
		s.Properties[p.Name] = &huma.Schema{Type: huma.TypeString, Description: about,
			Extensions: map[string]any{"x-kindred": p.Schema()}}
	}
	return s
}

// recipe returns the recipe of the settings of a client.
func (given settings) recipe(served bool) (*input.Recipe, error) {
	r := input.New()
	return r, given.put(r, served)
}

// put sets the settings of a client in a recipe.
func (given settings) put(r *input.Recipe, served bool) error {
	was := r.Encoder
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if given[name] != "" && input.OwnersAlone(name) {
			return fault.Inputf("give --"+name+" on the command line",
				"the setting %s cannot come from a page", name)
		}
		if err := r.Set(name, given[name]); err != nil {
			p := asProblem(fault.Inputf("GET "+apiBase+"/methods lists what each setting can be",
				"the setting %s cannot be %s: %v", short(name), short(given[name]),
				err).Because(err))
			if settingNames()[name] {
				p.Settings = []string{name}
			}
			return p
		}
	}
	if r.Encoder != was && endpoint.Is(r.Encoder) {
		return fault.Inputf("begin the project in a terminal: kindred ask DATA --encoder ADDRESS",
			"the setting encoder cannot come from a page as an address, to which texts would be sent")
	}
	if !served {
		// The files of such a project are not looked for in a folder of the server, so a name could
		// be that of any file.
		for _, file := range r.Files() {
			if file != "" {
				return fault.Inputf("name it on the command line",
					"a setting of this project cannot name a file").In(short(file))
			}
		}
	}
	return nil
}

func (s *Server) beginProject(ctx context.Context, in *struct {
	Body struct {
		Data     string   `json:"data" minLength:"1" maxLength:"1000" doc:"a sample, or a file or folder by its name in the folder served"`
		Settings settings `json:"settings,omitempty" doc:"by the names of the command's flags, as in {\"method\": \"evclus\", \"clusters\": \"3\"}"`
	}
}) (*body[Started], error) {
	if err := s.adminsAlone(ctx); err != nil {
		return nil, err
	}
	if s.root == nil {
		return nil, kindForbidden.problem("no folder is served where a project could be kept",
			"start kindred serve with a folder")
	}
	recipe, err := in.Body.Settings.recipe(true)
	if err != nil {
		return nil, err
	}
	if _, _, err := (input.Place{Root: s.root}).Locate(in.Body.Data); err != nil {
		return nil, err
	}
	s.beginning.Lock()
	defer s.beginning.Unlock()
	begun := fmt.Sprintf("%q %q %q", asking(ctx).name, in.Body.Data, in.Body.Settings)
	if id := s.beingBegun(begun); id != "" {
		return &body[Started]{Started{id}}, nil
	}
	s.projects.mu.Lock()
	id, err := s.freeID(in.Body.Data)
	s.projects.mu.Unlock()
	if err != nil {
		return nil, err
	}
	cfg := s.configOf(id)
	cfg.Data, cfg.Recipe = in.Body.Data, recipe
	id, err = s.start(ctx, cfg, begun, true)
	return &body[Started]{Started{id}}, err
}

// beingBegun returns the project that the same request began and that is still being opened, as
// after a double click.
func (s *Server) beingBegun(begun string) string {
	s.projects.mu.Lock()
	defer s.projects.mu.Unlock()
	for _, p := range s.projects.byID {
		p.mu.Lock()
		same := p.begun == begun && p.state == stateOpening
		p.mu.Unlock()
		if same {
			return p.id
		}
	}
	return ""
}

// InProject is in the address of all calls about a project.
type InProject struct {
	P string `path:"p" maxLength:"255" doc:"id of the project"`
}

func (s *Server) openProject(ctx context.Context, in *struct {
	InProject
	Body *struct {
		Settings settings `json:"settings,omitempty" doc:"those that change, by the names of the command's flags"`
		Carry    bool     `json:"carry,omitempty" doc:"the answers are taken along where the data changed"`
	}
}) (*body[Started], error) {
	p, err := s.find(in.P)
	if err != nil {
		return nil, err
	}
	otherwise := in.Body != nil && (len(in.Body.Settings) > 0 || in.Body.Carry)
	if otherwise {
		if err := s.adminsAlone(ctx); err != nil {
			return nil, err
		}
	}
	s.beginning.Lock() // so that a double click opens it once
	defer s.beginning.Unlock()
	p.mu.Lock()
	cfg, begun, served, state := p.cfg, p.begun, p.served, p.state
	p.mu.Unlock()
	if state == stateOpen || state == stateOpening {
		return &body[Started]{Started{p.id}}, nil
	}
	if served {
		// The file may be another one by now, with its own settings. One that failed to
		// begin has none.
		switch now, err := s.servedConfig(p.id); {
		case err == nil:
			cfg = now
		case state == stateClosed:
			return nil, err
		}
	}
	if otherwise {
		cfg.Recipe = cfg.Recipe.Copy()
		if err := in.Body.Settings.put(cfg.Recipe, served); err != nil {
			return nil, err
		}
		_, cfg.Number = in.Body.Settings["clusters"]
		cfg.Carry = in.Body.Carry
	}
	id, err := s.start(ctx, cfg, begun, served)
	return &body[Started]{Started{id}}, err
}

func (s *Server) changeSettings(ctx context.Context, in *struct {
	InProject
	Body struct {
		Settings settings `json:"settings" minProperties:"1" doc:"those that change, by the names of the command's flags"`
	}
}) (*body[Started], error) {
	if err := s.adminsAlone(ctx); err != nil {
		return nil, err
	}
	p, err := s.find(in.P)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	served := p.served
	p.mu.Unlock()
	recipe, err := in.Body.Settings.recipe(served)
	if err != nil {
		return nil, err
	}
	s.beginning.Lock() // so that two changes at once follow each other
	defer s.beginning.Unlock()
	if !s.projects.announce() {
		return nil, kindClosed.problem("the server is stopping", "start it again")
	}
	p.mu.Lock()
	if err := p.ready(); err != nil {
		p.mu.Unlock()
		s.projects.work.Done()
		return nil, err
	}
	cfg, finish := p.cfg, p.exchange(stateOpening)
	p.mu.Unlock()
	p.changed()
	cfg.Recipe = recipe
	_, cfg.Number = in.Body.Settings["clusters"]
	s.background(ctx, p, func(ctx context.Context) error { return p.reopen(ctx, cfg, finish) })
	return &body[Started]{Started{p.id}}, nil
}

type (
	// Method is a method that a project can be begun with, or go on under.
	Method struct {
		Name           string   `json:"name" doc:"as the setting method takes it"`
		Title          string   `json:"title"`
		Source         string   `json:"source" doc:"where it is described"`
		Default        string   `json:"default" doc:"what it does when nothing is said, as a clause"`
		NeedsClusters  bool     `json:"needsClusters" doc:"it must be told the number of groups, by the setting clusters"`
		Clusters       bool     `json:"clusters" doc:"the setting clusters means something to it"`
		Dissimilarity  bool     `json:"dissimilarity" doc:"it takes dissimilarities, and so objects that are no vectors"`
		Masses         bool     `json:"masses" doc:"it gives masses, or memberships as masses"`
		Strategic      bool     `json:"strategic" doc:"it has no questions of its own: a strategy asks for it"`
		SuperInstances bool     `json:"superInstances" doc:"it asks about super-instances, as many as the setting super-instances says"`
		Takes          []string `json:"takes" doc:"settings that mean something to it, besides those of reading data"`
		// of Takes, those that are its own
		Params []param.Schema `json:"params" doc:"its parameters, which are settings of the same names, with their ranges and defaults"`
	}
	// Strategy is a way to choose questions for a method that has none of its own.
	Strategy struct {
		Name          string `json:"name" doc:"as the setting strategy takes it"`
		Title         string `json:"title" doc:"what it asks about, as a clause"`
		NeedsClusters bool   `json:"needsClusters" doc:"it must be told the number of groups"`
		NeedsMasses   bool   `json:"needsMasses" doc:"the method must give masses"`
		Refits        bool   `json:"refits" doc:"the groups are found anew before each question"`
	}
	// Methods are the methods that ask.
	Methods struct {
		Methods    []Method   `json:"methods" doc:"by name"`
		Strategies []Strategy `json:"strategies"`
		Settings   []Setting  `json:"settings" doc:"the settings of reading data and of what is known before, whatever the method"`
	}
	// Setting is the declaration of a setting.
	Setting struct {
		param.Schema
		Part input.Part `json:"part" enum:"reading,preparing,comparing,knowledge" doc:"what it is about: how data become a table, how that becomes a matrix, what is compared, and what is known before"`
	}
)

// methodCalls registers what a project can be begun with.
func (s *Server) methodCalls(api huma.API) {
	operation(s, api, call("listMethods", "GET /methods", "server",
		"The methods that ask, and the strategies", "Where no strategy is given it is minmax with a "+
			"number of groups, and farthest-first without."),
		func(context.Context, *struct{}) (*body[Methods], error) {
			return &body[Methods]{askingMethods()}, nil
		})
}

func askingMethods() Methods {
	given := Methods{Methods: []Method{}, Strategies: []Strategy{}, Settings: []Setting{}}
	for _, p := range input.New().General() {
		if input.OwnersAlone(p.Name) {
			continue
		}
		given.Settings = append(given.Settings, Setting{p.Schema(), input.PartOf(p.Name)})
	}
	for _, m := range all.List() {
		if !m.Asks() {
			continue
		}
		params := m.Params()
		takes := []string{"links", "labelled-per-class", "labelled-share", "oracle-errors",
			"oracle-unknowns"}
		if m.Dissimilarity {
			takes = append(takes, "metric", "dissimilarity", "labels", "text", "series", "band",
				"edit-cost")
		}
		for _, p := range params {
			takes = append(takes, p.Name)
		}
		given.Methods = append(given.Methods, Method{
			Name: m.Name, Title: m.Title, Source: m.Source, Default: input.Defaults(params, nil),
			NeedsClusters: m.NeedsClusters, Clusters: m.Takes("clusters"),
			Dissimilarity: m.Dissimilarity, Masses: m.Masses, Strategic: m.Strategic(),
			SuperInstances: m.Takes("super-instances"), Takes: takes,
			Params: param.Schemas(params),
		})
	}
	for _, s := range strategy.List() {
		given.Strategies = append(given.Strategies, Strategy{Name: s.Name, Title: s.Title,
			NeedsClusters: s.NeedsClusters, NeedsMasses: s.NeedsMasses, Refits: s.Refits})
	}
	return given
}
