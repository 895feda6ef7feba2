package competitive

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/scale/fold"
	"github.com/kindred-go/kindred/scale/shard"
	"github.com/kindred-go/kindred/scale/survey"
)

// groups are n rows in three groups in the plane, the ith with the id r<i>.
func groups(n int) dataset.Matrix {
	x := dataset.Matrix{Rows: n, Cols: 2}
	for i := range n {
		a := float64(i)
		x.F64 = append(x.F64, 4*float64(i%3)+math.Sin(a*12.9898), float64(i%2)*3+math.Cos(a*78.233))
	}
	return x
}

// lay writes rows in files, and plans and counts them.
func lay(t testing.TB, x dataset.Matrix, files, splitRows, blockRows int) (shard.Source,
	*survey.Survey) {
	t.Helper()
	dir := t.TempDir()
	for f := range files {
		var b strings.Builder
		b.WriteString("id,x,y\n")
		for i := x.Rows * f / files; i < x.Rows*(f+1)/files; i++ {
			fmt.Fprintf(&b, "r%d,%v,%v\n", i, x.At(i, 0), x.At(i, 1))
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("part-%d.csv", f)),
			[]byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{dir}, ID: "id", Columns: []string{"x", "y"},
			SplitRows: splitRows, BlockRows: blockRows})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	if sv.Rows != int64(x.Rows) {
		t.Fatalf("%d rows were laid out, and %d are there", x.Rows, sv.Rows)
	}
	return src, sv
}

// some are links between rows all over the table.
func some(n int) (named []Link, numbered []link.Link) {
	for i := range 15 {
		l := link.Link{A: 7 * i, B: n - 1 - 11*i, Kind: link.CannotLink,
			Plausibility: 0.5 + 0.03*float64(i)}
		if l.A%3 == l.B%3 {
			l.Kind = link.MustLink
		}
		numbered = append(numbered, l)
		named = append(named,
			Link{fmt.Sprintf("r%d", l.A), fmt.Sprintf("r%d", l.B), l.Kind, l.Plausibility})
	}
	return named, numbered
}

