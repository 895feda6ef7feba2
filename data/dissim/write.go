package dissim

import (
	"bufio"
	"io"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/kindred-go/kindred/data/dataset"
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
		fill = func(w *bufio.Writer) error {
			return dataset.Matrix{Rows: m.N, Cols: m.N, F32: m.D}.WriteNPY(w, nil)
		}
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
