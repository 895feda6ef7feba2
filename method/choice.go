package method

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/fit"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/method/param"
)

// The criteria that any method can be judged by at several numbers of clusters. Methods may have
// others of their own.
const (
	bySilhouette = "silhouette"
	byGap        = "gap"
	byStability  = "stability"
)

// Choice is how a number of clusters was chosen among several.
type Choice struct {
	By       string  `json:"by"` // the criterion
	Clusters int     `json:"clusters"`
	Tried    []Trial `json:"tried"`
	// rows that silhouettes, and that gaps or stabilities are of; 0: all
	Sample    int `json:"silhouette_sample,omitempty"`
	Subsample int `json:"subsample,omitempty"`
}

// Trial is the fit of one number of clusters among several.
type Trial struct {
	Clusters int                `json:"clusters"`
	Criteria map[string]float64 `json:"criteria"` // by name, those that it has
	// standard error of the criterion that was chosen by, where it has one
	Error float64 `json:"error,omitempty"`
}

// Table returns the numbers of clusters and their criteria as lines of equal width; that of the
// number chosen has a star.
func (c *Choice) Table() []string {
	var names []string
	for _, t := range c.Tried {
		for name := range t.Criteria {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		switch {
		case a == c.By:
			return -1
		case b == c.By:
			return 1
		}
		return strings.Compare(a, b)
	})
	head := "   k"
	for _, name := range names {
		head += fmt.Sprintf("  %14s", name)
	}
	lines := []string{head}
	for _, t := range c.Tried {
		star := " "
		if t.Clusters == c.Clusters {
			star = "*"
		}
		line := fmt.Sprintf("%s%3d", star, t.Clusters)
		for _, name := range names {
			text := "–"
			if v, ok := t.Criteria[name]; ok {
				text = fmt.Sprintf("%.4g", v)
				if math.Abs(v) >= 1e4 {
					text = fmt.Sprintf("%.0f", v)
				}
				if name == c.By && t.Error > 0 {
					text += fmt.Sprintf(" ±%.2g", t.Error)
				}
			}
			line += fmt.Sprintf("  %14s", text)
		}
		lines = append(lines, line)
	}
	return lines
}

// declareChoice lets a method that takes the number of clusters take a range of them, unless it does
// so itself, or does nothing without answers.
func (c *Configured) declareChoice() {
	if p, ok := c.set.Lookup("clusters"); !ok || p.Span || c.Steps.Fit == nil || c.NeedsAnswers {
		return
	}
	c.set.Widen("clusters", &c.span)
	c.set.Choice(&c.by, param.Param{Name: "choose", Default: c.criteria()[0],
		Choices: c.criteria(), Help: "criterion that a number of clusters is chosen by from a range"})
	if focal := c.Steps.Focal; focal != nil {
		c.Steps.Focal = func() []belief.Set {
			if c.ranged() {
				return nil
			}
			return focal()
		}
	}
}

// criteria returns the names of the criteria that numbers of clusters can be chosen by, the default
// first.
func (c *Configured) criteria() []string {
	return slices.Concat(c.Criteria, []string{bySilhouette, byGap, byStability})
}

// ranged reports whether a range of numbers of clusters is to be chosen from.
func (c *Configured) ranged() bool { return c.span.To > c.span.From }

// numbers returns the numbers of clusters that are tried.
func (c *Configured) numbers() []int {
	n := c.span.To - c.span.From + 1
	if c.few > 0 {
		n = min(n, c.few)
	}
	ks := make([]int, n)
	for i := range ks {
		ks[i] = c.span.From + i*(c.span.To-c.span.From)/max(1, n-1)
	}
	return ks
}

// At returns the method with one number of clusters, and its other values as they are. Errors are a
// [fault.Setting].
func (c *Configured) At(clusters int) (*Configured, error) {
	values := map[string]string{}
	for _, p := range c.set.Params() {
		if p.Name != "choose" && c.set.Given(p.Name) {
			values[p.Name] = c.set.Value(p.Name)
		}
	}
	values["clusters"] = strconv.Itoa(clusters)
	return c.Method.With(values)
}

