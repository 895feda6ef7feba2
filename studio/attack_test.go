package studio

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/project"
	"github.com/kindred-go/kindred/project/store"
)

// The attacks and faults that a local page for user files meets, as far as they come by HTTP. What
// comes by the files themselves alone is tested where those are read.

// Rebinding: a page elsewhere makes its own name lead to this machine, so that the browser takes
// both for one origin.
func TestRebinding(t *testing.T) {
	x := open(t, Config{Hosts: []string{"lab-pc", "kindred.example.org:443", "[2001:DB8::1]",
		"[2001:db8::2]:443"}})
	_, port, _ := net.SplitHostPort(x.at)
	for host, want := range map[string]int{
		x.at: 200, "localhost:" + port: 200, "LOCALHOST:" + port: 200, "[::1]:" + port: 200,
		"127.0.0.2:" + port: 200,
		"lab-pc":            200, "lab-pc:81": 200, "Lab-PC:" + port: 200,
		"kindred.example.org:443": 200,
		"[2001:db8::1]":           200, "[2001:db8::1]:" + port: 200, "[2001:db8::2]:443": 200,
		"[2001:db8::2]": 421, "[2001:db8::3]:" + port: 421,
		"kindred.example.org": 421, "kindred.example.org:80": 421, "lab-pc.": 421,
		"localhost.:" + port:   421,
		"evil.example:" + port: 421, "evil.example": 421, "127.0.0.1": 421, "127.0.0.1:1": 421,
		"localhost":                      421,
		"127.0.0.1.evil.example:" + port: 421, "localhost.evil.example:" + port: 421,
		"10.0.0.1:" + port:                    421,
		"127.0.0.1:" + port + ".evil.example": 421, "[::1]:" + port + "x": 421,
		"2130706433:" + port: 421,
	} {
		for _, path := range []string{"/api/v1/me", "/"} {
			// The browser says same-origin, since for it the origin is the attacker's own.
			r := x.get(path, "Host: "+host, "Sec-Fetch-Site: same-origin")
			if r.status != want {
				t.Errorf("%s by the name %q gave %d, want %d", path, host, r.status, want)
			}
		}
	}
}

