package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred"
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
		c.t.Fatal(err)
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

func TestHello(t *testing.T) {
	c := start(t)
	c.send(fields{"id": 1, "do": "hello"})
	r := c.next()
	if string(r.OK) != `{"arrays":0,"protocol":1,"version":"test"}` || r.ID != 1 {
		t.Errorf("hello is answered by %s, id %d", r.OK, r.ID)
	}
}

// The labels are those of the front door, and so those of the command.
func TestFitsAsTheLibrary(t *testing.T) {
	x := blobs(t, 300, 3, 3)
	single := dataset.Matrix{Rows: x.Rows, Cols: x.Cols, F32: make([]float32, len(x.F64))}
	for i, v := range x.F64 {
		single.F32[i] = float32(v)
	}
	for _, tc := range []struct {
		method string
		params kindred.Params
		data   dataset.Matrix
	}{
		{"kmeans", kindred.Params{"clusters": "3", "scale": "none"}, x},
		{"kmeans", kindred.Params{"clusters": "3", "scale": "none"}, single},
		{"kmeans", kindred.Params{"clusters": "3"}, x},
		{"dbscan", kindred.Params{"eps": "0.2", "scale": "none"}, x},
		{"hdbscan", kindred.Params{"min-cluster-size": "10", "metric": "manhattan"}, x},
		{"agglomerative", kindred.Params{"clusters": "3", "linkage": "ward"}, x},
		{"evclus", kindred.Params{"clusters": "3"}, x},
		{"kmeans", kindred.Params{"clusters": "3", "metric": "cosine"}, x},
	} {
		c := start(t)
		c.send(fields{"id": 7, "do": "fit", "method": tc.method, "params": tc.params}, rows(tc.data))
		got := c.next().labels(t)
		table, err := kindred.FromMatrix(t.Context(), tc.data, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := table.Cluster(t.Context(), tc.method, tc.params)
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want.Labels) {
			t.Errorf("%s %v: the worker has other labels", tc.method, tc.params)
		}
	}
}

// A fit, its model, and what the model makes of the rows go together.
func TestPredicts(t *testing.T) {
	x := blobs(t, 200, 2, 4)
	for _, tc := range []struct {
		method string
		params fields
	}{{"kmeans", fields{"clusters": "4"}}, {"evclus", fields{"clusters": "4"}},
		{"hdbscan", fields{"min-cluster-size": "8"}}} {
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": tc.method, "params": tc.params,
			"columns": []string{"width", "height"}}, rows(x))
		r := c.next()
		labels := r.labels(t)
		var rep report
		if err := json.Unmarshal(r.OK, &rep); err != nil || rep.Clusters != 4 || !rep.Model ||
			!slices.Equal(rep.Columns, []string{"width", "height"}) {
			t.Fatalf("%s: %s: %v", tc.method, r.OK, err)
		}
		model := r.arrays["model"]
		c.send(fields{"id": 2, "do": "predict", "columns": []string{"width", "height"}}, model, rows(x))
		if got := c.next().labels(t); !slices.Equal(got, labels) {
			t.Errorf("%s: the model places the rows otherwise", tc.method)
		}
		c.send(fields{"id": 3, "do": "model", "result": rep.Result})
		if r := c.next(); r.arrays["model"] == nil || !bytes.Equal(r.arrays["model"].bytes,
			model.bytes) {
			t.Errorf("%s: the model is another one later", tc.method)
		}
		c.send(fields{"id": 4, "do": "predict", "columns": []string{"width", "depth"}}, model, rows(x))
		if r := c.next(); r.Error == nil || r.Error.Kind != "input" || r.Error.Column != "height" {
			t.Errorf("%s: a column is missing, and the reply is %+v", tc.method, r.Error)
		}
	}
}

