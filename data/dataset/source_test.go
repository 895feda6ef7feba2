package dataset

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLargestInflateLimit(t *testing.T) {
	for name, content := range map[string]string{"a.csv": "a,b\n1,2\n",
		"a.csv.gz": string(gzipped(t, []byte("a,b\n1,2\n")))} {
		if table := readString(t, content, name,
			ReadOptions{InflateLimit: math.MaxInt64}); table.Rows != 1 {
			t.Errorf("%s: %d rows", name, table.Rows)
		}
	}
}

// TestGzipMembers reads archives that were joined, and padded with zeros as tapes and disks do.
func TestGzipMembers(t *testing.T) {
	a, b := string(gzipped(t, []byte("a,b\n1,2\n"))), string(gzipped(t, []byte("3,4\n")))
	pad := strings.Repeat("\x00", 5000)
	for name, content := range map[string]string{"one": a + b, "padded": a + b + pad,
		"padded between": a + pad + b, "one zero": a + b + "\x00"} {
		table := readString(t, content, "a.csv.gz", ReadOptions{})
		if diff := cmp.Diff([][]string{{"1", "2"}, {"3", "4"}}, cells(table)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if sum := sha256.Sum256([]byte(content)); table.Fingerprint != hex.EncodeToString(sum[:]) {
			t.Errorf("%s: the fingerprint leaves bytes out", name)
		}
	}
	for _, rest := range []string{"more", "\x00more", "\x1f\x8b\x08"} {
		_, err := ReadStream(context.Background(), bytes.NewReader([]byte(a+rest)), "a.csv.gz",
			ReadOptions{})
		wantFault(t, err, "a.csv.gz: the gzip data ")
	}
}
