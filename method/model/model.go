// Package model reads and writes the models of methods, and places new rows by them.
package model

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/cluster/evclus"
	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/infile"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/ours"
	"github.com/kindred-go/kindred/method"
)

// The format of model files, as they name it.
const (
	modelFormat = ours.ModelFormat
	meanModel   = 1 // version of models of means
	credalModel = 2 // version of models of landmarks
	shapedModel = 3 // version of models of means with metrics
	placedModel = 4 // version of models of means with offsets, and of exemplars
	treeModel   = 5 // version of models of condensed trees
	massModel   = 6 // version of models of means that place rows by masses
)

// maxModel bounds the size of a model file that is read: 1 GiB.
const maxModel = 1 << 30

// modelFile is the model as JSON.
type modelFile struct {
	Format    string      `json:"format"`
	Version   int         `json:"version"`
	Method    string      `json:"method"`
	Columns   int         `json:"columns,omitempty"`
	Means     [][]float64 `json:"means,omitempty"`
	ClusterOf []int       `json:"cluster_of,omitempty"`
	// of the means: diagonal or full; "": euclidean
	Metric    string            `json:"metric,omitempty"`
	Roots     [][]float64       `json:"roots,omitempty"`
	Offsets   []float64         `json:"offsets,omitempty"`
	Degrees   *method.Degrees   `json:"degrees,omitempty"`
	Masses    *method.Masses    `json:"masses,omitempty"`
	Exemplars *method.Exemplars `json:"exemplars,omitempty"`
	Landmarks *landmarksFile    `json:"landmarks,omitempty"`
	Condensed *condensedFile    `json:"condensed,omitempty"`
	Encoding  dataset.Encoding  `json:"encoding"`
	Texts     *method.Texts     `json:"texts,omitempty"`
	Vectors   string            `json:"vectors,omitempty"`
	Digest    string            `json:"digest,omitempty"` // see digest.go
}

// Predict returns the cluster of each row that the table keeps after preparation, and which rows
// those are (nil: all). A credal model's clusters are those of maximum plausibility, 0 for
// outliers.
func Predict(ctx context.Context, m *method.Model, t *dataset.Table, threads int) (labels []int,
	rows []int32, err error) {
	if m.Credal() {
		p, rows, err := Placement(ctx, m, t, threads)
		if err != nil {
			return nil, nil, err
		}
		return p.Hard(belief.MaxPlausibility), rows, nil
	}
	if m.Condensed != nil {
		out, rows, err := inTree(ctx, m, t, threads)
		if err != nil {
			return nil, nil, err
		}
		return out.Labels, rows, nil
	}
	if m.Exemplars != nil {
		from, n, rows, err := m.Exemplars.Among(ctx, t, m.Encoding)
		if err != nil {
			return nil, nil, err
		}
		labels, err = m.Exemplars.Place(ctx, from, n, threads)
		return labels, rows, err
	}
	x, rows, err := m.Encoding.Apply(ctx, t)
	if err != nil {
		return nil, nil, err
	}
	labels, err = nearestMeans(ctx, m, x, threads)
	return labels, rows, err
}