// Dissimilarities are taken from a matrix of either type, and stay as they were.
func TestTakesDissimilarities(t *testing.T) {
	const n = 60
	d := dataset.Matrix{Rows: n, Cols: n, F64: make([]float64, n*n)}
	s := dataset.Matrix{Rows: n, Cols: n, F32: make([]float32, n*n)}
	x := blobs(t, n, 1, 3)
	for i := range n * n {
		d.F64[i] = math.Abs(x.F64[i/n] - x.F64[i%n])
		s.F32[i] = float32(d.F64[i])
	}
	before := slices.Clone(s.F32)
	var found [2][]int
	for i, m := range []dataset.Matrix{d, s} {
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": "agglomerative",
			"params": fields{"clusters": "3", "dissimilarity": "true", "linkage": "complete"}}, rows(m))
		r := c.next()
		found[i] = r.labels(t)
		if a := r.arrays["children"]; a == nil || !slices.Equal(a.Shape, []int{n - 1, 2}) {
			t.Errorf("the tree is %+v", a)
		}
	}
	if !slices.Equal(found[0], found[1]) || slices.Max(found[0]) != 3 {
		t.Errorf("float32 has other labels: %v, %v", found[0], found[1])
	}
	if !slices.Equal(before, s.F32) {
		t.Error("the matrix has changed")
	}
	for _, tc := range []struct {
		change func()
		row    int
		want   string
	}{
		{func() { d.F64[3*n+5] = -1 }, 3, "-1 is negative"},
		{func() { d.F64[3*n+5] = math.NaN() }, 3, "missing"},
		{func() { d.F64[4*n+4] = 2 }, 4, "itself is 2, not 0"},
	} {
		kept := slices.Clone(d.F64)
		tc.change()
		c := start(t)
		c.send(fields{"id": 1, "do": "fit", "method": "agglomerative",
			"params": fields{"clusters": "3", "dissimilarity": "true"}}, rows(d))
		r := c.next()
		if r.Error == nil || r.Error.Kind != "input" || r.Error.Row == nil ||
			*r.Error.Row != tc.row || !strings.Contains(r.Error.Problem, tc.want) {
			t.Errorf("a damaged matrix is answered by %+v", r.Error)
		}
		copy(d.F64, kept)
	}
}

// Links and known classes count, and rows in errors are those of the data.
func TestLinksAndClasses(t *testing.T) {
	x := blobs(t, 90, 2, 3)
	c := start(t)
	same := of("same", []int64{0, 1, 1, 2}, 2, 2)
	c.send(fields{"id": 1, "do": "fit", "method": "pckmeans", "params": fields{"clusters": "3"}},
		rows(x), same)
	r := c.next()
	if l := r.labels(t); l[0] != l[1] || l[1] != l[2] {
		t.Errorf("must-links are not met: %v", l[:3])
	}
	c.send(fields{"id": 2, "do": "fit", "method": "pckmeans", "params": fields{"clusters": "3"}},
		rows(x), same, of("different", []int32{0, 2}, 1, 2))
	if r := c.next(); r.Error == nil || r.Error.Kind != "input" || len(r.Error.Chain) != 3 {
		t.Errorf("a contradiction is answered by %+v", r.Error)
	}
	c.send(fields{"id": 3, "do": "fit", "method": "pckmeans", "params": fields{"clusters": "3"}},
		rows(x), of("same", []int64{0, 90}, 1, 2))
	if r := c.next(); r.Error == nil || r.Error.Kind != "input" ||
		!strings.Contains(r.Error.Message, "row 90") {
		t.Errorf("a link to row 90 is answered by %+v", r.Error)
	}
	known := slices.Repeat([]int32{-1}, 90)
	for i := range 30 {
		known[i] = int32(i % 3 * 5)
	}
	c.send(fields{"id": 4, "do": "fit", "method": "ssnb", "params": fields{}}, rows(x),
		of("known", known, 90))
	if r := c.next(); r.Error != nil || slices.Max(r.labels(t)) != 3 {
		t.Errorf("known classes are answered by %+v", r.Error)
	}
	c.send(fields{"id": 5, "do": "fit", "method": "ssnb", "params": fields{}}, rows(x),
		of("known", known[:4], 4))
	if r := c.next(); r.Error == nil || r.Error.Kind != "input" {
		t.Errorf("four classes of 90 rows are answered by %+v", r.Error)
	}
}

