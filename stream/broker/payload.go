package broker

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"mime"
	"slices"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// Headers of messages, beside Content-Type and Nats-Msg-Id.
const (
	// of rows and labels: names of the columns, as a line of CSV
	ColumnsHeader = "Kindred-Columns"
	// of rows in CSV: between fields, where that is not a comma
	SeparatorHeader = "Kindred-Separator"
	FeedHeader      = "Kindred-Feed"     // of rows: name of the feed
	RunHeader       = "Kindred-Run"      // of labels: id of the run
	SequenceHeader  = "Kindred-Sequence" // of labels: message of rows that they are the labels of
	// of labels, and of rows that were fed: number of the last row
	RowHeader = "Kindred-Row"
	// of rows that were fed: CRC-64 of the columns and all lines of the feed up to there
	SumHeader = "Kindred-Sum"
)

// types are the values of Content-Type.
var types = map[string]dataset.Format{
	"text/csv":                  dataset.FormatCSV,
	"text/tab-separated-values": dataset.FormatTSV,
	"application/x-ndjson":      dataset.FormatJSONL,
	"application/jsonl":         dataset.FormatJSONL,
	"application/json":          dataset.FormatJSONL,
	"application/x-npy":         dataset.FormatNPY,
}

// contentType returns the Content-Type of rows; "" for a format that messages do not hold.
func contentType(f dataset.Format) string {
	switch f {
	case dataset.FormatCSV:
		return "text/csv"
	case dataset.FormatTSV:
		return "text/tab-separated-values"
	case dataset.FormatJSONL:
		return "application/x-ndjson"
	case dataset.FormatNPY:
		return "application/x-npy"
	}
	return ""
}

// format returns what a message holds: as it declares, else by its first bytes.
func (m *message) format() (dataset.Format, *fault.Input) {
	if m.kind != "" {
		kind, _, err := mime.ParseMediaType(m.kind)
		if f, ok := types[kind]; ok && err == nil {
			return f, nil
		}
		return "", fault.Inputf("send text/csv, application/x-ndjson or application/x-npy",
			"its Content-Type is %.60q", m.kind)
	}
	switch text := bytes.TrimLeft(m.data, " \t\r\n"); {
	case bytes.HasPrefix(m.data, []byte(npyMagic)):
		return dataset.FormatNPY, nil
	case len(text) > 0 && text[0] == '{':
		return dataset.FormatJSONL, nil
	}
	return dataset.FormatCSV, nil
}

// names returns the columns that a message names; nil where it does not.
func (m *message) names() ([]string, *fault.Input) {
	if m.columns == "" {
		return nil, nil
	}
	names, err := csv.NewReader(strings.NewReader(m.columns)).Read()
	if err != nil {
		return nil, fault.Inputf("separate the names of the columns by commas",
			"its header %s is not a line of CSV", ColumnsHeader)
	}
	return names, nil
}

// payload turns messages into rows.
type payload struct {
	layout  stream.Layout
	key     string // of the messages that decoder and matrix take
	decoder *lines.Decoder
	matrix  *matrix
	notes   []string // of decoders that came before
}

// Use sets how messages become rows. It must be called before the first Fill, once.
func (s *Source) Use(layout stream.Layout) error {
	s.payload.layout = layout
	return layout.Encoding.Check()
}

// decode appends the rows of a message to b, and returns the number of rows so far. One that cannot
// be read is one bad row.
func (p *payload) decode(cfg SourceConfig, m *message, rows int64, b *stream.Block) int64 {
	name := fmt.Sprintf("%s message %d", cfg.Subject, m.sequence)
	b.Cols = p.layout.Encoding.Cols()
	if len(bytes.TrimSpace(m.data)) == 0 {
		return rows
	}
	if bad := p.prepare(cfg, m, rows); bad != nil {
		bad.File, bad.Row = name, int(rows+1)
		b.Bad(bad)
		return rows + 1
	}
	before := len(b.Notes)
	if p.matrix != nil {
		rows = p.matrix.decode(m.data, rows, b)
	} else {
		for text := m.data; len(text) > 0; {
			text = text[p.decoder.Decode(text, true, b, stream.MostRows):]
		}
		rows = p.decoder.Rows()
	}
	for _, n := range b.Notes[before:] {
		if n.Problem != nil {
			n.Problem.File = name
		}
	}
	return rows
}

// prepare makes the decoder that a message needs, unless it is that of the message before.
func (p *payload) prepare(cfg SourceConfig, m *message, rows int64) *fault.Input {
	format, bad := m.format()
	if bad != nil {
		return bad
	}
	key := string(format) + "\x00" + m.separator + "\x00" + m.columns
	if key == p.key {
		switch {
		case p.matrix != nil:
			return p.matrix.read(m.data)
		case p.decoder != nil && p.decoder.Rows() == rows:
			return nil
		}
	}
	layout := p.layout
	names, bad := m.names()
	if bad != nil {
		return bad
	}
	if names == nil {
		names = cfg.Columns
	}
	if names == nil {
		names = layout.Columns
	}
	layout.Format, layout.Columns = format, names
	if m.separator != "" || layout.Format != p.layout.Format {
		layout.Separator = m.separator
	}
	if format == dataset.FormatJSONL {
		layout.Columns = nil
	} else if bad := complete(layout); bad != nil {
		return bad
	}
	p.notes = p.remarks()
	p.key, p.decoder, p.matrix = key, nil, nil
	if format == dataset.FormatNPY {
		x := newMatrix(layout)
		if bad := x.read(m.data); bad != nil {
			p.key = ""
			return bad
		}
		p.matrix = x
		return nil
	}
	d, err := lines.NewDecoder(cfg.Subject, layout, rows)
	if err != nil {
		p.key = ""
		return &fault.Input{Problem: err.Error()}
	}
	p.decoder = d
	return nil
}

// remarks returns remarks on the rows so far.
func (p *payload) remarks() []string {
	switch {
	case p.decoder != nil:
		return append(p.notes, p.decoder.Notes()...)
	case p.matrix != nil && p.matrix.dropped > 0:
		return append(p.notes, dataset.DroppedNote(p.matrix.dropped))
	}
	return p.notes
}

// complete checks that the columns have all that the layout needs, each once.
func complete(layout stream.Layout) *fault.Input {
	need := layout.Encoding.Sources()
	if layout.ID != "" {
		need = append(need, layout.ID)
	}
	for _, name := range need {
		if !slices.Contains(layout.Columns, name) {
			return &fault.Input{Column: name, Problem: "is missing",
				Fix: "name the columns in the header " + ColumnsHeader + ", or with --columns"}
		}
	}
	seen := make(map[string]bool, len(layout.Columns))
	for _, name := range layout.Columns {
		if seen[name] {
			return &fault.Input{Column: name, Problem: "is there twice",
				Fix: "give each column a name of its own"}
		}
		seen[name] = true
	}
	return nil
}
