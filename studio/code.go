package studio

import (
	"context"
	"crypto/rand"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
)

// How long links last.
const (
	DefaultLinkLife = 24 * time.Hour
	MostLinkLife    = 30 * 24 * time.Hour
)

// A code opens the page once, and soon, as links may be read by others: those of people lie in
// terminals and messages, and that for a browser is among the arguments of a process.
const (
	codeLife  = time.Minute // for a browser that is started with it
	mostCodes = 16          // of a person that wait to be used; beyond it their oldest ends
)

// codes are those that wait to be used. The zero value has none.
type codes struct {
	mu      sync.Mutex
	waiting []code // the oldest first
}

type code struct {
	text  string
	token string
	ends  time.Time
}

// add returns a new code for a token.
func (c *codes) add(token string, life time.Duration, now time.Time) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end(now)
	oldest, n := 0, 0
	for i, w := range c.waiting {
		if w.token == token {
			if n == 0 {
				oldest = i
			}
			n++
		}
	}
	if n == mostCodes {
		c.waiting = slices.Delete(c.waiting, oldest, oldest+1)
	}
	made := code{text: rand.Text(), token: token, ends: now.Add(life)}
	c.waiting = append(c.waiting, made)
	return made.text
}

// take returns the token of a code, which ends with that; "" where there is none.
func (c *codes) take(text string, now time.Time) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end(now)
	for i, w := range c.waiting {
		if w.text == text { // 128 bits of chance: how long it takes to compare tells nothing
			c.waiting = slices.Delete(c.waiting, i, i+1)
			return w.token
		}
	}
	return ""
}

// end drops the codes whose time is over.
func (c *codes) end(now time.Time) {
	c.waiting = slices.DeleteFunc(c.waiting, func(w code) bool { return !now.Before(w.ends) })
}

// PageLink is a link for a person.
type PageLink struct {
	Person string    `json:"person"`
	Link   string    `json:"link" doc:"opens the page for the person, in one browser, once"`
	Ends   time.Time `json:"ends" doc:"when it stops to work, if nobody has used it"`
}

// linkCalls registers what is about links.
func (s *Server) linkCalls(api huma.API) {
	operation(s, api, call("newLink", "POST /links", "server", "A link that opens the page once",
		"Everybody may have links of their own, as for another browser; the first person has them "+
			"for all people. At most 16 of a person wait to be used: another ends the oldest."),
		s.newLink)
}

// newLink makes a link.
func (s *Server) newLink(ctx context.Context, in *struct {
	Body struct {
		Person *string `json:"person,omitempty" doc:"the one who asks, where it is left out"`
	}
}) (*body[PageLink], error) {
	who := asking(ctx)
	name := who.name
	if in.Body.Person != nil {
		name = *in.Body.Person
	}
	if name != who.name && !who.admin {
		return nil, kindForbidden.problem("links for others are made by the first of the people",
			"ask them for it")
	}
	now := time.Now()
	link := s.Link(name)
	if link == "" {
		return nil, kindNotFound.problem(fmt.Sprintf("%q is not among the people", name),
			"name one of those that the server was started with")
	}
	s.log.Info("a link was made", "request", requestOf(ctx), "person", name)
	return &body[PageLink]{PageLink{name, link, now.Add(s.cfg.LinkLife).UTC()}}, nil
}
