package density_test

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/method"
)

// peerSet is a set in testdata/peers.json, as testdata/peers.py wrote it.
type peerSet struct {
	Name      string
	Columns   int
	Rows, New []float64
	HDBSCAN   []peerHDBSCAN
	DBSCAN    []struct {
		Eps    float64
		Points int
		Labels []int32
	}
}

type peerHDBSCAN struct {
	Size, Points int
	Selection    string
	Eps          float64
	Single       bool
	Labels       []int32
	Placed       []int32   // nil: the hdbscan package does not place by the clusters it found
	Strength     []float64 // of Placed
	Outliers     []float64 // −1 where they depend on the order of rows
}

func readPeers(t *testing.T) (sets []peerSet) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", "peers.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &sets); err != nil {
		t.Fatal(err)
	}
	return sets
}

func matrixOf(values []float64, columns int) dataset.Matrix {
	return dataset.Matrix{Rows: len(values) / columns, Cols: columns, F64: values}
}

// DBSCAN and HDBSCAN* find the partitions of scikit-learn where it and the hdbscan package
// agree on them in any order of rows, and the outlier scores of the latter.
func TestPartitionsOfPeers(t *testing.T) {
	fits := map[string]int{}
	scores, differ, tied := 0, 0, 0
	for _, set := range readPeers(t) {
		x := matrixOf(set.Rows, set.Columns)
		for _, c := range set.DBSCAN {
			r, err := density.FitDBSCAN(context.Background(), density.Objects{Vectors: x},
				density.Config{Eps: c.Eps, MinPoints: c.Points})
			if err != nil {
				t.Fatal(err)
			}
			fits["dbscan "+set.Name]++
			// A border row is in the cluster of the nearest core row, and scikit-learn's in the first
			// of several.
			for i, want := range c.Labels {
				if got := r.Labels[i]; got != want && (r.Core[i] || min(got, want) < 0) {
					t.Errorf("%s, DBSCAN within %g: row %d is in %d, want %d", set.Name, c.Eps, i,
						got, want)
				}
			}
		}
		for _, c := range set.HDBSCAN {
			r, err := density.FitHDBSCAN(context.Background(), density.Objects{Vectors: x},
				c.config())
			if err != nil {
				t.Fatal(err)
			}
			fits["hdbscan "+set.Name]++
			if !slices.Equal(r.Labels, c.Labels) {
				t.Errorf("%s, %+v: %v, want %v", set.Name, c.config(), r.Labels, c.Labels)
			}
			for i, want := range c.Outliers {
				if want < 0 {
					tied++
				} else if scores++; math.Abs(r.Outlier[i]-want) > 1e-6 {
					differ++
				}
			}
		}
	}
	// Ten orders do not show all ties.
	if differ > scores/1000 || scores < 5000 {
		t.Errorf("%d of %d outlier scores differ; %d depend on the order of rows", differ, scores,
			tied)
	}
	if len(fits) < 20 {
		t.Errorf("compared are only %v", fits)
	}
}

func (c peerHDBSCAN) config() density.HDBSCANConfig {
	cfg := density.HDBSCANConfig{MinClusterSize: c.Size, MinPoints: c.Points, SelectionEps: c.Eps,
		Single: c.Single}
	if c.Selection == "leaf" {
		cfg.Selection = density.Leaf
	}
	return cfg
}

// New rows are placed as approximate_predict of the hdbscan package places them.
func TestPlacesAsApproximatePredict(t *testing.T) {
	compared := 0
	for _, set := range readPeers(t) {
		for _, c := range set.HDBSCAN {
			if c.Placed == nil {
				continue
			}
			values := map[string]string{"min-cluster-size": strconv.Itoa(c.Size),
				"min-points": strconv.Itoa(c.Points), "selection": c.Selection}
			if c.Single {
				values["single"] = "true"
			}
			x := matrixOf(set.Rows, set.Columns)
			out, err := configured(t, values).Fit(context.Background(), method.Problem{Data: x})
			if err != nil {
				t.Fatal(err)
			}
			number := map[int32]int{-1: 0}
			for row, l := range c.Labels {
				number[l] = out.Labels[row]
			}
			by := out.Model.Condensed.By
			placed, err := by.PlaceVectors(context.Background(), x,
				matrixOf(set.New, set.Columns), 0)
			if err != nil {
				t.Fatal(err)
			}
			for i, label := range placed.Labels {
				if want := number[c.Placed[i]]; label != want {
					t.Errorf("%s, %+v: row %d is placed in %d, want %d", set.Name, c.config(), i,
						label, want)
				} else if label > 0 {
					if got := placed.Strength[i]; math.Abs(got-c.Strength[i]) > 1e-6 {
						t.Errorf("%s: row %d with %g, want %g", set.Name, i, got, c.Strength[i])
					}
					at := slices.Index(placed.Credal.Focal, belief.Singleton(label-1))
					if got := placed.Credal.Row(i)[at]; placed.Strength[i] != got && out.Clusters > 1 {
						t.Errorf("%s: row %d with a mass of %g", set.Name, i, got)
					}
				}
				compared++
			}
		}
	}
	if compared < 500 {
		t.Errorf("only %d rows were compared", compared)
	}
}
