package input

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/data/images"
	"github.com/kindred-go/kindred/data/keywords"
	"github.com/kindred-go/kindred/data/lsa"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// Data are objects as a method takes them. Fields, and what methods return, are not to be changed.
// Any number of goroutines may use them. Rows are numbered from 0 in the order of the prepared
// data.
type Data struct {
	Table *dataset.Table    // nil for a matrix of dissimilarities
	Ready *dataset.Prepared // vectors; nil where there are none
	// true class of each row, negative where missing; nil when there are none
	Classes []int32
	// ClassNames are their names.
	ClassNames []string
	// what rows are compared by, where a method is to take dissimilarities
	Objects method.Objects
	Dissim  dissim.Source // those; nil where none are taken

	// Words and Encoder are how texts became vectors: one of them where they did, else both are nil.
	Words   *lsa.Model
	Encoder *encode.Identity

	read     *dataset.Table // Table before vectors were put beside its features; nil: none were
	source   Source
	readBy   Source // the settings before the data settled others
	manner   manner
	place    Place
	kept     []int32         // table rows that are used, in order; nil: all
	rowOf    map[int]int     // prepared row of a table row; nil when they are the same
	matrix   matrix          // as read
	shown    []int           // columns of the table that a person may see
	vectors  map[string]int  // first column of Ready.X of a column of the table
	by       map[string]bool // columns of the table that rows are compared by
	values   bool            // the table still has its numbers
	scaledBy dataset.Scale   // of Ready
	opaque   bool            // the columns of Ready mean nothing to a person
	made     string          // what opaque vectors are of
	columns  []string        // names of their columns in a file; nil: they have none
	// fingerprint where the data are more than one file; "": that of the table or matrix
	print string
	notes []string // on vectors that were made

	askable []bool // see [Data.AskClassed]; nil: all rows

	texts  []string // of the rows, where they became vectors
	terms  lazy[keywords.Index]
	album  *images.Album // nil: no pictures in files
	images []string      // names of pictures, of the rows
	pixels sample.Sample // the sample, when its rows are pictures
}

// index finds the rows that are used by their places in the table.
func (d *Data) index() {
	if d.kept == nil {
		return
	}
	d.rowOf = make(map[int]int, len(d.kept))
	for i, row := range d.kept {
		d.rowOf[int(row)] = i
	}
}

// IsMatrix reports whether the data are dissimilarities alone.
func (d *Data) IsMatrix() bool { return d.Table == nil }

// Name is what messages call the data.
func (d *Data) Name() string {
	if d.IsMatrix() {
		return d.matrix.name
	}
	return d.Table.Name
}

// Fingerprint identifies the bytes that were read.
func (d *Data) Fingerprint() string {
	if d.print != "" {
		return d.print
	}
	if d.IsMatrix() {
		return d.matrix.Fingerprint
	}
	return d.Table.Fingerprint
}

// N counts the rows that take part.
func (d *Data) N() int {
	switch {
	case d.IsMatrix():
		return d.matrix.Rows
	case d.kept != nil:
		return len(d.kept)
	}
	return d.Table.Rows
}

// Plain reports whether the data are read as the first edition did.
func (d *Data) Plain() bool { return d.source.Plain }

// Read counts the rows before preparation.
func (d *Data) Read() int {
	if d.IsMatrix() {
		return d.matrix.Rows
	}
	return d.Table.Rows
}

// Problem is what there is to cluster, without links.
func (d *Data) Problem() method.Problem {
	p := method.Problem{Objects: d.Objects, Dissim: d.Dissim, Classes: d.Classes,
		Askable: d.askable, Threads: d.source.Threads, Open: d.place.Open}
	if d.Ready != nil {
		p.Data, p.Unit, p.Blocks = d.Ready.X, d.source.unit, d.blocks()
	}
	return p
}

