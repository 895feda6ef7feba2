package studio

import (
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"
)

// Behind a proxy: what it adds to requests, and what it does to answers.

// A proxy that wants a password of its own sends it along; the cookie and the link count all the
// same.
func TestProxyWithPassword(t *testing.T) {
	x := open(t, Config{})
	_, port, _ := net.SplitHostPort(x.at)
	cookie := "Cookie: kindred-" + port + "=" + x.token
	x.get("/api/v1/me", "Authorization: Basic YW5uOmFubg==", cookie).wants(200)
	x.get(x.link(), "Authorization: Basic YW5uOmFubg==").wants(303)
	x.get("/api/v1/me", "Authorization: Bearer wrong", cookie).wants(401)
	// Only a code that is right becomes a cookie, whoever brings it.
	if r := x.get("/?code=wrong").wants(401); r.header.Get("Set-Cookie") != "" {
		t.Errorf("the cookie is %q", r.header.Get("Set-Cookie"))
	}
}

// The cookie is kept to HTTPS where a proxy under a name that the server was told of says that the
// browser came by it.
func TestSecureCookie(t *testing.T) {
	x := open(t, Config{Hosts: []string{"kindred.example.org"}})
	for _, c := range []struct {
		host, proto string
		want        bool
	}{
		{"kindred.example.org", "https", true}, {"kindred.example.org", "HTTPS, http", true},
		{"kindred.example.org", "http", false}, {"kindred.example.org", "", false},
		{"kindred.example.org", "http, https", false},
		{x.at, "https", false}, // a browser without a proxy could not send it back
	} {
		r := x.get(x.link(), "Host: "+c.host, "X-Forwarded-Proto: "+c.proto).wants(303)
		cookie, err := http.ParseSetCookie(r.header.Get("Set-Cookie"))
		if err != nil || cookie.Secure != c.want {
			t.Errorf("by %s with %q: %v, %v", c.host, c.proto, cookie, err)
		}
	}
	x.get("/api/v1/me", "Host: evil.example", "X-Forwarded-Host: kindred.example.org",
		"Forwarded: host=kindred.example.org").wants(421)
}

// A proxy that compresses answers makes their tags weak.
func TestWeakTags(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	x.post(p+"/answers", `{"id":"a1","a":0,"b":60,"answer":"different"}`).wants(200)
	seen := "W/" + x.get(p).header.Get("ETag")
	x.send("PATCH", p+"/history/1", `{"id":"e1","answer":"unknown"}`, "If-Match: "+seen).wants(200)
	x.send("PATCH", p+"/history/1", `{"id":"e2","answer":"same"}`, "If-Match: "+seen).problem(412,
		"stale")
	x.get("/", "If-None-Match: W/"+x.get("/").header.Get("ETag")).wants(304)
}

// An answer that takes long to find has all its time to be sent.
func TestLongWork(t *testing.T) {
	x := open(t, Config{})
	slow := httptest.NewServer(
		x.server.guard(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			// As if it had taken longer than an answer may.
			http.NewResponseController(w.(*answer).ResponseWriter).
				SetWriteDeadline(time.Now().Add(-time.Second))
			w.Write([]byte("found"))
		})))
	defer slow.Close()
	y := *x
	y.at = slow.Listener.Addr().String()
	for range 2 { // by the same connection
		if r := y.get("/api/v1/me").wants(200); string(r.body) != "found" {
			t.Errorf("it came as %q", r.body)
		}
	}
}

// Asking for the headers of a stream alone ends.
func TestHeadersOfStreams(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris")
	for _, path := range []string{p + "/events", "/api/v1/events", p + "/exports/partition.csv",
		p + "/map/places"} {
		x.send("HEAD", path, "").wants(200)
		x.get("/api/v1/me").wants(200)
	}
	eventually(t, "streams without a listener end", func() bool { return x.streamsOpen() == 0 })
}

// Downloads beyond the limit are told so; those that end make room, those that fail too.
func TestMostExports(t *testing.T) {
	x := open(t, Config{})
	p := x.begin("iris", "method", "cobras")
	for range mostExports - 1 {
		x.server.exports.enter()
	}
	for range 3 {
		x.get(p + "/exports/partition.csv").wants(200)
		x.get(p+"/exports/picture.svg?kind=masses").problem(422, "input")
	}
	x.server.exports.enter()
	if r := x.get(p + "/exports/partition.csv"); r.header.Get("Retry-After") == "" {
		r.problem(429, "busy")
		t.Error("nobody says when to come again")
	}
}
