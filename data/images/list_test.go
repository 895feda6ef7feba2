package images

import (
	"bytes"
	"errors"
	"fmt"
	"image/png"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

func TestListIsSortedAndByContent(t *testing.T) {
	a, folder := album(t, Limits{})
	img := asPNG(t, corners(4, 4))
	for _, name := range []string{"b/z.png", "b.png", "a/deep/er/x", "c.txt", ".hidden.png",
		".git/a.png", "b/.thumbs/a.png"} {
		write(t, folder, name, img)
	}
	for i := range 7 {
		write(t, folder, fmt.Sprintf("notes%d.png", i), []byte("a list of pictures"))
	}
	l, err := a.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(l.Names, " "); got != "a/deep/er/x b.png b/z.png c.txt" {
		t.Errorf("listed %s", got)
	}
	want := "7 files are left out as no picture: notes0.png is a text, notes1.png is a text, " +
		"notes2.png is a text, " +
		"notes3.png is a text, notes4.png is a text, …"
	if l.Others != 7 || len(l.Notes) != 1 || l.Notes[0] != want {
		t.Errorf("%d others: %q", l.Others, l.Notes)
	}
}

func TestFoldersWithoutPicturesOrWithTooMany(t *testing.T) {
	a, folder := album(t, Limits{Pictures: 2})
	_, err := a.List(t.Context())
	refused(t, err, folder, "no pictures")
	write(t, folder, "a.txt", []byte("no"))
	_, err = a.List(t.Context())
	refused(t, err, folder, "no pictures", "a.txt is a text")
	write(t, folder, "b.csv", []byte("x,y\n1,2\n"))
	_, err = a.List(t.Context())
	refused(t, err, folder, "no pictures", "b.csv is a text")
	if in, _ := errors.AsType[*fault.Input](err); !strings.Contains(in.Fix,
		"a table is named as a file, as in "+filepath.Join(folder, "b.csv")+"; or ") {
		t.Error(in.Fix)
	}
	for i := range 3 {
		write(t, folder, fmt.Sprintf("%d.png", i), asPNG(t, corners(4, 4)))
	}
	_, err = a.List(t.Context())
	refused(t, err, folder, "2 pictures are the most")
	for i := range 20 {
		write(t, folder, fmt.Sprintf("sub/%d.txt", i), []byte("no"))
	}
	_, err = a.List(t.Context())
	refused(t, err, folder, "files or more")
}

// TestThumbnailSizes: shrunk to fit, never enlarged, one pixel at least, and as PNG only where
// colours are few.
func TestThumbnailSizes(t *testing.T) {
	a, folder := album(t, Limits{})
	write(t, folder, "wide.png", asPNG(t, corners(300, 100)))
	write(t, folder, "thin.png", asPNG(t, corners(2, 500)))
	write(t, folder, "photo.png", asPNG(t, photograph(300, 200)))
	for _, c := range []struct {
		name                string
		size, width, height int
		contentType         string
	}{
		{"wide.png", 64, 64, 21, "image/png"}, {"wide.png", 2048, 300, 100, "image/png"},
		{"wide.png", 1, 1, 1, "image/png"},
		{"thin.png", 100, 1, 100, "image/png"}, {"photo.png", 150, 150, 100, "image/jpeg"},
	} {
		_, contentType, err := a.Thumbnail(t.Context(), c.name, c.size)
		if err != nil || contentType != c.contentType {
			t.Errorf("%s of %d is %s (%v)", c.name, c.size, contentType, err)
		}
		if b := thumbnail(t, a, c.name, c.size).Bounds(); b.Dx() != c.width || b.Dy() != c.height {
			t.Errorf("%s of %d is %v", c.name, c.size, b)
		}
	}
	for _, size := range []int{0, -1, 2049} {
		_, _, err := a.Thumbnail(t.Context(), "wide.png", size)
		refused(t, err, "", "pixels was asked for")
	}
}

// TestCacheStaysWithinItsBytes, keeps what is requested, and serves many at once.
func TestCacheStaysWithinItsBytes(t *testing.T) {
	a, folder := album(t, Limits{Cache: 4000})
	img := asPNG(t, corners(64, 64))
	for i := range 20 {
		write(t, folder, fmt.Sprintf("%d.png", i), img)
	}
	want, _, err := a.Thumbnail(t.Context(), "0.png", 32)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 60 {
				data, _, err := a.Thumbnail(t.Context(), fmt.Sprintf("%d.png", (g+i)%20), 32)
				if err != nil || !bytes.Equal(data, want) {
					t.Errorf("another thumbnail (%v)", err)
				}
			}
		})
	}
	wg.Wait()
	a.thumbs.check(t)
	if len(a.thumbs.at) == 0 || len(a.thumbs.at) == 20 {
		t.Errorf("%d thumbnails are kept", len(a.thumbs.at))
	}
	kept := func() *thumb { return a.thumbs.order.Front().Value.(*thumb) }
	for range 2 { // the second comes from memory
		if _, _, err := a.Thumbnail(t.Context(), "7.png", 32); err != nil ||
			kept().key.name != "7.png" {
			t.Fatalf("7.png is not in front (%v)", err)
		}
	}
	none, folder := album(t, Limits{Cache: -1})
	write(t, folder, "a.png", img)
	thumbnail(t, none, "a.png", 10)
	if len(none.thumbs.at) != 0 {
		t.Error("something is kept where nothing should be")
	}
}

// check holds the cache's book against its content.
func (c *cache) check(t *testing.T) {
	t.Helper()
	var held int64
	for e := c.order.Front(); e != nil; e = e.Next() {
		th := e.Value.(*thumb)
		held += cost(th)
		if c.at[th.key] != e {
			t.Errorf("%v is not where it should be", th.key)
		}
	}
	if held != c.held || held > c.most || len(c.at) != c.order.Len() {
		t.Errorf("%d bytes of %d, booked as %d; %d of %d", held, c.most, c.held, len(c.at),
			c.order.Len())
	}
}

func TestFromPixels(t *testing.T) {
	data, err := FromPixels([]float64{0, 8, 16, 99, -5, nan}, 3, 2, 16)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []uint32{255, 128, 0, 0, 255, 255} {
		if got, _, _, _ := img.At(i%3, i/3).RGBA(); got>>8 != want {
			t.Errorf("pixel %d is %d, not %d", i, got>>8, want)
		}
	}
	light, err := FromPixels([]float64{0, 255}, 2, 1, -255)
	if err != nil {
		t.Fatal(err)
	}
	if img, err = png.Decode(bytes.NewReader(light)); err != nil {
		t.Fatal(err)
	}
	if a, _, _, _ := img.At(0, 0).RGBA(); a != 0 {
		t.Error("0 is not black where values are light")
	}
	for _, bad := range [][3]float64{{2, 2, 1}, {0, 3, 1}, {-1, -3, 1}, {3, 1, 0}, {3, 1, nan},
		{1 << 40, 1 << 40, 1}} {
		_, err := FromPixels([]float64{1, 2, 3}, int(bad[0]), int(bad[1]), bad[2])
		refused(t, err, "")
	}
}
