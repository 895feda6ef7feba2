package shard

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/io/filesystem/memfs"

	"github.com/kindred-go/kindred/fault"
)

// shaky is a file system whose connections break, and which counts what it sends. Its files are
// shaky://NAME/SIZE; byte i of one is i mod 251, and each connection breaks after so many bytes.
type shaky struct {
	lock    sync.Mutex
	sent    map[string]int64
	after   map[string]int64 // by NAME; 0: never
	changed map[string]time.Time
}

var shakyFiles = &shaky{sent: map[string]int64{}, after: map[string]int64{},
	changed: map[string]time.Time{}}

func init() {
	filesystem.Register("shaky", func(context.Context) filesystem.Interface { return shakyFiles })
}

func shakyName(path string) (name string, size int64) {
	_, rest, _ := strings.Cut(path, "://")
	name, number, _ := strings.Cut(rest, "/")
	fmt.Sscan(number, &size)
	return name, size
}

func (s *shaky) Close() error { return nil }
func (s *shaky) List(_ context.Context, path string) ([]string, error) {
	if strings.HasPrefix(path, "shaky://fleeting") {
		return []string{"shaky://fleeting/1", "shaky://fleeting/2"}, nil
	}
	return nil, nil
}
func (s *shaky) Size(ctx context.Context, path string) (int64, error) {
	name, size := shakyName(path)
	if path == "shaky://fleeting/1" {
		return 0, os.ErrNotExist
	}
	if name == "down" {
		<-ctx.Done()
		return 0, ctx.Err()
	}
	return size, nil
}
func (s *shaky) LastModified(_ context.Context, path string) (time.Time, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	name, _ := shakyName(path)
	if changed, ok := s.changed[name]; ok {
		return changed, nil
	}
	return time.Unix(1, 0), nil
}
func (s *shaky) OpenWrite(context.Context, string) (io.WriteCloser, error) {
	return nil, errors.New("no")
}
func (s *shaky) OpenRead(ctx context.Context, path string) (io.ReadCloser, error) {
	name, size := shakyName(path)
	return io.NopCloser(&shakyReader{ctx: ctx, of: s, name: name, size: size}), nil
}

type shakyReader struct {
	ctx      context.Context
	of       *shaky
	name     string
	size, at int64
}

func (r *shakyReader) Read(p []byte) (int, error) {
	if r.name == "slow" || r.name == "stuck" && r.at == 5000 {
		wait := time.Second
		if r.name == "stuck" {
			wait = time.Hour
		}
		select {
		case <-time.After(wait):
		case <-r.ctx.Done():
			return 0, r.ctx.Err()
		}
	}
	r.of.lock.Lock()
	defer r.of.lock.Unlock()
	if r.at == r.size {
		return 0, io.EOF
	}
	if after := r.of.after[r.name]; after > 0 && r.at >= after {
		r.of.after[r.name] = 2 * after // the next gets further
		return 0, errors.New("connection reset")
	}
	n := int(min(int64(len(p)), r.size-r.at, 1000))
	for i := range n {
		p[i] = byte((r.at + int64(i)) % 251)
	}
	r.at += int64(n)
	r.of.sent[r.name] += int64(n)
	return n, nil
}

// forgetAfter lets a test begin with nothing sent, broken or changed, however often it runs.
func (s *shaky) forgetAfter(t *testing.T, names ...string) {
	t.Cleanup(func() {
		s.lock.Lock()
		defer s.lock.Unlock()
		for _, name := range names {
			delete(s.sent, name)
			delete(s.after, name)
			delete(s.changed, name)
		}
	})
}

func (s *shaky) of(name string) int64 {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.sent[name]
}

func (s *shaky) breakAfter(name string, bytes int64) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.after[name] = bytes
}

