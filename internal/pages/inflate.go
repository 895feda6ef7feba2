package pages

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
	"github.com/pierrec/lz4/v4"

	"github.com/kindred-go/kindred/internal/infile"
)

var errInflates = errors.New("a page inflates to more bytes than its header states")

// inflater decompresses pages. Whatever the compressed bytes hold, it allocates no more than
// the header of a page states. The codecs of parquet-go grow their output until the bytes fit, and
// that of LZ4 reports damaged bytes as a short buffer.
type inflater struct {
	from   bytes.Reader
	gzip   *gzip.Reader
	brotli *brotli.Reader
	zstd   *zstd.Decoder
}

// inflate returns the decompressed bytes, at most size, in dst, which is grown where it must be.
func (i *inflater) inflate(dst []byte, codec format.CompressionCodec, packed []byte, size int) (
	_ []byte, err error) {
	dst = slices.Grow(dst[:0], size)[:0:size]
	switch codec {
	case format.Snappy:
		n, sized := snappy.DecodedLen(packed)
		if err = sized; err == nil && n > size {
			return dst, errInflates
		}
		if err == nil {
			dst, err = snappy.Decode(dst[:n], packed)
		}
	case format.Gzip:
		i.from.Reset(packed)
		if i.gzip == nil {
			i.gzip = new(gzip.Reader)
		}
		if err = i.gzip.Reset(&i.from); err == nil {
			dst, err = readAtMost(dst, i.gzip)
		}
	case format.Brotli:
		i.from.Reset(packed)
		if i.brotli == nil {
			i.brotli = brotli.NewReader(&i.from)
		} else {
			err = i.brotli.Reset(&i.from)
		}
		if err == nil {
			dst, err = readAtMost(dst, i.brotli)
		}
	case format.Zstd:
		if i.zstd == nil {
			i.zstd, err = zstd.NewReader(nil, zstd.WithDecoderConcurrency(1),
				zstd.WithDecoderLowmem(true), zstd.WithDecodeAllCapLimit(true))
		}
		if err == nil {
			dst, err = i.zstd.DecodeAll(packed, dst)
		}
		if errors.Is(err, zstd.ErrDecoderSizeExceeded) {
			return dst, errInflates
		}
	case format.Lz4Raw:
		n := 0
		n, err = lz4.UncompressBlock(packed, dst[:size])
		dst = dst[:max(0, n)]
	default:
		return dst, codecError(codec)
	}
	if err != nil && err != errInflates {
		err = fmt.Errorf("a page is not %s of the %d bytes that its header states: %w", codec, size,
			err)
	}
	return dst, err
}

// codecError is a codec that is not read.
type codecError format.CompressionCodec

func (c codecError) Error() string {
	name := format.CompressionCodec(c).String()
	return "its pages are compressed with " + name + ", which cannot be read"
}

// readAtMost fills dst up to its capacity, and fails when there is more to read.
func readAtMost(dst []byte, in io.Reader) ([]byte, error) {
	for {
		if len(dst) == cap(dst) {
			var more [1]byte
			switch n, err := io.ReadFull(in, more[:]); {
			case n > 0:
				return dst, errInflates
			case err != io.EOF:
				return dst, err
			}
			return dst, nil
		}
		n, err := in.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if err == io.EOF {
			return dst, nil
		}
		if err != nil {
			return dst, err
		}
	}
}

// mostInflated bounds what so many bytes can inflate to, which the formats of the codecs limit.
func mostInflated(codec format.CompressionCodec, packed int64) int64 {
	const margin = 1 << 16 // what is stated of small pages is small
	switch codec {
	case format.Uncompressed:
		return packed
	case format.Snappy: // 64 bytes to a copy of three
		return 22*packed + margin
	case format.Gzip:
		return infile.MostInflated(infile.Gzip, packed)
	case format.Zstd:
		return infile.MostInflated(infile.Zstd, packed)
	case format.Lz4Raw: // 255 bytes to each byte of a length
		return 255*packed + margin
	}
	return math.MaxInt64
}
