package studio

import (
	"cmp"
	"context"
	"encoding/csv"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/plot/gallery"
	"github.com/kindred-go/kindred/project"
)

// exportKinds are the content types of what can be exported, by its extension.
var exportKinds = map[string]string{
	".csv": "text/csv; charset=utf-8", ".jsonl": "application/jsonl",
	".parquet": "application/vnd.apache.parquet",
	".svg":     "image/svg+xml", ".png": "image/png", ".json": "application/json",
	extension: "application/vnd.sqlite3",
}

// mostExports is how many files may be made and downloaded at once: each takes memory to make, and
// disk until it is sent.
const mostExports = 16

// look is how a picture is drawn: the name of the gallery, and the layout; "" are the defaults.
type look struct {
	kind   string
	layout method.Layout
}

// export writes one kind of file to path, and pictures as they are to look.
type export func(ctx context.Context, d *project.Project, as look, path string) error

// exports are what can be exported, by file name.
var exports = map[string]export{
	"objects.csv":   writeObjects,
	"partition.csv": writePartition, "partition.parquet": writePartition,
	"partition.jsonl": writePartition,
	"answers.csv":     writeAnswers, "answers.jsonl": writeAnswers, "history.csv": writeHistory,
	"picture.svg": writePicture, "picture.png": writePicture,
	"model.json": writeModel,
	"project.kindred": func(ctx context.Context, d *project.Project, _ look, path string) error {
		return d.Copy(ctx, path)
	},
}

func (s *Server) exportCalls(api huma.API) {
	op := call("export", "GET /projects/{p}/exports/{file}", "results", "Download a file",
		"Answers are links as kindred reads them again. In CSV, cells that a spreadsheet would run "+
			"as formulas have an apostrophe in front.")
	op.Responses = map[string]*huma.Response{"200": {Description: "The file",
		Content: map[string]*huma.MediaType{}}}
	for _, kind := range exportKinds {
		kind, _, _ = strings.Cut(kind, ";")
		schema := binarySchema()
		if kind == "application/json" {
			schema = &huma.Schema{Type: huma.TypeObject, AdditionalProperties: true}
		}
		op.Responses["200"].Content[kind] = &huma.MediaType{Schema: schema}
	}
	onProject(s, api, op, func(ctx context.Context, v visit, in *struct {
		InProject
		File   string `path:"file" enum:"objects.csv,partition.csv,partition.parquet,partition.jsonl,answers.csv,answers.jsonl,history.csv,picture.svg,picture.png,model.json,project.kindred"`
		Kind   string `query:"kind" maxLength:"100" doc:"of a picture: one of /pictures, with its argument, as in focal:1+2; without it, the default that they name"`
		Layout string `query:"layout" enum:"pca,mds,neighbours" doc:"of a picture: how rows are brought into the plane; without it, pca for vectors and mds for other objects"`
	}) (*stream, error) {
		return s.exported(ctx, v.Project, in.File, look{in.Kind, method.Layout(in.Layout)})
	})
}

