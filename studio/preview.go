package studio

import (
	"context"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/project/input"
)

type (
	// Preview is what a project would be begun on.
	Preview struct {
		Rows     int      `json:"rows" doc:"that take part; 0 where it is not known before, as of pictures"`
		Features int      `json:"features" doc:"columns of numbers that rows are compared by, a category having one for each of its values; 0 where it is not known before"`
		Missing  *Missing `json:"missing,omitempty" doc:"values that are missing, where the setting missing does not say what to do about them: a project cannot be begun without"`
	}
	// Missing is what is missing, and what can be done about it.
	Missing struct {
		Values  int             `json:"values"`
		Rows    int             `json:"rows" doc:"that lack any"`
		Columns []MissingColumn `json:"columns" doc:"that lack some, at most 50"`
		Choices []MissingChoice `json:"choices" doc:"the best first"`
	}
	// MissingColumn is a column that lacks values.
	MissingColumn struct {
		Name    string `json:"name"`
		Missing int    `json:"missing"`
	}
	// MissingChoice is a treatment of missing values, and what follows from it.
	MissingChoice struct {
		Name     string `json:"name" doc:"as the setting missing takes it"`
		Title    string `json:"title" doc:"what it does, as a clause"`
		Rows     int    `json:"rows"`
		Features int    `json:"features"`
	}
)

// mostMissing is how many columns are listed that lack values.
const mostMissing = 50

// previewCalls registers what looks at data before a project is begun.
func (s *Server) previewCalls(api huma.API) {
	op := call("preview", "POST /preview", "projects", "What would become of data")
	op.Description = "The data are read, and nothing is kept. Where values are missing, it lists " +
		"what the setting missing can be and what follows from it."
	operation(s, api, op, s.preview)
}

func (s *Server) preview(ctx context.Context, in *struct {
	Body struct {
		Data     string   `json:"data" minLength:"1" maxLength:"1000" doc:"as in POST /projects"`
		Settings settings `json:"settings,omitempty" doc:"as in POST /projects"`
	}
}) (*body[Preview], error) {
	if err := s.adminsAlone(ctx); err != nil {
		return nil, err
	}
	if s.root == nil {
		return nil, kindForbidden.problem("no folder is served where data could be",
			"start kindred serve with a folder")
	}
	recipe, err := in.Body.Settings.recipe(true)
	if err != nil {
		return nil, err
	}
	p, err := recipe.Preview(ctx, input.Place{Root: s.root}, in.Body.Data, nil)
	if err != nil {
		return nil, err
	}
	out := Preview{Rows: p.Rows, Features: p.Features}
	if p.Gaps != nil {
		out.Missing = missingOf(p.Gaps, p.Features)
	}
	return &body[Preview]{out}, nil
}

func missingOf(g *dataset.Gaps, features int) *Missing {
	m := &Missing{Values: g.Values, Rows: g.Lacking}
	for _, c := range g.Columns[:min(len(g.Columns), mostMissing)] {
		m.Columns = append(m.Columns, MissingColumn{c.Name, c.Missing})
	}
	for _, way := range g.Choices {
		rows := g.Rows
		if way == dataset.MissingDrop {
			rows -= g.Lacking
		}
		m.Choices = append(m.Choices, MissingChoice{way.String(), g.About(way), rows, features})
	}
	return m
}
