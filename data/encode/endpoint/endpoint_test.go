package endpoint

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
)

// stub is a server of embeddings that may be told to misbehave.
type stub struct {
	*httptest.Server
	// answer, if not nil, replies to a request by its number, from 0, and reports whether it did.
	answer func(w http.ResponseWriter, call int, input []string) bool

	mu       sync.Mutex
	requests [][]string
	keys     []string
}

// item is a vector as a server sends it.
type item struct {
	Index  int       `json:"index"`
	Vector []float64 `json:"embedding"`
}

func vectorOf(text string) []float64 {
	h := fnv.New32a()
	h.Write([]byte(text))
	n := float64(h.Sum32() % 1000)
	return []float64{3, n - 500, float64(len(text))}
}

func items(input []string) (data []item) {
	for i, text := range input {
		data = append(data, item{i, vectorOf(text)})
	}
	return data
}

func send(w http.ResponseWriter, data any) {
	_ = json.NewEncoder(w).Encode(map[string]any{"object": "list", "data": data})
}

func serve(t *testing.T, answer func(w http.ResponseWriter, call int, input []string) bool) *stub {
	t.Helper()
	s := &stub{answer: answer}
	s.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var q struct {
			Model  string   `json:"model"`
			Input  []string `json:"input"`
			Format string   `json:"encoding_format"`
		}
		err := json.NewDecoder(r.Body).Decode(&q)
		if err != nil || r.Method != "POST" || r.URL.Path != "/v1/embeddings" || q.Model != "m" ||
			q.Format != "float" || r.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s %s %+v (%v)", r.Method, r.URL, q, err)
		}
		s.mu.Lock()
		call := len(s.requests)
		s.requests = append(s.requests, q.Input)
		s.keys = append(s.keys, r.Header.Get("Authorization"))
		s.mu.Unlock()
		if s.answer == nil || !s.answer(w, call, q.Input) {
			send(w, items(q.Input))
		}
	}))
	t.Cleanup(s.Close)
	return s
}

// noon is when encoders of tests begin. Time passes for them while they wait, and not else.
var noon = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// open returns the encoder of a stub, which waits in made-up time, and the pauses that it makes.
func (s *stub) open(t *testing.T, o Options) (*Encoder, *[]time.Duration) {
	t.Helper()
	o.Model = "m"
	e, err := New(s.URL+"/v1", o)
	if err != nil {
		t.Fatal(err)
	}
	var pauses []time.Duration
	var mu sync.Mutex
	clock := noon
	e.now = func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return clock
	}
	e.wait = func(ctx context.Context, d time.Duration) error {
		mu.Lock()
		defer mu.Unlock()
		pauses, clock = append(pauses, d), clock.Add(d)
		return ctx.Err()
	}
	return e, &pauses
}

func (s *stub) sent() (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, r := range s.requests {
		n += len(r)
	}
	return n
}

func texts(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = fmt.Sprint("text number ", i)
	}
	return out
}

