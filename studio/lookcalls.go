package studio

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/input"
)

// InPage cuts a long list.
type InPage struct {
	Offset int `query:"offset" minimum:"0" default:"0" doc:"entries to pass over"`
	Limit  int `query:"limit" minimum:"1" maximum:"1000" default:"100" doc:"entries at most"`
}

// InPart is in the address of calls about a part of a long list.
type InPart struct {
	InProject
	InPage
}

// mostObjects is how many objects a request may name.
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
		Of       []int             `json:"of,omitempty" doc:"numbers of the groups that the rows of with are in, in their order; 0: none"`
	}
	// Members is a part of a list of objects.
	Members struct {
		Members []project.Member `json:"members"`
		Total   int              `json:"total"`
	}
	// GroupMembers is a part of a group.
	GroupMembers struct {
		Members
		Cluster int `json:"cluster" doc:"number of the group; 0: objects of no group"`
	}
	// Explained is what makes two objects close or far.
	Explained struct {
		By       string        `json:"by" doc:"what they are compared by"`
		Distance float64       `json:"distance" doc:"between them"`
		Columns  []input.Apart `json:"columns" doc:"what each column adds, the most first, at most 50; none where objects are not compared by columns"`
		More     int           `json:"more" doc:"columns that are not listed"`
		Words    []string      `json:"words" doc:"of both texts, at most 100"`
	}
	// Objects are the objects that a request names.
	Objects struct {
		Members []project.Member `json:"members" doc:"in the order asked for"`
	}
)

