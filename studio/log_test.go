package studio

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// TestTheLogNamesTheRequest has a call fail: its answer names a request, under which the log has
// the cause.
func TestTheLogNamesTheRequest(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	nowhere := filepath.Join(t.TempDir(), "nowhere")
	t.Setenv("TMPDIR", nowhere)
	t.Setenv("TMP", nowhere)
	r := x.get(p + "/exports/partition.csv")
	request := r.header.Get(requestHeader)
	told, want := r.problem(500, "").Detail, "its log says more under request "+request
	if request == "" || !strings.HasSuffix(told, want) {
		t.Errorf("the client is told %q of request %q", told, request)
	}
	line := regexp.MustCompile(`level=ERROR msg="a call failed" request=` + request +
		` call=\S+ error=.*nowhere`)
	if !line.MatchString(x.log.String()) {
		t.Errorf("the log does not say why: %s", x.log)
	}
	if strings.Contains(x.log.String(), x.token) {
		t.Error("the token is in the log")
	}
}

// TestTheLogHasNoCells opens data that cannot be read: the log says where, without what is there.
func TestTheLogHasNoCells(t *testing.T) {
	x := open(t, Config{})
	x.put("data.csv", "name,height\na,1\nb,2\nc,3\nd,private\n")
	begun := x.post("/api/v1/projects", `{"data":"data.csv","settings":{}}`).wants(202)
	id := into[Started](begun).ID
	if l := x.ready(id); l.State != stateFailed || !strings.Contains(l.Error, "private") {
		t.Fatalf("the project is %s: %s", l.State, l.Error)
	}
	eventually(t, "the log says what could not be opened", func() bool {
		return strings.Contains(x.log.String(), `level=WARN msg="a project could not be opened" `+
			`request=`+begun.header.Get(requestHeader)+` project=data fault.file=data.csv fault.line=5 fault.column=height`)
	})
	if strings.Contains(x.log.String(), "private") {
		t.Errorf("a cell is in the log: %s", x.log)
	}
}

// TestRequestsAreLogged by their routes: what only reads as debug, and with the name that the client
// gave, unless that is no name.
func TestRequestsAreLogged(t *testing.T) {
	x := open(t, Config{})
	x.get("/api/v1/projects/nothing?shown="+x.token, requestHeader+": from-proxy_1.2")
	x.get("/api/v1/me", requestHeader+": of two words")
	x.get("/app.js")
	x.stop()
	for _, want := range []string{
		`level=INFO msg=request request=from-proxy_1\.2 method=GET ` +
			`route="GET /api/v1/projects/{p}" status=4\d\d took=\S+ bytes=[1-9]`,
		`level=DEBUG msg=request request=[0-9a-f]{12} method=GET route="GET /api/v1/me" status=200`,
		`level=DEBUG msg=request request=[0-9a-f]{12} method=GET route=/ status=200 `,
	} {
		if !regexp.MustCompile(want).MatchString(x.log.String()) {
			t.Errorf("the log has no %s: %s", want, x.log)
		}
	}
	if strings.Contains(x.log.String(), x.token) {
		t.Error("the token is in the log")
	}
}

// TestEveryProblemHasItsRequest, whoever refuses it: a call, the checks before it, the library.
func TestEveryProblemHasItsRequest(t *testing.T) {
	x := open(t, Config{})
	for _, r := range []reply{x.get("/api/v1/projects/none"), x.get("/api/v1/none"),
		x.get("/api/v1/me", "Authorization: Bearer none"), x.post("/api/v1/projects", "{}"),
		x.post("/api/v1/projects", "{"), x.send("PUT", "/api/v1/me", "{}")} {
		if p := into[Problem](r); r.status < 400 || p.Request == "" ||
			p.Request != r.header.Get(requestHeader) {
			t.Errorf("%s is of request %q, and has %+v", r.call, r.header.Get(requestHeader), p)
		}
	}
}

// TestWhatGoesOnBesideRequestsOutlivesAPanic, which is logged with its stack.
func TestWhatGoesOnBesideRequestsOutlivesAPanic(t *testing.T) {
	x := open(t, Config{})
	times := 0
	x.server.keepDoing(t.Context(), "a test", func(context.Context) {
		if times++; times == 1 {
			panic(errors.New("boom"))
		}
	})
	line := `level=ERROR msg="the server panicked" in="a test" panic=boom stack=".*log_test.go`
	if times != 2 || !regexp.MustCompile(line).MatchString(x.log.String()) {
		t.Errorf("done %d times, and logged: %s", times, x.log)
	}
}

// TestCausesHaveNoContent: a panic about a value is logged by its type, and trouble by its kind.
func TestCausesHaveNoContent(t *testing.T) {
	row := struct{ Cell string }{"private"}
	for want, err := range map[string]error{
		"panic=a value of type":   fmt.Errorf("fitting: %w", fault.Recovered(row)),
		"kind=disk-full":          &fault.Storage{Kind: fault.Full, File: "a.kindred"},
		"[file=a.csv column=x y]": fault.Inputf("", "%q is odd", "private").In("a.csv"),
	} {
		if in := (*fault.Input)(nil); errors.As(err, &in) {
			in.Column = "x y"
		}
		said := cause(err).String()
		if !strings.Contains(said, want) || strings.Contains(said, "private") {
			t.Errorf("%q does not say %q", said, want)
		}
	}
}
