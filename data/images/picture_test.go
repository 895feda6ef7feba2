package images

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// root opens a folder for the time of the test.
func root(t testing.TB, folder string) *os.Root {
	t.Helper()
	r, err := os.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// album returns the album of a new folder.
func album(t testing.TB, limits Limits) (a *Album, folder string) {
	t.Helper()
	folder = t.TempDir()
	return New(root(t, folder), limits), folder
}

func write(t testing.TB, folder, name string, data []byte) {
	t.Helper()
	path := filepath.Join(folder, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

func asPNG(t testing.TB, img image.Image) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := png.Encode(&out, img); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// corners is a picture of four plain quarters: red, green, blue and, below right, black.
func corners(width, height int) *image.NRGBA {
	img := image.NewNRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			c := color.NRGBA{A: 255}
			switch {
			case x < width/2 && y < height/2:
				c.R = 255
			case y < height/2:
				c.G = 255
			case x < width/2:
				c.B = 255
			}
			img.SetNRGBA(x, y, c)
		}
	}
	return img
}

// thumbnail returns a thumbnail as a picture.
func thumbnail(t testing.TB, a *Album, name string, size int) image.Image {
	t.Helper()
	data, _, err := a.Thumbnail(t.Context(), name, size)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return img
}

// near reports whether two colours are about the same, as after JPEG.
func near(a, b color.Color) bool {
	ar, ag, ab, _ := a.RGBA()
	br, bg, bb, _ := b.RGBA()
	for _, d := range []int{int(ar) - int(br), int(ag) - int(bg), int(ab) - int(bb)} {
		if d > 20<<8 || d < -20<<8 {
			return false
		}
	}
	return true
}

// refused expects a fault that names the file, contains the words, and states the fix.
func refused(t *testing.T, err error, name string, words ...string) {
	t.Helper()
	var in *fault.Input
	if !errors.As(err, &in) || in.File != name || in.Fix == "" {
		t.Fatalf("%s: %v is not an error of that file with a fix", name, err)
	}
	for _, w := range words {
		if !strings.Contains(in.Problem, w) {
			t.Errorf("%s: %q does not contain %q", name, in.Problem, w)
		}
	}
}
