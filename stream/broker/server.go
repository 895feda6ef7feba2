package broker

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"

	"github.com/kindred-go/kindred/fault"
	"github.com/kindred-go/kindred/internal/filelock"
)

// DefaultListen is the default address of a server.
const DefaultListen = "127.0.0.1:4222"

// ServerConfig reports how [Serve] serves.
type ServerConfig struct {
	Store string // folder of the files; made when it is not there. Needed
	// host:port of this machine; port 0: any that is free; "": none, for this process alone
	Listen string
	// Listen may be an address that other machines reach: then a token is needed
	Remote bool
	// what clients must show; "": one that is made and kept in the file token of Store, for its
	// owner alone, where Listen is an address that only this machine reaches
	Token      string
	MaxStore   int64 // bytes on disk at most; 0: three quarters of what is free
	MaxMessage int   // bytes of a message at most; 0: 8 MiB; 64 MiB at most
	// connections at most; 0: 64, or what 1 GiB of memory for messages that wait for readers allows
	MaxConnections int
	SyncEvery      time.Duration // how often files are synchronised; 0: every 2 s
	// synchronise after each message instead: slow, and a power cut loses nothing
	SyncAlways bool
	Warn       func(string) // takes the server's warnings, from any goroutine; nil: not called
}

// The messages a power cut may lose were confirmed within the last SyncEvery. A killed process
// loses none: what is confirmed has been handed to the operating system.
const (
	defaultSync    = 2 * time.Second
	mostMemory     = 64 << 20 // bytes of streams held in memory; streams made here are on disk
	defaultMessage = 8 << 20
	mostMessage    = 64 << 20
	startWait      = 30 * time.Second

	// What waits for a client that reads slowly: beyond that its connection is closed. It takes two
	// messages, which is what ours ask for at a time, and what goes with them.
	pendingSlack       = 1 << 20
	mostPending        = 1 << 30 // bytes of all connections together
	defaultConnections = 64
	authWait           = 5 * time.Second // for a client to say who it is
)

// ErrStoreInUse reports that another process uses the folder.
var ErrStoreInUse = errors.New("the store is in use by another process")

// Server is a JetStream server in this process.
type Server struct {
	nats      *server.Server
	lock      *os.File
	token     string
	tokenFile string
}

// Serve starts a server with JetStream on the files in cfg.Store. Mistakes in cfg are a
// [*fault.Input]; a folder that another process has is [ErrStoreInUse].
func Serve(cfg ServerConfig) (*Server, error) {
	opts, err := cfg.options()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(cfg.Store, 0o700); err != nil {
		return nil, err
	}
	lock, err := lockFolder(cfg.Store)
	if err != nil {
		return nil, err
	}
	kept := ""
	if !opts.DontListen && cfg.Token == "" {
		if cfg.Token, kept, err = keptToken(cfg.Store); err != nil {
			lock.Close()
			return nil, err
		}
		opts.Authorization = cfg.Token
	}
	if !opts.DontListen {
		// The server ends the process where its port is taken, so that is found first.
		l, err := net.Listen("tcp", cfg.Listen)
		if err != nil {
			lock.Close()
			return nil, fmt.Errorf("cannot listen on %s: %w", cfg.Listen, err)
		}
		at := l.Addr().(*net.TCPAddr)
		l.Close()
		opts.Host, opts.Port = at.IP.String(), at.Port
		// this one may be taken by the time
		if asked, err := net.ResolveTCPAddr("tcp", cfg.Listen); err == nil && asked.Port == 0 {
			opts.Port = server.RANDOM_PORT
		}
	}
	s, err := server.NewServer(opts)
	if err != nil {
		lock.Close()
		return nil, err
	}
	talk := &serverLog{warn: cfg.Warn}
	s.SetLoggerV2(talk, false, false, false)
	s.Start()
	if !s.ReadyForConnections(startWait) || !s.JetStreamEnabled() {
		s.Shutdown()
		s.WaitForShutdown()
		lock.Close()
		return nil, fmt.Errorf("the broker does not start on %s: %s", cfg.Store, talk.why())
	}
	return &Server{nats: s, lock: lock, token: cfg.Token, tokenFile: kept}, nil
}

