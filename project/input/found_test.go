package input

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/project/store"
)

// besideStories returns stories with a column before and some behind each.
func besideStories(header string, values func(row int) string) string {
	lines := strings.Split(strings.TrimSpace(stories()), "\n")
	for i := range lines {
		more := header
		if i > 0 {
			more = values(i)
		}
		lines[i] += "," + more
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestTextsAreComparedBeforeCategories that stand beside them, in every command and on the page, and
// only where nothing else was said.
func TestTextsAreComparedBeforeCategories(t *testing.T) {
	kind := func(row int) string { return []string{"kitchen", "sea"}[row%2] }
	named := besideStories("intent", kind)
	files := map[string]string{
		"intent.csv": named,
		"shop.csv": besideStories("country,channel", func(row int) string {
			return []string{"Peru,web", "Chad,web", "Fiji,shop"}[row%3]
		}),
		"two.csv": besideStories("true_label,country", func(row int) string {
			return kind(row) + "," + []string{"Peru", "Chad", "Fiji"}[row%3]
		}),
		// these stay as they are
		"number.csv": besideStories("intent,length", func(row int) string {
			return fmt.Sprintf("%s,%d.5", kind(row), row*row%17)
		}),
		"survey.csv": besideStories("a,b,c,d", func(row int) string {
			return fmt.Sprintf("%s,%s,%s,%s", kind(row), kind(row/2), kind(row/4), kind(row/8))
		}),
		"no.csv": "key,intent,tone\n" + strings.Repeat("k,sea,low\nl,land,high\nm,sea,high\n", 8),
	}
	repeated := strings.Builder{}
	repeated.WriteString("story,intent\n")
	for i := range 450 {
		fmt.Fprintf(&repeated, "it came %d days late to the door,%s\n", i%150, kind(i))
	}
	files["repeated.csv"] = repeated.String()
	folder := write(t, files)
	for _, c := range []struct {
		file     string
		settings []string
		compared []string // columns
		hidden   []string
		note     string
	}{
		{"intent.csv", nil, []string{"story"}, []string{"intent"}, "the texts in story are compared; " +
			"left out: intent (what looks like their classes); --features intent compares it instead"},
		{"intent.csv", []string{"metric", "cosine", "clusters", "2"}, []string{"story"}, []string{"intent"}, ""},
		{"shop.csv", nil, []string{"story"}, nil, "the texts in story are compared; left out: country " +
			"and channel (few different values); --features country,channel compares them instead"},
		{"two.csv", nil, []string{"story"}, []string{"true_label"}, ""},
		{"intent.csv", []string{"label", "intent"}, []string{"story"}, []string{"intent"},
			"no column can be a feature, and story holds texts"},
		{"intent.csv", []string{"features", "intent"}, []string{"intent"}, nil, ""},
		{"intent.csv", []string{"types", "intent=category"}, []string{"intent"}, nil, ""},
		{"intent.csv", []string{"column-weights", "intent=2"}, []string{"intent"}, nil, ""},
		{"intent.csv", []string{"plain", "true"}, []string{"intent"}, nil, ""},
		{"number.csv", nil, []string{"intent", "length"}, nil, ""},
		{"survey.csv", nil, []string{"a", "b", "c", "d"}, nil, ""},
		{"no.csv", nil, []string{"key", "intent", "tone"}, nil, ""},
		{"repeated.csv", nil, []string{"intent"}, nil, ""},
	} {
		d, r := openData(t, folder, c.file, c.settings...)
		compared := d.source.Text
		if compared == "" {
			compared = strings.Join(d.Table.Features(), " ")
		}
		if compared != strings.Join(c.compared, " ") {
			t.Errorf("%s %v: compared %q, not %q", c.file, c.settings, compared, c.compared)
		}
		notes := strings.Join(d.Notes(), "\n")
		if !strings.Contains(notes, c.note) {
			t.Errorf("%s %v: noted %q", c.file, c.settings, notes)
		}
		names, _ := d.Columns()
		for _, name := range c.hidden {
			if slices.Contains(names, name) {
				t.Errorf("%s %v: people see %s, which answers the questions", c.file, c.settings, name)
			}
		}
		if again, err := r.Take(t.Context(), Place{}, folder+"/"+c.file, Manner{Choose: r.Asking,
			Keep: true, Before: d}, nil); err != nil || again.source.Text != d.source.Text {
			t.Errorf("%s %v: taken again by %q (%v)", c.file, c.settings, again.source.Text, err)
		}
		p, err := recipe(t, c.settings...).Profile(t.Context(), Place{}, folder+"/"+c.file, nil)
		if err != nil {
			t.Fatal(err)
		}
		if said := p.Chosen != ""; said != strings.Contains(c.note, "the texts in story are compared") &&
			len(c.settings) == 0 && c.note != "" {
			t.Errorf("%s: what was chosen is %q", c.file, p.Chosen)
		}
		var features []string
		for _, column := range p.Columns {
			if column.Role == dataset.Feature.String() {
				features = append(features, column.Name)
			}
		}
		if !slices.Equal(features, c.compared) || !strings.Contains(strings.Join(p.Notes, "\n"), c.note) {
			t.Errorf("%s %v: the profile has %q compared, %q", c.file, c.settings, features, p.Notes)
		}
		if len(c.settings) > 0 {
			continue
		}
		// a method that takes vectors, as cluster has it
		table, err := r.Read(t.Context(), Place{}, folder+"/"+c.file, false, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := New().VectorsOf(t.Context(), Place{}, folder+"/"+c.file, table, nil)
		if err != nil {
			t.Fatal(err)
		}
		if v.source.Text != d.source.Text {
			t.Errorf("%s: vectors of %q, not of %q", c.file, v.source.Text, d.source.Text)
		}
	}
}

// TestRecallKeepsCategories of projects that compared them before the texts beside them.
func TestRecallKeepsCategories(t *testing.T) {
	folder := write(t, map[string]string{"intent.csv": besideStories("intent",
		func(row int) string { return []string{"kitchen", "sea"}[row%2] })})
	for reading, want := range map[int]string{readingEncoded: "", ReadingNow: "story"} {
		r := New()
		if _, err := r.Recall(store.Header{Method: "kin", Given: true, Reading: reading,
			Settings: New().Remember("p.kindred")}, "p.kindred"); err != nil {
			t.Fatal(err)
		}
		d, err := Open(t.Context(), Place{}, folder+"/intent.csv", r, nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.source.Text != want {
			t.Errorf("begun with defaults %d: texts of %q are compared, not %q", reading,
				d.source.Text, want)
		}
	}
}
