package images

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// enlarged writes the shapes as JPEGs of 640 × 640 pixels, and returns their names and classes.
func enlarged(t *testing.T, folder string, n int) (names []string, classes []int) {
	t.Helper()
	small, classes := shapes(n)
	for i, img := range small {
		large := image.NewRGBA(image.Rect(0, 0, 640, 640))
		for y := range 640 {
			for x := range 640 {
				large.Set(x, y, img.At(x/8, y/8))
			}
		}
		var out bytes.Buffer
		if err := jpeg.Encode(&out, large, &jpeg.Options{Quality: 85}); err != nil {
			t.Fatal(err)
		}
		names = append(names, fmt.Sprintf("%03d.jpg", i))
		write(t, folder, names[i], out.Bytes())
	}
	return names, classes
}

// TestFeaturesOfReducedPictures are nearly those of whole ones: distances between pictures keep
// their order, as far as a correlation shows it.
func TestFeaturesOfReducedPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("takes seconds")
	}
	a, folder := album(t, Limits{})
	names, _ := enlarged(t, folder, 36)
	var distances [2][]float64
	for k, exact := range []bool{true, false} {
		f, err := a.Features(t.Context(), names, Config{Exact: exact})
		if err != nil {
			t.Fatal(err)
		}
		m := f.Matrix
		for i := range m.Rows {
			for j := range i {
				var sum float64
				for c := range m.Cols {
					d := float64(m.F32[i*m.Cols+c] - m.F32[j*m.Cols+c])
					sum += d * d
				}
				distances[k] = append(distances[k], math.Sqrt(sum))
			}
		}
	}
	if r := correlation(distances[0], distances[1]); r < 0.99 {
		t.Errorf("distances correlate by %.4f", r)
	}
}

func correlation(a, b []float64) float64 {
	n := float64(len(a))
	ma, mb := sum(a)/n, sum(b)/n
	var ab, aa, bb float64
	for i := range a {
		ab += (a[i] - ma) * (b[i] - mb)
		aa += (a[i] - ma) * (a[i] - ma)
		bb += (b[i] - mb) * (b[i] - mb)
	}
	return ab / math.Sqrt(aa*bb)
}

// TestReducedPicturesAreTurned: orientation is applied to what was decoded at a fraction, too, and
// the size is that of the whole picture.
func TestReducedPicturesAreTurned(t *testing.T) {
	a, folder := album(t, Limits{Cache: -1})
	var file bytes.Buffer
	if err := jpeg.Encode(&file, corners(515, 259), &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	k := color.Black
	for i, want := range [8][4]color.Color{
		{red, green, blue, k}, {green, red, k, blue}, {k, blue, green, red}, {blue, k, red, green},
		{red, blue, green, k}, {blue, red, k, green}, {k, green, blue, red}, {green, k, red, blue},
	} {
		write(t, folder, "turned.jpg", withEXIF(file.Bytes(), binary.LittleEndian, i+1))
		width, height := 64, 32
		if i >= 4 {
			width, height = 32, 64
		}
		checkCorners(t, fmt.Sprint("turned by ", i+1), thumbnail(t, a, "turned.jpg", 64), width,
			height, want)
	}
}

// TestDamagedJPEGsAreRefused, though they would be decoded at a fraction of their size.
func TestDamagedJPEGsAreRefused(t *testing.T) {
	a, folder := album(t, Limits{})
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photograph(800, 800), nil); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "half.jpg", file.Bytes()[:file.Len()/2])
	write(t, folder, "whole.jpg", file.Bytes())
	for _, exact := range []bool{false, true} {
		_, err := a.Features(t.Context(), []string{"half.jpg"}, Config{Exact: exact})
		refused(t, err, "half.jpg", "cannot be read")
		f, err := a.Features(t.Context(), []string{"half.jpg", "whole.jpg"},
			Config{Exact: exact, SkipBroken: true})
		if err != nil || len(f.Rows) != 1 || len(f.Notes) != 1 {
			t.Errorf("%+v %v", f, err)
		}
	}
}

// TestPixelsSeeWhereColoursAre: pictures that differ in the place of a patch without edges are
// grouped by it.
func TestPixelsSeeWhereColoursAre(t *testing.T) {
	a, folder := album(t, Limits{})
	rng := rand.New(rand.NewPCG(3, 4))
	var names []string
	var classes []int
	for i := range 40 {
		img := image.NewRGBA(image.Rect(0, 0, 64, 64))
		draw.Draw(img, img.Rect, image.White, image.Point{}, draw.Src)
		at := i % 4 * 16
		c := color.RGBA{uint8(rng.IntN(60)), uint8(rng.IntN(60)), 200, 255}
		draw.Draw(img, image.Rect(0, at, 64, at+16), image.NewUniform(c), image.Point{}, draw.Src)
		names, classes = append(names, fmt.Sprintf("%02d.png", i)), append(classes, i%4+1)
		write(t, folder, names[i], asPNG(t, img))
	}
	for _, kind := range Kinds() {
		var want []float32
		for _, threads := range []int{1, 4} {
			f, err := a.Features(t.Context(), names, Config{Features: kind, Threads: threads})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = f.Matrix.F32
			} else if !slices.Equal(want, f.Matrix.F32) {
				t.Errorf("%s: %d threads give other values", kind, threads)
			}
			if ari := (drawn{classes: classes, groups: 4}).ari(t, f.Matrix); ari < 0.99 {
				t.Errorf("%s: ARI %.3f", kind, ari)
			}
		}
	}
	_, err := a.Features(t.Context(), names, Config{Features: "sounds"})
	refused(t, err, "", "no features", "sounds")
}
