package broker_test

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/freeport"
	"github.com/kindred-go/kindred/stream/broker"
)

// reports is what a client reports.
type reports struct {
	mu    sync.Mutex
	lines []string
}

func (t *reports) say(line string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.lines = append(t.lines, line)
}

func (t *reports) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return strings.Join(t.lines, "\n")
}

// waitFor waits until something has been said.
func (t *reports) waitFor(test testing.TB, what string) {
	test.Helper()
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(10 *
		time.Millisecond) {
		if strings.Contains(t.String(), what) {
			return
		}
	}
	test.Fatalf("%q was not said, but %q", what, t)
}

func TestDialReportsWhatIsWrong(t *testing.T) {
	s := serve(t, broker.ServerConfig{Listen: "127.0.0.1:0", Token: "sesame"})
	for want, cfg := range map[string]broker.Config{
		"does not let us in":   {URL: s.Address(), Token: "wrong"},
		"the broker's address": {URL: "http://user:secret@there"},
		"address is none":      {URL: "nats://user:sec%ret@there:1"},
		"credentials cannot": {URL: s.Address(),
			Credentials: filepath.Join(t.TempDir(), "none.creds")},
	} {
		_, err := broker.Dial(t.Context(), cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", cfg, err, want)
		}
		if err != nil && strings.Contains(err.Error(), "sec") {
			t.Errorf("a password is shown: %v", err)
		}
	}
	for _, cfg := range []broker.Config{
		{URL: s.Address(), Token: "sesame"},
		{URL: strings.Replace(s.Address(), "://", "://sesame@", 1)},
		{Server: s},
		{Server: s, URL: "embedded:store"},
	} {
		if _, err := broker.Dial(t.Context(), cfg); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestDialWaits: a broker that is away is waited for until it comes, until the time given is over,
// or until the context ends.
func TestDialWaits(t *testing.T) {
	at := freeport.Address(t)
	var reported reports
	_, err := broker.Dial(t.Context(),
		broker.Config{URL: "nats://user:secret@" + at, Timeout: 100 * time.Millisecond,
			Say: reported.say})
	if err == nil || !strings.Contains(err.Error(), "has been away") ||
		strings.Contains(err.Error()+reported.String(), "secret") {
		t.Errorf("in vain: %v, reporting %q", err, &reported)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := broker.Dial(ctx, broker.Config{URL: at}); !errors.Is(err,
		context.DeadlineExceeded) {
		t.Errorf("until the context ends: %v", err)
	}
	reported = reports{}
	dialled := make(chan error)
	go func() {
		_, err := broker.Dial(t.Context(), broker.Config{URL: at, Token: "sesame", Say: reported.say})
		dialled <- err
	}()
	reported.waitFor(t, "is away")
	serve(t, broker.ServerConfig{Listen: at, Token: "sesame"})
	if err := <-dialled; err != nil {
		t.Fatal(err)
	}
	if got := reported.String(); strings.Count(got, "is away") != 1 ||
		strings.Count(got, "is back") != 1 {
		t.Errorf("got %q", got)
	}
}
