package pages

import (
	"encoding/binary"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRunsComeBack writes values as runs and as packed bits, bit by bit, and reads them.
func TestRunsComeBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		width := rapid.UintRange(0, 32).Draw(t, "width")
		var want []uint32
		var src []byte
		for range rapid.IntRange(0, 5).Draw(t, "runs") {
			value := rapid.Custom(func(t *rapid.T) uint32 {
				return uint32(rapid.Uint64Range(0, 1<<width-1).Draw(t, "value"))
			})
			if rapid.Bool().Draw(t, "packed") {
				groups := rapid.IntRange(0, 4).Draw(t, "groups")
				src = binary.AppendUvarint(src, uint64(groups)<<1|1)
				packed := make([]byte, groups*int(width))
				for i := range 8 * groups {
					v := value.Draw(t, "v")
					want = append(want, v)
					for b := range int(width) {
						at := i*int(width) + b
						packed[at/8] |= byte(v>>b&1) << (at % 8)
					}
				}
				src = append(src, packed...)
				continue
			}
			count, v := rapid.IntRange(0, 40).Draw(t, "count"), value.Draw(t, "v")
			src = binary.AppendUvarint(src, uint64(count)<<1)
			for b := uint(0); b < width; b += 8 {
				src = append(src, byte(v>>b))
			}
			for range count {
				want = append(want, v)
			}
		}
		n := rapid.IntRange(0, len(want)).Draw(t, "n")
		got, err := appendRuns([]uint32(nil), src, width, n)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) != n || n > 0 && !cmp.Equal(want[:n], got) {
			t.Fatalf("want %v\n got %v", want[:n], got)
		}
		if _, err := appendRuns([]uint32(nil), src, width, len(want)+1); err == nil {
			t.Fatal("one value more than there are")
		}
	})
}

// FuzzRuns decodes whatever comes: no panic, and never more values than asked for.
func FuzzRuns(f *testing.F) {
	f.Add([]byte{3, 0xff, 8, 1}, uint(1), 12)
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 1, 7}, uint(0), 100)
	f.Add([]byte{0xfe, 0xff, 0xff, 0xff, 0x0f, 7}, uint(3), 100)
	f.Fuzz(func(t *testing.T, src []byte, width uint, n int) {
		n = max(0, min(n, 1000))
		got, err := appendRuns([]uint32(nil), src, width%33, n)
		if len(got) > n || err == nil && len(got) < n {
			t.Fatalf("%d values of %d, error %v", len(got), n, err)
		}
		if flags, err := appendBooleans(nil, src, n); len(flags) > n ||
			err == nil && len(flags) < n {
			t.Fatalf("%d booleans of %d, error %v", len(flags), n, err)
		}
	})
}
