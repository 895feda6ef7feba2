package broker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/csv"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/stream/lines"
)

// table is lines of text, record by record.
type table struct {
	name   string
	from   *bufio.Reader
	quotes bool // fields may be quoted, and hold line breaks
	record []byte
	header nats.Header
}

// next returns the next record, with its line end, and its number of lines. It is good until the
// next call.
func (t *table) next() (record []byte, count int, err error) {
	t.record = t.record[:0]
	for inside := false; ; {
		line, err := t.from.ReadSlice('\n')
		t.record = append(t.record, line...)
		if t.quotes && bytes.Count(line, []byte{'"'})%2 == 1 {
			inside = !inside
		}
		switch {
		case err == bufio.ErrBufferFull && len(t.record) > lines.MaxLine:
			return nil, 0, fault.Inputf("give one row a line",
				"a line is longer than 1 MiB").In(t.name)
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(t.record) == 0:
			return nil, 0, io.EOF
		case err == io.EOF:
			t.record = append(t.record, '\n')
			return t.record, count + 1, nil
		case err != nil:
			return nil, 0, err
		}
		if count++; !inside || len(t.record) > lines.MaxLine {
			return t.record, count, nil
		}
	}
}

// contextReader reads, and stops waiting when its context is done: a pipe may stay empty.
type contextReader struct {
	ctx  context.Context
	from io.Reader
}

func (p *contextReader) Read(b []byte) (n int, err error) {
	if err := p.ctx.Err(); err != nil {
		return 0, err
	}
	type answer struct {
		text []byte
		err  error
	}
	read := make(chan answer, 1)
	go func() {
		text := make([]byte, len(b)) // b is no longer ours once we stop waiting
		n, err := p.from.Read(text)
		read <- answer{text[:n], err}
	}()
	select {
	case a := <-read:
		return copy(b, a.text), a.err
	case <-p.ctx.Done():
		return 0, p.ctx.Err()
	}
}

// openTable finds out what the first lines hold.
func openTable(ctx context.Context, r io.Reader, name string, columns []string) (*table, error) {
	t := &table{name: name}
	in := bufio.NewReaderSize(r, 64<<10)
	plain, _, err := infile.Unpack(in, infile.Compressed(in), func(err error) error {
		return fault.Inputf("fetch or pack the file again",
			"the compressed data are damaged").In(name).Because(err)
	})
	if err != nil {
		return nil, err
	}
	t.from = bufio.NewReaderSize(plain, 256<<10)
	sample, err := t.sample()
	if err != nil {
		return nil, err
	}
	if bytes.HasPrefix(sample, []byte(npyMagic)) {
		return nil, notLines(name, "an NPY matrix")
	}
	format, names, err := t.look(ctx, sample, columns)
	if err != nil {
		return nil, err
	}
	separator, headed := ',', false
	if format == dataset.FormatCSV || format == dataset.FormatTSV {
		t.quotes = true
		if separator, headed = separatorOf(bytes.TrimPrefix(sample, []byte("\xef\xbb\xbf")),
			names); separator == '\t' {
			format = dataset.FormatTSV // a header cannot hold a tab
		}
	}
	kind := ContentType(format)
	if kind == "" {
		return nil, notLines(name, string(format))
	}
	t.header = nats.Header{"Content-Type": {kind}}
	if format == dataset.FormatJSONL {
		return t, nil
	}
	if headed || columns != nil {
		var line strings.Builder
		w := csv.NewWriter(&line)
		w.Write(names)
		w.Flush()
		t.header[ColumnsHeader] = []string{strings.TrimRight(line.String(), "\n")}
	}
	if headed {
		if _, _, err := t.next(); err != nil {
			return nil, err
		}
	}
	if format == dataset.FormatCSV && separator != ',' {
		t.header[SeparatorHeader] = []string{string(separator)}
	}
	return t, nil
}

// notLines refuses a table of another format.
func notLines(name, what string) error {
	return fault.Inputf("turn it into CSV first, with kindred data convert",
		"is %s, which is not fed by lines", what).In(name)
}

// sample returns whole lines of what is there, two at least unless there are fewer. They are still
// to be read.
func (t *table) sample() ([]byte, error) {
	for want := 1; ; want = t.from.Buffered() + 1 {
		_, err := t.from.Peek(want)
		text, _ := t.from.Peek(t.from.Buffered())
		switch {
		case len(bytes.TrimSpace(text)) == 0 && err == io.EOF:
			return nil, fault.Inputf("give rows, with a header where they are CSV",
				"is empty").In(t.name)
		case err == io.EOF:
			return append(bytes.Clone(text), '\n'), nil
		case err == bufio.ErrBufferFull:
			return text, nil
		case err != nil:
			return nil, err
		}
		if end := bytes.LastIndexByte(text, '\n') + 1; bytes.Count(text, []byte{'\n'}) > 1 {
			return text[:end], nil
		}
	}
}

// look finds format and columns in the first lines. Bad rows among them are for those who read the
// messages.
func (t *table) look(ctx context.Context, sample []byte, columns []string) (dataset.Format,
	[]string, error) {
	if front := bytes.TrimSpace(sample); columns != nil && front[0] != '{' {
		return dataset.FormatCSV, columns, nil
	}
	name := strings.TrimSuffix(strings.TrimSuffix(t.name, ".gz"), ".zst")
	text := sample
	for {
		table, err := dataset.ReadStream(ctx, bytes.NewReader(text), name,
			dataset.ReadOptions{Plain: true})
		if in, ok := errors.AsType[*fault.Input](err); ok && in.Line > 2 {
			kept := bytes.SplitAfterN(text, []byte{'\n'}, in.Line)
			text = text[:len(text)-len(kept[len(kept)-1])]
			continue
		}
		if err != nil {
			return "", nil, err
		}
		names := make([]string, len(table.Columns))
		for i := range table.Columns {
			names[i] = table.Columns[i].Name
		}
		return table.Format, names, nil
	}
}

// separatorOf finds what separates the fields of the first record, and whether they are the names
// of the columns.
func separatorOf(sample []byte, names []string) (separator rune, headed bool) {
	separator = ','
	for _, candidate := range "\t;," {
		r := csv.NewReader(bytes.NewReader(sample))
		r.Comma, r.LazyQuotes, r.TrimLeadingSpace = candidate, true, true
		fields, err := r.Read()
		if err != nil || len(fields) != len(names) {
			continue
		}
		separator = candidate
		for i := range fields {
			if fields[i] = strings.TrimSpace(fields[i]); fields[i] == "" {
				fields[i] = names[i]
			}
		}
		if slices.Equal(fields, names) {
			return candidate, true
		}
	}
	return separator, false
}
