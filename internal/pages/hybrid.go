package pages

import (
	"encoding/binary"
	"errors"
)

var errRuns = errors.New("the runs of a page end too early")

// appendRuns decodes n values of the hybrid of run lengths and bit packing in which levels,
// booleans and positions in dictionaries are written, width bits each (0 to 32). However long a run
// claims to be, no more than n values are made.
// https://parquet.apache.org/docs/file-format/data-pages/encodings/#RLE
func appendRuns[T uint8 | uint32](dst []T, src []byte, width uint, n int) ([]T, error) {
	mask := uint64(1)<<width - 1
	for n += len(dst); len(dst) < n; {
		head, size := binary.Uvarint(src)
		if size <= 0 {
			return dst, errRuns
		}
		src = src[size:]
		left := n - len(dst)
		if head&1 == 0 {
			var word [8]byte
			size = int(width+7) / 8
			if len(src) < size {
				return dst, errRuns
			}
			copy(word[:], src[:size])
			src = src[size:]
			value := T(binary.LittleEndian.Uint64(word[:]) & mask)
			for range min(head>>1, uint64(left)) {
				dst = append(dst, value)
			}
			continue
		}
		groups := int(min(head>>1, uint64(left)/8+1)) // of eight values, width bytes each
		count := min(8*groups, left)
		if (count*int(width)+7)/8 > len(src) {
			return dst, errRuns
		}
		for i := range count {
			bit := uint(i) * width
			rest := src[bit/8:]
			var word uint64
			if len(rest) >= 8 {
				word = binary.LittleEndian.Uint64(rest)
			} else {
				var last [8]byte
				copy(last[:], rest)
				word = binary.LittleEndian.Uint64(last[:])
			}
			dst = append(dst, T(word>>(bit%8)&mask))
		}
		src = src[min(groups*int(width), len(src)):]
	}
	return dst, nil
}

// appendBooleans decodes n booleans, as 0 and 1, of a page of runs.
func appendBooleans(dst []uint8, src []byte, n int) ([]uint8, error) {
	if n == 0 {
		return dst, nil
	}
	if len(src) < 4 || uint64(binary.LittleEndian.Uint32(src)) > uint64(len(src)-4) {
		return dst, errors.New("a page of booleans is shorter than its stated length")
	}
	return appendRuns(dst, src[4:4+binary.LittleEndian.Uint32(src)], 1, n)
}