// Cross-site GET and POST, with the token, as a browser would send the cookie of a person who is
// signed in.
func TestCrossSite(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	own := "http://" + x.at
	answer := `{"id":"x1","a":0,"b":60,"answer":"different"}`
	for _, c := range []struct {
		what, method, path, body string
		headers                  []string
		want                     int
	}{
		{"the page itself asks", "GET", p, "",
			[]string{"Sec-Fetch-Site: same-origin", "Sec-Fetch-Mode: cors"}, 200},
		{"a program asks", "GET", p, "", nil, 200},
		{"a person types the address", "GET", "/", "",
			[]string{"Sec-Fetch-Site: none", "Sec-Fetch-Mode: navigate",
				"Sec-Fetch-Dest: document"}, 200},
		{"a person follows a link", "GET", "/", "",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
				"Sec-Fetch-Dest: document"}, 200},
		{"a page elsewhere frames it", "GET", "/", "",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
				"Sec-Fetch-Dest: iframe"}, 403},
		{"a page elsewhere fetches", "GET", p, "",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: cors",
				"Origin: https://evil.example"}, 403},
		{"a page elsewhere embeds a picture", "GET", p + "/exports/picture.svg", "",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors",
				"Sec-Fetch-Dest: image"}, 403},
		{"a page elsewhere loads a script", "GET", p + "/links", "",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: no-cors",
				"Sec-Fetch-Dest: script"}, 403},
		{"a link leads to data", "GET", p + "/exports/answers.csv", "",
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
				"Sec-Fetch-Dest: document"}, 403},
		{"another server of this machine fetches", "GET", p, "",
			[]string{"Sec-Fetch-Site: same-site", "Origin: http://localhost:8080"}, 403},
		{"an old browser fetches for a page elsewhere", "GET", p, "",
			[]string{"Origin: https://evil.example"}, 403},
		{"a file on this disk fetches", "GET", p, "", []string{"Origin: null"}, 403},
		{"a page elsewhere answers", "POST", p + "/answers", answer,
			[]string{"Sec-Fetch-Site: cross-site", "Origin: https://evil.example"}, 403},
		{"an old browser answers for a page elsewhere", "POST", p + "/answers", answer,
			[]string{"Origin: https://evil.example"}, 403},
		{"another port of this machine answers", "POST", p + "/answers", answer,
			[]string{"Origin: http://127.0.0.1:1"}, 403},
		{"a link is followed by POST", "POST", "/", answer,
			[]string{"Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
				"Sec-Fetch-Dest: document"}, 403},
		{"a form elsewhere answers", "POST", p + "/answers", answer,
			[]string{"Content-Type: text/plain"}, 415},
		{"a form answers as forms do", "POST", p + "/answers", "a=0&b=60",
			[]string{"Content-Type: application/x-www-form-urlencoded"}, 415},
		{"a beacon answers", "POST", p + "/answers", answer,
			[]string{"Content-Type: text/plain;charset=UTF-8", "Origin: " + own}, 415},
		{"a preflight asks", "OPTIONS", p + "/answers", "",
			[]string{"Origin: https://evil.example", "Access-Control-Request-Method: POST"}, 403},
		{"a page elsewhere drops", "DELETE", p + "/history/1", "",
			[]string{"Origin: https://evil.example"}, 403},
	} {
		r := x.send(c.method, c.path, c.body, c.headers...)
		if r.status != c.want {
			t.Errorf("%s: %d, want %d: %.200s", c.what, r.status, c.want, r.body)
		}
		if r.header.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s: other origins are let in", c.what)
		}
	}
	if n := into[project.State](x.get(p)).Answers; n != 0 {
		t.Errorf("%d answers were taken", n)
	}
	x.post(p+"/answers", answer, "Origin: "+own, "Sec-Fetch-Site: same-origin").wants(200)
}

// A token on every route: pictures, exports, events, the documentation and the page's files too.
func TestEveryRouteWantsTheToken(t *testing.T) {
	x := open(t, Config{})
	x.begin("digits")
	routes := []string{"GET /", "GET /app.js", "GET /app.css", "GET /index.html", "GET /nothing",
		"GET /api/v1/openapi.json", "GET /api/v1/docs", "GET /api/v1/docs.css",
		"GET /api/v1/nothing", "GET /api/v1/problems/stale"}
	routes = append(routes, described(t, x)...)
	if len(routes) < 45 {
		t.Fatalf("only %d routes", len(routes))
	}
	wrong, link := x.server.tokens[0][1:]+"x", x.link()
	for _, route := range routes {
		method, path, _ := strings.Cut(route, " ")
		body := ""
		if method != "GET" && method != "DELETE" {
			body = "{}"
		}
		for what, headers := range map[string][]string{
			"without a token":     {"Authorization: "},
			"with a wrong token":  {"Authorization: Bearer " + wrong},
			"with a short token":  {"Authorization: Bearer " + wrong[:5]},
			"with another scheme": {"Authorization: Basic " + x.token},
			"with a wrong cookie": {"Authorization: ", "Cookie: kindred-1=" + x.token},
			"with a token in it":  {"Authorization: "},
			"with a code in it":   {"Authorization: "},
		} {
			at := path
			switch what {
			case "with a token in it":
				at += "?token=" + x.token
			case "with a code in it":
				if path != "/" { // that is how one comes in
					at += strings.TrimPrefix(link, "/")
				}
			}
			r := x.send(method, at, body, headers...)
			if r.status != 401 && r.status != 429 {
				t.Errorf("%s %s: %d", route, what, r.status)
			}
			if bytes.Contains(r.body, []byte("<script")) || r.header.Get("Set-Cookie") != "" {
				t.Errorf("%s %s gives something away", route, what)
			}
		}
	}
	x.token = ""
	x.get(link).wants(303) // none of them used it up
	r := x.get("/").wants(401)
	if r.header.Get("Content-Type") != "text/plain; charset=utf-8" ||
		!strings.Contains(string(r.body), "open a new link") {
		t.Errorf("without a token a person reads %q", r.body)
	}
	x.get("/api/v1/me").problem(401, "token")
	if strings.Contains(x.log.String(), x.server.tokens[0]) {
		t.Error("the token is in the log")
	}
}

