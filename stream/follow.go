package stream

import (
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/link"
)

// Follower reads links from a CSV file (a,b,link and p where wanted, with a header) that others write to. A line counts once it
// has its line end. A file that is not there yet is waited for.
type Follower struct {
	Path  string
	Every time.Duration // how often to look; 0: a tenth of a second
}

// said is a line of the file, or what is wrong with it.
type said struct {
	said Said
	err  error
	end  int64 // bytes of the file up to its end
}

// mostLine is how long a line of links may be.
const mostLine = 1 << 20

// start reads the file from a line on, until ctx is done. A nil Follower gives a channel on which nothing comes.
func (f *Follower) start(ctx context.Context, from int64) <-chan said {
	if f == nil {
		return nil
	}
	out := make(chan said, 64)
	go f.follow(ctx, from, out)
	return out
}

func (f *Follower) follow(ctx context.Context, from int64, out chan<- said) {
	every := f.Every
	if every <= 0 {
		every = 100 * time.Millisecond
	}
	t := time.NewTicker(every)
	defer t.Stop()
	r := followed{path: f.Path, skip: from}
	failed := ""
	for {
		err := r.look(func(s said) bool {
			select {
			case out <- s:
				return true
			case <-ctx.Done():
				return false
			}
		})
		if err != nil && err.Error() != failed { // once, not at every look
			failed = err.Error()
			select {
			case out <- said{err: err, end: r.skip}:
			case <-ctx.Done():
			}
		}
		select {
		case <-t.C:
		case <-ctx.Done():
			return
		}
	}
}

// followed is how far a file has been read.
type followed struct {
	path   string
	header []byte // its first line
	line   int    // lines read
	read   int64  // bytes read
	skip   int64  // bytes that were taken by an earlier run, or so far
}

// look reads the lines that have come.
func (r *followed) look(take func(said) bool) error {
	file, err := os.Open(r.path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return &fault.Input{File: r.path, Problem: "the links cannot be read", Mend: "see that the file may be read", Err: err}
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if info.Size() < r.read || info.Size() < r.skip {
		return &fault.Input{File: r.path, Problem: "the file of links has become shorter", Mend: "only add to it; links that were read go on counting"}
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
			return &fault.Input{File: r.path, Line: r.line + 1, Problem: "the line is longer than 1 MiB", Mend: "look for a line end that is missing"}
		}
		if len(rest) == cap(buf) {
			buf = append(make([]byte, 0, 2*cap(buf)), rest...)
			continue
		}
		buf = buf[:copy(buf[:cap(buf)], rest)]
	}
}

// take takes one line.
func (r *followed) take(line []byte, take func(said) bool) bool {
	r.line++
	r.read += int64(len(line)) + 1
	if r.header == nil {
		r.header = append(bytes.Clone(line), '\n')
		r.skip = max(r.skip, r.read)
		return true
	}
	if r.read <= r.skip || len(bytes.TrimSpace(line)) == 0 {
		return true
	}
	r.skip = r.read
	s, err := r.parse(line)
	return take(said{said: s, err: err, end: r.read})
}

// parse reads a line as the reader of whole files does.
func (r *followed) parse(line []byte) (Said, error) {
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
	links, err := link.Read(context.Background(), text, r.path, resolve)
	var in *fault.Input
	if errors.As(err, &in) && in.Line > 1 {
		in.Line = r.line
	}
	if err != nil || len(links) == 0 {
		return Said{}, err
	}
	l := links[0]
	return Said{A: ids[l.A], B: ids[l.B], Kind: l.Kind, Confidence: l.Plausibility}, nil
}
