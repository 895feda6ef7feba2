package method

import (
	"context"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/link"
)

// Estimate is what a fit is likely to take, as samples of its rows did.
type Estimate struct {
	Time  time.Duration
	Bytes float64 // of memory, beyond that of the data; 0: too little to be measured
	Rows  int     // of the largest sample
}

// How samples are taken: the rows of the first one, how long the last one takes at least and at
// most, which share of the estimate it may take between these, how long samples are fitted again so
// that other work on the machine counts less, how many times the iterations of another make other
// rows be drawn, and how often, how many numbers of clusters stand for a range of them, and the
// power of the rows from which on a time grew by a jump.
const (
	leastSample  = 100
	mostFirst    = 1000
	sampleTime   = 200 * time.Millisecond
	longestProbe = 3 * time.Second
	sampleShare  = 0.04
	againTime    = 20 * time.Millisecond
	manyTimes    = 4
	mostDraws    = 4
	mostNumbers  = 5
	steepest     = 2.3
)

// Estimate fits samples of the rows of a problem, each twice as large as the one before, and
// returns what a fit of all is likely to take. ok is false where that is less than worth, or where
// samples cannot be fitted alone. Samples take some tenths of a second, or a tenth of what they
// predict at most; while memory is measured, the garbage of the process is collected more often.
func (c *Configured) Estimate(ctx context.Context, p Problem, worth time.Duration) (e Estimate,
	ok bool) {
	n := p.n()
	if c.Steps.Fit == nil || n < 8*leastSample {
		return e, false
	}
	times := 1.0 // that all numbers of clusters take as long as those that are tried
	if c.ranged() {
		own := *c
		own.judged = new(time.Duration)
		if all := c.span.To - c.span.From + 1; all > 2*mostNumbers {
			own.few, times = mostNumbers, float64(all)/mostNumbers
		}
		c = &own
	}
	m := min(max(n/64, leastSample), mostFirst)
	var before []time.Duration // of samples
	least := math.MaxInt       // iterations of a sample
	for {
		took, judged, err := c.probe(ctx, p, m, &least)
		if err != nil {
			return e, false
		}
		if len(before) == 0 && took+judged > longestProbe {
			// A larger sample would take too long, and how the time grows is to be known.
			if half, _, err := c.probe(ctx, p, m/2, &least); err == nil {
				before = append(before, half)
			}
		}
		growth, jump := growing(before, took)
		grown := float64(n) / float64(m)
		by := times * max(math.Pow(grown, growth), square(before, took, grown))
		// Criteria compare pairs of rows, or fit rows again, so many at most.
		most, steep := scored, 2.0
		if c.ranged() && (c.Value("choose") == byGap || c.Value("choose") == byStability) {
			most, steep = refitted, growth
		}
		more := float64(min(n, most)) / float64(min(m, most))
		judging := longer(judged, times*math.Pow(more, steep))
		e.Time, e.Rows = longer(took, by)+judging, m
		if e.Time < worth && longer(took, times*math.Pow(grown, growth+0.5))+judging < worth {
			return e, false
		}
		next := longer(took, math.Pow(2, growth)) + longer(judged, math.Pow(min(2, more), steep))
		budget := max(sampleTime, time.Duration(sampleShare*float64(e.Time)))
		enough := took+judged > sampleTime && next > budget && !jump || next > longestProbe
		if len(before) > 0 && enough || took+judged > longestProbe || 2*m > n/2 {
			break
		}
		before, m = append(before, took), 2*m
	}
	if e.Time < worth {
		return e, false
	}
	e.Bytes = c.probeMemory(ctx, p, m)
	return e, true
}

// growing returns the power of the rows by which the time of a fit grows, as the last two doublings
// show, and whether the last one was a jump, as of a method that does more from so many rows on:
// what was before a jump does not count.
func growing(before []time.Duration, took time.Duration) (growth float64, jump bool) {
	k := len(before)
	if k == 0 {
		return 2, false
	}
	growth = power(float64(before[k-1]), float64(took), 2)
	jump = growth > steepest
	if k > 1 {
		if both := power(float64(before[k-2]), float64(took), 4); both <= steepest {
			growth = both
		}
	}
	return bounded(growth), jump
}

// power returns the power of the rows by which a figure grew over that many times as many rows.
func power(before, after, times float64) float64 { return math.Log(after/before) / math.Log(times) }

// bounded returns a power from 1 to 2. Short samples seem to grow faster where other work disturbs
// them, and a small difference there is a large one for all rows.
func bounded(power float64) float64 { return min(max(power, 1), 2) }

// square returns how many times as long as a sample all rows take, if part of the time grows with
// the square of the rows and the rest with the rows, as the last two doublings show. A part that one
// of them alone shows is none: other work disturbed a sample.
func square(before []time.Duration, took time.Duration, grown float64) float64 {
	k := len(before)
	if k < 2 {
		return 0
	}
	// By t(m) = a·m + b·m², t(2m) − 2·t(m) = 2·b·m², a half of what the pairs of 2m rows take.
	last, first := 2*float64(took-2*before[k-1]), 8*float64(before[k-1]-2*before[k-2])
	if last <= 0 || first <= 0 {
		return 0
	}
	share := min(1, math.Sqrt(last*first)/float64(took))
	return share*grown*grown + (1-share)*grown
}

