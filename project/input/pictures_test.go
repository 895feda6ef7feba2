package input

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/images"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// shape draws a bar, standing or lying, at a place.
func shape(standing bool, at int) string {
	ink := make([]float64, 16*16)
	for i := range 12 {
		for j := range 3 {
			x, y := at%8+4+j, 2+i
			if !standing {
				x, y = y, x
			}
			ink[y*16+x] = 1
		}
	}
	text, err := images.FromPixels(ink, 16, 16, 1)
	if err != nil {
		panic(err)
	}
	return string(text)
}

// bars is a folder of bars: standing and lying, in folders of these names, and what is no picture.
func bars(t *testing.T) string {
	files := map[string]string{"readme.txt": "not a picture", "table.csv": "key,file,size\n"}
	for i := range 12 {
		files[fmt.Sprintf("lying/l%02d.png", i)] = shape(false, i)
		files[fmt.Sprintf("standing/s%02d.png", i)] = shape(true, i)
		files["table.csv"] += fmt.Sprintf("a%d,lying/l%02d.png,%d\nb%d,standing/s%02d.png,%d\n", i,
			i, i, i, i, i)
	}
	return write(t, files)
}

func TestAFolderOfPictures(t *testing.T) {
	folder := bars(t)
	d, r := openData(t, folder, "", "label", "folder")
	if d.N() != 24 || d.Kind() != "image" || r.MethodName != "kin" || d.ID(0) != "lying/l00.png" ||
		d.Classes[0] == d.Classes[23] {
		t.Fatalf("%d rows shown as %s by %s, the first %s of %v", d.N(), d.Kind(), r.MethodName,
			d.ID(0), d.Classes)
	}
	if notes := strings.Join(d.Notes(), "; "); !strings.Contains(notes, "readme.txt") {
		t.Errorf("nothing is said of what is no picture: %s", notes)
	}
	c := d.Card(3)
	if !c.Image || c.ID != "lying/l03.png" || len(c.Fields) != 0 {
		t.Errorf("%+v", c)
	}
	data, kind, err := d.Picture(t.Context(), 3, 8)
	if err != nil || kind != "image/png" {
		t.Fatalf("%s %v", kind, err)
	}
	if drawn, err := png.Decode(bytes.NewReader(data)); err != nil || drawn.Bounds().Dx() != 8 {
		t.Errorf("%v", err)
	}
	if !nearest(d) {
		t.Error("what looks alike does not lie close")
	}
	if d.Placeable() {
		t.Error("a model of pictures is said to place others")
	}
}

// TestPicturesAreTheSameData wherever they lie, and one more, or another, makes others of them.
func TestPicturesAreTheSameData(t *testing.T) {
	folder := bars(t)
	by := []string{"embedding", byName(t)}
	d, _ := openData(t, folder, "", by...)
	again, _ := openData(t, bars(t), "", by...)
	if again.Fingerprint() != d.Fingerprint() || again.Classes != nil {
		t.Error("the same pictures have another fingerprint, or classes that nobody named")
	}
	if err := os.WriteFile(filepath.Join(folder, "lying", "l00.png"), []byte(shape(true, 3)+"more"),
		0o600); err != nil {
		t.Fatal(err)
	}
	if other, _ := openData(t, folder, "", by...); other.Fingerprint() == d.Fingerprint() {
		t.Error("another picture has no other fingerprint")
	}
}

// byName is a file of vectors of the bars, by file name without the folder and the ending.
func byName(t *testing.T) string {
	file := "id,u,v\n"
	for i := range 12 {
		file += fmt.Sprintf("s%02d,5,%d\nl%02d,0,%d\n", i, i, i, i)
	}
	return filepath.Join(write(t, map[string]string{"vectors.csv": file}), "vectors.csv")
}

// nearest reports whether the picture nearest to each is of its class.
func nearest(d *Data) bool {
	for i := range d.N() {
		best, at := math.Inf(1), -1
		for j := range d.N() {
			sum := 0.0
			for k := range d.Ready.X.Cols {
				v := d.Ready.X.At(i, k) - d.Ready.X.At(j, k)
				sum += v * v
			}
			if j != i && sum < best {
				best, at = sum, j
			}
		}
		if d.Classes[i] != d.Classes[at] {
			return false
		}
	}
	return true
}

