package studio

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/store"
)

// Faults that a server meets, and attacks that would wear it out.

// Slow and huge headers.
func TestSlowAndHugeHeaders(t *testing.T) {
	x := open(t, Config{})
	r := x.get("/api/v1/me", "X-Large: "+strings.Repeat("a", 2*headerBytes))
	if r.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("huge headers: %d", r.status)
	}
	if r := x.get("/api/v1/me?x=" + strings.Repeat("a",
		2*mostAddress)); r.status != http.StatusRequestURITooLong {
		t.Errorf("a long address: %d", r.status)
	}
	// Many clients that never finish their headers are let go, and hold up nobody.
	x = open(t, Config{}, func(s *Server) { s.header = 500 * time.Millisecond })
	var slow []net.Conn
	for range 200 {
		c, err := net.Dial("tcp", x.at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET / HTTP/1.1\r\nHost: %s\r\nX-Slow: ", x.at)
		slow = append(slow, c)
	}
	// unless it was a slow one itself, as the machine stood still
	eventually(t, "a quick client is answered", func() bool {
		c, err := net.Dial("tcp", x.at)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "GET /api/v1/me HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
			x.at, x.token)
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		return err == nil && r.StatusCode == http.StatusOK
	})
	for _, c := range slow {
		// that of a whole request would let them go, too
		c.SetReadDeadline(time.Now().Add(readTimeout - 5*time.Second))
		if _, err := io.Copy(io.Discard, c); err != nil {
			var late net.Error
			if errors.As(err, &late) && late.Timeout() {
				t.Fatal("a client that never ends its headers is kept")
			}
		}
	}
}

// deadlines is an answer that notes until when a request may take to arrive.
type deadlines struct {
	*httptest.ResponseRecorder
	read []time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error {
	d.read = append(d.read, at)
	return nil
}

// A request has a limit until it has arrived, and none after that, however long the answer takes.
func TestNoLimitOnceARequestIsRead(t *testing.T) {
	x := open(t, Config{Hosts: []string{"kindred.example.org"}})
	for _, body := range []string{"", "{}", `{"data":"` + strings.Repeat("a", 100_000) + `"}`} {
		w := &deadlines{ResponseRecorder: httptest.NewRecorder()}
		r := httptest.NewRequest("POST", "/api/v1/preview", strings.NewReader(body))
		r.Host = "kindred.example.org"
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+x.token)
		x.server.guard(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
			if body != "" && len(w.read) > 0 {
				t.Error("there is no limit before the body has arrived")
			}
			if _, err := io.Copy(io.Discard, r.Body); err != nil {
				t.Error(err)
			}
			if len(w.read) == 0 || !w.read[len(w.read)-1].IsZero() {
				t.Errorf("behind a body of %d bytes the limits are %v", len(body), w.read)
			}
		})).ServeHTTP(w, r)
		if w.Code != http.StatusOK {
			t.Errorf("a body of %d bytes: %d", len(body), w.Code)
		}
	}
}

