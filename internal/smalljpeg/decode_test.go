package smalljpeg

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"reflect"
	"runtime"
	"testing"
)

// scene is a picture of soft colours with some edges and noise.
func scene(width, height int) *image.RGBA {
	rng := rand.New(rand.NewPCG(1, 2))
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			fx, fy := float64(x)/30, float64(y)/22
			light := 120 + 60*math.Sin(fx)*math.Cos(fy) + 10*rng.NormFloat64()
			if (x/40+y/25)%5 == 0 {
				light += 50
			}
			clamp := func(v float64) uint8 { return uint8(min(max(v, 0), 255)) }
			img.SetRGBA(x, y, color.RGBA{clamp(light + 30*math.Sin(fy)), clamp(light),
				clamp(light + 40*math.Cos(fx/2)), 255})
		}
	}
	return img
}

func encoded(t testing.TB, img image.Image, quality int) []byte {
	t.Helper()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, img, &jpeg.Options{Quality: quality}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// TestDecodeIsTheMeanOfPixels compares a decoded picture with means of the pixels that image/jpeg
// decodes: at an eighth they are the same but for rounding, at others nearly.
func TestDecodeIsTheMeanOfPixels(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 203, 117))
	draw.Draw(grey, grey.Rect, scene(203, 117), image.Point{}, draw.Src)
	for name, img := range map[string]image.Image{"colour": scene(331, 209), "grey": grey,
		"tiny": scene(3, 9), "whole blocks": scene(128, 64)} {
		for _, quality := range []int{20, 90, 100} {
			data := encoded(t, img, quality)
			full, err := jpeg.Decode(bytes.NewReader(data))
			if err != nil {
				t.Fatal(err)
			}
			for _, by := range []int{2, 4, 8} {
				several, err := new(Decoder).Decode(t.Context(), data, by)
				if err != nil {
					t.Fatal(name, quality, by, err)
				}
				small := several[0]
				b := small.Bounds()
				if w := full.Bounds(); b.Dx() != (w.Dx()+by-1)/by || b.Dy() != (w.Dy()+by-1)/by {
					t.Fatalf("%s: %v by %d", name, b, by)
				}
				mean, most := difference(full, small, by)
				limit := map[int]float64{2: 4, 4: 4, 8: 0.6}[by]
				if mean > limit || by == 8 && most > 3 {
					t.Errorf("%s, quality %d, by %d: differs by %.2f, at most %.2f", name,
						quality, by, mean, most)
				}
			}
		}
	}
}

// difference compares lightness with the means of whole squares of by × by pixels.
func difference(full, small image.Image, by int) (mean, most float64) {
	light := func(img image.Image, x, y int) float64 {
		switch img := img.(type) {
		case *image.Gray:
			return float64(img.GrayAt(x, y).Y)
		case *image.YCbCr:
			return float64(img.YCbCrAt(x, y).Y)
		}
		return 0
	}
	n := 0
	for y := range full.Bounds().Dy() / by {
		for x := range full.Bounds().Dx() / by {
			var sum float64
			for i := range by * by {
				sum += light(full, x*by+i%by, y*by+i/by)
			}
			d := math.Abs(sum/float64(by*by) - light(small, x, y))
			mean, most, n = mean+d, max(most, d), n+1
		}
	}
	return mean / float64(max(n, 1)), most
}

// TestSeveralSizesAtOnce are those that are decoded alone, whichever is the largest.
func TestSeveralSizesAtOnce(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 203, 117))
	draw.Draw(grey, grey.Rect, scene(203, 117), image.Point{}, draw.Src)
	for name, img := range map[string]image.Image{"colour": scene(331, 209), "grey": grey} {
		data := encoded(t, img, 85)
		for _, by := range [][]int{{2, 4, 8}, {8, 4}, {8, 2}, {4, 4, 8}, {2}, {8}} {
			several, err := new(Decoder).Decode(t.Context(), data, by...)
			if err != nil || len(several) != len(by) {
				t.Fatal(name, by, len(several), err)
			}
			for i := range by {
				alone, err := new(Decoder).Decode(t.Context(), data, by[i])
				if err != nil || !reflect.DeepEqual(alone[0], several[i]) {
					t.Errorf("%s: by %d of %d differs from that alone, %v", name, by[i], by, err)
				}
			}
		}
	}
}

