package outline

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
)

// draw returns a dark shape on a light ground: the pixels within radius(direction) of the centre.
func draw(side int, turned float64, radius func(direction float64) float64) *image.Gray {
	img := image.NewGray(image.Rect(0, 0, side, side))
	for y := range side {
		for x := range side {
			dx, dy := float64(x)-float64(side-1)/2, float64(y)-float64(side-1)/2
			img.Pix[y*img.Stride+x] = 255
			if math.Hypot(dx, dy) < radius(math.Atan2(dy, dx)-turned) {
				img.Pix[y*img.Stride+x] = 0
			}
		}
	}
	return img
}

func circle(float64) float64 { return 100 }

// wing is long on one side and bent: it looks different when mirrored.
func wing(a float64) float64 {
	return 70 + 45*math.Cos(a) + 18*math.Sin(2*a) + 12*math.Cos(3*a)
}

func drop(a float64) float64 { return 80 + 30*math.Pow(math.Abs(math.Cos(a/2)), 9) }

// quarter turns a picture clockwise by 90 degrees.
func quarter(img *image.Gray) *image.Gray {
	b := img.Bounds()
	out := image.NewGray(image.Rect(0, 0, b.Dy(), b.Dx()))
	for y := range b.Dy() {
		for x := range b.Dx() {
			out.SetGray(b.Dy()-1-y, x, img.GrayAt(x, y))
		}
	}
	return out
}

