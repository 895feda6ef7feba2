package project

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/project/search"
)

// Find is what to look for among the objects. All that is set holds of what is found; where nothing
// is set, that is every object.
type Find struct {
	Query   search.Query // words of the texts and fields
	Meaning bool         // texts like the Query, whether they have its words or not
	Like    *int         // objects near this row, itself left out; not together with a Query

	Group    *int   // of this group; 0: of none
	With     *int   // of the group that this row is in; not together with Group
	Doubtful bool   // the groups are not sure of it
	Answered string // an answer in effect is about it: same, different, unknown, any; or none
	Who      string // who gave that answer
}

// Values of Answered beside the answers themselves.
const (
	AnsweredAny  = "any"
	AnsweredNone = "none"
)

// Found is a part of what was found.
type Found struct {
	Members []Member `json:"members" doc:"the best first"`
	Total   int      `json:"total" doc:"of all that was found"`
	Group   *int     `json:"group,omitempty" doc:"number of the group that was looked in; 0: no group"`
	// what the order is by
	By    string  `json:"by" enum:"words,meaning,likeness,certainty,rows" doc:"what the order is by"`
	Far   bool    `json:"far,omitempty" doc:"by meaning: nothing comes close; what is found is the nearest all the same"`
	Note  string  `json:"note,omitempty" doc:"what is to be known of it, in a sentence"`
	Ready bool    `json:"ready" doc:"false while texts and fields are read, when nothing is found by words yet: ask again"`
	Share float64 `json:"share" doc:"of the texts and fields that have been read, in [0, 1]"`
}

// finder finds objects by their words, once these have been read.
type finder struct {
	soon  sync.Once
	start sync.Once
	begun atomic.Bool
	done  chan struct{} // closed when index or err is set
	share atomic.Uint64 // bits of a float64
	index *search.Index
	err   error

	source sync.Once
	near   dissim.Source
	failed error

	apart   sync.Once
	chance  float64 // distance up to which few pairs of rows lie apart
	unknown error
}

// lull is how long what nobody waits for is put off: the page draws what it got first.
const lull = time.Second

// soon does something after a lull, unless the project is closed before.
func (d *Project) soon(do func()) {
	go func() {
		wait := time.NewTimer(lull)
		defer wait.Stop()
		select {
		case <-wait.C:
			do()
		case <-d.ctx.Done():
		}
	}()
}

// reading begins to read the words of all objects beside all else, where nobody has.
func (d *Project) reading() {
	f := &d.finder
	f.start.Do(func() {
		f.done = make(chan struct{})
		f.begun.Store(true)
		go func() {
			defer close(f.done)
			defer func() {
				if p := recover(); p != nil {
					f.err = fmt.Errorf("project: the texts could not be read: %w",
						fault.Recovered(p))
				}
			}()
			f.index, f.err = search.New(d.ctx, d.data.N(), func(row int) search.Document {
				id, text, fields := d.data.Searched(row)
				return search.Document{ID: id, Text: text, Fields: fields}
			}, func(share float64) { f.share.Store(math.Float64bits(share)) })
		}()
	})
}

// close frees the index, once the context of the project has ended.
func (f *finder) close() {
	if !f.begun.Load() {
		return
	}
	<-f.done
	if f.index != nil {
		f.index.Close()
	}
}

// Find looks for objects, and returns those from offset on, at most limit. The first call for words
// begins to read texts and fields; until these are read it returns nothing, and Ready is false. It
// fails with ErrNotFound where there is no such group or row, and with a [*fault.Input] where memory
// does not hold the words.
func (d *Project) Find(ctx context.Context, f Find, offset, limit int) (Found, error) {
	r := d.shown()
	switch {
	case f.Group != nil && (*f.Group < 0 || *f.Group > r.out.Clusters):
		return Found{}, fmt.Errorf("%w: there is no group %d", ErrNotFound, *f.Group)
	case f.Like != nil && (*f.Like < 0 || *f.Like >= d.data.N()):
		return Found{}, fmt.Errorf("%w: there is no row %d", ErrNotFound, *f.Like)
	case f.With != nil && (*f.With < 0 || *f.With >= d.data.N()):
		return Found{}, fmt.Errorf("%w: there is no row %d", ErrNotFound, *f.With)
	case f.With != nil:
		f.Group = new(r.out.Labels[*f.With])
	}
	if _, err := d.certainty(ctx, r); err != nil {
		return Found{}, err
	}
	rows, found, err := d.ordered(ctx, f, r)
	if err != nil {
		if d.ctx.Err() != nil {
			err = ErrClosed
		}
		return Found{}, err
	}
	fits := d.filter(f, r)
	rows = slices.DeleteFunc(rows, func(row int32) bool { return !fits(row) })
	found.Total, found.Group = len(rows), f.Group
	found.Members = d.page(r, len(rows), offset, limit, func(i int) int32 { return rows[i] })
	return found, nil
}

