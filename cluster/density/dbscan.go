package density

import (
	"context"
	"fmt"
	"slices"

	"github.com/kindred-go/kindred/internal/words"
)

// Result is a partition by density.
type Result struct {
	Labels    []int32 // cluster of each object, from 0 in the order of their first objects; [Noise]
	Clusters  int
	Core      []bool  // which objects are core objects
	Eps       float64 // the radius used
	Chosen    bool    // Eps was chosen from the data
	MinPoints int
	Suggested float64 // a radius that may do better, where all is noise or in one cluster; else 0
	Notes     []string
}

// FitDBSCAN clusters by DBSCAN (Ester, Kriegel, Sander and Xu 1996, definitions 1 to 6). Which
// objects are core objects, which of them are together and which objects are noise follow from the
// definitions. A border object may be within Eps of several clusters, and the paper puts it into
// the first that comes along; here it joins that of the nearest core object, which is ours.
//
// Bad data or settings are a [*fault.Input]; else it fails with ctx's error alone.
func FitDBSCAN(ctx context.Context, o Objects, cfg Config) (*Result, error) {
	if err := cfg.check(); err != nil {
		return nil, err
	}
	f, err := newDense(ctx, o, cfg)
	if err != nil {
		return nil, err
	}
	cfg.progress(0.4)
	groups, err := f.cluster(ctx, nil)
	if err != nil {
		return nil, err
	}
	r := f.result(groups)
	cfg.progress(0.9)
	if err := f.advise(ctx, r); err != nil {
		return nil, err
	}
	cfg.progress(1)
	return r, nil
}

// dense is a radius and a density on a space.
type dense struct {
	space
	key       float64
	eps       float64
	chosen    bool // key is that of choice
	choice    choice
	minPoints int
	core      []bool // by position
}

// newDense chooses the radius where it is not given, and finds the core objects.
func newDense(ctx context.Context, o Objects, cfg Config) (*dense, error) {
	s, err := o.space(ctx, cfg.Threads)
	if err != nil {
		return nil, err
	}
	cfg = cfg.withDefaults(o)
	cfg.progress(0.1)
	f := &dense{space: s, eps: cfg.Eps, key: s.key(cfg.Eps), minPoints: cfg.MinPoints}
	if f.chosen = cfg.Eps == 0; f.chosen {
		if f.choice, err = chooseKey(ctx, s, cfg.MinPoints); err != nil {
			return nil, err
		}
		f.key = f.choice.key
		f.eps = s.radius(f.key)
	}
	return f, f.mark(ctx, nil)
}

// mark finds the core objects among those asked about (nil: all).
func (f *dense) mark(ctx context.Context, asked []bool) error {
	if far := f.choice.core; far != nil && asked == nil {
		f.core = make([]bool, f.size())
		for i, key := range far {
			f.core[i] = key <= f.key
		}
		return nil
	}
	counts, err := f.count(ctx, f.key, int32(f.minPoints), asked)
	if err != nil {
		return err
	}
	f.core = make([]bool, f.size())
	for i, n := range counts {
		f.core[i] = int(n) >= f.minPoints
	}
	return nil
}

// cluster returns the group of each position, the root of a set of core objects; Noise. Objects
// that are not asked about (nil: all are) and are no core objects are Noise.
func (f *dense) cluster(ctx context.Context, asked []bool) ([]int32, error) {
	g := newGroups(f.size())
	if err := f.join(ctx, f.key, f.core, g); err != nil {
		return nil, err
	}
	group := g.roots(nil)
	return group, f.border(ctx, asked, group)
}

// border puts objects that are no core objects into the group of the nearest one.
func (f *dense) border(ctx context.Context, asked []bool, group []int32) error {
	open := make([]bool, f.size())
	for i, core := range f.core {
		open[i] = !core && (asked == nil || asked[i])
	}
	to, _, err := f.nearest(ctx, open, f.core, f.key)
	if err != nil {
		return err
	}
	for i, core := range f.core {
		if !core {
			if group[i] = Noise; to[i] >= 0 {
				group[i] = group[to[i]]
			}
		}
	}
	return nil
}

