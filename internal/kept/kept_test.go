package kept

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
)

func TestVectorsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	keys := make([]digest.Sum, 600)
	vectors := make([][]float32, len(keys))
	var some []int
	for i := range keys {
		keys[i], vectors[i] = digest.Of([]byte{byte(i), byte(i >> 8)}), []float32{float32(i), 0.5, -1}
		if i%3 > 0 {
			some = append(some, i)
		}
	}
	for _, mode := range []os.FileMode{0o600, 0o400} {
		f, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if f.frozen != (mode == 0o400 && os.Geteuid() != 0) {
			t.Errorf("it may be written: %t", !f.frozen)
		}
		if err := f.Put(t.Context(), keys, some, vectors); err != nil {
			t.Fatal(err)
		}
		found := make([][]float32, len(keys))
		if err := f.Get(t.Context(), keys, found); err != nil {
			t.Fatal(err)
		}
		for i, v := range found {
			if i%3 == 0 && v != nil || i%3 > 0 && !slices.Equal(v, vectors[i]) {
				t.Fatalf("vector %d is %v", i, v)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, 0o400); err != nil {
			t.Fatal(err)
		}
	}
	var none *File
	if err := none.Put(t.Context(), keys, some, vectors); err != nil {
		t.Error(err)
	}
	if err := none.Get(t.Context(), keys, vectors); err != nil {
		t.Error(err)
	}
	if err := none.Close(); err != nil {
		t.Error(err)
	}
}

func TestFilesOfSomethingElse(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "other")
	if err := os.WriteFile(path, []byte(strings.Repeat("no database ", 100)), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(t.Context(), path); !fault.IsInput(err) {
		t.Error(err)
	}
	f, err := Open(t.Context(), filepath.Join(dir, "vectors"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.db.Exec("PRAGMA application_id = 7"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := Open(t.Context(), filepath.Join(dir, "vectors")); !fault.IsInput(err) {
		t.Error(err)
	}
	if _, err := Open(t.Context(), filepath.Join(dir, "no", "folder")); err == nil {
		t.Error("a file in no folder")
	}
}

// Of many that open a new file at once each makes it, or finds it made.
func TestManyBeginAFile(t *testing.T) {
	for range 4 {
		path := filepath.Join(t.TempDir(), "vectors")
		var group errgroup.Group
		for i := range 8 {
			group.Go(func() error {
				f, err := Open(t.Context(), path)
				if err != nil {
					return err
				}
				keys := []digest.Sum{digest.Of([]byte{byte(i)})}
				err = f.Put(t.Context(), keys, []int{0}, [][]float32{{float32(i)}})
				return errors.Join(err, f.Close())
			})
		}
		if err := group.Wait(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestThumbnailsAreKept: what is gone from the data goes from the file, what is damaged counts as
// not there, and a file of thumbnails is not one of vectors.
func TestThumbnailsAreKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "thumbnails")
	f, err := OpenThumbnails(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keys := make([]digest.Sum, 700)
	data := func(i int) []byte { return bytes.Repeat([]byte{byte(i), byte(i >> 8)}, 1+5*i) }
	all := make([]int, len(keys))
	wanted := map[digest.Sum]bool{}
	for i := range keys {
		keys[i], all[i] = digest.Of([]byte{byte(i), byte(i >> 8)}), i
		wanted[keys[i]] = i%2 == 0
	}
	if err := f.Store(t.Context(), keys, all, data); err != nil {
		t.Fatal(err)
	}
	full, err := f.Size(t.Context())
	if info, also := os.Stat(path); err != nil || also != nil || full != info.Size() {
		t.Fatal(full, info.Size(), err, also)
	}
	damaged := "UPDATE thumbnails SET thumbnail = zeroblob(40) WHERE key = ?"
	if _, err := f.db.Exec(damaged, keys[4][:]); err != nil {
		t.Fatal(err)
	}
	there, err := f.Keep(t.Context(), wanted)
	if err != nil || len(there) != len(keys)/2 || !there[keys[0]] || there[keys[1]] {
		t.Fatal(len(there), err)
	}
	if size, err := f.Size(t.Context()); err != nil || size > full*2/3 {
		t.Errorf("%d of %d bytes are left, %v", size, full, err)
	}
	found := map[int]bool{}
	err = f.Load(t.Context(), keys, func(i int, got []byte) {
		if found[i] = true; !bytes.Equal(got, data(i)) {
			t.Errorf("what is kept of %d is not as it was", i)
		}
	})
	if err != nil || len(found) != len(keys)/2-1 || found[4] || found[1] {
		t.Error(len(found), err)
	}
	if _, err := Open(t.Context(), path); !fault.IsInput(err) {
		t.Errorf("thumbnails as vectors: %v", err)
	}
}

// TestFilesInUse: who waits for another goes on when that has ended, and ends when it is cancelled,
// whatever it was about.
func TestFilesInUse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	f, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	keys, all := []digest.Sum{digest.Of([]byte("a"))}, []int{0}
	data := func(int) []byte { return []byte("b") }
	if err := f.Store(t.Context(), keys, all, data); err != nil {
		t.Fatal(err)
	}
	lock := func() (unlock func()) {
		t.Helper()
		other, err := Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := other.db.Exec("BEGIN EXCLUSIVE"); err != nil {
			t.Fatal(err)
		}
		return func() { other.Close() }
	}
	uses := map[string]func(ctx context.Context) error{
		"open": func(ctx context.Context) error {
			f, err := Open(ctx, path)
			return errors.Join(err, f.Close())
		},
		"load": func(ctx context.Context) error {
			return f.Load(ctx, keys, func(int, []byte) {})
		},
		"store": func(ctx context.Context) error { return f.Store(ctx, keys, all, data) },
		"keep": func(ctx context.Context) error {
			_, err := f.Keep(ctx, map[digest.Sum]bool{keys[0]: true})
			return err
		},
		"size": func(ctx context.Context) error {
			_, err := f.Size(ctx)
			return err
		},
	}
	for name, use := range uses {
		unlock := lock()
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(20*time.Millisecond, cancel)
		if err := use(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: cancelled while the file is in use: %v", name, err)
		}
		time.AfterFunc(150*time.Millisecond, unlock)
		if err := use(t.Context()); err != nil {
			t.Errorf("%s: after the file was in use: %v", name, err)
		}
	}
	defer lock()()
	f.of.wait = 0
	if err := uses["store"](t.Context()); !fault.IsInput(err) {
		t.Errorf("stored while the file is in use: %v", err)
	}
}
