// Package rows reads the rows that programs of several languages are measured on.
package rows

import (
	"encoding/binary"
	"math"
	"os"

	"github.com/kindred-go/kindred/data/dataset"
)

// Read takes a file of little-endian float64, row-major, of cols values a row.
func Read(name string, cols int) (dataset.Matrix, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return dataset.Matrix{}, err
	}
	values := make([]float64, len(raw)/8)
	for i := range values {
		values[i] = math.Float64frombits(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return dataset.NewMatrix(len(values)/cols, cols, values)
}
