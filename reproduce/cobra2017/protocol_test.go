package cobra2017

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"

	"github.com/kindred-go/kindred/reproduce/frame"
)

// made is a set of three groups of rows in the plane, one of them twice, and a constant column.
func made(t *testing.T) *frame.Set {
	t.Helper()
	var values []float64
	var truth []int32
	for group, centre := range [][2]float64{{0, 0}, {10, 0}, {0, 10}} {
		for i := range 20 {
			values = append(values, centre[0]+math.Sin(float64(3*i)),
				centre[1]+math.Cos(float64(5*i)), 7)
			truth = append(truth, int32(group))
		}
	}
	values, truth = append(values, values[:3]...), append(truth, 0)
	x, err := dataset.NewMatrix(len(truth), 3, values)
	if err != nil {
		t.Fatal(err)
	}
	return &frame.Set{Need: frame.Need{Name: "made", Title: "Made", Classes: 3}, X: x, Truth: truth}
}

// TestPrepared: a row that repeats another goes, features come to lie between 0 and 1, and a
// constant one is 0.
func TestPrepared(t *testing.T) {
	set := made(t)
	task := prepare(set)
	if task.x.Rows != 60 || len(task.truth) != 60 {
		t.Fatalf("%d rows and %d classes of them, want 60", task.x.Rows, len(task.truth))
	}
	for j, top := range []float64{1, 1, 0} {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range task.x.Rows {
			low, high = min(low, task.x.At(i, j)), max(high, task.x.At(i, j))
		}
		if low != 0 || high != top {
			t.Errorf("feature %d is from %g to %g, want 0 to %g", j, low, high, top)
		}
	}
	if set.X.At(20, 0) < 9 {
		t.Error("the set itself was changed")
	}
}

// TestFolds: each row is set aside in one fold of five, and the next five folds are others.
func TestFolds(t *testing.T) {
	task := prepare(made(t))
	times := make([]int, task.x.Rows)
	for draw := 1; draw <= folds; draw++ {
		f := task.fold(3, draw)
		if len(f.test) != 12 {
			t.Errorf("fold %d sets %d rows aside, want 12", draw, len(f.test))
		}
		for _, row := range f.test {
			times[row]++
			if f.askable[row] {
				t.Errorf("fold %d: row %d is set aside and asked about", draw, row)
			}
		}
	}
	if slices.ContainsFunc(times, func(n int) bool { return n != 1 }) {
		t.Errorf("rows are set aside %v times", times)
	}
	if slices.Equal(task.fold(3, 1).test, task.fold(3, 6).test) {
		t.Error("the second cross-validation has the folds of the first")
	}
}

// TestNobodyIsAskedAboutRowsSetAside runs all methods on groups that are far from each other: they
// take as many questions as COBRA, about other rows alone, and find the groups.
func TestNobodyIsAskedAboutRowsSetAside(t *testing.T) {
	f := prepare(made(t)).fold(1, 2)
	ctx := context.Background()
	budgets, err := f.budgets(ctx, []int{6, 12})
	if err != nil {
		t.Fatal(err)
	}
	if budgets[0] != int(bound(6, 3)) || budgets[1] != int(bound(12, 3)) {
		t.Errorf("COBRA took %v questions, and the bounds are %g and %g", budgets, bound(6, 3),
			bound(12, 3))
	}
	check := func(name string, found []outcome, err error) {
		t.Helper()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i, o := range found {
			if len(o.asked) != budgets[i] {
				t.Errorf("%s: %d questions, want %d", name, len(o.asked), budgets[i])
			}
			for _, l := range o.asked {
				if !f.askable[l.A] || !f.askable[l.B] {
					t.Errorf("%s asked about %d and %d, one of which is set aside", name, l.A, l.B)
				}
			}
			if i == 0 {
				continue // the noise-robust version asks some questions twice over first
			}
			if ari, err := f.ari(o.labels); err != nil || ari != 1 {
				t.Errorf("%s after %d questions: adjusted Rand index %v, %v", name, budgets[i], ari,
					err)
			}
		}
	}
	var found []outcome
	for _, n := range []int{6, 12} {
		o, err := f.cobra(ctx, n)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, o)
	}
	check(ours, found, nil)
	for _, c := range competitors {
		found, err := f.compete(ctx, c, 3, budgets)
		check(c.name, found, err)
	}
	found, err = f.splitting(ctx, 0, budgets)
	check(splits, found, err)
	found, err = f.splitting(ctx, .1, budgets)
	check(robust, found, err)
	found, err = f.kin(ctx, budgets)
	check(spread, found, err)
}

// TestToldTooFewClusters: COSC looks for two clusters where the answers part three groups, and
// makes two all the same.
func TestToldTooFewClusters(t *testing.T) {
	f := prepare(made(t)).fold(1, 1)
	for _, c := range competitors {
		found, err := f.compete(context.Background(), c, 2, []int{12})
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		if most := slices.Max(found[0].labels); most != 2 {
			t.Errorf("%s: labels up to %d", c.name, most)
		}
	}
}

