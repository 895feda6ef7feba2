package method

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/lsa"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
)

// What model files say they are.
const (
	modelFormat = "kindred model"
	meanModel   = 1 // version of models of means
	credalModel = 2 // version of models of landmarks
	shapedModel = 3 // version of models of means with metrics
	placedModel = 4 // version of models of means with offsets, and of exemplars
)

// maxModel bounds the size of a model file that is read: 1 GiB.
const maxModel = 1 << 30

// Model places new rows into a partition: a row belongs to the cluster of the nearest mean, or of
// the nearest object kept, or, in a credal partition, gets the mass function that its
// dissimilarities to landmarks call for.
type Model struct {
	Method string
	// K×d float64, in prepared units; empty where there are landmarks or exemplars
	Means     dataset.Matrix
	ClusterOf []int              // cluster of each mean, from 1
	Metric    competitive.Metric // in which the mean is nearest
	Roots     []float64          // of each mean's metric; see competitive.Result
	Offsets   []float64          // added to the squared distance from each mean; nil: nothing is
	Exemplars *Exemplars         // objects kept; nil where there are means or landmarks
	Landmarks *Landmarks         // nil where there are means or exemplars
	Encoding  dataset.Encoding   // how rows are prepared
	// how texts become the rows that Encoding prepares; nil: they are those of a table
	Texts *Texts
}

// Texts reports how the texts of a column become rows of numbers.
type Texts struct {
	Column string     `json:"column"`
	Words  *lsa.Model `json:"words"`
}

// modelFile is the model as JSON.
type modelFile struct {
	Format    string      `json:"format"`
	Version   int         `json:"version"`
	Method    string      `json:"method"`
	Columns   int         `json:"columns,omitempty"`
	Means     [][]float64 `json:"means,omitempty"`
	ClusterOf []int       `json:"cluster_of,omitempty"`
	// of the means: diagonal or full; "": euclidean
	Metric    string           `json:"metric,omitempty"`
	Roots     [][]float64      `json:"roots,omitempty"`
	Offsets   []float64        `json:"offsets,omitempty"`
	Exemplars *Exemplars       `json:"exemplars,omitempty"`
	Landmarks *Landmarks       `json:"landmarks,omitempty"`
	Encoding  dataset.Encoding `json:"encoding"`
	Texts     *Texts           `json:"texts,omitempty"`
}

// Predict returns the cluster of each row that the table keeps after preparation, and which rows
// those are (nil: all). A credal model's clusters are those of maximum plausibility, 0 for
// outliers.
func (m *Model) Predict(ctx context.Context, t *dataset.Table, threads int) (labels []int,
	rows []int32, err error) {
	if m.Credal() {
		p, rows, err := m.Placement(ctx, t, threads)
		if err != nil {
			return nil, nil, err
		}
		return p.Hard(belief.MaxPlausibility), rows, nil
	}
	if m.Exemplars != nil {
		from, n, rows, err := m.Exemplars.among(ctx, t, m.Encoding)
		if err != nil {
			return nil, nil, err
		}
		labels, err = m.Exemplars.place(ctx, from, n, threads)
		return labels, rows, err
	}
	x, rows, err := m.Encoding.Apply(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	labels, err = m.nearestMeans(ctx, x, threads)
	return labels, rows, err
}

// nearestMeans returns the cluster of the mean that is nearest to each row.
func (m *Model) nearestMeans(ctx context.Context, x dataset.Matrix, threads int) ([]int, error) {
	var nearest []int32
	var err error
	switch {
	case m.Offsets != nil:
		nearest, err = m.shifted(ctx, x, threads)
	case m.Metric == competitive.Euclidean:
		nearest, err = (&kmeans.Result{Centers: m.Means}).Predict(ctx, x, threads)
	default:
		nearest, err = (&competitive.Result{Prototypes: m.Means, Metric: m.Metric,
			Roots: m.Roots}).Predict(ctx, x, threads)
	}
	if err != nil {
		return nil, err
	}
	labels := make([]int, len(nearest))
	for i, c := range nearest {
		labels[i] = m.ClusterOf[c]
	}
	return labels, nil
}

// Save writes the model as JSON, whole or not at all.
func (m *Model) Save(path string) error {
	f := modelFile{Format: modelFormat, Version: meanModel, Method: m.Method, Columns: m.Means.Cols,
		ClusterOf: m.ClusterOf, Encoding: m.Encoding, Texts: m.Texts}
	if m.Metric != competitive.Euclidean {
		f.Version, f.Metric = shapedModel, m.Metric.String()
		for root := range slices.Chunk(m.Roots, len(m.Roots)/m.Means.Rows) {
			f.Roots = append(f.Roots, root)
		}
	}
	switch {
	case m.Credal():
		f.Version, f.Landmarks = credalModel, m.Landmarks
	case m.Exemplars != nil || m.Offsets != nil:
		f.Version, f.Exemplars, f.Offsets = placedModel, m.Exemplars, m.Offsets
	}
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
		return nil, &fault.Input{File: path, Problem: "the model cannot be opened",
			Fix: "give a file that kindred cluster --model wrote", Err: err}
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxModel))
	if err != nil {
		return nil, &fault.Input{File: path, Problem: "the model cannot be read",
			Fix: "give a file that kindred cluster --model wrote", Err: err}
	}
	m, err := parseModel(text)
	if err != nil {
		return nil, &fault.Input{File: path, Problem: err.Error(),
			Fix: "give a file that kindred cluster --model wrote", Err: err}
	}
	return m, nil
}

