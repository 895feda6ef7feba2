package dataset

import (
	"bytes"
	"context"
	"testing"

	"github.com/kindred-go/kindred/fault"
)

// readAny reads bytes by any option, and expects a table with rows or a fault.
func readAny(t *testing.T, name string, content []byte, o ReadOptions) {
	t.Helper()
	o.InflateLimit, o.Threads = 1<<22, 1
	table, err := ReadStream(context.Background(), bytes.NewReader(content), name, o)
	if err != nil && !fault.IsInput(err) {
		t.Fatal(err)
	}
	if err == nil && table.Rows == 0 {
		t.Fatal("a table without rows")
	}
}

// damage flips bits of a byte, and cuts the end off.
func damage(whole []byte, at int, flip byte, length int) []byte {
	content := bytes.Clone(whole[:max(0, min(length, len(whole)))])
	if at >= 0 && at < len(content) {
		content[at] ^= flip
	}
	return content
}

func FuzzXLSXSheet(f *testing.F) {
	f.Add(sheetOf(smallSheet), "")
	f.Add(sheetOf(`<row><c/><c t="b"><v>1</v></c></row><row/><mergeCell ref="A1:B2"/>`), "1")
	f.Fuzz(func(t *testing.T, sheet, asked string) {
		readAny(t, "a.xlsx", bare(t, sheet, nil), ReadOptions{Keep: true, Sheet: asked})
	})
}

func FuzzXLSXFile(f *testing.F) {
	whole := bare(f, sheetOf(smallSheet), nil)
	f.Add(40, byte(255), len(whole))
	f.Add(len(whole)-20, byte(1), len(whole))
	f.Fuzz(func(t *testing.T, at int, flip byte, length int) {
		readAny(t, "a.xlsx", damage(whole, at, flip, length), ReadOptions{})
	})
}

func FuzzFirstBytes(f *testing.F) {
	for _, k := range unreadFormats {
		f.Add([]byte(string(make([]byte, k.at)) + k.magic + "\x00\x01"))
	}
	f.Fuzz(func(t *testing.T, content []byte) { readAny(t, "", content, ReadOptions{}) })
}
