package studio

import (
	"strings"
	"testing"
	"time"
)

// Times by which something ends, or is compared, have a reading of the clock that nobody can set: a
// clock that is set back does not lengthen them, one that is set forward does not end them.
func TestTimesPassThoughTheClockIsSet(t *testing.T) {
	x := open(t, Config{})
	x.begin("iris")
	x.server.Once("")
	p, err := x.server.find("iris")
	if err != nil {
		t.Fatal(err)
	}
	p.mu.Lock()
	used := p.used
	p.mu.Unlock()
	x.server.codes.mu.Lock()
	ends := x.server.codes.waiting[0].ends
	x.server.codes.mu.Unlock()
	for what, at := range map[string]time.Time{"the last use of a project": used,
		"the end of a code": ends} {
		if !strings.Contains(at.String(), " m=") {
			t.Errorf("%s is known by the clock that is set: %v", what, at)
		}
	}
}
