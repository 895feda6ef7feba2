package broker

import (
	"bytes"
	"context"
	"encoding/csv"
	"io"
	"math"
	"strconv"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream/lines"
)

// mostFirst bounds the text of the first rows, in bytes.
const mostFirst = 64 << 20

// WarmUp waits for the first messages, until they have w.Rows rows, and finds the layout as
// [lines.Source.WarmUp] does. Fill returns their rows like all others. Messages of another kind
// than the first are left out of it.
func (s *Source) WarmUp(ctx context.Context, w lines.WarmUp) (*lines.First, error) {
	if w.Rows <= 0 {
		w.Rows = lines.DefaultWarmUp
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(s.stopped, cancel)()
	var g firstText
	for g.rows < w.Rows && len(g.text) < mostFirst {
		m, err := s.next(ctx)
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, err
		}
		s.first = append(s.first, m)
		g.take(s.cfg, &m)
	}
	if g.rows == 0 {
		return nil, fault.Inputf("publish some first, as kindred stream feed does",
			"has no rows").In(s.cfg.Subject)
	}
	if w.Read.Format == "" {
		w.Read.Format = g.format
	}
	if w.Read.Format == dataset.FormatNPY {
		w.Read.Format = dataset.FormatCSV
	}
	from := lines.From(bytes.NewReader(g.text), s.cfg.Subject)
	defer from.Close()
	first, err := from.WarmUp(ctx, w)
	if err != nil {
		return nil, err
	}
	if g.format == dataset.FormatNPY {
		first.Layout.Format = dataset.FormatNPY
	}
	return first, s.Use(first.Layout)
}

// firstText is the text of the first rows.
type firstText struct {
	format    dataset.Format
	columns   string
	separator string
	text      []byte
	rows      int
}

// take adds the rows of a message.
func (g *firstText) take(cfg SourceConfig, m *message) {
	format, bad := m.format()
	names, wrong := m.names()
	if bad != nil || wrong != nil || len(bytes.TrimSpace(m.data)) == 0 {
		return // decoding reports it
	}
	if names == nil {
		names = cfg.Columns
	}
	if g.rows == 0 {
		g.format, g.columns, g.separator, g.text = format, m.columns, m.separator, nil
		if format != dataset.FormatJSONL && names != nil {
			g.head(names)
		}
	}
	if g.format != format || g.columns != m.columns || g.separator != m.separator {
		return
	}
	if format == dataset.FormatNPY {
		g.matrix(m.data)
		return
	}
	for line := range bytes.Lines(m.data) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '@' &&
			!bytes.HasPrefix(line, []byte(`{"@`)) {
			g.rows++
		}
	}
	g.text = append(append(g.text, m.data...), '\n')
}

// head writes the names of the columns.
func (g *firstText) head(names []string) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	switch {
	case g.format == dataset.FormatTSV:
		w.Comma = '\t'
	case len(g.separator) == 1:
		w.Comma = rune(g.separator[0])
	}
	w.Write(names)
	w.Flush()
	g.text = append(g.text, b.Bytes()...)
}

// matrix writes rows of numbers as CSV, each so that reading returns the same number.
func (g *firstText) matrix(data []byte) {
	head, bad := npyHead(data)
	var x matrix
	if bad != nil || x.shape(head) != nil {
		return
	}
	if x.head = head; x.whole(data) != nil {
		return
	}
	for i := range x.rows {
		line := data[len(head)+i*x.cols*x.width:][:x.cols*x.width]
		for j := range x.cols {
			if j > 0 {
				g.text = append(g.text, ',')
			}
			if v := x.value(line, j); !math.IsNaN(v) {
				g.text = strconv.AppendFloat(g.text, v, 'g', -1, 64)
			}
		}
		g.text = append(g.text, '\n')
	}
	g.rows += x.rows
}

// Notes returns, after the reading, remarks on the rows.
func (s *Source) Notes() []string { return s.payload.remarks() }