// Bodies over the limit, and JSON that is deep, cut off, or no JSON.
func TestBodies(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	deep := func(n int) string {
		return `{"id":"x","a":0,"b":1,"answer":` + strings.Repeat("[", n) + strings.Repeat("]", n) +
			"}"
	}
	for what, c := range map[string]struct {
		body string
		want int
	}{
		"over the limit":     {`{"id":"` + strings.Repeat("a", mostBody) + `"}`, 413},
		"deep":               {deep(100_000), 400},
		"deeper than needed": {deep(deepestJSON), 400},
		"cut off":            {`{"id":"x","a":0`, 400},
		"no JSON":            {`hello`, 400},
		"an array":           {`[]`, 422},
		"null":               {`null`, 400},
		"NaN":                {`{"id":"x","a":NaN,"b":1,"answer":"same"}`, 400},
		"a fraction":         {`{"id":"x","a":0.5,"b":1,"answer":"same"}`, 422},
		"1e400":              {`{"id":"x","a":1e400,"b":1,"answer":"same"}`, 400},
		"beyond an integer": {`{"id":"x","a":99999999999999999999,"b":1,"answer":"same"}`,
			422},
		"a text for a number": {`{"id":"x","a":"0","b":1,"answer":"same"}`, 422},
		"a negative row":      {`{"id":"x","a":-1,"b":1,"answer":"same"}`, 422},
		"a row there is not":  {`{"id":"x","a":0,"b":150,"answer":"same"}`, 422},
		"a pair of one":       {`{"id":"x","a":3,"b":3,"answer":"same"}`, 422},
		"another answer":      {`{"id":"x","a":0,"b":1,"answer":"perhaps"}`, 422},
		"an unknown property": {`{"id":"x","a":0,"b":1,"answer":"same","admin":true}`, 422},
		"a strange id":        {`{"id":"../x","a":0,"b":1,"answer":"same"}`, 422},
		"a long id": {`{"id":"` + strings.Repeat("a", 65) +
			`","a":0,"b":1,"answer":"same"}`, 422},
		"invalid UTF-8":           {"{\"id\":\"\xff\",\"a\":0,\"b\":1,\"answer\":\"same\"}", 400},
		"a name with line breaks": {`{"id":"x","a":0,"b":1,"answer":"same\n"}`, 422},
	} {
		r := x.post(p+"/answers", c.body)
		if r.status != c.want {
			t.Errorf("%s: %d instead of %d: %.300s", what, r.status, c.want, r.body)
		}
		if len(r.body) > 10_000 {
			t.Errorf("%s: the problem is %d bytes long", what, len(r.body))
		}
	}
	if n := into[project.State](x.get(p)).Revision; n != 0 {
		t.Errorf("%d steps were kept", n)
	}
	for _, path := range []string{"/objects?rows=1,x",
		"/objects?rows=" + strings.Repeat("1,", 300) + "1", "/objects?rows=-1", "/objects/abc",
		"/history?limit=100000", "/history?offset=-1", "/guess?a=1", "/nothing=1", "/turn?x=1",
		"/groups/1/members?order=up", "/exports/picture.svg?kind=evil", "/exports/passwd"} {
		if r := x.get(p + path); r.status < 400 || r.status >= 500 {
			t.Errorf("%s: %d", path, r.status)
		}
	}
}

// What the description of the API allows is taken, and the rest is refused by what is wrong with
// it.
func TestRequestsAreTakenAsDescribed(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	for _, body := range []string{`{"id":"w1","a":3.0,"b":1e2,"answer":"same"}`,
		`{"id":"w2","a":30E-1,"b":101,"answer":"same"}`} {
		if e := into[project.Reply](x.post(p+"/answers", body).wants(200)).Event; e.A.Row != 3 {
			t.Errorf("%s is of row %d", body, e.A.Row)
		}
	}
	for _, c := range []struct {
		call, body string
		status     int
		says       string
	}{
		{"GET /objects?rows=", "", 422, "query.rows: expected a value"},
		{"GET /exports/picture.svg?layout=", "", 422, "query.layout: expected a value"},
		{"GET /partition?limit=", "", 422, "query.limit: expected a value"},
		{"GET /turn?shown=", "", 200, ""},
		{"POST /names", `{"id":"n","row":0,"name":null}`, 400, "null"},
		{"POST /settings", `{"settings":{"nonsense":"1"}}`, 422, "nonsense: unexpected property"},
		{"TRACE /turn", "", 405, "the API has no TRACE"},
		{"PUT /turn", "", 405, "the API has no PUT"},
		{"OPTIONS /turn", "", 405, "the API has no OPTIONS"},
	} {
		method, path, _ := strings.Cut(c.call, " ")
		r := x.send(method, p+path, c.body)
		if r.status != c.status || !strings.Contains(string(r.body), c.says) {
			t.Errorf("%s %s: %d: %s", c.call, c.body, r.status, r.body)
		}
		if c.status == 405 && r.header.Get("Allow") != "GET" {
			t.Errorf("%s: Allow is %q", c.call, r.header.Get("Allow"))
		}
	}
}

// Double clicks: the same step many times at once counts once, and each click has the same reply.
func TestDoubleClicks(t *testing.T) {
	prepare, hold, goOn := held()
	x := open(t, Config{}, prepare)
	defer goOn()
	p := x.begin("iris")
	var clicks sync.WaitGroup
	seqs := make([]int64, 20)
	for i := range seqs {
		clicks.Go(func() {
			seqs[i] = into[project.Reply](x.post(p+"/answers",
				`{"id":"click","a":0,"b":60,"answer":"different"}`)).Event.Seq
		})
	}
	clicks.Wait()
	for _, seq := range seqs {
		if seq != 1 {
			t.Fatalf("the clicks became the events %v", seqs)
		}
	}
	if h := into[Events](x.get(p + "/history")); h.Total != 1 {
		t.Errorf("%d events", h.Total)
	}
	// Beginning a project twice by a double click gives one.
	x.put("big.csv", table(20_000))
	hold()
	first := into[Started](x.post("/api/v1/projects", `{"data":"big.csv"}`).wants(202)).ID
	second := into[Started](x.post("/api/v1/projects", `{"data":"big.csv"}`).wants(202)).ID
	goOn()
	if l := x.ready(first); first != second || l.State != stateOpen {
		t.Errorf("the projects %q and %q were begun: %+v", first, second, l)
	}
}

