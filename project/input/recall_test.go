package input

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/project/store"
)

// TestRecallKeepsWhatWasGiven: a column may be called 0, and a value that is the default of another
// method was given all the same.
func TestRecallKeepsWhatWasGiven(t *testing.T) {
	for _, c := range []struct {
		header        store.Header
		name, setting string
	}{
		{store.Header{Method: "kin", Given: true, Settings: map[string]string{"drop": "0"}}, "drop",
			"0"},
		{store.Header{Method: "kin", Settings: map[string]string{"id": "0"}}, "id", "0"},
		{store.Header{Method: "kin", Settings: map[string]string{"super-instances": "50"}},
			"super-instances", "50"},
		{store.Header{Method: "evclus", Settings: map[string]string{"constraints": "penalty"}},
			"constraints", "penalty"},
		{store.Header{Method: "pckmeans", Settings: map[string]string{"starts": "1"}},
			"starts", "1"},
		{store.Header{Method: "kin", Settings: map[string]string{"super-instances": "0"}},
			"super-instances", ""},
		{store.Header{Method: "evclus", Settings: map[string]string{"transform": "exp"}},
			"transform", ""},
	} {
		r := New()
		if _, err := r.Recall(c.header, "p.kindred"); err != nil {
			t.Fatal(err)
		}
		if value, _ := r.Get(c.name); value != c.setting && (c.setting != "" || r.Given(c.name)) {
			t.Errorf("%s of %+v: %q", c.name, c.header.Settings, value)
		}
	}
}

// TestRecallReadsAsTheProjectDid: a project that was begun when there was one way to read texts and
// choose roles goes on in it, and one begun since does not.
func TestRecallReadsAsTheProjectDid(t *testing.T) {
	for _, settings := range []map[string]string{{"drop": "", "id": ""}, {"label": "class"}} {
		r := New()
		h := store.Header{Method: "kin", Settings: settings}
		if flags, err := r.Recall(h, "p.kindred"); err != nil || !r.Plain {
			t.Errorf("%v: plain %v, %v %v", settings, r.Plain, flags, err)
		}
		if changes := r.Changes(h, "p.kindred"); changes != nil {
			t.Errorf("%v: changes %v", settings, changes)
		}
		again := New()
		h.Settings = r.Remember("p.kindred")
		if _, err := again.Recall(h, "p.kindred"); err != nil || !again.Plain {
			t.Errorf("%v: plain %v once written again, %v", settings, again.Plain, err)
		}
	}
	r, now := New(), New()
	h := store.Header{Method: "kin", Given: true, Settings: now.Remember("p.kindred")}
	if _, err := r.Recall(h, "p.kindred"); err != nil || r.Plain {
		t.Errorf("begun now: plain %v, %v", r.Plain, err)
	}
}

