package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Follower reads links from a file that others write to: JSON lines where its name ends in .jsonl
// or .ndjson, else CSV (a,b,link and p where wanted, with a header). A line counts once it has its
// line end. A file that is not there yet is waited for.
type Follower struct {
	Path  string
	Every time.Duration // how often to look; 0: a tenth of a second
}

// followedLine is a line of the file, or what is wrong with it.
type followedLine struct {
	link NamedLink
	err  error
	end  int64 // bytes of the file up to its end
}

// mostLine is how long a line of links may be.
const mostLine = 1 << 20

// open returns what reads the file, from a position on; nil for a nil Follower.
func (f *Follower) open(from int64) *followed {
	if f == nil {
		return nil
	}
	every := f.Every
	if every <= 0 {
		every = 100 * time.Millisecond
	}
	return &followed{path: f.Path, every: every, skip: from}
}

// followed is how far a file has been read.
type followed struct {
	path   string
	every  time.Duration
	header []byte // its first line
	line   int    // lines read
	read   int64  // bytes read
	skip   int64  // bytes that were taken by an earlier run, or so far
	end    []byte // of what was read: part of the last line
	failed string // the last error, which is reported once and not at every look
}

// now returns what the file holds at the moment.
func (r *followed) now() []followedLine {
	var found []followedLine
	if r != nil {
		r.next(func(s followedLine) bool { found = append(found, s); return true })
	}
	return found
}

// start goes on reading until ctx is done. Where there is no file nothing comes on the channel.
func (r *followed) start(ctx context.Context) <-chan followedLine {
	if r == nil {
		return nil
	}
	out := make(chan followedLine, 64)
	go r.follow(ctx, out)
	return out
}

func (r *followed) follow(ctx context.Context, out chan<- followedLine) {
	t := time.NewTicker(r.every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
		r.next(func(s followedLine) bool {
			select {
			case out <- s:
				return true
			case <-ctx.Done():
				return false
			}
		})
	}
}

// next takes the lines that have come, and what is wrong with the file.
func (r *followed) next(take func(followedLine) bool) {
	err := r.look(take)
	if err == nil || err.Error() == r.failed {
		return
	}
	r.failed = err.Error()
	take(followedLine{err: err, end: r.skip})
}

// look reads the lines that have come.
func (r *followed) look(take func(followedLine) bool) error {
	info, err := os.Stat(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if end := filepath.Ext(r.path); end == ".gz" || end == ".zst" {
		return fault.Inputf("let others add to a plain one",
			"a packed file of links cannot be followed").In(r.path)
	}
	if err == nil && !info.Mode().IsRegular() { // opening a pipe would wait
		return fault.Inputf("name a file that others add to", "is not a file of links").In(r.path)
	}
	file, err := os.Open(r.path)
	if err != nil {
		return fault.Inputf("see that the file may be read",
			"the links cannot be read").In(r.path).Because(err)
	}
	defer file.Close()
	if info, err = file.Stat(); err != nil {
		return err
	}
	if info.Size() < r.read || info.Size() < r.skip {
		return fault.Inputf("only add to it; links that were read go on counting",
			"the file of links has become shorter").In(r.path)
	}
	var mark [2]byte
	if n, _ := file.ReadAt(mark[:], 0); n == 2 && (string(mark[:]) == "\xff\xfe" ||
		string(mark[:]) == "\xfe\xff") {
		return fault.Inputf("write it as UTF-8", "UTF-16 cannot be followed").In(r.path)
	}
	end := make([]byte, len(r.end))
	if _, err := file.ReadAt(end, r.read-int64(len(end))); err != nil || !bytes.Equal(end, r.end) {
		return r.altered(err)
	}
	if _, err := file.Seek(r.read, io.SeekStart); err != nil {
		return err
	}
	buf := make([]byte, 0, 64<<10)
	for {
		n, err := file.Read(buf[len(buf):cap(buf)])
		buf = buf[:len(buf)+n]
		rest := buf
		for {
			line, after, whole := bytes.Cut(rest, []byte("\n"))
			if !whole {
				break
			}
			// what an earlier run took did not end there
			if r.read < r.skip && r.read+int64(len(line))+1 > r.skip {
				return r.altered(nil)
			}
			if !r.take(line, take) {
				return nil
			}
			rest = after
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(rest) > mostLine {
			return &fault.Input{File: r.path, Line: r.line + 1,
				Problem: "the line is longer than 1 MiB",
				Fix:     "look for a line end that is missing"}
		}
		if len(rest) == cap(buf) {
			buf = append(make([]byte, 0, 2*cap(buf)), rest...)
			continue
		}
		buf = buf[:copy(buf[:cap(buf)], rest)]
	}
}

// altered reports that the file is another one than was read.
func (r *followed) altered(err error) error {
	return fault.Inputf("only add to it; links that were read go on counting",
		"the links that were read of the file are no longer in it").In(r.path).Because(err)
}

// mostEnd is how much of the last line is compared, at most.
const mostEnd = 256

// take takes one line.
func (r *followed) take(line []byte, take func(followedLine) bool) bool {
	r.end = append(append(r.end[:0], line[max(0, len(line)-mostEnd):]...), '\n')
	r.line++
	r.read += int64(len(line)) + 1
	if r.header == nil && !r.objects() {
		r.header = append(bytes.Clone(line), '\n')
		r.skip = max(r.skip, r.read)
		return true
	}
	if r.read <= r.skip || len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	r.skip = r.read
	s, err := r.parse(line)
	return take(followedLine{link: s, err: err, end: r.read})
}

// objects reports whether lines are JSON.
func (r *followed) objects() bool {
	switch strings.ToLower(filepath.Ext(r.path)) {
	case ".jsonl", ".ndjson":
		return true
	}
	return false
}

// parse reads a line as the reader of whole files does.
func (r *followed) parse(line []byte) (NamedLink, error) {
	var ids []string
	resolve := func(id string) (int, bool) {
		id = strings.TrimSpace(id)
		for i, known := range ids {
			if known == id {
				return i, true
			}
		}
		ids = append(ids, id)
		return len(ids) - 1, true
	}
	text := io.MultiReader(bytes.NewReader(r.header), bytes.NewReader(line))
	read := link.Read
	if r.objects() {
		read = link.ReadJSONL
	}
	links, err := read(context.Background(), text, r.path, resolve)
	if in, ok := errors.AsType[*fault.Input](err); ok &&
		in.Line > bytes.Count(r.header, []byte("\n")) {
		in.Line = r.line
	}
	if err != nil || len(links) == 0 {
		return NamedLink{}, err
	}
	l := links[0]
	return NamedLink{A: ids[l.A], B: ids[l.B], Kind: l.Kind, Confidence: l.Plausibility}, nil
}
