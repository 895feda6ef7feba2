package studio

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"
)

// How streams of events go.
const (
	mostStreams   = 4000                  // of all people together
	streamPing    = 15 * time.Second      // after which a silent stream sends a sign of life
	streamGap     = 50 * time.Millisecond // between two events; what happens within comes as one
	streamTimeout = 10 * time.Second      // for a client to take an event
	// milliseconds until a browser that lost the stream comes again
	streamRetry = "retry: 1000\n\n"
)

// feed makes the events of one kind once, for all who listen: what a person sees of a project, or
// the list of projects. The newest event replaces those before that were not taken yet.
type feed struct {
	mu    sync.Mutex
	last  []byte // the newest event as it is sent
	count int    // of events
	fresh *signal

	listeners int // guarded by the owner of the feed
	cancel    context.CancelFunc
}

func newFeed() *feed { return &feed{fresh: newSignal()} }

// publish makes v the newest event, unless it is the same as the last. It fails for what JSON has
// no word for.
func (f *feed) publish(name string, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Errorf("the event %s: %w", name, err)
	}
	var b bytes.Buffer
	b.Grow(len(name) + len(data) + 16)
	b.WriteString("event: " + name + "\ndata: ")
	b.Write(data) // one line: JSON has no line breaks
	b.WriteString("\n\n")
	f.mu.Lock()
	same := bytes.Equal(f.last, b.Bytes())
	if !same {
		f.last = b.Bytes()
		f.count++
	}
	f.mu.Unlock()
	if !same {
		f.fresh.fire()
	}
	return nil
}

// newest returns the newest event and its number.
func (f *feed) newest() ([]byte, int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.last, f.count
}

// listen sends the events of a feed to a client until it goes or the server stops.
func (s *Server) listen(w http.ResponseWriter, r *http.Request, f *feed) {
	control := http.NewResponseController(w)
	send := func(event []byte) bool {
		// A client that is gone without a word must not hold memory for ever.
		control.SetWriteDeadline(time.Now().Add(s.patient))
		_, err := w.Write(event)
		return err == nil && control.Flush() == nil
	}
	h := w.Header()
	h.Set("Content-Type", "text/event-stream")
	h.Set("X-Accel-Buffering", "no") // proxies must not collect events
	w.WriteHeader(http.StatusOK)
	if r.Method == http.MethodHead || !send([]byte(streamRetry)) {
		return
	}
	ping := time.NewTimer(s.ping)
	defer ping.Stop()
	for sent := 0; ; {
		fresh := f.fresh.wait()
		if event, count := f.newest(); count > sent {
			sent = count
			if !send(event) {
				return
			}
			ping.Reset(s.ping)
		}
		select {
		case <-fresh:
		case <-ping.C:
			if !send([]byte(": still here\n\n")) {
				return
			}
			ping.Reset(s.ping)
		case <-r.Context().Done():
			return
		case <-s.stopping.Done():
			return
		}
	}
}

// listened returns one of feeds, which owner guards, as the answer of a call. work feeds it while
// anybody listens; left is called, with owner held, when nobody does any more.
func (s *Server) listened(owner *sync.Mutex, feeds map[string]*feed, name string,
	work func(context.Context, *feed), left func()) (*stream, error) {
	if !s.streams.enter() {
		return nil, kindBusy.problem("too many streams of events are open", "close some pages")
	}
	owner.Lock()
	defer owner.Unlock()
	f := feeds[name]
	if f == nil {
		f = newFeed()
		feeds[name] = f
		var ctx context.Context
		ctx, f.cancel = context.WithCancel(s.stopping)
		go s.keepDoing(ctx, "events", func(ctx context.Context) { work(ctx, f) })
	}
	f.listeners++
	return &stream{func(c huma.Context) {
		defer s.streams.leave()
		defer func() {
			owner.Lock()
			defer owner.Unlock()
			if f.listeners--; f.listeners == 0 {
				f.cancel()
				delete(feeds, name)
				left()
			}
		}()
		r, w := humago.Unwrap(c)
		s.listen(w, r, f)
	}}, nil
}