// TestRecallKeepsEarlierDefaults of projects that were begun with them.
func TestRecallKeepsEarlierDefaults(t *testing.T) {
	read := func(reading int) *dataset.Table {
		r := New()
		if _, err := r.Recall(store.Header{Method: "kin", Given: true, Reading: reading,
			Settings: New().Remember("p.kindred")}, "p.kindred"); err != nil {
			t.Fatal(err)
		}
		var text strings.Builder
		text.WriteString("Account,price,x\n")
		for i := range 40 {
			fmt.Fprintf(&text, "%d,%d €,%d\n", 1000+7*i, i+1, i*i%13)
		}
		table, err := r.Read(t.Context(), Place{Stdin: strings.NewReader(text.String())}, "-",
			false, nil)
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
	roles := func(table *dataset.Table) (out []dataset.Role) {
		for _, c := range table.Columns {
			out = append(out, c.Role)
		}
		return out
	}
	earlier := []dataset.Role{dataset.Feature, dataset.Unused, dataset.Feature}
	now := []dataset.Role{dataset.ID, dataset.Feature, dataset.Feature}
	if got := roles(read(0)); !slices.Equal(got, earlier) {
		t.Errorf("begun earlier: %v, not %v", got, earlier)
	}
	if got := roles(read(ReadingNow)); !slices.Equal(got, now) {
		t.Errorf("begun now: %v, not %v", got, now)
	}
}

// TestRecallKeepsScaling of projects whose data are an embedding.
func TestRecallKeepsScaling(t *testing.T) {
	table, err := dataset.FromMatrix(t.Context(), "made", dataset.Matrix{Rows: 2,
		Cols: dataset.EmbeddingCols, F64: make([]float64, 2*dataset.EmbeddingCols)})
	if err != nil {
		t.Fatal(err)
	}
	for reading, want := range map[int]dataset.Scale{0: dataset.ScaleMinMax,
		1: dataset.ScaleMinMax, ReadingNow: dataset.ScaleNone} {
		r := New()
		if _, err := r.Recall(store.Header{Method: "kin", Given: true, Reading: reading,
			Settings: New().Remember("p.kindred")}, "p.kindred"); err != nil {
			t.Fatal(err)
		}
		if got, _ := r.scaling(table, false); got != want {
			t.Errorf("reading %d: scaled by %v, want %v", reading, got, want)
		}
		if got, _ := r.scaling(table, true); got != dataset.ScaleNone {
			t.Errorf("reading %d: vectors are scaled by %v", reading, got)
		}
	}
}

// TestRecallKeepsTheWeightOfCategories of projects that were begun before they weighed as numbers.
func TestRecallKeepsTheWeightOfCategories(t *testing.T) {
	for reading, earlier := range map[int]bool{0: true, readingTexts: true, ReadingNow: false} {
		r := New()
		if _, err := r.Recall(store.Header{Method: "kin", Given: true, Reading: reading,
			Settings: New().Remember("p.kindred")}, "p.kindred"); err != nil {
			t.Fatal(err)
		}
		if p, err := r.Preparation(false); err != nil || p.Earlier != earlier {
			t.Errorf("reading %d: categories as earlier: %v, %v", reading, p.Earlier, err)
		}
	}
}

// TestRecallKeepsHowPicturesAreDecoded: projects begun before JPEGs were reduced keep their vectors.
func TestRecallKeepsHowPicturesAreDecoded(t *testing.T) {
	for reading, exact := range map[int]bool{0: true, readingDerived: true, ReadingNow: false} {
		r := New()
		if _, err := r.Recall(store.Header{Method: "kin", Given: true, Reading: reading,
			Settings: New().Remember("p.kindred")}, "p.kindred"); err != nil {
			t.Fatal(err)
		}
		if r.exact != exact {
			t.Errorf("reading %d: decoded whole is %v", reading, r.exact)
		}
	}
}

// TestColumnWeights are checked before anything is read.
func TestColumnWeights(t *testing.T) {
	for text, want := range map[string]string{
		"income":   "give columns and their weights",
		"income=0": "--drop income",
		"income=x": "no number", "income=-1": "no number", "income=NaN": "no number",
	} {
		s := Source{Missing: "refuse", Duplicates: "keep", ColumnWeights: []string{text}}
		if _, err := s.Preparation(false); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	s := Source{Missing: "refuse", Duplicates: "keep",
		ColumnWeights: []string{"a=b=2", "city=0.5"}}
	o, err := s.Preparation(false)
	if err != nil || o.Weights["a=b"] != 2 || o.Weights["city"] != 0.5 {
		t.Errorf("%v %v", o.Weights, err)
	}
}

// TestProjectsRememberHowTextsAreRead: what was said of a file is not to be said again.
func TestProjectsRememberHowTextsAreRead(t *testing.T) {
	given := map[string]string{"delimiter": ";", "decimal": ",", "encoding": "iso-8859-2",
		"na": "tbd,-999", "date-order": "mdy", "types": "zip=category", "dates": "parts"}
	r := New()
	for name, value := range given {
		if err := r.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	again := New()
	if _, err := again.Recall(store.Header{Method: "kin", Given: true, Reading: ReadingNow,
		Settings: r.Remember("p.kindred")}, "p.kindred"); err != nil {
		t.Fatal(err)
	}
	for name, value := range given {
		if got, _ := again.Get(name); got != value {
			t.Errorf("%s is %q, not %q", name, got, value)
		}
	}
	if again.readsAs(&New().Source) || !again.readsAs(&r.Source) {
		t.Error("a table that was read in another way is taken for the same")
	}
}

// TestAForeignProjectConnectsNowhere opens projects by the databases that they were begun with.
func TestAForeignProjectConnectsNowhere(t *testing.T) {
	for data, want := range map[string]bool{"postgres://db.example/shop": false,
		"postgres:///shop?host=db.example": false, "postgres://localhost/shop": true,
		"postgres:///shop?host=/run/postgresql": true} {
		name, err := DataOf(store.Header{Data: data}, "shop.kindred", Place{})
		if (err == nil) != want || want && name != data {
			t.Errorf("%s: %q, %v", data, name, err)
		}
		if err != nil && (!fault.IsInput(err) ||
			!strings.Contains(err.Error(), "kindred ask URL --project shop.kindred")) {
			t.Errorf("%s: %v", data, err)
		}
	}
}

// TestRecallKeepsEarlierDefaultsOfMethods in projects that were begun with them, unless a value was
// given, and reports no change.
func TestRecallKeepsEarlierDefaultsOfMethods(t *testing.T) {
	for name, c := range map[string]struct {
		method  string
		reading int
		given   map[string]string
		want    map[string]string
	}{
		"earlier": {"evclus", 2, nil, map[string]string{"d0": "quantile:0.9"}},
		"earlier, a value given": {"evclus", 2, map[string]string{"d0": "auto"},
			map[string]string{"d0": "auto"}},
		"now":            {"evclus", ReadingNow, nil, map[string]string{"d0": ""}},
		"another method": {"kin", 2, nil, map[string]string{"d0": ""}},
		"known classes":  {"ssnb", 2, nil, map[string]string{"unlabelled-weight": "1"}},
	} {
		settings := New().Remember("p.kindred")
		maps.Copy(settings, c.given)
		h := store.Header{Method: c.method, Given: true, Reading: c.reading, Settings: settings}
		r := New()
		flags, err := r.Recall(h, "p.kindred")
		if err != nil {
			t.Fatal(err)
		}
		for param, want := range c.want {
			if got, _ := r.Get(param); got != want {
				t.Errorf("%s: %s is %q, want %q", name, param, got, want)
			}
		}
		if len(c.given) == 0 && strings.Contains(strings.Join(flags, " "), "d0") {
			t.Errorf("%s: flags %v name what nobody gave", name, flags)
		}
		if changes := r.Changes(h, "p.kindred"); len(changes) > 0 {
			t.Errorf("%s: changes %v", name, changes)
		}
	}
}
