package studio

import (
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// description is the API as a client reads it.
type description struct {
	Paths map[string]map[string]struct {
		Responses map[string]struct {
			Content map[string]struct{ Schema *schema }
		}
	}
	Components struct{ Schemas map[string]*schema }
}

// schema is as much of JSON Schema as the description uses.
type schema struct {
	Ref                  string `json:"$ref"`
	Type                 any    // a name, or several
	Format               string
	Enum                 []any
	Properties           map[string]*schema
	Required             []string
	AdditionalProperties any // false, or a schema
	Items                *schema
	Minimum, Maximum     *float64
	ExclusiveMinimum     *float64
}

// check tells where a value is not as a schema says.
func (d *description) check(s *schema, v any, at string) (wrong []string) {
	for s.Ref != "" {
		if s = d.Components.Schemas[s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]]; s == nil {
			return []string{at + ": its type is not described"}
		}
	}
	types, _ := s.Type.([]any)
	if name, ok := s.Type.(string); ok {
		types = []any{name}
	}
	is := ""
	switch v := v.(type) {
	case nil:
		is = "null"
	case bool:
		is = "boolean"
	case string:
		is = "string"
		if _, err := time.Parse(time.RFC3339Nano, v); s.Format == "date-time" && err != nil {
			wrong = append(wrong, at+": "+err.Error())
		}
	case float64:
		if is = "number"; slices.Contains(types, any("integer")) && v == math.Trunc(v) {
			is = "integer"
		}
		if s.Minimum != nil && v < *s.Minimum || s.Maximum != nil && v > *s.Maximum ||
			s.ExclusiveMinimum != nil && v <= *s.ExclusiveMinimum {
			wrong = append(wrong, fmt.Sprintf("%s: %g is out of bounds", at, v))
		}
	case []any:
		is = "array"
		for i, x := range v {
			if s.Items != nil {
				wrong = append(wrong, d.check(s.Items, x, fmt.Sprintf("%s[%d]", at, i))...)
			}
		}
	case map[string]any:
		is = "object"
		for _, name := range s.Required {
			if _, ok := v[name]; !ok {
				wrong = append(wrong, at+": "+name+" is missing")
			}
		}
		for name, x := range v {
			p := s.Properties[name]
			if more, ok := s.AdditionalProperties.(map[string]any); p == nil && ok {
				text, _ := json.Marshal(more)
				p = &schema{}
				json.Unmarshal(text, p)
			}
			if p == nil && s.AdditionalProperties == any(true) {
				continue
			}
			if p == nil {
				wrong = append(wrong, at+": "+name+" is not described")
				continue
			}
			wrong = append(wrong, d.check(p, x, at+"."+name)...)
		}
	}
	if !slices.Contains(types, any(is)) {
		wrong = append(wrong, fmt.Sprintf("%s: %s instead of %v", at, is, types))
	}
	if len(s.Enum) > 0 && !slices.Contains(s.Enum, v) {
		wrong = append(wrong, fmt.Sprintf("%s: %v is none of %v", at, v, s.Enum))
	}
	return wrong
}

