package images

import (
	"bytes"
	"compress/gzip"
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/sample"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fit"
)

// drawn is a set of grey pictures with their classes.
type drawn struct {
	width, height int
	ink           float64 // as in FromPixels
	pixels        [][]float64
	classes       []int
	groups        int
}

// compare returns the adjusted Rand index of k-means by the vectors of the pictures, and by their
// bare pixels.
func (d drawn) compare(t *testing.T) (features, bare float64) {
	t.Helper()
	folder := t.TempDir()
	var names []string
	var flat []float64
	for i, row := range d.pixels {
		data, err := FromPixels(row, d.width, d.height, d.ink)
		if err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprintf("%05d.png", i))
		write(t, folder, names[i], data)
		flat = append(flat, row...)
	}
	f, err := New(root(t, folder), Limits{}).Features(t.Context(), names, Config{})
	if err != nil {
		t.Fatal(err)
	}
	return d.ari(t, f.Matrix),
		d.ari(t, dataset.Matrix{Rows: len(names), Cols: d.width * d.height, F64: flat})
}

func (d drawn) ari(t *testing.T, x dataset.Matrix) float64 {
	t.Helper()
	fit, err := kmeans.Fit(t.Context(), x, kmeans.Config{Clusters: d.groups,
		Limits: fit.Limits{Starts: 10}, Options: fit.Options{Seed: 3}})
	if err != nil {
		t.Fatal(err)
	}
	labels := make([]int, x.Rows)
	for i, l := range fit.Labels {
		labels[i] = int(l) + 1
	}
	report, err := eval.Compare(labels, d.classes)
	if err != nil {
		t.Fatal(err)
	}
	return report.AdjustedRand
}

// TestDigitsBecomeGroups draws the sample of handwritten digits and expects the vectors to serve
// k-means far better than the pixels do.
func TestDigitsBecomeGroups(t *testing.T) {
	if testing.Short() {
		t.Skip("takes many fits")
	}
	s, _ := sample.Find("digits")
	file, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	d := drawn{width: s.Width, height: s.Height, ink: float64(s.Ink), groups: s.Classes}
	rows = rows[1:]
	if os.Getenv("KINDRED_DATASETS") == "" { // all of them where there is time
		rows = rows[:600]
	}
	for _, row := range rows {
		d.pixels = append(d.pixels, numbers(t, row[:s.Features]))
		d.classes = append(d.classes, int(numbers(t, row[s.Features:])[0])+1)
	}
	features, bare := d.compare(t)
	t.Logf("ARI %.3f, by bare pixels %.3f", features, bare)
	if features < bare+0.05 {
		t.Errorf("ARI %.3f, and %.3f by bare pixels", features, bare)
	}
}

// TestPublishedPictures does the same for digits of MNIST and photographs of people.
func TestPublishedPictures(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS does not name a folder of data sets")
	}
	if testing.Short() {
		t.Skip("takes many fits")
	}
	t.Run("mnist", func(t *testing.T) {
		d := drawn{width: 28, height: 28, ink: 255, groups: 10}
		images := unzipped(t, filepath.Join(folder, "mnist_t10k-images-idx3-ubyte.gz"))[16:]
		labels := unzipped(t, filepath.Join(folder, "mnist_t10k-labels-idx1-ubyte.gz"))[8:]
		for i := range 2500 {
			row := make([]float64, 784)
			for j := range row {
				row[j] = float64(images[784*i+j])
			}
			d.pixels, d.classes = append(d.pixels, row), append(d.classes, int(labels[i])+1)
		}
		features, bare := d.compare(t)
		t.Logf("ARI %.3f, by bare pixels %.3f", features, bare)
		if features < bare+0.1 {
			t.Errorf("ARI %.3f, and %.3f by bare pixels", features, bare)
		}
	})
	t.Run("faces", func(t *testing.T) {
		d := drawn{width: 32, height: 30, ink: -255}
		people := map[string]int{}
		labels := table(t, filepath.Join(folder, "cmu_faces_labels.csv"))
		rows := table(t, filepath.Join(folder, "cmu_faces_32x30.csv.gz"))
		for i, row := range rows {
			who := labels[i][1]
			if people[who] == 0 {
				people[who] = len(people) + 1
			}
			d.pixels, d.classes = append(d.pixels, numbers(t, row[:960])),
				append(d.classes, people[who])
		}
		d.groups = len(people)
		features, bare := d.compare(t)
		t.Logf("ARI %.3f, by bare pixels %.3f", features, bare)
		if features < bare+0.2 {
			t.Errorf("ARI %.3f, and %.3f by bare pixels", features, bare)
		}
	})
}

func numbers(t *testing.T, cells []string) (out []float64) {
	t.Helper()
	for _, cell := range cells {
		v, err := strconv.ParseFloat(cell, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

func unzipped(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if filepath.Ext(path) == ".gz" {
		if r, err = gzip.NewReader(f); err != nil {
			t.Fatal(err)
		}
	}
	data, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// table reads a CSV file without its header.
func table(t *testing.T, path string) [][]string {
	t.Helper()
	rows, err := csv.NewReader(bytes.NewReader(unzipped(t, path))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}