// An id is used again with another step: refused, and the step is not answered as the old one.
func TestTheIDOfAnotherStep(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	step := `{"id":"one","a":0,"b":60,"answer":"different"}`
	x.post(p+"/answers", step).wants(200)
	x.post(p+"/answers", step).wants(200)
	x.post(p+"/answers", `{"id":"one","a":0,"b":61,"answer":"different"}`).problem(409, "reused")
	x.post(p+"/skips", `{"id":"one","a":0,"b":60}`).problem(409, "reused")
	x.send("DELETE", p+"/history/1?id=one", "").problem(409, "reused")
	x.send("DELETE", p+"/history/1?id=one", "",
		"If-Match: "+x.get(p).header.Get("ETag")).problem(409, "reused")
	x.get("/api/v1/problems/reused").wants(303)
}

// Two tabs: what one does not know of is not overwritten.
func TestTwoTabs(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.post(p+"/answers", `{"id":"tab1","a":0,"b":60,"answer":"different"}`).wants(200)
	x.post(p+"/answers", `{"id":"tab2","a":0,"b":60,"answer":"same"}`).problem(409, "stale")
	// The second tab changes what the first has changed since.
	seen := x.get(p).header.Get("ETag")
	x.send("PATCH", p+"/history/1", `{"id":"edit1","answer":"unknown"}`,
		"If-Match: "+seen).wants(200)
	x.send("PATCH", p+"/history/1", `{"id":"edit2","answer":"same"}`,
		"If-Match: "+seen).problem(412, "stale")
	x.send("DELETE", p+"/history/2?id=drop2", "", "If-Match: "+seen).problem(412, "stale")
	x.send("DELETE", p+"/history/2?id=drop3", "", "If-Match: nonsense").problem(422, "request")
	x.send("DELETE", p+"/history/2?id=drop4", "",
		"If-Match: "+x.get(p).header.Get("ETag")).wants(200)
}

