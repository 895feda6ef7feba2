package mutate_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/kindred-go/kindred"
	"github.com/kindred-go/kindred/cluster/competitive"
	"github.com/kindred-go/kindred/data/dataset"
	"github.com/kindred-go/kindred/data/dissim"
	"github.com/kindred-go/kindred/data/images"
	"github.com/kindred-go/kindred/data/partition"
	"github.com/kindred-go/kindred/evidence/belief"
	"github.com/kindred-go/kindred/evidence/credal"
	"github.com/kindred-go/kindred/internal/mutate"
	"github.com/kindred-go/kindred/link"
	"github.com/kindred-go/kindred/link/rule"
	"github.com/kindred-go/kindred/method/model"
	"github.com/kindred-go/kindred/stream"
	"github.com/kindred-go/kindred/stream/lines"
)

// formats are all that kindred reads, with samples that are made here. A format that is read later
// joins them.
func formats(t testing.TB) []mutate.Format {
	t.Helper()
	var all []mutate.Format
	all = append(all, tables(t)...)
	csv := []byte(table())
	packed := func(name, ending string, pack func([]byte) []byte) mutate.Format {
		return mutate.Format{Name: name, Ending: ".csv" + ending, Sealed: true, Read: readTable,
			Samples: [][]byte{pack(csv)}}
	}
	all = append(all, packed("gzip", ".gz", mutate.Gzip), packed("zstd", ".zst", mutate.Zstd))
	all = append(all, pictures(t)...)
	return append(all,
		mutate.Format{Name: "matrix as text", Ending: ".csv", Read: readMatrix, Samples: [][]byte{
			[]byte("a,b,c,d\n0,1,2,3\n1,0,4,5\n2,4,0,6\n3,5,6,0\n"),
			[]byte("4\nalpha 0 1 2 3\nbeta 1 0 4 5\ngamma 2 4 0 6\ndelta 3 5 6 0\n"),
			[]byte("4\nalpha\nbeta 1\ngamma 2 4\ndelta 3 5 6\n"),
			mutate.Gzip([]byte("0 1 2\n1 0 3\n2 3 0\n"))}},
		mutate.Format{Name: "matrix as NPY", Ending: ".npy", Read: readMatrix,
			Samples: [][]byte{npy("<f8", "(3, 3)", 72), npy("<f4", "(6,)", 24),
				mutate.Gzip(npy("<f8", "(3, 3)", 72))}},
		mutate.Format{Name: "links", Ending: ".csv", Read: readLinks, Samples: [][]byte{
			[]byte("a,b,link,p\n1,2,same,1\n2,3,different,0.9\n3,4,unknown,\n5,6,must-link,0.5\n"),
			[]byte("a;b;link;p\n1;2;same;0,5\n2;3;different;1\n")}},
		mutate.Format{Name: "links as JSON lines", Ending: ".jsonl.gz", Read: readLinks,
			Samples: [][]byte{mutate.Gzip([]byte(`{"a":"1","b":"2","link":"same","p":0.5}` + "\n" +
				`{"a":"2","b":"3","link":"different"}` + "\n"))}},
		mutate.Format{Name: "rules", Ending: ".txt", Read: readRules, Samples: [][]byte{
			[]byte("# words\nleast 2\ncomputer: mac, disk, pc\nscience/space: orbit, moon, nasa\n")}},
		mutate.Format{Name: "classes of a matrix", Ending: ".txt", Read: readClasses,
			Samples: [][]byte{[]byte("class\na\nb\na\nb\n"), []byte("1\n2\n1\n400\n"),
				mutate.Gzip([]byte("1\n2\n1\n2\n"))}},
		mutate.Format{Name: "focal sets", Ending: ".txt", Read: readSets,
			Samples: [][]byte{[]byte("# sets\n1\n2\n1+2\n{1+3}\nall\nempty\n")}},
		mutate.Format{Name: "partition", Ending: ".csv", Read: readPartition,
			Samples: [][]byte{[]byte("id,cluster\na,1\nb,2\nc,1\nd,0\n"),
				[]byte("id,class\na,red\nb,blue\nc,red\n")}},
		credalFormat(t, ".csv"), credalFormat(t, ".jsonl"), credalFormat(t, ".parquet"),
		mutate.Format{Name: "model", Ending: ".model", Read: readModel, Samples: models(t)},
		mutate.Format{Name: "stream state", Ending: ".state", Read: readState, Sealed: true,
			Seal: seal, Samples: [][]byte{state(t)}},
		mutate.Format{Name: "rows of a stream", Ending: ".csv", Read: readStream,
			Samples: [][]byte{csv, mutate.Gzip(csv)}},
		mutate.Format{Name: "rows of a stream as JSON lines", Ending: ".jsonl", Read: readStream,
			Samples: [][]byte{[]byte(`{"x":1,"y":2}` + "\n" + `{"x":3,"y":4}` + "\n")}})
}

