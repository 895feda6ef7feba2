package dataset

import (
	"bytes"
	"context"
	"math"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/kindred-go/kindred/fault"
)

// readBoth reads bytes as a file in tiny chunks and as a stream, expects the same table or the same
// fault, and returns the table.
func readBoth(t *testing.T, name string, content []byte, chunk int) *Table {
	t.Helper()
	o := ReadOptions{Keep: true, InflateLimit: 1 << 22, Format: FormatOf(name)}
	stream, streamErr := ReadStream(context.Background(), bytes.NewReader(content), name, o)
	path := writeFile(t, name, content)
	o.chunk, o.Threads = chunk, 2
	file, fileErr := Read(context.Background(), path, o)
	if streamErr != nil || fileErr != nil {
		if streamErr == nil || fileErr == nil || !fault.IsInput(streamErr) ||
			!fault.IsInput(fileErr) || path+streamErr.Error()[len(name):] != fileErr.Error() {
			t.Fatalf("%q:\nstream %v\nfile   %v", content, streamErr, fileErr)
		}
		return nil
	}
	if diff := cmp.Diff(cells(stream), cells(file)); diff != "" {
		t.Fatalf("%q (-stream +file):\n%s", content, diff)
	}
	if stream.Fingerprint != file.Fingerprint {
		t.Fatalf("%q: fingerprints differ", content)
	}
	if p, err := file.Prepare(context.Background(),
		Preparation{Missing: MissingMean}); err == nil && p.X.Rows != file.Rows {
		t.Fatalf("%q: %d rows became %d", content, file.Rows, p.X.Rows)
	}
	return file
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("a,b\n1,2\n"), 3)
	f.Add([]byte("a;b\r\n\"1\"\"\n\";2\r\r\n3;4"), 1)
	f.Add([]byte("\ufeff1,2\n\n 3 ,\"4\" \n"), 7)
	f.Add([]byte(theSameTable(f)["a.csv"]), 5)
	for _, content := range []string{
		"sep=;\r\na;b\r\n1.234,5;31.12.2024\r\n-7,0 €;1.1.25\r\n",
		"# remark, \"odd\nx,y\n1,2\n# more\n3,4\n",
		"Title;;\n\na;b;c\n1;2;3\n4;5;6\n7;8;9\n",
		" a | b\n---+---\n 1 | 2\n(1 row)\n",
		"\"x\" \"y\"\n\"r1\" 1 2\n\"r2\" 3 4\n",
		"\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x00",
		"gr\xf6\xdfe;b\n1,5;ja\n2;nein\n-;ja\n",
	} {
		f.Add([]byte(content), 3)
	}
	f.Fuzz(func(t *testing.T, content []byte, chunk int) {
		readBoth(t, "a.csv", content, max(1, chunk%64))
	})
}

// FuzzTextVectors reads a column of lists as texts have them.
func FuzzTextVectors(f *testing.F) {
	f.Add([]byte("n,v\n1,[0.1 0.2]\n2,[0.3 0.4]\n"))
	f.Add([]byte("n;v\n1;\"0,1;0,2\"\n2;\"0,3\"\n"))
	f.Add([]byte("v,n,v\n\"{1,2}\",1,[]\n,2,NA\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		readAny(t, "a.csv", content, ReadOptions{Vectors: "v"})
		readAny(t, "a.csv", content, ReadOptions{Vectors: "v", Features: []string{"n", "v"}})
	})
}