// Two processes on one project file: the second is told, and takes nothing over.
func TestTwoProcesses(t *testing.T) {
	x := open(t, Config{})
	other, err := store.Open(t.Context(), filepath.Join(x.folder, "held.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	x.post("/api/v1/projects/held/open", "{}").wants(202)
	if l := x.ready("held"); l.State != stateFailed ||
		!strings.Contains(l.Error, "open in another kindred") {
		t.Errorf("the project is %+v", l)
	}
	if l := x.listed("held"); l.Type != problemBase+"in-use" || l.Fix == "" {
		t.Errorf("the list has %+v", l)
	}
	r := x.get("/api/v1/projects/held").problem(423, "in-use")
	if !strings.Contains(r.Detail, "open in another kindred") {
		t.Errorf("it says %q", r.Detail)
	}
}

// Truncated and newer project files, and files that are none: said, and left as they are.
func TestDamagedProjects(t *testing.T) {
	x := open(t, Config{})
	x.put("empty.kindred", "")
	x.put("text.kindred", "this is no project")
	x.put("cut.kindred", "SQLite format 3\x00"+strings.Repeat("\x00", 100))
	for _, id := range []string{"text", "cut"} {
		if l := x.listed(id); l.State != stateClosed || l.Error == "" {
			t.Errorf("%s is listed as %+v", id, l)
		}
		x.post("/api/v1/projects/"+id+"/open", "{}").wants(202)
		if l := x.ready(id); l.State != stateFailed || l.Error == "" {
			t.Errorf("%s is %+v", id, l)
		}
	}
	if text, _ := os.ReadFile(filepath.Join(x.folder,
		"text.kindred")); string(text) != "this is no project" {
		t.Errorf("the file became %q", text)
	}
}

// A changed answer: the problem says which step it is, what that affects, and what to do.
func TestADamagedAnswer(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	for i := range 3 {
		x.post(p+"/answers",
			fmt.Sprintf(`{"id":"a%d","a":%d,"b":60,"answer":"different"}`, i, i)).wants(200)
	}
	file := x.get(p + "/exports/project.kindred").wants(200).body
	at := bytes.LastIndex(file, []byte("different"))
	copy(file[at:], "diffident")
	x.put("bad.kindred", string(file))
	x.post("/api/v1/projects/bad/open", "{}").wants(202)
	if l := x.ready("bad"); l.State != stateFailed || !strings.Contains(l.Error, " of 3, a step") {
		t.Errorf("the project is %+v", l)
	}
	r := x.get("/api/v1/projects/bad/turn")
	if said := r.problem(500, "damaged"); !strings.Contains(said.Detail, "is not as it was written; "+
		"this step and those after it count no longer") ||
		!strings.Contains(said.Fix, "kindred check") {
		t.Errorf("it says %+v", said)
	}
}

// Why a project could not be opened is logged once, and not for each request that meets it.
func TestAFailedOpeningIsLoggedOnce(t *testing.T) {
	x := open(t, Config{})
	x.put("x.kindred", "no project")
	x.post("/api/v1/projects/x/open", "{}").wants(202)
	if l := x.ready("x"); l.State != stateFailed {
		t.Fatalf("the project is %s", l.State)
	}
	for range 3 {
		x.get("/api/v1/projects/x/turn").problem(500, "damaged")
	}
	eventually(t, "the log says why", func() bool {
		return strings.Contains(x.log.String(), "a project could not be opened")
	})
	if n := strings.Count(x.log.String(), "a call failed"); n > 0 {
		t.Errorf("it is logged %d times more: %s", n, x.log)
	}
}

// Data that nothing can be made of, one after the other: each is told, and the server goes on.
func TestImpossibleData(t *testing.T) {
	x := open(t, Config{})
	for name, text := range map[string]string{
		"empty.csv": "", "header.csv": "a,b\n", "ragged.csv": "a,b\n1,2\n3\n",
		"quote.csv": "a,b\n\"1,2\n", "twice.jsonl": `{"a":1,"a":2}` + "\n",
		"nul.csv": "a,b\n1,\x002\n3,4\n",
		"pickled.npy": "\x93NUMPY\x01\x00v\x00{'descr': '|O', 'fortran_order': False, 'shape': " +
			"(3,), }" + strings.Repeat(" ", 60) + "\n",
		"lies.npy": "\x93NUMPY\x01\x00v\x00{'descr': '<f8', 'fortran_order': False, 'shape': " +
			"(1000000000, 1000), }" + strings.Repeat(" ", 44) + "\n",
		"lies.parquet": "PAR1\x00\x00\x00\x00\xff\xff\xff\x7fPAR1",
	} {
		x.put(name, text)
		r := x.post("/api/v1/projects", fmt.Sprintf(`{"data":%q}`, name)).wants(202)
		if l := x.ready(into[Started](r).ID); l.State != stateFailed || l.Error == "" ||
			strings.HasPrefix(l.Error, "something failed") {
			t.Errorf("%s: %+v", name, l)
		}
	}
	// One row is little, but no fault: there is nothing to ask.
	x.put("one.csv", "a,b\n1,2\n")
	if turn := into[project.Turn](x.get(x.begin("one.csv") + "/turn").
		wants(200)); turn.Question != nil || turn.Done == "" {
		t.Errorf("of one row there is %+v", turn)
	}
	// Constant data, and more groups than rows, are odd, but must not fail oddly.
	x.put("constant.csv", "a,b\n"+strings.Repeat("1,1\n", 20))
	x.put("few.csv", table(5))
	for _, request := range []string{`{"data":"constant.csv"}`,
		`{"data":"few.csv","settings":{"super-instances":"1000"}}`,
		`{"data":"few.csv","settings":{"method":"evclus","clusters":"50"}}`,
		`{"data":"constant.csv","settings":{"method":"evclus","clusters":"2"}}`} {
		id := into[Started](x.post("/api/v1/projects", request).wants(202)).ID
		switch l := x.ready(id); {
		case l.State == stateOpen:
			x.get("/api/v1/projects/" + id + "/turn").wants(200)
			x.get("/api/v1/projects/" + id + "/groups").wants(200)
			x.get("/api/v1/projects/" + id + "/map/info").wants(200)
			x.get("/api/v1/projects/" + id + "/exports/picture.svg").wants(200)
		case l.Error == "" || strings.HasPrefix(l.Error, "something failed"):
			t.Errorf("%s: %+v", request, l)
		}
	}
	for _, settings := range []string{`{"clusters":"-3"}`, `{"method":"magic"}`, `{"nonsense":"1"}`,
		`{"super-instances":"lots"}`, `{"seed":"-1"}`} {
		r := x.post("/api/v1/projects", `{"data":"iris","settings":`+settings+`}`)
		if r.status == 422 {
			continue
		}
		if l := x.ready(into[Started](r.wants(202)).ID); l.State != stateFailed || l.Error == "" {
			t.Errorf("settings %s: %+v", settings, l)
		}
	}
}

// A method that there is not is refused at once, and what is not there has a fix.
func TestWhatIsNotThereIsRefusedAtOnce(t *testing.T) {
	x := open(t, Config{})
	wrong := `{"data":"iris","settings":{"method":"kmeens"}}`
	p := x.post("/api/v1/projects", wrong).problem(422, "input")
	if !strings.Contains(p.Detail, "did you mean kmeans?") || !slices.Equal(p.Settings,
		[]string{"method"}) {
		t.Errorf("a method that there is not: %+v", p)
	}
	p = x.get(x.begin("iris")+"/search?like=99999").problem(404, "not-found")
	if !strings.Contains(p.Detail, "there is no row 99999") || !strings.Contains(p.Fix, "from 0") {
		t.Errorf("a row that there is not: %+v", p)
	}
}

// A panic in one request: that request fails, and the server goes on.
func TestPanicInOneRequest(t *testing.T) {
	x := open(t, Config{})
	boom := httptest.NewUnstartedServer(
		x.server.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/api/v1/late" {
				w.Write([]byte("begun"))
				http.NewResponseController(w).Flush()
			}
			panic("boom")
		})))
	boom.Start()
	defer boom.Close()
	y := *x
	y.at = boom.Listener.Addr().String()
	r := y.get("/api/v1/me")
	request := r.header.Get(requestHeader)
	p := r.problem(500, "")
	told := p.Detail
	if strings.Contains(told, "boom") || !strings.HasSuffix(told, " under request "+request) ||
		p.Request != request {
		t.Errorf("the client is told %+v", p)
	}
	// One that had begun to answer breaks off, so that nobody takes the part for the whole.
	c, err := net.Dial("tcp", y.at)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fmt.Fprintf(c, "GET /api/v1/late HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n\r\n",
		y.at, x.token)
	resp, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(resp.Body); err == nil {
		t.Errorf("a broken answer came as whole: %q", text)
	}
	said := x.log.String()
	_, entry, found := strings.Cut(said, `msg="a request panicked" request=`+request)
	if !found || !strings.Contains(entry, "panic=boom") ||
		!strings.Contains(entry, "fault_test.go") {
		t.Errorf("the log does not say what panicked, and where: %s", said)
	}
	if strings.Contains(said, x.token) {
		t.Error("the token is in the log")
	}
	x.get("/api/v1/me").wants(200)
}

