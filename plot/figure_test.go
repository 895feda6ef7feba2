package plot

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// full is a config that uses everything: three clusters and noise, super-instances, all kinds of
// links.
func full(n int) ScatterConfig {
	rng := rand.New(rand.NewPCG(5, 6))
	cfg := ScatterConfig{
		Cloud: Cloud{Points: dataset.Matrix{Rows: n, Cols: 2},
			ClusterNames: []string{"first", "second"}}, Page: Page{Title: "everything",
			XLabel: "length", YLabel: "width"},
	}
	for i := range n {
		c := i % 4
		cfg.Points.F64 = append(cfg.Points.F64, float64(c)+rng.NormFloat64()/4, rng.NormFloat64())
		cfg.Clusters = append(cfg.Clusters, c)
	}
	for m := 0; m+8 < n && m < 80; m += 8 {
		cfg.SuperInstances = append(cfg.SuperInstances,
			SuperInstance{Medoid: m, Members: []int{m, m + 4, m + 8}})
	}
	if n > 20 {
		cfg.Links = []link.Link{{A: 1, B: 5, Kind: link.MustLink},
			{A: 2, B: 3, Kind: link.CannotLink}, {A: 9, B: 11}}
	}
	return cfg
}

func figure(t *testing.T, cfg ScatterConfig) *Figure {
	t.Helper()
	f, err := Scatter(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// svg writes the figure and returns it with its texts, after parsing it whole.
func svg(t *testing.T, cfg ScatterConfig) (text string, texts []string) {
	t.Helper()
	return parse(t, figure(t, cfg))
}

// parse writes the figure as SVG and returns it with its texts.
func parse(t *testing.T, f *Figure) (text string, texts []string) {
	t.Helper()
	var b bytes.Buffer
	if err := f.WriteSVG(&b); err != nil {
		t.Fatal(err)
	}
	text = b.String()
	d := xml.NewDecoder(&b)
	for inText := false; ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return text, texts
		}
		if err != nil {
			t.Fatalf("the SVG is not XML: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			if !slices.Contains([]string{"svg", "title", "g", "path", "text", "image"},
				token.Name.Local) {
				t.Fatalf("the SVG has an element %s", token.Name.Local)
			}
			for _, a := range token.Attr {
				if a.Name.Local != "href" &&
					(strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf")) {
					t.Fatalf("attribute %s is %q", a.Name.Local, a.Value)
				}
			}
			inText = token.Name.Local == "text"
		case xml.CharData:
			if inText {
				texts = append(texts, string(token))
			}
		case xml.EndElement:
			inText = false
		}
	}
}

func pixels(t *testing.T, cfg ScatterConfig, dpi int) image.Image {
	t.Helper()
	var b bytes.Buffer
	if err := figure(t, cfg).WritePNG(&b, dpi); err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(&b)
	if err != nil {
		t.Fatal(err)
	}
	return img
}

func TestLegendShowsWhatIsDrawn(t *testing.T) {
	_, texts := svg(t, full(100))
	all := strings.Join(texts, "|")
	for _, want := range []string{"everything", "length", "width", "first|(25)", "second|(25)",
		"cluster 3|(25)", "noise|(25)",
		"super-instance|(10)", "must-link|(1)", "cannot-link|(1)", "not known|(1)"} {
		if !strings.Contains(all, want) {
			t.Errorf("the figure does not say %q: %s", want, all)
		}
	}
	cfg := full(100)
	cfg.Classes = make([]int, 100)
	cfg.ClassNames = []string{"yes", "no"}
	cfg.Classes[7], cfg.Classes[8] = 1, -1
	_, texts = svg(t, cfg)
	all = strings.Join(texts, "|")
	for _, want := range []string{"True class (shape)", "Clusters (hue)", "yes|(98)", "no|(1)",
		"not known|(1)", "|first|"} {
		if !strings.Contains(all, want) {
			t.Errorf("the figure with classes does not say %q: %s", want, all)
		}
	}
	_, texts = svg(t, ScatterConfig{Cloud: Cloud{Points: full(30).Points}})
	for _, s := range texts {
		if strings.Contains(s, "cluster") {
			t.Errorf("a plain cloud has a legend: %q", s)
		}
	}
}

