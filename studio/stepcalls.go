package studio

import (
	"context"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/project"
)

// onProject registers a call that is about an open project.
func onProject[In interface{ projectID() string }, Out any](s *Server, api huma.API, op huma.Operation,
	handle func(ctx context.Context, who string, d *project.Project, in *In) (*Out, error)) {
	operation(s, api, op, func(ctx context.Context, in *In) (*Out, error) {
		p, err := s.find((*in).projectID())
		if err != nil {
			return nil, err
		}
		d, leave, err := p.enter()
		if err != nil {
			return nil, err
		}
		defer leave()
		return handle(ctx, asking(ctx).name, d, in)
	})
}

func (p InProject) projectID() string { return p.P }

// replied is the answer to a step, with the revision for the next If-Match.
type replied struct {
	ETag string `header:"ETag" doc:"the revision of the project, for If-Match"`
	Body project.Reply
}

// step makes an answer of what a project replies to a step.
func step(r project.Reply, err error) (*replied, error) {
	if err != nil {
		return nil, err
	}
	return &replied{tag(r.State.Revision), r}, nil
}

// tag makes an entity tag of a revision.
func tag(revision int64) string { return `"` + strconv.FormatInt(revision, 10) + `"` }

// matches reports whether an If-None-Match has a tag.
func matches(header, tag string) bool {
	for known := range strings.SplitSeq(header, ",") {
		known = strings.TrimSpace(known)
		if known == "*" || strings.TrimPrefix(known, "W/") == tag {
			return true
		}
	}
	return false
}

// wanted reads If-Match: the revision that a client saw; nil where any will do.
func wanted(header string) (*int64, error) {
	header = strings.TrimSpace(header)
	if header == "" || header == "*" {
		return nil, nil
	}
	// as proxies make of a tag when they compress the answer
	header = strings.TrimPrefix(header, "W/")
	revision, err := strconv.ParseInt(strings.TrimSuffix(strings.TrimPrefix(header, `"`), `"`), 10, 64)
	if err != nil {
		return nil, kindRequest.says("If-Match is no revision", `send the ETag of the state as it came, as in "17"`)
	}
	return &revision, nil
}

// unmatched returns what failed under If-Match the status that goes with it.
func unmatched(out *replied, err error, revision *int64) (*replied, error) {
	if err == nil || revision == nil {
		return out, err
	}
	if p := asProblem(err); p.Type == problemBase+kindStale.Name {
		p.Status = http.StatusPreconditionFailed
		return nil, p
	}
	return nil, err
}

// StepID is in the body of every step.
type StepID struct {
	ID string `json:"id,omitempty" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"made by the client: the same id again changes nothing, and gives the first result"`
}

// InStep is a step about nothing in particular.
type InStep struct {
	InProject
	Body StepID
}

// InBodyRow is in the body of steps about an object.
type InBodyRow struct {
	Row int `json:"row" minimum:"0"`
}

// InBodyPair is in the body of steps about a pair.
type InBodyPair struct {
	A int `json:"a" minimum:"0" doc:"row"`
	B int `json:"b" minimum:"0" doc:"row"`
}

// InBodyKeep is in the body of steps that others may contradict.
type InBodyKeep struct {
	Keep bool `json:"keep,omitempty" doc:"keep it as doubt where others contradict it, rather than refuse it"`
}

