package studio

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/kindred-go/kindred/fault"
)

// requestHeader names a request in its answer; the log has the same name.
const requestHeader = "X-Request-Id"

// requestName is a name that a client, or a proxy in front, may give to a request.
var requestName = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// nameRequest returns the name of a request: the one that it came with, else a new one.
func nameRequest(r *http.Request) string {
	if given := r.Header.Get(requestHeader); requestName.MatchString(given) {
		return given
	}
	var b [6]byte
	rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

type requestKey struct{}

// requestOf returns the name of the request that ctx belongs to; "" where there is none.
func requestOf(ctx context.Context) string {
	id, _ := ctx.Value(requestKey{}).(string)
	return id
}

// cause returns why something failed as the log has it. Of a fault in the data it is the location
// alone, as the sentence may quote a cell.
func cause(err error) slog.Attr {
	var in *fault.Input
	var storage *fault.Storage
	var panicked *fault.Panic
	switch {
	case errors.As(err, &panicked):
		return slog.GroupAttrs("", slog.String("panic", panicWords(panicked.Value)),
			slog.String("stack", panicked.Stack))
	case errors.As(err, &storage):
		at := []slog.Attr{slog.String("kind", string(storage.Kind)),
			slog.String("file", storage.File)}
		if storage.Err != nil {
			at = append(at, slog.String("error", storage.Err.Error()))
		}
		return slog.GroupAttrs("fault", at...)
	case !errors.As(err, &in):
		return slog.String("error", err.Error())
	}
	at := []slog.Attr{slog.String("file", in.File)}
	if in.Line > 0 {
		at = append(at, slog.Int("line", in.Line))
	}
	if in.Row > 0 {
		at = append(at, slog.Int("row", in.Row))
	}
	if in.Column != "" {
		at = append(at, slog.String("column", in.Column))
	}
	return slog.GroupAttrs("fault", at...)
}

// panicWords returns what a panic says, without the content of what is no message.
func panicWords(value any) string {
	switch value := value.(type) {
	case error:
		return value.Error()
	case string:
		return value
	}
	return fmt.Sprintf("a value of type %T", value)
}

// named returns a problem that names its request. The sentence has the name where the log has more
// about it than the client may know.
func named(p *Problem, request string) *Problem {
	n := *p // others may have the problem, too
	n.Request = request
	if n.Detail == failedDetail && request != "" {
		n.Detail += " under request " + request
	}
	return &n
}

// answered logs a request and its answer. The address is logged as the pattern that it matched: the
// rest of it may hold what nobody else is to know.
func (s *Server) answered(r *http.Request, a *answer, pattern string, took time.Duration) {
	level := slog.LevelInfo
	if reads := r.Method == http.MethodGet || r.Method == http.MethodHead; reads && a.status < 400 {
		level = slog.LevelDebug // the page makes a dozen at a time
	}
	s.log.Log(r.Context(), level, "request", "request", requestOf(r.Context()), "method", r.Method,
		"route", cmp.Or(pattern, "none"), "status", a.status, "took", took, "bytes", a.bytes)
}

// logFailed logs why a call failed, unless that is the client's own matter.
func (s *Server) logFailed(ctx context.Context, call string, p *Problem, err error) {
	if _, trouble := fault.Of(err); trouble || p.Status == http.StatusInternalServerError {
		s.log.Log(ctx, levelOf(err), "a call failed", "request", requestOf(ctx), "call", call,
			cause(err))
	}
}

// levelOf returns how bad an error is: what people can put right by themselves is a warning.
func levelOf(err error) slog.Level {
	if class, trouble := fault.Of(err); trouble && class.Kind != fault.InUse ||
		asProblem(err).Status == http.StatusInternalServerError {
		return slog.LevelError
	}
	return slog.LevelWarn
}

// keepDoing does what goes on beside requests until ctx is done. Where it panics, that is logged,
// and it begins again in a while.
func (s *Server) keepDoing(ctx context.Context, what string, do func(context.Context)) {
	for once := true; once || ctx.Err() == nil; once = false {
		if err := guarded(func() { do(ctx) }); err != nil {
			s.log.Error("the server panicked", "in", what, cause(err))
			pause(ctx, time.Second)
			continue
		}
		return
	}
}

// guarded returns a panic of do as an error.
func guarded(do func()) (err error) {
	defer func() {
		if failed := recover(); failed != nil {
			err = fault.Recovered(failed)
		}
	}()
	do()
	return nil
}
