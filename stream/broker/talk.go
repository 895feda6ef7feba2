package broker

import (
	"fmt"
	"strings"
	"sync"
)

// talk takes what the server logs. Warnings and errors go on; the last error explains why a server
// does not start.
type talk struct {
	warn func(string)
	mu   sync.Mutex
	last string
}

func (t *talk) Noticef(string, ...any) {}
func (t *talk) Debugf(string, ...any)  {}
func (t *talk) Tracef(string, ...any)  {}

func (t *talk) Warnf(format string, args ...any) {
	if t.warn != nil {
		t.warn(clause(format, args))
	}
}

func (t *talk) Errorf(format string, args ...any) {
	t.mu.Lock()
	t.last = clause(format, args)
	t.mu.Unlock()
	t.Warnf(format, args...)
}

func (t *talk) Fatalf(format string, args ...any) { t.Errorf(format, args...) }

// why returns the last error.
func (t *talk) why() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == "" {
		return "it gives no reason"
	}
	return t.last
}

// clause makes a line of a log one clause.
func clause(format string, args []any) string {
	return strings.TrimRight(strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "), ".")
}