// result brings groups of positions to labels of rows.
func (f *dense) result(group []int32) *Result {
	r := &Result{Eps: f.eps, Chosen: f.chosen, MinPoints: f.minPoints, Core: make([]bool, f.size())}
	r.Labels, r.Clusters = number(f.rows(), group)
	for i, row := range f.rows() {
		r.Core[row] = f.core[i]
	}
	return r
}

// number returns the label of each row from the groups of positions, in the order of the groups'
// first rows.
func number(rows, group []int32) (labels []int32, clusters int) {
	labels = make([]int32, len(rows))
	for i, row := range rows {
		labels[row] = group[i]
	}
	named := slices.Repeat([]int32{Noise}, len(rows))
	for i, g := range labels {
		if g < 0 {
			continue
		}
		if named[g] < 0 {
			named[g] = int32(clusters)
			clusters++
		}
		labels[i] = named[g]
	}
	return labels, clusters
}

// advise adds the notes of a result, and suggests a radius where it has one cluster or none.
func (f *dense) advise(ctx context.Context, r *Result) error {
	switch {
	case f.choice.tells:
		r.Notes = append(r.Notes,
			fmt.Sprintf("Eps %s leaves the most objects in other clusters than the largest; where the "+
				"distances to the %s bend, nearly all would be in one", words.Round(r.Eps),
				nth(f.minPoints-1)))
	case f.chosen && f.eps > 0:
		r.Notes = append(r.Notes,
			fmt.Sprintf("Eps %s is where the distances to the %s bend", words.Round(r.Eps),
				nth(f.minPoints-1)))
	}
	if r.Clusters > 1 || f.size() == 1 {
		return nil
	}
	core := f.choice.core
	if core == nil {
		var err error
		if core, err = f.space.core(ctx, f.minPoints, nil, nil); err != nil {
			return err
		}
	}
	curve := curveOf(f.space, core)
	if r.Clusters == 0 {
		if len(curve) == 0 {
			r.Notes = append(r.Notes,
				fmt.Sprintf("all objects are noise, as there are fewer than the %d that make a "+
					"neighbourhood dense: lower MinPoints", f.minPoints))
			return nil
		}
		r.Suggested = niceRadius(knee(curve))
		r.Notes = append(r.Notes,
			fmt.Sprintf("all objects are noise, as none has %d others within Eps %s: try Eps %s, "+
				"where the distances to the %s bend",
				f.minPoints-1, words.Round(r.Eps), words.Round(r.Suggested), nth(f.minPoints-1)))
		return nil
	}
	note := "all objects are in one cluster"
	if slices.Contains(r.Labels, Noise) {
		note = "there is one cluster"
	}
	var err error
	if r.Suggested, err = f.tighter(ctx, core, curve); err != nil {
		return err
	}
	if r.Suggested > 0 {
		note += fmt.Sprintf(": try Eps %s for more", words.Round(r.Suggested))
	}
	r.Notes = append(r.Notes, note)
	return nil
}

// tighterRows is the most objects of which the cluster is taken apart to see what radius would part
// it.
const tighterRows = 20000

// tighter suggests a radius that parts the one cluster; 0 where there is none. Up to tighterRows
// objects of many columns it is that at which the most objects are outside the largest cluster, if
// they are worthTelling; else just below the greatest one at which two sets of at least MinPoints
// core objects are joined; else, or where there is no such, the knee of the core distances, or
// their median, the first that is less than the radius at hand.
func (f *dense) tighter(ctx context.Context, core, curve []float64) (float64, error) {
	if f.size() <= tighterRows {
		t := f.choice.tree
		if t == nil {
			var err error
			if t, err = newMergeTree(ctx, f.space, core); err != nil {
				return 0, err
			}
		}
		_, key, best := t.telling(core, f.key)
		if f.columns() >= wideColumns && key > 0 && key < f.key &&
			float64(best.outside) >= float64(worthTelling*float64(f.size())) {
			return f.radius(key), nil
		}
		if r := f.radius(t.parting(f.minPoints, f.key)); r > 0 {
			return r, nil
		}
	}
	for _, r := range []float64{knee(curve), curve[len(curve)/2]} {
		if r = niceRadius(r); r < f.eps {
			return r, nil
		}
	}
	return 0, nil
}

// nth writes a rank among neighbours.
func nth(k int) string {
	suffix := "th"
	if k/10%10 != 1 {
		switch k % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s nearest", k, suffix)
}
