package method

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// scattered draws a wide cluster, a dense one that is small, and clusters of a row or two; a tenth
// of the first two is noise.
func scattered(seed uint64, n int) (Problem, *Outcome, []int) {
	rng := rand.New(rand.NewPCG(seed, 1))
	p := Problem{Data: dataset.Matrix{Rows: n, Cols: 2}}
	var labels []int32
	var among []int
	for i := range n {
		label, x, y := int32(0), 10*rng.Float64(), 10*rng.Float64()
		switch {
		case i < 5:
			label, x = int32(2+i/2), 1000*float64(1+i/2)
		case i%4 == 0:
			label, x, y = 1, 100+x/100, y/100
		}
		if i >= 5 && i%10 == 0 {
			label = -1
		}
		if label >= 0 && i%3 > 0 || i < 5 {
			among = append(among, i)
		}
		p.Data.F64, labels = append(p.Data.F64, x, y), append(labels, label)
	}
	return p, ByLabels(labels), among
}

// TestExemplarsOfManyRows: a model keeps as many rows as it may, of every cluster, and reaches
// every row that it stands for and no farther than it must.
func TestExemplarsOfManyRows(t *testing.T) {
	for seed := range uint64(20) {
		p, out, among := scattered(seed, 3000)
		for _, most := range []int{0, 50, 7, 2} {
			const reach = 0.25
			p.Threads = int(seed%3) + 1
			m, err := PlaceByExemplars(context.Background(), p, out, among, reach, most, seed)
			if err != nil {
				t.Fatal(err)
			}
			e := m.Exemplars
			if most == 0 {
				most = DefaultExemplars
			}
			if kept := len(e.Which); kept > max(most, out.Clusters) || kept < most-out.Clusters {
				t.Errorf("%d rows kept where %d may be", kept, most)
			}
			src, err := dissim.Vectors(p.Data, dissim.Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			// the farthest of each cluster from what is kept of it
			far := make([]float64, out.Clusters)
			row := make([]float32, len(e.Which))
			for _, i := range among {
				src.Row(row, i, e.Which)
				least := math.Inf(1)
				for j, v := range row {
					if e.ClusterOf[j] == out.Labels[i] {
						least = min(least, float64(v))
					}
				}
				far[out.Labels[i]-1] = max(far[out.Labels[i]-1], least)
			}
			for c, v := range far {
				if math.Abs(e.Reach[c]-reach-v) > 1e-6*v {
					t.Errorf("seed %d, %d rows: cluster %d reaches %g, and %g to its farthest "+
						"row, %g", seed, most, c+1, e.Reach[c], reach, v)
				}
			}
			from, err := dissim.Cross(p.Data, e.Objects.Rows, dissim.Euclidean)
			if err != nil {
				t.Fatal(err)
			}
			labels, err := e.Place(context.Background(), from, p.Data.Rows, p.Threads)
			if err != nil {
				t.Fatal(err)
			}
			for _, i := range among {
				if labels[i] != out.Labels[i] {
					t.Fatalf("row %d of cluster %d is placed in %d", i, out.Labels[i], labels[i])
				}
			}
		}
	}
}

// TestEachClusterHasItsReach: between a wide cluster and a dense one each new object is of the
// nearest row whose cluster reaches it, and noise where none does.
func TestEachClusterHasItsReach(t *testing.T) {
	e := Exemplars{Kept: Kept{Fitted: 2, Which: []int32{0, 1}}, ClusterOf: []int{1, 2},
		Reach: []float64{5, 1}}
	d := dataset.Matrix{Rows: 5, Cols: 2, F64: []float64{5, 1, 4, 1.5, 5.1, 1.1, 0.5, 0.5, 6, 1}}
	from, err := e.Columns(d)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Place(context.Background(), from, d.Rows, 1)
	if want := []int{2, 1, 0, 1, 2}; err != nil || !slices.Equal(got, want) {
		t.Errorf("%v, %v; want %v", got, err, want)
	}
}

// TestExemplarsThatAreDamaged are refused when a file has them.
func TestExemplarsThatAreDamaged(t *testing.T) {
	for want, e := range map[string]Exemplars{
		"no objects":                {},
		"of cluster 0":              {ClusterOf: []int{0}},
		"how far cluster 3 reaches": {ClusterOf: []int{3}, Reach: []float64{1, 1}},
		"reaches -1 far":            {ClusterOf: []int{1}, Reach: []float64{-1}},
		"reaches +Inf far":          {ClusterOf: []int{1}, Reach: []float64{math.Inf(1)}},
		"has the numbers of 0":      {ClusterOf: []int{1}},
		"objects out of order": {ClusterOf: []int{1},
			Kept: Kept{Fitted: 1, Which: []int32{1}}},
		"the model has objects out of": {ClusterOf: []int{1, 1},
			Kept: Kept{Fitted: 2, Which: []int32{1, 1}}},
	} {
		if err := e.Check(dataset.Encoding{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v; want one that says %q", err, want)
		}
	}
}

// TestByLabels: clusters are numbered by size and first rows, whatever numbers their labels are.
func TestByLabels(t *testing.T) {
	for _, c := range []struct {
		labels []int32
		want   []int
	}{
		{nil, []int{}},
		{[]int32{-1, -7}, []int{0, 0}},
		{[]int32{7, -1, 5, 5, 0}, []int{2, 0, 1, 1, 3}},
		{[]int32{0, math.MaxInt32, 3, 0, math.MaxInt32}, []int{1, 2, 3, 1, 2}},
	} {
		out := ByLabels(c.labels)
		if clusters := slices.Max(append([]int{0}, c.want...)); !slices.Equal(out.Labels, c.want) ||
			out.Clusters != clusters {
			t.Errorf("%v become %v of %d", c.labels, out.Labels, out.Clusters)
		}
	}
}
