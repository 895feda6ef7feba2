package studio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync"

	"github.com/danielgtaylor/huma/v2"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/input"
)

type (
	// Preview is what a project would be begun on.
	Preview struct {
		Rows     int      `json:"rows" doc:"that take part"`
		Features int      `json:"features" doc:"columns of numbers that rows are compared by, a category having one for each of its values; 0 where they are compared otherwise"`
		Missing  *Missing `json:"missing,omitempty" doc:"values that are missing, where the setting missing does not say what to do about them: a project cannot be begun without"`
		Problem  string   `json:"problem,omitempty" doc:"why a project cannot be begun by these settings, other than for missing values"`
		Settings []string `json:"settings,omitempty" doc:"that the problem names: one of them is to be changed, as a rule"`

		Kind       string   `json:"kind" enum:"table,matrix,series,texts,pictures,embedding" doc:"what the data are"`
		Format     string   `json:"format,omitempty" doc:"of a table, as the setting format has it"`
		Parts      *Parts   `json:"parts,omitempty" doc:"of the file, where the table is one of them"`
		Read       int      `json:"read" doc:"objects in the data"`
		Duplicates int      `json:"duplicates" doc:"rows equal to an earlier one in what is compared"`
		Notes      []string `json:"notes" doc:"what was found or chosen"`
		Suspicions []string `json:"suspicions" doc:"what may be wrong with the data as a whole"`

		Facts     []Fact   `json:"facts" doc:"on what is compared, where that is no table"`
		Examples  []string `json:"examples" doc:"texts, or names of pictures"`
		Measured  string   `json:"measured,omitempty" doc:"what histogram counts, as the lengths of texts"`
		Low       string   `json:"low,omitempty"`
		High      string   `json:"high,omitempty"`
		Histogram []int    `json:"histogram" doc:"of what is measured, in equal parts from low to high"`

		Compared int      `json:"compared" doc:"columns of the table that rows are compared by"`
		By       []string `json:"by" doc:"their names, of at most three columns"`
		Chosen   string   `json:"chosen,omitempty" doc:"what is compared that no setting names, and what is left out for that"`
		Columns  []Column `json:"columns" doc:"of the table, those asked for"`
		Found    int      `json:"found" doc:"columns whose names have what was to be found"`
		Width    int      `json:"width" doc:"columns of the table"`
	}
	// Parts are what a file holds of which one is read.
	Parts struct {
		What    string   `json:"what" enum:"sheet,array,table"`
		Setting string   `json:"setting" enum:"sheet,table" doc:"that chooses one by its name"`
		Names   []string `json:"names" doc:"at most 1000"`
		Chosen  string   `json:"chosen,omitempty" doc:"the one that is read; left out where none is chosen"`
	}
	// Fact is something that is known of data.
	Fact struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	// Column is what a column of a table was taken for, and what it holds.
	Column struct {
		Name       string   `json:"name"`
		Type       string   `json:"type" doc:"number, boolean, category, text, time, or vectors"`
		Width      int      `json:"width,omitempty" doc:"of vectors: their numbers"`
		Role       string   `json:"role" doc:"feature, id, label, unused; or text, series or images, where rows are compared by it alone"`
		Why        string   `json:"why,omitempty" doc:"it was taken for that, as a clause about the column"`
		Missing    int      `json:"missing"`
		Distinct   int      `json:"distinct,omitempty" doc:"different values; 0 where they were not counted"`
		Low        string   `json:"low,omitempty" doc:"of numbers and dates"`
		High       string   `json:"high,omitempty"`
		Mean       string   `json:"mean,omitempty"`
		Histogram  []int    `json:"histogram,omitempty" doc:"of numbers: equal parts from low to high"`
		Examples   []Value  `json:"examples,omitempty" doc:"the most frequent values, or the first"`
		Suspicions []string `json:"suspicions,omitempty" doc:"what may be wrong with the values, a clause each"`
	}
	// Value is a value of a column.
	Value struct {
		Value string `json:"value"`
		Rows  int    `json:"rows,omitempty" doc:"that have it; 0 where they were not counted"`
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
		Features int    `json:"features" doc:"0 where they are not known"`
	}
	// Looking is how far a preview is.
	Looking struct {
		What  string  `json:"what" doc:"is being done; empty where nothing is"`
		Share float64 `json:"share" doc:"of it that is done, in [0, 1]; below 0: nobody knows how much there is"`
	}
)

// mostMissing is how many columns are listed that lack values.
const mostMissing = 50

// longestShown bounds a text among examples, in characters.
const longestShown = 200

// looks are the previews under way, and the last one that was made.
type looks struct {
	mu    sync.Mutex
	going map[string]Looking // by person
	of    string             // request that last answers, without the columns asked for
	last  *input.Preview
}

// previewCalls registers what looks at data before a project is begun.
func (s *Server) previewCalls(api huma.API) {
	op := call("preview", "POST /preview", "projects", "What would become of data")
	op.Description = "The data are read, and nothing is kept. It lists what each column was taken " +
		"for. Where values are missing, it lists what the setting missing can be and what follows " +
		"from it. A client that goes away ends the reading."
	operation(s, api, op, s.preview)
	operation(s, api, call("previewing", "GET /preview", "projects",
		"How far the preview that the person asked for is"),
		func(ctx context.Context, _ *struct{}) (*body[Looking], error) {
			s.looks.mu.Lock()
			defer s.looks.mu.Unlock()
			return &body[Looking]{s.looks.going[asking(ctx).name]}, nil
		})
}

