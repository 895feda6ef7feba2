package dataset

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"hash"
	"io"
	"maps"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/kindred-go/kindred/fault"
)

// pgKind is what is made of the values of a type of the server.
type pgKind int

const (
	pgText pgKind = iota
	pgNumber
	pgBoolean
	pgMoment   // a date or a time, with or without a zone
	pgInterval // becomes seconds
	pgPlain    // a text that may look like something else: money, a time of day with a zone
	pgEnum
	pgJSON
	pgBytes
	pgArray  // of numbers
	pgVector // of pgvector, of 32 or 16 bits
	pgSparse // likewise
	pgOther  // other lists
)

// pgKinds are the types that every server has.
var pgKinds = map[string]pgKind{
	"int2": pgNumber, "int4": pgNumber, "int8": pgNumber, "oid": pgNumber, "float4": pgNumber,
	"float8": pgNumber, "numeric": pgNumber, "bool": pgBoolean, "date": pgMoment, "time": pgMoment,
	"timetz": pgPlain, "timestamp": pgMoment, "timestamptz": pgMoment, "interval": pgInterval,
	"money": pgPlain, "json": pgJSON, "jsonb": pgJSON, "bytea": pgBytes, "vector": pgVector,
	"halfvec": pgVector, "sparsevec": pgSparse,
}

// types finds what becomes of columns.
func (d *postgres) types(ctx context.Context, fields []pgconn.FieldDescription) ([]pgKind, error) {
	var oids []string
	for _, f := range fields {
		oids = append(oids, strconv.FormatUint(uint64(f.DataTypeOID), 10))
	}
	rows, err := d.strings(ctx, `SELECT t.oid, t.typname, t.typtype, t.typcategory, e.typname
FROM pg_catalog.pg_type t LEFT JOIN pg_catalog.pg_type e ON e.oid = t.typelem
WHERE t.oid = ANY ($1::pg_catalog.oid[])`, "{"+strings.Join(oids, ",")+"}")
	if err != nil {
		return nil, err
	}
	kinds := map[string]pgKind{}
	for _, row := range rows {
		kind := pgKinds[row[1]]
		switch {
		case row[2] == "e":
			kind = pgEnum
		case row[3] == "A" && pgKinds[row[4]] == pgNumber:
			kind = pgArray
		case row[3] == "A":
			kind = pgOther
		}
		kinds[row[0]] = kind
	}
	found := make([]pgKind, len(fields))
	for i := range fields {
		found[i] = kinds[oids[i]]
	}
	return found, nil
}

// postgresRows reads the rows of a query.
type postgresRows struct {
	allowance
	name     string
	cols     []sampled
	types    []pgKind
	reader   *pgconn.ResultReader
	hash     hash.Hash
	progress func(done, total int64)
	row      record
	buffers  [][]byte
}

// records describes the columns. Enumerations become categories, dates and times what they are,
// where the options ask for nothing else.
func (r *postgresRows) records(fields []pgconn.FieldDescription, o *ReadOptions) records {
	n := len(fields)
	out := records{declared: make([]bool, n), vectors: make([]bool, n), next: r.next}
	r.row.cells, r.buffers, r.row.typed = make([][]byte, n), make([][]byte, n), make([]bool, n)
	types := maps.Clone(o.Types)
	if types == nil {
		types = map[string]Type{}
	}
	set := func(name string, typ Type) {
		if _, asked := types[name]; !asked {
			types[name] = typ
		}
	}
	for i, f := range fields {
		s := sampled{name: f.Name}
		fmt.Fprintf(r.hash, "%d %s %d ", len(f.Name), f.Name, r.types[i])
		switch r.types[i] {
		case pgText:
			out.declared[i] = true
		case pgNumber, pgInterval:
			r.row.typed[i] = true
		case pgEnum:
			out.declared[i] = true
			set(f.Name, Category)
		case pgMoment:
			set(f.Name, Time)
		case pgJSON:
			out.declared[i], s.never = true, "holds JSON"
		case pgBytes:
			s.never, s.hidden = "holds bytes", true
		case pgArray, pgVector, pgSparse:
			out.declared[i], out.vectors[i], s.never = true, true, "holds lists"
		case pgOther:
			s.never, s.hidden = "holds lists", true
		}
		out.cols = append(out.cols, s)
	}
	o.Types, r.cols = types, out.cols
	return out
}

// next returns the next row.
func (r *postgresRows) next() (record, error) {
	if !r.reader.NextRow() {
		if _, err := r.reader.Close(); err != nil {
			return record{}, err
		}
		return record{}, io.EOF
	}
	r.row.number++
	var length [8]byte
	for i, v := range r.reader.Values() {
		size := uint64(len(v)) + 1
		if v == nil {
			size = 0
		}
		binary.LittleEndian.PutUint64(length[:], size)
		r.hash.Write(length[:])
		r.hash.Write(v)
		b, problem := r.types[i].appendCell(r.buffers[i][:0], v)
		if problem != "" {
			return record{}, &fault.Input{File: r.name, Row: r.row.number, Column: r.cols[i].name,
				Problem: problem, Fix: "leave the row or the column out by --query"}
		}
		r.buffers[i], r.row.cells[i] = b, b
		r.spend(len(b) + 1)
	}
	if r.progress != nil && r.row.number%recordBlock == 0 {
		r.progress(r.limit-r.left, 0)
	}
	return r.row, r.over()
}

