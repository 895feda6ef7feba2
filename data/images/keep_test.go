package images

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image/jpeg"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/kept"
)

// photographs writes JPEGs and PNGs of several sizes, and one that is broken, and returns their
// names.
func photographs(t testing.TB, folder string) (names []string) {
	t.Helper()
	for i, width := range []int{1155, 900, 300, 180, 40} {
		var file bytes.Buffer
		img := photograph(width, width*3/4+i)
		if err := jpeg.Encode(&file, img, nil); err != nil {
			t.Fatal(err)
		}
		write(t, folder, fmt.Sprintf("%d.jpg", i), file.Bytes())
		write(t, folder, fmt.Sprintf("%d.png", i), asPNG(t, img))
		names = append(names, fmt.Sprintf("%d.jpg", i), fmt.Sprintf("%d.png", i))
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, photograph(700, 400), nil); err != nil {
		t.Fatal(err)
	}
	write(t, folder, "0.jpg", withEXIF(file.Bytes(), binary.BigEndian, 6)) // on its side
	write(t, folder, "broken.jpg", []byte("\xff\xd8\xff\xe0 nothing else"))
	return append(names, "broken.jpg", "missing.jpg")
}

// made opens the thumbnails of a file, and returns how many there are of pictures.
func made(t testing.TB, a *Album, path string, names []string) int {
	t.Helper()
	f, err := kept.OpenThumbnails(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	k, err := a.keeper(t.Context(), names)
	if err != nil || k.failed != nil {
		t.Fatal(err, k.failed)
	}
	defer k.close()
	count := 0
	err = f.Load(t.Context(), k.keys, func(int, []byte) { count++ })
	if err != nil {
		t.Fatal(err)
	}
	return count
}

// TestThumbnailsAreMadeAhead: they are those that are made when asked for, nothing else depends on
// them, and pictures that cannot be read have none.
func TestThumbnailsAreMadeAhead(t *testing.T) {
	plain, folder := album(t, Limits{Cache: -1})
	names := photographs(t, folder)
	for _, exact := range []bool{false, true} {
		path := filepath.Join(t.TempDir(), "p.kindred.thumbnails")
		a := New(root(t, folder), Limits{Cache: -1})
		a.Keep(path)
		cfg := Config{SkipBroken: true, Exact: exact}
		want, err := plain.Features(t.Context(), names, cfg)
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			got, err := a.Features(t.Context(), names, cfg)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Matrix.F32, want.Matrix.F32) ||
				!slices.Equal(got.Rows, want.Rows) || !slices.Equal(got.Notes, want.Notes) {
				t.Fatalf("what is made beside thumbnails differs: %v, %v", got.Notes, want.Notes)
			}
		}
		if n := made(t, a, path, names); n != 10 {
			t.Errorf("%d thumbnails are made of 10 pictures", n)
		}
		for _, name := range names[:10] {
			_, info, err := a.look(name)
			if err != nil {
				t.Fatal(err)
			}
			if a.taken(t.Context(), thumbKey{name, ahead, info.Size(), info.ModTime()}) == nil {
				t.Errorf("%s has no thumbnail ahead", name)
			}
			got, kind, err := a.Thumbnail(t.Context(), name, ahead)
			if err != nil {
				t.Fatal(err)
			}
			alone, as, err := plain.Thumbnail(t.Context(), name, ahead)
			if err != nil || kind != as || !exact && !bytes.Equal(got, alone) {
				t.Errorf("%s: a thumbnail of %d bytes as %s is kept, %d as %s made, %v", name,
					len(got), kind, len(alone), as, err)
			}
		}
		if err := a.Close(); err != nil {
			t.Fatal(err)
		}
		if _, _, err := a.Thumbnail(t.Context(), names[0], ahead); err != nil {
			t.Errorf("after the file is closed: %v", err)
		}
	}
}

// TestThumbnailsOfChangedPictures are made anew, and those of pictures that are gone removed.
func TestThumbnailsOfChangedPictures(t *testing.T) {
	a, folder := album(t, Limits{Cache: -1})
	names := photographs(t, folder)
	path := filepath.Join(t.TempDir(), "p.kindred.thumbnails")
	a.Keep(path)
	features := func() {
		t.Helper()
		if _, err := a.Features(t.Context(), names, Config{SkipBroken: true}); err != nil {
			t.Fatal(err)
		}
	}
	features()
	before, _, err := a.Thumbnail(t.Context(), "0.png", ahead)
	if err != nil {
		t.Fatal(err)
	}
	write(t, folder, "0.png", asPNG(t, photograph(200, 60)))
	long := time.Now().Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(folder, "0.png"), long, long); err != nil {
		t.Fatal(err)
	}
	if after, _, err := a.Thumbnail(t.Context(), "0.png", ahead); err != nil ||
		bytes.Equal(before, after) {
		t.Errorf("the thumbnail is that of the picture before, %v", err)
	}
	if err := os.Remove(filepath.Join(folder, "1.jpg")); err != nil {
		t.Fatal(err)
	}
	all := names
	if n := made(t, a, path, all); n != 8 {
		t.Errorf("%d thumbnails are of 10 pictures, one of them changed and one gone", n)
	}
	features()
	if n := made(t, a, path, all); n != 9 {
		t.Errorf("%d thumbnails are of 9 pictures", n)
	}
	names = names[:2]
	features()
	if n := made(t, a, path, all); n != 2 {
		t.Errorf("%d thumbnails are left of 2 pictures", n)
	}
}