// FuzzCells reads cells as numbers, dates and durations. What one of them is, the same text written
// out plainly is as well.
func FuzzCells(f *testing.F) {
	for _, s := range []string{"(1.234,50 €)", "12,34,567.5", "−3 %", "31-Dec-2024 3:04 PM +0100",
		"2024-02-29T12:00:00.5Z", "Mon Jan  2 15:04:05 2006", "1 day, 2:03:04", "PT1H30M", "5,–"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, s []byte) {
		for _, decimal := range []byte(".,") {
			if n, ok := parseNumeral(s, decimal); ok && !math.IsInf(n.value, 0) {
				plain := strconv.FormatFloat(n.value, 'g', -1, 64)
				if v, ok := ParseNumber([]byte(plain)); !ok || v != n.value {
					t.Fatalf("%q is %v, and %s is %v", s, n.value, plain, v)
				}
			}
		}
		if v, ok := ParseNumber(s); ok && len(s) < 100 {
			if n, ok := parseNumeral(s, '.'); !ok || n.value != v && !math.IsInf(v, 0) {
				t.Fatalf("%q is %v, and as a numeral %v %v", s, v, n.value, ok)
			}
		}
		for _, order := range []dateOrder{anyOrder, dayFirst, monthFirst, yearFirst} {
			m, ok := parseMoment(s, order)
			if !ok {
				continue
			}
			if m.kind == clocks && (m.seconds < -14*3600 || m.seconds > 38*3600+1) {
				t.Fatalf("%q is second %v of a day", s, m.seconds)
			}
			text := moments{kind: m.kind}.text(m.seconds)
			again, ok := parseMoment([]byte(text), order)
			if m.kind != clocks && m.seconds > -60e9 &&
				(!ok || math.Abs(again.seconds-m.seconds) > 1e-5) {
				t.Fatalf("%q is %s, and that %v %v, not %v", s, text, again.seconds, ok, m.seconds)
			}
		}
		if v, form := parseDuration(s); form != 0 && math.IsNaN(v) {
			t.Fatalf("%q lasts %v", s, v)
		}
	})
}

func FuzzARFF(f *testing.F) {
	f.Add([]byte(theSameTable(f)["a.arff"]), 5)
	f.Add([]byte("@attribute a real\n@data\n{0 1}\n%\n?\n'1'\n"), 1)
	f.Fuzz(func(t *testing.T, content []byte, chunk int) {
		readBoth(t, "a.arff", content, max(1, chunk%64))
	})
}

func FuzzJSONL(f *testing.F) {
	f.Add([]byte(theSameTable(f)["a.jsonl"]), 5)
	f.Add([]byte("{\"a\":\"\\ud83d\\ude00\",\"b\":NaN}\r{}\r\n{\"c\":true}"), 2)
	f.Fuzz(func(t *testing.T, content []byte, chunk int) {
		readBoth(t, "a.jsonl", content, max(1, chunk%64))
	})
}

func FuzzNPY(f *testing.F) {
	f.Add(npyFile("<f8", "False", "(2, 3)", []float64{1, 2, 3, 4, 5, 6}))
	f.Add(npyFile(">i2", "True", "(2, 1)", []int16{1, 2}))
	f.Add(npyFile("|b1", "False", "(3,)", []uint8{1, 0, 1}))
	f.Fuzz(func(t *testing.T, content []byte) {
		readBoth(t, "a.npy", content, 1)
	})
}

// FuzzParquet damages whole files: the format is too far from text for mutations to find it.
func FuzzParquet(f *testing.F) {
	whole := []byte(theSameTable(f)["a.parquet"])
	f.Add(0, byte(1), len(whole))
	f.Add(40, byte(255), len(whole))
	f.Add(len(whole)-20, byte(128), len(whole))
	f.Add(0, byte(0), 100)
	f.Fuzz(func(t *testing.T, at int, flip byte, length int) {
		content := bytes.Clone(whole[:max(0, min(length, len(whole)))])
		if at >= 0 && at < len(content) {
			content[at] ^= flip
		}
		// The panics of a damaged file depend on what is read first, so only one way is taken.
		table, err := ReadStream(context.Background(), bytes.NewReader(content), "a.parquet",
			ReadOptions{InflateLimit: 1 << 22, Threads: 1})
		if err != nil && !fault.IsInput(err) {
			t.Fatal(err)
		}
		if err == nil && table.Rows == 0 {
			t.Fatal("a table without rows")
		}
	})
}
