package pages

import (
	"bytes"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/parquet-go/parquet-go/format"
)

// TestParquetThatClaimsTooMuch gives a zstd page that inflates to more than its header says.
func TestParquetThatClaimsTooMuch(t *testing.T) {
	enc, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	packed := enc.EncodeAll(make([]byte, 1<<20), nil)
	for limit, wantErr := range map[int64]bool{1 << 20: false, 1<<20 - 1: true, 0: true} {
		err := checkInflation(bytes.NewReader(packed), 0, int64(len(packed)), limit, format.Zstd)
		if (err != nil) != wantErr {
			t.Errorf("a page of 1 MiB that claims %d bytes gives %v", limit, err)
		}
	}
	var unsized bytes.Buffer // a stream does not know its size when it begins
	w, err := zstd.NewWriter(&unsized)
	if err != nil {
		t.Fatal(err)
	}
	for range 64 {
		if _, err := w.Write(make([]byte, 1<<16)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := checkInflation(bytes.NewReader(unsized.Bytes()), 0, int64(unsized.Len()), 1<<21, format.Zstd); err == nil {
		t.Error("a page of 4 MiB that claims 2 MiB passes")
	}
}
