package studio

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
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
