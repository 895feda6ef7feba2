package broker

import (
	"encoding/binary"
	"math"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// npyMagic begins an NPY matrix.
const npyMagic = "\x93NUMPY"

// matrix takes rows out of NPY matrices of little-endian 32- or 64-bit floats, row after row.
type matrix struct {
	layout   stream.Layout
	features []feature
	id       int // column of ids, or -1
	label    int // column of true classes, or -1
	classes  map[float64]int32
	dropped  int       // rows with missing values
	raw      []float64 // the row under way before scaling
	lacking  []int     // features that it lacks, where such are predicted

	head       string // of the matrix read last: matrices of one size have one head
	rows, cols int
	width      int // bytes of a value
}

// feature is how one column becomes one of the prepared rows.
type feature struct {
	lines.Scaling
	name     string
	from, at int
	fill     float64 // for NaN; NaN: none
}

func newMatrix(layout stream.Layout) *matrix {
	x := &matrix{layout: layout, id: -1, label: -1, classes: make(map[float64]int32)}
	places := make(map[string]int, len(layout.Columns))
	for i, name := range layout.Columns {
		places[name] = i
	}
	if at, ok := places[layout.ID]; ok && layout.ID != "" {
		x.id = at
	}
	if at, ok := places[layout.Label]; ok && layout.Label != "" {
		x.label = at
	}
	x.raw = make([]float64, len(layout.Encoding.Columns))
	for at := range layout.Encoding.Columns {
		c := &layout.Encoding.Columns[at]
		f := feature{name: c.Source, from: places[c.Source], at: at, Scaling: lines.ScalingOf(c, 0),
			fill: math.NaN()}
		if c.Fill != nil {
			f.fill = f.Apply(*c.Fill)
		}
		x.features = append(x.features, f)
	}
	return x
}

// read reads the head of a matrix and holds it against its size and the layout.
func (x *matrix) read(data []byte) *fault.Input {
	for i := range x.layout.Encoding.Columns {
		if c := &x.layout.Encoding.Columns[i]; c.Type == dataset.Category {
			return &fault.Input{Column: c.Source,
				Problem: "holds categories, and a matrix numbers alone",
				Fix:     "send such rows as CSV or JSON lines"}
		}
	}
	head, err := npyHead(data)
	if err != nil {
		return err
	}
	if head != x.head {
		x.head = ""
		if err := x.shape(head); err != nil {
			return err
		}
		x.head = head
	}
	if x.cols != len(x.layout.Columns) {
		return fault.Inputf(
			"send matrices of one width, or name the columns in the header "+ColumnsHeader,
			"the matrix has %d columns, and rows have %d", x.cols, len(x.layout.Columns))
	}
	return x.whole(data)
}

// whole holds the shape of a matrix against its size.
func (x *matrix) whole(data []byte) *fault.Input {
	if have := len(data) - len(x.head); x.rows > have/x.width/x.cols ||
		x.rows*x.cols*x.width != have {
		return fault.Inputf("send the array whole",
			"the matrix is to have %d rows of %d values, and %d bytes are there", x.rows, x.cols,
			have)
	}
	return nil
}

// npyHead returns the head of a matrix, which comes before its values.
func npyHead(data []byte) (string, *fault.Input) {
	bad := fault.Inputf("save the array with numpy.save", "is not an NPY matrix")
	if len(data) < 12 || string(data[:6]) != npyMagic {
		return "", bad
	}
	var n uint64
	switch data[6] {
	case 1:
		n = 10 + uint64(binary.LittleEndian.Uint16(data[8:]))
	case 2, 3:
		n = 12 + uint64(binary.LittleEndian.Uint32(data[8:]))
	default:
		return "", bad
	}
	if n > uint64(len(data)) {
		return "", bad
	}
	return string(data[:n]), nil
}

// shape reads the dictionary in a head.
func (x *matrix) shape(head string) *fault.Input {
	switch descr := between(head, "'descr':", ","); strings.Trim(descr, "'") {
	case "<f4", "=f4":
		x.width = 4
	case "<f8", "=f8":
		x.width = 8
	default:
		return fault.Inputf("send little-endian floats: array.astype('<f4') or '<f8'",
			"the matrix holds values of type %.40s", descr)
	}
	if between(head, "'fortran_order':", ",") != "False" {
		return fault.Inputf("send numpy.ascontiguousarray(array)",
			"the matrix lies column after column")
	}
	rows, cols, _ := strings.Cut(between(head, "'shape': (", ")"), ",")
	r, err := strconv.ParseUint(strings.TrimSpace(rows), 10, 31)
	c, wrong := strconv.ParseUint(strings.TrimSpace(cols), 10, 31)
	if err != nil || wrong != nil || r == 0 || c == 0 {
		return fault.Inputf("reshape it to two dimensions, none of them 0",
			"the array is not one of rows and columns")
	}
	x.rows, x.cols = int(r), int(c)
	return nil
}

// between returns what is between two marks, without blanks around.
func between(s, from, to string) string {
	_, s, _ = strings.Cut(s, from)
	s, _, _ = strings.Cut(s, to)
	return strings.TrimSpace(s)
}

// decode appends the rows of the matrix that was read last.
func (x *matrix) decode(data []byte, rows int64, b *stream.Block) int64 {
	values := data[len(x.head):]
	d := len(x.features)
	for i := range x.rows {
		line := values[i*x.cols*x.width:][:x.cols*x.width]
		rows++
		start := len(b.Rows)
		if start+d > cap(b.Rows) {
			b.Rows = append(b.Rows, make([]float64, (x.rows-i)*d)...)
		}
		b.Rows = b.Rows[:start+d]
		if bad := x.row(line, b.Rows[start:]); bad != nil {
			b.Rows = b.Rows[:start]
			if bad == dropRow {
				x.dropped++
			} else {
				bad.Row = int(rows)
				b.Bad(bad)
			}
			continue
		}
		b.Numbers = append(b.Numbers, rows)
		if x.id >= 0 {
			b.IDText = strconv.AppendFloat(b.IDText, x.value(line, x.id), 'f', -1, 64)
			b.IDEnd = append(b.IDEnd, int32(len(b.IDText)))
		}
		if x.label >= 0 {
			b.Class = append(b.Class, x.class(x.value(line, x.label)))
		}
	}
	return rows
}

// dropRow reports that a row is to be left out silently.
var dropRow = fault.Inputf("", "a value is missing")

// value returns a value of a row.
func (x *matrix) value(line []byte, col int) float64 {
	if x.width == 4 {
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(line[4*col:])))
	}
	return math.Float64frombits(binary.LittleEndian.Uint64(line[8*col:]))
}

