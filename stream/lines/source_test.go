package lines

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/klauspost/compress/zstd"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream"
)

// drain takes all that is left, as the numbers of rows and the last position.
func drain(tb testing.TB, s *Source) (numbers []int64, notes []stream.Note, last stream.Position) {
	tb.Helper()
	for b := (&stream.Block{}); ; b.Reset() {
		err := s.Fill(tb.Context(), b)
		if b.Len() > stream.MostRows {
			tb.Fatalf("a block of %d rows", b.Len())
		}
		numbers, notes, last = append(numbers, b.Numbers...), append(notes, b.Notes...), b.After
		if err == io.EOF {
			return numbers, notes, last
		}
		if err != nil {
			tb.Fatal(err)
		}
	}
}

// table writes rows of two columns of numbers.
func table(rows int) []byte {
	text := []byte("a,b\n")
	for i := range rows {
		text = fmt.Appendf(text, "%d,%d.5\n", i%17, i%5)
	}
	return text
}

func packed(tb testing.TB, text []byte, how string) []byte {
	tb.Helper()
	var b bytes.Buffer
	var w io.WriteCloser = gzip.NewWriter(&b)
	switch how {
	case "":
		return text
	case ".zst":
		z, err := zstd.NewWriter(&b)
		if err != nil {
			tb.Fatal(err)
		}
		w = z
	}
	if _, err := w.Write(text); err != nil {
		tb.Fatal(err)
	}
	if err := w.Close(); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// TestGoOnAnywhere: a file, packed or not, and a pipe that is played again are continued at every
// position that a block has.
func TestGoOnAnywhere(t *testing.T) {
	text := table(3000)
	for _, end := range []string{"", ".gz", ".zst"} {
		path := filepath.Join(t.TempDir(), "rows.csv"+end)
		if err := os.WriteFile(path, packed(t, text, end), 0o666); err != nil {
			t.Fatal(err)
		}
		s, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		first, err := s.WarmUp(t.Context(), WarmUp{Rows: 100})
		if err != nil {
			t.Fatal(err)
		}
		if first.X.Rows != 100 || first.X.Cols != 2 {
			t.Fatalf("the warm-up is of %d×%d", first.X.Rows, first.X.Cols)
		}
		at := []stream.Position{{}}
		for b := (&stream.Block{}); ; b.Reset() {
			if err := s.Fill(t.Context(), b); err == io.EOF {
				break
			} else if err != nil {
				t.Fatal(err)
			}
			at = append(at, b.After)
		}
		if n := at[len(at)-1]; n.Rows != 3000 || n.Offset != int64(len(text)) {
			t.Fatalf("%s: it ends at %+v", path, n)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		for _, p := range at {
			for _, replayed := range []bool{false, true} {
				var s *Source
				if replayed {
					s = From(bytes.NewReader(packed(t, text, end)), "stdin")
				} else if s, err = Open(path); err != nil {
					t.Fatal(err)
				}
				if err := s.Resume(first.Layout, p, replayed); err != nil {
					t.Fatal(err)
				}
				numbers, _, last := drain(t, s)
				if len(numbers) != 3000-int(p.Rows) || len(numbers) > 0 && numbers[0] != p.Rows+1 ||
					last.Rows != 3000 {
					t.Errorf("%s from %+v: %d rows", path, p, len(numbers))
				}
				s.Close()
			}
		}
	}
}

// TestOtherFiles: a file that cannot be the one that was read is refused.
func TestOtherFiles(t *testing.T) {
	text := table(50)
	layout := layoutOf(t, text, dataset.ReadOptions{}, dataset.Preparation{})
	at := stream.Position{Rows: 10, Offset: int64(bytes.Index(text, []byte("10,")))}
	for name, c := range map[string]struct{ text, problem string }{
		"short": {"a,b\n1,2\n", "is shorter than what was read"},
		"columns": {"x,y\n" + strings.Repeat("1,2\n", 100),
			"has the columns x, y, where a, b were learnt"},
		"lines": {"a,b\n" + strings.Repeat("1", 200) + ",2\n", "has no line end where"},
	} {
		for _, end := range []string{"", ".gz"} {
			path := filepath.Join(t.TempDir(), name+".csv"+end)
			if err := os.WriteFile(path, packed(t, []byte(c.text), end), 0o666); err != nil {
				t.Fatal(err)
			}
			s, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if err = s.Resume(layout, at, false); err == nil && end != "" {
				err = s.Fill(t.Context(), &stream.Block{})
			}
			if err != nil && !fault.IsInput(err) ||
				end == "" && (err == nil || !strings.Contains(err.Error(), c.problem)) ||
				name == "short" && err == nil {
				t.Errorf("%s%s: %v", name, end, err)
			}
			s.Close()
		}
	}
}

// TestASingleRowComesAtOnce: nobody waits for a block to fill.
func TestASingleRowComesAtOnce(t *testing.T) {
	r, w := io.Pipe()
	s := From(r, "stdin")
	if err := s.Resume(plainLayout(dataset.FormatCSV), stream.Position{}, false); err != nil {
		t.Fatal(err)
	}
	for i := range 5 {
		go fmt.Fprintf(w, "x%d,1,2,red,A\n", i)
		b := &stream.Block{}
		if err := s.Fill(t.Context(), b); err != nil || b.Len() != 1 ||
			string(b.AppendID(nil, 0)) != fmt.Sprintf("x%d", i) {
			t.Fatalf("%v, %d rows", err, b.Len())
		}
	}
	go func() { io.WriteString(w, "half a"); s.Stop() }()
	b := &stream.Block{}
	if err := s.Fill(t.Context(), b); err != io.EOF || b.After.Rows != 5 {
		t.Errorf("%v at %+v", err, b.After)
	}
	rest := b.After
	s = From(strings.NewReader(",1,2,red,A\n"), "stdin")
	if err := s.Resume(plainLayout(dataset.FormatCSV),
		stream.Position{Rows: 5, Offset: rest.Offset, Rest: []byte("half a")}, false); err != nil {
		t.Fatal(err)
	}
	if err := s.Fill(t.Context(), b); err != nil ||
		string(b.AppendID(nil, b.Len()-1)) != "half a" || b.Numbers[0] != 6 {
		t.Errorf("%v, %v", err, b)
	}
}

// TestTheWriterOfAPipeWaits while nobody takes rows.
func TestTheWriterOfAPipeWaits(t *testing.T) {
	r, w := io.Pipe()
	s := From(r, "stdin")
	if err := s.Resume(plainLayout(dataset.FormatCSV), stream.Position{}, false); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	written := make(chan int)
	go func() {
		line := bytes.Repeat([]byte("x,1,2,red,A\n"), 1000)
		n := 0
		for n < 10<<20 {
			got, err := w.Write(line)
			if n += got; err != nil {
				break
			}
		}
		written <- n
	}()
	time.Sleep(50 * time.Millisecond) // whenever: what is taken is bounded
	r.Close()
	if n := <-written; n > 1<<20 {
		t.Errorf("%d bytes were taken ahead", n)
	}
}

// TestNothingOfAPipeIsLost when the reading stops while its writer goes on: what comes after goes
// to the one who reads next.
func TestNothingOfAPipeIsLost(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	const rows = 300_000
	go func() {
		defer w.Close()
		w.Write(bytes.Repeat([]byte("x,1,2,red,A\n"), rows))
	}()
	var at stream.Position
	for i := range 4 {
		s := From(r, "stdin")
		s.waits *= 1000 // the machine may be busy
		if err := s.Resume(plainLayout(dataset.FormatCSV), at, false); err != nil {
			t.Fatal(err)
		}
		if err := s.Fill(t.Context(), &stream.Block{}); err != nil {
			t.Fatal(err)
		}
		if i < 3 {
			s.Stop()
		}
		_, _, at = drain(t, s)
		time.Sleep(10 * time.Millisecond) // for a reader that reads on
		s.Close()
	}
	if at.Rows != rows || len(at.Rest) > 0 {
		t.Errorf("%d of %d rows", at.Rows, rows)
	}
}

// lastRow returns what it has to a read that is under way when the reading is to end.
type lastRow struct {
	text string
	stop func()
}

func (r *lastRow) Read(p []byte) (int, error) {
	n := copy(p, r.text)
	r.text = ""
	r.stop()
	return n, nil
}

// TestWhatWasTakenIsHandedOn, also by the first read, and behind rows that are passed over.
func TestWhatWasTakenIsHandedOn(t *testing.T) {
	const row = "x,1,2,red,A\n"
	for _, at := range []stream.Position{{}, {Rows: 1, Offset: int64(len(row))}} {
		in := &lastRow{text: strings.Repeat(row, 3)}
		s := From(in, "stdin")
		in.stop = s.Stop
		if err := s.Resume(plainLayout(dataset.FormatCSV), at, true); err != nil {
			t.Fatal(err)
		}
		if _, _, last := drain(t, s); last.Rows != 3 {
			t.Errorf("behind %d rows: it ends after %d of 3", at.Rows, last.Rows)
		}
		s.Close()
	}
}

// TestWarmUpPassesOverBadRows, and they are bad rows when they are decoded.
func TestWarmUpPassesOverBadRows(t *testing.T) {
	var text strings.Builder
	text.WriteString("id;x;y;colour\n")
	for i := range 300 {
		switch {
		case i%10 == 0:
			fmt.Fprintf(&text, "%d;one;2;red\n", i)
		case i%10 == 3:
			fmt.Fprintf(&text, "%d;1;2\n", i)
		case i%10 == 5:
			fmt.Fprintf(&text, "%d;1;;red\n", i)
		case i%10 == 7:
			fmt.Fprintf(&text, "%d;1;2;r\"ed\n", i)
		case i%10 == 8:
			fmt.Fprintf(&text, "%d;1;1e999;blue\n", i)
		default:
			fmt.Fprintf(&text, "%d;%d.5;%d;green\n", i, i, i)
		}
		if i == 20 {
			text.WriteString("@link;1;2;same\n")
		}
	}
	s := From(strings.NewReader(text.String()), "rows.csv")
	first, err := s.WarmUp(t.Context(),
		WarmUp{Rows: 200, Skip: true, Read: dataset.ReadOptions{ID: "id"}})
	if err != nil {
		t.Fatal(err)
	}
	if first.Layout.Separator != ";" || first.Layout.ID != "id" ||
		len(first.Layout.Encoding.Columns) != 3 || first.X.Rows != 100 {
		t.Errorf("the layout is %+v, the warm-up of %d rows", first.Layout, first.X.Rows)
	}
	numbers, notes, last := drain(t, s)
	if len(numbers) != 150 || len(notes) != 151 || last.Rows != 300 {
		t.Errorf("%d rows, %d notes, at %+v", len(numbers), len(notes), last)
	}
	_, err = From(strings.NewReader(text.String()), "rows.csv").WarmUp(t.Context(), WarmUp{})
	if !fault.IsInput(err) || !strings.Contains(err.Error(), "rows.csv, line 2, column x") {
		t.Errorf("without passing over: %v", err)
	}
}

// TestWarmUpPassesOverBadObjects: so it is with JSON lines.
func TestWarmUpPassesOverBadObjects(t *testing.T) {
	var text strings.Builder
	for i := range 300 {
		switch i % 10 {
		case 2:
			fmt.Fprintf(&text, `{"key":"k%d","x":"one","y":2}`, i)
		case 3:
			fmt.Fprintf(&text, `{"key":"k%d","x":1,"y":2`, i)
		case 5:
			fmt.Fprintf(&text, `{"key":"k%d","y":null,"x":1}`, i)
		case 7:
			fmt.Fprintf(&text, `{"key":"k%d","x":1,"y":[2]}`, i)
		case 8:
			fmt.Fprintf(&text, `{"y":2,"x":1}`)
		default:
			fmt.Fprintf(&text, `{"x":%d,"key":"k%d","y":-%d}`, i, i, i)
		}
		text.WriteString("\n")
	}
	s := From(strings.NewReader(text.String()), "rows.jsonl")
	first, err := s.WarmUp(t.Context(),
		WarmUp{Rows: 200, Skip: true, Read: dataset.ReadOptions{ID: "key"}})
	if err != nil {
		t.Fatal(err)
	}
	if n := len(first.Layout.Encoding.Columns); n != 2 || first.X.Rows != 100 || first.Of < 200 {
		t.Errorf("%d features, a warm-up of %d of %d rows", n, first.X.Rows, first.Of)
	}
	numbers, notes, last := drain(t, s)
	if len(numbers) != 150 || len(notes) != 150 || last.Rows != 300 {
		t.Errorf("%d rows, %d notes, at %+v", len(numbers), len(notes), last)
	}
}

// TestWarmUp finds what there is in an input.
func TestWarmUp(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		o       dataset.ReadOptions
		want    string // of the layout
		problem string // of an error
	}{
		"empty":    {text: " \n\n", problem: "is empty"},
		"header":   {text: "a,b\n", problem: "has a header but no rows"},
		"headless": {text: "1,2\n3,4\n", want: "csv [x1 x2]  "},
		"tabs":     {text: "a\tb\n1\t2\n", want: "csv [a b] \t "},
		"tsv": {text: "a\tb\n1\t2\n", o: dataset.ReadOptions{Format: dataset.FormatTSV},
			want: "tsv [a b]  "},
		"one column": {text: "a\n1\n2\n", want: "csv [a]  "},
		"unnamed":    {text: ",b\nx,2\ny,3\n", want: "csv [column1 b]  column1"},
		"jsonl": {text: `{"@link":"same","a":"1","b":"2"}` + "\n" + `{"id":"u","v":1}` + "\n" +
			`{"id":"w","v":2}`, want: "jsonl []  id"},
		"links": {text: "@link,1,2,same\na,b\n@forget,1\n1,2\n3,4\n", want: "csv [a b]  "},
		"repeated": {text: "k,b\nu,1\nu,2\nw,3\n", o: dataset.ReadOptions{ID: "k"},
			want: "csv [k b]  k"},
		"arff": {text: "@relation r\n@attribute a numeric\n@data\n1\n",
			problem: "is arff, which does not come by lines"},
		"npy":       {text: "\x93NUMPY\x01\x00", problem: "NPY"},
		"no number": {text: "a\nx\ny\n", problem: "no column can be a feature"},
		"bad format": {text: "a\n1\n", o: dataset.ReadOptions{Drop: []string{"z"}},
			problem: "--drop names"},
	} {
		t.Run(name, func(t *testing.T) {
			first, err := From(strings.NewReader(c.text), "stdin").WarmUp(t.Context(),
				WarmUp{Read: c.o, Skip: true})
			if c.problem != "" {
				if !fault.IsInput(err) || !strings.Contains(err.Error(), c.problem) {
					t.Errorf("%v", err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			l := first.Layout
			if got := fmt.Sprintf("%s %v %s %s", l.Format, l.Columns, l.Separator,
				l.ID); got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

// TestDamagedPacking is a fault of the input, wherever it shows.
func TestDamagedPacking(t *testing.T) {
	good := packed(t, table(200_000), ".gz")
	for name, text := range map[string][]byte{"end": good[:len(good)/2],
		"middle": append(append(bytes.Clone(good[:len(good)/2]), "damage"...),
			good[len(good)/2+6:]...), "front": good[:5]} {
		s := From(bytes.NewReader(text), "rows.csv.gz")
		_, err := s.WarmUp(t.Context(), WarmUp{})
		for b := (&stream.Block{}); err == nil; b.Reset() {
			err = s.Fill(t.Context(), b)
		}
		if !fault.IsInput(err) ||
			!strings.Contains(err.Error(), "rows.csv.gz: the compressed data") {
			t.Errorf("%s: %v", name, err)
		}
		s.Close()
	}
}

// TestStoppedInTheWarmUp: whoever interrupts the first rows gets an error at once.
func TestStoppedInTheWarmUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	r, w := io.Pipe()
	defer w.Close()
	go func() { io.WriteString(w, "a,b\n1,2\n"); cancel() }()
	s := From(r, "stdin")
	if _, err := s.WarmUp(ctx, WarmUp{}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	s.Close()
}

// TestMemoryIsConstant: a long stream leaves no more behind than a short one.
func TestMemoryIsConstant(t *testing.T) {
	rows := 2_000_000
	if testing.Short() {
		rows = 200_000
	}
	text := bytes.Repeat([]byte("1.5,2,9\n2.5,7,8\n"), 500)
	s := From(&endless{text: text, left: rows / 1000}, "stdin")
	if _, err := s.WarmUp(t.Context(), WarmUp{}); err != nil {
		t.Fatal(err)
	}
	b := &stream.Block{}
	heap := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before, seen := uint64(0), 0
	for {
		b.Reset()
		err := s.Fill(t.Context(), b)
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if seen += b.Len(); before == 0 && seen > 50_000 {
			before = heap()
		}
	}
	if after := heap(); seen != rows || after > before+1<<20 {
		t.Errorf("after %d rows the heap has %d bytes, at first it had %d", seen, after, before)
	}
}

// endless returns a text so many times.
type endless struct {
	text []byte
	at   int
	left int
}

func (e *endless) Read(p []byte) (int, error) {
	if e.left == 0 {
		return 0, io.EOF
	}
	n := copy(p, e.text[e.at:])
	if e.at += n; e.at == len(e.text) {
		e.at = 0
		e.left--
	}
	return n, nil
}