// TestClusterPairs: with rows of one class alone, or each of its own, it is known how many
// questions there are; and the sizes of the classes alone determine how many the paper took on wine
// and dermatology, 457 and 1660 (table 1, means of five orders), to a twentieth.
func TestClusterPairs(t *testing.T) {
	mean := func(sizes ...int) float64 {
		var truth []int32
		for class, size := range sizes {
			truth = append(truth, slices.Repeat([]int32{int32(class)}, size)...)
		}
		const times = 20
		total := 0
		for seed := range uint64(times) {
			asked, err := clusterPairs(t.Context(), truth, rand.New(rand.NewPCG(seed, 0)))
			if err != nil {
				t.Fatal(err)
			}
			total += len(asked)
			set, clashing, err := link.Build(len(truth), asked, link.Refuse)
			if err != nil || len(clashing) > 0 {
				t.Fatal(err, clashing)
			}
			for a := range truth {
				if (set.Relation(0, a) == link.MustLink) != (truth[0] == truth[a]) ||
					set.Relation(0, a) == link.Unknown {
					t.Fatalf("after %d questions it is not known how 0 and %d go together",
						len(asked), a)
				}
			}
		}
		return float64(total) / times
	}
	for _, c := range []struct {
		says     string
		sizes    []int
		from, to float64
	}{
		{"one row", []int{1}, 0, 0},
		{"one class", []int{30}, 29, 29},
		{"all different", []int{1, 1, 1, 1, 1, 1}, 15, 15},
		{"wine", []int{59, 71, 48}, .95 * 457, 1.05 * 457},
		{"dermatology", []int{111, 60, 71, 48, 48, 20}, .95 * 1660, 1.05 * 1660},
	} {
		if got := mean(c.sizes...); got < c.from || got > c.to {
			t.Errorf("%s: %g questions, want %g to %g", c.says, got, c.from, c.to)
		}
	}
}

// TestCountedOnce: the questions of COBRA are counted once for a fold and a number of
// super-instances.
func TestCountedOnce(t *testing.T) {
	task := prepare(made(t))
	first, err := task.fold(1, 1).budgets(t.Context(), []int{6})
	if err != nil {
		t.Fatal(err)
	}
	again, err := task.counted.Get(countKey{1, 1, 6}, func() (int, error) { return -1, nil })
	if err != nil || again != first[0] {
		t.Errorf("%d questions, then %d, %v", first[0], again, err)
	}
	if other, _ := task.counted.Get(countKey{2, 1, 6},
		func() (int, error) { return -1, nil }); other != -1 {
		t.Errorf("%d questions of another seed", other)
	}
}

// TestClosed: 0 and 1 are one, 2 is none of them, and 3 is in with 2.
func TestClosed(t *testing.T) {
	got, err := closed(5, []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 2, B: 1, Kind: link.CannotLink},
		{A: 3, B: 2, Kind: link.MustLink},
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []link.Link{
		{A: 0, B: 1, Kind: link.MustLink}, {A: 0, B: 2, Kind: link.CannotLink},
		{A: 0, B: 3, Kind: link.CannotLink},
		{A: 1, B: 2, Kind: link.CannotLink}, {A: 1, B: 3, Kind: link.CannotLink},
		{A: 2, B: 3, Kind: link.MustLink},
	}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestLargest: of three neighbourhoods that all differ the two largest stay apart, and
// must-links stay.
func TestLargest(t *testing.T) {
	links := []link.Link{
		{A: 0, B: 1, Kind: link.CannotLink}, {A: 1, B: 2, Kind: link.CannotLink},
		{A: 0, B: 2, Kind: link.CannotLink},
		{A: 1, B: 3, Kind: link.MustLink}, {A: 2, B: 4, Kind: link.MustLink},
	}
	want := []link.Link{links[1], links[3], links[4]}
	if got := largest(5, links, 2); !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// TestPlaced: an object is on its way as long as a neighbourhood is left to compare it with.
func TestPlaced(t *testing.T) {
	must := func(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.MustLink} }
	cannot := func(a, b int) link.Link { return link.Link{A: a, B: b, Kind: link.CannotLink} }
	for _, c := range []struct {
		says  string
		links []link.Link
		want  bool
	}{
		{"nothing is known", nil, true},
		{"two neighbourhoods", []link.Link{cannot(0, 1)}, true},
		{"a third object that is not in the first", []link.Link{cannot(0, 1), cannot(2, 0)}, false},
		{"nor in the second", []link.Link{cannot(0, 1), cannot(2, 0), cannot(2, 1)}, true},
		{"but in the second", []link.Link{cannot(0, 1), cannot(2, 0), must(2, 1)}, true},
	} {
		if got, err := placed(4, c.links); err != nil || got != c.want {
			t.Errorf("%s: %v, %v", c.says, got, err)
		}
	}
}

// TestAgain: clusterings are made when an object is placed, of large sets after every second.
func TestAgain(t *testing.T) {
	made := 0
	a := again{n: 9, every: 2,
		learn: func(context.Context, []link.Link, int) ([]int,
			error) {
			made++
			return []int{made}, nil
		}}
	links := []link.Link{
		{A: 0, B: 1, Kind: link.CannotLink}, {A: 2, B: 0, Kind: link.CannotLink},
		{A: 2, B: 1, Kind: link.MustLink},
		{A: 3, B: 0, Kind: link.MustLink}, {A: 4, B: 0, Kind: link.MustLink},
	}
	var of []int
	for n := range len(links) + 1 {
		p, err := a.partition(context.Background(), links[:n])
		if err != nil {
			t.Fatal(err)
		}
		of = append(of, p.Labels[0])
	}
	// Nothing known: the first. 0≠1 places one, 2≠0 none, 2=1 the second, 3=0 one, 4=0 the second.
	if want := []int{1, 1, 1, 2, 2, 3}; !slices.Equal(of, want) {
		t.Errorf("clusterings %v, want %v", of, want)
	}
}
