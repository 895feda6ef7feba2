package shard

import (
	"errors"
	"io"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/pages"
)

// textColumn reads a column of a row group as texts, a block at a time.
type textColumn struct {
	reader *pages.Reader
	leaf   pages.Leaf
	into   []string
	id     bool // empty and "NA" are values like others
	at     int  // within the rows asked for, where it failed

	values *pages.Values
	text   []byte
	known  map[string]string // classes are few: one copy of each
}

// mostKnown bounds the copies kept.
const mostKnown = 10_000

// seek goes to a row of a row group.
func (t *textColumn) seek(group int, row int64) (err error) {
	t.values, err = t.reader.Values(group, t.leaf, row)
	return err
}

// read puts the next n values into places from at on.
func (t *textColumn) read(at, n int) error {
	if t.known == nil {
		t.known = make(map[string]string)
	}
	for t.at = 0; t.at < n; t.at++ {
		value, ok, err := t.values.Next()
		if errors.Is(err, io.EOF) {
			err = pages.ErrRows
		}
		if err != nil {
			return err
		}
		text := ""
		if ok {
			if text, err = t.show(value); err != nil {
				return err
			}
		}
		t.into[at+t.at] = text
	}
	return nil
}

// show returns a value that is there as CSV has it.
func (t *textColumn) show(value []byte) (_ string, err error) {
	if t.text, err = t.leaf.Text(t.text[:0], value); err != nil {
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
