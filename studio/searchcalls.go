package studio

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/search"
)

// InSearch is what to look for.
type InSearch struct {
	InPart
	Q        string `query:"q" maxLength:"500" doc:"words that are all to be in the texts and fields, whole or at the beginning of longer ones; \"phrases\" in quotation marks, as they are; -words that are not to be there" example:"lost card -stolen"`
	By       string `query:"by" enum:"words,meaning" default:"words" doc:"meaning: objects like the words, whether they have them or not, the most alike first"`
	Like     int    `query:"like" minimum:"-1" default:"-1" doc:"row: the objects nearest to it, the nearest first; not together with q. −1: of none"`
	Group    int    `query:"group" minimum:"-1" default:"-1" doc:"objects of this group alone; 0: of no group; −1: of any"`
	With     int    `query:"with" minimum:"-1" default:"-1" doc:"row: objects of the group alone that it is in, whatever the number of that is now; not together with group"`
	Doubtful bool   `query:"doubtful" doc:"objects that the groups are not sure of alone; without q and like the least certain first"`
	Answered string `query:"answered" enum:"any,none,same,different,unknown" doc:"objects that an answer in effect is about, of any or of one kind; or none"`
	Person   string `query:"person" maxLength:"64" doc:"who gave that answer"`
}

// searchCalls registers the search.
func (s *Server) searchCalls(api huma.API) {
	show(s, api, call("search", "GET /projects/{p}/search", "objects",
		"Objects by words, meaning, likeness, group, doubt and answers",
		"All that is given holds of what is found. The first search of a project begins to read ",
		"its texts and fields; while ready is false, ask again."),
		func(ctx context.Context, v visit, in *InSearch) (project.Found, error) {
			find, err := in.find()
			if err != nil {
				return project.Found{}, err
			}
			return v.Find(ctx, find, in.Offset, in.Limit)
		})
}

// find reads what to look for. A query that means nothing is a [*fault.Input].
func (in *InSearch) find() (f project.Find, err error) {
	f = project.Find{Meaning: in.By == "meaning", Doubtful: in.Doubtful, Answered: in.Answered,
		Who: in.Person}
	if f.Query, err = search.Parse(in.Q); err != nil {
		return f, err
	}
	if in.Group >= 0 {
		f.Group = &in.Group
	}
	if in.With >= 0 {
		f.With = &in.With
		if f.Group != nil {
			return f, fault.Inputf("leave one of them out", "with and group both name a group")
		}
	}
	if in.Like >= 0 {
		f.Like = &in.Like
		if !f.Query.IsZero() {
			return f, fault.Inputf("leave one of them out",
				"q and like are two orders of what is found")
		}
	}
	return f, nil
}
