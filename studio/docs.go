package studio

import (
	"bytes"
	"cmp"
	_ "embed"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/danielgtaylor/huma/v2"
)

//go:embed docs.html
var docsText string

//go:embed docs.css
var docsStyle string

var docsTemplate = template.Must(template.New("docs").Parse(docsText))

// docs is what the page of the documentation shows.
type docs struct {
	Title, About, Address string
	Sections              []docsSection
	Types                 []docsType
	Problems              []problemKind
}

type docsSection struct {
	Name  string
	Calls []docsCall
}

type docsCall struct {
	ID, Method, Path, Summary, Description string
	Sample                                 string // for curl
	Parameters                             []docsField
	Body                                   []docsField
	Status, Answer                         string
	// of the answer's type; "" where it is none of Types
	Ref string
}

type docsType struct {
	Name   string
	Fields []docsField
}

type docsField struct {
	Name, In, Type, Ref, Doc string
	Required                 bool
}

// sections are the parts of the documentation, in order, by the tags of calls.
var sections = []string{"server", "projects", "questions", "steps", "answers", "groups", "objects",
	"map", "results", "people", "events"}

// serveDocs serves the documentation, which is made from the description of the API and asks
// nothing from elsewhere.
func serveDocs(mux *http.ServeMux, api huma.API) {
	var page bytes.Buffer
	if err := docsTemplate.Execute(&page, describe(api.OpenAPI())); err != nil {
		// template and description are ours: every server has the same, which the tests have seen
		panic(err)
	}
	serve := func(path, kind string, text []byte) {
		mux.HandleFunc("GET "+apiBase+path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.Write(text) // a client that is gone needs no answer
		})
	}
	serve("/docs", "text/html; charset=utf-8", page.Bytes())
	serve("/docs.css", "text/css; charset=utf-8", []byte(docsStyle))
	for _, k := range problemKinds {
		mux.Handle("GET "+problemBase+k.Name,
			http.RedirectHandler(apiBase+"/docs#problem-"+k.Name, http.StatusSeeOther))
	}
}

// describe sorts the description of the API for reading.
func describe(spec *huma.OpenAPI) docs {
	d := docs{Title: spec.Info.Title, About: spec.Info.Description, Problems: problemKinds,
		Address: "127.0.0.1:8021"}
	byTag := map[string][]docsCall{}
	for _, path := range slices.Sorted(maps.Keys(spec.Paths)) {
		item := spec.Paths[path]
		for _, op := range []*huma.Operation{item.Get, item.Post, item.Put, item.Patch,
			item.Delete} {
			if op != nil && len(op.Tags) > 0 {
				byTag[op.Tags[0]] = append(byTag[op.Tags[0]], describeCall(spec, path, op))
			}
		}
	}
	for _, tag := range sections {
		d.Sections = append(d.Sections, docsSection{tag, byTag[tag]})
	}
	schemas := spec.Components.Schemas.Map()
	for _, name := range slices.Sorted(maps.Keys(schemas)) {
		d.Types = append(d.Types, docsType{name, describeFields(schemas[name])})
	}
	return d
}

func describeCall(spec *huma.OpenAPI, path string, op *huma.Operation) docsCall {
	c := docsCall{ID: op.OperationID, Method: op.Method, Path: apiBase + path, Summary: op.Summary,
		Description: op.Description}
	for _, p := range op.Parameters {
		kind, ref := describeType(p.Schema)
		c.Parameters = append(c.Parameters,
			docsField{Name: p.Name, In: p.In, Type: kind, Ref: ref, Doc: p.Description,
				Required: p.Required})
	}
	if op.RequestBody != nil {
		schema := op.RequestBody.Content["application/json"].Schema
		if schema.Ref != "" {
			schema = spec.Components.Schemas.SchemaFromRef(schema.Ref)
		}
		c.Body = describeFields(schema)
	}
	c.Sample = curl(c)
	for status, response := range op.Responses {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		c.Status = status
		for kind, media := range response.Content {
			if c.Answer = kind; kind == "application/json" {
				c.Answer, c.Ref = describeType(media.Schema)
			}
		}
	}
	return c
}

// samples are values of what stands in paths and bodies, by name.
var samples = map[string]string{"p": "digits", "c": "1", "row": "0", "seq": "1",
	"file": "partition.csv", "name": "ann", "rows": "0,1", "a": "0", "b": "1", "id": "x1",
	"answer": "same", "data": "iris", "person": "ann", "q": "words"}

// curl writes a call as a line for a shell: with what it requires, and no more.
func curl(c docsCall) string {
	path, query := c.Path, []string{}
	for _, p := range c.Parameters {
		value := cmp.Or(samples[p.Name], "1")
		switch {
		case p.In == "path":
			path = strings.ReplaceAll(path, "{"+p.Name+"}", value)
		case p.In == "query" && p.Required:
			query = append(query, p.Name+"="+value)
		}
	}
	if len(query) > 0 {
		path += "?" + strings.Join(query, "&")
	}
	line := `curl -H "Authorization: Bearer $TOKEN" `
	if c.Method != "GET" {
		line += "-X " + c.Method + " "
	}
	if c.Body != nil {
		var fields []string
		for _, f := range c.Body {
			if f.Required {
				fields = append(fields, fmt.Sprintf("%q: %s", f.Name, sampleOf(f)))
			}
		}
		line += "\\\n  -H 'Content-Type: application/json' -d '{" + strings.Join(fields, ", ") +
			"}' \\\n  "
	}
	return line + `"$KINDRED` + path + `"`
}

// sampleOf returns a value of a field as JSON.
func sampleOf(f docsField) string {
	value, known := samples[f.Name]
	switch {
	case strings.HasPrefix(f.Type, "list of "):
		return "[]"
	case f.Type == "integer" || f.Type == "number":
		return cmp.Or(value, "1")
	case f.Type == "boolean":
		return "true"
	case f.Ref != "" || f.Type == "object":
		return "{}"
	case !known:
		first, _, _ := strings.Cut(f.Type, ", ") // of the values that it may have
		value = cmp.Or(strings.TrimPrefix(first, "string"), f.Name)
	}
	return strconv.Quote(value)
}

func describeFields(schema *huma.Schema) []docsField {
	var fields []docsField
	for _, name := range slices.Sorted(maps.Keys(schema.Properties)) {
		p := schema.Properties[name]
		kind, ref := describeType(p)
		fields = append(fields,
			docsField{Name: name, Type: kind, Ref: ref, Doc: p.Description,
				Required: slices.Contains(schema.Required, name)})
	}
	return fields
}

// describeType returns a type in words, and which of the types it is or lists.
func describeType(s *huma.Schema) (kind, ref string) {
	switch {
	case s == nil:
		return "", ""
	case s.Ref != "":
		name := s.Ref[strings.LastIndexByte(s.Ref, '/')+1:]
		return name, name
	case s.Type == "array":
		kind, ref = describeType(s.Items)
		return "list of " + kind, ref
	case len(s.Enum) > 0:
		words := make([]string, len(s.Enum))
		for i, e := range s.Enum {
			words[i] = fmt.Sprint(e)
		}
		return strings.Join(words, ", "), ""
	}
	return s.Type, ""
}
