package shard

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/fault"
)

// memory is a file in memory.
type memory struct {
	*bytes.Reader
	name string
}

func (m memory) Close() error { return nil }
func (m memory) Name() string { return m.name }

func file(text string) memory { return memory{bytes.NewReader([]byte(text)), "t.csv"} }

// rowsRead is what the splits of a file held.
type rowsRead struct {
	values  []float64
	ids     []string
	labels  []string
	numbers [][]int64 // by split
	lines   []int
	tally   Tally
	splits  int
}

// readAll reads a file split by split.
func readAll(f csvFormat, s Source, in input) (r rowsRead, err error) {
	ctx := context.Background()
	l, err := f.look(ctx, s, in)
	if err != nil {
		return r, err
	}
	r.splits = len(l.splits)
	for k, split := range l.splits {
		split.Index = k
		r.numbers = append(r.numbers, nil)
		t, err := f.each(ctx, l.source, split, in, func(b *raw) error {
			r.values = append(r.values, b.X.F64...)
			r.ids = append(r.ids, b.IDs...)
			r.labels = append(r.labels, b.Labels...)
			for i := range b.X.Rows {
				r.numbers[k] = append(r.numbers[k], b.Number(i))
				r.lines = append(r.lines, b.place(i).Line)
			}
			return nil
		})
		r.tally.Add(t)
		if err != nil {
			return r, err
		}
	}
	return r, nil
}

// writing is how a value may be written.
var writing = rapid.OneOf(
	rapid.Map(rapid.Float64Range(-1e6, 1e6), func(v float64) string { return fmt.Sprint(v) }),
	rapid.Map(rapid.Float64(), func(v float64) string {
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return "0"
		}
		return fmt.Sprintf("%.25g", v)
	}),
	rapid.SampledFrom([]string{"1", "-0", "+2.50", "1e-320", ".5", "7.", `"3.25"`, ` " 4 "`, "",
		"NA", "?",
		"n/a", " 12 ", "123456789012345678901234567890"}),
)

var word = rapid.OneOf(rapid.StringMatching(`[a-zé]{1,6}`),
	rapid.Just(`"a,b"`), rapid.Just(`"say ""so"""`))

// broken words keep a file from being cut.
var broken = rapid.OneOf(word, rapid.Just(`"two
lines"`))

func TestSplitsGiveTheVeryRowsThatDatasetReads(t *testing.T) {
	t.Parallel()
	cut := 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "rows")
		words := rapid.SampledFrom([]*rapid.Generator[string]{word, word, broken}).Draw(t, "words")
		end := rapid.SampledFrom([]string{"\n", "\r\n", "\r"}).Draw(t, "line end")
		var text strings.Builder
		if rapid.Bool().Draw(t, "mark") {
			text.WriteString("\ufeff")
		}
		text.WriteString("key,a,why,b,yes" + end)
		// The first row names the columns.
		text.WriteString("k,1,w,2,true" + end)
		for i := range n {
			if rapid.IntRange(0, 9).Draw(t, "blank") == 0 {
				text.WriteString(" " + end)
			}
			fmt.Fprintf(&text, "k%d,%s,%s,%s,%s", i, writing.Draw(t, "a"), words.Draw(t, "why"),
				writing.Draw(t, "b"),
				rapid.SampledFrom([]string{"true", "FALSE", "t", "no", ""}).Draw(t, "yes"))
			if i < n-1 || rapid.Bool().Draw(t, "ended") {
				text.WriteString(end)
			}
		}
		in := file(text.String())
		table, err := dataset.ReadStream(context.Background(), strings.NewReader(text.String()),
			in.name,
			dataset.ReadOptions{ID: "key", Label: "why", Plain: true,
				Features: []string{"a", "b", "yes"}})
		if err == nil && (table.Columns[1].Type != dataset.Number ||
			table.Columns[3].Type != dataset.Number || table.Columns[4].Type != dataset.Boolean) {
			t.Skip("too few rows are numbers")
		}
		s := Source{Columns: []string{"b", "yes", "a"}, ID: "key", Label: "why",
			SplitRows: rapid.IntRange(1, 40).Draw(t, "split rows"),
			BlockRows: rapid.IntRange(1, 9).Draw(t, "block rows")}
		r, fault := readAll(csvFormat{}, s, in)
		if fault != nil || err != nil {
			if fmt.Sprint(fault) != fmt.Sprint(err) {
				t.Fatalf("%v, want %v, of %q", fault, err, text.String())
			}
			return
		}
		if r.splits > 1 {
			cut++
		}
		if len(r.ids) != table.Rows {
			t.Fatalf("%d rows, want %d, of %q", len(r.ids), table.Rows, text.String())
		}
		codes, names, _ := table.Labels()
		for i := range table.Rows {
			for j, col := range []int{3, 4, 1} {
				if got, want := r.values[3*i+j],
					table.Value(i, col); math.Float64bits(got) != math.Float64bits(want) &&
					!(got != got && want != want) {
					t.Fatalf("row %d column %d: %v, want %v", i, col, got, want)
				}
			}
			want := ""
			if codes[i] >= 0 {
				want = names[codes[i]]
			}
			if r.ids[i] != table.ID(i) || r.labels[i] != want {
				t.Fatalf("row %d is %q of %q, want %q of %q", i, r.ids[i], r.labels[i], table.ID(i),
					want)
			}
		}
	})
	if cut == 0 {
		t.Error("no file was cut")
	}
}

