// Package mutate damages files, for tests of what reads them.
package mutate

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
)

// mostBytes bounds what a damaged file may grow to by repeating parts of it.
const mostBytes = 1 << 20

// Damage returns a damaged copy of the file, most often by one change, at times by several. Parts
// of other are mixed in. It is a function of the state of rng.
func Damage(rng *rand.Rand, file, other []byte) []byte {
	out := slices.Clone(file)
	for range 1 + rng.IntN(8)/5*rng.IntN(4) {
		out = changes[rng.IntN(len(changes))](rng, out, other)
	}
	return out
}

// change damages a file, which it may write to.
type change func(rng *rand.Rand, file, other []byte) []byte

var changes = []change{flip, flip, flip, setByte, setByte, setInteger, setInteger, setVarint,
	setNumber, setNumber, truncate, remove, repeat, splice, fill, nest}

// flip flips a bit.
func flip(rng *rand.Rand, file, _ []byte) []byte {
	if len(file) > 0 {
		file[rng.IntN(len(file))] ^= 1 << rng.IntN(8)
	}
	return file
}

// setByte sets a byte to one that means something in some format.
func setByte(rng *rand.Rand, file, _ []byte) []byte {
	const telling = "\x00\x01\x7f\x80\xff\n\r\t \"',;:{}[]()<>&\\#-+.eE09"
	if len(file) > 0 {
		file[rng.IntN(len(file))] = telling[rng.IntN(len(telling))]
	}
	return file
}

// integers are those at which sizes, counts and offsets fail.
var integers = []uint64{0, 1, 2, 3, 127, 128, 255, 256, 1<<15 - 1, 1 << 15, 1<<16 - 1, 1 << 16,
	1 << 20, 1 << 24, 1<<30 - 1, 1 << 30, 1<<31 - 1, 1 << 31, 1<<32 - 1, 1 << 32, 1 << 40,
	1 << 62, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<64 - 2, 1<<64 - 8, 1<<64 - 1<<31}

// setInteger writes an integer of 2, 4 or 8 bytes, in either order.
func setInteger(rng *rand.Rand, file, _ []byte) []byte {
	width := 2 << rng.IntN(3)
	if len(file) < width {
		return file
	}
	at := rng.IntN(len(file) - width + 1)
	if rng.IntN(2) == 0 {
		at -= at % width
	}
	v := integers[rng.IntN(len(integers))]
	if rng.IntN(4) == 0 {
		v = uint64(len(file)) + uint64(rng.IntN(9)) - 4
	}
	b := binary.LittleEndian.AppendUint64(nil, v)[:width]
	if rng.IntN(3) == 0 {
		slices.Reverse(b)
	}
	copy(file[at:], b)
	return file
}

// setVarint puts an integer of seven bits a byte over what is there, or in place of a byte.
func setVarint(rng *rand.Rand, file, _ []byte) []byte {
	b := binary.AppendUvarint(nil, integers[rng.IntN(len(integers))])
	if len(file) < len(b) {
		return file
	}
	at := rng.IntN(len(file) - len(b) + 1)
	if rng.IntN(2) == 0 {
		return slices.Replace(file, at, at+1, b...)
	}
	copy(file[at:], b)
	return file
}

// numbers are such as no text should bring a reader down with.
var numbers = []string{"", "0", "-1", "1", "2147483647", "2147483648", "4294967296", "400000000",
	"1048576", "16384", "9223372036854775807", "9223372036854775808", "18446744073709551616",
	"1e308", "1e-320", "1e309", "NaN", "Infinity", "-0", "0x7fffffff", "1e18", "01", "1_000"}

// setNumber replaces a number in a text.
func setNumber(rng *rand.Rand, file, _ []byte) []byte {
	if len(file) == 0 {
		return file
	}
	at := rng.IntN(len(file))
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	lo := at + bytes.IndexFunc(file[at:], func(r rune) bool { return r >= '0' && r <= '9' })
	if lo < at {
		return setByte(rng, file, nil)
	}
	hi := lo + 1
	for lo > 0 && digit(file[lo-1]) {
		lo--
	}
	for hi < len(file) && (digit(file[hi]) || file[hi] == '.') {
		hi++
	}
	text := numbers[rng.IntN(len(numbers))]
	if rng.IntN(4) == 0 {
		text = strconv.FormatFloat(math.Float64frombits(rng.Uint64()), 'g', -1, 64)
	}
	return slices.Replace(file, lo, hi, []byte(text)...)
}

func truncate(rng *rand.Rand, file, _ []byte) []byte {
	return file[:rng.IntN(len(file)+1)]
}

// part returns the ends of a part of a file, more often a short one.
func part(rng *rand.Rand, file []byte) (lo, hi int) {
	size := rng.IntN(len(file) + 1)
	if rng.IntN(3) > 0 {
		size = min(size, 1+rng.IntN(64))
	}
	lo = rng.IntN(len(file) - size + 1)
	return lo, lo + size
}

func remove(rng *rand.Rand, file, _ []byte) []byte {
	lo, hi := part(rng, file)
	return slices.Delete(file, lo, hi)
}

// repeat repeats a part, at times very often.
func repeat(rng *rand.Rand, file, _ []byte) []byte {
	lo, hi := part(rng, file)
	times := 1 + rng.IntN(3)
	if rng.IntN(4) == 0 {
		times = 1 << rng.IntN(16)
	}
	if hi > lo {
		times = min(times, max(1, (mostBytes-len(file))/(hi-lo)))
	}
	return slices.Insert(file, hi, bytes.Repeat(file[lo:hi], times)...)
}

// splice goes on with another file, or puts a part of it in.
func splice(rng *rand.Rand, file, other []byte) []byte {
	at := rng.IntN(len(file) + 1)
	lo, hi := part(rng, other)
	if rng.IntN(2) == 0 {
		return append(file[:at], other[lo:]...)
	}
	return slices.Insert(file, at, other[lo:hi]...)
}

// fill writes one byte, or any, over a part.
func fill(rng *rand.Rand, file, _ []byte) []byte {
	lo, hi := part(rng, file)
	b, any := byte(255*rng.IntN(2)), rng.IntN(2) == 0
	for i := lo; i < hi; i++ {
		if any {
			b = byte(rng.Uint32())
		}
		file[i] = b
	}
	return file
}

// nest opens brackets thousands deep.
func nest(rng *rand.Rand, file, _ []byte) []byte {
	if rng.IntN(4) > 0 {
		return flip(rng, file, nil)
	}
	open := []string{"[", "{", "(", "<", "\"", `{"a":`, `[[`, "<a>", "\x1c", "\x19\x1c"}
	b := bytes.Repeat([]byte(open[rng.IntN(len(open))]), 1+rng.IntN(20000))
	return slices.Insert(file, rng.IntN(len(file)+1), b...)
}
