package competitive2013

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// pendigits is a run of figure 1 on the set that it needs.
func pendigits(t *testing.T, cfg frame.Config) *frame.Report {
	t.Helper()
	cfg.Datasets, cfg.Parts = os.Getenv("KINDRED_DATASETS"), []string{"figure1"}
	if cfg.Datasets == "" {
		t.Skip("KINDRED_DATASETS names no folder with pendigits389.csv")
	}
	r, err := Experiment().Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// TestFigure1 finds the paper's two features, 4 and 10, and its error of 7 %.
func TestFigure1(t *testing.T) {
	folder := t.TempDir()
	r := pendigits(t, frame.Config{Trials: 1, Threads: 3, Out: folder})
	key := frame.Key{Part: "figure1", Set: "pendigits", Setting: "wrapper", Draw: 1}
	of := func(method, measure string) float64 { return r.Runs.Of(key, method, measure)[0] }
	if of(allPairs, "first") != 4 || of(allPairs, "second") != 10 ||
		math.Abs(of(allPairs, "error")-.07) > .005 {
		t.Errorf("features %v and %v with an error of %v", of(allPairs, "first"),
			of(allPairs, "second"), of(allPairs, "error"))
	}
	if of(forward, "error") < of(allPairs, "error") {
		t.Errorf("forward selection errs less, %v, than the best of all pairs",
			of(forward, "error"))
	}
	var names []string
	for _, p := range r.Pictures {
		names = append(names, p.Name)
	}
	if len(r.Tables) != 2 || len(r.Claims) != 3 || strings.Join(names, " ") != "figure1a figure1b" {
		t.Errorf("%d tables, %d claims, pictures %v", len(r.Tables), len(r.Claims), names)
	}
	if got := text(t, r); strings.Contains(got, "NaN") ||
		!strings.Contains(got, "among 1 draw of 5 starts") {
		t.Errorf("of one draw:\n%s", got)
	}
	// Every trial is one of the five starts, with the same prototypes for the three methods.
	key.Setting = setting(figure1Labelled)
	for _, m := range methods {
		nmi, missed, off := r.Runs.Of(key, m, "nmi"), r.Runs.Of(key, m, "missed"),
			r.Runs.Of(key, m, "off")
		for s := range nmi {
			if !(nmi[s] > 0 && nmi[s] < 1 && missed[s] >= 0 && missed[s] <= 1055 && off[s] >= 0 &&
				off[s] < 150) {
				t.Errorf("%s: NMI %v, %v eights missed, %v off", m, nmi[s], missed[s], off[s])
			}
		}
		if len(nmi) != startsEach {
			t.Errorf("%s has %d starts", m, len(nmi))
		}
	}
	again := pendigits(t, frame.Config{Trials: 1, Threads: 1, Out: folder})
	if again.Resumed != 2 || text(t, again) != text(t, r) {
		t.Errorf("%d pieces were taken up:\n%s\nnot\n%s", again.Resumed, text(t, again), text(t, r))
	}
	if testing.Short() {
		return
	}
	if one := pendigits(t, frame.Config{Trials: 1, Threads: 1}); text(t, one) != text(t, r) {
		t.Errorf("one thread makes\n%s\nnot\n%s", text(t, one), text(t, r))
	}
}

// TestMatch matches clusters with classes by hand: 0 has most of class 1, but cluster 2 has more of
// it, and so gets it.
func TestMatch(t *testing.T) {
	labels := []int32{0, 0, 0, 0, 1, 1, 2, 2, 2, 2}
	truth := []int32{1, 1, 2, 2, 0, 0, 1, 1, 1, 0}
	if got := match(labels, truth, 3); !slices.Equal(got, []int32{2, 0, 1}) {
		t.Errorf("clusters are classes %v", got)
	}
	m := matched{fitted: fitted{labels: labels,
		centres: dataset.Matrix{Rows: 3, Cols: 1, F64: []float64{5, 1, 9}}},
		class: []int32{2, 0, 1}}
	if got := m.missed(truth, 1); got != 2 { // those in cluster 0
		t.Errorf("%v rows of class 1 are missed", got)
	}
	x := dataset.Matrix{Rows: 10, Cols: 1, F64: []float64{0, 0, 2, 6, 0, 0, 0, 0, 0, 0}}
	if got := m.off(x, truth, 2); got != 1 { // the mean is 4, the prototype of cluster 0 is 5
		t.Errorf("the prototype is %v off", got)
	}
}

// TestFoldsAreEven: a fold has a tenth of each class, give or take a row.
func TestFoldsAreEven(t *testing.T) {
	truth := slices.Concat(slices.Repeat([]int32{0}, 37), slices.Repeat([]int32{1}, 20))
	count := map[[2]int]int{}
	for i, f := range foldsOf(truth, 3) {
		count[[2]int{f, int(truth[i])}]++
	}
	for f := range folds {
		if a, b := count[[2]int{f, 0}], count[[2]int{f, 1}]; a < 3 || a > 4 || b != 2 {
			t.Errorf("fold %d has %d and %d rows", f, a, b)
		}
	}
	if slices.Equal(foldsOf(truth, 3), foldsOf(truth, 4)) {
		t.Error("another seed deals the same folds")
	}
}

// TestCrossValidation by hand: two classes far apart, with one row on the wrong side, are mistaken
// once.
func TestCrossValidation(t *testing.T) {
	x := dataset.Matrix{Rows: 40, Cols: 2}
	var truth []int32
	for i := range 40 {
		x.F64 = append(x.F64, float64(100*(i%2))+float64(i)/40, float64(i%7))
		truth = append(truth, int32(i%2))
	}
	fold := foldsOf(truth, 1)
	for _, want := range []float64{0, 1. / 40} {
		if got, err := crossValidate(t.Context(), columns(x, 0), truth, 2, fold); err != nil ||
			got != want {
			t.Errorf("the error is %v, %v; want %v", got, err, want)
		}
		x.F64[0] = 100
	}
	got := columns(x, 1, 0)
	if got.At(3, 0) != x.At(3, 1) || got.At(3, 1) != x.At(3, 0) || got.Cols != 2 {
		t.Errorf("columns are %v", got)
	}
}

// TestPensAreThoseThatOnlyCRPCLPutsRight by hand, the one closest to the mean of class 8 first.
func TestPensAreThoseThatOnlyCRPCLPutsRight(t *testing.T) {
	truth := []int32{0, 1, 1, 1, 1, 2}
	set := &frame.Set{Need: frame.Need{Classes: 3}, Truth: truth,
		X: dataset.Matrix{Rows: 6, Cols: 2, F64: []float64{0, 0, 9, 9, 1, 1, 4, 4, 2, 2, 7, 7}}}
	same := []int32{0, 1, 2}
	fits := map[string]matched{
		crpcl:  {fitted: fitted{labels: []int32{0, 1, 1, 1, 1, 2}}, class: same},
		olcvqe: {fitted: fitted{labels: []int32{0, 0, 0, 1, 0, 2}}, class: same},
		lcvqe:  {fitted: fitted{labels: []int32{0, 2, 0, 0, 2, 2}}, class: same},
	}
	d := drawn{set: set}
	if got := d.onlyByCRPCL(fits); !slices.Equal(got, []int{4, 2, 1}) { // the mean is 4
		t.Errorf("rows %v", got)
	}
	var r frame.Results
	d.pens(&r, fits)
	if len(r.Pictures) != 1 || !strings.Contains(r.Pictures[0].Notes[0], "There are 3") {
		t.Fatalf("%+v", r.Pictures)
	}
	// One less: of two, the second is the furthest.
	fits[olcvqe].labels[1] = 1
	d.pens(&r, fits)
	var svg strings.Builder
	if err := r.Pictures[1].Figure.WriteSVG(&svg); err != nil ||
		!strings.Contains(svg.String(), "furthest from it") ||
		strings.Contains(svg.String(), "in the middle") {
		t.Errorf("two eights: %v, %s", err, svg.String())
	}
	fits[lcvqe] = fits[crpcl]
	if d.pens(&r, fits); len(r.Pictures) != 2 {
		t.Errorf("%+v: there is no such row", r.Pictures[2:])
	}
}
