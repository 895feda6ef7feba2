package studio

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
)

// InPage cuts a long list.
type InPage struct {
	Offset int `query:"offset" minimum:"0" default:"0" doc:"entries to pass over"`
	Limit  int `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"entries at most"`
}

// mostObjects is how many objects may be asked for at once.
const mostObjects = 200

type (
	// Events is a part of the history.
	Events struct {
		Events []project.Event `json:"events" doc:"the latest first"`
		Total  int             `json:"total"`
	}
	// Links is what counts of pairs.
	Links struct {
		Links []project.Link `json:"links"`
	}
	// Contradictions is what does not go together.
	Contradictions struct {
		Clashes  []project.Clash   `json:"clashes" doc:"answers that clash with others, kept as doubt"`
		Disputes []project.Dispute `json:"disputes" doc:"pairs that were answered in different ways"`
	}
	// Groups are the groups as they stand.
	Groups struct {
		Clusters []project.Cluster `json:"clusters"`
		Revision int64             `json:"revision" doc:"that they are of"`
	}
	// Members is a part of a list of objects.
	Members struct {
		Members []project.Member `json:"members"`
		Total   int              `json:"total"`
	}
	// Objects are the objects asked for.
	Objects struct {
		Members []project.Member `json:"members" doc:"in the order asked for"`
	}
)

// some returns an empty list for none: clients read lists, not null.
func some[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}

// lookCalls registers what shows a project.
func (s *Server) lookCalls(api huma.API) {
	get := func(id, path, tag, summary string) huma.Operation {
		return huma.Operation{OperationID: id, Method: http.MethodGet, Path: "/projects/{p}" + path,
			Summary: summary, Tags: []string{tag}}
	}
	onProject(s, api, get("state", "", "questions", "The project as the person who asks sees it"),
		func(ctx context.Context, who string, d *project.Project, in *InProject) (*struct {
			ETag string `header:"ETag" doc:"the revision of the project, for If-Match"`
			Body project.State
		}, error) {
			state := d.State(who)
			return &struct {
				ETag string `header:"ETag" doc:"the revision of the project, for If-Match"`
				Body project.State
			}{tag(state.Revision), state}, nil
		})
	onProject(s, api, get("turn", "/turn", "questions", "What the person who asks is to do next"),
		func(ctx context.Context, who string, d *project.Project,
			in *InProject) (*body[project.Turn], error) {
			turn, err := d.Turn(ctx, who)
			return &body[project.Turn]{turn}, err
		})
	onProject(s, api, get("guess", "/guess", "questions", "What the groups so far say of a pair"),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			A int `query:"a" required:"true" minimum:"0" doc:"row"`
			B int `query:"b" required:"true" minimum:"0" doc:"row"`
		}) (*body[project.Guess], error) {
			guess, err := d.Guess(ctx, in.A, in.B)
			return &body[project.Guess]{guess}, err
		})
	onProject(s, api, get("history", "/history", "answers", "All steps, undone ones too"),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			InPage
		}) (*body[Events], error) {
			events, total := d.History(in.Offset, in.Limit)
			return &body[Events]{Events{some(events), total}}, nil
		})
	onProject(s, api, get("links", "/links", "answers", "What counts of each pair, after all answers"),
		func(ctx context.Context, who string, d *project.Project, in *InProject) (*body[Links],
			error) {
			return &body[Links]{Links{some(d.Effective())}}, nil
		})
	onProject(s, api, get("contradictions", "/contradictions", "answers",
		"Answers that do not go together"),
		func(ctx context.Context, who string, d *project.Project,
			in *InProject) (*body[Contradictions], error) {
			return &body[Contradictions]{Contradictions{some(d.Clashes()), some(d.Disputes())}}, nil
		})
	onProject(s, api, get("groups", "/groups", "groups", "The groups as they stand"),
		func(ctx context.Context, who string, d *project.Project, in *InProject) (*body[Groups],
			error) {
			clusters, revision, err := d.Clusters(ctx)
			return &body[Groups]{Groups{some(clusters), revision}}, err
		})
	onProject(s, api, get("members", "/groups/{c}/members", "groups", "The objects of a group"),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			InPage
			C     int    `path:"c" minimum:"0" doc:"number of the group"`
			Order string `query:"order" enum:"typical,doubtful" default:"typical" doc:"which come first"`
		}) (*body[Members], error) {
			members, total, err := d.Members(ctx, in.C, in.Order, in.Offset, in.Limit)
			return &body[Members]{Members{some(members), total}}, err
		})
	onProject(s, api, get("doubts", "/doubts", "groups",
		"The doubtful objects, the least certain first"),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			InPage
		}) (*body[Members], error) {
			members, total, err := d.Doubts(ctx, in.Offset, in.Limit)
			return &body[Members]{Members{some(members), total}}, err
		})
	s.objectCalls(api, get)
}

