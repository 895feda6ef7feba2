package method

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/kindred-go/kindred/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/kmeans"
)

// modelVersion is the format of model files.
const modelVersion = 1

// maxModel bounds the size of a model file that is read: 1 GiB.
const maxModel = 1 << 30

// Model places new rows into a partition: a row belongs to the cluster of the nearest mean.
type Model struct {
	Method    string
	Means     dataset.Matrix   // K×d float64, in prepared units
	ClusterOf []int            // cluster of each mean, from 1
	Encoding  dataset.Encoding // how rows are prepared
}

// modelFile is the model as JSON.
type modelFile struct {
	Format    string           `json:"format"`
	Version   int              `json:"version"`
	Method    string           `json:"method"`
	Columns   int              `json:"columns"`
	Means     [][]float64      `json:"means"`
	ClusterOf []int            `json:"cluster_of"`
	Encoding  dataset.Encoding `json:"encoding"`
}

// Predict gives the cluster of each row that the table keeps after preparation, and which rows those
// are (nil: all).
func (m *Model) Predict(ctx context.Context, t *dataset.Table, threads int) (labels []int, rows []int32, err error) {
	x, rows, err := m.Encoding.Apply(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	nearest, err := (&kmeans.Result{Centers: m.Means}).Predict(ctx, x, threads)
	if err != nil {
		return nil, nil, err
	}
	labels = make([]int, len(nearest))
	for i, c := range nearest {
		labels[i] = m.ClusterOf[c]
	}
	return labels, rows, nil
}

// Save writes the model as JSON, whole or not at all.
func (m *Model) Save(path string) error {
	f := modelFile{Format: "kindred model", Version: modelVersion, Method: m.Method, Columns: m.Means.Cols, ClusterOf: m.ClusterOf, Encoding: m.Encoding}
	for row := range slices.Chunk(m.Means.F64, max(1, m.Means.Cols)) {
		f.Means = append(f.Means, row)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(append(text, '\n'))
		return err
	})
}

// LoadModel reads what Save wrote.
func LoadModel(path string) (*Model, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, &fault.Input{File: path, Problem: "the model cannot be opened", Mend: "give a file that kindred cluster --model wrote", Err: err}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxModel))
	if err != nil {
		return nil, err
	}
	bad := func(problem string, cause error) error {
		return &fault.Input{File: path, Problem: problem, Mend: "give a file that kindred cluster --model wrote", Err: cause}
	}
	var f modelFile
	d := json.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&f); err != nil || f.Format != "kindred model" {
		return nil, bad("this is not a kindred model, or it is cut short", err)
	}
	if f.Version != modelVersion {
		return nil, bad(fmt.Sprintf("the model is of format %d, and this kindred reads format %d", f.Version, modelVersion), nil)
	}
	m := &Model{Method: f.Method, ClusterOf: f.ClusterOf, Encoding: f.Encoding}
	if len(f.Means) == 0 || len(f.Means) != len(f.ClusterOf) {
		return nil, bad(fmt.Sprintf("the model has %d means for %d clusters", len(f.Means), len(f.ClusterOf)), nil)
	}
	if f.Encoding.Cols() != f.Columns {
		return nil, bad(fmt.Sprintf("the model has means of %d values and a recipe for %d", f.Columns, f.Encoding.Cols()), nil)
	}
	for _, row := range f.Means {
		if len(row) != f.Columns || f.Columns == 0 {
			return nil, bad(fmt.Sprintf("a mean of the model has %d values of %d", len(row), f.Columns), nil)
		}
		m.Means.F64 = append(m.Means.F64, row...)
	}
	m.Means.Rows, m.Means.Cols = len(f.Means), f.Columns
	return m, nil
}
