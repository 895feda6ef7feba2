package studio

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"html"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/kindred-go/kindred/fault"
)

// Limits of every request.
const (
	mostBody    = 1 << 20 // bytes of a body
	mostAddress = 8 << 10 // bytes of path and query
	// of a whole answer from its first byte; streams and exports have their own
	writeTimeout = 2 * time.Minute
)

// pagePolicy is the content policy of all that is sent: nothing from elsewhere, no script or style
// in the markup, no frame around it.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' " +
	"blob: data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard checks every request before it is handled.
func (s *Server) guard(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		began := time.Now()
		answer := &answer{ResponseWriter: w, limit: s.writing}
		request := nameRequest(r)
		r = r.WithContext(context.WithValue(r.Context(), requestKey{}, request))
		answer.Header().Set(requestHeader, request)
		routed := r // the mux writes the pattern into it
		defer func() { s.answered(r, answer, routed.Pattern, time.Since(began)) }()
		defer func() {
			if failed := recover(); failed != nil {
				s.recovered(answer, routed, failed)
			}
		}()
		harden(answer.Header())
		control := http.NewResponseController(w)
		if r.ContentLength == 0 {
			// all is read, and a stream or a long fit must not be cut off by that limit
			control.SetReadDeadline(time.Time{})
		}
		// nor must what a whole body asks for, whatever limit its reading had
		r.Body = &ending{http.MaxBytesReader(answer, r.Body, mostBody+1),
			func() { control.SetReadDeadline(time.Time{}) }}
		if p := s.refused(r); p != nil {
			s.refuse(answer, r, p)
			return
		}
		who, token, p := s.known(r)
		if p != nil {
			s.refuse(answer, r, p)
			return
		}
		if !s.limits.allow(who.name) {
			s.refuse(answer, r, kindBusy.problem("too many requests at once", "wait a second"))
			return
		}
		if enters(r) {
			s.enter(answer, r, token)
			return
		}
		routed = r.WithContext(context.WithValue(r.Context(), personKey{}, who))
		next.ServeHTTP(answer, routed)
	})
}

// ending is a body that reports its end.
type ending struct {
	io.ReadCloser
	ended func()
}

func (e *ending) Read(b []byte) (int, error) {
	n, err := e.ReadCloser.Read(b)
	if err == io.EOF {
		e.ended()
	}
	return n, err
}

// harden sets the headers for browsers of every answer.
func harden(h http.Header) {
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy",
		"camera=(), microphone=(), geolocation=(), usb=(), payment=(), interest-cohort=()")
	h.Set("Cache-Control", "no-store")
}

// refused returns why a request is refused whoever makes it; nil when it is not.
func (s *Server) refused(r *http.Request) *Problem {
	if !s.hosts.allows(r) {
		p := kindForbidden.problem("the server does not go by that name",
			"open the address that kindred printed, or start it with that name as a further host")
		p.Status = http.StatusMisdirectedRequest
		return p
	}
	if len(r.URL.RequestURI()) > mostAddress {
		return plain(http.StatusRequestURITooLong, "The address is too long",
			"the address is too long", "")
	}
	if why := fromElsewhere(r); why != "" {
		return kindForbidden.problem("the request is refused, as "+why,
			"open the page itself, or use a program")
	}
	if r.ContentLength != 0 {
		if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil ||
			kind != "application/json" {
			return plain(http.StatusUnsupportedMediaType, "The body is not JSON",
				"the body must be JSON", "send the header Content-Type: application/json")
		}
	}
	return nil
}

// enters reports whether a request comes by a link with a code.
func enters(r *http.Request) bool { return opensPage(r) && r.URL.Query().Has("code") }

// known returns who makes a request, by the header, the cookie, or the link that is opened first,
// and their token.
func (s *Server) known(r *http.Request) (person, string, *Problem) {
	given, token := "", "" // what somebody gives, who may be guessing, and the token that it stands for
	link := enters(r)
	// Another scheme is that of a proxy in front, and no business of ours.
	scheme, value, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	switch {
	case link:
		given = r.URL.Query().Get("code")
		token = s.codes.take(given, time.Now()) // a token is no code
	case strings.EqualFold(scheme, "Bearer"):
		given = strings.TrimSpace(value)
		token = given
	}
	if who, ok := s.holder(token); ok {
		return who, token, nil
	}
	if given == "" || link {
		// A browser sends cookies by itself, and those that others of its host or an earlier
		// server left, too: they are no guesses, and hide none that is right.
		for _, c := range r.CookiesNamed(cookieName(r)) {
			if who, ok := s.holder(c.Value); ok {
				return who, c.Value, nil
			}
		}
	}
	if given != "" && !s.limits.wrongToken.Allow() {
		return person{}, "", kindBusy.problem("too many wrong tokens", "wait a second")
	}
	if link {
		return person{}, "", kindToken.problem("the link was used already, or is too old: it "+
			"opens the page in one browser, once", newLink)
	}
	return person{}, "", kindToken.problem("this browser or program was not let in yet",
		newLink+"; programs send Authorization: Bearer TOKEN, as kindred token prints it, "+
			"with --who NAME for one of several people")
}

// newLink is what people do who have no access.
const newLink = "open a new link: the first of the people makes one on the page, under People " +
	"or Settings, and kindred prints one whenever it starts"

// cookieName names the cookie by the port: browsers send the cookies of one host to all its ports.
func cookieName(r *http.Request) string {
	port := "80"
	if local, ok := r.Context().Value(http.LocalAddrContextKey).(net.Addr); ok {
		if _, p, err := net.SplitHostPort(local.String()); err == nil {
			port = p
		}
	}
	return "kindred-" + port
}

