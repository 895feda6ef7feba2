package eval_test

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/kmeans"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/eval"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	scaleeval "github.com/kindred-go/kindred/scale/eval"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// TestWholeSampleIsExact: where the sample is all rows, silhouettes are those of eval.Silhouette,
// noise left out, and without error.
func TestWholeSampleIsExact(t *testing.T) {
	class, cluster := labels(800, 4)
	tab := groups(t, class, 3, false)
	want, err := eval.Silhouette(t.Context(), tab.x, cluster, eval.SilhouetteConfig{})
	if err != nil {
		t.Fatal(err)
	}
	got, err := scaleeval.Silhouette(t.Context(), fold.Local{}, tab.source, tab.survey,
		scaleeval.Side{Folder: tab.parts(t, cluster, "csv")}, scaleeval.SilhouetteConfig{})
	if err != nil {
		t.Fatal(err)
	}
	if got.Sample != want.Objects || got.Noise != int64(want.Noise) || got.Of != int64(want.Of) ||
		got.Error != 0 || math.Abs(got.Mean-want.Mean) > 1e-12 {
		t.Errorf("%+v, want %+v", got, want)
	}
	for i, c := range want.Clusters {
		if g := got.Clusters[i]; g.Mean != c.Mean || g.Sample != c.Objects ||
			g.Of != int64(c.Objects) || g.Error != 0 {
			t.Errorf("cluster %d: %+v, want %+v", c.Label, g, c)
		}
	}
}