// The code leaves the address bar at once, and the cookie that replaces it is out of reach of
// scripts and other sites. A token in an address opens nothing.
func TestCodeLeavesTheAddress(t *testing.T) {
	x := open(t, Config{})
	link, err := url.Parse(x.server.Link(""))
	if err != nil || link.Host != x.at {
		t.Fatalf("the address is %v, %v", link, err)
	}
	token := x.token
	x.token = ""
	r := x.get(link.RequestURI()).wants(http.StatusSeeOther)
	if to := r.header.Get("Location"); to != "/" {
		t.Errorf("it leads to %q", to)
	}
	cookie, err := http.ParseSetCookie(r.header.Get("Set-Cookie"))
	if err != nil {
		t.Fatal(err)
	}
	_, port, _ := net.SplitHostPort(x.at)
	if cookie.Name != "kindred-"+port || cookie.Value != token || !cookie.HttpOnly ||
		cookie.SameSite != http.SameSiteStrictMode || cookie.Path != "/" || cookie.Domain != "" {
		t.Errorf("the cookie is %v", cookie)
	}
	x.get("/", "Cookie: "+cookie.Name+"="+cookie.Value).wants(200)
	x.get("/api/v1/me", "Cookie: "+cookie.Name+"="+cookie.Value).wants(200)
	// Browsers send no strict cookie along with a redirect that began elsewhere: a page leads on
	// instead.
	if link, err = url.Parse(x.server.Link("")); err != nil {
		t.Fatal(err)
	}
	r = x.get(link.RequestURI(), "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate",
		"Sec-Fetch-Dest: document").wants(200)
	if !bytes.Contains(r.body, []byte(`http-equiv="refresh"`)) || bytes.Contains(r.body,
		[]byte(token)) || r.header.Get("Set-Cookie") == "" {
		t.Errorf("who comes from elsewhere gets %q", r.body)
	}
	x.get("/?code=wrong").wants(401)
	x.get("/?token=" + token).wants(401)
	x.get("/?code=" + token).wants(401)
	if strings.Contains(x.log.String(), token) {
		t.Error("the token is in the log")
	}
}

// What browsers are told with every answer, whatever it is.
func TestEveryAnswerIsHardened(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	for _, path := range []string{"/", "/app.js", "/nothing", "/api/v1/me", "/api/v1/nothing",
		"/api/v1/docs", p, p + "/exports/partition.csv", p + "/exports/picture.svg",
		p + "/map/points", p + "/objects/999999"} {
		h := x.get(path).header
		for name, want := range map[string]string{
			"X-Content-Type-Options": "nosniff", "X-Frame-Options": "DENY",
			"Referrer-Policy":              "no-referrer",
			"Cross-Origin-Opener-Policy":   "same-origin",
			"Cross-Origin-Resource-Policy": "same-origin",
		} {
			if h.Get(name) != want {
				t.Errorf("%s: %s is %q", path, name, h.Get(name))
			}
		}
		policy := h.Get("Content-Security-Policy")
		if !strings.HasPrefix(policy, "default-src 'none'") ||
			strings.Contains(policy, "unsafe-eval") ||
			strings.Contains(policy, "script-src 'unsafe") {
			t.Errorf("%s: the content policy is %q", path, policy)
		}
		if !strings.Contains(policy, "frame-ancestors 'none'") &&
			!strings.Contains(policy, "sandbox") {
			t.Errorf("%s may be framed: %q", path, policy)
		}
		if h.Get("Permissions-Policy") == "" || h.Get("Server") != "" {
			t.Errorf("%s: %v", path, h)
		}
		if strings.HasPrefix(path, "/api/") && h.Get("Cache-Control") != "no-store" {
			t.Errorf("%s may be kept: %q", path, h.Get("Cache-Control"))
		}
	}
}