func outline(t *testing.T, img image.Image) []float64 {
	t.Helper()
	angles, err := From(img, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return angles
}

func distances(t *testing.T, strings [][]float64) *dissim.Dense {
	t.Helper()
	src, err := dissim.Cycles(strings, 0)
	if err != nil {
		t.Fatal(err)
	}
	m, err := dissim.NewDense(t.Context(), src, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestOutlinesTurnOnce: an outline followed clockwise turns by 360 degrees in all, the last short
// vector included.
func TestOutlinesTurnOnce(t *testing.T) {
	for name, radius := range map[string]func(float64) float64{"circle": circle, "wing": wing,
		"drop": drop} {
		sum := 0.0
		for _, a := range outline(t, draw(300, .3, radius)) {
			sum += a
		}
		if math.Abs(sum-360) > 25 { // what is left out at the end turns a little
			t.Errorf("the %s turns by %g degrees", name, sum)
		}
	}
	n := len(outline(t, draw(300, 0, circle)))
	if want := 2 * math.Pi * 100 / 20; math.Abs(float64(n)-want) > 1.5 {
		t.Errorf("a circle of radius 100 has %d segments of 20, not about %.1f", n, want)
	}
}

// TestTurningChangesLittle: quarter turns not at all, others by the raster only, and far less than
// another shape.
func TestTurningChangesLittle(t *testing.T) {
	base := draw(320, .2, wing)
	images := []image.Image{base, quarter(base), quarter(quarter(base)),
		quarter(quarter(quarter(base)))}
	for k := 1; k < 6; k++ {
		images = append(images, draw(320, .2+float64(k), wing))
	}
	wings := len(images)
	for k := range 4 {
		images = append(images, draw(320, float64(k), circle), draw(320, float64(k), drop))
	}
	var all [][]float64
	for _, img := range images {
		all = append(all, outline(t, img))
	}
	m := distances(t, all)
	for i := 1; i < 4; i++ {
		if d := m.D[i]; d > 1e-3 {
			t.Errorf("a wing turned by %d degrees is %g away", 90*i, d)
		}
	}
	within, between := float32(0), float32(math.Inf(1))
	for i := range wings {
		for j := range m.N {
			if j < wings {
				within = max(within, m.D[i*m.N+j])
			} else {
				between = min(between, m.D[i*m.N+j])
			}
		}
	}
	if within > between/2 {
		t.Errorf("turned wings lie up to %g apart, and a wing only %g from a circle or drop",
			within, between)
	}
}

// TestPlaceAndInkDoNotMatter: where the shape lies, what else is small in the picture, holes, which
// of both colours it has and the format.
func TestPlaceAndInkDoNotMatter(t *testing.T) {
	base := draw(300, .2, wing)
	want := fmt.Sprint(outline(t, base))
	shifted := image.NewGray(image.Rect(0, 0, 400, 350))
	inverted := image.NewGray(base.Rect)
	for i := range shifted.Pix {
		shifted.Pix[i] = 255
	}
	for y := range 300 {
		for x := range 300 {
			shifted.SetGray(x+90, y+35, base.GrayAt(x, y))
			inverted.SetGray(x, y, color.Gray{255 - base.GrayAt(x, y).Y})
		}
	}
	shifted.SetGray(3, 3, color.Gray{})        // a speck
	shifted.SetGray(240, 190, color.Gray{255}) // a hole
	if got := fmt.Sprint(outline(t, shifted)); got != want {
		t.Error("a shape elsewhere, with a hole and a speck beside it, has another outline")
	}
	if got := fmt.Sprint(outline(t, inverted)); got != want {
		t.Error("a light shape on a dark ground has another outline")
	}
	if _, err := From(base, Options{Foreground: Light}); err != nil {
		t.Errorf("the ground as shape: %v", err)
	}
	var raw, bitmap bytes.Buffer
	fmt.Fprintf(&raw, "P5 # a remark\n300 300\n255\n")
	fmt.Fprintf(&bitmap, "P1\n300 300\n")
	packed := []byte("P4 300 300\n")
	plain := bytes.NewBufferString("P2\n300 300\n65535\n")
	for y := range 300 {
		row := make([]byte, 38)
		for x := range 300 {
			v := base.GrayAt(x, y).Y
			raw.WriteByte(v)
			fmt.Fprint(plain, int(v)*257, " ")
			fmt.Fprint(&bitmap, 1-int(v)/255)
			if v == 0 {
				row[x/8] |= 0x80 >> (x % 8)
			}
		}
		packed = append(packed, row...)
	}
	var asPNG, asGIF, asJPEG bytes.Buffer
	png.Encode(&asPNG, base)
	gif.Encode(&asGIF, base, nil)
	jpeg.Encode(&asJPEG, base, &jpeg.Options{Quality: 100})
	for name, content := range map[string][]byte{"a.pgm": raw.Bytes(), "a.pbm": bitmap.Bytes(),
		"b.pbm": packed, "b.pgm": plain.Bytes(),
		"a.png": asPNG.Bytes(), "a.gif": asGIF.Bytes(), "a.jpg": asJPEG.Bytes()} {
		got, err := FromFile(file(t, name, content), Options{})
		if err != nil || fmt.Sprint(got) != want {
			t.Errorf("%s has another outline (%v)", name, err)
		}
	}
}

func file(t testing.TB, name string, content []byte) string {
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, content, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestBadPicturesAreNamed(t *testing.T) {
	var small, blank bytes.Buffer
	png.Encode(&small, draw(16, 0, func(float64) float64 { return 4 }))
	png.Encode(&blank, draw(50, 0, func(float64) float64 { return 0 }))
	bomb := []byte("P5 200000 200000 255\n")
	huge := bytes.Clone(blank.Bytes())
	// the header's size, its sum not fixed
	copy(huge[16:], []byte{0, 0, 0x7f, 0xff, 0, 0, 0x7f, 0xff})
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"small.png": {small.Bytes(), "too small for segments of 20 pixels"},
		"blank.png": {blank.Bytes(), "all its pixels are alike"},
		"empty.png": {nil, "not a picture"},
		"text.png":  {[]byte("a,b\n1,2\n"), "not a picture"},
		"cut.png":   {small.Bytes()[:len(small.Bytes())-30], "damaged"},
		"bomb.pgm":  {bomb, "more than 40 million"},
		"huge.png":  {huge, "not a picture"},
		"cut.pgm":   {[]byte("P5 20 20 255\nabc"), "damaged"},
		"wild.pgm":  {[]byte("P2 2 2 9\n1 2 3 10"), "damaged"},
		"sign.pgm":  {[]byte("P2 -2 2 9\n1 2 3 4"), "damaged"},
	} {
		path := file(t, name, c.content)
		_, err := FromFile(path, Options{})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), path+": ") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := FromFile(filepath.Join(t.TempDir(), "none.png"), Options{}); !fault.IsInput(err) {
		t.Error(err)
	}
	for _, o := range []Options{{Segment: 1}, {Segment: math.NaN()}, {Threshold: 1},
		{Threshold: -1}} {
		if _, err := From(draw(300, 0, circle), o); !fault.IsInput(err) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// TestOutlineOfASquare is one that can be followed by hand: sides of 41 pixels, so 40 steps, in
// vectors of 20.
func TestOutlineOfASquare(t *testing.T) {
	img := image.NewGray(image.Rect(0, 0, 60, 60))
	for y := 10; y < 51; y++ {
		for x := 10; x < 51; x++ {
			img.SetGray(x, y, color.Gray{255})
		}
	}
	got := fmt.Sprint(outline(t, img))
	if want := "[90 0 90 0 90 0 90 0]"; got != want {
		t.Errorf("turns %s, want %s", got, want)
	}
}

func FuzzPNM(f *testing.F) {
	f.Add([]byte("P1\n3 2\n010\n111"))
	f.Add([]byte("P4 9 1\n\x80\x80"))
	f.Add([]byte("P2 2 1 300\n0 300"))
	f.Add([]byte("P5 2 1 300\n\x00\x01\x01\x02"))
	f.Fuzz(func(t *testing.T, content []byte) {
		if len(content) < 2 || content[0] != 'P' {
			return
		}
		img, err := decode(bytes.NewReader(content))
		if err != nil {
			if !fault.IsInput(err) {
				t.Fatal(err)
			}
			return
		}
		if _, err := From(img, Options{Segment: 2}); err != nil && !fault.IsInput(err) {
			t.Fatal(err)
		}
	})
}
