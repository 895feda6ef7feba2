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

// visit is a person at an open project.
type visit struct {
	*project.Project
	who string
}

// onProject registers a call that is about an open project.
func onProject[In interface{ projectID() string }, Out any](s *Server, api huma.API,
	op huma.Operation, handle func(context.Context, visit, *In) (*Out, error)) {
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
		return handle(ctx, visit{d, asking(ctx).name}, in)
	})
}

// show registers a call that is about an open project and answered with JSON.
func show[In interface{ projectID() string }, Out any](s *Server, api huma.API, op huma.Operation,
	handle func(context.Context, visit, *In) (Out, error)) {
	onProject(s, api, op, func(ctx context.Context, v visit, in *In) (*body[Out], error) {
		out, err := handle(ctx, v, in)
		return &body[Out]{out}, err
	})
}

func (p InProject) projectID() string { return p.P }

// tagged is an answer with the revision for the next If-Match.
type tagged[T any] struct {
	ETag string `header:"ETag" doc:"the revision of the project, for If-Match"`
	Body T
}

// replied is the answer to a step.
type replied = tagged[project.Reply]

// step returns the answer to a step.
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

// wanted reads If-Match, which is as its pattern says: the revision that a client saw; nil
// where any will do.
func wanted(header string) *int64 {
	// Proxies put W/ before the tag of an answer that they compress.
	revision, err := strconv.ParseInt(strings.Trim(header, `W/"`), 10, 64)
	if err != nil {
		return nil
	}
	return &revision
}

// since does a step that is only for the revision in If-Match, if there is one: another one is a
// failed precondition.
func since(header string, do func(revision *int64) (project.Reply, error)) (*replied, error) {
	revision := wanted(header)
	out, err := step(do(revision))
	if err == nil || revision == nil {
		return out, err
	}
	p := asProblem(err)
	if p.Type == problemBase+kindStale.Name {
		p.Status = http.StatusPreconditionFailed
		return nil, p
	}
	return nil, err
}