// right fails unless an encoder returns the vectors of the stub.
func right(t *testing.T, e *Encoder, texts []string, prompt string) {
	t.Helper()
	x, err := e.Encode(t.Context(), texts, encode.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if x.Rows != len(texts) || x.Cols != 3 || e.Identity().Dimensions != 3 {
		t.Fatalf("%d×%d", x.Rows, x.Cols)
	}
	for i, text := range texts {
		v := vectorOf(prompt + text)
		length := math.Sqrt(v[0]*v[0] + v[1]*v[1] + v[2]*v[2])
		for j := range v {
			if off := math.Abs(float64(x.F32[3*i+j]) - v[j]/length); off > 1e-6 {
				t.Fatalf("text %d: value %d is off by %v", i, j, off)
			}
		}
	}
}

func TestTextsAreSentOnceInBatches(t *testing.T) {
	s := serve(t, nil)
	var notes []string
	e, _ := s.open(t, Options{Key: "secret", Prompt: "query: ",
		Notify: func(note string) { notes = append(notes, note) }})
	all := append(texts(300), texts(100)...)
	all = append(all, strings.Repeat("long ", batchBytes/5), "")
	right(t, e, all, "query: ")
	right(t, e, nil, "")
	if s.sent() != 302 {
		t.Errorf("%d texts were sent", s.sent())
	}
	for i, r := range s.requests {
		if len(r) > batch || s.keys[i] != "Bearer secret" || !strings.HasPrefix(r[0], "query: ") {
			t.Errorf("a request of %d texts with the key %q", len(r), s.keys[i])
		}
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "sent to 127.0.0.1:") {
		t.Errorf("%q", notes)
	}
	if note := e.Notes()[0]; !strings.HasSuffix(note, "before each text: 302 texts sent") {
		t.Error(note)
	}
	for _, note := range append(notes, e.Notes()...) {
		if strings.Contains(note, "secret") {
			t.Errorf("the key is in %q", note)
		}
	}
}

func TestTheCacheKeepsTextsFromBeingSent(t *testing.T) {
	path := filepath.Join(t.TempDir(), "notes.kindred.vectors")
	open := func(s *stub, o Options) *Encoder {
		o.Cache = path
		e, _ := s.open(t, o)
		return e
	}
	s := serve(t, nil)
	right(t, open(s, Options{}), texts(500), "")
	e := open(s, Options{Notify: func(note string) { t.Error(note) }})
	right(t, e, texts(500), "")
	if s.sent() != 500 || !strings.Contains(e.Notes()[0], ": 0 texts sent, 500 known from earlier") {
		t.Errorf("%d texts were sent: %s", s.sent(), e.Notes())
	}
	right(t, open(s, Options{}), texts(510), "")
	if s.sent() != 510 {
		t.Errorf("%d texts were sent", s.sent())
	}
	right(t, open(s, Options{Prompt: "query: "}), texts(5), "query: ")
	if s.sent() != 515 {
		t.Error("vectors of another prompt were taken")
	}
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "text number") {
		t.Errorf("the cache has the texts (%v)", err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm()&0o077 != 0 && os.PathSeparator == '/' {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE vectors SET vector = substr(vector, 1, 40)"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	right(t, open(s, Options{}), texts(5), "")
	if s.sent() != 520 {
		t.Error("damaged vectors were taken")
	}
}

func TestACacheThatMayOnlyBeRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "vectors")
	s := serve(t, nil)
	e, _ := s.open(t, Options{Cache: path})
	right(t, e, texts(20), "")
	if err := os.Chmod(path, 0o400); err != nil {
		t.Fatal(err)
	}
	right(t, e, texts(25), "")
	if s.sent() != 25 {
		t.Errorf("%d texts were sent", s.sent())
	}
}

func TestTroubleThatPasses(t *testing.T) {
	late := make(chan bool) // closed when a request was given up
	for name, c := range map[string]struct {
		answer func(w http.ResponseWriter, call int, input []string) bool
		pauses []time.Duration
	}{
		"busy": {func(w http.ResponseWriter, call int, input []string) bool {
			if call < 3 {
				http.Error(w, "busy", http.StatusServiceUnavailable)
			}
			return call < 3
		}, []time.Duration{time.Second, 2 * time.Second, 4 * time.Second}},
		"rate": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				w.Header().Set("Retry-After", "17")
				http.Error(w, "slow down", http.StatusTooManyRequests)
			}
			return call == 0
		}, []time.Duration{17 * time.Second}},
		"rate by date": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				w.Header().Set("Retry-After", noon.Add(time.Minute).Format(http.TimeFormat))
				http.Error(w, "slow down", http.StatusTooManyRequests)
			}
			return call == 0
		}, []time.Duration{time.Minute}},
		"rate by a date that is over": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				w.Header().Set("Retry-After", noon.Add(-time.Hour).Format(http.TimeFormat))
				http.Error(w, "slow down", http.StatusTooManyRequests)
			}
			return call == 0
		}, []time.Duration{10 * time.Millisecond}},
		"cut": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				w.Header().Set("Content-Length", "1000")
				_, _ = io.WriteString(w, `{"data": [{"index": 0, "embed`)
			}
			return call == 0
		}, []time.Duration{time.Second}},
		"cut in a valid reply": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				_, _ = io.WriteString(w, `{"data": [{"index": 0, "embedding": [1, 2`)
			}
			return call == 0
		}, []time.Duration{time.Second}},
		"hang up": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				panic(http.ErrAbortHandler)
			}
			return false
		}, []time.Duration{time.Second}},
		"time-out": {func(w http.ResponseWriter, call int, input []string) bool {
			if call == 0 {
				<-late
			}
			return false
		}, []time.Duration{time.Second}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, c.answer)
			var notes []string
			e, pauses := s.open(t, Options{Key: "slow",
				Notify: func(note string) { notes = append(notes, note) }})
			if name == "time-out" {
				e.client.Timeout = 100 * time.Millisecond
				wait := e.wait
				e.wait = func(ctx context.Context, d time.Duration) error {
					e.client.Timeout = 0 // the machine may be busy
					close(late)
					return wait(ctx, d)
				}
			}
			right(t, e, texts(3), "")
			if !slices.Equal(*pauses, c.pauses) {
				t.Errorf("pauses %v, want %v", *pauses, c.pauses)
			}
			if len(notes) < 2 || !strings.Contains(notes[1], "; try 2 of 6 in ") ||
				strings.Contains(notes[1], "slow") {
				t.Errorf("notes %q", notes)
			}
			if want := "429 too many requests: … down; try 2 of 6 in 17s"; name == "rate" &&
				!strings.HasSuffix(notes[1], want) {
				t.Errorf("%q, want %q", notes[1], want)
			}
		})
	}
}

