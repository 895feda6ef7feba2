package studio

import (
	"sync"

	"golang.org/x/time/rate"
)

// Requests a second and at once: a page asks for a dozen things at a time, and a program may answer
// hundreds of questions a second.
const (
	requestRate, requestBurst = 1000, 4000
	wrongRate, wrongBurst     = 5, 50 // requests with a wrong token, of all together
)

// limits slow down whoever asks without end.
type limits struct {
	wrongToken *rate.Limiter

	mu     *sync.Mutex
	people map[string]*rate.Limiter
}

func newLimits() limits {
	return limits{wrongToken: rate.NewLimiter(wrongRate, wrongBurst), mu: new(sync.Mutex),
		people: map[string]*rate.Limiter{}}
}

// gate lets so many through at a time.
type gate struct {
	mu         sync.Mutex
	open, most int
}

func (g *gate) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.open >= g.most {
		return false
	}
	g.open++
	return true
}

func (g *gate) leave() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open--
}

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
