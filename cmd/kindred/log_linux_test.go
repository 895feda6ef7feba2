package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// The log of a whole session, with all that can go wrong in it: every line is JSON, every answer is
// under the name of its request, and neither tokens, passwords nor what is in the data is there.
func TestTheLogOfASessionHoldsNoSecrets(t *testing.T) {
	for _, format := range []string{"json", "text"} {
		t.Run(format, func(t *testing.T) { session(t, format) })
	}
}

func session(t *testing.T, format string) {
	folder := t.TempDir()
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	table := "name,diagnosis,x,y\n"
	for i, name := range []string{"Hartono", "Okafor", "Lindqvist", "Tanaka", "Moreau", "Silva"} {
		table += name + ",secretitis," + string(rune('0'+i)) + ".125," + string(rune('9'-i)) + ".375\n"
	}
	write("people.csv", table)
	write("broken.csv", "name,height\nHartono,1\nOkafor,2\nMoreau,3\nSilva,verytall\n")
	write("clash.csv", "name,x\nHartono,1\nOkafor,2\nMoreau,3\nSilva,4\n")
	write("links.csv", "a,b,link\nHartono,Okafor,same\nHartono,Okafor,different\n")
	write("text.kindred", "Hartono's project")
	s := serving(t, folder, "--people", "ann,bob", "--log-format", format, "--log-level", "debug")
	printed := links.FindAllString(s.said(), -1)
	if len(printed) != 2 {
		t.Fatalf("%d links: %s", len(printed), s.said())
	}
	names := 0
	do := func(want int, method, path, body string, headers ...string) string {
		t.Helper()
		names++
		status, text, h := s.ask(method, path, body, headers...)
		if status != want {
			t.Errorf("%s %s: %d instead of %d: %s", method, path, status, want, text)
		}
		if h.Get("X-Request-Id") == "" {
			t.Errorf("%s %s has no name", method, path)
		}
		return string(text)
	}
	p := "/projects/people"
	do(202, "POST", "/projects",
		`{"data":"people.csv","settings":{"id":"name","drop":"diagnosis","super-instances":"3"}}`)
	s.settled("people")
	do(200, "POST", p+"/answers", `{"id":"a1","a":0,"b":1,"answer":"same"}`)
	do(200, "POST", p+"/answers", `{"id":"a2","a":1,"b":2,"answer":"same"}`)
	do(409, "POST", p+"/answers", `{"id":"a3","a":0,"b":2,"answer":"different"}`)
	do(200, "POST", p+"/names", `{"id":"n1","row":0,"name":"Carriers of secretitis"}`)
	do(200, "POST", p+"/undo", `{"id":"u1"}`)
	do(422, "POST", p+"/answers", `{"id":"a4","a":0,"b":99,"answer":"Hartono"}`)
	do(200, "GET", p+"/turn?shown=0-1", "")
	do(200, "GET", p+"/groups", "")
	do(200, "GET", p+"/exports/partition.csv", "")
	do(422, "GET", p+"/exports/Hartono", "")
	do(404, "GET", "/nothing/Hartono?token="+s.token, "")
	var made struct{ Link string }
	if err := json.Unmarshal([]byte(do(200, "POST", "/links", `{"person":"bob"}`)),
		&made); err != nil {
		t.Fatal(err)
	}
	printed = append(printed, made.Link)
	do(404, "POST", "/links", `{"person":"Hartono"}`)
	do(404, "GET", "/projects/Hartono", "")
	do(202, "POST", "/projects", `{"data":"broken.csv"}`)
	s.settled("broken")
	do(409, "GET", "/projects/broken", "")
	do(202, "POST", "/projects",
		`{"data":"clash.csv","settings":{"id":"name","links":"links.csv"}}`)
	s.settled("clash")
	do(202, "POST", "/projects/text/open", "{}")
	s.settled("text")
	for _, data := range []string{"postgres://carol:hunter2@127.0.0.1:1/db?table=t",
		"people.csv?password=hunter2"} {
		body, _ := json.Marshal(map[string]any{"data": data,
			"settings": map[string]string{"query": "SELECT 'hunter2'"}})
		s.ask("POST", "/projects", string(body))
		s.ask("POST", "/preview", string(body))
	}
	do(401, "GET", "/me?token=stolentoken", "", "Authorization: Bearer stolentoken")
	do(401, "GET", "/me", "", "Authorization: ", "Cookie: kindred-80=stolentoken")
	if text := do(403, "GET", "/me", "", "Origin: http://Hartono.example",
		"X-Request-Id: client-1"); !strings.Contains(text, `"request":"client-1"`) {
		t.Errorf("the problem is not of the request that the client named: %s", text)
	}
	if _, _, h := s.ask("GET", "/me", "", "X-Request-Id: not a {name}"); strings.Contains(
		h.Get("X-Request-Id"), " ") {
		t.Error("a request may have any name")
	}
	said := s.stop()
	var log []string
	for line := range strings.Lines(said) {
		if strings.HasPrefix(line, "{") || strings.HasPrefix(line, "time=") {
			log = append(log, line)
			if format == "json" && !json.Valid([]byte(line)) {
				t.Errorf("this is no JSON: %s", line)
			}
		}
	}
	all := strings.Join(log, "")
	for _, want := range []string{"client-1", "POST /api/v1/projects/{p}/answers", "DEBUG", "INFO",
		"WARN", "took", "bytes", "height", "damaged",
		"contradict"} {
		if !strings.Contains(all, want) {
			t.Errorf("the log has no %s", want)
		}
	}
	if strings.Count(all, "status") < names {
		t.Errorf("%d requests, and the log has %d", names, strings.Count(all, "status"))
	}
	secrets := []string{"Hartono", "Okafor", "Tanaka", "secretitis", "verytall", "Carriers", "9.375",
		"2.125", "hunter2", "stolentoken"}
	secrets = append(secrets, s.token)
	for _, link := range printed {
		_, code, _ := strings.Cut(link, "code=")
		secrets = append(secrets, code)
	}
	for _, secret := range secrets {
		// by themselves, as times have digits too
		alone := regexp.MustCompile(`(?:^|[^0-9])` + regexp.QuoteMeta(secret) + `(?:[^0-9]|$)`)
		if at := alone.FindStringIndex(all); at != nil {
			t.Errorf("the log has %q: …%s", secret, all[max(0, at[0]-200):min(len(all), at[1]+50)])
		}
	}
}
