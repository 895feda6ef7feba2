package dataset

import (
	"bytes"
	"context"
	"io"
	"math/rand/v2"
	"testing"
)

// TestSpool reads parts of a spooled stream, within a piece, across pieces and beyond the end.
func TestSpool(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{0, 1, spoolSize - 1, spoolSize, spoolSize + 1, 3*spoolSize + 7} {
		content := make([]byte, size)
		for i := range content {
			content[i] = byte(random.Uint32())
		}
		s := &source{head: content[:min(size, 100)],
			stream: bytes.NewReader(content[min(size, 100):])}
		spooled, n, err := s.bytesAt(context.Background())
		if err != nil || n != int64(size) {
			t.Fatal(n, err)
		}
		for range 200 {
			place, length := random.IntN(size+10), random.IntN(2*spoolSize)
			got := make([]byte, length)
			n, err := spooled.ReadAt(got, int64(place))
			want := content[min(place, size):min(place+length, size)]
			if !bytes.Equal(got[:n], want) || (err == io.EOF) != (n < length) {
				t.Fatalf("%d bytes at %d of %d: %d bytes, error %v", length, place, size, n, err)
			}
		}
	}
}