// Rows that are left out for missing values have label 0, and the others keep their places.
func TestRowsLeftOut(t *testing.T) {
	x := blobs(t, 90, 2, 3)
	x.F64[2*4] = math.NaN()
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}}, rows(x))
	if r := c.next(); r.Error == nil || r.Error.Row == nil || *r.Error.Row != 4 ||
		r.Error.Column != "x1" {
		t.Errorf("a missing value is answered by %+v", r.Error)
	}
	c.send(fields{"id": 2, "do": "fit", "method": "evclus",
		"params": fields{"clusters": "3", "missing": "drop"}}, rows(x))
	r := c.next()
	if l := r.labels(t); l[4] != 0 || l[3] != l[6] || slices.Contains(l[5:], 0) {
		t.Errorf("labels: %v", l)
	}
	if m := r.arrays["mass"]; m == nil || m.Shape[0] != 90 {
		t.Errorf("masses: %+v", m)
	}
}

func TestRefusesSettings(t *testing.T) {
	x := blobs(t, 30, 2, 3)
	c := start(t)
	for i, header := range []fields{
		{"do": "fit", "method": "kmeans", "params": fields{"clusters": "many"}},
		{"do": "fit", "method": "kmeans", "params": fields{"clusters": "3", "colour": "red"}},
		{"do": "fit", "method": "kmeans"},
		{"do": "fit", "method": "nothing"},
		{"do": "fit", "method": 5},
		{"do": "fly"},
		{"do": "predict"},
		{"do": "draw", "format": "gif"},
		{"do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}, "table": "iris"},
	} {
		header["id"] = i + 1
		c.send(header, rows(x))
		if r := c.next(); r.Error == nil || r.Error.Kind != "setting" || r.ID != int64(i+1) {
			t.Errorf("%v is answered by %+v %s", header, r.Error, r.OK)
		}
	}
}

// Many requests run at the same time, and each has the reply to its own.
func TestManyAtOnce(t *testing.T) {
	c := start(t)
	for id := range 12 {
		n := 30 + 3*id
		go c.send(fields{"id": id + 1, "do": "fit", "method": "kmeans",
			"params": fields{"clusters": "3"}}, rows(blobs(t, n, 2, 3)))
	}
	seen := map[int64]bool{}
	for range 12 {
		r := c.next()
		if n := len(r.labels(t)); int64(n) != 30+3*(r.ID-1) {
			t.Errorf("the reply to %d has %d labels", r.ID, n)
		}
		seen[r.ID] = true
	}
	if len(seen) != 12 {
		t.Errorf("%d requests have replies", len(seen))
	}
}

// long is a request that takes very long.
func long(t *testing.T, id int) (fields, *array) {
	return fields{"id": id, "do": "fit", "method": "evclus",
		"params": fields{"clusters": "6", "starts": "1000000"}}, rows(blobs(t, 400, 4, 7))
}

func TestCancel(t *testing.T) {
	c := start(t)
	header, x := long(t, 1)
	c.send(header, x)
	c.send(fields{"id": 2, "do": "hello"})
	if r := c.next(); r.ID != 2 {
		t.Errorf("the first reply is to %d", r.ID)
	}
	c.send(fields{"do": "cancel", "id": 9}) // of which there is none
	c.send(fields{"do": "cancel", "id": 1})
	if r := c.next(); r.ID != 1 || r.Error == nil || r.Error.Kind != "cancelled" {
		t.Errorf("the reply is %+v %+v", r, r.Error)
	}
	c.send(fields{"id": 1, "do": "hello"}) // the id is free again
	if r := c.next(); r.ID != 1 || r.OK == nil {
		t.Errorf("the reply is %+v", r)
	}
}

// A worker whose input ends while it fits is done at once.
func TestEndOfInput(t *testing.T) {
	c := start(t)
	header, x := long(t, 1)
	c.send(header, x)
	c.to.Close()
	go io.Copy(io.Discard, c.in)
	if err := <-c.end; err != nil {
		t.Errorf("Serve returns %v", err)
	}
}

// Questions reach the client, and its answers the method.
func TestAsks(t *testing.T) {
	x := blobs(t, 60, 2, 3)
	for _, name := range []string{"kin", "cobra", "evclus"} {
		c := start(t)
		params := fields{}
		if name == "evclus" {
			params["clusters"] = "3"
		}
		c.send(fields{"id": 1, "do": "ask", "method": name, "params": params, "budget": 25}, rows(x))
		asked := 0
		r := c.next()
		for ; r.Question != nil; r = c.next() {
			if q := r.Question; q.A%3 == q.B%3 {
				c.send(fields{"id": 1, "do": "answer", "answer": "same"})
			} else {
				c.send(fields{"id": 1, "do": "answer", "answer": "different"})
			}
			asked++
		}
		if a := r.arrays["asked"]; asked == 0 || a == nil || a.Shape[0] != asked {
			t.Errorf("%s: %d questions, and %+v, %+v", name, asked, a, r.Error)
		}
		r.labels(t)
		c.send(fields{"id": 2, "do": "ask", "method": name, "params": params}, rows(x))
		c.next()
		c.send(fields{"id": 2, "do": "answer", "answer": "perhaps"})
		if r := c.next(); r.Error == nil || r.Error.Kind != "setting" {
			t.Errorf("%s: a wrong answer is answered by %+v", name, r.Error)
		}
		c.send(fields{"id": 3, "do": "ask", "method": name, "params": params}, rows(x))
		c.next()
		c.send(fields{"id": 3, "do": "cancel"})
		if r := c.next(); r.Error == nil || r.Error.Kind != "cancelled" {
			t.Errorf("%s: a question that is cancelled is answered by %+v", name, r.Error)
		}
	}
}

func TestDraws(t *testing.T) {
	x := blobs(t, 60, 2, 3)
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}}, rows(x))
	c.next()
	for _, tc := range []struct {
		header fields
		arrays []*array
		want   string
	}{
		{fields{"result": 1, "format": "svg", "title": "Three groups"}, nil, "Three groups"},
		{fields{"result": 1, "format": "png", "picture": "silhouette"}, nil, "\x89PNG"},
		{fields{"method": "kmeans", "params": fields{"clusters": "2"}, "format": "svg"},
			[]*array{rows(x)}, "2 groups"},
		{fields{"method": "kmeans", "params": fields{"clusters": "3"}, "format": "svg"},
			[]*array{rows(x), of("labels", slices.Repeat([]int32{1, 0}, 30), 60)}, "1 group"},
	} {
		tc.header["id"], tc.header["do"] = 2, "draw"
		c.send(tc.header, tc.arrays...)
		r := c.next()
		if p := r.arrays["picture"]; p == nil || !bytes.Contains(p.bytes, []byte(tc.want)) {
			t.Errorf("%v is answered by %+v", tc.header, r.Error)
		}
	}
	c.send(fields{"id": 3, "do": "draw", "result": 5, "format": "svg"})
	if r := c.next(); r.Error == nil || r.Error.Kind != "gone" {
		t.Errorf("a result that is not kept is answered by %+v", r.Error)
	}
}

