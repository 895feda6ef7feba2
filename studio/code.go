package studio

import (
	"crypto/rand"
	"sync"
	"time"
)

// A code opens the page once, and soon: the arguments of a process, such as a browser's, can be
// read by others.
const (
	codeLife  = time.Minute
	mostCodes = 100 // that wait to be used; beyond it the oldest ends
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
func (c *codes) add(token string, now time.Time) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.waiting) == mostCodes {
		c.waiting = c.waiting[1:]
	}
	made := code{text: rand.Text(), token: token, ends: now.Add(codeLife)}
	c.waiting = append(c.waiting, made)
	return made.text
}

// take returns the token of a code, which ends with that; "" where there is none.
func (c *codes) take(text string, now time.Time) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	token := ""
	var kept []code
	for _, w := range c.waiting {
		switch {
		case !now.Before(w.ends):
		case w.text == text: // 128 bits of chance: how long it takes to compare tells nothing
			token = w.token
		default:
			kept = append(kept, w)
		}
	}
	c.waiting = kept
	return token
}
