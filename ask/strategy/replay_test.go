package strategy_test

import (
	"context"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/link"
)

// TestAReplayAsksTheSame and so do undo and redo; looking ahead changes nothing.
func TestAReplayAsksTheSame(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 14).Draw(t, "rows")
		name := rapid.SampledFrom(strategy.Names()).Draw(t, "strategy")
		k := rapid.IntRange(1, 4).Draw(t, "clusters")
		x, _ := blobs(n, min(k, n), 5)
		classes := rapid.SliceOfN(rapid.Int32Range(-1, 2), n, n).Draw(t, "classes")
		cfg := config(x, k, rapid.Uint64Range(0, 3).Draw(t, "seed"))
		oracle := ask.Labels(classes)
		s, err := strategy.New(name, cfg)
		if err != nil {
			t.Fatal(err)
		}
		run, _ := ask.Begin(context.Background(), n, nil, link.Refuse, s)
		for step := range rapid.IntRange(0, 12).Draw(t, "steps") {
			q, ok := run.Next()
			if run.Err() != nil {
				t.Fatal(run.Err())
			}
			if !ok {
				break
			}
			queue := run.Queue(rapid.IntRange(1, 6).Draw(t, "most"))
			if len(queue) == 0 || queue[0].Question != q {
				t.Fatalf("the queue %v does not begin with %v", queue, q)
			}
			pairs := map[[2]int]bool{}
			for _, p := range queue {
				pair := link.Link{A: p.A, B: p.B}.Pair()
				if _, said := run.Answered(p.A, p.B); said || p.A == p.B || pairs[pair] {
					t.Fatalf("the queue %v asks %v, which is said or there already", queue, p)
				}
				pairs[pair] = true
			}
			if likely, most := run.Remaining(); likely < 1 || most < likely {
				t.Fatalf("%d likely of %d questions are left, while there is one", likely, most)
			}
			told := queue[rapid.IntRange(0, len(queue)-1).Draw(t, "told")]
			reply, _ := oracle.Ask(context.Background(), told.Question)
			kind, _ := reply.Kind()
			if err := run.Tell(link.Link{A: told.A, B: told.B, Kind: kind}); err != nil {
				t.Fatal(err)
			}
			after, afterOK := run.Next()
			if rapid.Bool().Draw(t, "undo") {
				run.Undo()
				if again, _ := run.Next(); again != q {
					t.Fatalf("step %d: undone, it asks %v, not %v", step, again, q)
				}
				if _, ok := run.Redo(); !ok {
					t.Fatal("nothing to redo")
				}
			}
			fresh, _ := strategy.New(name, cfg)
			other, _ := ask.Begin(context.Background(), n, nil, link.Refuse, fresh)
			if err := other.Restore(run.Answers(), nil); err != nil {
				t.Fatal(err)
			}
			if again, ok := other.Next(); ok != afterOK || again != after {
				t.Fatalf("step %d: a replay asks %v, not %v", step, again, after)
			}
		}
	})
}

// TestWhateverWasDoneBefore a session asks as a new one does that is given the answers: after noisy
// answers that clash and are kept, edits, answers taken back and given again, and rows left out.
func TestWhateverWasDoneBefore(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 12).Draw(t, "rows")
		name := rapid.SampledFrom(strategy.Names()).Draw(t, "strategy")
		cfg := config(dataset.Matrix{}, rapid.IntRange(2, 4).Draw(t, "clusters"), 2)
		cfg.Data, _ = blobs(n, 3, 5)
		cfg.Partition = means(cfg.Data, 3)
		kinds := rapid.SampledFrom([]link.Kind{same, different, unknown})
		s, err := strategy.New(name, cfg)
		if err != nil {
			t.Fatal(err)
		}
		given := []link.Link{{A: 0, B: 1, Kind: kinds.Draw(t, "given")},
			{A: 1, B: 2, Kind: kinds.Draw(t, "given too")}}
		run, err := ask.Begin(context.Background(), n, given, link.Keep, s)
		if err != nil {
			t.Fatal(err)
		}
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			switch answers := run.Answers(); rapid.IntRange(0, 6).Draw(t, "step") {
			case 0:
				run.Undo()
			case 1:
				run.Redo()
			case 2:
				if len(answers) > 0 {
					a := rapid.SampledFrom(answers).Draw(t, "edited")
					err = run.Edit(a.B, a.A, kinds.Draw(t, "to"))
				}
			case 3:
				run.Exclude(rapid.SliceOfN(rapid.IntRange(0, n-1), 0, 3).Draw(t, "out"))
			default:
				if _, more := run.Next(); more {
					err = run.Answer(kinds.Draw(t, "kind"))
				}
			}
			if err != nil {
				t.Fatal(err)
			}
			fresh, _ := strategy.New(name, cfg)
			other, _ := ask.Begin(context.Background(), n, given, link.Keep, fresh)
			other.Exclude(run.Excluded())
			if err := other.Restore(run.Answers(), nil); err != nil {
				t.Fatal(err)
			}
			q, more := run.Next()
			again, againMore := other.Next()
			if q != again || more != againMore || run.Err() != nil {
				t.Fatalf("%s asks %v (%v), and from the answers alone %v", name, q, run.Err(),
					again)
			}
			if !slices.Equal(run.Queue(5), other.Queue(5)) {
				t.Fatalf("%s: other questions follow", name)
			}
			links, err := strategy.Links(context.Background(), s, run.Ledger)
			if alone, _ := strategy.Links(context.Background(), fresh,
				other.Ledger); err != nil ||
				!slices.Equal(links, alone) {
				t.Fatalf("%s concludes %v (%v), and from the answers alone %v", name, links, err,
					alone)
			}
		}
	})
}

// TestNoMoreQuestionsThanSaid: as many answers as are said to be left at most end the questions.
func TestNoMoreQuestionsThanSaid(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 9).Draw(t, "rows")
		name := rapid.SampledFrom([]string{"density", "explore-consolidate", "farthest-first",
			"minmax"}).Draw(t, "strategy")
		classes := rapid.SliceOfN(rapid.Int32Range(0, 3), n, n).Draw(t, "classes")
		found := map[int32]bool{}
		for _, c := range classes {
			found[c] = true
		}
		x, _ := blobs(n, min(2, n), 5)
		s, err := strategy.New(name, config(x, len(found), 1))
		if err != nil {
			t.Fatal(err)
		}
		run, _ := ask.Begin(context.Background(), n, nil, link.Refuse, s)
		var bounds []int
		for q, ok := run.Next(); ok; q, ok = run.Next() {
			_, most := run.Remaining()
			bounds = append(bounds, len(bounds)+most)
			kind := link.CannotLink
			if classes[q.A] == classes[q.B] {
				kind = link.MustLink
			}
			if err := run.Answer(kind); err != nil {
				t.Fatal(err)
			}
		}
		for i, bound := range bounds {
			if len(bounds) > bound {
				t.Fatalf("%s: %d questions, where %d at most were announced at question %d",
					name, len(bounds), bound, i+1)
			}
		}
	})
}