// TestBrokenPictures of a folder are left out and named; those of a table are a fault with its
// place, unless they may be dropped.
func TestBrokenPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("describing pictures takes long under the race detector")
	}
	folder := bars(t)
	for _, name := range []string{"lying/l05.png", "standing/s07.png"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(shape(true, 1)[:60]),
			0o600); err != nil {
			t.Fatal(err)
		}
	}
	d, _ := openData(t, folder, "")
	if d.N() != 22 || d.Read() != 24 {
		t.Errorf("%d of %d rows", d.N(), d.Read())
	}
	if _, ok := d.Row("lying/l05.png"); ok {
		t.Error("a broken picture takes part")
	}
	if row, ok := d.Row("standing/s08.png"); !ok || d.Card(row).ID != "standing/s08.png" {
		t.Error("a picture after a broken one has lost its name")
	}
	if notes := strings.Join(d.Notes(), "; "); !strings.Contains(notes, "l05.png") {
		t.Errorf("nothing is said of it: %s", notes)
	}
	var in *fault.Input
	if _, err := Open(t.Context(), Place{}, folder+"/table.csv", recipe(t, "images", "file"),
		nil); !errors.As(err, &in) || in.Row != 11 || in.Column != "file" ||
		!strings.Contains(in.Problem, "l05.png") {
		t.Errorf("%+v", in)
	}
	d, _ = openData(t, folder, "table.csv", "images", "file", "missing", "drop", "id", "key")
	if row, ok := d.Row("a5"); d.N() != 22 || ok {
		t.Errorf("%d rows, row a5 is %d", d.N(), row)
	}
	if c := d.Card(2); !c.Image || c.ID != "a1" || len(c.Fields) != 1 ||
		c.Fields[0] != (Field{Name: "size", Value: "1", Aside: true}) {
		t.Errorf("%+v", c)
	}
	for cell, problem := range map[string]string{
		"../secret.png": "", "/etc/passwd": "", "http://example.org/a.png": "", "none.png": "",
		"": "the value is missing", `C:\a.png`: "", "readme.txt": "",
	} {
		path := filepath.Join(folder, "bad.csv")
		if err := os.WriteFile(path, []byte("file,n\nlying/l00.png,1\n\""+cell+"\",2\n"),
			0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(t.Context(), Place{}, path, recipe(t, "images", "file"),
			nil); !errors.As(err, &in) || in.Row != 2 || in.Column != "file" || in.File != path ||
			!strings.Contains(in.Problem, problem) {
			t.Errorf("%q: %v", cell, err)
		}
	}
}

func TestPicturesByAnEmbedding(t *testing.T) {
	d, _ := openData(t, bars(t), "", "embedding", byName(t))
	if d.Ready.X.At(3, 0) != 0 || d.Ready.X.At(3, 1) != 3 || d.Ready.X.At(14, 0) != 5 ||
		d.Ready.X.At(14, 1) != 2 || d.Kind() != "image" {
		t.Errorf("%+v", d.Ready.X)
	}
	if got := strings.Join(d.Ready.Encoding.Sources(), ","); got != "u,v" || !d.Placeable() {
		t.Errorf("a model would look for %s", got)
	}
}

