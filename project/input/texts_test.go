package input

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// stories are texts on two matters, in turn.
func stories() string {
	words := [][]string{{"soup", "pan", "salt", "oven", "flour", "onion"},
		{"boat", "sail", "wave", "anchor", "tide", "mast"}}
	var b strings.Builder
	b.WriteString("key,story\n")
	for i := range 20 {
		w := words[i%2]
		fmt.Fprintf(&b, "k%d,%s %s %s %s and %d\n", i, w[i%6], w[(i+1)%6], w[(i+3)%6], w[(i+4)%6],
			1000+i)
	}
	return b.String()
}

const shortTexts = "word\nlion\nlino\nlions\nsoup\nsoups\nsoap\n"

// TestTheLengthOfTextsDecides, where nobody else does.
func TestTheLengthOfTextsDecides(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories(), "words.csv": shortTexts})
	for _, c := range []struct {
		file     string
		settings []string
		method   string
		vectors  bool
	}{
		{"stories.csv", []string{"text", "story"}, "kin", true},
		{"stories.csv", []string{"text", "story", "super-instances", "4"}, "cobra", true},
		{"stories.csv", []string{"text", "story", "metric", "cosine", "clusters", "2"}, "evclus",
			true},
		{"stories.csv", []string{"text", "story", "method", "evclus", "clusters", "2"}, "evclus",
			false},
		{"stories.csv", []string{"text", "story", "metric", "levenshtein", "clusters", "2"},
			"evclus", false},
		{"stories.csv", nil, "kin", true}, // nothing else can be compared
		{"words.csv", []string{"text", "word", "clusters", "2"}, "evclus", false},
		{"words.csv", []string{"text", "word", "clusters", "2", "super-instances", "3"}, "evclus",
			false},
		{"words.csv", []string{"text", "word", "method", "cobra"}, "cobra", true},
	} {
		d, r := openData(t, folder, c.file, c.settings...)
		if r.MethodName != c.method || d.Opaque() != c.vectors || d.Encoded() != c.vectors ||
			d.Kind() != "text" {
			t.Errorf("%s %v: by %s, vectors %v, shown as %s", c.file, c.settings, r.MethodName,
				d.Opaque(), d.Kind())
		}
		if c.settings == nil &&
			!strings.Contains(strings.Join(d.Notes(), "; "),
				"no column can be a feature, and story holds texts: they are compared") {
			t.Errorf("nothing is said of the column that was found: %q", d.Notes())
		}
	}
	r := recipe(t, "text", "word")
	var slip fault.Setting
	if _, err := Open(t.Context(), Place{}, folder+"/words.csv", r, nil); !errors.As(err, &slip) ||
		!strings.Contains(string(slip), "evclus needs the number of clusters") {
		t.Errorf("short texts without a number of clusters: %v", err)
	}
	r = recipe(t, "text", "word", "metric", "levenshtein", "method", "cobra")
	if _, err := r.Asking(); !errors.As(err, &slip) ||
		!strings.Contains(string(slip), "--metric levenshtein makes no vectors") {
		t.Errorf("%v", err)
	}
	var in *fault.Input
	if _, err := Open(t.Context(), Place{}, folder+"/words.csv", New(), nil); !errors.As(err,
		&in) || !strings.Contains(in.Fix, "compare the texts of word by --text") {
		t.Errorf("%v", err)
	}
}

func TestWordsTellTexts(t *testing.T) {
	folder := write(t, map[string]string{"stories.csv": stories()})
	d, _ := openData(t, folder, "stories.csv", "text", "story", "dimensions", "4", "encoder", "lsa")
	if d.Ready.X.Cols != 4 || d.Ready.X.Rows != 20 ||
		d.What() != "texts in story, as 4 dimensions of latent semantic analysis" {
		t.Fatalf("%d×%d: %s", d.Ready.X.Rows, d.Ready.X.Cols, d.What())
	}
	meaning, _ := openData(t, folder, "stories.csv", "text", "story")
	if meaning.Ready.X.Cols != 256 ||
		meaning.What() != "texts in story, as 256 dimensions of the built-in table for English" {
		t.Errorf("%d columns: %s", meaning.Ready.X.Cols, meaning.What())
	}
	labels := make([]int, 20)
	for i := range labels {
		labels[i] = 1 + i%2
	}
	for _, d := range []*Data{d, d, meaning} { // the second time from what is kept
		found, err := d.Keywords(t.Context(), labels, 3, nil)
		if err != nil || len(found[1]) != 3 ||
			!strings.Contains("soup pan salt oven flour onion", found[1][0].Term) {
			t.Fatalf("%v %v", found, err)
		}
	}
	if c := d.Card(1); !strings.HasPrefix(c.Text, "sail wave") || len(c.Fields) != 0 ||
		c.ID != "k1" { // the key names the rows
		t.Errorf("%+v", c)
	}
}

// TestTextsThatRepeatHaveNoLevels: a column of them looks like a category, and is compared as texts.
func TestTextsThatRepeatHaveNoLevels(t *testing.T) {
	var b strings.Builder
	b.WriteString("q,amount\n")
	for i := range 2000 {
		number := i % 20
		if i > 1200 { // beyond what types are found from
			number = i % 150
		}
		fmt.Fprintf(&b, "my card number %d has not arrived,%d\n", number, i%7)
	}
	folder := write(t, map[string]string{"notes.csv": b.String()})
	for _, c := range []struct {
		settings []string
		levels   bool
	}{
		{[]string{"drop", "amount"}, true},
		{[]string{"text", "q"}, false},
		{[]string{"text", "q", "features", "amount"}, false},
		{[]string{"text", "q", "metric", "levenshtein", "clusters", "2"}, false},
	} {
		d, _ := openData(t, folder, "notes.csv", c.settings...)
		p, err := recipe(t, c.settings...).Profile(t.Context(), Place{}, folder+"/notes.csv", nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, notes := range [][]string{d.Notes(), p.Notes} {
			if text := strings.Join(notes, "; "); strings.Contains(text, "--levels") != c.levels {
				t.Errorf("%v: %s", c.settings, text)
			}
		}
	}
}

func TestCountWords(t *testing.T) {
	for text, want := range map[string]int{"": 0, "lion": 1, "ACGTACGTACGT": 1, "don't stop now": 3,
		"a b c d e f g": 5, "獅子と虎": 4, "x-y z": 3, "3.5": 2} {
		if got := countWords(text, 5); got != want {
			t.Errorf("%q has %d words, want %d", text, got, want)
		}
	}
}
