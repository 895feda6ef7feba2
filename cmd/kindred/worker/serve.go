package worker

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// Protocol is the number of the protocol. It grows with every change that a client could notice.
const Protocol = 1

// Serve reads requests from in and writes replies to out until in ends, which cancels what runs, or
// ctx does. Version is that of the command. The error is nil at the end of in.
func Serve(ctx context.Context, in io.Reader, out io.Writer, version string) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &server{version: version, out: &writer{out: out}, parent: os.Getppid(),
		running: map[int64]*request{}}
	s.idle = time.AfterFunc(idleAfter, s.rest)
	defer s.idle.Stop()
	reader := bufio.NewReaderSize(in, 1<<20)
	for {
		m, err := readMessage(reader)
		if err == io.EOF {
			break
		}
		if err != nil {
			s.out.write(map[string]any{"id": 0, "error": explain(err)}, nil)
			return err
		}
		if err := s.take(ctx, m); err != nil {
			s.out.write(map[string]any{"id": 0, "error": explain(err)}, nil)
			return err
		}
	}
	cancel()
	s.wait.Wait()
	return nil
}

// server is the state of a worker.
type server struct {
	version string
	parent  int // the process that started this one
	out     *writer
	wait    sync.WaitGroup
	shelf   shelf

	mu      sync.Mutex
	running map[int64]*request
	idle    *time.Timer
}

// idleAfter is how long a worker has nothing to do before it returns memory.
const idleAfter = time.Second

// rest returns memory that is not in use to the system.
func (s *server) rest() {
	s.mu.Lock()
	busy := len(s.running) > 0
	s.mu.Unlock()
	if !busy {
		debug.FreeOSMemory()
	}
}

// request is a request under way.
type request struct {
	*message
	server  *server
	id      int64
	cancel  context.CancelFunc
	answers chan string // to questions
	held    bool        // its arrays are kept
}

// take begins a request, or does what a message asks of one under way.
func (s *server) take(ctx context.Context, m *message) error {
	var h struct {
		ID     int64  `json:"id"`
		Do     string `json:"do"`
		Answer string `json:"answer"`
	}
	if err := json.Unmarshal(m.header, &h); err != nil {
		return errFrame{"a header is no JSON object of a request: " + err.Error()}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	under := s.running[h.ID]
	switch {
	case h.Do == "cancel":
		if under != nil { // else it has just ended
			under.cancel()
		}
		return nil
	case h.Do == "answer":
		if under != nil {
			select {
			case under.answers <- h.Answer:
			default:
				return errFrame{fmt.Sprintf("request %d is answered twice", h.ID)}
			}
		}
		return nil
	case h.ID < 1:
		return errFrame{fmt.Sprintf("a request has the id %d, and ids are numbers from 1", h.ID)}
	case under != nil:
		return errFrame{fmt.Sprintf("the id %d is that of a request under way", h.ID)}
	}
	r := &request{message: m, server: s, id: h.ID, answers: make(chan string, 1)}
	ctx, r.cancel = context.WithCancel(ctx)
	s.running[h.ID] = r
	s.wait.Go(func() { r.run(ctx, h.Do) })
	return nil
}

// run does what a request asks for, and replies.
func (r *request) run(ctx context.Context, do string) {
	ok, arrays, err := r.try(ctx, do)
	if err == nil {
		err = r.reply(map[string]any{"ok": ok}, arrays)
	}
	if err != nil {
		r.reply(map[string]any{"error": explain(err)}, nil)
	}
	r.cancel()
	if !r.held {
		free(slices.Collect(maps.Values(r.arrays)))
	}
}

// reply writes a reply. The request has ended with one that is no progress and no question.
func (r *request) reply(fields map[string]any, arrays []*array) error {
	fields["id"] = r.id
	if fields["ok"] != nil || fields["error"] != nil {
		r.server.mu.Lock() // so that the client may use the id anew
		delete(r.server.running, r.id)
		if len(r.server.running) == 0 {
			r.server.idle.Reset(idleAfter)
		}
		r.server.mu.Unlock()
	}
	return r.server.out.write(fields, arrays)
}

// try does what a request asks for; a panic is an error.
func (r *request) try(ctx context.Context, do string) (ok any, arrays []*array, err error) {
	defer func() {
		if v := recover(); v != nil {
			p := fault.Recovered(v)
			fmt.Fprintf(os.Stderr, "kindred: %v\n%s\n", p, p.Stack)
			err = p
		}
	}()
	if r.err != nil {
		return nil, nil, &fault.Input{Problem: r.err.Error(), Fix: "give it so"}
	}
	for _, a := range r.arrays {
		switch {
		case a.Address != 0:
			if err := a.copy(ctx, r.server.parent); err != nil {
				return nil, nil, err
			}
		case a.File != "":
			if err := a.open(); err != nil {
				return nil, nil, &fault.Input{Problem: "an array cannot be read: " + err.Error(),
					Fix: "give its values", Err: err}
			}
		}
	}
	work, known := works[do]
	if !known {
		return nil, nil, fault.Settingf("this kindred does not know how to do %q", do)
	}
	return work(ctx, r)
}

// works are what can be asked for, by name. Their results are the reply: fields and arrays.
var works = map[string]func(context.Context, *request) (any, []*array, error){
	"hello":   hello,
	"fit":     fitRows,
	"ask":     askRows,
	"predict": predict,
	"model":   modelOf,
	"draw":    draw,
	"stream":  learnRows,
	"indices": indices,
}

// hello returns what the client needs to know of the worker. Arrays show by which way they can
// come: the one called probe is returned.
func hello(_ context.Context, r *request) (any, []*array, error) {
	var back []*array
	if a := r.arrays["probe"]; a != nil {
		back = append(back, of("probe", slices.Clone(a.bytes), len(a.bytes)))
	}
	return map[string]any{"version": r.server.version, "protocol": Protocol,
		"arrays": len(r.arrays)}, back, nil
}

// into reads the fields of the header.
func (r *request) into(fields any) error {
	if err := json.Unmarshal(r.header, fields); err != nil {
		return fault.Settingf("the request cannot be read: %v", err)
	}
	return nil
}
