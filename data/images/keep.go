package images

import (
	"bytes"
	"context"
	"errors"
	"sync"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/kept"
)

const (
	// ahead is the size of the thumbnails that are made ahead: that of pictures in a list.
	ahead = 128
	// mostKept bounds the bytes of a file of thumbnails.
	mostKept = 256 << 20
	// together is the number of thumbnails that are kept at a time.
	together = 1024
	// beside is the most that a thumbnail takes in the file beside its bytes: the rest of a page of
	// its own, and its part of those with keys.
	beside = 6 << 10
	// manner is of the way in which thumbnails are made: those of another are not taken from a file.
	manner = "1"
)

// shelf is a file of thumbnails that is opened when the first is taken from it.
type shelf struct {
	path string // "": there is none

	mu     sync.Mutex
	tried  bool
	opened *kept.File // nil: it is not open
}

// Keep has [Album.Features] make thumbnails of the pictures that it decodes, of 128 pixels, and
// keep them in a file, from which [Album.Thumbnail] takes them. It is to be called before other
// methods. What is in the file of pictures that are no longer there, or were changed, is removed by
// Features, and once it has Limits.Kept bytes nothing is added. Where the file cannot be used
// thumbnails are made when they are asked for, and Features has a note.
func (a *Album) Keep(path string) { a.shelf.path = path }

// Close closes the file of [Album.Keep], from which nothing is taken afterwards.
func (a *Album) Close() error {
	s := &a.shelf
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.opened.Close()
	s.opened, s.tried = nil, true
	return err
}

// open returns the file; nil: it cannot be used.
func (s *shelf) open(ctx context.Context) *kept.File {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.tried && s.path != "" {
		var err error
		s.opened, err = kept.OpenThumbnails(ctx, s.path)
		s.tried = err == nil || ctx.Err() == nil // another may ask for longer
	}
	return s.opened
}

// sum is what a thumbnail is kept by.
func (k thumbKey) sum() digest.Sum {
	fields := digest.AppendText(nil, k.name)
	for _, n := range []int64{int64(k.size), k.bytes, k.changed.Unix(),
		int64(k.changed.Nanosecond())} {
		fields = digest.AppendInt(fields, n)
	}
	return digest.Of([]byte(manner), fields)
}

// taken returns a thumbnail that is kept; nil: it is not there, or no thumbnail.
func (a *Album) taken(ctx context.Context, key thumbKey) (t *thumb) {
	if key.size != ahead {
		return nil
	}
	// What cannot be taken from the file is made again.
	_ = a.shelf.open(ctx).Load(ctx, []digest.Sum{key.sum()}, func(_ int, data []byte) {
		format, _ := sniff(data[:min(len(data), sniffed)])
		contentType := map[kind]string{kindPNG: "image/png", kindJPEG: "image/jpeg"}[format]
		if contentType == "" {
			return
		}
		config, err := configOf(format, data)
		if err == nil && config.Width <= key.size && config.Height <= key.size {
			t = &thumb{key, bytes.Clone(data), contentType}
		}
	})
	return t
}

// keeper keeps thumbnails of pictures as they are decoded; nil keeps none.
type keeper struct {
	file   *kept.File
	most   int64
	size   int64 // of the file
	keys   []digest.Sum
	wanted []bool
	data   [][]byte // to be kept, of which
	which  []int
	failed error // why no more are kept
}

// keeper returns what keeps thumbnails of pictures. An error is that of ctx.
func (a *Album) keeper(ctx context.Context, names []string) (*keeper, error) {
	if a.shelf.path == "" {
		return nil, nil
	}
	k := &keeper{most: a.limits.Kept, keys: make([]digest.Sum, len(names)),
		wanted: make([]bool, len(names))}
	present := make(map[digest.Sum]bool, len(names))
	for i, name := range names {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if _, info, err := a.look(name); err == nil {
			k.keys[i] = thumbKey{name, ahead, info.Size(), info.ModTime()}.sum()
			k.wanted[i], present[k.keys[i]] = !present[k.keys[i]], true
		}
	}
	var there map[digest.Sum]bool
	var err error
	if k.file, err = kept.OpenThumbnails(ctx, a.shelf.path); err == nil {
		there, err = k.file.Keep(ctx, present)
	}
	if err == nil {
		k.size, err = k.file.Size(ctx)
	}
	for i := range names {
		k.wanted[i] = k.wanted[i] && !there[k.keys[i]] && !k.file.Frozen()
	}
	if err := k.fails(ctx, err); err != nil {
		k.close()
		return nil, err
	}
	return k, nil
}

// close closes the file.
func (k *keeper) close() {
	if k != nil {
		k.file.Close() // whatever is in it was committed
	}
}

// fails ends the keeping of thumbnails by an error, but returns that of ctx: pictures are shown
// without.
func (k *keeper) fails(ctx context.Context, err error) error {
	if err != nil {
		k.failed, k.data, k.which = err, nil, nil
	}
	return ctx.Err()
}

// wants reports whether a thumbnail of a picture is to be made.
func (k *keeper) wants(picture int) bool {
	return k != nil && k.failed == nil && k.size < k.most && k.wanted[picture]
}

// add keeps thumbnails of some pictures, nil where there is none, with the next of them.
func (k *keeper) add(ctx context.Context, pictures []int, thumbs [][]byte) error {
	if k == nil {
		return nil
	}
	for i, data := range thumbs {
		if size := k.size + int64(len(data)) + beside; k.failed == nil && data != nil &&
			size <= k.most {
			k.size = size
			k.data, k.which = append(k.data, data), append(k.which, pictures[i])
		}
	}
	if len(k.data) < together {
		return nil
	}
	return k.flush(ctx)
}

// flush keeps what was added.
func (k *keeper) flush(ctx context.Context) error {
	if k == nil || len(k.data) == 0 {
		return nil
	}
	keys, all := make([]digest.Sum, len(k.which)), make([]int, len(k.which))
	for i, picture := range k.which {
		keys[i], all[i] = k.keys[picture], i
	}
	err := k.file.Store(ctx, keys, all, func(i int) []byte { return k.data[i] })
	k.data, k.which = nil, nil
	if err == nil {
		k.size, err = k.file.Size(ctx)
	}
	return k.fails(ctx, err)
}

// note returns a sentence about why thumbnails are not kept; "": they are, or nothing may be
// written there, which needs none.
func (k *keeper) note() string {
	if k == nil || k.failed == nil {
		return ""
	}
	s, ok := errors.AsType[*fault.Storage](k.failed)
	if ok && s.Kind == fault.Unwritable {
		return ""
	}
	return "thumbnails are made when they are looked at: " + k.failed.Error()
}
