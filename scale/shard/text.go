package shard

import (
	"errors"
	"io"
	"strings"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/internal/pages"
)

// textColumn reads a column of a row group as texts, a block at a time.
type textColumn struct {
	leaf pages.Leaf
	into []string
	id   bool // empty and "NA" are values like others
	at   int  // within the rows asked for, where it failed

	pages  parquet.Pages
	page   parquet.Page
	values parquet.ValueReader
	buffer []parquet.Value
	unread []parquet.Value // of buffer
	text   []byte
	known  map[string]string // classes are few: one copy of each
}

// mostKnown bounds the copies kept.
const mostKnown = 10_000

func (t *textColumn) close() {
	if t.page != nil {
		parquet.Release(t.page)
		t.page = nil
	}
	if t.pages != nil {
		t.pages.Close()
		t.pages = nil
	}
	t.values, t.unread = nil, nil
}

// seek goes to a row of a row group.
func (t *textColumn) seek(f *parquet.File, group int, row int64) error {
	t.close()
	t.pages = f.RowGroups()[group].ColumnChunks()[t.leaf.Index].Pages()
	if row == 0 {
		return nil
	}
	return t.pages.SeekToRow(row)
}

// read puts the next n values into places from at on.
func (t *textColumn) read(at, n int) error {
	if t.buffer == nil {
		t.buffer, t.known = make([]parquet.Value, 256), make(map[string]string)
	}
	for t.at = 0; t.at < n; t.at++ {
		for len(t.unread) == 0 {
			if err := t.more(); err != nil {
				return err
			}
		}
		text, err := t.show(t.unread[0])
		if err != nil {
			return err
		}
		t.into[at+t.at], t.unread = text, t.unread[1:]
	}
	return nil
}

// more takes values off the page, or goes to the next one.
func (t *textColumn) more() error {
	if t.values != nil {
		n, err := t.values.ReadValues(t.buffer)
		t.unread = t.buffer[:n]
		if n > 0 || err == nil {
			if err == nil && n == 0 {
				t.values = nil
			}
			return nil
		}
		if err != io.EOF {
			return err
		}
		t.values = nil
	}
	if t.page != nil {
		parquet.Release(t.page)
		t.page = nil
	}
	page, err := t.pages.ReadPage()
	if errors.Is(err, io.EOF) {
		return pages.ErrRows
	}
	if err != nil {
		return err
	}
	t.page, t.values = page, page.Values()
	return nil
}

// show gives a value as CSV would have it; what is missing is "".
func (t *textColumn) show(v parquet.Value) (string, error) {
	if v.IsNull() {
		return "", nil
	}
	var err error
	if t.text, err = t.leaf.Text(t.text[:0], v); err != nil {
		return "", err
	}
	if t.id {
		return string(t.text), nil
	}
	if s, ok := t.known[string(t.text)]; ok {
		return s, nil
	}
	s := strings.TrimSpace(string(t.text))
	if dataset.IsMissing(s) {
		s = ""
	}
	if len(t.known) < mostKnown {
		t.known[string(t.text)] = s
	}
	return s, nil
}
