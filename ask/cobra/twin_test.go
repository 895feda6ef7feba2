package cobra

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/internal/linalg"
	"github.com/kindred-go/kindred/link"
)

// twin is Algorithm 1 of the paper to the letter, for points that are their own super-instances: it
// sorts the pairs of clusters anew after each merge. It returns the questions it asked, in order.
func twin(points [][]float64, classes []int) [][2]int {
	clusters := make([][]int, len(points))
	for i := range clusters {
		clusters[i] = []int{i}
	}
	cannot := map[[2]int]bool{}
	var asked [][2]int
	for {
		a, b, s1, s2 := closest(points, clusters, cannot)
		if a < 0 {
			return asked
		}
		asked = append(asked, [2]int{s1, s2})
		if classes[s1] == classes[s2] {
			clusters[a] = append(clusters[a], clusters[b]...)
			clusters = append(clusters[:b], clusters[b+1:]...)
		} else {
			cannot[[2]int{s1, s2}] = true
		}
	}
}

// closest returns the nearest two clusters without a cannot-link between them, and their nearest
// pair, ties by the index of the pair.
func closest(points [][]float64, clusters [][]int, cannot map[[2]int]bool) (a, b, s1, s2 int) {
	best := math.Inf(1)
	a, b = -1, -1
	for i := range clusters {
		for j := i + 1; j < len(clusters); j++ {
			linked := false
			for _, x := range clusters[i] {
				for _, y := range clusters[j] {
					linked = linked || cannot[[2]int{min(x, y), max(x, y)}]
				}
			}
			if linked {
				continue
			}
			for _, x := range clusters[i] {
				for _, y := range clusters[j] {
					lo, hi := min(x, y), max(x, y)
					d := linalg.SquaredDistance(points[lo], points[hi])
					if d < best || d == best && (lo < s1 || lo == s1 && hi < s2) {
						best, a, b, s1, s2 = d, i, j, lo, hi
					}
				}
			}
		}
	}
	return a, b, s1, s2
}

func randomProblem(t *rapid.T) (dataset.Matrix, [][]float64, []int) {
	n := rapid.IntRange(2, 24).Draw(t, "n")
	k := rapid.IntRange(1, 5).Draw(t, "classes")
	// Few distinct coordinates make ties, which is where two orders would part.
	levels := rapid.SampledFrom([]int{3, 1000}).Draw(t, "levels")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	x := dataset.Matrix{Rows: n, Cols: 2}
	points, classes := make([][]float64, n), make([]int, n)
	for i := range n {
		points[i] = []float64{float64(rng.IntN(levels)), float64(rng.IntN(levels))}
		x.F64 = append(x.F64, points[i]...)
		classes[i] = rng.IntN(k)
	}
	return x, points, classes
}

func answerFrom(classes []int, q link.Question) link.Kind {
	if classes[q.A] == classes[q.B] {
		return link.MustLink
	}
	return link.CannotLink
}

func start(t interface{ Fatal(...any) }, x dataset.Matrix, cfg Config) *Run {
	if cfg.SuperInstances == 0 {
		cfg.SuperInstances = x.Rows
	}
	si, err := singletons(context.Background(), x, cfg)
	if err == nil {
		var r *Run
		if r, err = Start(si, x, cfg); err == nil {
			return r
		}
	}
	t.Fatal(err)
	return nil
}

