package images

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"path/filepath"
	"testing"
)

// photograph is a made-up picture in which every pixel differs from its neighbours.
func photograph(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			img.SetRGBA(x, y, color.RGBA{uint8(x*255/width) ^ uint8(y&15), uint8(y * 255 / height),
				uint8(x*y>>6) | 1, 255})
		}
	}
	return img
}

// BenchmarkFeatures reports how many pictures a second become vectors.
func BenchmarkFeatures(b *testing.B) {
	for _, size := range []int{28, 256, 1024} {
		b.Run(fmt.Sprintf("%dpx", size), func(b *testing.B) {
			a, folder := album(b, Limits{})
			var file bytes.Buffer
			if err := jpeg.Encode(&file, photograph(size, size), nil); err != nil {
				b.Fatal(err)
			}
			var names []string
			for i := range 256 {
				names = append(names, fmt.Sprintf("%d.jpg", i))
				write(b, folder, names[i], file.Bytes())
			}
			for b.Loop() {
				if _, err := a.Features(b.Context(), names, Config{Threads: 1}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(names))/b.Elapsed().Seconds(), "pictures/s")
		})
	}
}

// BenchmarkThumbnail makes one of a picture of 12 megapixels, and takes one from memory.
func BenchmarkThumbnail(b *testing.B) {
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photograph(4000, 3000), nil); err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		cache int64
	}{{"made", -1}, {"kept", 0}} {
		b.Run(c.name, func(b *testing.B) {
			a, folder := album(b, Limits{Cache: c.cache})
			write(b, folder, "a.jpg", file.Bytes())
			for b.Loop() {
				if _, _, err := a.Thumbnail(b.Context(), "a.jpg", 512); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkMegapixels makes vectors of JPEGs of one megapixel, decoded whole, at a fraction, and with
// thumbnails that are kept.
func BenchmarkMegapixels(b *testing.B) {
	a, folder := album(b, Limits{})
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photograph(1155, 866), nil); err != nil {
		b.Fatal(err)
	}
	var names []string
	for i := range 128 {
		names = append(names, fmt.Sprintf("%d.jpg", i))
		write(b, folder, names[i], file.Bytes())
	}
	for _, c := range []struct {
		name        string
		exact, keep bool
	}{{"whole", true, false}, {"fraction", false, false}, {"with thumbnails", false, true}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				if a.Keep(""); c.keep {
					a.Keep(filepath.Join(b.TempDir(), "thumbnails"))
				}
				if _, err := a.Features(b.Context(), names, Config{Exact: c.exact}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(names))/b.Elapsed().Seconds(), "pictures/s")
		})
	}
}
