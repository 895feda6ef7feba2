package worker

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"sync"

	"github.com/kindred-go/kindred/internal/memory"
)

// Bounds of a message.
const (
	maxHeader = 64 << 20 // bytes of its header: names of columns may be many
	maxArrays = 64
	maxShape  = 8
)

// head describes an array of a message.
type head struct {
	Name  string `json:"name"`
	Type  string `json:"dtype"`
	Shape []int  `json:"shape"`
	Bytes int64  `json:"bytes"` // that follow the header
	// File has the values, and nothing follows: memory of the client, as /proc/PID/fd/N. On Unix
	// alone.
	File string `json:"file,omitempty"`
	// Address is that of the values in the process that started the worker, and nothing follows. On
	// Linux alone.
	Address uint64 `json:"address,omitempty"`
}

// inline reports whether the values follow the header.
func (h *head) inline() bool { return h.File == "" && h.Address == 0 }

// widths are the bytes of a value of each type.
var widths = map[string]int64{"<f4": 4, "<f8": 8, "<i4": 4, "<i8": 8, "u1": 1, "|u1": 1}

// size returns how many bytes the values of an array take.
func (h *head) size() (int64, error) {
	size, ok := widths[h.Type]
	if !ok {
		return 0, fmt.Errorf("array %q has the type %q, which is none of <f4 <f8 <i4 <i8 |u1",
			h.Name, h.Type)
	}
	if len(h.Shape) == 0 || len(h.Shape) > maxShape {
		return 0, fmt.Errorf("array %q has %d dimensions", h.Name, len(h.Shape))
	}
	for _, n := range h.Shape {
		if n < 0 {
			return 0, fmt.Errorf("array %q has a dimension of %d", h.Name, n)
		}
		if n > 0 && size > math.MaxInt64/int64(n) {
			return 0, fmt.Errorf("array %q is larger than any memory", h.Name)
		}
		size *= int64(n)
	}
	return size, nil
}

// message is a request or a reply as it was read.
type message struct {
	header []byte
	arrays map[string]*array
	err    error // of the arrays, where what follows can still be read
}

// errFrame is what ends the reading of a stream that is none of messages.
type errFrame struct{ problem string }

func (e errFrame) Error() string { return "worker: " + e.problem }

// readMessage reads a message. The error is io.EOF at the end of the stream, and an errFrame where
// what follows cannot be found.
func readMessage(in *bufio.Reader) (*message, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err == io.EOF {
		return nil, io.EOF
	} else if err != nil {
		return nil, errFrame{"the stream ends within the length of a header"}
	}
	n := binary.LittleEndian.Uint32(length[:])
	if n > maxHeader {
		return nil, errFrame{fmt.Sprintf("a header of %d bytes is announced, and it has up to %d",
			n, maxHeader)}
	}
	m := &message{header: make([]byte, n)}
	if _, err := io.ReadFull(in, m.header); err != nil {
		return nil, errFrame{"the stream ends within a header"}
	}
	var list struct {
		Arrays []head `json:"arrays"`
	}
	if err := json.Unmarshal(m.header, &list); err != nil {
		return nil, errFrame{"a header is no JSON object of a message: " + err.Error()}
	}
	if len(list.Arrays) > maxArrays {
		return nil, errFrame{fmt.Sprintf("a message has %d arrays, and has up to %d",
			len(list.Arrays), maxArrays)}
	}
	m.arrays = make(map[string]*array, len(list.Arrays))
	for i := range list.Arrays {
		a := &array{head: list.Arrays[i]}
		size, wrong := a.size()
		if wrong == nil && a.inline() && size != a.Bytes {
			wrong = fmt.Errorf("array %q of %v %s takes %d bytes, and %d are announced", a.Name,
				a.Shape, a.Type, size, a.Bytes)
		}
		if _, twice := m.arrays[a.Name]; twice && wrong == nil {
			wrong = fmt.Errorf("there are two arrays %q", a.Name)
		}
		if wrong == nil && a.File == "" {
			wrong = memory.Check(float64(size), "the array "+a.Name, "give fewer rows")
		}
		m.err = errors.Join(m.err, wrong)
		switch {
		case a.inline() && a.Bytes < 0:
			return nil, errFrame{fmt.Sprintf("array %q has %d bytes", a.Name, a.Bytes)}
		case a.inline() && m.err != nil:
			if _, err := io.CopyN(io.Discard, in, a.Bytes); err != nil {
				return nil, errFrame{"the stream ends within an array"}
			}
			continue
		case a.inline():
			a.bytes = aligned(size)
			if _, err := io.ReadFull(in, a.bytes); err != nil {
				return nil, errFrame{"the stream ends within an array"}
			}
		}
		m.arrays[a.Name] = a
	}
	return m, nil
}

// writer writes messages, each whole.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	err error // of the first that could not be written
}

// write writes a message whose header has the given fields besides its arrays.
func (w *writer) write(fields map[string]any, arrays []*array) error {
	if len(arrays) > 0 {
		heads := make([]head, len(arrays))
		for i, a := range arrays {
			heads[i] = a.head
		}
		fields["arrays"] = heads
	}
	header, err := json.Marshal(fields)
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	front := binary.LittleEndian.AppendUint32(make([]byte, 0, 4+len(header)), uint32(len(header)))
	w.put(append(front, header...))
	for _, a := range arrays {
		w.put(a.bytes)
	}
	return w.err
}

func (w *writer) put(b []byte) {
	if w.err == nil && len(b) > 0 {
		_, w.err = w.out.Write(b)
	}
}