func TestServersThatTakeFewTexts(t *testing.T) {
	for _, status := range []int{400, 413, 422} {
		s := serve(t, func(w http.ResponseWriter, _ int, input []string) bool {
			if len(input) > 10 {
				http.Error(w, `{"error": "batch size > maximum allowed batch size 10"}`, status)
			}
			return len(input) > 10
		})
		e, _ := s.open(t, Options{})
		right(t, e, texts(200), "")
	}
}

func TestOrderOfReplies(t *testing.T) {
	s := serve(t, func(w http.ResponseWriter, _ int, input []string) bool {
		data := items(input)
		slices.Reverse(data)
		send(w, data)
		return true
	})
	e, _ := s.open(t, Options{})
	right(t, e, texts(100), "")
	s = serve(t, func(w http.ResponseWriter, _ int, input []string) bool {
		var data []any
		for _, text := range input {
			data = append(data, map[string]any{"embedding": vectorOf(text)})
		}
		send(w, data)
		return true
	})
	e, _ = s.open(t, Options{})
	right(t, e, texts(100), "")
}

func TestRepliesThatAreWrong(t *testing.T) {
	reply := func(text string) func(http.ResponseWriter, int, []string) bool {
		return func(w http.ResponseWriter, _ int, _ []string) bool {
			_, _ = io.WriteString(w, text)
			return true
		}
	}
	status := func(code int, text string) func(http.ResponseWriter, int, []string) bool {
		return func(w http.ResponseWriter, _ int, _ []string) bool {
			http.Error(w, text, code)
			return true
		}
	}
	type trial struct {
		answer func(http.ResponseWriter, int, []string) bool
		part   string
		calls  int
	}
	trials := []trial{
		{reply(`{}`), "0 vectors for 2 texts", 1},
		{reply(`{"data": [{"index": 0}, {"index": 1}]}`), "0 numbers", 1},
		{reply(`<html>hello</html>`), "not one of the embeddings API", 1},
		{status(401, `{"error": {"message": "no key"}}`), KeyName, 1},
		{status(404, `{"error": "model \"m\" not found,\ntry pulling it"}`),
			`model "m" not found, try`, 1},
		{status(405, "no\x1b[31m"), "refuses a text: 405 method not allowed: no\ufffd[31m", 1},
		{status(400, `{"message": "input too long"}`), "input too long", 2},
		{status(500, "oops"), "failed 6 times: 500 internal server error: oops", 6},
		{func(w http.ResponseWriter, _ int, _ []string) bool {
			w.Header().Set("Retry-After", "3600")
			w.WriteHeader(http.StatusTooManyRequests)
			return true
		}, "wait for 1h", 1},
	}
	one, two := `{"embedding": [1]}`, `{"embedding": [1, 2]}`
	for data, part := range map[string]string{
		one:                            "1 vector for 2 texts",
		one + "," + one + "," + one:    "3 vectors",
		two + "," + one:                "1 number, where another has 2",
		`{"embedding": []},` + one:     "0 numbers",
		`{"embedding": null},` + one:   "no list",
		`{"embedding": [null]},` + one: "null",
		`{"embedding": [NaN]},` + one:  "not one of the embeddings API",
		`{"embedding": [1e99]},` + one: "1e99",
		`{"embedding": "AAA="},` + one: "no list",
		`{"embedding": [[1]]},` + one:  "among numbers",
		`{"index": 1, "embedding": [1]}, {"index": 1, "embedding": [1]}`: "twice",
		`{"index": 2, "embedding": [1]}, {"index": 1, "embedding": [1]}`: "beyond",
	} {
		trials = append(trials, trial{reply(`{"data": [` + data + `]}`), part, 1})
	}
	for _, c := range trials {
		t.Run(c.part, func(t *testing.T) {
			s := serve(t, c.answer)
			e, _ := s.open(t, Options{Key: "secret"})
			_, err := e.Encode(t.Context(), texts(2), encode.Options{})
			if !fault.IsInput(err) || !strings.Contains(fmt.Sprint(err), c.part) ||
				strings.Contains(err.Error(), "secret") || len(s.requests) != c.calls {
				t.Errorf("after %d calls: %v", len(s.requests), err)
			}
		})
	}
}