// parseModel trusts nothing in the file.
func parseModel(text []byte) (*Model, error) {
	var f modelFile
	if err := json.Unmarshal(text, &f); err != nil || f.Format != modelFormat {
		return nil, errors.New("this is not a kindred model, or it is cut short")
	}
	if f.Version < meanModel || f.Version > placedModel {
		return nil, fmt.Errorf("the model is of format %d, and this kindred reads formats %d to %d",
			f.Version, meanModel, placedModel)
	}
	if t := f.Texts; t != nil &&
		(t.Words == nil || t.Words.Dimensions() != len(f.Encoding.Sources())) {
		return nil, errors.New("the model does not say how its texts become rows")
	}
	if f.Version == credalModel {
		if f.Landmarks == nil {
			return nil, errors.New("the model has no landmarks")
		}
		if err := f.Landmarks.check(f.Encoding); err != nil {
			return nil, err
		}
		return &Model{Method: f.Method, Landmarks: f.Landmarks, Encoding: f.Encoding,
			Texts: f.Texts}, nil
	}
	if f.Version == placedModel && f.Exemplars != nil {
		if err := f.Exemplars.check(f.Encoding); err != nil {
			return nil, err
		}
		return &Model{Method: f.Method, Exemplars: f.Exemplars, Encoding: f.Encoding,
			Texts: f.Texts}, nil
	}
	if err := f.Encoding.Check(); err != nil {
		return nil, err
	}
	if f.Columns == 0 || f.Encoding.Cols() != f.Columns {
		return nil, fmt.Errorf("the model has means of %d values and a recipe for %d", f.Columns,
			f.Encoding.Cols())
	}
	if len(f.Means) == 0 || len(f.Means) != len(f.ClusterOf) {
		return nil, fmt.Errorf("the model has %d means for %d clusters", len(f.Means),
			len(f.ClusterOf))
	}
	m := &Model{Method: f.Method, ClusterOf: f.ClusterOf, Encoding: f.Encoding, Texts: f.Texts}
	for i, row := range f.Means {
		if len(row) != f.Columns {
			return nil, fmt.Errorf("a mean of the model has %d values of %d", len(row), f.Columns)
		}
		if f.ClusterOf[i] < 1 {
			return nil, fmt.Errorf("a mean of the model is of cluster %d", f.ClusterOf[i])
		}
		m.Means.F64 = append(m.Means.F64, row...)
	}
	m.Means.Rows, m.Means.Cols = len(f.Means), f.Columns
	if f.Version == shapedModel || f.Metric != "" {
		if err := m.shape(f); err != nil {
			return nil, err
		}
	}
	if f.Version == placedModel && len(f.Offsets) != len(f.Means) {
		return nil, fmt.Errorf("the model has %d offsets for %d means", len(f.Offsets),
			len(f.Means))
	}
	m.Offsets = f.Offsets
	return m, nil
}

// shape takes the metrics of the means from the file.
func (m *Model) shape(f modelFile) (err error) {
	if m.Metric, err = competitive.ParseMetric(f.Metric); err != nil ||
		m.Metric == competitive.Euclidean {
		return fmt.Errorf("the model has the metric %q, and diagonal or full is needed", f.Metric)
	}
	size := f.Columns
	if m.Metric == competitive.Full {
		size = f.Columns * (f.Columns + 1) / 2
	}
	if len(f.Roots) != len(f.Means) {
		return fmt.Errorf("the model has metrics for %d of %d means", len(f.Roots), len(f.Means))
	}
	for _, root := range f.Roots {
		if len(root) != size {
			return fmt.Errorf("a metric of the model has %d values of %d", len(root), size)
		}
		m.Roots = append(m.Roots, root...)
	}
	return nil
}
