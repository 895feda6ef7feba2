package input

import (
	"maps"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestNoCharacterIsCutInTwo, and what is no text in UTF-8 is still shown.
func TestNoCharacterIsCutInTwo(t *testing.T) {
	for text, want := range map[string]int{
		strings.Repeat("a", 30):      20,
		strings.Repeat("é", 15):      20,
		strings.Repeat("語", 10):      18,
		strings.Repeat("😀", 8):       20,
		"x" + strings.Repeat("😀", 8): 17,
		strings.Repeat("\x80", 30):   20,
		strings.Repeat("a", 20):      20,
	} {
		truncated := false
		got := cut(text, 20, &truncated)
		if len(got) != want || !strings.HasPrefix(text, got) || truncated != (len(text) > 20) ||
			utf8.ValidString(got) != utf8.ValidString(text) {
			t.Errorf("%q became %q, truncated %v", text, got, truncated)
		}
	}
}

// TestFarApartIsMarked where the range of a column is beyond what a number can say.
func TestFarApartIsMarked(t *testing.T) {
	folder := write(t, map[string]string{
		"wide.csv": "id,v,w\na,-1.5e308,1\nb,1.5e308,2\nc,1.4e308,3\n", "x.csv": "x\n1\n2\n3\n",
	})
	d, _ := openData(t, folder, "wide.csv", "embedding", folder+"/x.csv")
	if m := d.Compare(0, 1); m[0].Mark != "≠" || m[0].Apart != 1 {
		t.Errorf("%+v", m[0])
	}
	if m := d.Compare(1, 2); m[0].Mark != "~" {
		t.Errorf("%+v", m[0])
	}
}

// TestColumnsNotComparedStandAside in what is shown of a row and of two, and texts leave all aside.
func TestColumnsNotComparedStandAside(t *testing.T) {
	folder := write(t, map[string]string{
		"mixed.csv": "id,width,note\na,1,one thing\nb,2,another thing\nc,3,a third thing\n"})
	for _, c := range []struct {
		settings []string
		want     map[string]bool
	}{
		{[]string{"features", "width"}, map[string]bool{"width": false, "note": true}},
		{[]string{"text", "note", "clusters", "2"}, map[string]bool{"width": true}},
	} {
		d, _ := openData(t, folder, "mixed.csv", c.settings...)
		got := map[string]bool{}
		for _, f := range d.Compare(0, 1) {
			got[f.Name] = f.Aside
		}
		fields := map[string]bool{}
		for _, f := range d.Card(0).Fields {
			fields[f.Name] = f.Aside
		}
		if !maps.Equal(got, c.want) || !maps.Equal(fields, c.want) {
			t.Errorf("%v: aside are %v of two, %v of one, want %v", c.settings, got, fields, c.want)
		}
	}
}