// A stream in blocks learns what it does in one, and its state is all that it goes on from.
func TestStreams(t *testing.T) {
	x := blobs(t, 90, 2, 3)
	learn := func(cuts ...int) (labels []int, means []byte) {
		var state *array
		from := 0
		for _, to := range cuts {
			c := start(t)
			arrays := []*array{of(called, x.F64[2*from:2*to], to-from, 2)}
			if state != nil {
				arrays = append(arrays, state)
			}
			c.send(fields{"id": 1, "do": "stream", "method": "olcvqe",
				"params": fields{"clusters": "3", "seed": "4"}}, arrays...)
			r := c.next()
			labels = append(labels, r.labels(t)...)
			state, means, from = r.arrays["state"], r.arrays["means"].bytes, to
		}
		return labels, means
	}
	labels, means := learn(30, 90)
	again, others := learn(30, 31, 50, 90)
	if !slices.Equal(labels, again) || !bytes.Equal(means, others) {
		t.Error("blocks change what is learnt")
	}
	c := start(t)
	for i, tc := range []struct {
		links *array
		want  string
	}{{of("same", []int64{0, 40}, 1, 2), "input"}, {of("same", []int64{0, 3}, 1, 2), ""}} {
		c.send(fields{"id": i + 1, "do": "stream", "method": "crpcl",
			"params": fields{"clusters": "3"}}, of(called, x.F64[:60], 30, 2), tc.links)
		r := c.next()
		if kind := ""; r.Error != nil {
			if kind = r.Error.Kind; kind != tc.want {
				t.Errorf("%v is answered by %+v", tc.links.bytes, r.Error)
			}
		} else if tc.want != "" {
			t.Errorf("%v is taken", tc.links.bytes)
		}
	}
}