// longer multiplies a time, of which the largest stands for all that are larger.
func longer(t time.Duration, by float64) time.Duration {
	return time.Duration(min(float64(t)*by, math.MaxInt64/4))
}

// probe returns how long a fit of m rows takes, and criteria that compare fits of several numbers
// of clusters beside it: the least of several times, where it is short. Least is the number of
// iterations of the sample that had fewest, which probe keeps up to date: where one has many times
// as many, other rows are drawn, too, as how soon a fit comes to rest may depend on the rows more
// than on how many they are.
func (c *Configured) probe(ctx context.Context, p Problem, m int, least *int) (shortest,
	judged time.Duration, err error) {
	shortest = longestProbe * 1000
	for draw, spent := 0, time.Duration(0); draw < mostDraws && spent < longestProbe; draw++ {
		sample, err := p.sample(m, draw)
		if err != nil {
			return 0, 0, err
		}
		iterations := 0
		for all := time.Duration(0); all < againTime; {
			if c.judged != nil {
				*c.judged = 0
			}
			began := time.Now()
			out, err := c.Fit(ctx, sample)
			if err != nil {
				return 0, 0, err
			}
			took := max(time.Since(began), time.Microsecond)
			all, spent = all+took, spent+took
			beside := time.Duration(0)
			if c.judged != nil {
				beside = *c.judged
			}
			if took = max(took-beside, time.Microsecond); took < shortest {
				shortest, judged = took, beside
			}
			iterations = max(out.Iterations, 1)
		}
		usual := iterations/manyTimes <= *least
		if *least = min(*least, iterations); usual {
			break
		}
	}
	return shortest, judged, nil
}

// probeMemory returns how much memory a fit of all rows is likely to take, by fits of m rows and of
// half of them; 0: too little to be measured.
func (c *Configured) probeMemory(ctx context.Context, p Problem, m int) float64 {
	const percent = 10 // of what is held may be garbage
	defer debug.SetGCPercent(debug.SetGCPercent(percent))
	half, whole := c.held(ctx, p, m/2, percent), c.held(ctx, p, m, percent)
	if half <= 0 || whole <= half {
		return 0
	}
	return whole * math.Pow(float64(p.n())/float64(m), bounded(power(half, whole, 2)))
}

// held returns the bytes that a fit of m rows holds at its peak; 0: they are not known.
func (c *Configured) held(ctx context.Context, p Problem, m int, percent float64) float64 {
	sample, err := p.sample(m, 0)
	if err != nil {
		return 0
	}
	objects := func() float64 {
		s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
		metrics.Read(s)
		return float64(s[0].Value.Uint64())
	}
	runtime.GC()
	base, peak := objects(), 0.0
	stop, done := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(time.Millisecond)
		defer tick.Stop()
		for {
			peak = max(peak, objects())
			select {
			case <-stop:
				return
			case <-tick.C:
			}
		}
	}()
	_, err = c.Fit(ctx, sample)
	close(stop)
	<-done
	if err != nil {
		return 0
	}
	return peak/(1+percent/100) - base
}

// sample returns the problem of m of the rows, evenly spread, with as large a share of the links as
// of the rows, at least one, and those others that are among the rows. Draws of the same m have
// other rows, as far as there are so many, and other links.
func (p Problem) sample(m, draw int) (Problem, error) {
	rows := p.spread(m, draw)
	at := make(map[int]int, m)
	short := make([]int32, m)
	for i, row := range rows {
		short[i], at[row] = int32(row), i
	}
	q := p
	q.Whole = p.Size()
	q.Progress, q.Consume, q.Links, q.Classes, q.Known = nil, false, nil, nil, nil
	if p.Data.Rows > 0 {
		q.Data = p.Data.Subset(rows)
	}
	if p.Objects.Len() > 0 {
		q.Objects = p.Objects.Subset(short)
	}
	if p.Dissim != nil {
		var err error
		if dense, ok := p.Dissim.(*dissim.Dense); ok {
			q.Dissim = dense.Subset(short)
		} else if q.Dissim, err = q.Objects.Source(); err != nil {
			return p, err
		}
	}
	for _, l := range p.Links {
		a, hasA := at[l.A]
		b, hasB := at[l.B]
		if hasA && hasB {
			q.Links = append(q.Links, link.Link{A: a, B: b, Kind: l.Kind,
				Plausibility: l.Plausibility})
		}
	}
	for _, row := range rows {
		if p.Known != nil {
			q.Known = append(q.Known, p.Known[row])
		}
	}
	return q, nil
}

// spread returns m of the rows, rising: evenly spread ones, of which some are replaced by the next
// row of a link, so that the links are as dense among them as among all.
func (p Problem) spread(m, draw int) []int {
	n := p.n()
	rows, linked := make([]int, m), make([]bool, m)
	for i := range rows {
		rows[i] = i*n/m + draw*(n/m)/mostDraws
	}
	// take has a row in the sample instead of the one of its stretch, and reports whether it could.
	take := func(row int) bool {
		i := row * m / n
		if i+1 < m && (i+1)*n/m <= row {
			i++
		}
		if linked[i] {
			return rows[i] == row
		}
		rows[i], linked[i] = row, true
		return true
	}
	wanted := (len(p.Links)*m + n - 1) / n
	for i := range wanted {
		if l := p.Links[(i*len(p.Links)/wanted+draw)%len(p.Links)]; take(l.A) {
			take(l.B)
		}
	}
	return rows
}
