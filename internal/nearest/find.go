package nearest

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/parallel"
	"github.com/kindred-go/kindred/internal/words"
)

// Search names a way to find nearest neighbours.
type Search int

const (
	// Auto is Exact up to [ExactRows] rows, and for vectors of up to [treeColumns] columns however
	// many there are; else Approximate. Where a Recall is asked for, it is Exact up to 5000 other
	// vectors, or up to 50 000 where more than .99 is: so many take about as long either way.
	Auto Search = iota

	// Exact compares all pairs, block by block; or, for vectors (see [dissim.Embed]), those that a
	// k-d tree, in few columns, or bounds of their distances cannot rule out.
	Exact

	// Approximate compares the rows of overlapping cells around rows drawn at random, round after
	// round, until a sample of rows has enough of its neighbours. Where an exact search costs less
	// than that, it makes one, and the Search of the result is Exact.
	Approximate
)

// ExactRows is the number of rows up to which Auto is Exact, unless a recall is asked for.
const ExactRows = 20_000

// exactRows returns the number of vectors up to which Auto is Exact, by the recall asked for. For
// .95 the two took as long at 4500 × 384, for .999 at 25 000 × 384.
func exactRows(recall float64) int {
	switch {
	case recall == 0:
		return ExactRows
	case recall <= 0.99:
		return 5000
	}
	return 50_000
}

// alwaysExact is the number of rows up to which a search is exact, as cells would be as large.
const alwaysExact = 1000

// treeColumns is the number of columns up to which Exact uses a k-d tree.
const treeColumns = 8

var searches = words.Enum[Search]{Type: "Search", Words: []string{"auto", "exact", "approximate"}}

// String returns auto, exact or approximate.
func (s Search) String() string { return searches.Name(s) }

// Neighbours are the K nearest other objects of each of n objects, nearest first, by dissimilarity
// and among equals by number.
type Neighbours struct {
	K      int
	Index  []int32   // n×K
	Dist   []float32 // n×K, their dissimilarities, as float32
	Search Search    // Exact or Approximate
}

// Config is which neighbours to find, and how.
type Config struct {
	K       int     // neighbours of each object, from 1 to n−1
	Search  Search  // how to find them; 0: Auto
	Seed    uint64  // chooses the random numbers of Approximate
	Recall  float64 // of Approximate, that it should reach, below 1; 0: .95
	Threads int     // 0: one per processor. It never changes the result

	// Progress, unless nil, receives the share of the work done, never from two goroutines at once.
	Progress func(share float64)
}

// Find finds the nearest other objects of each object. A number of neighbours that cannot be had is
// a *fault.Input.
func Find(ctx context.Context, src dissim.Source, cfg Config) (*Neighbours, error) {
	n, k, how := src.Len(), cfg.K, cfg.Search
	if err := check(n, k); err != nil {
		return nil, err
	}
	if !(cfg.Recall >= 0 && cfg.Recall < 1) {
		return nil, fault.Inputf("give a share below 1, or make an exact search",
			"a recall of %g asked for", cfg.Recall)
	}
	if how < Auto || how > Approximate {
		return nil, fault.Inputf("", "unknown way to find neighbours, %v", how)
	}
	vectors, ok := dissim.Embed(src)
	tree := ok && vectors.Vectors.Cols <= treeColumns
	if how == Auto {
		most := ExactRows
		if ok {
			most = exactRows(cfg.Recall)
		}
		how = Approximate
		if n <= most || tree {
			how = Exact
		}
	}
	if n <= alwaysExact {
		how = Exact
	}
	switch {
	case how == Approximate:
		s := newSearcher(ctx, src, n, k, cfg.Threads, cfg.Progress)
		s.seed, s.recall, s.out.Search = cfg.Seed, cmp.Or(cfg.Recall, 0.95), Approximate
		return s.out, s.approximate()
	case tree && n > 1000:
		return inTree(ctx, src, vectors, k, cfg.Threads, cfg.Progress)
	}
	return AllPairs(ctx, src, nil, k, cfg.Threads, cfg.Progress)
}

// check refuses numbers of neighbours that n rows do not have, or memory does not hold.
func check(n, k int) error {
	if n < 2 {
		return fault.Inputf("give two or more", "a row alone has no neighbours")
	}
	if k < 1 || k >= n {
		return fault.Inputf(fmt.Sprintf("ask for 1 to %d", n-1),
			"%s asked for among %s", words.Count(k, "neighbour"), words.Count(n, "row"))
	}
	return memory.Check(8*float64(n)*float64(k),
		fmt.Sprintf("%s of each of %s", words.Count(k, "neighbour"), words.Count(n, "row")),
		"ask for fewer neighbours, or take a sample of the rows")
}

// searcher fills the lists of n objects. Each list is written by one goroutine at a time.
type searcher struct {
	ctx      context.Context
	src      dissim.Source
	n, k     int
	threads  int
	seed     uint64
	recall   float64
	progress func(float64)
	out      *Neighbours
}

func newSearcher(ctx context.Context, src dissim.Source, n, k, threads int,
	progress func(float64)) *searcher {
	if progress == nil {
		progress = func(float64) {}
	}
	out := &Neighbours{K: k, Search: Exact}
	out.empty(n, k)
	return &searcher{ctx: ctx, src: src, n: n, k: k, threads: threads, progress: progress, out: out}
}

// empty makes n empty lists of k places.
func (out *Neighbours) empty(n, k int) {
	out.Index = slices.Grow(out.Index[:0], n*k)[:n*k]
	out.Dist = slices.Grow(out.Dist[:0], n*k)[:n*k]
	for t := range out.Index {
		out.Index[t], out.Dist[t] = -1, float32(math.Inf(1))
	}
}

// blocks is parallel.Blocks over lists, and reports the share of blocks done, from one goroutine at
// a time.
func (s *searcher) blocks(size int, do func(lo, hi int)) error {
	var mu sync.Mutex
	done, all := 0, float64(parallel.Count(s.n, size))
	return parallel.Blocks(s.ctx, s.n, size, s.threads, func(_, lo, hi int) {
		do(lo, hi)
		mu.Lock()
		defer mu.Unlock()
		done++
		s.progress(float64(done) / all)
	})
}

// list returns the neighbours of object i.
func (s *searcher) list(i int) list {
	at := i * s.k
	return list{s.out.Index[at : at+s.k], s.out.Dist[at : at+s.k]}
}
