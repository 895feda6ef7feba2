package strategy_test

import (
	"fmt"
	"testing"

	"github.com/kindred-go/kindred/ask"
	"github.com/kindred-go/kindred/ask/strategy"
)

// BenchmarkNext is the time to the next question after thirty answers and one taken back, without
// what a method takes to fit: of 10 000 rows by minmax 1.2 ms and by random-order 0.8 ms, of 2000
// by closest-pairs 0.02 ms, of 1000 by npu 18 ms, on one thread of a shared machine.
func BenchmarkNext(b *testing.B) {
	for name, n := range map[string]int{strategy.MinMax: 10_000, strategy.RandomOrder: 10_000,
		strategy.ClosestPairs: 2000, strategy.NPU: 1000} {
		b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
			x, classes := blobs(n, 3, 1)
			cfg := config(x, 3, 1)
			cfg.Threads = 1
			run := begin(b, name, cfg, n, nil)
			if err := ask.Drive(b.Context(), run, ask.Labels(classes), 30, nil); err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				run.Undo()
				run.Redo()
				if _, ok := run.Next(); !ok {
					b.Fatal("no question")
				}
			}
		})
	}
}
