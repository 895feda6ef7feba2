package broker

import (
	"fmt"
	"strings"
	"sync"
)

// serverLog takes what the server logs. Warnings and errors go on; the last error explains why a
// server does not start.
type serverLog struct {
	warn func(string)
	mu   sync.Mutex
	last string
}

func (t *serverLog) Noticef(string, ...any) {}
func (t *serverLog) Debugf(string, ...any)  {}
func (t *serverLog) Tracef(string, ...any)  {}

func (t *serverLog) Warnf(format string, args ...any) {
	if t.warn != nil {
		t.warn(clause(format, args))
	}
}

func (t *serverLog) Errorf(format string, args ...any) {
	t.mu.Lock()
	t.last = clause(format, args)
	t.mu.Unlock()
	t.Warnf(format, args...)
}

func (t *serverLog) Fatalf(format string, args ...any) { t.Errorf(format, args...) }

// why returns the last error.
func (t *serverLog) why() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == "" {
		return "for an unknown reason"
	}
	return t.last
}

// clause makes a line of a log one clause.
func clause(format string, args []any) string {
	return strings.TrimRight(strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "), ".")
}