// TestMostKept: a file of thumbnails has at most so many bytes, and the others are made when they
// are asked for.
func TestMostKept(t *testing.T) {
	if l := (Limits{}).withDefaults(); l.Kept != mostKept {
		t.Errorf("%d bytes of thumbnails are kept by default", l.Kept)
	}
	for _, most := range []int64{1, 20_000, 1 << 20} {
		a, folder := album(t, Limits{Cache: -1, Kept: most})
		names := photographs(t, folder)
		path := filepath.Join(t.TempDir(), "p.kindred.thumbnails")
		a.Keep(path)
		f, err := a.Features(t.Context(), names, Config{SkipBroken: true})
		if err != nil || len(f.Notes) != 1 {
			t.Fatal(f, err)
		}
		n := made(t, a, path, names)
		if most == 1 && n != 0 || most == 20_000 && (n == 0 || n > 7) || most == 1<<20 && n != 10 {
			t.Errorf("%d thumbnails are kept in %d bytes", n, most)
		}
		info, err := os.Stat(path)
		if err != nil || info.Size() > max(most, 2*4096) { // a file with nothing has two pages
			t.Errorf("the file has %d bytes of at most %d, %v", info.Size(), most, err)
		}
		for _, name := range names[:10] {
			if _, _, err := a.Thumbnail(t.Context(), name, ahead); err != nil {
				t.Error(err)
			}
		}
	}
}

// TestNothingIsMadeForAFrozenFile: where a file may only be read, no thumbnails are made in vain.
func TestNothingIsMadeForAFrozenFile(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	a, folder := album(t, Limits{Cache: -1})
	names := photographs(t, folder)
	path := filepath.Join(t.TempDir(), "p.kindred.thumbnails")
	a.Keep(path)
	if _, err := a.Features(t.Context(), names[:2], Config{}); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	k, err := a.keeper(t.Context(), names)
	if err != nil || k.failed != nil {
		t.Fatal(err, k.failed)
	}
	defer k.close()
	for i := range names {
		if k.wants(i) {
			t.Errorf("a thumbnail of %s is made", names[i])
		}
	}
	if _, _, err := a.Thumbnail(t.Context(), names[0], ahead); err != nil {
		t.Error(err)
	}
}

// TestThumbnailsThatCannotBeKept are a note, and nothing fails.
func TestThumbnailsThatCannotBeKept(t *testing.T) {
	a, folder := album(t, Limits{Cache: -1})
	names := photographs(t, folder)[:10]
	other := filepath.Join(t.TempDir(), "other")
	if err := os.WriteFile(other, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	for path, notes := range map[string]int{other: 1, filepath.Join(other, "none"): 0} {
		a = New(a.root, Limits{Cache: -1})
		a.Keep(path)
		f, err := a.Features(t.Context(), names, Config{})
		if err != nil || len(f.Notes) != notes {
			t.Fatalf("%+v, %v", f, err)
		}
		if notes == 1 && !strings.Contains(f.Notes[0], "thumbnails are made when") {
			t.Error(f.Notes)
		}
		if _, _, err := a.Thumbnail(t.Context(), names[0], ahead); err != nil {
			t.Error(err)
		}
	}
}

// TestInterruptedThumbnails: what was begun is kept whole or not at all, and gone on with.
func TestInterruptedThumbnails(t *testing.T) {
	a, folder := album(t, Limits{})
	var names []string
	for i := range 3 * wave {
		names = append(names, fmt.Sprintf("%03d.png", i))
		write(t, folder, names[i], asPNG(t, photograph(24+i%7, 20)))
	}
	path := filepath.Join(t.TempDir(), "p.kindred.thumbnails")
	a.Keep(path)
	ctx, cancel := context.WithCancel(t.Context())
	_, err := a.Features(ctx, names, Config{Progress: func(what string, share float64) {
		if what == "looking at pictures" && share > 0.5 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if _, err := a.Features(t.Context(), names, Config{}); err != nil {
		t.Fatal(err)
	}
	if n := made(t, a, path, names); n != len(names) {
		t.Errorf("%d thumbnails of %d pictures", n, len(names))
	}
}

// TestThumbnailsOfOthers: what lies in a file under the key of a picture is shown only if it is a
// picture of that size.
func TestThumbnailsOfOthers(t *testing.T) {
	a, folder := album(t, Limits{Cache: -1})
	write(t, folder, "a.png", asPNG(t, photograph(300, 200)))
	path := filepath.Join(t.TempDir(), "p.kindred.thumbnails")
	a.Keep(path)
	_, info, err := a.look("a.png")
	if err != nil {
		t.Fatal(err)
	}
	key := thumbKey{"a.png", ahead, info.Size(), info.ModTime()}
	for name, data := range map[string][]byte{
		"a page":          []byte("<!doctype html><script>alert(1)</script>"),
		"a drawing":       []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script/></svg>`),
		"a large picture": asPNG(t, photograph(129, 3)),
		"half a picture":  asPNG(t, photograph(90, 60))[:20],
	} {
		f, err := kept.OpenThumbnails(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		err = f.Store(t.Context(), []digest.Sum{key.sum()}, []int{0},
			func(int) []byte { return data })
		if err := errors.Join(err, f.Close()); err != nil {
			t.Fatal(err)
		}
		if got := a.taken(t.Context(), key); got != nil {
			t.Errorf("%s is shown as %s", name, got.contentType)
		}
		if _, kind, err := a.Thumbnail(t.Context(), "a.png", ahead); err != nil ||
			kind != "image/png" && kind != "image/jpeg" {
			t.Error(name, kind, err)
		}
	}
}
