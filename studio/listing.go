package studio

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project"
)

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

// Sources are what a project can be begun on.
type Sources struct {
	Sources []Source `json:"sources"`
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
