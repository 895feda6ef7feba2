package worker

import (
	"bufio"
	"encoding/json"
	"io"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
)

// client speaks to a worker in this process.
type client struct {
	t   *testing.T
	to  *io.PipeWriter
	out *writer
	in  *bufio.Reader
	end chan error // of Serve
}

// start starts a worker, which ends with the test.
func start(t *testing.T) *client {
	t.Helper()
	in, to := io.Pipe()
	from, out := io.Pipe()
	c := &client{t: t, to: to, out: &writer{out: to}, in: bufio.NewReader(from),
		end: make(chan error, 1)}
	go func() {
		c.end <- Serve(t.Context(), in, out, "test")
		out.Close()
	}()
	t.Cleanup(func() { to.Close() })
	return c
}

// fields are those of a message.
type fields = map[string]any

// send sends a request.
func (c *client) send(header fields, arrays ...*array) {
	c.t.Helper()
	if err := c.out.write(header, arrays); err != nil {
		c.t.Error(err)
	}
}

// reply is a reply of the worker.
type reply struct {
	ID       int64           `json:"id"`
	OK       json.RawMessage `json:"ok"`
	Error    *failure        `json:"error"`
	Progress *float64        `json:"progress"`
	Question *question       `json:"question"`
	arrays   map[string]*array
}

// next reads the next reply that is no progress.
func (c *client) next() reply {
	c.t.Helper()
	for {
		m, err := readMessage(c.in)
		if err != nil {
			c.t.Fatalf("no reply: %v", err)
		}
		r := reply{arrays: m.arrays}
		if err := json.Unmarshal(m.header, &r); err != nil {
			c.t.Fatal(err)
		}
		if r.Progress == nil {
			return r
		}
	}
}

// labels returns the labels of a reply.
func (r reply) labels(t *testing.T) []int {
	t.Helper()
	a := r.arrays["labels"]
	if a == nil {
		t.Fatalf("no labels: %+v %+v", r, r.Error)
	}
	values, err := a.ints()
	if err != nil {
		t.Fatal(err)
	}
	out := make([]int, len(values))
	for i, v := range values {
		out[i] = int(v)
	}
	return out
}

// blobs returns rows of k groups.
func blobs(t *testing.T, n, d, k int) dataset.Matrix {
	t.Helper()
	values := make([]float64, n*d)
	state := uint64(1)
	for i := range values {
		state = state*6364136223846793005 + 1442695040888963407
		values[i] = float64(state>>40)/float64(1<<24) + 3*float64((i/d)%k)
	}
	return dataset.Matrix{Rows: n, Cols: d, F64: values}
}

// rows returns a matrix as the array X.
func rows(m dataset.Matrix) *array {
	if m.Single() {
		return of(called, m.F32, m.Rows, m.Cols)
	}
	return of(called, m.F64, m.Rows, m.Cols)
}