// exported writes a file to a folder of its own, whole, and then sends it: errors are reported
// before the first byte, and no client holds anything open but the file.
func (s *Server) exported(ctx context.Context, d *project.Project, file string, as look) (*stream,
	error) {
	if !s.exports.enter() {
		return nil, kindBusy.problem("too many files are being downloaded",
			"wait until some are done")
	}
	folder, err := os.MkdirTemp("", "kindred-export-")
	done := func() {
		os.RemoveAll(folder)
		s.exports.leave()
	}
	sent := false
	defer func() {
		if !sent {
			done()
		}
	}()
	if err != nil {
		return nil, fault.Writing(os.TempDir(), err)
	}
	path := filepath.Join(folder, file)
	if err := exports[file](ctx, d, as, path); err != nil {
		return nil, err
	}
	sent = true
	return &stream{func(c huma.Context) {
		defer done()
		r, w := humago.Unwrap(c)
		f, err := os.Open(path)
		if err != nil {
			panic(err) // nothing was sent yet: it becomes an error like others
		}
		defer f.Close()
		h := w.Header()
		h.Set("Content-Type", exportKinds[filepath.Ext(file)])
		h.Set("Content-Disposition",
			mime.FormatMediaType("attachment",
				map[string]string{"filename": fileName(d.ID(), file)}))
		// A picture is markup: should it be opened in a browser after all, it may do nothing there.
		h.Set("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
		http.NewResponseController(w).SetWriteDeadline(time.Now().Add(10 * time.Minute))
		http.ServeContent(w, r, "", time.Time{}, f)
	}}, nil
}

// fileName names a download after its project, in characters that every system takes.
func fileName(id, file string) string {
	name := strings.Map(func(r rune) rune {
		if r < unicode.MaxASCII &&
			(unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_') {
			return r
		}
		return '_'
	}, id)
	name = strings.Trim(name, "_")
	if file == "project"+extension && name != "" {
		return name + extension
	}
	return strings.TrimPrefix(name[:min(len(name), 100)]+"-"+file, "-")
}

func writePartition(ctx context.Context, d *project.Project, _ look, path string) error {
	out, _, err := d.Outcome(ctx)
	if err != nil {
		return err
	}
	if out.Credal != nil {
		return credal.WriteFile(path, out.Credal, d.Data().ID, out.Columns...)
	}
	return partition.WriteFile(path, out.Labels, d.Data().ID, out.Columns...)
}

// writeObjects writes the table that most people want: a line for each object with its group, the
// name of that, how certain it is, and the columns that the data came with.
func writeObjects(ctx context.Context, d *project.Project, _ look, path string) error {
	placed, err := d.Placed(ctx)
	if err != nil {
		return err
	}
	names, cells := d.Data().Columns()
	header := []string{partition.IDColumn, partition.ClusterColumn, "name", "certainty"}
	for _, name := range names {
		for slices.Contains(header, name) {
			name += "_data"
		}
		header = append(header, safe.Guard(name))
	}
	return atomicfile.Write(path, func(to io.Writer) error {
		w := csv.NewWriter(to)
		w.Write(header) // errors come with Flush
		for row, p := range placed {
			if row%1024 == 0 && ctx.Err() != nil {
				return ctx.Err()
			}
			record := []string{safe.Guard(d.Data().ID(row)), strconv.Itoa(p.Cluster),
				safe.Guard(p.Name), strconv.FormatFloat(float64(p.Certainty), 'f', 3, 32)}
			for _, cell := range cells(row) {
				record = append(record, safe.Guard(cell))
			}
			w.Write(record)
		}
		w.Flush()
		return w.Error()
	})
}

// answers returns the links that were answered, as they count, without those given with the data.
func answers(d *project.Project) ([]link.Link, error) {
	all := d.Effective()
	links := make([]link.Link, 0, len(all))
	for _, l := range all[min(d.Given(), len(all)):] {
		kind, err := link.ParseKind(l.Link)
		if err != nil {
			return nil, err
		}
		links = append(links,
			link.Link{A: l.A.Row, B: l.B.Row, Kind: kind, Plausibility: l.Plausibility,
				Source: l.Source})
	}
	return links, nil
}

func writeAnswers(_ context.Context, d *project.Project, _ look, path string) error {
	links, err := answers(d)
	if err != nil {
		return err
	}
	return link.WriteFile(path, links, d.Data().ID)
}

// historyColumns are those of history.csv.
var historyColumns = []string{"seq", "at", "who", "step", "a", "b", "question", "why", "target",
	"batch", "doubt", "repeat", "text", "in_effect"}

func writeHistory(ctx context.Context, d *project.Project, _ look, path string) error {
	_, total := d.History(0, 0)
	events, _ := d.History(0, total)
	return atomicfile.Write(path, func(to io.Writer) error {
		w := csv.NewWriter(to)
		w.Write(historyColumns)                     // errors come with Flush
		for _, e := range slices.Backward(events) { // the first one first
			w.Write(historyRecord(e))
		}
		w.Flush()
		return cmp.Or(ctx.Err(), w.Error())
	})
}

// historyRecord writes an event in the columns of history.csv.
func historyRecord(e project.Event) []string {
	id := func(o *project.Object) string {
		if o == nil {
			return ""
		}
		return safe.Guard(o.ID)
	}
	number := func(n int64) string {
		if n == 0 {
			return ""
		}
		return strconv.FormatInt(n, 10)
	}
	return []string{
		strconv.FormatInt(e.Seq, 10), e.At.UTC().Format(time.RFC3339Nano), safe.Guard(e.Who),
		e.Step, id(e.A), id(e.B), number(int64(e.Question)),
		safe.Guard(e.Why), number(e.Target), number(e.Batch), strconv.FormatBool(e.Doubt),
		strconv.FormatBool(e.Repeat), safe.Guard(e.Text), strconv.FormatBool(e.InEffect),
	}
}

func writeModel(ctx context.Context, d *project.Project, _ look, path string) error {
	out, err := d.Signed(ctx)
	if err != nil {
		return err
	}
	if out.Model == nil {
		return kindNotFound.problem("the groups make no model that could place new rows",
			"export the partition")
	}
	return model.Save(out.Model, path)
}

// PictureOffer is a picture of the groups, and whether it can be drawn of them as they stand.
type PictureOffer struct {
	Name     string `json:"name" doc:"as the kind of exports/picture.svg and .png"`
	Title    string `json:"title"`
	Argument string `json:"argument,omitempty" doc:"what follows the name after a colon"`
	Example  string `json:"example,omitempty" doc:"kinds with an argument"`
	Default  bool   `json:"default,omitempty" doc:"it is drawn where no kind is given"`
	Lacks    string `json:"lacks,omitempty" doc:"why it cannot be drawn; absent: it can"`
}

// PictureOffers are all pictures.
type PictureOffers struct {
	Pictures []PictureOffer `json:"pictures"`
}

// pictureCalls registers which pictures there are.
func (s *Server) pictureCalls(api huma.API) {
	show(s, api, call("pictures", "GET /projects/{p}/pictures", "results",
		"Which pictures can be drawn of the groups"),
		func(ctx context.Context, v visit, _ *InProject) (PictureOffers, error) {
			scene, err := v.Scene(ctx)
			if err != nil {
				return PictureOffers{}, err
			}
			list := []PictureOffer{}
			for _, o := range gallery.Offers(scene) {
				p := PictureOffer{Name: o.Name, Title: o.Title, Argument: o.Argument,
					Example: o.Example, Default: o.Default}
				if o.Lacks != nil {
					p.Lacks = o.Lacks.Error()
				}
				list = append(list, p)
			}
			return PictureOffers{list}, nil
		})
}

// writePicture draws the groups.
func writePicture(ctx context.Context, d *project.Project, as look, path string) error {
	scene, err := d.Scene(ctx)
	if err != nil {
		return err
	}
	scene.Layout = as.layout
	fig, err := gallery.Draw(ctx, scene, as.kind)
	if err != nil {
		return err
	}
	return fig.Save(path)
}