// ordered returns the rows that are looked for before they are filtered, in the order in which they
// are shown.
func (d *Project) ordered(ctx context.Context, f Find, r *result) (rows []int32, found Found,
	err error) {
	found = Found{Ready: true, Share: 1}
	switch {
	case f.Like != nil:
		found.By = "likeness"
		rows, err = d.nearest(ctx, []int32{int32(*f.Like)})
		rows = slices.DeleteFunc(rows, func(row int32) bool { return int(row) == *f.Like })
	case !f.Query.IsZero() && f.Meaning:
		found.By = "meaning"
		err = d.meant(ctx, f.Query, &rows, &found)
	case !f.Query.IsZero():
		found.By = "words"
		if err = d.words(ctx, &found); err == nil && found.Ready {
			rows, err = d.finder.index.Find(ctx, f.Query)
		}
	default:
		// Somebody is about to search.
		d.finder.soon.Do(func() { d.soon(d.reading) })
		found.By, rows = "rows", d.allRows()
		if f.Doubtful {
			found.By = "certainty"
			slices.SortStableFunc(rows,
				func(a, b int32) int { return cmp.Compare(r.sure[a], r.sure[b]) })
		}
	}
	return rows, found, err
}

// words waits a moment for the texts and fields to be read, and notes how far that is.
func (d *Project) words(ctx context.Context, found *Found) error {
	d.reading()
	wait := time.NewTimer(patience)
	defer wait.Stop()
	select {
	case <-d.finder.done:
		return d.finder.err
	case <-wait.C:
		found.Ready = false
		found.Share = math.Float64frombits(d.finder.share.Load())
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// examples is how many of the texts that have the words of a query stand for its meaning.
const examples = 5

// meant finds all rows, those first that are most like a query: like its vector, where texts are
// compared by vectors that are made here, or else like the objects that have its words.
func (d *Project) meant(ctx context.Context, q search.Query, rows *[]int32, found *Found) error {
	x, err := d.data.VectorOf(ctx, strings.Join(q.Words(), " "))
	if err != nil {
		return err
	}
	if x != nil {
		var least float64
		if *rows, least, err = d.near(ctx, x, d.data.Ready.X); err != nil {
			return err
		}
		return d.far(ctx, q, least, found)
	}
	if err = d.words(ctx, found); err != nil || !found.Ready {
		return err
	}
	having, err := d.finder.index.Find(ctx, q)
	if err != nil {
		return err
	}
	if len(having) == 0 {
		found.Note = "No object has these words, so that nothing stands for what they mean."
		return nil
	}
	having = having[:min(len(having), examples)]
	found.Note = "The nearest to " + words.Count(len(having), "object") + " with these words."
	*rows, err = d.nearest(ctx, having)
	return err
}

// Where no text has a word of a query, and none is as near to it as rarely of random pairs of texts
// are to each other, nothing comes close to the query: see docs/decisions/0090-nothing-comes-close-to-a-query.md.
const (
	rarely      = 0.005
	randomPairs = 20_000
	// letters of a word that counts where there is one of as many; shorter ones are mostly in all
	// texts
	wordLetters = 4
)

// far notes where nothing comes close to a query, the nearest row of which is so far.
func (d *Project) far(ctx context.Context, q search.Query, least float64, found *Found) error {
	f := &d.finder
	f.apart.Do(func() { f.chance, f.unknown = d.chance(d.ctx) })
	if f.unknown != nil || least <= f.chance {
		return f.unknown
	}
	if err := d.words(ctx, found); err != nil || !found.Ready {
		return err
	}
	short := func(word string) bool { return utf8.RuneCountInString(word) < wordLetters }
	sought := q.Words()
	if long := slices.DeleteFunc(slices.Clone(sought), short); len(long) > 0 {
		sought = long
	}
	for _, word := range sought {
		if strings.HasPrefix(word, "-") { // of a phrase; alone it would exclude a word
			word = `"` + word + `"`
		}
		one, err := search.Parse(word)
		if err != nil {
			return err
		}
		if having, err := f.index.Find(ctx, one); err != nil || len(having) > 0 {
			return err
		}
	}
	found.Far = true
	found.Note = "Nothing comes close: no object has these words, and none is more like them than " +
		"any two objects may be like each other by chance. The nearest all the same:"
	return nil
}

// chance returns the distance that rarely of random pairs of the rows are apart, at most.
func (d *Project) chance(ctx context.Context) (float64, error) {
	n, rng := d.data.N(), rand.New(rand.NewPCG(1, 1))
	x, err := dissim.Vectors(d.data.Ready.X, dissim.Euclidean)
	if err != nil {
		return 0, err
	}
	apart := make([]float64, 0, randomPairs)
	var one [1]float32
	for range randomPairs {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if a, b := rng.IntN(n), rng.IntN(n); a != b {
			x.Row(one[:], a, []int32{int32(b)})
			apart = append(apart, float64(one[0]))
		}
	}
	if len(apart) == 0 { // there is one row
		return math.Inf(1), nil
	}
	slices.Sort(apart)
	return apart[int(rarely*float64(len(apart)-1))], nil
}

// near returns all rows of vectors, those first that are nearest to one by Euclidean distance, and
// the least distance.
func (d *Project) near(ctx context.Context, v []float64, x dataset.Matrix) ([]int32, float64,
	error) {
	near, err := dissim.Cross(dataset.Matrix{Rows: 1, Cols: len(v), F64: v}, x, dissim.Euclidean)
	if err != nil {
		return nil, 0, err
	}
	rows, err := d.by(ctx, near, []int32{0})
	if err != nil {
		return nil, 0, err
	}
	var least [1]float32
	near.Row(least[:], 0, rows[:1])
	return rows, float64(least[0]), nil
}

// nearest returns all rows, those first that are nearest to some of them: by the mean of their
// vectors, where rows are compared by Euclidean distance, or else by the mean dissimilarity.
func (d *Project) nearest(ctx context.Context, some []int32) ([]int32, error) {
	f := &d.finder
	f.source.Do(func() { f.near, _, f.failed = d.problem.Compared() })
	if f.failed != nil {
		return nil, f.failed
	}
	if x := d.problem.Data; d.problem.Vectors() && len(some) > 1 {
		mean := make([]float64, x.Cols)
		for _, row := range some {
			for j := range mean {
				mean[j] += x.At(int(row), j) / float64(len(some))
			}
		}
		rows, _, err := d.near(ctx, mean, x)
		return rows, err
	}
	return d.by(ctx, f.near, some)
}

// byBlock is how many rows are compared between two looks at the context.
const byBlock = 1024

// by returns all rows by their mean dissimilarity from some objects of the other side.
func (d *Project) by(ctx context.Context, near dissim.Rows, from []int32) ([]int32, error) {
	rows := d.allRows()
	apart := make([]float64, len(rows))
	err := parallel.Blocks(ctx, len(rows), byBlock, d.problem.Threads, func(_, lo, hi int) {
		dst := make([]float32, hi-lo)
		for _, i := range from {
			near.Row(dst, int(i), rows[lo:hi])
			for t, v := range dst {
				apart[lo+t] += float64(v)
			}
		}
	})
	if err != nil {
		return nil, err
	}
	slices.SortFunc(rows, func(a, b int32) int {
		return cmp.Or(cmp.Compare(apart[a], apart[b]), cmp.Compare(a, b))
	})
	return rows, nil
}

func (d *Project) allRows() []int32 {
	rows := make([]int32, d.data.N())
	for i := range rows {
		rows[i] = int32(i)
	}
	return rows
}

// filter returns a function that reports whether a row is as a search wants it.
func (d *Project) filter(f Find, r *result) func(row int32) bool {
	var about map[int32]bool // what answers as wanted are about
	if f.Answered != "" || f.Who != "" {
		about = d.answered(f)
	}
	return func(row int32) bool {
		switch {
		case f.Group != nil && r.out.Labels[row] != *f.Group:
			return false
		case f.Doubtful && r.sure[row] >= doubtful:
			return false
		}
		return about == nil || about[row] == (f.Answered != AnsweredNone)
	}
}

// answered returns the rows that answers in effect are about, of one kind and person where a search
// names these.
func (d *Project) answered(f Find) map[int32]bool {
	d.mu.RLock()
	defer d.mu.RUnlock()
	about := make(map[int32]bool)
	for pair, said := range d.facts.voices {
		for _, v := range said {
			if f.Who != "" && v.Who != f.Who {
				continue
			}
			if f.Answered == "" || f.Answered == AnsweredAny || f.Answered == AnsweredNone ||
				v.link.Kind.String() == f.Answered {
				about[int32(pair[0])], about[int32(pair[1])] = true, true
			}
		}
	}
	return about
}