// nearestMeans returns the cluster of the mean that is nearest to each row.
func nearestMeans(ctx context.Context, m *method.Model, x dataset.Matrix, threads int) ([]int,
	error) {
	var nearest []int32
	var err error
	switch {
	case m.Offsets != nil:
		nearest, err = shifted(ctx, m, x, threads)
	case m.Metric == "":
		nearest, err = (&kmeans.Result{Centers: m.Means}).Predict(ctx, x, threads)
	default:
		metric, wrong := metricOf(m)
		if wrong != nil {
			return nil, wrong
		}
		nearest, err = (&competitive.Result{Prototypes: m.Means, Metric: metric,
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

// Save writes a model as JSON to a file, whole or not at all.
func Save(m *method.Model, path string) error {
	text, err := encode(m)
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}

// Write writes what [Save] does.
func Write(m *method.Model, w io.Writer) error {
	text, err := encode(m)
	if err == nil {
		_, err = w.Write(text)
	}
	return err
}

// encode returns a model as JSON.
func encode(m *method.Model) ([]byte, error) {
	f := modelFile{Format: modelFormat, Version: meanModel, Method: m.Method, Columns: m.Means.Cols,
		ClusterOf: m.ClusterOf, Degrees: m.Degrees, Masses: m.Masses, Encoding: m.Encoding,
		Texts: m.Texts, Vectors: m.Vectors}
	if m.Metric != "" {
		f.Version, f.Metric = shapedModel, m.Metric
		for root := range slices.Chunk(m.Roots, len(m.Roots)/m.Means.Rows) {
			f.Roots = append(f.Roots, root)
		}
	}
	switch {
	case m.Masses != nil:
		f.Version = massModel
	case m.Credal():
		by, ok := m.Landmarks.By.(*evclus.Model)
		if !ok {
			return nil, errors.New("model: landmarks of this kind cannot be saved")
		}
		f.Version, f.Landmarks = credalModel, &landmarksFile{by, m.Landmarks.Kept}
	case m.Condensed != nil:
		by, ok := m.Condensed.By.(*density.Placer)
		if !ok {
			return nil, errors.New("model: trees of this kind cannot be saved")
		}
		f.Version, f.Condensed = treeModel, newCondensedFile(by, m.Condensed.Kept)
	case m.Exemplars != nil || m.Offsets != nil:
		f.Version, f.Exemplars, f.Offsets = placedModel, m.Exemplars, m.Offsets
	}
	for row := range slices.Chunk(m.Means.F64, max(1, m.Means.Cols)) {
		f.Means = append(f.Means, row)
	}
	text, err := json.Marshal(f)
	if err != nil {
		return nil, err
	}
	text = append(sealed(text), '\n')
	if len(text) > maxModel {
		return nil, fault.Inputf("keep fewer rows, as in --model-rows 1000",
			"the model would have %d bytes, and models have up to %d", len(text), int64(maxModel))
	}
	return text, nil
}

// Load reads what [Save] wrote.
func Load(path string) (*method.Model, error) {
	file, err := infile.Open(path, "a model")
	if fault.IsInput(err) {
		return nil, err
	}
	if err != nil {
		return nil, &fault.Input{File: path, Problem: "the model cannot be opened",
			Fix: "give a file that kindred cluster --model wrote", Err: err}
	}
	defer file.Close()
	if err := memory.CheckText(file, path); err != nil {
		return nil, err
	}
	if info, err := file.Stat(); err == nil && info.Size() > maxModel {
		return nil, fault.Inputf("give a file that kindred cluster --model wrote",
			"the file has %d bytes, and models have up to %d", info.Size(), int64(maxModel)).In(path)
	}
	text, err := io.ReadAll(io.LimitReader(file, maxModel))
	if err != nil {
		return nil, &fault.Input{File: path, Problem: "the model cannot be read",
			Fix: "give a file that kindred cluster --model wrote", Err: err}
	}
	return Parse(text, path)
}

// Parse reads the text of a model; path is what errors call it.
func Parse(text []byte, path string) (*method.Model, error) {
	m, err := parseModel(text)
	if errors.Is(err, errChanged) {
		return nil, &fault.Input{File: path, Problem: err.Error(),
			Fix: `restore it from a copy, or make it again; if you changed it on purpose, remove ` +
				`the field "digest" at its end`, Err: err}
	}
	if err != nil {
		if other := ours.Instead(text, ours.Model); other != nil {
			return nil, other.In(path).Because(err)
		}
		return nil, &fault.Input{File: path, Problem: err.Error(),
			Fix: "give a file that kindred cluster --model wrote", Err: err}
	}
	return m, nil
}

// parseModel trusts nothing in the file.
func parseModel(text []byte) (*method.Model, error) {
	var f modelFile
	if err := json.Unmarshal(text, &f); err != nil || f.Format != modelFormat {
		return nil, errors.New("this is not a kindred model, or it is damaged or cut short")
	}
	if err := verify(text, f.Digest); err != nil {
		return nil, err
	}
	m, err := modelOf(f)
	if err == nil {
		m.Unverified = f.Digest == ""
	}
	return m, err
}

// modelOf returns the model that a file describes.
func modelOf(f modelFile) (*method.Model, error) {
	if f.Version < meanModel || f.Version > massModel {
		return nil, fmt.Errorf("the model is of format %d, and this kindred reads formats %d to %d",
			f.Version, meanModel, massModel)
	}
	if f.Texts != nil {
		if err := f.Texts.Check(len(f.Encoding.Sources())); err != nil {
			return nil, err
		}
	}
	if f.Version == credalModel {
		if f.Landmarks == nil {
			return nil, errors.New("the model has no landmarks")
		}
		landmarks, err := f.Landmarks.landmarks(f.Encoding)
		if err != nil {
			return nil, err
		}
		return &method.Model{Method: f.Method, Landmarks: landmarks, Encoding: f.Encoding,
			Texts: f.Texts, Vectors: f.Vectors}, nil
	}
	if f.Version == treeModel {
		condensed, err := f.Condensed.condensed(f.Encoding)
		if err != nil {
			return nil, err
		}
		return &method.Model{Method: f.Method, Condensed: condensed, Encoding: f.Encoding,
			Texts: f.Texts, Vectors: f.Vectors}, nil
	}
	if f.Version == placedModel && f.Exemplars != nil {
		if err := f.Exemplars.Check(f.Encoding); err != nil {
			return nil, err
		}
		return &method.Model{Method: f.Method, Exemplars: f.Exemplars, Encoding: f.Encoding,
			Texts: f.Texts, Vectors: f.Vectors}, nil
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
	m := &method.Model{Method: f.Method, ClusterOf: f.ClusterOf, Encoding: f.Encoding,
		Texts: f.Texts, Vectors: f.Vectors}
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
		if err := shape(m, f); err != nil {
			return nil, err
		}
	}
	if f.Version == placedModel && len(f.Offsets) != len(f.Means) {
		return nil, fmt.Errorf("the model has %d offsets for %d means", len(f.Offsets),
			len(f.Means))
	}
	m.Offsets = f.Offsets
	if m.Degrees = f.Degrees; m.Degrees != nil {
		if err := m.Degrees.Check(m); err != nil {
			return nil, err
		}
	}
	if m.Masses = f.Masses; m.Masses != nil || f.Version == massModel {
		if err := checkMasses(m); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// checkMasses returns an error unless a model, read from a file, places rows by masses.
func checkMasses(m *method.Model) error {
	for i, c := range m.ClusterOf {
		if m.Masses == nil || m.Offsets != nil || m.Degrees != nil || c != i+1 {
			return errors.New("the model does not say how rows get masses by its means")
		}
	}
	_, err := byMeans(context.Background(), m, dataset.Matrix{Cols: m.Means.Cols}, 1)
	return plain(err)
}

// plain returns an error without what a user could do about it.
func plain(err error) error {
	if in, ok := errors.AsType[*fault.Input](err); ok {
		return errors.New(in.Problem)
	}
	return err
}

// shape takes the metrics of the means from the file.
func shape(m *method.Model, f modelFile) error {
	m.Metric = f.Metric
	metric, err := metricOf(m)
	if err != nil || metric == fit.Euclidean {
		return fmt.Errorf("the model has the metric %q, and diagonal or full is needed", f.Metric)
	}
	size := f.Columns
	if metric == fit.Full {
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

// metricOf returns the metric of the means.
func metricOf(m *method.Model) (fit.Metric, error) {
	if m.Metric == "" {
		return fit.Euclidean, nil
	}
	return fit.ParseMetric(m.Metric)
}

// landmarksFile is landmarks as JSON.
type landmarksFile struct {
	*evclus.Model
	method.Kept
}

// landmarks checks what a file holds.
func (l *landmarksFile) landmarks(e dataset.Encoding) (*method.Landmarks, error) {
	if l.Model == nil {
		return nil, errors.New("the model has no landmarks")
	}
	if err := l.Model.Check(); err != nil {
		return nil, plain(err)
	}
	return &method.Landmarks{Kept: l.Kept, By: l.Model}, l.Kept.Check(l.Model.Len(), e)
}