// Every figure is well-formed, however little or odd the data, and none has NaN in it.
func TestOddData(t *testing.T) {
	repeat := func(n int, xy ...float64) dataset.Matrix {
		return dataset.Matrix{Rows: n, Cols: 2, F64: slices.Repeat(xy, n)}
	}
	for name, points := range map[string]dataset.Matrix{
		"one point":         repeat(1, 3, -4),
		"one point at zero": repeat(1, 0, 0),
		"all equal":         repeat(50, 1e9, 1e-9),
		"flat":              {Rows: 3, Cols: 2, F64: []float64{1, 0, 2, 0, 3, 0}},
		"huge":              {Rows: 2, Cols: 2, F64: []float64{-1e300, 1e300, 1e300, -1e300}},
		"tiny":              {Rows: 2, Cols: 2, F64: []float64{-5e-324, 0, 5e-324, 1e-300}},
		"close": {Rows: 2, Cols: 2,
			F64: []float64{1e15, 1, 1e15 + 0.125, math.Nextafter(1, 2)}},
		"single precision": {Rows: 2, Cols: 2, F32: []float32{1, 2, 3, 4}},
	} {
		t.Run(name, func(t *testing.T) {
			for _, clusters := range [][]int{nil, make([]int, points.Rows),
				slices.Repeat([]int{1}, points.Rows), slices.Repeat([]int{1 << 30}, points.Rows)} {
				svg(t, ScatterConfig{Cloud: Cloud{Points: points}, Clusters: clusters,
					Page: Page{XLabel: "x"}})
			}
			pixels(t, ScatterConfig{Cloud: Cloud{Points: points}}, 40)
		})
	}
}

var hostile = []string{
	"<script>alert(1)</script>", `"a" & 'b' ]]> <!-- `, "a\x00b\x1b[31m\u202e\ufeff\u2028c\xff\xfe",
	"</text></svg>",
	strings.Repeat("long ", 1000), "", " \t\n ", "&#0;&lt;", `1999/xlink">`,
	`style="font-family:Liberation Sans;`, "<text ", "日本語 🦉",
}

func TestHostileNames(t *testing.T) {
	for _, name := range hostile {
		cfg := full(60)
		cfg.ClusterNames = []string{name, name, name}
		cfg.Title, cfg.XLabel, cfg.YLabel = name, name, name
		cfg.Classes, cfg.ClassNames = make([]int, 60), []string{name}
		text, texts := svg(t, cfg) // parses, and has no element but our own
		if strings.Contains(text, "<script") {
			t.Errorf("%q became an element", name)
		}
		for _, s := range texts {
			if utf8.RuneCountInString(s) > 120 {
				t.Errorf("%q was drawn with %d characters", name, utf8.RuneCountInString(s))
			}
		}
		pixels(t, cfg, 40)
	}
	_, texts := svg(t, ScatterConfig{Cloud: Cloud{Points: full(9).Points},
		Page: Page{Title: hostile[1], XLabel: hostile[8]}})
	if !slices.Contains(texts, `"a" & 'b' ]]> <!--`) || !slices.Contains(texts, hostile[8]) {
		t.Errorf("a harmless part of a name was changed: %q", texts)
	}
}

func FuzzNames(f *testing.F) {
	for _, name := range hostile {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		cfg := full(12)
		cfg.ClusterNames, cfg.Title, cfg.YLabel = []string{name}, name, name
		svg(t, cfg)
	})
}

func TestSameInputSameBytes(t *testing.T) {
	for _, n := range []int{40, 400} {
		var first [2][]byte
		for try := range 3 {
			cfg := full(n)
			cfg.MaxPoints, cfg.Seed = 200, 9
			fig := figure(t, cfg)
			var a, b bytes.Buffer
			if err := errors.Join(fig.WriteSVG(&a), fig.WritePNG(&b, 60)); err != nil {
				t.Fatal(err)
			}
			if try == 0 {
				first = [2][]byte{a.Bytes(), b.Bytes()}
			} else if !bytes.Equal(a.Bytes(), first[0]) || !bytes.Equal(b.Bytes(), first[1]) {
				t.Fatalf("%d points were drawn in two ways", n)
			}
		}
	}
	cfg := full(400)
	cfg.MaxPoints = 200
	a, _ := svg(t, cfg)
	cfg.Seed = 1
	if b, _ := svg(t, cfg); a == b {
		t.Error("another seed drew the same sample")
	}
}