// TestErrorsAreWhatTheySay: over 50 samples of a fifth of the rows, the distance from the exact
// silhouette is about one standard error, for the mean and for each cluster; so small a cluster
// that chance might leave it out is in every sample, whole.
func TestErrorsAreWhatTheySay(t *testing.T) {
	if testing.Short() {
		t.Skip("draws many samples")
	}
	class, cluster := labels(1200, 4)
	for i := range cluster {
		cluster[i] = max(1, cluster[i])
		if i%240 == 5 {
			cluster[i] = 9
		}
	}
	tab := groups(t, class, 2, false)
	want, err := eval.Silhouette(t.Context(), tab.x, cluster, eval.SilhouetteConfig{})
	if err != nil {
		t.Fatal(err)
	}
	folder := tab.parts(t, cluster, "csv")
	const samples = 50
	squares, byCluster := 0.0, make([]float64, len(want.Clusters))
	for seed := range uint64(samples) {
		got, err := scaleeval.Silhouette(t.Context(), fold.Local{}, tab.source, tab.survey,
			scaleeval.Side{Folder: folder}, scaleeval.SilhouetteConfig{Sample: 240, Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		if math.Abs(float64(got.Sample)-240) > 80 {
			t.Errorf("a sample of %d", got.Sample)
		}
		squares += math.Pow((got.Mean-want.Mean)/got.Error, 2)
		for i, c := range got.Clusters {
			if c.Name == "9" && (c.Sample != 5 || c.Of != 5) {
				t.Errorf("the small cluster: %+v", c)
			}
			if c.Name != "9" {
				byCluster[i] += math.Pow((c.Mean-want.Clusters[i].Mean)/c.Error, 2)
			}
		}
	}
	ratio := func(squares float64) float64 { return math.Sqrt(squares / samples) }
	t.Logf("errors of the mean are %.2f standard errors, those of clusters %.2f %.2f %.2f %.2f",
		ratio(squares), ratio(byCluster[0]), ratio(byCluster[1]), ratio(byCluster[2]),
		ratio(byCluster[3]))
	if r := ratio(squares); r < 0.7 || r > 1.4 {
		t.Errorf("errors of the mean are %.2f standard errors", r)
	}
	for i, s := range byCluster[:4] {
		if r := ratio(s); r < 0.5 || r > 1.5 {
			t.Errorf("errors of cluster %d are %.2f standard errors", want.Clusters[i].Label, r)
		}
	}
}

// TestSampleDoesNotDependOnSplits: the same rows are drawn however the table is cut.
func TestSampleDoesNotDependOnSplits(t *testing.T) {
	class, _ := labels(2000, 4)
	tab := groups(t, class, 2, true)
	cfg := scaleeval.SilhouetteConfig{Sample: 150, Least: 10, Seed: 4}
	a, err := scaleeval.Silhouette(t.Context(), fold.Local{Threads: 1}, tab.source, tab.survey,
		scaleeval.Side{}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	src := tab.source
	src.SplitRows, src.BlockRows = 90, 17
	src, splits, err := shard.Plan(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	other, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	b, err := scaleeval.Silhouette(t.Context(), fold.Local{}, src, other, scaleeval.Side{}, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%d splits: %+v, %d splits: %+v", len(tab.survey.Splits), a, len(splits), b)
	}
}

func TestSilhouettesRefused(t *testing.T) {
	class, cluster := labels(400, 3)
	tab := groups(t, class, 1, false)
	one := make([]int, len(cluster))
	for i := range one {
		one[i] = 1
	}
	features := tab.source
	features.Columns, features.Label = []string{"x1", "other"}, ""
	for name, c := range map[string]struct {
		src  shard.Source
		side scaleeval.Side
		cfg  scaleeval.SilhouetteConfig
		want string
	}{
		"one cluster": {tab.source, scaleeval.Side{Folder: tab.parts(t, one, "csv")},
			scaleeval.SilhouetteConfig{}, "needs two clusters"},
		"sample": {tab.source, scaleeval.Side{}, scaleeval.SilhouetteConfig{Sample: -1},
			"a sample of -1 rows"},
		"a feature": {features, scaleeval.Side{Column: "other"}, scaleeval.SilhouetteConfig{},
			"is one of the features"},
		"no column": {features, scaleeval.Side{}, scaleeval.SilhouetteConfig{},
			"no column of clusters"},
	} {
		_, err := scaleeval.Silhouette(t.Context(), fold.Local{}, c.src, tab.survey, c.side, c.cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want …%s…", name, err, c.want)
		}
	}
}

// TestAboutCentersIsKMeans: sizes and inertia are those of k-means, and the simplified silhouette
// is its definition.
func TestAboutCentersIsKMeans(t *testing.T) {
	class, _ := labels(1000, 4)
	tab := groups(t, class, 3, false)
	fit, err := kmeans.Fit(t.Context(), tab.x,
		kmeans.Config{Clusters: 4, Limits: fit.Limits{Tolerance: -1}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := scaleeval.AboutCenters(t.Context(), fold.Local{}, tab.source, tab.survey,
		fit.Centers)
	if err != nil {
		t.Fatal(err)
	}
	sizes, mean := make([]int64, 4), 0.0
	for i, l := range fit.Labels {
		sizes[l]++
		a, b := math.Inf(1), math.Inf(1)
		for c := range 4 {
			d := 0.0
			for j := range 3 {
				d += math.Pow(tab.x.At(i, j)-fit.Centers.At(c, j), 2)
			}
			if d = math.Sqrt(d); c == int(l) {
				a = d
			} else {
				b = min(b, d)
			}
		}
		mean += (b - a) / max(a, b)
	}
	if math.Abs(got.Inertia-fit.Objective) > 1e-9*fit.Objective ||
		math.Abs(got.Simplified-mean/1000) > 1e-9 || got.Rows != 1000 {
		t.Errorf("inertia %v, simplified %v, want %v and %v", got.Inertia, got.Simplified,
			fit.Objective, mean/1000)
	}
	for c, n := range sizes {
		if got.Clusters[c].Rows != n {
			t.Errorf("cluster %d has %d rows, want %d", c, got.Clusters[c].Rows, n)
		}
	}
	again, err := scaleeval.AboutCenters(t.Context(), fold.Local{Threads: 1}, tab.source,
		tab.survey, fit.Centers)
	if err != nil || !reflect.DeepEqual(again, got) {
		t.Errorf("one thread: %+v (%v)", again, err)
	}
}

// TestAboutCentersByHand: rows at 0, 1 and 4 by centres at 0 and 4; the silhouettes are 1, 1 − 1/3
// and 1. With one centre, or two in one place, they are 0.
func TestAboutCentersByHand(t *testing.T) {
	tab := groups(t, []int{0, 1, 0}, 1, false)
	tab.source.Prepare = shard.Preparation{Shift: []float64{0}, Divisor: []float64{1}}
	x := tab.x.F64
	centers := func(v ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: len(v), Cols: 1, F64: v}
	}
	got, err := scaleeval.AboutCenters(t.Context(), fold.Local{}, tab.source, tab.survey,
		centers(x[0], x[1], x[2]))
	if err != nil || got.Inertia != 0 || got.Simplified != 1 {
		t.Errorf("centres at the rows: %+v (%v)", got, err)
	}
	for _, c := range []dataset.Matrix{centers(x[0]), centers(7, 7)} {
		if got, err = scaleeval.AboutCenters(t.Context(), fold.Local{}, tab.source, tab.survey,
			c); err != nil || got.Simplified != 0 || got.Clusters[0].Rows != 3 {
			t.Errorf("centres %v: %+v (%v)", c.F64, got, err)
		}
	}
	for _, c := range []dataset.Matrix{{}, {Rows: 1, Cols: 2, F64: []float64{1, 2}},
		centers(math.NaN())} {
		if _, err := scaleeval.AboutCenters(t.Context(), fold.Local{}, tab.source, tab.survey,
			c); !fault.IsInput(err) {
			t.Errorf("centres %v: %v", c.F64, err)
		}
	}
}
