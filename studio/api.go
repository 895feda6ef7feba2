package studio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// apiBase is where the API is.
const apiBase = "/api/v1"

// deepestJSON is how far values of a request may be nested.
const deepestJSON = 16

// routes puts the page and the API behind the guard.
func (s *Server) routes(page static) http.Handler {
	mux := http.NewServeMux()
	api := humago.NewWithPrefix(mux, apiBase, s.apiConfig())
	api.UseMiddleware(noEmptyValues(api))
	s.register(api)
	mux.HandleFunc("GET "+apiBase+"/openapi.json", serveSpec(api))
	serveDocs(mux, api)
	mux.HandleFunc("/api/", s.unknown(mux))
	mux.Handle("/", page)
	return s.guard(mux)
}

// noEmptyValues refuses parameters without a value, which the library takes for missing ones,
// unless no text is a value of theirs.
func noEmptyValues(api huma.API) func(huma.Context, func(huma.Context)) {
	return func(ctx huma.Context, next func(huma.Context)) {
		address := ctx.URL()
		given := address.Query()
		for _, p := range ctx.Operation().Parameters {
			if s := p.Schema; p.In == "query" && given.Has(p.Name) && given.Get(p.Name) == "" &&
				(s.Type != huma.TypeString || s.MinLength != nil && *s.MinLength > 0 ||
					len(s.Enum) > 0 && !slices.Contains(s.Enum, any(""))) {
				huma.WriteErr(api, ctx, http.StatusUnprocessableEntity, "validation failed",
					&huma.ErrorDetail{Location: "query." + p.Name,
						Message: "expected a value: leave " + p.Name + " out where it has none"})
				return
			}
		}
		next(ctx)
	}
}

// unknown answers what the API does not have.
func (s *Server) unknown(mux *http.ServeMux) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		p := kindNotFound.problem(fmt.Sprintf("the API has no %s %.200s", r.Method, r.URL.Path),
			"see "+apiBase+"/docs for what it has")
		var others []string
		for _, method := range []string{http.MethodGet, http.MethodPost, http.MethodPut,
			http.MethodPatch, http.MethodDelete} {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "/api/" {
				others = append(others, method)
			}
		}
		if others != nil {
			w.Header().Set("Allow", strings.Join(others, ", "))
			p.Status, p.Type, p.Title = http.StatusMethodNotAllowed, "about:blank",
				"The method is not allowed"
		}
		s.refuse(w, r, p)
	}
}

func (s *Server) apiConfig() huma.Config {
	format := huma.Format{Marshal: writeJSON, Unmarshal: readJSON}
	registry := huma.NewMapRegistry("#/components/schemas/", huma.DefaultSchemaNamer)
	return huma.Config{
		OpenAPI: &huma.OpenAPI{
			OpenAPI: "3.1.0",
			Info: &huma.Info{
				Title:   "kindred",
				Version: "v1",
				Description: "Clustering by a few answers: questions, answers, the groups that " +
					"follow, and files of them. docs/api.md in the sources walks through a " +
					"session.",
			},
			Servers: []*huma.Server{{URL: apiBase}},
			Components: &huma.Components{
				Schemas: registry,
				SecuritySchemes: map[string]*huma.SecurityScheme{
					"token": {Type: "http", Scheme: "bearer",
						Description: "the token in the link that kindred prints when it starts"},
					"cookie": {Type: "apiKey", In: "cookie", Name: "kindred-PORT",
						Description: "set by GET /?code=… of a link, for browsers"},
				},
			},
			Security: []map[string][]string{{"token": {}}, {"cookie": {}}},
		},
		Formats: map[string]huma.Format{"application/json": format,
			"json": format},
		DefaultFormat:                "application/json",
		RejectUnknownQueryParameters: true,
		Transformers:                 []huma.Transformer{kindly},
	}
}

// register registers every call.
func (s *Server) register(api huma.API) {
	s.projectCalls(api)
	s.previewCalls(api)
	s.methodCalls(api)
	s.lookCalls(api)
	s.searchCalls(api)
	s.stepCalls(api)
	s.mapCalls(api)
	s.resultCalls(api)
	s.eventCalls(api)
}

// kindly turns the library's own errors, about requests that are not as described, into problems,
// and lets every problem name its request.
func kindly(c huma.Context, _ string, v any) (any, error) {
	if p, ok := v.(*Problem); ok {
		return named(p, requestOf(c.Context())), nil
	}
	e, ok := v.(*huma.ErrorModel)
	if !ok {
		return v, nil
	}
	kind := kindRequest
	kind.Status = e.Status
	p := kind.problem("the request is not as the API describes it: "+e.Detail,
		"see "+apiBase+"/docs")
	if e.Status == http.StatusRequestEntityTooLarge {
		p = asProblem(&http.MaxBytesError{})
	}
	for i, detail := range e.Errors {
		if i == 20 {
			break
		}
		// not the value, which may be large
		p.Errors = append(p.Errors,
			&huma.ErrorDetail{Message: detail.Message, Location: detail.Location})
	}
	if len(p.Errors) > 0 {
		p.Detail = p.Errors[0].Message
		if at := p.Errors[0].Location; at != "" {
			p.Detail = at + ": " + p.Detail
		}
	}
	return named(p, requestOf(c.Context())), nil
}