// A sample is stated, keeps medoids and linked rows, and keeps the file small.
func TestManyPoints(t *testing.T) {
	cfg := full(100000)
	cfg.Links = append(cfg.Links, link.Link{A: 77777, B: 99999, Kind: link.MustLink})
	text, texts := svg(t, cfg)
	if !slices.Contains(texts, "20\u202f000 of 100\u202f000 points drawn") {
		t.Errorf("the sample is not stated: %q", texts)
	}
	if !slices.Contains(texts, "(25\u202f000)") {
		t.Errorf("the legend does not count all rows: %q", texts)
	}
	if len(text) > 5<<20 {
		t.Errorf("the SVG has %d bytes", len(text))
	}
}

func TestThin(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(r, "n")
		count := rapid.IntRange(1, 600).Draw(r, "count")
		keep := map[int]bool{}
		for _, row := range rapid.SliceOf(rapid.IntRange(0, n-1)).Draw(r, "keep") {
			keep[row] = true
		}
		rows := thin(n, count, keep, rapid.Uint64().Draw(r, "seed"))
		if want := min(n, max(count, len(keep))); len(rows) != want {
			r.Fatalf("%d rows, want %d", len(rows), want)
		}
		for i, row := range rows {
			if row < 0 || row >= n || i > 0 && row <= rows[i-1] {
				r.Fatalf("rows %v", rows)
			}
			delete(keep, row)
		}
		if len(keep) > 0 {
			r.Fatalf("rows %v were to be kept", keep)
		}
	})
	hits := make([]int, 20)
	for seed := range uint64(4000) {
		for _, row := range thin(20, 5, nil, seed) {
			hits[row]++
		}
	}
	if slices.Min(hits) < 850 || slices.Max(hits) > 1150 { // 1000 ± 27
		t.Errorf("some rows are drawn more often than others: %v", hits)
	}
}

func TestScatterRefuses(t *testing.T) {
	at := func(v float64) dataset.Matrix {
		return dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{0, 0, 1, v}}
	}
	two := at(1)
	for problem, cfg := range map[string]ScatterConfig{
		"no points": {Cloud: Cloud{Points: dataset.Matrix{Cols: 2}}},
		"3 coordinates": {Cloud: Cloud{Points: dataset.Matrix{Rows: 1, Cols: 3,
			F64: []float64{1, 2, 3}}}},
		"row 2, column y: NaN": {Cloud: Cloud{Points: at(math.NaN())}},
		"row 2, column w: +Inf": {Cloud: Cloud{Points: at(math.Inf(1))},
			Page: Page{YLabel: "w"}},
		"1e+301":                 {Cloud: Cloud{Points: at(1e301)}},
		"2 points but 3 cluster": {Cloud: Cloud{Points: two}, Clusters: []int{1, 2, 3}},
		"2 points but 1 class":   {Cloud: Cloud{Points: two, Classes: []int{0}}},
		"row 2: the cluster is":  {Cloud: Cloud{Points: two}, Clusters: []int{1, -1}},
		"no class 1 among 1": {Cloud: Cloud{Points: two, Classes: []int{0, 1},
			ClassNames: []string{"a"}}},
		"row 3 of 2": {Cloud: Cloud{Points: two},
			SuperInstances: []SuperInstance{{Medoid: 0, Members: []int{2}}}},
		"rows 1 and 3 of 2": {Cloud: Cloud{Points: two, Links: []link.Link{{A: 0, B: 2}}}},
		"at most -1 points": {Cloud: Cloud{Points: two, MaxPoints: -1}},
		"50 inches":         {Cloud: Cloud{Points: two}, Page: Page{Width: 50}},
		"NaN inches":        {Cloud: Cloud{Points: two}, Page: Page{Height: math.NaN()}},
	} {
		if _, err := Scatter(cfg); !fault.IsInput(err) || !strings.Contains(err.Error(), problem) {
			t.Errorf("%v; want an input fault with %q", err, problem)
		}
	}
}

