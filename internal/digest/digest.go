// Package digest has the SHA-256 digests by which kindred notices that a file is not as it was
// written. They are no signatures: who changes a file on purpose can change its digest, too.
package digest

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"strings"
)

// Sum is a SHA-256 digest.
type Sum [sha256.Size]byte

// prefix is before the hexadecimal digits of a digest in text.
const prefix = "sha256:"

// TextLen is the length of a digest in text.
const TextLen = len(prefix) + 2*sha256.Size

// Of returns the digest of data, one part after the other.
func Of(data ...[]byte) (s Sum) {
	h := sha256.New()
	for _, part := range data {
		h.Write(part)
	}
	h.Sum(s[:0])
	return s
}

// String returns a digest as sha256: and 64 hexadecimal digits, as files have it.
func (s Sum) String() string { return prefix + hex.EncodeToString(s[:]) }

// Parse reads what [Sum.String] returns.
func Parse(text string) (s Sum, ok bool) {
	digits, ok := strings.CutPrefix(text, prefix)
	if !ok || len(text) != TextLen || strings.ToLower(digits) != digits {
		return s, false
	}
	_, err := hex.Decode(s[:], []byte(digits))
	return s, err == nil
}

// AppendText appends a text behind its length, so that no two lists of fields have the same bytes.
func AppendText(dst []byte, text string) []byte {
	return append(AppendInt(dst, int64(len(text))), text...)
}

// AppendInt appends a number in eight bytes.
func AppendInt(dst []byte, n int64) []byte { return binary.BigEndian.AppendUint64(dst, uint64(n)) }

// Toggle takes the digest of an entry into, or out of, the digest of a set of different entries, for
// which their order does not matter: the exclusive or of theirs.
func (s *Sum) Toggle(entry Sum) {
	for i, b := range entry {
		s[i] ^= b
	}
}
