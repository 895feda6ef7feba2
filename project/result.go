package project

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/kindred-go/kindred/data/keywords"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/method"
)

// result are the groups of a revision. What is costly is worked out when it is first asked for.
type result struct {
	gen      int64        // of the facts
	revision atomic.Int64 // last event that they are of
	out      *method.Outcome
	hues     []int  // colour index of cluster k at k−1
	changed  string // against the result before
	before   int64  // revision of that
	sizes    []int  // of cluster k at k; noise at 0
	unmet    string // how many of its links the groups do not meet; "" where all, or it is noted

	certain once
	doubt   *method.Certainty
	// certainty of each row, in [0, 1]; doubtful below a half: see Project.certainty
	sure   []float32
	sorted once
	byRank [][]int32 // rows of cluster k at k, as method.Typical has them

	doubted sync.Once
	byDoubt []int32 // doubtful rows, the least certain first
	lacked  sync.Once
	byLack  []int32 // rows that are less than certain, in the same order
	outside sync.Once
	outlier []bool
	named   once
	// see Project.keywords
	keywords map[int][]keywords.Keyword
}

// outliers returns which rows of a credal partition seem to belong to no group.
func (r *result) outliers() []bool {
	r.outside.Do(func() { r.outlier = r.out.Credal.Outliers() })
	return r.outlier
}

// newResult looks at an outcome beside the one before; last is the last answer, if the last step
// was one.
func newResult(gen, revision int64, out *method.Outcome, before *result, last *answered) *result {
	r := &result{gen: gen, out: out, sizes: make([]int, out.Clusters+1)}
	r.revision.Store(revision)
	for _, l := range out.Labels {
		r.sizes[l]++
	}
	if violated := len(link.Violated(out.Labels, out.Asked)); violated > 0 && !out.CountsUnmet() {
		r.unmet = fmt.Sprintf("%s not met, of %d: other objects, or the number of groups, weigh "+
			"more", method.Are(violated, "link"), len(out.Asked))
	}
	r.colour(before)
	if before != nil && before.out != nil {
		r.changed, r.before = change(before, r, last), before.revision.Load()
	}
	return r
}

// colour sets the colour of each cluster to that of the one before that it shares most rows with,
// each colour once.
func (r *result) colour(before *result) {
	r.hues = make([]int, r.out.Clusters)
	for k := range r.hues {
		r.hues[k] = -1
	}
	used := make(map[int]bool)
	if before != nil && before.out != nil {
		pairs := overlaps(before.out, r.out)
		slices.SortFunc(pairs, func(a, b overlap) int {
			return cmp.Or(cmp.Compare(b.rows, a.rows), cmp.Compare(a.is, b.is),
				cmp.Compare(a.was, b.was))
		})
		for _, p := range pairs {
			if hue := before.hues[p.was-1]; r.hues[p.is-1] < 0 && !used[hue] {
				r.hues[p.is-1], used[hue] = hue, true
			}
		}
	}
	next := 0
	for k := range r.hues {
		if r.hues[k] < 0 {
			for used[next] {
				next++
			}
			r.hues[k], used[next] = next, true
		}
	}
}

// overlap is how many rows a cluster shares with one of before.
type overlap struct{ was, is, rows int }

// overlaps lists the pairs of clusters that share rows.
func overlaps(before, now *method.Outcome) (pairs []overlap) {
	wide := now.Clusters + 1
	shared := make(map[int]int)
	for i := 0; i < len(now.Labels); { // neighbouring rows are often alike
		key, first := before.Labels[i]*wide+now.Labels[i], i
		for i < len(now.Labels) && before.Labels[i]*wide+now.Labels[i] == key {
			i++
		}
		shared[key] += i - first
	}
	for key, rows := range shared {
		if was, is := key/wide, key%wide; was > 0 && is > 0 {
			pairs = append(pairs, overlap{was, is, rows})
		}
	}
	return pairs
}

// hue returns the colour of a cluster; −1 for noise.
func (r *result) hue(cluster int) int {
	if cluster == 0 {
		return -1
	}
	return r.hues[cluster-1]
}

// answered is the last link that a person stated.
type answered struct {
	link.Link
	// the rows of all links of the step, where these are several, as in a merge of groups; else nil
	step []int
}

// change returns what is otherwise than before, in a sentence.
func change(before, now *result, last *answered) string {
	was, is := before.out.Clusters, now.out.Clusters
	moved, rows := moves(before, now), 0
	for _, n := range moved {
		rows += n
	}
	objects := words.Count(rows, "object")
	switch {
	case last != nil && last.step != nil &&
		(is != was && is != was-1 || changedBeside(before, moved, last.step)):
		return fmt.Sprintf("That step counts as an answer, and all groups were found anew with it, "+
			"so that others changed, too: %s now, %d before; %s changed group.",
			words.Count(is, "group"), was, objects)
	case is == was-1 && len(moved) == 1:
		return fmt.Sprintf("Two groups became one: %s joined another group. %s now.", objects,
			words.Count(is, "group"))
	case is < was-1:
		return fmt.Sprintf("Groups joined: %d now, %d before.", is, was)
	case is != was:
		return fmt.Sprintf("Groups were found anew: %d now, %d before; %s changed group.", is, was,
			objects)
	case rows > 0:
		return objects + " changed group."
	case last != nil && last.Kind == link.CannotLink:
		if a, b := now.out.Labels[last.A], now.out.Labels[last.B]; a != b && a > 0 && b > 0 {
			return fmt.Sprintf("Groups %d and %d are known to differ now; no object moved.",
				min(a, b), max(a, b))
		}
	case last != nil && last.Kind == link.Unknown:
		return "That pair is left open; no object moved."
	}
	return "The groups stay as they were."
}

// move is two colours that rows changed between.
type move struct{ was, is int }

// moves counts the rows that changed colour.
func moves(before, now *result) map[move]int {
	all := make(map[move]int)
	for i, l := range now.out.Labels {
		if m := (move{before.hue(before.out.Labels[i]), now.hue(l)}); m.was != m.is {
			all[m]++
		}
	}
	return all
}

// changedBeside reports whether a row left or joined a group that none of some rows was in before.
func changedBeside(before *result, moved map[move]int, step []int) bool {
	of := make(map[int]bool)
	for _, row := range step {
		of[before.hue(before.out.Labels[row])] = true
	}
	for m := range moved {
		if !of[m.was] || !of[m.is] {
			return true
		}
	}
	return false
}

// certainty works out how certain each row is of its group, for result.sure. In a credal partition
// it is below a half where the row is between groups or like none.
func (d *Project) certainty(ctx context.Context, r *result) (*method.Certainty, error) {
	err := r.certain.do(ctx, d.ctx, func(ctx context.Context) (err error) {
		if r.doubt, err = method.Doubts(ctx, d.problem, r.out, d.problem.Threads); err != nil {
			return err
		}
		r.sure = r.doubt.Sure()
		return nil
	})
	if err != nil { // others may be at it
		return nil, err
	}
	return r.doubt, nil
}

// ranked returns the rows of each cluster, the most typical first.
func (d *Project) ranked(ctx context.Context, r *result) ([][]int32, error) {
	if _, err := d.certainty(ctx, r); err != nil {
		return nil, err
	}
	err := r.sorted.do(ctx, d.ctx, func(ctx context.Context) (err error) {
		r.byRank, err = method.Typical(ctx, d.problem, r.out, r.sure, d.problem.Threads)
		return err
	})
	if err != nil { // others may be at it
		return nil, err
	}
	return r.byRank, nil
}
