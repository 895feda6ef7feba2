package density_test

import (
	"math"
	"math/rand/v2"
	"slices"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/cluster/density"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
)

// drawn is data with many equal distances: whole numbers, whose sums of squares are exact.
type drawn struct {
	m dataset.Matrix
	d [][]float64 // all distances
}

// drawData draws rows on a lattice, some in clumps.
func drawData(t *rapid.T, most int) drawn {
	n, d := rapid.IntRange(1, most).Draw(t, "n"),
		rapid.SampledFrom([]int{1, 2, 3, 5, 22}).Draw(t, "d")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "values"), 0))
	side := rapid.SampledFrom([]int{3, 8, 30}).Draw(t, "side")
	clumps := rapid.IntRange(1, 4).Draw(t, "clumps")
	middle := make([]int, clumps*d)
	for i := range middle {
		middle[i] = rng.IntN(3 * side)
	}
	values := make([]float64, n*d)
	for i := range n {
		c := rng.IntN(clumps)
		for j := range d {
			values[i*d+j] = float64(middle[c*d+j] + rng.IntN(side))
		}
	}
	return newDrawn(t, n, d, values, rapid.Bool().Draw(t, "single"))
}

func newDrawn(t rapid.TB, n, d int, values []float64, single bool) drawn {
	m, err := dataset.NewMatrix(n, d, values)
	if err != nil {
		t.Fatal(err)
	}
	if single {
		narrow := make([]float32, len(values))
		for i, v := range values {
			narrow[i] = float32(v)
		}
		m = dataset.Matrix{Rows: n, Cols: d, F32: narrow}
	}
	out := drawn{m: m, d: make([][]float64, n)}
	for i := range n {
		out.d[i] = make([]float64, n)
		for j := range n {
			s := 0.0
			for k := range d {
				v := m.At(i, k) - m.At(j, k)
				s += v * v
			}
			out.d[i][j] = math.Sqrt(s)
		}
	}
	return out
}

// objects returns the data as vectors, and as dissimilarities.
func (d drawn) objects(t rapid.TB) map[string]density.Objects {
	src, err := dissim.Vectors(d.m, dissim.Euclidean)
	if err != nil {
		t.Fatal(err)
	}
	return map[string]density.Objects{"vectors": {Vectors: d.m}, "dissimilarities": {Source: src}}
}

// twinDBSCAN follows the definitions of the paper. Of border objects it tells the clusters that
// they may be in.
type twinDBSCAN struct {
	core    []bool
	cluster []int   // of core objects; −1
	may     [][]int // of border objects: clusters of the nearest core objects
}

// near compares distances as 32-bit numbers: dissimilarities are.
func near(d, eps float64) bool { return float32(d) <= float32(eps) }

func newTwinDBSCAN(d [][]float64, eps float64, minPoints int) *twinDBSCAN {
	n := len(d)
	t := &twinDBSCAN{core: make([]bool, n), cluster: slices.Repeat([]int{-1}, n),
		may: make([][]int, n)}
	for i := range n {
		count := 0
		for j := range n {
			if near(d[i][j], eps) {
				count++
			}
		}
		t.core[i] = count >= minPoints
	}
	clusters := 0
	for i := range n {
		if !t.core[i] || t.cluster[i] >= 0 {
			continue
		}
		t.cluster[i] = clusters
		for queue := []int{i}; len(queue) > 0; queue = queue[1:] {
			for j := range n {
				if t.core[j] && t.cluster[j] < 0 && near(d[queue[0]][j], eps) {
					t.cluster[j] = clusters
					queue = append(queue, j)
				}
			}
		}
		clusters++
	}
	for i := range n {
		if t.core[i] {
			continue
		}
		least := math.Inf(1)
		for j := range n {
			if t.core[j] && near(d[i][j], eps) {
				least = min(least, d[i][j])
			}
		}
		for j := range n {
			if t.core[j] && near(d[i][j], eps) && d[i][j] == least {
				t.may[i] = append(t.may[i], t.cluster[j])
			}
		}
	}
	return t
}

// agree reports whether labels are what the twin found.
func (tw *twinDBSCAN) agree(t rapid.TB, labels []int32, core []bool) {
	t.Helper()
	to, from := map[int]int32{}, map[int32]int{}
	for i, c := range tw.cluster {
		if tw.core[i] != core[i] {
			t.Fatalf("row %d is a core object: %v, and should be: %v", i, core[i], tw.core[i])
		}
		if c < 0 {
			continue
		}
		if l, known := to[c]; known && l != labels[i] {
			t.Fatalf("cluster %d is parted into %d and %d", c, l, labels[i])
		}
		if was, known := from[labels[i]]; labels[i] < 0 || known && was != c {
			t.Fatalf("label %d holds clusters %d and %d", labels[i], was, c)
		}
		to[c], from[labels[i]] = labels[i], c
	}
	for i, may := range tw.may {
		if tw.core[i] {
			continue
		}
		if len(may) == 0 && labels[i] != density.Noise ||
			len(may) > 0 && !slices.ContainsFunc(may,
				func(c int) bool { return to[c] == labels[i] }) {
			t.Fatalf("row %d, no core object, has label %d", i, labels[i])
		}
	}
}

// permuted returns the data in another order, and where each row has gone.
func (d drawn) permuted(t *rapid.T) (drawn, []int) {
	n := d.m.Rows
	order := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 1)).Perm(n)
	values := make([]float64, 0, n*d.m.Cols)
	for _, i := range order {
		values = d.m.AppendRow(values, i)
	}
	return newDrawn(t, n, d.m.Cols, values, d.m.Single()), order
}

// samePartition compares labels of rows with those of permuted ones.
func samePartition(t rapid.TB, a, b []int32, order []int) {
	t.Helper()
	to, from := map[int32]int32{-1: -1}, map[int32]int32{-1: -1}
	for at, i := range order {
		x, y := a[i], b[at]
		if was, known := to[x]; known && was != y {
			t.Fatalf("rows of cluster %d come to %d and %d in another order", x, was, y)
		}
		if was, known := from[y]; known && was != x {
			t.Fatalf("clusters %d and %d come together in another order", x, was)
		}
		to[x], from[y] = y, x
	}
}

// blobs draws normal clouds: x, y, spread and number of rows of each.
func blobs(seed uint64, clouds ...[4]float64) (dataset.Matrix, []int32) {
	rng := rand.New(rand.NewPCG(seed, 0))
	m := dataset.Matrix{Cols: 2}
	var truth []int32
	for c, cloud := range clouds {
		for range int(cloud[3]) {
			m.F64 = append(m.F64, cloud[0]+cloud[2]*rng.NormFloat64(),
				cloud[1]+cloud[2]*rng.NormFloat64())
			truth = append(truth, int32(c))
		}
	}
	m.Rows = len(truth)
	return m, truth
}

func ints(labels []int32) []int {
	out := make([]int, len(labels))
	for i, c := range labels {
		out[i] = int(c)
	}
	return out
}