func (s *Server) preview(ctx context.Context, in *struct {
	Body struct {
		Data     string   `json:"data" minLength:"1" maxLength:"1000" doc:"as in POST /projects"`
		Settings settings `json:"settings,omitempty" doc:"as in POST /projects"`
		Find     string   `json:"find,omitempty" maxLength:"200" doc:"a part of the names of the columns to list"`
		Offset   int      `json:"offset,omitempty" minimum:"0" doc:"columns to pass over"`
		Limit    int      `json:"limit,omitempty" minimum:"1" maximum:"1000" doc:"columns at most; 200 where it is left out"`
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
	p, err := s.lookAt(ctx, recipe, in.Body.Data, in.Body.Settings)
	if err != nil {
		return nil, err
	}
	out := previewOf(p)
	out.list(p, in.Body.Find, in.Body.Offset, in.Body.Limit)
	return &body[Preview]{out}, nil
}

// lookAt previews data, or returns the last preview where it was of the same.
func (s *Server) lookAt(ctx context.Context, recipe *input.Recipe, data string,
	given settings) (*input.Preview, error) {
	who := asking(ctx).name
	place := input.Place{Root: s.root}
	of := s.sameData(place, recipe, data, given)
	s.looks.mu.Lock()
	last, same := s.looks.last, of != "" && of == s.looks.of
	s.looks.mu.Unlock()
	if same {
		return last, nil
	}
	defer s.looks.set(who, Looking{})
	p, err := recipe.Preview(ctx, place, data, func(what string, share float64) {
		if !(share >= 0) {
			share = -1
		}
		s.looks.set(who, Looking{what, share})
		if s.progress != nil {
			s.progress(what, share)
		}
	})
	if err != nil {
		return nil, err
	}
	s.looks.mu.Lock()
	defer s.looks.mu.Unlock()
	s.looks.of, s.looks.last = of, p
	return p, nil
}

func (l *looks) set(who string, now Looking) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.going == nil {
		l.going = make(map[string]Looking)
	}
	l.going[who] = now
}

// sameData returns what a preview depends on, "" where it may depend on more than one file.
func (s *Server) sameData(place input.Place, recipe *input.Recipe, data string,
	given settings) string {
	path, where, err := place.Locate(data)
	if err != nil || len(recipe.Files()) > 0 || recipe.Images != "" {
		return ""
	}
	switch where {
	case input.InSample:
		return fmt.Sprintf("%q %q", data, given)
	case input.InFile:
		if _, err := fs.Stat(s.root.FS(), path+"-wal"); !errors.Is(err, fs.ErrNotExist) {
			return "" // the log of a database changes what is read
		}
		if info, err := fs.Stat(s.root.FS(), path); err == nil {
			return fmt.Sprintf("%q %q %d %v", data, given, info.Size(), info.ModTime())
		}
	}
	return ""
}

func previewOf(p *input.Preview) Preview {
	f := p.Profile
	out := Preview{Rows: p.Rows, Features: p.Features, Kind: string(f.Kind), Format: f.Format,
		Read: f.Rows, Duplicates: f.Duplicates, Notes: list(f.Notes),
		Suspicions: list(f.Suspicions), Facts: []Fact{}, Examples: []string{},
		Measured: f.Measured, Low: f.Low, High: f.High, Histogram: list(f.Histogram),
		Chosen: f.Chosen, Parts: partsOf(f.Parts)}
	if p.Gaps != nil {
		out.Missing = missingOf(p.Gaps, p.Features)
	}
	if p.Problem != nil {
		out.Problem = asProblem(p.Problem).Detail
		if asProblem(p.Problem).Status == 500 { // a sentence of the profile
			out.Problem = p.Problem.Error()
		}
		out.Settings = settingsIn(out.Problem)
	}
	for _, fact := range f.Facts {
		out.Facts = append(out.Facts, Fact(fact))
	}
	for _, text := range f.Examples {
		out.Examples = append(out.Examples, cut(text))
	}
	return out
}

// mostParts is how many parts of a file are listed.
const mostParts = 1000

func partsOf(p *dataset.Parts) *Parts {
	if p == nil {
		return nil
	}
	return &Parts{What: p.What, Setting: p.Setting(), Chosen: p.Chosen,
		Names: list(p.Names[:min(len(p.Names), mostParts)])}
}

// list returns a list that JSON does not have as null.
func list[T any](of []T) []T {
	if of == nil {
		return []T{}
	}
	return of
}

// cut shortens a text among examples.
func cut(text string) string { return words.Cut(text, longestShown) }

// mostNamed is how many of the columns that rows are compared by are named.
const mostNamed = 3

// list takes the columns that are asked for, and counts those that rows are compared by.
func (p *Preview) list(from *input.Preview, find string, offset, limit int) {
	columns := from.Profile.Columns
	if limit == 0 {
		limit = 200
	}
	p.Width, p.Columns, p.By = len(columns), []Column{}, []string{}
	for i := range columns {
		if columns[i].Role == dataset.Feature.String() {
			if p.Compared++; p.Compared <= mostNamed {
				p.By = append(p.By, cut(columns[i].Name))
			}
		}
	}
	find = strings.ToLower(find)
	for i := range columns {
		c := &columns[i]
		if !strings.Contains(strings.ToLower(c.Name), find) {
			continue
		}
		if p.Found++; p.Found <= offset || len(p.Columns) == limit {
			continue
		}
		one := Column{Name: c.Name, Type: c.Type, Width: c.Width, Role: c.Role, Why: c.Why,
			Missing: c.Missing, Distinct: c.Distinct, Low: cut(c.Low), High: cut(c.High),
			Mean: c.Mean, Histogram: c.Histogram, Suspicions: c.Suspicions}
		if c.Name == from.Column {
			one.Role = from.As
		}
		for _, v := range c.Examples {
			one.Examples = append(one.Examples, Value{cut(v.Value), v.Rows})
		}
		p.Columns = append(p.Columns, one)
	}
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
