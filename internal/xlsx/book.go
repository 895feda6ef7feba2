// Package xlsx reads the sheets of an Excel workbook (Office Open XML, ECMA-376) row by row. It
// takes values alone: of a formula its stored result, of a number format whether it shows dates.
package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/internal/memory"
)

// Book is a workbook.
type Book struct {
	Sheets []Sheet // with cells, in the order of the workbook; charts are left out

	files   map[string]*zip.File
	limit   int64 // bytes that parts may inflate to
	taken   int64 // bytes of what all sheets share
	left    *memory.Budget
	strings texts
	styles  []form // of cells, by their style
	y1904   bool   // days are counted from 1904
}

// Sheet is a sheet with cells.
type Sheet struct {
	Name   string
	Hidden bool
	part   string
}

// ErrNotBook reports a zip archive that holds no workbook.
var ErrNotBook = errors.New("holds no workbook")

// TooLarge is the error of a workbook whose parts state, or whose cells have, more bytes than are
// allowed.
type TooLarge struct{ Limit int64 }

func (e TooLarge) Error() string {
	return "inflates to more than " + strconv.FormatInt(e.Limit, 10) + " bytes"
}

// Open reads what is common to all sheets. Parts that state that they inflate to more than limit
// bytes together are refused before any is read.
func Open(archive *zip.Reader, limit int64) (*Book, error) {
	b := &Book{files: make(map[string]*zip.File, len(archive.File)), limit: limit,
		left: memory.NewBudget()}
	total := uint64(0)
	for _, f := range archive.File {
		b.files[strings.TrimPrefix(f.Name, "/")] = f
		if path.Ext(f.Name) != ".xml" && path.Ext(f.Name) != ".rels" {
			continue // pictures and the like are never inflated
		}
		// no overflow: both are at most limit
		if f.UncompressedSize64 > uint64(limit) || total > uint64(limit)-f.UncompressedSize64 {
			return nil, TooLarge{limit}
		}
		total += f.UncompressedSize64
	}
	root, ok := b.related("", "officeDocument")
	if !ok {
		return nil, ErrNotBook
	}
	if err := b.readBook(root); err != nil {
		return nil, err
	}
	for _, common := range []struct {
		kind string
		read func(*part) error
	}{{"styles", b.readStyles}, {"sharedStrings", b.readStrings}} {
		if name, ok := b.related(root, common.kind); ok {
			if err := b.read(name, common.read); err != nil {
				return nil, err
			}
		}
	}
	return b, nil
}

// take counts so many bytes more of what all sheets share, and returns an error where there is no
// memory for as many again.
func (b *Book) take(n int) error {
	b.taken += int64(n)
	b.left.Take(int64(n))
	if in := b.left.Check(float64(b.taken), "the texts and styles of the workbook",
		"save the sheet as CSV, or use a machine with more memory"); in != nil {
		return in
	}
	return nil
}

// read reads a part as a whole.
func (b *Book) read(name string, read func(*part) error) error {
	p, err := b.open(name)
	if err != nil {
		return err
	}
	defer p.close()
	return read(p)
}

// entryBytes is about what an entry of a map takes.
const entryBytes = 64

// relations returns the targets of a part's relations, by id, and their kinds.
func (b *Book) relations(of string) (targets, kinds map[string]string, err error) {
	dir, base := path.Split(of)
	targets, kinds = map[string]string{}, map[string]string{}
	err = b.read(path.Join(dir, "_rels", base+".rels"), func(p *part) error {
		return p.each(func(e xml.StartElement) error {
			if e.Name.Local == "Relationship" && attribute(e, "TargetMode") != "External" {
				id, to := attribute(e, "Id"), attribute(e, "Target")
				if !strings.HasPrefix(to, "/") {
					to = path.Join(dir, to)
				}
				targets[id] = strings.TrimPrefix(to, "/")
				kinds[id] = path.Base(attribute(e, "Type"))
				return b.take(2*entryBytes + len(id) + len(targets[id]) + len(kinds[id]))
			}
			return nil
		})
	})
	return targets, kinds, err
}

// related returns the part to which another has a relation of a kind.
func (b *Book) related(of, kind string) (name string, ok bool) {
	targets, kinds, err := b.relations(of)
	for id, k := range kinds {
		if k == kind && err == nil && b.files[targets[id]] != nil &&
			(!ok || targets[id] < name) {
			name, ok = targets[id], true
		}
	}
	return name, ok
}

