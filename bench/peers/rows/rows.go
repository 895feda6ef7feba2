// Package rows is what programs share that are measured beside others: arguments, rows, timing.
package rows

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/kindred-go/kindred/data/dataset"
)

// Read takes a file of little-endian float64, row-major, of cols values a row.
func Read(name string, cols int) (dataset.Matrix, error) {
	values, err := Values[float64](name)
	if err != nil {
		return dataset.Matrix{}, err
	}
	return dataset.NewMatrix(len(values)/cols, cols, values)
}

// Values reads a file of little-endian numbers.
func Values[T int32 | int64 | float32 | float64](name string) ([]T, error) {
	raw, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var zero T
	out := make([]T, len(raw)/binary.Size(zero))
	return out, binary.Read(bytes.NewReader(raw), binary.LittleEndian, out)
}

// Main calls run with the arguments of the program and prints as JSON what it returns. usage is the
// name and the arguments, a word each, with a blank and a bracket before one that may be left out.
// After an error, or with another number of arguments, the program exits with 1.
func Main(usage string, run func(args []string) (map[string]any, error)) {
	name, words, _ := strings.Cut(usage, " ")
	most := len(strings.Fields(words))
	least := most - strings.Count(words, " [")
	err := fmt.Errorf("usage: %s", usage)
	if args := os.Args[1:]; len(args) >= least && len(args) <= most {
		var found map[string]any
		if found, err = run(args); err == nil {
			err = json.NewEncoder(os.Stdout).Encode(found)
		}
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		os.Exit(1)
	}
}

// Ints reads whole numbers.
func Ints(args ...string) ([]int, error) {
	numbers := make([]int, len(args))
	for i, s := range args {
		var err error
		if numbers[i], err = strconv.Atoi(s); err != nil {
			return nil, err
		}
	}
	return numbers, nil
}

// Timed calls do twice, and returns the seconds of the second call, with memory and processor warm.
func Timed(do func() error) (seconds float64, err error) {
	for range 2 {
		began := time.Now()
		if err := do(); err != nil {
			return 0, err
		}
		seconds = time.Since(began).Seconds()
	}
	return seconds, nil
}

// WriteLabels writes labels to a file of little-endian int64.
func WriteLabels(name string, labels []int64) error {
	var b bytes.Buffer
	if err := binary.Write(&b, binary.LittleEndian, labels); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
