package dataset

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strings"
)

// WriteNPY writes a matrix as NumPy does, version 1.0 of the format, in its own type. before, if
// not nil, is called with the number of each row, from 0; its error ends the writing.
func (m Matrix) WriteNPY(w io.Writer, before func(row int) error) error {
	kind := "<f8"
	if m.Single() {
		kind = "<f4"
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%d, %d), }", kind,
		m.Rows, m.Cols)
	// values begin at a multiple of 64 bytes
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	row := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(head)))
	row = append(row, head...)
	for i := range m.Rows {
		if before != nil {
			if err := before(i); err != nil {
				return err
			}
		}
		for j := range m.Cols {
			if m.Single() {
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(m.F32[i*m.Cols+j]))
			} else {
				row = binary.LittleEndian.AppendUint64(row, math.Float64bits(m.F64[i*m.Cols+j]))
			}
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
		row = row[:0]
	}
	_, err := w.Write(row) // the head, where there are no rows
	return err
}
