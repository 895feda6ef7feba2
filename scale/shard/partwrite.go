package shard

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"math"
	"strconv"

	"github.com/parquet-go/parquet-go"

	"github.com/kindred-go/kindred/internal/columns"
)

// csvPart writes fields with commas.
type csvPart struct {
	w      *csv.Writer
	record []string
}

func newCSVPart(f File, columns []Column) (*csvPart, error) {
	p := &csvPart{w: csv.NewWriter(f), record: make([]string, len(columns))}
	for i, c := range columns {
		p.record[i] = c.Name
	}
	return p, p.w.Write(p.record)
}

func (p *csvPart) write(values []any, rows int) error {
	for row := range rows {
		for i, column := range values {
			switch v := column.(type) {
			case []int64:
				p.record[i] = strconv.FormatInt(v[row], 10)
			case []float64:
				p.record[i] = ""
				if !math.IsNaN(v[row]) {
					p.record[i] = strconv.FormatFloat(v[row], 'g', -1, 64)
				}
			case []string:
				p.record[i] = v[row]
			}
		}
		if err := p.w.Write(p.record); err != nil {
			return err
		}
	}
	return nil
}

func (p *csvPart) close() error {
	p.w.Flush()
	return p.w.Error()
}

// jsonPart writes an object a line, its keys in the order of the columns.
type jsonPart struct {
	w    *bufio.Writer
	keys [][]byte
	line []byte
}

func newJSONPart(f File, columns []Column) *jsonPart {
	p := &jsonPart{w: bufio.NewWriterSize(f, 64<<10)}
	for _, c := range columns {
		p.keys = append(p.keys, append(appendJSON(nil, c.Name), ':'))
	}
	return p
}

// appendJSON quotes a text. Bytes that are not UTF-8 become the mark for such.
func appendJSON(dst []byte, s string) []byte {
	quoted, _ := json.Marshal(s) // of a string it never fails
	return append(dst, quoted...)
}

func (p *jsonPart) write(values []any, rows int) error {
	for row := range rows {
		p.line = append(p.line[:0], '{')
		for i, column := range values {
			if i > 0 {
				p.line = append(p.line, ',')
			}
			p.line = append(p.line, p.keys[i]...)
			switch v := column.(type) {
			case []int64:
				p.line = strconv.AppendInt(p.line, v[row], 10)
			case []float64:
				if x := v[row]; x-x == 0 {
					p.line = strconv.AppendFloat(p.line, x, 'g', -1, 64)
				} else { // JSON has no such numbers
					p.line = append(p.line, "null"...)
				}
			case []string:
				p.line = appendJSON(p.line, v[row])
			}
		}
		p.line = append(p.line, '}', '\n')
		if _, err := p.w.Write(p.line); err != nil {
			return err
		}
	}
	return nil
}

func (p *jsonPart) close() error { return p.w.Flush() }

// Rows of a row group, and of what is handed to the library at a time.
const (
	groupRows = 1 << 17
	writeRows = 256
)

// parquetPart writes snappy-compressed columns.
type parquetPart struct {
	w    *parquet.GenericWriter[any]
	rows []parquet.Row
}

func newParquetPart(f File, wanted []Column) *parquetPart {
	var ordered columns.Ordered
	for _, c := range wanted {
		switch c.Kind {
		case Int:
			ordered.Add(c.Name, parquet.Int(64))
		case Float:
			ordered.Add(c.Name, parquet.Optional(parquet.Leaf(parquet.DoubleType)))
		case String:
			ordered.Add(c.Name, parquet.String())
		}
	}
	p := &parquetPart{w: parquet.NewGenericWriter[any](f, parquet.NewSchema("part", &ordered),
		parquet.Compression(&parquet.Snappy), parquet.MaxRowsPerRowGroup(groupRows))}
	for range writeRows {
		p.rows = append(p.rows, make(parquet.Row, len(wanted)))
	}
	return p
}

func (p *parquetPart) write(values []any, rows int) error {
	for lo := 0; lo < rows; lo += writeRows {
		n := min(writeRows, rows-lo)
		for k := range n {
			row := p.rows[k]
			for i, column := range values {
				switch v := column.(type) {
				case []int64:
					row[i] = parquet.Int64Value(v[lo+k]).Level(0, 0, i)
				case []float64:
					if row[i] = parquet.NullValue().Level(0, 0, i); !math.IsNaN(v[lo+k]) {
						row[i] = parquet.DoubleValue(v[lo+k]).Level(0, 1, i)
					}
				case []string:
					row[i] = parquet.ByteArrayValue([]byte(v[lo+k])).Level(0, 0, i)
				}
			}
		}
		if _, err := p.w.WriteRows(p.rows[:n]); err != nil {
			return err
		}
	}
	return nil
}

func (p *parquetPart) close() error { return p.w.Close() }
