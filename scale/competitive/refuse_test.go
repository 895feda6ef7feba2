package competitive

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/internal/sample"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// What cannot be is refused with words that name the place and the fix.
func TestFitRefuses(t *testing.T) {
	t.Parallel()
	src, sv := lay(t, groups(60), 2, 1000, 1000)
	two := competitive.Config{Clusters: 2}
	same := func(a, b string) Link { return Link{A: a, B: b, Kind: link.MustLink} }
	for name, c := range map[string]struct {
		cfg  Config
		want string
	}{
		"a row that is not there": {Config{Config: two, Links: []Link{same("r1", "r99")}},
			`the row "r99", which the table does not have; give ids of the column id`},
		"a row and itself": {Config{Config: two, Links: []Link{same("r1", "r1")}},
			"link two different rows"},
		"a confidence of 2": {Config{Config: two,
			Links: []Link{{A: "r1", B: "r2", Kind: link.MustLink, Confidence: 2}}}, "2"},
		"passes below 0":   {Config{Config: two, Passes: -1}, "-1 passes"},
		"learners below 0": {Config{Config: two, Learners: -1}, "-1 learners"},
		"a metric": {Config{Config: competitive.Config{Clusters: 2,
			Metric: fit.Full}}, "metric"},
		"a half-life": {Config{Config: competitive.Config{Clusters: 2, HalfLife: 5}},
			"half-life"},
		"no clusters":             {Config{}, "0 clusters"},
		"more clusters than rows": {Config{Config: competitive.Config{Clusters: 61}}, "61"},
		"prototypes of one column": {Config{Config: two,
			Prototypes: dataset.Matrix{Rows: 2, Cols: 1, F64: []float64{1, 2}}},
			"have 1 columns and the table 2"},
		"one prototype": {Config{Config: two,
			Prototypes: dataset.Matrix{Rows: 1, Cols: 2, F64: []float64{1, 2}}},
			"1 initial prototypes for 2 clusters"},
		"a prototype nowhere": {Config{Config: two,
			Prototypes: dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{1, 2, math.NaN(), 3}}},
			"not finite"},
	} {
		_, err := Fit(t.Context(), fold.Local{}, src, sv, c.cfg)
		if in := (*fault.Input)(nil); !errors.As(err, &in) ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Links that contradict each other are named by ids, and kept and counted where that is asked for.
func TestContradictions(t *testing.T) {
	t.Parallel()
	src, sv := lay(t, groups(60), 2, 1000, 1000)
	cfg := Config{Config: competitive.Config{Clusters: 3},
		Links: []Link{{A: "r5", B: "r41", Kind: link.MustLink},
			{A: "r41", B: "r8", Kind: link.MustLink}, {A: "r8", B: "r5", Kind: link.CannotLink}}}
	_, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if c := (*link.Contradiction)(nil); !errors.As(err, &c) ||
		!strings.Contains(err.Error(), "r8 ≠ r5") || !strings.Contains(err.Error(), "r41") {
		t.Errorf("refused by %v", err)
	}
	cfg.Contradictions = link.Keep
	got, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if err != nil || len(got.Contradicted) != 1 ||
		!strings.Contains(got.Contradicted[0].Error(), "r8 ≠ r5") {
		t.Errorf("kept: %v, %v", got, err)
	}
}

// A linked id that two rows have is refused with both; without a column of ids rows go by number.
func TestIDs(t *testing.T) {
	t.Parallel()
	src, sv := lay(t, groups(60), 2, 1000, 1000)
	file := filepath.Join(src.Paths[0], "part-1.csv")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	cfg := Config{Config: competitive.Config{Clusters: 3},
		Links: []Link{{A: "r5", B: "r44", Kind: link.CannotLink}}, Passes: 1}
	byName, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	bare := src
	bare.ID = ""
	cfg.Links[0].A, cfg.Links[0].B = "6", "45"
	byNumber, err := Fit(t.Context(), fold.Local{}, bare, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	for i, v := range byName.Prototypes.F64 {
		if byNumber.Prototypes.F64[i] != v {
			t.Fatalf("by number %v, by id %v", byNumber.Prototypes.F64, byName.Prototypes.F64)
		}
	}
	cfg.Links[0].B = "61"
	if _, err := Fit(t.Context(), fold.Local{}, bare, sv, cfg); err == nil ||
		!strings.Contains(err.Error(), "from 1 to 60") {
		t.Errorf("row 61 of 60: %v", err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "r31,", "r05,", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Links[0].A, cfg.Links[0].B = "r5", "r05"
	if _, err := Fit(t.Context(), fold.Local{}, src, sv, cfg); err != nil {
		t.Errorf("ids are compared as they are written: %v", err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "r31,", "r5,", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	cfg.Links[0].A, cfg.Links[0].B = "r5", "r44"
	_, err = Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if in := (*fault.Input)(nil); !errors.As(err, &in) || in.Row != 32 ||
		!strings.Contains(err.Error(), "row 6") {
		t.Errorf("two rows of one id: %v", err)
	}
}

// A column that has the same for every row may be taken for ids: what is gathered then is two rows,
// not the table.
func TestOneIDOfEveryRow(t *testing.T) {
	t.Parallel()
	src, _ := lay(t, groups(500), 2, 100, 50)
	for f := range 2 {
		text := "id,x,y\n" + strings.Repeat("same,1,2\n", 250)
		if err := os.WriteFile(filepath.Join(src.Paths[0], fmt.Sprintf("part-%d.csv", f)),
			[]byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, splits, err := shard.Plan(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	found, err := sample.Find(t.Context(), fold.Local{}, "same", src, sv,
		sample.Wanted{IDs: []string{"same"}})
	if err != nil || len(sv.Splits) < 2 || len(found.Named) != 2 {
		t.Errorf("%d splits come to %d rows: %v", len(sv.Splits), len(found.Named), err)
	}
	cfg := Config{Config: competitive.Config{Clusters: 1},
		Links: []Link{{A: "same", B: "other", Kind: link.MustLink}}}
	if _, err := Fit(t.Context(), fold.Local{}, src, sv, cfg); err == nil || !strings.Contains(
		err.Error(), `the id "same", which a link names, is that of row 1 too`) {
		t.Errorf("linked: %v", err)
	}
}

// A value that is too large to be learnt is refused with its file, its row and its column, wherever
// it is met: among the rows to start by, or when it is learnt.
func TestValuesTooLarge(t *testing.T) {
	t.Parallel()
	x := groups(60)
	x.F64[2*41+1] = 1e150
	src, sv := lay(t, x, 2, 7, 5)
	start := dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{0, 0, 4, 4}}
	for name, c := range map[string]struct {
		cfg  Config
		want []string
	}{
		"at the start": {Config{}, []string{"row 42, column y: the value 1e+150 is too large"}},
		"when learnt": {Config{Prototypes: start},
			[]string{"part-1.csv, column y: row 42 of the table: the value 1e+150 is too large"}},
		"linked": {Config{Prototypes: start,
			Links: []Link{{A: "r2", B: "r41", Kind: link.MustLink}}},
			[]string{"column y: row 42 of the table: the value",
				"column y: row 3 of the table: at the other end of a link the value"}},
	} {
		c.cfg.Config = competitive.Config{Clusters: 2}
		_, err := Fit(t.Context(), fold.Local{Threads: 1}, src, sv, c.cfg)
		if in := (*fault.Input)(nil); !errors.As(err, &in) ||
			!slices.ContainsFunc(c.want,
				func(s string) bool { return strings.Contains(err.Error(), s) }) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

// Rows that links name are few: all of them go to every learner.
func TestLinksOfVeryManyRows(t *testing.T) {
	t.Parallel()
	src, sv := lay(t, groups(60), 1, 1000, 1000)
	_, err := gather(t.Context(), fold.Local{}, src, sv,
		Config{Config: competitive.Config{Clusters: 2}}, make([]string, mostLinked/2+1))
	if in := (*fault.Input)(nil); !errors.As(err, &in) ||
		!strings.Contains(err.Error(),
			"links name 2097153 rows of 2 columns; give links of at most 2097152 rows") {
		t.Errorf("%v", err)
	}
}
