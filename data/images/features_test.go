package images

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

var nan = math.NaN()

// shapes draws discs, squares and stripes in three colours: nine classes, each drawn at changing
// places on a noisy ground.
func shapes(n int) (images []image.Image, classes []int) {
	rng := rand.New(rand.NewPCG(5, 7))
	colours := []color.RGBA{{200, 60, 50, 255}, {60, 150, 60, 255}, {60, 80, 190, 255}}
	for i := range n {
		shape, colour := i%3, i/3%3
		img := image.NewRGBA(image.Rect(0, 0, 80, 80))
		cx, cy, r := 34+rng.IntN(13), 34+rng.IntN(13), 20+rng.IntN(6)
		for y := range 80 {
			for x := range 80 {
				dx, dy := x-cx, y-cy
				in := false
				switch shape {
				case 0:
					in = dx*dx+dy*dy < r*r
				case 1:
					in = max(dx, -dx, dy, -dy) < r
				case 2:
					in = max(dx, -dx) < r && (y/6)%2 == 0
				}
				c := color.RGBA{210, 210, 210, 255}
				if in {
					c = colours[colour]
				}
				noise := func(v uint8) uint8 {
					return uint8(min(max(int(v)+rng.IntN(41)-20, 0), 255))
				}
				img.SetRGBA(x, y, color.RGBA{noise(c.R), noise(c.G), noise(c.B), 255})
			}
		}
		images, classes = append(images, img), append(classes, 3*shape+colour+1)
	}
	return images, classes
}

// TestShapesAndColoursBothCount: groups that differ in one of them alone are found.
func TestShapesAndColoursBothCount(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	images, classes := shapes(180)
	a, folder := album(t, Limits{})
	var names []string
	for i, img := range images {
		names = append(names, fmt.Sprintf("%03d.png", i))
		write(t, folder, names[i], asPNG(t, img))
	}
	f, err := a.Features(t.Context(), names, Config{})
	if err != nil {
		t.Fatal(err)
	}
	ari := drawn{classes: classes, groups: 9}.ari(t, f.Matrix)
	if t.Logf("ARI %.3f", ari); ari < 0.95 {
		t.Errorf("ARI %.3f", ari)
	}
	// A part of the pictures determines the directions nearly as well as all.
	if f, err = a.features(t.Context(), names, Config{}, 90); err != nil {
		t.Fatal(err)
	}
	if ari := (drawn{classes: classes, groups: 9}).ari(t, f.Matrix); ari < 0.95 {
		t.Errorf("ARI %.3f by the directions of half of the pictures", ari)
	}
}

// TestFeaturesOnAnyNumberOfThreads are the same bytes, whether directions come from all pictures or
// from some.
func TestFeaturesOnAnyNumberOfThreads(t *testing.T) {
	images, _ := shapes(40)
	a, folder := album(t, Limits{})
	var names []string
	for i, img := range images {
		write(t, folder, fmt.Sprint(i), asPNG(t, img))
	}
	for i := range 55 {
		names = append(names, fmt.Sprint(i%44)) // four are missing
	}
	for _, most := range []int{fitted, 25} {
		a.checkThreads(t, names, most)
	}
}

func (a *Album) checkThreads(t *testing.T, names []string, most int) {
	t.Helper()
	var want dataset.Matrix
	for _, threads := range []int{1, 5} {
		reported := 0.0
		f, err := a.features(t.Context(), names,
			Config{Threads: threads, Dimensions: 12, SkipBroken: true,
				Progress: func(what string, share float64) {
					if what == "looking at pictures" {
						if share < reported || share > 1 {
							t.Errorf("%s: %v after %v", what, share, reported)
						}
						reported = share
					}
				}}, most)
		if err != nil {
			t.Fatal(err)
		}
		if f.Matrix.Rows != 51 || f.Matrix.Cols != 12 || slices.Contains(f.Rows, 41) ||
			reported != 1 {
			t.Fatalf("%d × %d, progress %v", f.Matrix.Rows, f.Matrix.Cols, reported)
		}
		if want.Rows == 0 {
			want = f.Matrix
		} else if !slices.Equal(want.F32, f.Matrix.F32) {
			t.Fatalf("%d threads give other values", threads)
		}
	}
}

func TestPartTakesEveryPictureOnce(t *testing.T) {
	const most = 100
	for _, n := range []int{0, 1, most, most + 1, 10 * most} {
		first, rest := part(n, most)
		all := slices.Concat(first, rest)
		slices.Sort(all)
		if len(first) != min(n, most) || len(all) != n || len(slices.Compact(all)) != n {
			t.Fatalf("%d: %d and %d", n, len(first), len(rest))
		}
	}
}

