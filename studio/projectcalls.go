package studio

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/data/encode/endpoint"
	"github.com/kindred-go/kindred/fault"
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

// Started names a project that is being opened.
type Started struct {
	ID string `json:"id" doc:"of the project in addresses"`
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
		err := r.Set(name, given[name])
		if name == "method" && given[name] != "" && err == nil {
			_, err = input.Find(given[name])
		}
		if err != nil {
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
