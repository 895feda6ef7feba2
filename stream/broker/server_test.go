package broker_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/stream/broker"
)

// serve starts a server that ends with the test.
func serve(t testing.TB, cfg broker.ServerConfig) *broker.Server {
	t.Helper()
	if cfg.Store == "" {
		cfg.Store = t.TempDir()
	}
	s, err := broker.Serve(cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// TestServerKeepsWhatItConfirmed: a message is there after the server was closed and started again
// on the same folder.
func TestServerKeepsWhatItConfirmed(t *testing.T) {
	cfg := broker.ServerConfig{Store: t.TempDir(), Listen: "127.0.0.1:0", Token: "sesame"}
	for round := range 2 {
		s, err := broker.Serve(cfg)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := nats.Connect(s.Address(), nats.Timeout(time.Minute)); !errors.Is(err,
			nats.ErrAuthorization) {
			t.Errorf("without a token: %v", err)
		}
		nc, err := nats.Connect(s.Address(), nats.Token("sesame"), nats.Timeout(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		js, err := jetstream.New(nc, jetstream.WithDefaultTimeout(time.Minute))
		if err != nil {
			t.Fatal(err)
		}
		log, err := js.CreateOrUpdateStream(t.Context(),
			jetstream.StreamConfig{Name: "log", Subjects: []string{"log"}})
		if err != nil {
			t.Fatal(err)
		}
		if log.CachedInfo().State.Msgs != uint64(round) {
			t.Errorf("round %d: %d messages are there", round, log.CachedInfo().State.Msgs)
		}
		if _, err := js.Publish(t.Context(), "log", []byte("hello")); err != nil {
			t.Fatal(err)
		}
		nc.Close()
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestStoreInUse: a second server on a folder is refused, and may have it once the first is closed.
func TestStoreInUse(t *testing.T) {
	cfg := broker.ServerConfig{Store: t.TempDir()}
	first := serve(t, cfg)
	if _, err := broker.Serve(cfg); !errors.Is(err, broker.ErrStoreInUse) ||
		!strings.Contains(err.Error(), cfg.Store) {
		t.Fatalf("the second: %v", err)
	}
	if first.Address() != "" {
		t.Errorf("it listens on %s, unasked", first.Address())
	}
	first.Close()
	second, err := broker.Serve(cfg)
	if err != nil {
		t.Fatal(err)
	}
	second.Close()
}

func TestServerRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for want, cfg := range map[string]broker.ServerConfig{
		"no folder":             {},
		"is not a folder":       {Store: file},
		"cannot listen on":      {Store: t.TempDir(), Listen: "nowhere"},
		"other machines could":  {Store: t.TempDir(), Listen: "0.0.0.0:0"},
		"without a token":       {Store: t.TempDir(), Listen: "0.0.0.0:0", Remote: true},
		"out of range":          {Store: t.TempDir(), MaxMessage: 64<<20 + 1},
		"a limit of the broker": {Store: t.TempDir(), SyncEvery: -time.Second},
		"1000 connections may":  {Store: t.TempDir(), MaxConnections: 1000},
		"cannot allow -1":       {Store: t.TempDir(), MaxConnections: -1},
	} {
		_, err := broker.Serve(cfg)
		if !fault.IsInput(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", cfg, err, want)
		}
	}
	taken := serve(t, broker.ServerConfig{Listen: "127.0.0.1:0"})
	if _, err := broker.Serve(broker.ServerConfig{Store: t.TempDir(),
		Listen: strings.TrimPrefix(taken.Address(), "nats://")}); err == nil || fault.IsInput(err) {
		t.Errorf("a port that is taken: %v", err)
	}
}
