package crash

import (
	"fmt"
	"strings"
	"testing"
)

// A descriptor is given to another file while strace still waits for the end of its close.
func TestCallsThatAreInterrupted(t *testing.T) {
	p := parser{t: t, dir: "/d", folder: "/d", files: make(map[int]bool),
		begun: make(map[string]string), said: make(map[string]int)}
	for _, line := range []string{
		`1 openat(AT_FDCWD</d>, "\x61", O_RDWR|O_CREAT, 0600) = 5</d/a>`,
		`1 close(5</d/a> <unfinished ...>`,
		`2 openat(AT_FDCWD</d>, "\x62", O_RDWR|O_CREAT, 0600) = 5</d/b>`,
		`2 write(5</d/b>, "\x78", 1) = 1`,
		`3 write(1</dev/pts/1>, "\x79", 1 <unfinished ...>`,
		`1 <... close resumed>) = 0`,
		`2 fsync(5</d/b> <unfinished ...>`,
		`1 rename("\x61", "\x63") = 0`,
		`2 <... fsync resumed>) = 0`,
		`3 <... write resumed>) = 1`,
		`2 fsync(5</d/b>) = -1 EIO (Input/output error)`,
		`1 +++ exited with 0 +++`,
	} {
		p.line(line)
	}
	var got []string
	for _, o := range p.ops {
		if o.Kind != "" {
			got = append(got, strings.TrimSpace(fmt.Sprint(o.Kind, " ", o.Path, o.To)))
		}
	}
	want := "open a, close, open b, write, say, begin, rename ac, sync"
	if text := strings.Join(got, ", "); text != want {
		t.Errorf("the operations are %s, want %s", text, want)
	}
}
