package kmeans

import (
	"testing"

	"github.com/kindred-go/kindred/internal/parallel"
)

func TestBlockSumsStayWithinTheirMemory(t *testing.T) {
	for _, c := range []struct{ n, d, k, blocks int }{
		{1_000_000, 16, 25, 64},
		{1_000_000, 4096, 2048, 4}, // 64 MB of sums a block
		{1_000_000, 4096, 8192, 2}, // never one alone
		{1_000, 4, 4, 3},           // 480 rows at least
	} {
		if got := parallel.Count(c.n, blockRows(c.n, c.d, c.k)); got > c.blocks ||
			got < min(2, c.blocks) {
			t.Errorf("%+v: %d blocks", c, got)
		}
	}
}
