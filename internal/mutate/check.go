package mutate

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// Format is a format that is read.
type Format struct {
	Name    string
	Ending  string   // of the name of a file, as in ".csv"
	Samples [][]byte // valid files
	// Read reads a file and returns what it holds, or a digest of it.
	Read func(ctx context.Context, path string) (content string, err error)
	// Stated is how many bytes a file may state that it becomes, as the header of a picture does, and
	// that are then allocated; 0: none.
	Stated uint64
	// Seal, if not nil, sets a check sum of a damaged file right, so that what lies behind it is
	// tested, too.
	Seal func(damaged []byte) []byte
	// Sealed reports that a check sum covers the whole file: a flipped bit must be seen, or change
	// nothing.
	Sealed bool
}

// hang is how long a file may be read before it counts as never ending.
const hang = 60 * time.Second

// margin is what reading may allocate beyond 1.3 times what the valid samples take: buffers that do
// not depend on the file, and the message of an error.
const margin = 32 << 20

// Counts is what came of damaged files.
type Counts struct {
	Files    int
	Refused  int    // with a [*fault.Input]
	Read     int    // as valid, which most formats without check sums allow
	Same     int    // of these, with the content of the sample
	MostHeap uint64 // bytes that reading one of them allocated
}

// Add adds the counts of other files.
func (c *Counts) Add(o Counts) {
	c.Files += o.Files
	c.Refused += o.Refused
	c.Read += o.Read
	c.Same += o.Same
	c.MostHeap = max(c.MostHeap, o.MostHeap)
}

// Check reads n damaged files, drawn from seed. A panic, an end that does not come, more memory
// than is fit, and an error that is no [*fault.Input] fail the test, and the file stays for a look
// at it. A file is written before it is read, so that it is there, too, when the program dies.
func (f *Format) Check(t testing.TB, folder string, seed uint64, n int) Counts {
	t.Helper()
	path := filepath.Join(folder, "damaged"+f.Ending)
	contents := make([]string, len(f.Samples))
	heap, longest := uint64(0), 1
	for i, s := range f.Samples {
		r := f.read(t, path, s)
		if r.err != nil {
			t.Fatalf("%s: sample %d: %v", f.Name, i, r.err)
		}
		contents[i] = r.content
		heap, longest = max(heap, r.heap), max(longest, len(s))
	}
	name := fnv.New64()
	name.Write([]byte(f.Name))
	var c Counts
	for i := range n {
		rng := rand.New(rand.NewPCG(seed, name.Sum64()+uint64(i)))
		from := rng.IntN(len(f.Samples))
		file, other := f.Samples[from], f.Samples[rng.IntN(len(f.Samples))]
		var damaged []byte
		bit := f.Sealed && i%2 == 0
		switch {
		case bit:
			damaged = flip(rng, append([]byte(nil), file...), nil)
		case rng.IntN(2) == 0:
			damaged = Within(rng, file, other)
		default:
			damaged = Damage(rng, file, other)
		}
		if f.Seal != nil && !bit && rng.IntN(4) > 0 {
			damaged = f.Seal(damaged)
		}
		r := f.read(t, path, damaged)
		c.Files++
		c.MostHeap = max(c.MostHeap, r.heap)
		wrong := ""
		switch {
		case r.panicked != "":
			wrong = "panics: " + r.panicked
		case r.err != nil && !fault.IsInput(r.err):
			wrong = "fails with an error that names no fix: " + r.err.Error()
		case r.err != nil:
			c.Refused++
		default:
			if c.Read++; r.content == contents[from] {
				c.Same++
			} else if bit {
				wrong = "a flipped bit is not seen"
			}
		}
		fit := heap + heap/10*3
		fit = uint64(float64(fit)*max(1, float64(len(damaged))/float64(longest))) + margin +
			f.Stated
		if r.heap > fit {
			wrong = fmt.Sprintf("allocates %d bytes, and %d are fit (%v)", r.heap, fit, r.err)
		}
		if wrong != "" {
			t.Errorf("%s, file %d of seed %d, kept as %s: %s", f.Name, i, seed,
				keep(path, f.Name, i), wrong)
		}
	}
	return c
}

// One reads one file, which may be anything, and fails the test where reading it panics, does not
// end, or fails with an error that is no [*fault.Input].
func (f *Format) One(t testing.TB, folder string, file []byte) Counts {
	t.Helper()
	path := filepath.Join(folder, "damaged"+f.Ending)
	r := f.read(t, path, file)
	c := Counts{Files: 1, MostHeap: r.heap}
	switch {
	case r.panicked != "":
		t.Errorf("%s panics: %s", keep(path, f.Name, 0), r.panicked)
	case r.err == nil:
		c.Read++
	case !fault.IsInput(r.err):
		t.Errorf("%s fails with an error that names no fix: %v", keep(path, f.Name, 0), r.err)
	default:
		c.Refused++
	}
	return c
}

// keep copies a file to where it outlasts the test.
func keep(path, name string, i int) string {
	folder := filepath.Join(os.TempDir(), "kindred-damaged")
	to := filepath.Join(folder, fmt.Sprintf("%s-%d%s", strings.ReplaceAll(name, " ", "-"), i,
		filepath.Ext(path)))
	b, err := os.ReadFile(path)
	if err == nil {
		err = os.MkdirAll(folder, 0o700)
	}
	if err == nil {
		err = os.WriteFile(to, b, 0o600)
	}
	if err != nil {
		return err.Error()
	}
	return to
}

type result struct {
	content  string
	err      error
	panicked string
	heap     uint64 // bytes allocated
}

// read writes a file, and reads it under a watch.
func (f *Format) read(t testing.TB, path string, file []byte) result {
	t.Helper()
	if err := os.WriteFile(path, file, 0o600); err != nil {
		t.Fatal(err)
	}
	done := make(chan result, 1)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	go func() {
		var r result
		defer func() {
			if p := recover(); p != nil {
				stack := make([]byte, 8<<10)
				r.panicked = fmt.Sprintf("%v\n%s", p, stack[:runtime.Stack(stack, false)])
			}
			done <- r
		}()
		r.content, r.err = f.Read(context.Background(), path)
	}()
	select {
	case r := <-done:
		runtime.ReadMemStats(&after)
		r.heap = after.TotalAlloc - before.TotalAlloc
		return r
	case <-time.After(hang):
		t.Fatalf("%s: %s is read for more than %v", f.Name, keep(path, f.Name, 0), hang)
		return result{}
	}
}