// table writes n rows of two columns, with some of them replaced.
func table(n int, replaced map[int]string) string {
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range n {
		if s, ok := replaced[i]; ok {
			b.WriteString(s + "\n")
			continue
		}
		fmt.Fprintf(&b, "%d,%d.5\n", i, i)
	}
	return b.String()
}

func TestUnreadableRowsAreCountedAndTheOthersRead(t *testing.T) {
	t.Parallel()
	bad := map[int]string{3: "1", 20: "1,2,3", 41: "1,abc", 50: "\xff,2", 77: `1,"2`, 80: "1\x00,2",
		99: `1,2"`}
	text := table(100, bad)
	for _, rows := range []int{1000, 30, 7} {
		r, err := readAll(csvFormat{},
			Source{Columns: []string{"a", "b"}, SplitRows: rows, BadRows: Bad{Most: 7}}, file(text))
		if err != nil {
			t.Fatal(err)
		}
		if r.tally.Unreadable != 7 || len(r.values) != 2*93 {
			t.Fatalf("%d unreadable and %d read of splits of %d rows", r.tally.Unreadable,
				len(r.values)/2, rows)
		}
		i := 0
		for row := range 100 {
			if _, ok := bad[row]; ok {
				continue
			}
			if r.values[2*i] != float64(row) || r.lines[i] != row+2 {
				t.Fatalf("read row %v of line %d, want row %d", r.values[2*i], r.lines[i], row)
			}
			i++
		}
		want := []string{
			"t.csv, line 5: has 1 field where the header has 2",
			"t.csv, line 22: has 3 fields where the header has 2",
			`t.csv, line 43, column b: "abc" is not a number`,
			"t.csv, line 52: has a byte that is not UTF-8",
			"t.csv, line 79",
		}
		for k, sample := range r.tally.Samples {
			if !strings.HasPrefix(sample, want[k]) {
				t.Errorf("sample %q, want %q", sample, want[k])
			}
		}
		if len(r.tally.Samples) != len(want) {
			t.Errorf("%d samples", len(r.tally.Samples))
		}
	}
}

func TestUnreadableRowsHaveNoNumber(t *testing.T) {
	t.Parallel()
	r, err := readAll(csvFormat{},
		Source{Columns: []string{"a", "b"}, BlockRows: 2, BadRows: Bad{Share: 1}},
		file(table(6, map[int]string{0: "x", 3: "y"})))
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(r.numbers[0]); got != "[0 1 2 3]" {
		t.Errorf("the rows read have the numbers %s", got)
	}
}

func TestTheFirstUnreadableRowIsAFaultWhereNoneIsBorne(t *testing.T) {
	t.Parallel()
	_, err := readAll(csvFormat{}, Source{Columns: []string{"a", "b"}, SplitRows: 10},
		file(table(100, map[int]string{70: "7,x"})))
	var in *fault.Input
	if !errors.As(err, &in) || in.File != "t.csv" || in.Line != 72 || in.Column != "b" ||
		in.Fix == "" {
		t.Errorf("got %v", err)
	}
	_, err = readAll(csvFormat{}, Source{Columns: []string{"a", "b"}, BadRows: Bad{Most: 1}},
		file(table(9, map[int]string{2: "x", 5: "y", 6: "z"})))
	if !errors.As(err, &in) || !strings.Contains(err.Error(), "2 of the first 6 rows") ||
		!strings.Contains(err.Error(), "line 4") {
		t.Errorf("got %v", err)
	}
}

func TestAFieldWithALineEndIsNeverCutUnseen(t *testing.T) {
	t.Parallel()
	// Seen at the front, it keeps the file whole.
	text := table(100, map[int]string{50: "1,\"\n2\""})
	s := Source{Columns: []string{"a"}, SplitRows: 10}
	r, err := readAll(csvFormat{}, s, file(text))
	if err != nil || r.splits != 1 || len(r.values) != 100 {
		t.Fatalf("%d splits, %d values, %v", r.splits, len(r.values), err)
	}
	// Behind it, a cut within quotes is a fault, wherever it falls.
	long := strings.Repeat("12345678,1\n", 2*frontBytes/11)
	text = "a,b\n" + long + "7,\"1\n2\n3\"\n8,2\n"
	in := file(text)
	ctx := context.Background()
	inside := 0
	for cut := len(text) - 20; cut < len(text); cut++ {
		begin, _ := lineStart(in, int64(cut))
		within := strings.Count(text[:begin], `"`)%2 == 1
		_, err := csvFormat{}.each(ctx, s, Split{Start: 4, End: int64(cut)}, in,
			func(*raw) error { return nil })
		if within {
			inside++
		}
		if within != (err != nil) {
			t.Errorf("cut at %d, within quotes %v: %v", cut, within, err)
		}
	}
	if inside == 0 {
		t.Error("no cut lay within quotes")
	}
}

