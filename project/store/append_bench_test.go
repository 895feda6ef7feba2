package store_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/project/store"
)

// BenchmarkAppend is one answer after another, each on disk before the next.
func BenchmarkAppend(b *testing.B) {
	p, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "p.kindred"))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	for b.Loop() {
		if err := p.Append(b.Context(), store.Event{Step: store.Same, A: "1", B: "2"}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFiftyPeople is fifty callers at once, each with the next answer as soon as the last is
// on disk, and the same at a pace of 250 answers a second in all.
func BenchmarkFiftyPeople(b *testing.B) {
	b.Run("full", func(b *testing.B) { fifty(b, 0) })
	b.Run("250 a second", func(b *testing.B) { fifty(b, 200*time.Millisecond) })
}

func fifty(b *testing.B, pace time.Duration) {
	p, err := store.Open(b.Context(), filepath.Join(b.TempDir(), "p.kindred"))
	if err != nil {
		b.Fatal(err)
	}
	defer p.Close()
	const people = 50
	took := make([][]time.Duration, people)
	var all sync.WaitGroup
	begun := time.Now()
	b.ResetTimer()
	for who := range people {
		all.Go(func() {
			next := begun.Add(pace * time.Duration(who) / people)
			for i := who; i < b.N; i += people {
				if pace > 0 {
					time.Sleep(time.Until(next))
					next = next.Add(pace)
				}
				t := time.Now()
				if err := p.Append(b.Context(),
					store.Event{Step: store.Same, A: "1", B: "2", Who: "ann"}); err != nil {
					b.Error(err)
					return
				}
				took[who] = append(took[who], time.Since(t))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/time.Since(begun).Seconds(), "answers/s")
	each := slices.Concat(took...)
	slices.Sort(each)
	b.ReportMetric(float64(each[len(each)*99/100])/1e6, "p99-ms")
	b.ReportMetric(float64(each[len(each)-1])/1e6, "max-ms")
}

// BenchmarkHistory is what one answer costs the history of a long session, and one undo.
func BenchmarkHistory(b *testing.B) {
	long := func() (h *store.History) {
		var events []store.Event
		for i := range 5000 {
			events = append(events,
				store.Event{Step: store.Same, A: fmt.Sprint(i), B: fmt.Sprint(i + 1), Who: "ann"})
		}
		return store.NewHistory(events)
	}
	b.Run("answer", func(b *testing.B) {
		h := long()
		for b.Loop() {
			h.Add(store.Event{Step: store.Same, A: "a", B: "b", Who: "ann"})
		}
	})
	b.Run("undo", func(b *testing.B) {
		h := long()
		for b.Loop() {
			seq, ok := h.UndoTarget("ann", nil)
			step := store.Undo
			if !ok {
				seq, _ = h.RedoTarget("ann", nil)
				step = store.Redo
			}
			h.Add(store.Event{Step: step, Target: seq, Who: "ann"})
		}
	})
	b.Run("fold", func(b *testing.B) {
		for b.Loop() {
			long()
		}
	})
}
