package credal

import (
	"bytes"
	"context"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/safe"
)

// fixedColumns are the columns that all partitions have.
var fixedColumns = []string{partition.IDColumn, partition.ClusterColumn, "lower", "upper",
	"outlier"}

// textEncoder writes a line for each row.
type textEncoder struct {
	w         io.Writer
	header    []byte // nil once written, and in JSON lines
	appendRow func(dst []byte, g *group, i int) []byte
	parts     [][]byte
}

func (e *textEncoder) encode(g *group) error {
	if err := e.begin(); err != nil {
		return err
	}
	n := len(g.ids)
	for len(e.parts) < parallel.Count(n, textRows) {
		e.parts = append(e.parts, nil)
	}
	parallel.Blocks(context.Background(), n, textRows, 0, func(block, lo, hi int) {
		text := e.parts[block][:0]
		for i := lo; i < hi; i++ {
			text = e.appendRow(text, g, i)
		}
		e.parts[block] = text
	})
	for _, text := range e.parts[:parallel.Count(n, textRows)] {
		if _, err := e.w.Write(text); err != nil {
			return err
		}
	}
	return nil
}

func (e *textEncoder) begin() error {
	header := e.header
	if header == nil {
		return nil
	}
	e.header = nil
	_, err := e.w.Write(header)
	return err
}

func (e *textEncoder) close() error { return e.begin() }

// textRows is how many rows a thread turns into text at a time.
const textRows = 1024

// newCSV writes the further columns from the first one on.
func newCSV(w io.Writer, l *layout, further []string, first int) *textEncoder {
	var header bytes.Buffer
	c := csv.NewWriter(&header)
	c.Write(slices.Concat(fixedColumns, further[first:]))
	c.Flush()
	row := func(dst []byte, g *group, i int) []byte {
		dst = appendField(dst, safe.Guard(g.ids[i]))
		dst = strconv.AppendInt(append(dst, ','), int64(g.cluster[i]), 10)
		dst = appendSet(append(dst, ','), g.lower[i])
		dst = appendSet(append(dst, ','), g.upper[i])
		dst = strconv.AppendBool(append(dst, ','), g.outlier[i])
		for column := first; column < len(further); column++ {
			if texts := g.texts(l, column); texts != nil {
				dst = appendField(append(dst, ','), safe.Guard(texts[i]))
				continue
			}
			dst = appendNumber(append(dst, ','), g.number(l, i, column))
		}
		return append(dst, '\n')
	}
	return &textEncoder{w: w, header: header.Bytes(), appendRow: row}
}

// appendField writes a field of CSV, in quotes where it needs them, as do blanks at its ends.
func appendField(dst []byte, field string) []byte {
	if !strings.ContainsAny(field, "\",\r\n") && strings.TrimSpace(field) == field &&
		field != `\.` {
		return append(dst, field...)
	}
	dst = append(dst, '"')
	dst = append(dst, strings.ReplaceAll(field, `"`, `""`)...)
	return append(dst, '"')
}

// appendNumber writes a number in the fewest digits that are read back as it.
func appendNumber(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

// newJSONL writes the further columns from the first one on.
func newJSONL(w io.Writer, l *layout, further []string, first int) *textEncoder {
	var keys [][]byte // `,"pl_1":` and so on
	for _, name := range further[first:] {
		keys = append(keys, []byte(`,"`+name+`":`))
	}
	row := func(dst []byte, g *group, i int) []byte {
		dst = appendString(append(dst, `{"id":`...), g.ids[i])
		dst = strconv.AppendInt(append(dst, `,"cluster":`...), int64(g.cluster[i]), 10)
		dst = append(appendSet(append(dst, `,"lower":"`...), g.lower[i]), '"')
		dst = append(appendSet(append(dst, `,"upper":"`...), g.upper[i]), '"')
		dst = strconv.AppendBool(append(dst, `,"outlier":`...), g.outlier[i])
		for at, key := range keys {
			dst = append(dst, key...)
			column := first + at
			if texts := g.texts(l, column); texts != nil {
				dst = appendString(dst, texts[i])
				continue
			}
			dst = appendNumber(dst, g.number(l, i, column))
		}
		return append(dst, "}\n"...)
	}
	return &textEncoder{w: w, appendRow: row}
}

// appendString writes a JSON string.
func appendString(dst []byte, s string) []byte {
	plain := true
	for i := range len(s) {
		if b := s[i]; b < ' ' || b == '"' || b == '\\' || b > '~' {
			plain = false
			break
		}
	}
	if plain {
		return append(append(append(dst, '"'), s...), '"')
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.Encode(s) // a string always has an encoding
	return append(dst, bytes.TrimSuffix(b.Bytes(), []byte("\n"))...)
}