// TestTheWalkAsksWhatAlgorithm1Asks: the same questions in the same order, and the true classes as
// the result, whatever the size of the windows.
func TestTheWalkAsksWhatAlgorithm1Asks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, points, classes := randomProblem(t)
		want := twin(points, classes)
		r := start(t, x, Config{})
		r.chooser.walk = newWalk(r.chooser.walk.points,
			rapid.SampledFrom([]int{1, 7, walkWindow}).Draw(t, "window"), r.chooser.askable)
		for i := 0; ; i++ {
			q, ok := r.Next()
			if !ok {
				if i != len(want) {
					t.Fatalf("ended after %d questions, want %d", i, len(want))
				}
				break
			}
			if i >= len(want) || (link.Link{A: q.A, B: q.B}.Pair()) != want[i] {
				t.Fatalf("question %d is %d–%d, want %v", i+1, q.A, q.B, want[i:])
			}
			if err := r.Answer(answerFrom(classes, q)); err != nil {
				t.Fatal(err)
			}
		}
		labels := r.Result().Labels
		for i := range labels {
			for j := range labels {
				if (labels[i] == labels[j]) != (classes[i] == classes[j]) {
					t.Fatalf("rows %d and %d: labels %v, classes %v", i, j, labels, classes)
				}
			}
		}
	})
}

// TestStateKeepsItsCounts compares what the state counts on the way with a count from scratch,
// under answers of all kinds, undo and redo.
func TestStateKeepsItsCounts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, _, _ := randomProblem(t)
		r := start(t, x, Config{})
		for range rapid.IntRange(0, 40).Draw(t, "steps") {
			switch rapid.IntRange(0, 7).Draw(t, "step") {
			case 0:
				r.Undo()
			case 1:
				r.Redo()
			default:
				if _, ok := r.Next(); ok {
					kind := link.Kind(rapid.IntRange(0, 2).Draw(t, "kind"))
					if err := r.Answer(kind); err != nil {
						t.Fatal(err)
					}
				}
			}
			r.Next()
			s := r.chooser.state
			clusters, open := 0, 0
			for a := range s.members {
				if s.members[a] == nil {
					continue
				}
				clusters++
				for b := a + 1; b < len(s.members); b++ {
					if s.members[b] != nil && s.askable(int32(a), int32(b)) {
						open++
					}
				}
			}
			if clusters != s.count || open != s.open {
				t.Fatalf("counts %d clusters and %d open pairs, there are %d and %d", s.count,
					s.open, clusters, open)
			}
			likely, most := r.Remaining()
			if _, more := r.Next(); more != (likely > 0) || likely > most {
				t.Fatalf("remaining %d of at most %d, more: %v", likely, most, more)
			}
		}
	})
}

// TestStateDependsOnTheAnswersAlone: undo, redo and restoring in another order end where answering
// straight on does.
func TestStateDependsOnTheAnswersAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, _, _ := randomProblem(t)
		r, straight := start(t, x, Config{}), start(t, x, Config{})
		for range rapid.IntRange(1, 30).Draw(t, "steps") {
			q, ok := r.Next()
			if !ok {
				break
			}
			kind := link.Kind(rapid.IntRange(0, 2).Draw(t, "kind"))
			if rapid.Bool().Draw(t, "detour") {
				r.Answer(link.Kind(rapid.IntRange(0, 2).Draw(t, "slip")))
				r.Undo()
				r.Answer(kind)
				r.Undo()
				r.Redo()
			} else {
				r.Answer(kind)
			}
			if p, _ := straight.Next(); p != q {
				t.Fatalf("asks %v, straight on %v", q, p)
			}
			straight.Answer(kind)
		}
		answers := r.Answers()
		for i := range answers {
			j := rapid.IntRange(0, i).Draw(t, "swap")
			answers[i], answers[j] = answers[j], answers[i]
		}
		restored := start(t, x, Config{})
		if err := restored.Restore(answers, nil); err != nil {
			t.Fatal(err)
		}
		want := straight.Result()
		for name, run := range map[string]*Run{"after detours": r, "restored": restored} {
			got := run.Result()
			for i := range want.Labels {
				if got.Labels[i] != want.Labels[i] {
					t.Fatalf("%s: labels %v, want %v", name, got.Labels, want.Labels)
				}
			}
			p, okP := run.Next()
			q, okQ := straight.Next()
			if okP != okQ || p.A != q.A || p.B != q.B {
				t.Fatalf("%s: asks %v, want %v", name, p, q)
			}
		}
	})
}
