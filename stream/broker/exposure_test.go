package broker_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream/broker"
)

// TestATokenIsMade where none is given, also on loopback: others of this machine are let in as
// little as those of others. It stays the same.
func TestATokenIsMade(t *testing.T) {
	cfg := broker.ServerConfig{Store: t.TempDir(), Listen: "127.0.0.1:0"}
	had := ""
	for range 2 {
		s, err := broker.Serve(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if nc, err := nats.Connect(s.Address(), nats.Timeout(time.Minute)); err == nil {
			nc.Close()
			t.Error("anybody is let in")
		}
		if s.TokenFile() != filepath.Join(cfg.Store, "token") {
			t.Errorf("the token is in %q", s.TokenFile())
		}
		token, err := broker.ReadToken(s.TokenFile())
		if err != nil {
			t.Fatal(err)
		}
		if len(token) < 26 || had != "" && token != had {
			t.Errorf("the token is %q, and was %q", token, had)
		}
		had = token
		client, err := broker.Dial(t.Context(), broker.Config{URL: s.Address(), Token: token})
		if err != nil || client == nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if runtime.GOOS == "windows" {
		return
	}
	if err := os.Chmod(filepath.Join(cfg.Store, "token"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := broker.Serve(cfg); !fault.IsInput(err) ||
		!strings.Contains(err.Error(), "others may read") {
		t.Errorf("a token that others may read: %v", err)
	}
}

// raw is a connection that says no more than it is told to.
func raw(t *testing.T, s *broker.Server) net.Conn {
	t.Helper()
	c, err := net.Dial("tcp", strings.TrimPrefix(s.Address(), "nats://"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(2 * time.Minute))
	return c
}

// TestSlowReaders: what waits for clients that read nothing is bounded, and they are the only ones
// who lose.
func TestSlowReaders(t *testing.T) {
	if testing.Short() {
		t.Skip("it sends a gigabyte")
	}
	const readers, messages, size = 50, 320, 64 << 10 // a reader is sent 20 MiB
	s := serve(t, broker.ServerConfig{Listen: "127.0.0.1:0", MaxMessage: size})
	for range readers {
		c := raw(t, s)
		c.(*net.TCPConn).SetReadBuffer(4 << 10)
		fmt.Fprintf(c, "CONNECT {\"auth_token\":%q,\"verbose\":false}\r\nSUB flood 1\r\nPING\r\n",
			s.Token())
		for in := bufio.NewReaderSize(c, 16); ; {
			line, err := in.ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(line, "PONG") {
				break
			}
		}
	}
	nc, err := nats.Connect(s.Address(), nats.Token(s.Token()), nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	data, most := make([]byte, size), uint64(0)
	for i := range messages {
		if err := nc.Publish("flood", data); err != nil {
			t.Fatal(err)
		}
		if i%16 == 0 {
			if err := nc.FlushTimeout(time.Minute); err != nil {
				t.Fatal(err)
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
			most = max(most, after.HeapAlloc-min(after.HeapAlloc, before.HeapAlloc))
		}
	}
	t.Logf("%d MiB at most", most>>20)
	if most > 200<<20 {
		t.Errorf("%d MiB wait for %d readers that read nothing", most>>20, readers)
	}
}

// TestConnectionsAreBounded, and one that does not say who it is ends by itself.
func TestConnectionsAreBounded(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for a limit of seconds")
	}
	s := serve(t, broker.ServerConfig{Listen: "127.0.0.1:0", MaxConnections: 3})
	// The broker greets a connection before it counts it, so any of the four can be refused.
	var silent []net.Conn
	for range 4 {
		silent = append(silent, raw(t, s))
	}
	refused, ended := 0, 0
	for _, c := range silent {
		said, err := io.ReadAll(c)
		switch {
		case err == nil && strings.Contains(string(said), "maximum connections exceeded"):
			refused++
		case err == nil && strings.Contains(string(said), "Authentication Timeout"):
			ended++
		default:
			t.Errorf("a silent connection is told %q, %v", said, err)
		}
	}
	if refused != 1 || ended != 3 {
		t.Errorf("%d of four connections refused and %d ended, want 1 and 3", refused, ended)
	}
	nc, err := nats.Connect(s.Address(), nats.Token(s.Token()), nats.Timeout(time.Minute))
	if err != nil {
		t.Fatal(err)
	}
	nc.Close()
}

func TestReadToken(t *testing.T) {
	for _, c := range []struct {
		text string
		mode os.FileMode
		want string // of the error; "": none
	}{
		{" sesame \n", 0o600, ""},
		{"sesame", 0o400, ""},
		{"", 0o600, "holds no token"},
		{"two words", 0o600, "holds no token"},
		{"sesame" + strings.Repeat(" ", 4096-6), 0o600, ""},
		{"sesame" + strings.Repeat(" ", 4096-5), 0o600, "give one of up to 4096"},
		{"sesame", 0o640, "others may read or change"},
		{"sesame", 0o604, "others may read or change"},
		{"sesame", 0o620, "others may read or change"},
	} {
		if runtime.GOOS == "windows" && c.mode&0o077 != 0 {
			continue
		}
		path := filepath.Join(t.TempDir(), "token")
		if err := os.WriteFile(path, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(path, c.mode); err != nil {
			t.Fatal(err)
		}
		token, err := broker.ReadToken(path)
		if c.want == "" && (err != nil || token != "sesame") {
			t.Errorf("%q with %o is %q, %v", c.text, c.mode, token, err)
		}
		if c.want != "" && (!fault.IsInput(err) || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%q with %o is %q, %v, want %q", c.text, c.mode, token, err, c.want)
		}
	}
	if runtime.GOOS != "windows" {
		creds := filepath.Join(t.TempDir(), "ann.creds")
		if err := os.WriteFile(creds, []byte("sesame"), 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := broker.Dial(t.Context(), broker.Config{URL: "127.0.0.1:1", Credentials: creds,
			Timeout: time.Millisecond})
		if !fault.IsInput(err) || !strings.Contains(err.Error(), "the broker's credentials") {
			t.Errorf("credentials that others may read: %v", err)
		}
	}
	if _, err := broker.ReadToken(filepath.Join(t.TempDir(), "none")); !fault.IsInput(err) {
		t.Errorf("a file that is not there: %v", err)
	}
}