func TestPackedTextIsOneSplitAndDamageIsAFaultThatNamesTheFile(t *testing.T) {
	t.Parallel()
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	z.Write([]byte(table(50000, nil)))
	z.Close()
	s := Source{Columns: []string{"b", "a"}, SplitRows: 10}
	r, err := readAll(csvFormat{packed: true}, s,
		memory{bytes.NewReader(packed.Bytes()), "t.csv.gz"})
	if err != nil || r.splits != 1 || len(r.values) != 100000 || r.values[2*777] != 777.5 ||
		r.lines[777] != 779 {
		t.Fatalf("%d splits, %d values, %v", r.splits, len(r.values), err)
	}
	damaged := bytes.Clone(packed.Bytes())
	damaged[len(damaged)/2] ^= 0xff
	for name, b := range map[string][]byte{"short": packed.Bytes()[:packed.Len()/2],
		"damaged": damaged, "no gzip": []byte("a,b\n1,2\n")} {
		_, err := readAll(csvFormat{packed: true},
			Source{Columns: s.Columns, BadRows: Bad{Share: 1}},
			memory{bytes.NewReader(b), "t.csv.gz"})
		var in *fault.Input
		if !errors.As(err, &in) || in.File != "t.csv.gz" {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestDecimalCommasAreReadWhereTheyAreAskedFor(t *testing.T) {
	t.Parallel()
	text := "a;b\n1,5;2\n-0,25;NA\n"
	r, err := readAll(csvFormat{}, Source{Columns: []string{"a", "b"}, Decimal: ","}, file(text))
	if err != nil || fmt.Sprint(r.values) != "[1.5 2 -0.25 NaN]" {
		t.Errorf("%v, %v", r.values, err)
	}
	for _, s := range []Source{{Columns: []string{"a"}}, {Columns: []string{"a"}, Decimal: "x"},
		{Columns: []string{"a"}, Delimiter: "ab"}, {Columns: []string{"c"}}} {
		if _, err := readAll(csvFormat{}, s, file(text)); !fault.IsInput(err) {
			t.Errorf("%+v: %v", s, err)
		}
	}
}

// BenchmarkCSV reads ten columns of numbers; the target is 100 MB/s.
func BenchmarkCSV(b *testing.B) {
	var text strings.Builder
	text.WriteString("a,b,c,d,e,f,g,h,i,j\n")
	for i := range 100000 {
		for j := range 10 {
			fmt.Fprintf(&text, "%.6f", math.Sin(float64(10*i+j)))
			text.WriteByte(",\n"[j/9])
		}
	}
	in := file(text.String())
	s := Source{Columns: strings.Split("a,b,c,d,e,f,g,h,i,j", ",")}
	b.SetBytes(int64(text.Len()))
	for b.Loop() {
		if _, err := (csvFormat{}).each(context.Background(), s,
			Split{Start: 20, End: int64(text.Len())}, in,
			func(*raw) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}

// endless is a long file of the row 1,1, but for its header and one row.
type endless struct{ size, bad int64 }

func (e endless) Close() error { return nil }
func (e endless) Name() string { return "long.csv" }
func (e endless) Size() int64  { return e.size }

func (e endless) ReadAt(p []byte, at int64) (int, error) {
	n := int(min(int64(len(p)), e.size-at))
	for i := range p[:n] {
		switch k := at + int64(i); {
		case k < 4:
			p[i] = "a,b\n"[k]
		case k == e.bad:
			p[i] = 'x'
		default:
			p[i] = "1,1\n"[k%4]
		}
	}
	return n, nil
}

// Deep in a long file a sample names the byte, since to count the lines before takes long; a fault
// that ends everything counts them.
func TestSamplesDeepInAFileNameTheByte(t *testing.T) {
	t.Parallel()
	in := endless{size: 2*countable + 4000, bad: 2*countable + 400}
	s := Source{Columns: []string{"a", "b"}, BadRows: Bad{Most: 1}}
	split := Split{Start: 2 * countable, End: in.size}
	tally, err := csvFormat{}.each(context.Background(), s, split, in,
		func(*raw) error { return nil })
	want := fmt.Sprintf(`long.csv, byte %d, column a: "x" is not a number`, in.bad+1)
	if err != nil || tally.Unreadable != 1 || tally.Samples[0] != want {
		t.Errorf("%+v, %v", tally, err)
	}
	if testing.Short() {
		return // half a gigabyte is made up
	}
	s.BadRows = Bad{}
	_, err = csvFormat{}.each(context.Background(), s, split, in, func(*raw) error { return nil })
	var f *fault.Input
	if !errors.As(err, &f) || f.Line != int(in.bad/4)+1 {
		t.Errorf("got %v", err)
	}
}