// TestOnePictureAfterAnother is decoded as by a decoder that is new, whatever came before: another
// size, other codes, what is damaged. Nothing is allocated but what describes the pictures.
func TestOnePictureAfterAnother(t *testing.T) {
	grey := image.NewGray(image.Rect(0, 0, 203, 117))
	draw.Draw(grey, grey.Rect, scene(203, 117), image.Point{}, draw.Src)
	whole := encoded(t, scene(331, 209), 85)
	restarts := append(append([]byte{}, whole[:2]...), 0xff, 0xdd, 0, 4, 0, 1)
	pictures := [][]byte{whole, append(restarts, whole[2:]...), encoded(t, grey, 60),
		whole[:len(whole)/2], encoded(t, scene(40, 20), 100), whole, whole[:30]}
	var d Decoder
	for range 2 {
		for i, data := range pictures {
			want, wrong := new(Decoder).Decode(t.Context(), data, 8, 2)
			got, err := d.Decode(t.Context(), data, 8, 2)
			if !reflect.DeepEqual(want, got) || !errors.Is(err, wrong) {
				t.Errorf("picture %d differs from that of a new decoder: %v, %v", i, err, wrong)
			}
		}
	}
	if size := d.Size(); size < 168*112*3/2 || size > 336*224 {
		t.Errorf("%d bytes are held", size)
	}
	// A picture of 1155 × 866 takes 116 kB at these sizes.
	large := encoded(t, scene(1155, 866), 85)
	var before, after runtime.MemStats
	for range 2 { // of which the first may need more
		runtime.ReadMemStats(&before)
		if _, err := d.Decode(t.Context(), large, 8, 4); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
	}
	got := after.TotalAlloc - before.TotalAlloc
	if got > 20_000 {
		t.Errorf("%d bytes are allocated for a picture", got)
	}
}

// TestPlainColours come out as they are, at every size.
func TestPlainColours(t *testing.T) {
	for _, c := range []color.RGBA{{200, 30, 60, 255}, {0, 0, 0, 255}, {255, 255, 255, 255}} {
		img := image.NewRGBA(image.Rect(0, 0, 50, 34))
		draw.Draw(img, img.Rect, image.NewUniform(c), image.Point{}, draw.Src)
		for _, by := range []int{2, 4, 8} {
			several, err := new(Decoder).Decode(t.Context(), encoded(t, img, 95), by)
			if err != nil {
				t.Fatal(err)
			}
			small := several[0]
			b := small.Bounds()
			r, g, bb, _ := small.At(b.Max.X-1, b.Max.Y-1).RGBA()
			for i, v := range [3]uint32{r, g, bb} {
				if d := int(v>>8) - int([3]uint8{c.R, c.G, c.B}[i]); d < -3 || d > 3 {
					t.Errorf("%v by %d: %d %d %d", c, by, r>>8, g>>8, bb>>8)
				}
			}
		}
	}
}