func TestIndices(t *testing.T) {
	c := start(t)
	c.send(fields{"id": 1, "do": "indices"}, of("a", []int32{1, 1, 2, 2}, 4),
		of("b", []int64{5, 5, 3, 3}, 4))
	if r := c.next(); !bytes.Contains(r.OK, []byte(`"ari":1,`)) {
		t.Errorf("equal partitions are answered by %s %+v", r.OK, r.Error)
	}
}

// TestTable reads a file as the command does.
func TestTable(t *testing.T) {
	c := start(t)
	c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "table": "iris",
		"params": fields{"clusters": "3", "label": "class"}})
	r := c.next()
	table, err := kindred.Read(t.Context(), "iris", kindred.Params{"label": "class"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := table.Cluster(t.Context(), "kmeans", kindred.Params{"clusters": "3"})
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(r.labels(t), want.Labels) {
		t.Error("the labels of a table are others")
	}
}

// frame returns a message as it is sent, with its length.
func frame(header string, body ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	return append(append(b, header...), body...)
}

// Streams that are none of messages end the worker with a reply; wrong arrays are an error of their
// request alone.
func TestBadFrames(t *testing.T) {
	huge := `{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f8","shape":[99999999,99999999],` +
		`"bytes":3}]}`
	for _, tc := range []struct {
		name string
		in   []byte
		kind string // of the first reply
		ends bool   // the worker does
	}{
		{"nothing", nil, "", false},
		{"half a length", []byte{1, 0}, "protocol", true},
		{"half a header", frame(`{"id":1`)[:6], "protocol", true},
		{"a huge length", []byte{0, 0, 0, 0xff}, "protocol", true},
		{"no JSON", frame("hello"), "protocol", true},
		{"no object", frame("[]"), "protocol", true},
		{"no id", frame(`{"do":"hello"}`), "protocol", true},
		{"a negative id", frame(`{"id":-1,"do":"hello"}`), "protocol", true},
		{"id 0", frame(`{"id":0,"do":"hello"}`), "protocol", true},
		{"an id of text", frame(`{"id":"1","do":"hello"}`), "protocol", true},
		{"half an array", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f8","shape":[1],`+
			`"bytes":8}]}`, 1, 2), "protocol", true},
		{"negative bytes", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f8",` +
			`"shape":[1],"bytes":-8}]}`), "protocol", true},
		{"too many arrays", frame(`{"id":1,"do":"hello","arrays":[` + strings.Repeat(`{},`, 64) +
			`{}]}`), "protocol", true},
		{"an unknown type", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<c8",`+
			`"shape":[1],"bytes":2}]}`, 1, 2), "input", false},
		{"another shape", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f4",`+
			`"shape":[2],"bytes":4}]}`, 1, 2, 3, 4), "input", false},
		{"a negative shape", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f4",` +
			`"shape":[-1]}]}`), "input", false},
		{"no shape", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f4",` +
			`"shape":[]}]}`), "input", false},
		{"a huge shape", frame(huge, 1, 2, 3), "input", false},
		{"two of a name", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"|u1","shape":[1],`+
			`"bytes":1},{"name":"X","dtype":"|u1","shape":[1],"bytes":1}]}`, 1, 2), "input", false},
		{"no file", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"|u1","shape":[1],` +
			`"file":"/nowhere/at/all"}]}`), "input", false},
	} {
		var out bytes.Buffer
		err := Serve(t.Context(), bytes.NewReader(tc.in), &out, "test")
		if (err != nil) != tc.ends {
			t.Errorf("%s: Serve returns %v", tc.name, err)
		}
		if tc.kind == "" {
			continue
		}
		m, failed := readMessage(bufio.NewReader(&out))
		if failed != nil {
			t.Errorf("%s: no reply", tc.name)
			continue
		}
		var r reply
		if err := json.Unmarshal(m.header, &r); err != nil || r.Error == nil ||
			r.Error.Kind != tc.kind || (r.ID == 0) != tc.ends {
			t.Errorf("%s: the reply is %s", tc.name, m.header)
		}
	}
}

