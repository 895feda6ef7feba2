package kmeans_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
)

// onSphere brings rows to length 1.
func onSphere(m dataset.Matrix) dataset.Matrix {
	out := dataset.Matrix{Rows: m.Rows, Cols: m.Cols}
	for i := range m.Rows {
		row := m.AppendRow(nil, i)
		square := 0.0
		for _, v := range row {
			square += v * v
		}
		for _, v := range row {
			out.F64 = append(out.F64, v/math.Sqrt(square))
		}
	}
	return out
}

// TestSphericalIsPlainSpherical compares with Dhillon and Modha's iteration, written down: the
// centre of most cosine, and then the direction of the sum of its rows.
func TestSphericalIsPlainSpherical(t *testing.T) {
	for _, d := range []int{2, 5, 40} {
		x := onSphere(blobs(400, d, 5, uint64(d)))
		const k = 5
		var centers []float64
		for c := range k {
			centers = x.AppendRow(centers, c*37)
		}
		got := mustFit(t, x, kmeans.Config{Clusters: k, Spherical: true,
			Centers: dataset.Matrix{Rows: k, Cols: d, F64: append([]float64(nil), centers...)}})
		labels := make([]int, x.Rows)
		for range got.Iterations + 50 {
			sums := make([]float64, k*d)
			for i := range x.Rows {
				row, best := x.AppendRow(nil, i), math.Inf(-1)
				for c := range k {
					cos := 0.0
					for j, v := range row {
						cos += v * centers[c*d+j]
					}
					if cos > best {
						best, labels[i] = cos, c
					}
				}
				for j, v := range row {
					sums[labels[i]*d+j] += v
				}
			}
			for c := range k {
				length := 0.0
				for _, v := range sums[c*d : (c+1)*d] {
					length += v * v
				}
				for j := range d {
					centers[c*d+j] = sums[c*d+j] / math.Sqrt(length)
				}
			}
		}
		objective := 0.0
		for i, l := range labels {
			for j, v := range x.AppendRow(nil, i) {
				objective -= v * centers[l*d+j]
			}
			objective++
		}
		if math.Abs(got.Objective/2-objective) > 2e-3*objective {
			t.Errorf("%d columns: Σ(1 − cos) is %v, want %v", d, got.Objective/2, objective)
		}
		for c := range k {
			square := 0.0
			for _, v := range got.Centers.AppendRow(nil, c) {
				square += v * v
			}
			if math.Abs(square-1) > 1e-12 {
				t.Errorf("%d columns: centre %d has the squared length %v", d, c, square)
			}
		}
	}
}

// TestSphericalRefusesOtherLengths and names the row.
func TestSphericalRefusesOtherLengths(t *testing.T) {
	x := dataset.Matrix{Rows: 3, Cols: 2, F64: []float64{1, 0, 0, 1, 3, 4}}
	_, err := kmeans.Fit(t.Context(), x, kmeans.Config{Clusters: 2, Spherical: true})
	if err == nil || !strings.HasPrefix(err.Error(), "row 3: spherical k-means") {
		t.Error(err)
	}
}

// TestSphericalOnThreads: the same bytes on any number of threads.
func TestSphericalOnThreads(t *testing.T) {
	x := onSphere(blobs(3000, 40, 12, 4))
	single := dataset.Matrix{Rows: x.Rows, Cols: x.Cols}
	for _, v := range x.F64 {
		single.F32 = append(single.F32, float32(v))
	}
	for _, x := range []dataset.Matrix{x, single} {
		var want *kmeans.Result
		for _, threads := range []int{1, 2, 7} {
			cfg := kmeans.Config{Clusters: 12, Spherical: true, Init: kmeans.InitParallel,
				Sample: 1000}
			cfg.Threads = threads
			got := mustFit(t, x, cfg)
			if want == nil {
				want = got
			}
			if !slices.Equal(got.Labels, want.Labels) || got.Objective != want.Objective ||
				!slices.Equal(got.Centers.F64, want.Centers.F64) {
				t.Errorf("another result on %d threads", threads)
			}
		}
	}
}

// TestSample: a smaller sample costs fewer distances, and one as large as the rows none less.
func TestSample(t *testing.T) {
	x := blobs(3000, 8, 12, 4)
	fit := func(sample int) *kmeans.Result {
		return mustFit(t, x, kmeans.Config{Clusters: 12, Init: kmeans.InitParallel, Sample: sample,
			Limits: fit.Limits{MaxIterations: 1}})
	}
	all, few := fit(0), fit(300)
	if few.Distances >= all.Distances {
		t.Errorf("%d distances with a sample, %d without", few.Distances, all.Distances)
	}
	if same := fit(3000); same.Objective != all.Objective {
		t.Errorf("a sample of all rows leads elsewhere: %v, %v", same.Objective, all.Objective)
	}
	for _, sample := range []int{-1, 11} {
		_, err := kmeans.Fit(t.Context(), x, kmeans.Config{Clusters: 12, Sample: sample})
		if !fault.IsInput(err) {
			t.Errorf("a sample of %d: %v", sample, err)
		}
	}
}