// checkRange returns an error where an end of the range does not go with the other values.
func (c *Configured) checkRange() error {
	for _, k := range []int{c.span.From, c.span.To} {
		if _, err := c.At(k); err != nil {
			return err
		}
	}
	return nil
}

// scan is the choice of a number of clusters of a problem.
type scan struct {
	*Configured
	problem Problem
	seed    uint64
	choice  *Choice
	report  func(fit.Progress)
	done    float64 // fits, of all
	all     float64
	notes   []string
}

// choose fits each number of clusters of the range, and returns the outcome of the one that the
// criterion chooses.
func (c *Configured) choose(ctx context.Context, p Problem) (*Outcome, error) {
	s := &scan{Configured: c, problem: p, report: p.Progress,
		choice: &Choice{By: c.Value("choose")}}
	s.seed, _ = strconv.ParseUint(c.Value("seed"), 10, 64)
	if err := s.prepare(ctx); err != nil {
		return nil, err
	}
	best, err := s.fits(ctx)
	if err != nil {
		return nil, err
	}
	switch s.choice.By {
	case byGap:
		err = s.judge(func() error { return s.gaps(ctx) })
	case byStability:
		err = s.judge(func() error { return s.stabilities(ctx) })
	}
	if err != nil {
		return nil, err
	}
	at := s.decide()
	if at < 0 {
		return nil, fault.Inputf("choose by another criterion, or give one number of clusters",
			"no number of clusters from %d to %d has a %s", c.span.From, c.span.To, s.choice.By)
	}
	s.choice.Clusters = s.choice.Tried[at].Clusters
	out := best
	if best == nil || at != s.best() {
		if out, err = s.fit(ctx, s.choice.Clusters, s.problem); err != nil {
			return nil, err
		}
	}
	out.Choice = s.choice
	out.Notes = append(out.Notes, s.notes...)
	out.Notes = append(out.Notes, s.note())
	return out, nil
}

// judge computes a criterion, and adds what it took to where an estimate wants it.
func (s *scan) judge(by func() error) error {
	began := time.Now()
	err := by()
	if s.judged != nil {
		*s.judged += time.Since(began)
	}
	return err
}

// prepare checks that the problem can be judged by the criterion, and computes dissimilarities once
// for all fits.
func (s *scan) prepare(ctx context.Context) error {
	p := &s.problem
	p.Consume, p.Progress = false, nil
	by := s.choice.By
	if (by == byGap || by == byStability) && (len(p.Links) > 0 || p.Known != nil) {
		return fault.Settingf("--choose %s fits other rows than those that links and known classes "+
			"are about: choose by %s", by, s.criteria()[0])
	}
	if by == byGap && !p.Vectors() {
		return fault.Setting("--choose gap compares with rows drawn at random, which rows of this " +
			"kind cannot be: choose by silhouette or stability")
	}
	if n := p.n(); s.span.From > n {
		return fit.CheckClusters("clusters", s.span.From, n)
	}
	if !p.Vectors() {
		src, _, err := p.Compared()
		if err != nil {
			return err
		}
		if _, dense := src.(*dissim.Dense); !dense && s.Dissimilarity {
			if src, err = dissim.NewDense(ctx, src, p.Threads, nil); err != nil {
				return err
			}
			p.Dissim = src
		}
	}
	tries := float64(len(s.numbers()))
	s.all = tries
	switch by {
	case byGap:
		s.all += tries * (references + 1)
	case byStability:
		s.all += 2 * tries * pairs
	}
	return nil
}

// fit fits one number of clusters to a problem.
func (s *scan) fit(ctx context.Context, clusters int, p Problem) (*Outcome, error) {
	c, err := s.At(clusters)
	if err != nil {
		return nil, err
	}
	p.Contradictions = max(p.Contradictions, s.contradictions)
	p.Progress = fit.Part(s.report, s.done/s.all, min(1, (s.done+1)/s.all))
	out, err := c.Steps.Fit(ctx, p)
	s.done = min(s.all, s.done+1)
	if err != nil {
		return nil, err // whatever there is of it, it is of one number alone
	}
	return out, nil
}