// Each limit is reached, and one more is refused.
func TestLimitsOfMessages(t *testing.T) {
	header := func(n int) []byte {
		text := `{"id":1,"do":"hello","more":"`
		return frame(text + strings.Repeat("x", n-len(text)-2) + `"}`)
	}
	arrays := func(n int) []byte {
		var list []string
		for i := range n {
			list = append(list, fmt.Sprintf(`{"name":"a%d","dtype":"|u1","shape":[0]}`, i))
		}
		return frame(`{"id":1,"do":"hello","arrays":[` + strings.Join(list, ",") + `]}`)
	}
	shape := func(n int) []byte {
		return frame(`{"id":1,"do":"hello","arrays":[{"name":"a","dtype":"|u1","bytes":1,"shape":[1`+
			strings.Repeat(",1", n-1)+`]}]}`, 0)
	}
	for _, tc := range []struct {
		what string
		make func(n int) []byte
		most int
	}{{"header", header, maxHeader}, {"arrays", arrays, maxArrays}, {"shape", shape, maxShape}} {
		for more := range 2 {
			var out bytes.Buffer
			Serve(t.Context(), bytes.NewReader(tc.make(tc.most+more)), &out, "test")
			if ok := bytes.Contains(out.Bytes(), []byte(`"ok"`)); ok != (more == 0) {
				t.Errorf("%s of %d: %s", tc.what, tc.most+more, out.Bytes())
			}
		}
	}
}

// Results are kept up to a number, the latest that were looked at.
func TestResultsKept(t *testing.T) {
	c := start(t)
	x := rows(blobs(t, 30, 2, 3))
	fit := func() int64 {
		c.send(fields{"id": 1, "do": "fit", "method": "kmeans", "params": fields{"clusters": "3"}}, x)
		var rep report
		if err := json.Unmarshal(c.next().OK, &rep); err != nil {
			t.Fatal(err)
		}
		return rep.Result
	}
	there := func(number int64) bool {
		c.send(fields{"id": 1, "do": "model", "result": number})
		return c.next().OK != nil
	}
	first, second := fit(), fit()
	for range mostKept - 2 {
		fit()
	}
	if !there(first) { // which makes it the latest
		t.Error("the first is gone too early")
	}
	fit()
	if !there(first) || there(second) {
		t.Error("the one that was looked at longest ago is to go")
	}
}

// An id that is in use, and an answer to no question, end the worker.
func TestIdsInUse(t *testing.T) {
	for _, second := range []fields{{"id": 1, "do": "hello"}} {
		c := start(t)
		header, x := long(t, 1)
		c.send(header, x)
		c.send(second)
		if r := c.next(); r.ID != 0 || r.Error == nil || r.Error.Kind != "protocol" {
			t.Errorf("%v is answered by %+v", second, r)
		}
		if err := <-c.end; err == nil {
			t.Error("Serve goes on")
		}
	}
}

// The context ends what runs.
func TestContext(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	in, to := io.Pipe()
	defer to.Close()
	from, out := io.Pipe()
	go func() {
		header, x := long(t, 1)
		(&writer{out: to}).write(header, []*array{x})
		cancel()
	}()
	go Serve(ctx, in, out, "test")
	m, err := readMessage(bufio.NewReader(from))
	if err != nil || !bytes.Contains(m.header, []byte(`"cancelled"`)) {
		t.Errorf("the reply is %s, %v", m.header, err)
	}
}

// FuzzServe has no input that panics, hangs, or is answered by what is no message.
func FuzzServe(f *testing.F) {
	f.Add(frame(`{"id":1,"do":"hello"}`))
	f.Add(frame(`{"id":1,"do":"fit","method":"kmeans","params":{"clusters":"2"},"arrays":[{"name":"X",`+
		`"dtype":"<f4","shape":[3,1],"bytes":12}]}`, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64))
	f.Add(frame(`{"id":1,"do":"indices","arrays":[{"name":"a","dtype":"<i4","shape":[1],"bytes":4}]}`,
		1, 0, 0, 0))
	f.Fuzz(func(t *testing.T, in []byte) {
		if low := bytes.ToLower(in); bytes.Contains(low, []byte("file")) ||
			bytes.Contains(low, []byte("table")) || bytes.Contains(low, []byte("\\u")) {
			t.Skip("files are none of this")
		}
		var out bytes.Buffer
		Serve(t.Context(), bytes.NewReader(in), &out, "test")
		for r := bufio.NewReader(&out); ; {
			m, err := readMessage(r)
			if err == io.EOF {
				return
			}
			if err != nil || m.err != nil {
				t.Fatalf("the reply is no message: %v %v", err, m)
			}
		}
	})
}