// appendCell appends a value as CSV would have it; nil is missing.
func (k pgKind) appendCell(dst, v []byte) (cell []byte, problem string) {
	if v == nil {
		return dst, ""
	}
	switch k {
	case pgNumber:
		return append(dst, bytes.Replace(v, []byte("inity"), nil, 1)...), ""
	case pgBoolean:
		return strconv.AppendBool(dst, string(v) == "t"), ""
	case pgMoment:
		return appendTime(dst, v), ""
	case pgInterval:
		seconds, ok := intervalSeconds(string(v))
		if !ok {
			return dst, quote(v) + " is no interval that has a length"
		}
		return strconv.AppendFloat(dst, seconds, 'g', -1, 64), ""
	case pgBytes, pgOther:
		return append(dst, 'b'), "" // they are there, and never shown
	case pgArray:
		return appendArray(dst, v)
	case pgVector:
		return append(dst, v...), ""
	case pgSparse:
		return appendSparse(dst, v)
	}
	if !utf8.Valid(v) {
		return dst, "is not UTF-8"
	}
	return append(dst, bytes.TrimSpace(v)...), ""
}

// appendTime appends a date or a time as ISO 8601 has it; other texts as they are.
func appendTime(dst, v []byte) []byte {
	start := len(dst)
	dst = append(dst, v...)
	text := dst[start:]
	if len(text) > 10 && text[10] == ' ' && text[4] == '-' && text[len(text)-1] != 'C' { // no BC
		text[10] = 'T'
	}
	if bytes.HasSuffix(text, []byte("+00")) {
		dst = append(dst[:len(dst)-3], 'Z')
	}
	return dst
}

// The lengths of what has none, as PostgreSQL has them where it turns intervals into seconds.
const (
	secondsOfDay   = 24 * 60 * 60
	secondsOfMonth = 30 * secondsOfDay
	secondsOfYear  = 365.25 * secondsOfDay
)

// intervalSeconds returns the length of an interval as the server writes it in ISO 8601, where each
// part has a sign of its own: P1Y-2M3DT-4H5M6.7S.
func intervalSeconds(text string) (seconds float64, ok bool) {
	rest, found := strings.CutPrefix(text, "P")
	if !found || rest == "" {
		return 0, false
	}
	clock := false
	for rest != "" {
		if rest[0] == 'T' && !clock {
			clock, rest = true, rest[1:]
			continue
		}
		end := strings.IndexAny(rest, "YMWDHS")
		if end < 0 {
			return 0, false
		}
		n, err := strconv.ParseFloat(rest[:end], 64)
		if err != nil {
			return 0, false
		}
		of := map[byte]float64{'Y': secondsOfYear, 'M': secondsOfMonth, 'W': 7 * secondsOfDay,
			'D': secondsOfDay}
		if clock {
			of = map[byte]float64{'H': 60 * 60, 'M': 60, 'S': 1}
		}
		unit, known := of[rest[end]]
		if !known {
			return 0, false
		}
		seconds += float64(n * unit)
		rest = rest[end+1:]
	}
	return seconds, true
}

// appendArray appends an array of numbers, as in {1,2.5}, as a list.
func appendArray(dst, v []byte) (list []byte, problem string) {
	if bytes.HasPrefix(v, []byte{'['}) { // bounds that are not 1 to n, as in [0:1]={1,2}
		_, v, _ = bytes.Cut(v, []byte{'='})
	}
	inner, begins := bytes.CutPrefix(v, []byte{'{'})
	inner, ends := bytes.CutSuffix(inner, []byte{'}'})
	if !begins || !ends || bytes.ContainsAny(inner, "{}") {
		return dst, "the list has lists in it"
	}
	dst = append(dst, '[')
	for i, item := range bytes.Split(inner, []byte{','}) {
		if string(item) == "NULL" {
			return dst, "a number of the list is missing"
		}
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		dst = append(dst, item...)
	}
	return append(dst, ']'), ""
}

// appendSparse appends a sparse vector, as in {1:0.5,3:2}/4, as a list of all of its numbers.
func appendSparse(dst, v []byte) (list []byte, problem string) {
	const odd = "is no sparse vector that can be read"
	entries, size, _ := strings.Cut(string(v), "/")
	n, err := strconv.Atoi(size)
	if err != nil || n < 1 || n > maxColumns || len(entries) < 2 {
		return dst, odd
	}
	values := make([]string, n)
	for entry := range strings.SplitSeq(entries[1:len(entries)-1], ",") {
		at, value, _ := strings.Cut(entry, ":")
		if entry == "" {
			continue
		}
		i, err := strconv.Atoi(at)
		if err != nil || i < 1 || i > n {
			return dst, odd
		}
		values[i-1] = value
	}
	dst = append(dst, '[')
	for i, value := range values {
		if i > 0 {
			dst = append(dst, ',', ' ')
		}
		if value == "" {
			value = "0"
		}
		dst = append(dst, value...)
	}
	return append(dst, ']'), ""
}