// opening is the event about the progress of the opening of a project.
type opening struct {
	State string  `json:"state" enum:"opening,closed,failed"`
	What  string  `json:"what"`
	Share float64 `json:"share" doc:"in [0, 1]; below 0: nobody knows how much there is"`
	Error string  `json:"error,omitempty"`
	Type  string  `json:"type,omitempty" doc:"as in the list of projects"`
	Fix   string  `json:"mend,omitempty" doc:"as in the list of projects"`
}

// follow feeds what a person sees of a project: its state while it is open, and how far it is
// before.
func (s *Server) follow(ctx context.Context, p *openProject, f *feed, who string) {
	publish := func(name string, v any) {
		if err := f.publish(name, v); err != nil {
			s.log.Error("an event was lost", "project", p.id, cause(err))
		}
	}
	for ctx.Err() == nil {
		moved := p.moved.wait()
		p.mu.Lock()
		d, now := p.project, opening{State: p.state, What: p.what, Share: p.share}
		if p.err != nil {
			now.Error = asProblem(p.err).Detail
			now.Type, now.Fix = troubleOf(p.err)
		}
		p.mu.Unlock()
		if d == nil {
			publish("progress", now)
			select {
			case <-moved:
			case <-ctx.Done():
			}
			s.pause(ctx, streamGap)
			continue
		}
		news, stop := d.Subscribe()
		leave := d.Present(who)
		for here := true; here; {
			publish("state", d.State(who))
			s.pause(ctx, streamGap)
			select {
			case _, here = <-news:
			case <-moved:
				here = false
			case <-ctx.Done():
				here = false
			}
		}
		leave()
		stop()
	}
}

// followList feeds the list of projects.
func (s *Server) followList(ctx context.Context, f *feed) {
	for ctx.Err() == nil {
		changed := s.projects.listed.wait()
		began := time.Now()
		list, err := s.listing(ctx)
		if err == nil {
			err = f.publish("projects", list)
		}
		if err != nil && ctx.Err() == nil {
			s.log.Warn("the list of projects could not be sent", cause(err))
		}
		took := time.Since(began)
		select {
		case <-changed:
		case <-ctx.Done():
		}
		s.pause(ctx, max(streamGap, 5*took)) // a folder of many files is not read all the time
	}
}

// pause waits, but not longer than ctx.
func pause(ctx context.Context, d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-ctx.Done():
	}
}

// stream answers a call with events.
type stream struct {
	Body func(huma.Context)
}

func (s *Server) eventCalls(api huma.API) {
	events := func(id, path, summary, what string) huma.Operation {
		op := call(id, "GET "+path, "events", summary)
		op.Responses = sends("text/event-stream", what,
			&huma.Schema{Type: "string", Description: what})
		return op
	}
	operation(s, api, events("projectEvents", "/projects/{p}/events", "What happens in a project",
		"Server-sent events: state, with the State of whoever listens, at once and at each "+
			"change; progress, with state, what, share and error, while the project is not open. "+
			"Events that would come faster than 20 a second are joined."),
		func(ctx context.Context, in *InProject) (*stream, error) {
			p, err := s.find(in.P)
			if err != nil {
				return nil, err
			}
			who := asking(ctx).name
			return s.listened(&p.mu, p.feeds, who,
				func(ctx context.Context, f *feed) { s.follow(ctx, p, f, who) },
				func() { p.used = time.Now() })
		})
	operation(s, api, events("events", "/events", "What happens to projects as wholes",
		"Server-sent events: projects, with the list of projects, at once and at each change."),
		func(context.Context, *struct{}) (*stream, error) {
			all := &s.projects
			return s.listened(&all.mu, all.feeds, "", s.followList, func() {})
		})
}