func TestSizes(t *testing.T) {
	cfg := full(30)
	if got := pixels(t, cfg, 100).Bounds().Size(); got != (image.Point{X: 640, Y: 480}) {
		t.Errorf("the default size at 100 dpi is %v", got)
	}
	cfg.Width, cfg.Height = 3, 2
	if got := pixels(t, cfg, 0).Bounds().Size(); got != (image.Point{X: 900, Y: 600}) {
		t.Errorf("3 × 2 inches at the default resolution are %v", got)
	}
	for _, dpi := range []int{-1, 100000} {
		if err := figure(t, cfg).WritePNG(io.Discard, dpi); !fault.IsInput(err) {
			t.Errorf("%d dpi gave %v", dpi, err)
		}
	}
}

// A cannot-link from left to right leaves its colour in the picture, a must-link does not.
func TestLinksAreDrawn(t *testing.T) {
	red := func(kind link.Kind) (count int) {
		cfg := ScatterConfig{Cloud: Cloud{Points: matrix([]float64{0, 0}, []float64{1, 0}),
			Links: []link.Link{{A: 0, B: 1, Kind: kind}}}, Page: Page{Width: 4, Height: 3}}
		img := pixels(t, cfg, 72)
		for x := range 180 { // the legend, which shows the line too, is to the right
			for y := range img.Bounds().Dy() {
				if r, g, b, _ := img.At(x, y).RGBA(); r > 0x9000 && g < 0x7000 && b < 0x7000 {
					count++
				}
			}
		}
		return count
	}
	if a, b := red(link.CannotLink), red(link.MustLink); a < 30 || b != 0 {
		t.Errorf("%d and %d red pixels", a, b)
	}
}

func TestSave(t *testing.T) {
	dir := t.TempDir()
	cfg := full(30)
	cfg.Width, cfg.Height = 2, 2
	fig := figure(t, cfg)
	for _, name := range []string{"a.svg", "a.PNG"} {
		path := filepath.Join(dir, name)
		if err := errors.Join(os.WriteFile(path, []byte("old"), 0o600),
			fig.Save(path)); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil || !bytes.HasPrefix(b, []byte("<?xml")) &&
			!bytes.HasPrefix(b, []byte("\x89PNG")) {
			t.Errorf("%s starts with %q, %v", name, b[:min(len(b), 8)], err)
		}
	}
	if err := fig.Save(filepath.Join(dir, "a.pdf")); !fault.IsInput(err) {
		t.Errorf("a.pdf gave %v", err)
	}
	if err := fig.Save(filepath.Join(dir, "none", "a.svg")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing folder gave %v", err)
	}
	fig.height = 1e9 // a picture that cannot be made leaves the file as it was
	if err := fig.Save(filepath.Join(dir, "a.PNG")); !fault.IsInput(err) {
		t.Errorf("a picture of too many pixels gave %v", err)
	}
	fig.height = 2
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 2 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
	if b, err := os.ReadFile(filepath.Join(dir, "a.PNG")); err != nil ||
		!bytes.HasPrefix(b, []byte("\x89PNG")) {
		t.Errorf("a failed Save left %d bytes, %v", len(b), err)
	}
	if err := fig.WriteSVG(failing{}); err == nil {
		t.Error("WriteSVG hid an error")
	}
	if err := fig.WritePNG(failing{}, 50); err == nil {
		t.Error("WritePNG hid an error")
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func ExampleScatter() {
	fig, err := Scatter(ScatterConfig{
		Cloud: Cloud{
			Points: matrix([]float64{0, 0}, []float64{1, 0}, []float64{5, 4}, []float64{6, 5}),
			Links:  []link.Link{{A: 0, B: 3, Kind: link.CannotLink}},
		},
		Clusters: []int{1, 1, 2, 2},
		SuperInstances: []SuperInstance{{Medoid: 0, Members: []int{0, 1}},
			{Medoid: 3, Members: []int{2, 3}}}, Page: Page{Title: "Four flowers"},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	var b bytes.Buffer
	if err := fig.WriteSVG(&b); err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(strings.Contains(b.String(), ">Four flowers</text>"))
	// Output: true
}