// resolve finds the row of the data, before preparation, by id.
func (d *Data) resolve(id string) (int, bool) {
	if d.IsMatrix() {
		if d.matrix.Names == nil {
			return link.Numbered(d.matrix.Rows)(id)
		}
		row, ok := d.matrix.rowOf[id]
		return row, ok
	}
	return d.Table.RowOf(id)
}

// At returns the row of the table that a row was.
func (d *Data) At(row int) int {
	if d.kept == nil {
		return row
	}
	return int(d.kept[row])
}

// Of finds the row that a row of the table became; ok is false where preparation left it out.
func (d *Data) Of(tableRow int) (row int, ok bool) {
	if d.rowOf == nil {
		return tableRow, true
	}
	row, ok = d.rowOf[tableRow]
	return row, ok
}

// ID names a row.
func (d *Data) ID(row int) string {
	if d.IsMatrix() {
		if d.matrix.Names != nil {
			return d.matrix.Names[row]
		}
		return strconv.Itoa(row + 1)
	}
	return d.Table.ID(d.At(row))
}

// Row finds a row by id; ok is false when it is not among those that take part.
func (d *Data) Row(id string) (row int, ok bool) {
	row, ok = d.resolve(id)
	if !ok {
		return row, false
	}
	return d.Of(row)
}

// Links reads a file of links between rows of the data. Links to rows that preparation left out are
// not used, and the note, unless "", states how many.
func (d *Data) Links(ctx context.Context, path string) (links []link.Link, note string, err error) {
	all, err := d.readLinks(ctx, path)
	if err == nil && len(all) == 0 {
		return nil, words.Short(path) + " has no links", nil
	}
	if err != nil || d.rowOf == nil {
		return all, "", err
	}
	links = Among(all, d.rowOf)
	if dropped := len(all) - len(links); dropped > 0 {
		note = fmt.Sprintf("%s to rows that preparation left out: not used",
			words.Count(dropped, "link"))
	}
	return links, note, nil
}

func (d *Data) readLinks(ctx context.Context, path string) ([]link.Link, error) {
	if d.place.Root == nil {
		return link.ReadFile(ctx, path, d.resolve)
	}
	f, err := d.place.open(ctx, path, "a file of links")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return link.ReadFrom(ctx, f, path, d.resolve)
}

// Among returns the links between rows that are in at, in their places there.
func Among(links []link.Link, at map[int]int) []link.Link {
	var kept []link.Link
	for _, l := range links {
		a, okA := at[l.A]
		b, okB := at[l.B]
		if okA && okB {
			l.A, l.B = a, b
			kept = append(kept, l)
		}
	}
	return kept
}

// Label returns the name of the column of true classes; "" where there is none.
func (d *Data) Label() string {
	if d.IsMatrix() {
		return ""
	}
	for i := range d.Table.Columns {
		if c := &d.Table.Columns[i]; c.Role == dataset.Label {
			return c.Name
		}
	}
	return ""
}

// Notes are sentences on what was chosen for the person.
func (d *Data) Notes() []string {
	switch {
	case d.IsMatrix():
		return slices.Concat(d.matrix.Notes, d.notes)
	case d.opaque:
		return slices.Concat(withoutLevels(WithoutFeatures(d.Table.Notes)), d.notes, d.Ready.Notes)
	case d.Ready != nil:
		return slices.Concat(d.Table.Notes, d.notes, d.Ready.Notes)
	case d.Objects.Gower != nil:
		var names []string
		for _, c := range d.Objects.Gower.Columns {
			names = append(names, words.Short(c.Name))
		}
		return slices.Concat(d.Table.Notes, []string{"compared by " + words.UpTo(names, 8)},
			d.left())
	}
	// what is no feature does not matter
	return slices.Concat(withoutLevels(WithoutFeatures(d.Table.Notes)), d.notes, d.left())
}

// left counts the rows that lack what is compared.
func (d *Data) left() []string {
	if left := d.Read() - d.N(); left > 0 {
		return []string{dataset.DroppedNote(left)}
	}
	return nil
}

