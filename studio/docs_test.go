package studio

import (
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
)

// described returns all calls of the API's description, as "GET /api/v1/…", with the project
// digits.
func described(t *testing.T, x *studio) []string {
	t.Helper()
	var spec struct {
		OpenAPI string
		Servers []struct{ URL string }
		Paths   map[string]map[string]json.RawMessage
	}
	if err := json.Unmarshal(x.get("/api/v1/openapi.json").wants(200).body, &spec); err != nil {
		t.Fatal(err)
	}
	if spec.OpenAPI != "3.1.0" || len(spec.Servers) != 1 || spec.Servers[0].URL != apiBase {
		t.Fatalf("the description is of OpenAPI %q at %v", spec.OpenAPI, spec.Servers)
	}
	var calls []string
	fill := strings.NewReplacer("{p}", "digits", "{c}", "1", "{row}", "0", "{seq}", "1", "{name}",
		"ann", "{file}", "partition.csv")
	for path, methods := range spec.Paths {
		for method := range methods {
			calls = append(calls, strings.ToUpper(method)+" "+apiBase+fill.Replace(path))
		}
	}
	return calls
}

// The documentation has every call and every kind of problem, and asks nothing from elsewhere.
func TestDocumentation(t *testing.T) {
	x := open(t, Config{})
	r := x.get("/api/v1/docs").wants(200)
	text := string(r.body)
	if got := r.header.Get("Content-Type"); got != "text/html; charset=utf-8" {
		t.Errorf("it is %q", got)
	}
	for _, bad := range []string{"<script", "<style", " style=", "http://", "https://",
		"<no value>", "BodyStruct"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	var spec struct {
		Paths      map[string]map[string]struct{ OperationID, Summary string }
		Components struct{ Schemas map[string]json.RawMessage }
	}
	if err := json.Unmarshal(x.get("/api/v1/openapi.json").body, &spec); err != nil {
		t.Fatal(err)
	}
	calls := 0
	for path, methods := range spec.Paths {
		for method, op := range methods {
			calls++
			if op.Summary == "" || !strings.Contains(text, `<article id="`+op.OperationID+`">`) {
				t.Errorf("%s %s is not explained", method, path)
			}
		}
	}
	if calls < 38 {
		t.Errorf("only %d calls", calls)
	}
	for name := range spec.Components.Schemas {
		if !regexp.MustCompile(`^[A-Za-z]+$`).MatchString(name) || !strings.Contains(text,
			`id="type-`+name+`"`) {
			t.Errorf("the type %q is not explained", name)
		}
	}
	for _, target := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(text, `id="`+target[1]+`"`) {
			t.Errorf("a link leads to #%s, which is not there", target[1])
		}
	}
	for _, k := range problemKinds {
		if !strings.Contains(string(spec.Components.Schemas["Problem"]), problemBase+k.Name) {
			t.Errorf("the description of problems does not have %s", k.Name)
		}
		if to := x.get(problemBase +
			k.Name).wants(303).header.Get("Location"); !strings.Contains(text,
			`id="`+to[strings.IndexByte(to, '#')+1:]+`"`) {
			t.Errorf("%s leads to %s", k.Name, to)
		}
	}
	if kind := x.get("/api/v1/docs.css").wants(200).
		header.Get("Content-Type"); kind != "text/css; charset=utf-8" {
		t.Errorf("its style is %q", kind)
	}
}

// What the API does not have is said as a problem, with the methods that there are.
func TestUnknownCalls(t *testing.T) {
	x := open(t, Config{})
	x.get("/api/v1/nothing").problem(404, "not-found")
	x.get("/api/").problem(404, "not-found")
	r := x.send("PUT", "/api/v1/me", "{}")
	if r.problem(405, ""); r.header.Get("Allow") != "GET" {
		t.Errorf("allowed is %q", r.header.Get("Allow"))
	}
	x.send("DELETE", "/app.js", "").wants(405)
}

// Each call has a sample for curl, which names what the call requires.
func TestDocumentationHasSamples(t *testing.T) {
	x := open(t, Config{})
	text := html.UnescapeString(string(x.get("/api/v1/docs").wants(200).body))
	for _, want := range []string{
		`curl -H "Authorization: Bearer $TOKEN" "$KINDRED/api/v1/projects/digits"`,
		`-d '{"a": 0, "answer": "same", "b": 1}'`,
		`"$KINDRED/api/v1/projects/digits/guess?a=0&b=1"`,
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the page has no %s", want)
		}
	}
	if strings.Contains(text, "$KINDRED/api/v1/projects/{") {
		t.Error("a sample has a name for a value")
	}
}
