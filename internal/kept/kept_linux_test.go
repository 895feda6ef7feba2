package kept

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/kindred-go/kindred/internal/digest"
)

// TestOpeningLeavesLocks: a file that is opened again while it is read stays locked for other
// processes.
func TestOpeningLeavesLocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	f, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	// A lock of an open file description is in the way of locks of its own process, too.
	look, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer look.Close()
	locked := func() bool {
		lock := unix.Flock_t{Type: unix.F_WRLCK}
		if err := unix.FcntlFlock(look.Fd(), unix.F_OFD_GETLK, &lock); err != nil {
			t.Fatal(err)
		}
		return lock.Type != unix.F_UNLCK
	}
	keys := []digest.Sum{digest.Of([]byte("a")), digest.Of([]byte("b"))}
	if err := f.Put(t.Context(), keys, []int{0, 1}, [][]float32{{1}, {2}}); err != nil {
		t.Fatal(err)
	}
	rows, err := f.db.Query("SELECT key FROM vectors")
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	if !rows.Next() || !locked() {
		t.Fatal("a file that is read is not locked")
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // SQLite, which would take the lock anew, is not reached
	if _, err := Open(ctx, path); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if !locked() {
		t.Error("opening the file again ended the lock")
	}
}