func (s *Server) objectCalls(api huma.API, get func(id, path, tag, summary string) huma.Operation) {
	onProject(s, api, get("objects", "/objects", "objects",
		"Several objects with their places in the groups"),
		func(ctx context.Context, who string, d *project.Project, in *struct {
			InProject
			Rows string `query:"rows" required:"true" maxLength:"4000" example:"1,2,3" doc:"rows, at most 200"`
		}) (*body[Objects], error) {
			rows, err := rowsOf(in.Rows)
			if err != nil {
				return nil, err
			}
			members, err := d.Objects(ctx, rows)
			return &body[Objects]{Objects{some(members)}}, err
		})
	onProject(s, api, get("object", "/objects/{row}", "objects",
		"An object, its place in the groups, and the answers about it"),
		func(ctx context.Context, who string, d *project.Project, in *InRow) (*body[project.Member],
			error) {
			member, err := d.Object(ctx, in.Row)
			return &body[project.Member]{member}, err
		})
	picture := get("picture", "/objects/{row}/picture", "objects", "The picture of an object")
	picture.Responses = map[string]*huma.Response{"200": {Description: "The picture",
		Content: map[string]*huma.MediaType{"image/*": {Schema: &huma.Schema{Type: "string",
			Format: "binary"}}}}}
	onProject(s, api, picture, func(ctx context.Context, who string, d *project.Project, in *struct {
		InRow
		Size int `query:"size" minimum:"64" maximum:"1024" default:"512" doc:"pixels, of the longer side at most"`
	}) (*blob, error) {
		if in.Row >= d.Data().N() {
			return nil, project.ErrNotFound
		}
		if !d.Data().Card(in.Row).Image {
			return nil, kindNotFound.says("the object has no picture", "ask for the object itself")
		}
		data, kind, err := d.Data().Picture(ctx, in.Row, in.Size)
		if err != nil {
			return nil, err
		}
		if !pictureKinds[kind] { // an SVG could hold a script
			return nil, fmt.Errorf("a picture of type %q", kind)
		}
		return &blob{Kind: kind, Body: data}, nil
	})
}

// pictureKinds are the types of pictures that are sent.
var pictureKinds = map[string]bool{"image/png": true, "image/jpeg": true, "image/gif": true,
	"image/webp": true}

// blob is an answer that is no JSON.
type blob struct {
	Kind string `header:"Content-Type"`
	Body []byte
}

// InRow is in the address of calls about an object.
type InRow struct {
	InProject
	Row int `path:"row" minimum:"0"`
}

// rowsOf reads a list of rows.
func rowsOf(text string) ([]int, error) {
	var rows []int
	for part := range strings.SplitSeq(text, ",") {
		row, err := strconv.Atoi(strings.TrimSpace(part))
		if err != nil || row < 0 {
			return nil, &fault.Input{Problem: fmt.Sprintf("%q is no row", short(part)),
				Fix: "give whole numbers from 0, with commas between them"}
		}
		if rows = append(rows, row); len(rows) > mostObjects {
			return nil, &fault.Input{Problem: fmt.Sprintf("more than %d rows are asked for",
				mostObjects), Fix: "ask several times"}
		}
	}
	return rows, nil
}