// table is a table with a column of each type, as CSV.
func table() string {
	var b bytes.Buffer
	b.WriteString("id,length,count,ripe,colour,day,price,note\n")
	for i := range 30 {
		fmt.Fprintf(&b, "r%d,%g,%d,%t,%s,2024-%02d-03,%d.50 €,\"note %d, with a comma\"\n", i,
			float64(i)/3, i%7-2, i%2 == 0, []string{"red", "green", "blue"}[i%3], 1+i%12, i, i*i)
	}
	return b.String()
}

// digest sums up values.
func digest(values ...any) string {
	h := fnv.New128a()
	fmt.Fprint(h, values...)
	return fmt.Sprintf("%x", h.Sum(nil))
}

// readTable reads and prepares a table.
func readTable(ctx context.Context, path string) (string, error) {
	t, err := dataset.Read(ctx, path, dataset.ReadOptions{Keep: true, Lists: true, Threads: 2})
	if err != nil {
		return "", err
	}
	cells := fnv.New128a()
	for row := range min(t.Rows, 5000) {
		for col := range min(len(t.Columns), 100) {
			io.WriteString(cells, t.Cell(row, col))
			cells.Write([]byte{0})
		}
	}
	sum := fmt.Sprintf("%d %x", t.Rows, cells.Sum(nil))
	p, err := t.Prepare(ctx, dataset.Preparation{Missing: dataset.MissingMean, Consume: true,
		Threads: 2, Scale: dataset.ScaleZScore})
	if err != nil {
		return "", err
	}
	return digest(sum, p.X.Rows, p.X.Cols), nil
}

func readMatrix(ctx context.Context, path string) (string, error) {
	m, report, err := dissim.Read(ctx, path, dissim.ReadOptions{Threads: 2})
	if err != nil {
		return "", err
	}
	return digest(m.N, m.D, report.Names), nil
}

func readLinks(ctx context.Context, path string) (string, error) {
	links, err := link.ReadFile(ctx, path, func(id string) (int, bool) {
		row, err := strconv.Atoi(id)
		return row, err == nil && row >= 0 && row < 10
	})
	return digest(links), err
}

func readRules(ctx context.Context, path string) (string, error) {
	r, err := rule.ReadFile(ctx, path)
	if err != nil {
		return "", err
	}
	return digest(r.Least, r.Groups), nil
}

func readClasses(ctx context.Context, path string) (string, error) {
	codes, names, err := dissim.ReadLabels(ctx, path, 4)
	return digest(codes, names), err
}

func readSets(_ context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sets, err := belief.ParseSets(f, path, 3)
	return digest(sets), err
}

func readPartition(ctx context.Context, path string) (string, error) {
	t, err := dataset.Read(ctx, path, dataset.ReadOptions{Threads: 1, Keep: true, Label: "cluster"})
	if err != nil {
		t, err = dataset.Read(ctx, path,
			dataset.ReadOptions{Threads: 1, Keep: true, Label: "class"})
	}
	if err != nil {
		return "", err
	}
	p, err := partition.Of(t)
	if err != nil {
		return "", err
	}
	return digest(p.Labels), nil
}

func credalFormat(t testing.TB, ending string) mutate.Format {
	t.Helper()
	p := &credal.Partition{Clusters: 3, Focal: []belief.Set{0, 1, 2, 4, 7}}
	for i := range 20 {
		p.Mass = append(p.Mass, 0.1, float64(i)/40, 0.5-float64(i)/40, 0.25, 0.15)
	}
	path := filepath.Join(t.TempDir(), "a"+ending)
	err := credal.WriteFile(path, p, func(row int) string { return "r" + strconv.Itoa(row) })
	if err != nil {
		t.Fatal(err)
	}
	return mutate.Format{Name: "credal partition as " + ending[1:], Ending: ending,
		Samples: [][]byte{file(t, path)},
		Read: func(ctx context.Context, path string) (string, error) {
			p, ids, err := credal.Read(ctx, path)
			if err != nil {
				return "", err
			}
			return digest(p.Clusters, p.Focal, p.Mass, ids), nil
		}}
}

func file(t testing.TB, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// models are models of each kind, of the table.
func models(t testing.TB) (all [][]byte) {
	t.Helper()
	folder := t.TempDir()
	csv := filepath.Join(folder, "table.csv")
	if err := os.WriteFile(csv, []byte(table()), 0o600); err != nil {
		t.Fatal(err)
	}
	data, err := kindred.Read(t.Context(), csv)
	if err != nil {
		t.Fatal(err)
	}
	texts, err := kindred.Read(t.Context(), csv, kindred.Params{"text": "note"})
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]*kindred.Table{"kmeans": data, "evclus": data, "dbscan": data,
		"mpckmeans": data, "crpcl": data, "kmeans of texts": texts} {
		method := name[:min(len(name), 6)]
		if method == "mpckme" {
			method = "mpckmeans"
		}
		if method == "crpcl" {
			method = "crpcl"
		}
		r, err := of.Cluster(t.Context(), method, nil)
		if err != nil {
			r, err = of.Cluster(t.Context(), method, kindred.Params{"clusters": "3"})
		}
		if err != nil {
			t.Fatalf("%s: %v", method, err)
		}
		path := filepath.Join(folder, "a.model")
		if err := r.Save(path); err != nil {
			t.Fatal(err)
		}
		all = append(all, file(t, path))
	}
	return all
}

