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
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/kindred-go/kindred/bench/peers/rows"
	"github.com/kindred-go/kindred/internal/linalg"
)

func main() { rows.Main("spectral THREADS COUNT TOLERANCE FOLDER [KNOWN]", run) }

func run(args []string) (map[string]any, error) {
	numbers, err := rows.Ints(args[:2]...)
	if err != nil {
		return nil, err
	}
	tolerance, err := strconv.ParseFloat(args[2], 64)
	if err != nil {
		return nil, err
	}
	start, err := rows.Values[int32](filepath.Join(args[3], "start"))
	if err != nil {
		return nil, err
	}
	m := &linalg.Sparse{}
	for _, at := range start {
		m.Start = append(m.Start, int(at))
	}
	if m.Col, err = rows.Values[int32](filepath.Join(args[3], "col")); err != nil {
		return nil, err
	}
	if m.Value, err = rows.Values[float64](filepath.Join(args[3], "value")); err != nil {
		return nil, err
	}
	cfg := linalg.EigenConfig{Count: numbers[1], Tolerance: tolerance,
		Threads: numbers[0]}
	var values []float64
	if len(args) == 5 {
		known, err := rows.Values[float64](filepath.Join(args[3], args[4]))
		if err != nil {
			return nil, err
		}
		for v := range slices.Chunk(known, m.N()) {
			cfg.Known, values = append(cfg.Known, v), append(values, 1)
		}
		cfg.Count -= len(cfg.Known)
	}
	began := time.Now()
	r, err := linalg.Eigen(context.Background(), m, cfg)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"seconds": time.Since(began).Seconds(), "values": append(values, r.Values...),
		"residuals": r.Residuals, "settled": r.Settled, "products": r.Products,
	}, nil
}
