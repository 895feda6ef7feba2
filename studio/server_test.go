package studio

import (
	"bytes"
	"errors"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// The token of a person is the same for one secret, scope and name, and another for any other.
func TestTokens(t *testing.T) {
	all := map[string]string{}
	for _, secret := range []string{"one", "two"} {
		for _, scope := range []string{"", "/a", "/b", "/a\x00ann"} {
			for _, name := range []string{"", "ann", "bob", "\x00ann"} {
				is := secret + "|" + scope + "|" + name
				got := token([]byte(secret), scope, name)
				if other, ok := all[got]; ok || len(got) != 32 {
					t.Errorf("%q and %q have the token %q", is, other, got)
				}
				all[got] = is
				if again := token([]byte(secret), scope, name); again != got {
					t.Errorf("%q has the tokens %q and %q", is, got, again)
				}
			}
		}
	}
}

// The secret is made once, by whichever process is first, and only its owner may read it.
func TestSecret(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "kindred")
	secrets := make([][]byte, 8)
	var all sync.WaitGroup
	for i := range secrets {
		all.Go(func() {
			var err error
			if secrets[i], err = secretIn(folder, 12_000); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for _, s := range secrets {
		if len(s) != secretBytes || !bytes.Equal(s, secrets[0]) {
			t.Fatalf("the secrets differ: %x, %x", s, secrets[0])
		}
	}
	path := filepath.Join(folder, "secret")
	if runtime.GOOS != "windows" {
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := secretIn(folder, secretTries); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("others may read it: %v, %v", info.Mode(), err)
		}
	}
	if err := os.WriteFile(path, []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	var in *fault.Input
	if _, err := secretIn(folder, secretTries); !errors.As(err, &in) || in.Fix == "" {
		t.Errorf("a damaged secret gives %v", err)
	}
	if _, err := secretIn(path, secretTries); !errors.Is(err, errUnkept) { // a folder that is a file
		t.Errorf("a secret in a file that is no folder: %v", err)
	}
}

// A config that cannot be is refused with the fix.
func TestConfig(t *testing.T) {
	for what, cfg := range map[string]Config{
		"a folder that is not there": {Root: filepath.Join(t.TempDir(), "none")},
		"two of one name":            {People: []string{"ann", "ann"}},
		"an empty name":              {People: []string{""}},
		"a name with blanks":         {People: []string{" ann"}},
		"a name of control letters":  {People: []string{"a\x1b[2Jnn"}},
		"a long name":                {People: []string{strings.Repeat("a", 65)}},
		"an address without a port":  {Address: "127.0.0.1"},
		"a host that is a URL":       {Hosts: []string{"http://x"}},
		"a host with a path":         {Hosts: []string{"x/y"}},
		"an empty host":              {Hosts: []string{""}},
		"a host without its port":    {Hosts: []string{"x:"}},
		"a pattern of hosts":         {Hosts: []string{"*.example.org"}},
		"an address without []":      {Hosts: []string{"2001:db8::1"}},
	} {
		cfg.Secret = []byte("x")
		var in *fault.Input
		if _, err := New(cfg); !errors.As(err, &in) || in.Problem == "" || in.Fix == "" {
			t.Errorf("%s: %v", what, err)
		}
	}
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	t.Setenv("AppData", t.TempDir())
	one, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	two, err := New(Config{})
	if err != nil {
		t.Fatal(err)
	}
	if a := one.Token(""); a != two.Token("") || len(a) != 32 ||
		!strings.HasPrefix(one.Link(""), "http://127.0.0.1:5463/?code=") {
		t.Errorf("the tokens are %q and %q, the link is %q", a, two.Token(""), one.Link(""))
	}
	if kept, err := Token("", ""); err != nil || kept != one.Token("") {
		t.Errorf("programs have the token %q, %v", kept, err)
	}
	for _, life := range []time.Duration{-1, MostLinkLife + 1} {
		if _, err := New(Config{LinkLife: life}); !fault.IsInput(err) {
			t.Errorf("links that last for %v: %v", life, err)
		}
	}
	// which it may not be, so that there is nowhere to keep a secret
	t.Setenv("XDG_CONFIG_HOME", "relative")
	t.Setenv("HOME", "")
	if runtime.GOOS == "linux" {
		lost, err := New(Config{})
		if err != nil || lost.Token("") == one.Token("") {
			t.Errorf("without a home: %v", err)
		}
		if _, err := Token("", ""); !fault.IsInput(err) {
			t.Errorf("a token for programs without a home: %v", err)
		}
	}
	three, err := New(Config{Scope: "other", Secret: []byte("x")})
	if err != nil || three.Token("") == one.Token("") {
		t.Errorf("another scope has the same token, %v", err)
	}
}

// The link that is printed leads to where others reach the server.
func TestShownAddress(t *testing.T) {
	for _, c := range []struct {
		address string
		hosts   []string
		want    string // "": any address of this machine
	}{
		{"127.0.0.1:1234", nil, "127.0.0.1:1234"},
		{"[::1]:1234", nil, "[::1]:1234"},
		{"192.0.2.7:1234", nil, "192.0.2.7:1234"},
		{"192.0.2.7:1234", []string{"lab-pc"}, "192.0.2.7:1234"},
		{"0.0.0.0:1234", []string{"lab-pc"}, "lab-pc:1234"},
		{"[::]:1234", []string{"lab-pc:80", "other"}, "lab-pc:80"},
		{"127.0.0.1:1234", []string{"kindred.example.org:443"}, "kindred.example.org:443"},
		{"127.0.0.1:1234", []string{"[2001:db8::1]"}, "[2001:db8::1]:1234"},
		{"127.0.0.1:1234", []string{"[2001:db8::1]:80"}, "[2001:db8::1]:80"},
		{":1234", nil, ""},
	} {
		list, err := newHostList(c.address, c.hosts)
		if err != nil {
			t.Fatal(err)
		}
		got := list.shown()
		if c.want == "" {
			host, port, err := net.SplitHostPort(got)
			if err != nil || port != "1234" || net.ParseIP(host) == nil ||
				net.ParseIP(host).IsUnspecified() {
				t.Errorf("%s is shown as %q", c.address, got)
			}
			continue
		}
		if got != c.want {
			t.Errorf("%s with %v is shown as %q, want %q", c.address, c.hosts, got, c.want)
		}
		if _, err := url.Parse("http://" + got); err != nil {
			t.Error(err)
		}
	}
}

// Other machines can listen in only when that is meant; a port in use is said, and may be told from
// other faults.
func TestListen(t *testing.T) {
	for _, address := range []string{"0.0.0.0:0", ":0", "[::]:0", "192.0.2.7:0", "example.org:0",
		"localhost.example.org:0"} {
		l, _, err := Listen(address, false)
		var in *fault.Input
		if !errors.As(err, &in) || in.Fix == "" {
			t.Errorf("%s: %v", address, err)
		}
		if l != nil {
			l.Close()
		}
	}
	for _, address := range []string{"127.0.0.1", "127.0.0.1:", "127.0.0.1:port", "127.0.0.1:70000",
		"127.0.0.1:-1", "127.0.0.1:80", "192.0.2.7:0"} {
		l, _, err := Listen(address, address == "192.0.2.7:0")
		if !fault.IsInput(err) {
			t.Errorf("%s: %v", address, err)
		}
		if l != nil {
			l.Close()
		}
	}
	for _, address := range []string{"127.0.0.1:0", "localhost:0"} {
		l, warning, err := Listen(address, false)
		if err != nil || warning != "" {
			t.Fatalf("%s: %q, %v", address, warning, err)
		}
		defer l.Close()
		if !strings.HasPrefix(l.Addr().String(), "127.0.0.1:") {
			t.Errorf("%s became %s", address, l.Addr())
		}
		var in *fault.Input
		if _, _, err := Listen(l.Addr().String(), false); !errors.Is(err, ErrPortInUse) ||
			!errors.As(err, &in) || !strings.Contains(in.Fix, "another port") {
			t.Errorf("a port in use gives %v", err)
		}
	}
	l, warning, err := Listen("0.0.0.0:0", true)
	if err != nil || !strings.Contains(warning, "Other machines") {
		t.Fatalf("%q, %v", warning, err)
	}
	l.Close()
}

// The page's files come with their types, compressed for those who take it, and once only while
// they stay the same.
func TestPage(t *testing.T) {
	script := []byte("// a page\n" + strings.Repeat("console.log('kindred');\n", 100))
	x := open(t, Config{Page: fstest.MapFS{
		"index.html": {Data: []byte("<!doctype html><title>kindred</title>")},
		"app.js":     {Data: script}, "deep/logo.svg": {Data: []byte("<svg/>")},
		"odd.thing": {Data: []byte("?")},
	}})
	for path, kind := range map[string]string{"/": "text/html; charset=utf-8",
		"/index.html": "text/html; charset=utf-8", "/app.js": "text/javascript; charset=utf-8",
		"/deep/logo.svg": "image/svg+xml", "/odd.thing": "application/octet-stream"} {
		r := x.get(path).wants(200)
		if r.header.Get("Content-Type") != kind || r.header.Get("ETag") == "" {
			t.Errorf("%s: %v", path, r.header)
		}
		x.get(path, "If-None-Match: "+r.header.Get("ETag")).wants(304)
	}
	if r := x.get("/app.js").wants(200); !bytes.Equal(r.body, script) { // the client unpacks it
		t.Errorf("the script came as %.50q", r.body)
	}
	r := x.get("/app.js", "Accept-Encoding: gzip")
	if r.header.Get("Content-Encoding") != "gzip" || len(r.body) >= len(script)/2 {
		t.Errorf("compressed it has %d of %d bytes", len(r.body), len(script))
	}
	for _, path := range []string{"/deep", "/deep/", "/../server.go", "/%2e%2e/server.go",
		"/app.js/", "/.git"} {
		if r := x.get(path); r.status == 200 {
			t.Errorf("%s gives %.50q", path, r.body)
		}
	}
	// The built-in page is there, and small.
	weight := 0
	all, err := readStatic(pageFiles())
	if err != nil {
		t.Fatal(err)
	}
	built, err := readStatic(os.DirFS("page/dist"))
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(all, built) {
		t.Error("page/dist.zip is not what page/dist has: run make page")
	}
	for path, f := range all {
		if path != "/" {
			if weight += len(f.plain); f.zipped != nil {
				weight += len(f.zipped) - len(f.plain)
			}
		}
	}
	if weight > 300_000 || weight == 0 {
		t.Errorf("the page weighs %d bytes", weight)
	}
}
