package memory_test

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/memory"
)

func TestSizesForPeople(t *testing.T) {
	got := []string{memory.Size(12), memory.Size(4e8), memory.Size(4e10),
		memory.Size(4e12)}
	if diff := cmp.Diff([]string{"12 bytes", "400.0 MB", "40.0 GB", "4.0 TB"}, got); diff != "" {
		t.Error(diff)
	}
}

// A limit of the program counts, and what was taken is not there any more.
func TestBudgetEnds(t *testing.T) {
	t.Cleanup(func() { debug.SetMemoryLimit(debug.SetMemoryLimit(1 << 20)) })
	debug.SetMemoryLimit(1 << 20)
	if have := memory.Available(); have > 1<<20 {
		t.Fatalf("%d bytes are free under a limit of 1 MiB", have)
	}
	b := memory.NewBudget()
	if err := b.Check(600<<10, "rows", "fewer"); err != nil {
		t.Fatal(err)
	}
	b.Take(600 << 10)
	if err := b.Check(600<<10, "rows", "fewer"); err == nil ||
		!strings.Contains(err.Error(), "rows take 1.2 MB, and 1.0 MB of memory are free; fewer") {
		t.Errorf("%v", err)
	}
	b.Take(-600 << 10)
	if err := b.Check(600<<10, "rows", "fewer"); err != nil {
		t.Error(err)
	}
	var in *fault.Input
	if err := memory.Check(1<<30, "rows", "fewer"); !errors.As(err, &in) {
		t.Errorf("%v", err)
	}
}
