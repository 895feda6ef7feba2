package studio

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/project"
)

// notes are texts of two matters, and a class that is not shown.
func notes() string {
	var b strings.Builder
	b.WriteString("note,city,class\n")
	for i := range 24 {
		fmt.Fprintf(&b, "the %s of my card number n%d was lost,Bern,hidden\n",
			[]string{"front", "back"}[i/2%2], i)
		fmt.Fprintf(&b, "what is the exchange rate of %s on day d%d,Basel,secret\n",
			[]string{"euro", "dollar"}[i/2%2], i)
	}
	return b.String()
}

// found searches until texts are read.
func (x *studio) found(p, query string) project.Found {
	x.t.Helper()
	for {
		f := into[project.Found](x.get(p + "/search?" + query).wants(200))
		if f.Ready {
			return f
		}
	}
}

func TestSearch(t *testing.T) {
	x := open(t, Config{})
	x.put("notes.csv", notes())
	p := x.begin("notes.csv", "text", "note", "label", "class", "super-instances", "4")
	for query, want := range map[string]struct {
		total int
		by    string
	}{
		"q=exchange":          {24, "words"},
		"q=exch+euro&limit=5": {12, "words"},
		"q=" + url.QueryEscape(`"my card" -front`): {12, "words"},
		"q=basel":                    {24, "words"},
		"q=hidden":                   {0, "words"},
		"q=exchange+rate&by=meaning": {48, "meaning"},
		"like=0":                     {47, "likeness"},
		"":                           {48, "rows"},
		"answered=any":               {0, "rows"},
		"answered=none&q=basel":      {24, "words"},
		"person=nobody":              {0, "rows"},
	} {
		f := x.found(p, query)
		if f.Total != want.total || f.By != want.by || f.Members == nil {
			t.Errorf("%s: %d by %s, not %+v", query, f.Total, f.By, want)
		}
		if query == "q=exch+euro&limit=5" && len(f.Members) != 5 {
			t.Errorf("%s: %d members", query, len(f.Members))
		}
	}
	x.post(p+"/answers", `{"id":"a1","a":0,"b":1,"answer":"different"}`).wants(200)
	if f := x.found(p, "answered=different"); f.Total != 2 {
		t.Errorf("%d with an answer", f.Total)
	}
}

// TestWrongSearches are refused with a sentence, and what is a query to SQLite is text here.
func TestWrongSearches(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "super-instances", "3")
	for query, want := range map[string]struct {
		status int
		detail string
	}{
		"q=-lost": {422, "only excludes"},
		"q=" + url.QueryEscape(strings.Repeat("a ", 33)): {422, "33 words"},
		"q=" + strings.Repeat("a", 501):                  {422, "q"},
		"q=1&like=3":                                     {422, "q and like"},
		"like=150":                                       {404, "no row 150"},
		"group=77":                                       {404, "no group 77"},
		"group=-2":                                       {422, "group"},
		"answered=perhaps":                               {422, "answered"},
		"by=magic":                                       {422, "by"},
	} {
		r := x.get(p + "/search?" + query).wants(want.status)
		if problem := into[Problem](r); !strings.Contains(problem.Detail, want.detail) {
			t.Errorf("%.40s: %q", query, problem.Detail)
		}
	}
	for _, text := range []string{`"`, "NEAR(", "a AND", "id:1", "*", "^",
		"'; DROP TABLE documents; --", "\x00", "%", `""""`} {
		x.get(p + "/search?q=" + url.QueryEscape(text)).wants(200)
	}
}
