package pages

import (
	"encoding/base64"
	"os"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// FuzzArrowSchema damages a schema: no panic and an end.
func FuzzArrowSchema(f *testing.F) {
	file, err := os.Open("../../data/dataset/testdata/durations.parquet")
	if err != nil {
		f.Fatal(err)
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		f.Fatal(err)
	}
	opened, err := parquet.OpenFile(file, info.Size())
	if err != nil {
		f.Fatal(err)
	}
	encoded, _ := opened.Lookup("ARROW:schema")
	whole, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	for at := 0; at < len(whole); at += 5 {
		damaged := append([]byte(nil), whole...)
		damaged[at] ^= 0xff
		f.Add(damaged)
		f.Add(whole[:at])
	}
	f.Fuzz(func(t *testing.T, schema []byte) {
		total := 0
		for name := range arrowDurations(base64.StdEncoding.EncodeToString(schema)) {
			total += len(name)
		}
		if total > 16*len(schema) {
			t.Fatalf("%d bytes of names from %d", total, len(schema))
		}
	})
}
