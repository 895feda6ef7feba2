package competitive2013

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/reproduce/frame"
)

// shipped is a run on the samples that kindred ships.
func shipped(t *testing.T, cfg frame.Config) *frame.Report {
	t.Helper()
	cfg.Sets = []string{"iris", "wine"}
	r, err := Experiment().Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func text(t *testing.T, r *frame.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := r.WriteText(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestTheProtocolRunsOnTheSamples(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	folder := t.TempDir()
	first := shipped(t, frame.Config{Trials: 1, Parts: []string{"tables"}, Out: folder})
	// Two sets, five numbers of labelled objects, five starts, three methods.
	if n := len(first.Runs.All()); n != 2*5*5*3 {
		t.Fatalf("%d runs", n)
	}
	for _, run := range first.Runs.All() {
		nmi, free, squares, broken := run.Values[0], run.Values[1], run.Values[2], run.Values[3]
		links := map[string]float64{"0 labelled": 0, "5 labelled": 75, "10 labelled": 300,
			"15 labelled": 675, "20 labelled": 1200}[run.Setting]
		if !(nmi >= 0 && nmi <= 1 && free >= 0 && free <= 1 && squares > 0 && broken >= 0 &&
			broken <= links) {
			t.Errorf("%+v", run)
		}
	}
	if got := len(first.Tables[0].Rows); got != 2*6 {
		t.Errorf("table I has %d rows", got)
	}
	resumed := shipped(t,
		frame.Config{Trials: 2, Parts: []string{"tables"}, Out: folder, Threads: 1})
	whole := shipped(t, frame.Config{Trials: 2, Parts: []string{"tables"}, Threads: 3})
	if resumed.Resumed != 10 || text(t, resumed) != text(t, whole) {
		t.Errorf("resumed from %d pieces:\n%s\nnot\n%s", resumed.Resumed, text(t, resumed),
			text(t, whole))
	}
}

// TestLabelledObjectsAreNested: what a larger number of labelled objects links, a smaller one did
// not take away.
func TestLabelledObjectsAreNested(t *testing.T) {
	sets, _, _, err := Experiment().Load(t.Context(), frame.Config{Sets: []string{"wine"}})
	if err != nil {
		t.Fatal(err)
	}
	d := drawn{set: sets[0], seed: 3, draw: 1}
	few, err := d.links(5, false)
	if err != nil {
		t.Fatal(err)
	}
	more, err := d.links(10, false)
	if err != nil {
		t.Fatal(err)
	}
	if len(few) != 75 || len(more) != 300 {
		t.Fatalf("%d and %d links", len(few), len(more))
	}
	for _, l := range few {
		if !slices.Contains(more, l) {
			t.Errorf("%+v is gone", l)
		}
	}
}

func TestTheOtherPartsRun(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	cfg := frame.Config{Sets: []string{"iris"}, Trials: 1,
		Parts: []string{"tables", "readings", "beyond"}, Out: t.TempDir()}
	r, err := Experiment().Run(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	if again, err := Experiment().Run(t.Context(), cfg); err != nil || again.Resumed != r.Units ||
		text(t, again) != text(t, r) {
		t.Errorf("of %d pieces not all were taken up as they are: %v", r.Units, err)
	}
	var names []string
	for _, table := range r.Tables {
		names = append(names, table.Name)
		for _, row := range table.Rows {
			for g, c := range row.Cells {
				// only C-RPCL learns metrics
				learnt := g > 2 && strings.HasPrefix(table.Name, "table5") && row.Keys[1] != crpcl
				if c.Mean.There() == learnt {
					t.Errorf("%s, %v, %s: %+v", table.Name, row.Keys, table.Groups[g], c.Mean)
				}
			}
		}
	}
	if got := strings.Join(names,
		" "); got != "table1 table3 table3-nearest readings table5 table5-untouched" {
		t.Errorf("tables %s", got)
	}
	if got := text(t, r); strings.Contains(got, "NaN") { // one repetition judges nothing
		t.Errorf("not a number in\n%s", got)
	}
}

// TestBeyondAloneHasThePapersColumn: its first column is the paper's protocol, so those fits are
// made too.
func TestBeyondAloneHasThePapersColumn(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	r, err := Experiment().Run(t.Context(),
		frame.Config{Sets: []string{"iris"}, Trials: 2, Reduced: true, Parts: []string{"beyond"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Tables) != 2 ||
		len(r.Runs.All()) != 2*4*startsEach*(len(methods)+len(additionNames())) {
		t.Errorf("%d tables of %d runs", len(r.Tables), len(r.Runs.All()))
	}
	for _, row := range r.Tables[0].Rows {
		if !row.Cells[0].Mean.There() {
			t.Errorf("%v: no figure by the paper's protocol", row.Keys)
		}
	}
}

// TestBeyondComparesTheSameDraws: all columns are over the draws that the tables have.
func TestBeyondComparesTheSameDraws(t *testing.T) {
	if testing.Short() {
		t.Skip("some seconds of fits")
	}
	r, err := Experiment().Run(t.Context(),
		frame.Config{Sets: []string{"iris"}, Trials: 2, Reduced: true,
			Parts: []string{"tables", "beyond"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range r.Tables {
		for _, row := range table.Rows {
			for g, c := range row.Cells {
				if c.Mean.There() && c.Mean.N != 2 {
					t.Errorf("%s, %v, %s: a mean over %d draws, want 2", table.Name, row.Keys,
						table.Groups[g], c.Mean.N)
				}
			}
		}
	}
}

func TestScaling(t *testing.T) {
	x, err := dataset.NewMatrix(3, 2, []float64{1, 7, 2, 7, 6, 7})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		how  dataset.Scale
		want []float64
	}{
		{dataset.ScaleNone, []float64{1, 7, 2, 7, 6, 7}},
		{dataset.ScaleMinMax, []float64{0, 0, .2, 0, 1, 0}},
		// mean 3, variance (4+1+9)/3
		{dataset.ScaleZScore,
			[]float64{-2 / math.Sqrt(14./3), 0, -1 / math.Sqrt(14./3), 0, 3 / math.Sqrt(14./3), 0}},
	} {
		got := scaled(x, c.how)
		for i, v := range got.F64 {
			if math.Abs(v-c.want[i]) > 1e-12 {
				t.Errorf("%v: %v, not %v", c.how, got.F64, c.want)
				break
			}
		}
	}
}

func TestLabelsByWinningFrequency(t *testing.T) {
	x, err := dataset.NewMatrix(2, 1, []float64{4, 9})
	if err != nil {
		t.Fatal(err)
	}
	centres, err := dataset.NewMatrix(2, 1, []float64{0, 10})
	if err != nil {
		t.Fatal(err)
	}
	// 4 is nearer to 0, but 3·16 > 1·36.
	if got := byFrequency(x, centres, []float64{3, 1}); !slices.Equal(got, []int32{1, 1}) {
		t.Errorf("%v", got)
	}
	if got := squaredError(x, []int32{0, 1}, centres); got != 17 {
		t.Errorf("squared error %g", got)
	}
}

func TestTheFitsStopWhenTold(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if _, err := Experiment().Run(ctx, frame.Config{Sets: []string{"wine"},
		Progress: func(int, int) { cancel() }}); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
}

// TestThePublishedSetsHaveThePapersSizes reads the eight sets, which load checks against table I.
func TestThePublishedSetsHaveThePapersSizes(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	if folder == "" {
		t.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	}
	sets, missing, _, err := Experiment().Load(t.Context(),
		frame.Config{Datasets: folder, Parts: []string{"tables"}})
	if err != nil {
		t.Fatal(err)
	}
	if len(sets) != 8 || len(missing) != 0 {
		t.Errorf("%d sets, and %d are missing", len(sets), len(missing))
	}
}

// TestPendigits holds what the paper calls its most appealing result: C-RPCL far above LCVQE.
func TestPendigits(t *testing.T) {
	folder := os.Getenv("KINDRED_DATASETS")
	switch {
	case folder == "":
		t.Skip("KINDRED_DATASETS is not set: the folder with the published data sets")
	case testing.Short():
		t.Skip("some seconds of fits")
	}
	r, err := Experiment().Run(t.Context(),
		frame.Config{Datasets: folder, Sets: []string{"pendigits"}, Parts: []string{"tables"},
			Trials: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range r.Tables[1].Rows {
		if c, l := row.Cells[0].Mean.Value, row.Cells[2].Mean.Value; c < .65 || c < l+.1 {
			t.Errorf("%s labelled: C-RPCL %.3f, LCVQE %.3f", row.Keys[0], c, l)
		}
	}
}
