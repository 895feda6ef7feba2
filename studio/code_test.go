package studio

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
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
	if got := x.server.Once("eve") + x.server.Link("eve"); got != "" {
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
	// A browser has a page about it, and what to do.
	r = x.get(u.RequestURI(), "Accept: text/html,*/*;q=0.8").wants(http.StatusUnauthorized)
	if !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") ||
		!strings.Contains(string(r.body), "used already") ||
		!strings.Contains(string(r.body), "under People") {
		t.Errorf("a browser gets %q", r.body)
	}
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
	soon, late := c.add("a", codeLife, now), c.add("b", codeLife, now)
	long := c.add("b", DefaultLinkLife, now)
	if got := c.take(soon, now.Add(codeLife-1)); got != "a" {
		t.Errorf("just in time it is %q", got)
	}
	if got := c.take(late, now.Add(codeLife)); got != "" {
		t.Errorf("after its life it is %q", got)
	}
	if got := c.take(long, now.Add(DefaultLinkLife-1)); got != "b" {
		t.Errorf("just in time it is %q", got)
	}
	if got := c.take("", now); got != "" {
		t.Errorf("no code is %q", got)
	}
	// The links of one person end none of another's.
	other, first := c.add("b", codeLife, now), c.add("a", codeLife, now)
	second := c.add("a", codeLife, now)
	for range mostCodes - 1 {
		c.add("a", codeLife, now)
	}
	if len(c.waiting) != mostCodes+1 {
		t.Errorf("%d codes wait", len(c.waiting))
	}
	for text, want := range map[string]string{first: "", second: "a", other: "b"} {
		if got := c.take(text, now); got != want {
			t.Errorf("the code of %q is %q", want, got)
		}
	}
	c.add("b", codeLife, now.Add(codeLife))
	if len(c.waiting) != 1 {
		t.Errorf("%d codes wait, of which one is not over", len(c.waiting))
	}
}

// Everybody may have new links of their own, and the first of the people for all.
func TestNewLinks(t *testing.T) {
	ann := open(t, Config{People: []string{"ann", "bob"}, LinkLife: time.Hour})
	bob := ann.as("bob")
	opens := func(r reply, name string) {
		t.Helper()
		link := into[PageLink](r.wants(http.StatusOK))
		if link.Person != name || time.Until(link.Ends) > time.Hour {
			t.Errorf("the link is %+v", link)
		}
		u, err := url.Parse(link.Link)
		if err != nil {
			t.Fatal(err)
		}
		stranger := *ann
		stranger.token = ""
		r = stranger.get(u.RequestURI()).wants(http.StatusSeeOther)
		cookie, _, _ := strings.Cut(r.header.Get("Set-Cookie"), ";")
		if me := into[Me](stranger.get("/api/v1/me", "Cookie: "+cookie)); me.Name != name {
			t.Errorf("the link of %q is for %q", name, me.Name)
		}
		stranger.get(u.RequestURI()).wants(http.StatusUnauthorized)
	}
	opens(ann.post("/api/v1/links", `{"person":"bob"}`), "bob")
	opens(ann.post("/api/v1/links", `{}`), "ann")
	opens(bob.post("/api/v1/links", `{}`), "bob")
	opens(bob.post("/api/v1/links", `{"person":"bob"}`), "bob")
	bob.post("/api/v1/links", `{"person":"ann"}`).problem(403, "forbidden")
	bob.post("/api/v1/links", `{"person":"eve"}`).problem(403, "forbidden")
	ann.post("/api/v1/links", `{"person":"eve"}`).problem(404, "not-found")
	ann.post("/api/v1/links", `{"person":""}`).problem(404, "not-found")
	if got := into[Me](ann.get("/api/v1/me")).Names; !slices.Equal(got, []string{"ann", "bob"}) {
		t.Errorf("the first person sees %q", got)
	}
	if got := into[Me](bob.get("/api/v1/me")).Names; got != nil {
		t.Errorf("another sees %q", got)
	}

	alone := open(t, Config{})
	if got := into[PageLink](alone.post("/api/v1/links", `{}`).wants(200)); got.Person != "" {
		t.Errorf("one alone has a link for %q", got.Person)
	}
}

// Who came by a link goes on after a restart, when all links that waited have ended.
func TestCookiesOutliveARestart(t *testing.T) {
	folder := t.TempDir()
	x := open(t, Config{Root: folder})
	token := x.token
	u, err := url.Parse(x.server.Link(""))
	if err != nil {
		t.Fatal(err)
	}
	x.stop()
	y := open(t, Config{Root: folder})
	y.token = ""
	y.get(u.RequestURI()).wants(http.StatusUnauthorized)
	_, port, _ := strings.Cut(y.at, ":")
	y.get("/", "Cookie: kindred-"+port+"="+token).wants(200)
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