// call describes a call, given its method and path in one. A description may follow the summary.
func call(id, address, tag, summary string, description ...string) huma.Operation {
	method, path, _ := strings.Cut(address, " ")
	return huma.Operation{OperationID: id, Method: method, Path: path, Summary: summary,
		Description: strings.Join(description, ""), Tags: []string{tag}}
}

// sends describes the response of a call that sends no JSON.
func sends(kind, description string, schema *huma.Schema) map[string]*huma.Response {
	return map[string]*huma.Response{"200": {Description: description,
		Content: map[string]*huma.MediaType{kind: {Schema: schema}}}}
}

func binarySchema() *huma.Schema { return &huma.Schema{Type: "string", Format: "binary"} }

// operation registers a call. The handler's errors become problems, and what is nobody's mistake is
// logged.
func operation[In, Out any](s *Server, api huma.API, op huma.Operation,
	handle func(context.Context, *In) (*Out, error)) {
	problem := api.OpenAPI().Components.Schemas.Schema(reflect.TypeFor[Problem](), true, "Problem")
	if op.Responses == nil {
		op.Responses = map[string]*huma.Response{}
	}
	op.Responses["default"] = &huma.Response{
		Description: "What went wrong",
		Content:     map[string]*huma.MediaType{"application/problem+json": {Schema: problem}},
	}
	op.MaxBodyBytes = mostBody + 1 // which it counts as too many
	huma.Register(api, op, func(ctx context.Context, in *In) (*Out, error) {
		out, err := handle(ctx, in)
		if err == nil {
			return out, nil
		}
		p := asProblem(err)
		s.logFailed(ctx, op.OperationID, p, err)
		if p.Type == problemBase+kindOpening.Name || p.Type == problemBase+kindBusy.Name {
			return nil, huma.ErrorWithHeaders(p, http.Header{"Retry-After": {"1"}})
		}
		return nil, p
	})
}

// serveSpec serves the description of the API, which is the same as long as the server lives.
func serveSpec(api huma.API) http.HandlerFunc {
	// the library's own error, which never gets out
	schemas := api.OpenAPI().Components.Schemas.Map()
	delete(schemas, "ErrorModel")
	kinds := make([]string, len(problemKinds))
	for i, k := range problemKinds {
		kinds[i] = problemBase + k.Name
	}
	schemas["Problem"].Properties["type"].Description += ": " + strings.Join(kinds, ", ")
	spec, err := json.Marshal(api.OpenAPI())
	return func(w http.ResponseWriter, r *http.Request) {
		if err != nil {
			panic(err)
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		w.Write(spec) // a client that is gone needs no answer
	}
}

func writeJSON(w io.Writer, v any) error {
	// Escaping <, > and & costs little, and keeps the text harmless should it ever end up in
	// markup.
	return json.NewEncoder(w).Encode(v)
}

// readJSON reads a request's body, and refuses what is nested deeper than anything the API takes.
func readJSON(data []byte, v any) error {
	if !utf8.Valid(data) {
		return errors.New("the body is not UTF-8")
	}
	depth, inText, escaped := 0, false, false
	for i, b := range data {
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = b == '\\', b != '"'
		case b == '"':
			inText = true
		case b == '[' || b == '{':
			if depth++; depth > deepestJSON {
				return fmt.Errorf("the body is nested deeper than %d", deepestJSON)
			}
		case b == ']' || b == '}':
			depth--
		case bytes.HasPrefix(data[i:], []byte("null")):
			return errors.New("the body has null for a value: leave out what has none")
		}
	}
	err := json.Unmarshal(data, v)
	var other *json.UnmarshalTypeError
	if errors.As(err, &other) && strings.HasPrefix(other.Value, "number") {
		if whole, is := wholeNumbers(data); is {
			return json.Unmarshal(whole, v)
		}
	}
	return err
}

// wholeNumbers writes the whole numbers of a JSON text, such as 3.0 and 2e1, as integers, which
// JSON Schema takes them for; false where there are none but integers.
func wholeNumbers(data []byte) (_ []byte, found bool) {
	var v any
	in := json.NewDecoder(bytes.NewReader(data))
	in.UseNumber()
	if in.Decode(&v) != nil {
		return nil, false
	}
	var rewrite func(v any) any
	rewrite = func(v any) any {
		switch v := v.(type) {
		case map[string]any:
			for name, x := range v {
				v[name] = rewrite(x)
			}
		case []any:
			for i, x := range v {
				v[i] = rewrite(x)
			}
		case json.Number:
			f, err := v.Float64()
			if strings.ContainsAny(v.String(), ".eE") && err == nil && f == math.Trunc(f) &&
				math.Abs(f) < 1<<63 {
				found = true
				return int64(f)
			}
		}
		return v
	}
	v = rewrite(v)
	if !found {
		return nil, false
	}
	out, err := json.Marshal(v)
	return out, err == nil
}