// options checks cfg and turns it into the server's own.
func (cfg ServerConfig) options() (*server.Options, error) {
	if cfg.Store == "" {
		return nil, fault.Inputf("name one (--store)",
			"the broker has no folder to keep its files in")
	}
	if info, err := os.Stat(cfg.Store); err == nil && !info.IsDir() {
		return nil, fault.Inputf("name a folder for the broker's files",
			"is not a folder").In(cfg.Store)
	}
	if cfg.MaxMessage < 0 || cfg.MaxMessage > mostMessage {
		return nil, fault.Inputf("give up to 64 MiB",
			"a message of at most %d bytes is out of range", cfg.MaxMessage)
	}
	if cfg.MaxStore < 0 || cfg.SyncEvery < 0 {
		return nil, fault.Inputf("give 0 for its default, or more",
			"a limit of the broker is negative")
	}
	if cfg.MaxConnections < 0 {
		return nil, fault.Inputf("give 0 for its default, or more",
			"the broker cannot allow %d connections", cfg.MaxConnections)
	}
	message := cmp.Or(cfg.MaxMessage, defaultMessage)
	pending := 2*message + pendingSlack
	most := mostPending / pending
	if cfg.MaxConnections > most {
		return nil, fault.Inputf(fmt.Sprintf("allow up to %d, or smaller messages", most),
			"%d connections may hold more than 1 GiB of messages of up to %d bytes",
			cfg.MaxConnections, message)
	}
	opts := &server.Options{
		ServerName: "kindred", DontListen: cfg.Listen == "", NoSigs: true, JetStream: true,
		StoreDir:          cfg.Store,
		JetStreamMaxStore: cfg.MaxStore, JetStreamMaxMemory: mostMemory,
		DisableJetStreamBanner: true,
		MaxPayload:             int32(message),
		MaxPending:             int64(pending),
		MaxConn:                cmp.Or(cfg.MaxConnections, min(most, defaultConnections)),
		AuthTimeout:            authWait.Seconds(),
		Authorization:          cfg.Token,
		SyncInterval:           cmp.Or(cfg.SyncEvery, defaultSync), SyncAlways: cfg.SyncAlways,
	}
	if opts.DontListen {
		return opts, nil
	}
	at, err := net.ResolveTCPAddr("tcp", cfg.Listen)
	if err != nil {
		return nil, fault.Inputf("give host:port, as "+DefaultListen,
			"the broker cannot listen on %q", cfg.Listen).Because(err)
	}
	if !at.IP.IsLoopback() {
		switch {
		case !cfg.Remote:
			return nil, fault.Inputf("allow it (--allow-remote), or listen on "+DefaultListen,
				"other machines could reach %s", cfg.Listen)
		case cfg.Token == "":
			return nil, fault.Inputf("give one (--token-file)",
				"other machines could reach %s without a token", cfg.Listen)
		}
	}
	return opts, nil
}

// Address returns the address for clients, without the token; "" where the server does not listen.
func (s *Server) Address() string {
	at, ok := s.nats.Addr().(*net.TCPAddr)
	if !ok {
		return ""
	}
	return "nats://" + at.String()
}

// TokenFile returns the file with the token that the server made; "" where it made none.
func (s *Server) TokenFile() string { return s.tokenFile }

// Close writes all there is to disk and ends the server.
func (s *Server) Close() error {
	s.nats.Shutdown()
	s.nats.WaitForShutdown()
	return s.lock.Close()
}

// lockFolder makes this process the only one to use the folder.
func lockFolder(folder string) (*os.File, error) {
	f, err := os.OpenFile(filepath.Join(folder, "kindred.lock"), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}
	if err := filelock.Lock(f); err != nil {
		f.Close()
		return nil, fmt.Errorf("%s: %w; end that one, or connect to it by its address", folder,
			ErrStoreInUse)
	}
	return f, nil
}

// serverLog takes what the server logs. Warnings and errors go on; the last error explains why a
// server does not start.
type serverLog struct {
	warn func(string)
	mu   sync.Mutex
	last string
}

func (t *serverLog) Noticef(string, ...any) {}
func (t *serverLog) Debugf(string, ...any)  {}
func (t *serverLog) Tracef(string, ...any)  {}

func (t *serverLog) Warnf(format string, args ...any) {
	if t.warn != nil {
		t.warn(clause(format, args))
	}
}

func (t *serverLog) Errorf(format string, args ...any) {
	t.mu.Lock()
	t.last = clause(format, args)
	t.mu.Unlock()
	t.Warnf(format, args...)
}

func (t *serverLog) Fatalf(format string, args ...any) { t.Errorf(format, args...) }

// why returns the last error.
func (t *serverLog) why() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.last == "" {
		return "for an unknown reason"
	}
	return t.last
}

// clause makes a line of a log one clause.
func clause(format string, args []any) string {
	return strings.TrimRight(strings.Join(strings.Fields(fmt.Sprintf(format, args...)), " "), ".")
}
