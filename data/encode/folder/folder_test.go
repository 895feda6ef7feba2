package folder

import (
	"compress/gzip"
	"context"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/kindred-go/kindred/data/encode"
	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/digest"
	"github.com/kindred-go/kindred/internal/kept"
)

// golden returns the vectors that tools/encoders/golden.py made.
func golden(t *testing.T) (texts []string, vectors map[string][][]float64) {
	t.Helper()
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var g struct {
		Texts   []string               `json:"texts"`
		Vectors map[string][][]float64 `json:"vectors"`
	}
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	return g.Texts, g.Vectors
}

func open(t *testing.T, dir string, o Options) *Encoder {
	t.Helper()
	e, err := Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func vectors(t *testing.T, e *Encoder, texts []string, threads int) []float32 {
	t.Helper()
	x, err := e.Encode(t.Context(), texts, encode.Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	if x.Rows != len(texts) || x.Cols != e.Identity().Dimensions {
		t.Fatalf("%d×%d of %d texts", x.Rows, x.Cols, len(texts))
	}
	return x.F32
}

func TestVectorsAreThoseOfTheReference(t *testing.T) {
	texts, all := golden(t)
	if len(all) != 5 {
		t.Fatalf("%d encoders", len(all))
	}
	for name, want := range all {
		e := open(t, filepath.Join("testdata", name), Options{})
		got := vectors(t, e, texts, 1)
		most := 2e-5
		if name == "mapped" { // model2vec computes with it in float16
			most = 5e-4
		}
		for i, row := range want {
			length := math.Sqrt(squares(row))
			for j, v := range row {
				v /= max(length, 1e-9)
				if off := math.Abs(float64(got[i*e.Identity().Dimensions+j]) - v); off > most {
					t.Fatalf("%s: text %d %q: value %d is %v, want %v", name, i, texts[i], j,
						got[i*e.Identity().Dimensions+j], v)
				}
			}
		}
		many := slices.Concat(texts, texts[3:], texts)
		for threads := range 4 {
			again := vectors(t, e, many, threads)
			if !slices.Equal(again[:len(got)], got) || !slices.Equal(again[len(again)-len(got):], got) {
				t.Errorf("%s: other vectors among other texts, or on %d threads", name, threads)
			}
		}
	}
}

func squares(x []float64) (sum float64) {
	for _, v := range x {
		sum += v * v
	}
	return sum
}

func TestNotes(t *testing.T) {
	texts, _ := golden(t)
	for name, want := range map[string]string{
		"cls": "the encoder in testdata/cls is a BERT of 2 layers; 4 texts longer than the encoder " +
			"reads: of each the first 10 pieces of words count; 1 text without any piece of a word " +
			"that the encoder knows",
		"prompt": "the encoder in testdata/prompt is a BERT of 2 layers, with \"query: \" before " +
			"each text",
		"table": "the encoder in testdata/table is a table of 120 pieces; 1 text without any piece " +
			"of a word that the encoder knows",
	} {
		e := open(t, "testdata/"+name, Options{})
		vectors(t, e, texts, 1)
		if got := strings.Join(e.Notes(), "; "); got != want {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestPrompts(t *testing.T) {
	texts := []string{"the card was lost", "late"}
	by := func(prompt string) *Encoder { return open(t, "testdata/prompt", Options{Prompt: prompt}) }
	query, passage, own, none := by(""), by("passage"), by("query: "), by(" ")
	if query.prompt != "query: " || passage.prompt != "passage: " || own.prompt != "query: " {
		t.Errorf("%q, %q, %q", query.prompt, passage.prompt, own.prompt)
	}
	if !slices.Equal(vectors(t, query, texts, 1), vectors(t, own, texts, 1)) {
		t.Error("the same prompt has other vectors")
	}
	if query.Identity().Digest != own.Identity().Digest ||
		query.Identity().Digest == passage.Identity().Digest {
		t.Error("the identity does not go with the prompt")
	}
	long := []string{"passage: the card was lost", "passage: late"}
	if !slices.Equal(vectors(t, none, long, 1), vectors(t, passage, texts, 1)) {
		t.Error("a prompt is not what is put before texts")
	}
}

// change copies an encoder, and changes files of the copy: "" removes one.
func change(t *testing.T, name string, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("testdata", name))); err != nil {
		t.Fatal(err)
	}
	for file, content := range files {
		path := filepath.Join(dir, file)
		if content == "" {
			if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if from, to, ok := strings.Cut(content, "→"); ok {
			old, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(old), from) {
				t.Fatalf("%s lacks %q (%v)", file, from, err)
			}
			content = strings.Replace(string(old), from, to, 1)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAListOfPiecesWillDo(t *testing.T) {
	texts, _ := golden(t)
	want := open(t, "testdata/mean", Options{})
	var file struct {
		Model struct{ Vocab map[string]int }
	}
	data, err := os.ReadFile("testdata/mean/tokenizer.json")
	if err == nil {
		err = json.Unmarshal(data, &file)
	}
	if err != nil {
		t.Fatal(err)
	}
	pieces := make([]string, len(file.Model.Vocab))
	for piece, id := range file.Model.Vocab {
		pieces[id] = piece
	}
	got := open(t, change(t, "mean", map[string]string{"tokenizer.json": "",
		"vocab.txt": strings.Join(pieces, "\r\n") + "\r\n"}), Options{})
	if !slices.Equal(vectors(t, got, texts, 1), vectors(t, want, texts, 1)) {
		t.Error("other vectors")
	}
	if got.Identity().Digest == want.Identity().Digest {
		t.Error("other files have the same identity")
	}
}

func TestIdentityIsThatOfTheFiles(t *testing.T) {
	of := func(files map[string]string) string {
		return open(t, change(t, "cls", files), Options{}).Identity().Digest
	}
	same := of(nil)
	if open(t, "testdata/cls", Options{}).Identity().Digest != same {
		t.Error("the name of the folder is part of the identity")
	}
	for _, files := range []map[string]string{{"config.json": "1e-05→1e-06"},
		{"tokenizer_config.json": "12→11"}, {"1_Pooling/config.json": "cls→mean"}} {
		if of(files) == same {
			t.Errorf("%v is no part of the identity", files)
		}
	}
	data, err := os.ReadFile("testdata/cls/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-2] ^= 1
	if of(map[string]string{"model.safetensors": string(data)}) == same {
		t.Error("the tensors are no part of the identity")
	}
}

func TestFoldersThatAreNone(t *testing.T) {
	tensors, err := os.ReadFile("testdata/mean/model.safetensors")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ encoder, file, content, part string }{
		{"mean", "config.json", `"bert"→"roberta"`, "roberta (BertModel)"},
		{"mean", "config.json", "", "no config.json"},
		{"mean", "config.json", "{", "no configuration"},
		{"mean", "config.json", `"gelu"→"gelu_new"`, "gelu_new"},
		{"mean", "config.json", "heads\": 3→heads\": 5", "no multiple"},
		{"mean", "config.json", "size\": 24→size\": 240000", "240000"},
		{"mean", "config.json", "size\": 24→size\": 27", "shape"},
		{"mean", "config.json", "layers\": 2→layers\": 3", "no tensor"},
		{"mean", "model.safetensors", "", "convert"},
		{"mean", "model.safetensors", string(tensors[:5000]), "no file of tensors"},
		{"mean", "tokenizer.json", "", "neither"},
		{"mean", "tokenizer.json",
			"\"WordPiece\",\n    \"unk→\"Unigram\",\n    \"unk",
			"Unigram"},
		{"mean", "tokenizer.json", `BertNormalizer→NFC`, "NFC"},
		{"mean", "tokenizer.json", `BertPreTokenizer→Metaspace`, "pre-tokenizer"},
		{"mean", "tokenizer.json", `TemplateProcessing→Sequence`, "post-processor"},
		{"mean", "tokenizer.json", `"world"→"other":160,"world"`, "vocab_size"},
		{"mean", "tokenizer.json", `"world"→"other":2000000000,"world"`, "numbers"},
		{"table", "tokenizer.json", `"world"→"other":160,"world"`, "pieces"},
		{"mean", "1_Pooling/config.json", `"mean"→"lasttoken"`, "lasttoken"},
		{"mean", "1_Pooling/config.json",
			`{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": true}`,
			"pooling"},
		{"mean", "modules.json", `pooling.Pooling→dense.Dense`, "Dense"},
		{"mean", "modules.json", `"1_Pooling"→"../x"`, "leads out"},
		{"prompt", "config_sentence_transformers.json", `"query",→"lost",`, "lost"},
	} {
		dir := change(t, c.encoder, map[string]string{c.file: c.content})
		_, err := Open(t.Context(), dir, Options{})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s, %.60s: %v", c.file, c.content, err)
		}
	}
	if _, err := Open(t.Context(), t.TempDir(), Options{}); !fault.IsInput(err) {
		t.Errorf("an empty folder: %v", err)
	}
}

func TestLimitsOfFolders(t *testing.T) {
	for file, most := range map[string]int{"tokenizer.json": maxVocabulary, "config.json": maxConfig} {
		for _, more := range []int{0, 1} {
			dir := change(t, "mean", nil)
			path := filepath.Join(dir, file)
			info, err := os.Stat(path)
			if err != nil {
				t.Fatal(err)
			}
			f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.WriteString(strings.Repeat(" ", most+more-int(info.Size()))); err != nil {
				t.Fatal(err)
			}
			f.Close()
			if _, err := Open(t.Context(), dir, Options{}); (err == nil) != (more == 0) ||
				err != nil && !fault.IsInput(err) {
				t.Errorf("%s of %d bytes: %v", file, most+more, err)
			}
		}
	}
}

// TestVectorsAreTheSameOnAnyProcessor, with assembly and without: to the bit.
func TestVectorsAreTheSameOnAnyProcessor(t *testing.T) {
	texts, _ := golden(t)
	var all []byte
	for _, name := range []string{"cls", "mapped", "mean", "prompt", "table"} {
		for _, v := range vectors(t, open(t, filepath.Join("testdata", name), Options{}), texts, 2) {
			all = binary.LittleEndian.AppendUint32(all, math.Float32bits(v))
		}
	}
	// With another digest goes another arithmetic.
	const want = "sha256:3381ff3e693e384ee55695bf5bf5d42ebd47ee1c4fd3251673a5981cfbaee058"
	if got := digest.Of(all).String(); got != want {
		t.Errorf("the vectors have the digest %s, want %s", got, want)
	}
}

func TestEncodingIsCancelled(t *testing.T) {
	e := open(t, "testdata/mean", Options{})
	texts := make([]string, 100_000)
	for i := range texts {
		texts[i] = strings.Repeat("card ", i%20) + strings.Repeat("a", i/20%25) + "b"
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	calls := 0
	_, err := e.Encode(ctx, texts, encode.Options{Threads: 2, Progress: func(what string,
		share float64) {
		if calls++; calls == 3 {
			cancel()
		}
		if share < 0 || share > 1 {
			t.Errorf("%s: %v", what, share)
		}
	}})
	if !errors.Is(err, context.Canceled) || calls > 6 {
		t.Errorf("%v after %d calls", err, calls)
	}
}

// TestMiniLM compares with sentence-transformers where KINDRED_MINILM names the folder of
// all-MiniLM-L6-v2 and KINDRED_DATASETS that of the data sets.
func TestMiniLM(t *testing.T) {
	dir := os.Getenv("KINDRED_MINILM")
	if dir == "" || testing.Short() {
		t.Skip("KINDRED_MINILM names no folder")
	}
	texts, want := banking(t, 1000)
	e := open(t, dir, Options{})
	got := vectors(t, e, texts, 0)
	for i := range texts {
		var xy, xx, yy float64
		for j, a := range got[i*384 : (i+1)*384] {
			a, b := float64(a), float64(want[i*384+j])
			xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
		}
		if cosine := xy / math.Sqrt(xx*yy); cosine < 0.9999 {
			t.Fatalf("text %d %q: cosine %v", i, texts[i], cosine)
		}
	}
}

// banking returns texts of banking77 and the vectors that sentence-transformers made of them.
func banking(t testing.TB, n int) ([]string, []float32) {
	t.Helper()
	dir := os.Getenv("KINDRED_DATASETS")
	if dir == "" {
		t.Skip("KINDRED_DATASETS names no folder")
	}
	f, err := os.Open(filepath.Join(dir, "banking77.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := slices.Index(rows[0], "text")
	texts := make([]string, n)
	for i := range texts {
		texts[i] = rows[1+i][at]
	}
	v, err := os.Open(filepath.Join(dir, "banking77_minilm384.npy.gz"))
	if err != nil {
		t.Fatal(err)
	}
	defer v.Close()
	z, err := gzip.NewReader(v)
	if err != nil {
		t.Fatal(err)
	}
	head := make([]byte, 10)
	if _, err := io.ReadFull(z, head); err != nil {
		t.Fatal(err)
	}
	about := make([]byte, binary.LittleEndian.Uint16(head[8:]))
	if _, err := io.ReadFull(z, about); err != nil || !strings.Contains(string(about), "'<f4'") {
		t.Fatalf("%q, %v", about, err)
	}
	vectors := make([]float32, 384*n)
	if err := binary.Read(z, binary.LittleEndian, vectors); err != nil {
		t.Fatal(err)
	}
	return texts, vectors
}

// counted counts the texts that a runner makes vectors of.
type counted struct {
	runner
	texts atomic.Int64
}

func (c *counted) start() func(context.Context, []float32, [][]int32) error {
	run := c.runner.start()
	return func(ctx context.Context, dst []float32, texts [][]int32) error {
		c.texts.Add(int64(len(texts)))
		return run(ctx, dst, texts)
	}
}

// TestKeptVectors are those that the encoder makes, which is not run for them again, and the notes
// are the same.
func TestKeptVectors(t *testing.T) {
	texts, _ := golden(t)
	texts, _ = encode.Distinct(append(texts, strings.Repeat("long ", 1000), ""))
	file := filepath.Join(t.TempDir(), "notes.kindred.vectors")
	by := func(dir string, o Options, texts []string) (x []float32, notes []string, ran int64) {
		e := open(t, filepath.Join("testdata", dir), o)
		runs := &counted{runner: e.by}
		e.by = runs
		x = vectors(t, e, texts, 2)
		return x, e.Notes(), runs.texts.Load()
	}
	want, said, all := by("mean", Options{}, texts)
	for _, c := range []struct {
		dir  string
		o    Options
		from int
		ran  int64
	}{
		{"mean", Options{}, 10, all - 10},
		{"mean", Options{}, 0, 10},
		{"mean", Options{}, 0, 0},
		{"mean", Options{Prompt: "query: "}, 0, all},
		{"cls", Options{}, 0, all},
		{"table", Options{}, 0, all},
		{"table", Options{}, 0, all},
	} {
		c.o.Cache = file
		x, notes, ran := by(c.dir, c.o, texts[c.from:])
		if ran != c.ran {
			t.Errorf("%+v: %d texts were encoded, want %d", c, ran, c.ran)
		}
		if c.dir == "mean" && c.o.Prompt == "" &&
			(!slices.Equal(x, want[c.from*len(want)/len(texts):]) ||
				c.from == 0 && !slices.Equal(notes, said)) {
			t.Errorf("%+v: other vectors or notes: %q, want %q", c, notes, said)
		}
	}
	nowhere := filepath.Join(t.TempDir(), "no", "vectors") // as where nothing may be written
	if x, _, _ := by("mean", Options{Cache: nowhere, Spare: true}, texts); !slices.Equal(x, want) {
		t.Error("other vectors where they cannot be kept")
	}
	if _, err := open(t, "testdata/mean", Options{Cache: nowhere}).Encode(t.Context(), texts,
		encode.Options{}); err == nil {
		t.Error("a file that was asked for is not made, and nothing said so")
	}
	if data, err := os.ReadFile(file); err != nil || strings.Contains(string(data), "long long") {
		t.Errorf("the file has the texts (%v)", err)
	}
}

// TestKeptVectorsOfAnotherArithmetic: vectors that an earlier way of computing made are not taken.
func TestKeptVectorsOfAnotherArithmetic(t *testing.T) {
	file := filepath.Join(t.TempDir(), "notes.kindred.vectors")
	e := open(t, "testdata/mean", Options{Cache: file})
	texts := []string{"a first text", "a second one"}
	other := make([]float32, e.dims)
	other[0] = 1
	c, err := kept.Open(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	keys := []digest.Sum{e.key("0", texts[0]), e.key(arithmetic, texts[1])}
	err = errors.Join(c.Put(t.Context(), keys, []int{0, 1}, [][]float32{other, other}), c.Close())
	if err != nil {
		t.Fatal(err)
	}
	x := vectors(t, e, texts, 1)
	if slices.Equal(x[:e.dims], other) || !slices.Equal(x[e.dims:], other) {
		t.Errorf("vectors %v and %v", x[:3], x[e.dims:e.dims+3])
	}
}

func BenchmarkMiniLM(b *testing.B) {
	dir := os.Getenv("KINDRED_MINILM")
	if dir == "" {
		b.Skip("KINDRED_MINILM names no folder")
	}
	texts, _ := banking(b, 1000)
	e, err := Open(b.Context(), dir, Options{})
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := e.Encode(b.Context(), texts, encode.Options{}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(len(texts))*float64(b.N)/b.Elapsed().Seconds(), "texts/s")
}
