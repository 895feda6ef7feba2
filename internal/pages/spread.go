package pages

import (
	"encoding/binary"
	"math"

	"github.com/parquet-go/parquet-go"
)

// spread writes values to every step-th position of dst.
func spread(dst []float64, step int, values []float64) {
	at := 0
	for _, v := range values {
		dst[at] = v
		at += step
	}
}

// spreadPlain writes values that are not encoded, in src, to every step-th position of dst.
func (l Leaf) spreadPlain(dst []float64, step int, src []byte) {
	at := 0
	switch {
	case l.Kind == parquet.Double:
		for ; len(src) >= 8; src = src[8:] {
			dst[at] = math.Float64frombits(binary.LittleEndian.Uint64(src))
			at += step
		}
	case l.Kind == parquet.Float:
		for ; len(src) >= 4; src = src[4:] {
			dst[at] = float64(math.Float32frombits(binary.LittleEndian.Uint32(src)))
			at += step
		}
	case l.Kind == parquet.Int32:
		for ; len(src) >= 4; src = src[4:] {
			dst[at] = l.fromInt32(int32(binary.LittleEndian.Uint32(src)))
			at += step
		}
	case l.Kind == parquet.Int64:
		for ; len(src) >= 8; src = src[8:] {
			dst[at] = l.fromInt64(int64(binary.LittleEndian.Uint64(src)))
			at += step
		}
	}
}
