package infile

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"testing"
)

// TestUnpackBoundsTheWindowOfZstd reads frames of RFC 8878, section 3.1.1, that hold "abc" raw and
// ask for windows of 2^(10+e) bytes.
func TestUnpackBoundsTheWindowOfZstd(t *testing.T) {
	for e, ok := range map[byte]bool{0: true, 18: true, 19: false, 31: false} {
		frame := "\x28\xb5\x2f\xfd\x00" + string([]byte{e << 3, 3<<3 | 1, 0, 0}) + "abc"
		plain, done, err := Unpack(bufio.NewReader(strings.NewReader(frame)), Zstd,
			func(err error) error { return fmt.Errorf("damaged: %w", err) })
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(plain)
		done()
		if ok != (err == nil) || ok && string(text) != "abc" {
			t.Errorf("a window of 2^%d bytes: %q, %v", 10+e, text, err)
		}
	}
}
