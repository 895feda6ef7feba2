package lines

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/atomicfile"
	"github.com/kindred-go/kindred/internal/safe"
	"github.com/kindred-go/kindred/stream"
)

// LabelColumns are the columns of labels in CSV.
const LabelColumns = "id,cluster,distance,runner_up,margin"

// labelHeader begins CSV of labels.
const labelHeader = LabelColumns + "\n"

// AppendLabels appends a line for each row of b, CSV or JSON lines: its id, cluster from 1,
// distance, runner-up (none with one prototype) and margin, the two with six significant digits. In
// CSV an id that a spreadsheet would run as a formula is guarded by an apostrophe.
func AppendLabels(dst []byte, format dataset.Format, b *stream.Block,
	labels []competitive.Label) []byte {
	if format == dataset.FormatJSONL {
		for i, l := range labels {
			dst = appendJSONID(append(dst, `{"id":`...), b, i)
			dst = strconv.AppendInt(append(dst, `,"cluster":`...), int64(l.Cluster)+1, 10)
			dst = appendSix(append(dst, `,"distance":`...), l.Distance)
			if l.RunnerUp < 0 {
				dst = append(dst, `,"runner_up":null`...)
			} else {
				dst = strconv.AppendInt(append(dst, `,"runner_up":`...), int64(l.RunnerUp)+1, 10)
			}
			dst = append(appendSix(append(dst, `,"margin":`...), l.Margin), '}', '\n')
		}
		return dst
	}
	for i, l := range labels {
		dst = append(appendCSVID(dst, b, i), ',')
		dst = append(strconv.AppendInt(dst, int64(l.Cluster)+1, 10), ',')
		dst = append(appendSix(dst, l.Distance), ',')
		if l.RunnerUp >= 0 {
			dst = strconv.AppendInt(dst, int64(l.RunnerUp)+1, 10)
		}
		dst = append(appendSix(append(dst, ','), l.Margin), '\n')
	}
	return dst
}

func appendCSVID(dst []byte, b *stream.Block, i int) []byte {
	from := len(dst)
	dst = b.AppendID(dst, i)
	if len(b.IDEnd) == 0 || plain(dst[from:]) {
		return dst
	}
	id := safe.Guard(string(dst[from:]))
	if dst = dst[:from]; !strings.ContainsAny(id, ",\"\r\n") && strings.TrimSpace(id) == id {
		return append(dst, id...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(id, `"`, `""`)...), '"')
}

func appendJSONID(dst []byte, b *stream.Block, i int) []byte {
	dst = append(dst, '"')
	from := len(dst)
	dst = b.AppendID(dst, i)
	if len(b.IDEnd) == 0 || plain(dst[from:]) {
		return append(dst, '"')
	}
	quoted, _ := json.Marshal(string(dst[from:])) // a string always has a form
	return append(dst[:from-1], quoted...)
}

// plain reports whether an id can be written as it is in CSV and JSON: letters, digits, points,
// underscores, and dashes within.
func plain(id []byte) bool {
	for i, c := range id {
		if !(c-'0' <= 9 || c|0x20 >= 'a' && c|0x20 <= 'z' || c == '.' || c == '_' ||
			c == '-' && i > 0) {
			return false
		}
	}
	return true
}

// bufferSize is the bytes of labels that are written at once, about.
const bufferSize = 64 << 10

// Writer is a [stream.Sink] that writes labels as text. What it has been given and could not yet
// write is bounded.
type Writer struct {
	format dataset.Format
	to     io.Writer
	file   *os.File // where it is one of ours
	at     stream.Position

	buffer []byte
	full   chan []byte
	free   chan []byte
	done   chan struct{}
	mu     sync.Mutex
	failed error
}

var _ stream.Sink = (*Writer)(nil)

// NewWriter writes to w, such as stdout, in FormatCSV or FormatJSONL. at is where an earlier run
// left off: CSV gets its header where no bytes were written before.
func NewWriter(w io.Writer, format dataset.Format, at stream.Position) *Writer {
	out := &Writer{format: format, to: w, at: at, full: make(chan []byte),
		free: make(chan []byte, 2), done: make(chan struct{})}
	out.buffer = make([]byte, 0, bufferSize+bufferSize/2)
	out.free <- make([]byte, 0, bufferSize+bufferSize/2)
	if at.Offset == 0 && format == dataset.FormatCSV {
		out.buffer = append(out.buffer, labelHeader...)
		out.at.Offset = int64(len(labelHeader))
	}
	go out.write()
	return out
}