// readModel reads a model and places a few rows by it.
func readModel(ctx context.Context, path string) (string, error) {
	m, err := model.Load(path)
	if err != nil {
		return "", err
	}
	if m.Texts != nil {
		return "", nil
	}
	t, err := dataset.ReadStream(ctx, bytes.NewReader([]byte(table())), "new.csv",
		dataset.ReadOptions{Keep: true, Threads: 1})
	if err != nil {
		return "", err
	}
	labels, _, err := model.Predict(ctx, m, t, 2)
	return digest(labels), err
}

// state is the state of a stream of a few rows.
func state(t testing.TB) []byte {
	t.Helper()
	column := func(name string) dataset.EncodedColumn {
		return dataset.EncodedColumn{Source: name, Type: dataset.Number}
	}
	x := dataset.Matrix{Rows: 30, Cols: 2}
	for i := range 60 {
		x.F64 = append(x.F64, float64(i*i%17))
	}
	learner, err := competitive.New(competitive.Config{Clusters: 3}, x)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "a.state")
	_, err = stream.Run(t.Context(), &source{rows: x.F64}, sink{}, stream.Config{Learner: learner,
		ID: "run", StatePath: path, Layout: stream.Layout{Format: dataset.FormatCSV, ID: "id",
			Columns: []string{"x", "y"}, Encoding: dataset.Encoding{Scale: dataset.ScaleNone,
				Columns: []dataset.EncodedColumn{column("x"), column("y")}}}})
	if err != nil {
		t.Fatal(err)
	}
	return file(t, path)
}

// source is rows of two numbers, in one block.
type source struct {
	rows []float64
	done bool
}

func (s *source) Fill(_ context.Context, b *stream.Block) error {
	if s.done {
		return io.EOF
	}
	s.done = true
	b.Cols, b.Rows = 2, append(b.Rows, s.rows...)
	for i := range len(s.rows) / 2 {
		b.Numbers = append(b.Numbers, int64(i+1))
		b.IDText = fmt.Appendf(b.IDText, "r%d", i)
		b.IDEnd = append(b.IDEnd, int32(len(b.IDText)))
	}
	b.After = stream.Position{Rows: int64(len(s.rows) / 2)}
	return nil
}
func (s *source) Stop()        {}
func (s *source) Close() error { return nil }

// sink drops labels.
type sink struct{}

func (sink) Put(context.Context, *stream.Block, []competitive.Label) error { return nil }
func (sink) Flush(context.Context) error                                   { return nil }
func (sink) Settle(context.Context) (p stream.Position, err error)         { return p, nil }
func (sink) Close() error                                                  { return nil }

// seal sets the check sum of a state right.
func seal(damaged []byte) []byte {
	head, body, ok := bytes.Cut(damaged, []byte("\n"))
	if !ok || !bytes.HasPrefix(head, []byte("kindred stream state 1 ")) {
		return damaged
	}
	return fmt.Appendf(nil, "kindred stream state 1 sha256:%x\n%s", sha256.Sum256(body), body)
}

func readState(_ context.Context, path string) (string, error) {
	s, err := stream.Load(path)
	if err != nil {
		return "", err
	}
	l, err := s.Restore()
	if err != nil {
		return "", err
	}
	l.Observe([]float64{1, 2})
	text, err := json.Marshal(s)
	return digest(string(text)), err
}

// readStream reads the rows of a stream, of which bad ones are reported and passed over.
func readStream(ctx context.Context, path string) (string, error) {
	src, err := lines.Open(path)
	if err != nil {
		return "", err
	}
	defer src.Close()
	if _, err := src.WarmUp(ctx, lines.WarmUp{Rows: 5, Skip: true}); err != nil {
		return "", err
	}
	rows := fnv.New128a()
	for b := (&stream.Block{}); ; b.Reset() {
		err := src.Fill(ctx, b)
		fmt.Fprint(rows, b.Rows, b.Numbers, len(b.Notes))
		if err == io.EOF {
			return fmt.Sprintf("%x", rows.Sum(nil)), nil
		}
		if err != nil {
			return "", err
		}
	}
}

// pictures are formats of pictures.
func pictures(t testing.TB) (all []mutate.Format) {
	t.Helper()
	for name, samples := range drawn(t) {
		all = append(all, mutate.Format{Name: name, Ending: "." + name, Samples: samples,
			Sealed: name == "png", Read: readPicture, Stated: 4 * 50_000_000})
	}
	slices.SortFunc(all, func(a, b mutate.Format) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// readPicture makes a small picture of one; none of before is remembered.
func readPicture(ctx context.Context, path string) (string, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return "", err
	}
	defer root.Close()
	album := images.New(root, images.Limits{Cache: -1})
	data, _, err := album.Thumbnail(ctx, filepath.Base(path), 64)
	return digest(data), err
}