// row prepares a row.
func (x *matrix) row(line []byte, row []float64) *fault.Input {
	x.lacking = x.lacking[:0]
	for k := range x.features {
		f := &x.features[k]
		v := x.value(line, f.from)
		x.raw[f.at] = v
		p := f.Apply(v)
		if v-v == 0 && math.Abs(p) <= competitive.MostValue {
			row[f.at] = p
			continue
		}
		switch {
		case math.IsInf(v, 0):
			return &fault.Input{Column: f.name, Problem: "the value is infinite",
				Fix: "send finite numbers, or NaN for a missing value"}
		case !math.IsNaN(v):
			return &fault.Input{Column: f.name,
				Problem: "the value is too far from the first rows to be scaled",
				Fix:     "fix the value, or give --scale none"}
		case x.layout.Encoding.Imputation != nil:
			row[f.at] = 0
			x.lacking = append(x.lacking, k)
		case !math.IsNaN(f.fill):
			row[f.at] = f.fill
		case x.layout.Encoding.Missing == dataset.MissingDrop:
			return dropRow
		default:
			return lines.Missing(f.name)
		}
	}
	if len(x.lacking) > 0 {
		x.layout.Encoding.Impute(x.raw, row, x.lacking)
	}
	return nil
}

// class returns the code of a true class.
func (x *matrix) class(v float64) int32 {
	if math.IsNaN(v) {
		return -1
	}
	code, ok := x.classes[v]
	if !ok {
		if len(x.classes) >= lines.MostClasses {
			return -1
		}
		code = int32(len(x.classes))
		x.classes[v] = code
	}
	return code
}