// presented returns the rows in the order in which one learner at a time presents them.
func presented(t *testing.T, src shard.Source, sv *survey.Survey, cfg Config) (order []int) {
	t.Helper()
	job := learning{Config: cfg.Config, Columns: []string{"x", "y"}, Splits: len(sv.Splits),
		Learners: 1, places: &places{}}
	for round := range cfg.Passes * len(sv.Splits) {
		for _, s := range sv.Splits {
			if !job.turn(round, s.Index) {
				continue
			}
			rng := shuffler(cfg.Seed, s.Index, round/len(sv.Splits))
			if _, err := src.Each(t.Context(), s, func(b *shard.Block) error {
				for _, i := range shuffled(nil, b.X.Rows, rng) {
					order = append(order, int(s.First+b.Number(i)))
				}
				return nil
			}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return order
}

// One learner at a time is competitive.Fit on one machine on rows in the same order, to the bit:
// with links whose rows lie in different splits, whatever the rule and the rates.
func TestOneLearnerIsTheSingleMachine(t *testing.T) {
	t.Parallel()
	const n, passes = 400, 2
	x := groups(n)
	links, numbered := some(n)
	for _, lie := range []struct{ files, split int }{{1, 1000}, {3, 40}} {
		src, sv := lay(t, x, lie.files, lie.split, 25)
		if many := len(sv.Splits) > 1; many != (lie.files > 1) {
			t.Fatalf("%d splits of %d files", len(sv.Splits), lie.files)
		}
		for _, rule := range []competitive.Rule{competitive.CRPCL, competitive.OLCVQE,
			competitive.RPCL, competitive.FrequencySensitive, competitive.WinnerTakeAll} {
			cfg := Config{Config: competitive.Config{Rule: rule, Clusters: 4, Seed: 5,
				Rate: competitive.Rate{Schedule: competitive.Power, HalfWay: 100}}, Links: links,
				Passes: passes, Learners: 1}
			got, err := Fit(t.Context(), fold.Local{Threads: 2}, src, sv, cfg)
			if err != nil {
				t.Fatal(err)
			}
			start, err := competitive.Begin(t.Context(), cfg.Config, x, dataset.Matrix{})
			if err != nil {
				t.Fatal(err)
			}
			order := presented(t, src, sv, cfg)
			// Links hold between the copies of rows that are of one pass.
			var copies []link.Link
			for pass := range passes {
				at := map[int]int{}
				for i, row := range order[pass*n : (pass+1)*n] {
					at[row] = pass*n + i
				}
				if len(at) != n {
					t.Fatalf("a pass presents %d of %d rows", len(at), n)
				}
				for _, l := range numbered {
					l.A, l.B = at[l.A], at[l.B]
					copies = append(copies, l)
				}
			}
			want, err := competitive.Fit(t.Context(), x.Subset(order),
				competitive.FitConfig{Links: copies, Config: cfg.Config, Epochs: 1, InOrder: true,
					InitialPrototypes: dataset.Matrix{Rows: 4, Cols: 2, F64: start.Prototypes}})
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got.Prototypes.F64, want.Prototypes.F64) ||
				!slices.Equal(got.Wins, want.Wins) {
				t.Errorf("%v over %d splits: prototypes %v, want %v", rule, len(sv.Splits),
					got.Prototypes.F64, want.Prototypes.F64)
			}
			if total := got.Trace[0] + got.Trace[1]; len(got.Trace) != passes ||
				math.Abs(total-want.Trace[0]) > 1e-12*total || got.Rows != n {
				t.Errorf("%v over %d splits: squared errors %v of %d rows, want %v in all", rule,
					len(sv.Splits), got.Trace, got.Rows, want.Trace)
			}
			labels, err := want.Predict(t.Context(), x, 1)
			if err != nil {
				t.Fatal(err)
			}
			broken := 0
			for _, l := range numbered {
				if (labels[l.A] == labels[l.B]) != (l.Kind == link.MustLink) {
					broken++
				}
			}
			if len(got.Violated) != broken {
				t.Errorf("%v: %d links are not met, want %d", rule, len(got.Violated),
					broken)
			}
		}
	}
}

// Prototypes and the squared errors are the same bytes on any number of threads, with few learners
// at a time and with all.
func TestThreadsDoNotMatter(t *testing.T) {
	t.Parallel()
	src, sv := lay(t, groups(500), 4, 30, 10)
	links, _ := some(500)
	for _, learners := range []int{0, 3} {
		var first *Result
		for _, threads := range []int{1, 2, 7} {
			got, err := Fit(t.Context(), fold.Local{Threads: threads}, src, sv,
				Config{Config: competitive.Config{Clusters: 5, Seed: 2}, Links: links, Passes: 3,
					Learners: learners})
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = got
			}
			if !slices.Equal(got.Prototypes.F64, first.Prototypes.F64) ||
				!slices.Equal(got.Trace, first.Trace) || !slices.Equal(got.Nearest, first.Nearest) {
				t.Errorf("%d learners on %d threads: %v, on one %v", learners, threads,
					got.Prototypes.F64, first.Prototypes.F64)
			}
		}
		if sum := first.Nearest[0] + first.Nearest[1] + first.Nearest[2] + first.Nearest[3] +
			first.Nearest[4]; sum != 500 {
			t.Errorf("%d rows in the last pass", sum)
		}
	}
}

// Two learners of winner takes all in one column, worked out by a loop that knows nothing of them.
func TestAveragingByALoop(t *testing.T) {
	t.Parallel()
	x := dataset.Matrix{Rows: 40, Cols: 2}
	for i := range x.Rows {
		x.F64 = append(x.F64, float64(i*i%17), 0)
	}
	src, sv := lay(t, x, 2, 1000, 1000)
	start := dataset.Matrix{Rows: 2, Cols: 2, F64: []float64{2, 0, 9, 0}}
	cfg := Config{Config: competitive.Config{Rule: competitive.WinnerTakeAll, Clusters: 2, Seed: 8,
		Rate: competitive.Rate{Start: 0.25}}, Passes: 3, Prototypes: start}
	got, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	at := [2]float64{2, 9}
	for pass := range 3 {
		var moved, wins [2]float64
		for split := range 2 {
			own, won := at, [2]float64{}
			for _, i := range shuffled(nil, 20, shuffler(8, split, pass)) {
				v := x.At(split*20+i, 0)
				j := 0
				if math.Abs(v-own[1]) < math.Abs(v-own[0]) {
					j = 1
				}
				own[j] += 0.25 * (v - own[j])
				won[j]++
			}
			for j := range at {
				moved[j] += won[j] * own[j]
				wins[j] += won[j]
			}
		}
		for j := range at {
			if wins[j] > 0 {
				at[j] = moved[j] / wins[j]
			}
		}
	}
	if math.Abs(got.Prototypes.At(0, 0)-at[0]) > 1e-12 ||
		math.Abs(got.Prototypes.At(1, 0)-at[1]) > 1e-12 {
		t.Errorf("prototypes at %v, want %v", got.Prototypes.F64, at)
	}
}

// Splits take turns: each is learnt once a pass, and in a round there are no more than the
// learners.
func TestTurns(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ splits, learners, turns int }{{7, 0, 1}, {7, 3, 3}, {7, 1, 7},
		{7, 20, 1}, {8, 4, 2}} {
		job := learning{Splits: c.splits, Learners: c.learners, places: &places{}}
		if job.turns() != c.turns {
			t.Fatalf("%d splits by %d learners: %d rounds a pass, want %d", c.splits, c.learners,
				job.turns(), c.turns)
		}
		for pass := range 3 {
			seen := make([]int, c.splits)
			for turn := range c.turns {
				now := 0
				for s := range c.splits {
					if job.turn(pass*c.turns+turn, s) {
						seen[s]++
						now++
					}
				}
				if now > job.atOnce() || now == 0 {
					t.Errorf("%d splits by %d learners: %d in round %d", c.splits, c.learners, now,
						turn)
				}
			}
			if slices.Max(seen) != 1 || slices.Min(seen) != 1 {
				t.Errorf("%d splits by %d learners: learnt %v times in pass %d", c.splits,
					c.learners, seen, pass)
			}
		}
	}
}