// TestPicturesOfNothing: one picture, equal ones, plain ones and none have sensible vectors, or a
// reason.
func TestPicturesOfNothing(t *testing.T) {
	a, folder := album(t, Limits{})
	plain := image.NewGray(image.Rect(0, 0, 1, 1))
	write(t, folder, "a.png", asPNG(t, plain))
	write(t, folder, "b.png", asPNG(t, plain))
	for _, names := range [][]string{{"a.png"}, {"a.png", "b.png"}, {"a.png", "a.png", "a.png"}} {
		f, err := a.Features(t.Context(), names, Config{})
		if err != nil || f.Matrix.Rows != len(names) || f.Matrix.Cols != 1 {
			t.Fatalf("%v: %v (%v)", names, f, err)
		}
		for _, v := range f.Matrix.F32 {
			if v != 0 {
				t.Errorf("%v: %v", names, f.Matrix.F32)
			}
		}
	}
	_, err := a.Features(t.Context(), nil, Config{})
	refused(t, err, "", "no pictures")
	_, err = a.Features(t.Context(), []string{"x", "y"}, Config{SkipBroken: true})
	refused(t, err, "", "2 pictures are left out", "none is left")
	_, err = a.Features(t.Context(), []string{"a.png"}, Config{Dimensions: 5000})
	refused(t, err, "", "5000 dimensions")
}

// TestLab holds colours against the published values of CIELAB.
func TestLab(t *testing.T) {
	for rgb, want := range map[[3]float64][3]float64{
		{255, 255, 255}: {100, 0, 0}, {0, 0, 0}: {0, 0, 0}, {255, 0, 0}: {53.24, 80.09, 67.20},
		{0, 255, 0}: {87.73, -86.18, 83.18}, {0, 0, 255}: {32.30, 79.19, -107.86},
		{5, 5, 5}: {1.37, 0, 0},
	} {
		l, a, b := lab(rgb[0], rgb[1], rgb[2])
		for i, got := range []float64{l, a, b} {
			if math.Abs(100*got-want[i]) > 0.05 {
				t.Errorf("%v: %v is %.2f, not %.2f", rgb, i, 100*got, want[i])
			}
		}
	}
}

// TestOutlinesSeeOrientation: bars across and bars upright have nothing in common; lighter or
// darker they stay the same.
func TestOutlinesSeeOrientation(t *testing.T) {
	bars := func(upright bool, light float64) []float64 {
		grey := make([]float64, side*side)
		for i := range grey {
			at := i / side
			if upright {
				at = i % side
			}
			grey[i] = light * float64(at/8%2)
		}
		f := make([]float64, outlineSize)
		outlines(f, grey)
		return f
	}
	product := func(a, b []float64) (sum float64) {
		for i := range a {
			sum += a[i] * b[i]
		}
		return sum
	}
	across, upright := bars(false, 1), bars(true, 1)
	if p := product(across, upright); p > 0.05 {
		t.Errorf("bars across and upright have %.3f in common", p)
	}
	if p := product(across, bars(false, 0.3)); p < 0.999 {
		t.Errorf("bars and paler bars have %.3f in common", p)
	}
	if p := product(bars(false, 0), across); p != 0 {
		t.Errorf("nothing and bars have %.3f in common", p)
	}
}

// FuzzHeaders: whatever a file holds, it is refused or read within the limits, and never panics.
func FuzzHeaders(f *testing.F) {
	for _, data := range everyFormat(f) {
		f.Add(data)
	}
	f.Add(unbase(f, cmykJPEG))
	f.Add(unbase(f, movingWebP))
	f.Add(pixelBomb(f, 20000, 300))
	a, folder := album(f, Limits{Pixels: 1 << 16, Bytes: 1 << 16, Cache: -1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<16 {
			return
		}
		h, err := a.inspect("a", bytes.Clone(data))
		if err == nil && (int64(h.width)*int64(h.height) > 1<<16 || h.width < 1 || h.height < 1 ||
			h.orientation < 1 || h.orientation > 8 || h.cost < 1) {
			t.Fatalf("%+v passed", h)
		}
		write(t, folder, "a", data)
		if out, _, err := a.Thumbnail(t.Context(), "a", 16); err != nil {
			refused(t, err, "a")
		} else if _, err := configOf(kindPNG, out); err != nil {
			if _, err := configOf(kindJPEG, out); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// TestPower is math.Pow to the bit, over the levels of pixels.
func TestPower(t *testing.T) {
	for v := float32(10.3); v < 256; {
		x := (float64(v)/255 + 0.055) / 1.055
		if got, want := power(x), math.Pow(x, 2.4); got != want {
			t.Fatalf("%v to the power of 2.4 is %v, not %v", x, got, want)
		}
		for range 97 {
			v = math.Nextafter32(v, 256)
		}
	}
	if power(1) != 1 {
		t.Error(power(1))
	}
}
