package mutate

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"math/rand/v2"
	"slices"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// Within damages what a container holds and packs it again: gzip, zstd, one member of a zip
// archive, one chunk of a PNG. What is no container is damaged itself.
func Within(rng *rand.Rand, file, other []byte) []byte {
	inner := func(b []byte) []byte { return b }
	switch {
	case bytes.HasPrefix(file, []byte("\x1f\x8b")):
		if plain, err := gunzip(file); err == nil {
			if o, err := gunzip(other); err == nil {
				other = o
			}
			return Gzip(Damage(rng, plain, inner(other)))
		}
	case bytes.HasPrefix(file, []byte("\x28\xb5\x2f\xfd")):
		if plain, err := unzstd(file); err == nil {
			return Zstd(Damage(rng, plain, other))
		}
	case bytes.HasPrefix(file, []byte("PK\x03\x04")):
		if out, err := member(rng, file, other); err == nil {
			return out
		}
	case bytes.HasPrefix(file, []byte("\x89PNG")):
		return chunk(rng, file, other)
	}
	return Damage(rng, file, other)
}

// Gzip packs bytes. Writing to memory cannot fail.
func Gzip(plain []byte) []byte {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(plain)
	z.Close()
	return b.Bytes()
}

func gunzip(packed []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// Zstd packs bytes, with a check sum.
func Zstd(plain []byte) []byte {
	z, err := zstd.NewWriter(nil)
	if err != nil {
		return nil
	}
	defer z.Close()
	return z.EncodeAll(plain, nil)
}

func unzstd(packed []byte) ([]byte, error) {
	z, err := zstd.NewReader(nil)
	if err != nil {
		return nil, err
	}
	defer z.Close()
	return z.DecodeAll(packed, nil)
}

// member damages one member of a zip archive.
func member(rng *rand.Rand, file, other []byte) ([]byte, error) {
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil || len(archive.File) == 0 {
		return nil, io.ErrUnexpectedEOF
	}
	chosen := rng.IntN(len(archive.File))
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for i, f := range archive.File {
		from, err := f.Open()
		if err != nil {
			return nil, err
		}
		plain, err := io.ReadAll(from)
		from.Close()
		if err != nil {
			return nil, err
		}
		if i == chosen {
			plain = Damage(rng, plain, other)
		}
		to, err := w.CreateHeader(&zip.FileHeader{Name: f.Name, Method: f.Method})
		if err != nil {
			return nil, err
		}
		to.Write(plain)
	}
	err = w.Close()
	return b.Bytes(), err
}

// chunk damages the content of one chunk of a PNG, and sets its length and check sum right.
func chunk(rng *rand.Rand, file, other []byte) []byte {
	var starts []int
	for at := 8; at+12 <= len(file); {
		starts = append(starts, at)
		at += 12 + int(binary.BigEndian.Uint32(file[at:]))
	}
	at := starts[rng.IntN(len(starts))]
	size := int(binary.BigEndian.Uint32(file[at:]))
	if at+12+size > len(file) {
		return Damage(rng, file, other)
	}
	body := Damage(rng, file[at+8:at+8+size], other)
	return slices.Concat(file[:at], Chunk(string(file[at+4:at+8]), body), file[at+12+size:])
}

// Chunk returns a chunk of a PNG with its check sum.
func Chunk(kind string, body []byte) []byte {
	out := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	out = append(append(out, kind...), body...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:]))
}

// Header returns a PNG whose header states another size.
func Header(png []byte, width, height uint32) []byte {
	body := slices.Clone(png[16:29])
	binary.BigEndian.PutUint32(body, width)
	binary.BigEndian.PutUint32(body[4:], height)
	return slices.Concat(png[:8], Chunk("IHDR", body), png[33:])
}
