package dataset_test

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// Tables are read up to each limit of their format, and one beyond is refused with the limit.
func TestLimitsOfTables(t *testing.T) {
	nested := func(n int) string {
		line := strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n) + "\n"
		return line + line
	}
	npy := func(columns int) string {
		header := fmt.Sprintf("{'descr': '|u1', 'fortran_order': False, 'shape': (2, %d), }\n",
			columns)
		b := binary.LittleEndian.AppendUint16([]byte("\x93NUMPY\x01\x00"), uint16(len(header)))
		return string(b) + header + strings.Repeat("\x01", columns) + strings.Repeat("\x02", columns)
	}
	for _, c := range []struct {
		what, name string
		most       int
		slow       bool
		make       func(n int) string
	}{
		{"levels of JSON", "rows.jsonl", 32, false, nested},
		{"bytes of a key", "rows.jsonl", 1000, false, func(n int) string {
			line := `{"` + strings.Repeat("k", n) + `":1}` + "\n"
			return line + line
		}},
		{"columns", "rows.npy", 1 << 20, true, npy},
		{"columns", "rows.csv", 1 << 20, true, func(n int) string {
			line := strings.Repeat("1,", n-1) + "1\n"
			return line + line
		}},
	} {
		if c.slow && testing.Short() {
			continue
		}
		read := func(n int) error {
			path := filepath.Join(t.TempDir(), c.name)
			write(t, path, c.make(n))
			_, err := dataset.Read(t.Context(), path, dataset.ReadOptions{Threads: 1})
			return err
		}
		if err := read(c.most); err != nil {
			t.Errorf("%d %s of %s: %.300v", c.most, c.what, c.name, err)
		}
		if err := read(c.most + 1); !fault.IsInput(err) ||
			!strings.Contains(err.Error(), fmt.Sprint(c.most)) {
			t.Errorf("%d %s of %s: %.300v", c.most+1, c.what, c.name, err)
		}
	}
}
