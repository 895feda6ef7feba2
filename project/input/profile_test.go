package input

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// profiled writes a file, and describes it by settings in pairs of name and value.
func profiled(t *testing.T, file, content string, settings ...string) *Profile {
	t.Helper()
	path := file
	if content != "" {
		path = filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	r := New()
	for i := 0; i < len(settings); i += 2 {
		if err := r.Set(settings[i], settings[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	p, err := r.Profile(t.Context(), Place{}, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if p.Kind != KindTable && p.Problem == "" && (p.Facts == nil || p.Histogram == nil) {
		t.Errorf("%s: facts %v, histogram %v", file, p.Facts, p.Histogram)
	}
	return p
}

// wantFacts compares some of the facts, in pairs of name and value.
func wantFacts(t *testing.T, p *Profile, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		at := slices.IndexFunc(p.Facts, func(f Fact) bool { return f.Name == pairs[i] })
		if at < 0 || p.Facts[at].Value != pairs[i+1] {
			t.Errorf("%s is not %q among %q", pairs[i], pairs[i+1], p.Facts)
		}
	}
}

// suspicions returns all that is suspected, of columns with their names.
func suspicions(p *Profile) (all []string) {
	all = append(all, p.Suspicions...)
	for _, c := range p.Columns {
		for _, what := range c.Suspicions {
			all = append(all, c.Name+": "+what)
		}
	}
	return all
}

// points writes the distances, or similarities, of n points on a line, in two groups.
func points(n int, of func(d float64) float64) string {
	var b strings.Builder
	at := func(i int) float64 { return float64(i) + 100*float64(i%2) }
	for i := range n {
		for j := range n {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, "%.9g", of(math.Abs(at(i)-at(j))))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

func TestProfileOfAMatrix(t *testing.T) {
	p := profiled(t, "d.csv", points(30, func(d float64) float64 { return d }),
		"dissimilarity", "true")
	if p.Kind != KindMatrix || p.Rows != 30 || len(suspicions(p)) > 0 {
		t.Errorf("%+v", p)
	}
	wantFacts(t, p, "objects", "30", "symmetric", "yes", "names", "none: objects are numbered from 1",
		"triangle inequality", "holds in all of 4060 triples", "pairs at 0", "0 of 435 pairs")
	if p.Low != "2" || p.High != "129" {
		t.Errorf("from %s to %s", p.Low, p.High)
	}

	p = profiled(t, "named.csv", "id,a,b,c\na,0,1,2\nb,1,0,2\nc,2,2,0\n", "dissimilarity", "true")
	wantFacts(t, p, "names", "from the header and the first column, as a")

	// larger where objects are closer
	p = profiled(t, "s.csv", points(100, func(d float64) float64 {
		if d == 0 {
			return 0
		}
		return math.Exp(-d / 40)
	}), "dissimilarity", "true")
	if all := suspicions(p); len(all) != 1 || !strings.Contains(all[0], "may be similarities") {
		t.Errorf("suspected: %q", all)
	}
	p = profiled(t, "table.csv", points(30, func(d float64) float64 { return math.Exp(-d / 40) }))
	if all := suspicions(p); len(all) != 1 || !strings.Contains(all[0], "matrix of similarities") {
		t.Errorf("suspected: %q", all)
	}
	p = profiled(t, "other.csv", "0,1,2\n3,0,4\n2,4,0\n", "dissimilarity", "true")
	if all := suspicions(p); len(all) != 1 || !strings.Contains(all[0], "the two directions") {
		t.Errorf("suspected: %q", all)
	}
}

// TestProfileOfALargeMatrix: what would need all pairs and triples is sampled, and says so.
func TestProfileOfALargeMatrix(t *testing.T) {
	if testing.Short() {
		t.Skip("a matrix of 2000 objects")
	}
	p := profiled(t, "d.csv", points(2000, func(d float64) float64 { return d }),
		"dissimilarity", "true")
	wantFacts(t, p, "triangle inequality", "holds in all of 100000 sampled triples",
		"pairs at 0", "0 of 1000000 sampled pairs")
}

func TestProfileOfTexts(t *testing.T) {
	text := "id,note\n1,The kettle broke on the first day\n2,The kettle broke on the first day\n" +
		"3,A good coat that keeps the rain out\n4,???\n"
	p := profiled(t, "notes.csv", text, "text", "note")
	if p.Kind != KindTexts || p.Measured != "words of a text" || p.Low != "0" || p.High != "8" ||
		len(p.Examples) != 4 {
		t.Errorf("%+v", p)
	}
	wantFacts(t, p, "texts", "4", "words of a text", "0 to 8, median 7",
		"texts equal to an earlier one", "1", "compared by", "their meaning, as vectors of the built-in table for English")
	if all := suspicions(p); len(all) != 1 || all[0] != "1 text without a letter or digit" {
		t.Errorf("suspected: %q", all)
	}
	p = profiled(t, "names.csv", "name\nann\nbob\nanne\nrob\n", "text", "name")
	wantFacts(t, p, "compared by", "their letters")

	// texts are found where nothing else can be compared
	p = profiled(t, "notes.csv", "id,note\n1,The kettle broke on the first day\n"+
		"2,A good coat that keeps the rain out\n3,It came too late and in pieces\n")
	if p.Kind != KindTexts {
		t.Errorf("it is taken for a %s", p.Kind)
	}
	p = profiled(t, "notes.csv", text+"5,\n", "text", "note")
	if !strings.Contains(p.Problem, "the value is missing") {
		t.Errorf("the problem is %q", p.Problem)
	}
	wantFacts(t, p, "missing", "1", "texts", "4")
}

func TestProfileOfSeries(t *testing.T) {
	text := `{"id": "a", "v": [1, 2, 3]}` + "\n" + `{"id": "b", "v": [2, 2]}` + "\n" +
		`{"id": "c", "v": [1, 2, 3]}` + "\n"
	p := profiled(t, "s.jsonl", text, "series", "v")
	if p.Kind != KindSeries || p.Examples[0] != "1, 2, 3" {
		t.Errorf("%+v", p)
	}
	wantFacts(t, p, "series", "3", "length of a series", "2 to 3, median 3", "values", "1 to 3",
		"constant series", "1", "series equal to an earlier one", "1", "compared by", "dtw")
	if all := suspicions(p); len(all) != 1 || all[0] != "1 of the series have one value alone" {
		t.Errorf("suspected: %q", all)
	}
}

func TestProfileOfVectors(t *testing.T) {
	table := "id,x\n1,1\n2,2\n3,3\n4,4\n"
	dir := t.TempDir()
	vectors := filepath.Join(dir, "v.csv")
	if err := os.WriteFile(vectors, []byte("a,b\n0.6,0.8\n1,0\n0,0\n1,0\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	p := profiled(t, "t.csv", table, "embedding", vectors)
	if p.Kind != KindEmbedding || p.Features != 2 || p.MatrixRows != 4 {
		t.Errorf("%+v", p)
	}
	wantFacts(t, p, "vectors", "4", "numbers of a vector", "2", "length of a vector",
		"0 to 1, median 1", "vectors equal to an earlier one", "1")
	if all := suspicions(p); len(all) != 1 || !strings.HasPrefix(all[0], "1 vector of length 0") {
		t.Errorf("suspected: %q", all)
	}

	lists := `{"n": 1, "v": [0.6, 0.8]}` + "\n" + `{"n": 2, "v": [0, 1]}` + "\n" +
		`{"n": 3, "v": [1, 0]}` + "\n"
	p = profiled(t, "l.jsonl", lists, "vectors", "v")
	wantFacts(t, p, "length of a vector", "all 1")
	p = profiled(t, "l.jsonl", lists, "vectors", "v", "features", "n")
	at := slices.IndexFunc(p.Columns, func(c ColumnProfile) bool { return c.Name == "v" })
	if p.Kind != KindTable || len(p.Columns) != 2 || at < 0 || p.Columns[at].Width != 2 ||
		p.Columns[at].Type != "vectors" || p.Features != 3 {
		t.Errorf("%+v", p)
	}
}

func TestProfileOfPictures(t *testing.T) {
	dir := t.TempDir()
	put := func(name string, width int, ink uint8) {
		img := image.NewGray(image.Rect(0, 0, width, 20))
		for x := range width {
			img.SetGray(x, int(ink)%20, color.Gray{Y: ink})
		}
		var b bytes.Buffer
		if err := png.Encode(&b, img); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	put("a/1.png", 10, 100)
	put("a/2.png", 30, 100)
	put("b/3.png", 30, 100)
	if err := os.WriteFile(filepath.Join(dir, "b/4.png"), []byte("\x89PNG\r\n\x1a\n\x00"),
		0o666); err != nil {
		t.Fatal(err)
	}
	p := profiled(t, dir, "")
	if p.Kind != KindPictures || p.Rows != 4 || p.MatrixRows != 3 ||
		p.Examples[0] != "a/1.png" || p.Columns != nil {
		t.Errorf("%+v", p)
	}
	wantFacts(t, p, "pictures", "4", "folders", "2", "formats", "PNG 3",
		"sizes", "10×20 to 30×20 pixels", "pictures equal to an earlier one", "1",
		"unreadable", "1", "looked at", "headers and pixels of all")
	if all := strings.Join(suspicions(p), "\n"); !strings.Contains(all, "b/4.png is a PNG that cannot") ||
		!strings.Contains(all, "1 of the pictures equal") {
		t.Errorf("suspected: %s", all)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := New().Profile(ctx, Place{}, dir, nil); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// column writes a table of a number and one other column.
func column(rows int, cell func(i int) string) string {
	var b strings.Builder
	b.WriteString("x,other\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%s\n", i*i%17, cell(i))
	}
	return b.String()
}

// TestSuspicions: what may be wrong with the values of a column is named, with what to do.
func TestSuspicions(t *testing.T) {
	pick := func(i int, of ...string) string { return of[i%len(of)] }
	for want, text := range map[string]string{
		`several units, "kg" (40), "lb" (20)`: column(60, func(i int) string {
			return fmt.Sprint(50+i, " ", pick(i, "kg", "kg", "lb"))
		}),
		`of the unit "kg"`: column(60, func(i int) string { return fmt.Sprint(50+i, "kg") }),
		"two units may be mixed": column(60, func(i int) string {
			return pick(i, fmt.Sprint(1.5+float64(i)/100), fmt.Sprint(150+i))
		}),
		`"Berlin", "berlin"`: column(60, func(i int) string {
			return pick(i, "Berlin", "berlin", "Bonn")
		}),
		"over 1000 times as large": column(60, func(i int) string {
			if i == 30 {
				return "12000000"
			}
			return fmt.Sprint(1000 + i)
		}),
		"--na -999 reads it as missing": column(60, func(i int) string {
			if i%20 == 7 {
				return "-999"
			}
			return fmt.Sprint(10 + i%30)
		}),
		"is correlated 1 with column x": column(60, func(i int) string {
			return fmt.Sprint(32 - float64(i*i%17)*1.8)
		}),
		"is correlated 1 with column x, which": column(60, func(i int) string {
			return fmt.Sprintf("%.6f", float64(i*i%17)/7)
		}),
		"equals column x": column(60, func(i int) string { return fmt.Sprint(i * i % 17) }),
	} {
		all := suspicions(profiled(t, "t.csv", text))
		if len(all) != 1 || !strings.HasPrefix(all[0], "other: ") ||
			!strings.Contains(all[0], want) {
			t.Errorf("%s: suspected %q", want, all)
		}
	}
	even := "c,f\n"
	for i := range 2001 {
		even += fmt.Sprintf("%d,%.1f\n", i*7%2001, 1.8*float64(i*7%2001)+32)
	}
	if all := suspicions(profiled(t, "t.csv", even)); len(all) != 1 ||
		!strings.HasPrefix(all[0], "f: is correlated 1 with column c") {
		t.Errorf("suspected %q", all)
	}
	totals := column(60, func(i int) string { return pick(i, "Bern", "Rome") }) + "999,Total\n"
	if all := suspicions(profiled(t, "t.csv", totals)); len(all) != 1 ||
		!strings.HasPrefix(all[0], `the last row, 61, has "Total" in column other`) {
		t.Errorf("suspected %q", all)
	}
}

// TestRecordsOfPersons: where most columns are left out, that is said with the way to compare them,
// and numbers that stand for persons are not taken for measurements without a word.
func TestRecordsOfPersons(t *testing.T) {
	table := func(columns string, row func(i int) string) *Profile {
		var b strings.Builder
		b.WriteString(columns + "\n")
		for i := range 280 {
			b.WriteString(row(i) + "\n")
		}
		return profiled(t, "t.csv", b.String())
	}
	person := func(i int) string {
		return fmt.Sprintf("%d,name%d,road %d,%04d,%c,%.1f", i*11%140, i, i/2, 1000+i*3%700, 'a'+i%3,
			float64(i%17))
	}
	p := table("entity,surname,address,postcode,state,x", person)
	const what = "only 3 columns are compared, of 6: entity, state, x; 3 hold"
	if all := suspicions(p); strings.Contains(strings.Join(all, "\n"), what) || p.Chosen != "" {
		t.Errorf("half of the columns: %q", all)
	}
	if all := strings.Join(suspicions(p), "\n"); !strings.Contains(all, "its numbers run from 0 "+
		"to 139 without a gap, in 2 rows each") || !strings.Contains(all, "(--drop entity)") {
		t.Errorf("numbers of persons: %s", all)
	}
	p = table("entity,surname,address,postcode,state", func(i int) string {
		return person(i)[:strings.LastIndex(person(i), ",")]
	})
	all := strings.Join(suspicions(p), "\n")
	for _, want := range []string{"only 2 columns are compared, of 5: entity, state; 3 hold names, " +
		"texts or codes, and are left out", "(--features surname,address)", "(--text surname)",
		"kindred links finds", "--links takes"} {
		if !strings.Contains(all, want) {
			t.Errorf("%q lacks %q", all, want)
		}
	}
	if !strings.HasPrefix(p.Chosen, "only 2 columns are compared") {
		t.Errorf("chosen: %q", p.Chosen)
	}
	// Columns whose values all are there come first: letters of missing ones are not compared.
	for missing, want := range map[int]string{1: "(--features address,postcode), or one of them " +
		"letter by letter (--text address)", 3: "(--text surname --missing drop)"} {
		p = table("entity,surname,address,postcode,state", func(i int) string {
			row := strings.Split(person(i), ",")[:5]
			if i%9 == 2 {
				clear(row[1 : 1+missing])
			}
			return strings.Join(row, ",")
		})
		if all := strings.Join(suspicions(p), "\n"); !strings.Contains(all, want) {
			t.Errorf("%d columns with missing values: %q lacks %q", missing, all, want)
		}
	}
	// Ages and amounts leave gaps, and a number of each row is no number of persons.
	p = table("age,row", func(i int) string { return fmt.Sprintf("%d,%d", 18+i*i%67, i) })
	if all := suspicions(p); len(all) > 0 {
		t.Errorf("%q", all)
	}
}

// TestNumbersOfMeasurements: whole numbers without a gap are no numbers of persons where they are
// few, as ages are, or where any of them is in many rows, or all are.
func TestNumbersOfMeasurements(t *testing.T) {
	for _, c := range []struct {
		name  string
		rows  int
		cell  func(i int) int
		named bool
	}{
		{"ages", 404, func(i int) int { return i * 7 % 101 }, false},
		{"black pixels", 600, func(i int) int { return max(0, i-344) }, false},
		{"one to six of each", 350, func(i int) int {
			if i < 140 {
				return i
			}
			return (i - 140) / 5
		}, true},
		{"five of each", 700, func(i int) int { return i % 140 }, false},
		{"four of each", 560, func(i int) int { return i % 140 }, true},
	} {
		p := profiled(t, "t.csv", column(c.rows, func(i int) string { return fmt.Sprint(c.cell(i)) }))
		all := strings.Join(suspicions(p), "\n")
		if named := strings.Contains(all, "without a gap"); named != c.named {
			t.Errorf("%s: %q", c.name, all)
		}
	}
}

// TestNoFalseAlarms: ordinary columns raise no suspicion.
func TestNoFalseAlarms(t *testing.T) {
	for name, cell := range map[string]func(i int) string{
		"counts":   func(i int) string { return fmt.Sprint(i * i * i % 1000) },
		"skewed":   func(i int) string { return fmt.Sprintf("%.3f", math.Exp(float64(i*7%60)/10)) },
		"two":      func(i int) string { return fmt.Sprint(i / 7 % 2) },
		"rare":     func(i int) string { return fmt.Sprint(i / 59) },
		"sparse":   func(i int) string { return fmt.Sprint(i / 50 * i) },
		"words":    func(i int) string { return fmt.Sprint("w", i*i%5) },
		"sizes":    func(i int) string { return []string{"S", "M", "L", "XL", "36", "38"}[i*i%6] },
		"total":    func(i int) string { return []string{"total", "part"}[i%2] },
		"outlier":  func(i int) string { return fmt.Sprint(min(i, 1)*(i*i%17) + i/59*500) },
		"postcode": func(i int) string { return fmt.Sprintf("%05d", 1000+i) },
	} {
		if all := suspicions(profiled(t, "t.csv", column(60, cell))); len(all) > 0 {
			t.Errorf("%s: suspected %q", name, all)
		}
	}
}

func TestProfileHasWhatFollowsFromKeepingRows(t *testing.T) {
	const gaps = "a,b,c\n1,2,red\n3,,red\n,4,blue\n"
	p := profiled(t, "gaps.csv", gaps)
	if p.Kept == nil || *p.Kept != (Kept{Rows: 3, Features: 4}) || p.Problem == "" {
		t.Errorf("%+v, %q", p.Kept, p.Problem)
	}
	p = profiled(t, "gaps.csv", gaps, "missing", "keep")
	if p.Kept != nil || p.Problem != "" || p.MatrixRows != 3 || p.Features != 4 {
		t.Errorf("%+v, %q: %d × %d", p.Kept, p.Problem, p.MatrixRows, p.Features)
	}
}
