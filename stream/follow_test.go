package stream

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/kindred-go/kindred/link"
)

// TestFollow: lines count as they are completed, whenever the file comes, each once; bad ones are told with their number.
func TestFollow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		path := filepath.Join(t.TempDir(), "links.csv")
		lines := (&Follower{Path: path}).start(ctx, 0)
		write := func(text string) {
			t.Helper()
			f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString(text); err != nil {
				t.Fatal(err)
			}
		}
		quiet := func() {
			t.Helper()
			time.Sleep(time.Second)
			select {
			case s := <-lines:
				t.Fatalf("%+v came", s)
			default:
			}
		}
		quiet()
		write("a,b,link,p\n12,15,sa")
		quiet()
		write("me,0.9\n\n")
		if s := <-lines; s.err != nil || s.said != (Said{A: "12", B: "15", Kind: link.MustLink, Confidence: .9}) || s.end != int64(len("a,b,link,p\n12,15,same,0.9\n")) {
			t.Errorf("%+v", s)
		}
		quiet()
		write("x,y\n\"x, y\",z,different,\n")
		if s := <-lines; s.err == nil || !strings.Contains(s.err.Error(), path+", line 4") {
			t.Errorf("%+v", s)
		}
		last := <-lines
		if last.err != nil || last.said != (Said{A: "x, y", B: "z", Kind: link.CannotLink}) {
			t.Errorf("%+v", last)
		}
		quiet()
		if err := os.WriteFile(path, []byte("a,b,link\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if s := <-lines; s.err == nil || !strings.Contains(s.err.Error(), "shorter") || s.end != last.end {
			t.Errorf("%+v", s)
		}
		quiet() // it is said once
		cancel()
		synctest.Wait()

		// A run that goes on does not hear again what the one before took.
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		write("a,b,link\n1,2,same\n3,4,same\n")
		again, stop := context.WithCancel(t.Context())
		if s := <-(&Follower{Path: path}).start(again, int64(len("a,b,link\n1,2,same\n"))); s.said.A != "3" {
			t.Errorf("%+v", s)
		}
		stop()
		synctest.Wait()
	})
}

// TestLongLines: a line may be longer than what is read at a time, but not without end.
func TestLongLines(t *testing.T) {
	for _, c := range []struct {
		length int
		ok     bool
	}{{200_000, true}, {3 << 20, false}} {
		path := filepath.Join(t.TempDir(), "links.csv")
		id := strings.Repeat("x", c.length)
		if err := os.WriteFile(path, []byte("a,b,link\n"+id+",2,same\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := <-(&Follower{Path: path, Every: time.Millisecond}).start(ctx, 0)
		if (s.err == nil && s.said.A == id) != c.ok {
			t.Errorf("%d bytes: %v", c.length, s.err)
		}
		cancel()
	}
}