// Disk full: an export that cannot be written is an error before the first byte, not half a file.
func TestNowhereToWriteExports(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "nowhere"))
	t.Setenv("TMP", filepath.Join(t.TempDir(), "nowhere"))
	r := x.get(p + "/exports/partition.csv")
	if r.problem(500, ""); r.header.Get("Content-Disposition") != "" {
		t.Error("a download was begun")
	}
}

// Whoever asks without end is slowed down, and guessing tokens sooner than asking; others are not
// hurt by it.
func TestLimits(t *testing.T) {
	x := open(t, Config{})
	right := x.token
	x.token = "guess"
	seldom := rate.Every(time.Hour) // else the limits would fill up again while a slow machine asks
	x.server.limits.wrongToken.SetLimit(seldom)
	var last reply
	for range wrongBurst + 20 {
		last = x.get("/api/v1/me")
	}
	if last.status != 429 || last.header.Get("Retry-After") == "" {
		t.Errorf("guessing tokens is not slowed down: %d, %v", last.status, last.header)
	}
	x.token = right
	x.get("/api/v1/me").wants(200)
	x.server.limits.people[""].SetLimit(seldom)
	for x.server.limits.allow("") {
	}
	if r := x.get("/api/v1/me").wants(429); r.header.Get("Retry-After") == "" {
		t.Error("nobody says when to come again")
	}
}
