package dissim

import (
	"runtime"
	"strings"
	"testing"
)

// TestAClaimOfObjectsTakesNoMemory where the rows are not there.
func TestAClaimOfObjectsTakesNoMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _, err := ReadStream(t.Context(), strings.NewReader("20000\nA\nB 1\nC 2 3\n"), "a.txt",
		ReadOptions{})
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), "it has 3 rows of 20000 numbers") {
		t.Error(err)
	}
	if took := (after.TotalAlloc - before.TotalAlloc) >> 20; took > 100 {
		t.Errorf("it took %d MiB", took)
	}
}
