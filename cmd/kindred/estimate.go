package main

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method"
)

// longFit is how long a fit is likely to take of which that is said before.
const longFit = 10 * time.Second

// noteEstimate reports what a fit is likely to take, if that is much. Where memory cannot suffice,
// methods that hold the dissimilarities of all pairs refuse before they take it.
func (a *app) noteEstimate(ctx context.Context, m *method.Configured, p method.Problem) {
	e, ok := m.Estimate(ctx, p, longFit)
	if !ok {
		return
	}
	free := float64(memory.Available())
	said := "roughly " + roughly(e.Time)
	if e.Bytes >= leastSaid {
		said += " and " + memory.Size(e.Bytes) + " of memory"
	}
	a.notef("the fit is likely to take %s, by samples of up to %s; Ctrl-C ends it", said,
		words.Count(e.Rows, "row"))
	if free > 0 && e.Bytes > free/2 {
		a.notef("  %s of memory are free: fewer rows (kindred cluster of a sample, and kindred "+
			"predict) or k-means need less", memory.Size(free))
	}
}

// leastSaid is how much memory is worth saying, in bytes.
const leastSaid = 100e6

// roughly writes a time in one or two digits of its largest unit.
func roughly(t time.Duration) string {
	for _, u := range []struct {
		unit string
		is   time.Duration
	}{{"day", 24 * time.Hour}, {"hour", time.Hour}, {"minute", time.Minute}} {
		if n := float64(t) / float64(u.is); n >= 1.5 {
			return fmt.Sprintf("%.0f %ss", n, u.unit)
		}
	}
	s := t.Seconds()
	if s > 20 {
		s = 10 * math.Round(s/10)
	}
	return fmt.Sprintf("%.0f s", s)
}
