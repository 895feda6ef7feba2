package studio

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"
)

// A link for the browser of this machine has no token in it, and opens the page once.
func TestACodeOpensThePageOnce(t *testing.T) {
	x := open(t, Config{People: []string{"ann", "bob"}})
	token := x.as("bob").token
	x.token = ""
	link := x.server.Once("bob")
	u, err := url.Parse(link)
	if err != nil || u.Host != x.at || len(u.Query().Get("code")) < 26 ||
		strings.Contains(link, token) {
		t.Fatalf("the link is %q, %v", link, err)
	}
	if got := x.server.Once("eve"); got != "" {
		t.Errorf("somebody else has %q", got)
	}
	r := x.get(u.RequestURI()).wants(http.StatusSeeOther)
	cookie, err := http.ParseSetCookie(r.header.Get("Set-Cookie"))
	if err != nil || cookie.Value != token || r.header.Get("Location") != "/" {
		t.Fatalf("it leads to %q with %v, %v", r.header.Get("Location"), cookie, err)
	}
	r = x.get(u.RequestURI()).wants(http.StatusUnauthorized)
	if !strings.Contains(string(r.body), "used already") || r.header.Get("Set-Cookie") != "" {
		t.Errorf("a second browser gets %q", r.body)
	}
	// The browser that has the cookie may take the link again.
	x.get(u.RequestURI(), "Cookie: "+cookie.Name+"="+cookie.Value).wants(http.StatusSeeOther)
	x.get("/?code=").wants(http.StatusUnauthorized)
	x.get("/api/v1/me" + "?" + u.RawQuery).wants(http.StatusUnauthorized)
	if log := x.log.String(); strings.Contains(log, u.Query().Get("code")) ||
		strings.Contains(log, token) {
		t.Error("the code or the token is in the log")
	}
}

func TestCodesEnd(t *testing.T) {
	var c codes
	now := time.Unix(1e9, 0)
	soon, late := c.add("a", now), c.add("b", now)
	if got := c.take(soon, now.Add(codeLife-1)); got != "a" {
		t.Errorf("just in time it is %q", got)
	}
	if got := c.take(late, now.Add(codeLife)); got != "" {
		t.Errorf("after its life it is %q", got)
	}
	if got := c.take("", now); got != "" {
		t.Errorf("no code is %q", got)
	}
	first := c.add("first", now)
	for range mostCodes {
		c.add("more", now)
	}
	if got := c.take(first, now); got != "" || len(c.waiting) != mostCodes {
		t.Errorf("%d codes wait, among them that of %q", len(c.waiting), got)
	}
}

// Browsers send the cookies of a host to all its ports, and keep those of servers that are gone.
// They use up nothing, and hide none that is right.
func TestCookiesOfOthersLockNobodyOut(t *testing.T) {
	x := open(t, Config{}, func(s *Server) { s.limits.wrongToken.SetLimit(rate.Every(time.Hour)) })
	token := x.token
	x.token = ""
	_, port, _ := strings.Cut(x.at, ":")
	own, stale := "kindred-"+port+"=", strings.Repeat("x", len(token))
	for range 2 * wrongBurst {
		x.get("/api/v1/me", "Cookie: "+own+stale).problem(401, "token")
	}
	x.get("/api/v1/me", "Authorization: Bearer wrong").problem(401, "token")
	x.get("/api/v1/me", "Cookie: "+own+stale+"; "+own+token).wants(200)

	var many strings.Builder // as browsers keep of one host at most
	for i := range 150 {
		fmt.Fprintf(&many, "kindred-%d=%s; other-%d=%s; ", i, stale, i, strings.Repeat("y", 4000))
	}
	x.get("/api/v1/me", "Cookie: "+many.String()+own+token).wants(200)
}