// StepID is in the body of every step.
type StepID struct {
	ID string `json:"id,omitempty" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"made by the client: the same step again under its id changes nothing, and returns the first result; another one is refused"`
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

// InShown is in the address of calls that are answered with a turn.
type InShown struct {
	Shown string `query:"shown" maxLength:"24" pattern:"^([0-9]+-[0-9]+)?$" doc:"rows of the pair that the page has on the screen, after the step, as in 12-40: the turn keeps to it; missing where there is none"`
}

// shows notes which pair a person has on the screen.
func (v visit) shows(pair string) {
	one, other, _ := strings.Cut(pair, "-")
	a, errA := strconv.Atoi(one)
	b, errB := strconv.Atoi(other)
	if errA != nil || errB != nil {
		v.Show(v.who, nil)
		return
	}
	v.Show(v.who, &[2]int{a, b})
}

// stepCalls registers what changes a project.
func (s *Server) stepCalls(api huma.API) {
	post(s, api, "answer", "answers", "Answer a question, or state a link",
		"It is on disk when the reply comes. A contradiction is refused with status 409 and the "+
			"chain that clashes, unless keep is set.",
		func(ctx context.Context, v visit, b *struct {
			StepID
			InBodyPair
			InBodyKeep
			Answer   string `json:"answer" enum:"same,different,unknown"`
			Question int    `json:"question,omitempty" minimum:"0" doc:"number of the question on the screen; 0: none was asked"`
		}) (project.Reply, error) {
			return v.Answer(ctx, v.who, project.Step{ID: b.ID, A: b.A, B: b.B, Answer: b.Answer,
				Keep: b.Keep, Question: b.Question})
		})
	post(s, api, "skip", "skips", "Put a question off", "",
		func(ctx context.Context, v visit, b *struct {
			StepID
			InBodyPair
		}) (project.Reply, error) {
			return v.Skip(ctx, v.who, b.ID, b.A, b.B)
		})
	post(s, api, "leaveOut", "bad", "Leave an object out as bad data", "",
		func(ctx context.Context, v visit, b *struct {
			StepID
			InBodyRow
		}) (project.Reply, error) {
			return v.LeaveOut(ctx, v.who, b.ID, b.Row)
		})
	post(s, api, "undo", "undo", "Take back one's last step", "Without limit, across restarts.",
		func(ctx context.Context, v visit, b *StepID) (project.Reply, error) {
			return v.Undo(ctx, v.who, b.ID)
		})
	post(s, api, "redo", "redo", "Bring back what was taken back last", "",
		func(ctx context.Context, v visit, b *StepID) (project.Reply, error) {
			return v.Redo(ctx, v.who, b.ID)
		})
	post(s, api, "nameGroup", "names", "Name the group that an object is in",
		"An empty name takes the name away.",
		func(ctx context.Context, v visit, b *struct {
			StepID
			InBodyRow
			Name string `json:"name" maxLength:"200"`
		}) (project.Reply, error) {
			return v.NameGroup(ctx, v.who, b.ID, b.Row, b.Name)
		})
	post(s, api, "stateLinks", "links", "State several links in one step",
		"All are taken or none, and one undo takes all back. With clusters, there may be none.",
		func(ctx context.Context, v visit, b *struct {
			StepID
			InBodyKeep
			Pairs    []project.Pair `json:"pairs" nullable:"false" minItems:"0" maxItems:"10000"`
			Back     []int64        `json:"back,omitempty" nullable:"false" maxItems:"10000" doc:"seq of answers of one's own to take back in the same step; one about a pair that is stated is replaced"`
			Clusters int            `json:"clusters,omitempty" minimum:"0" doc:"the number of groups that the method finds from then on, or begins with where answers lead to others; like the setting clusters, for the first of the people alone. 0: as before"`
		}) (project.Reply, error) {
			if b.Clusters > 0 {
				if err := s.adminsAlone(ctx); err != nil {
					return project.Reply{}, err
				}
			}
			return v.Several(ctx, v.who, project.Several{ID: b.ID, Pairs: b.Pairs, Keep: b.Keep,
				Back: b.Back, Clusters: b.Clusters})
		})
	show(s, api, call("plan", "POST /projects/{p}/plan", "steps",
		"What it comes to if groups are merged, split or moved to",
		"Nothing is stated: the pairs of the plan are for stateLinks, which takes them in one step, "+
			"so that one undo takes all of them back. A plan that others contradict says so."),
		func(ctx context.Context, v visit, in *struct {
			InProject
			Body project.Regroup
		}) (project.Plan, error) {
			return v.Plan(ctx, v.who, in.Body)
		})
	onProject(s, api, call("editAnswer", "PATCH /projects/{p}/history/{seq}", "steps",
		"Change an earlier answer", "Under If-Match, only if nothing happened since that revision; "+
			"status 412 otherwise."), func(ctx context.Context, v visit, in *struct {
		InEvent
		InShown
		Body struct {
			StepID
			InBodyKeep
			Answer string `json:"answer" enum:"same,different,unknown"`
		}
	}) (*replied, error) {
		return since(in.IfMatch, func(revision *int64) (project.Reply, error) {
			b := in.Body
			v.shows(in.Shown)
			return v.Edit(ctx, v.who, b.ID, in.Seq, b.Answer, b.Keep, revision)
		})
	})
	onProject(s, api, call("dropAnswer", "DELETE /projects/{p}/history/{seq}", "steps",
		"Drop an earlier answer", "It stays in the history. Under If-Match, only if nothing happened "+
			"since that revision; status 412 otherwise."), func(ctx context.Context, v visit, in *struct {
		InEvent
		InShown
		ID string `query:"id" maxLength:"64" pattern:"^[A-Za-z0-9_-]*$" doc:"made by the client, as in the body of other steps"`
	}) (*replied, error) {
		return since(in.IfMatch, func(revision *int64) (project.Reply, error) {
			v.shows(in.Shown)
			return v.Drop(ctx, v.who, in.ID, in.Seq, revision)
		})
	})
	s.peopleCalls(api)
}

// post registers a step.
func post[B any](s *Server, api huma.API, id, path, summary, description string,
	do func(context.Context, visit, *B) (project.Reply, error)) {
	op := call(id, "POST /projects/{p}/"+path, "steps", summary, description)
	onProject(s, api, op, func(ctx context.Context, v visit, in *struct {
		InProject
		InShown
		Body B
	}) (*replied, error) {
		v.shows(in.Shown)
		return step(do(ctx, v, &in.Body))
	})
}

// InEvent is in the address of calls about an answer given before.
type InEvent struct {
	InProject
	Seq     int64  `path:"seq" minimum:"1" doc:"number of the event"`
	IfMatch string `header:"If-Match" maxLength:"64" pattern:"^(\\*|(W/)?\"?[0-9]{1,18}\"?|)$" doc:"the revision that the change builds on, as ETag gave it"`
}

// Team is who answers, and how questions are spread over them.
type Team struct {
	People  []project.Person `json:"people"`
	Sharing project.Sharing  `json:"sharing"`
}

// team returns the people of a project, with those who have not answered yet.
func (s *Server) team(v visit) Team {
	state := v.State(v.who)
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
	return Team{people, state.Sharing}
}

func (s *Server) peopleCalls(api huma.API) {
	show(s, api, call("people", "GET /projects/{p}/people", "people",
		"Who answers, and how they agree"),
		func(_ context.Context, v visit, _ *InProject) (Team, error) { return s.team(v), nil })
	show(s, api, call("setReliability", "PUT /projects/{p}/people/{name}", "people",
		"Say how far a person is to be believed", "It counts where sharing.discount is set."), func(ctx context.Context, v visit, in *struct {
		InProject
		Name string `path:"name" maxLength:"255"`
		Body struct {
			Reliability float64 `json:"reliability" exclusiveMinimum:"0" maximum:"1"`
		}
	}) (Team, error) {
		if err := s.adminsAlone(ctx); err != nil {
			return Team{}, err
		}
		if !slices.ContainsFunc(s.team(v).People,
			func(p project.Person) bool { return p.Name == in.Name }) {
			return Team{}, project.ErrNotFound
		}
		err := v.Reliability(ctx, in.Name, in.Body.Reliability)
		return s.team(v), err
	})
	show(s, api, call("setSharing", "PUT /projects/{p}/sharing", "people",
		"Say how questions are spread over people"),
		func(ctx context.Context, v visit, in *struct {
			InProject
			Body project.Sharing
		}) (Team, error) {
			err := s.adminsAlone(ctx)
			if err == nil {
				err = v.SetSharing(ctx, in.Body)
			}
			return s.team(v), err
		})
}
