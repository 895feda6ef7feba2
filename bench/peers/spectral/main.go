// Command spectral finds the largest eigenvalues of a normalised graph and prints what it did as
// JSON.
//
// usage: spectral THREADS COUNT TOLERANCE FOLDER [KNOWN]
//
// FOLDER holds start, col (little-endian int32) and value (float64) of a symmetric matrix in
// compressed rows, and KNOWN there, if given, orthonormal eigenvectors (float64) of the value 1,
// which are of the COUNT. Only the solver is timed.
package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/kindred-go/kindred/internal/linalg"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "spectral:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 || len(args) > 5 {
		return fmt.Errorf("usage: spectral THREADS COUNT TOLERANCE FOLDER [KNOWN]")
	}
	threads, err := strconv.Atoi(args[0])
	if err != nil {
		return err
	}
	count, err := strconv.Atoi(args[1])
	if err != nil {
		return err
	}
	tolerance, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return err
	}
	start, err := read[int32](args[3], "start")
	if err != nil {
		return err
	}
	m := &linalg.Sparse{}
	for _, at := range start {
		m.Start = append(m.Start, int(at))
	}
	if m.Col, err = read[int32](args[3], "col"); err != nil {
		return err
	}
	if m.Value, err = read[float64](args[3], "value"); err != nil {
		return err
	}
	cfg := linalg.EigenConfig{Count: count, Tolerance: tolerance, Threads: threads}
	var values []float64
	if len(args) == 5 {
		known, err := read[float64](args[3], args[4])
		if err != nil {
			return err
		}
		for v := range slices.Chunk(known, m.N()) {
			cfg.Known, values = append(cfg.Known, v), append(values, 1)
		}
		cfg.Count -= len(cfg.Known)
	}
	began := time.Now()
	r, err := linalg.Eigen(context.Background(), m, cfg)
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(map[string]any{
		"seconds": time.Since(began).Seconds(), "values": append(values, r.Values...),
		"residuals": r.Residuals, "settled": r.Settled, "products": r.Products,
	})
}

func read[T int32 | float64](folder, name string) ([]T, error) {
	raw, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	var zero T
	out := make([]T, len(raw)/binary.Size(zero))
	return out, binary.Read(bytes.NewReader(raw), binary.LittleEndian, out)
}
