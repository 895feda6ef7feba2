package studio

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/kindred-go/kindred/fault"
)

// Config is what is served, to whom. The zero value serves one nameless person the projects that
// are opened with [Server.Open] and [Server.Begin], and nothing else.
type Config struct {
	// Root is the folder whose data and projects may be opened by their names in it; nothing
	// outside it can be, not even by a symbolic link. New projects are written there. "": none but
	// those that the program opens.
	Root string

	// Scope is what tokens are good for: servers of one scope have the same token for a person. "":
	// the absolute path of Root.
	Scope string

	// People are the names of those who answer, each with a token; the first may also begin
	// projects and change settings. nil: one nameless person who may do everything. A name has 1 to
	// 64 printed characters.
	People []string

	// Address is where the server listens, as host:port, as [net.Listener] has it. "":
	// [DefaultAddress].
	Address string

	// Hosts are further names that the server is reached by, such as kindred.example.org or
	// lab-pc:5463. Without a port, any port goes.
	Hosts []string

	// MostOpen is how many projects may be open at once; the one unused for longest is closed for
	// another. 0: 16.
	MostOpen int

	// LinkLife is how long a link waits for the person it is for: more than 0, and at most
	// [MostLinkLife]. 0: [DefaultLinkLife].
	LinkLife time.Duration

	// Shared lets others read the files of new projects, as the umask says; else they are for this
	// user alone.
	Shared bool

	// Logger takes what fails as errors and warnings, what begins, ends and changes as info, and
	// what is only read as debug, each request under its name. Neither tokens nor cells of the data
	// are logged. nil: slog.Default().
	Logger *slog.Logger

	Version string // of kindred, for the API; "": unknown
	Page    fs.FS  // files of the page, with index.html; nil: the built-in page
	// what tokens are made from; nil: 32 bytes kept in the user's configuration folder, or new ones
	// where nothing can be kept
	Secret []byte
}

// Server serves projects. Its methods may be used by any number of goroutines.
type Server struct {
	cfg     Config
	log     *slog.Logger
	root    *os.Root // nil: none
	people  []person
	tokens  []string // of people, in their order
	hosts   hostList
	limits  limits
	codes   codes
	streams gate
	exports gate

	connections int           // at once; more wait until one ends
	ping        time.Duration // between signs of life of a silent stream
	header      time.Duration // for the headers of a request to arrive
	patient     time.Duration // with a client that takes no events
	writing     time.Duration // of an answer
	handler     http.Handler

	pause func(ctx context.Context, d time.Duration) // between two events

	// called with the progress of openings and previews in the folder served; may be nil
	progress func(what string, share float64)

	projects  projects
	looks     looks
	beginning sync.Mutex // held while it is decided what a request begins

	stopping context.Context // ends streams and whatever is under way
	stop     context.CancelFunc
}

// New makes a server. It fails with a *fault.Input when the config cannot be: a folder that is
// none, two people of one name, an address without a port.
func New(cfg Config) (*Server, error) {
	cfg.Address = cmp.Or(cfg.Address, DefaultAddress)
	cfg.Version = cmp.Or(cfg.Version, "unknown")
	cfg.MostOpen = cmp.Or(cfg.MostOpen, 16)
	cfg.LinkLife = cmp.Or(cfg.LinkLife, DefaultLinkLife)
	if cfg.LinkLife < 0 || cfg.LinkLife > MostLinkLife {
		return nil, fault.Inputf(fmt.Sprintf("let them last up to %.0fh", MostLinkLife.Hours()),
			"links cannot last for %v", cfg.LinkLife)
	}
	s := &Server{cfg: cfg, log: cfg.Logger, ping: streamPing,
		header: headerTimeout, patient: streamTimeout, pause: pause, writing: writeTimeout}
	s.limits.wrongToken = rate.NewLimiter(wrongRate, wrongBurst)
	s.limits.people = map[string]*rate.Limiter{}
	s.connections = connections(descriptors())
	s.streams = make(gate, min(mostStreams, s.connections*3/4)) // pages ask for more than events
	s.exports = make(gate, mostExports)
	s.projects = projects{byID: map[string]*openProject{}, closed: map[string]glance{},
		listed: newSignal(), feeds: map[string]*feed{}}
	if s.log == nil {
		s.log = slog.Default()
	}
	s.projects.log = s.log
	var err error
	if s.hosts, err = newHostList(cfg.Address, cfg.Hosts); err != nil {
		return nil, err
	}
	if s.people, err = newPeople(cfg.People); err != nil {
		return nil, err
	}
	scope := cfg.Scope
	if cfg.Root != "" {
		absolute, err := filepath.Abs(cfg.Root)
		if err != nil {
			return nil, err
		}
		if s.root, err = os.OpenRoot(absolute); err != nil {
			return nil, fault.Inputf("give a folder that is there and may be read",
				"the folder cannot be opened").In(cfg.Root).Because(err)
		}
		scope = cmp.Or(scope, absolute)
	}
	secret := cfg.Secret
	if secret == nil {
		secret, err = keptSecret()
		if errors.Is(err, errUnkept) {
			s.log.Warn("after the next start everybody needs another link", cause(err))
			secret, err = newSecret(), nil
		}
		if err != nil {
			return nil, err
		}
	}
	for _, p := range s.people {
		s.tokens = append(s.tokens, token(secret, scope, p.name))
	}
	files := cfg.Page
	if files == nil {
		files = pageFiles()
	}
	page, err := readStatic(files)
	if err != nil {
		return nil, fmt.Errorf("reading the page: %w", err)
	}
	s.stopping, s.stop = context.WithCancel(context.Background())
	s.handler = s.routes(page)
	return s, nil
}