// lookCalls registers what shows a project.
func (s *Server) lookCalls(api huma.API) {
	onProject(s, api, call("state", "GET /projects/{p}", "questions",
		"The project as the person who asks sees it"),
		func(_ context.Context, v visit, _ *InProject) (*tagged[project.State], error) {
			state := v.State(v.who)
			return &tagged[project.State]{tag(state.Revision), state}, nil
		})
	show(s, api, call("turn", "GET /projects/{p}/turn", "questions",
		"What the person who asks is to do next"),
		func(ctx context.Context, v visit, in *struct {
			InProject
			InShown
		}) (project.Turn, error) {
			v.shows(in.Shown)
			return v.Turn(ctx, v.who)
		})
	show(s, api, call("guess", "GET /projects/{p}/guess", "questions",
		"What the groups so far say of a pair"),
		func(ctx context.Context, v visit, in *struct {
			InProject
			A int `query:"a" required:"true" minimum:"0" doc:"row"`
			B int `query:"b" required:"true" minimum:"0" doc:"row"`
		}) (project.Guess, error) {
			return v.Guess(ctx, in.A, in.B)
		})
	show(s, api, call("explain", "GET /projects/{p}/explain", "objects",
		"Which columns make two objects close or far"),
		func(_ context.Context, v visit, in *struct {
			InProject
			A int `query:"a" required:"true" minimum:"0" doc:"row"`
			B int `query:"b" required:"true" minimum:"0" doc:"row"`
		}) (Explained, error) {
			if n := v.Data().N(); in.A >= n || in.B >= n {
				return Explained{}, project.ErrNotFound
			}
			return explained(v.Data().Explain(in.A, in.B)), nil
		})
	show(s, api, call("history", "GET /projects/{p}/history", "answers",
		"All steps, undone ones too"),
		func(_ context.Context, v visit, in *InPart) (Events, error) {
			events, total := v.History(in.Offset, in.Limit)
			return Events{events, total}, nil
		})
	show(s, api, call("links", "GET /projects/{p}/links", "answers",
		"What counts of each pair, after all answers"),
		func(_ context.Context, v visit, _ *InProject) (Links, error) {
			return Links{v.Effective()}, nil
		})
	show(s, api, call("contradictions", "GET /projects/{p}/contradictions", "answers",
		"Answers that do not go together"),
		func(_ context.Context, v visit, _ *InProject) (Contradictions, error) {
			return Contradictions{v.Clashes(), v.Disputes()}, nil
		})
	show(s, api, call("groups", "GET /projects/{p}/groups", "groups", "The groups as they stand"),
		func(ctx context.Context, v visit, in *struct {
			InProject
			With string `query:"with" maxLength:"4000" pattern:"^([0-9]+(,[0-9]+)*)?$" example:"1,2,3" doc:"rows, at most 200, whose groups are to be named, too"`
		}) (g Groups, err error) {
			var rows []int
			if in.With != "" {
				if rows, err = rowsOf(in.With); err != nil {
					return g, err
				}
			}
			g.Clusters, g.Of, g.Revision, err = v.ClustersWith(ctx, rows)
			return g, err
		})
	show(s, api, call("members", "GET /projects/{p}/groups/{c}/members", "groups",
		"The objects of a group"),
		func(ctx context.Context, v visit, in *struct {
			InPart
			C     int    `path:"c" minimum:"0" doc:"number of the group"`
			With  int    `query:"with" minimum:"-1" default:"-1" doc:"row: the group that it is in, whatever the number of that is now; c does not count then"`
			Order string `query:"order" enum:"typical,doubtful" default:"typical" doc:"which come first"`
		}) (g GroupMembers, err error) {
			if in.With >= 0 {
				g.Members.Members, g.Cluster, g.Total, err = v.MembersWith(ctx, in.With, in.Order,
					in.Offset, in.Limit)
				return g, err
			}
			g.Cluster = in.C
			g.Members.Members, g.Total, err = v.Members(ctx, in.C, in.Order, in.Offset, in.Limit)
			return g, err
		})
	show(s, api, call("doubts", "GET /projects/{p}/doubts", "groups",
		"The doubtful objects, the least certain first"),
		func(ctx context.Context, v visit, in *struct {
			InPart
			Least bool `query:"least" doc:"where no object is doubtful, those with a certainty below 1"`
		}) (Members, error) {
			look := v.Doubts
			if in.Least {
				look = v.LeastCertain
			}
			members, total, err := look(ctx, in.Offset, in.Limit)
			return Members{members, total}, err
		})
	show(s, api, call("objects", "GET /projects/{p}/objects", "objects",
		"Several objects with their places in the groups"),
		func(ctx context.Context, v visit, in *struct {
			InProject
			Rows string `query:"rows" required:"true" minLength:"1" maxLength:"4000" pattern:"^[0-9]+(,[0-9]+)*$" example:"1,2,3" doc:"rows, at most 200"`
		}) (Objects, error) {
			rows, err := rowsOf(in.Rows)
			if err != nil {
				return Objects{}, err
			}
			members, err := v.Objects(ctx, rows)
			return Objects{members}, err
		})
	show(s, api, call("object", "GET /projects/{p}/objects/{row}", "objects",
		"An object, its place in the groups, and the answers about it"),
		func(ctx context.Context, v visit, in *InRow) (project.Member, error) {
			return v.Object(ctx, in.Row)
		})
	picture := call("picture", "GET /projects/{p}/objects/{row}/picture", "objects",
		"The picture of an object")
	picture.Responses = sends("image/*", "The picture", binarySchema())
	onProject(s, api, picture, func(ctx context.Context, v visit, in *struct {
		InRow
		Size int `query:"size" minimum:"64" maximum:"1024" default:"512" doc:"pixels, of the longer side at most"`
	}) (*blob, error) {
		if in.Row >= v.Data().N() {
			return nil, project.ErrNotFound
		}
		if !v.Data().Card(in.Row).Image {
			return nil, kindNotFound.problem("the object has no picture",
				"ask for the object itself")
		}
		data, kind, err := v.Data().Picture(ctx, in.Row, in.Size)
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
			return nil, fault.Inputf("give whole numbers from 0, with commas between them",
				"%q is no row", short(part))
		}
		if rows = append(rows, row); len(rows) > mostObjects {
			return nil, fault.Inputf("ask several times", "more than %d rows are asked for",
				mostObjects)
		}
	}
	return rows, nil
}

// Limits of what explains a pair.
const (
	mostApart = 50
	mostWords = 100
)

func explained(e *input.Explanation) Explained {
	out := Explained{By: e.By, Distance: e.Distance, Columns: list(e.Columns), Words: list(e.Words)}
	if more := len(out.Columns) - mostApart; more > 0 {
		out.Columns, out.More = out.Columns[:mostApart], more
	}
	out.Words = out.Words[:min(len(out.Words), mostWords)]
	for i := range out.Columns {
		out.Columns[i].A, out.Columns[i].B = cut(out.Columns[i].A), cut(out.Columns[i].B)
	}
	return out
}
