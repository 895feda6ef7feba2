package dataset

import (
	"encoding/binary"
	"math"
	"math/bits"
	"regexp"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
)

// maxColumns bounds the columns of a table.
const maxColumns = 1 << 20

// npyHeader is the description of the array in an NPY file.
type npyHeader struct {
	kind    byte // 'f' floating point, 'i' signed, 'u' unsigned, 'b' boolean
	width   int  // bytes per value
	big     bool // big-endian
	fortran bool // columns are contiguous
	rows    int
	cols    int
	start   int64 // place of the first value
}

var (
	npyDescr   = regexp.MustCompile(`'descr'\s*:\s*'([^']*)'`)
	npyList    = regexp.MustCompile(`'descr'\s*:\s*\[`)
	npyFortran = regexp.MustCompile(`'fortran_order'\s*:\s*(True|False)`)
	npyShape   = regexp.MustCompile(`'shape'\s*:\s*\(([0-9L,\s]*)\)`)
	npyType    = regexp.MustCompile(`^([<>=|]?)([fiub])([0-9]{1,2})$`)
)

const (
	noValues   = "the array has no values"
	giveValues = "give at least one row and one column"
)

// npyHeaderSize returns where the header text begins and how long it is; ok is false when head is
// too short or the version is unknown.
func npyHeaderSize(head []byte) (start, size int, ok bool) {
	switch {
	case len(head) < 12:
		return 0, 0, false
	case head[6] == 1:
		return 10, int(binary.LittleEndian.Uint16(head[8:])), true
	case head[6] == 2 || head[6] == 3:
		return 12, int(binary.LittleEndian.Uint32(head[8:])), true
	}
	return 0, 0, false
}

// parseNPYHeader reads the Python dictionary that heads the array and compares it with the size of
// the file (-1: not known), so that nothing is allocated for values that are not there.
func parseNPYHeader(name, text string, start, size int64) (npyHeader, error) {
	bad := func(problem, fix string) (npyHeader, error) {
		return npyHeader{}, &fault.Input{File: name, Problem: problem, Fix: fix}
	}
	descr, fortran, shape := npyDescr.FindStringSubmatch(text), npyFortran.FindStringSubmatch(text),
		npyShape.FindStringSubmatch(text)
	if npyList.MatchString(text) {
		return bad("holds a structured array",
			"save its fields as the columns of a plain array, or as Parquet")
	}
	if descr == nil || fortran == nil || shape == nil {
		return bad("the NPY header cannot be understood", "save the array again with numpy.save")
	}
	if strings.Contains(descr[1], "O") {
		return bad("holds pickled Python objects, which are never loaded",
			"save numbers: numpy.save(file, array.astype(float))")
	}
	typ := npyType.FindStringSubmatch(descr[1])
	h := npyHeader{fortran: fortran[1] == "True", start: start}
	if typ != nil {
		h.kind, h.big = typ[2][0], typ[1] == ">"
		h.width, _ = strconv.Atoi(typ[3])
	}
	switch string(h.kind) + strconv.Itoa(h.width) {
	case "f2", "f4", "f8", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "b1":
	default:
		return bad("holds values of type "+strconv.Quote(descr[1])+", which are no plain numbers",
			"save numbers: numpy.save(file, array.astype(float))")
	}
	var dims []int
	for _, part := range strings.Split(shape[1], ",") {
		part = strings.TrimSuffix(strings.TrimSpace(part), "L")
		if part == "" {
			continue
		}
		n, err := strconv.ParseInt(part, 10, 63)
		if err != nil || n > math.MaxInt32 {
			return bad("the NPY header states that the array has "+part+
				" rows or columns, more than can be", "save the array again with numpy.save")
		}
		dims = append(dims, int(n))
	}
	switch len(dims) {
	case 1:
		h.rows, h.cols = dims[0], 1
	case 2:
		h.rows, h.cols = dims[0], dims[1]
	default:
		return bad("the array has "+strconv.Itoa(len(dims))+" dimensions",
			"reshape it to rows and columns")
	}
	if h.rows == 0 || h.cols == 0 {
		return bad(noValues, giveValues)
	}
	if h.cols > maxColumns {
		return bad("the array has "+strconv.Itoa(h.cols)+" columns, more than "+
			strconv.Itoa(maxColumns), "transpose it, if rows and columns are exchanged")
	}
	values := uint64(h.rows) * uint64(h.cols) // both below 2³¹
	over, need := bits.Mul64(values, uint64(h.width))
	have := uint64(max(0, size-start))
	if size < 0 && over == 0 && need <= math.MaxInt64 {
		have = need
	}
	if over != 0 || need > have {
		return bad("ends too early: its header promises "+strconv.FormatUint(need,
			10)+" bytes of values, but "+strconv.FormatUint(have, 10)+" are there",
			"fetch or save the file again")
	}
	if need < have {
		return bad("goes on after its array: "+strconv.FormatUint(have-need,
			10)+" bytes more than its header promises", "save one array a file")
	}
	return h, nil
}