// TestDamagedAndUnusual pictures are left to a complete decoder.
func TestDamagedAndUnusual(t *testing.T) {
	data := encoded(t, scene(120, 90), 80)
	for cut := range len(data) {
		if _, err := new(Decoder).Decode(t.Context(), data[:cut], 8); !errors.Is(err, ErrUnsupported) {
			t.Fatalf("cut at %d: %v", cut, err)
		}
	}
	progressive := bytes.Replace(data, []byte{0xff, 0xc0}, []byte{0xff, 0xc2}, 1)
	if _, err := new(Decoder).Decode(t.Context(), progressive, 8); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
	if _, err := new(Decoder).Decode(t.Context(), data, 3); !errors.Is(err, ErrUnsupported) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := new(Decoder).Decode(ctx, data, 8); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// FuzzDecode: no file makes it panic, and what it decodes has the size of the header.
func FuzzDecode(f *testing.F) {
	grey := image.NewGray(image.Rect(0, 0, 20, 30))
	for _, img := range []image.Image{scene(40, 24), scene(17, 9), grey} {
		f.Add(encoded(f, img, 75), uint8(1))
	}
	f.Fuzz(func(t *testing.T, data []byte, scale uint8) {
		by := 2 << (scale % 3)
		if c, err := jpeg.DecodeConfig(bytes.NewReader(data)); err == nil &&
			c.Width*c.Height > 1<<18 {
			return
		}
		several, err := new(Decoder).Decode(t.Context(), data, by)
		if err != nil {
			if !errors.Is(err, ErrUnsupported) {
				t.Fatal(err)
			}
			return
		}
		c, err := jpeg.DecodeConfig(bytes.NewReader(data))
		if err != nil {
			return
		}
		if b := several[0].Bounds(); b.Dx() != (c.Width+by-1)/by || b.Dy() != (c.Height+by-1)/by {
			t.Fatalf("%v of %d × %d by %d", b, c.Width, c.Height, by)
		}
	})
}

// BenchmarkDecode decodes a picture of one megapixel, whole by image/jpeg, smaller, and at two sizes.
func BenchmarkDecode(b *testing.B) {
	data := encoded(b, scene(1155, 866), 85)
	b.Run("whole", func(b *testing.B) {
		for b.Loop() {
			if _, err := jpeg.Decode(bytes.NewReader(data)); err != nil {
				b.Fatal(err)
			}
		}
	})
	for _, by := range []int{2, 4, 8} {
		b.Run(map[int]string{2: "half", 4: "quarter", 8: "eighth"}[by], func(b *testing.B) {
			for b.Loop() {
				if _, err := new(Decoder).Decode(b.Context(), data, by); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("quarter and eighth", func(b *testing.B) {
		for b.Loop() {
			if _, err := new(Decoder).Decode(b.Context(), data, 8, 4); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// TestPassedSymbols are those that are found one by one: as many bits and coefficients, for codes
// of every shape, of one bit each and of sixteen.
func TestPassedSymbols(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	several := 0
	for range 300 {
		counts := make([]byte, 16)
		var symbols []byte
		for free, length := 1, rng.IntN(1+rng.IntN(12)); length < 16 && free > 0; length++ {
			free = 2 * free
			n := min(rng.IntN(free+1), 12)
			counts[length], free = byte(n), min(free-n, 1<<10)
			for range n {
				symbols = append(symbols, [...]byte{0, 0xf0, byte(rng.IntN(256)),
					byte(rng.IntN(3))<<4 | byte(1+rng.IntN(3))}[rng.IntN(4)])
			}
		}
		table := &huffman{}
		if !table.set(counts, symbols) {
			t.Fatal(counts)
		}
		table.pass()
		for i, e := range table.passed {
			held := uint64(i) << (64 - quick)
			var sum, n, by int
			done := false
			for n = 0; sum < e.all() && !done; n++ {
				one := table.lookup[held<<sum>>(64-quick)]
				if one == 0 || sum+one.code() > quick {
					t.Fatalf("%v: %010b passes over what is not known", counts, i)
				}
				sum, by, done = sum+one.all(), by+one.by(), one.ends()
			}
			if sum != e.all() || by != e.by() || done != e.ends() || by >= block*block {
				t.Fatalf("%v: %010b passes over %d bits, %d coefficients, %v; alone %d, %d, %v",
					counts, i, e.all(), e.by(), e.ends(), sum, by, done)
			}
			if n > 1 {
				several++
			}
		}
	}
	if several < 1000 {
		t.Errorf("several symbols are passed over for %d of the bits only", several)
	}
}