// Handler returns the whole of the server: page and API behind all checks.
func (s *Server) Handler() http.Handler { return s.handler }

// Address returns the address of the page and the API: "http://127.0.0.1:5463".
func (s *Server) Address() string { return "http://" + s.hosts.shown() }

// Link returns a link for a person: "http://127.0.0.1:5463/?code=…". It opens the page for them
// once, within [Config.LinkLife], and leaves their token in a cookie of that browser. It is "" for
// somebody who is not among the people.
func (s *Server) Link(person string) string { return s.link(person, s.cfg.LinkLife) }

// Once is [Server.Link] for a browser that is started with the link: it lasts a minute, as others
// may read the arguments of a process.
func (s *Server) Once(person string) string { return s.link(person, codeLife) }

func (s *Server) link(person string, life time.Duration) string {
	token := s.Token(person)
	if token == "" {
		return ""
	}
	return s.Address() + "/?code=" + s.codes.add(token, life, time.Now())
}

// Token returns the token of a person, which programs send with each request; "" for somebody who
// is not among the people.
func (s *Server) Token(person string) string {
	for i, p := range s.people {
		if p.name == person {
			return s.tokens[i]
		}
	}
	return ""
}

// How long a request may take to arrive and connections may idle; answers have their own limits.
const (
	headerTimeout = 5 * time.Second
	readTimeout   = 30 * time.Second
	idleTimeout   = 2 * time.Minute
	stopTimeout   = 400 * time.Millisecond
	headerBytes   = 1 << 20 // browsers send the cookies of all servers of a host to each
)

// Serve answers on l until ctx is done; then it ends streams, waits a moment for requests under
// way, closes all projects and returns nil within a second. The server cannot be used after that.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	server := &http.Server{
		Handler:           s.handler,
		ReadHeaderTimeout: s.header,
		ReadTimeout:       readTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,

		DisableGeneralOptionsHandler: true, // else OPTIONS * would be answered before the guard

		ErrorLog: slog.NewLogLogger(s.log.Handler(), slog.LevelDebug),
	}
	s.log.Info("the server listens", "address", l.Addr().String())
	stopped := make(chan error, 1)
	halt := context.AfterFunc(ctx, func() {
		s.stop()
		short, cancel := context.WithTimeout(context.Background(), stopTimeout)
		defer cancel()
		err := server.Shutdown(short)
		if errors.Is(err, context.DeadlineExceeded) {
			err = server.Close()
		}
		stopped <- err
	})
	err := server.Serve(&fewConnections{Listener: l,
		room: make(chan struct{}, s.connections), stopped: s.stopping.Done()})
	if halt() { // it ended by itself
		s.stop()
		server.Close()
	} else {
		err = <-stopped
	}
	err = errors.Join(err, s.Close())
	if err != nil {
		s.log.Error("the server ended", cause(err))
	} else {
		s.log.Info("the server ended")
	}
	return err
}

// Close ends streams, closes all projects and lets go of the folder. [Server.Serve] does it at its
// end; it is for those who use the [Server.Handler] alone. The server cannot be used after that.
func (s *Server) Close() error {
	s.stop()
	err := s.projects.closeAll()
	if s.root != nil {
		err = errors.Join(err, s.root.Close())
	}
	return err
}
