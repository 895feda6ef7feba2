package credal

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"io"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/internal/safe"
)

// fixedColumns are the columns before the numbers.
var fixedColumns = []string{partition.IDColumn, partition.ClusterColumn, "lower", "upper",
	"outlier"}

type csvEncoder struct {
	w      io.Writer
	layout *layout
	header []string // nil once written
	parts  [][]byte
}

func newCSV(w io.Writer, l *layout, focal []belief.Set) *csvEncoder {
	return &csvEncoder{w: w, layout: l,
		header: append(fixedColumns[:len(fixedColumns):len(fixedColumns)],
			numberColumns(l, focal)...)}
}

func (e *csvEncoder) encode(g *group) error {
	if err := e.begin(); err != nil {
		return err
	}
	return writeText(e.w, g, &e.parts,
		func(dst []byte, i int) []byte { return e.appendRow(dst, g, i) })
}

func (e *csvEncoder) begin() error {
	if e.header == nil {
		return nil
	}
	c := csv.NewWriter(e.w)
	if err := c.Write(e.header); err != nil {
		return err
	}
	e.header = nil
	c.Flush()
	return c.Error()
}

func (e *csvEncoder) close() error { return e.begin() }

func (e *csvEncoder) appendRow(dst []byte, g *group, i int) []byte {
	l := e.layout
	dst = appendField(dst, safe.Guard(g.ids[i]))
	dst = strconv.AppendInt(append(dst, ','), int64(g.cluster[i]), 10)
	dst = appendSet(append(dst, ','), g.lower[i], l.c)
	dst = appendSet(append(dst, ','), g.upper[i], l.c)
	dst = strconv.AppendBool(append(dst, ','), g.outlier[i])
	for _, v := range g.pl[i*l.c : (i+1)*l.c] {
		dst = appendNumber(append(dst, ','), v)
	}
	for k := range l.c {
		dst = appendNumber(append(dst, ','), g.belief(l, i, k))
	}
	for _, v := range g.betp[i*l.c : (i+1)*l.c] {
		dst = appendNumber(append(dst, ','), v)
	}
	for _, v := range g.mass[i*l.f : (i+1)*l.f] {
		dst = appendNumber(append(dst, ','), v)
	}
	return append(dst, '\n')
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

// appendNumber writes a number in the fewest digits that give it back.
func appendNumber(dst []byte, v float64) []byte { return strconv.AppendFloat(dst, v, 'g', -1, 64) }

type jsonlEncoder struct {
	w      io.Writer
	layout *layout
	keys   [][]byte // `,"pl_1":` and so on
	parts  [][]byte
}

func newJSONL(w io.Writer, l *layout, focal []belief.Set) *jsonlEncoder {
	e := &jsonlEncoder{w: w, layout: l}
	for _, name := range numberColumns(l, focal) {
		e.keys = append(e.keys, []byte(`,"`+name+`":`))
	}
	return e
}

func (e *jsonlEncoder) encode(g *group) error {
	return writeText(e.w, g, &e.parts,
		func(dst []byte, i int) []byte { return e.appendRow(dst, g, i) })
}

func (e *jsonlEncoder) close() error { return nil }

func (e *jsonlEncoder) appendRow(dst []byte, g *group, i int) []byte {
	l := e.layout
	dst = appendString(append(dst, `{"id":`...), g.ids[i])
	dst = strconv.AppendInt(append(dst, `,"cluster":`...), int64(g.cluster[i]), 10)
	dst = append(appendSet(append(dst, `,"lower":"`...), g.lower[i], l.c), '"')
	dst = append(appendSet(append(dst, `,"upper":"`...), g.upper[i], l.c), '"')
	dst = strconv.AppendBool(append(dst, `,"outlier":`...), g.outlier[i])
	keys := e.keys
	number := func(v float64) {
		dst = appendNumber(append(dst, keys[0]...), v)
		keys = keys[1:]
	}
	for _, v := range g.pl[i*l.c : (i+1)*l.c] {
		number(v)
	}
	for k := range l.c {
		number(g.belief(l, i, k))
	}
	for _, v := range g.betp[i*l.c : (i+1)*l.c] {
		number(v)
	}
	for _, v := range g.mass[i*l.f : (i+1)*l.f] {
		number(v)
	}
	return append(dst, "}\n"...)
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