// stepCalls registers what changes a project.
func (s *Server) stepCalls(api huma.API) {
	post := func(id, path, summary, description string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodPost,
			Path: "/projects/{p}" + path, Summary: summary, Description: description,
			Tags: []string{"steps"}}
	}
	onProject(s, api, post("answer", "/answers", "Answer a question, or state a link",
		"It is on disk when the reply comes. A contradiction is refused with status 409 and the "+
			"chain that clashes, unless keep is set."),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			Body struct {
				StepID
				InBodyPair
				InBodyKeep
				Answer   string `json:"answer" enum:"same,different,unknown"`
				Question int    `json:"question,omitempty" minimum:"0" doc:"number of the question on the screen; 0: none was asked"`
			}
		}) (*replied, error) {
			b := in.Body
			return step(d.Answer(ctx, who,
				project.Step{ID: b.ID, A: b.A, B: b.B, Answer: b.Answer, Keep: b.Keep,
					Question: b.Question}))
		})
	onProject(s, api, post("skip", "/skips", "Put a question off", ""),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			Body struct {
				StepID
				InBodyPair
			}
		}) (*replied, error) {
			return step(d.Skip(ctx, who, in.Body.ID, in.Body.A, in.Body.B))
		})
	onProject(s, api, post("leaveOut", "/bad", "Leave an object out as bad data", ""),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			Body struct {
				StepID
				InBodyRow
			}
		}) (*replied, error) {
			return step(d.LeaveOut(ctx, who, in.Body.ID, in.Body.Row))
		})
	onProject(s, api, post("undo", "/undo", "Take back one's last step",
		"Without limit, across restarts."),
		func(ctx context.Context, who string, d *project.Project, in *InStep) (*replied, error) {
			return step(d.Undo(ctx, who, in.Body.ID))
		})
	onProject(s, api, post("redo", "/redo", "Bring back what was taken back last", ""),
		func(ctx context.Context, who string, d *project.Project, in *InStep) (*replied, error) {
			return step(d.Redo(ctx, who, in.Body.ID))
		})
	onProject(s, api, post("nameGroup", "/names", "Name the group that an object is in",
		"An empty name takes the name away."),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			Body struct {
				StepID
				InBodyRow
				Name string `json:"name" maxLength:"200"`
			}
		}) (*replied, error) {
			return step(d.NameGroup(ctx, who, in.Body.ID, in.Body.Row, in.Body.Name))
		})
	onProject(s, api, post("stateLinks", "/links", "State several links in one step",
		"All are taken or none."),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			Body struct {
				StepID
				InBodyKeep
				Pairs []project.Pair `json:"pairs" minItems:"1" maxItems:"10000"`
			}
		}) (*replied, error) {
			return step(d.Links(ctx, who, in.Body.ID, in.Body.Pairs, in.Body.Keep))
		})
	onProject(s, api, huma.Operation{
		OperationID: "editAnswer", Method: http.MethodPatch, Path: "/projects/{p}/history/{seq}",
		Summary: "Change an earlier answer", Tags: []string{"steps"},
		Description: "Under If-Match, only if nothing happened since that revision; status 412 " +
			"otherwise.",
	}, func(ctx context.Context, who string, d *project.Project, in *struct {
		InEvent
		Body struct {
			StepID
			InBodyKeep
			Answer string `json:"answer" enum:"same,different,unknown"`
		}
	}) (*replied, error) {
		revision, err := wanted(in.IfMatch)
		if err != nil {
			return nil, err
		}
		out, err := step(d.Edit(ctx, who, in.Body.ID, in.Seq, in.Body.Answer, in.Body.Keep,
			revision))
		return unmatched(out, err, revision)
	})
	onProject(s, api, huma.Operation{
		OperationID: "dropAnswer", Method: http.MethodDelete, Path: "/projects/{p}/history/{seq}",
		Summary: "Drop an earlier answer", Tags: []string{"steps"},
		Description: "It stays in the history. Under If-Match, only if nothing happened since " +
			"that revision; status 412 otherwise.",
	}, func(ctx context.Context, who string, d *project.Project, in *struct {
		InEvent
		ID string `query:"id" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"made by the client, as in the body of other steps"`
	}) (*replied, error) {
		revision, err := wanted(in.IfMatch)
		if err != nil {
			return nil, err
		}
		out, err := step(d.Drop(ctx, who, in.ID, in.Seq, revision))
		return unmatched(out, err, revision)
	})
	s.peopleCalls(api)
}

// InEvent is in the address of calls about an answer given before.
type InEvent struct {
	InProject
	Seq     int64  `path:"seq" minimum:"1" doc:"number of the event"`
	IfMatch string `header:"If-Match" maxLength:"64" doc:"the revision that the change builds on, as ETag gave it"`
}

// Team is who answers, and how questions are spread over them.
type Team struct {
	People  []project.Person `json:"people"`
	Sharing project.Sharing  `json:"sharing"`
}

// team returns the people of a project, with those who have not answered yet.
func (s *Server) team(d *project.Project, who string) *body[Team] {
	state := d.State(who)
	people := state.People
	known := map[string]bool{}
	for _, p := range people {
		known[p.Name] = true
	}
	for _, name := range s.cfg.People {
		if !known[name] {
			people = append(people, project.Person{Name: name, Reliability: 1})
		}
	}
	if people == nil {
		people = []project.Person{}
	}
	return &body[Team]{Team{people, state.Sharing}}
}

func (s *Server) peopleCalls(api huma.API) {
	onProject(s, api, huma.Operation{
		OperationID: "people", Method: http.MethodGet, Path: "/projects/{p}/people",
		Summary: "Who answers, and how they agree", Tags: []string{"people"},
	}, func(ctx context.Context, who string, d *project.Project, in *InProject) (*body[Team],
		error) {
		return s.team(d, who), nil
	})
	onProject(s, api, huma.Operation{
		OperationID: "setReliability", Method: http.MethodPut, Path: "/projects/{p}/people/{name}",
		Summary: "Say how far a person is to be believed", Tags: []string{"people"},
		Description: "It counts where sharing.discount is set.",
	}, func(ctx context.Context, who string, d *project.Project, in *struct {
		InProject
		Name string `path:"name" maxLength:"255"`
		Body struct {
			Reliability float64 `json:"reliability" exclusiveMinimum:"0" maximum:"1"`
		}
	}) (*body[Team], error) {
		if err := s.adminsAlone(ctx); err != nil {
			return nil, err
		}
		if !slices.ContainsFunc(s.team(d, who).Body.People,
			func(p project.Person) bool { return p.Name == in.Name }) {
			return nil, project.ErrNotFound
		}
		if err := d.Reliability(ctx, in.Name, in.Body.Reliability); err != nil {
			return nil, err
		}
		return s.team(d, who), nil
	})
	onProject(s, api, huma.Operation{
		OperationID: "setSharing", Method: http.MethodPut, Path: "/projects/{p}/sharing",
		Summary: "Say how questions are spread over people", Tags: []string{"people"},
	}, func(ctx context.Context, who string, d *project.Project, in *struct {
		InProject
		Body project.Sharing
	}) (*body[Team], error) {
		err := s.adminsAlone(ctx)
		if err == nil {
			err = d.SetSharing(ctx, in.Body)
		}
		if err != nil {
			return nil, err
		}
		return s.team(d, who), nil
	})
}