// Rows that are left out for a missing value are as if they had never been, and nobody can name
// them in a link.
func TestRowsLeftOut(t *testing.T) {
	t.Parallel()
	x := groups(60)
	links := []Link{{A: "r3", B: "r40", Kind: link.CannotLink},
		{A: "r20", B: "r50", Kind: link.MustLink}}
	cfg := Config{Config: competitive.Config{Clusters: 3, Seed: 2}, Links: links, Passes: 2}
	src, sv := lay(t, x, 1, 1000, 1000)
	want, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(src.Paths[0], "part-0.csv")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "r30,", "bare,,1\nr30,", 1)),
		0o600); err != nil {
		t.Fatal(err)
	}
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: src.Paths, ID: "id", Columns: []string{"x", "y"},
			Prepare: shard.Preparation{Missing: shard.MissingKeep}})
	if err != nil {
		t.Fatal(err)
	}
	if sv, err = survey.Run(t.Context(), fold.Local{}, src, splits); err != nil {
		t.Fatal(err)
	}
	src.Prepare.Missing = shard.MissingDrop
	got, err := Fit(t.Context(), fold.Local{}, src, sv, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(got.Prototypes.F64, want.Prototypes.F64) || got.Rows != 60 || sv.Rows != 61 {
		t.Errorf("%d of %d rows learnt, prototypes at %v, want %v", got.Rows, sv.Rows,
			got.Prototypes.F64, want.Prototypes.F64)
	}
	cfg.Links = []Link{{A: "r3", B: "bare", Kind: link.CannotLink}}
	if _, err := Fit(t.Context(), fold.Local{}, src, sv, cfg); err == nil ||
		!strings.Contains(err.Error(), "missing value") {
		t.Errorf("a link to a row that is left out: %v", err)
	}
}

// Prototypes are placed by rows that are not left out, though nearly all are.
func TestFewRowsLeft(t *testing.T) {
	t.Parallel()
	const n, every = 3 * sampled, 1000
	dir := t.TempDir()
	b := []byte("x,y\n")
	for i := range n {
		if i%every == 0 {
			b = fmt.Appendf(b, "%d,1\n", i)
		} else {
			b = append(b, ",1\n"...)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "a.csv"), b, 0o600); err != nil {
		t.Fatal(err)
	}
	src, splits, err := shard.Plan(t.Context(),
		shard.Source{Paths: []string{dir}, SplitRows: 20_000,
			Prepare: shard.Preparation{Missing: shard.MissingKeep}})
	if err != nil {
		t.Fatal(err)
	}
	sv, err := survey.Run(t.Context(), fold.Local{}, src, splits)
	if err != nil {
		t.Fatal(err)
	}
	src.Prepare.Missing = shard.MissingDrop
	got, err := Fit(t.Context(), fold.Local{}, src, sv,
		Config{Config: competitive.Config{Clusters: n / every, Rule: competitive.WinnerTakeAll},
			Passes: 1})
	if err != nil {
		t.Fatal(err)
	}
	for j, rows := range got.Nearest {
		if rows != 1 {
			t.Errorf("%d rows of prototype %d", rows, j)
		}
	}
}
