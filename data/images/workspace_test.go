package images

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/jpeg"
	"path/filepath"
	"reflect"
	"runtime"
	"testing"
)

// TestPicturesTakeTheSameMemory: vectors and thumbnails are made in memory that is used again, and no
// picture is seen in what is made of the next.
func TestPicturesTakeTheSameMemory(t *testing.T) {
	a, folder := album(t, Limits{})
	a.Keep(filepath.Join(t.TempDir(), "thumbnails"))
	var names []string
	var files [4]bytes.Buffer
	for i := range files {
		picture := photograph(1155-80*i, 866-300*(i%2))
		if err := jpeg.Encode(&files[i], picture, nil); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 32 {
		data := append(files[i%4].Bytes(), byte(i)) // which is no part of the picture
		if i%5 == 4 {
			data = withEXIF(data, binary.LittleEndian, 1+i%8)
		}
		names = append(names, fmt.Sprintf("%d.jpg", i))
		write(t, folder, names[i], data)
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f, err := a.Features(t.Context(), names, Config{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	runtime.ReadMemStats(&after)
	if each := (after.TotalAlloc - before.TotalAlloc) / uint64(len(names)); each > 600_000 {
		t.Errorf("%d bytes are allocated for each picture, of 740 kB that it takes", each)
	}
	alone, _ := album(t, Limits{})
	alone.root = a.root
	for i, name := range names {
		w := (&Album{root: a.root, limits: a.limits, bytes: a.bytes, pixels: a.pixels}).workspace()
		c, err := w.shrunk(t.Context(), name, false, inside(ahead))
		if err != nil {
			t.Fatal(err)
		}
		want, _, err := w.encode(c[0])
		if err != nil {
			t.Fatal(err)
		}
		if got, _, err := a.Thumbnail(t.Context(), name, ahead); err != nil ||
			!bytes.Equal(got, want) {
			t.Errorf("picture %d: its thumbnail is not that of a new workspace, %v", i, err)
		}
	}
	again, err := alone.Features(t.Context(), names, Config{Threads: 1})
	if err != nil || !reflect.DeepEqual(f.Matrix, again.Matrix) {
		t.Errorf("vectors differ from those without thumbnails, %v", err)
	}
}
