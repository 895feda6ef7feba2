package worker

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// frame returns a message as it is sent, with its length.
func frame(header string, body ...byte) []byte {
	b := binary.LittleEndian.AppendUint32(nil, uint32(len(header)))
	return append(append(b, header...), body...)
}

// Streams that are none of messages end the worker with a reply; wrong arrays are an error of their
// request alone.
func TestBadFrames(t *testing.T) {
	huge := `{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f8",` +
		`"shape":[99999999,99999999],"bytes":3}]}`
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
		{"half an array", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"<f8",`+
			`"shape":[1],"bytes":8}]}`, 1, 2), "protocol", true},
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
		{"two of a name", frame(`{"id":1,"do":"hello","arrays":[{"name":"X","dtype":"|u1",`+
			`"shape":[1],"bytes":1},{"name":"X","dtype":"|u1","shape":[1],"bytes":1}]}`, 1, 2), "input", false},
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
	if testing.Short() {
		t.Skip("reads large headers")
	}
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
		c.send(fields{"id": 1, "do": "fit", "method": "kmeans",
			"params": fields{"clusters": "3"}}, x)
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
	f.Add(frame(`{"id":1,"do":"fit","method":"kmeans","params":{"clusters":"2"},`+
		`"arrays":[{"name":"X","dtype":"<f4","shape":[3,1],"bytes":12}]}`, 0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64))
	f.Add(frame(`{"id":1,"do":"indices","arrays":[{"name":"a","dtype":"<i4","shape":[1],`+
		`"bytes":4}]}`,
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