func TestAMatrixWithPictures(t *testing.T) {
	folder := write(t, map[string]string{
		"m.csv": "0,1,2\n1,0,3\n2,3,0\n", "pics/b.png": shape(true, 1),
		"pics/a.png": shape(false, 1), "pics/c.png": shape(true, 2),
		"names.txt": "pics/c.png\n\npics/a.png\npics/b.png\n", "short.txt": "pics/c.png\n",
		"out.txt": "pics/a.png\n../x.png\npics/b.png\n",
	})
	for setting, want := range map[string]string{"pics": shape(false, 1),
		"names.txt": shape(true, 2)} {
		d, _ := openData(t, folder, "m.csv", "dissimilarity", "true", "clusters", "2", "pictures",
			filepath.Join(folder, setting))
		got, _, err := d.Picture(t.Context(), 0, 16)
		if err != nil || d.Kind() != "image" || !d.Card(0).Image {
			t.Fatalf("%s: %v, shown as %s", setting, err, d.Kind())
		}
		a, _ := png.Decode(bytes.NewReader(got))
		b, _ := png.Decode(strings.NewReader(want))
		for i := range 16 * 16 {
			if x, _, _, _ := a.At(i%16, i/16).RGBA(); x != first(b.At(i%16, i/16).RGBA()) {
				t.Fatalf("%s: another picture", setting)
			}
		}
	}
	for setting, problem := range map[string]string{"short.txt": "has 1 picture for 3 objects",
		"out.txt": "line 2", "none": "there is no such folder or file"} {
		r := recipe(t, "dissimilarity", "true", "clusters", "2", "pictures",
			filepath.Join(folder, setting))
		if _, err := Open(t.Context(), Place{}, folder+"/m.csv", r, nil); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), problem) {
			t.Errorf("%s: %v", setting, err)
		}
	}
}

func first(x, _, _, _ uint32) uint32 { return x }

func TestFoldersThatHoldNoPictures(t *testing.T) {
	folder := write(t, map[string]string{"a.txt": "text"})
	for _, settings := range [][]string{{}, {"text", "x"},
		{"dissimilarity", "true", "clusters", "2"}} {
		_, err := Open(t.Context(), Place{}, folder, recipe(t, settings...), nil)
		var slip fault.Setting
		if !fault.IsInput(err) && !errors.As(err, &slip) {
			t.Errorf("%v: %v", settings, err)
		}
	}
	if _, _, err := (&Data{Table: nil, matrix: matrix{name: "m"}}).Picture(t.Context(), 0,
		64); !fault.IsInput(err) {
		t.Errorf("a row without a picture: %v", err)
	}
}

// TestTheDigitsArePictures, and links between rows of a folder are by their names.
func TestTheDigitsArePictures(t *testing.T) {
	d, err := Open(t.Context(), Place{}, "digits", New(), nil)
	if err != nil {
		t.Fatal(err)
	}
	data, kind, err := d.Picture(t.Context(), 7, 64)
	if err != nil || kind != "image/png" || d.Kind() != "image" || d.Compare(1, 2) != nil {
		t.Fatalf("%s %v", kind, err)
	}
	if drawn, err := png.Decode(bytes.NewReader(data)); err != nil ||
		drawn.Bounds().Dx() != d.Card(7).Width || d.Card(7).Width != 8 {
		t.Errorf("%v", err)
	}
	folder := bars(t)
	path := filepath.Join(t.TempDir(), "links.csv")
	if err := os.WriteFile(path, []byte("a,b,link\nlying/l00.png,lying/l01.png,same\n"),
		0o600); err != nil {
		t.Fatal(err)
	}
	r := recipe(t, "links", path, "embedding", byName(t))
	pictures, err := Open(t.Context(), Place{}, folder, r, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Begin(t.Context(), pictures, nil)
	if err != nil || len(b.Problem.Links) != 1 ||
		b.Problem.Links[0] != (link.Link{A: 0, B: 1, Kind: link.MustLink}) {
		t.Errorf("%v %v", b, err)
	}
}

// TestImageFeatures are chosen, remembered by projects, and mean nothing to tables.
func TestImageFeatures(t *testing.T) {
	folder := bars(t)
	shapes, _ := openData(t, folder, "", "label", "folder")
	pixels, r := openData(t, folder, "", "label", "folder", "image-features", "pixels")
	if slices.Equal(shapes.Ready.X.F32, pixels.Ready.X.F32) {
		t.Error("pictures have the same vectors by shapes and by pixels")
	}
	if kept := r.Remember("p.kindred")["image-features"]; kept != "pixels" {
		t.Errorf("a project remembers %q", kept)
	}
	table := write(t, map[string]string{"a.csv": "x,y\n1,2\n3,4\n5,7\n"})
	d, r := openData(t, filepath.Join(table, "a.csv"), "", "image-features", "pixels")
	if notes := r.Vain(d); len(notes) != 1 || !strings.Contains(notes[0], "image-features") {
		t.Errorf("%q", notes)
	}
}