// Each answer, good or bad, is as the description of its call says.
func TestAnswersAreAsDescribed(t *testing.T) {
	x := open(t, Config{People: []string{"ann", "bob"}})
	ann, bob := x.as("ann"), x.as("bob")
	var api description
	if err := json.Unmarshal(x.get("/api/v1/openapi.json").wants(200).body, &api); err != nil {
		t.Fatal(err)
	}
	patterns := map[string]*regexp.Regexp{}
	for path := range api.Paths {
		patterns[path] = regexp.MustCompile("^" +
			regexp.MustCompile(`\\\{[a-z]+\\\}`).ReplaceAllString(regexp.QuoteMeta(apiBase+path),
				"[^/]+") + "$")
	}
	seen := map[string]bool{}
	check := func(r reply) {
		t.Helper()
		method, address, _ := strings.Cut(r.call, " ")
		address, _, _ = strings.Cut(address, "?")
		called := ""
		for path, pattern := range patterns {
			if pattern.MatchString(address) && len(path) > len(called) &&
				api.Paths[path][strings.ToLower(method)].Responses != nil {
				called = path
			}
		}
		responses := api.Paths[called][strings.ToLower(method)].Responses
		response, good := responses[fmt.Sprint(r.status)]
		if !good {
			response = responses["default"]
		} else {
			seen[method+" "+called] = true
		}
		kind, _, _ := strings.Cut(r.header.Get("Content-Type"), ";")
		content, ok := response.Content[kind]
		if !ok {
			for k := range response.Content {
				if k == "*/*" || k == "image/*" && strings.HasPrefix(kind, "image/") {
					return
				}
			}
			t.Errorf("%s: %d came as %q: %.300s", r.call, r.status, kind, r.body)
			return
		}
		if !strings.HasSuffix(kind, "json") {
			return
		}
		for i, wrong := range api.check(content.Schema, into[any](r), "answer") {
			if i < 5 {
				t.Errorf("%s: %d: %s", r.call, r.status, wrong)
			}
		}
	}
	x.put("texts.csv", "id,text\na,a cat sat on the mat\nb,a cat ran over the mat\nc,rain falls "+
		"in spring\nd,spring brings rain\ne,the cat and the mat\nf,rain and more rain\n")
	x.put("constant.csv", "x,y\n"+strings.Repeat("1,1\n", 12))
	x.put("one.csv", "x,y\n1,2\n")
	check(x.get("/api/v1/me"))
	check(x.get("/api/v1/health"))
	check(x.get("/api/v1/sources"))
	check(x.get("/api/v1/methods"))
	type begun struct {
		data     string
		settings []string
	}
	projects := []begun{
		{"iris", []string{"super-instances", "10"}},
		{"wine", []string{"method", "evclus", "clusters", "3"}},
		{"texts.csv", []string{"text", "text", "clusters", "2"}}, {"constant.csv", nil},
		{"one.csv", nil},
	}
	if !testing.Short() {
		projects = append(projects, begun{"digits", nil},
			begun{"iris", []string{"method", "kevclus", "clusters", "3"}})
	}
	for _, c := range projects {
		p := ann.begin(c.data, c.settings...)
		get := func(paths ...string) {
			for _, path := range paths {
				check(ann.get(p + path))
			}
		}
		look := func() {
			get("", "/turn", "/guess?a=0&b=1", "/guess?a=0&b=100000",
				"/explain?a=0&b=1", "/explain?a=0&b=100000", "/history", "/links",
				"/contradictions", "/groups", "/groups/1/members",
				"/groups/1/members?order=doubtful",
				"/groups/0/members", "/groups/99/members", "/doubts", "/doubts?least=true",
				"/objects?rows=0,1", "/objects?rows=x", "/objects/0", "/objects/100000",
				"/objects/0/picture", "/map/info", "/partition", "/masses", "/pictures", "/people",
				"/exports/answers.csv", "/exports/picture.svg", "/exports/model.json",
				"/map/points", "/map/places", "/search", "/search?q=cat", "/search?q=-cat",
				"/search?q=cat&by=meaning", "/search?like=0", "/search?doubtful=true&limit=3")
			check(bob.get(p + "/turn"))
			check(x.get("/api/v1/projects"))
		}
		look()
		for i, s := range []*studio{ann, bob, ann} {
			check(s.post(p+"/answers", fmt.Sprintf(`{"id":"a%d","a":0,"b":%d,"answer":%q}`, i,
				1+i/2, []string{"same", "different", "same"}[i])))
		}
		for _, plan := range []string{`{"do":"merge","rows":[0,149]}`, `{"do":"split","rows":[0,1]}`,
			`{"do":"move","rows":[0,3],"to":149}`, `{"do":"move","rows":[0,3],"to":4}`} {
			check(ann.post(p+"/plan", plan))
		}
		check(ann.post(p+"/links",
			`{"id":"l1","pairs":[{"a":1,"b":3,"link":"same"},{"a":2,"b":3,"link":"unknown"}]}`))
		check(ann.post(p+"/answers", `{"id":"c1","a":1,"b":2,"answer":"different"}`))
		check(ann.post(p+"/answers", `{"id":"c1","a":1,"b":2,"answer":"different","keep":true}`))
		check(ann.post(p+"/skips", `{"id":"s1","a":3,"b":4}`))
		check(ann.post(p+"/bad", `{"id":"b1","row":5}`))
		check(ann.post(p+"/names", `{"id":"n1","row":0,"name":"group of <b>"}`))
		check(ann.post(p+"/undo", `{"id":"u1"}`))
		check(ann.post(p+"/redo", `{"id":"r1"}`))
		check(ann.post(p+"/redo", `{"id":"r2"}`))
		check(ann.send("PATCH", p+"/history/1", `{"id":"e1","answer":"unknown"}`))
		check(ann.send("PATCH", p+"/history/1", `{"id":"e2","answer":"same"}`, `If-Match: "1"`))
		check(bob.send("DELETE", p+"/history/2?id=d1", ""))
		check(bob.send("PUT", p+"/sharing", `{"overlap":0,"repeat":0,"discount":true}`))
		check(ann.send("PUT", p+"/sharing", `{"overlap":0.1,"repeat":0.1,"discount":true}`))
		check(ann.send("PUT", p+"/people/bob", `{"reliability":0.5}`))
		check(ann.post(p+"/answers", `{"a":"0"}`))
		look()
	}
	check(ann.post("/api/v1/projects", `{"data":"nowhere"}`))
	check(ann.post("/api/v1/preview", `{"data":"one.csv"}`))
	check(ann.post("/api/v1/preview", `{"data":"nowhere"}`))
	check(ann.post("/api/v1/preview", `{"data":"texts.csv","settings":{"text":"text"}}`))
	check(ann.get("/api/v1/preview"))
	check(ann.post("/api/v1/projects/iris/open", `{}`))
	check(ann.post("/api/v1/projects/none/open", `{}`))
	check(ann.post("/api/v1/projects/iris/settings", `{"settings":{"seed":"2"}}`))
	check(ann.get("/api/v1/projects/iris/turn")) // opening, or open again
	check(ann.post("/api/v1/links", `{"person":"bob"}`))
	check(bob.post("/api/v1/links", `{"person":"ann"}`))
	check(ann.post("/api/v1/links", `{"person":"nobody"}`))
	check(ann.post("/api/v1/links", `{"person":1}`))
	if testing.Short() {
		return
	}
	for path, methods := range api.Paths {
		for method := range methods {
			if call := strings.ToUpper(method) + " " + path; !seen[call] &&
				!strings.HasSuffix(call, "/events") && call != "POST /projects" {
				t.Errorf("%s was never called with success", call)
			}
		}
	}
}
