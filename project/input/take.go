package input

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/method"
)

// Open reads DATA as the method of the recipe takes them, all cells kept to be shown. What the data
// decide, the method and how texts are compared, it settles in the recipe. progress may be nil.
// Settings that do not go together are a [fault.Setting]; what is wrong with
// the data is a [*fault.Input].
func Open(ctx context.Context, place Place, name string, r *Recipe, progress Progress) (*Data,
	error) {
	if _, err := r.Asking(); err != nil {
		return nil, err
	}
	if err := place.lasting(name); err != nil {
		return nil, err
	}
	return r.Take(ctx, place, name, Manner{Choose: r.Asking, Keep: true}, progress)
}

// Manner is how DATA are taken.
type Manner struct {
	// Choose returns the method, once the recipe is settled by a look at the data.
	Choose  func() (*method.Configured, error)
	Keep    bool // hold all cells, to be shown
	Consume bool // prepare features in the place that they were read into
	// Before are the same DATA as they were taken before, with all cells kept and none consumed.
	// What the settings leave as it was is not read again.
	Before *Data
}

// Take reads DATA as a method takes them.
func (r *Recipe) Take(ctx context.Context, place Place, name string, how Manner,
	progress Progress) (*Data, error) {
	r.anchor(place)
	r.uncounted = place.Memory != nil // a program that wants to know has its means
	var t *dataset.Table
	gone := false // the texts of a stream
	if _, where, err := place.Locate(name); err != nil {
		return nil, err
	} else if !r.Square && where != InFolder {
		if b := how.Before; b != nil && r.readsAs(&b.readBy) {
			if t = b.Table; b.read != nil {
				t = b.read
			}
		} else {
			keep := how.Keep || r.shows()
			if t, err = r.Read(ctx, place, name, keep, progress); err != nil {
				return nil, err
			}
			if alone := !keep && r.textsAlone(t); where == InStream { // which is read to its end
				gone = alone
			} else if alone {
				if t, err = r.Read(ctx, place, name, true, progress); err != nil {
					return nil, err
				}
			}
		}
	}
	readBy := r.Source
	if t != nil {
		r.settle(t)
	}
	m, err := how.Choose()
	if err != nil {
		return nil, err
	}
	if m == nil { // the data do not decide
		m = &method.Configured{}
	} else if r.Scale == "" && m.Value("likelihood") == "multinomial" {
		r.Scale = "none" // counts are taken as they are
	}
	if r.Vectors(m.Method) {
		if err := r.chooseEncoder(ctx, t); err != nil {
			return nil, err
		}
	}
	r.unit = m.Cosine && !m.Dissimilarity && r.cosine() && !r.scaled
	by := manner{how.Keep, how.Consume, m.Dissimilarity, r.Vectors(m.Method)}
	if b := how.Before; b != nil && b.manner == by && reflect.DeepEqual(b.source, r.Source) {
		return b, nil
	}
	d, err := r.take(ctx, place, name, t, by, progress)
	if err != nil {
		return nil, err
	}
	d.readBy, d.manner = readBy, by
	if t != nil {
		if what, instead := readBy.fewCompared(t); what != "" {
			d.notes = append([]string{what + instead}, d.notes...)
		}
	}
	if r.found {
		d.notes = append([]string{foundTexts(d.Table, r.Text)}, d.notes...)
	}
	if gone {
		d.notes = append(d.notes,
			"texts of standard input are compared only where --text names their column")
	}
	return d, nil
}

// VectorsOf returns the rows of a table that was read from DATA as vectors: its features, or its
// texts where a column of them is named, or nothing else can be compared. These are read again
// where their cells were not kept.
func (s Source) VectorsOf(ctx context.Context, place Place, name string, t *dataset.Table,
	progress Progress) (*Data, error) {
	found := false
	if s.Text == "" && s.textsAlone(t) {
		kept := t
		if column := prose(t); column < 0 {
			_, where, err := place.Locate(name)
			if err != nil {
				return nil, err
			}
			if where != InStream {
				if kept, err = s.Read(ctx, place, name, true, progress); err != nil {
					return nil, err
				}
			}
		}
		if column := s.texts(kept); column >= 0 {
			t, s.Text, found = kept, kept.Columns[column].Name, true
		}
	}
	if s.Text == "" {
		return s.Prepare(ctx, t, true)
	}
	d, err := s.take(ctx, place, name, t, manner{vectors: true}, progress)
	if err == nil && found {
		d.notes = append([]string{foundTexts(t, s.Text)}, d.notes...)
	}
	return d, err
}

// anchor makes paths whole where they are seen from a root, so that a project keeps where they
// lead.
func (r *Recipe) anchor(place Place) {
	if place.Root == nil {
		return
	}
	for _, p := range r.methodParams() {
		if text := r.params[p.Name]; isFile(p, text) {
			r.params[p.Name] = place.whole(text)
		}
	}
	for _, file := range []*string{&r.Links, &r.Labels, &r.Embedding, &r.Pictures} {
		*file = place.whole(*file)
	}
	if p, _ := r.data.Lookup("encoder"); isFile(p, r.Encoder) {
		r.Encoder = place.whole(r.Encoder)
	}
}