func TestRemoteFilesAreListedByFolderAndPattern(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"part-1.csv", "part-2.csv", "part-10.csv",
		"year=24/month=1/x.csv", "year=24/y.parquet", "_SUCCESS"} {
		memfs.Write("memfs://list/in/"+name, []byte(name))
	}
	memfs.Write("memfs://list/inner.csv", nil)
	r, err := remoteFiles("memfs://list/in")
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		"memfs://list/in": "_SUCCESS part-1.csv part-10.csv part-2.csv " +
			"year=24/month=1/x.csv year=24/y.parquet",
		"memfs://list/in/": "_SUCCESS part-1.csv part-10.csv part-2.csv " +
			"year=24/month=1/x.csv year=24/y.parquet",
		"memfs://list/in/part-1.csv":     "part-1.csv",
		"memfs://list/in/part-*.csv":     "part-1.csv part-10.csv part-2.csv",
		"memfs://list/in/part-?.csv":     "part-1.csv part-2.csv",
		"memfs://list/in/[a-z]*-[2].csv": "part-2.csv",
		"memfs://list/in/*/*/*.csv":      "year=24/month=1/x.csv",
		"memfs://list/none":              "",
	} {
		found, err := r.list(context.Background(), path)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		var names []string
		for _, e := range found {
			name := strings.TrimPrefix(e.path, "memfs://list/in/")
			if e.size != int64(len(name)) {
				t.Errorf("%s has %d bytes", e.path, e.size)
			}
			names = append(names, name)
		}
		slices.Sort(names)
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
	for _, path := range []string{"nowhere://x/y", "memfs://"} {
		if r, err := remoteFiles(path); err == nil {
			if _, err = r.list(context.Background(), path); !fault.IsInput(err) {
				t.Errorf("%s: %v", path, err)
			}
		} else if !fault.IsInput(err) {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestAFileThatGoesWhileAFolderIsListedIsLeftOut(t *testing.T) {
	t.Parallel()
	if names, err := List(t.Context(), "shaky://fleeting"); err != nil ||
		!slices.Equal(names, []string{"shaky://fleeting/2"}) {
		t.Errorf("%v, %v", names, err)
	}
}

func TestRemoteTablesAreReadAsLocalOnes(t *testing.T) {
	t.Parallel()
	for k := range 3 {
		memfs.Write(fmt.Sprintf("memfs://same/t/%d.csv", k),
			[]byte(table(100, map[int]string{7: "x"})))
	}
	s, splits, err := Plan(context.Background(),
		Source{Paths: []string{"memfs://same/t"}, SplitRows: 30, BadRows: Bad{Most: 3}})
	if err != nil {
		t.Fatal(err)
	}
	var tally Tally
	sum := 0.0
	for _, split := range splits {
		c, err := s.Each(context.Background(), split, func(b *Block) error {
			for _, v := range b.X.F64 {
				sum += v
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		tally.Add(c)
	}
	if want := 3 * (99*100 + 0.5*99 - 7 - 7 - 0); tally.Rows != 297 || tally.Unreadable != 3 ||
		sum != want || len(splits) < 9 {
		t.Errorf("%+v in %d splits, sum %v, want %v", tally, len(splits), sum, want)
	}
	if want := "memfs://same/t/0.csv, line 9: has 1 field"; !strings.HasPrefix(tally.Samples[0],
		want) {
		t.Errorf("sample %q", tally.Samples[0])
	}
}

func TestRemoteFilesAreWrittenWholeOrNotAtAll(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	r, _ := remoteFiles("memfs://out/x")
	there := func(path string) bool {
		found, err := r.list(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		return len(found) > 0
	}
	put := func(ctx context.Context, path string, end func(File) error) error {
		o, err := r.create(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(o, "whole"); err != nil {
			t.Fatal(err)
		}
		if there(path) {
			t.Error("a file is seen before its end")
		}
		return end(o)
	}
	if err := put(ctx, "memfs://out/a",
		func(o File) error { o.Abort(); return nil }); err != nil || there("memfs://out/a") {
		t.Errorf("a file that was given up is there: %v", err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if err := put(stopped, "memfs://out/b", File.Close); !errors.Is(err, context.Canceled) ||
		there("memfs://out/b") {
		t.Errorf("stopped: %v", err)
	}
	if err := put(ctx, "memfs://out/c",
		func(o File) error { defer o.Abort(); return o.Close() }); err != nil ||
		!there("memfs://out/c") {
		t.Errorf("written: %v", err)
	}
	in, err := r.open(ctx, "memfs://out/c")
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	if text, err := io.ReadAll(io.NewSectionReader(in, 0, in.Size())); string(text) != "whole" ||
		err != nil {
		t.Errorf("read %q, %v", text, err)
	}
	for range 2 {
		if err := r.remove(ctx, "memfs://out/c"); err != nil || there("memfs://out/c") {
			t.Errorf("removed: %v", err)
		}
	}
	if _, err := r.open(ctx, "memfs://out/c"); !fault.IsInput(err) {
		t.Errorf("a file that is gone: %v", err)
	}
}

func TestOnlyWhatIsReadIsFetchedAndBrokenConnectionsAreMadeAgain(t *testing.T) {
	t.Parallel()
	const size = 12 << 20
	s := newSpooler(1 << 30)
	shakyFiles.forgetAfter(t, "once")
	shakyFiles.breakAfter("once", 3<<20)
	in, err := s.open(context.Background(), fmt.Sprintf("shaky://once/%d", size))
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	p := make([]byte, 1000)
	if n, err := in.ReadAt(p, 5000); n != len(p) || err != nil || p[0] != 5000%251 {
		t.Fatalf("%d bytes, %v", n, err)
	}
	if sent := shakyFiles.of("once"); sent > 5<<20 {
		t.Errorf("%d bytes were fetched for the first 6000", sent)
	}
	r := rand.New(rand.NewPCG(1, 2))
	var group sync.WaitGroup
	for range 20 {
		at := r.Int64N(size - 1000)
		group.Go(func() {
			p := make([]byte, 1000)
			if n, err := in.ReadAt(p, at); n != len(p) || err != nil ||
				p[999] != byte((at+999)%251) {
				t.Errorf("at %d: %d bytes, %v", at, n, err)
			}
		})
	}
	group.Wait()
	if n, err := in.ReadAt(p, size-10); n != 10 || err != io.EOF {
		t.Errorf("the end: %d bytes, %v", n, err)
	}
	// What came before the breaks was sent again, as it cannot be asked for from the middle.
	if sent := shakyFiles.of("once"); sent > size+(3+6+1)<<20 {
		t.Errorf("%d bytes were fetched", sent)
	}
	shakyFiles.breakAfter("broken", 1)
	bad, err := s.open(context.Background(), "shaky://broken/1000000")
	if err != nil {
		t.Fatal(err)
	}
	defer bad.Close()
	if _, err := bad.ReadAt(p, 500000); err == nil ||
		!strings.Contains(err.Error(), "shaky://broken/1000000: connection reset") {
		t.Errorf("a connection that breaks whenever it is made: %v", err)
	}
}

func TestCopiesStayWithinTheirDisk(t *testing.T) {
	t.Parallel()
	ctx := context.Background()
	shakyFiles.forgetAfter(t, "da", "db", "dc", "dd", "dn", "large")
	s := newSpooler(2500)
	open := func(name string) input {
		in, err := s.open(ctx, "shaky://"+name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := in.ReadAt(make([]byte, in.Size()), 0); err != nil {
			t.Fatal(err)
		}
		return in
	}
	a, b := open("da/1000"), open("db/1000")
	waiting := make(chan input)
	go func() { waiting <- open("dc/1000") }()
	select {
	case <-waiting:
		t.Fatal("a third file was opened beyond the limit")
	case <-time.After(20 * time.Millisecond):
	}
	stopped, cancel := context.WithTimeout(ctx, 20*time.Millisecond)
	defer cancel()
	if _, err := s.open(stopped, "shaky://dd/1000"); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("waiting without end: %v", err)
	}
	a.Close()
	c := <-waiting
	// b is still here, and a is gone.
	b.Close()
	open("db/1000").Close()
	if n := shakyFiles.of("db"); n != 1000 {
		t.Errorf("%d bytes were fetched of a copy that was kept", n)
	}
	c.Close()
	open("da/1000").Close()
	if n := shakyFiles.of("da"); n != 2000 {
		t.Errorf("%d bytes were fetched of a copy that had to go", n)
	}
	// One beyond the limit is read all the same, alone.
	open("large/9000").Close()
	if s.bytes != 9000 || len(s.files) != 1 {
		t.Errorf("%d bytes in %d files", s.bytes, len(s.files))
	}
	// A file that changes is fetched anew.
	open("da/1000").Close()
	shakyFiles.lock.Lock()
	shakyFiles.changed["da"] = time.Unix(9, 0)
	shakyFiles.lock.Unlock()
	open("da/1000").Close()
	if n := shakyFiles.of("da"); n != 4000 {
		t.Errorf("%d bytes were fetched of a file that changed", n)
	}
	// So is one that may change without showing it, as it did so just now.
	shakyFiles.lock.Lock()
	shakyFiles.changed["dn"] = time.Now()
	shakyFiles.lock.Unlock()
	open("dn/1000").Close()
	open("dn/1000").Close()
	if n := shakyFiles.of("dn"); n != 2000 {
		t.Errorf("%d bytes were fetched of a file that is new", n)
	}
	if s.bytes > 2500 {
		t.Errorf("%d bytes are kept", s.bytes)
	}
}

func TestAStoreThatIsDownIsNotWaitedForWithoutEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, err := newSpooler(1).open(context.Background(), "shaky://down/5")
		if err == nil || !strings.Contains(err.Error(),
			"the size of shaky://down/5: no answer in 2m0s") {
			t.Errorf("got %v", err)
		}
	})
}

func TestPatienceIsForConnectionsThatGiveNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newSpooler(1 << 30)
		shakyFiles.forgetAfter(t, "slow", "stuck")
		slow, err := s.open(context.Background(), "shaky://slow/900000") // 15 minutes
		if err != nil {
			t.Fatal(err)
		}
		defer slow.Close()
		if _, err := slow.ReadAt(make([]byte, 8), 900000-8); err != nil {
			t.Error(err)
		}
		if sent := shakyFiles.of("slow"); sent != 900000 {
			t.Errorf("%d bytes were fetched", sent)
		}
		stuck, err := s.open(context.Background(), "shaky://stuck/9000")
		if err != nil {
			t.Fatal(err)
		}
		defer stuck.Close()
		began := time.Now()
		if _, err := stuck.ReadAt(make([]byte, 8), 9000-8); err == nil ||
			!strings.Contains(err.Error(), "nothing came in 2m0s") ||
			time.Since(began) > tries*patience+time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestAReaderThatGivesUpIsNotHeldByAConnection(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shakyFiles.forgetAfter(t, "slow")
		in, err := newSpooler(1<<30).open(context.Background(), "shaky://slow/90000")
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		f := in.(*spooledInput).file
		f.have = 50000 // of an earlier connection, to be gone over by the next
		ctx, cancel := context.WithTimeout(context.Background(), 5500*time.Millisecond)
		defer cancel()
		began := time.Now()
		if _, err := f.readAt(ctx, make([]byte, 8), 80000); !errors.Is(err,
			context.DeadlineExceeded) || time.Since(began) > 5500*time.Millisecond {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestTemporaryFilesHaveNoName(t *testing.T) {
	f, err := temporary()
	if err != nil {
		t.Fatal(err)
	}
	defer discard(f)
	if _, err := os.Stat(f.Name()); err == nil {
		t.Skip("this system does not remove files that are open")
	}
	if _, err := f.WriteString("x"); err != nil {
		t.Error(err)
	}
	var p [1]byte
	if _, err := f.ReadAt(p[:], 0); err != nil || !bytes.Equal(p[:], []byte("x")) {
		t.Errorf("%q, %v", p, err)
	}
}