func TestHugeRepliesAreRefused(t *testing.T) {
	if testing.Short() {
		t.Skip("it sends 16 MiB")
	}
	s := serve(t, func(w http.ResponseWriter, _ int, _ []string) bool {
		some := []byte(strings.Repeat(" ", 1<<20))
		for range maxReply>>20 + 2 {
			if _, err := w.Write(some); err != nil {
				break
			}
		}
		return true
	})
	e, _ := s.open(t, Options{})
	if _, err := e.Encode(t.Context(), texts(1), encode.Options{}); !fault.IsInput(err) {
		t.Error(err)
	}
}

// TestLongRepliesAreOfFewerTexts: where a reply is too long, fewer texts are sent at a time.
func TestLongRepliesAreOfFewerTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("it sends 50 MiB")
	}
	pad := []byte(strings.Repeat(" ", maxReply/3))
	s := serve(t, func(w http.ResponseWriter, _ int, input []string) bool {
		for range input {
			if _, err := w.Write(pad); err != nil {
				return true
			}
		}
		return false
	})
	e, _ := s.open(t, Options{})
	x, err := e.Encode(t.Context(), texts(4), encode.Options{})
	if err != nil || x.Rows != 4 || len(s.requests) != 3 {
		t.Errorf("after %d requests: %v", len(s.requests), err)
	}
}

func TestLongestVector(t *testing.T) {
	for size, ok := range map[int]bool{maxDimensions: true, maxDimensions + 1: false} {
		s := serve(t, func(w http.ResponseWriter, _ int, _ []string) bool {
			send(w, []item{{0, make([]float64, size)}})
			return true
		})
		e, _ := s.open(t, Options{})
		_, err := e.Encode(t.Context(), texts(1), encode.Options{})
		if (err == nil) != ok || err != nil && !fault.IsInput(err) {
			t.Errorf("a vector of %d numbers: %v", size, err)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	for _, code := range []int{302, 307, 308} {
		other := serve(t, func(http.ResponseWriter, int, []string) bool {
			t.Error("a redirect was followed")
			return false
		})
		s := serve(t, func(w http.ResponseWriter, _ int, _ []string) bool {
			w.Header().Set("Location", other.URL+"/v1/embeddings")
			w.WriteHeader(code)
			return true
		})
		e, _ := s.open(t, Options{Key: "secret"})
		_, err := e.Encode(t.Context(), texts(1), encode.Options{})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), "redirects") {
			t.Error(err)
		}
	}
}

func TestAServerThatDoesNotRun(t *testing.T) {
	s := serve(t, nil)
	e, pauses := s.open(t, Options{})
	s.Close()
	_, err := e.Encode(t.Context(), texts(1), encode.Options{})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "connection refused") ||
		len(*pauses) > 0 {
		t.Errorf("%v after %v", err, *pauses)
	}
}