// fits fits all numbers and fills in what each fit amounts to by itself. It returns the best by the
// criterion so far as it is known then; nil: it is not. Numbers from one on that the data cannot
// have are left out, unless it is the first.
func (s *scan) fits(ctx context.Context) (best *Outcome, err error) {
	for _, k := range s.numbers() {
		out, err := s.fit(ctx, k, s.problem)
		if in, ok := errors.AsType[*fault.Input](err); ok && k > s.span.From {
			s.notes = append(s.notes, fmt.Sprintf("no more than %d clusters are tried: %s", k-1,
				in.Problem))
			break
		}
		if err != nil {
			return nil, err
		}
		t := Trial{Clusters: k, Criteria: map[string]float64{}}
		maps.Copy(t.Criteria, out.Criteria)
		if err := s.judge(func() error { return s.silhouette(ctx, out, &t) }); err != nil {
			return nil, err
		}
		s.choice.Tried = append(s.choice.Tried, t)
		if s.best() == len(s.choice.Tried)-1 {
			best = out
		}
	}
	return best, nil
}

// best returns the place of the trial of the best value so far, −1 where none has one.
func (s *scan) best() int {
	at, by := -1, s.choice.By
	var top float64
	for i, t := range s.choice.Tried {
		v, ok := t.Criteria[by]
		if slices.Contains(s.Criteria, by) {
			v = -v // the lowest is best
		}
		if ok && (at < 0 || v > top) {
			at, top = i, v
		}
	}
	return at
}

// decide returns the place of the trial to choose; −1: there is none.
//
// By gap it is the first whose gap is at least that of the next less its error (Tibshirani,
// Walther and Hastie 2001, section 3), or else the last; by stability the last that is as stable as
// the most stable one, within its error; by all else the best.
func (s *scan) decide() int {
	tried, best := s.choice.Tried, s.best()
	switch s.choice.By {
	case byGap:
		for i := 0; i+1 < len(tried); i++ {
			v, ok := tried[i].Criteria[byGap]
			next, also := tried[i+1].Criteria[byGap]
			if ok && also && v >= next-tried[i+1].Error {
				return i
			}
		}
		if best >= 0 {
			return len(tried) - 1
		}
	case byStability:
		if best < 0 {
			return -1
		}
		least := tried[best].Criteria[byStability] - tried[best].Error
		for i, t := range tried {
			if v, ok := t.Criteria[byStability]; ok && v >= least {
				best = i
			}
		}
	}
	return best
}

// note returns the note on what was chosen, and where the range may be too short.
func (s *scan) note() string {
	c := s.choice
	text := fmt.Sprintf("of %d to %d clusters, %d are chosen by %s", s.span.From,
		c.Tried[len(c.Tried)-1].Clusters, c.Clusters, c.By)
	switch c.By {
	case bySilhouette:
		text += ", the highest"
		if c.Sample > 0 {
			text += fmt.Sprintf(", among %d rows", c.Sample)
		}
	case byGap, byStability:
		if c.Subsample > 0 {
			text += fmt.Sprintf(", of %d rows", c.Subsample)
		}
	default:
		text += ", the lowest"
	}
	var lacking []string
	for _, t := range c.Tried {
		if _, ok := t.Criteria[c.By]; !ok {
			lacking = append(lacking, strconv.Itoa(t.Clusters))
		}
	}
	if lacking != nil {
		text += fmt.Sprintf("; the fits of %s have no %s to compare them by",
			words.UpTo(lacking, 10), c.By)
	}
	if c.Clusters == s.span.To {
		text += fmt.Sprintf("; it is the end of the range, and more may be better still, as in "+
			"-k %d..%d", s.span.From, s.span.To+4)
	}
	return text
}