// enter takes the code out of the address bar and keeps the token in a cookie that no script reads
// and no other site sends.
func (s *Server) enter(w http.ResponseWriter, r *http.Request, token string) {
	http.SetCookie(w, &http.Cookie{
		Name: cookieName(r), Value: token, Path: "/",
		HttpOnly: true, Secure: s.hosts.secure(r), SameSite: http.SameSiteStrictMode,
		MaxAge: int((400 * 24 * time.Hour).Seconds()),
	})
	if site := r.Header.Get("Sec-Fetch-Site"); site == "cross-site" || site == "same-site" {
		// A browser that came from another site sends no strict cookie along with a redirect; a
		// page that leads on does.
		writeDocument(w, http.StatusOK, `<meta http-equiv="refresh" content="0;url=/">`,
			`<p><a href="/">Open kindred</a></p>`)
		return
	}
	w.Header().Set("Location", (&url.URL{Path: "/"}).String())
	w.WriteHeader(http.StatusSeeOther)
}

// refuse answers with a problem: as plain text for people, as JSON for programs.
func (s *Server) refuse(w http.ResponseWriter, r *http.Request, p *Problem) {
	p = named(p, requestOf(r.Context()))
	if p.Status == http.StatusUnauthorized {
		w.Header().Set("WWW-Authenticate", `Bearer realm="kindred"`)
	}
	if p.Status == http.StatusTooManyRequests {
		w.Header().Set("Retry-After", "1")
	}
	if strings.HasPrefix(r.URL.Path, "/api/") {
		writeProblem(w, p)
		return
	}
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		writeDocument(w, p.Status, "", "<h1>kindred</h1><p>Not opened: "+
			html.EscapeString(p.Detail)+".</p><p><strong>What to do:</strong> "+
			html.EscapeString(p.Fix)+".</p>")
		return
	}
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(p.Status)
	writeText(w, "kindred: "+p.Detail+"\n\nWhat to do: "+p.Fix+".\n")
}

// writeDocument answers with a page of HTML that needs no other file, with further elements of its
// head.
func writeDocument(w http.ResponseWriter, status int, head, body string) {
	const style = "body{font:1rem/1.5 system-ui,sans-serif;max-width:36rem;margin:3rem auto;" +
		"padding:0 1rem}"
	sum := sha256.Sum256([]byte(style))
	w.Header().Set("Content-Security-Policy", strings.Replace(pagePolicy, "style-src 'self'",
		"style-src 'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'", 1))
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	writeText(w, `<!doctype html><html lang="en"><meta charset="utf-8">`+
		`<meta name="viewport" content="width=device-width"><meta name="color-scheme" `+
		`content="light dark">`+head+`<title>kindred</title><style>`+style+`</style><main>`+
		body+`</main></html>`)
}

// recovered answers for a handler that panicked. The server goes on.
func (s *Server) recovered(w *answer, r *http.Request, failed any) {
	if err, ok := failed.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(failed)
	}
	s.log.Error("a request panicked", "request", requestOf(r.Context()), "method", r.Method,
		"route", r.Pattern, cause(fault.Recovered(failed)))
	if w.status != 0 {
		panic(http.ErrAbortHandler) // what was sent is not whole, and the client must see that
	}
	s.refuse(w, r, asProblem(errors.New("panic")))
}

// answer remembers whether an answer has begun. A client that stops reading must not hold anything
// for ever: from its first byte on the answer has a limit, however long it took to find.
type answer struct {
	http.ResponseWriter
	limit  time.Duration
	own    bool // the handler has set a limit of its own
	status int
	bytes  int64 // of the body, that were sent
}

func (a *answer) begin(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if !a.own {
		http.NewResponseController(a.ResponseWriter).SetWriteDeadline(time.Now().Add(a.limit))
	}
}

func (a *answer) WriteHeader(status int) {
	a.begin(status)
	a.ResponseWriter.WriteHeader(status)
}

func (a *answer) Write(b []byte) (int, error) {
	a.begin(http.StatusOK)
	n, err := a.ResponseWriter.Write(b)
	a.bytes += int64(n)
	return n, err
}

// SetWriteDeadline is what [http.ResponseController] calls.
func (a *answer) SetWriteDeadline(deadline time.Time) error {
	a.own = true
	return http.NewResponseController(a.ResponseWriter).SetWriteDeadline(deadline)
}

// Unwrap lets http.ResponseController at what is inside.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

func writeText(w http.ResponseWriter, text string) {
	w.Write([]byte(text)) // a client that is gone needs no answer
}

// Requests a second and at once: a page asks for a dozen things at a time, and a program may answer
// hundreds of questions a second.
const (
	requestRate, requestBurst = 1000, 4000
	wrongRate, wrongBurst     = 5, 50 // requests with a wrong token, of all together
)

// limits bound the requests of each person.
type limits struct {
	wrongToken *rate.Limiter

	mu     sync.Mutex
	people map[string]*rate.Limiter
}

// gate lets as many through at a time as it has room for.
type gate chan struct{}

func (g gate) enter() bool {
	select {
	case g <- struct{}{}:
		return true
	default:
		return false
	}
}

func (g gate) leave() { <-g }

// allow reports whether a person, whose token was right, may make one more request now.
func (l *limits) allow(name string) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	limiter := l.people[name]
	if limiter == nil {
		limiter = rate.NewLimiter(requestRate, requestBurst)
		l.people[name] = limiter
	}
	return limiter.Allow()
}
