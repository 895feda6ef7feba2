package dissim

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// Write writes a matrix whole or not at all: as text without header where path ends in .csv
// (commas) or .tsv (tabs), each number with the fewest digits that read back as the same float32,
// and as a NumPy array of float32 where it ends in .npy. It fails with a [*fault.Input] for any
// other ending.
func Write(path string, m *Dense) error {
	var fill func(w *bufio.Writer) error
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		fill = func(w *bufio.Writer) error { return m.writeText(w, ',') }
	case ".tsv":
		fill = func(w *bufio.Writer) error { return m.writeText(w, '\t') }
	case ".npy":
		fill = m.writeNPY
	default:
		return &fault.Input{File: path, Problem: "the extension names no matrix format",
			Fix: "end the name in .csv, .tsv or .npy"}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<18)
		if err := fill(b); err != nil {
			return err
		}
		return b.Flush()
	})
}

func (m *Dense) writeText(w *bufio.Writer, sep byte) error {
	var text []byte
	for i := range m.N {
		text = text[:0]
		for j, v := range m.D[i*m.N : (i+1)*m.N] {
			if j > 0 {
				text = append(text, sep)
			}
			text = strconv.AppendFloat(text, float64(v), 'g', -1, 32)
		}
		if _, err := w.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return nil
}

func (m *Dense) writeNPY(w *bufio.Writer) error {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", m.N, m.N)
	// values begin at a multiple of 64 bytes
	head += strings.Repeat(" ", 63-(10+len(head))%64) + "\n"
	if _, err := fmt.Fprintf(w, "\x93NUMPY\x01\x00%c%c%s", len(head)%256, len(head)/256,
		head); err != nil {
		return err
	}
	row := make([]byte, 4*m.N)
	for i := range m.N {
		for j, v := range m.D[i*m.N : (i+1)*m.N] {
			binary.LittleEndian.PutUint32(row[4*j:], math.Float32bits(v))
		}
		if _, err := w.Write(row); err != nil {
			return err
		}
	}
	return nil
}