// readsAs reports whether a table that was read by other settings is what these would read.
func (s *Source) readsAs(o *Source) bool {
	lists := func(s *Source) bool { return s.Text != "" || s.Series != "" || s.AsTexts }
	return s.ID == o.ID && s.Label == o.Label && s.Format == o.Format &&
		s.InflateLimit == o.InflateLimit && lists(s) == lists(o) &&
		s.Delimiter == o.Delimiter && s.Decimal == o.Decimal && s.Encoding == o.Encoding &&
		s.DateOrder == o.DateOrder && s.Dates == o.Dates && slices.Equal(s.NA, o.NA) &&
		slices.Equal(s.Types, o.Types) && s.Vectors == o.Vectors &&
		s.Levels == o.Levels && s.Plain == o.Plain && s.earlier == o.earlier &&
		s.Sheet == o.Sheet && s.Table == o.Table && s.Query == o.Query &&
		slices.Equal(s.Features, o.Features) && slices.Equal(s.Drop, o.Drop)
}

// manner reports how DATA are taken.
type manner struct {
	keep, consume bool
	dissimilar    bool // the method takes dissimilarities
	vectors       bool // texts become vectors
}

// take reads DATA; t is their table where it is read already.
func (s *Source) take(ctx context.Context, place Place, name string, t *dataset.Table, how manner,
	progress Progress) (*Data, error) {
	m, err := s.Compared()
	if err != nil {
		return nil, err
	}
	if s.Square {
		return s.matrix(ctx, place, name, progress)
	}
	path, where, err := place.Locate(name)
	if err != nil {
		return nil, err
	}
	if t == nil && where != InFolder {
		if t, err = s.Read(ctx, place, name, how.keep || s.shows(), progress); err != nil {
			return nil, err
		}
	}
	if how.vectors {
		if err := s.chooseEncoder(ctx, t); err != nil {
			return nil, err
		}
	}
	d := &Data{Table: t, source: *s, place: place, values: true}
	switch {
	case where == InFolder && s.shows():
		return nil, folderOfPictures(name)
	case where == InFolder:
		err = d.readFolder(ctx, path, progress)
	case s.Images != "":
		err = d.readImages(ctx, path, where, progress)
	case s.Text != "" && (how.vectors || s.Embedding != ""):
		err = d.readTexts(ctx, progress)
	case s.Embedding != "":
		err = d.adoptEmbedding(ctx, nil, progress)
	case s.vectorsAlone() && (!how.dissimilar || m.OfVectors()):
		err = d.adoptColumn(ctx)
	case !how.dissimilar || m.OfVectors():
		d, err = s.Prepare(ctx, t, how.consume)
	default:
		if d, err = s.compare(t, m); err == nil {
			d.place = place
		}
		return d, err
	}
	if err != nil {
		return nil, Placed(err, filepath.ToSlash(path))
	}
	d.place = place
	if !how.dissimilar {
		return d, nil
	}
	if !m.OfVectors() {
		m = dissim.Euclidean
	}
	if m == dissim.Cosine && d.texts == nil && !s.Plain && !s.scaled {
		if err := dataset.CheckDirections(ctx, d.Name(), d.Ready.X, d.ID, s.Threads); err != nil {
			return nil, err
		}
	}
	d.Objects = method.Objects{Comparison: method.Comparison{Metric: m}, Rows: d.Ready.X}
	if note := notBinary(m, d.Ready, d.scale()); note != "" {
		d.Ready.Notes = append(d.Ready.Notes, note)
	}
	d.Dissim, err = d.Objects.Source()
	return d, Placed(err, d.Name())
}

func folderOfPictures(name string) error {
	return fault.Settingf("%s is taken for a folder of pictures, since it has pictures or no .txt "+
		"files: leave out --text, --series and --images, or name a folder of .txt files", name)
}

// compare compares the rows of a table as texts, as series or by gower.
func (s *Source) compare(t *dataset.Table, m dissim.Metric) (*Data, error) {
	missing, err := s.missing()
	if err != nil {
		return nil, err
	}
	d := &Data{Table: t, source: *s, values: true}
	c := method.Comparison{Metric: m, Column: s.Text + s.Series, Band: s.Band, EditCost: s.EditCost,
		Missing: missing}
	if c.Weights, err = s.weights(); err != nil {
		return nil, err
	}
	if d.Objects, d.kept, err = method.ObjectsOf(t, c, nil); err != nil {
		return nil, err
	}
	d.index()
	d.view()
	if err := d.classify(); err != nil {
		return nil, err
	}
	d.Dissim, err = d.Objects.Source()
	return d, Placed(err, t.Name)
}