// OpenFile writes to a file, which is for this user alone where it is new. A new run begins it
// anew; one that goes on (from not nil) cuts it back to where its state knows it. A file that is
// shorter, or cannot hold those labels, is a *fault.Input and left as it is.
func OpenFile(path string, format dataset.Format, from *stream.Position) (*Writer, error) {
	mode := os.O_RDWR | os.O_CREATE
	if from == nil {
		mode |= os.O_TRUNC
		from = &stream.Position{}
	}
	if from.Offset > 0 {
		mode = os.O_RDWR
	}
	f, err := os.OpenFile(path, mode, 0o600)
	if errors.Is(err, fs.ErrNotExist) && from.Offset > 0 {
		return nil, elsewhere(path, "is not there", from.Offset)
	}
	if err != nil {
		return nil, fault.Writing(path, err)
	}
	if err := cutBack(f, format, from.Offset); err != nil {
		f.Close()
		return nil, fault.Writing(path, err)
	}
	w := NewWriter(f, format, *from)
	w.file = f
	return w, nil
}

// elsewhere reports that a file is not that of a state with some bytes of labels.
func elsewhere(path, problem string, bytes int64) error {
	return fault.Inputf("give the --out that the state began with, put the file back, or begin "+
		"anew without the state", "%s, but the state knows of %d bytes of labels", problem,
		bytes).In(path)
}

// cutBack leaves so many bytes of the file, once it is seen that they may be labels.
func cutBack(f *os.File, format dataset.Format, offset int64) error {
	info, err := f.Stat()
	switch {
	case err != nil:
		return err
	case !info.Mode().IsRegular():
		return fault.Inputf("leave out --out to write to stdout",
			"is no ordinary file").In(f.Name())
	case info.Size() < offset:
		return elsewhere(f.Name(), fmt.Sprintf("has %d bytes", info.Size()), offset)
	}
	if offset > 0 {
		head, last := labelHeader, make([]byte, 1)
		if format == dataset.FormatJSONL {
			head = `{"id":`
		}
		front := make([]byte, len(head))
		if _, err := f.ReadAt(front, 0); err != nil && err != io.EOF {
			return err
		}
		if _, err := f.ReadAt(last, offset-1); err != nil {
			return err
		}
		if string(front) != head || last[0] != '\n' {
			return elsewhere(f.Name(), "has other text, or labels of another format", offset)
		}
	}
	if err := f.Truncate(offset); err != nil {
		return err
	}
	if _, err := f.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	// A state may know of the labels only once the file is sure to be found.
	return atomicfile.SyncFolder(filepath.Dir(f.Name()))
}

// write hands buffers to the file or pipe, which may keep it waiting.
func (w *Writer) write() {
	defer close(w.done)
	for buffer := range w.full {
		if w.err() == nil {
			if _, err := w.to.Write(buffer); err != nil {
				w.mu.Lock()
				w.failed = w.trouble(err)
				w.mu.Unlock()
			}
		}
		w.free <- buffer[:0]
	}
}

// trouble names the file in an error of writing.
func (w *Writer) trouble(err error) error {
	if w.file == nil {
		return err
	}
	return fault.Writing(w.file.Name(), err)
}

func (w *Writer) err() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.failed
}

// CheckLabels returns an error for distances that are not finite, which no learner returns.
func CheckLabels(b *stream.Block, labels []competitive.Label) error {
	for i := range labels {
		if d := labels[i].Distance + labels[i].Margin; math.IsNaN(d) || math.IsInf(d, 0) {
			return fmt.Errorf("row %d is infinitely far from its prototype: scale the features",
				b.Numbers[i])
		}
	}
	return nil
}

// Put implements [stream.Sink]. Labels that [CheckLabels] refuses are an error.
func (w *Writer) Put(ctx context.Context, b *stream.Block, labels []competitive.Label) error {
	if err := CheckLabels(b, labels); err != nil {
		return err
	}
	before := len(w.buffer)
	w.buffer = AppendLabels(w.buffer, w.format, b, labels)
	w.at.Offset += int64(len(w.buffer) - before)
	w.at.Rows += int64(len(labels))
	if len(w.buffer) >= bufferSize {
		return w.Flush(ctx)
	}
	return w.err()
}

// Flush implements [stream.Sink]; it waits while earlier labels are not taken.
func (w *Writer) Flush(ctx context.Context) error {
	if len(w.buffer) == 0 {
		return w.err()
	}
	var next []byte
	select {
	case next = <-w.free:
	case <-ctx.Done():
		return ctx.Err()
	}
	if err := w.err(); err != nil {
		w.free <- next
		return err
	}
	w.full <- w.buffer // the other buffer is back, so nothing is being written
	w.buffer = next
	return nil
}

// Settle implements [stream.Sink]; what is in a file is then on its disk.
func (w *Writer) Settle(ctx context.Context) (stream.Position, error) {
	if err := w.Flush(ctx); err != nil {
		return w.at, err
	}
	select {
	case idle := <-w.free:
		w.free <- idle
	case <-ctx.Done():
		return w.at, ctx.Err()
	}
	if err := w.err(); err != nil {
		return w.at, err
	}
	if w.file != nil {
		return w.at, w.trouble(w.file.Sync())
	}
	return w.at, nil
}

// Close ends the writing, and closes a file that [OpenFile] opened. It does not wait for a pipe
// that nobody reads.
func (w *Writer) Close() error {
	close(w.full)
	if w.file == nil {
		return nil
	}
	<-w.done
	return w.trouble(w.file.Close())
}
