// Package images reads the pictures of a folder safely, shows them small, and turns them into
// vectors.
//
// Names are paths within one [os.Root], and lead nowhere else. The content of a file decides its
// kind, never its name: PNG, JPEG, GIF (the first picture), WebP, BMP and TIFF are read; drawings
// that are programs, such as SVG, are not. How large a picture will be is known, and bounded,
// before any of it is decoded.
package images

import (
	"os"
	"sync"

	"golang.org/x/sync/semaphore"
)

// Limits bounds what is read. The zero value means the defaults.
type Limits struct {
	Bytes int64 // of one file; 0 means 64 MiB
	// of one picture, by its header; 0 means 50 million. Pictures being decoded at a time share it
	Pixels   int64
	Pictures int   // in a folder; 0 means a million
	Cache    int64 // bytes of thumbnails kept in memory; 0 means 64 MiB, negative none
	Kept     int64 // bytes of the file of [Album.Keep]; 0 means 256 MiB
}

// maxSide is the most pixels of a side, the limit of JPEG.
const maxSide = 1<<16 - 1

func (l Limits) withDefaults() Limits {
	if l.Bytes <= 0 {
		l.Bytes = 64 << 20
	}
	if l.Pixels <= 0 {
		l.Pixels = 50_000_000
	}
	if l.Pictures <= 0 {
		l.Pictures = 1_000_000
	}
	if l.Cache == 0 {
		l.Cache = 64 << 20
	}
	if l.Kept <= 0 {
		l.Kept = mostKept
	}
	return l
}

// Album reads the pictures of one folder. It is safe for many goroutines.
type Album struct {
	root   *os.Root
	limits Limits
	thumbs *cache
	shelf  shelf // thumbnails that are kept

	// What is held at a time: bytes of files, then pixels being decoded. They are taken in this
	// order, so that who waits for pixels never keeps another from giving some back.
	bytes, pixels *semaphore.Weighted

	spare sync.Pool // of workspaces
}

// New returns the album of root, which stays the caller's to close.
func New(root *os.Root, limits Limits) *Album {
	limits = limits.withDefaults()
	return &Album{
		root: root, limits: limits, thumbs: newCache(limits.Cache),
		bytes:  semaphore.NewWeighted(2 * limits.Bytes),
		pixels: semaphore.NewWeighted(limits.Pixels),
	}
}