// readBook lists the sheets.
func (b *Book) readBook(root string) error {
	targets, kinds, err := b.relations(root)
	if err != nil {
		return err
	}
	return b.read(root, func(p *part) error {
		return p.each(func(e xml.StartElement) error {
			switch e.Name.Local {
			case "workbookPr":
				b.y1904 = isTrue(attribute(e, "date1904"))
			case "sheet":
				id := ""
				for _, a := range e.Attr { // r:id, beside sheetId
					if a.Name.Local == "id" {
						id = a.Value
					}
				}
				if kinds[id] == "worksheet" && b.files[targets[id]] != nil {
					b.Sheets = append(b.Sheets, Sheet{attribute(e, "name"),
						strings.HasSuffix(strings.ToLower(attribute(e, "state")), "hidden"),
						targets[id]})
					return b.take(entryBytes)
				}
			}
			return nil
		})
	})
}

// readStrings reads the texts that cells share.
func (b *Book) readStrings(p *part) error {
	var text []byte
	for {
		e, err := p.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := e.(xml.StartElement); ok && start.Name.Local == "si" {
			if text, err = p.richText(text[:0], "si"); err != nil {
				return err
			}
			b.strings.add(text)
			if err := b.take(len(text) + 8); err != nil {
				return err
			}
		}
	}
}

// texts keeps texts end to end.
type texts struct {
	data []byte
	ends []int
}

func (t *texts) add(s []byte) {
	t.data = append(t.data, s...)
	t.ends = append(t.ends, len(t.data))
}

func (t *texts) at(i int) []byte {
	if i == 0 {
		return t.data[:t.ends[0]]
	}
	return t.data[t.ends[i-1]:t.ends[i]]
}

// part is a part of the workbook being read.
type part struct {
	name   string
	from   io.ReadCloser
	xml    *xml.Decoder
	passed int64 // bytes read since the last token
}

// longestToken bounds what the decoder holds of one token; a cell has at most 32767 letters.
const longestToken = 4 << 20

func (b *Book) open(name string) (*part, error) {
	f := b.files[name]
	if f == nil {
		return nil, errors.New("it has no part " + name)
	}
	from, err := f.Open()
	if err != nil {
		return nil, err
	}
	p := &part{name: name, from: from}
	p.xml = xml.NewDecoder(p)
	p.xml.Strict = true
	p.xml.CharsetReader = func(charset string, _ io.Reader) (io.Reader, error) {
		return nil, errors.New("the part " + name + " is written in " + charset + ", not UTF-8")
	}
	return p, nil
}

func (p *part) close() { p.from.Close() }

// Read passes the bytes of the part to the decoder.
func (p *part) Read(to []byte) (int, error) {
	if p.passed > longestToken {
		return 0, errors.New("a value in " + p.name + " is longer than 4 MiB")
	}
	n, err := p.from.Read(to)
	p.passed += int64(n)
	return n, err
}

// next returns the next token, which lasts until the call after it.
func (p *part) next() (xml.Token, error) {
	t, err := p.xml.RawToken()
	p.passed = 0
	return t, err
}

// each calls do with every element.
func (p *part) each(do func(e xml.StartElement) error) error {
	for {
		t, err := p.next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if e, ok := t.(xml.StartElement); ok {
			if err := do(e); err != nil {
				return err
			}
		}
	}
}

// richText appends the text within an element that has begun, up to its end, without phonetic
// hints.
func (p *part) richText(dst []byte, element string) ([]byte, error) {
	within, hint := false, false
	for {
		t, err := p.next()
		if err != nil {
			return dst, early(err)
		}
		switch e := t.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "t":
				within = true
			case "rPh":
				hint = true
			}
		case xml.EndElement:
			switch e.Name.Local {
			case "t":
				within = false
			case "rPh":
				hint = false
			case element:
				return dst, nil
			}
		case xml.CharData:
			if within && !hint {
				dst = append(dst, e...)
			}
		}
	}
}

// early turns the end of a part where there should be more into an error.
func early(err error) error {
	if err == io.EOF {
		return io.ErrUnexpectedEOF
	}
	return err
}

func attribute(e xml.StartElement, name string) string {
	for _, a := range e.Attr {
		if a.Name.Local == name && a.Name.Space == "" {
			return a.Value
		}
	}
	return ""
}

func isTrue(s string) bool { return s == "1" || s == "true" }