func TestEncodingIsCancelled(t *testing.T) {
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	release := make(chan bool)
	s := serve(t, func(http.ResponseWriter, int, []string) bool {
		stop()
		<-release
		return false
	})
	defer close(release)
	e, _ := s.open(t, Options{})
	if _, err := e.Encode(ctx, texts(1000), encode.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	s = serve(t, func(w http.ResponseWriter, _ int, _ []string) bool {
		time.AfterFunc(10*time.Millisecond, cancel)
		http.Error(w, "", http.StatusServiceUnavailable)
		return true
	})
	e, _ = s.open(t, Options{})
	e.wait = wait // for a second and more
	if _, err := e.Encode(ctx, texts(1), encode.Options{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestAddresses(t *testing.T) {
	for address, ok := range map[string]bool{
		"http://127.0.0.1:11434/v1": true, "http://localhost/v1/": true, "https://[::1]:8080": true,
		"HTTP://LOCALHOST:1/v1/embeddings": true, "http://127.9.9.9/v1": true,
		"http://10.0.0.1/v1": false, "https://api.example.com/v1": false, "http://0.0.0.0/v1": false,
		"http://localhost.example.com/v1": false, "http://127.0.0.1.example.com/v1": false,
		"http://user:pass@127.0.0.1/v1": false, "http://127.0.0.1/v1?key=abc": false, "http://": false,
		"http://127.0.0.1/v1#x": false, "http://[::1": false, "http://2130706433/v1": false,
	} {
		_, err := New(address, Options{Model: "m"})
		if _, setting := errors.AsType[fault.Setting](err); (err == nil) != ok || !ok && !setting {
			t.Errorf("%s: %v", address, err)
		}
		if err != nil && strings.Contains(err.Error(), "pass@") {
			t.Errorf("%v has a password", err)
		}
		if !Is(address) {
			t.Errorf("%s is no address", address)
		}
	}
	if Is("folder") || Is("httpfolder/x") {
		t.Error("a folder is an address")
	}
	for _, c := range []struct {
		address string
		o       Options
		ok      bool
	}{
		{"http://10.0.0.1/v1", Options{Model: "m", Remote: true}, true},
		{"http://10.0.0.1/v1", Options{Model: "m", Remote: true, Key: "k"}, false},
		{"https://10.0.0.1/v1", Options{Model: "m", Remote: true, Key: "k"}, true},
		{"http://127.0.0.1/v1", Options{}, false},
	} {
		if _, err := New(c.address, c.o); (err == nil) != c.ok {
			t.Errorf("%s, %+v: %v", c.address, c.o, err)
		}
	}
}

func TestNothingLeavesThisMachineByItsName(t *testing.T) {
	e, err := New("http://localhost:1/v1", Options{Model: "m"})
	if err != nil {
		t.Fatal(err)
	}
	e.to.Host = "10.255.255.1:1" // as if localhost were that
	e.wait = func(context.Context, time.Duration) error { return errors.New("no wait") }
	_, err = e.Encode(t.Context(), texts(1), encode.Options{})
	if err == nil || !strings.Contains(err.Error(), "another machine") {
		t.Error(err)
	}
}

func TestIdentities(t *testing.T) {
	id := func(address string, o Options) string {
		e, err := New(address, o)
		if err != nil {
			t.Fatal(err)
		}
		return e.Identity().Digest
	}
	const here = "http://localhost/v1"
	if id(here, Options{Model: "m"}) != id(here+"/", Options{Model: "m", Key: "k"}) {
		t.Error("the key or a slash is part of the identity")
	}
	if id(here, Options{Model: "m"}) == id(here, Options{Model: "n"}) ||
		id(here, Options{Model: "m"}) == id(here, Options{Model: "m", Prompt: "p"}) ||
		id(here, Options{Model: "m"}) == id("http://localhost/v2", Options{Model: "m"}) {
		t.Error("other encoders have the same identity")
	}
}

func FuzzReply(f *testing.F) {
	for _, text := range []string{`{"data": [{"index": 0, "embedding": [1, -2.5e3]}]}`, `{}`,
		`{"data": [{"embedding": [1,]}]}`, `{"data": null}`, `{"data": [{"embedding": "x"}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := New("http://localhost/v1", Options{Model: "m"})
		if err != nil {
			t.Fatal(err)
		}
		vectors, err := e.parse(data, 1)
		if err != nil {
			return
		}
		for _, v := range vectors[0] {
			if v-v != 0 {
				t.Fatalf("%v", v)
			}
		}
	})
}