// WithoutFeatures takes out the notes of a table that speak of features.
func WithoutFeatures(notes []string) []string {
	return slices.DeleteFunc(slices.Clone(notes),
		func(n string) bool { return strings.HasPrefix(n, "not a feature") })
}

// withoutLevels takes out the notes of a table that speak of the levels of its categories.
func withoutLevels(notes []string) []string {
	return slices.DeleteFunc(slices.Clone(notes), func(n string) bool {
		return strings.HasPrefix(n, "column ") && strings.Contains(n, " a column each, and the ")
	})
}

// What describes what the rows are and how they are compared, for a summary.
func (d *Data) What() string {
	switch {
	case d.IsMatrix():
		return "a matrix of dissimilarities"
	case d.Objects.Texts != nil:
		return fmt.Sprintf("texts in %s, compared by %s", d.source.Text, d.Objects.Metric)
	case d.Objects.Series != nil:
		return fmt.Sprintf("series in %s, compared by %s", d.source.Series, d.Objects.Metric)
	case d.Objects.Gower != nil:
		return fmt.Sprintf("%s, compared by gower",
			words.Count(len(d.Objects.Gower.Columns), "column"))
	case d.Ready == nil:
		return fmt.Sprintf("compared by %s", d.Objects.Metric)
	}
	text := words.Count(d.Ready.X.Cols, "feature")
	if d.read != nil {
		text = fmt.Sprintf("%s beside %s", words.Count(len(d.beside()), "column"), d.made)
	}
	switch {
	case d.opaque:
		text = d.made
	case d.scaledBy == dataset.ScaleNone:
		text += ", not scaled"
	default:
		text += ", scaled by " + d.scale()
	}
	if d.source.unit {
		text += ", at unit length"
	}
	if d.Objects.Metric != "" {
		text += fmt.Sprintf(", compared by %s", d.Objects.Metric)
	}
	return text
}

// scale is how features are scaled, by name.
func (d *Data) scale() string { return d.scaledBy.String() }

// Opaque reports whether the columns of Ready mean nothing to a person, as those of texts and
// pictures, and of arrays that are taken as vectors.
func (d *Data) Opaque() bool { return d.opaque || d.Table != nil && d.Table.Embedding() }

// Encoded reports whether texts became vectors.
func (d *Data) Encoded() bool { return d.Words != nil || d.Encoder != nil }

// beside names the features that stand beside vectors of texts.
func (d *Data) beside() (names []string) {
	if d.read == nil {
		return nil
	}
	for _, name := range d.Ready.Encoding.Sources() {
		if c := d.Table.Column(name); c >= 0 && d.Table.Columns[c].Vector == "" {
			names = append(names, name)
		}
	}
	return names
}

// Placeable reports whether a model can place other objects among these: not where pictures were
// described, which is done among each other.
func (d *Data) Placeable() bool {
	return !d.opaque && d.read == nil || d.Encoded() || d.source.Embedding != "" ||
		d.source.Vectors != ""
}

// Sign records in a model how it was made; nil is none.
func (d *Data) Sign(m *method.Model, by method.Method) {
	if m == nil {
		return
	}
	m.Method = by.Name
	m.Vectors = d.source.Vectors
	if d.Ready != nil {
		m.Encoding = d.Ready.Encoding
		if d.Table != nil {
			if r := d.Table.Reading(); !r.Empty() {
				m.Encoding.Reading = &r
			}
		}
	}
	if d.Encoded() {
		// Only rows with a text became vectors, so that none of those lacked a value.
		if d.source.Missing == dataset.MissingDrop.String() {
			m.Encoding.Missing = dataset.MissingDrop
		}
		m.Texts = &method.Texts{Column: d.source.Text, Words: d.Words, Encoder: d.Encoder,
			Beside: d.beside()}
	}
}