// Scripts in cells, headers, ids and file names, and </script> in JSON: they come as text, never as
// markup.
func TestScriptsInData(t *testing.T) {
	const script = `</script><img src=x onerror=alert(1)>`
	x := open(t, Config{})
	var b strings.Builder
	w := csv.NewWriter(&b)
	w.Write([]string{"id", script, "n", "m"})
	for i := range 12 {
		w.Write([]string{fmt.Sprintf("%s%d", script, i), script, fmt.Sprint(i % 3), fmt.Sprint(i)})
	}
	w.Flush()
	x.put("<script>alert(1)<!--.csv", b.String())
	p := x.begin("<script>alert(1)<!--.csv", "features", "n,m", "id", "id")
	turn := into[project.Turn](x.get(p + "/turn").wants(200))
	if turn.Question == nil || !strings.HasPrefix(turn.Question.A.ID, script) {
		t.Fatalf("the data did not get through: %+v", turn.Question)
	}
	x.post(p+"/names", fmt.Sprintf(`{"row":0,"name":%q}`, script)).wants(200)
	for _, path := range []string{"", "/turn", "/groups", "/groups/1/members", "/doubts",
		"/objects/0", "/history", "/people", "/partition"} {
		r := x.get(p + path).wants(200)
		if bytes.ContainsAny(r.body, "<>") {
			t.Errorf("%s has markup in it", path)
		}
		if kind := r.header.Get("Content-Type"); kind != "application/json" {
			t.Errorf("%s came as %q", path, kind)
		}
	}
	for _, path := range []string{p + "/" + url.PathEscape(script),
		"/api/v1/" + url.PathEscape(script), "/api/v1/projects/" + url.PathEscape(script)} {
		if r := x.get(path); bytes.ContainsAny(r.body, "<>") || r.status != 404 {
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	picture := x.get(p + "/exports/picture.svg").wants(200)
	if bytes.Contains(picture.body, []byte("<script")) ||
		bytes.Contains(picture.body, []byte("<img")) {
		t.Error("the picture holds markup of the data")
	}
	if d := picture.header.Get("Content-Disposition"); strings.ContainsAny(d, "<>") ||
		!strings.HasPrefix(d, "attachment") {
		t.Errorf("the picture is named %q", d)
	}
}

// Formula cells on export.
func TestFormulasInExports(t *testing.T) {
	x := open(t, Config{})
	var b strings.Builder
	b.WriteString("id,n,m\n")
	for i := range 12 {
		fmt.Fprintf(&b, "\"=cmd|'/c calc'!A%d\",%d,%d\n", i, i%3, i)
	}
	x.put("sums.csv", b.String())
	p := x.begin("sums.csv", "id", "id")
	x.post(p+"/answers", `{"a":0,"b":1,"answer":"different"}`).wants(200)
	x.post(p+"/names", `{"row":0,"name":"=1+1"}`).wants(200)
	for _, file := range []string{"partition.csv", "answers.csv", "history.csv"} {
		rows, err := csv.NewReader(bytes.NewReader(x.get(p + "/exports/" + file).wants(200).body)).
			ReadAll()
		if err != nil || len(rows) < 2 {
			t.Fatalf("%s: %v, %v", file, rows, err)
		}
		for _, row := range rows {
			for _, cell := range row {
				if cell != "" && strings.ContainsAny(cell[:1], "=+-@") {
					t.Errorf("%s: the cell %q would be run", file, cell)
				}
			}
		}
	}
}

// Paths out of the folder: ../, encoded, absolute, drive and UNC, URLs; in the data to begin on,
// settings and ids.
func TestPathsOutOfTheFolder(t *testing.T) {
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret.csv")
	if err := os.WriteFile(secret, []byte("id,x,y\na,1,2\nb,3,4\nc,5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	x := open(t, Config{Root: filepath.Join(outside, "served")})
	x.put("own.csv", "id,x,y\na,1,2\nb,3,4\nc,5,6\n")
	elsewhere, err := store.Open(t.Context(), filepath.Join(outside, "other.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere.Close()
	paths := []string{
		"../secret.csv", "..", "/", secret, "./../secret.csv", "sub/../../secret.csv",
		`..\secret.csv`, "%2e%2e/secret.csv", "..%2fsecret.csv",
		`C:\secret.csv`, `\\host\share\secret.csv`, "//host/share/secret.csv", "file://" + secret,
		"http://127.0.0.1/secret.csv", "https://evil.example/x.csv",
		"-", "own.csv\x00.png", "\x00", "/etc/passwd", "/dev/zero", "/proc/self/environ",
		strings.Repeat("../", 50) + "etc/passwd", strings.Repeat("a", 900),
	}
	for _, path := range paths {
		text := fmt.Sprintf(`{"data":%s}`, quoted(path))
		if r := x.post("/api/v1/projects", text); r.status != 422 {
			t.Errorf("data %q: %d %s", path, r.status, r.body)
		}
		if path == "-" {
			continue
		}
		for _, setting := range []string{"links", "labels"} {
			r := x.post("/api/v1/projects", fmt.Sprintf(`{"data":"own.csv","settings":{%q:%s}}`,
				setting, quoted(path)))
			if r.status == 422 {
				continue
			}
			if l := x.ready(into[Started](r.wants(202)).ID); l.State != stateFailed ||
				l.Error == "" || strings.Contains(l.Error, "root:") {
				t.Errorf("%s %q: %+v", setting, path, l)
			}
		}
	}
	for _, id := range []string{"..%2fother", "%2e%2e%2fother",
		url.PathEscape(filepath.Join(outside, "other")), `..%5cother`, "%2e%2e", "%00", ".hidden",
		"served%2f..%2f..%2fother"} {
		for _, call := range []string{"", "/turn", "/exports/project.kindred"} {
			if r := x.get("/api/v1/projects/" + id + call); r.status != 404 && r.status != 301 &&
				r.status != 307 {
				t.Errorf("project %q%s: %d %s", id, call, r.status, r.body)
			}
		}
		if r := x.post("/api/v1/projects/"+id+"/open", "{}"); r.status != 404 && r.status != 301 &&
			r.status != 307 {
			t.Errorf("opening %q: %d", id, r.status)
		}
	}
	for _, file := range []string{"..%2f..%2fown.csv", "own.csv", "partition.csv%00.png", "..",
		"project.kindred-wal"} {
		p := "/api/v1/projects/own"
		if r := x.get(p + "/exports/" + file); r.status < 300 {
			t.Errorf("export %q: %d", file, r.status)
		}
	}
}

func quoted(text string) string {
	var b strings.Builder
	writeJSON(&b, text)
	return strings.TrimSpace(b.String())
}

// Settings that name files: those of the folder do, others do not, though they hold the same.
func TestSettingsThatNameFiles(t *testing.T) {
	outside := t.TempDir()
	x := open(t, Config{Root: filepath.Join(outside, "served")})
	var rows, vectors strings.Builder
	rows.WriteString("id,x,y\n")
	vectors.WriteString("id,u,v\n")
	for i := range 9 {
		fmt.Fprintf(&rows, "r%d,%d,%d\n", i, i%3, i)
		fmt.Fprintf(&vectors, "r%d,%d,%d\n", i, i%2, i*i)
	}
	x.put("rows.csv", rows.String())
	files := map[string]string{"links": "a,b,link\nr0,r3,same\n", "focal": "1\n2\n1+2\n",
		"embedding": vectors.String()}
	for setting, text := range files {
		name := setting + ".csv"
		x.put(name, text)
		if err := os.WriteFile(filepath.Join(outside, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		with := func(path string) Listed {
			r := x.post("/api/v1/projects",
				fmt.Sprintf(`{"data":"rows.csv","settings":{"id":"id","method":"evclus",`+
					`"clusters":"2",%q:%q}}`, setting, path))
			if r.status == 422 {
				return Listed{State: stateFailed, Error: string(r.body)}
			}
			return x.ready(into[Started](r.wants(202)).ID)
		}
		if l := with(name); l.State != stateOpen {
			t.Errorf("%s within the folder: %+v", setting, l)
		}
		for _, path := range []string{"../" + name, filepath.Join(outside, name), "./../" + name} {
			if l := with(path); l.State != stateFailed || l.Error == "" ||
				strings.HasPrefix(l.Error, "something failed") {
				t.Errorf("%s %s: %+v", setting, path, l)
			}
		}
	}
}

// Symbolic links out of the folder: of data, of a folder, of a project.
func TestSymbolicLinks(t *testing.T) {
	outside := t.TempDir()
	x := open(t, Config{Root: filepath.Join(outside, "served")})
	x.put("own.csv", "id,x,y\na,1,2\nb,3,4\nc,5,6\n")
	if err := os.WriteFile(filepath.Join(outside, "secret.csv"),
		[]byte("id,x,y\na,1,2\nb,3,4\nc,5,6\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	elsewhere, err := store.Open(t.Context(), filepath.Join(outside, "other.kindred"))
	if err != nil {
		t.Fatal(err)
	}
	elsewhere.Close()
	for name, to := range map[string]string{"link.csv": "../secret.csv", "out": "..",
		"other.kindred": "../other.kindred", "inside.csv": "own.csv"} {
		if err := os.Symlink(to, filepath.Join(x.folder, name)); err != nil {
			t.Skip("no symbolic links here")
		}
	}
	for _, data := range []string{"link.csv", "out/secret.csv", "out"} {
		x.post("/api/v1/projects", fmt.Sprintf(`{"data":%q}`, data)).wants(422)
	}
	x.post("/api/v1/projects/other/open", "{}").wants(404)
	if list := string(x.get("/api/v1/projects").body); strings.Contains(list, "other") {
		t.Errorf("a link counts as a project: %s", list)
	}
	if list := string(x.get("/api/v1/sources").body); strings.Contains(list, "secret") {
		t.Errorf("what lies outside is offered: %s", list)
	}
	x.begin("inside.csv") // a link within the folder is fine
}

// What a request line can say besides a path: the host in it counts, and nothing goes past the
// token.
func TestRequestTargets(t *testing.T) {
	x := open(t, Config{})
	token := "Authorization: Bearer " + x.token + "\r\n"
	for _, c := range []struct {
		line, host, token string
		want              int
	}{
		{"GET http://evil.example/api/v1/me", x.at, token, 421},
		{"GET http://" + x.at + "/api/v1/me", "evil.example", token, 200}, // as RFC 9112 has it
		{"GET http://" + x.at + "/api/v1/me", x.at, "", 401},
		{"OPTIONS *", x.at, "", 401},
		{"OPTIONS *", "evil.example", token, 421},
		{"CONNECT " + x.at, x.at, "", 401},
		{"TRACE /", x.at, "", 401},
		{"HEAD /api/v1/me", x.at, "", 401},
	} {
		conn, err := net.Dial("tcp", x.at)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(conn, "%s HTTP/1.1\r\nHost: %s\r\n%sConnection: close\r\n\r\n", c.line, c.host,
			c.token)
		resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
		if err != nil || resp.StatusCode != c.want ||
			resp.Header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s by the name %s: %v, %v, want %d", c.line, c.host, resp, err, c.want)
		}
		conn.Close()
	}
}
