package engine

import (
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
	"github.com/kindred-go/kindred/internal/words"
	"github.com/kindred-go/kindred/scale/fold"
)

// fits returns an error for what the memory of this machine does not hold, else nil.
func fits(job fold.Job, state []byte, kernels int) *fault.Input {
	heavy, ok := job.(fold.Heavy)
	if !ok {
		return nil
	}
	kernels = max(1, kernels)
	return inputFault(memory.Check(float64(heavy.KernelBytes(state))*float64(kernels),
		"on a worker, the sums of "+words.Count(kernels, "split"),
		"give workers more memory, fewer threads, or ask for fewer clusters"))
}
