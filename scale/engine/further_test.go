package engine

import (
	"context"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/kindred-go/kindred/scale/shard"
)

// shared is a file system in memory where something happens as soon as a file has been looked at,
// as others work in it too.
type shared struct {
	filesystem.Interface
	then atomic.Pointer[func()] // files are looked at several at a time
}

var sharedFiles = &shared{Interface: memfs.New(context.Background())}

func init() {
	filesystem.Register("shared", func(context.Context) filesystem.Interface { return sharedFiles })
}

func (s *shared) List(ctx context.Context, glob string) ([]string, error) {
	found, err := s.Interface.List(ctx, strings.Replace(glob, "shared://", "memfs://", 1))
	for i := range found {
		found[i] = strings.Replace(found[i], "memfs://", "shared://", 1)
	}
	return found, err
}

func (s *shared) Size(ctx context.Context, path string) (int64, error) {
	size, err := s.Interface.Size(ctx, strings.Replace(path, "shared://", "memfs://", 1))
	if strings.HasSuffix(path, ".state") {
		if then := s.then.Swap(nil); then != nil {
			(*then)()
		}
	}
	return size, err
}

func (s *shared) OpenRead(ctx context.Context, path string) (io.ReadCloser, error) {
	return s.Interface.OpenRead(ctx, strings.Replace(path, "shared://", "memfs://", 1))
}

// Another run of the plan in the same folder may be further, and remove states, at any moment.
func TestStatesThatGoMeanwhileAreLookedForAgain(t *testing.T) {
	const folder = "memfs://further/halve"
	p := plan(t, halve{}, 5)
	id, err := identity(p)
	if err != nil {
		t.Fatal(err)
	}
	put := func(round int) {
		if err := leave(t.Context(), folder, &envelope{Plan: id, Round: round}); err != nil {
			t.Error(err)
		}
	}
	if err := shard.WriteFile(t.Context(), folder+"/plan", []byte(id)); err != nil {
		t.Fatal(err)
	}
	put(1)
	then := func() {
		put(3)
		if err := prune(t.Context(), folder, 1); err != nil {
			t.Error(err)
		}
	}
	sharedFiles.then.Store(&then)
	e, err := claim(t.Context(), strings.Replace(folder, "memfs://", "shared://", 1), p)
	if err != nil || e == nil || e.Round != 3 || sharedFiles.then.Load() != nil {
		t.Errorf("%+v, %v", e, err)
	}
}
